/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of rows, frames and intervals: KIND_counts has a JSON array of numbers for each of
 * them, and table layout says which counter stands where: "[3,0,17]" and layout (counter 5, 8,
 * 5 of box 1). A counter gets its place in the arrays of a kind of rows when it is not 0 for the
 * first time, so what a kind of command never does takes no room, and places never change; what is
 * missing is 0. Views (sim_record_views.c) give each counter its column again. Real columns for
 * them all cost five times the time; a row for each number fifty times.
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record_impl.h"

#define NO_PLACE 0xffffu
#define NUMBER_BYTES (REPORT_NUMBER_BYTES + 1) /* with a comma */

void
record_values_make(struct sim_record *rec)
{
   static const char *const kinds[] = {"work", "frame", "interval"};
   sqlite3_stmt **const put[] = {&rec->put_work_counts, &rec->put_frame_counts,
                                 &rec->put_interval_counts};
   char sql[300];
   /* Thousands of rows, also in a run of one frame: the key is a number that grows, by which views
    * find a place; the index has all that they want of a counter, which are sums over boxes. */
   record_sql(rec, "CREATE TABLE layout (entry INTEGER PRIMARY KEY, layout INTEGER NOT NULL, "
                   "counter INTEGER NOT NULL, instance INTEGER NOT NULL, place INTEGER NOT NULL);"
                   "CREATE INDEX layout_counters ON layout (layout, counter, instance, "
                   "place) WHERE instance = -1");
   /* ?3: an array of counter << 16 | instance + 1. */
   rec->put_layout =
       record_prepare(rec, "INSERT INTO layout (entry, layout, counter, instance, place) SELECT "
                           "(?1 << 16) + ?2 + key, ?1, value >> 16, (value & 65535) - 1, ?2 + key "
                           "FROM json_each(?3)");
   for (unsigned i = 0; i < 3; i++) {
      snprintf(sql, sizeof(sql),
               "CREATE TABLE %s_counts (%s INTEGER PRIMARY KEY, layout INTEGER NOT NULL, counts "
               "TEXT NOT NULL)",
               kinds[i], kinds[i]);
      record_sql(rec, sql);
      snprintf(sql, sizeof(sql), "INSERT INTO %s_counts VALUES (?, ?, ?)", kinds[i]);
      *put[i] = record_prepare(rec, sql);
   }
}

static bool
make_layout(struct sim_record *rec, struct record_layout *l)
{
   const unsigned num = rec->columns->num;
   if (l->place)
      return true;
   l->place = malloc((num + 1) * sizeof(*l->place));
   l->column = malloc((num + 1) * sizeof(*l->column));
   if (!l->place || !l->column) {
      free(l->place);
      free(l->column);
      l->place = l->column = NULL;
      return false;
   }
   memset(l->place, 0xff, num * sizeof(*l->place));
   return true;
}

static bool
make_room(struct record_text *t, size_t more)
{
   if (t->len + more <= t->size)
      return true;
   const size_t size = (t->len + more) * 2;
   char *grown = realloc(t->p, size);
   if (!grown)
      return false;
   t->p = grown;
   t->size = size;
   return true;
}

bool
record_encode(struct sim_record *rec, unsigned layout, const struct measure_values *values,
              const bool *chosen, struct record_text *text)
{
   struct record_layout *l = &rec->layouts[layout];
   if (!make_layout(rec, l) || !make_room(text, 4 + NUMBER_BYTES * (size_t)rec->columns->num))
      return false;
   unsigned num = 0;
   for (unsigned i = 0; i < values->num_touched; i++) {
      const uint16_t column = values->touched[i];
      if (chosen && !chosen[column])
         continue;
      if (l->place[column] == NO_PLACE) {
         l->column[l->num] = column;
         l->place[column] = (uint16_t)l->num++;
      }
      const unsigned place = l->place[column];
      rec->places[place] = values->value[column];
      num = place + 1 > num ? place + 1 : num;
   }
   char *p = text->p + text->len;
   *p++ = '[';
   for (unsigned i = 0; i < num;) {
      /* Most are 0: eight at a time. */
      uint64_t *v = rec->places + i;
      if (i + 8 <= num && !(v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7])) {
         memcpy(p, "0,0,0,0,0,0,0,0,", 16);
         p += 16;
         i += 8;
         continue;
      }
      const unsigned end = i + 8 < num ? i + 8 : num;
      for (; i < end; i++) {
         p = report_put_number(p, rec->places[i]);
         *p++ = ',';
         rec->places[i] = 0;
      }
   }
   p -= num > 0;
   *p++ = ']';
   text->len = (size_t)(p - text->p);
   return true;
}

void
record_column(const struct sim_record *rec, unsigned column, unsigned *counter, int *instance)
{
   const struct measure_columns *c = rec->columns;
   *counter = column;
   *instance = -1;
   for (unsigned i = 0; column >= c->num_sums && i < rec->kernel->num_boxes; i++) {
      const struct sim_box *b = rec->kernel->boxes[i];
      if (c->own[i] == NO_COLUMN || column < c->own[i] ||
          column >= c->own[i] + measure_class_stats(b->cls))
         continue;
      *counter = c->sum[i] + column - c->own[i];
      *instance = (int)b->instance;
   }
}

void
record_put_layout(struct sim_record *rec, unsigned layout)
{
   struct record_layout *l = &rec->layouts[layout];
   const unsigned new = l->num - l->written;
   char *text = new ? malloc(2 + (size_t)NUMBER_BYTES * new) : NULL, *p = text;
   if (!text)
      return; /* without memory the next row tries again */
   *p++ = '[';
   for (unsigned i = l->written; i < l->num; i++) {
      unsigned counter;
      int instance;
      record_column(rec, l->column[i], &counter, &instance);
      p = report_put_number(p, (uint64_t)counter << 16 | (uint16_t)(instance + 1));
      *p++ = i + 1 < l->num ? ',' : ']';
   }
   record_number(rec->put_layout, 1, layout);
   record_number(rec->put_layout, 2, l->written);
   sqlite3_bind_text64(rec->put_layout, 3, text, (sqlite3_uint64)(p - text), SQLITE_STATIC,
                       SQLITE_UTF8);
   record_step(rec, rec->put_layout);
   l->written = l->num;
   free(text);
}

void
record_put_counts(struct sim_record *rec, sqlite3_stmt *s, uint64_t id, unsigned layout,
                  const char *counts, size_t size)
{
   record_put_layout(rec, layout);
   record_number(s, 1, id);
   record_number(s, 2, layout);
   sqlite3_bind_text64(s, 3, counts, size, SQLITE_STATIC, SQLITE_UTF8);
   record_step(rec, s);
}

void
record_put_values(struct sim_record *rec, sqlite3_stmt *s, uint64_t id, unsigned layout,
                  const struct measure_values *values)
{
   rec->text.len = 0;
   if (rec->columns->num && record_encode(rec, layout, values, NULL, &rec->text))
      record_put_counts(rec, s, id, layout, rec->text.p, rec->text.len);
}

void
record_layouts_free(struct sim_record *rec)
{
   for (unsigned i = 0; i < RECORD_LAYOUTS; i++) {
      free(rec->layouts[i].place);
      free(rec->layouts[i].column);
   }
}
