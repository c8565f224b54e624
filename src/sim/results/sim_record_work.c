/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of work: which cycles of its frame each of them has for itself. Every cycle belongs to the
 * oldest work, in the order of commands, that has begun and not ended; a cycle in which there is
 * none belongs to the row "other". So a draw that runs in the shadow of the one before has only
 * what it takes longer, and the rows add up to the frame's cycles exactly. A row waits in memory
 * until all before it are known, which is at the end of the frame at the latest.
 */
#include <stdlib.h>
#include <string.h>
#include "core/sim_grow_array.h"
#include "results/sim_record_impl.h"

/* Enough that sorting and committing cost nothing. */
#define MANY_WAITING 8192

static int
by_number(const void *a, const void *b)
{
   const struct record_work *x = a, *y = b;
   return x->number < y->number ? -1 : x->number > y->number;
}

/* The cycles of a row for itself, in the order of commands, which begin at *from. The rows that a
 * frame has once come when all others are there: the time that nobody has is "other". */
static uint64_t
divide(struct sim_record *rec, const struct record_work *w, uint64_t *from)
{
   *from = w->start > rec->reached ? w->start : rec->reached;
   if (w->row.kind == SIM_ROW_OTHER)
      return w->end - w->start - rec->divided;
   if (w->row.kind == SIM_ROW_EARLIER || w->row.kind == SIM_ROW_SHARED)
      return 0;
   uint64_t cycles = w->end > *from ? w->end - *from : 0;
   if (w->end > rec->reached)
      rec->reached = w->end;
   rec->divided += cycles;
   return cycles;
}

/* The arrays of rows that still wait move to the beginning. */
static void
pack_counts(struct sim_record *rec)
{
   struct record_text kept = {0};
   size_t size = 0;
   if (!rec->num_waiting) {
      rec->counts.len = 0;
      return;
   }
   for (uint32_t i = 0; i < rec->num_waiting; i++)
      size += rec->waiting[i].counts_size;
   if (size * 2 > rec->counts.len || !(kept.p = malloc(size + 1)))
      return;
   kept.size = size + 1;
   for (uint32_t i = 0; i < rec->num_waiting; i++) {
      struct record_work *w = &rec->waiting[i];
      if (w->counts_size)
         memcpy(kept.p + kept.len, rec->counts.p + w->counts, w->counts_size);
      w->counts = kept.len;
      kept.len += w->counts_size;
   }
   free(rec->counts.p);
   rec->counts = kept;
}

void
record_work_flush(struct sim_record *rec, uint32_t below)
{
   uint32_t n = 0;
   if (!rec->num_waiting) /* there may be no memory for any yet */
      return;
   qsort(rec->waiting, rec->num_waiting, sizeof(*rec->waiting), by_number);
   record_enter(rec);
   for (; n < rec->num_waiting && rec->waiting[n].number < below; n++) {
      uint64_t from;
      const uint64_t exclusive = divide(rec, &rec->waiting[n], &from);
      if (!rec->waiting[n].hidden)
         record_work_write(rec, &rec->waiting[n], exclusive);
      if (rec->clocks)
         record_clocks_work(rec, &rec->waiting[n], from, exclusive);
   }
   record_leave(rec);
   rec->num_waiting -= n;
   memmove(rec->waiting, rec->waiting + n, rec->num_waiting * sizeof(*rec->waiting));
   pack_counts(rec);
}

