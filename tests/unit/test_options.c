/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The table of options of a run: every line takes its values, the environment is the command line,
 * and relations hold for both and for programs. Not here: options of attila-sim's subcommands
 * (tests/sim/usage.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "attila_sim.h"
#include "options/sim_options.h"

static const struct sim_option_table *const table = &sim_run_options;

static const struct sim_option *
find(const char *name)
{
   for (unsigned i = 0; i < table->num_options; i++) {
      if (!strcmp(table->options[i].name, name))
         return &table->options[i];
   }
   fail_msg("no option %s", name);
   return NULL;
}

/* A value that the option takes. */
static const char *
good_value(const struct sim_option *o)
{
   static const char *const values[] = {
       [SIM_OPTION_FLAG] = "1",    [SIM_OPTION_NUMBER] = "7",        [SIM_OPTION_TEXT] = "text",
       [SIM_OPTION_PATH] = "path", [SIM_OPTION_RANGES] = "1,3-5,9-", [SIM_OPTION_MODE] = "half",
       [SIM_OPTION_SPAN] = "3-5",  [SIM_OPTION_PICKS] = "0:3,7:1-",  [SIM_OPTION_LIST] = "A.B=1"};
   static char words[64];
   if (o->type != SIM_OPTION_WORDS)
      return o->endings ? "path.pftrace" : values[o->type];
   /* The first and the last one. */
   snprintf(words, sizeof(words), "%.*s,%s", (int)strcspn(o->words, " "), o->words,
            strrchr(o->words, ' ') + 1);
   return words;
}

static void
test_names_and_variables_occur_once(void **state)
{
   for (unsigned i = 0; i < table->num_options; i++) {
      const struct sim_option *a = &table->options[i];
      for (unsigned k = 0; k < i; k++) {
         const struct sim_option *b = &table->options[k];
         assert_true(!(a->commands & b->commands) || strcmp(a->name, b->name));
         assert_true(!(a->commands & b->commands) || !a->letter || a->letter != b->letter);
         assert_true(!a->variable || !b->variable || strcmp(a->variable, b->variable));
      }
   }
}

static void
test_every_option_keeps_its_value(void **state)
{
   struct attila_sim_options options = {0}, copy;
   for (unsigned i = 0; i < table->num_options; i++) {
      const struct sim_option *o = &table->options[i];
      assert_false(sim_option_given(o, &options));
      assert_null(sim_option_text(o, &options));
      assert_true(sim_option_set(o, &options, good_value(o)));
   }
   assert_true(attila_sim_options_copy(&copy, &options));
   attila_sim_options_free(&options);
   for (unsigned i = 0; i < table->num_options; i++) {
      char *text = sim_option_text(&table->options[i], &copy);
      assert_string_equal(text, good_value(&table->options[i]));
      free(text);
   }
   attila_sim_options_free(&copy);
   assert_null(copy.out_dir);
   assert_int_equal(copy.num_overrides, 0);
}

static void
test_values_out_of_range_are_refused(void **state)
{
   static const struct {
      const char *name, *value, *expected;
   } cases[] = {
       {"threads", "0", "a whole number from 1 to 64"},
       {"threads", "65", "a whole number from 1 to 64"},
       {"threads", "-1", "a whole number from 1 to 64"},
       {"jobs", "4294967296", "a whole number from 1 to 4294967295"},
       {"interval", "1x", "a whole number from 1 to 4294967295"},
       {"mode", "fast", "cycle, functional or half"},
       {"cycle-frames", "3-1", "a list such as 3,10-20,50-"},
       {"cycle-frames", "1,", "a list such as 3,10-20,50-"},
       {"draws-frames", "", "a list such as 3,10-20,50-"},
       {"label", "", "at least one character"},
       {"trace", "t.json", "a file that ends in .pftrace or .perfetto-trace"},
       {"trace", "t.pftrace/x", "a file that ends in .pftrace or .perfetto-trace"},
       {"trace", "out/.pftrace", "a file that ends in .pftrace or .perfetto-trace"},
       {"trace", "pftrace", "a file that ends in .pftrace or .perfetto-trace"},
       {"save-frames", "perhaps", "0 or 1"},
       {"set", "nonsense", "SECTION.KEY=VALUE"},
       {"set", "A.B=1;A=2", "SECTION.KEY=VALUE"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct attila_sim_options options = {0};
      char expected[200];
      assert_false(sim_option_set(find(cases[i].name), &options, cases[i].value));
      sim_option_expected(find(cases[i].name), expected, sizeof(expected));
      assert_string_equal(expected, cases[i].expected);
      attila_sim_options_free(&options);
   }
}

static void
test_settings_add_up(void **state)
{
   struct attila_sim_options options = {0};
   assert_true(sim_option_set(find("set"), &options, "A.B=1;; C.D=2"));
   assert_true(sim_option_set(find("set"), &options, "E.F=3"));
   assert_int_equal(options.num_overrides, 3);
   assert_string_equal(options.overrides[1], "C.D=2");
   assert_string_equal(options.overrides[2], "E.F=3");
   attila_sim_options_free(&options);
}

/* Every option with a variable: the environment gives what the command line gives. */
static void
test_environment_is_the_command_line(void **state)
{
   char error[300];
   for (unsigned i = 0; i < table->num_options; i++) {
      const struct sim_option *o = &table->options[i];
      if (!o->variable)
         continue;
      struct attila_sim_options options = {0};
      setenv(o->variable, good_value(o), 1);
      assert_true(sim_options_read_environment(table, &options, error, sizeof(error)));
      unsetenv(o->variable);
      char *text = sim_option_text(o, &options);
      assert_string_equal(text, good_value(o));
      free(text);
      attila_sim_options_free(&options);
   }
   setenv("ATTILA_THREADS", "many", 1);
   struct attila_sim_options options;
   assert_false(attila_sim_options_from_env(&options, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_THREADS=many: expected a whole number from 1 to 64");
   unsetenv("ATTILA_THREADS");
}

static void
test_relations_hold_for_all_who_give_options(void **state)
{
   char error[300];
   struct attila_sim_options o = {.maps = "all"};
   assert_false(sim_options_check(table, &o, SIM_COMMAND_RUN, error, sizeof(error)));
   assert_string_equal(error, "--maps needs --out");
   assert_false(sim_options_check(table, &o, SIM_FROM_ENVIRONMENT, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_MAPS needs ATTILA_OUT");
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_string_equal(error, "maps needs out_dir or maps_dir");
   o = (struct attila_sim_options){.threads = 65};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_string_equal(error, "threads \"65\": expected a whole number from 1 to 64");
   o = (struct attila_sim_options){.maps = "all", .out_dir = "out"};
   assert_true(sim_options_check(table, &o, SIM_COMMAND_RUN, error, sizeof(error)));
   o.mode = ATTILA_MODE_FUNCTIONAL;
   assert_false(sim_options_check(table, &o, SIM_COMMAND_RUN, error, sizeof(error)));
   assert_string_equal(error, "--maps needs cycle or half mode: functional mode has no time");
   o = (struct attila_sim_options){.trace_path = "t.pftrace", .jobs = 2, .out_dir = "out"};
   assert_false(sim_options_check(table, &o, SIM_COMMAND_RUN, error, sizeof(error)));
   assert_string_equal(error, "--trace and --jobs exclude each other");
   o = (struct attila_sim_options){.warm_up = 1};
   assert_false(sim_options_check(table, &o, SIM_COMMAND_LAUNCH, error, sizeof(error)));
   assert_string_equal(error, "--warm-up needs --cycle-frames or --jobs");
}

/* An option that has no effect without time is refused, wherever it comes from. */
static void
test_options_of_time_are_refused_in_functional_mode(void **state)
{
   static const char *const members[] = {"ideal",   "cycle_frames", "cycle_draws",    "cycle_label",
                                         "warm_up", "jobs",         "box_order_seed", "interval",
                                         "power",   "maps",         "trace_path"};
   for (unsigned m = 0; m < sizeof(members) / sizeof(members[0]); m++) {
      struct attila_sim_options options = {.mode = ATTILA_MODE_FUNCTIONAL};
      const struct sim_option *o = table->options;
      char error[300], wanted[300];
      while (strcmp(o->member, members[m]))
         o++;
      assert_true(sim_option_set(o, &options, good_value(o)));
      const char *const from[] = {o->variable, o->member};
      for (unsigned i = 0; i < 2; i++) {
         snprintf(wanted, sizeof(wanted),
                  "%s needs cycle or half mode: functional mode has no time", from[i]);
         assert_false(sim_options_check(
             table, &options, i ? SIM_FROM_PROGRAM : SIM_FROM_ENVIRONMENT, error, sizeof(error)));
         assert_string_equal(error, wanted);
      }
      /* Frames to report have a meaning in both. */
      assert_int_equal(sim_options_check(table, &options, SIM_COMMAND_RUN, error, sizeof(error)),
                       !strcmp(o->member, "cycle_frames"));
      attila_sim_options_free(&options);
   }
}

/* Each relation that an option needs another one is broken by the option alone. */
static void
test_no_option_lacks_what_it_needs(void **state)
{
   for (unsigned i = 0; i < table->num_relations; i++) {
      const struct sim_relation *r = &table->relations[i];
      for (unsigned k = 0; k < table->num_options && r->kind == SIM_RELATION_NEEDS; k++) {
         const struct sim_option *o = &table->options[k];
         struct attila_sim_options options = {0};
         char error[300];
         if (o->offset != r->who)
            continue;
         assert_true(sim_option_set(o, &options, good_value(o)));
         assert_false(
             sim_options_check(table, &options, SIM_FROM_ENVIRONMENT, error, sizeof(error)));
         attila_sim_options_free(&options);
      }
   }
}

/* A range of frames ends while the program goes on: a worker has to simulate it. */
static void
test_frames_that_end_need_a_worker(void **state)
{
   char error[300];
   struct attila_sim_options o = {.cycle_frames = "4-", .warm_up = 1};
   assert_true(sim_options_live(&o, error, sizeof(error)));
   assert_int_equal(o.jobs, 0);
   o.cycle_frames = "4-5";
   assert_false(sim_options_live(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "frames 4-5 end before the program does"));
   o = (struct attila_sim_options){.cycle_frames = "4-5", .out_dir = "out"};
   assert_true(sim_options_live(&o, error, sizeof(error)));
   assert_int_equal(o.jobs, 1);
   assert_int_equal(o.job_frames, 0);
}

/* Every word that a table offers is one that the option's owner takes, and help has it. */
static void
test_words_are_those_of_the_owner(void **state)
{
   static const char *const names[] = {"ideal", "maps", "trace-what"};
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      const struct sim_option *o = find(names[i]);
      char error[500], words[200], *save = NULL;
      snprintf(words, sizeof(words), "%s", o->words);
      for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
         struct attila_sim_options options = {.check_only = true};
         assert_true(sim_option_set(o, &options, w));
         struct attila_sim_options given = options;
         given.out_dir = "out";
         given.trace_path = options.trace_what ? "/tmp/attila-options.pftrace" : NULL;
         struct attila_sim *sim = attila_sim_create(&given, error, sizeof(error));
         if (!sim)
            fail_msg("--%s %s: %s", o->name, w, error);
         attila_sim_destroy(sim);
         if (given.trace_path)
            unlink(given.trace_path);
         assert_non_null(strstr(o->help, w));
         sim_options_free(table, &options);
      }
   }
}

static void
lists_of_words_have_no_others(void **state)
{
   static const char *const bad[] = {"",        "heat",  "shaded,heat",   "shaded,",
                                     ",shaded", "shade", "shaded written"};
   struct attila_sim_options options = {0};
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      assert_false(sim_option_set(find("maps"), &options, bad[i]));
   assert_true(sim_option_set(find("maps"), &options, "shaded,draw"));
   sim_options_free(table, &options);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(lists_of_words_have_no_others),
       cmocka_unit_test(test_names_and_variables_occur_once),
       cmocka_unit_test(test_every_option_keeps_its_value),
       cmocka_unit_test(test_values_out_of_range_are_refused),
       cmocka_unit_test(test_settings_add_up),
       cmocka_unit_test(test_environment_is_the_command_line),
       cmocka_unit_test(test_relations_hold_for_all_who_give_options),
       cmocka_unit_test(test_options_of_time_are_refused_in_functional_mode),
       cmocka_unit_test(test_no_option_lacks_what_it_needs),
       cmocka_unit_test(test_frames_that_end_need_a_worker),
       cmocka_unit_test(test_words_are_those_of_the_owner),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
