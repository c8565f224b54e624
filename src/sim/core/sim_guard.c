/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The lock of sim_guard.h.
 */
#include "core/sim_guard.h"

#include <pthread.h>
#include <time.h>

#define HANDLER_WAITS 2000 /* of a millisecond */

static bool
try_enter(struct sim_guard *g)
{
   uintptr_t none = 0;
   return __atomic_compare_exchange_n(&g->holder, &none, (uintptr_t)pthread_self(), false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Nothing here may change errno: a handler returns into code that is about to read it, and
 * nanosleep is only ever interrupted. */
static void
wait_a_little(long ns)
{
   const struct timespec pause = {0, ns};
   clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

/* An error of the program cannot wait: with its signal blocked the process would end at once. */
static void
block_signals(sigset_t *before)
{
   static const int errors[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
   sigset_t set;
   sigfillset(&set);
   for (unsigned i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
      sigdelset(&set, errors[i]);
   pthread_sigmask(SIG_BLOCK, &set, before);
}

void
sim_guard_enter(struct sim_guard *g)
{
   sigset_t before;
   block_signals(&before);
   while (!try_enter(g))
      wait_a_little(100000);
   g->mask = before;
}

bool
sim_guard_enter_handler(struct sim_guard *g)
{
   sigset_t before;
   block_signals(&before);
   for (unsigned i = 0; i < HANDLER_WAITS; i++) {
      if (try_enter(g)) {
         g->mask = before;
         return true;
      }
      if (__atomic_load_n(&g->holder, __ATOMIC_RELAXED) == (uintptr_t)pthread_self())
         break;
      wait_a_little(1000000);
   }
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   return false;
}

void
sim_guard_leave(struct sim_guard *g)
{
   sigset_t before = g->mask;
   __atomic_store_n(&g->holder, 0, __ATOMIC_RELEASE);
   pthread_sigmask(SIG_SETMASK, &before, NULL);
}
