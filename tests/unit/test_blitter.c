/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The time of the Blitter: it covers the latency of memory with as many units as the DAC's request
 * queue has entries, and a resolve reads all planes of a unit. Not here: what it writes
 * (test_blit.c, test_modes_random.c). */
#include "sim_stream.h"

/* 256x256 elements of 4 bytes: 1,024 tiles. */
#define SIZE 256
#define PITCH (SIZE / 8)
#define SRC (1u << 20)
#define DST (6u << 20)

static const struct attila_cmd_blit whole = {
    .src = {.address = SRC, .pitch_tiles = PITCH},
    .dst = {.address = DST, .pitch_tiles = PITCH},
    .width = SIZE,
    .height = SIZE,
    .depth = 1,
    .element_bytes = 4,
    .samples = 1,
    .resolve = ATTILA_RESOLVE_NONE,
    .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
};

/* The source is written first: unwritten memory costs nothing. */
static uint64_t
cycles_of_blit(const char *queue, uint32_t samples, uint32_t resolve)
{
   const char *const machine[] = {"MEMORYCONTROLLER.MemorySize=16", queue};
   const struct attila_sim_options o = {.overrides = machine, .num_overrides = 2};
   static const uint8_t data[4096] = {1};
   char error[512];
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   stream.num = stream.commands = 0;
   struct attila_cmd_blit blit = whole;
   blit.samples = samples;
   blit.resolve = resolve;
   for (uint32_t at = 0; at < SIZE * SIZE * 4 * samples; at += sizeof(data)) {
      put_buffer(&stream, SRC + at, data, sizeof(data));
      if (stream.num > 32768) {
         assert_true(attila_sim_submit(sim, stream.words, stream.num));
         stream.num = stream.commands = 0;
      }
   }
   PUT(&stream, FENCE, 1, 0);
   assert_true(attila_sim_submit(sim, stream.words, stream.num) && attila_sim_wait(sim, 1));
   const uint64_t before = attila_sim_cycles(sim);
   stream.num = stream.commands = 0;
   put(&stream, ATTILA_CMD_BLIT, (const uint32_t *)&blit, sizeof(blit) / 4);
   PUT(&stream, FENCE, 2, 0);
   if (!attila_sim_submit(sim, stream.words, stream.num) || !attila_sim_wait(sim, 2))
      fail_msg("%s", attila_sim_error(sim));
   const uint64_t cycles = attila_sim_cycles(sim) - before;
   attila_sim_destroy(sim);
   return cycles;
}

static void
test_units_cover_latency(void **state)
{
   const uint64_t one = cycles_of_blit("DAC.BlockRequestQueueSize=1", 1, ATTILA_RESOLVE_NONE),
                  two = cycles_of_blit("DAC.BlockRequestQueueSize=2", 1, ATTILA_RESOLVE_NONE),
                  many = cycles_of_blit("DAC.BlockRequestQueueSize=32", 1, ATTILA_RESOLVE_NONE);
   assert_in_range(one, two * 3 / 2, two * 2 + 100);
   assert_in_range(many, 0, one / 4);
   /* A unit's source and destination cross pins that move 64 bytes a cycle at most. */
   assert_in_range(many, 2 * SIZE * SIZE * 4 / 64, one);
}

static void
test_resolve_reads_planes_together(void **state)
{
   const uint64_t one = cycles_of_blit("DAC.BlockRequestQueueSize=1", 1, ATTILA_RESOLVE_NONE),
                  four = cycles_of_blit("DAC.BlockRequestQueueSize=1", 4, ATTILA_RESOLVE_AVERAGE);
   /* One after the other, four planes and a block to write took two and a half times as long. */
   assert_in_range(four, one + 1, one * 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_units_cover_latency),
       cmocka_unit_test(test_resolve_reads_planes_together),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
