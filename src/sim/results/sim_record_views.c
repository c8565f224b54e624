/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Views of a record: columns for counters, and what is derived from them, with the formulas here
 * and nowhere else. record.md says what they are for. A view that needs a statistic that this
 * machine, or this record, does not have is left out. They name numbers of counters and never each
 * other, since SQLite reads a view again for every place in which it is named.
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record_impl.h"

/* K in a query stands for the kind; v is KIND_counts. */
struct maker {
   struct sim_record *rec;
   sqlite3_stmt *put;       /* a view */
   char **names;            /* [column] of sums */
   const char *kind, *rows; /* "work"; the table of its rows, with cycles of every clock */
   const bool *chosen;      /* [column]; NULL: all */
   const char *every;       /* columns of all counters; NULL: no memory */
   sqlite3_str *sql;
};

/* Straight into the schema: SQLite would read every view twice before it writes it there, which
 * takes longer than most frames. */
static void
make_view(struct maker *m, const char *name)
{
   char *query = sqlite3_str_finish(m->sql), full[40];
   m->sql = sqlite3_str_new(m->rec->db);
   char *sql =
       query && query[0] ? sqlite3_mprintf("CREATE VIEW %s_%s AS %s", m->kind, name, query) : NULL;
   if (sql) {
      snprintf(full, sizeof(full), "%s_%s", m->kind, name);
      record_text(m->put, 1, full);
      record_text(m->put, 2, sql);
      record_step(m->rec, m->put);
   }
   sqlite3_free(sql);
   sqlite3_free(query);
}

/* The sum of a counter over the boxes of its unit, in a query of KIND_counts v. */
#define VALUE_BEFORE                                                                       \
   "coalesce(json_extract(v.counts,(SELECT '$['||place||']' FROM layout l WHERE l.layout=" \
   "v.layout AND l.counter="
#define VALUE_AFTER " AND l.instance=-1)),0)"
#define VALUE_OF VALUE_BEFORE "%s" VALUE_AFTER

static void
put_value(struct maker *m, unsigned column)
{
   char number[REPORT_NUMBER_BYTES];
   const char *end = report_put_number(number, column);
   sqlite3_str_append(m->sql, VALUE_BEFORE, sizeof(VALUE_BEFORE) - 1);
   sqlite3_str_append(m->sql, number, (int)(end - number));
   sqlite3_str_append(m->sql, VALUE_AFTER, sizeof(VALUE_AFTER) - 1);
}

/* --- Columns, names, boxes --- */

/* Those that are chosen, or all. */
static void
put_columns(struct maker *m)
{
   for (unsigned i = 0; i < m->rec->columns->num_sums; i++) {
      if (m->chosen && !m->chosen[i])
         continue;
      sqlite3_str_appendall(m->sql, ", ");
      put_value(m, i);
      sqlite3_str_appendf(m->sql, " AS \"%w\"", m->names[i]);
   }
}

/* The same text for every kind of rows that has all of them. */
static char *
every_column(struct sim_record *rec, char **names)
{
   struct maker m = {.rec = rec, .names = names, .sql = sqlite3_str_new(rec->db)};
   put_columns(&m);
   return sqlite3_str_finish(m.sql);
}

static void
make_counters(struct maker *m)
{
   sqlite3_str_appendf(m->sql, "SELECT v.%s AS %s", m->kind, m->kind);
   if (m->chosen || !m->every)
      put_columns(m);
   else
      sqlite3_str_appendall(m->sql, m->every);
   sqlite3_str_appendf(m->sql, " FROM %s_counts v", m->kind);
   make_view(m, "counters");
   sqlite3_str_appendf(m->sql, "SELECT * FROM %s JOIN %s_counters USING (%s)", m->rows, m->kind,
                       m->kind);
   make_view(m, "all");
   sqlite3_str_appendf(m->sql, "SELECT v.%s AS %s, c.counter, c.name, ", m->kind, m->kind);
   sqlite3_str_appendf(m->sql, VALUE_OF, "c.counter");
   sqlite3_str_appendf(m->sql, " AS value FROM %s_counts v CROSS JOIN counters c%s", m->kind,
                       m->chosen ? " WHERE c.of_work" : "");
   make_view(m, "values");
   /* Whoever wants many of them reads each array once. */
   static const char all[] = "FROM %s_counts v CROSS JOIN json_each(v.counts) j CROSS JOIN layout "
                             "l ON l.entry = (v.layout << 16) + j.key";
   sqlite3_str_appendf(m->sql, "SELECT v.%s AS %s, c.counter, c.name, j.value ", m->kind, m->kind);
   sqlite3_str_appendf(m->sql, all, m->kind);
   sqlite3_str_appendall(m->sql, " CROSS JOIN counters c ON c.counter = l.counter WHERE l.instance "
                                 "< 0 AND j.value != 0");
   make_view(m, "nonzero");
   sqlite3_str_appendf(m->sql, "SELECT v.%s AS %s, l.counter, l.instance, j.value ", m->kind,
                       m->kind);
   sqlite3_str_appendf(m->sql, all, m->kind);
   sqlite3_str_appendall(m->sql, " WHERE l.instance >= 0 AND j.value != 0");
   make_view(m, "box_counters");
}

