/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lookup and replacement of a fully associative cache: a hash table of the entries that can hit,
 * and a list by last use of the unused ones. The streamer's caches use it (sl_cache.c, stoc.c) and
 * keep keys and contents in arrays of their own, by entry number. */
#ifndef SIM_LRU_H
#define SIM_LRU_H

#include <stdbool.h>
#include <stdint.h>

#define LRU_NONE UINT32_MAX

struct lru_entry {
   uint32_t chain; /* next entry of the bucket */
   uint32_t bucket;
   uint32_t older, newer; /* in the list */
   uint32_t users;        /* reservations; 0: in the list */
   bool hashed;           /* can hit */
};

struct lru {
   struct lru_entry *entries;
   uint32_t num_entries, bucket_shift;
   uint32_t *buckets, num_buckets;
   uint32_t oldest, newest; /* of the list; LRU_NONE: empty */
};

void lru_init(struct lru *l, uint32_t num_entries);
void lru_fini(struct lru *l);
/* Gives the entry a new hash by which lookups find it. */
void lru_rehash(struct lru *l, uint32_t e, uint32_t hash);
/* Makes the entry miss from now on. */
void lru_unhash(struct lru *l, uint32_t e);
/* Makes all entries miss. Unused entries keep their age; others become the oldest when released. */
void lru_forget(struct lru *l);

/* Returns the first entry whose key may have this hash (its upper bits count). entries[e].chain is
 * the next such entry, or LRU_NONE. */
static inline uint32_t
lru_first(const struct lru *l, uint32_t hash)
{
   return l->buckets[hash >> l->bucket_shift];
}

/* For lru.c and the next two functions only. */
static inline void
lru_list_add(struct lru *l, uint32_t e, bool as_oldest)
{
   struct lru_entry *entry = &l->entries[e];
   entry->older = as_oldest ? LRU_NONE : l->newest;
   entry->newer = as_oldest ? l->oldest : LRU_NONE;
   *(entry->older != LRU_NONE ? &l->entries[entry->older].newer : &l->oldest) = e;
   *(entry->newer != LRU_NONE ? &l->entries[entry->newer].older : &l->newest) = e;
}

static inline void
lru_list_remove(struct lru *l, uint32_t e)
{
   const struct lru_entry *entry = &l->entries[e];
   *(entry->older != LRU_NONE ? &l->entries[entry->older].newer : &l->oldest) = entry->newer;
   *(entry->newer != LRU_NONE ? &l->entries[entry->newer].older : &l->newest) = entry->older;
}

static inline void
lru_reserve(struct lru *l, uint32_t e)
{
   if (l->entries[e].users++ == 0)
      lru_list_remove(l, e);
}

/* Returns true when the entry has no user left. */
static inline bool
lru_release(struct lru *l, uint32_t e)
{
   if (--l->entries[e].users)
      return false;
   lru_list_add(l, e, !l->entries[e].hashed);
   return true;
}

#endif
