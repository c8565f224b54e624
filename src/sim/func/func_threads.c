/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Threads for functional mode's fragments. Squares of the screen (FUNC_BLOCK) are divided into
 * shares (func_share_of), several per thread. A share reads the whole ring of primitives
 * (func_queue.c) and draws the parts in its squares, so each pixel gets its fragments in order with
 * any number of threads. A thread takes a share with work, preferably one of its own, executes some
 * entries, and looks again. The command thread does so whenever it would have to wait. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "core/sim_block_signals.h"
#include "core/sim_fp.h"
#include "core/sim_shares.h"
#include "func/func_threads.h"

#define BATCH 32 /* primitives of a share that a thread draws at a time */
#define SHARES_PER_THREAD 8
#define SPINS 200
#define DEFAULT_MOST 8

static inline void
func_threads_pause_spinning(void)
{
#if defined(__x86_64__)
   __builtin_ia32_pause();
#endif
}

/* --- Shares --- */

void
func_execute(struct func_worker *w, struct func_entry *e)
{
   switch (e->what) {
   case FUNC_PRIMITIVE:
      w->pass = e->pass;
      func_rasterise(w, &e->setup);
      break;
   case FUNC_END:
      w->pass = e->pass;
      func_fragment_end(w);
      break;
   case FUNC_APPLY_CLEAR:
      func_clear_apply_share(w, e->clear);
      break;
   case FUNC_BARRIER:
      break;
   }
}

uint64_t
func_threads_read(const struct func_threads *t)
{
   uint64_t least = UINT64_MAX;
   for (unsigned i = 0; i < t->num_shares; i++) {
      uint64_t read = atomic_load(&t->share[i].read);
      least = read < least ? read : least;
   }
   return least;
}

/* Returns the thread's unclaimed share with the oldest work, or NULL. */
static struct func_share *
func_threads_find_share_of(struct func_threads *t, unsigned thread, uint64_t published,
                           uint64_t least)
{
   struct func_share *found = NULL;
   uint64_t first = published;
   for (unsigned i = thread; i < t->num_shares; i += t->count) {
      struct func_share *s = &t->share[i];
      const uint64_t read = atomic_load(&s->read);
      if (read < first && !atomic_load(&s->taken) && (!atomic_load(&s->held) || least >= read)) {
         found = s;
         first = read;
      }
   }
   return found;
}

static struct func_share *
func_threads_find_share(struct func_threads *t, unsigned thread)
{
   const uint64_t published = atomic_load(&t->published), least = func_threads_read(t);
   struct func_share *s = NULL;
   for (unsigned i = 0; i < t->count && least < published && !s; i++)
      s = func_threads_find_share_of(t, (thread + i) % t->count, published, least);
   return s;
}

/* Returns whether a share waits at a barrier that all others have reached. */
static bool
func_threads_barrier_opens(const struct func_threads *t, uint64_t least)
{
   bool opens = false;
   for (unsigned i = 0; i < t->num_shares && !opens; i++)
      opens = atomic_load(&t->share[i].held) && atomic_load(&t->share[i].read) == least;
   return opens;
}

/* Wakes sleeping threads that may go on. */
static void
func_threads_tell(struct func_threads *t)
{
   if (!atomic_load(&t->sleeping))
      return;
   const uint64_t least = func_threads_read(t);
   if (least >= atomic_load(&t->wanted) || func_threads_barrier_opens(t, least))
      func_threads_wake(t);
}

/* Called when a share has read all in front of a barrier. Returns whether the others have, too. */
static bool
func_threads_pass_barrier(struct func_threads *t, struct func_share *s, uint64_t barrier)
{
   atomic_store(&s->read, barrier);
   const bool all = func_threads_read(t) >= barrier;
   atomic_store(&s->held, !all);
   if (all)
      func_threads_tell(t);
   return all;
}

/* Executes some entries of a share that the caller has taken, and releases the share. */
static void
func_threads_execute_share(struct func_threads *t, struct func_share *s)
{
   const uint64_t own = 1ull << s->worker->index, published = atomic_load(&t->published),
                  mask = t->entries - 1;
   uint64_t read = atomic_load(&s->read);
   for (unsigned n = 0; read < published && n < BATCH; read++) {
      if (!(t->owners[read & mask] & own))
         continue;
      struct func_entry *e = &t->entry[read & mask];
      if (e->what == FUNC_BARRIER && !func_threads_pass_barrier(t, s, read))
         break;
      func_execute(s->worker, e);
      n++;
   }
   atomic_store(&s->read, read);
   atomic_store(&s->taken, false);
   func_threads_tell(t);
}

static struct func_share *
func_threads_take_share(struct func_threads *t, unsigned thread)
{
   struct func_share *s;
   bool taken;
   while ((s = func_threads_find_share(t, thread))) {
      taken = false;
      if (atomic_compare_exchange_strong(&s->taken, &taken, true))
         break;
   }
   return s;
}

/* --- Threads --- */

