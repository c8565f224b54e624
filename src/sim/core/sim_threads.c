/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Threads that clock a machine's shares. In a tick each clocks what is due in its share, publishes
 * its end and letters, and waits for all. Between two ticks the first thread, which called
 * sim_kernel_run, acts while the others wait; they sleep if that takes long. Threads gain little
 * today, but are kept, since windows of several ticks can be built on them. Not here: what happens
 * between ticks (core/sim_run.c), whether threads pay (core/sim_pay.c). */
#include "core/sim_threads.h"
#include "core/sim_clock.h"
#include "core/sim_inline.h"
#include "core/sim_block_signals.h"
#include "core/sim_fp.h"
#include "core/sim_pay.h"
#include "core/sim_shares.h"
#include "core/sim_xalloc.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SPINS_SHORT 64  /* before a waiting thread relaxes the processor */
#define SPINS_TICK 2000 /* before it yields to other programs: some 100 us */
#define SPINS_GO 4000   /* before one that waits for the first thread sleeps */

/* What a share publishes at a tick's end. There are two places, which are used in turn. */
struct threads_end {
   _Atomic uint64_t step; /* number of the tick among those clocked by threads */
   bool stops;            /* something is to do between ticks */
   bool goes_on;          /* a box is due in the next tick */
   uint32_t letters[SIM_MAX_SHARES];
} __attribute__((aligned(64)));

struct sim_threads {
   struct threads_end end[2][SIM_MAX_SHARES];
   /* What the first thread publishes. */
   _Atomic uint64_t go __attribute__((aligned(64))); /* how often it began to clock with all */
   sim_tick tick;                                    /* the first such tick, */
   uint64_t step;                                    /* and its number */
   _Atomic bool wanted;                              /* do not sleep: it will clock with all soon */
   _Atomic unsigned asleep __attribute__((aligned(64))); /* other threads */
   _Atomic uint64_t ended;                               /* rounds ended, by all together */
   bool quit;                                            /* under the lock */
   pthread_mutex_t lock;
   pthread_cond_t more;
   pid_t owner;   /* the process with the threads; 0: none */
   unsigned num;  /* including the first */
   bool hopeless; /* the system refused */
   pthread_t thread[SIM_MAX_SHARES];
};

static inline void
threads_pause(void)
{
#ifdef __x86_64__
   __builtin_ia32_pause();
#elif defined(__aarch64__)
   __asm__ volatile("yield");
#endif
}

unsigned
sim_processors(void)
{
   cpu_set_t set;
   const int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
   return n > 1 ? (unsigned)n : 1;
}

/* --- A tick --- */

/* For tests: makes threads unequally fast. */
static void __attribute__((noinline, cold)) threads_delay(const struct sim_share *h, sim_tick t)
{
   uint64_t x = (t * SIM_MAX_SHARES + h->index + h->kernel->order_seed) * 0x9e3779b97f4a7c15ull;
   x ^= x >> 29;
   if (x % 61 == 0)
      sched_yield();
   for (uint64_t i = x % 16 == 0 ? x >> 8 & 1023 : 0; i; i--)
      threads_pause();
}

/* Returns whether something is to do after tick t, as far as the share's thread knows. */
static inline bool
threads_stop(const struct sim_share *h, sim_tick t, const bool *stop)
{
   const struct sim_kernel *k = h->kernel;
   if (__atomic_load_n(&k->num_after, __ATOMIC_RELAXED))
      return true;
   if (h->index)
      return false;
   return !k->pay->ticks || k->pay->late || k->flight.later || (stop && *stop) ||
          (k->until && k->until(k->until_data)) || sim_clock_timer_due(k, t) ||
          (k->stall_ticks && t >= k->stall_check);
}

static inline bool
threads_due_next(struct sim_share *h, sim_tick t)
{
   for (unsigned word = 0; word < SIM_MAX_BOXES / 64; word++) {
      if (h->due.soon[word])
         return true;
   }
   if (h->told == t + 1 && h->kernel->one_domain)
      return true;
   return sim_due_next(h, t + 1) == t + 1;
}

