/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim merge: joins the records of workers that simulated frames of a run in parallel
 * (session/execute/workers.c), as if one had simulated them in order: cycles, work and intervals
 * continue from worker to worker; equal programs and bindings become one. It follows the names of
 * columns, so new tables with these names need no code here. Text tables are concatenated. Not
 * here: the contents of a record (docs/reference/record.md). */
#include <dirent.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"
#include "cli/cli_record.h"
#include "core/sim_file.h"

struct merge {
   sqlite3 *db; /* the new record; a worker's is attached as w */
   const char *folder;
   FILE *frames, *draws; /* text tables, as frames.csv.new and draws.csv.new until they are whole */
   bool bad;
};

#define STILL_WRITES "a worker still writes its record: merge again when it has ended"

/* Executes SQL. format: for sqlite3_mprintf. */
static void
cli_merge_sql(struct merge *m, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   char *text = sqlite3_vmprintf(format, args);
   va_end(args);
   if (!m->bad && (!text || sqlite3_exec(m->db, text, NULL, NULL, NULL) != SQLITE_OK)) {
      fprintf(stderr, "attila-sim: %s: %s\n", m->folder,
              sqlite3_errcode(m->db) == SQLITE_BUSY ? STILL_WRITES : sqlite3_errmsg(m->db));
      m->bad = true;
   }
   sqlite3_free(text);
}

static sqlite3_stmt *
cli_merge_prepare(struct merge *m, const char *text)
{
   sqlite3_stmt *s = NULL;
   if (!m->bad && sqlite3_prepare_v2(m->db, text, -1, &s, NULL) != SQLITE_OK) {
      fprintf(stderr, "attila-sim: %s: %s\n", m->folder, sqlite3_errmsg(m->db));
      m->bad = true;
   }
   return s;
}

static int64_t
cli_merge_number(struct merge *m, const char *text)
{
   sqlite3_stmt *s = cli_merge_prepare(m, text);
   const int64_t value = s && sqlite3_step(s) == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
   sqlite3_finalize(s);
   return value;
}

/* Returns the expression for a column of a worker's table whose values change, or NULL if they do
 * not. */
static const char *
cli_merge_changed_column(const char *column)
{
   static const char *const list[][2] = {
       {"start_cycle", "start_cycle + (SELECT cycles FROM offsets)"},
       {"end_cycle", "end_cycle + (SELECT cycles FROM offsets)"},
       {"work", "work + (SELECT work FROM offsets)"},
       {"interval", "interval + (SELECT intervals FROM offsets)"},
       {"program", "(SELECT now FROM same_programs WHERE old = program)"},
       {"vertex_program", "(SELECT now FROM same_programs WHERE old = vertex_program)"},
       {"geometry_program", "(SELECT now FROM same_programs WHERE old = geometry_program)"},
       {"fragment_program", "(SELECT now FROM same_programs WHERE old = fragment_program)"},
       {"compute_program", "(SELECT now FROM same_programs WHERE old = compute_program)"},
       {"pipeline", "pipeline + (SELECT pipelines FROM offsets)"},
       {"item", "(SELECT now FROM same_items WHERE old = item)"},
       {"bindings", "(SELECT now FROM same_bindings WHERE old = bindings)"},
       {"cycle", "cycle + (SELECT cycles FROM offsets)"},
       {"change", "NULL"},
   };
   for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
      if (!strcmp(list[i][0], column))
         return list[i][1];
   }
   return NULL;
}

/* Appends a table of the worker. */
static void
cli_merge_append_table(struct merge *m, const char *table)
{
   char query[300];
   snprintf(query, sizeof(query), "SELECT name FROM pragma_table_info('%s')", table);
   sqlite3_stmt *s = cli_merge_prepare(m, query);
   sqlite3_str *columns = sqlite3_str_new(m->db);
   while (s && sqlite3_step(s) == SQLITE_ROW) {
      const char *name = (const char *)sqlite3_column_text(s, 0),
                 *now = cli_merge_changed_column(name);
      sqlite3_str_appendf(columns, "%s", sqlite3_str_length(columns) ? ", " : "");
      if (now)
         sqlite3_str_appendall(columns, now);
      else
         sqlite3_str_appendf(columns, "\"%w\"", name);
   }
   sqlite3_finalize(s);
   char *list = sqlite3_str_finish(columns);
   cli_merge_sql(
       m, "INSERT OR IGNORE INTO main.\"%w\" SELECT %s FROM w.\"%w\"%s", table, list, table,
       strcmp(table, "bindings") ? "" : " WHERE bindings IN (SELECT old FROM fresh_bindings)");
   sqlite3_free(list);
}

