/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables and views of energy in a record. The record has the counts already; this adds their costs
 * and sums, as integers, which SQLite adds exactly and with an error on overflow. */
#include "power/power_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/sim_config.h"

struct writer {
   sqlite3 *db;
   const char *schema; /* "main" or "temp" */
   char *error;
   size_t error_size;
   bool failed;
   struct sim_config recorded;
   const struct sim_config *config;
   struct power_machine machine;
   struct {
      char name[64]; /* "ZST-SU" */
      int boxes;
   } unit[POWER_NUM_UNITS];
};

static void
power_record_check(struct writer *w, bool good)
{
   if (!good && !w->failed)
      snprintf(w->error, w->error_size, "%s", sqlite3_errmsg(w->db));
   w->failed |= !good;
}

static void
power_record_sql(struct writer *w, const char *text)
{
   if (!w->failed)
      power_record_check(w, sqlite3_exec(w->db, text, NULL, NULL, NULL) == SQLITE_OK);
}

static sqlite3_stmt *
power_record_prepare(struct writer *w, const char *text)
{
   sqlite3_stmt *s = NULL;
   if (!w->failed)
      power_record_check(w, sqlite3_prepare_v2(w->db, text, -1, &s, NULL) == SQLITE_OK);
   return s;
}

static bool
power_record_step(struct writer *w, sqlite3_stmt *s)
{
   const int result = s && !w->failed ? sqlite3_step(s) : SQLITE_DONE;
   power_record_check(w, result == SQLITE_ROW || result == SQLITE_DONE);
   return result == SQLITE_ROW && !w->failed;
}

static const char *
power_record_text(sqlite3_stmt *s, int column)
{
   const char *t = (const char *)sqlite3_column_text(s, column);
   return t ? t : "";
}

static bool
power_record_has_table(struct writer *w, const char *name)
{
   sqlite3_stmt *s = power_record_prepare(w, "SELECT 1 FROM main.sqlite_master WHERE name = ?");
   sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
   const bool found = power_record_step(w, s);
   sqlite3_finalize(s);
   return found;
}

/* --- The machine of the record --- */

static void
power_record_read_configuration(struct writer *w)
{
   char assignment[300], error[400];
   sim_config_defaults(&w->recorded);
   sqlite3_stmt *s = power_record_prepare(w, "SELECT section, key, value FROM configuration");
   while (power_record_step(w, s)) {
      snprintf(assignment, sizeof(assignment), "%.80s.%.80s=%.100s", power_record_text(s, 0),
               power_record_text(s, 1), power_record_text(s, 2));
      if (!sim_config_set(&w->recorded, assignment, error, sizeof(error))) {
         snprintf(w->error, w->error_size, "configuration: %s", error);
         w->failed = true;
      }
   }
   sqlite3_finalize(s);
   w->config = &w->recorded;
}

static void
power_record_read_boxes(struct writer *w)
{
   w->machine.config = w->config;
   sqlite3_stmt *s =
       power_record_prepare(w, "SELECT class, unit, clock, count(*) FROM boxes GROUP BY class");
   while (power_record_step(w, s)) {
      const enum power_unit u = power_unit_find(power_record_text(s, 0));
      const char *clock = power_record_text(s, 2);
      if (u == POWER_NUM_UNITS) {
         snprintf(w->error, w->error_size,
                  "%s: no unit of this attila-sim; use the one that made the record",
                  power_record_text(s, 0));
         w->failed = true;
         break;
      }
      snprintf(w->unit[u].name, sizeof(w->unit[u].name), "%s", power_record_text(s, 1));
      w->unit[u].boxes = sqlite3_column_int(s, 3);
      w->machine.mhz[u] = !strcmp(clock, "shader")   ? w->config->gpu.shader_clock
                          : !strcmp(clock, "memory") ? w->config->gpu.memory_clock
                                                     : w->config->gpu.gpu_clock;
   }
   sqlite3_finalize(s);
}

