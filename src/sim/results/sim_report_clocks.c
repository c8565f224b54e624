/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Domains whose frequency and voltage change: each change is a row of the record, and what a row of
 * work, a frame and an interval counted is divided among the states in which it was counted. A
 * state is a vector of voltages, one for each domain; state 0 has the nominal one everywhere. What
 * is not listed was counted in state 0. Time is divided by the record, which knows what every row
 * has of it (sim_record_clocks.c). Not here: the parts of rows of work (measure/sim_banks.c), and
 * what a voltage costs.
 */
#include "results/sim_record.h"
#include "results/sim_report_impl.h"

#include <stdlib.h>
#include <string.h>

#define NOMINAL_VOLTAGE 1000

/* The division of the present frame or interval. */
struct division {
   struct measure_parts parts;
   uint64_t *before; /* [column]: counted in the run until the last time */
};

struct report_clocks {
   unsigned num_states, state;
   uint16_t voltage[SIM_MAX_DVFS_DOMAINS];
   uint16_t (*states)[SIM_MAX_DVFS_DOMAINS];
   sim_tick divided; /* when everything was divided last */
   struct division frame, interval;
   struct measure_banks *rows;
   uint64_t *all, *frames; /* [column]: counted in the run until now; in frames that ended */
};

static void
out_of_memory(struct sim_report *r)
{
   sim_warn(r, "out of host memory: the record does not say which states frames were in");
   report_clocks_free(r);
}

/* Everything that was counted in the run until now. banks: what each slot has of it since the last
 * time is the present state's. False: out of host memory. */
static bool
count_all(const struct sim_report *r, uint64_t *all, bool banks)
{
   const struct report_clocks *c = r->clocks;
   bool ok = true;
   for (unsigned i = 0; i < r->measure.columns.num; i++)
      all[i] = c->frames[i] + r->frame_sum.value[i];
   for (unsigned slot = 0; slot < r->measure.kernel->used_slots; slot++) {
      if (slot > SIM_SLOT_SHARED && !r->measure.rows.refs[slot] &&
          !r->measure.rows.state[slot].used)
         continue;
      if (banks)
         ok = measure_banks_look(c->rows, &r->measure, slot, c->state, all) && ok;
      else
         measure_values_look_all(&r->measure.columns, r->measure.kernel, slot, all);
   }
   return ok;
}

/* What was counted since the last time belongs to the present state. */
static bool
divide(struct sim_report *r, struct division *d)
{
   const struct report_clocks *c = r->clocks;
   struct measure_values *v =
       measure_parts_state(&d->parts, c->num_states, c->state, r->measure.columns.num);
   if (!v)
      return false;
   for (unsigned i = 0; i < r->measure.columns.num; i++) {
      if (c->all[i] != d->before[i])
         measure_values_count(v, i, c->all[i] - d->before[i]);
      d->before[i] = c->all[i];
   }
   return true;
}

/* The same for frame, interval and rows, before a change. */
static bool
divide_all(struct sim_report *r)
{
   struct report_clocks *c = r->clocks;
   sim_kernel_settle(r->measure.kernel);
   c->divided = r->measure.kernel->now;
   return count_all(r, c->all, true) && divide(r, &c->frame) && divide(r, &c->interval);
}

/* The number of the state that the domains are in now. */
static bool
find_state(struct report_clocks *c, bool *is_new)
{
   *is_new = false;
   for (c->state = 0; c->state < c->num_states; c->state++) {
      if (!memcmp(c->states[c->state], c->voltage, sizeof(c->voltage)))
         return true;
   }
   void *grown = realloc(c->states, (c->num_states + 1) * sizeof(*c->states));
   if (!grown)
      return false;
   c->states = grown;
   memcpy(c->states[c->num_states++], c->voltage, sizeof(c->voltage));
   *is_new = true;
   return true;
}

