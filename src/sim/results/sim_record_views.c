/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Views of a record: the statistics of all classes side by side, and the values derived from them,
 * whose formulas are only here (record.md). A view is omitted if this machine or record
 * (--draws-columns) lacks one of its statistics. */
#include <stdlib.h>
#include <string.h>
#include "measure/sim_caches.h"
#include "results/sim_record_impl.h"

struct maker {
   struct sim_record *rec;
   enum record_kind kind;
   const char *name, *rows; /* names of the kind */
};

static const struct measure_class *
record_views_class_of(const struct maker *m, unsigned cls)
{
   return &m->rec->measure->columns.classes[cls];
}

static unsigned
record_views_num_classes(const struct maker *m)
{
   return m->rec->measure->columns.num_classes;
}

/* Returns whether rows of this kind have a column. */
static bool
record_views_has(const struct maker *m, unsigned column)
{
   return m->kind != RECORD_WORK || m->rec->chosen[column];
}

static bool
record_views_has_table(const struct maker *m, unsigned cls)
{
   return record_counts_has(m->rec, m->kind, cls);
}

/* Appends " FROM" and the table with the sums of a class. */
static void
record_views_put_table(const struct maker *m, sqlite3_str *s, unsigned cls)
{
   sqlite3_str_appendf(s, " FROM %s_%s", m->name,
                       m->kind == RECORD_WORK ? record_views_class_of(m, cls)->cls->name
                                              : "counters");
}

static sqlite3_str *
record_views_begin(const struct maker *m, const char *view)
{
   sqlite3_str *s = sqlite3_str_new(m->rec->db);
   sqlite3_str_appendf(s, "CREATE VIEW %s_%s AS ", m->name, view);
   return s;
}

/* Executes the text of a query, or only frees it if it has no parts. */
static void
record_views_end(const struct maker *m, sqlite3_str *s, unsigned parts)
{
   if (parts)
      record_run(m->rec, s);
   else
      sqlite3_free(sqlite3_str_finish(s));
}

/* --- Columns, names, boxes --- */

/* Makes work_counters with all columns, which are NULL for classes that did nothing for the work,
 * and the views K_all. */
static void
record_views_make_counters(const struct maker *m)
{
   sqlite3_str *s;
   if (m->kind == RECORD_WORK) {
      s = record_views_begin(m, "counters");
      sqlite3_str_appendall(s, "SELECT * FROM (SELECT work FROM work)");
      for (unsigned c = 0; c < record_views_num_classes(m); c++) {
         if (record_views_has_table(m, c))
            sqlite3_str_appendf(s, " LEFT JOIN work_%s USING (work)",
                                record_views_class_of(m, c)->cls->name);
      }
      record_run(m->rec, s);
   }
   s = record_views_begin(m, "all");
   sqlite3_str_appendf(s, "SELECT * FROM %s JOIN %s_counters USING (%s)", m->rows, m->name,
                       m->name);
   record_run(m->rec, s);
}

/* --- Units --- */

/* Appends the cycles in which a unit could have done its work at its best rate, or NULL if its work
 * has no measure (stalls are none) or the record lacks a statistic of it. */
static void
record_views_put_work(const struct maker *m, sqlite3_str *s, const struct measure_class *of,
                      const char *unit)
{
   struct sim_limiter_term term[SIM_LIMITER_TERMS];
   const unsigned num = sim_limiter_terms(&m->rec->measure->limiter, of->cls->name, term);
   bool all = num != 0;
   for (unsigned t = 0; t < num; t++)
      all &= record_views_has(m, of->first + term[t].stat) &&
             strncmp(measure_class_stat(of->cls, term[t].stat)->name, "Stalls", 6) != 0;
   if (!all) {
      sqlite3_str_appendall(s, "NULL");
      return;
   }
   sqlite3_str_appendall(s, "max(0.0");
   for (unsigned t = 0; t < num; t++)
      sqlite3_str_appendf(s, ", %!.15g * \"%s_%s\"", term[t].cycles,
                          measure_class_stat(of->cls, term[t].stat)->name, unit);
   sqlite3_str_appendall(s, ")");
}

