/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Host threads that clock a machine's shares (core/sim_shares.h), one each; for core/ only. */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

#include "core/sim_box.h"

/* Wakes the threads, or starts them the first time, after sim_shares_weigh. True: all are awake and
 * watch the first one. */
bool sim_threads_ready(struct sim_kernel *k);
/* Returns whether the host refused threads: they will never be ready. */
bool sim_threads_none(const struct sim_kernel *k);

/* Clocks the shares with all threads from tick t on, in which a box is due, until something is to
 * do between two ticks or the next has no due box. Then no thread clocks, and k->now is the last
 * tick. After an error k->stopped is set. */
void sim_threads_clock(struct sim_kernel *k, sim_tick t, const bool *stop);

/* Lets the threads sleep until they are needed again. */
void sim_threads_rest(struct sim_kernel *k);
/* Waits until the other threads know that a run is over. Call it before anything that they read
 * changes. */
void sim_threads_settle(struct sim_kernel *k);
/* Ends the threads. */
void sim_threads_fini(struct sim_kernel *k);

#endif