void
func_threads_wake(struct func_threads *t)
{
   pthread_mutex_lock(&t->lock);
   pthread_cond_broadcast(&t->more);
   pthread_mutex_unlock(&t->lock);
}

/* Waits until there may be work, until all shares have read this many entries, or until the threads
 * end. */
static void
func_threads_wait_for_more(struct func_threads *t, unsigned thread, uint64_t entries)
{
   for (unsigned i = 0; i < SPINS; i++) {
      if (func_threads_read(t) >= entries || func_threads_find_share(t, thread))
         return;
      func_threads_pause_spinning();
   }
   pthread_mutex_lock(&t->lock);
   if (entries != FUNC_NEVER)
      atomic_store(&t->wanted, entries);
   atomic_fetch_add(&t->sleeping, 1);
   while (!t->quit && func_threads_read(t) < entries && !func_threads_find_share(t, thread))
      pthread_cond_wait(&t->more, &t->lock);
   atomic_fetch_sub(&t->sleeping, 1);
   if (entries != FUNC_NEVER)
      atomic_store(&t->wanted, FUNC_NEVER);
   pthread_mutex_unlock(&t->lock);
}

void
func_threads_help(struct func_threads *t, uint64_t entries)
{
   while (func_threads_read(t) < entries) {
      struct func_share *s = func_threads_take_share(t, 0);
      if (s)
         func_threads_execute_share(t, s);
      else
         func_threads_wait_for_more(t, 0, entries);
   }
   /* Some work may be left that only other threads will do. */
   if (atomic_load(&t->sleeping) && func_threads_find_share(t, 0))
      func_threads_wake(t);
}

/* data: the first of its shares. */
static void *
func_threads_fragment_thread(void *data)
{
   const struct func_share *own = data;
   struct func_threads *t = own->all;
   const unsigned thread = own->worker->index;
   sim_fp_enter();
   for (;;) {
      struct func_share *s = func_threads_take_share(t, thread);
      if (s)
         func_threads_execute_share(t, s);
      else if (t->quit)
         return NULL;
      else
         func_threads_wait_for_more(t, thread, FUNC_NEVER);
   }
}

/* num: how many threads, including the command thread. */
static void
func_threads_stop(struct func_threads *t, unsigned num)
{
   pthread_mutex_lock(&t->lock);
   t->quit = true;
   pthread_cond_broadcast(&t->more);
   pthread_mutex_unlock(&t->lock);
   for (unsigned i = 1; i < num; i++)
      pthread_join(t->thread[i], NULL);
   t->owner = 0;
}

/* Resets the shares, as having read the whole ring. */
static bool
func_threads_reset_shares(struct func_threads *t)
{
   for (unsigned i = 0; i < t->num_shares; i++) {
      struct func_share *s = &t->share[i];
      s->all = t;
      s->read = atomic_load(&t->published);
      s->taken = s->held = false;
      if (!s->worker && !(s->worker = func_worker_create(i, t->num_shares)))
         return false;
   }
   return true;
}

int
func_threads_start(struct func_threads *t)
{
   sigset_t before;
   unsigned i = 1;
   if (t->owner == getpid()) /* a forked process has none of its parent's threads */
      return 0;
   int problem = func_threads_reset_shares(t) ? 0 : ENOMEM;
   pthread_mutex_init(&t->lock, NULL);
   pthread_cond_init(&t->more, NULL);
   t->quit = false;
   t->sleeping = 0;
   t->wanted = FUNC_NEVER;
   sim_block_signals(&before);
   for (; i < t->count && !problem; i++) {
      problem = pthread_create(&t->thread[i], NULL, func_threads_fragment_thread, &t->share[i]);
      if (!problem)
         pthread_setname_np(t->thread[i], "attila-fragment");
   }
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   t->owner = getpid();
   if (problem) {
      func_threads_stop(t, i > 1 ? i - 1 : i);
      t->count = 1;
   }
   return problem;
}

/* --- Creation --- */

static unsigned
func_threads_default_count(void)
{
   const unsigned n = sim_processors();
   return n < DEFAULT_MOST ? n : DEFAULT_MOST;
}

struct func_threads *
func_threads_create(unsigned count)
{
   struct func_threads *t = func_pages(sizeof(*t));
   if (!t)
      return NULL;
   t->count = count ? count : func_threads_default_count();
   t->num_shares = t->count * SHARES_PER_THREAD;
   if (t->num_shares > FUNC_MAX_SHARES)
      t->num_shares = FUNC_MAX_SHARES;
   t->entries = FUNC_ENTRIES;
   t->wanted = FUNC_NEVER;
   return t;
}

void
func_threads_destroy(struct func_threads *t)
{
   if (!t)
      return;
   if (t->owner == getpid())
      func_threads_stop(t, t->count);
   for (unsigned i = 0; i < t->num_shares; i++)
      func_worker_destroy(t->share[i].worker);
   func_pages_free(t, sizeof(*t));
}
