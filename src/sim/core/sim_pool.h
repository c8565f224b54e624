/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pools of fixed-size objects: nothing is allocated while clocking, except that a pool grows,
 * seldom, by a chunk of the machine's memory. Host memory management only: a pool never limits the
 * machine (queues and credits do). Objects are not cleared. */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "core/sim_arena.h"

/* How many objects ahead to prefetch. */
#define SIM_POOL_AHEAD 4

struct sim_pool {
   struct sim_arena *arena;
   size_t object_size;           /* odd multiple of 64 */
   unsigned chunk;               /* objects per growth */
   void **free;                  /* used from the end */
   uint32_t num_free, num, room; /* num: all objects; room: in the list */
   uint64_t in_use;
};

static inline void
sim_pool_init(struct sim_pool *p, struct sim_arena *arena, size_t object_size, unsigned chunk)
{
   /* An odd number of cache lines spreads the objects' first lines, touched most, over all sets of
    * the host's caches. */
   *p = (struct sim_pool){
       .arena = arena, .object_size = ((object_size + 63) / 64 | 1) * 64, .chunk = chunk};
}

/* Adds a chunk. In sim_kernel.c. */
void sim_pool_grow(struct sim_pool *p) __attribute__((cold));

static inline void *
sim_pool_alloc(struct sim_pool *p)
{
   if (__builtin_expect(!p->num_free, 0))
      sim_pool_grow(p);
   const uint32_t n = --p->num_free;
   if (n >= SIM_POOL_AHEAD)
      __builtin_prefetch(p->free[n - SIM_POOL_AHEAD], 1);
   p->in_use++;
   return p->free[n];
}

static inline void
sim_pool_free(struct sim_pool *p, void *object)
{
   p->free[p->num_free++] = object;
   p->in_use--;
}

#endif
