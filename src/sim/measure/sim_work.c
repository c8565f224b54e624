/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Work ids: allocation, references, completion. Not here: rows (sim_rows.c), and users of work ids
 * (the boxes). */
#include "measure/sim_measure.h"

#include <stdlib.h>
#include <string.h>

const char *const sim_work_kind_names[SIM_NUM_WORK_KINDS] = {
#define K(NAME, name, doc) name,
    SIM_WORK_KINDS(K)
#undef K
};

bool
measure_work_make(struct sim_measure *m)
{
   struct sim_work_table *table = &m->work;
   const uint32_t n = m->kernel->num_work_ids;
   *table = (struct sim_work_table){
       .measure = m, .kernel = m->kernel, .num_work_ids = n, .next_number = 1, .next_serial = 1};
   table->refs = calloc(n + 1, sizeof(*table->refs));
   table->state = calloc(n + 1, sizeof(*table->state));
   table->free = calloc(n + 1, sizeof(*table->free));
   table->done = calloc(n + 1, sizeof(*table->done));
   if (!table->refs || !table->state || !table->free || !table->done)
      return false;
   /* Low work ids are used first, and the one freed last: their counters are in the host's
    * caches. */
   for (uint32_t work_id = n; work_id-- > SIM_WORK_SHARED + 1;)
      table->free[table->num_free++] = (uint16_t)work_id;
   return true;
}

void
measure_work_free(struct sim_work_table *table)
{
   free(table->refs);
   free(table->state);
   free(table->free);
   free(table->done);
}

uint16_t
sim_work_begin(struct sim_work_table *table, const struct sim_work *work)
{
   if (!table)
      return SIM_WORK_OTHER;
   if (!table->num_free)
      return SIM_WORK_SHARED;
   uint16_t work_id = table->free[--table->num_free];
   if (table->kernel->thorough) {
      /* Take the id that has been free for longest. */
      work_id = table->free[0];
      memmove(table->free, table->free + 1, table->num_free * sizeof(*table->free));
   }
   struct sim_work_state *s = &table->state[work_id];
   s->work = *work;
   s->used = true;
   s->ended = s->earlier = false;
   s->number = table->next_number++;
   s->draws = table->measure->observed->draws;
   s->serial = table->next_serial++;
   sim_work_keep_texts(&s->texts, work);
   sim_work_use_texts(&s->work, &s->texts);
   table->refs[work_id] = 1;
   if (table->kernel->used_work_ids <= work_id)
      table->kernel->used_work_ids = work_id + 1u;
   return work_id;
}

void
sim_work_start(struct sim_work_table *table, uint16_t work_id, sim_tick now, uint32_t pipeline)
{
   if (!table)
      return;
   table->state[work_id].work.start = now;
   table->state[work_id].work.pipeline = pipeline;
}

void
sim_work_end(struct sim_work_table *table, uint16_t work_id, sim_tick now)
{
   if (!table)
      return;
   sim_monitors_ended(table, work_id > SIM_WORK_SHARED ? &table->state[work_id] : NULL, now);
   if (work_id <= SIM_WORK_SHARED)
      return;
   table->state[work_id].work.end = now;
   table->state[work_id].ended = true;
   sim_work_unref(table, work_id);
}

static void
work_take_done(void *data, sim_tick now)
{
   measure_work_take_done(data, now);
}

void
sim_work_complete(struct sim_work_table *table, uint16_t work_id)
{
   /* Other boxes may still count for it in this tick. */
   const uint32_t n = __atomic_fetch_add(&table->num_done, 1, __ATOMIC_RELAXED);
   if (!n)
      sim_kernel_after(table->kernel, work_take_done, table);
   /* A work id completes once, so there is room for all. */
   table->done[n] = work_id;
}

bool
measure_work_in_use(const struct sim_work_table *table, unsigned work_id)
{
   return work_id <= SIM_WORK_SHARED || table->refs[work_id] || table->state[work_id].used;
}

uint32_t
measure_work_complete(const struct sim_work_table *table)
{
   uint32_t oldest = table->next_number;
   for (uint32_t work_id = SIM_WORK_SHARED + 1; work_id < table->kernel->used_work_ids; work_id++) {
      const struct sim_work_state *s = &table->state[work_id];
      if (s->used && !s->earlier && s->number < oldest)
         oldest = s->number;
   }
   return oldest;
}

static int
work_by_number(const void *a, const void *b, void *data)
{
   const struct sim_work_table *table = data;
   uint32_t x = table->state[*(const uint16_t *)a].number;
   uint32_t y = table->state[*(const uint16_t *)b].number;
   return x < y ? -1 : x > y;
}

static void
work_take(struct sim_work_table *table, uint16_t work_id, sim_tick now)
{
   const struct sim_work_state *s = &table->state[work_id];
   sim_monitors_taken(table, s, work_id);
   measure_rows_take(table->measure, s, work_id, now);
}

void
measure_work_take_done(struct sim_work_table *table, sim_tick now)
{
   if (!table->num_done)
      return;
   for (uint32_t i = 0; i < table->num_done; i++)
      sim_kernel_flush_work(table->kernel, table->done[i]);
   /* Sort, so that the order of clocking boxes does not matter. */
   qsort_r(table->done, table->num_done, sizeof(*table->done), work_by_number, table);
   for (uint32_t i = 0; i < table->num_done; i++) {
      uint16_t work_id = table->done[i];
      /* An id that is no longer in use is a box's bug (a missing reference); it must not cause
       * others. */
      if (!table->state[work_id].used)
         continue;
      work_take(table, work_id, now);
      table->state[work_id].used = false;
      table->free[table->num_free++] = work_id;
   }
   table->num_done = 0;
}

void
measure_work_end_frame(struct sim_work_table *table, sim_tick now)
{
   measure_work_take_done(table, now);
   sim_kernel_flush_counters(table->kernel);
   for (uint32_t work_id = SIM_WORK_SHARED + 1; work_id < table->kernel->used_work_ids; work_id++) {
      if (!table->refs[work_id])
         continue;
      work_take(table, (uint16_t)work_id, now);
      table->state[work_id].earlier = true;
   }
   table->next_number = 1;
}
