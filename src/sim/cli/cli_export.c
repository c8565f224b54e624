/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim export: the tables of a record as CSV files: frames.csv and draws.csv as a run writes
 * them, cycles.csv of its intervals, instructions.csv of its programs, counters.csv with what the
 * columns mean. Reads run.sqlite and nothing else, so it works on any machine's record. Not here:
 * what the tables hold (docs/reference/record.md), energies (cli_export_energy.c).
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_export.h"
#include "cli/cli_record.h"

sqlite3_stmt *
export_prepare(struct export *e, const char *sql)
{
   sqlite3_stmt *s = NULL;
   if (!e->error[0] && sqlite3_prepare_v2(e->db, sql, -1, &s, NULL) != SQLITE_OK)
      snprintf(e->error, sizeof(e->error), "%.200s/run.sqlite: %.200s", e->folder,
               sqlite3_errmsg(e->db));
   return s;
}

bool
export_step(struct export *e, sqlite3_stmt *s)
{
   const int result = s && !e->error[0] ? sqlite3_step(s) : SQLITE_DONE;
   if (result != SQLITE_ROW && result != SQLITE_DONE)
      snprintf(e->error, sizeof(e->error), "%.200s/run.sqlite: %.200s", e->folder,
               sqlite3_errmsg(e->db));
   return result == SQLITE_ROW;
}

bool
export_has(struct export *e, const char *name)
{
   sqlite3_stmt *s = export_prepare(e, "SELECT 1 FROM sqlite_master WHERE name = ?");
   sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
   const bool has = export_step(e, s);
   sqlite3_finalize(s);
   return has;
}

FILE *
export_create(struct export *e, const char *name)
{
   char path[4400];
   snprintf(path, sizeof(path), "%s/%s", e->folder, name);
   FILE *f = e->error[0] ? NULL : fopen(path, "we");
   if (!f && !e->error[0])
      snprintf(e->error, sizeof(e->error), "%.400s: %s", path, strerror(errno));
   return f;
}

void
export_finish(struct export *e, FILE *f, const char *name)
{
   const bool bad = f && ferror(f);
   if (f && (fclose(f) || bad) && !e->error[0])
      snprintf(e->error, sizeof(e->error), "%.400s/%s: %s", e->folder, name,
               strerror(errno ? errno : EIO));
}

void
export_text(FILE *f, const char *text)
{
   fputc('"', f);
   for (; text && *text; text++) {
      if (*text == '"')
         fputc('"', f);
      fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
   }
   fputc('"', f);
}

static const char *
cli_export_text(sqlite3_stmt *s, int column)
{
   const char *t = (const char *)sqlite3_column_text(s, column);
   return t ? t : "";
}

/* Whether a list of patterns, as of --draws-columns, names a column. */
static bool
cli_export_chosen(const char *list, const char *name)
{
   char *copy = list ? strdup(list) : NULL, *save = NULL;
   bool found = !list;
   for (char *p = copy ? strtok_r(copy, ", ", &save) : NULL; p && !found;
        p = strtok_r(NULL, ", ", &save))
      found = strcmp(p, "none") && fnmatch(p, name, 0) == 0;
   free(copy);
   return found;
}

/* --- Statistics of single boxes: a table for each class, with rows in the order of keys --- */

#define MOST_CLASSES 256

struct boxes {
   sqlite3_stmt *of_class[MOST_CLASSES]; /* its present row: the next that is to be written */
   char *class[MOST_CLASSES];
   bool row[MOST_CLASSES];
   unsigned num;
   sqlite3_stmt *list; /* class, name, unit of each box */
};