void
sim_record_work(struct sim_record *rec, const struct sim_record_work *work)
{
   if (!record_usable(rec) || !sim_grow_array(&rec->waiting, &rec->waiting_size,
                                              rec->num_waiting + 1, sizeof(*rec->waiting)))
      return;
   const size_t counts = rec->counts.len;
   struct record_parts *parts = NULL;
   if (rec->columns->num && !work->hidden &&
       (!record_encode(rec, work->row->kind, work->values, rec->chosen, &rec->counts) ||
        (rec->clocks && work->parts && !record_clocks_encode(rec, work, &parts))))
      return;
   const bool earlier = work->row->kind == SIM_ROW_EARLIER;
   const bool once =
       earlier || work->row->kind == SIM_ROW_SHARED || work->row->kind == SIM_ROW_OTHER;
   const uint32_t number = earlier ? 0 : once ? rec->next_number : work->number;
   if (number >= rec->next_number)
      rec->next_number = number + 1;
   struct record_work *w = &rec->waiting[rec->num_waiting++];
   *w = (struct record_work){.row = *work->row,
                             .frame = work->frame,
                             .number = number,
                             .hidden = work->hidden,
                             .start = work->start,
                             .end = work->end,
                             .limits = work->limits,
                             .counts = counts,
                             .counts_size = rec->counts.len - counts,
                             .parts = parts};
   sim_label_keep(w->label, work->row->label);
}

bool
sim_record_due(const struct sim_record *rec)
{
   return record_usable(rec) && (rec->num_waiting >= MANY_WAITING || record_old(rec));
}

void
sim_record_work_until(struct sim_record *rec, uint32_t number)
{
   if (!record_usable(rec))
      return;
   record_work_flush(rec, number);
   sim_record_commit(rec);
}

void
sim_record_drop_work(struct sim_record *rec)
{
   if (!record_usable(rec))
      return;
   record_begin(rec);
   record_number(rec->drop_work, 1, rec->frame_id);
   record_step(rec, rec->drop_work);
   record_number(rec->drop_counts, 1, rec->frame_id);
   record_step(rec, rec->drop_counts);
   if (rec->clocks)
      record_clocks_drop_work(rec);
   rec->num_waiting = 0;
   rec->counts.len = 0;
}

void
record_work_new_frame(struct sim_record *rec, uint64_t start, bool kept)
{
   rec->frame_id += kept ? rec->next_number : 0;
   rec->next_number = 1;
   rec->reached = start;
   rec->divided = 0;
   if (rec->clocks)
      record_clocks_new_frame(rec);
}

static const char *
prim_name(const struct sim_row *row)
{
   return row->kind != SIM_ROW_DRAW ? NULL : report_prim_name(row->prim);
}

static void
number_or_null(sqlite3_stmt *s, int column, bool is, uint64_t value)
{
   if (is)
      record_number(s, column, value);
   else
      sqlite3_bind_null(s, column);
}

void
record_work_write(struct sim_record *rec, const struct record_work *w, uint64_t exclusive)
{
   sqlite3_stmt *s = rec->put_work;
   const bool draw = w->row.kind == SIM_ROW_DRAW;
   int n = 1;
   record_begin(rec);
   record_number(s, n++, rec->frame_id + w->number);
   record_number(s, n++, w->frame);
   record_number(s, n++, w->number);
   record_text(s, n++, sim_row_kind_names[w->row.kind]);
   number_or_null(s, n++, draw, w->row.draw);
   record_text(s, n++, w->label[0] ? w->label : NULL);
   record_number(s, n++, w->row.meta);
   record_text(s, n++, prim_name(&w->row));
   record_number(s, n++, w->row.count);
   number_or_null(s, n++, draw, w->row.instances);
   record_number(s, n++, w->start);
   record_number(s, n++, w->end);
   record_number(s, n++, w->end > w->start ? w->end - w->start : 0);
   record_number(s, n++, exclusive);
   number_or_null(s, n++, w->row.vertex_program, w->row.vertex_program);
   number_or_null(s, n++, w->row.fragment_program, w->row.fragment_program);
   number_or_null(s, n++, w->row.bindings, w->row.bindings);
   record_limits(s, n, &w->limits);
   record_step(rec, s);
   if (w->counts_size)
      record_put_counts(rec, rec->put_work_counts, rec->frame_id + w->number, w->row.kind,
                        rec->counts.p + w->counts, w->counts_size);
}
