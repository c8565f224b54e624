/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables of domains whose frequency and voltage change (dvfs.md), which a record has when a
 * policy changes them: clock_domains, clock_boxes, clock_changes; power_states and K_state_counts,
 * by which energy is scaled; and the views K_states and frame_clocks. Time is divided among states
 * here: in whole cycles, so that what rows have of a state adds up to what the frame has.
 */
#include <stdlib.h>
#include <string.h>
#include "core/sim_grow_array.h"
#include "results/sim_record_impl.h"

/* The arrays of what a row counted in states, while it waits. */
struct record_parts {
   struct record_text text;
   unsigned num;
   struct {
      unsigned state;
      size_t begin; /* in text */
   } part[];
};

struct record_clocks {
   /* States as they follow each other. */
   struct {
      uint64_t cycle;
      unsigned state;
   } * time;
   size_t num, size;
   unsigned num_states;
   uint64_t *cycles; /* [state]: of what is divided; zeros between */
   uint64_t *given;  /* [state]: what rows of the frame have */
   sqlite3_stmt *put_clock, *put_state, *put_counts[SIM_NUM_STATES_OF], *drop_counts;
};

static const char *const kinds[SIM_NUM_STATES_OF] =
    {[SIM_STATES_WORK] = "work", [SIM_STATES_FRAME] = "frame", [SIM_STATES_INTERVAL] = "interval"};

static const char tables[] =
    "CREATE TABLE clock_domains (domain INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE clock_boxes (box INTEGER PRIMARY KEY, domain INTEGER NOT NULL);"
    "CREATE TABLE clock_changes (change INTEGER PRIMARY KEY, frame INTEGER NOT NULL, domain "
    "INTEGER "
    "NOT NULL, cycle REAL NOT NULL, simulated_ns REAL NOT NULL, percent INTEGER NOT NULL, "
    "voltage_permille INTEGER NOT NULL, still_ns REAL NOT NULL, reason TEXT NOT NULL);"
    "CREATE TABLE power_states (state INTEGER NOT NULL, unit TEXT NOT NULL, instance INTEGER NOT "
    "NULL, permille INTEGER NOT NULL, PRIMARY KEY (state, unit, instance)) WITHOUT ROWID;"
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

/* Of a kind of rows: counts as K_counts has them, by state; and a row for each number. */
static void
make_counts(struct sim_record *rec, enum sim_states_of of)
{
   const char *k = kinds[of];
   char sql[900];
   snprintf(sql, sizeof(sql),
            "CREATE TABLE %s_state_counts (%s INTEGER NOT NULL, state INTEGER NOT NULL, cycles "
            "INTEGER NOT NULL, layout INTEGER NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (%s, "
            "state)) WITHOUT ROWID;"
            "CREATE VIEW %s_states AS SELECT v.%s AS %s, v.state AS state, l.counter AS counter, "
            "l.instance AS instance, j.value AS value FROM %s_state_counts v CROSS JOIN "
            "json_each(v.counts) j CROSS JOIN layout l ON l.entry = (v.layout << 16) + j.key "
            "WHERE j.value != 0 UNION ALL SELECT %s, state, -1, -1, cycles FROM %s_state_counts "
            "WHERE cycles != 0",
            k, k, k, k, k, k, k, k, k);
   record_sql(rec, sql);
   snprintf(sql, sizeof(sql), "INSERT INTO %s_state_counts VALUES (?, ?, ?, ?, ?)", k);
   rec->clocks->put_counts[of] = record_prepare(rec, sql);
}

static void
make_tables(struct sim_record *rec)
{
   struct record_clocks *c = rec->clocks;
   sqlite3_stmt *s;
   record_sql(rec, tables);
   c->put_clock =
       record_prepare(rec, "INSERT INTO clock_changes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)");
   c->put_state = record_prepare(rec, "INSERT INTO power_states VALUES (?, ?, ?, ?)");
   for (unsigned of = 0; of < SIM_NUM_STATES_OF; of++)
      make_counts(rec, of);
   c->drop_counts = record_prepare(rec, "DELETE FROM work_state_counts WHERE work >= ?");
   s = record_prepare(rec, "INSERT INTO clock_boxes VALUES (?, ?)");
   for (unsigned i = 0; s && i < rec->kernel->num_boxes; i++) {
      record_number(s, 1, i);
      record_number(s, 2, rec->kernel->dvfs_domain[i]);
      record_step(rec, s);
   }
   sqlite3_finalize(s);
}

/* States have one more; false: out of host memory. */
static bool
add_state(struct record_clocks *c)
{
   const size_t size = (c->num_states + 1) * sizeof(*c->cycles);
   uint64_t *cycles = realloc(c->cycles, size);
   c->cycles = cycles ? cycles : c->cycles;
   uint64_t *given = cycles ? realloc(c->given, size) : NULL;
   c->given = given ? given : c->given;
   if (!given)
      return false;
   cycles[c->num_states] = given[c->num_states] = 0;
   c->num_states++;
   return true;
}

