/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A cache without time: which accesses hit follows from their list alone. For caches of the machine
 * that give lines in the order in which they are asked for, and replace the least recently used
 * one or, being large enough, none. Not here: sets, other policies. */
#ifndef CACHE_REPLAY_H
#define CACHE_REPLAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

/* Of a cache of the machine: whole lines. */
struct replay {
   const void *cache;
   const char *name; /* in K_caches */
   uint32_t lines;   /* it has; the least recently used goes. 0: so many that none has to go */
   struct held {
      uint64_t line, used; /* used 0: nothing was ever here */
      bool valid;
   } * held;
   uint32_t size, num_used; /* of held */
   uint64_t hits, misses, clock;
};

/* Where the line is, or what is to be taken for it. */
static inline struct held *
replay_find(struct replay *r, uint64_t line)
{
   if (!r->lines) {
      uint32_t i = (uint32_t)(line * 0x9e3779b97f4a7c15ull >> 40) & (r->size - 1);
      while (r->held[i].used && r->held[i].line != line)
         i = (i + 1) & (r->size - 1);
      return &r->held[i];
   }
   struct held *oldest = r->held;
   for (uint32_t i = 0; i < r->size; i++) {
      struct held *h = &r->held[i];
      if (h->valid && h->line == line)
         return h;
      if (oldest->valid && (!h->valid || h->used < oldest->used))
         oldest = h;
   }
   return oldest;
}

static inline void
replay_access(struct replay *r, uint64_t line, uint64_t accesses)
{
   struct held *h = replay_find(r, line);
   const bool hit = h->valid && h->line == line;
   r->num_used += !h->used;
   assert_true(r->lines || r->num_used < r->size / 2);
   *h = (struct held){.line = line, .used = ++r->clock, .valid = true};
   r->hits += accesses - !hit;
   r->misses += !hit;
}

static inline void
replay_forget(struct replay *r, uint64_t line)
{
   struct held *h = replay_find(r, line);
   if (h->line == line)
      h->valid = false;
}

static inline void
replay_make(struct replay *r, const void *cache, const char *name, uint32_t lines)
{
   *r = (struct replay){
       .cache = cache, .name = name, .lines = lines, .size = lines ? lines : 1u << 16};
   r->held = calloc(r->size, sizeof(*r->held));
   assert_non_null(r->held);
}

#endif