/* Finds equal programs by stage, name, code and uniforms. */
static void
cli_merge_find_same_programs(struct merge *m)
{
   cli_merge_sql(
       m, "CREATE TEMP TABLE same_programs (old INTEGER PRIMARY KEY, now INTEGER);"
          "INSERT INTO same_programs SELECT w.program, (SELECT min(p.program) FROM main.programs p "
          "WHERE p.stage = w.stage AND p.hash = w.hash AND p.name IS w.name AND p.uniforms IS "
          "w.uniforms) FROM w.programs w;"
          "CREATE TEMP TABLE fresh AS SELECT old, row_number() OVER (ORDER BY old) AS place FROM "
          "same_programs WHERE now IS NULL;"
          "UPDATE same_programs SET now = (SELECT coalesce(max(program), 0) FROM main.programs) + "
          "(SELECT place FROM fresh WHERE fresh.old = same_programs.old) WHERE now IS NULL;"
          "DROP TABLE fresh;");
}

/* Finds equal items of states: those of a program by its number, all others have the same. */
static void
cli_merge_find_same_items(struct merge *m)
{
   cli_merge_sql(
       m, "CREATE TEMP TABLE same_items (old INTEGER PRIMARY KEY, now INTEGER);"
          "INSERT INTO same_items SELECT w.item, CASE WHEN w.program IS NULL THEN w.item ELSE "
          "(SELECT p.item FROM main.pipeline_items p WHERE p.name = w.name AND p.part = w.part AND "
          "p.program = (SELECT now FROM same_programs WHERE old = w.program)) END FROM "
          "w.pipeline_items w;"
          "CREATE TEMP TABLE fresh AS SELECT old, row_number() OVER (ORDER BY old) AS place FROM "
          "same_items WHERE now IS NULL;"
          "UPDATE same_items SET now = (SELECT max(item) FROM (SELECT item FROM "
          "main.pipeline_items UNION SELECT now FROM same_items)) + (SELECT place FROM fresh WHERE "
          "fresh.old = same_items.old) WHERE now IS NULL;"
          "DROP TABLE fresh;");
}

/* Finds equal bindings: rows with the same number form a set. The new sets are in
 * fresh_bindings. */
static void
cli_merge_find_same_bindings(struct merge *m)
{
   cli_merge_sql(
       m,
       "CREATE TEMP TABLE set_of AS SELECT bindings AS number, group_concat(quote(slot) || ',' || "
       "address || ',' || quote(format) || ',' || quote(target) || ',' || width || ',' || height "
       "|| ',' || depth || ',' || levels || ',' || samples || ',' || quote(label), ';') AS what "
       "FROM (SELECT * FROM w.bindings ORDER BY bindings, slot) GROUP BY bindings;"
       "CREATE TEMP TABLE IF NOT EXISTS known_bindings (what TEXT PRIMARY KEY, number INTEGER);"
       "CREATE TEMP TABLE same_bindings (old INTEGER PRIMARY KEY, now INTEGER);"
       "INSERT INTO same_bindings SELECT number, (SELECT k.number FROM known_bindings k WHERE "
       "k.what = s.what) FROM set_of s;"
       "CREATE TEMP TABLE fresh_bindings AS SELECT old, row_number() OVER (ORDER BY old) AS place "
       "FROM same_bindings WHERE now IS NULL;"
       "UPDATE same_bindings SET now = (SELECT coalesce(max(number), 0) FROM known_bindings) + "
       "(SELECT place FROM fresh_bindings f WHERE f.old = same_bindings.old) WHERE now IS NULL;"
       "INSERT OR IGNORE INTO known_bindings SELECT s.what, b.now FROM set_of s JOIN same_bindings "
       "b ON b.old = s.number; DROP TABLE set_of");
}

/* The first state of a worker has only what is there: what the workers before had and it has not
 * ends with it. Uniforms stay: each program that a worker uses has all of them anew. */
