/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Divides the counts of rows, frames and intervals by state, for domains whose voltage changes. A
 * state is a vector of voltages, one per domain; in state 0 all are nominal. Not here: rows' parts
 * (sim_banks.c), time (results/sim_record_clocks.c), the cost of a voltage. */
#include <stdlib.h>
#include <string.h>
#include "measure/sim_measure.h"

#define NOMINAL_VOLTAGE 1000

/* The division of the present frame or interval. */
struct division {
   struct measure_parts parts;
   uint64_t *before; /* [column]: the counts of the run at the last division */
   bool used;        /* parts have been read, so the next division starts anew */
};

struct measure_states {
   unsigned num, present;
   uint16_t voltage[SIM_MAX_DVFS_DOMAINS];
   uint16_t (*list)[SIM_MAX_DVFS_DOMAINS];
   sim_tick divided; /* when all counts were last divided */
   struct division frame, interval;
   struct measure_banks *rows;
   uint64_t *all; /* [column]: the run's counts so far */
};

/* Adds the counts since the last division to the present state. */
static bool
states_divide(struct sim_measure *m, struct division *d)
{
   const struct measure_states *st = m->states;
   if (d->used)
      measure_parts_clear(&d->parts);
   d->used = false;
   struct measure_values *v = measure_parts_state(&d->parts, st->num, st->present, m->columns.num);
   if (!v)
      return false;
   for (unsigned i = 0; i < m->columns.num; i++) {
      if (st->all[i] != d->before[i])
         measure_values_count(v, i, st->all[i] - d->before[i]);
      d->before[i] = st->all[i];
   }
   return true;
}

/* Divides the counts of frame, interval and rows, before a change of state. */
static bool
states_divide_all(struct sim_measure *m)
{
   struct measure_states *st = m->states;
   bool ok = true;
   sim_kernel_flush_counters(m->kernel);
   st->divided = m->kernel->now;
   memcpy(st->all, m->taken, m->columns.num * sizeof(*st->all));
   for (unsigned work_id = 0; work_id < m->kernel->used_work_ids; work_id++) {
      if (measure_work_in_use(&m->work, work_id))
         ok = measure_banks_look(st->rows, m, work_id, st->present, st->all) && ok;
   }
   return ok && states_divide(m, &st->frame) && states_divide(m, &st->interval);
}

/* Finds or makes the number of the present state of the domains. Returns false if host memory is
 * exhausted. */
static bool
states_find_state(struct measure_states *st, bool *is_new)
{
   *is_new = false;
   for (st->present = 0; st->present < st->num; st->present++) {
      if (!memcmp(st->list[st->present], st->voltage, sizeof(st->voltage)))
         return true;
   }
   void *grown = realloc(st->list, (st->num + 1) * sizeof(*st->list));
   if (!grown)
      return false;
   st->list = grown;
   memcpy(st->list[st->num++], st->voltage, sizeof(st->voltage));
   *is_new = true;
   return true;
}

bool
measure_states_make(struct sim_measure *m)
{
   struct measure_states *st = calloc(1, sizeof(*st));
   const size_t num = m->columns.num + 1;
   bool is_new;
   if (!st)
      return false;
   m->states = st;
   for (unsigned i = 0; i < SIM_MAX_DVFS_DOMAINS; i++)
      st->voltage[i] = NOMINAL_VOLTAGE;
   st->all = calloc(num, sizeof(*st->all));
   st->frame.before = calloc(num, sizeof(*st->frame.before));
   st->interval.before = calloc(num, sizeof(*st->interval.before));
   st->rows = measure_banks_make(m->kernel->num_work_ids, m->columns.num);
   st->divided = m->kernel->now;
   return st->all && st->frame.before && st->interval.before && st->rows && measure_remember(m) &&
          states_find_state(st, &is_new);
}

bool
measure_states_change(struct sim_measure *m, unsigned domain, unsigned voltage, unsigned *state,
                      bool *is_new)
{
   struct measure_states *st = m->states;
   /* Several domains may change at once, and before anything runs. */
   bool ok = m->kernel->now == st->divided || states_divide_all(m);
   st->voltage[domain] = (uint16_t)voltage;
   ok = states_find_state(st, is_new) && ok;
   *state = st->present;
   return ok;
}

const uint16_t *
measure_states_voltages(const struct sim_measure *m)
{
   return m->states->voltage;
}

/* --- Frames and intervals --- */

static const struct measure_parts *
states_end_division(struct sim_measure *m, struct division *d)
{
   measure_total(m, m->states->all);
   if (!states_divide(m, d))
      return NULL;
   d->used = true;
   return &d->parts;
}

const struct measure_parts *
measure_states_frame(struct sim_measure *m)
{
   return m->states ? states_end_division(m, &m->states->frame) : NULL;
}

const struct measure_parts *
measure_states_interval(struct sim_measure *m)
{
   return m->states ? states_end_division(m, &m->states->interval) : NULL;
}

/* --- Rows of work --- */

bool
measure_states_take(struct sim_measure *m, unsigned work_id)
{
   return !m->states || measure_banks_take(m->states->rows, m, work_id, m->states->present);
}

void
measure_states_take_earlier(struct sim_measure *m)
{
   if (m->states)
      measure_banks_take_earlier(m->states->rows);
}

bool
measure_states_put_off(struct sim_measure *m)
{
   return !m->states || measure_banks_put_off(m->states->rows);
}

const struct measure_parts *
measure_states_row(struct sim_measure *m)
{
   return m->states ? measure_banks_row(m->states->rows, m->states->num) : NULL;
}

static void
states_free_division(struct division *d)
{
   measure_parts_free(&d->parts);
   free(d->before);
}

void
measure_states_free(struct sim_measure *m)
{
   struct measure_states *st = m->states;
   if (!st)
      return;
   states_free_division(&st->frame);
   states_free_division(&st->interval);
   measure_banks_free(st->rows);
   free(st->list);
   free(st->all);
   free(st);
   m->states = NULL;
}
