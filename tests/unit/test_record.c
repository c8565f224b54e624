/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The record by itself, on rows made by hand: whose the cycles of a frame are, what tables and
 * views of statistics give back, that rows left out change nothing for others, and text that is no
 * UTF-8. And the limiter, on machines of a few boxes whose counters are set: which unit it names,
 * and for which share. */
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "config/sim_config.h"
#include "results/sim_report_impl.h"

/* --- A machine of boxes that do nothing --- */

#define MAX_BOXES 16

struct machine {
   struct sim_kernel kernel;
   struct sim_observed observed;
   struct sim_box box[MAX_BOXES];
   struct measure_columns columns;
   uint64_t values[4096];
};

static void
add_boxes(struct machine *m, const struct sim_box_class *cls, unsigned num)
{
   for (unsigned i = 0; i < num; i++) {
      struct sim_box *b = &m->box[m->kernel.num_boxes];
      b->cls = cls;
      b->instance = i;
      snprintf(b->name, sizeof(b->name), "%s%u", cls->name, i);
      m->kernel.boxes[m->kernel.num_boxes++] = b;
   }
}

static const struct sim_stat_desc dac_stats[] = {{"Blocks", SIM_COUNT, "blocks"}};
static const struct sim_stat_desc rop_stats[] = {{"InputFragments", SIM_FRAGMENTS, "fragments"},
                                                 {"FetchCycles", SIM_CYCLES, "of fetching"}};
static const struct sim_stat_desc shader_stats[] = {{"ALUBusyCycles", SIM_CYCLES, "cycles"},
                                                    {"FetchCycles", SIM_CYCLES, "cycles"}};
static const struct sim_stat_desc channel_stats[] = {{"DataCycles", SIM_CYCLES, "cycles"}};
#define CLASS(name_, unit_, domain_, stats_)                                       \
   {                                                                               \
      .name = name_, .unit = unit_, .doc = "", .domain = domain_, .stats = stats_, \
      .num_stats = sizeof(stats_) / sizeof(stats_[0])                              \
   }
static const struct sim_box_class dac = CLASS("DAC", "DAC", SIM_DOMAIN_GPU, dac_stats);
static const struct sim_box_class colour = CLASS("ColorWrite", "CW#", SIM_DOMAIN_GPU, rop_stats);
static const struct sim_box_class shader =
    CLASS("ShaderFetch", "ShF#", SIM_DOMAIN_SHADER, shader_stats);
static const struct sim_box_class channel =
    CLASS("GDDRChannel", "Sched#", SIM_DOMAIN_MEMORY, channel_stats);
static const struct sim_box_class setup = CLASS("TriangleSetup", "TS", SIM_DOMAIN_GPU, dac_stats);
static const struct sim_box_class traversal =
    CLASS("TriangleTraversal", "TT", SIM_DOMAIN_GPU, dac_stats);

/* The statistic of a box, its sum not included: the limiter looks at boxes. */
static uint64_t *
stat(struct machine *m, unsigned box, const char *name)
{
   const struct measure_columns *c = &m->columns;
   const struct sim_box_class *cls = m->box[box].cls;
   const unsigned first = c->own[box] == NO_COLUMN ? c->sum[box] : c->own[box];
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      if (!strcmp(measure_class_stat(cls, s)->name, name))
         return &m->values[first + s];
   }
   fail_msg("%s has no %s", cls->name, name);
   return NULL;
}

/* --- Exclusive cycles --- */

static char folder[64];

/* Each test has its own: a folder that was reported into stays the earlier simulator's. */
static int
make_folder(void **state)
{
   strcpy(folder, "/tmp/attila-record-XXXXXX");
   return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
   char command[100];
   snprintf(command, sizeof(command), "rm -r '%s'", folder);
   return system(command);
}

static struct sim_report *
make_report(struct machine *m)
{
   char error[300];
   const struct sim_report_options o = {
       .out_dir = folder, .record = "sqlite,boxes,csv", .run = {.mode = "cycle"}};
   struct sim_config config;
   sim_config_defaults(&config);
   struct sim_measure *measure = sim_measure_create(&m->kernel, &config, &m->observed);
   assert_non_null(measure);
   struct sim_report *r = sim_report_create(measure, &o, error, sizeof(error));
   if (!r)
      fail_msg("%s", error);
   return r;
}

static void
destroy_report(struct sim_report *r)
{
   struct sim_measure *m = r->measure;
   sim_report_destroy(r);
   sim_measure_destroy(m);
}

struct timeline {
   enum sim_work_kind kind;
   uint32_t number;
   uint64_t start, end;
   bool hidden;
};