/* Makes K_units: how each unit spent its time, as shares of the cycles of its boxes, and its work
 * as a share of what it could do in them. Work overlaps, so for a row of work the shares refer to
 * the time from its start to its end, in cycles of the unit's clock. */
static void
record_views_make_units(const struct maker *m)
{
   static const char *const cycles[2] = {
       "CASE clock WHEN 'gpu' THEN cycles WHEN 'shader' THEN shader_cycles ELSE memory_cycles END",
       "CASE clock WHEN 'gpu' THEN cycles WHEN 'shader' THEN cycles * shader_mhz / gpu_mhz ELSE "
       "cycles * memory_mhz / gpu_mhz END"};
   sqlite3_str *s = record_views_begin(m, "units");
   unsigned parts = 0;
   sqlite3_str_appendf(s,
                       "SELECT %s, unit, boxes, busy, blocked, starved, idle, "
                       "100.0 * busy / nullif(boxes * unit_cycles, 0) AS busy_percent, "
                       "100.0 * blocked / nullif(boxes * unit_cycles, 0) AS blocked_percent, "
                       "100.0 * work_cycles / nullif(boxes * unit_cycles, 0) AS peak_percent FROM "
                       "(SELECT *, %s AS unit_cycles FROM (",
                       m->name, cycles[m->kind == RECORD_WORK]);
   for (unsigned c = 0; c < record_views_num_classes(m); c++) {
      const struct measure_class *of = record_views_class_of(m, c);
      const unsigned busy = of->cls->num_stats;
      bool all = record_views_has_table(m, c);
      char unit[64];
      for (unsigned a = 0; a < SIM_NUM_ACTIVITIES; a++)
         all &= record_views_has(m, of->first + busy + a);
      if (!all)
         continue;
      measure_unit_name(of->cls->unit, unit, sizeof(unit));
      sqlite3_str_appendf(s,
                          parts++ ? " UNION ALL SELECT %s, '%s', \"CyclesBusy_%s\", "
                                    "\"CyclesBlocked_%s\", \"CyclesStarved_%s\", "
                                    "\"CyclesIdle_%s\", "
                                  : "SELECT %s, '%s' AS unit, \"CyclesBusy_%s\" AS busy, "
                                    "\"CyclesBlocked_%s\" AS blocked, \"CyclesStarved_%s\" AS "
                                    "starved, \"CyclesIdle_%s\" AS idle, ",
                          m->name, unit, unit, unit, unit, unit);
      record_views_put_work(m, s, of, unit);
      sqlite3_str_appendall(s, parts == 1 ? " AS work_cycles" : "");
      record_views_put_table(m, s, c);
   }
   sqlite3_str_appendf(s,
                       ") JOIN (SELECT unit, clock, count(*) AS boxes FROM boxes GROUP BY unit) "
                       "USING (unit) JOIN %s USING (%s)%s)",
                       m->rows, m->name, m->kind == RECORD_WORK ? " JOIN run" : "");
   record_views_end(m, s, parts);
}

/* --- Memory --- */

static bool
record_views_ends_with(const char *text, const char *end, size_t *length)
{
   const size_t n = strlen(text), e = strlen(end);
   *length = n > e ? n - e : 0;
   return n > e && !strcmp(text + n - e, end);
}

/* Appends the row of a client from a statistic such as "ZStencilTest_ReadBytes", if the statistic
 * for its writes exists, too. */
static unsigned
record_views_put_client(const struct maker *m, sqlite3_str *s, unsigned cls, unsigned stat,
                        unsigned parts)
{
   const struct measure_class *of = record_views_class_of(m, cls);
   const char *read = measure_class_stat(of->cls, stat)->name;
   size_t length;
   char unit[64];
   measure_unit_name(of->cls->unit, unit, sizeof(unit));
   if (!record_views_has(m, of->first + stat) ||
       !record_views_ends_with(read, "_ReadBytes", &length))
      return parts;
   for (unsigned i = 0; i < measure_class_stats(of->cls); i++) {
      const char *written = measure_class_stat(of->cls, i)->name;
      if (strncmp(written, read, length) || strcmp(written + length, "_WriteBytes") ||
          !record_views_has(m, of->first + i))
         continue;
      sqlite3_str_appendf(s,
                          "%sSELECT %s, '%.*s' AS client, \"%s_%s\" AS read_bytes, \"%s_%s\" AS "
                          "written_bytes",
                          parts++ ? " UNION ALL " : "", m->name, (int)length, read, read, unit,
                          written, unit);
      record_views_put_table(m, s, cls);
   }
   return parts;
}