/* --- Terms --- */

/* Drops old tables in the schema that is written to. */
static void
power_record_drop(struct writer *w)
{
   static const char *const tables[] = {"power", "power_terms"};
   static const char *const views[] = {"energy", "box_energy", "power", "values", "box_values"};
   char query[200];
   /* This table is made first, so if it is missing, all are, as in most records. */
   if (!strcmp(w->schema, "main") && !power_record_has_table(w, tables[0]))
      return;
   for (unsigned i = 0; i < 2; i++) {
      snprintf(query, sizeof(query), "DROP TABLE IF EXISTS %s.%s", w->schema, tables[i]);
      power_record_sql(w, query);
   }
   for (unsigned i = 0; i < 15; i++) {
      snprintf(query, sizeof(query), "DROP VIEW IF EXISTS %s.%s_%s", w->schema,
               power_rows[i / 5].name, views[i % 5]);
      power_record_sql(w, query);
   }
}

/* Finds the number of a term's counter. Returns false if the record lacks the counter. */
static bool
power_record_find_counter(struct writer *w, sqlite3_stmt *find, const struct power_term *t,
                          int *counter)
{
   char name[200];
   sqlite3_reset(find);
   snprintf(name, sizeof(name), "%s_%s", t->statistic, w->unit[t->unit].name);
   sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
   if (!power_record_step(w, find)) {
      if (!w->failed)
         snprintf(w->error, w->error_size, "%s of %s: no such statistic in the record",
                  t->statistic, power_unit_name(t->unit));
      w->failed = true;
      return false;
   }
   *counter = sqlite3_column_int(find, 0);
   return true;
}

struct terms {
   const struct power_table *table;
   struct power_model model;
   sqlite3_stmt *put, *find;
   uint16_t permille[POWER_NUM_UNITS];
};

/* Which terms of a state are written: those of whole units, or of a single box of a unit. */
struct terms_of {
   int state, instance; /* instance: a box of the unit; -1: all units whose boxes share a voltage */
   enum power_unit unit;
   bool apart[POWER_NUM_UNITS];
};

static void
power_record_put_terms(struct writer *w, const struct terms *k, const struct terms_of *of)
{
   sqlite3_stmt *put = k->put;
   for (unsigned i = 0; i < k->model.num_terms && !w->failed; i++) {
      const struct power_term *t = &k->model.term[i];
      int counter = -1;
      if (of->instance < 0 ? of->apart[t->unit] : of->unit != t->unit)
         continue;
      if (t->statistic && !power_record_find_counter(w, k->find, t, &counter))
         return;
      sqlite3_reset(put);
      sqlite3_bind_int(put, 1, of->state);
      sqlite3_bind_int(put, 2, (int)i);
      sqlite3_bind_text(put, 3, w->unit[t->unit].name, -1, SQLITE_STATIC);
      sqlite3_bind_int(put, 4, of->instance);
      sqlite3_bind_text(put, 5, power_kind_name(t->kind), -1, SQLITE_STATIC);
      sqlite3_bind_text(put, 6, t->key, -1, SQLITE_STATIC);
      sqlite3_bind_int(put, 7, counter);
      sqlite3_bind_int(put, 8, of->instance < 0 ? w->unit[t->unit].boxes : 1);
      sqlite3_bind_int64(put, 9, t->fj);
      sqlite3_bind_text(put, 10, t->doc, -1, SQLITE_STATIC);
      power_record_step(w, put);
   }
}

/* Returns the state after another one, or 0 if there is none. */
static int
power_record_next_state(struct writer *w, int after)
{
   int state = 0;
   if (!power_record_has_table(w, "power_states"))
      return 0;
   sqlite3_stmt *s = power_record_prepare(w, "SELECT min(state) FROM power_states WHERE state > ?");
   sqlite3_bind_int(s, 1, after);
   if (power_record_step(w, s))
      state = sqlite3_column_int(s, 0);
   sqlite3_finalize(s);
   return state;
}