static void
threads_say(struct sim_share *h, bool stops, bool goes_on)
{
   const unsigned list = h->step & 1, num = h->kernel->num_shares;
   struct threads_end *e = &h->kernel->threads->end[list][h->index];
   e->stops = stops;
   e->goes_on = goes_on;
   for (unsigned i = 0; i < num; i++) {
      struct sim_outbox *o = &h->outbox[i];
      e->letters[i] = o->num;
      o->num = 0;
      o->filling = !list;
   }
   h->told = SIM_NEVER;
   atomic_store_explicit(&e->step, h->step, memory_order_release);
}

/* Waits until all have ended the share's tick; true: all go on to the next one. */
static inline bool
threads_meet(const struct sim_share *h)
{
   struct sim_kernel *k = h->kernel;
   const struct threads_end *end = k->threads->end[h->step & 1];
   bool stops = false, goes_on = false;
   for (unsigned i = 0; i < k->num_shares; i++) {
      unsigned spins = 0;
      while (atomic_load_explicit(&end[i].step, memory_order_acquire) != h->step) {
         if (++spins < SPINS_SHORT)
            continue;
         if (spins < SPINS_TICK) {
            threads_pause();
            continue;
         }
         if (h->index == 0 && !k->order_seed)
            k->pay->late = true;
         sched_yield();
      }
      stops |= end[i].stops;
      goes_on |= end[i].goes_on;
   }
   return goes_on && !stops;
}

static inline void
threads_take(struct sim_share *h, uint64_t step)
{
   const struct threads_end *end = h->kernel->threads->end[step & 1];
   for (unsigned i = 0; i < h->kernel->num_shares; i++) {
      if (end[i].letters[h->index])
         sim_share_take(h, h->kernel->share[i], step & 1, end[i].letters[h->index]);
   }
}

/* Clocks the share from tick t on, while all go on. */
SIM_INLINE void
threads_clock(struct sim_share *h, sim_tick t, const bool *stop, bool activity)
{
   for (;; t++) {
      h->now = t;
      sim_clock_tick(h, t, activity);
      if (h->index == 0) {
         h->kernel->now = t;
         h->kernel->pay->ticks--;
      }
      if (__builtin_expect(h->kernel->order_seed != 0, 0))
         threads_delay(h, t);
      const bool stops = threads_stop(h, t, stop);
      threads_say(h, stops, threads_due_next(h, t));
      if (!threads_meet(h))
         return;
      threads_take(h, h->step++);
   }
}

static void __attribute__((noinline))
threads_clock_share(struct sim_share *h, sim_tick t, const bool *stop)
{
   if (setjmp(h->jump)) {
      /* A model error; the others end the tick. */
      threads_say(h, true, false);
      threads_meet(h);
   } else if (h->kernel->no_activity) {
      threads_clock(h, t, stop, false);
   } else {
      threads_clock(h, t, stop, true);
   }
   h->step++;
}

void
sim_threads_clock(struct sim_kernel *k, sim_tick t, const bool *stop)
{
   struct sim_threads *all = k->threads;
   all->tick = t;
   all->step = k->first.step;
   k->parallel = true;
   atomic_store_explicit(&all->go, atomic_load(&all->go) + 1, memory_order_release);
   threads_clock_share(&k->first, t, stop);
   k->parallel = false;
   for (unsigned i = 0; i < k->num_shares; i++)
      threads_take(k->share[i], k->first.step - 1);
   if (k->flight.later) {
      k->flight.later = false;
      sim_kernel_flight(k, !k->flight.on);
   }
}

/* --- Threads --- */

/* Waits until the first thread clocks with all again, after it has begun to do so `seen` times;
 * false: it never will. */
