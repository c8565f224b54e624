/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory for a machine's lifetime: boxes, signals, pools, caches, in big blocks with huge pages,
 * since a machine of some MiB would cost thousands of page faults and TLB entries. Nothing is freed
 * before the end. Not here: memory that is mostly untouched (statistics of work ids), for which
 * calloc is free. */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include <stddef.h>

/* All zeros: nothing allocated. */
struct sim_arena {
   struct sim_arena_block *blocks;
   char *next;  /* free bytes of the newest block */
   size_t left; /* bytes */
};

/* Returns memory, zeroed and aligned to 64 bytes, size > 0; ends the process if there is none. */
void *sim_arena_alloc(struct sim_arena *a, size_t size);
/* Frees everything; the arena is reusable. */
void sim_arena_fini(struct sim_arena *a);

/* Hints that mapped memory will be touched densely and should have huge pages. */
void sim_huge_pages(void *memory, size_t size);

#endif
