/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Cycles of grids on a machine whose cycles are known by hand: conflicts of shared memory's banks,
 * barriers, how many workgroups are in a shader, how fast empty ones go through it. Not here: what
 * programs compute (test_compute.c). */
#include "func_stream.h"
#include "machine_text.h"

/* A group is 16 inputs, and an instruction takes one cycle. */
#define MACHINE                                                                             \
   "GPU.NumFragmentShaders=1;FRAGMENTSHADER.VectorShader=1;FRAGMENTSHADER.VectorLength=16;" \
   "FRAGMENTSHADER.VectorALUWidth=16;FRAGMENTSHADER.VectorThreads=64;"                      \
   "FRAGMENTSHADER.VectorResources=512;FRAGMENTSHADER.InputsPerCycle=16"
#define REPEATS 32

/* Returns the cycles of a grid of so many workgroups on MACHINE with more settings. */
static uint64_t
cycles(const char *program, uint32_t workgroups, const char *more)
{
   struct stream s = {.next = 4096};
   char machine[1024];
   const struct attila_cmd_dispatch d = {.groups = {workgroups, 1, 1}};
   snprintf(machine, sizeof(machine), MACHINE ";%s", more);
   stream_program(&s, ATTILA_STAGE_COMPUTE, program);
   stream_command(&s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS); /* loads the program */
   const uint32_t before = stream_counter(&s, ATTILA_COUNTER_GPU_CYCLES);
   stream_command(&s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
   const uint32_t after = stream_counter(&s, ATTILA_COUNTER_GPU_CYCLES);
   struct attila_sim *sim =
       machine_create((struct attila_sim_options){.mode = ATTILA_MODE_CYCLE}, 16, machine);
   if (!attila_sim_submit(sim, s.words, s.num))
      fail_msg("%s", attila_sim_error(sim));
   const uint64_t took = stream_read_counter(sim, after) - stream_read_counter(sim, before);
   attila_sim_destroy(sim);
   free(s.words);
   return took;
}

/* Returns the cycles of one group that repeats an access to words that are `stride` apart. */
static uint64_t
accesses(const char *access, unsigned stride)
{
   char text[4096];
   int n = snprintf(text, sizeof(text),
                    ".compute 16 1 1 2048\n.literal 0x%08x, 0x00000001, 0, 0\n"
                    "IMUL r0.x, i0.w, l0.x\n",
                    4 * stride);
   for (unsigned i = 0; i < REPEATS; i++)
      n += snprintf(text + n, sizeof(text) - (size_t)n, "%s\n", access);
   snprintf(text + n, sizeof(text) - (size_t)n, "END\n");
   return cycles(text, 1, "");
}

/* Word w is in bank w % 16, and a bank serves a word in a cycle. */
static void
test_banks_serve_a_word_in_a_cycle(void **state)
{
   static const char load[] = "LDS r1.x, r0.x", store[] = "STS r0.x, i0, 1",
                     atomic[] = "ATOMS r1.x, r0.x, l0.y, ADD";
   const uint64_t free = accesses(load, 1), stores = accesses(store, 1),
                  atomics = accesses(atomic, 1);
   (void)state;
   for (unsigned ways = 1; ways <= 16; ways *= 2) {
      assert_int_equal(accesses(load, ways) - free, REPEATS * (ways - 1));
      assert_int_equal(accesses(store, ways) - stores, REPEATS * (ways - 1));
      assert_int_equal(accesses(atomic, ways) - atomics, REPEATS * 2 * (ways - 1));
   }
   assert_int_equal(accesses(load, 17), free);
   /* All inputs read one word, but change it one after the other. */
   assert_int_equal(accesses(load, 0), free);
   assert_int_equal(accesses(atomic, 0) - atomics, REPEATS * 2 * 15);
   /* Vectors are served by components, whose words are 4 apart. */
   assert_int_equal(accesses("LDS r1, r0.x", 4) - free, REPEATS * (4 * 4 - 1));
}

/* A group waits 4 cycles for each load. */
static const char chain[] =
    ".compute 16 1 1 16384\nLDS r0.x, i0.w\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\n"
    "LDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\n"
    "LDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nLDS r0.x, r0.x\nEND\n";

/* As many workgroups run side by side as fit; a waiting one costs nothing. */
static void
test_workgroups_share_a_shader(void **state)
{
   const uint64_t one = cycles(chain, 1, ""), two = cycles(chain, 2, "");
   (void)state;
   /* Two of 16 KB fit the 32 KB; three do not. */
   assert_in_range(two, one, one + 16);
   assert_in_range(cycles(chain, 4, ""), 2 * one - 40, 2 * one + 32);
   assert_in_range(cycles(chain, 4, "FRAGMENTSHADER.SharedMemorySize=65536"), one, one + 32);
   assert_in_range(cycles(chain, 4, "COMPUTE.WorkgroupsShader=1"), 4 * one - 120, 4 * one + 64);
   assert_in_range(cycles(chain, 4, "FRAGMENTSHADER.SharedMemorySize=1024"), 4 * one - 120,
                   4 * one + 64); /* too large: each is alone */
   assert_int_equal(cycles(chain, 1, "COMPUTE.LaunchLatency=104") - one, 100);
}

/* The dispatcher sends a group in a cycle; a shader takes one cycle to load and one to start it. */
static void
test_empty_workgroups_go_through_in_few_cycles(void **state)
{
   static const char empty[] = ".compute 16 1 1\nEND\n";
   const uint64_t few = cycles(empty, 100, "COMPUTE.WorkgroupsShader=64"),
                  many = cycles(empty, 1100, "COMPUTE.WorkgroupsShader=64");
   (void)state;
   assert_in_range(many - few, 1000, 4000);
}

/* A barrier lets the groups go on when the slowest has come. */
static void
test_a_barrier_waits_for_the_slowest_group(void **state)
{
   static const char text[] =
       ".compute 32 1 1 64\n.literal 0x00000010, 0, 0, 0\nULT r0.x, i0.w, l0.x\nIF r0.x\n"
       "LDS r1.x, i0.z\nLDS r1.x, r1.x\nLDS r1.x, r1.x\nLDS r1.x, r1.x\nLDS r1.x, r1.x\n"
       "LDS r1.x, r1.x\nENDIF\n%sIF r0.x\nELSE\nLDS r1.x, i0.z\nLDS r1.x, r1.x\n"
       "LDS r1.x, r1.x\nLDS r1.x, r1.x\nLDS r1.x, r1.x\nLDS r1.x, r1.x\nENDIF\nEND\n";
   char with[1024], without[1024];
   (void)state;
   snprintf(with, sizeof(with), text, "BAR\n");
   snprintf(without, sizeof(without), text, "");
   /* Without it the second group's loads run beside the first group's. */
   assert_in_range(cycles(with, 1, "") - cycles(without, 1, ""), 30, 70);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_banks_serve_a_word_in_a_cycle),
       cmocka_unit_test(test_workgroups_share_a_shader),
       cmocka_unit_test(test_empty_workgroups_go_through_in_few_cycles),
       cmocka_unit_test(test_a_barrier_waits_for_the_slowest_group),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
