/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counters and monitors of the facade (attila_sim.h), on random streams and machines: what monitors
 * of parts of a stream count adds up to what one of all of it counts, however many commands are in
 * flight together, and asking costs no cycle. Not here: that rows are right (test_rows.c). */
#include "random_scene.h"
#include "machine_text.h"

enum { MAX_COUNTERS = 2000, PARTS = 7 };

struct counts {
   unsigned num;
   char name[MAX_COUNTERS][80];
   bool share[MAX_COUNTERS];
   uint64_t value[MAX_COUNTERS];
   uint64_t cycles; /* of the machine at the end */
};

static struct attila_sim *
create(const char *machine, enum attila_mode mode)
{
   return machine_create((struct attila_sim_options){.mode = mode}, 16, machine);
}

static void
wait_for_all(struct attila_sim *sim, uint32_t fence)
{
   const uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2), fence, 0};
   assert_true(attila_sim_submit(sim, words, 3));
   assert_true(attila_sim_wait(sim, fence));
}

/* Where the part begins, at a command. */
static size_t
cut(const struct scene *c, unsigned part, unsigned parts)
{
   size_t at = 0;
   while (at < c->s.num * part / parts)
      at += 1 + ATTILA_CMD_WORDS(c->s.words[at]);
   return part == parts ? c->s.num : at;
}

/* Runs a scene with a monitor for each of so many parts; their values are added up. 0: none. */
static void
run(struct counts *counts, const struct scene *c, const char *machine, unsigned parts)
{
   struct attila_sim *sim = create(machine, ATTILA_MODE_CYCLE);
   struct attila_monitor *monitors[PARTS];
   unsigned all[MAX_COUNTERS];
   memset(counts, 0, sizeof(*counts));
   counts->num = attila_sim_num_counters(sim);
   assert_in_range(counts->num, 200, MAX_COUNTERS);
   for (unsigned i = 0; i < counts->num; i++) {
      struct attila_sim_counter info;
      assert_true(attila_sim_get_counter(sim, all[i] = i, &info));
      snprintf(counts->name[i], sizeof(counts->name[i]), "%s", info.name);
      counts->share[i] = !strcmp(info.unit, "%");
      assert_true(*info.group && *info.doc);
   }
   for (unsigned p = 0; p < (parts ? parts : 1); p++) {
      const size_t from = cut(c, p, parts ? parts : 1), to = cut(c, p + 1, parts ? parts : 1);
      if (parts)
         assert_non_null(monitors[p] = attila_sim_monitor_begin(sim, 0));
      assert_true(attila_sim_submit(sim, c->s.words + from, to - from));
      if (parts)
         attila_sim_monitor_end(sim, monitors[p]);
   }
   wait_for_all(sim, 100000);
   for (unsigned p = 0; p < parts; p++) {
      uint64_t values[MAX_COUNTERS], again[MAX_COUNTERS];
      attila_sim_monitor_read(sim, monitors[p], all, counts->num, values);
      attila_sim_monitor_read(sim, monitors[p], all, counts->num, again);
      assert_memory_equal(values, again, counts->num * sizeof(*values));
      for (unsigned i = 0; i < counts->num; i++)
         counts->value[i] += values[i];
      attila_sim_monitor_destroy(sim, monitors[p]);
   }
   counts->cycles = attila_sim_cycles(sim);
   attila_sim_destroy(sim);
}

static uint64_t
value(const struct counts *c, const char *name)
{
   for (unsigned i = 0; i < c->num; i++) {
      if (!strcmp(c->name[i], name))
         return c->value[i];
   }
   fail_msg("no counter %s", name);
   return 0;
}

