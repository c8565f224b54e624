/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Growing arrays, where an application survives a lack of memory. Not here: those that the
 * simulator needs (sim_xalloc.h), the machine's memory (sim_arena.h). */
#ifndef SIM_GROW_ARRAY_H
#define SIM_GROW_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for want elements of this many bytes in *array (a pointer of any type), which has room
 * for *have. Grows in large steps, so that adding one by one is cheap. False, with nothing changed:
 * out of host memory. */
bool sim_grow_array(void *array, size_t *have, size_t want, size_t bytes);

#endif