static void
power_record_make_model(struct writer *w, struct terms *k, bool nominal)
{
   w->machine.permille = nominal ? NULL : k->permille;
   w->failed =
       w->failed || !power_model_make(&k->model, &w->machine, k->table, w->error, w->error_size);
}

/* Adds the terms of a state other than the nominal one. */
static void
power_record_add_state(struct writer *w, struct terms *k, int state)
{
   struct terms_of of = {.state = state, .instance = -1};
   sqlite3_stmt *s = power_record_prepare(
       w, "SELECT unit, instance, permille FROM power_states WHERE state = ? ORDER BY "
          "instance >= 0, permille");
   sqlite3_bind_int(s, 1, state);
   for (unsigned u = 0; u < POWER_NUM_UNITS; u++)
      k->permille[u] = POWER_NOMINAL;
   while (power_record_step(w, s)) {
      const enum power_unit u = power_unit_find(power_record_text(s, 0));
      if (u == POWER_NUM_UNITS)
         continue;
      k->permille[u] = (uint16_t)sqlite3_column_int(s, 2);
      of.apart[u] |= sqlite3_column_int(s, 1) >= 0;
   }
   power_record_make_model(w, k, false);
   power_record_put_terms(w, k, &of);
   sqlite3_reset(s);
   while (power_record_step(w, s)) {
      const uint16_t permille = (uint16_t)sqlite3_column_int(s, 2);
      of.unit = power_unit_find(power_record_text(s, 0));
      of.instance = sqlite3_column_int(s, 1);
      if (of.unit == POWER_NUM_UNITS || of.instance < 0)
         continue;
      if (k->permille[of.unit] != permille) {
         k->permille[of.unit] = permille;
         power_record_make_model(w, k, false);
      }
      power_record_put_terms(w, k, &of);
   }
   sqlite3_finalize(s);
}

/* Adds the terms of one state, or (state 0) of the nominal voltage and of all states. */
static void
power_record_add_terms(struct writer *w, const struct power_table *t, int state)
{
   struct terms *k = malloc(sizeof(*k));
   char query[100];
   if (!k) {
      snprintf(w->error, w->error_size, "out of host memory");
      w->failed = true;
      return;
   }
   snprintf(query, sizeof(query),
            "INSERT INTO %s.power_terms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", w->schema);
   k->table = t;
   k->put = power_record_prepare(w, query);
   k->find = power_record_prepare(w, "SELECT counter FROM counters WHERE name = ?");
   if (state) {
      power_record_add_state(w, k, state);
   } else {
      power_record_make_model(w, k, true);
      power_record_put_terms(w, k, &(struct terms_of){.instance = -1});
      while (!w->failed && (state = power_record_next_state(w, state)))
         power_record_add_state(w, k, state);
   }
   sqlite3_finalize(k->put);
   sqlite3_finalize(k->find);
   free(k);
}

static void
power_record_make_terms(struct writer *w, const struct power_table *t)
{
   char query[400];
   snprintf(query, sizeof(query),
            "CREATE TABLE %s.power_terms (state INTEGER NOT NULL, term INTEGER NOT NULL, unit TEXT "
            "NOT NULL, instance INTEGER NOT NULL, kind TEXT NOT NULL, event TEXT NOT NULL, counter "
            "INTEGER NOT NULL, boxes INTEGER NOT NULL, fj INTEGER NOT NULL, meaning TEXT NOT NULL, "
            "PRIMARY KEY (state, counter, instance, term)) WITHOUT ROWID",
            w->schema);
   power_record_sql(w, query);
   power_record_add_terms(w, t, 0);
}

/* --- Views --- */