static void
hand_over(struct sim_report *r, const struct timeline *t, unsigned num)
{
   static const struct measure_values none;
   for (unsigned i = 0; i < num; i++) {
      const struct pending_work work = {.work = {.kind = t[i].kind},
                                        .number = t[i].number,
                                        .hidden = t[i].hidden,
                                        .start = t[i].start,
                                        .end = t[i].end};
      report_pending_work(r, &work, &none, NULL);
   }
}

static void
end_frame(struct sim_report *r, uint64_t start, uint64_t end)
{
   const struct sim_record_frame frame = {
       .frame = r->observed->frame, .start = start, .end = end, .values = &r->measure->frame};
   report_pending_write(r);
   sim_record_frame(r->record, &frame);
   sim_record_next_frame(r->record, r->pending.next_number);
   report_pending_next_frame(r, end);
   sim_record_commit(r->record);
   r->observed->frame++;
}

/* A column of the file, a blank between numbers. */
static void
expect_column(const char *sql, const char *expected)
{
   char path[100], got[400] = "";
   sqlite3 *db;
   sqlite3_stmt *s = NULL;
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
   if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
      fail_msg("%s: %s", sql, sqlite3_errmsg(db));
   while (sqlite3_step(s) == SQLITE_ROW) {
      strcat(got, got[0] ? " " : "");
      strcat(got, (const char *)sqlite3_column_text(s, 0));
   }
   sqlite3_finalize(s);
   sqlite3_close(db);
   assert_string_equal(got, expected);
}

#define EXCLUSIVE "SELECT exclusive_cycles FROM work ORDER BY work"
#define NUM(a) (sizeof(a) / sizeof(a[0]))

static void
test_exclusive(void **state)
{
   static struct machine m;
   struct sim_report *r = make_report(&m);
   /* Handed over in the order in which they are complete; the frame is [100, 200). */
   static const struct timeline first[] = {
       {SIM_KIND_DRAW, 2, 120, 150, false},   /* overlaps the first by 20 */
       {SIM_KIND_DRAW, 1, 110, 140, false},   /* 30 for itself */
       {SIM_KIND_UPLOAD, 3, 125, 145, false}, /* in the shadow of the second */
       {SIM_KIND_DRAW, 4, 160, 170, false},   /* after a gap */
       {SIM_KIND_DRAW, 6, 160, 180, false},   /* begins with the fourth, and goes on */
       {SIM_KIND_CLEAR, 5, 160, 170, false},  /* exactly as the fourth: the older one has it */
       {SIM_KIND_FLUSH, 7, 180, 180, false},  /* took no time */
       {SIM_KIND_SHARED, UINT32_MAX - 1, 100, 200, false},
       {SIM_KIND_OTHER, UINT32_MAX, 100, 200, false}, /* 100..110, 150..160, 180..200 */
   };
   report_pending_next_frame(r, 100);
   hand_over(r, first, NUM(first));
   end_frame(r, 100, 200);
   /* A draw that began before its frame did has what lies in the frame. */
   static const struct timeline second[] = {
       {SIM_KIND_DRAW, 1, 190, 230, false},
       {SIM_KIND_OTHER, UINT32_MAX, 200, 240, false},
       {SIM_KIND_EARLIER, 0, 200, 240, false},
   };
   hand_over(r, second, NUM(second));
   end_frame(r, 200, 240);
   sim_observed_run_ended(r->observed, 240);
   destroy_report(r);
   expect_column(EXCLUSIVE, "30 10 0 10 0 10 0 0 40 0 30 10");
   expect_column("SELECT kind FROM work WHERE frame = 1 ORDER BY work", "earlier draw other");
   expect_column("SELECT complete FROM run", "1");
}

/* Rows left out leave the others' cycles as they are. What belongs to no whole frame is not in the
 * file, which has no journal beside it. */
static void
test_whole_frames(void **state)
{
   static struct machine m;
   char path[100];
   struct sim_report *r = make_report(&m);
   static const struct timeline rows[] = {
       {SIM_KIND_DRAW, 1, 0, 50, true},
       {SIM_KIND_DRAW, 2, 10, 60, false},
       {SIM_KIND_DRAW, 3, 20, 90, false},
       {SIM_KIND_DRAW, 4, 30, 95, true},
       {SIM_KIND_OTHER, UINT32_MAX, 0, 100, true},
   };
   hand_over(r, rows, NUM(rows));
   expect_column("SELECT count(*) FROM work", "0");
   end_frame(r, 0, 100);
   expect_column(EXCLUSIVE, "10 30");
   hand_over(r, rows + 1, 2);
   snprintf(path, sizeof(path), "%s/run.sqlite-journal", folder);
   assert_int_not_equal(access(path, F_OK), 0);
   expect_column(EXCLUSIVE, "10 30");
   /* The run's end is not marked. */
   expect_column("SELECT complete FROM run", "0");
   destroy_report(r);
   expect_column(EXCLUSIVE, "10 30");
}

