/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tags and storage of one level of a texture cache. Not here: timing, memory requests, replacement
 * (box/replace.h). */
#include "box/texture/tu_tags.h"
#include "box/sim_gpu.h"
#include <stdlib.h>
#include <string.h>

void
tu_tags_init(struct tu_tags *c, unsigned policy, uint32_t sets, uint32_t ways, uint32_t line_size)
{
   *c = (struct tu_tags){.sets = sets,
                         .ways = ways,
                         .line_size = line_size,
                         .line_shift = (uint32_t)__builtin_ctz(line_size)};
   uint32_t n = sets * ways;
   c->keys = sim_xmalloc(n * sizeof(*c->keys) + TU_VECTOR);
   c->pins = sim_xcalloc(n + TU_VECTOR, sizeof(*c->pins));
   c->lines = sim_xcalloc(n, sizeof(*c->lines));
   c->data = sim_xcalloc(n, line_size);
   c->stamps = sim_xcalloc(n, 2 * sizeof(*c->stamps));
   replace_init(&c->replace, policy, sets, ways, c->stamps);
   memset(c->keys, 0xff, n * sizeof(*c->keys) + TU_VECTOR);
   for (uint32_t i = 0; i < n; i++)
      c->lines[i] =
          (struct tu_line){.data = c->data + (size_t)i * line_size, .waiters = TU_NO_LINE};
}

void
tu_tags_fini(struct tu_tags *c)
{
   free(c->keys);
   free(c->pins);
   free(c->lines);
   free(c->data);
   free(c->stamps);
}

/* Returns a bit for each way of a set whose line has no readers. */
static uint64_t
tu_tags_free_ways(const struct tu_tags *c, uint32_t set)
{
   const __m128i *pins = (const __m128i *)&c->pins[set * c->ways];
   uint64_t free = 0;
   for (uint32_t way = 0; way < c->ways; way += 16, pins += 2) {
      const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(pins), _mm_setzero_si128()),
                    high = _mm_cmpeq_epi16(_mm_loadu_si128(pins + 1), _mm_setzero_si128());
      free |= (uint64_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << way;
   }
   return c->ways == 64 ? free : free & ((1ull << c->ways) - 1);
}

uint32_t
tu_tags_allocate(struct tu_tags *c, uint32_t key)
{
   const uint32_t set = key & (c->sets - 1);
   const uint64_t free = tu_tags_free_ways(c, set);
   if (!free)
      return TU_NO_LINE;
   const uint32_t line = replace_take(&c->replace, set, free);
   c->keys[line] = key;
   c->lines[line].valid = false;
   c->last = line;
   return line;
}

void
tu_tags_forget(struct tu_tags *c, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < c->sets * c->ways; i++) {
      uint32_t key = c->keys[i];
      if (key == TU_NO_KEY)
         continue;
      uint64_t address = tu_key_address(key, c->line_shift);
      if (address < end && address + (c->line_size >> tu_key_space(key)) > start)
         c->keys[i] = TU_NO_KEY;
   }
}
