/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Intervals: what was counted in every so many cycles, whoever it was for. The kernel rings between
 * two ticks; then everything counts what has passed so far (sim_kernel_settle), and the difference
 * to the time before is the interval's. Nothing is taken from anybody, so rows and frames are the
 * same with and without. The simulator only adds up what has not been taken yet: the writer knows
 * what has (sim_writer.h). Only the record has intervals.
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record.h"

/* What is handed over at the end of an interval. */
struct handed_interval {
   struct sim_record_interval interval;
   bool wanted;
   struct measure_raw raw; /* of slots whose counters have not been taken */
};

/* Whether a slot may hold counters. */
static bool
in_use(const struct sim_rows *rows, unsigned slot)
{
   return slot <= SIM_SLOT_SHARED || rows->refs[slot] || rows->state[slot].used;
}

/* The difference between everything counted until now and what was counted before. */
static void
write_interval(void *report, void *data)
{
   struct sim_report *r = report;
   struct handed_interval *h = data;
   struct report_intervals *v = &r->intervals;
   measure_values_clear(&v->now);
   measure_values_clear(&v->values);
   measure_values_add_raw(&v->now, &r->measure.columns, r->measure.kernel, &h->raw);
   for (unsigned i = 0; i < r->measure.columns.num; i++) {
      const uint64_t all = v->frames[i] + r->frame_sum.value[i] + v->now.value[i];
      if (all == v->before[i])
         continue;
      v->values.touched[v->values.num_touched++] = (uint16_t)i;
      v->values.value[i] = all - v->before[i];
      v->before[i] = all;
   }
   h->interval.values = &v->values;
   report_clocks_end_interval(r, sim_record_intervals(r->record), h->interval.start,
                              h->interval.end, h->wanted);
   if (h->wanted && (h->interval.end > h->interval.start || v->values.num_touched))
      sim_record_interval(r->record, &h->interval);
}

/* Ends the interval at the end of tick now. */
static void
end_interval(struct sim_report *r, sim_tick now)
{
   struct report_intervals *v = &r->intervals;
   sim_kernel_settle(r->measure.kernel);
   const bool wanted = report_window_open(r);
   const size_t size = sizeof(struct handed_interval) + measure_raw_size(r->measure.kernel);
   /* Where a frame ends in the same tick, the next one has begun already. */
   const uint32_t frame = r->frame && now == r->last_end ? r->frame - 1 : r->frame;
   struct handed_interval *h = sim_writer_begin(r->writer, size);
   if (h) {
      *h = (struct handed_interval){
          .interval = {.frame = frame,
                       .start = v->from / r->measure.kernel->period[SIM_DOMAIN_GPU],
                       .end = now / r->measure.kernel->period[SIM_DOMAIN_GPU]},
          .wanted = wanted,
      };
      for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
         h->interval.domain_cycles[d] =
             report_domain_cycles(r, d, now) - report_domain_cycles(r, d, v->from);
      measure_raw_start(&h->raw, r->measure.kernel);
      for (unsigned slot = 0; slot < r->measure.kernel->used_slots; slot++) {
         if (in_use(&r->measure.rows, slot))
            measure_raw_look(&h->raw, r->measure.kernel, slot);
      }
      sim_writer_end(r->writer, write_interval, r, size);
   }
   v->from = now;
}

static void
ring(void *data, sim_tick now)
{
   struct sim_report *r = data;
   end_interval(r, now);
   sim_kernel_ring(r->measure.kernel, now + r->intervals.ticks, ring, r);
}

bool
report_intervals_start(struct sim_report *r, uint32_t cycles)
{
   struct report_intervals *v = &r->intervals;
   const bool made = measure_values_make(&v->values, r->measure.columns.num) &&
                     measure_values_make(&v->now, r->measure.columns.num);
   v->before = calloc(r->measure.columns.num + 1, sizeof(*v->before));
   v->frames = calloc(r->measure.columns.num + 1, sizeof(*v->frames));
   v->ticks = cycles * r->measure.kernel->period[SIM_DOMAIN_GPU];
   v->from = r->measure.kernel->now;
   if (!made || !v->before || !v->frames)
      return false;
   sim_kernel_ring(r->measure.kernel, v->from + v->ticks, ring, r);
   return true;
}

void
report_intervals_end_frame(struct sim_report *r)
{
   for (unsigned i = 0; r->intervals.ticks && i < r->measure.columns.num; i++)
      r->intervals.frames[i] += r->frame_sum.value[i];
}

void
report_intervals_finish(struct sim_report *r)
{
   /* One may have ended in this tick before boxes that are clocked in it: what they counted is of
    * one without a cycle. */
   if (r->intervals.ticks)
      end_interval(r, r->measure.kernel->now);
}

void
report_intervals_free(struct sim_report *r)
{
   measure_values_free(&r->intervals.values);
   measure_values_free(&r->intervals.now);
   free(r->intervals.before);
   free(r->intervals.frames);
}
