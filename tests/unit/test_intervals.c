/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Intervals of the record (measure/sim_intervals.c), on random streams of several frames and on
 * several machines: they follow each other without gaps, each as long as was asked for but for the
 * last; every counter adds up to that of the frames; frames and work are the same with and without;
 * a choice of frames takes intervals away and changes none. */
#include "random_scene.h"
#include "machine_text.h"
#include <inttypes.h>
#include <unistd.h>
#include "record_query.h"
#include "units/units.h"

#define FRAMES 3u

static char folder[64];

/* The stream FRAMES times, with a frame's end after each; its own ends add to them. */
static void
run(uint32_t number, const char *machine, uint32_t interval, const char *frames)
{
   struct scene c;
   record_renew(folder);
   const struct attila_sim_options o = {
       .record = "sqlite", .interval = interval, .draws_frames = frames, .out_dir = folder};
   struct attila_sim *sim = machine_create(o, 16, machine);
   make_scene(&c, number);
   const uint32_t end = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned frame = 0; frame < FRAMES; frame++) {
      if (!attila_sim_submit(sim, c.s.words, c.s.num) || !attila_sim_submit(sim, &end, 1))
         fail_msg("%s", attila_sim_error(sim));
   }
   attila_sim_destroy(sim);
   free(c.s.words);
}

/* In time: no gap, no overlap, the length that was asked for, frames in order. */
static void
check_edges(sqlite3 *db, uint32_t interval)
{
   char sql[400];
   const int64_t n = record_number(db, "SELECT count(*) FROM intervals"),
                 end = record_number(db, "SELECT max(end_cycle) FROM intervals");
   assert_int_equal(record_number(db, "SELECT interval_cycles FROM run"), interval);
   assert_int_equal(n, (end + interval - 1) / interval);
   assert_true(end >= record_number(db, "SELECT max(end_cycle) FROM frames"));
   snprintf(sql, sizeof(sql),
            "SELECT count(*) FROM intervals WHERE start_cycle != interval * %u OR cycles != "
            "end_cycle - start_cycle OR (end_cycle != start_cycle + %u AND interval != %" PRId64
            ") OR cycles <= 0 OR cycles > %u",
            interval, interval, n - 1, interval);
   assert_int_equal(record_number(db, sql), 0);
   /* The frame in which it ends. */
   assert_int_equal(
       record_number(db, "SELECT count(*) FROM intervals i JOIN frames f USING (frame) WHERE "
                         "i.end_cycle <= f.start_cycle OR i.end_cycle > f.end_cycle"),
       0);
   static const char *const clocks[] = {"shader_cycles", "memory_cycles"};
   for (unsigned c = 0; c < 2; c++) {
      snprintf(sql, sizeof(sql),
               "SELECT (SELECT total(%s) FROM intervals WHERE end_cycle <= (SELECT max(end_cycle) "
               "FROM frames)) <= (SELECT sum(%s) FROM frames) AND (SELECT sum(%s) FROM intervals) "
               ">= (SELECT sum(%s) FROM frames)",
               clocks[c], clocks[c], clocks[c], clocks[c]);
      assert_int_equal(record_number(db, sql), 1);
   }
}

/* What was counted: nothing is lost and nothing is counted twice, in any interval. */
static void
check_sums(sqlite3 *db)
{
   char sql[700];
   /* A few cycles follow the last frame, in which boxes count that there is nothing to do: the
    * memory controller once for each client of a kind. */
   const int64_t tail = record_number(db, "SELECT max(end_cycle) FROM intervals") -
                        record_number(db, "SELECT max(end_cycle) FROM frames");
   assert_in_range(tail, 0, 40);
   snprintf(sql, sizeof(sql),
            "SELECT c.name, f.v, i.v FROM (SELECT counter, sum(value) v FROM interval_values "
            "GROUP BY counter) i JOIN counters c USING (counter) LEFT JOIN (SELECT counter, "
            "sum(value) v FROM frame_values GROUP BY counter) f USING (counter) WHERE i.v < "
            "coalesce(f.v, 0) OR i.v > coalesce(f.v, 0) + %d * boxes AND statistic NOT GLOB "
            "'FreeThreads*' UNION ALL SELECT 'none of', counter, value FROM frame_values WHERE "
            "counter NOT IN (SELECT counter FROM interval_values)",
            (int)tail * SIM_MAX_TEX_UNITS);
   char *wrong = record_text(db, sql);
   assert_string_equal(wrong, "");
   free(wrong);
   /* Every cycle of every box is one of the four, in each interval by itself. */
   wrong = record_text(
       db, "SELECT u.interval, unit, busy + blocked + starved + idle, boxes, clock FROM "
           "interval_units u JOIN intervals i USING (interval) JOIN (SELECT DISTINCT "
           "unit, clock FROM counters) USING (unit) WHERE busy + blocked + starved + "
           "idle != boxes * CASE clock WHEN 'gpu' THEN cycles WHEN 'shader' THEN "
           "shader_cycles ELSE memory_cycles END");
   assert_string_equal(wrong, "");
   free(wrong);
   assert_true(record_number(db, "SELECT sum(value) FROM interval_values WHERE name GLOB "
                                 "'ShadedFragments_*'") > 0);
}

