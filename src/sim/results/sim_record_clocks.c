/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables of domains whose frequency and voltage a policy changes (dvfs.md): clock_domains,
 * clock_boxes, clock_changes; power_states and K_states, which scale energy; the view frame_clocks.
 * Time is divided among states in whole cycles, so that the rows of a state sum to those of the
 * frame. */
#include <stdlib.h>
#include <string.h>
#include "core/sim_dvfs.h"
#include "core/sim_grow_array.h"
#include "results/sim_record_impl.h"

struct record_clocks {
   /* States in the order of time. */
   struct {
      uint64_t cycle;
      unsigned state;
   } * time;
   size_t num, size;
   unsigned num_states;
   uint64_t changes;
   uint64_t *cycles; /* [state]: cycles of the stretch that is being divided; zeros between calls */
   uint64_t *given;  /* [state]: cycles of the frame's rows */
   bool *apart;      /* [column]: a single box of a class whose boxes have different voltages */
};

/* How long each state of a domain lasted, and its share of each frame. */
static const char views[] =
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

/* Adds a state to all arrays. Returns false if host memory is exhausted. */
static bool
record_clocks_add_state(struct record_clocks *c)
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

/* Notes that a state begins in a cycle, which must not be before the last change. */
static bool
record_clocks_add_time(struct record_clocks *c, uint64_t cycle, unsigned state)
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
record_clocks_put_boxes(struct sim_record *rec)
{
   sqlite3_stmt *s = record_put(rec, TABLE_clock_boxes);
   for (unsigned i = 0; i < rec->measure->kernel->num_boxes; i++) {
      record_number(s, IN_clock_boxes_box, i);
      record_number(s, IN_clock_boxes_domain, rec->measure->kernel->dvfs_domain[i]);
      record_step(rec, s);
   }
}

static void
record_clocks_make(struct sim_record *rec)
{
   struct record_clocks *c = calloc(1, sizeof(*c));
   rec->clocks = c;
   if (c)
      c->apart = calloc(rec->measure->columns.num + 1, sizeof(*c->apart));
   if (!c || !c->apart || !record_clocks_add_state(c) || !record_clocks_add_time(c, 0, 0)) {
      record_out_of_memory(rec);
      return;
   }
   record_make_clock_tables(rec);
   record_sql(rec, views);
   record_clocks_put_boxes(rec);
}

static void
record_clocks_put_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                        const struct sim_clock_change *change)
{
   const struct sim_kernel *k = rec->measure->kernel;
   sqlite3_stmt *s = record_put(rec, TABLE_clock_changes);
   record_number(s, IN_clock_changes_change, ++rec->clocks->changes);
   record_number(s, IN_clock_changes_frame, frame);
   record_number(s, IN_clock_changes_domain, change->domain);
   sqlite3_bind_double(s, IN_clock_changes_cycle, (double)now / (double)k->period[SIM_DOMAIN_GPU]);
   sqlite3_bind_double(s, IN_clock_changes_simulated_ns, (double)now * k->ns_per_tick);
   record_number(s, IN_clock_changes_percent, change->percent);
   record_number(s, IN_clock_changes_voltage_permille, change->voltage);
   sqlite3_bind_double(s, IN_clock_changes_still_ns, change->still_ns);
   record_text(s, IN_clock_changes_reason, change->reason);
   record_step(rec, s);
   rec->staged = true;
}

void
sim_record_domain(struct sim_record *rec, unsigned domain, const char *name)
{
   if (!record_usable(rec))
      return;
   record_begin(rec);
   if (!rec->clocks)
      record_clocks_make(rec);
   sqlite3_stmt *s = record_put(rec, TABLE_clock_domains);
   if (rec->failed)
      return;
   record_number(s, IN_clock_domains_domain, domain);
   record_text(s, IN_clock_domains_name, name);
   record_step(rec, s);
   /* All domains begin at nominal frequency. */
   record_clocks_put_clock(
       rec, 0, rec->measure->kernel->now,
       &(struct sim_clock_change){
           .domain = domain, .percent = 100, .voltage = 1000, .reason = "start"});
   sim_record_commit(rec);
}