static void
cli_export_open_boxes(struct export *e, struct boxes *b, const char *kind)
{
   sqlite3_stmt *s = export_prepare(
       e, "SELECT DISTINCT class FROM boxes WHERE EXISTS (SELECT 1 FROM sqlite_master WHERE name = "
          "? || '_' || class || '_boxes')");
   sqlite3_bind_text(s, 1, kind, -1, SQLITE_STATIC);
   while (export_step(e, s) && b->num < MOST_CLASSES) {
      char *query = sqlite3_mprintf("SELECT * FROM \"%w_%w_boxes\" ORDER BY rowid", kind,
                                    cli_export_text(s, 0));
      b->class[b->num] = strdup(cli_export_text(s, 0));
      b->of_class[b->num] = query ? export_prepare(e, query) : NULL;
      b->row[b->num] = export_step(e, b->of_class[b->num]);
      b->num++;
      sqlite3_free(query);
   }
   sqlite3_finalize(s);
   b->list =
       export_prepare(e, "SELECT class, name, unit FROM boxes WHERE instance IS NOT NULL ORDER BY "
                         "box");
}

static void
cli_export_close_boxes(struct boxes *b)
{
   for (unsigned i = 0; i < b->num; i++) {
      sqlite3_finalize(b->of_class[i]);
      free(b->class[i]);
   }
   sqlite3_finalize(b->list);
}

/* The class's table of the next box in the list; NULL: there is none; false: no box any more. */
static bool
cli_export_next_box(struct export *e, const struct boxes *b, unsigned *table)
{
   while (export_step(e, b->list)) {
      for (*table = 0; *table < b->num; ++*table) {
         if (!strcmp(b->class[*table], cli_export_text(b->list, 0)))
            return true;
      }
   }
   sqlite3_reset(b->list);
   return false;
}

/* --- Rows --- */

/* A column's name: "InputFragments_ZST-SU0" */
static void
cli_export_box_column(const struct boxes *b, unsigned table, int column, char *name, size_t size)
{
   const char *of_unit = sqlite3_column_name(b->of_class[table], column);
   const int statistic = (int)(strlen(of_unit) - strlen(cli_export_text(b->list, 2)));
   snprintf(name, size, "%.*s%s", statistic, of_unit, cli_export_text(b->list, 1));
}

enum { FIRST_OF_BOX = 2 }; /* column after the key and the box */

static void
cli_export_put_names(struct export *e, FILE *f, sqlite3_stmt *rows, int first,
                     const struct boxes *b, const char *list)
{
   char name[300];
   unsigned table;
   for (int i = first; i < sqlite3_column_count(rows); i++)
      fprintf(f, cli_export_chosen(list, sqlite3_column_name(rows, i)) ? ",%s" : "",
              sqlite3_column_name(rows, i));
   while (cli_export_next_box(e, b, &table)) {
      for (int i = FIRST_OF_BOX; i < sqlite3_column_count(b->of_class[table]); i++) {
         cli_export_box_column(b, table, i, name, sizeof(name));
         fprintf(f, cli_export_chosen(list, name) ? ",%s" : "", name);
      }
   }
   fputc('\n', f);
}

static void
cli_export_put_boxes(struct export *e, FILE *f, struct boxes *b, sqlite3_int64 key,
                     const char *list)
{
   char name[300];
   unsigned table;
   while (cli_export_next_box(e, b, &table)) {
      sqlite3_stmt *s = b->of_class[table];
      const bool here = b->row[table] && sqlite3_column_int64(s, 0) == key &&
                        !strcmp(cli_export_text(s, 1), cli_export_text(b->list, 1));
      for (int i = FIRST_OF_BOX; i < sqlite3_column_count(s); i++) {
         cli_export_box_column(b, table, i, name, sizeof(name));
         if (!list || cli_export_chosen(list, name))
            fprintf(f, ",%s", here ? cli_export_text(s, i) : "0");
      }
      if (here)
         b->row[table] = export_step(e, s);
   }
}

static void
cli_export_put_frame(FILE *f, sqlite3_stmt *s)
{
   const double cpu = sqlite3_column_double(s, 8);
   const sqlite3_int64 cycles = sqlite3_column_int64(s, 5);
   fprintf(f, "%s,%s,%s,%s,%s,%.6f,%.3f,%.3f,%.1f,%s,%s", cli_export_text(s, 1),
           cli_export_text(s, 2), cli_export_text(s, 3), cli_export_text(s, 4),
           cli_export_text(s, 5), sqlite3_column_double(s, 6), sqlite3_column_double(s, 7), cpu,
           cpu > 0 ? (double)cycles / cpu * 1e-3 : 0.0, cli_export_text(s, 9),
           cli_export_text(s, 10));
}