static void
cli_merge_end_pipelines(struct merge *m)
{
   cli_merge_sql(
       m,
       "INSERT INTO main.pipelines SELECT o.pipelines + 1, s.item, NULL FROM offsets o JOIN "
       "(SELECT item, value, max(pipeline) FROM main.pipelines, offsets WHERE pipeline <= "
       "pipelines GROUP BY item) s WHERE s.value IS NOT NULL AND s.item NOT IN (SELECT item FROM "
       "w.pipelines WHERE pipeline = 1) AND s.item NOT IN (SELECT item FROM main.pipeline_items "
       "WHERE program IS NOT NULL) AND EXISTS (SELECT 1 FROM w.pipelines)");
}

/* --- Tables of text --- */

/* Writes a line after adding offset to its fields first and first + 1, which are cycles. */
static void
cli_merge_put_line(FILE *f, const char *line, unsigned first, int64_t offset)
{
   unsigned field = 0;
   bool quoted = false;
   for (const char *p = line; *p;) {
      if (field == first || field == first + 1) {
         char *end;
         fprintf(f, "%lld", strtoll(p, &end, 10) + (long long)offset);
         p = end;
      }
      for (; *p && (quoted || *p != ','); p++) {
         quoted ^= *p == '"';
         fputc(*p, f);
      }
      if (*p == ',')
         fputc(*p++, f);
      field++;
   }
}

/* Returns the path of a worker's file, or of its folder if name is "". The caller frees it. */
static char *
cli_merge_path(const struct merge *m, const char *worker, const char *name)
{
   return sim_file_path("%s/workers/%s%s%s", m->folder, worker, *name ? "/" : "", name);
}

/* Appends the rows of a worker's text table. */
static void
cli_merge_append_rows(struct merge *m, const char *worker, const char *table, unsigned first_cycle,
                      int64_t offset, FILE **out)
{
   char *from = cli_merge_path(m, worker, table),
        *to = sim_file_path("%s/%s.new", m->folder, table);
   char *line = NULL;
   size_t size = 0;
   char error[4900] = "";
   FILE *in = fopen(from, "re");
   if (!in)
      snprintf(error, sizeof(error), "%s: %s", from, strerror(errno));
   const bool header = !*out;
   if (in && header)
      *out = sim_file_stream(to, "w", SIM_FILE_OURS, error, sizeof(error));
   for (bool first = true; in && *out && getline(&line, &size, in) > 0; first = false) {
      if (!first)
         cli_merge_put_line(*out, line, first_cycle, offset);
      else if (header)
         fputs(line, *out);
   }
   if (*out && ferror(*out))
      snprintf(error, sizeof(error), "%s: %s", to, strerror(errno));
   if (error[0]) {
      fprintf(stderr, "attila-sim: %s\n", error);
      m->bad = true;
   }
   free(line);
   free(from);
   free(to);
   if (in)
      fclose(in);
}

static void
cli_merge_close_table(struct merge *m, FILE *f, const char *name)
{
   if (!f || fclose(f) == 0)
      return;
   fprintf(stderr, "attila-sim: %s/%s.new: %s\n", m->folder, name, strerror(errno));
   m->bad = true;
}

/* Renames the complete file NAME.new to NAME, or removes it if the merge failed. */
static void
cli_merge_keep(struct merge *m, const char *name)
{
   char *made = sim_file_path("%s/%s.new", m->folder, name),
        *path = sim_file_path("%s/%s", m->folder, name);
   if (m->bad) {
      unlink(made);
   } else if (rename(made, path)) {
      fprintf(stderr, "attila-sim: %s: %s\n", path, strerror(errno));
      unlink(made);
      m->bad = true;
   }
   free(made);
   free(path);
}

/* --- Workers --- */

/* Returns whether the attached worker's record is complete. */
static bool
cli_merge_finished(struct merge *m)
{
   sqlite3_stmt *s = NULL;
   const bool whole =
       sqlite3_prepare_v2(m->db, "SELECT complete FROM w.run", -1, &s, NULL) == SQLITE_OK &&
       sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) == 1;
   sqlite3_finalize(s);
   return whole;
}