void
sim_record_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                 const struct sim_clock_change *change, unsigned state)
{
   if (!record_usable(rec) || !rec->clocks)
      return;
   record_clocks_put_clock(rec, frame, now, change);
   if (!record_clocks_add_time(rec->clocks, now / rec->measure->kernel->period[SIM_DOMAIN_GPU],
                               state))
      record_out_of_memory(rec);
}

static void
record_clocks_put_voltage(struct sim_record *rec, unsigned state, const struct sim_box_class *cls,
                          int instance, unsigned permille)
{
   sqlite3_stmt *s = record_put(rec, TABLE_power_states);
   record_number(s, IN_power_states_state, state);
   record_text(s, IN_power_states_unit, cls->name);
   sqlite3_bind_int(s, IN_power_states_instance, instance);
   record_number(s, IN_power_states_permille, permille);
   record_step(rec, s);
}

/* Writes the voltages of a class in a state. If all boxes have the same voltage, it is written once
 * unless it is nominal; else one is written per box, as for shaders in several domains. */
static void
record_clocks_put_voltages(struct sim_record *rec, unsigned state, const struct sim_box_class *cls,
                           const uint16_t *voltage)
{
   const struct sim_kernel *k = rec->measure->kernel;
   const struct measure_columns *columns = &rec->measure->columns;
   unsigned first = 0, apart = 0;
   while (first < k->num_boxes && k->boxes[first]->cls != cls)
      first++;
   if (first == k->num_boxes)
      return;
   const unsigned one = voltage[k->dvfs_domain[first]];
   for (unsigned i = first; i < k->num_boxes; i++)
      apart += k->boxes[i]->cls == cls && voltage[k->dvfs_domain[i]] != one;
   if (!apart && one != 1000)
      record_clocks_put_voltage(rec, state, cls, -1, one);
   for (unsigned i = first; apart && i < k->num_boxes; i++) {
      if (k->boxes[i]->cls != cls)
         continue;
      record_clocks_put_voltage(rec, state, cls, (int)k->boxes[i]->instance,
                                voltage[k->dvfs_domain[i]]);
      for (unsigned s = 0; columns->own[i] != NO_COLUMN && s < measure_class_stats(cls); s++)
         rec->clocks->apart[columns->own[i] + s] = true;
   }
}

void
sim_record_state(struct sim_record *rec, unsigned state, const uint16_t *voltage)
{
   if (!record_usable(rec) || !rec->clocks)
      return;
   while (rec->clocks->num_states <= state) {
      if (!record_clocks_add_state(rec->clocks)) {
         record_out_of_memory(rec);
         return;
      }
   }
   record_begin(rec);
   for (unsigned i = 0; i < rec->measure->columns.num_classes; i++)
      record_clocks_put_voltages(rec, state, rec->measure->columns.classes[i].cls, voltage);
   record_power_state(rec, state);
}

/* --- Time --- */

