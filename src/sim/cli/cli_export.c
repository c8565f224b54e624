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
text(sqlite3_stmt *s, int column)
{
   const char *t = (const char *)sqlite3_column_text(s, column);
   return t ? t : "";
}

/* Whether a list of patterns, as of --draws-columns, names a column. */
static bool
chosen(const char *list, const char *name)
{
   char *copy = list ? strdup(list) : NULL, *save = NULL;
   bool found = !list;
   for (char *p = copy ? strtok_r(copy, ", ", &save) : NULL; p && !found;
        p = strtok_r(NULL, ", ", &save))
      found = strcmp(p, "none") && fnmatch(p, name, 0) == 0;
   free(copy);
   return found;
}

/* An array with room for one more. */
static void *
grow(struct export *e, void *array, unsigned num, size_t size)
{
   if (num & (num - 1))
      return array;
   void *grown = realloc(array, (num ? num * 2 : 1) * size);
   if (!grown)
      snprintf(e->error, sizeof(e->error), "out of host memory");
   return grown ? grown : array;
}

static void
put_name(struct export *e, FILE *f, const char *list, const char *name, struct column column)
{
   if (!chosen(list, name))
      return;
   e->columns = grow(e, e->columns, e->num_columns, sizeof(*e->columns));
   if (e->error[0])
      return;
   e->columns[e->num_columns++] = column;
   fprintf(f, ",%s", name);
}

/* Names of the columns of statistics, which are remembered. */
static void
put_names(struct export *e, FILE *f, const char *list)
{
   sqlite3_stmt *s = export_prepare(e, "SELECT name, counter FROM counters ORDER BY counter");
   e->num_columns = 0;
   while (export_step(e, s))
      put_name(e, f, list, text(s, 0), (struct column){sqlite3_column_int(s, 1), -1});
   sqlite3_finalize(s);
   s = export_prepare(
       e, "SELECT c.statistic || '_' || b.name, c.counter, b.instance FROM boxes b JOIN "
          "counters c ON c.class = b.class WHERE b.instance IS NOT NULL ORDER BY b.box, "
          "c.counter");
   while (export_step(e, s))
      put_name(e, f, list, text(s, 0),
               (struct column){sqlite3_column_int(s, 1), sqlite3_column_int(s, 2)});
   sqlite3_finalize(s);
   fputc('\n', f);
}

static void
read_layouts(struct export *e)
{
   sqlite3_stmt *s =
       export_prepare(e, "SELECT layout, counter, instance FROM layout ORDER BY layout, "
                         "place");
   while (export_step(e, s)) {
      const int layout = sqlite3_column_int(s, 0);
      const struct column c = {sqlite3_column_int(s, 1), sqlite3_column_int(s, 2)};
      if (layout < 0 || layout >= e->num_layouts || c.counter < 0 || c.counter >= e->num_counters ||
          c.instance < -1 || c.instance + 1 >= e->num_instances) {
         snprintf(e->error, sizeof(e->error), "%.200s/run.sqlite: layout %d is damaged", e->folder,
                  layout);
         break;
      }
      struct layout *l = &e->layouts[layout];
      l->place = grow(e, l->place, (unsigned)l->num, sizeof(*l->place));
      if (e->error[0])
         break;
      l->place[l->num++] = c;
   }
   sqlite3_finalize(s);
}

static uint64_t *
value_of(const struct export *e, struct column c)
{
   return &e->values[c.counter * e->num_instances + c.instance + 1];
}

/* The array of a row, into e->values. */
static void
take_counts(struct export *e, int layout, const char *counts)
{
   memset(e->values, 0, sizeof(*e->values) * (size_t)e->num_counters * (size_t)e->num_instances);
   if (!*counts || layout < 0 || layout >= e->num_layouts)
      return;
   const struct layout *l = &e->layouts[layout];
   char *end = (char *)(uintptr_t)counts;
   for (int i = 0; i < l->num && (*end == '[' || *end == ',') && end[1] != ']'; i++)
      *value_of(e, l->place[i]) = strtoull(end + 1, &end, 10);
}

static void
put_frame(FILE *f, sqlite3_stmt *s)
{
   const double cpu = sqlite3_column_double(s, 8);
   const sqlite3_int64 cycles = sqlite3_column_int64(s, 5);
   fprintf(f, "%s,%s,%s,%s,%s,%.6f,%.3f,%.3f,%.1f,%s,%s", text(s, 1), text(s, 2), text(s, 3),
           text(s, 4), text(s, 5), sqlite3_column_double(s, 6), sqlite3_column_double(s, 7), cpu,
           cpu > 0 ? (double)cycles / cpu * 1e-3 : 0.0, text(s, 9), text(s, 10));
}

static void
put_draw(FILE *f, sqlite3_stmt *s)
{
   fprintf(f, "%s,%s,%s,", text(s, 1), text(s, 2), text(s, 3));
   export_text(f, text(s, 4));
   for (int i = 5; i < 11; i++)
      fprintf(f, ",%s", text(s, i));
}

static void
put_interval(FILE *f, sqlite3_stmt *s)
{
   for (int i = 1; i < 8; i++)
      fprintf(f, "%s%s", i > 1 ? "," : "", text(s, i));
}

