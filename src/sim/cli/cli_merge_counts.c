/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Arrays of counters of workers' records (cli_merge.c) in the one that is made of them: which place
 * of an array is which counter, each worker found by itself, in the order in which it came upon
 * them. Here a layout has one order for all, and grows as in a run of one process. The rest of a
 * record is merged by queries; these are thousands of rows for each worker, which would take longer
 * than anything else.
 */
#include "cli/cli_merge_counts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LAYOUTS 64
#define MOST_PLACES 65536

/* What stands in a place: a number as text; NULL: 0. */
struct number {
   const char *text;
   int size;
};

struct layout {
   uint32_t num;   /* places of the record that is made */
   uint32_t *here; /* [place of the worker]: MOST_PLACES: none */
};

struct slot {
   uint64_t key; /* 0: free */
   uint32_t place;
};

struct merge_counts {
   sqlite3 *db;
   struct layout layouts[MOST_LAYOUTS];
   struct slot *slots;
   uint32_t num, size; /* of slots; size: a power of two */
   struct number *numbers;
};

/* --- Places --- */

static struct slot *
find(struct slot *slots, uint32_t size, uint64_t key)
{
   uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & (size - 1);
   while (slots[at].key && slots[at].key != key)
      at = (at + 1) & (size - 1);
   return &slots[at];
}

static bool
grow(struct merge_counts *c)
{
   const uint32_t size = c->size ? c->size * 2 : 4096;
   struct slot *slots = calloc(size, sizeof(*slots));
   if (!slots)
      return false;
   for (uint32_t i = 0; i < c->size; i++) {
      if (c->slots[i].key)
         *find(slots, size, c->slots[i].key) = c->slots[i];
   }
   free(c->slots);
   c->slots = slots;
   c->size = size;
   return true;
}

/* Where a counter stands; a new one is put into the record. */
static bool
place_of(struct merge_counts *c, sqlite3_stmt *put, int layout, int counter, int instance,
         uint32_t *place)
{
   if (c->num * 2 >= c->size && !grow(c))
      return false;
   /* Never 0. */
   const uint64_t key =
       (uint64_t)(layout + 1) << 48 | (uint64_t)(uint32_t)(instance + 1) << 32 | (uint32_t)counter;
   struct slot *s = find(c->slots, c->size, key);
   if (!s->key) {
      struct layout *l = &c->layouts[layout];
      if (l->num == MOST_PLACES)
         return false;
      *s = (struct slot){key, l->num++};
      c->num++;
      sqlite3_bind_int64(put, 1, (sqlite3_int64)layout << 16 | s->place);
      sqlite3_bind_int(put, 2, layout);
      sqlite3_bind_int(put, 3, counter);
      sqlite3_bind_int(put, 4, instance);
      sqlite3_bind_int64(put, 5, s->place);
      const bool ok = sqlite3_step(put) == SQLITE_DONE;
      sqlite3_reset(put);
      if (!ok)
         return false;
   }
   *place = s->place;
   return true;
}

static bool
take_entry(struct merge_counts *c, sqlite3_stmt *put, sqlite3_stmt *entry)
{
   const int layout = sqlite3_column_int(entry, 0), counter = sqlite3_column_int(entry, 1),
             instance = sqlite3_column_int(entry, 2), place = sqlite3_column_int(entry, 3);
   if (layout < 0 || layout >= MOST_LAYOUTS || counter < 0 || instance < -1 || instance > 0xfffe ||
       place < 0 || place >= MOST_PLACES)
      return false;
   struct layout *l = &c->layouts[layout];
   if (!l->here && !(l->here = malloc(MOST_PLACES * sizeof(*l->here))))
      return false;
   if (!place)
      for (unsigned i = 0; i < MOST_PLACES; i++)
         l->here[i] = MOST_PLACES;
   return place_of(c, put, layout, counter, instance, &l->here[place]);
}

