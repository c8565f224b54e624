/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The thread of sim_writer.h. Jobs lie one after the other in blocks of memory; the one who hands
 * over writes behind what the thread reads, so neither holds the other up, and no lock is taken.
 * Signals are blocked in the thread: their handlers run where the program expects them.
 */
#include "results/sim_writer.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK_BYTES (256u << 10)
#define WORTH_WAKING (64u << 10) /* bytes handed over since the thread was woken last */
#define MOST_WAITING (32u << 20) /* bytes: then who hands over waits */
#define HANDLER_WAITS 2000       /* of a millisecond */
#define STACK_BYTES (1u << 20)

struct job {
   sim_writer_job *call;
   void *owner;
   size_t size; /* of its data, which follow */
   size_t padding;
};

struct block {
   struct block *next; /* NULL: the last one so far */
   size_t size, len;   /* of data; of whole jobs in it */
   uint8_t data[] __attribute__((aligned(16)));
};

struct sim_writer {
   bool threaded, disowned;
   struct block *last; /* who hands over writes here */
   uint64_t handed, woken;
   /* Both sides: bytes that are done, a block to be used again. */
   uint64_t done;
   struct block *spare;
   sem_t wake, finished;
   bool awake, waited, ending; /* awake: the thread has been woken and has not yet looked */
   /* The thread's. */
   struct block *first;
   size_t at;
   pthread_t thread;
};

static size_t
rounded(size_t size)
{
   return (size + 15) & ~(size_t)15;
}

static struct block *
make_block(struct sim_writer *w, size_t size)
{
   struct block *b = __atomic_exchange_n(&w->spare, NULL, __ATOMIC_ACQUIRE);
   if (b && b->size < size) {
      free(b);
      b = NULL;
   }
   size = size > BLOCK_BYTES ? size : BLOCK_BYTES;
   if (!b) {
      b = malloc(sizeof(*b) + size);
      if (!b)
         return NULL;
      b->size = size;
   }
   b->next = NULL;
   b->len = 0;
   return b;
}

static void
pause_for(long ns)
{
   const struct timespec pause = {0, ns};
   clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

/* --- The thread --- */

/* Does the next job; false: there is none. */
static bool
do_one(struct sim_writer *w)
{
   struct block *b = w->first;
   if (w->at == __atomic_load_n(&b->len, __ATOMIC_ACQUIRE)) {
      struct block *next = __atomic_load_n(&b->next, __ATOMIC_ACQUIRE);
      /* It may have got a job, and then a successor, since it was looked at. */
      if (!next || w->at != __atomic_load_n(&b->len, __ATOMIC_ACQUIRE))
         return next != NULL;
      w->first = next;
      w->at = 0;
      free(__atomic_exchange_n(&w->spare, b, __ATOMIC_ACQ_REL));
      return true;
   }
   struct job *job = (struct job *)(b->data + w->at);
   job->call(job->owner, job + 1);
   w->at += sizeof(*job) + job->size;
   __atomic_add_fetch(&w->done, sizeof(*job) + job->size, __ATOMIC_RELEASE);
   return true;
}

static void *
work(void *data)
{
   struct sim_writer *w = data;
   for (;;) {
      while (do_one(w))
         ;
      if (__atomic_exchange_n(&w->waited, false, __ATOMIC_ACQ_REL))
         sem_post(&w->finished);
      if (__atomic_load_n(&w->ending, __ATOMIC_ACQUIRE))
         return NULL;
      while (sem_wait(&w->wake) && errno == EINTR)
         ;
      /* Who finds it awake relies on it to look once more from here on. */
      (void)__atomic_exchange_n(&w->awake, false, __ATOMIC_SEQ_CST);
   }
}

static bool
several_processors(void)
{
   cpu_set_t set;
   return sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) > 1;
}

static bool
start(struct sim_writer *w)
{
   pthread_attr_t attr;
   sigset_t all, before;
   if (pthread_attr_init(&attr))
      return false;
   pthread_attr_setstacksize(&attr, STACK_BYTES);
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &before);
   const bool ok = pthread_create(&w->thread, &attr, work, w) == 0;
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   pthread_attr_destroy(&attr);
   return ok;
}

