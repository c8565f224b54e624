/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional mode's draws with waiting fragments. The command thread also does geometry and writes
 * primitives into a ring, from which it and other threads draw (func_threads.c). The next draws'
 * primitives follow while earlier fragments execute. Where a draw touches memory that an earlier
 * one reads or writes (func_ranges.c), a barrier comes between them; geometry goes on. At the end
 * of a submission the ring is empty and threads sleep. The command thread does small work alone,
 * without waking any. */
#include <string.h>
#include "func/func_threads.h"

#define FEW_ENTRIES 64 /* for tests */
#define PASSES 32
#define WORTH_WAKING 32768 /* pixels of bounding boxes; a primitive adds PER_PRIMITIVE */
#define WORTH_TELLING 8192 /* while threads are awake */
#define PER_PRIMITIVE 64

struct func_queue {
   uint64_t worth_waking, worth_telling; /* pixels */
   bool flowing;                         /* something was published since the last drain */
   uint64_t written;                     /* entries */
   uint64_t space;                       /* entries up to here may be written */
   uint64_t untold;                      /* pixels of unpublished entries */
   uint64_t asleep;                      /* those of entries published since threads were woken */
   struct func_pass pass[PASSES];
   struct {
      bool ended;
      uint64_t end; /* the entry after the pass's last */
   } progress[PASSES];
   unsigned first, num;        /* passes not released */
   struct func_ranges pending; /* of draws since the last drain */
   struct func_ranges beside;  /* of draws since the last barrier */
};

static void
func_queue_release(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   struct func_pass *p = &q->pass[q->first];
   p->counters[ATTILA_COUNTER_FS_INVOCATIONS] += p->shaded;
   if (p->state.regs.count_samples)
      p->counters[ATTILA_COUNTER_SAMPLES_PASSED] += p->passed;
   if (p->stopped)
      sim_warn(&f->device->observed, EMUL_STOPPED_TEXT, p->state.max_iterations);
   sim_frontend_end_draw(f->device->frontend, &p->state);
   q->first = (q->first + 1) % PASSES;
   q->num--;
}

static void
func_queue_release_ended(struct sim_func *f, uint64_t read)
{
   struct func_queue *q = f->queue;
   while (q->num && q->progress[q->first].ended && q->progress[q->first].end <= read)
      func_queue_release(f);
}

/* Executes entries that are not published. */
static void
func_queue_execute_here(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   struct func_threads *t = f->threads;
   const uint64_t published = atomic_load(&t->published);
   for (uint64_t i = published; i < q->written; i++)
      func_execute(f->own, &t->entry[i % t->entries]);
   if (q->written > published)
      func_fragment_end(f->own);
   func_queue_release_ended(f, q->written);
   q->written = published;
   q->untold = 0;
   f->own->pass = f->pass;
}

/* Publishes entries. False: there are no threads, and all entries have been executed. */
static bool
func_queue_publish(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   struct func_threads *t = f->threads;
   const int problem = q->flowing ? 0 : func_threads_start(t);
   if (problem) {
      sim_warn(&f->device->observed, "functional mode goes on without fragment threads: %s",
               strerror(problem));
      func_queue_execute_here(f);
      f->alone = true;
      return false;
   }
   q->flowing = true;
   q->asleep += q->untold;
   q->untold = 0;
   atomic_store(&t->published, q->written);
   if (q->asleep >= q->worth_waking && atomic_load(&t->sleeping)) {
      q->asleep = 0;
      func_threads_wake(t);
   }
   return true;
}

/* Waits until all shares have read this many entries, or all that there are. */
static void
func_queue_wait_until_read(struct sim_func *f, uint64_t entries)
{
   struct func_queue *q = f->queue;
   struct func_threads *t = f->threads;
   /* Other threads see all entries while this one waits. */
   if ((q->flowing || entries > atomic_load(&t->published)) &&
       q->written > atomic_load(&t->published) && !func_queue_publish(f))
      return;
   func_threads_help(t, entries < q->written ? entries : q->written);
}

