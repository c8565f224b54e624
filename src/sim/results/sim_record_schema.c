/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables of a record, and the rows that are written once: the run, its configuration, boxes,
 * counters (record.md). Not here: rows that come while the machine runs. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "config/sim_config.h"
#include "core/sim_version.h"
#include "results/sim_record_impl.h"

/* --- Tables --- */

struct column {
   const char *name, *type;
};

#define C(table, column, type) {#column, type},
#define RECORD_COST(member, what) {#member, INT},
#define T(table, constraints, end) \
   static const struct column table##_columns[] = {RECORD_COLUMNS_##table(C, table)};
RECORD_TABLES(T)
#undef T
#undef C
#undef RECORD_COST

static const struct table {
   const char *name, *constraints, *end;
   const struct column *columns;
   unsigned num;
} tables[RECORD_NUM_TABLES] = {
#define T(table, constraints, end)             \
   {#table, constraints, end, table##_columns, \
    sizeof(table##_columns) / sizeof(table##_columns[0])},
    RECORD_TABLES(T)
#undef T
};

/* Rows of these tables wait for the commit, so that no transaction is open during a frame. */
static const enum record_table staged[] = {
    TABLE_programs, TABLE_instructions, TABLE_bindings,  TABLE_pipelines,    TABLE_pipeline_items,
    TABLE_passes,   TABLE_pass_draws,   TABLE_pass_bins, TABLE_clock_changes};
#define NUM_STAGED (sizeof(staged) / sizeof(staged[0]))

static void
record_schema_make_table(struct sim_record *rec, enum record_table which, const char *create)
{
   const struct table *t = &tables[which];
   sqlite3_str *s = sqlite3_str_new(rec->db);
   sqlite3_str_appendf(s, "CREATE %s %s (", create, t->name);
   for (unsigned i = 0; i < t->num; i++)
      sqlite3_str_appendf(s, "%s%s %s", i ? ", " : "", t->columns[i].name, t->columns[i].type);
   sqlite3_str_appendf(s, "%s)%s", t->constraints, t->end);
   record_run(rec, s);
}

sqlite3_stmt *
record_put(struct sim_record *rec, enum record_table which)
{
   const struct table *t = &tables[which];
   if (rec->put[which] || rec->failed)
      return rec->put[which];
   sqlite3_str *s = sqlite3_str_new(rec->db);
   sqlite3_str_appendf(s, "INSERT INTO %s VALUES (", t->name);
   for (unsigned i = 0; i < t->num; i++)
      sqlite3_str_appendf(s, "%s:%s", i ? ", " : "", t->columns[i].name);
   sqlite3_str_appendall(s, ")");
   char *sql = sqlite3_str_finish(s);
   if (sql)
      rec->put[which] = record_prepare(rec, sql);
   else
      record_out_of_memory(rec);
   sqlite3_free(sql);
   return rec->put[which];
}

void
record_make_tables(struct sim_record *rec)
{
   for (unsigned i = 0; i < TABLE_clock_domains; i++)
      record_schema_make_table(rec, i, "TABLE");
}

void
record_make_clock_tables(struct sim_record *rec)
{
   for (unsigned i = TABLE_clock_domains; i < RECORD_NUM_TABLES; i++)
      record_schema_make_table(rec, i, "TABLE");
   record_schema_make_table(rec, TABLE_clock_changes, "TEMP TABLE");
}

/* Names without a schema refer to temporary tables where they exist. */
void
record_stage(struct sim_record *rec)
{
   for (unsigned i = 0; i < NUM_STAGED; i++) {
      if (staged[i] < TABLE_clock_domains)
         record_schema_make_table(rec, staged[i], "TEMP TABLE");
   }
}

void
record_unstage(struct sim_record *rec)
{
   char sql[200];
   for (unsigned i = 0; i < NUM_STAGED && rec->staged; i++) {
      const char *name = tables[staged[i]].name;
      if (staged[i] >= TABLE_clock_domains && !rec->clocks)
         continue;
      snprintf(sql, sizeof(sql), "INSERT INTO main.%s SELECT * FROM temp.%s; DELETE FROM temp.%s",
               name, name, name);
      record_sql(rec, sql);
   }
   rec->staged = false;
}

/* --- The run --- */

/* Reads /proc/self/cmdline: the program, and its arguments with blanks between them. */
static void
record_schema_command_line(char *program, char *arguments, size_t size)
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
record_schema_put_run(struct sim_record *rec, const struct sim_record_run *run)
{
   sqlite3_stmt *s = record_put(rec, TABLE_run);
   char program[4096], arguments[4096], host[256] = "", started[32];
   struct tm tm;
   const time_t now = time(NULL);
   record_schema_command_line(program, arguments, sizeof(program));
   gethostname(host, sizeof(host) - 1);
   strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
   record_number(s, IN_run_schema, SIM_RECORD_SCHEMA);
   record_text(s, IN_run_program, program);
   record_text(s, IN_run_arguments, arguments);
   record_text(s, IN_run_version, sim_version);
   record_text(s, IN_run_mode, run->mode);
   record_text(s, IN_run_config_path, run->config_path);
   record_text(s, IN_run_ignored_keys, run->ignored_keys);
   record_text(s, IN_run_ideal, run->ideal);
   record_text(s, IN_run_host, host);
   record_text(s, IN_run_started, started);
   record_number(s, IN_run_complete, false);
   if (run->config) {
      record_number(s, IN_run_gpu_mhz, run->config->gpu.gpu_clock);
      record_number(s, IN_run_shader_mhz, run->config->gpu.shader_clock);
      record_number(s, IN_run_memory_mhz, run->config->gpu.memory_clock);
   }
   if (run->interval)
      record_number(s, IN_run_interval_cycles, run->interval);
   record_text(s, IN_run_draws_columns, run->draws_columns);
   record_text(s, IN_run_cycle_draws, run->cycle_draws);
   record_text(s, IN_run_cycle_label, run->cycle_label);
   record_step(rec, s);
}

/* --- Configuration --- */

static void
record_schema_put_key(struct sim_record *rec, sqlite3_stmt *s, const char *section, const char *key,
                      const char *unit, const char *meaning)
{
   record_word(s, IN_configuration_section, section);
   record_word(s, IN_configuration_key, key);
   record_word(s, IN_configuration_unit, unit);
   record_word(s, IN_configuration_meaning, meaning);
   record_step(rec, s);
}

#define P(section, key, member, def, min, max, unit, doc)   \
   record_number(s, IN_configuration_value, m->member);     \
   record_number(s, IN_configuration_default_value, (def)); \
   record_schema_put_key(rec, s, #section, #key, unit, doc);
#define B(section, key, member, def, doc)                                    \
   record_text(s, IN_configuration_value, m->member ? "TRUE" : "FALSE");     \
   record_word(s, IN_configuration_default_value, (def) ? "TRUE" : "FALSE"); \
   record_schema_put_key(rec, s, #section, #key, NULL, doc);
#define T(section, key, member, def, doc)               \
   record_text(s, IN_configuration_value, m->member);   \
   record_word(s, IN_configuration_default_value, def); \
   record_schema_put_key(rec, s, #section, #key, NULL, doc);
#define S(section, member)                                                          \
   static void record_schema_put_##section(struct sim_record *rec, sqlite3_stmt *s, \
                                           const struct sim_config *config)         \
   {                                                                                \
      const __auto_type m = &config->member;                                        \
      SIM_PARAMS_##section(P, B, T)                                                 \
   }
SIM_SECTIONS(S)
#undef S
#undef P
#undef B
#undef T

static void
record_schema_put_configuration(struct sim_record *rec, const struct sim_config *config)
{
   sqlite3_stmt *s = record_put(rec, TABLE_configuration);
#define S(section, member) record_schema_put_##section(rec, s, config);
   SIM_SECTIONS(S)
#undef S
}

/* --- The machine --- */

static const char *const clock_names[SIM_NUM_DOMAINS] = {"gpu", "shader", "memory"};

static void
record_schema_put_boxes(struct sim_record *rec)
{
   const struct sim_kernel *k = rec->measure->kernel;
   sqlite3_stmt *s = record_put(rec, TABLE_boxes);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      char unit[64];
      measure_unit_name(b->cls->unit, unit, sizeof(unit));
      record_number(s, IN_boxes_box, i);
      record_word(s, IN_boxes_name, b->name);
      record_word(s, IN_boxes_class, b->cls->name);
      record_word(s, IN_boxes_unit, unit);
      if (rec->measure->columns.own[i] != NO_COLUMN)
         record_number(s, IN_boxes_instance, b->instance);
      else
         sqlite3_bind_null(s, IN_boxes_instance);
      record_word(s, IN_boxes_clock, clock_names[b->cls->domain]);
      record_word(s, IN_boxes_meaning, b->cls->doc);
      record_step(rec, s);
   }
}

static void
record_schema_put_counters(struct sim_record *rec)
{
   sqlite3_stmt *s = record_put(rec, TABLE_counters);
   for (unsigned c = 0; c < rec->measure->columns.num_classes; c++) {
      const struct measure_class *of = &rec->measure->columns.classes[c];
      char unit[64], name[200];
      measure_unit_name(of->cls->unit, unit, sizeof(unit));
      /* Values that are bound here stay bound for the next rows. */
      record_word(s, IN_counters_class, of->cls->name);
      record_word(s, IN_counters_unit, unit);
      record_number(s, IN_counters_boxes, measure_class_boxes(rec->measure->kernel, of->cls));
      record_word(s, IN_counters_clock, clock_names[of->cls->domain]);
      for (unsigned i = 0; i < measure_class_stats(of->cls); i++) {
         const struct sim_stat_desc *d = measure_class_stat(of->cls, i);
         snprintf(name, sizeof(name), "%s_%s", d->name, unit);
         record_number(s, IN_counters_counter, of->first + i);
         record_word(s, IN_counters_name, name);
         record_word(s, IN_counters_statistic, d->name);
         record_word(s, IN_counters_measure, measure_unit_text(d->unit));
         record_word(s, IN_counters_meaning, d->doc);
         record_word(s, IN_counters_attribution, measure_class_attribution(of->cls, i));
         record_number(s, IN_counters_of_work, rec->chosen[of->first + i]);
         record_step(rec, s);
      }
   }
}

static void
record_schema_put_kinds(struct sim_record *rec)
{
   sqlite3_stmt *s = record_put(rec, TABLE_kinds);
#define K(NAME, name, doc)                \
   record_word(s, IN_kinds_kind, name);   \
   record_word(s, IN_kinds_meaning, doc); \
   record_step(rec, s);
   SIM_WORK_KINDS(K)
#undef K
}

void
record_describe(struct sim_record *rec, const struct sim_record_run *run)
{
   if (rec->failed)
      return;
   record_schema_put_run(rec, run);
   if (run->rows_only)
      return;
   if (run->config)
      record_schema_put_configuration(rec, run->config);
   record_schema_put_boxes(rec);
   record_schema_put_counters(rec);
   record_schema_put_kinds(rec);
}
