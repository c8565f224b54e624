/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Views of a record: what is derived from its tables, with the formulas here and nowhere else.
 * docs/record.md says what they are for. A view that needs a statistic that this machine, or this
 * record, does not have is left out.
 */
#include <stdlib.h>
#include <string.h>
#include "report/sim_record_impl.h"

/* Makes a view if everything that it names is there. */
static void
make_view(struct sim_record *rec, const char *name, const char *query)
{
   sqlite3_stmt *s = NULL;
   if (rec->failed || sqlite3_prepare_v2(rec->db, query, -1, &s, NULL) != SQLITE_OK)
      return;
   sqlite3_finalize(s);
   char *sql = sqlite3_mprintf("CREATE VIEW \"%w\" AS %s", name, query);
   if (sql)
      record_sql(rec, sql);
   sqlite3_free(sql);
}

/* --- Names of counters in rows --- */

struct names {
   sqlite3_str *sql;
   const bool *chosen;
};

static void
put_case(void *data, unsigned column, const char *name)
{
   const struct names *n = data;
   if (!n->chosen || n->chosen[column])
      sqlite3_str_appendf(n->sql, " WHEN %u THEN v.\"%w\"", column, name);
}

/* KIND_values: a row for each counter, with its name. */
static void
make_values(struct sim_record *rec, const char *kind, const bool *chosen)
{
   struct names n = {sqlite3_str_new(rec->db), chosen};
   sqlite3_str_appendf(n.sql, "SELECT v.%s, c.counter, c.name, CASE c.counter", kind);
   report_columns_each_sum(rec->columns, put_case, &n);
   sqlite3_str_appendf(n.sql, " END AS value FROM %s_counters v CROSS JOIN counters c%s", kind,
                       chosen ? " WHERE c.of_work" : "");
   char *sql = sqlite3_str_finish(n.sql), view[40];
   snprintf(view, sizeof(view), "%s_values", kind);
   if (sql)
      make_view(rec, view, sql);
   sqlite3_free(sql);
}

/* --- Units --- */

/* KIND_units: what each unit did with its cycles, as shares of those of its boxes. */
static void
make_units(struct sim_record *rec, const char *kind, const char *rows)
{
   static const char *const cycles[SIM_NUM_DOMAINS] = {"cycles", "shader_cycles", "memory_cycles"};
   sqlite3_str *sql = sqlite3_str_new(rec->db);
   for (unsigned i = 0; i < rec->columns->num_classes; i++) {
      const struct sim_box_class *cls = rec->columns->classes[i].cls;
      const unsigned boxes = report_class_boxes(rec->kernel, cls);
      char unit[64];
      report_unit_name(cls, unit, sizeof(unit));
      sqlite3_str_appendf(sql,
                          "%sSELECT r.%s, '%q' AS unit, %u AS boxes, \"CyclesBusy_%w\" AS busy, "
                          "\"CyclesBlocked_%w\" AS blocked, \"CyclesStarved_%w\" AS starved, "
                          "\"CyclesIdle_%w\" AS idle, "
                          "100.0 * \"CyclesBusy_%w\" / nullif(%u * r.%s, 0) AS busy_percent, "
                          "100.0 * \"CyclesBlocked_%w\" / nullif(%u * r.%s, 0) AS blocked_percent "
                          "FROM %s r JOIN %s_counters USING (%s)",
                          i ? " UNION ALL " : "", kind, unit, boxes, unit, unit, unit, unit, unit,
                          boxes, cycles[cls->domain], unit, boxes, cycles[cls->domain], rows, kind,
                          kind);
   }
   char *query = sqlite3_str_finish(sql), view[40];
   snprintf(view, sizeof(view), "%s_units", kind);
   if (query && rec->columns->num_classes)
      make_view(rec, view, query);
   sqlite3_free(query);
}

/* --- Memory --- */

struct clients {
   sqlite3_str *sql;
   const char *kind;
   const bool *chosen;
   bool any;
};

/* "ZStencilTest_ReadBytes_MC" */
static void
put_client(void *data, unsigned column, const char *name)
{
   struct clients *c = data;
   const char *end = strstr(name, "_ReadBytes_MC");
   if (!end || (c->chosen && !c->chosen[column]))
      return;
   const int n = (int)(end - name);
   sqlite3_str_appendf(c->sql,
                       "%sSELECT %s, '%.*s' AS client, \"%.*s_ReadBytes_MC\" AS read_bytes, "
                       "\"%.*s_WriteBytes_MC\" AS written_bytes FROM %s_counters",
                       c->any ? " UNION ALL " : "", c->kind, n, name, n, name, n, name, c->kind);
   c->any = true;
}

