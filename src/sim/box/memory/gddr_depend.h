/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Keeps reads and writes of one place in order, for GDDR schedulers whose queues pass each
 * other. */
#ifndef GDDR_DEPEND_H
#define GDDR_DEPEND_H

#include "box/memory/gddr.h"

/* Returns whether two transactions touch the same block of 256 bytes (which may become compressed),
 * or adjacent bytes, as in the release of 2015. */
static inline bool
gddr_overlap(const struct msg_transaction *a, const struct msg_transaction *b)
{
   if (a->bank != b->bank || a->row != b->row)
      return false;
   return a->address >> 8 == b->address >> 8 ||
          (a->column <= b->column + b->bytes && b->column <= a->column + a->bytes);
}

/* Makes the entry wait for the youngest one of the list that it overlaps. */
static inline void
gddr_depend(struct gddr *g, uint16_t entry, const struct gddr_list *list)
{
   for (uint16_t e = list->head; e != GDDR_NONE; e = g->entries[e].next) {
      if (gddr_overlap(&g->entries[e].m, &g->entries[entry].m))
         g->entries[entry].after = e;
   }
}

/* The entry has been taken: frees the entries of the list that waited for it. */
static inline void
gddr_release(struct gddr *g, uint16_t entry, const struct gddr_list *list)
{
   for (uint16_t e = list->head; e != GDDR_NONE; e = g->entries[e].next) {
      if (g->entries[e].after == entry)
         g->entries[e].after = GDDR_NONE;
   }
}

/* V2DedicatedChannelReadTransactions for reads, the rest for writes; 0: half and half. */
static inline uint32_t
gddr_rw_room(const struct sim_config *config, bool write)
{
   const uint32_t all = config->mc.channel_transactions, reads = config->mc.channel_reads;
   if (!reads)
      return all / 2;
   return write ? all - reads : reads;
}

#endif
