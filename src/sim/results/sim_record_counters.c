/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics in a record: a table for each class of boxes and each kind of rows, frame_ZStencilTest
 * with a column for each statistic, summed over the boxes of the class; and of classes that may
 * have several boxes frame_ZStencilTest_boxes, with a row for each of them. A draw has a row of
 * every class, other work of those that did something for it, which are few: one table with all
 * columns takes more than twice the time. Views put them side by side (sim_record_views.c).
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record_impl.h"

/* Parameters of an INSERT: the key, of a box its name, then statistics. */
enum { KEY_PARAMETER = 1, BOX_PARAMETER };

/* Whether rows of work have a statistic of a class; boxes: of any of its boxes. */
static bool
record_counters_chosen(const struct sim_record *rec, const struct measure_class *of, unsigned stat,
                       bool boxes)
{
   const struct measure_columns *c = &rec->measure->columns;
   bool any = !boxes && rec->chosen[of->first + stat];
   for (unsigned i = 0; boxes && i < rec->measure->kernel->num_boxes; i++)
      any |= rec->measure->kernel->boxes[i]->cls == of->cls && rec->chosen[c->own[i] + stat];
   return any;
}

static void
record_counters_make_table(struct sim_record *rec, enum record_kind kind, unsigned cls, bool boxes)
{
   const struct measure_class *of = &rec->measure->columns.classes[cls];
   struct record_counts *c = &rec->counts[kind][boxes][cls];
   const unsigned num = measure_class_stats(of->cls);
   const char *name = record_kinds[kind].name, *end = boxes ? "_boxes" : "";
   char unit[64];
   sqlite3_str *create = sqlite3_str_new(rec->db), *insert = sqlite3_str_new(rec->db);
   c->param = calloc(num, sizeof(*c->param));
   c->bound = calloc(num, sizeof(*c->bound));
   sqlite3_str_appendf(create, "CREATE TABLE \"%w_%w%s\" (%s INTEGER %s", name, of->cls->name, end,
                       name, boxes ? "NOT NULL, box TEXT NOT NULL" : "PRIMARY KEY");
   sqlite3_str_appendf(insert, "INSERT INTO \"%w_%w%s\" VALUES (?%s", name, of->cls->name, end,
                       boxes ? ", ?" : "");
   measure_unit_name(of->cls, unit, sizeof(unit));
   uint16_t last = boxes ? BOX_PARAMETER : KEY_PARAMETER;
   for (unsigned s = 0; c->param && s < num; s++) {
      if (kind == RECORD_WORK && !record_counters_chosen(rec, of, s, boxes))
         continue;
      c->param[s] = ++last;
      sqlite3_str_appendf(create, ", \"%w_%w\"", measure_class_stat(of->cls, s)->name, unit);
      sqlite3_str_append(insert, ", ?", 3);
   }
   sqlite3_str_append(create, ")", 1);
   sqlite3_str_append(insert, ")", 1);
   char *sql = sqlite3_str_finish(insert);
   if (!c->param || !c->bound || !sql) {
      record_out_of_memory(rec);
      sqlite3_free(sqlite3_str_finish(create));
   } else if (last > (boxes ? BOX_PARAMETER : KEY_PARAMETER)) {
      record_run(rec, create);
      c->insert = sql;
      c->num_params = last;
      return;
   } else {
      sqlite3_free(sqlite3_str_finish(create));
   }
   sqlite3_free(sql);
}

static void
record_counters_make_class(struct sim_record *rec, unsigned cls, const struct sim_record_run *run)
{
   const struct sim_box_class *of = rec->measure->columns.classes[cls].cls;
   for (enum record_kind kind = 0; kind < RECORD_NUM_KINDS; kind++) {
      if (kind == RECORD_INTERVAL && !run->interval)
         continue;
      record_counters_make_table(rec, kind, cls, false);
      if (measure_class_numbered(of) && (kind == RECORD_FRAME || rec->boxes))
         record_counters_make_table(rec, kind, cls, true);
   }
}

