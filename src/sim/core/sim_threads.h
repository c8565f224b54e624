/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Threads of the host that clock the shares of a machine (core/sim_shares.h), one each: for the
 * files of core/ alone.
 */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

#include "core/sim_box.h"

/* Wakes the threads, or starts them at the first time, after sim_shares_weigh. True: all look out
 * for the first one. */
bool sim_threads_ready(struct sim_kernel *k);
/* The host gave none: they will never be ready. */
bool sim_threads_none(const struct sim_kernel *k);

/* Clocks the shares with all threads, from tick t on, in which a box is due, until something is to
 * be done between two ticks or no box is due in the next one. Then nobody clocks anything, and
 * k->now is the last tick. After an error k->stopped is set. */
void sim_threads_clock(struct sim_kernel *k, sim_tick t, const bool *stop);

/* They sleep until they are wanted again. */
void sim_threads_rest(struct sim_kernel *k);
/* Until the other threads have noticed that a run is over: before what they look at is changed. */
void sim_threads_settle(struct sim_kernel *k);
/* Ends the threads. */
void sim_threads_fini(struct sim_kernel *k);

#endif
