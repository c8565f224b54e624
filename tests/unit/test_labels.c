/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows and intervals chosen by label (--label; results/sim_report_frames.c): which parts of a label
 * a name stands for; and on random streams under several labels, in cycle and functional mode, the
 * rows are those that the whole record has under such labels, unchanged, and the intervals those in
 * which they were in the machine. Not here: how a label is made (tests/gl/labels.sh). */
#include "random_scene.h"
#include <inttypes.h>
#include <unistd.h>
#include "record_query.h"
#include "results/sim_report.h"

static char folder[64];

/* --- Names --- */

static void
test_label_matches_name_path_and_pattern(void **state)
{
   static const struct {
      const char *label, *yes, *no; /* names, a '|' between */
   } cases[] = {
       {"start", "start|st*|?tart|*|*t|s*r*t|start*|sta?t", "star|tart|start?|?start|Start|"},
       {"world/trees: oak",
        "world|trees|oak|world/trees|trees: oak|world/trees: oak|w*d|*: oak|*oak",
        "worl|orld|tree|world/|: oak|ak|world/trees:|rld/tree|world: oak|??|/"},
       {"[mirror] reflection/sky: a/b: c",
        "mirror|reflection|sky|a|b|c|a/b: c|reflection/sky|[mirror] reflection/sky: a/b: c|"
        "[mirror]*|m*r|r*n|b: c",
        "[mirror]|mirror] reflection|mirro|reflectio|mirror*sky|: c|[mirror] reflection"},
       {"[mirror pass]", "mirror pass|[mirror pass]|mirror*", "mirror|pass|pass]|[mirror pass"},
       {"[a] b] c", "a|b] c|[a] b] c", "a] b|c|[a]"},
       {"[odd", "[odd|*odd|od", "odd|[o"},
       {"aab/aac", "aab|aac|*ac|*b|a*c|a*b/a*c", "ab|aa"},
       {"12:30 glClear(mask = GL_COLOR)", "12:30 gl*|12:30 glClear(mask = GL_COLOR)", "12|30*"},
       {"", "", "|*|?"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      for (unsigned yes = 0; yes < 2; yes++) {
         char names[300];
         snprintf(names, sizeof(names), "%s", yes ? cases[i].yes : cases[i].no);
         for (char *at = names, *name; (name = strsep(&at, "|"));) {
            if (*name && sim_report_label_matches(name, cases[i].label) != yes)
               fail_msg("\"%s\" %s \"%s\"", name, yes ? "is no part of" : "is a part of",
                        cases[i].label);
         }
      }
   }
   assert_false(sim_report_label_matches("*", NULL));
}

/* --- Rows --- */

static void
submit(struct attila_sim *sim, const uint32_t *words, size_t num)
{
   if (!attila_sim_submit(sim, words, num))
      fail_msg("%s", attila_sim_error(sim));
}

static void
mark(struct attila_sim *sim, const char *label)
{
   uint32_t words[2 + SIM_LABEL_BYTES / 4] = {0};
   const uint32_t payload = 1 + (uint32_t)strlen(label) / 4 + 1;
   words[0] = ATTILA_CMD_HEADER(ATTILA_CMD_MARKER, payload);
   words[1] = ATTILA_MARKER_TEXT;
   memcpy(words + 2, label, strlen(label));
   submit(sim, words, 1 + payload);
}

static struct attila_sim *
create(enum attila_mode mode, const char *label, const char *draws, char *error, size_t size)
{
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   record_renew(folder);
   const struct attila_sim_options o = {.overrides = overrides,
                                        .num_overrides = 1,
                                        .mode = mode,
                                        .interval = mode == ATTILA_MODE_CYCLE ? 200 : 0,
                                        .label = label,
                                        .draws = draws,
                                        .out_dir = folder};
   return attila_sim_create(&o, error, size);
}

/* Frames with parts under two labels, and a part under none. */
static sqlite3 *
run(enum attila_mode mode, const char *label, const char *draws)
{
   static const char *const labels[] = {"", "[sky] world/trees: oak", "[sky] world/shadows"};
   char error[512];
   struct scene c;
   struct attila_sim *sim = create(mode, label, draws, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   make_scene(&c, 5);
   const uint32_t end = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned i = 0; i < 3; i++) {
      mark(sim, labels[i]);
      submit(sim, c.s.words, c.s.num);
   }
   submit(sim, &end, 1);
   free(c.s.words);
   attila_sim_destroy(sim);
   return record_open(folder);
}

static char *
rows(sqlite3 *db, enum attila_mode mode, const char *where)
{
   static const char counters[] =
       "(SELECT group_concat(counter || ' ' || value) FROM (SELECT counter, value FROM "
       "work_values n WHERE n.work = w.work ORDER BY counter))";
   char sql[900];
   snprintf(sql, sizeof(sql),
            "SELECT frame, ifnull(draw, ''), kind, label, count, start_cycle, end_cycle, "
            "ifnull(exclusive_cycles, ''), %s FROM work w WHERE %s ORDER BY work",
            mode == ATTILA_MODE_CYCLE ? counters : "''", where);
   return record_text(db, sql);
}

static void
check_rows(enum attila_mode mode, const char *label, const char *draws, const char *where,
           unsigned least)
{
   sqlite3 *all = run(mode, NULL, draws);
   char *want = rows(all, mode, where), lines[200];
   snprintf(lines, sizeof(lines), "SELECT count(*) FROM work WHERE %s", where);
   const int64_t num = record_number(all, lines), total = record_number(all, "SELECT count(*) "
                                                                             "FROM work");
   assert_in_range(num, least, total - least);
   sqlite3_close(all);
   sqlite3 *db = run(mode, label, draws);
   char *got = rows(db, mode, "1");
   assert_string_equal(got, want);
   assert_int_equal(record_number(db, "SELECT count(*) FROM work"), num);
   sqlite3_close(db);
   free(want);
   free(got);
}

static void
test_label_selects_rows(void **state)
{
   check_rows(ATTILA_MODE_CYCLE, "oak", NULL, "label = '[sky] world/trees: oak'", 12);
   check_rows(ATTILA_MODE_CYCLE, "world", NULL, "label LIKE '[sky] world%'", 24);
   check_rows(ATTILA_MODE_CYCLE, "shad*", "4:0-,6:0-,7:2-9", "label = '[sky] world/shadows'", 1);
   check_rows(ATTILA_MODE_FUNCTIONAL, "shadows", NULL, "label = '[sky] world/shadows'", 6);
}

static void
test_list_of_draws_has_its_first_and_last(void **state)
{
   char list[64], sql[100];
   sqlite3 *db = run(ATTILA_MODE_FUNCTIONAL, NULL, NULL);
   const unsigned frame = (unsigned)record_number(
       db, "SELECT frame FROM work GROUP BY frame ORDER BY count(draw) DESC LIMIT 1");
   snprintf(sql, sizeof(sql), "SELECT max(draw) FROM work WHERE frame = %u", frame);
   const unsigned last = (unsigned)record_number(db, sql);
   sqlite3_close(db);
   assert_true(last > 2);
   snprintf(list, sizeof(list), "%u:1-%u", frame, last - 1);
   db = run(ATTILA_MODE_FUNCTIONAL, NULL, list);
   assert_int_equal(record_number(db, "SELECT min(draw) FROM work"), 1);
   assert_int_equal(record_number(db, "SELECT max(draw) FROM work"), last - 1);
   sqlite3_close(db);
}

/* --- Intervals --- */

static void
test_label_selects_intervals_with_its_rows(void **state)
{
   static const char counted[] = "SELECT start_cycle, end_cycle, frame, counter, value FROM "
                                 "intervals JOIN interval_values USING (interval) WHERE %s "
                                 "ORDER BY start_cycle, counter";
   /* In which a row of this label was in the machine, from its first cycle to its last one. */
   static const char within[] =
       "EXISTS (SELECT 1 FROM work w WHERE w.label = '[sky] world/shadows' AND w.start_cycle < "
       "intervals.end_cycle AND w.end_cycle >= intervals.start_cycle)";
   char sql[700];
   sqlite3 *db = run(ATTILA_MODE_CYCLE, NULL, NULL);
   snprintf(sql, sizeof(sql), counted, within);
   char *want = record_text(db, sql);
   const int64_t all = record_number(db, "SELECT count(*) FROM intervals");
   snprintf(sql, sizeof(sql), "SELECT count(*) FROM intervals WHERE %s", within);
   const int64_t most = record_number(db, sql);
   assert_in_range(most, 10, all * 2 / 3);
   sqlite3_close(db);
   db = run(ATTILA_MODE_CYCLE, "shadows", NULL);
   snprintf(sql, sizeof(sql), counted, within);
   char *got = record_text(db, sql);
   assert_string_equal(got, want);
   /* Nor many others: a row is in the machine until the last line it left dirty is written. */
   const int64_t num = record_number(db, "SELECT count(*) FROM intervals");
   assert_in_range(num, most, most + most / 3);
   sqlite3_close(db);
   free(want);
   free(got);
}

/* --- Options --- */

static void
test_label_options_are_checked(void **state)
{
   char error[512] = "";
   assert_null(create(ATTILA_MODE_CYCLE, "", NULL, error, sizeof(error)));
   assert_string_equal(error, "label \"\": expected at least one character");
   struct attila_sim_options o;
   setenv("ATTILA_LABEL", "shadow*", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_LABEL needs ATTILA_OUT");
   setenv("ATTILA_OUT", "out", 1);
   assert_true(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(o.label, "shadow*");
   attila_sim_options_free(&o);
   unsetenv("ATTILA_LABEL");
   unsetenv("ATTILA_OUT");
   assert_true(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_null(o.label);
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
       cmocka_unit_test(test_label_matches_name_path_and_pattern),
       cmocka_unit_test(test_label_selects_rows),
       cmocka_unit_test(test_list_of_draws_has_its_first_and_last),
       cmocka_unit_test(test_label_selects_intervals_with_its_rows),
       cmocka_unit_test(test_label_options_are_checked),
   };
   return cmocka_run_group_tests(tests, NULL, remove_folder);
}
