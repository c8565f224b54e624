/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The vertex input cache (InC) of the streamer loader: fully associative, least recently used, lines with real data. A
 * line is reserved from the lookup until its bytes are read, so what is being filled or will be read is never replaced.
 * The loader sends the memory requests.
 */
#ifndef SIM_SL_CACHE_H
#define SIM_SL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define SL_CACHE_NONE UINT32_MAX

struct sl_cache_line {
   uint32_t tag;            /* address / line size */
   uint32_t reserved;       /* lookups whose bytes were not read yet */
   uint32_t chain;          /* next line of the hash bucket */
   uint32_t older, newer;   /* list of lines that may be replaced */
   bool hashed;             /* can hit */
   bool filled;             /* data has arrived */
};

struct sl_cache {
   struct sl_cache_line *lines;
   uint8_t *data;
   uint32_t num_lines, line_shift;
   uint32_t *buckets, num_buckets, bucket_shift;
   uint32_t oldest, newest;
};

void sl_cache_init(struct sl_cache *c, uint32_t num_lines, uint32_t line_size);
void sl_cache_fini(struct sl_cache *c);
/* The line that holds or waits for the address, or SL_CACHE_NONE. hint: a line to try first. */
uint32_t sl_cache_find(const struct sl_cache *c, uint32_t address, uint32_t hint);
/* Takes the least recently used line for the address and marks it unfilled; SL_CACHE_NONE when every line is reserved.
 */
uint32_t sl_cache_allocate(struct sl_cache *c, uint32_t address);
void sl_cache_reserve(struct sl_cache *c, uint32_t line);
void sl_cache_release(struct sl_cache *c, uint32_t line);
/* Nothing hits any more; reserved lines keep their data until they are released. */
void sl_cache_invalidate(struct sl_cache *c);

static inline uint8_t *
sl_cache_data(const struct sl_cache *c, uint32_t line)
{
   return c->data + ((uint64_t)line << c->line_shift);
}

#endif
