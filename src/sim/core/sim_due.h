/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due: for the kernel (core/sim_kernel.c) alone.
 */
#ifndef SIM_DUE_H
#define SIM_DUE_H

#include "core/sim_box.h"

/* due has a bit for each box, 64 a word: those due at tick t that are in a cycle of their domain,
 * which are marked asleep. Returns whether there are any. */
bool sim_due_take(struct sim_kernel *k, sim_tick t, uint64_t *due);
/* The same for tests: a list, in the clocking order. Returns how many. */
unsigned sim_due_list(struct sim_kernel *k, sim_tick t, uint16_t *list);
/* The first tick from t on in which a box is due; SIM_NEVER: all sleep. */
sim_tick sim_due_next(const struct sim_kernel *k, sim_tick t);

#endif
