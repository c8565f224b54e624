/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Replacement of the least recently used line, and what all policies start with. */
#include "box/replace.h"

static uint32_t (*const policies[])(struct replace *r, uint32_t set, uint64_t free) = {
#define R(number, name, doc) [number] = replace_##name,
    SIM_REPLACEMENTS(R)
#undef R
};

void
replace_init(struct replace *r, unsigned policy, uint32_t sets, uint32_t ways, uint64_t *memory)
{
   *r = (struct replace){.victim = policies[policy],
                         .sets = sets,
                         .ways = ways,
                         .used = memory,
                         .taken = memory + (uint64_t)sets * ways,
                         .clock = REPLACE_FIRST};
   for (uint32_t line = 0; line < sets * ways; line++)
      r->used[line] = line % ways < REPLACE_FIRST ? line % ways + 1 : 0;
}

uint32_t
replace_lru(struct replace *r, uint32_t set, uint64_t free)
{
   const uint64_t *used = r->used + (uint64_t)set * r->ways;
   uint32_t oldest = (uint32_t)__builtin_ctzll(free);
   while (free &= free - 1) {
      const uint32_t way = (uint32_t)__builtin_ctzll(free);
      if (used[way] < used[oldest])
         oldest = way;
   }
   return oldest;
}