static void
cli_export_put_draw(FILE *f, sqlite3_stmt *s)
{
   fprintf(f, "%s,%s,%s,", cli_export_text(s, 1), cli_export_text(s, 2), cli_export_text(s, 3));
   export_text(f, cli_export_text(s, 4));
   for (int i = 5; i < 13; i++)
      fprintf(f, ",%s", cli_export_text(s, i));
   if (sqlite3_column_type(s, 13) == SQLITE_NULL)
      fputc(',', f);
   else
      fprintf(f, ",%.4f", sqlite3_column_double(s, 13));
}

static void
cli_export_put_interval(FILE *f, sqlite3_stmt *s)
{
   for (int i = 1; i < 8; i++)
      fprintf(f, "%s%s", i > 1 ? "," : "", cli_export_text(s, i));
}

/* A file of rows: what each begins with, and how many columns of the query that takes. */
struct table {
   const char *file, *header, *kind, *columns, *from;
   void (*put)(FILE *f, sqlite3_stmt *s);
   int num; /* of columns; then come statistics */
};

static const struct table tables[] = {
    {"frames.csv",
     "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,cpu_seconds,kcycles_per_s,"
     "shader_cycles,memory_cycles",
     "frame",
     "r.frame, r.frame, draws, start_cycle, end_cycle, cycles, simulated_ms, host_seconds, "
     "cpu_seconds, shader_cycles, memory_cycles",
     "frames", cli_export_put_frame, 11},
    {"draws.csv",
     "frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles,exclusive_cycles,limiter,"
     "limiter_share",
     "work",
     "r.work, frame, draw, kind, label, meta, primitive, count, start_cycle, end_cycle, cycles, "
     "exclusive_cycles, limiter, limiter_share",
     "work", cli_export_put_draw, 14},
    {"cycles.csv", "interval,frame,start_cycle,end_cycle,cycles,shader_cycles,memory_cycles",
     "interval",
     "r.interval, r.interval, frame, start_cycle, end_cycle, cycles, shader_cycles, memory_cycles",
     "intervals", cli_export_put_interval, 8},
};

/* The query of a table: its columns, and those of statistics where it has them. */
static sqlite3_stmt *
cli_export_prepare_rows(struct export *e, const struct table *t)
{
   char view[40], *counters = NULL;
   snprintf(view, sizeof(view), "%s_counters", t->kind);
   if (export_has(e, view)) {
      sqlite3_str *names = sqlite3_str_new(e->db);
      char *query = sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q) WHERE cid > 0", view);
      sqlite3_stmt *s = export_prepare(e, query);
      while (export_step(e, s))
         sqlite3_str_appendf(names, ", c.\"%w\"", cli_export_text(s, 0));
      sqlite3_finalize(s);
      sqlite3_free(query);
      counters = sqlite3_str_finish(names);
   }
   char *query = counters ? sqlite3_mprintf("SELECT %s%s FROM %s r JOIN %s c USING (%s) ORDER BY 1",
                                            t->columns, counters, t->from, view, t->kind)
                          : sqlite3_mprintf("SELECT %s FROM %s r ORDER BY 1", t->columns, t->from);
   sqlite3_stmt *rows = export_prepare(e, query);
   sqlite3_free(query);
   sqlite3_free(counters);
   return rows;
}

static void
cli_export_put_table(struct export *e, const struct table *t, const char *list)
{
   struct boxes b = {0};
   FILE *f = export_create(e, t->file);
   if (!f)
      return;
   sqlite3_stmt *rows = cli_export_prepare_rows(e, t);
   cli_export_open_boxes(e, &b, t->kind);
   fputs(t->header, f);
   cli_export_put_names(e, f, rows, t->num, &b, list);
   while (export_step(e, rows)) {
      t->put(f, rows);
      for (int i = t->num; i < sqlite3_column_count(rows); i++)
         if (!list || cli_export_chosen(list, sqlite3_column_name(rows, i)))
            fprintf(f, ",%s",
                    sqlite3_column_type(rows, i) == SQLITE_NULL ? "0" : cli_export_text(rows, i));
      cli_export_put_boxes(e, f, &b, sqlite3_column_int64(rows, 0), list);
      fputc('\n', f);
   }
   sqlite3_finalize(rows);
   cli_export_close_boxes(&b);
   export_finish(e, f, t->file);
}

