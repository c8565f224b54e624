/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Intervals: counts of all work together in equal stretches of cycles. At the end of each the
 * kernel calls this file between two ticks. All boxes bring their counters up to date
 * (sim_kernel_flush_counters), and the interval gets the difference to the last time. Counters stay
 * as they are, so rows and frames do not change. Not here: uses of an interval (listeners). */
#include <stdlib.h>
#include "measure/sim_measure.h"

/* Ends the interval at the end of tick now. */
static void
intervals_end_interval(struct sim_measure *m, sim_tick now)
{
   struct measure_intervals *v = &m->intervals;
   uint64_t *before = v->before;
   const struct measure_interval interval = {v->from, now, &v->values};
   sim_kernel_flush_counters(m->kernel);
   measure_total(m, v->now);
   measure_values_clear(&v->values);
   for (unsigned i = 0; i < m->columns.num; i++) {
      if (v->now[i] != before[i])
         measure_values_count(&v->values, i, v->now[i] - before[i]);
   }
   v->before = v->now;
   v->now = before;
   v->from = now;
   SIM_EVENT(m->observed, interval, &interval);
}

static void
intervals_ring(void *data, sim_tick now)
{
   struct sim_measure *m = data;
   intervals_end_interval(m, now);
   sim_kernel_call_at(m->kernel, now + m->intervals.ticks, intervals_ring, m);
}

bool
measure_intervals_start(struct sim_measure *m, uint32_t cycles)
{
   struct measure_intervals *v = &m->intervals;
   v->now = calloc(m->columns.num + 1, sizeof(*v->now));
   v->before = calloc(m->columns.num + 1, sizeof(*v->before));
   if (!measure_values_make(&v->values, m->columns.num) || !v->now || !v->before ||
       !measure_remember(m))
      return false;
   v->ticks = cycles * m->kernel->period[SIM_DOMAIN_GPU];
   v->from = m->kernel->now;
   sim_kernel_call_at(m->kernel, v->from + v->ticks, intervals_ring, m);
   return true;
}

void
measure_intervals_finish(struct sim_measure *m)
{
   /* An interval may have ended in this tick before some boxes were clocked. Their counts form a
    * last interval without a cycle. */
   if (m->intervals.ticks)
      intervals_end_interval(m, m->kernel->now);
}

void
measure_intervals_free(struct sim_measure *m)
{
   measure_values_free(&m->intervals.values);
   free(m->intervals.now);
   free(m->intervals.before);
}
