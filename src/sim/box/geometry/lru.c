/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hash table and LRU list of a fully associative cache (lru.h). Not here: keys and contents. */
#include "box/geometry/lru.h"
#include "box/sim_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
lru_init(struct lru *l, uint32_t num_entries)
{
   uint32_t bits = 1;
   while (1u << bits < 2 * num_entries)
      bits++;
   *l = (struct lru){.num_entries = num_entries,
                     .bucket_shift = 32 - bits,
                     .num_buckets = 1u << bits,
                     .oldest = LRU_NONE,
                     .newest = LRU_NONE};
   l->entries = sim_xcalloc(num_entries, sizeof(*l->entries));
   l->buckets = sim_xmalloc(l->num_buckets * sizeof(*l->buckets));
   memset(l->buckets, 0xff, l->num_buckets * sizeof(*l->buckets));
   for (uint32_t e = 0; e < num_entries; e++)
      lru_list_add(l, e, false);
}

void
lru_fini(struct lru *l)
{
   free(l->entries);
   free(l->buckets);
}

void
lru_unhash(struct lru *l, uint32_t e)
{
   struct lru_entry *entry = &l->entries[e];
   if (!entry->hashed)
      return;
   uint32_t *link = &l->buckets[entry->bucket];
   while (*link != e)
      link = &l->entries[*link].chain;
   *link = entry->chain;
   entry->hashed = false;
}

void
lru_rehash(struct lru *l, uint32_t e, uint32_t hash)
{
   struct lru_entry *entry = &l->entries[e];
   lru_unhash(l, e);
   entry->bucket = hash >> l->bucket_shift;
   entry->hashed = true;
   entry->chain = l->buckets[entry->bucket];
   l->buckets[entry->bucket] = e;
}

void
lru_forget(struct lru *l)
{
   memset(l->buckets, 0xff, l->num_buckets * sizeof(*l->buckets));
   for (uint32_t e = 0; e < l->num_entries; e++)
      l->entries[e].hashed = false;
}