/* --- Units --- */

/* KIND_units: what each unit did with its cycles, as shares of those of its boxes. */
static void
make_units(struct maker *m)
{
   static const char *const did[] = {"busy", "blocked", "starved", "idle"};
   sqlite3_str *list = sqlite3_str_new(m->rec->db);
   bool any = false;
   for (unsigned i = 0; i < m->rec->columns->num_classes; i++) {
      const struct measure_class *c = &m->rec->columns->classes[i];
      const unsigned busy = c->first + c->cls->num_stats;
      bool all = true;
      for (unsigned a = 0; a < SIM_NUM_ACTIVITIES; a++)
         all &= !m->chosen || m->chosen[busy + a];
      if (all)
         sqlite3_str_appendf(list, "%s%u", any ? "," : "", busy);
      any |= all;
   }
   char *counters = sqlite3_str_finish(list);
   if (counters && any) {
      char number[24];
      sqlite3_str_appendf(m->sql,
                          "SELECT %s, unit, boxes, busy, blocked, starved, idle, "
                          "100.0 * busy / nullif(boxes * unit_cycles, 0) AS busy_percent, "
                          "100.0 * blocked / nullif(boxes * unit_cycles, 0) AS blocked_percent "
                          "FROM (SELECT r.%s AS %s, c.unit, c.boxes, CASE c.clock WHEN 'gpu' THEN "
                          "r.cycles WHEN 'shader' THEN r.shader_cycles ELSE r.memory_cycles END AS "
                          "unit_cycles",
                          m->kind, m->kind, m->kind);
      for (unsigned a = 0; a < SIM_NUM_ACTIVITIES; a++) {
         snprintf(number, sizeof(number), "c.counter+%u", a);
         sqlite3_str_appendall(m->sql, ", ");
         sqlite3_str_appendf(m->sql, VALUE_OF, number);
         sqlite3_str_appendf(m->sql, " AS %s", did[a]);
      }
      sqlite3_str_appendf(m->sql,
                          " FROM %s r CROSS JOIN %s_counts v ON v.%s = r.%s CROSS JOIN counters c "
                          "WHERE c.counter IN (%s))",
                          m->rows, m->kind, m->kind, m->kind, counters);
      make_view(m, "units");
   }
   sqlite3_free(counters);
}

/* --- Memory --- */

/* The column of a name; NO_COLUMN: this record does not have it. */
static unsigned
find(const struct maker *m, const char *name, size_t length)
{
   for (unsigned i = 0; i < m->rec->columns->num_sums; i++) {
      if (!strncmp(name, m->names[i], length) && !m->names[i][length])
         return !m->chosen || m->chosen[i] ? i : NO_COLUMN;
   }
   return NO_COLUMN;
}

/* "ZStencilTest_ReadBytes_MC" */
static void
put_client(struct maker *m, unsigned column, const char *name)
{
   char writes[200];
   const char *end = strstr(name, "_ReadBytes_MC");
   const int n = end ? (int)(end - name) : 0;
   snprintf(writes, sizeof(writes), "%.*s_WriteBytes_MC", n, name);
   const unsigned written = end ? find(m, writes, strlen(writes)) : NO_COLUMN;
   if (written == NO_COLUMN || (m->chosen && !m->chosen[column]))
      return;
   sqlite3_str_appendf(m->sql, "%sSELECT v.%s AS %s, '%.*s' AS client, ",
                       sqlite3_str_length(m->sql) ? " UNION ALL " : "", m->kind, m->kind, n, name);
   put_value(m, column);
   sqlite3_str_appendall(m->sql, " AS read_bytes, ");
   put_value(m, written);
   sqlite3_str_appendf(m->sql, " AS written_bytes FROM %s_counts v", m->kind);
}

