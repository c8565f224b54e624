/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: what follows from events in time (cycles of boxes, draws and
 * frames, thread groups in shaders, costs of instructions, limiters) beside what the record has of
 * it, for every frame and every row of work. The table has their sums. */
#ifndef DERIVED_COMPARE_H
#define DERIVED_COMPARE_H

#include "derived_figures.h"
#include "derived_limiter.h"
#include "derived_shader.h"

#include <math.h>

/* The next row of a query, which names the scene in its message; false: it has ended. */
static inline bool
compare_step(sqlite3 *db, sqlite3_stmt **s, const char *sql)
{
   if (!*s && sqlite3_prepare_v2(db, sql, -1, s, NULL) != SQLITE_OK)
      fail_msg("%s: %s", sql, sqlite3_errmsg(db));
   const int got = sqlite3_step(*s);
   assert_true(got == SQLITE_ROW || got == SQLITE_DONE);
   if (got == SQLITE_DONE)
      sqlite3_finalize(*s);
   return got == SQLITE_ROW;
}

/* The row of events that a row of work is; NULL: no box did anything for it. */
static inline const struct derived_row *
compare_row(const struct derived_rows *r, uint32_t frame, uint32_t number, const char *kind)
{
   const struct derived_frame *f = r->frames[frame];
   if (!strcmp(kind, "earlier"))
      return f ? f->earlier : NULL;
   if (!strcmp(kind, "other"))
      return f ? f->other : NULL;
   for (unsigned i = 0; i < DERIVED_MAX_ROWS; i++) {
      const struct derived_row *row = r->row[i];
      if (row && row->frame == frame && row->number == number)
         return row;
   }
   return NULL;
}

/* --- Cycles of boxes --- */

static const char *const compare_states[] = {"busy cycles", "blocked cycles", "starved cycles",
                                             "idle cycles"};

/* Of all boxes of a unit. */
static inline uint64_t
compare_sum_unit(const struct derived_rows *r, const struct derived_spent *spent, const char *unit,
                 enum derived_state state)
{
   uint64_t sum = 0;
   for (unsigned b = 0; spent && b < r->num_boxes; b++)
      sum += strcmp(r->boxes[b].unit, unit) ? 0 : spent[b].cycles[state];
   return sum;
}

static inline void
compare_frame_cycles(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
   sqlite3_stmt *s = NULL;
   while (compare_step(db, &s,
                       "SELECT unit, sum(busy), sum(blocked), sum(starved), sum(idle), "
                       "max(frame) FROM frame_units GROUP BY unit ORDER BY min(rowid)")) {
      const char *unit = (const char *)sqlite3_column_text(s, 0);
      for (unsigned state = 0; state < DERIVED_STATES; state++) {
         uint64_t events = 0;
         for (int f = 0; f <= sqlite3_column_int(s, 5); f++)
            events += compare_sum_unit(r, r->frames[f] ? r->frames[f]->spent : NULL, unit, state);
         same(scene, compare_states[state], unit, (uint64_t)sqlite3_column_int64(s, 1 + state),
              events);
      }
   }
}

/* Of every row and every unit. */
static inline void
compare_row_cycles(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
   uint64_t sums[2] = {0}, rows = 0;
   sqlite3_stmt *s = NULL;
   while (compare_step(db, &s,
                       "SELECT frame, number, kind, unit, coalesce(busy, 0), coalesce(blocked, 0) "
                       "FROM work JOIN work_units USING (work)")) {
      const char *kind = (const char *)sqlite3_column_text(s, 2),
                 *unit = (const char *)sqlite3_column_text(s, 3);
      const struct derived_row *row = compare_row(r, (uint32_t)sqlite3_column_int(s, 0),
                                                  (uint32_t)sqlite3_column_int(s, 1), kind);
      for (enum derived_state state = DERIVED_BUSY; state <= DERIVED_BLOCKED; state++) {
         const uint64_t record = (uint64_t)sqlite3_column_int64(s, 4 + (int)state),
                        events = compare_sum_unit(r, row ? row->spent : NULL, unit, state);
         if (record != events)
            fail_msg("%s: frame %d, row %d (%s), %s of %s: the record has %llu, events say %llu",
                     scene->name, sqlite3_column_int(s, 0), sqlite3_column_int(s, 1), kind,
                     compare_states[state], unit, (unsigned long long)record,
                     (unsigned long long)events);
         sums[state] += strcmp(kind, "draw") ? 0 : events;
      }
      rows++;
   }
   assert_true(rows > 0);
   same(scene, "busy cycles", "for draws",
        sum_of(db, "busy", "work_units JOIN work USING (work)", "kind", "draw"),
        sums[DERIVED_BUSY]);
   same(scene, "blocked cycles", "for draws",
        sum_of(db, "blocked", "work_units JOIN work USING (work)", "kind", "draw"),
        sums[DERIVED_BLOCKED]);
}

