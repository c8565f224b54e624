/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Intervals: what was counted in every so many cycles, whoever it was for. The kernel rings between
 * two ticks; then everything counts what has passed so far (sim_kernel_settle), and the difference
 * to the time before is the interval's. Nothing is taken from anybody, so rows and frames are the
 * same with and without. Only the record has them.
 */
#include <stdlib.h>
#include <string.h>
#include "report/sim_record.h"

/* Everything that was counted until now, by column. */
static void
count_all(const struct sim_report *r, uint64_t *values)
{
   const struct sim_rows *rows = &r->rows;
   for (unsigned i = 0; i < r->columns.num; i++)
      values[i] = r->intervals.frames[i] + r->frame_sum.value[i];
   for (unsigned slot = 0; slot < r->kernel->used_slots; slot++) {
      if (slot <= SIM_SLOT_SHARED || rows->refs[slot] || rows->state[slot].used)
         report_values_look_all(&r->columns, r->kernel, slot, values);
   }
}

/* Ends the interval at the end of tick now. */
static void
end_interval(struct sim_report *r, sim_tick now)
{
   struct report_intervals *v = &r->intervals;
   struct sim_record_interval interval = {.frame = r->frame, .values = &v->values};
   sim_kernel_settle(r->kernel);
   count_all(r, v->all);
   report_values_clear(&v->values);
   for (unsigned i = 0; i < r->columns.num; i++) {
      if (v->all[i] == v->before[i])
         continue;
      v->values.touched[v->values.num_touched++] = (uint16_t)i;
      v->values.value[i] = v->all[i] - v->before[i];
      v->before[i] = v->all[i];
   }
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++) {
      const sim_tick period = r->kernel->period[d];
      interval.domain_cycles[d] = now / period - v->from / period;
   }
   interval.start = v->from / r->kernel->period[SIM_DOMAIN_GPU];
   interval.end = now / r->kernel->period[SIM_DOMAIN_GPU];
   v->from = now;
   const bool wanted = report_window_open(r);
   report_clocks_end_interval(r, sim_record_intervals(r->record), wanted);
   if (wanted)
      sim_record_interval(r->record, &interval);
}

static void
ring(void *data, sim_tick now)
{
   struct sim_report *r = data;
   end_interval(r, now);
   sim_kernel_ring(r->kernel, now + r->intervals.ticks, ring, r);
}

bool
report_intervals_start(struct sim_report *r, uint32_t cycles)
{
   struct report_intervals *v = &r->intervals;
   const bool made = report_values_make(&v->values, r->columns.num);
   v->all = calloc(r->columns.num + 1, sizeof(*v->all));
   v->before = calloc(r->columns.num + 1, sizeof(*v->before));
   v->frames = calloc(r->columns.num + 1, sizeof(*v->frames));
   v->ticks = cycles * r->kernel->period[SIM_DOMAIN_GPU];
   v->from = r->kernel->now;
   if (!made || !v->all || !v->before || !v->frames)
      return false;
   sim_kernel_ring(r->kernel, v->from + v->ticks, ring, r);
   return true;
}

void
report_intervals_end_frame(struct sim_report *r)
{
   for (unsigned i = 0; r->intervals.ticks && i < r->columns.num; i++)
      r->intervals.frames[i] += r->frame_sum.value[i];
}

void
report_intervals_finish(struct sim_report *r)
{
   if (r->intervals.ticks && r->kernel->now > r->intervals.from)
      end_interval(r, r->kernel->now);
}

void
report_intervals_free(struct sim_report *r)
{
   report_values_free(&r->intervals.values);
   free(r->intervals.all);
   free(r->intervals.before);
   free(r->intervals.frames);
}