/* --- Fragments, caches --- */

/* Names stand for their values. Quads are counted as their 4 fragments where boxes count quads. */
static const struct {
   const char *view, *query;
} derived[] = {
    {"fragments", "SELECT v.K AS K, \"GeneratedFragments_TT\" AS generated, "
                  "\"OutsideTriangleFragments_HZ\" AS uncovered, "
                  "4 * \"CulledHZFragments_HZ\" AS culled_hz, "
                  "\"OutsideFragments_ZST-SU\" AS uncovered_tested, "
                  "\"TestedFragments_ZST-SU\" AS tested, \"PassedFragments_ZST-SU\" AS passed, "
                  "\"FailedFragments_ZST-SU\" AS failed, "
                  "\"InputFragments_CW-SU\" AS colour_input, "
                  "\"CulledFragments_CW-SU\" AS colour_dead, "
                  "\"OutsideFragments_CW-SU\" AS colour_uncovered "
                  "FROM K_counts v"},
    {"caches",
     "SELECT v.K AS K, 'depth' AS cache, \"HitsFetch_FC_ZST-SU\" + \"HitsAlloc_FC_ZST-SU\" AS "
     "hits, \"MissOKFetch_FC_ZST-SU\" + \"MissOKAlloc_FC_ZST-SU\" AS misses FROM K_counts v "
     "UNION ALL "
     "SELECT v.K, 'colour', \"HitsFetch_FC_CW-SU\" + \"HitsAlloc_FC_CW-SU\", "
     "\"MissOKFetch_FC_CW-SU\" + \"MissOKAlloc_FC_CW-SU\" FROM K_counts v UNION ALL "
     "SELECT v.K, 'vertex', \"HitsFetch_FC_InC_SL\", \"MissesFetch_FC_InC_SL\" FROM K_counts v "
     "UNION ALL SELECT v.K, 'shaded vertices', \"Hits_StOC\", \"Misses_StOC\" FROM K_counts v "
     "UNION ALL SELECT v.K, 'hierarchical Z', \"HitsHZCache_HZ\", \"MissesHZCache_HZ\" FROM "
     "K_counts v"},
};

/* Replaces K by the kind, and names of counters by their values; false: one is missing. */
static bool
put_derived(struct maker *m, const char *query)
{
   for (const char *p = query; *p; p++) {
      const char before = p > query ? p[-1] : ' ';
      if (*p == 'K' && (before == ' ' || before == '.') &&
          (p[1] == ',' || p[1] == '_' || p[1] == ' ')) {
         sqlite3_str_appendall(m->sql, m->kind);
      } else if (*p == '"') {
         const size_t n = strcspn(p + 1, "\"");
         const unsigned column = find(m, p + 1, n);
         if (column == NO_COLUMN)
            return false;
         put_value(m, column);
         p += n + 1;
      } else {
         sqlite3_str_appendchar(m->sql, 1, *p);
      }
   }
   return true;
}

/* --- Overdraw --- */

/* Of each draw: the first colour buffer that it writes, or else its depth buffer, and what it did
 * to that. Names sort so that colours come first. */
#define OVERDRAW                                                                                \
   "SELECT w.K AS K, w.frame AS frame, t.slot AS target, t.address AS address, t.format AS "    \
   "format, t.width AS width, t.height AS height, t.samples AS samples, t.label AS label, "     \
   "t.width * t.height AS pixels, \"ShadedFragments_FFU\" AS shaded, CASE WHEN t.colours THEN " \
   "\"WrittenSamples_CW-SU\" * 1.0 / (t.samples * t.colours) ELSE "                             \
   "\"PassedFragments_ZST-SU\" * 1.0 END AS written FROM K w CROSS JOIN K_counts v ON "         \
   "v.K = w.K CROSS JOIN (SELECT b.bindings, min(b.slot) AS slot, b.address, b.format, "        \
   "b.width, b.height, b.samples, b.label, sum(b.slot GLOB 'color*') AS colours FROM "          \
   "bindings b WHERE b.slot NOT GLOB 'texture*' GROUP BY b.bindings) t ON "                     \
   "t.bindings = w.bindings WHERE w.kind = 'draw'"

