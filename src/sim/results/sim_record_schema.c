/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables and views of a record, and those of its rows that are written once: the run, its
 * configuration, boxes and counters. record.md explains them all. Not here: rows that come
 * while the machine runs.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "config/sim_config.h"
#include "core/sim_version.h"
#include "results/sim_record_impl.h"

static const char tables[] =
    "CREATE TABLE run (schema INTEGER NOT NULL, program TEXT, arguments TEXT, version TEXT NOT "
    "NULL, mode TEXT NOT NULL, config_path TEXT, ideal TEXT, host TEXT, started TEXT NOT NULL, "
    "complete INTEGER NOT NULL, wall_seconds REAL, cpu_seconds REAL, gpu_mhz INTEGER, shader_mhz "
    "INTEGER, memory_mhz INTEGER, interval_cycles INTEGER, draws_columns "
    "TEXT, cycle_draws TEXT, cycle_label TEXT);"
    "CREATE TABLE configuration (section TEXT NOT NULL, key TEXT NOT NULL, value, default_value, "
    "unit TEXT, meaning TEXT NOT NULL, PRIMARY KEY (section, key)) WITHOUT ROWID;"
    "CREATE TABLE boxes (box INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT NOT NULL, unit "
    "TEXT NOT NULL, instance INTEGER, clock TEXT NOT NULL, meaning TEXT NOT NULL);"
    "CREATE TABLE counters (counter INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, statistic TEXT "
    "NOT NULL, class TEXT NOT NULL, unit TEXT NOT NULL, boxes INTEGER NOT NULL, measure TEXT NOT "
    "NULL, clock TEXT NOT NULL, meaning TEXT NOT NULL, attribution TEXT NOT NULL, of_work INTEGER "
    "NOT NULL);"
    "CREATE TABLE kinds (kind TEXT PRIMARY KEY, meaning TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE frames (frame INTEGER PRIMARY KEY, draws INTEGER NOT NULL, start_cycle INTEGER "
    "NOT NULL, end_cycle INTEGER NOT NULL, cycles INTEGER NOT NULL, shader_cycles INTEGER NOT "
    "NULL, "
    "memory_cycles INTEGER NOT NULL, simulated_ms REAL NOT NULL, host_seconds REAL NOT NULL, "
    "cpu_seconds REAL NOT NULL, limiter TEXT, limiter_share REAL, limiter2 TEXT, limiter2_share "
    "REAL, limiter3 TEXT, limiter3_share REAL);"
    "CREATE TABLE work (work INTEGER PRIMARY KEY, frame INTEGER NOT NULL, number INTEGER NOT NULL, "
    "kind TEXT NOT NULL, draw INTEGER, label TEXT, meta INTEGER NOT NULL, primitive TEXT, count "
    "INTEGER NOT NULL, instances INTEGER, start_cycle INTEGER NOT NULL, end_cycle INTEGER NOT "
    "NULL, cycles INTEGER NOT NULL, exclusive_cycles INTEGER NOT NULL, vertex_program INTEGER, "
    "fragment_program INTEGER, bindings INTEGER, limiter TEXT, limiter_share REAL, limiter2 TEXT, "
    "limiter2_share REAL, limiter3 TEXT, limiter3_share REAL);"
    "CREATE TABLE intervals (interval INTEGER PRIMARY KEY, frame INTEGER NOT NULL, start_cycle "
    "INTEGER NOT NULL, end_cycle INTEGER NOT NULL, cycles INTEGER NOT NULL, shader_cycles INTEGER "
    "NOT NULL, memory_cycles INTEGER NOT NULL);"
    "CREATE TABLE programs (program INTEGER PRIMARY KEY, stage TEXT NOT NULL, name TEXT, hash TEXT "
    "NOT NULL, instructions INTEGER NOT NULL, alu INTEGER NOT NULL, texture INTEGER NOT NULL, flow "
    "INTEGER NOT NULL, registers INTEGER NOT NULL, first_frame INTEGER NOT NULL, code TEXT);"
    "CREATE TABLE bindings (bindings INTEGER NOT NULL, slot TEXT NOT NULL, address INTEGER NOT "
    "NULL, format TEXT NOT NULL, target TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT "
    "NULL, depth INTEGER NOT NULL, levels INTEGER NOT NULL, samples INTEGER NOT NULL, label TEXT, "
    "PRIMARY KEY (bindings, slot)) WITHOUT ROWID;";

void
record_make_tables(struct sim_record *rec)
{
   record_sql(rec, tables);
}

/* --- The run --- */

/* What /proc/self/cmdline says: the program, and its arguments with blanks between them. */
static void
command_line(char *program, char *arguments, size_t size)
{
   FILE *f = fopen("/proc/self/cmdline", "re");
   char text[4096];
   size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
   if (f)
      fclose(f);
   text[n] = '\0';
   snprintf(program, size, "%s", text);
   size_t first = strlen(text) + 1;
   for (size_t i = first; i + 1 < n; i++)
      text[i] = text[i] ? text[i] : ' ';
   snprintf(arguments, size, "%s", first < n ? text + first : "");
}