/* --- Statistics --- */

static void
test_statistics(void **state)
{
   static struct machine m;
   add_boxes(&m, &dac, 1);
   add_boxes(&m, &colour, 3);
   struct sim_report *r = make_report(&m);
   const struct measure_columns *c = &r->measure->columns;
   m.columns = *c;
   struct measure_values v;
   assert_true(measure_values_make(&v, c->num));
   /* Counters appear in later rows only; others are 0 again. */
   static const struct {
      unsigned box;
      const char *name;
      uint64_t count;
   } counts[] = {{2, "InputFragments", 7},
                 {0, "Blocks", 1234567890123ull},
                 {3, "CyclesBusy", 10},
                 {1, "InputFragments", 99}};
   for (unsigned i = 0; i < NUM(counts); i++) {
      const unsigned own = (unsigned)(stat(&m, counts[i].box, counts[i].name) - m.values);
      measure_values_clear(&v);
      measure_values_count(&v, own, counts[i].count);
      if (counts[i].box)
         measure_values_count(&v, c->sum[counts[i].box] + own - c->own[counts[i].box],
                              counts[i].count);
      const struct pending_work work = {
          .work = {.kind = SIM_KIND_DRAW}, .number = i + 1, .end = 10};
      report_pending_work(r, &work, &v, NULL);
      measure_values_add(&r->measure->frame, &v);
   }
   end_frame(r, 0, 10);
   destroy_report(r);
   expect_column("SELECT \"InputFragments_CW\" FROM work_counters", "7 0 0 99");
   expect_column("SELECT \"Blocks_DAC\" FROM work_counters", "0 1234567890123 0 0");
   expect_column("SELECT \"CyclesIdle_CW\" FROM work_counters", "0 0 0 0");
   expect_column("SELECT InputFragments_CW FROM frame_counters", "106");
   expect_column("SELECT box || ':' || InputFragments_CW FROM frame_ColorWrite_boxes",
                 "ColorWrite0:99 ColorWrite1:7 ColorWrite2:0");
   expect_column("SELECT box || ':' || InputFragments_CW || ',' || CyclesBusy_CW FROM "
                 "work_ColorWrite_boxes",
                 "ColorWrite1:7,0 ColorWrite2:0,10 ColorWrite0:99,0");
   expect_column("SELECT work || ':' || busy || '/' || busy_percent FROM work_units WHERE unit = "
                 "'CW'",
                 "2:0/0.0 3:0/0.0 4:10/33.3333333333333 5:0/0.0");
   measure_values_free(&v);
}

/* Labels are bytes that programs have chosen. */
static void
test_text(void **state)
{
   static struct machine m;
   struct sim_report *r = make_report(&m);
   static const struct measure_values none;
   struct pending_work work = {.work = {.kind = SIM_KIND_DRAW}, .number = 1, .end = 10};
   sim_label_keep(work.texts.label, "a\xff\xc3\xa9\xc3");
   report_pending_work(r, &work, &none, NULL);
   end_frame(r, 0, 10);
   destroy_report(r);
   expect_column("SELECT label FROM work", "a?\xc3\xa9?");
}

/* --- Limiters --- */

static struct sim_limits
find(struct machine *m, uint64_t cycles)
{
   struct sim_limiter l;
   struct sim_config config;
   sim_config_defaults(&config);
   sim_limiter_init(&l, &m->columns, &m->kernel, &config);
   /* The shader's clock is twice the others'. */
   const uint64_t all[SIM_NUM_DOMAINS] = {
       [SIM_DOMAIN_GPU] = cycles, [SIM_DOMAIN_SHADER] = 2 * cycles, [SIM_DOMAIN_MEMORY] = cycles};
   return sim_limiter_find(&l, m->values, all);
}

static void
expect_limit(const struct sim_limits *l, unsigned n, const char *unit, double share)
{
   if (!unit) {
      assert_null(l->limit[n].unit);
      return;
   }
   assert_non_null(l->limit[n].unit);
   assert_string_equal(l->limit[n].unit, unit);
   assert_float_equal(l->limit[n].share, share, 1e-9);
}

