/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of work wait until their frame ends: then they are written in the order of commands, and
 * each gets the cycles of the frame that it has for itself. Every cycle belongs to the oldest work,
 * in the order of commands, that has begun and not ended; a cycle in which there is none belongs to
 * the row "other". So a draw that runs in the shadow of the one before has only what it takes
 * longer, and the rows add up to the frame's cycles exactly. Intervals wait, too: what a frame adds
 * to the record is one transaction. Not here: what is written (sim_tables.c, sim_record.c). */
#include <stdlib.h>
#include <string.h>
#include "core/sim_grow_array.h"
#include "results/sim_report_impl.h"

/* A frame of very many draws is written in parts of about this size. */
#define MANY_BYTES (64u << 20)

bool
report_pending_make(struct sim_report *r)
{
   r->pending.next_number = 1;
   r->pending.write_at = MANY_BYTES;
   return measure_values_make(&r->pending.row, r->measure->columns.num);
}

void
report_pending_free(struct sim_report *r)
{
   struct report_pending *p = &r->pending;
   free(p->work);
   free(p->interval);
   free(p->count);
   measure_values_free(&p->row);
}

/* --- Waiting --- */

/* Returns false if host memory is exhausted. */
static bool
pending_keep_counts(struct report_pending *p, const struct measure_values *v, uint32_t state)
{
   if (!sim_grow_array(&p->count, &p->count_size, p->num_counts + v->num_touched,
                       sizeof(*p->count)))
      return false;
   struct sim_record_part *to = p->count + p->num_counts;
   for (unsigned i = 0; i < v->num_touched; i++) {
      const uint16_t column = v->touched[i];
      to[i] = (struct sim_record_part){state, column, v->value[column]};
   }
   p->num_counts += v->num_touched;
   return true;
}

/* Keeps the counts of a row, and their parts in states other than the nominal one. */
static bool
pending_keep_work(struct report_pending *p, const struct measure_values *values,
                  const struct measure_parts *parts, uint32_t *num, uint32_t *num_parts)
{
   const size_t first = p->num_counts;
   bool ok = pending_keep_counts(p, values, 0);
   *num = (uint32_t)(p->num_counts - first);
   for (unsigned state = 1; parts && state < parts->num; state++)
      ok =
          ok && (!parts->state[state].value || pending_keep_counts(p, &parts->state[state], state));
   *num_parts = (uint32_t)(p->num_counts - first) - *num;
   return ok;
}

void
report_pending_work(struct sim_report *r, const struct pending_work *work,
                    const struct measure_values *values, const struct measure_parts *parts)
{
   static const struct measure_values none;
   struct report_pending *p = &r->pending;
   if (!sim_grow_array(&p->work, &p->work_size, p->num_work + 1, sizeof(*p->work)))
      return;
   struct pending_work *w = &p->work[p->num_work];
   *w = *work;
   w->first = p->num_counts;
   if (!pending_keep_work(p, w->hidden || !values ? &none : values, w->hidden ? NULL : parts,
                          &w->num, &w->num_parts))
      return;
   p->num_work++;
   report_pending_write_some(r);
}

void
report_pending_interval(struct sim_report *r, const struct sim_record_interval *interval,
                        const struct measure_parts *parts)
{
   struct report_pending *p = &r->pending;
   if (!sim_grow_array(&p->interval, &p->interval_size, p->num_intervals + 1, sizeof(*p->interval)))
      return;
   struct pending_interval *i = &p->interval[p->num_intervals];
   *i = (struct pending_interval){.interval = *interval, .first = p->num_counts};
   if (pending_keep_work(p, interval->values, parts, &i->num, &i->num_parts))
      p->num_intervals++;
}

/* --- Writing --- */

static int
pending_by_number(const void *a, const void *b)
{
   const struct pending_work *x = a, *y = b;
   return x->number < y->number ? -1 : x->number > y->number;
}

static bool
pending_once_in_a_frame(enum sim_work_kind kind)
{
   return kind == SIM_KIND_EARLIER || kind == SIM_KIND_SHARED || kind == SIM_KIND_OTHER;
}

/* Returns the exclusive cycles of a row, which begin at *from. Rows come in the order of commands;
 * the rows that a frame has once come last, and the time that is left is "other". */
static uint64_t
pending_divide(struct report_pending *p, const struct pending_work *w, uint64_t *from)
{
   *from = w->start > p->reached ? w->start : p->reached;
   if (w->work.kind == SIM_KIND_OTHER)
      return w->end - w->start - p->divided;
   if (pending_once_in_a_frame(w->work.kind))
      return 0;
   const uint64_t cycles = w->end > *from ? w->end - *from : 0;
   if (w->end > p->reached)
      p->reached = w->end;
   p->divided += cycles;
   return cycles;
}