static void
make_overdraw(struct maker *m)
{
   static const char work[] = "SELECT K, target, address, format, width, height, samples, label, "
                              "pixels, shaded, written, written / pixels AS overdraw, "
                              "shaded * 1.0 / pixels AS shaded_per_pixel, "
                              "shaded / nullif(written, 0) AS shaded_per_written "
                              "FROM (" OVERDRAW ")";
   static const char frame[] =
       "SELECT frame, address, format, width, height, samples, label, count(*) AS draws, pixels, "
       "sum(shaded) AS shaded, sum(written) AS written, sum(written) / pixels AS overdraw, "
       "sum(shaded) * 1.0 / pixels AS shaded_per_pixel, "
       "sum(shaded) / nullif(sum(written), 0) AS shaded_per_written "
       "FROM (" OVERDRAW ") GROUP BY frame, address, format, width, height, samples";
   m->sql = sqlite3_str_new(m->rec->db);
   if (put_derived(m, work))
      make_view(m, "overdraw");
   else
      sqlite3_str_reset(m->sql);
   const bool all = put_derived(m, frame);
   m->kind = "frame"; /* the name of the view */
   if (all)
      make_view(m, "overdraw");
   sqlite3_free(sqlite3_str_finish(m->sql));
}

static void
make_kind(struct maker *m)
{
   m->sql = sqlite3_str_new(m->rec->db);
   make_counters(m);
   make_units(m);
   for (unsigned i = 0; i < m->rec->columns->num_sums; i++)
      put_client(m, i, m->names[i]);
   if (sqlite3_str_length(m->sql))
      make_view(m, "bytes");
   for (unsigned i = 0; i < sizeof(derived) / sizeof(derived[0]); i++) {
      if (put_derived(m, derived[i].query))
         make_view(m, derived[i].view);
      else
         sqlite3_str_reset(m->sql);
   }
   sqlite3_free(sqlite3_str_finish(m->sql));
}

static void
keep_name(void *data, unsigned column, const char *name)
{
   char **names = data;
   names[column] = strdup(name);
}

/* The names of all sums; NULL without memory. */
static char **
make_names(const struct measure_columns *c)
{
   char **names = calloc(c->num_sums, sizeof(*names));
   if (names)
      measure_columns_each_sum(c, keep_name, names);
   for (unsigned i = 0; names && i < c->num_sums; i++) {
      if (!names[i])
         names[i] = strdup("");
   }
   return names;
}

static bool
chosen_all(const struct sim_record *rec)
{
   bool all = true;
   for (unsigned i = 0; i < rec->columns->num_sums; i++)
      all &= rec->chosen[i];
   return all;
}

void
record_make_views(struct sim_record *rec)
{
   /* Work overlaps; what a unit did for it is a share of the time from its start to its end. */
   static const char work[] =
       "(SELECT *, cycles * (SELECT shader_mhz FROM run) / (SELECT gpu_mhz FROM run) AS "
       "shader_cycles, cycles * (SELECT memory_mhz FROM run) / (SELECT gpu_mhz FROM run) AS "
       "memory_cycles FROM work)";
   char **names = rec->columns->num_sums ? make_names(rec->columns) : NULL;
   if (!names)
      return;
   record_sql(rec, "PRAGMA writable_schema = ON");
   sqlite3_stmt *put =
       record_prepare(rec, "INSERT INTO sqlite_master VALUES ('view', ?1, ?1, 0, ?2)");
   const bool all = chosen_all(rec);
   char *every = every_column(rec, names);
   make_kind(&(struct maker){rec, put, names, "work", work, all ? NULL : rec->chosen, every, NULL});
   make_overdraw(
       &(struct maker){rec, put, names, "work", work, all ? NULL : rec->chosen, every, NULL});
   make_kind(&(struct maker){rec, put, names, "frame", "frames", NULL, every, NULL});
   make_kind(&(struct maker){rec, put, names, "interval", "intervals", NULL, every, NULL});
   sqlite3_free(every);
   sqlite3_finalize(put);
   record_sql(rec, "PRAGMA writable_schema = OFF");
   for (unsigned i = 0; i < rec->columns->num_sums; i++)
      free(names[i]);
   free(names);
}
