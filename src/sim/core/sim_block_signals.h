/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Signals of threads that the simulator starts in an application. */
#ifndef SIM_BLOCK_SIGNALS_H
#define SIM_BLOCK_SIGNALS_H

#include <signal.h>

/* Blocks the application's signals, except those of crashes, before such threads are created, which
 * inherit this. before: the old mask, which the caller restores with
 * pthread_sigmask(SIG_SETMASK). */
static inline void
sim_block_signals(sigset_t *before)
{
   static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
   sigset_t all;
   sigfillset(&all);
   for (unsigned i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
      sigdelset(&all, crashes[i]);
   pthread_sigmask(SIG_BLOCK, &all, before);
}

#endif
