/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The streamer loader's vertex input cache (InC): fully associative, least recently used, with real
 * data. A line is reserved from its lookup until its bytes are read, so it is not replaced before.
 * The loader sends the memory requests. */
#ifndef SIM_SL_CACHE_H
#define SIM_SL_CACHE_H

#include "box/geometry/lru.h"

#define SL_CACHE_NONE LRU_NONE

struct sl_cache_line {
   uint32_t tag; /* address / line size */
   bool arrived; /* data has come from memory */
   bool filled;  /* and has been written to the line */
};

struct sl_cache {
   struct lru lru; /* entries are lines; users are lookups whose bytes are not read yet */
   struct sl_cache_line *lines;
   uint8_t *data;
   uint32_t line_shift;
};

void sl_cache_init(struct sl_cache *c, uint32_t num_lines, uint32_t line_size);
void sl_cache_fini(struct sl_cache *c);
/* Returns the line that holds or waits for the address, or SL_CACHE_NONE. The line `hint` is tried
 * first. */
uint32_t sl_cache_search(const struct sl_cache *c, uint32_t tag);
static inline uint32_t
sl_cache_find(const struct sl_cache *c, uint32_t address, uint32_t hint)
{
   const uint32_t tag = address >> c->line_shift;
   if (hint < c->lru.num_entries && c->lru.entries[hint].hashed && c->lines[hint].tag == tag)
      return hint;
   return sl_cache_search(c, tag);
}
/* Gives the least recently used line, unfilled, to the address; SL_CACHE_NONE if all are
 * reserved. */
uint32_t sl_cache_allocate(struct sl_cache *c, uint32_t address);

static inline uint8_t *
sl_cache_data(const struct sl_cache *c, uint32_t line)
{
   return c->data + ((uint64_t)line << c->line_shift);
}
/* Makes lines in [start, end) miss. */
void sl_cache_forget(struct sl_cache *c, uint64_t start, uint64_t end);

#endif
