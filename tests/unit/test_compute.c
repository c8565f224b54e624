/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Grids with results that are known, in functional mode and on machines of several shapes: what
 * invocations read of themselves, shared memory, barriers, atomic operations, indirect and
 * conditional grids, counters. Not here: random grids (test_compute_modes.c), cycles
 * (test_compute_time.c). */
#include "func_stream.h"
#include "machine_text.h"

static const char *const shapes[] = {
    "",
    "FRAGMENTSHADER.VectorShader=1;FRAGMENTSHADER.VectorLength=64;FRAGMENTSHADER.VectorThreads=24;"
    "FRAGMENTSHADER.VectorResources=512",
    "FRAGMENTSHADER.VectorShader=1;FRAGMENTSHADER.VectorLength=12;FRAGMENTSHADER.VectorThreads=3;"
    "GPU.NumFragmentShaders=1;FRAGMENTSHADER.SharedMemorySize=1024",
    "GPU.Unified=FALSE;GPU.NumFragmentShaders=2;SIMULATOR.HalfCycle=TRUE",
    "FRAGMENTSHADER.ThreadWindow=FALSE;FRAGMENTSHADER.SharedMemoryBanks=1",
    "FRAGMENTSHADER.SwapOnBlock=TRUE;COMPUTE.WorkgroupsShader=1",
};
#define NUM_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void
bind(struct stream *s, unsigned buffer, uint32_t address, uint32_t bytes)
{
   const uint32_t payload[4] = {ATTILA_STAGE_COMPUTE, buffer, address, bytes};
   stream_command(s, ATTILA_CMD_STORAGE, payload, 4);
}