/* Returns false if the worker did not finish: its frames are left out. */
static bool
cli_merge_append_worker(struct merge *m, const char *name)
{
   cli_merge_sql(m, "ATTACH '%q/workers/%q/run.sqlite' AS w", m->folder, name);
   if (!m->bad && !cli_merge_finished(m)) {
      fprintf(stderr, "attila-sim: %s/workers/%s: the worker did not finish: left out\n", m->folder,
              name);
      cli_merge_sql(m, "DETACH w");
      return false;
   }
   cli_merge_sql(
       m, "BEGIN; CREATE TEMP TABLE offsets AS SELECT (SELECT coalesce(max(end_cycle), 0) FROM "
          "main.frames) - (SELECT coalesce(min(start_cycle), 0) FROM w.frames) AS cycles, (SELECT "
          "coalesce(max(work), 0) FROM main.work) AS work, (SELECT coalesce(max(interval) + 1, 0) "
          "FROM main.intervals) - (SELECT coalesce(min(interval), 0) FROM w.intervals) AS "
          "intervals, (SELECT coalesce(max(pipeline), 0) FROM main.pipelines) AS pipelines");
   cli_merge_find_same_programs(m);
   cli_merge_find_same_items(m);
   cli_merge_find_same_bindings(m);
   sqlite3_stmt *s =
       cli_merge_prepare(m, "SELECT name FROM w.sqlite_master WHERE type = 'table' AND name NOT "
                            "IN ('run', 'configuration', 'boxes', 'counters', 'kinds') "
                            "AND name NOT LIKE 'sqlite_%' ORDER BY rowid");
   while (s && sqlite3_step(s) == SQLITE_ROW)
      cli_merge_append_table(m, (const char *)sqlite3_column_text(s, 0));
   sqlite3_finalize(s);
   cli_merge_end_pipelines(m);
   const int64_t offset = cli_merge_number(m, "SELECT cycles FROM offsets");
   cli_merge_append_rows(m, name, "frames.csv", 2, offset, &m->frames);
   cli_merge_append_rows(m, name, "draws.csv", 7, offset, &m->draws);
   cli_merge_sql(
       m, "UPDATE main.run SET wall_seconds = wall_seconds + (SELECT wall_seconds FROM w.run), "
          "cpu_seconds = cpu_seconds + (SELECT cpu_seconds FROM w.run);"
          "DROP TABLE offsets; DROP TABLE same_programs; DROP TABLE same_items; DROP TABLE "
          "same_bindings; DROP TABLE fresh_bindings; COMMIT; DETACH w");
   return true;
}

/* Appends the finished workers, and sets a bit for each. Returns how many did not finish. */
static int
cli_merge_append_workers(struct merge *m, struct dirent *const *list, int n, bool *appended)
{
   int left_out = 0;
   for (int i = 0; i < n && !m->bad; i++) {
      appended[i] = cli_merge_append_worker(m, list[i]->d_name);
      left_out += !appended[i];
   }
   char *complete = sqlite3_mprintf("%s/workers/complete", m->folder);
   /* The program may have been killed before its last workers started. */
   if (left_out || !complete || access(complete, F_OK))
      cli_merge_sql(m, "UPDATE main.run SET complete = 0");
   sqlite3_free(complete);
   if (left_out == n) {
      fprintf(stderr, "attila-sim: %s/workers: no worker finished\n", m->folder);
      m->bad = true;
   }
   return left_out;
}

