/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The texture cache: sets x ways of lines that hold real memory contents. A line that somebody
 * waits for is pinned and stays until it has been read. Only clean lines; no timing here
 * (box/texture/tu.c).
 */
#ifndef TU_CACHE_H
#define TU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum tu_line_state { TU_LINE_FREE, TU_LINE_PENDING, TU_LINE_VALID };

struct tu_line {
   uint32_t address; /* of its first byte */
   uint32_t pins;    /* bilinear operations that will read it */
   uint64_t used;    /* time of the last look-up */
   uint8_t state;    /* enum tu_line_state */
   uint16_t slot;    /* of the draw that requested it */
   bool stale;       /* invalidated while pinned: is never found again */
   uint8_t *data;
};

struct tu_cache {
   struct tu_line *lines; /* [sets][ways] */
   uint8_t *data;
   uint32_t sets, ways, line_size, line_shift;
   uint64_t time;
};

#define TU_NO_LINE UINT32_MAX

/* line_size: a power of two. */
void tu_cache_init(struct tu_cache *c, uint32_t sets, uint32_t ways, uint32_t line_size);
void tu_cache_fini(struct tu_cache *c);
/* Index of the line that holds address (pending counts) and marks it used, or TU_NO_LINE. */
uint32_t tu_cache_find(struct tu_cache *c, uint32_t address);
/* Takes a line for address, least recently used first, and leaves it pending; TU_NO_LINE when all
 * of the set are pinned. */
uint32_t tu_cache_allocate(struct tu_cache *c, uint32_t address);
/* One reader less. */
void tu_cache_unpin(struct tu_cache *c, uint32_t line);
/* Forgets the lines in [start, end); those still pinned are read by whoever pinned them first. */
void tu_cache_forget(struct tu_cache *c, uint64_t start, uint64_t end);

#endif