/* From a cycle on, which is not before those that are there. */
static bool
add_time(struct record_clocks *c, uint64_t cycle, unsigned state)
{
   if (c->num && c->time[c->num - 1].cycle == cycle)
      c->num--;
   if (!sim_grow_array(&c->time, &c->size, c->num + 1, sizeof(*c->time)))
      return false;
   c->time[c->num].cycle = cycle;
   c->time[c->num++].state = state;
   return true;
}

static void
out_of_memory(struct sim_record *rec)
{
   if (!rec->failed)
      snprintf(rec->error, sizeof(rec->error), "%.400s: out of host memory", rec->path);
   rec->failed = true;
}

static bool
make(struct sim_record *rec)
{
   struct record_clocks *c = calloc(1, sizeof(*c));
   rec->clocks = c;
   if (c && add_state(c) && add_time(c, 0, 0)) {
      make_tables(rec);
      return true;
   }
   out_of_memory(rec);
   return false;
}

static void
put_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
          const struct sim_report_clock *change)
{
   sqlite3_stmt *s = rec->clocks->put_clock;
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
   sqlite3_stmt *s = NULL;
   if (rec->clocks || make(rec))
      s = record_prepare(rec, "INSERT INTO clock_domains VALUES (?, ?)");
   if (s) {
      record_number(s, 1, domain);
      record_text(s, 2, name);
      record_step(rec, s);
   }
   sqlite3_finalize(s);
   /* All begin at their nominal frequency. */
   if (!rec->failed)
      put_clock(rec, 0, rec->kernel->now,
                &(struct sim_report_clock){
                    .domain = domain, .percent = 100, .voltage = 1000, .reason = "start"});
   record_leave(rec);
}

void
sim_record_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                 const struct sim_report_clock *change, unsigned state)
{
   if (!record_usable(rec) || !rec->clocks)
      return;
   record_enter(rec);
   record_begin(rec);
   put_clock(rec, frame, now, change);
   if (!add_time(rec->clocks, now / rec->kernel->period[SIM_DOMAIN_GPU], state))
      out_of_memory(rec);
   record_leave(rec);
}

static void
put_voltage(struct sim_record *rec, unsigned state, const struct sim_box_class *cls, int instance,
            unsigned permille)
{
   sqlite3_stmt *s = rec->clocks->put_state;
   record_number(s, 1, state);
   record_text(s, 2, cls->name);
   sqlite3_bind_int(s, 3, instance);
   record_number(s, 4, permille);
   record_step(rec, s);
}

/* Of a class of boxes in a state: one, unless that is the nominal one; or one for each of them, if
 * some are in other domains than others, as the shaders of a split machine are. */
static void
put_voltages(struct sim_record *rec, unsigned state, const struct sim_box_class *cls,
             const uint16_t *voltage)
{
   const struct sim_kernel *k = rec->kernel;
   unsigned first = 0, apart = 0;
   while (first < k->num_boxes && k->boxes[first]->cls != cls)
      first++;
   if (first == k->num_boxes)
      return;
   const unsigned one = voltage[k->dvfs_domain[first]];
   for (unsigned i = first; i < k->num_boxes; i++)
      apart += k->boxes[i]->cls == cls && voltage[k->dvfs_domain[i]] != one;
   if (!apart && one != 1000)
      put_voltage(rec, state, cls, -1, one);
   for (unsigned i = first; apart && i < k->num_boxes; i++) {
      if (k->boxes[i]->cls == cls)
         put_voltage(rec, state, cls, (int)k->boxes[i]->instance, voltage[k->dvfs_domain[i]]);
   }
}

void
sim_record_state(struct sim_record *rec, unsigned state, const uint16_t *voltage)
{
   if (!record_usable(rec) || !rec->clocks)
      return;
   while (rec->clocks->num_states <= state) {
      if (!add_state(rec->clocks)) {
         out_of_memory(rec);
         return;
      }
   }
   record_enter(rec);
   record_begin(rec);
   for (unsigned i = 0; i < rec->columns->num_classes; i++)
      put_voltages(rec, state, rec->columns->classes[i].cls, voltage);
   record_power_state(rec, state);
   record_leave(rec);
}

/* --- Time --- */

/* How many cycles each state has of those from start to end, in c->cycles. */
static void
count_cycles(struct record_clocks *c, uint64_t start, uint64_t end)
{
   /* The last stretch that begins at start or before is in between. */
   size_t low = 0, high = c->num;
   while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      if (c->time[middle].cycle <= start)
         low = middle;
      else
         high = middle;
   }
   memset(c->cycles, 0, c->num_states * sizeof(*c->cycles));
   for (size_t i = low; i < c->num && start < end; i++) {
      const uint64_t next =
          i + 1 < c->num && c->time[i + 1].cycle < end ? c->time[i + 1].cycle : end;
      if (next > start) {
         c->cycles[c->time[i].state] += next - start;
         start = next;
      }
   }
}