/* --- Cycles of draws --- */

/* Every cycle of a frame belongs to the first of its commands that has begun and has not ended. */
static inline void
compare_exclusive(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
   const uint32_t end = (uint32_t)record_number(db, "SELECT max(end_cycle) FROM frames");
   uint16_t *owner = derived_alloc((end + 1) * sizeof(*owner));
   uint64_t sums[2] = {0};
   sqlite3_stmt *s = NULL;
   while (compare_step(db, &s,
                       "SELECT work, frame, number, kind, start_cycle, end_cycle, cycles, "
                       "exclusive_cycles FROM work WHERE kind NOT IN ('earlier', 'shared', "
                       "'other') ORDER BY frame, number")) {
      const uint32_t from = (uint32_t)sqlite3_column_int(s, 4),
                     to = (uint32_t)sqlite3_column_int(s, 5);
      const char *kind = (const char *)sqlite3_column_text(s, 3);
      uint32_t alone = 0;
      for (uint32_t c = from; c < to; c++) {
         alone += !owner[c];
         owner[c] = 1;
      }
      assert_int_equal(sqlite3_column_int(s, 6), to - from);
      assert_int_equal(sqlite3_column_int(s, 7), alone);
      if (strcmp(kind, "draw"))
         continue;
      const struct derived_row *row = compare_row(r, (uint32_t)sqlite3_column_int(s, 1),
                                                  (uint32_t)sqlite3_column_int(s, 2), kind);
      assert_non_null(row);
      assert_int_equal(from, row->start);
      assert_int_equal(to, row->end);
      sums[0] += row->end - row->start;
      sums[1] += alone;
   }
   uint64_t free_cycles = 0;
   s = NULL;
   while (compare_step(db, &s, "SELECT start_cycle, end_cycle FROM frames")) {
      for (int c = sqlite3_column_int(s, 0); c < sqlite3_column_int(s, 1); c++)
         free_cycles += !owner[c];
   }
   free(owner);
   same(scene, "cycles", "draws", sum_of(db, "cycles", "work", "kind", "draw"), sums[0]);
   same(scene, "exclusive cycles", "draws", sum_of(db, "exclusive_cycles", "work", "kind", "draw"),
        sums[1]);
   same(scene, "exclusive cycles", "other", sum_of(db, "exclusive_cycles", "work", "kind", "other"),
        free_cycles);
}

/* --- Thread groups --- */

