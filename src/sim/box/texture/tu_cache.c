/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tags, replacement and storage of the texture cache. Not here: when something happens, and memory
 * requests.
 */
#include "box/texture/tu_cache.h"
#include <stdlib.h>
#include <string.h>

void
tu_cache_init(struct tu_cache *c, uint32_t sets, uint32_t ways, uint32_t line_size)
{
   *c = (struct tu_cache){.sets = sets,
                          .ways = ways,
                          .line_size = line_size,
                          .line_shift = (uint32_t)__builtin_ctz(line_size)};
   uint32_t n = sets * ways;
   c->lines = calloc(n, sizeof(*c->lines));
   c->data = calloc(n, line_size);
   if (!c->lines || !c->data)
      abort(); /* host memory exhausted, as sim_pool_grow */
   for (uint32_t i = 0; i < n; i++)
      c->lines[i].data = c->data + (size_t)i * line_size;
}

void
tu_cache_fini(struct tu_cache *c)
{
   free(c->lines);
   free(c->data);
}

static uint32_t
first_of_set(const struct tu_cache *c, uint32_t address)
{
   return (address >> c->line_shift) % c->sets * c->ways;
}

uint32_t
tu_cache_find(struct tu_cache *c, uint32_t address)
{
   address &= ~(c->line_size - 1);
   uint32_t first = first_of_set(c, address);
   for (uint32_t i = first; i < first + c->ways; i++) {
      struct tu_line *l = &c->lines[i];
      if (l->address == address && l->state != TU_LINE_FREE && !l->stale) {
         l->used = ++c->time;
         return i;
      }
   }
   return TU_NO_LINE;
}

uint32_t
tu_cache_allocate(struct tu_cache *c, uint32_t address)
{
   address &= ~(c->line_size - 1);
   uint32_t first = first_of_set(c, address), best = TU_NO_LINE;
   for (uint32_t i = first; i < first + c->ways; i++) {
      const struct tu_line *l = &c->lines[i];
      if (l->pins)
         continue;
      if (l->state == TU_LINE_FREE) {
         best = i;
         break;
      }
      if (best == TU_NO_LINE || l->used < c->lines[best].used)
         best = i;
   }
   if (best == TU_NO_LINE)
      return best;
   struct tu_line *l = &c->lines[best];
   l->address = address;
   l->state = TU_LINE_PENDING;
   l->stale = false;
   l->used = ++c->time;
   return best;
}

void
tu_cache_unpin(struct tu_cache *c, uint32_t line)
{
   struct tu_line *l = &c->lines[line];
   if (--l->pins == 0 && l->stale) {
      l->state = TU_LINE_FREE;
      l->stale = false;
   }
}

void
tu_cache_forget(struct tu_cache *c, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < c->sets * c->ways; i++) {
      struct tu_line *l = &c->lines[i];
      if (l->address >= end || (uint64_t)l->address + c->line_size <= start)
         continue;
      if (l->pins)
         l->stale = true;
      else
         l->state = TU_LINE_FREE;
   }
}