static void
record_views_make_bytes(const struct maker *m)
{
   sqlite3_str *s = record_views_begin(m, "bytes");
   unsigned parts = 0;
   for (unsigned c = 0; c < record_views_num_classes(m); c++) {
      for (unsigned i = 0; record_views_has_table(m, c) &&
                           i < measure_class_stats(record_views_class_of(m, c)->cls);
           i++)
         parts = record_views_put_client(m, s, c, i, parts);
   }
   record_views_end(m, s, parts);
}

/* --- Fragments, overdraw --- */

/* K stands for the kind of rows, ROWS for their table. Where boxes count quads, a quad is 4
 * fragments. */
#define OVERDRAW                                                                                \
   "SELECT w.work AS work, w.frame AS frame, t.slot AS target, t.address AS address, t.format " \
   "AS format, t.width AS width, t.height AS height, t.samples AS samples, t.label AS label, "  \
   "t.width * t.height AS pixels, v.\"ShadedFragments_FFU\" AS shaded, CASE WHEN t.colours "    \
   "THEN v.\"WrittenSamples_CW-SU\" * 1.0 / (t.samples * t.colours) ELSE "                      \
   "v.\"PassedFragments_ZST-SU\" * 1.0 END AS written FROM work w JOIN work_counters v USING "  \
   "(work) JOIN (SELECT b.bindings, min(b.slot) AS slot, b.address, b.format, b.width, "        \
   "b.height, b.samples, b.label, sum(b.slot GLOB 'color*') AS colours FROM bindings b WHERE "  \
   "b.slot NOT GLOB 'texture*' GROUP BY b.bindings) t ON t.bindings = w.bindings WHERE w.kind " \
   "= 'draw'"
static const struct derived {
   const char *view, *query;
} derived[] = {
    {"fragments", "SELECT K, \"GeneratedFragments_TT\" AS generated, "
                  "\"OutsideTriangleFragments_HZ\" AS uncovered, "
                  "4 * (\"CulledHZFragments_HZ\" + \"CulledLowZQuads_HZ\") AS culled_hz, "
                  "\"OutsideFragments_ZST-SU\" AS uncovered_tested, "
                  "\"TestedFragments_ZST-SU\" AS tested, \"PassedFragments_ZST-SU\" AS passed, "
                  "\"FailedFragments_ZST-SU\" AS failed, "
                  "\"InputFragments_CW-SU\" - 4 * \"DrawEnds_CW-SU\" AS colour_input, "
                  "\"CulledFragments_CW-SU\" AS colour_dead, "
                  "\"OutsideFragments_CW-SU\" AS colour_uncovered FROM K_counters"},
};
/* Averages over shaders: thread contexts; contexts that hold a group, by the state of the group;
 * and the share of cycles in which a group waited for a context or for registers (in other cycles
 * no group was waiting). */
static const struct derived occupancy = {
    "occupancy",
    "SELECT K, shaders, (loaded + executing + waiting + ended + free) / cycles AS contexts, "
    "(loaded + executing + waiting + ended) / cycles AS resident, loaded / cycles AS loaded, "
    "executing / cycles AS executing, waiting / cycles AS waiting, ended / cycles AS ended, "
    "100.0 * threads / cycles AS threads_percent, 100.0 * registers / cycles AS "
    "registers_percent, 100.0 * (cycles - threads - registers) / cycles AS inputs_percent FROM "
    "(SELECT K, shaders, 1.0 * shaders * nullif(shader_cycles, 0) AS cycles, "
    "\"LoadedThreads_ShF-FS\" AS loaded, \"ReadyThreads_ShF-FS\" AS executing, "
    "\"BlockedThreads_ShF-FS\" + \"ConstantThreads_ShF-FS\" + \"MemoryThreads_ShF-FS\" AS "
    "waiting, "
    "\"FinishedThreads_ShF-FS\" AS ended, "
    "\"FreeThreads_ShF-FS\" AS free, \"StallsThreads_ShF-FS\" AS threads, "
    "\"StallsRegisters_ShF-FS\" AS registers FROM K_all, "
    "(SELECT count(*) AS shaders FROM boxes WHERE unit = 'ShF-FS'))"};