const struct power_rows power_rows[POWER_NUM_ROWS] = {
    [POWER_ROWS_WORK] = {"work", "work", "exclusive_cycles",
                         "exclusive_cycles / (SELECT gpu_mhz * 1e6 FROM run)"},
    [POWER_ROWS_FRAME] = {"frame", "frames", "cycles", "simulated_ms * 1e-3"},
    [POWER_ROWS_INTERVAL] = {"interval", "intervals", "cycles",
                             "cycles / (SELECT gpu_mhz * 1e6 FROM run)"},
};

/* Makes the query for the costs of the counts and of the time of every row, by box or unit. The
 * first part counts all at nominal voltage; with states, the second part adds the differences.
 * Tables have no schema in front of their names: with one, other connections could not attach the
 * file. A temporary view finds temporary tables first. */
static char *
power_record_make_parts(struct writer *w, const struct power_rows *k, bool boxes)
{
   sqlite3_str *s = sqlite3_str_new(w->db);
   const bool states = power_record_has_table(w, "power_states");
   const char *n = k->name;
   if (boxes)
      sqlite3_str_appendf(
          s,
          "SELECT v.%s AS row, v.box AS owner, t.kind AS kind, v.value * t.fj AS fj FROM %s_"
          "box_values v JOIN power_terms t ON t.state = 0 AND t.counter = v.counter "
          "UNION ALL SELECT v.%s, b.name, t.kind, v.value * t.fj FROM %s_values v CROSS JOIN "
          "counters c USING (counter) JOIN boxes b ON b.class = c.class AND b.instance IS NULL "
          "JOIN power_terms t ON t.state = 0 AND t.counter = v.counter "
          "UNION ALL SELECT r.%s, b.name, t.kind, r.%s * t.fj FROM %s r CROSS JOIN power_terms t "
          "JOIN boxes b USING (unit) WHERE t.state = 0 AND t.counter = -1",
          n, n, n, n, n, k->cycles, k->rows);
   else
      sqlite3_str_appendf(
          s,
          "SELECT v.%s AS row, t.unit AS owner, t.kind AS kind, v.value * t.fj AS fj FROM %s_"
          "values v CROSS JOIN power_terms t ON t.state = 0 AND t.counter = v.counter "
          "UNION ALL SELECT r.%s, t.unit, t.kind, r.%s * t.boxes * t.fj FROM %s r CROSS JOIN "
          "power_terms t WHERE t.state = 0 AND t.counter = -1",
          n, n, n, k->cycles, k->rows);
   if (states && !boxes)
      sqlite3_str_appendf(
          s,
          " UNION ALL SELECT p.%s, t.unit, t.kind, p.value * t.fj * CASE t.counter WHEN -1 THEN "
          "t.boxes ELSE 1 END * CASE t.state WHEN 0 THEN -1 ELSE 1 END FROM %s_states p CROSS "
          "JOIN power_terms t ON t.state IN (p.state, 0) AND t.counter = p.counter AND (t.counter "
          "= -1 OR t.instance = p.instance)",
          n, n);
   if (states && boxes)
      sqlite3_str_appendf(
          s,
          " UNION ALL SELECT p.%s, b.name, t.kind, p.value * t.fj * CASE t.state WHEN 0 THEN -1 "
          "ELSE 1 END FROM %s_states p CROSS JOIN power_terms t ON t.state IN (p.state, 0) "
          "AND t.counter = p.counter JOIN boxes b ON b.unit = t.unit AND t.instance IN (-1, "
          "b.instance) AND CASE p.counter WHEN -1 THEN p.instance = -1 ELSE p.instance = "
          "coalesce(b.instance, -1) END",
          n, n);
   return sqlite3_str_finish(s);
}