static void
test_unit_with_the_most_demand_limits(void **state)
{
   static struct machine m;
   add_boxes(&m, &colour, 2); /* 0, 1 */
   add_boxes(&m, &shader, 2); /* 2, 3 */
   measure_columns_make(&m.columns, &m.kernel);
   /* Of two units the busier one limits. */
   *stat(&m, 0, "FetchCycles") = 200;
   *stat(&m, 1, "FetchCycles") = 100;
   *stat(&m, 0, "CyclesBusy") = 200;
   *stat(&m, 1, "CyclesBusy") = 100;
   *stat(&m, 2, "ALUBusyCycles") = 1800; /* of 2000 in its clock */
   struct sim_limits l = find(&m, 1000);
   expect_limit(&l, 0, "shaders", 0.9);
   expect_limit(&l, 1, "colour units", 0.2);
   expect_limit(&l, 2, NULL, 0);
   /* Shares that are nearly the same: the one nearer to the end of the pipeline. */
   *stat(&m, 0, "FetchCycles") = 880;
   *stat(&m, 0, "CyclesBusy") = 880;
   l = find(&m, 1000);
   expect_limit(&l, 0, "colour units", 0.88);
   expect_limit(&l, 1, "shaders", 0.9);
   /* No time, no limits; below 5 % is none. */
   l = find(&m, 0);
   expect_limit(&l, 0, NULL, 0);
   l = find(&m, 100000);
   expect_limit(&l, 0, NULL, 0);
   measure_columns_free(&m.columns);
}

/* What a unit in front of a blocked one holds is not its own fault. */
static void
test_unit_before_a_blocked_one_is_not_blamed(void **state)
{
   static struct machine m;
   add_boxes(&m, &setup, 1);
   add_boxes(&m, &traversal, 1);
   measure_columns_make(&m.columns, &m.kernel);
   *stat(&m, 0, "CyclesBusy") = 900;
   *stat(&m, 1, "CyclesBusy") = 200;
   *stat(&m, 1, "CyclesBlocked") = 800;
   struct sim_limits l = find(&m, 1000);
   expect_limit(&l, 0, "traversal", 0.2);
   expect_limit(&l, 1, "setup", 0.9 * (1 - 0.8));
   /* The same, and nothing behind it is blocked: it is to blame. */
   *stat(&m, 1, "CyclesBlocked") = 0;
   l = find(&m, 1000);
   expect_limit(&l, 0, "setup", 0.9);
   measure_columns_free(&m.columns);
}

/* What waits without demand of its own waits for memory: for its pins, or for its rows. */
static void
test_waiting_without_demand_is_memorys(void **state)
{
   static struct machine m;
   add_boxes(&m, &colour, 1);  /* 0 */
   add_boxes(&m, &channel, 2); /* 1, 2 */
   measure_columns_make(&m.columns, &m.kernel);
   *stat(&m, 0, "FetchCycles") = 100;
   *stat(&m, 0, "CyclesBusy") = 300;
   *stat(&m, 0, "CyclesBlocked") = 600;
   *stat(&m, 2, "CyclesBusy") = 500;
   *stat(&m, 2, "DataCycles") = 300;
   struct sim_limits l = find(&m, 1000);
   expect_limit(&l, 0, "memory latency", 0.3 + 0.6 - 0.1);
   expect_limit(&l, 1, "colour units", 0.1);
   *stat(&m, 2, "DataCycles") = 560; /* seven tenths of that time */
   *stat(&m, 2, "CyclesBusy") = 700;
   l = find(&m, 1000);
   expect_limit(&l, 0, "memory bandwidth", 0.8);
   /* The busiest channel, if its busy time exceeds all waiting. */
   *stat(&m, 2, "CyclesBusy") = 950;
   *stat(&m, 2, "DataCycles") = 940;
   l = find(&m, 1000);
   expect_limit(&l, 0, "memory bandwidth", 0.95);
   measure_columns_free(&m.columns);
}

/* A sheet's W names statistics of its own unit; another name would be no work. */
static void
test_work_is_counted_by_the_units_statistics(void **state)
{
#define S(member, name, unit, doc) names[num++] = name;
#define W(stat, ...)                        \
   for (at = 0; at < num; at++) {           \
      if (!strcmp(names[at], stat))         \
         break;                             \
   }                                        \
   if (at == num)                           \
      fail_msg("%s is no statistic", stat); \
   works++;
#define NOTHING(...)
#define U(class)                                  \
   {                                              \
      const char *names[200];                     \
      unsigned num = 0, at;                       \
      SIM_STATS_##class(S)(void) at, (void)names; \
      SIM_LIMITER_##class(NOTHING, W, W, NOTHING) \
   }
   unsigned works = 0;
   SIM_EACH_UNIT
   assert_true(works > 30);
#undef U
#undef NOTHING
#undef W
#undef S
}

int
main(void)
{
#define RECORD_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
   const struct CMUnitTest tests[] = {
       RECORD_TEST(test_exclusive),
       RECORD_TEST(test_whole_frames),
       RECORD_TEST(test_statistics),
       RECORD_TEST(test_text),
       cmocka_unit_test(test_unit_with_the_most_demand_limits),
       cmocka_unit_test(test_unit_before_a_blocked_one_is_not_blamed),
       cmocka_unit_test(test_waiting_without_demand_is_memorys),
       cmocka_unit_test(test_work_is_counted_by_the_units_statistics),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
