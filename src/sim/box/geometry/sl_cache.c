/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The streamer loader's vertex input cache (sl_cache.h). Host work per lookup does not grow with
 * the number of lines. */
#include "box/geometry/sl_cache.h"
#include "box/sim_gpu.h"
#include <stdio.h>
#include <stdlib.h>

void
sl_cache_init(struct sl_cache *c, uint32_t num_lines, uint32_t line_size)
{
   *c = (struct sl_cache){0};
   while (1u << c->line_shift < line_size)
      c->line_shift++;
   lru_init(&c->lru, num_lines);
   c->lines = sim_xcalloc(num_lines, sizeof(*c->lines));
   c->data = sim_xcalloc(num_lines, (size_t)1 << c->line_shift);
}

void
sl_cache_fini(struct sl_cache *c)
{
   lru_fini(&c->lru);
   free(c->lines);
   free(c->data);
}

static inline uint32_t
sl_cache_hash(uint32_t tag)
{
   return tag * 2654435761u;
}

uint32_t
sl_cache_search(const struct sl_cache *c, uint32_t tag)
{
   uint32_t l = lru_first(&c->lru, sl_cache_hash(tag));
   while (l != LRU_NONE && c->lines[l].tag != tag)
      l = c->lru.entries[l].chain;
   return l;
}

uint32_t
sl_cache_allocate(struct sl_cache *c, uint32_t address)
{
   uint32_t l = c->lru.oldest;
   if (l == LRU_NONE)
      return SL_CACHE_NONE;
   c->lines[l] = (struct sl_cache_line){.tag = address >> c->line_shift};
   lru_rehash(&c->lru, l, sl_cache_hash(c->lines[l].tag));
   return l;
}

void
sl_cache_forget(struct sl_cache *c, uint64_t start, uint64_t end)
{
   for (uint32_t l = 0; l < c->lru.num_entries; l++) {
      uint64_t address = (uint64_t)c->lines[l].tag << c->line_shift;
      if (address < end && address + (1u << c->line_shift) > start)
         lru_unhash(&c->lru, l);
   }
}