static void
power_record_make_energy(struct writer *w, const struct power_rows *k, const char *view,
                         const char *owner, bool boxes)
{
   char *parts = power_record_make_parts(w, k, boxes);
   char *query = sqlite3_mprintf(
       "CREATE VIEW %s.%s_%s AS SELECT row AS %s, owner AS %s, sum(CASE kind WHEN 'dynamic' THEN "
       "fj ELSE 0 END) AS dynamic_fj, sum(CASE kind WHEN 'clock' THEN fj ELSE 0 END) AS clock_fj, "
       "sum(CASE kind WHEN 'leakage' THEN fj ELSE 0 END) AS leakage_fj, sum(CASE kind WHEN "
       "'offchip' THEN fj ELSE 0 END) AS offchip_fj, sum(fj) AS total_fj FROM (%s) GROUP BY row, "
       "owner",
       w->schema, k->name, view, k->name, owner, parts);
   power_record_sql(w, query);
   sqlite3_free(query);
   sqlite3_free(parts);
}

#define MOST_ARGUMENTS 100 /* arguments of a function: SQLite allows 127 */

/* Makes the views K_values or K_box_values, with a row for each number in the tables of statistics.
 * Columns are listed in pieces of limited length. Returns false if the record has no such
 * tables. */
static bool
power_record_make_values(struct writer *w, const struct power_rows *k, bool boxes)
{
   sqlite3_str *text_of = sqlite3_str_new(w->db);
   /* For frames and intervals, the sums of all classes are in one table. */
   const char *end = boxes ? "_boxes" : "", *one = strcmp(k->name, "work") ? "counters" : NULL;
   const char *all = boxes ? NULL : one;
   unsigned num = 0, parts = 0;
   int first = 0;
   char table[100] = "";
   sqlite3_str_appendf(text_of, "CREATE VIEW %s.%s_%svalues AS ", w->schema, k->name,
                       boxes ? "box_" : "");
   sqlite3_stmt *s =
       power_record_prepare(w, "SELECT coalesce(?2, class || ?3), counter, c.name FROM counters c "
                               "JOIN pragma_table_info(?1 || '_' || coalesce(?2, class || ?3)) t "
                               "ON t.name = c.name ORDER BY counter");
   sqlite3_bind_text(s, 1, k->name, -1, SQLITE_STATIC);
   sqlite3_bind_text(s, 2, all, -1, SQLITE_STATIC);
   sqlite3_bind_text(s, 3, end, -1, SQLITE_STATIC);
   for (bool more = power_record_step(w, s);; more = power_record_step(w, s)) {
      const int counter = more ? sqlite3_column_int(s, 1) : 0;
      const bool same = more && num && !strcmp(table, power_record_text(s, 0)) &&
                        counter == first + (int)num && num < MOST_ARGUMENTS;
      if (num && !same)
         sqlite3_str_appendf(text_of, ")) j CROSS JOIN counters c ON c.counter = %d + j.key",
                             first);
      if (!more)
         break;
      if (!same) {
         snprintf(table, sizeof(table), "%s", power_record_text(s, 0));
         first = counter;
         num = 0;
         sqlite3_str_appendf(text_of,
                             "%sSELECT %s%s, c.counter, c.name, j.value FROM \"%w_%w\" CROSS JOIN "
                             "json_each(json_array(",
                             parts++ ? " UNION ALL " : "", k->name, boxes ? ", box" : "", k->name,
                             table);
      }
      sqlite3_str_appendf(text_of, "%s\"%w\"", num++ ? "," : "", power_record_text(s, 2));
   }
   sqlite3_finalize(s);
   char *query = sqlite3_str_finish(text_of);
   if (parts && query)
      power_record_sql(w, query);
   sqlite3_free(query);
   return parts;
}

static void
power_record_make_views(struct writer *w)
{
   for (unsigned i = 0; i < POWER_NUM_ROWS; i++) {
      const struct power_rows *k = &power_rows[i];
      if (!power_record_make_values(w, k, false))
         continue;
      power_record_make_energy(w, k, "energy", "unit", false);
      if (power_record_make_values(w, k, true))
         power_record_make_energy(w, k, "box_energy", "box", true);
      char *query = sqlite3_mprintf(
          "CREATE VIEW %s.%s_power AS SELECT %s, seconds, fj, fj * 1e-15 AS joules, fj * 1e-15 / "
          "nullif(seconds, 0) AS watts, fj * 1e-15 * seconds AS ed, fj * 1e-15 * seconds * seconds "
          "AS ed2 FROM (SELECT r.%s AS %s, r.%s AS seconds, e.fj AS fj FROM %s r JOIN (SELECT %s, "
          "sum(total_fj) AS fj FROM %s_energy GROUP BY %s) e USING (%s))",
          w->schema, k->name, k->name, k->name, k->name, k->seconds, k->rows, k->name, k->name,
          k->name, k->name);
      power_record_sql(w, query);
      sqlite3_free(query);
   }
}

