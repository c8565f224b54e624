/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables of domains whose frequency and voltage change (docs/power.md), which a record has when a
 * policy changes them: clock_domains, clock_boxes, clock_changes; power_states, frame_states and
 * interval_states, by which energy is scaled; and the view frame_clocks.
 */
#include <string.h>
#include "report/sim_record_impl.h"

static const char tables[] =
    "CREATE TABLE clock_domains (domain INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE clock_boxes (box INTEGER PRIMARY KEY, domain INTEGER NOT NULL);"
    "CREATE TABLE clock_changes (change INTEGER PRIMARY KEY, frame INTEGER NOT NULL, domain "
    "INTEGER "
    "NOT NULL, cycle REAL NOT NULL, simulated_ns REAL NOT NULL, percent INTEGER NOT NULL, "
    "voltage_permille INTEGER NOT NULL, still_ns REAL NOT NULL, reason TEXT NOT NULL);"
    "CREATE TABLE power_states (state INTEGER NOT NULL, unit TEXT NOT NULL, permille INTEGER NOT "
    "NULL, PRIMARY KEY (state, unit)) WITHOUT ROWID;"
    "CREATE TABLE frame_states (frame INTEGER NOT NULL, state INTEGER NOT NULL, counter INTEGER "
    "NOT NULL, instance INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (frame, state, "
    "counter, instance)) WITHOUT ROWID;"
    "CREATE TABLE interval_states (interval INTEGER NOT NULL, state INTEGER NOT NULL, counter "
    "INTEGER NOT NULL, instance INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (interval, "
    "state, counter, instance)) WITHOUT ROWID;"
    /* How long each state of a domain lasted, then its share of each frame. */
    "CREATE VIEW clock_times AS SELECT change, domain, percent, voltage_permille, still_ns, "
    "reason, "
    "cycle AS start_cycle, coalesce(lead(cycle) OVER (PARTITION BY domain ORDER BY change), "
    "(SELECT max(end_cycle) FROM frames)) AS end_cycle FROM clock_changes;"
    "CREATE VIEW frame_clocks AS SELECT f.frame, d.domain, d.name, "
    "sum(t.percent * (min(f.end_cycle, t.end_cycle) - max(f.start_cycle, t.start_cycle))) * 1.0 "
    "/ f.cycles AS percent, "
    "sum(t.voltage_permille * (min(f.end_cycle, t.end_cycle) - max(f.start_cycle, "
    "t.start_cycle))) * 1.0 / f.cycles AS voltage_permille, "
    "(SELECT count(*) FROM clock_changes c WHERE c.frame = f.frame AND c.domain = d.domain AND "
    "c.reason <> 'start') AS changes "
    "FROM frames f JOIN clock_domains d JOIN clock_times t ON t.domain = d.domain AND "
    "t.start_cycle < f.end_cycle AND t.end_cycle > f.start_cycle GROUP BY f.frame, d.domain";

/* For the first domain. */
static void
make_tables(struct sim_record *rec)
{
   sqlite3_stmt *s;
   record_sql(rec, tables);
   rec->put_clock =
       record_prepare(rec, "INSERT INTO clock_changes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)");
   rec->put_state = record_prepare(rec, "INSERT INTO power_states VALUES (?, ?, ?)");
   rec->put_frame_state = record_prepare(rec, "INSERT INTO frame_states VALUES (?, ?, ?, ?, ?)");
   rec->put_interval_state =
       record_prepare(rec, "INSERT INTO interval_states VALUES (?, ?, ?, ?, ?)");
   s = record_prepare(rec, "INSERT INTO clock_boxes VALUES (?, ?)");
   for (unsigned i = 0; s && i < rec->kernel->num_boxes; i++) {
      record_number(s, 1, i);
      record_number(s, 2, rec->kernel->island[i]);
      record_step(rec, s);
   }
   sqlite3_finalize(s);
}