/* For each draw: the first colour buffer that it writes, or else its depth buffer, and the overdraw
 * there. The names sort so that colours come first. */
static const struct derived overdraw[] = {
    {"work_overdraw", "SELECT work, target, address, format, width, height, samples, label, "
                      "pixels, shaded, written, written / pixels AS overdraw, "
                      "shaded * 1.0 / pixels AS shaded_per_pixel, "
                      "shaded / nullif(written, 0) AS shaded_per_written FROM (" OVERDRAW ")"},
    {"frame_overdraw",
     "SELECT frame, address, format, width, height, samples, label, count(*) AS draws, pixels, "
     "sum(shaded) AS shaded, sum(written) AS written, sum(written) / pixels AS overdraw, "
     "sum(shaded) * 1.0 / pixels AS shaded_per_pixel, "
     "sum(shaded) / nullif(sum(written), 0) AS shaded_per_written FROM (" OVERDRAW
     ") GROUP BY frame, address, format, width, height, samples"},
};

/* Returns whether rows have a statistic such as "HitsFetch_FC_ZST-SU"; the unit follows the last
 * _. */
static bool
record_views_has_name(const struct maker *m, const char *name, size_t length)
{
   size_t stat = length;
   while (stat && name[stat - 1] != '_')
      stat--;
   for (unsigned c = 0; stat && c < record_views_num_classes(m); c++) {
      const struct measure_class *of = record_views_class_of(m, c);
      char unit[64];
      measure_unit_name(of->cls->unit, unit, sizeof(unit));
      if (strncmp(unit, name + stat, length - stat) || unit[length - stat])
         continue;
      for (unsigned i = 0; i < measure_class_stats(of->cls); i++) {
         const char *of_class = measure_class_stat(of->cls, i)->name;
         if (!strncmp(of_class, name, stat - 1) && !of_class[stat - 1])
            return record_views_has(m, of->first + i);
      }
   }
   return false;
}

/* Returns whether rows have all statistics that a query names. */
static bool
record_views_has_all(const struct maker *m, const char *query)
{
   for (const char *p = strchr(query, '"'); p; p = strchr(p, '"')) {
      const size_t length = strcspn(p + 1, "\"");
      if (!record_views_has_name(m, p + 1, length))
         return false;
      p += length + 2;
   }
   return true;
}

static void
record_views_make_derived(const struct maker *m, const struct derived *d)
{
   if (!record_views_has_all(m, d->query))
      return;
   sqlite3_str *s = record_views_begin(m, d->view);
   for (const char *p = d->query; *p;) {
      const size_t n = strcspn(p, "K");
      const bool kind = p[n] && n && p[n - 1] == ' ' && strchr(",_", p[n + 1]);
      sqlite3_str_append(s, p, (int)(n + (p[n] && !kind)));
      if (kind)
         sqlite3_str_appendall(s, m->name);
      p += n + (p[n] != '\0');
   }
   record_run(m->rec, s);
}

/* --- Caches --- */

/* Returns whether rows have all statistics of a list that is separated by blanks. */
static bool
record_views_has_list(const struct maker *m, const char *list)
{
   for (size_t n; *list; list += n + (list[n] == ' ')) {
      n = strcspn(list, " ");
      if (!record_views_has_name(m, list, n))
         return false;
   }
   return true;
}

/* Appends the sum of the statistics; 0 if there are none. */
static void
record_views_put_sum(sqlite3_str *s, const char *list, const char *name)
{
   sqlite3_str_appendall(s, *list ? ", " : ", 0");
   for (size_t n; *list; list += n + (list[n] == ' ')) {
      n = strcspn(list, " ");
      sqlite3_str_appendf(s, "\"%.*w\"%s", (int)n, list, list[n] ? " + " : "");
   }
   sqlite3_str_appendf(s, " AS %s", name);
}

