/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes and frees struct sim_measure's parts together (sim_measure.h). */
#include "measure/sim_measure.h"

#include <stdlib.h>

static struct sim_measure *
measure_of(struct sim_observer *o)
{
   return (struct sim_measure *)((uint8_t *)o - offsetof(struct sim_measure, observer));
}

static void
measure_frame_ended(struct sim_observer *o, const struct sim_frame_end *end)
{
   struct sim_measure *m = measure_of(o);
   if (m->counts && m->columns.num && !end->passed)
      measure_rows_end_frame(m, end->tick);
}

static void
measure_frame_began(struct sim_observer *o)
{
   measure_values_clear(&measure_of(o)->frame);
}

static const struct sim_observer_class measure_observer = {.frame_ended = measure_frame_ended,
                                                           .frame_began = measure_frame_began};

struct sim_measure *
sim_measure_create(struct sim_kernel *k, const struct sim_config *config,
                   struct sim_observed *observed)
{
   struct sim_measure *m = calloc(1, sizeof(*m));
   if (!m)
      return NULL;
   m->kernel = k;
   m->observed = observed;
   m->observer.cls = &measure_observer;
   sim_observe(observed, &m->observer);
   k->no_activity = true;
   measure_columns_make(&m->columns, k);
   sim_limiter_init(&m->limiter, &m->columns, k, config);
   if (measure_values_make(&m->frame, m->columns.num) &&
       measure_values_make(&m->row, m->columns.num) &&
       measure_values_make(&m->earlier, m->columns.num) && measure_work_make(m))
      return m;
   sim_measure_destroy(m);
   return NULL;
}

void
sim_measure_destroy(struct sim_measure *m)
{
   if (!m)
      return;
   sim_observe_no_more(m->observed, &m->observer);
   sim_counters_free(m);
   measure_intervals_free(m);
   measure_states_free(m);
   measure_work_free(&m->work);
   measure_values_free(&m->frame);
   measure_values_free(&m->row);
   measure_values_free(&m->earlier);
   measure_columns_free(&m->columns);
   free(m->taken);
   free(m);
}

struct sim_work_table *
sim_measure_count_work(struct sim_measure *m)
{
   if (!m->counts) {
      m->counts = true;
      m->work.last_end = m->kernel->now;
      if (m->kernel->now)
         sim_kernel_count_activity(m->kernel);
      m->kernel->no_activity = false;
   }
   return &m->work;
}

uint64_t
measure_cycles(const struct sim_measure *m, unsigned domain, sim_tick tick)
{
   const sim_tick period = m->kernel->period[domain];
   return period > 1 ? tick / period : tick;
}

struct sim_limits
measure_limits(const struct sim_measure *m, const uint64_t *values, sim_tick start, sim_tick end)
{
   uint64_t cycles[SIM_NUM_DOMAINS];
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      cycles[d] = measure_cycles(m, d, end) - measure_cycles(m, d, start);
   return sim_limiter_find(&m->limiter, values, cycles);
}