static const struct measure_values *
pending_values_of(struct report_pending *p, size_t first, uint32_t num)
{
   measure_values_clear(&p->row);
   for (uint32_t i = 0; i < num; i++)
      measure_values_count(&p->row, p->count[first + i].column, p->count[first + i].value);
   return &p->row;
}

static void
pending_write_work(struct sim_report *r, struct pending_work *w)
{
   struct report_pending *p = &r->pending;
   uint64_t from;
   const uint64_t exclusive = pending_divide(p, w, &from);
   /* Rows that a frame has once have no number in the order of commands. */
   const uint32_t number = w->work.kind == SIM_KIND_EARLIER        ? 0
                           : pending_once_in_a_frame(w->work.kind) ? p->next_number
                                                                   : w->number;
   if (number >= p->next_number)
      p->next_number = number + 1;
   sim_work_use_texts(&w->work, &w->texts);
   const struct sim_record_work work = {.work = &w->work,
                                        .frame = r->observed->frame,
                                        .number = number,
                                        .hidden = w->hidden,
                                        .start = w->start,
                                        .end = w->end,
                                        .from = from,
                                        .exclusive = exclusive,
                                        .values = pending_values_of(p, w->first, w->num),
                                        .parts = p->count + w->first + w->num,
                                        .num_parts = w->num_parts,
                                        .limits = &w->limits};
   if (!w->hidden)
      report_tables_work(r, w, exclusive);
   sim_record_work(r->record, &work);
}

static void
pending_write_interval(struct sim_report *r, const struct pending_interval *i)
{
   struct report_pending *p = &r->pending;
   struct sim_record_interval interval = i->interval;
   interval.values = pending_values_of(p, i->first, i->num);
   interval.parts = p->count + i->first + i->num;
   interval.num_parts = i->num_parts;
   sim_record_interval(r->record, &interval);
}

/* Moves the rows that stay, and their counts, to the beginning. */
static void
pending_pack(struct report_pending *p, size_t written)
{
   struct sim_record_part *kept = NULL;
   size_t size = 0, num = 0;
   p->num_intervals = 0;
   p->num_work -= written;
   if (p->num_work)
      memmove(p->work, p->work + written, p->num_work * sizeof(*p->work));
   for (size_t i = 0; i < p->num_work; i++)
      num += p->work[i].num + p->work[i].num_parts;
   if (!num || !sim_grow_array(&kept, &size, num, sizeof(*kept))) {
      p->num_counts = num ? p->num_counts : 0;
      return;
   }
   p->num_counts = 0;
   for (size_t i = 0; i < p->num_work; i++) {
      struct pending_work *w = &p->work[i];
      memcpy(kept + p->num_counts, p->count + w->first, (w->num + w->num_parts) * sizeof(*kept));
      w->first = p->num_counts;
      p->num_counts += w->num + w->num_parts;
   }
   free(p->count);
   p->count = kept;
   p->count_size = size;
}

/* Writes the rows with numbers below this one. */
static void
pending_write_below(struct sim_report *r, uint64_t below)
{
   struct report_pending *p = &r->pending;
   size_t n = 0;
   if (p->num_work)
      qsort(p->work, p->num_work, sizeof(*p->work), pending_by_number);
   for (; n < p->num_work && p->work[n].number < below; n++)
      pending_write_work(r, &p->work[n]);
   for (size_t i = 0; i < p->num_intervals; i++)
      pending_write_interval(r, &p->interval[i]);
   pending_pack(p, n);
}

void
report_pending_write(struct sim_report *r)
{
   pending_write_below(r, UINT64_MAX);
}

static size_t
pending_bytes(const struct report_pending *p)
{
   return p->num_counts * sizeof(*p->count) + p->num_work * sizeof(*p->work);
}

void
report_pending_write_some(struct sim_report *r)
{
   struct report_pending *p = &r->pending;
   sigset_t before;
   if (pending_bytes(p) < p->write_at)
      return;
   sim_file_hold_signals(&before);
   pending_write_below(r, measure_work_complete(&r->measure->work));
   /* An old draw that has not ended keeps all later rows here. Each attempt to write sorts and
    * moves them, so the next one waits until there are twice as many. */
   p->write_at = 2 * pending_bytes(p);
   if (p->write_at < MANY_BYTES)
      p->write_at = MANY_BYTES;
   sim_file_release_signals(&before, r->failed);
}

void
report_pending_next_frame(struct sim_report *r, uint64_t start)
{
   struct report_pending *p = &r->pending;
   p->num_work = p->num_intervals = p->num_counts = 0;
   p->next_number = 1;
   p->write_at = MANY_BYTES;
   p->reached = start;
   p->divided = 0;
}
