/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Domains whose frequency and voltage change: each change is a row of the record, and what a frame
 * and an interval counted is divided among the states in which it was counted. A state is a vector
 * of voltages, one for each domain; state 0 has the nominal one everywhere. What is not listed was
 * counted in state 0. Not here: rows of work, which are not divided, and what a voltage costs.
 */
#include "report/sim_record.h"
#include "report/sim_report_impl.h"

#include <stdlib.h>
#include <string.h>

#define NOMINAL_VOLTAGE 1000

/* What a frame or an interval counted in one state. */
struct part {
   uint64_t ticks;
   struct report_values values;
};

/* The division of the present frame or interval. */
struct division {
   struct part *part; /* [state] */
   unsigned num;
   uint64_t *before; /* [column]: counted in the run until from */
   sim_tick from;
};

struct report_clocks {
   unsigned num_states, state;
   uint16_t voltage[SIM_MAX_ISLANDS];
   uint16_t (*states)[SIM_MAX_ISLANDS];
   struct division frame, interval;
   uint64_t *all, *frames; /* [column]: counted in the run until now; in frames that ended */
};

static void
out_of_memory(struct sim_report *r)
{
   sim_warn(r, "out of host memory: the record does not say which states frames were in");
   report_clocks_free(r);
}

/* Everything that was counted in the run until now. */
static void
count_all(const struct sim_report *r, uint64_t *all)
{
   for (unsigned i = 0; i < r->columns.num; i++)
      all[i] = r->clocks->frames[i] + r->frame_sum.value[i];
   for (unsigned slot = 0; slot < r->kernel->used_slots; slot++) {
      if (slot <= SIM_SLOT_SHARED || r->rows.refs[slot] || r->rows.state[slot].used)
         report_values_look_all(&r->columns, r->kernel, slot, all);
   }
}

/* The part of the present state; NULL: out of host memory. */
static struct part *
present_part(struct sim_report *r, struct division *d)
{
   const struct report_clocks *c = r->clocks;
   if (c->state >= d->num) {
      struct part *grown = realloc(d->part, c->num_states * sizeof(*grown));
      if (!grown)
         return NULL;
      memset(grown + d->num, 0, (c->num_states - d->num) * sizeof(*grown));
      d->part = grown;
      d->num = c->num_states;
   }
   struct part *p = &d->part[c->state];
   return p->values.value || report_values_make(&p->values, r->columns.num) ? p : NULL;
}

/* What was counted since the last time belongs to the present state. */
static bool
divide(struct sim_report *r, struct division *d)
{
   struct part *p = present_part(r, d);
   if (!p)
      return false;
   const uint64_t *all = r->clocks->all;
   for (unsigned i = 0; i < r->columns.num; i++) {
      const uint64_t more = all[i] - d->before[i];
      if (!more)
         continue;
      if (!p->values.value[i])
         p->values.touched[p->values.num_touched++] = (uint16_t)i;
      p->values.value[i] += more;
      d->before[i] = all[i];
   }
   p->ticks += r->kernel->now - d->from;
   d->from = r->kernel->now;
   return true;
}

/* Its parts are written, and the next one begins. */
static void
end_division(struct sim_report *r, struct division *d, bool of_frame, uint64_t id, bool wanted)
{
   for (unsigned state = 0; state < d->num; state++) {
      struct part *p = &d->part[state];
      if (!p->values.value)
         continue;
      if (state && wanted && p->ticks)
         sim_record_state_part(r->record, of_frame, id, state,
                               p->ticks / r->kernel->period[SIM_DOMAIN_GPU], &p->values);
      report_values_clear(&p->values);
      p->ticks = 0;
   }
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
   const size_t num = r->columns.num + 1;
   bool is_new;
   if (!c)
      return false;
   r->clocks = c;
   for (unsigned i = 0; i < SIM_MAX_ISLANDS; i++)
      c->voltage[i] = NOMINAL_VOLTAGE;
   c->all = calloc(num, sizeof(*c->all));
   c->frames = calloc(num, sizeof(*c->frames));
   c->frame.before = calloc(num, sizeof(*c->frame.before));
   c->interval.before = calloc(num, sizeof(*c->interval.before));
   c->frame.from = c->interval.from = r->kernel->now;
   return c->all && c->frames && c->frame.before && c->interval.before && find_state(c, &is_new);
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
   bool ok = true;
   /* Several domains may change at once, and before anything runs. */
   if (r->kernel->now != c->frame.from || r->kernel->now != c->interval.from) {
      sim_kernel_settle(r->kernel);
      count_all(r, c->all);
      ok = divide(r, &c->frame) && divide(r, &c->interval);
   }
   c->voltage[change->domain] = (uint16_t)change->voltage;
   ok = ok && find_state(c, &is_new);
   if (ok && is_new)
      sim_record_state(r->record, c->state, c->voltage);
   sim_record_clock(r->record, r->frame, r->kernel->now, change);
   if (!ok)
      out_of_memory(r);
}

void
report_clocks_end_frame(struct sim_report *r, bool wanted)
{
   struct report_clocks *c = r->clocks;
   if (!c)
      return;
   count_all(r, c->all);
   if (!divide(r, &c->frame)) {
      out_of_memory(r);
      return;
   }
   end_division(r, &c->frame, true, r->frame, wanted);
   for (unsigned i = 0; i < r->columns.num; i++)
      c->frames[i] += r->frame_sum.value[i];
}

void
report_clocks_end_interval(struct sim_report *r, uint64_t interval, bool wanted)
{
   struct report_clocks *c = r->clocks;
   if (!c)
      return;
   count_all(r, c->all);
   if (!divide(r, &c->interval)) {
      out_of_memory(r);
      return;
   }
   end_division(r, &c->interval, false, interval, wanted);
}

static void
free_division(struct division *d)
{
   for (unsigned i = 0; i < d->num; i++)
      report_values_free(&d->part[i].values);
   free(d->part);
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
   free(c->states);
   free(c->all);
   free(c->frames);
   free(c);
   r->clocks = NULL;
}