static bool
make(struct sim_report *r)
{
   struct report_clocks *c = calloc(1, sizeof(*c));
   const size_t num = r->measure.columns.num + 1;
   bool is_new;
   if (!c)
      return false;
   r->clocks = c;
   for (unsigned i = 0; i < SIM_MAX_DVFS_DOMAINS; i++)
      c->voltage[i] = NOMINAL_VOLTAGE;
   c->all = calloc(num, sizeof(*c->all));
   c->frames = calloc(num, sizeof(*c->frames));
   c->frame.before = calloc(num, sizeof(*c->frame.before));
   c->interval.before = calloc(num, sizeof(*c->interval.before));
   c->rows = measure_banks_make(r->measure.kernel->num_slots, r->measure.columns.num);
   c->divided = r->measure.kernel->now;
   return c->all && c->frames && c->frame.before && c->interval.before && c->rows &&
          find_state(c, &is_new);
}

void
sim_report_domain(struct sim_report *r, unsigned domain, const char *name)
{
   if (!r || !r->record)
      return;
   if (!r->clocks && !make(r))
      out_of_memory(r);
   if (!r->clocks)
      return;
   sim_record_domain(r->record, domain, name);
}

void
sim_report_clock(struct sim_report *r, const struct sim_report_clock *change)
{
   struct report_clocks *c = r ? r->clocks : NULL;
   bool is_new;
   if (!c)
      return;
   /* Several domains may change at once, and before anything runs. */
   bool ok = r->measure.kernel->now == c->divided || divide_all(r);
   c->voltage[change->domain] = (uint16_t)change->voltage;
   ok = ok && find_state(c, &is_new);
   if (ok && is_new)
      sim_record_state(r->record, c->state, c->voltage);
   sim_record_clock(r->record, r->frame, r->measure.kernel->now, change, c->state);
   if (!ok)
      out_of_memory(r);
}

/* --- Frames and intervals --- */

/* What the states of a frame or an interval counted is written, and the next one begins. */
static bool
end_division(struct sim_report *r, struct division *d, const struct sim_record_states *states,
             bool wanted)
{
   if (!count_all(r, r->clocks->all, false) || !divide(r, d)) {
      out_of_memory(r);
      return false;
   }
   if (wanted)
      sim_record_states(r->record, states);
   measure_parts_clear(&d->parts);
   return true;
}

void
report_clocks_end_frame(struct sim_report *r, uint64_t start, uint64_t end, bool wanted)
{
   struct report_clocks *c = r->clocks;
   if (!c)
      return;
   const struct sim_record_states states = {.of = SIM_STATES_FRAME,
                                            .id = r->frame,
                                            .start = start,
                                            .end = end,
                                            .parts = &c->frame.parts};
   if (!end_division(r, &c->frame, &states, wanted))
      return;
   for (unsigned i = 0; i < r->measure.columns.num; i++)
      c->frames[i] += r->frame_sum.value[i];
}

void
report_clocks_end_interval(struct sim_report *r, uint64_t interval, uint64_t start, uint64_t end,
                           bool wanted)
{
   struct report_clocks *c = r->clocks;
   if (!c)
      return;
   const struct sim_record_states states = {.of = SIM_STATES_INTERVAL,
                                            .id = interval,
                                            .start = start,
                                            .end = end,
                                            .parts = &c->interval.parts};
   end_division(r, &c->interval, &states, wanted);
}

/* --- Rows of work --- */

void
report_clocks_take(struct sim_report *r, unsigned slot)
{
   if (r->clocks && !measure_banks_take(r->clocks->rows, &r->measure, slot, r->clocks->state))
      out_of_memory(r);
}

void
report_clocks_take_earlier(struct sim_report *r)
{
   if (r->clocks)
      measure_banks_take_earlier(r->clocks->rows);
}

void
report_clocks_put_off(struct sim_report *r)
{
   if (r->clocks && !measure_banks_put_off(r->clocks->rows))
      out_of_memory(r);
}

const struct measure_parts *
report_clocks_row(struct sim_report *r)
{
   const struct measure_parts *parts = NULL;
   if (r->clocks && !(parts = measure_banks_row(r->clocks->rows, r->clocks->num_states)))
      out_of_memory(r);
   return parts;
}

static void
free_division(struct division *d)
{
   measure_parts_free(&d->parts);
   free(d->before);
}

void
report_clocks_free(struct sim_report *r)
{
   struct report_clocks *c = r->clocks;
   if (!c)
      return;
   free_division(&c->frame);
   free_division(&c->interval);
   measure_banks_free(c->rows);
   free(c->states);
   free(c->all);
   free(c->frames);
   free(c);
   r->clocks = NULL;
}