/* Starts from the first worker's record without the rows that workers add. */
static void
cli_merge_begin(struct merge *m, const char *path, const char *first)
{
   char *from = cli_merge_path(m, first, "run.sqlite");
   sqlite3 *source = NULL;
   sqlite3_backup *backup = NULL;
   if (sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
       sqlite3_open_v2(path, &m->db,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW,
                       NULL) == SQLITE_OK)
      backup = sqlite3_backup_init(m->db, "main", source, "main");
   const int copied = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(source);
   m->bad = copied != SQLITE_DONE;
   if (m->bad)
      fprintf(stderr, "attila-sim: %s: %s\n", from,
              copied == SQLITE_BUSY ? STILL_WRITES : sqlite3_errstr(copied));
   free(from);
   sqlite3_backup_finish(backup);
   sqlite3_close(source);
   if (!m->bad && !cli_merge_number(m, "SELECT count(*) FROM boxes") && !m->bad) {
      fprintf(stderr, "attila-sim: %s/workers: the first worker's record is missing\n", m->folder);
      m->bad = true;
   }
   sqlite3_stmt *s = cli_merge_prepare(
       m, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('run', "
          "'configuration', 'boxes', 'counters', 'kinds') AND name NOT LIKE 'sqlite_%'");
   sqlite3_str *text = sqlite3_str_new(m->db);
   while (s && sqlite3_step(s) == SQLITE_ROW)
      sqlite3_str_appendf(text, "DELETE FROM \"%w\";", sqlite3_column_text(s, 0));
   sqlite3_finalize(s);
   char *list = sqlite3_str_finish(text);
   cli_merge_sql(
       m,
       "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; UPDATE run SET wall_seconds = 0, "
       "cpu_seconds = 0; %s",
       list ? list : "");
   sqlite3_free(list);
}

static int
cli_merge_is_worker(const struct dirent *d)
{
   return d->d_name[0] >= '0' && d->d_name[0] <= '9';
}

/* Moves pictures of frames and the descriptions of columns to the run's folder. */
static void
cli_merge_move_files(const struct merge *m, const char *name)
{
   char *folder = cli_merge_path(m, name, "");
   struct dirent **list;
   const int n = scandir(folder, &list, NULL, alphasort);
   for (int i = 0; i < n; i++) {
      const char *end = strrchr(list[i]->d_name, '.');
      if ((end && !strcmp(end, ".png")) || !strcmp(list[i]->d_name, "counters.csv")) {
         char *from = cli_merge_path(m, name, list[i]->d_name),
              *to = sim_file_path("%s/%s", m->folder, list[i]->d_name);
         rename(from, to);
         free(from);
         free(to);
      }
      free(list[i]);
   }
   if (n >= 0)
      free(list);
   free(folder);
}

static void
cli_merge_remove_worker(const struct merge *m, const char *name)
{
   static const char *const files[] = {"run.sqlite", "frames.csv", "draws.csv", ""};
   cli_merge_move_files(m, name);
   for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
      char *path = cli_merge_path(m, name, files[i]);
      remove(path);
      free(path);
   }
}

int
cli_merge_workers(const char *folder)
{
   struct merge m = {.folder = folder};
   struct dirent **list;
   char *workers = cli_merge_path(&m, "", "");
   const int n = scandir(workers, &list, cli_merge_is_worker, alphasort), reason = errno;
   free(workers);
   if (n < 0 && reason == ENOENT && access(folder, F_OK))
      return cli_fail("%s is no folder", folder);
   if (n < 0 && reason == ENOENT)
      return cli_fail(
          "%s/workers: there are no reports of workers, as attila-sim run --jobs makes them",
          folder);
   if (n <= 0)
      return cli_fail("%s/workers: %s", folder, n < 0 ? strerror(reason) : "no workers");
   bool *appended = calloc((size_t)n, sizeof(*appended));
   char *made = sim_file_path("%s/run.sqlite.new", folder);
   unlink(made);
   cli_merge_begin(&m, made, list[0]->d_name);
   m.bad |= !appended;
   const int left_out = cli_merge_append_workers(&m, list, n, appended);
   cli_merge_close_table(&m, m.frames, "frames.csv");
   cli_merge_close_table(&m, m.draws, "draws.csv");
   if (sqlite3_close(m.db) != SQLITE_OK)
      m.bad = true;
   if (m.frames)
      cli_merge_keep(&m, "frames.csv");
   if (m.draws)
      cli_merge_keep(&m, "draws.csv");
   cli_merge_keep(&m, "run.sqlite");
   for (int i = 0; i < n; i++) {
      if (!m.bad && appended[i])
         cli_merge_remove_worker(&m, list[i]->d_name);
      free(list[i]);
   }
   free(list);
   free(appended);
   free(made);
   if (m.bad)
      return CLI_FILE;
   static const char *const rest[] = {"complete", ""};
   for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
      char *path = cli_merge_path(&m, rest[i], "");
      remove(path);
      free(path);
   }
   return left_out ? CLI_FILE : CLI_OK;
}

int
cli_merge(struct cli_options *o, char **args)
{
   return cli_merge_workers(args[0]);
}