/* --- The table --- */

static void
power_record_make_table(struct writer *w, const struct power_table *t)
{
   char *all = NULL, query[300];
   size_t size;
   FILE *f = open_memstream(&all, &size);
   if (f) {
      power_table_print(t, f);
      fclose(f);
   }
   snprintf(query, sizeof(query),
            "CREATE TABLE %s.power (id INTEGER PRIMARY KEY, path TEXT, node REAL NOT NULL, voltage "
            "REAL NOT NULL, temperature REAL NOT NULL, leakage REAL NOT NULL, text TEXT NOT NULL)",
            w->schema);
   power_record_sql(w, query);
   snprintf(query, sizeof(query), "INSERT INTO %s.power VALUES (1, ?, ?, ?, ?, ?, ?)", w->schema);
   sqlite3_stmt *s = power_record_prepare(w, query);
   sqlite3_bind_text(s, 1, t->path[0] ? t->path : NULL, -1, SQLITE_STATIC);
   sqlite3_bind_double(s, 2, t->node);
   sqlite3_bind_double(s, 3, t->voltage);
   sqlite3_bind_double(s, 4, t->temperature);
   sqlite3_bind_double(s, 5, t->leakage);
   sqlite3_bind_text(s, 6, all ? all : "", -1, SQLITE_STATIC);
   power_record_step(w, s);
   sqlite3_finalize(s);
   free(all);
}

bool
power_record_table(sqlite3 *db, struct power_table *t, char *error, size_t error_size)
{
   struct writer w = {.db = db, .error = error, .error_size = error_size};
   bool good = true;
   power_table_defaults(t);
   if (!power_record_has_table(&w, "power"))
      return !w.failed;
   sqlite3_stmt *s = power_record_prepare(&w, "SELECT text, path FROM main.power");
   if (power_record_step(&w, s)) {
      good = power_table_read(t, power_record_text(s, 0), error, error_size);
      snprintf(t->path, sizeof(t->path), "%s", power_record_text(s, 1));
   }
   sqlite3_finalize(s);
   return good && !w.failed;
}

/* Returns NULL with a message if host memory is exhausted. config NULL: it is read from the
 * record. */
static struct writer *
power_record_begin(sqlite3 *db, const char *schema, const struct sim_config *config, char *error,
                   size_t error_size)
{
   struct writer *w = calloc(1, sizeof(*w));
   if (!w) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   *w = (struct writer){
       .db = db, .schema = schema, .error = error, .error_size = error_size, .config = config};
   if (!config)
      power_record_read_configuration(w);
   power_record_read_boxes(w);
   return w;
}

static bool
power_record_end(struct writer *w)
{
   const bool good = !w->failed;
   free(w);
   return good;
}

bool
power_record_write(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                   bool temporary, char *error, size_t error_size)
{
   struct writer *w =
       power_record_begin(db, temporary ? "temp" : "main", config, error, error_size);
   if (!w)
      return false;
   power_record_drop(w);
   power_record_make_table(w, t);
   power_record_make_terms(w, t);
   power_record_make_views(w);
   return power_record_end(w);
}

bool
power_record_state(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                   unsigned state, char *error, size_t error_size)
{
   struct writer *w = power_record_begin(db, "main", config, error, error_size);
   if (!w)
      return false;
   power_record_add_terms(w, t, (int)state);
   return power_record_end(w);
}
