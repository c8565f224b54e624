/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes and frees struct sim_measure's parts together (sim_measure.h). */
#include "measure/sim_measure.h"

#include <stdlib.h>

bool
sim_measure_make(struct sim_measure *m, struct sim_kernel *k, void *owner,
                 void (*take)(void *owner, const struct sim_work_state *s, uint16_t work_id,
                              sim_tick now))
{
   m->kernel = k;
   m->owner = owner;
   m->take = take;
   measure_columns_make(&m->columns, k);
   sim_limiter_init(&m->limiter, &m->columns, k);
   return measure_values_make(&m->frame, m->columns.num) && measure_work_make(m);
}

void
sim_measure_free(struct sim_measure *m)
{
   sim_counters_free(m);
   measure_intervals_free(m);
   measure_states_free(m);
   measure_work_free(&m->work);
   measure_values_free(&m->frame);
   measure_columns_free(&m->columns);
   free(m->taken);
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