static bool
threads_wait(struct sim_threads *all, uint64_t seen)
{
   unsigned spins = 0;
   while (atomic_load_explicit(&all->go, memory_order_acquire) == seen) {
      if (++spins < SPINS_GO) {
         threads_pause();
         continue;
      }
      if (atomic_load(&all->wanted)) {
         sched_yield();
         continue;
      }
      pthread_mutex_lock(&all->lock);
      atomic_fetch_add(&all->asleep, 1);
      while (!atomic_load(&all->wanted) && !all->quit)
         pthread_cond_wait(&all->more, &all->lock);
      atomic_fetch_sub(&all->asleep, 1);
      const bool quit = all->quit;
      pthread_mutex_unlock(&all->lock);
      if (quit)
         return false;
      spins = 0;
   }
   return true;
}

static void *
threads_main(void *data)
{
   struct sim_share *h = data;
   struct sim_threads *all = h->kernel->threads;
   uint64_t seen = atomic_load(&all->go);
   sim_fp_enter();
   atomic_fetch_sub(&all->asleep, 1);
   while (threads_wait(all, seen)) {
      seen++;
      h->step = all->step;
      threads_clock_share(h, all->tick, NULL);
      atomic_fetch_add(&all->ended, 1);
   }
   return NULL;
}

static void
threads_end_all(struct sim_threads *all)
{
   pthread_mutex_lock(&all->lock);
   all->quit = true;
   pthread_cond_broadcast(&all->more);
   pthread_mutex_unlock(&all->lock);
   for (unsigned i = 1; i < all->num; i++)
      pthread_join(all->thread[i], NULL);
   all->owner = 0;
}

/* A forked process has none of its parent's threads. */
static void
threads_start(struct sim_kernel *k)
{
   struct sim_threads *all = k->threads;
   sigset_t before;
   int problem = 0;
   pthread_mutex_init(&all->lock, NULL);
   pthread_cond_init(&all->more, NULL);
   all->quit = false;
   atomic_store(&all->wanted, false);
   atomic_store(&all->asleep, k->num_threads - 1);
   atomic_store(&all->ended, atomic_load(&all->go) * (k->num_threads - 1));
   sim_block_signals(&before);
   for (all->num = 1; all->num < k->num_threads && !problem; all->num += !problem) {
      problem = pthread_create(&all->thread[all->num], NULL, threads_main, k->share[all->num]);
      if (!problem)
         pthread_setname_np(all->thread[all->num], "attila-boxes");
   }
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   all->owner = getpid();
   if (!problem)
      return;
   fprintf(stderr, "attila: SIMULATOR.Threads: one thread clocks all boxes: %s\n",
           strerror(problem));
   threads_end_all(all);
   all->hopeless = true;
}

bool
sim_threads_ready(struct sim_kernel *k)
{
   if (!k->threads)
      k->threads = sim_arena_alloc(&k->arena, sizeof(*k->threads));
   struct sim_threads *all = k->threads;
   if (all->owner != getpid() && !all->hopeless)
      threads_start(k);
   if (all->hopeless)
      return false;
   if (!atomic_load(&all->wanted)) {
      pthread_mutex_lock(&all->lock);
      atomic_store(&all->wanted, true);
      pthread_cond_broadcast(&all->more);
      pthread_mutex_unlock(&all->lock);
   }
   return atomic_load(&all->asleep) == 0;
}

bool
sim_threads_none(const struct sim_kernel *k)
{
   return k->threads->hopeless;
}

void
sim_threads_settle(struct sim_kernel *k)
{
   struct sim_threads *all = k->threads;
   if (!all || all->owner != getpid())
      return;
   while (atomic_load(&all->ended) < atomic_load(&all->go) * (all->num - 1))
      sched_yield();
}

void
sim_threads_rest(struct sim_kernel *k)
{
   if (k->threads)
      atomic_store(&k->threads->wanted, false);
}

void
sim_threads_fini(struct sim_kernel *k)
{
   if (k->threads && k->threads->owner == getpid())
      threads_end_all(k->threads);
   k->threads = NULL;
}
