/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Arrays that grow, where an application survives that there is no memory for more. Not here: those
 * without which the simulator cannot go on (sim_xalloc.h), and memory of the machine's own
 * (sim_arena.h).
 */
#ifndef SIM_GROW_ARRAY_H
#define SIM_GROW_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for want elements of so many bytes in what *array points to (a pointer of any type),
 * which has room for *have; some more each time, so that growing one by one costs little. False,
 * and everything is as before: out of host memory. */
bool sim_grow_array(void *array, size_t *have, size_t want, size_t bytes);

#endif