/* --- Who hands over --- */

struct sim_writer *
sim_writer_create(bool thread)
{
   struct sim_writer *w = calloc(1, sizeof(*w));
   if (!w || !(w->first = w->last = make_block(w, 0))) {
      free(w);
      return NULL;
   }
   sem_init(&w->wake, 0, 0);
   sem_init(&w->finished, 0, 0);
   w->threaded = thread && several_processors() && start(w);
   return w;
}

/* Bytes of jobs that are not done. */
static uint64_t
waiting(const struct sim_writer *w)
{
   return w->handed - __atomic_load_n(&w->done, __ATOMIC_ACQUIRE);
}

void *
sim_writer_begin(struct sim_writer *w, size_t size)
{
   const size_t bytes = sizeof(struct job) + rounded(size);
   if (w->disowned)
      return NULL;
   if (w->last->len + bytes > w->last->size) {
      while (w->threaded && waiting(w) > MOST_WAITING) {
         sim_writer_wake(w);
         pause_for(200000);
      }
      struct block *b = make_block(w, bytes);
      if (!b)
         return NULL;
      struct block *full = w->last;
      w->last = b;
      if (!w->threaded) {
         free(full);
         w->first = b;
         return b->data + sizeof(struct job);
      }
      __atomic_store_n(&full->next, b, __ATOMIC_RELEASE);
   }
   return w->last->data + w->last->len + sizeof(struct job);
}

void
sim_writer_end(struct sim_writer *w, sim_writer_job *call, void *owner, size_t used)
{
   struct block *b = w->last;
   struct job *job = (struct job *)(b->data + b->len);
   *job = (struct job){.call = call, .owner = owner, .size = rounded(used)};
   if (!w->threaded) {
      call(owner, job + 1);
      return;
   }
   const size_t bytes = sizeof(*job) + job->size;
   __atomic_store_n(&b->len, b->len + bytes, __ATOMIC_RELEASE);
   __atomic_store_n(&w->handed, w->handed + bytes, __ATOMIC_RELEASE);
   if (w->handed - w->woken > WORTH_WAKING)
      sim_writer_wake(w);
}

void
sim_writer_wake(struct sim_writer *w)
{
   if (!w->threaded || w->disowned)
      return;
   w->woken = w->handed;
   if (!__atomic_exchange_n(&w->awake, true, __ATOMIC_SEQ_CST))
      sem_post(&w->wake);
}

void
sim_writer_wait(struct sim_writer *w)
{
   if (!w->threaded || w->disowned)
      return;
   while (waiting(w)) {
      __atomic_store_n(&w->waited, true, __ATOMIC_SEQ_CST);
      sim_writer_wake(w);
      while (sem_wait(&w->finished) && errno == EINTR)
         ;
   }
}

void
sim_writer_wait_in_handler(struct sim_writer *w)
{
   if (!w->threaded || w->disowned || pthread_equal(pthread_self(), w->thread))
      return;
   /* What is handed over from now on, by a thread that goes on, is not waited for. */
   const uint64_t until = __atomic_load_n(&w->handed, __ATOMIC_ACQUIRE);
   sem_post(&w->wake);
   for (unsigned i = 0; i < HANDLER_WAITS; i++) {
      if ((int64_t)(until - __atomic_load_n(&w->done, __ATOMIC_ACQUIRE)) <= 0)
         return;
      pause_for(1000000);
   }
}

void
sim_writer_disown(struct sim_writer *w)
{
   w->disowned = true;
}

bool
sim_writer_lost(const struct sim_writer *w)
{
   return w && w->disowned && w->threaded;
}

void
sim_writer_destroy(struct sim_writer *w)
{
   if (!w)
      return;
   if (w->threaded) {
      sim_writer_wait(w);
      __atomic_store_n(&w->ending, true, __ATOMIC_RELEASE);
      sem_post(&w->wake);
      pthread_join(w->thread, NULL);
   }
   free(w->spare);
   free(w->last);
   sem_destroy(&w->wake);
   sem_destroy(&w->finished);
   free(w);
}