/* Makes K_caches for the caches whose statistics rows have. */
static void
record_views_make_caches(const struct maker *m)
{
   static const struct {
      const char *name, *hits, *misses, *retries;
   } caches[] = {
#define C(cache, counter, hits, misses, retries, access) {cache, hits, misses, retries},
       SIM_CACHES(C)
#undef C
   };
   sqlite3_str *s = record_views_begin(m, "caches");
   unsigned parts = 0;
   sqlite3_str_appendf(s,
                       "SELECT *, 100.0 * hits / nullif(hits + misses, 0) AS hit_percent FROM (");
   for (unsigned i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
      if (!record_views_has_list(m, caches[i].hits) ||
          !record_views_has_list(m, caches[i].misses) ||
          !record_views_has_list(m, caches[i].retries))
         continue;
      sqlite3_str_appendf(s, "%sSELECT %s, '%q' AS cache", parts++ ? " UNION ALL " : "", m->name,
                          caches[i].name);
      record_views_put_sum(s, caches[i].hits, "hits");
      record_views_put_sum(s, caches[i].misses, "misses");
      record_views_put_sum(s, caches[i].retries, "retries");
      sqlite3_str_appendf(s, " FROM %s_counters", m->name);
   }
   sqlite3_str_append(s, ")", 1);
   record_views_end(m, s, parts);
}

/* The state of each draw: a row for each item that this draw or the one before has. */
/* clang-format off */
#define PIPELINE_VALUE(state)                                                                     \
   "(SELECT value FROM pipelines p WHERE p.item = i.item AND p.pipeline <= " state                \
   " ORDER BY p.pipeline DESC LIMIT 1)"
#define PIPELINE_BEFORE                                                                           \
   "(SELECT b.pipeline FROM work b WHERE b.work < w.work AND b.pipeline IS NOT NULL "             \
   "ORDER BY b.work DESC LIMIT 1)"
static const char pipeline_view[] =
   "CREATE VIEW work_pipeline AS SELECT * FROM (SELECT w.work, i.item, i.part, i.number, i.name, "
   "i.type, " PIPELINE_VALUE("w.pipeline") " AS value, " PIPELINE_VALUE(PIPELINE_BEFORE)
   " AS before FROM work w JOIN pipeline_items i WHERE w.pipeline IS NOT NULL AND (i.program IS "
   "NULL OR i.program IN (w.vertex_program, w.geometry_program, w.fragment_program, "
   "w.compute_program))) "
   "WHERE value IS NOT NULL OR before IS NOT NULL";
/* clang-format on */

void
record_make_views(struct sim_record *rec)
{
   record_sql(rec, pipeline_view);
   record_sql(rec, "CREATE VIEW instruction_costs AS SELECT program, position, text"
#define C(member, what) ", coalesce(sum(" #member "), 0) AS " #member
              SIM_COSTS(C)
#undef C
                  " FROM instructions LEFT JOIN frame_instructions USING (program, position) "
                  "GROUP BY program, position");
   for (enum record_kind kind = 0; kind < RECORD_NUM_KINDS; kind++) {
      const struct maker m = {rec, kind, record_kinds[kind].name, record_kinds[kind].rows};
      bool any = false;
      for (unsigned c = 0; c < record_views_num_classes(&m); c++)
         any |= record_views_has_table(&m, c);
      if (!any)
         continue;
      record_views_make_counters(&m);
      record_views_make_units(&m);
      record_views_make_bytes(&m);
      record_views_make_caches(&m);
      for (unsigned i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
         record_views_make_derived(&m, &derived[i]);
      if (kind != RECORD_WORK)
         record_views_make_derived(&m, &occupancy);
      for (unsigned i = 0;
           i < 2 && kind == RECORD_WORK && record_views_has_all(&m, overdraw[0].query); i++) {
         sqlite3_str *s = sqlite3_str_new(rec->db);
         sqlite3_str_appendf(s, "CREATE VIEW %s AS %s", overdraw[i].view, overdraw[i].query);
         record_run(rec, s);
      }
   }
}
