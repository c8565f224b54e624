/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The replacement order and hash table of the streamer's caches against a plain model: a list that
 * is searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "box/geometry/lru.h"

#define MAX_ENTRIES 40

struct model {
   uint32_t order[MAX_ENTRIES], num_order; /* unused entries, oldest first */
   uint32_t key[MAX_ENTRIES], users[MAX_ENTRIES];
   bool valid[MAX_ENTRIES];
};

static uint32_t seed;

static uint32_t
rnd(uint32_t below)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % below;
}

/* Few values: entries of different keys share buckets. */
static uint32_t
hash(uint32_t key)
{
   return key % 3 * 0x50000000u;
}

static uint32_t
find(const struct lru *l, const struct model *m, uint32_t key)
{
   uint32_t e = lru_first(l, hash(key));
   while (e != LRU_NONE && m->key[e] != key)
      e = l->entries[e].chain;
   return e;
}

static void
remove_from_order(struct model *m, uint32_t e)
{
   uint32_t i = 0;
   while (m->order[i] != e)
      i++;
   memmove(&m->order[i], &m->order[i + 1], (--m->num_order - i) * sizeof(m->order[0]));
}

static void
check(const struct lru *l, const struct model *m, uint32_t keys)
{
   uint32_t e = l->oldest, before = LRU_NONE;
   for (uint32_t i = 0; i < m->num_order; i++) {
      assert_int_equal(e, m->order[i]);
      assert_int_equal(l->entries[e].older, before);
      before = e;
      e = l->entries[e].newer;
   }
   assert_int_equal(e, LRU_NONE);
   assert_int_equal(l->newest, before);
   for (uint32_t key = 0; key < keys; key++) {
      uint32_t expected = LRU_NONE;
      for (uint32_t i = 0; i < l->num_entries; i++)
         expected = m->valid[i] && m->key[i] == key ? i : expected;
      assert_int_equal(find(l, m, key), expected);
   }
}

static void
test_lru_agrees_with_a_list(void **state)
{
   (void)state;
   unsigned full = 0, replaced = 0;
   for (uint32_t n = 1; n <= MAX_ENTRIES; n += 3) {
      struct lru l;
      struct model m = {.num_order = n};
      uint32_t keys = 2 * n + 1;
      lru_init(&l, n);
      for (uint32_t i = 0; i < n; i++)
         m.order[i] = i;
      for (unsigned step = 0; step < 2000; step++) {
         uint32_t e, key = rnd(keys);
         switch (rnd(20)) {
         case 0: /* all is forgotten */
            lru_forget(&l);
            memset(m.valid, 0, sizeof(m.valid));
            break;
         default: /* looked up, and made when it is not there */
            e = find(&l, &m, key);
            if (e == LRU_NONE) {
               e = l.oldest;
               if (e == LRU_NONE) {
                  full++;
                  break;
               }
               replaced += m.valid[e];
               lru_rehash(&l, e, hash(key));
               m.key[e] = key;
               m.valid[e] = true;
            }
            lru_reserve(&l, e);
            if (m.users[e]++ == 0)
               remove_from_order(&m, e);
            break;
         case 1 ... 14: /* an entry in use is released */
            e = rnd(n);
            if (!m.users[e])
               break;
            m.users[e]--;
            assert_int_equal(lru_release(&l, e), m.users[e] == 0);
            if (m.users[e])
               break;
            if (!m.valid[e])
               memmove(&m.order[1], m.order, m.num_order * sizeof(m.order[0]));
            m.order[m.valid[e] ? m.num_order : 0] = e;
            m.num_order++;
            break;
         }
         check(&l, &m, keys);
      }
      lru_fini(&l);
   }
   assert_true(full > 100 && replaced > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_lru_agrees_with_a_list)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