static void
put_counts(struct sim_record *rec, enum sim_states_of of, unsigned state, uint64_t id,
           unsigned layout, const char *counts, size_t size)
{
   sqlite3_stmt *s = rec->clocks->put_counts[of];
   record_put_layout(rec, layout);
   record_number(s, 1, id);
   record_number(s, 2, state);
   record_number(s, 3, rec->clocks->cycles[state]);
   record_number(s, 4, layout);
   sqlite3_bind_text64(s, 5, counts, size, SQLITE_STATIC, SQLITE_UTF8);
   record_step(rec, s);
}

void
sim_record_states(struct sim_record *rec, const struct sim_record_states *states)
{
   if (!record_usable(rec) || !rec->clocks)
      return;
   const struct measure_parts *p = states->parts;
   const unsigned layout =
       states->of == SIM_STATES_FRAME ? RECORD_LAYOUT_FRAME : RECORD_LAYOUT_INTERVAL;
   record_enter(rec);
   record_begin(rec);
   count_cycles(rec->clocks, states->start, states->end);
   for (unsigned i = 1; i < rec->clocks->num_states; i++) {
      static const struct measure_values none;
      const struct measure_values *v = i < p->num ? &p->state[i] : &none;
      rec->text.len = 0;
      if (!v->num_touched && !rec->clocks->cycles[i])
         continue;
      if (record_encode(rec, layout, v, NULL, &rec->text))
         put_counts(rec, states->of, i, states->id, layout, rec->text.p, rec->text.len);
      else
         out_of_memory(rec);
   }
   record_leave(rec);
}

/* --- Rows of work --- */

bool
record_clocks_encode(struct sim_record *rec, const struct sim_record_work *work,
                     struct record_parts **parts)
{
   const struct measure_parts *from = work->parts;
   unsigned num = 0;
   for (unsigned i = 1; i < from->num; i++)
      num += from->state[i].num_touched > 0;
   if (!num)
      return true;
   struct record_parts *p = calloc(1, sizeof(*p) + num * sizeof(p->part[0]));
   if (!p)
      return false;
   for (unsigned i = 1; i < from->num; i++) {
      if (!from->state[i].num_touched)
         continue;
      p->part[p->num].state = i;
      p->part[p->num++].begin = p->text.len;
      if (!record_encode(rec, work->row->kind, &from->state[i], rec->chosen, &p->text)) {
         free(p->text.p);
         free(p);
         return false;
      }
   }
   *parts = p;
   return true;
}

static void
free_parts(struct record_work *w)
{
   if (w->parts)
      free(w->parts->text.p);
   free(w->parts);
   w->parts = NULL;
}

/* The states in which it has counts, or time. */
static void
write_work(struct sim_record *rec, const struct record_work *w)
{
   const struct record_parts *p = w->parts;
   const uint64_t id = rec->frame_id + w->number;
   unsigned next = 0;
   record_begin(rec);
   for (unsigned i = 1; i < rec->clocks->num_states; i++) {
      const char *counts = "[]";
      size_t size = 2;
      if (p && next < p->num && p->part[next].state == i) {
         const size_t begin = p->part[next++].begin;
         counts = p->text.p + begin;
         size = (next < p->num ? p->part[next].begin : p->text.len) - begin;
      } else if (!rec->clocks->cycles[i]) {
         continue;
      }
      put_counts(rec, SIM_STATES_WORK, i, id, w->row.kind, counts, size);
   }
}

void
record_clocks_work(struct sim_record *rec, struct record_work *w, uint64_t from, uint64_t exclusive)
{
   struct record_clocks *c = rec->clocks;
   const bool rest = w->row.kind == SIM_ROW_OTHER;
   if (rest)
      count_cycles(c, w->start, w->end);
   else
      count_cycles(c, from, from + exclusive);
   for (unsigned i = 0; i < c->num_states; i++) {
      if (rest)
         c->cycles[i] -= c->given[i];
      else
         c->given[i] += c->cycles[i];
   }
   if (!w->hidden)
      write_work(rec, w);
   free_parts(w);
}

void
record_clocks_new_frame(struct sim_record *rec)
{
   memset(rec->clocks->given, 0, rec->clocks->num_states * sizeof(*rec->clocks->given));
}

static void
free_waiting(struct sim_record *rec)
{
   for (uint32_t i = 0; i < rec->num_waiting; i++)
      free_parts(&rec->waiting[i]);
}

void
record_clocks_drop_work(struct sim_record *rec)
{
   free_waiting(rec);
   record_number(rec->clocks->drop_counts, 1, rec->frame_id);
   record_step(rec, rec->clocks->drop_counts);
}

void
record_clocks_free(struct sim_record *rec)
{
   if (!rec->clocks)
      return;
   free_waiting(rec);
   free(rec->clocks->time);
   free(rec->clocks->cycles);
   free(rec->clocks->given);
   free(rec->clocks);
}

uint64_t
sim_record_intervals(const struct sim_record *rec)
{
   return rec ? rec->intervals : 0;
}