static void
test_counters_of_parts_add_up_to_the_whole(void **state)
{
   for (uint32_t n = 0; n < NUM_MACHINES; n++) {
      if (!sample_has(n))
         continue;
      static struct counts one, many, none;
      struct scene c;
      make_scene(&c, 3000 + n);
      run(&none, &c, machines[n % NUM_MACHINES], 0);
      run(&one, &c, machines[n % NUM_MACHINES], 1);
      run(&many, &c, machines[n % NUM_MACHINES], PARTS);
      assert_int_equal(one.cycles, none.cycles);
      assert_int_equal(many.cycles, none.cycles);
      assert_int_equal(one.num, many.num);
      for (unsigned i = 0; i < one.num; i++) {
         if (!one.share[i] && one.value[i] != many.value[i])
            fail_msg("scene %u: %s is %llu, of the parts %llu", n, one.name[i],
                     (unsigned long long)one.value[i], (unsigned long long)many.value[i]);
         assert_true(!one.share[i] || one.value[i] <= 100);
      }
      assert_true(value(&one, "cycles") > 0 && value(&one, "cycles") <= one.cycles);
      assert_int_equal(value(&one, "draws"), value(&one, "Batches_CP"));
      assert_true(value(&one, "draws") > 10);
      assert_true(value(&one, "fragments") > 0 && value(&one, "BusyPercent_HZ") > 0);
      assert_int_equal(value(&one, "bytes"),
                       value(&one, "bytes-read") + value(&one, "bytes-written"));
      free(c.s.words);
   }
}

/* Another context's commands, and those before and after, are in no monitor of this one; a monitor
 * without commands is 0, and functional mode has none. */
static void
test_monitor_counts_its_own_context_only(void **state)
{
   struct attila_sim *sim = create("", ATTILA_MODE_CYCLE);
   const unsigned num = attila_sim_num_counters(sim);
   unsigned commands = num;
   for (unsigned i = 0; i < num; i++) {
      struct attila_sim_counter info;
      assert_true(attila_sim_get_counter(sim, i, &info));
      if (!strcmp(info.name, "BytesWritten_CP"))
         commands = i;
   }
   struct attila_sim_counter none;
   assert_false(attila_sim_get_counter(sim, num, &none));
   uint32_t words[2][6] = {
       {ATTILA_CMD_HEADER(ATTILA_CMD_CONTEXT, 1), 0, ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3),
        8192, 4, 7},
       {ATTILA_CMD_HEADER(ATTILA_CMD_CONTEXT, 1), 1, ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3),
        8192, 4, 7},
   };
   struct attila_monitor *m[3];
   uint64_t value[3];
   assert_true(attila_sim_submit(sim, words[0], 6));
   for (unsigned i = 0; i < 2; i++)
      m[i] = attila_sim_monitor_begin(sim, i);
   m[2] = attila_sim_monitor_begin(sim, 1);
   attila_sim_monitor_end(sim, m[2]);
   for (unsigned i = 0; i < 3; i++)
      assert_true(attila_sim_submit(sim, words[i == 1], 6));
   attila_sim_monitor_end(sim, m[0]);
   attila_sim_monitor_end(sim, m[1]);
   assert_true(attila_sim_submit(sim, words[1], 6));
   wait_for_all(sim, 1);
   for (unsigned i = 0; i < 3; i++) {
      attila_sim_monitor_read(sim, m[i], &commands, 1, &value[i]);
      if (i)
         attila_sim_monitor_destroy(sim, m[i]);
   }
   assert_int_equal(value[0], 8);
   assert_int_equal(value[1], 4);
   assert_int_equal(value[2], 0);
   attila_sim_destroy(sim); /* with what is still there */

   sim = create("", ATTILA_MODE_FUNCTIONAL);
   assert_int_equal(attila_sim_num_counters(sim), 0);
   assert_false(attila_sim_get_counter(sim, 0, &none));
   assert_null(attila_sim_monitor_begin(sim, 0));
   attila_sim_destroy(sim);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_counters_of_parts_add_up_to_the_whole),
       cmocka_unit_test(test_monitor_counts_its_own_context_only),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
