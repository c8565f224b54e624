/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim power: the energy of a recorded run, or of its frames, work or intervals, by unit,
 * computed with the run's table or another one. Reads only run.sqlite. Not here: the model
 * (power/power_model.h), tables and views (power/power_record.h). */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli/cli_record.h"
#include "core/sim_json.h"
#include "power/power_record.h"

struct options {
   const char *folder, *table;
   const struct attila_sim_options *changes; /* --set: changes of the table */
   int by;                                   /* enum power_row_kind; -1: the run */
   bool csv, json, write;
};

static int
cli_power_fail(const struct options *o, const char *why)
{
   fprintf(stderr, "attila-sim: %s/run.sqlite: %s\n", o->folder, why);
   return CLI_FILE;
}

/* --- Output --- */

/* Returns the one number of a query. */
static double
cli_power_number(sqlite3 *db, const char *query)
{
   sqlite3_stmt *s = NULL;
   double value = 0;
   if (sqlite3_prepare_v2(db, query, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
      value = sqlite3_column_double(s, 0);
   sqlite3_finalize(s);
   return value;
}

static void
cli_power_put_text_row(const char *unit, const double *fj, double seconds, double all)
{
   printf("%-14s", unit);
   for (unsigned i = 0; i < 5; i++)
      printf(" %10.4f", fj[i] * 1e-12);
   printf(" %8.3f %6.1f\n", seconds > 0 ? fj[4] * 1e-15 / seconds : 0,
          all > 0 ? 100 * fj[4] / all : 0);
}

/* Prints the units whose energy is 0 because their sheets declare none. */
static void
cli_power_print_undeclared(sqlite3 *db)
{
   sqlite3_stmt *s = NULL;
   if (sqlite3_prepare_v2(db,
                          "SELECT DISTINCT unit, meaning FROM power_terms WHERE event = "
                          "'" POWER_UNDECLARED "'",
                          -1, &s, NULL) == SQLITE_OK) {
      while (sqlite3_step(s) == SQLITE_ROW)
         printf("%s: %s\n", (const char *)sqlite3_column_text(s, 0),
                (const char *)sqlite3_column_text(s, 1));
   }
   sqlite3_finalize(s);
}

/* Prints units, the sum, and products with time. */
static int
cli_power_print_text(sqlite3 *db, const struct options *o, const struct power_table *t)
{
   sqlite3_stmt *s = NULL;
   double sum[5] = {0};
   const double seconds = cli_power_number(db, "SELECT total(simulated_ms) * 1e-3 FROM frames");
   const double all = cli_power_number(db, "SELECT total(total_fj) FROM frame_energy");
   if (sqlite3_prepare_v2(db,
                          "SELECT unit, total(dynamic_fj), total(clock_fj), total(leakage_fj), "
                          "total(offchip_fj), total(total_fj) AS t FROM frame_energy GROUP BY unit "
                          "ORDER BY t DESC",
                          -1, &s, NULL) != SQLITE_OK)
      return cli_power_fail(o, sqlite3_errmsg(db));
   printf("%g nm, %g V, %g C, leakage %g of the peak; %s\n", t->node, t->voltage, t->temperature,
          t->leakage, t->path[0] ? t->path : "the built-in table");
   printf("%-14s %10s %10s %10s %10s %10s %8s %6s\n", "unit", "dynamic", "clock", "leakage",
          "off chip", "all mJ", "watts", "%");
   int result;
   while ((result = sqlite3_step(s)) == SQLITE_ROW) {
      double fj[5];
      for (int i = 0; i < 5; i++) {
         fj[i] = sqlite3_column_double(s, i + 1);
         sum[i] += fj[i];
      }
      cli_power_put_text_row((const char *)sqlite3_column_text(s, 0), fj, seconds, all);
   }
   sqlite3_finalize(s);
   if (result != SQLITE_DONE)
      return cli_power_fail(o, sqlite3_errmsg(db));
   cli_power_put_text_row("all", sum, seconds, all);
   const double joules = sum[4] * 1e-15;
   printf("%.6f s simulated, E %.6g J, E*D %.6g Js, E*D^2 %.6g Js^2, off chip %.1f %%\n", seconds,
          joules, joules * seconds, joules * seconds * seconds,
          sum[4] > 0 ? 100 * sum[3] / sum[4] : 0);
   cli_power_print_undeclared(db);
   return CLI_OK;
}

static void
cli_power_put_csv(sqlite3_stmt *s, unsigned row)
{
   for (int i = 0; i < sqlite3_column_count(s); i++)
      printf("%s%s", i ? "," : "", (const char *)sqlite3_column_text(s, i));
   putchar('\n');
}

static void
cli_power_put_json(sqlite3_stmt *s, unsigned row)
{
   printf("%s{", row ? ",\n " : "");
   for (int i = 0; i < sqlite3_column_count(s); i++) {
      printf("%s\"%s\": ", i ? ", " : "", sqlite3_column_name(s, i));
      if (sqlite3_column_type(s, i) == SQLITE_TEXT)
         sim_json_text(stdout, (const char *)sqlite3_column_text(s, i));
      else
         printf("%s", (const char *)sqlite3_column_text(s, i));
   }
   putchar('}');
}

/* Prints a line or object for each unit of each row. */
static int
cli_power_print_rows(sqlite3 *db, const struct options *o)
{
   sqlite3_stmt *s = NULL;
   char *query =
       o->by < 0
           ? sqlite3_mprintf("SELECT unit, (SELECT total(simulated_ms) * 1e-3 FROM frames) AS "
                             "seconds, sum(dynamic_fj) AS dynamic_fj, sum(clock_fj) AS clock_fj, "
                             "sum(leakage_fj) AS leakage_fj, sum(offchip_fj) AS offchip_fj, "
                             "sum(total_fj) AS total_fj FROM frame_energy GROUP BY unit")
           : sqlite3_mprintf(
                 "SELECT e.%s, unit, r.%s AS seconds, dynamic_fj, clock_fj, leakage_fj, "
                 "offchip_fj, total_fj FROM %s_energy e JOIN %s r USING (%s) ORDER BY "
                 "1, 2",
                 power_rows[o->by].name, power_rows[o->by].seconds, power_rows[o->by].name,
                 power_rows[o->by].rows, power_rows[o->by].name);
   const int prepared = sqlite3_prepare_v2(db, query, -1, &s, NULL);
   sqlite3_free(query);
   if (prepared != SQLITE_OK)
      return cli_power_fail(o, sqlite3_errmsg(db));
   unsigned row = 0;
   int result;
   if (o->json)
      putchar('[');
   for (int i = 0; i < sqlite3_column_count(s) && !o->json; i++)
      printf("%s%s", sqlite3_column_name(s, i), i + 1 < sqlite3_column_count(s) ? "," : "\n");
   while ((result = sqlite3_step(s)) == SQLITE_ROW)
      (o->json ? cli_power_put_json : cli_power_put_csv)(s, row++);
   if (o->json)
      printf("]\n");
   sqlite3_finalize(s);
   return result == SQLITE_DONE ? CLI_OK : cli_power_fail(o, sqlite3_errmsg(db));
}

/* --- The command --- */

static bool
cli_power_make_table(const struct options *o, sqlite3 *db, struct power_table *t, char *error,
                     size_t size)
{
   bool good = true;
   if (db && !o->table)
      good = power_record_table(db, t, error, size);
   else
      power_table_defaults(t);
   if (good && o->table)
      good = power_table_load(t, o->table, error, size);
   for (unsigned i = 0; good && i < o->changes->num_overrides; i++)
      good = power_table_set(t, o->changes->overrides[i], error, size);
   return good;
}

/* Returns what the record lacks, or NULL. If rows of work lacked statistics, their energy would be
 * too low. */
static const char *
cli_power_what_is_missing(sqlite3 *db, const struct options *o)
{
   if (cli_power_number(db, "SELECT count(*) FROM run WHERE mode = 'functional'") > 0)
      return "a functional run has no time, and no energy: --mode cycle";
   if (cli_power_number(db, "SELECT count(*) FROM sqlite_master WHERE name = 'frame_counters'") ==
       0)
      return "no statistics in this record";
   if (o->by == POWER_ROWS_WORK &&
       cli_power_number(db, "SELECT count(*) FROM run WHERE draws_columns IS NOT NULL") > 0)
      return "its work has only some statistics (--draws-columns): --by frame";
   return NULL;
}

static int
cli_power_evaluate(const struct options *o, sqlite3 *db)
{
   struct power_table t;
   char error[800] = "";
   const char *missing = cli_power_what_is_missing(db, o);
   if (missing)
      return cli_power_fail(o, missing);
   if (!cli_power_make_table(o, db, &t, error, sizeof(error))) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return o->table ? CLI_FILE : CLI_USAGE;
   }
   sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
   if (!power_record_write(db, &t, NULL, !o->write, error, sizeof(error)))
      return cli_power_fail(o, error);
   if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
      return cli_power_fail(o, sqlite3_errmsg(db));
   return o->csv || o->json ? cli_power_print_rows(db, o) : cli_power_print_text(db, o, &t);
}

static int
cli_power_describe(const struct options *o)
{
   struct power_table t;
   char error[800];
   if (!cli_power_make_table(o, NULL, &t, error, sizeof(error))) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return o->table ? CLI_FILE : CLI_USAGE;
   }
   (o->json ? power_table_print_json : power_table_print)(&t, stdout);
   return CLI_OK;
}

static int
cli_power_by_what(const char *name)
{
   int by = -1;
   for (int i = 0; i < POWER_NUM_ROWS; i++)
      by = !name || strcmp(name, power_rows[i].name) ? by : i;
   return by;
}

int
cli_power(struct cli_options *options, char **args)
{
   struct options o = {.folder = args[0],
                       .table = options->table,
                       .changes = &options->sim,
                       .by = cli_power_by_what(options->by),
                       .csv = options->format && !strcmp(options->format, "csv"),
                       .json = options->format && !strcmp(options->format, "json"),
                       .write = options->write};
   sqlite3 *db = NULL;
   char error[600];
   if (options->describe && o.csv)
      return cli_complain(options, "--describe is text or json, not csv");
   if (options->describe && !o.folder)
      return cli_power_describe(&o);
   if (!o.folder || options->describe)
      return cli_complain(options, o.folder ? "--describe takes no folder" : "expected DIR");
   if (!o.csv && !o.json && o.by >= 0)
      return cli_complain(options, "--by %s needs --format csv or json", options->by);
   if (!(db = cli_record_open(o.folder, error, sizeof(error))))
      return cli_fail("%s", error);
   const int result = cli_power_evaluate(&o, db);
   sqlite3_close(db);
   return result;
}