/* Counts the cycles of each state from start to end, into c->cycles. */
static void
record_clocks_count_cycles(struct record_clocks *c, uint64_t start, uint64_t end)
{
   /* Binary search for the last stretch that begins at start or before. */
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

/* --- Rows --- */

/* All three tables have the same columns after the key. */
enum { KEY_PARAMETER = IN_work_states_work, STATE = IN_work_states_state };
static const enum record_table states_of[RECORD_NUM_KINDS] = {
    [RECORD_WORK] = TABLE_work_states,
    [RECORD_FRAME] = TABLE_frame_states,
    [RECORD_INTERVAL] = TABLE_interval_states,
};

static void
record_clocks_put_value(struct sim_record *rec, enum record_kind kind, uint64_t id, unsigned state,
                        int counter, int instance, uint64_t value)
{
   sqlite3_stmt *s = record_put(rec, states_of[kind]);
   record_number(s, KEY_PARAMETER, id);
   record_number(s, STATE, state);
   sqlite3_bind_int(s, STATE + 1, counter);
   sqlite3_bind_int(s, STATE + 2, instance);
   record_number(s, STATE + 3, value);
   record_step(rec, s);
}

/* Writes a part of a row. Parts of single boxes are written for frames; for other rows only if the
 * record has single boxes, or if boxes of the class have different voltages. */
static void
record_clocks_put_part(struct sim_record *rec, enum record_kind kind, uint64_t id,
                       const struct sim_record_part *part)
{
   unsigned counter;
   int instance;
   const bool box = part->column >= rec->measure->columns.num_sums;
   if (box && kind != RECORD_FRAME && !rec->boxes && !rec->clocks->apart[part->column])
      return;
   record_column(rec, part->column, &counter, &instance);
   if (kind == RECORD_WORK && !rec->chosen[box ? counter : part->column])
      return;
   record_clocks_put_value(rec, kind, id, part->state, (int)counter, instance, part->value);
}

static void
record_clocks_put_cycles(struct sim_record *rec, enum record_kind kind, uint64_t id)
{
   for (unsigned i = 1; i < rec->clocks->num_states; i++) {
      if (rec->clocks->cycles[i])
         record_clocks_put_value(rec, kind, id, i, -1, -1, rec->clocks->cycles[i]);
   }
}

void
record_clocks_frame(struct sim_record *rec, const struct sim_record_frame *f)
{
   record_clocks_count_cycles(rec->clocks, f->start, f->end);
   record_clocks_put_cycles(rec, RECORD_FRAME, f->frame);
   for (unsigned state = 1; f->parts && state < f->parts->num; state++) {
      const struct measure_values *v = &f->parts->state[state];
      for (unsigned i = 0; i < v->num_touched; i++)
         record_clocks_put_part(
             rec, RECORD_FRAME, f->frame,
             &(struct sim_record_part){state, v->touched[i], v->value[v->touched[i]]});
   }
}

void
record_clocks_interval(struct sim_record *rec, const struct sim_record_interval *interval)
{
   record_clocks_count_cycles(rec->clocks, interval->start, interval->end);
   record_clocks_put_cycles(rec, RECORD_INTERVAL, rec->intervals);
   for (unsigned i = 0; i < interval->num_parts; i++)
      record_clocks_put_part(rec, RECORD_INTERVAL, rec->intervals, &interval->parts[i]);
}

void
record_clocks_work(struct sim_record *rec, const struct sim_record_work *w)
{
   struct record_clocks *c = rec->clocks;
   const bool rest = w->work->kind == SIM_KIND_OTHER;
   if (rest)
      record_clocks_count_cycles(c, w->start, w->end);
   else
      record_clocks_count_cycles(c, w->from, w->from + w->exclusive);
   for (unsigned i = 0; i < c->num_states; i++) {
      if (rest)
         c->cycles[i] -= c->given[i];
      else
         c->given[i] += c->cycles[i];
   }
   if (w->hidden)
      return;
   record_clocks_put_cycles(rec, RECORD_WORK, rec->frame_id + w->number);
   for (unsigned i = 0; i < w->num_parts; i++)
      record_clocks_put_part(rec, RECORD_WORK, rec->frame_id + w->number, &w->parts[i]);
}

void
record_clocks_next_frame(struct sim_record *rec)
{
   memset(rec->clocks->given, 0, rec->clocks->num_states * sizeof(*rec->clocks->given));
}

void
record_clocks_free(struct sim_record *rec)
{
   if (!rec->clocks)
      return;
   free(rec->clocks->time);
   free(rec->clocks->cycles);
   free(rec->clocks->given);
   free(rec->clocks->apart);
   free(rec->clocks);
}