static void
put_run(struct sim_record *rec, const struct sim_record_run *run)
{
   sqlite3_stmt *s = record_prepare(
       rec, "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, ?, ?, ?, ?, "
            "?, ?)");
   char program[4096], arguments[4096], host[256] = "", started[32];
   struct tm tm;
   const time_t now = time(NULL);
   command_line(program, arguments, sizeof(program));
   gethostname(host, sizeof(host) - 1);
   strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
   int n = 1;
   record_number(s, n++, SIM_RECORD_SCHEMA);
   record_text(s, n++, program);
   record_text(s, n++, arguments);
   record_text(s, n++, sim_version);
   record_text(s, n++, run->mode);
   record_text(s, n++, run->config_path);
   record_text(s, n++, run->ideal);
   record_text(s, n++, host);
   record_text(s, n++, started);
   if (run->config) {
      record_number(s, n++, run->config->gpu.gpu_clock);
      record_number(s, n++, run->config->gpu.shader_clock);
      record_number(s, n++, run->config->gpu.memory_clock);
   }
   if (run->interval)
      record_number(s, 13, run->interval);
   record_text(s, 14, run->draws_columns);
   record_text(s, 15, run->cycle_draws);
   record_text(s, 16, run->cycle_label);
   record_step(rec, s);
   sqlite3_finalize(s);
}

/* --- Configuration --- */

static void
put_key(struct sim_record *rec, sqlite3_stmt *s, const char *section, const char *key,
        const char *unit, const char *meaning)
{
   record_text(s, 1, section);
   record_text(s, 2, key);
   record_text(s, 5, unit);
   record_text(s, 6, meaning);
   record_step(rec, s);
}

#define P(section, key, member, def, min, max, unit, doc) \
   record_number(s, 3, m->member);                        \
   record_number(s, 4, (def));                            \
   put_key(rec, s, #section, #key, unit, doc);
#define B(section, key, member, def, doc)           \
   record_text(s, 3, m->member ? "TRUE" : "FALSE"); \
   record_text(s, 4, (def) ? "TRUE" : "FALSE");     \
   put_key(rec, s, #section, #key, NULL, doc);
#define T(section, key, member, def, doc) \
   record_text(s, 3, m->member);          \
   record_text(s, 4, def);                \
   put_key(rec, s, #section, #key, NULL, doc);
#define S(section, member)                                            \
   static void put_##section(struct sim_record *rec, sqlite3_stmt *s, \
                             const struct sim_config *config)         \
   {                                                                  \
      const __auto_type m = &config->member;                          \
      SIM_PARAMS_##section(P, B, T)                                   \
   }
SIM_SECTIONS(S)
#undef S
#undef P
#undef B
#undef T

static void
put_configuration(struct sim_record *rec, const struct sim_config *config)
{
   sqlite3_stmt *s = record_prepare(rec, "INSERT INTO configuration VALUES (?, ?, ?, ?, ?, ?)");
#define S(section, member) put_##section(rec, s, config);
   SIM_SECTIONS(S)
#undef S
   sqlite3_finalize(s);
}

/* --- The machine --- */

static const char *const clock_names[SIM_NUM_DOMAINS] = {"gpu", "shader", "memory"};

static void
put_boxes(struct sim_record *rec)
{
   sqlite3_stmt *s = record_prepare(rec, "INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?)");
   for (unsigned i = 0; i < rec->kernel->num_boxes; i++) {
      const struct sim_box *b = rec->kernel->boxes[i];
      char unit[64];
      measure_unit_name(b->cls, unit, sizeof(unit));
      record_number(s, 1, i);
      record_text(s, 2, b->name);
      record_text(s, 3, b->cls->name);
      record_text(s, 4, unit);
      if (rec->columns->own[i] != NO_COLUMN)
         record_number(s, 5, b->instance);
      else
         sqlite3_bind_null(s, 5);
      record_text(s, 6, clock_names[b->cls->domain]);
      record_text(s, 7, b->cls->doc);
      record_step(rec, s);
   }
   sqlite3_finalize(s);
}

static void
put_counters(struct sim_record *rec)
{
   sqlite3_stmt *s =
       record_prepare(rec, "INSERT INTO counters VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
   for (unsigned c = 0; c < rec->columns->num_classes; c++) {
      const struct measure_class *of = &rec->columns->classes[c];
      char unit[64], name[200];
      measure_unit_name(of->cls, unit, sizeof(unit));
      /* What is bound stays for the next row. */
      record_text(s, 4, of->cls->name);
      record_text(s, 5, unit);
      record_number(s, 6, measure_class_boxes(rec->kernel, of->cls));
      record_text(s, 8, clock_names[of->cls->domain]);
      for (unsigned i = 0; i < measure_class_stats(of->cls); i++) {
         const struct sim_stat_desc *d = measure_class_stat(of->cls, i);
         snprintf(name, sizeof(name), "%s_%s", d->name, unit);
         record_number(s, 1, of->first + i);
         record_text(s, 2, name);
         record_text(s, 3, d->name);
         record_text(s, 7, measure_unit_text(d->unit));
         record_text(s, 9, d->doc);
         record_text(s, 10, measure_class_attribution(of->cls, i));
         record_number(s, 11, rec->chosen[of->first + i]);
         record_step(rec, s);
      }
   }
   sqlite3_finalize(s);
}

static void
put_kinds(struct sim_record *rec)
{
   sqlite3_stmt *s = record_prepare(rec, "INSERT INTO kinds VALUES (?, ?)");
#define K(NAME, name, doc)  \
   record_text(s, 1, name); \
   record_text(s, 2, doc);  \
   record_step(rec, s);
   SIM_ROW_KINDS(K)
#undef K
   sqlite3_finalize(s);
}

void
record_describe(struct sim_record *rec, const struct sim_record_run *run)
{
   put_run(rec, run);
   if (run->rows_only)
      return;
   if (run->config)
      put_configuration(rec, run->config);
   put_boxes(rec);
   put_counters(rec);
   put_kinds(rec);
}
