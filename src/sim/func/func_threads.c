/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Threads for the fragments of functional mode. The thread that takes commands also does the
 * geometry and writes primitives into a ring, which every fragment thread reads from beginning to
 * end. A fragment thread draws the parts of a primitive that lie in its own squares of the screen
 * (func_owner), so each pixel sees its fragments in the order of primitives, whatever the number of
 * threads and whoever is faster: pictures and counters are the same. Primitives of the next draws
 * follow in the ring while fragments of earlier ones are executed, as long as no draw touches what
 * another one reads or writes (func_ranges.c). At the end of each submission the ring is empty and
 * the threads sleep.
 *
 * What is little, the thread that takes commands does by itself, without waking anybody.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "core/sim_fp.h"
#include "func/sim_func_impl.h"

#define ENTRIES 16384  /* a thread that waits often costs more than a ring beyond the caches */
#define FEW_ENTRIES 64 /* for tests */
#define PASSES 32
#define BATCH 16             /* primitives that a thread reads before it says so */
#define WORTH_WAKING 32768   /* pixels of bounding boxes; a primitive counts PER_PRIMITIVE more */
#define WORTH_TELLING 131072 /* when threads are awake */
#define PER_PRIMITIVE 64
#define SPINS 200
#define DEFAULT_MOST 8
#define NOBODY UINT64_MAX

struct entry {
   struct func_pass *pass;
   uint64_t owners; /* a bit for each thread with a part of it; the end of a pass has all */
   bool end;
   struct emul_setup setup;
};

struct reader {
   _Atomic uint64_t read; /* entries */
   pthread_t thread;
   struct func_worker *worker;
   struct func_threads *all;
} __attribute__((aligned(64)));

struct func_threads {
   unsigned count;
   uint64_t worth_waking, worth_telling; /* pixels that are published, when threads sleep or not */
   pid_t owner;                          /* the process that has the threads; 0: none has */
   bool flowing;                         /* something was published since the last drain */
   uint64_t written;
   uint64_t space;  /* entries up to here can be written */
   uint64_t pixels; /* of entries that are not published */
   struct func_pass pass[PASSES];
   struct {
      bool ended;
      uint64_t end; /* entries up to its last */
   } progress[PASSES];
   unsigned first, num; /* passes that are not released */
   struct func_ranges pending;
   uint64_t entries; /* of the ring that are used: a power of two */
   struct entry entry[ENTRIES];
   struct reader reader[SIM_FUNC_MAX_THREADS];
   pthread_mutex_t lock;
   pthread_cond_t more, done;
   bool quit;
   /* Read by others than who writes it. */
   _Atomic uint64_t published __attribute__((aligned(64)));
   _Atomic unsigned sleeping;
   _Atomic uint64_t
       wanted; /* what the thread that takes commands sleeps for; NOBODY: it does not */
};

static inline void
pause_spinning(void)
{
#if defined(__x86_64__)
   __builtin_ia32_pause();
#endif
}

/* --- Fragment threads --- */

static void
execute(struct func_worker *w, struct entry *e)
{
   w->pass = e->pass;
   if (e->end)
      func_fragment_end(w);
   else
      func_rasterise(w, &e->setup);
}

/* Waits until more entries than `read` are published, or it is over. */
static uint64_t
wait_for_more(struct func_threads *t, uint64_t read)
{
   uint64_t published = 0;
   for (unsigned i = 0; i < SPINS; i++) {
      if ((published = atomic_load_explicit(&t->published, memory_order_acquire)) > read)
         return published;
      pause_spinning();
   }
   pthread_mutex_lock(&t->lock);
   atomic_fetch_add(&t->sleeping, 1);
   while ((published = atomic_load(&t->published)) == read && !t->quit)
      pthread_cond_wait(&t->more, &t->lock);
   atomic_fetch_sub(&t->sleeping, 1);
   pthread_mutex_unlock(&t->lock);
   return published;
}

static void *
fragment_thread(void *data)
{
   struct reader *r = data;
   struct func_threads *t = r->all;
   const uint64_t own = 1ull << r->worker->index;
   uint64_t read = atomic_load(&r->read), published;
   sim_fp_enter();
   while ((published = wait_for_more(t, read)) > read) {
      const uint64_t end = published - read > BATCH ? read + BATCH : published;
      for (; read < end; read++) {
         struct entry *e = &t->entry[read % t->entries];
         if (e->owners & own)
            execute(r->worker, e);
      }
      atomic_store(&r->read, read);
      if (read >= atomic_load(&t->wanted)) {
         pthread_mutex_lock(&t->lock);
         pthread_cond_signal(&t->done);
         pthread_mutex_unlock(&t->lock);
      }
   }
   return NULL;
}

