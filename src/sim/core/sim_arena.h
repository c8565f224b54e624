/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory that lives as long as a machine: boxes, signals, pools, caches. It comes in big blocks for
 * which the system is asked for huge pages: a machine of some MiB would otherwise cost thousands of
 * page faults, and its objects as many entries of the host's TLB. Nothing is freed before the end.
 * Not here: memory most of which is never touched (statistics of work ids), which calloc gives for
 * nothing.
 */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include <stddef.h>

/* All zeros: nothing allocated. */
struct sim_arena {
   struct sim_arena_block *blocks;
   char *next;  /* free bytes of the newest block */
   size_t left; /* so many */
};

/* Zeroed and aligned to 64 bytes, size > 0; ends the process when host memory is exhausted. */
void *sim_arena_alloc(struct sim_arena *a, size_t size);
/* Frees everything; the arena can be used again. */
void sim_arena_fini(struct sim_arena *a);

/* Asks for huge pages for memory that is mapped and will be touched densely. Only a hint. */
void sim_huge_pages(void *memory, size_t size);

#endif