static void
test_intervals_add_up_to_the_run(void **state)
{
   for (unsigned m = 0; m < NUM_MACHINES; m++) {
      if (!sample_has(m))
         continue;
      /* Never a divisor of the run but by chance; the last one is longer than all of it. */
      static const uint32_t lengths[] = {997, 5003, 77777, 4000000};
      const uint32_t interval = lengths[m % 4];
      run(300 + m, machines[m], interval, NULL);
      sqlite3 *db = record_open(folder);
      assert_true(record_number(db, "SELECT count(*) FROM frames") >= FRAMES);
      check_edges(db, interval);
      check_sums(db);
      if (interval == 4000000)
         assert_int_equal(record_number(db, "SELECT count(*) FROM intervals"), 1);
      sqlite3_close(db);
   }
}

static const char everything[] =
    "SELECT frame, start_cycle, end_cycle, limiter, limiter_share FROM frames UNION ALL SELECT "
    "work, start_cycle, end_cycle, exclusive_cycles, limiter_share FROM work UNION ALL SELECT "
    "work, counter, value, 0, 0 FROM work_values UNION ALL SELECT frame, counter, value, 1, 0 "
    "FROM frame_values";

/* Intervals of 997 cycles, and none, leave the same rows. */
static void
test_intervals_change_nothing_else(void **state)
{
   char *found[2];
   for (unsigned i = 0; i < 2; i++) {
      run(42, machines[6], i ? 997 : 0, NULL);
      sqlite3 *db = record_open(folder);
      found[i] = record_text(db, everything);
      if (i) {
         check_edges(db, 997);
         check_sums(db);
      }
      sqlite3_close(db);
   }
   assert_string_equal(found[0], found[1]);
   assert_true(strlen(found[0]) > 10000);
   free(found[0]);
   free(found[1]);
}

/* --draws-frames: only intervals in which those frames were in the machine, as they are in the
 * whole record. */
static void
test_window_has_the_whole_records_intervals(void **state)
{
   static const char counted[] =
       "SELECT start_cycle, end_cycle, frame, counter, value FROM intervals JOIN interval_values "
       "USING (interval) WHERE start_cycle >= %" PRId64 " AND end_cycle <= %" PRId64
       " ORDER BY start_cycle, counter";
   char sql[400], *found[2];
   int64_t first = 0, last = 0, all = 0;
   for (unsigned i = 0; i < 2; i++) {
      run(43, machines[0], 500, i ? "1" : NULL);
      sqlite3 *db = record_open(folder);
      if (!i) {
         first = record_number(db, "SELECT start_cycle FROM frames WHERE frame = 1");
         last = record_number(db, "SELECT end_cycle FROM frames WHERE frame = 1");
         all = record_number(db, "SELECT count(*) FROM intervals");
         assert_true(last - first > 2000);
      }
      snprintf(sql, sizeof(sql), counted, first, last);
      found[i] = record_text(db, sql);
      if (i) {
         /* Those at its edges are cut by nothing. */
         assert_true(record_number(db, "SELECT min(start_cycle) FROM intervals") <= first);
         assert_true(record_number(db, "SELECT max(end_cycle) FROM intervals") >= last);
         assert_int_equal(
             record_number(db, "SELECT count(*) FROM intervals WHERE start_cycle % 500 != 0"
                               " OR cycles != 500"),
             0);
         assert_true(record_number(db, "SELECT count(*) FROM intervals") < all);
      }
      sqlite3_close(db);
   }
   assert_string_equal(found[0], found[1]);
   assert_true(strlen(found[0]) > 1000);
   free(found[0]);
   free(found[1]);
}

static int
remove_folder(void **state)
{
   return record_remove(folder);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_intervals_add_up_to_the_run),
       cmocka_unit_test(test_intervals_change_nothing_else),
       cmocka_unit_test(test_window_has_the_whole_records_intervals),
   };
   return cmocka_run_group_tests(tests, NULL, remove_folder);
}
