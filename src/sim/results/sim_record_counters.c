/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics in a record. Frames and intervals have a table with a column per statistic, summed
 * over the boxes of a class: frame_counters. Work has a table per class, such as work_ZStencilTest:
 * a draw has a row in each, other work only in those of the few classes that worked for it; one
 * table of all columns takes more than twice the time. A view joins them. Classes that may have
 * several boxes also have a table with a row per box, frame_ZStencilTest_boxes. */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record_impl.h"

/* Parameters of an INSERT: the key, the box's name if any, then statistics. */
enum { KEY_PARAMETER = 1, BOX_PARAMETER };

/* Returns whether rows of work have any statistic of a class, or (boxes) of any of its boxes. */
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

/* Writes the next column. There are thousands of columns, and printf would take ten times longer.
 * No name needs to be escaped. */
static void
record_counters_name(sqlite3_str *s, const struct measure_class *of, unsigned stat,
                     const char *unit)
{
   sqlite3_str_append(s, ", \"", 3);
   sqlite3_str_appendall(s, measure_class_stat(of->cls, stat)->name);
   sqlite3_str_append(s, "_", 1);
   sqlite3_str_appendall(s, unit);
   sqlite3_str_append(s, "\"", 1);
}

/* Makes a table of num_classes consecutive classes. */
static void
record_counters_make_table(struct sim_record *rec, enum record_kind kind, const char *table,
                           unsigned cls, unsigned num_classes, bool boxes)
{
   const struct measure_class *of = &rec->measure->columns.classes[cls];
   struct record_counts *c = &rec->counts[kind][boxes][cls];
   uint16_t last = boxes ? BOX_PARAMETER : KEY_PARAMETER;
   sqlite3_str *create = sqlite3_str_new(rec->db), *insert = sqlite3_str_new(rec->db);
   for (unsigned i = 0; i < num_classes; i++)
      c->num += measure_class_stats(of[i].cls);
   c->param = calloc(c->num, sizeof(*c->param));
   c->bound = calloc(c->num, sizeof(*c->bound));
   sqlite3_str_appendf(create, "CREATE TABLE %s (%s INTEGER %s", table, record_kinds[kind].name,
                       boxes ? "NOT NULL, box TEXT NOT NULL" : "PRIMARY KEY");
   sqlite3_str_appendf(insert, "INSERT INTO %s VALUES (?%s", table, boxes ? ", ?" : "");
   for (unsigned i = 0, column = 0; c->param && i < num_classes; i++) {
      char unit[64];
      measure_unit_name(of[i].cls->unit, unit, sizeof(unit));
      for (unsigned s = 0; s < measure_class_stats(of[i].cls); s++, column++) {
         if (kind == RECORD_WORK && !record_counters_chosen(rec, &of[i], s, boxes))
            continue;
         c->param[column] = ++last;
         record_counters_name(create, &of[i], s, unit);
         sqlite3_str_append(insert, ", ?", 3);
      }
   }
   sqlite3_str_append(create, ")", 1);
   sqlite3_str_append(insert, ")", 1);
   c->num_params = last;
   c->insert = sqlite3_str_finish(insert);
   char *text = sqlite3_str_finish(create);
   if (!c->param || !c->bound || !c->insert || !text)
      record_out_of_memory(rec);
   else
      record_sql(rec, text);
   sqlite3_free(text);
}

/* Returns whether rows of a kind have a statistic of a class. */
static bool
record_counters_any(const struct sim_record *rec, enum record_kind kind,
                    const struct measure_class *of, bool boxes)
{
   bool any = kind != RECORD_WORK;
   for (unsigned s = 0; s < measure_class_stats(of->cls) && !any; s++)
      any = record_counters_chosen(rec, of, s, boxes);
   return any;
}

/* Makes the work and box tables of a class. */
static void
record_counters_make_class(struct sim_record *rec, enum record_kind kind, unsigned cls)
{
   const struct measure_class *of = &rec->measure->columns.classes[cls];
   const char *kind_name = record_kinds[kind].name;
   char table[200];
   snprintf(table, sizeof(table), "%s_%s", kind_name, of->cls->name);
   if (kind == RECORD_WORK && record_counters_any(rec, kind, of, false))
      record_counters_make_table(rec, kind, table, cls, 1, false);
   snprintf(table, sizeof(table), "%s_%s_boxes", kind_name, of->cls->name);
   if (measure_class_numbered(of->cls) && (kind == RECORD_FRAME || rec->boxes) &&
       record_counters_any(rec, kind, of, true))
      record_counters_make_table(rec, kind, table, cls, 1, true);
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
   for (enum record_kind kind = 0; kind < RECORD_NUM_KINDS && !rec->failed; kind++) {
      if (kind == RECORD_INTERVAL && !run->interval)
         continue;
      char table[40];
      snprintf(table, sizeof(table), "%s_counters", record_kinds[kind].name);
      if (kind != RECORD_WORK && num)
         record_counters_make_table(rec, kind, table, 0, num, false);
      for (unsigned i = 0; i < num && !rec->failed; i++)
         record_counters_make_class(rec, kind, i);
   }
}

bool
record_counts_has(const struct sim_record *rec, enum record_kind kind, unsigned cls)
{
   return rec->counts[kind][false][kind == RECORD_WORK ? cls : 0].insert;
}

/* Prepares the statements. Call it once all tables exist, since a new table would make SQLite
 * prepare all statements again. */
static void
record_counters_prepare(struct sim_record *rec, struct record_counts *c, bool boxes)
{
   c->put = record_prepare(rec, c->insert);
   for (unsigned p = boxes ? BOX_PARAMETER + 1 : BOX_PARAMETER; c->put && p <= c->num_params; p++)
      record_number(c->put, (int)p, 0);
}

/* Writes a row, unless all values are 0 and such rows are omitted. box NULL: sums of whole
 * classes. */
static void
record_counters_put(struct sim_record *rec, struct record_counts *c, uint64_t id, const char *box,
                    const uint64_t *values, bool zeros)
{
   if (!c->put)
      record_counters_prepare(rec, c, box);
   for (unsigned s = 0; s < c->num; s++) {
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
      record_word(c->put, BOX_PARAMETER, box);
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
      if (counts[false][i].insert)
         record_counters_put(rec, &counts[false][i], id, NULL, values->value + m->classes[i].first,
                             zeros);
   }
   for (unsigned i = 0; i < k->num_boxes && (kind == RECORD_FRAME || rec->boxes); i++) {
      const struct sim_box *b = k->boxes[i];
      if (m->own[i] == NO_COLUMN)
         continue;
      while (m->classes[cls].cls != b->cls)
         cls = (cls + 1) % m->num_classes;
      if (counts[true][cls].insert)
         record_counters_put(rec, &counts[true][cls], id, b->name, values->value + m->own[i],
                             kind == RECORD_FRAME);
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