static void
dispatch(struct stream *s, uint32_t x, uint32_t y, uint32_t z)
{
   const struct attila_cmd_dispatch d = {.groups = {x, y, z}};
   stream_command(s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
}

/* Runs the stream on machine m, or in functional mode if there is none, and calls check with
 * memory. Returns whether there was such a machine. */
static bool
run(const struct stream *s, unsigned m, void (*check)(const uint8_t *memory))
{
   const struct attila_sim_options o = {
       .mode = m ? ATTILA_MODE_CYCLE : ATTILA_MODE_FUNCTIONAL, .threads = 1, .box_order_seed = m};
   struct attila_sim *sim = machine_create(o, 16, m ? shapes[m - 1] : "");
   if (!attila_sim_submit(sim, s->words, s->num))
      fail_msg("machine %u: %s", m, attila_sim_error(sim));
   uint8_t *memory = stream_read_memory(sim, s);
   check(memory);
   free(memory);
   attila_sim_destroy(sim);
   return m < NUM_SHAPES;
}

static void
run_all(struct stream *s, void (*check)(const uint8_t *memory))
{
   for (unsigned m = 0; run(s, m, check); m++)
      ;
   free(s->words);
}

static uint32_t out; /* address of what programs write */

static uint32_t
word(const uint8_t *memory, uint32_t index)
{
   uint32_t w;
   memcpy(&w, memory + out + 4 * index, 4);
   return w;
}

/* --- What invocations know --- */

/* Stores inputs 0 and 1, and the workgroups of the grid, at the invocation's number. */
static const char ids[] =
    ".compute 5 3 2\n.literal 0x0000001e, 0x00000005, 0x00000010, 0x00000000\n"
    "IMUL r0.x, i1.z, i2.y\nIADD r0.x, r0.x, i1.y\nIMUL r0.x, r0.x, i2.x\n"
    "IADD r0.x, r0.x, i1.x\nIMUL r0.x, r0.x, l0.x\nIADD r0.x, r0.x, i0.w\n"
    "SHL r0.x, r0.x, l0.y\nSTB r0.x, l0.w, i0, 4\nMOV r1.xyz, i1\n"
    "IMUL r1.w, i2.x, i2.y\nIMUL r1.w, r1.w, i2.z\nIADD r0.y, r0.x, l0.z\n"
    "STB r0.y, l0.w, r1, 4\nEND\n";

static void
check_ids(const uint8_t *memory)
{
   for (uint32_t n = 0; n < 4 * 3 * 2 * 30; n++) {
      const uint32_t i = n % 30, g = n / 30;
      const uint32_t want[8] = {i % 5, i / 5 % 3, i / 15, i, g % 4, g / 4 % 3, g / 12, 24};
      for (unsigned c = 0; c < 8; c++)
         assert_int_equal(word(memory, 8 * n + c), want[c]);
   }
   assert_int_equal(word(memory, 8 * 720), 0);
}

static void
test_each_invocation_knows_its_place(void **state)
{
   struct stream s = {.next = 4096};
   (void)state;
   out = stream_alloc(&s, 720 * 32 + 64);
   bind(&s, 0, out, 720 * 32 + 64);
   stream_program(&s, ATTILA_STAGE_COMPUTE, ids);
   dispatch(&s, 4, 3, 2);
   run_all(&s, check_ids);
}

/* --- Shared memory --- */

/* Each workgroup sums the numbers of its 1024 invocations in a tree, with a barrier in a loop. */
static const char tree[] =
    ".compute 1024 1 1 4096\n.literal 0x00000002, 0x00000200, 0x00000001, 0x00000000\n"
    "SHL r0.x, i0.w, l0.x\nIADD r1.x, i0.w, i1.x\nSTS r0.x, r1, 1\nMOV r2.x, l0.y\nLOOP\nBAR\n"
    "ULT r3.x, i0.w, r2.x\nIF r3.x\nSHL r2.y, r2.x, l0.x\nIADD r2.y, r0.x, r2.y\n"
    "LDS r3.x, r2.y\nLDS r4.x, r0.x\nIADD r3.x, r3.x, r4.x\nSTS r0.x, r3, 1\nENDIF\n"
    "USHR r2.x, r2.x, l0.z\nIEQ r3.x, r2.x, l0.w\nIF r3.x\nBRK\nENDIF\nENDLOOP\nBAR\n"
    "IEQ r3.x, i0.w, l0.w\nIF r3.x\nLDS r4.x, l0.w\nSHL r4.y, i1.x, l0.x\n"
    "STB r4.y, l0.w, r4, 1\nENDIF\nEND\n";

static void
check_tree(const uint8_t *memory)
{
   for (uint32_t g = 0; g < 9; g++)
      assert_int_equal(word(memory, g), 1023 * 512 + 1024 * g);
}

static void
test_a_workgroup_of_1024_sums_in_a_tree(void **state)
{
   struct stream s = {.next = 4096};
   (void)state;
   out = stream_alloc(&s, 64);
   bind(&s, 0, out, 64);
   stream_program(&s, ATTILA_STAGE_COMPUTE, tree);
   dispatch(&s, 9, 1, 1);
   run_all(&s, check_tree);
}

/* Vectors outside of the 64 bytes are zeros, stores there do nothing; each workgroup finds
 * zeros. */
static const char edges[] =
    ".compute 8 1 1 64\n.literal 0x00000004, 0x00000038, 0x0000003c, 0x00000000\n"
    "SHL r0.x, i0.w, l0.x\nSHL r0.y, i1.x, l0.x\nLDS r1, l0.y\nIADD r2, i0.w, i2.x\n"
    "STS l0.y, r2, 4\nBAR\nLDS r2, l0.y\nATOMS r3, l0.z, i2.x, EXCHANGE\n"
    "IADD r1, r1, r2\nSTB r0.y, l0.w, r1, 4\nEND\n";

static void
check_edges(const uint8_t *memory)
{
   for (uint32_t g = 0; g < 5; g++) {
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(word(memory, 4 * g + c), c < 2 ? 7 + 5 : 0);
   }
}

static void
test_shared_memory_ends_where_it_says(void **state)
{
   struct stream s = {.next = 4096};
   (void)state;
   out = stream_alloc(&s, 128);
   bind(&s, 0, out, 128);
   stream_program(&s, ATTILA_STAGE_COMPUTE, edges);
   dispatch(&s, 5, 1, 1);
   run_all(&s, check_edges);
}

/* --- Order --- */

/* Takes a ticket of the grid and one of the workgroup; stores both where the ticket says. */
static const char tickets[] =
    ".compute 33 1 1 16\n.literal 0x00000001, 0x00000003, 0x00000004, 0x00000000\n"
    ".literal 0x00000021, 0x00000000, 0x00000000, 0x00000000\n"
    "ATOM r0.x, l0.w, l0.w, l0.x, ADD\nATOMS r1.x, l0.z, l0.x, ADD\nSHL r0.y, r0.x, l0.y\n"
    "IMUL r1.y, i1.x, l1.x\nIADD r1.y, r1.y, i0.w\nSTB r0.y, l0.x, r1, 2\nEND\n";

/* Tickets are taken in the order of invocations: workgroup by workgroup. */
static void
check_tickets(const uint8_t *memory)
{
   for (uint32_t n = 0; n < 20 * 33; n++) {
      assert_int_equal(word(memory, 2 * n), n % 33);
      assert_int_equal(word(memory, 2 * n + 1), n);
   }
}

static void
test_workgroups_take_effect_in_order(void **state)
{
   const uint32_t zero = 0;
   struct stream s = {.next = 4096};
   (void)state;
   bind(&s, 0, stream_upload(&s, &zero, 4), 4);
   out = stream_alloc(&s, 20 * 33 * 8);
   bind(&s, 1, out, 20 * 33 * 8);
   stream_program(&s, ATTILA_STAGE_COMPUTE, tickets);
   dispatch(&s, 20, 1, 1);
   run_all(&s, check_tickets);
}

/* --- Commands --- */

/* Adds 1 to the word of the workgroup. */
static const char count[] =
    ".compute 1 1 1\n.literal 0x00000001, 0x00000002, 0x00000000, 0x00000000\n"
    "SHL r0.x, i1.x, l0.y\nRED r0.x, l0.z, l0.x, ADD\nEND\n";

static uint32_t invocations; /* address of a counter */

static void
check_commands(const uint8_t *memory)
{
   const uint32_t want[8] = {3, 2, 2, 1, 0};
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(word(memory, i), want[i]);
   assert_int_equal(memory[invocations], 9);
}

/* The second grid's workgroups are a word that the first grid wrote; what has no workgroups, too
 * many, or whose condition does not hold, does nothing. */
static void
test_grids_are_indirect_and_conditional(void **state)
{
   const uint32_t numbers[6] = {2, 1, 1, 5, 0, 1};
   const uint64_t equal[2] = {7, 7};
   struct stream s = {.next = 4096};
   (void)state;
   out = stream_alloc(&s, 64);
   const uint32_t at = stream_upload(&s, numbers, sizeof(numbers)),
                  condition[3] = {stream_upload(&s, equal, sizeof(equal)), 1, 0};
   stream_program(&s, ATTILA_STAGE_COMPUTE, count);
   bind(&s, 0, at, 4);
   dispatch(&s, 1, 1, 1); /* 2 becomes 3 */
   bind(&s, 0, out, 64);
   struct attila_cmd_dispatch d = {.address = at, .flags = ATTILA_DRAW_INDIRECT};
   stream_command(&s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
   d.address += 12;
   stream_command(&s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
   stream_command(&s, ATTILA_CMD_CONDITION, condition, 3);
   d = (struct attila_cmd_dispatch){.groups = {8, 1, 1}, .flags = ATTILA_DRAW_CONDITIONAL};
   stream_command(&s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
   dispatch(&s, ATTILA_MAX_WORKGROUPS + 1, 1, 1);
   dispatch(&s, 4, 1, 1);
   dispatch(&s, 1, 0, 1);
   bind(&s, 0, out, 8);
   dispatch(&s, 1, 1, 1);
   invocations = stream_counter(&s, ATTILA_COUNTER_CS_INVOCATIONS);
   run_all(&s, check_commands);
}

static void
test_malformed_dispatches_are_refused(void **state)
{
   static const struct {
      struct attila_cmd_dispatch d;
      const char *error;
   } bad[] = {
       {{.groups = {1, 1, 1}, .flags = 1}, "flags 0x1"},
       {{.groups = {1, 0, 0}, .flags = ATTILA_DRAW_INDIRECT}, "workgroups of its own"},
       {{.address = 4}, "with an address"},
       {{.address = 2, .flags = ATTILA_DRAW_INDIRECT}, "a multiple of 4"},
       {{.address = (16u << 20) - 8, .flags = ATTILA_DRAW_INDIRECT}, "numbers"},
   };
   (void)state;
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      struct stream s = {.next = 4096};
      struct attila_sim *sim =
          machine_create((struct attila_sim_options){.mode = ATTILA_MODE_FUNCTIONAL}, 16, "");
      stream_command(&s, ATTILA_CMD_DISPATCH, &bad[i].d, ATTILA_DISPATCH_WORDS);
      assert_false(attila_sim_submit(sim, s.words, s.num));
      assert_non_null(strstr(attila_sim_error(sim), bad[i].error));
      attila_sim_destroy(sim);
      free(s.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_each_invocation_knows_its_place),
       cmocka_unit_test(test_a_workgroup_of_1024_sums_in_a_tree),
       cmocka_unit_test(test_shared_memory_ends_where_it_says),
       cmocka_unit_test(test_workgroups_take_effect_in_order),
       cmocka_unit_test(test_grids_are_indirect_and_conditional),
       cmocka_unit_test(test_malformed_dispatches_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