/* Returns a new entry; NULL: there are no threads, and all entries have been executed. */
static struct func_entry *
func_queue_add_entry(struct sim_func *f, uint64_t owners)
{
   struct func_queue *q = f->queue;
   struct func_threads *t = f->threads;
   if (!f->alone && q->written == q->space) {
      func_queue_wait_until_read(f, q->written - t->entries / 2);
      q->space = q->written + t->entries / 2;
   }
   if (f->alone)
      return NULL;
   t->owners[q->written % t->entries] = owners;
   return &t->entry[q->written++ % t->entries];
}

/* Adds an entry for every share. */
static struct func_entry *
func_queue_add_for_all(struct sim_func *f, int what)
{
   struct func_entry *e = func_queue_add_entry(f, UINT64_MAX);
   if (e)
      e->what = what;
   return e;
}

/* Makes later entries wait until all earlier ones are done. */
static void
func_queue_barrier(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   func_queue_add_for_all(f, FUNC_BARRIER);
   q->beside.num_reads = q->beside.num_writes = 0;
}

/* Adds the ranges of a draw, after a barrier if need be. */
static void
func_queue_enter(struct sim_func *f, const struct func_ranges *r)
{
   struct func_queue *q = f->queue;
   if (func_ranges_conflict(&q->beside, r))
      func_queue_barrier(f);
   func_ranges_add(&q->pending, r);
   func_ranges_add(&q->beside, r);
}

bool
func_apply_later(struct sim_func *f, struct func_deferred *d)
{
   struct func_queue *q = f->queue;
   const struct func_ranges r = {.num_writes = 1, .write = {{d->start, d->end, d->layout}}};
   if (f->alone || !func_ranges_touch(&q->pending, d->start, d->end, true) ||
       !func_ranges_fit(&q->pending, &r))
      return false;
   func_queue_enter(f, &r);
   struct func_entry *e = func_queue_add_for_all(f, FUNC_APPLY_CLEAR);
   if (e)
      e->clear = d;
   return e != NULL;
}

/* Returns a bit per share with part of the rectangle. */
static uint64_t
func_queue_owners_of(const struct emul_setup *s, unsigned shares)
{
   const uint64_t all = shares < 64 ? (1ull << shares) - 1 : UINT64_MAX;
   uint64_t found = 0;
   for (int32_t by = s->miny / FUNC_BLOCK; by * FUNC_BLOCK < s->maxy && found != all; by++) {
      for (int32_t bx = s->minx / FUNC_BLOCK; bx * FUNC_BLOCK < s->maxx && found != all; bx++)
         found |= 1ull << func_share_of(bx, by, shares);
   }
   return found;
}

/* Before and after a primitive, writes the fragments that wait, so that memory is as the primitive
 * finds it, and as it leaves it. */
static void
func_queue_rasterise_watched(struct sim_func *f, const struct emul_setup *s)
{
   struct sim_func_fragment found;
   func_fragment_end(f->own);
   const bool some = func_pixel_look(f->own, s, f->pixel.at, &found);
   found.primitive = f->pixel.primitives++;
   if (some)
      f->pixel.call(f->pixel.user, &found, false);
   func_rasterise(f->own, s);
   func_fragment_end(f->own);
   if (some)
      f->pixel.call(f->pixel.user, &found, true);
}

void
func_primitive(struct sim_func *f, const struct emul_setup *s)
{
   struct func_queue *q = f->queue;
   if (s->minx >= s->maxx || s->miny >= s->maxy)
      return;
   struct func_entry *e =
       f->alone ? NULL : func_queue_add_entry(f, func_queue_owners_of(s, f->threads->num_shares));
   if (!e) {
      if (f->cover)
         func_cover_primitive(f->cover, s);
      if (f->pixel.call)
         func_queue_rasterise_watched(f, s);
      else if (f->grid.call)
         func_pixel_rasterise_grid(f, s);
      else
         func_rasterise(f->own, s);
      return;
   }
   e->what = FUNC_PRIMITIVE;
   e->pass = f->pass;
   e->setup = *s;
   q->untold += PER_PRIMITIVE + (uint64_t)(s->maxx - s->minx) * (uint64_t)(s->maxy - s->miny);
   if (q->untold >= (q->flowing ? q->worth_telling : q->worth_waking))
      func_queue_publish(f);
}