static void
put_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
          const struct sim_report_clock *change)
{
   sqlite3_stmt *s = rec->put_clock;
   record_number(s, 1, frame);
   record_number(s, 2, change->domain);
   sqlite3_bind_double(s, 3, (double)now / (double)rec->kernel->period[SIM_DOMAIN_GPU]);
   sqlite3_bind_double(s, 4, (double)now * rec->kernel->ns_per_tick);
   record_number(s, 5, change->percent);
   record_number(s, 6, change->voltage);
   sqlite3_bind_double(s, 7, change->still_ns);
   record_text(s, 8, change->reason);
   record_step(rec, s);
}

void
sim_record_domain(struct sim_record *rec, unsigned domain, const char *name)
{
   if (!record_usable(rec))
      return;
   record_enter(rec);
   record_begin(rec);
   if (!rec->put_clock)
      make_tables(rec);
   sqlite3_stmt *s = record_prepare(rec, "INSERT INTO clock_domains VALUES (?, ?)");
   if (s) {
      record_number(s, 1, domain);
      record_text(s, 2, name);
      record_step(rec, s);
   }
   sqlite3_finalize(s);
   /* All begin at their nominal frequency. */
   if (rec->put_clock)
      put_clock(rec, 0, rec->kernel->now,
                &(struct sim_report_clock){
                    .domain = domain, .percent = 100, .voltage = 1000, .reason = "start"});
   record_leave(rec);
}

void
sim_record_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                 const struct sim_report_clock *change)
{
   if (!record_usable(rec) || !rec->put_clock)
      return;
   record_enter(rec);
   record_begin(rec);
   put_clock(rec, frame, now, change);
   record_leave(rec);
}

/* The voltage of a class of boxes: the mean of theirs. */
static unsigned
class_voltage(const struct sim_kernel *k, const struct sim_box_class *cls, const uint16_t *voltage)
{
   unsigned sum = 0, num = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls != cls)
         continue;
      sum += voltage[k->island[i]];
      num++;
   }
   return (sum + num / 2) / num;
}

void
sim_record_state(struct sim_record *rec, unsigned state, const uint16_t *voltage)
{
   sqlite3_stmt *s = rec ? rec->put_state : NULL;
   if (!record_usable(rec) || !s)
      return;
   record_enter(rec);
   record_begin(rec);
   for (unsigned i = 0; i < rec->columns->num_classes; i++) {
      const struct sim_box_class *cls = rec->columns->classes[i].cls;
      const unsigned permille = class_voltage(rec->kernel, cls, voltage);
      if (permille == 1000)
         continue;
      record_number(s, 1, state);
      record_text(s, 2, cls->name);
      record_number(s, 3, permille);
      record_step(rec, s);
   }
   record_leave(rec);
}

static void
put_part(struct sim_record *rec, sqlite3_stmt *s, int64_t counter, int64_t instance, uint64_t value)
{
   sqlite3_bind_int64(s, 3, counter);
   sqlite3_bind_int64(s, 4, instance);
   record_number(s, 5, value);
   record_step(rec, s);
}

void
sim_record_state_part(struct sim_record *rec, bool of_frame, uint64_t id, unsigned state,
                      uint64_t cycles, const struct report_values *values)
{
   sqlite3_stmt *s = !rec ? NULL : of_frame ? rec->put_frame_state : rec->put_interval_state;
   if (!record_usable(rec) || !s)
      return;
   record_enter(rec);
   record_begin(rec);
   record_number(s, 1, id);
   record_number(s, 2, state);
   put_part(rec, s, -1, -1, cycles);
   for (unsigned i = 0; i < values->num_touched; i++) {
      unsigned counter;
      int instance;
      record_column(rec, values->touched[i], &counter, &instance);
      put_part(rec, s, counter, instance, values->value[values->touched[i]]);
   }
   record_leave(rec);
}

uint64_t
sim_record_intervals(const struct sim_record *rec)
{
   return rec ? rec->intervals : 0;
}