void
record_counts_make(struct sim_record *rec, const struct sim_record_run *run)
{
   const unsigned num = rec->measure->columns.num_classes;
   rec->boxes = run->boxes;
   for (unsigned i = 0; i < RECORD_NUM_KINDS * 2; i++) {
      struct record_counts *c = calloc(num + 1, sizeof(*c));
      rec->counts[i / 2][i % 2] = c;
      if (!c)
         record_out_of_memory(rec);
   }
   for (unsigned i = 0; i < num && !rec->failed; i++)
      record_counters_make_class(rec, i, run);
}

bool
record_counts_has(const struct sim_record *rec, enum record_kind kind, unsigned cls, bool boxes)
{
   return rec->counts[kind][boxes][cls].insert;
}

/* Once all tables are there: a new one would make SQLite prepare all others again. */
static void
record_counters_prepare(struct sim_record *rec, struct record_counts *c, bool boxes)
{
   c->put = record_prepare(rec, c->insert);
   for (unsigned p = boxes ? BOX_PARAMETER + 1 : BOX_PARAMETER; c->put && p <= c->num_params; p++)
      record_number(c->put, (int)p, 0);
}

/* A row, unless it is all zeros and such are left out. box: NULL: of the class. */
static void
record_counters_put(struct sim_record *rec, struct record_counts *c, uint64_t id, const char *box,
                    const uint64_t *values, unsigned num, bool zeros)
{
   if (!c->put)
      record_counters_prepare(rec, c, box);
   for (unsigned s = 0; s < num; s++) {
      if (!c->param[s])
         continue;
      zeros |= values[s] != 0;
      if (values[s] == c->bound[s])
         continue;
      c->bound[s] = values[s];
      record_number(c->put, c->param[s], values[s]);
   }
   if (!zeros)
      return;
   record_number(c->put, KEY_PARAMETER, id);
   if (box)
      record_text(c->put, BOX_PARAMETER, box);
   record_step(rec, c->put);
}

void
record_counts_put(struct sim_record *rec, enum record_kind kind, uint64_t id, bool zeros,
                  const struct measure_values *values)
{
   const struct measure_columns *m = &rec->measure->columns;
   const struct sim_kernel *k = rec->measure->kernel;
   struct record_counts *const *counts = rec->counts[kind];
   unsigned cls = 0;
   for (unsigned i = 0; i < m->num_classes; i++) {
      const struct measure_class *of = &m->classes[i];
      if (counts[false][i].insert)
         record_counters_put(rec, &counts[false][i], id, NULL, values->value + of->first,
                             measure_class_stats(of->cls), zeros);
   }
   for (unsigned i = 0; i < k->num_boxes && (kind == RECORD_FRAME || rec->boxes); i++) {
      const struct sim_box *b = k->boxes[i];
      if (m->own[i] == NO_COLUMN)
         continue;
      while (m->classes[cls].cls != b->cls)
         cls = (cls + 1) % m->num_classes;
      if (counts[true][cls].insert)
         record_counters_put(rec, &counts[true][cls], id, b->name, values->value + m->own[i],
                             measure_class_stats(b->cls), kind == RECORD_FRAME);
   }
}

void
record_column(const struct sim_record *rec, unsigned column, unsigned *counter, int *instance)
{
   const struct measure_columns *c = &rec->measure->columns;
   const struct sim_kernel *k = rec->measure->kernel;
   *counter = column;
   *instance = -1;
   for (unsigned i = 0; column >= c->num_sums && i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      if (c->own[i] == NO_COLUMN || column < c->own[i] ||
          column >= c->own[i] + measure_class_stats(b->cls))
         continue;
      *counter = c->sum[i] + column - c->own[i];
      *instance = (int)b->instance;
   }
}

void
record_counts_free(struct sim_record *rec)
{
   for (unsigned i = 0; i < RECORD_NUM_KINDS * 2; i++) {
      struct record_counts *c = rec->counts[i / 2][i % 2];
      for (unsigned cls = 0; c && cls < rec->measure->columns.num_classes; cls++) {
         sqlite3_free(c[cls].insert);
         free(c[cls].param);
         free(c[cls].bound);
      }
      free(c);
   }
}
