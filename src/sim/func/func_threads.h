/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What func_queue.c, which writes primitives into a ring, and func_threads.c, which executes their
 * fragments, know of each other.
 */
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
      FUNC_APPLY_CLEAR, /* the blocks of a clear that wait are filled */
      FUNC_BARRIER      /* a share that comes here waits until all are here */
   } what;
   union {
      struct func_pass *pass;
      struct func_deferred *clear;
   };
   struct emul_setup setup;
};

/* Some squares of the screen. Whoever has taken the share executes what lies in them. */
struct func_share {
   _Atomic uint64_t read; /* entries */
   _Atomic bool taken;
   _Atomic bool held; /* at a barrier that others have not reached */
   struct func_worker *worker;
   struct func_threads *all;
} __attribute__((aligned(64)));

struct func_threads {
   unsigned count; /* of threads, with the one that takes commands; 1: there are no others */
   unsigned num_shares;
   pid_t owner; /* the process that has the threads; 0: none has */
   pthread_t thread[SIM_FUNC_MAX_THREADS];
   pthread_mutex_t lock;
   pthread_cond_t more;
   _Atomic bool quit;
   uint64_t entries; /* of the ring that are used: a power of two */
   struct func_entry entry[FUNC_ENTRIES];
   uint64_t owners[FUNC_ENTRIES]; /* a bit for each share with a part of it; what is not a
                                     primitive has all */
   struct func_share share[FUNC_MAX_SHARES];
   /* Read by others than who writes it. */
   _Atomic uint64_t published __attribute__((aligned(64))); /* entries */
   _Atomic unsigned sleeping;
   _Atomic uint64_t wanted; /* who takes commands sleeps until so many are read; FUNC_NEVER: not */
};

/* Starts the threads, if this process has none. Otherwise why not, as errno says; then there never
 * will be any. */
int func_threads_start(struct func_threads *t);
/* Those that sleep look for something to do. */
void func_threads_wake(struct func_threads *t);
/* What every share has read. */
uint64_t func_threads_read(const struct func_threads *t);
/* The caller executes shares like the others, and sleeps when there is nothing to do, until all
 * have read so many entries. */
void func_threads_help(struct func_threads *t, uint64_t entries);
/* Of the ring, except FUNC_BARRIER. */
void func_execute(struct func_worker *w, struct func_entry *e);

#endif