bool
merge_counts_worker(struct merge_counts *c)
{
   sqlite3_stmt *entries = NULL, *put = NULL;
   bool ok = sqlite3_prepare_v2(c->db,
                                "SELECT layout, counter, instance, place FROM w.layout ORDER BY "
                                "entry",
                                -1, &entries, NULL) == SQLITE_OK &&
             sqlite3_prepare_v2(c->db,
                                "INSERT INTO main.layout (entry, layout, counter, instance, place) "
                                "VALUES (?, ?, ?, ?, ?)",
                                -1, &put, NULL) == SQLITE_OK;
   int result = SQLITE_DONE;
   while (ok && (result = sqlite3_step(entries)) == SQLITE_ROW)
      ok = take_entry(c, put, entries);
   sqlite3_finalize(entries);
   sqlite3_finalize(put);
   return ok && result == SQLITE_DONE;
}

/* --- Arrays --- */

/* The numbers of an array to where they stand here; how many places that are, -1: it is damaged. */
static int
take_numbers(struct merge_counts *c, const struct layout *l, const char *array)
{
   int num = 0;
   if (*array != '[')
      return -1;
   const char *p = array + 1;
   for (uint32_t i = 0; *p && *p != ']'; i++) {
      const int size = (int)strcspn(p, ",]");
      if (i >= MOST_PLACES || l->here[i] == MOST_PLACES)
         return -1;
      if (size != 1 || *p != '0') {
         const int place = (int)l->here[i];
         num = place >= num ? place + 1 : num;
         c->numbers[place] = (struct number){p, size};
      }
      p += size;
      p += *p == ',';
   }
   return *p ? num : -1;
}

/* SQL: moved_counts(layout, counts) */
static void
moved(sqlite3_context *sql, int num_values, sqlite3_value **values)
{
   struct merge_counts *c = sqlite3_user_data(sql);
   const int layout = num_values == 2 ? sqlite3_value_int(values[0]) : -1;
   const char *array = (const char *)sqlite3_value_text(values[1]);
   const bool known = layout >= 0 && layout < MOST_LAYOUTS && c->layouts[layout].here;
   /* A row in which nothing was counted has no layout. */
   if (array && !strcmp(array, "[]")) {
      sqlite3_result_text(sql, "[]", -1, SQLITE_STATIC);
      return;
   }
   const int num = array && known ? take_numbers(c, &c->layouts[layout], array) : -1;
   char *text = num < 0 ? NULL : malloc(strlen(array) + (size_t)num * 2 + 3), *p = text;
   if (text) {
      *p++ = '[';
      for (int i = 0; i < num; i++) {
         const struct number *n = &c->numbers[i];
         p = mempcpy(p, n->text ? n->text : "0", n->text ? (size_t)n->size : 1);
         *p++ = ',';
      }
      p -= num > 0;
      *p++ = ']';
      sqlite3_result_text(sql, text, (int)(p - text), free);
   } else {
      sqlite3_result_error(sql, num < 0 ? "counts are damaged" : "out of host memory", -1);
   }
   memset(c->numbers, 0, (num < 0 ? MOST_PLACES : (size_t)num) * sizeof(*c->numbers));
}

struct merge_counts *
merge_counts_create(sqlite3 *db)
{
   struct merge_counts *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   c->db = db;
   c->numbers = calloc(MOST_PLACES, sizeof(*c->numbers));
   if (c->numbers && sqlite3_create_function(db, "moved_counts", 2, SQLITE_UTF8, c, moved, NULL,
                                             NULL) == SQLITE_OK)
      return c;
   merge_counts_destroy(c);
   return NULL;
}

void
merge_counts_destroy(struct merge_counts *c)
{
   if (!c)
      return;
   for (unsigned i = 0; i < MOST_LAYOUTS; i++)
      free(c->layouts[i].here);
   free(c->slots);
   free(c->numbers);
   free(c);
}