static void
cli_export_put_counters(struct export *e)
{
   FILE *f = export_create(e, "counters.csv");
   if (!f)
      return;
   fputs("name,statistic,class,unit,boxes,measure,meaning,attribution\n", f);
   sqlite3_stmt *s =
       export_prepare(e, "SELECT name, statistic, class, unit, boxes, measure, meaning, "
                         "attribution FROM counters ORDER BY counter");
   while (export_step(e, s)) {
      for (int i = 0; i < 6; i++)
         fprintf(f, "%s,", cli_export_text(s, i));
      export_text(f, cli_export_text(s, 6));
      fputc(',', f);
      export_text(f, cli_export_text(s, 7));
      fputc('\n', f);
   }
   sqlite3_finalize(s);
   export_finish(e, f, "counters.csv");
}

/* A line for each instruction of each frame that it was executed or waited for in. */
static void
cli_export_put_instructions(struct export *e)
{
   sqlite3_stmt *s =
       export_prepare(e, "SELECT i.frame, stage, name, i.*, text FROM frame_instructions i "
                         "JOIN programs USING (program) JOIN instructions USING (program, "
                         "position) ORDER BY i.frame, i.program, i.position");
   FILE *f = NULL;
   while (export_step(e, s)) {
      const int last = sqlite3_column_count(s) - 1;
      if (!f && !(f = export_create(e, "instructions.csv")))
         break;
      if (!ftell(f)) {
         fputs("frame,stage,name", f);
         for (int i = 4; i <= last; i++)
            fprintf(f, ",%s", sqlite3_column_name(s, i));
         fputc('\n', f);
      }
      fprintf(f, "%s,%s,", cli_export_text(s, 0), cli_export_text(s, 1));
      export_text(f, cli_export_text(s, 2));
      for (int i = 4; i < last; i++)
         fprintf(f, ",%s", cli_export_text(s, i));
      fputc(',', f);
      export_text(f, cli_export_text(s, last));
      fputc('\n', f);
   }
   sqlite3_finalize(s);
   export_finish(e, f, "instructions.csv");
}

static void
cli_export_all(struct export *e)
{
   sqlite3_stmt *s = export_prepare(e, "SELECT draws_columns FROM run");
   char *list =
       export_step(e, s) && sqlite3_column_text(s, 0) ? strdup(cli_export_text(s, 0)) : NULL;
   sqlite3_finalize(s);
   s = export_prepare(e, "SELECT 1 FROM intervals");
   const bool intervals = export_step(e, s);
   sqlite3_finalize(s);
   cli_export_put_table(e, &tables[0], NULL);
   cli_export_put_table(e, &tables[1], list);
   if (intervals)
      cli_export_put_table(e, &tables[2], NULL);
   cli_export_put_instructions(e);
   cli_export_put_counters(e);
   export_energy(e);
   free(list);
}

int
cli_export_tables(const char *folder)
{
   struct export e = {.folder = folder};
   if ((e.db = cli_record_open(folder, e.error, sizeof(e.error))))
      cli_export_all(&e);
   sqlite3_close(e.db);
   if (e.error[0])
      fprintf(stderr, "attila-sim: %s\n", e.error);
   return e.error[0] ? CLI_FILE : CLI_OK;
}

int
cli_export(struct cli_options *o, char **args)
{
   const bool perfetto = o->format && !strcmp(o->format, "perfetto");
   if (!perfetto && (o->frames.given || o->file))
      return cli_complain(o, "%s needs --format perfetto", o->file ? "--out" : "--frames");
   if (o->file && o->num_args > 1)
      return cli_complain(o, "--out %s is one file, but there are several folders", o->file);
   return perfetto ? cli_perfetto(o, args[0]) : cli_export_tables(args[0]);
}
