/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Replacement of the texture cache of the release of 2015: keeps the four lines of each set that
 * were read last, and replaces another. The search starts one way further each time, with one
 * counter for all sets, and ends at the last way. If it finds none, it replaces a recently read
 * line, although there may be others before the start. */
#include "box/replace.h"

uint32_t
replace_recent(struct replace *r, uint32_t set, uint64_t free)
{
   const uint64_t *used = r->used + (uint64_t)set * r->ways;
   uint32_t last[REPLACE_FIRST], num = 0; /* read, latest first; of equal ones the first way */
   uint64_t recent = 0;
   for (uint32_t way = 0; way < r->ways; way++) {
      if (num == REPLACE_FIRST && used[way] <= used[last[num - 1]])
         continue;
      uint32_t at = num < REPLACE_FIRST ? num++ : num - 1;
      for (; at && used[way] > used[last[at - 1]]; at--)
         last[at] = last[at - 1];
      last[at] = way;
   }
   for (uint32_t i = 0; i < num; i++)
      recent |= 1ull << last[i];
   r->turn = r->turn + 1 < r->ways ? r->turn + 1 : 0;
   const uint64_t found = free >> r->turn << r->turn & ~recent;
   if (found)
      return (uint32_t)__builtin_ctzll(found);
   while (num-- > 0) {
      if (free >> last[num] & 1)
         return last[num];
   }
   /* The release finds one of these ways when it tries again. */
   return (uint32_t)__builtin_ctzll(free);
}
