/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The vertex input cache of the streamer loader; see sl_cache.h. Host work per lookup does not grow with the number of
 * lines.
 */
#include "box/sl_cache.h"
#include <stdlib.h>
#include <string.h>

#define NONE SL_CACHE_NONE

static void
list_add(struct sl_cache *c, uint32_t l, bool as_oldest)
{
   struct sl_cache_line *line = &c->lines[l];
   line->older = as_oldest ? NONE : c->newest;
   line->newer = as_oldest ? c->oldest : NONE;
   if (line->older != NONE)
      c->lines[line->older].newer = l;
   else
      c->oldest = l;
   if (line->newer != NONE)
      c->lines[line->newer].older = l;
   else
      c->newest = l;
}

static void
list_remove(struct sl_cache *c, uint32_t l)
{
   struct sl_cache_line *line = &c->lines[l];
   if (line->older != NONE)
      c->lines[line->older].newer = line->newer;
   else
      c->oldest = line->newer;
   if (line->newer != NONE)
      c->lines[line->newer].older = line->older;
   else
      c->newest = line->older;
}

void
sl_cache_init(struct sl_cache *c, uint32_t num_lines, uint32_t line_size)
{
   *c = (struct sl_cache){.num_lines = num_lines, .oldest = NONE, .newest = NONE};
   while (1u << c->line_shift < line_size)
      c->line_shift++;
   uint32_t bits = 1;
   while (1u << bits < 2 * num_lines)
      bits++;
   c->num_buckets = 1u << bits;
   c->bucket_shift = 32 - bits;
   c->lines = calloc(num_lines, sizeof(*c->lines));
   c->data = calloc(num_lines, (size_t)1 << c->line_shift);
   c->buckets = malloc(c->num_buckets * sizeof(*c->buckets));
   memset(c->buckets, 0xff, c->num_buckets * sizeof(*c->buckets));
   for (uint32_t l = 0; l < num_lines; l++)
      list_add(c, l, false);
}

void
sl_cache_fini(struct sl_cache *c)
{
   free(c->lines);
   free(c->data);
   free(c->buckets);
}

static inline uint32_t *
bucket(const struct sl_cache *c, uint32_t tag)
{
   return &c->buckets[(uint32_t)(tag * 2654435761u) >> c->bucket_shift];
}

uint32_t
sl_cache_find(const struct sl_cache *c, uint32_t address, uint32_t hint)
{
   uint32_t tag = address >> c->line_shift;
   if (hint < c->num_lines && c->lines[hint].hashed && c->lines[hint].tag == tag)
      return hint;
   uint32_t l = *bucket(c, tag);
   while (l != NONE && c->lines[l].tag != tag)
      l = c->lines[l].chain;
   return l;
}

uint32_t
sl_cache_allocate(struct sl_cache *c, uint32_t address)
{
   uint32_t l = c->oldest;
   if (l == NONE)
      return NONE;
   struct sl_cache_line *line = &c->lines[l];
   if (line->hashed) {
      uint32_t *link = bucket(c, line->tag);
      while (*link != l)
         link = &c->lines[*link].chain;
      *link = line->chain;
   }
   line->tag = address >> c->line_shift;
   line->filled = false;
   line->hashed = true;
   uint32_t *head = bucket(c, line->tag);
   line->chain = *head;
   *head = l;
   return l;
}

void
sl_cache_reserve(struct sl_cache *c, uint32_t l)
{
   if (c->lines[l].reserved++ == 0)
      list_remove(c, l);
}

void
sl_cache_release(struct sl_cache *c, uint32_t l)
{
   if (--c->lines[l].reserved == 0)
      list_add(c, l, !c->lines[l].hashed);
}

void
sl_cache_invalidate(struct sl_cache *c)
{
   memset(c->buckets, 0xff, c->num_buckets * sizeof(*c->buckets));
   for (uint32_t l = 0; l < c->num_lines; l++)
      c->lines[l].hashed = false;
}