static inline void
compare_occupancy(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
   /* Columns of the view, and what of events they are. */
   static const struct {
      const char *column;
      unsigned threads; /* bit per enum derived_threads */
      bool percent;
   } columns[] = {{"contexts", 31, false},
                  {"resident", 15, false},
                  {"loaded", 1u << DERIVED_LOADED, false},
                  {"executing", 1u << DERIVED_EXECUTING, false},
                  {"waiting", 1u << DERIVED_WAITING, false},
                  {"ended", 1u << DERIVED_ENDED, false},
                  {"threads_percent", 1u << DERIVED_WANTS_THREAD, true},
                  {"registers_percent", 1u << DERIVED_WANTS_REGISTERS, true}};
   for (unsigned i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
      uint64_t record = 0, events = 0;
      char sql[300];
      snprintf(sql, sizeof(sql),
               "SELECT frame, %s, shaders * shader_cycles, threads_percent + registers_percent + "
               "inputs_percent FROM frame_occupancy JOIN frames USING (frame) WHERE cycles > 0",
               columns[i].column);
      sqlite3_stmt *s = NULL;
      while (compare_step(db, &s, sql)) {
         const double cycles = sqlite3_column_double(s, 2),
                      sum = sqlite3_column_double(s, 1) * cycles;
         const uint64_t *threads = r->frames[sqlite3_column_int(s, 0)]->threads;
         uint64_t of_frame = 0;
         for (unsigned t = 0; t < DERIVED_THREADS; t++)
            of_frame += columns[i].threads >> t & 1 ? threads[t] : 0;
         const uint64_t in_record = (uint64_t)llround(columns[i].percent ? sum / 100 : sum);
         if (in_record != of_frame)
            fail_msg("%s: frame %d, occupancy, %s: the record has %llu, events say %llu",
                     scene->name, sqlite3_column_int(s, 0), columns[i].column,
                     (unsigned long long)in_record, (unsigned long long)of_frame);
         assert_true(fabs(sqlite3_column_double(s, 3) - 100) < 1e-6);
         record += in_record;
         events += of_frame;
      }
      same(scene, "occupancy (sum over cycles)", columns[i].column, record, events);
   }
}

/* --- Costs of instructions --- */

/* Of a program of the record in a frame: what all draws cost that had it. */
struct compare_program {
   uint32_t frame, program;
   struct derived_costs costs;
};

static inline struct compare_program *
compare_find_program(struct compare_program *all, unsigned *num, uint32_t frame, uint32_t program)
{
   unsigned i = 0;
   while (i < *num && (all[i].frame != frame || all[i].program != program))
      i++;
   assert_true(i < 256);
   if (i == *num)
      all[(*num)++] = (struct compare_program){.frame = frame, .program = program};
   return &all[i];
}

static inline void
compare_add_costs(struct derived_costs *to, const struct derived_costs *from)
{
   if (!to->cost) {
      to->num = from->num;
      to->cost = derived_alloc(to->num * sizeof(*to->cost));
   }
   assert_int_equal(to->num, from->num);
   uint64_t *sum = (uint64_t *)to->cost;
   const uint64_t *more = (const uint64_t *)from->cost;
   for (size_t i = 0; i < to->num * SIM_NUM_COSTS; i++)
      sum[i] += more[i];
}

static inline unsigned
compare_collect_programs(sqlite3 *db, const struct derived_rows *r, struct compare_program *all)
{
   unsigned num = 0;
   sqlite3_stmt *s = NULL;
   while (compare_step(db, &s,
                       "SELECT frame, number, vertex_program, fragment_program, NULL, "
                       "geometry_program FROM work WHERE "
                       "kind = 'draw'")) {
      const uint32_t frame = (uint32_t)sqlite3_column_int(s, 0);
      const struct derived_row *row =
          compare_row(r, frame, (uint32_t)sqlite3_column_int(s, 1), "draw");
      for (unsigned kind = 0; row && kind <= SIM_GROUP_PRIMITIVES; kind++) {
         if (row->costs[kind].cost)
            compare_add_costs(&compare_find_program(all, &num, frame,
                                                    (uint32_t)sqlite3_column_int(s, 2 + (int)kind))
                                   ->costs,
                              &row->costs[kind]);
      }
   }
   return num;
}

