/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tags, replacement and storage of one level of a texture cache. Replacement is the release's: it
 * remembers the last four reads of each set and takes another line. Not here: when something
 * happens, and memory requests.
 */
#include "box/texture/tu_tags.h"
#include "box/sim_gpu.h"
#include <stdlib.h>
#include <string.h>

void
tu_tags_init(struct tu_tags *c, uint32_t sets, uint32_t ways, uint32_t line_size)
{
   *c = (struct tu_tags){.sets = sets,
                         .ways = ways,
                         .line_size = line_size,
                         .line_shift = (uint32_t)__builtin_ctz(line_size),
                         .num_recent = ways < TU_RECENT ? ways : TU_RECENT};
   uint32_t n = sets * ways;
   c->keys = sim_checked(malloc(n * sizeof(*c->keys)));
   c->pins = sim_checked(calloc(n, sizeof(*c->pins)));
   c->lines = sim_checked(calloc(n, sizeof(*c->lines)));
   c->data = sim_checked(calloc(n, line_size));
   c->recent = sim_checked(malloc((size_t)sets * c->num_recent));
   memset(c->keys, 0xff, n * sizeof(*c->keys));
   for (uint32_t i = 0; i < n; i++)
      c->lines[i] = (struct tu_line){.data = c->data + (size_t)i * line_size,
                                     .waiters = TU_NO_LINE,
                                     .set = (uint16_t)(i / ways),
                                     .way = (uint8_t)(i % ways)};
   for (uint32_t i = 0; i < sets * c->num_recent; i++)
      c->recent[i] = (uint8_t)(i % c->num_recent);
}

void
tu_tags_fini(struct tu_tags *c)
{
   free(c->keys);
   free(c->pins);
   free(c->lines);
   free(c->data);
   free(c->recent);
}

/* Bit per way among the last that were read. */
static uint64_t
recently_read(const struct tu_tags *c, uint32_t set)
{
   const uint8_t *recent = c->recent + (size_t)set * c->num_recent;
   uint64_t ways = 0;
   for (uint32_t i = 0; i < c->num_recent; i++)
      ways |= 1ull << recent[i];
   return ways;
}

/* The way that goes, or TU_NO_LINE. The search for one that was not read lately begins at another
 * way every time and ends at the last one: it does not look for free lines first, and when nothing
 * is found, a line that was read lately goes although there may be others before. */
static uint32_t
victim(const struct tu_tags *c, uint32_t set)
{
   uint32_t first = set * c->ways, start = c->turn + 1 < c->ways ? c->turn + 1 : 0;
   uint64_t recent = recently_read(c, set);
   for (uint32_t way = start; way < c->ways; way++) {
      if (!c->pins[first + way] && !(recent >> way & 1))
         return way;
   }
   for (uint32_t i = 0; i < c->num_recent; i++) {
      uint32_t way = c->recent[(size_t)set * c->num_recent + i];
      if (!c->pins[first + way])
         return way;
   }
   /* The release would find one of these when it tries again. */
   for (uint32_t way = 0; way < start; way++) {
      if (!c->pins[first + way])
         return way;
   }
   return TU_NO_LINE;
}

uint32_t
tu_tags_allocate(struct tu_tags *c, uint32_t key)
{
   uint32_t set = key & (c->sets - 1), way = victim(c, set);
   if (way == TU_NO_LINE)
      return TU_NO_LINE;
   c->turn = c->turn + 1 < c->ways ? c->turn + 1 : 0;
   uint32_t line = set * c->ways + way;
   c->keys[line] = key;
   c->lines[line].valid = false;
   c->last = line;
   return line;
}

void
tu_tags_read(struct tu_tags *c, uint32_t line)
{
   uint32_t last = c->num_recent - 1;
   uint8_t way = c->lines[line].way;
   uint8_t *recent = c->recent + c->lines[line].set * c->num_recent, moved = recent[last];
   if (moved == way)
      return;
   recent[last] = way;
   for (uint32_t i = last; i-- > 0 && moved != way;) {
      uint8_t next = recent[i];
      recent[i] = moved;
      moved = next;
   }
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
