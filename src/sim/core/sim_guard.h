/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A lock around what signal handlers also use: files that are being written, the list of
 * simulators. Signals wait while a thread holds it, so a handler finds the data either before or
 * after a change. A handler on another thread waits for the holder, but not for ever: a program
 * that cannot be ended is worse than a lost row.
 */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* All zeros: free. */
struct sim_guard {
   uintptr_t holder; /* a thread; 0: free */
   sigset_t mask;    /* the holder's signal mask before it entered */
};

/* In ordinary code. Does not nest. */
void sim_guard_enter(struct sim_guard *g);
/* In a signal handler. False, and not entered, if the interrupted thread holds the guard or another
 * one keeps it longer than two seconds. */
bool sim_guard_enter_handler(struct sim_guard *g);
void sim_guard_leave(struct sim_guard *g);

#endif
