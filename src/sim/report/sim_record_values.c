/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of rows, frames and intervals. KIND_counters has a column for each statistic of a
 * unit, summed over its boxes: 0 takes one byte, so nothing is left out, and a query names what it
 * wants. What each of several boxes counted goes into KIND_boxes as JSON, without what is 0:
 * {"17":[3,0,5,1]} is counter 17 of boxes 0 to 3. A view takes it apart. Columns for these would be
 * up to 12000, more than SQLite has; rows for them cost ten times what this does.
 */
#include <stdlib.h>
#include <string.h>
#include "report/sim_record_impl.h"

struct text {
   char *p;
   size_t len, size;
};

static void
put(struct text *t, const char *s)
{
   size_t n = strlen(s);
   if (t->len + n + 1 > t->size) {
      size_t size = (t->len + n + 1) * 2 + 4096;
      char *grown = realloc(t->p, size);
      if (!grown)
         return;
      t->p = grown;
      t->size = size;
   }
   memcpy(t->p + t->len, s, n + 1);
   t->len += n;
}

struct columns {
   struct text *text;
   const bool *chosen;
   const char *before, *after;
};

static void
put_column(void *data, unsigned column, const char *name)
{
   struct columns *c = data;
   if (c->chosen && !c->chosen[column])
      return;
   put(c->text, c->before);
   put(c->text, name);
   put(c->text, c->after);
}

static void
put_place(void *data, unsigned column, const char *name)
{
   struct columns *c = data;
   (void)name;
   if (!c->chosen || c->chosen[column])
      put(c->text, ",?");
}

void
record_values_make(struct sim_record *rec, struct record_values *v, const char *kind,
                   const bool *chosen)
{
   struct text t = {0};
   char start[200];
   struct columns columns = {&t, chosen, ", \"", "\" INTEGER NOT NULL"};
   v->chosen = chosen;
   snprintf(start, sizeof(start), "CREATE TABLE %s_counters (%s INTEGER PRIMARY KEY", kind, kind);
   put(&t, start);
   report_columns_each_sum(rec->columns, put_column, &columns);
   put(&t, ")");
   if (t.p)
      record_sql(rec, t.p);
   t.len = 0;
   snprintf(start, sizeof(start), "INSERT INTO %s_counters VALUES (?", kind);
   put(&t, start);
   report_columns_each_sum(rec->columns, put_place, &columns);
   put(&t, ")");
   v->sums = t.p ? record_prepare(rec, t.p) : NULL;
   free(t.p);
   char sql[700];
   snprintf(sql, sizeof(sql),
            "CREATE TABLE %s_boxes (%s INTEGER PRIMARY KEY, counts TEXT NOT NULL);"
            "CREATE VIEW %s_box_counters AS SELECT b.%s AS %s, CAST(c.key AS INTEGER) AS counter, "
            "i.key AS instance, i.value AS value FROM %s_boxes b, json_each(b.counts) c, "
            "json_each(c.value) i WHERE i.value IS NOT NULL",
            kind, kind, kind, kind, kind, kind);
   record_sql(rec, sql);
   snprintf(sql, sizeof(sql), "INSERT INTO %s_boxes VALUES (?, ?)", kind);
   v->instances = record_prepare(rec, sql);
}

/* The boxes of a class are neighbours in the machine, and so are their columns. Returns the end. */
static char *
put_class(const struct report_columns *c, const struct sim_kernel *k, unsigned class,
          const bool *chosen, const uint64_t *values, char *p)
{
   const struct report_class *cls = &c->classes[class];
   unsigned boxes[SIM_MAX_BOXES], num = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls == cls->cls && c->own[i] != NO_COLUMN)
         boxes[num++] = c->own[i];
   }
   for (unsigned s = 0; num && s < report_class_stats(cls->cls); s++) {
      bool any = false;
      if (!values[cls->first + s])
         continue;
      for (unsigned i = 0; i < num; i++)
         any |= !chosen || chosen[boxes[i] + s];
      if (!any)
         continue;
      *p++ = '"';
      p = csv_put_number(p, cls->first + s);
      p = stpcpy(p, "\":[");
      for (unsigned i = 0; i < num; i++) {
         if (chosen && !chosen[boxes[i] + s])
            p = stpcpy(p, "null");
         else
            p = csv_put_number(p, values[boxes[i] + s]);
         *p++ = ',';
      }
      p[-1] = ']';
      *p++ = ',';
   }
   return p;
}

/* Room for every number of every box, with what is around it. */
static bool
json_room(struct sim_record *rec)
{
   if (!rec->json) {
      rec->json_size = 64 + 40 * (size_t)rec->columns->num;
      rec->json = malloc(rec->json_size);
   }
   return rec->json != NULL;
}

void
record_values_put(struct sim_record *rec, const struct record_values *v, uint64_t id,
                  const uint64_t *values)
{
   const struct report_columns *c = rec->columns;
   if (!record_usable(rec) || !c->num_sums)
      return;
   int n = 1;
   record_begin(rec);
   record_number(v->sums, n++, id);
   for (unsigned i = 0; i < c->num_sums; i++) {
      if (!v->chosen || v->chosen[i])
         record_number(v->sums, n++, values[i]);
   }
   record_step(rec, v->sums);
   if (!json_room(rec))
      return;
   char *p = rec->json;
   *p++ = '{';
   for (unsigned i = 0; i < c->num_classes; i++)
      p = put_class(c, rec->kernel, i, v->chosen, values, p);
   if (p == rec->json + 1)
      return;
   p[-1] = '}';
   sqlite3_bind_int64(v->instances, 1, (sqlite3_int64)id);
   sqlite3_bind_text64(v->instances, 2, rec->json, (sqlite3_uint64)(p - rec->json), SQLITE_STATIC,
                       SQLITE_UTF8);
   record_step(rec, v->instances);
}

void
record_values_free(struct record_values *v)
{
   sqlite3_finalize(v->sums);
   sqlite3_finalize(v->instances);
}