static inline void
compare_costs(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
   static const char *const names[] = {
#define C(member, what) #member,
       SIM_COSTS(C)
#undef C
   };
   struct compare_program *all = derived_alloc(256 * sizeof(*all));
   const unsigned num = compare_collect_programs(db, r, all);
   uint64_t record[SIM_NUM_COSTS] = {0}, events[SIM_NUM_COSTS] = {0};
   sqlite3_stmt *s = NULL;
   while (compare_step(db, &s, "SELECT * FROM frame_instructions")) {
      const uint32_t position = (uint32_t)sqlite3_column_int(s, 2);
      unsigned found = num;
      const struct derived_costs *c =
          &compare_find_program(all, &found, (uint32_t)sqlite3_column_int(s, 0),
                                (uint32_t)sqlite3_column_int(s, 1))
               ->costs;
      assert_true(position < c->num);
      for (unsigned i = 0; i < SIM_NUM_COSTS; i++) {
         const uint64_t has = (uint64_t)sqlite3_column_int64(s, 3 + (int)i),
                        of_events = ((const uint64_t *)&c->cost[position])[i];
         if (has != of_events)
            fail_msg("%s: frame %d, program %d, instruction %u, %s: the record has %llu, events "
                     "say %llu",
                     scene->name, sqlite3_column_int(s, 0), sqlite3_column_int(s, 1), position,
                     names[i], (unsigned long long)has, (unsigned long long)of_events);
         record[i] += has;
      }
   }
   for (unsigned p = 0; p < num; p++) {
      for (size_t i = 0; i < all[p].costs.num * SIM_NUM_COSTS; i++)
         events[i % SIM_NUM_COSTS] += ((const uint64_t *)all[p].costs.cost)[i];
      free(all[p].costs.cost);
   }
   free(all);
   for (unsigned i = 0; i < SIM_NUM_COSTS; i++)
      same(scene, "instructions", names[i], record[i], events[i]);
}

/* --- Limiters --- */

/* One row of a query: key, frame, number, cycles, then limiters with their shares. Returns the sum
 * of these, in millionths; *events: of those that follow from events. */
static inline uint64_t
compare_limits_of(sqlite3 *db, sqlite3_stmt *s, const struct figure_scene *scene,
                  const struct derived_rows *r, const char *kind, uint64_t *events)
{
   const bool frame = !strcmp(kind, "frame");
   const uint32_t f = (uint32_t)sqlite3_column_int(s, 1), n = (uint32_t)sqlite3_column_int(s, 2);
   const struct derived_row *row = frame ? NULL : compare_row(r, f, n, "");
   uint64_t sum = 0;
   assert_true(frame || row);
   const struct derived_case c = {.db = db,
                                  .rows = r,
                                  .spent = frame ? r->frames[f]->spent : row->spent,
                                  .kind = kind,
                                  .key = sqlite3_column_int64(s, 0),
                                  .cycles = sqlite3_column_double(s, 3)};
   const struct derived_limits l = derived_limits(&c);
   for (int i = 0; i < DERIVED_LIMITS; i++) {
      const char *name = (const char *)sqlite3_column_text(s, 4 + 2 * i);
      const double share = sqlite3_column_double(s, 5 + 2 * i);
      if (strcmp(name ? name : "", l.name[i] ? l.name[i] : "") ||
          fabs(share - l.share[i]) > 0.0000005)
         fail_msg("%s: %s %lld, limiter %d: the record has %s (%f), events say %s (%f)",
                  scene->name, kind, (long long)c.key, i + 1, name ? name : "none", share,
                  l.name[i] ? l.name[i] : "none", l.share[i]);
      sum += (uint64_t)llround(share * 1e6);
      *events += (uint64_t)llround(l.share[i] * 1e6);
   }
   return sum;
}

static inline void
compare_limiters(sqlite3 *db, const struct figure_scene *scene, const struct derived_rows *r)
{
#define LIMITERS "limiter, limiter_share, limiter2, limiter2_share, limiter3, limiter3_share"
   static const struct {
      const char *kind, *rows, *sql;
   } kinds[] = {
       {"frame", "frames", "SELECT frame, frame, 0, cycles, " LIMITERS " FROM frames"},
       {"work", "draws and other commands",
        "SELECT work, frame, number, cycles, " LIMITERS " FROM work WHERE kind NOT IN ('earlier', "
        "'shared', 'other')"},
   };
#undef LIMITERS
   for (unsigned i = 0; i < 2; i++) {
      uint64_t record = 0, events = 0, rows = 0;
      sqlite3_stmt *s = NULL;
      for (; compare_step(db, &s, kinds[i].sql); rows++)
         record += compare_limits_of(db, s, scene, r, kinds[i].kind, &events);
      assert_true(rows > 0);
      same(scene, "limiters' shares (sum, millionths)", kinds[i].rows, record, events);
   }
}

#endif