struct func_pass *
func_pass_take(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   if (q->num == PASSES) {
      func_queue_wait_until_read(f, q->progress[(q->first + PASSES / 2) % PASSES].end);
      func_queue_release_ended(f, f->alone ? q->written : func_threads_read(f->threads));
   }
   return &q->pass[(q->first + q->num) % PASSES];
}

void
func_pass_begin(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   struct func_ranges r;
   f->pixel.primitives = 0;
   f->alone = f->threads->count < 2 || f->watched || f->pixel.call || f->grid.call || f->cover ||
              f->pass->discard || f->pass->state.stream_out || emul_layered(&f->pass->state) ||
              f->pass->state.storage_writers;
   if (!f->alone || f->num_deferred)
      func_ranges_of(f->pass, &r);
   f->alone = f->alone || func_ranges_tangled(&r);
   if (f->alone || func_ranges_conflict_early(&q->pending, &r) || !func_ranges_fit(&q->pending, &r))
      func_drain(f);
   if (f->num_deferred)
      func_clear_before_draw(f, f->pass, &r);
   if (!f->alone)
      func_queue_enter(f, &r);
   q->progress[(q->first + q->num++) % PASSES].ended = false;
   f->own->pass = f->pass;
}

void
func_pass_end(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   const unsigned slot = (unsigned)(f->pass - q->pass);
   struct func_entry *e = func_queue_add_for_all(f, FUNC_END);
   if (e)
      e->pass = f->pass;
   else
      func_fragment_end(f->own);
   q->progress[slot].ended = true;
   q->progress[slot].end = q->written;
   if (f->alone)
      func_queue_release_ended(f, q->written);
}

void
func_drain(struct sim_func *f)
{
   struct func_queue *q = f->queue;
   if (q->flowing)
      func_queue_wait_until_read(f, q->written);
   else
      func_queue_execute_here(f);
   func_queue_release_ended(f, q->written);
   q->flowing = false;
   q->pending.num_reads = q->pending.num_writes = 0;
   q->beside.num_reads = q->beside.num_writes = 0;
}

void
func_drain_range(struct sim_func *f, uint64_t start, uint64_t end, bool write)
{
   if (func_ranges_touch(&f->queue->pending, start, end, write))
      func_drain(f);
}

uint32_t
func_vectors(struct sim_func *f, struct func_arena *a, uint32_t count)
{
   /* Without other threads the ring is small, so that it stays in the processor's caches. */
   const uint32_t small = FUNC_SEGMENT_VECTORS / 8, size = !f->alone       ? FUNC_SEGMENT_VECTORS
                                                           : count < small ? small
                                                                           : count;
   if (a->used + count > size) {
      a->left[a->segment] = f->queue->written;
      a->segment = (a->segment + 1) % FUNC_SEGMENTS;
      a->used = 0;
      /* Vertices of the reused segment may be in use until the segment after it was left, since the
       * assembler holds some. */
      if (!f->alone)
         func_queue_wait_until_read(f, a->left[(a->segment + 1) % FUNC_SEGMENTS]);
   }
   const uint32_t at = a->segment * FUNC_SEGMENT_VECTORS + a->used;
   a->used += count;
   return at;
}

struct func_queue *
func_queue_create(void)
{
   struct func_queue *q = func_pages(sizeof(*q));
   if (!q)
      return NULL;
   q->worth_waking = WORTH_WAKING;
   q->worth_telling = WORTH_TELLING;
   q->space = FUNC_ENTRIES;
   return q;
}

void
func_queue_strain(struct sim_func *f)
{
   f->threads->entries = f->queue->space = FEW_ENTRIES;
   f->queue->worth_waking = f->queue->worth_telling = 0;
}

void
func_queue_destroy(struct func_queue *q)
{
   func_pages_free(q, sizeof(*q));
}
