/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Work ids: who has one, who still refers to it, when it is complete. Not here: what a row looks
 * like (results/), and who takes work ids and references (the boxes).
 */
#include "measure/sim_measure.h"

#include <stdlib.h>
#include <string.h>

const char *const sim_row_kind_names[SIM_NUM_ROW_KINDS] = {
#define K(NAME, name, doc) name,
    SIM_ROW_KINDS(K)
#undef K
};

bool
measure_rows_make(struct sim_measure *m)
{
   struct sim_rows *rows = &m->rows;
   const uint32_t n = m->kernel->num_work_ids;
   *rows = (struct sim_rows){
       .measure = m, .kernel = m->kernel, .num_work_ids = n, .next_number = 1, .next_serial = 1};
   rows->refs = calloc(n + 1, sizeof(*rows->refs));
   rows->state = calloc(n + 1, sizeof(*rows->state));
   rows->free = calloc(n + 1, sizeof(*rows->free));
   rows->done = calloc(n + 1, sizeof(*rows->done));
   if (!rows->refs || !rows->state || !rows->free || !rows->done)
      return false;
   /* Low work ids first, and the one that was given back last: their counters are in the host's
    * caches. */
   for (uint32_t work_id = n; work_id-- > SIM_WORK_SHARED + 1;)
      rows->free[rows->num_free++] = (uint16_t)work_id;
   return true;
}

void
measure_rows_free(struct sim_rows *rows)
{
   free(rows->refs);
   free(rows->state);
   free(rows->free);
   free(rows->done);
}

uint16_t
sim_row_begin(struct sim_rows *rows, const struct sim_row *row)
{
   if (!rows)
      return SIM_WORK_OTHER;
   if (!rows->num_free)
      return SIM_WORK_SHARED;
   uint16_t work_id = rows->free[--rows->num_free];
   if (rows->kernel->thorough) {
      /* The one that has been free longest. */
      work_id = rows->free[0];
      memmove(rows->free, rows->free + 1, rows->num_free * sizeof(*rows->free));
   }
   struct sim_row_state *s = &rows->state[work_id];
   s->row = *row;
   s->used = true;
   s->ended = s->earlier = false;
   s->number = rows->next_number++;
   s->draws = rows->measure->next_draw;
   s->serial = rows->next_serial++;
   sim_label_keep(s->label, row->label);
   s->row.label = s->label;
   rows->refs[work_id] = 1;
   if (rows->kernel->used_work_ids <= work_id)
      rows->kernel->used_work_ids = work_id + 1u;
   return work_id;
}

void
sim_row_start(struct sim_rows *rows, uint16_t work_id, sim_tick now)
{
   if (rows)
      rows->state[work_id].row.start = now;
}

void
sim_row_end(struct sim_rows *rows, uint16_t work_id, sim_tick now)
{
   if (!rows)
      return;
   sim_monitors_ended(rows, work_id > SIM_WORK_SHARED ? &rows->state[work_id] : NULL, now);
   if (work_id <= SIM_WORK_SHARED)
      return;
   rows->state[work_id].row.end = now;
   rows->state[work_id].ended = true;
   sim_row_unref(rows, work_id);
}

static void
rows_take_done(void *data, sim_tick now)
{
   measure_rows_take_done(data, now);
}

void
sim_row_complete(struct sim_rows *rows, uint16_t work_id)
{
   /* Other boxes may yet count something for it in this tick. */
   if (!rows->num_done)
      sim_kernel_after(rows->kernel, rows_take_done, rows);
   if (rows->num_done < rows->num_work_ids)
      rows->done[rows->num_done++] = work_id;
}

bool
measure_rows_in_use(const struct sim_rows *rows, unsigned work_id)
{
   return work_id <= SIM_WORK_SHARED || rows->refs[work_id] || rows->state[work_id].used;
}

uint32_t
measure_rows_complete(const struct sim_rows *rows)
{
   uint32_t oldest = rows->next_number;
   for (uint32_t work_id = SIM_WORK_SHARED + 1; work_id < rows->kernel->used_work_ids; work_id++) {
      const struct sim_row_state *s = &rows->state[work_id];
      if (s->used && !s->earlier && s->number < oldest)
         oldest = s->number;
   }
   return oldest;
}

static int
rows_by_number(const void *a, const void *b, void *data)
{
   const struct sim_rows *rows = data;
   uint32_t x = rows->state[*(const uint16_t *)a].number;
   uint32_t y = rows->state[*(const uint16_t *)b].number;
   return x < y ? -1 : x > y;
}

static void
rows_take(struct sim_rows *rows, uint16_t work_id, sim_tick now)
{
   const struct sim_row_state *s = &rows->state[work_id];
   sim_monitors_taken(rows, s, work_id);
   rows->measure->take(rows->measure->owner, s, work_id, now);
}

void
measure_rows_take_done(struct sim_rows *rows, sim_tick now)
{
   if (!rows->num_done)
      return;
   for (uint32_t i = 0; i < rows->num_done; i++)
      sim_kernel_settle_work(rows->kernel, rows->done[i]);
   /* In an order that the order of boxes does not change. */
   qsort_r(rows->done, rows->num_done, sizeof(*rows->done), rows_by_number, rows);
   for (uint32_t i = 0; i < rows->num_done; i++) {
      uint16_t work_id = rows->done[i];
      /* A reference too few is a mistake of a box, which must not make others. */
      if (!rows->state[work_id].used)
         continue;
      rows_take(rows, work_id, now);
      rows->state[work_id].used = false;
      rows->free[rows->num_free++] = work_id;
   }
   rows->num_done = 0;
}

void
measure_rows_end_frame(struct sim_rows *rows, sim_tick now)
{
   measure_rows_take_done(rows, now);
   sim_kernel_settle(rows->kernel);
   for (uint32_t work_id = SIM_WORK_SHARED + 1; work_id < rows->kernel->used_work_ids; work_id++) {
      if (!rows->refs[work_id])
         continue;
      rows_take(rows, (uint16_t)work_id, now);
      rows->state[work_id].earlier = true;
   }
   rows->next_number = 1;
}