/* A file of rows: what each begins with, and how many columns of the query that takes. */
struct table {
   const char *file, *header, *query;
   void (*put)(FILE *f, sqlite3_stmt *s);
   int columns; /* after these: layout and counts */
};

static const struct table tables[] = {
    {"frames.csv",
     "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,cpu_seconds,kcycles_per_s,"
     "shader_cycles,memory_cycles",
     "SELECT r.frame, r.frame, draws, start_cycle, end_cycle, cycles, simulated_ms, host_seconds, "
     "cpu_seconds, shader_cycles, memory_cycles, layout, counts FROM frames r LEFT JOIN "
     "frame_counts c USING (frame) ORDER BY r.frame",
     put_frame, 11},
    {"draws.csv", "frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles",
     "SELECT r.work, frame, draw, kind, label, meta, primitive, count, start_cycle, end_cycle, "
     "cycles, layout, counts FROM work r LEFT JOIN work_counts c USING (work) ORDER BY r.work",
     put_draw, 11},
    {"cycles.csv", "interval,frame,start_cycle,end_cycle,cycles,shader_cycles,memory_cycles",
     "SELECT r.interval, r.interval, frame, start_cycle, end_cycle, cycles, shader_cycles, "
     "memory_cycles, layout, counts FROM intervals r LEFT JOIN interval_counts c USING (interval) "
     "ORDER BY r.interval",
     put_interval, 8},
};

static void
put_table(struct export *e, const struct table *t, const char *list, bool with_rows)
{
   FILE *f = export_create(e, t->file);
   if (!f)
      return;
   fputs(t->header, f);
   put_names(e, f, list);
   sqlite3_stmt *rows = export_prepare(e, t->query);
   while (with_rows && export_step(e, rows)) {
      t->put(f, rows);
      take_counts(e, sqlite3_column_int(rows, t->columns), text(rows, t->columns + 1));
      for (unsigned i = 0; i < e->num_columns; i++) {
         const uint64_t value = *value_of(e, e->columns[i]);
         if (value)
            fprintf(f, ",%llu", (unsigned long long)value);
         else
            fwrite(",0", 1, 2, f);
      }
      fputc('\n', f);
   }
   sqlite3_finalize(rows);
   export_finish(e, f, t->file);
}

static void
put_counters(struct export *e)
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
         fprintf(f, "%s,", text(s, i));
      export_text(f, text(s, 6));
      fputc(',', f);
      export_text(f, text(s, 7));
      fputc('\n', f);
   }
   sqlite3_finalize(s);
   export_finish(e, f, "counters.csv");
}

/* A line for each instruction of each frame that it was executed or waited for in. */
static void
put_instructions(struct export *e)
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
      fprintf(f, "%s,%s,", text(s, 0), text(s, 1));
      export_text(f, text(s, 2));
      for (int i = 4; i < last; i++)
         fprintf(f, ",%s", text(s, i));
      fputc(',', f);
      export_text(f, text(s, last));
      fputc('\n', f);
   }
   sqlite3_finalize(s);
   export_finish(e, f, "instructions.csv");
}

static int
one_number(struct export *e, const char *sql)
{
   sqlite3_stmt *s = export_prepare(e, sql);
   const int n = export_step(e, s) ? sqlite3_column_int(s, 0) : 0;
   sqlite3_finalize(s);
   return n;
}

static void
export_all(struct export *e, bool draws)
{
   e->num_counters = one_number(e, "SELECT max(counter) + 1 FROM counters");
   e->num_instances = one_number(e, "SELECT coalesce(max(instance), 0) + 2 FROM boxes");
   e->values = calloc((size_t)e->num_counters * (size_t)e->num_instances + 1, sizeof(*e->values));
   e->num_layouts = one_number(e, "SELECT coalesce(max(layout), 0) + 1 FROM layout");
   e->layouts = calloc((size_t)e->num_layouts + 1, sizeof(*e->layouts));
   if (!e->values || !e->layouts)
      snprintf(e->error, sizeof(e->error), "out of host memory");
   read_layouts(e);
   sqlite3_stmt *s = export_prepare(e, "SELECT draws_columns FROM run");
   char *list = export_step(e, s) && sqlite3_column_text(s, 0) ? strdup(text(s, 0)) : NULL;
   sqlite3_finalize(s);
   put_table(e, &tables[0], NULL, true);
   put_table(e, &tables[1], list, draws);
   if (one_number(e, "SELECT count(*) FROM intervals"))
      put_table(e, &tables[2], NULL, true);
   if (one_number(e, "SELECT count(*) FROM sqlite_master WHERE name = 'frame_instructions'"))
      put_instructions(e);
   put_counters(e);
   export_energy(e);
   free(list);
   free(e->values);
   free(e->columns);
   for (int i = 0; e->layouts && i < e->num_layouts; i++)
      free(e->layouts[i].place);
   free(e->layouts);
}

int
cli_export_tables(const char *folder, bool draws)
{
   struct export e = {.folder = folder};
   char path[4400];
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   if (sqlite3_open_v2(path, &e.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
      snprintf(e.error, sizeof(e.error), "%.400s: %s", path, sqlite3_errmsg(e.db));
   else
      export_all(&e, draws);
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
   return perfetto ? cli_perfetto(o, args[0]) : cli_export_tables(args[0], true);
}