static void
make_bytes(struct sim_record *rec, const char *kind, const bool *chosen)
{
   struct clients c = {sqlite3_str_new(rec->db), kind, chosen, false};
   report_columns_each_sum(rec->columns, put_client, &c);
   char *query = sqlite3_str_finish(c.sql), view[40];
   snprintf(view, sizeof(view), "%s_bytes", kind);
   if (query && c.any)
      make_view(rec, view, query);
   sqlite3_free(query);
}

/* --- Fragments, caches --- */

/* K stands for the kind. Quads are counted as their 4 fragments where boxes count quads. */
static const struct {
   const char *view, *query;
} derived[] = {
    {"fragments", "SELECT K, \"GeneratedFragments_TT\" AS generated, "
                  "\"OutsideTriangleFragments_HZ\" AS uncovered, "
                  "4 * \"CulledHZFragments_HZ\" AS culled_hz, "
                  "\"OutsideFragments_ZST-SU\" AS uncovered_tested, "
                  "\"TestedFragments_ZST-SU\" AS tested, \"PassedFragments_ZST-SU\" AS passed, "
                  "\"FailedFragments_ZST-SU\" AS failed, "
                  "\"InputFragments_CW-SU\" AS colour_input, "
                  "\"CulledFragments_CW-SU\" AS colour_dead, "
                  "\"OutsideFragments_CW-SU\" AS colour_uncovered "
                  "FROM K_counters"},
    {"caches",
     "SELECT K, 'depth' AS cache, \"HitsFetch_FC_ZST-SU\" + \"HitsAlloc_FC_ZST-SU\" AS hits, "
     "\"MissOKFetch_FC_ZST-SU\" + \"MissOKAlloc_FC_ZST-SU\" AS misses FROM K_counters UNION ALL "
     "SELECT K, 'colour', \"HitsFetch_FC_CW-SU\" + \"HitsAlloc_FC_CW-SU\", "
     "\"MissOKFetch_FC_CW-SU\" + \"MissOKAlloc_FC_CW-SU\" FROM K_counters UNION ALL "
     "SELECT K, 'vertex', \"HitsFetch_FC_InC_SL\", \"MissesFetch_FC_InC_SL\" FROM K_counters "
     "UNION ALL SELECT K, 'shaded vertices', \"Hits_StOC\", \"Misses_StOC\" FROM K_counters "
     "UNION ALL SELECT K, 'hierarchical Z', \"HitsHZCache_HZ\", \"MissesHZCache_HZ\" FROM "
     "K_counters"},
};

/* K replaced by the kind. */
static char *
of_kind(sqlite3 *db, const char *query, const char *kind)
{
   sqlite3_str *s = sqlite3_str_new(db);
   for (const char *p = query; *p; p++) {
      const bool alone = *p == 'K' && (p[1] == ',' || p[1] == '_') && p[-1] == ' ';
      if (alone)
         sqlite3_str_appendall(s, kind);
      else
         sqlite3_str_appendchar(s, 1, *p);
   }
   return sqlite3_str_finish(s);
}

static void
make_kind(struct sim_record *rec, const char *kind, const char *rows, const bool *chosen)
{
   char view[40],
       *all = sqlite3_mprintf("SELECT * FROM %s JOIN %s_counters USING (%s)", rows, kind, kind);
   snprintf(view, sizeof(view), "%s_all", kind);
   if (all)
      make_view(rec, view, all);
   sqlite3_free(all);
   make_values(rec, kind, chosen);
   make_units(rec, kind, rows);
   make_bytes(rec, kind, chosen);
   for (unsigned i = 0; i < sizeof(derived) / sizeof(derived[0]); i++) {
      char *query = of_kind(rec->db, derived[i].query, kind);
      snprintf(view, sizeof(view), "%s_%s", kind, derived[i].view);
      if (query)
         make_view(rec, view, query);
      sqlite3_free(query);
   }
}

void
record_make_views(struct sim_record *rec)
{
   /* Work overlaps; what a unit did for it is a share of the time from its start to its end. */
   static const char work[] =
       "(SELECT *, cycles * (SELECT shader_mhz FROM run) / (SELECT gpu_mhz FROM run) AS "
       "shader_cycles, cycles * (SELECT memory_mhz FROM run) / (SELECT gpu_mhz FROM run) AS "
       "memory_cycles FROM work)";
   if (!rec->columns->num_sums)
      return;
   make_kind(rec, "work", work, rec->chosen);
   make_kind(rec, "frame", "frames", NULL);
   make_kind(rec, "interval", "intervals", NULL);
}