/* The application's signals are not for them; a crash is. */
static void
block_signals(sigset_t *before)
{
   static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
   sigset_t all;
   sigfillset(&all);
   for (unsigned i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
      sigdelset(&all, crashes[i]);
   pthread_sigmask(SIG_BLOCK, &all, before);
}

static void
stop(struct func_threads *t, unsigned num)
{
   pthread_mutex_lock(&t->lock);
   t->quit = true;
   pthread_cond_broadcast(&t->more);
   pthread_mutex_unlock(&t->lock);
   for (unsigned i = 0; i < num; i++)
      pthread_join(t->reader[i].thread, NULL);
   t->owner = 0;
}

/* Threads of this process: a forked one has none of its parent's. */
static bool
start(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   sigset_t before;
   unsigned i = 0;
   int problem = 0;
   if (t->owner == getpid())
      return true;
   pthread_mutex_init(&t->lock, NULL);
   pthread_cond_init(&t->more, NULL);
   pthread_cond_init(&t->done, NULL);
   t->quit = false;
   t->sleeping = 0;
   t->wanted = NOBODY;
   block_signals(&before);
   for (; i < t->count && !problem; i++) {
      struct reader *r = &t->reader[i];
      r->all = t;
      r->read = atomic_load(&t->published);
      if (!r->worker)
         r->worker = func_worker_create(i, t->count);
      problem = r->worker ? pthread_create(&r->thread, NULL, fragment_thread, r) : ENOMEM;
      if (!problem)
         pthread_setname_np(r->thread, "attila-fragment");
   }
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   t->owner = getpid();
   if (!problem)
      return true;
   stop(t, i - 1);
   t->count = 1;
   sim_warn(f->device->report, "functional mode goes on without fragment threads: %s",
            strerror(problem));
   return false;
}

/* --- The thread that takes commands --- */

static uint64_t
read_by_all(const struct func_threads *t)
{
   uint64_t least = UINT64_MAX;
   for (unsigned i = 0; i < t->count; i++) {
      uint64_t read = atomic_load(&t->reader[i].read);
      least = read < least ? read : least;
   }
   return least;
}

static void
release(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   struct func_pass *p = &t->pass[t->first];
   p->counters[ATTILA_COUNTER_FS_INVOCATIONS] += p->shaded;
   if (p->state.regs.count_samples)
      p->counters[ATTILA_COUNTER_SAMPLES_PASSED] += p->passed;
   if (p->stopped)
      sim_warn(f->device->report, EMUL_STOPPED_TEXT, EMUL_MAX_ITERATIONS);
   sim_frontend_end_draw(f->device->frontend, &p->state);
   t->first = (t->first + 1) % PASSES;
   t->num--;
}

static void
release_ended(struct sim_func *f, uint64_t read)
{
   struct func_threads *t = f->threads;
   while (t->num && t->progress[t->first].ended && t->progress[t->first].end <= read)
      release(f);
}

/* Executes what nobody has been told of. */
static void
execute_here(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   const uint64_t published = atomic_load(&t->published);
   for (uint64_t i = published; i < t->written; i++)
      execute(f->own, &t->entry[i % t->entries]);
   if (t->written > published)
      func_fragment_end(f->own);
   release_ended(f, t->written);
   t->written = published;
   t->pixels = 0;
   f->own->pass = f->pass;
}

static void
publish(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   if (!t->flowing && !start(f)) {
      execute_here(f);
      f->alone = true;
      return;
   }
   t->flowing = true;
   t->pixels = 0;
   atomic_store(&t->published, t->written);
   if (atomic_load(&t->sleeping)) {
      pthread_mutex_lock(&t->lock);
      pthread_cond_broadcast(&t->more);
      pthread_mutex_unlock(&t->lock);
   }
}

/* Until all have read so many entries, or all there are. */
static void
wait_until_read(struct sim_func *f, uint64_t entries)
{
   struct func_threads *t = f->threads;
   if (entries > atomic_load(&t->published))
      publish(f);
   if (entries > t->written)
      entries = t->written;
   for (unsigned i = 0; i < SPINS; i++) {
      if (t->count < 2 || read_by_all(t) >= entries)
         return;
      pause_spinning();
   }
   pthread_mutex_lock(&t->lock);
   atomic_store(&t->wanted, entries);
   while (read_by_all(t) < entries)
      pthread_cond_wait(&t->done, &t->lock);
   atomic_store(&t->wanted, NOBODY);
   pthread_mutex_unlock(&t->lock);
}

static struct entry *
next_entry(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   if (t->written == t->space) {
      wait_until_read(f, t->written - t->entries / 2);
      t->space = t->written + t->entries / 2;
   }
   return &t->entry[t->written % t->entries];
}

/* The threads with a part of the rectangle. */
static uint64_t
owners(const struct emul_setup *s, unsigned threads)
{
   const uint64_t all = threads < 64 ? (1ull << threads) - 1 : UINT64_MAX;
   uint64_t found = 0;
   for (int32_t by = s->miny / FUNC_BLOCK; by * FUNC_BLOCK < s->maxy && found != all; by++) {
      for (int32_t bx = s->minx / FUNC_BLOCK; bx * FUNC_BLOCK < s->maxx && found != all; bx++)
         found |= 1ull << func_owner(bx, by, threads);
   }
   return found;
}

void
func_primitive(struct sim_func *f, const struct emul_setup *s)
{
   struct func_threads *t = f->threads;
   if (s->minx >= s->maxx || s->miny >= s->maxy)
      return;
   struct entry *e = f->alone ? NULL : next_entry(f);
   if (f->alone) { /* perhaps since then */
      func_rasterise(f->own, s);
      return;
   }
   e->pass = f->pass;
   e->owners = owners(s, t->count);
   e->end = false;
   e->setup = *s;
   t->written++;
   t->pixels += PER_PRIMITIVE + (uint64_t)(s->maxx - s->minx) * (uint64_t)(s->maxy - s->miny);
   if (t->pixels >= (t->flowing ? t->worth_telling : t->worth_waking))
      publish(f);
}

struct func_pass *
func_pass_take(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   if (t->num == PASSES) {
      wait_until_read(f, t->progress[(t->first + PASSES / 2) % PASSES].end);
      release_ended(f, t->count > 1 ? read_by_all(t) : t->written);
   }
   return &t->pass[(t->first + t->num) % PASSES];
}

void
func_pass_begin(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   struct func_ranges r;
   f->alone = t->count < 2 || f->watched || f->pass->discard;
   if (!f->alone || f->num_deferred)
      func_ranges_of(f->pass, &r);
   f->alone = f->alone || func_ranges_tangled(&r);
   if (f->alone || func_ranges_conflict(&t->pending, &r))
      func_drain(f);
   if (f->num_deferred)
      func_clear_before_draw(f, f->pass, &r);
   if (!f->alone)
      func_ranges_add(&t->pending, &r);
   t->progress[(t->first + t->num++) % PASSES].ended = false;
   f->own->pass = f->pass;
}

void
func_pass_end(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   const unsigned slot = (unsigned)(f->pass - t->pass);
   struct entry *e = f->alone ? NULL : next_entry(f);
   if (f->alone) {
      func_fragment_end(f->own);
   } else {
      e->pass = f->pass;
      e->owners = UINT64_MAX;
      e->end = true;
      t->written++;
   }
   t->progress[slot].ended = true;
   t->progress[slot].end = t->written;
   if (f->alone)
      release_ended(f, t->written);
}

void
func_drain(struct sim_func *f)
{
   struct func_threads *t = f->threads;
   if (t->flowing)
      wait_until_read(f, t->written);
   else
      execute_here(f);
   release_ended(f, t->written);
   t->flowing = false;
   t->pending.num_reads = t->pending.num_writes = 0;
}

void
func_drain_range(struct sim_func *f, uint64_t start, uint64_t end, bool write)
{
   if (func_ranges_touch(&f->threads->pending, start, end, write))
      func_drain(f);
}

uint32_t
func_vectors(struct sim_func *f, struct func_arena *a, uint32_t count)
{
   /* Who is alone stays in the processor's caches. */
   const uint32_t small = FUNC_SEGMENT_VECTORS / 8, size = !f->alone       ? FUNC_SEGMENT_VECTORS
                                                           : count < small ? small
                                                                           : count;
   if (a->used + count > size) {
      a->left[a->segment] = f->threads->written;
      a->segment = (a->segment + 1) % FUNC_SEGMENTS;
      a->used = 0;
      /* Vertices that were carried over into the segment that comes again were read until the one
       * after it was left. */
      if (!f->alone)
         wait_until_read(f, a->left[(a->segment + 1) % FUNC_SEGMENTS]);
   }
   const uint32_t at = a->segment * FUNC_SEGMENT_VECTORS + a->used;
   a->used += count;
   return at;
}

/* --- Creation --- */

static unsigned
default_count(void)
{
   cpu_set_t set;
   unsigned n = 1;
   if (!sched_getaffinity(0, sizeof(set), &set))
      n = (unsigned)CPU_COUNT(&set);
   return n < 1 ? 1 : n < DEFAULT_MOST ? n : DEFAULT_MOST;
}

struct func_threads *
func_threads_create(unsigned count)
{
   struct func_threads *t = func_pages(sizeof(*t));
   if (!t)
      return NULL;
   t->count = count ? count : default_count();
   t->worth_waking = WORTH_WAKING;
   t->worth_telling = WORTH_TELLING;
   t->entries = t->space = ENTRIES;
   t->wanted = NOBODY;
   return t;
}

void
func_threads_strain(struct func_threads *t)
{
   t->entries = t->space = FEW_ENTRIES;
   t->worth_waking = t->worth_telling = 0;
}

void
func_threads_destroy(struct func_threads *t)
{
   if (!t)
      return;
   if (t->owner == getpid())
      stop(t, t->count);
   for (unsigned i = 0; i < SIM_FUNC_MAX_THREADS; i++)
      func_worker_destroy(t->reader[i].worker);
   func_pages_free(t, sizeof(*t));
}
