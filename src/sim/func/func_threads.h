/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What func_queue.c (writes primitives into a ring) and func_threads.c (executes their fragments)
 * share. */
#ifndef FUNC_THREADS_H
#define FUNC_THREADS_H

#include <pthread.h>
#include "func/sim_func_impl.h"

#define FUNC_ENTRIES 4096
#define FUNC_NEVER UINT64_MAX

struct func_entry {
   enum {
      FUNC_PRIMITIVE,
      FUNC_END,         /* of a pass */
      FUNC_APPLY_CLEAR, /* fill the waiting blocks of a clear */
      FUNC_BARRIER      /* each share waits here for all */
   } what;
   union {
      struct func_pass *pass;
      struct func_deferred *clear;
   };
   struct emul_setup setup;
};

/* Some squares of the screen; the thread that holds the share draws in them. */
struct func_share {
   _Atomic uint64_t read; /* entries */
   _Atomic bool taken;
   _Atomic bool held; /* at a barrier that not all have reached */
   struct func_worker *worker;
   struct func_threads *all;
} __attribute__((aligned(64)));

struct func_threads {
   unsigned count; /* threads, including the command thread; 1: no others */
   unsigned num_shares;
   pid_t owner; /* the process with the threads; 0: none */
   pthread_t thread[SIM_FUNC_MAX_THREADS];
   pthread_mutex_t lock;
   pthread_cond_t more;
   _Atomic bool quit;
   uint64_t entries; /* of the ring in use: a power of two */
   struct func_entry entry[FUNC_ENTRIES];
   uint64_t owners[FUNC_ENTRIES]; /* bit per share with part of the primitive; other entries: all */
   struct func_share share[FUNC_MAX_SHARES];
   /* Read by other threads than the writer. */
   _Atomic uint64_t published __attribute__((aligned(64))); /* entries */
   _Atomic unsigned sleeping;
   _Atomic uint64_t wanted; /* the command thread sleeps until so many are read; FUNC_NEVER: it does
                             * not */
};

/* Starts the threads, if this process has none. Returns an errno on failure; then there will never
 * be any. */
int func_threads_start(struct func_threads *t);
/* Wakes sleeping threads to look for work. */
void func_threads_wake(struct func_threads *t);
/* Returns how many entries every share has read. */
uint64_t func_threads_read(const struct func_threads *t);
/* Executes shares like the threads, and sleeps while there is no work, until all shares have read
 * this many entries. */
void func_threads_help(struct func_threads *t, uint64_t entries);
/* Executes a ring entry other than FUNC_BARRIER. */
void func_execute(struct func_worker *w, struct func_entry *e);

#endif
