/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Chooses the line of a set that a cache replaces. The cache reports uses, and which lines may be
 * replaced. A policy, which is a function in a file of its own (replace_lru.c), picks one of them.
 * Not here: tags, contents, fully associative caches (geometry/lru.h). */
#ifndef SIM_REPLACE_H
#define SIM_REPLACE_H

#include <stdint.h>
#include "units/replacements.h"

#define REPLACE_MAX_WAYS 64
#define REPLACE_FIRST 4 /* ways per set that count as used at first, in order */

struct replace {
   /* The policy: returns a way of the set whose bit is set in free (not 0). */
   uint32_t (*victim)(struct replace *r, uint32_t set, uint64_t free);
   uint32_t sets, ways;
   uint64_t *used;  /* [sets][ways] the line's last use, by clock */
   uint64_t *taken; /* [sets][ways] when the line got its contents, by takes */
   uint64_t clock, takes;
   uint32_t turn; /* for policies; shared by all sets */
};

/* The policies. */
#define R(number, name, doc) \
   uint32_t replace_##name(struct replace *r, uint32_t set, uint64_t free);
SIM_REPLACEMENTS(R)
#undef R

/* memory: 2 * sets * ways zeros, which the caller frees. */
void replace_init(struct replace *r, unsigned policy, uint32_t sets, uint32_t ways,
                  uint64_t *memory);

/* Notes that the line was read or written. */
static inline void
replace_use(struct replace *r, uint32_t line)
{
   r->used[line] = ++r->clock;
}

/* Notes that the line gets new contents. */
static inline void
replace_taken(struct replace *r, uint32_t line)
{
   r->taken[line] = ++r->takes;
}

/* Returns a line of the set for new contents; free: a bit per way that may be replaced, not 0. */
static inline uint32_t
replace_take(struct replace *r, uint32_t set, uint64_t free)
{
   const uint32_t line = set * r->ways + r->victim(r, set, free);
   replace_taken(r, line);
   return line;
}

#endif
