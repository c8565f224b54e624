/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How long hierarchical Z takes, both variants: clears, its cache and port, latency, queue,
 * samples. Not here: what it culls (test_hz_boxes.c). */
#include "hz_bench.h"

/* A clear writes HZBlocksClearedPerCycle blocks in a cycle, whatever the Z cache does. */
static void
test_clear_takes_blocks_cleared_per_cycle(void **unused)
{
   (void)unused;
   static const char *const speeds[3][2] = {{"RASTERIZER.HZBlocksClearedPerCycle=1"},
                                            {"RASTERIZER.HZBlocksClearedPerCycle=5"},
                                            {"RASTERIZER.HZBlocksClearedPerCycle=256"}};
   sim_tick end[3];
   for (unsigned n = 0; n < 3; n++) {
      struct bench b;
      hz_bench(&b, PAPER, 1, speeds[n]);
      push_clear(&b, &b.draw[0], 0.5f);
      bench_run(&b);
      end[n] = b.log[0].tick;
      finish(&b);
   }
   /* 8 x 8 tiles. */
   assert_int_equal(end[0] - end[2], 64 - 1);
   assert_int_equal(end[1] - end[2], 13 - 1);
}

/* The first quad of a line waits for the buffer, the others find it in the cache. */
static void
test_first_quad_of_a_line_waits_for_the_buffer(void **unused)
{
   (void)unused;
   static const char *const latency[] = {"RASTERIZER.HZAccessLatency=5", NULL};
   struct bench b;
   hz_bench(&b, RELEASE, 1, latency);
   push_clear(&b, &b.draw[0], 1.0f);
   push_tile(&b, &b.draw[0], 8, 8, 0.5f, ~0ull)->earliest = 100;
   push_tile(&b, &b.draw[1], 16, 24, 0.5f, ~0ull)->earliest = 200;
   push_tile(&b, &b.draw[2], 32, 0, 0.5f, ~0ull)->earliest = 300;
   push_tile(&b, &b.draw[3], 40, 0, 0.5f, 1)->earliest = 400;
   bench_run(&b);
   /* Sent at T, there at T + 1, read from the buffer until T + 6, sent on in the next cycle. A hit
    * is tested in the cycle in which it comes. */
   assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + 5 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[1]), 200 + 1 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[2]), 300 + 1 + 5 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[3]), 400 + 1 + 1 + 1);
   assert_int_equal(stat(b.box, "ReadsHZBuffer"), 2);
   assert_int_equal(stat(b.box, "MissesHZCache"), 2);
   assert_int_equal(stat(b.box, "HitsHZCache"), 15 + 16 + 15 + 1);
   finish(&b);
}

/* The buffer has one port: two lines are read in two cycles, and bounds from the ZST come first. */
static void
test_buffer_port_reads_one_line_per_cycle(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      struct bench b;
      hz_bench(&b, RELEASE, 1, NULL);
      push_clear(&b, &b.draw[0], 1.0f);
      if (n == 2) {
         push_update(&b, &b.draw[0], 0, 0, 0, 1.0f, 0)->earliest = 97;
         b.items[1].earliest = 97;
      }
      push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], n ? 32 : 8, 0, 0.5f, 1)->earliest = 100;
      bench_run(&b);
      sim_tick first = first_quad(&b, &b.draw[0]), second = first_quad(&b, &b.draw[1]);
      assert_int_equal(first, 100 + 1 + 1 + 1 + 1 + (n == 2));
      assert_int_equal(second, first + (n != 0));
      /* Repeated lookups count: 31 of 32 quads of the cycle could have looked, or all 32. */
      assert_int_equal(stat(b.box, "MissesHZCache"), n == 0 ? 1 : n == 1 ? 2 + 31 : 2 + 32 + 31);
      finish(&b);
   }
}

/* Lines of tiles that wait for their test are not replaced. */
static void
test_lines_in_use_are_not_replaced(void **unused)
{
   (void)unused;
   static const char *const config[] = {"RASTERIZER.HZCacheLines=1",
                                        "RASTERIZER.HZAccessLatency=10", NULL};
   struct bench b;
   hz_bench(&b, RELEASE, 1, config);
   push_clear(&b, &b.draw[0], 1.0f);
   push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
   push_tile(&b, &b.draw[1], 32, 0, 0.5f, 1)->earliest = 100;
   bench_run(&b);
   /* Tested at the end of cycle 111, so the other line is read in cycle 112. */
   assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + 10 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[1]), first_quad(&b, &b.draw[0]) + 11);
   finish(&b);
}

/* Traversal stops when two cycles of quads would fill the queue: a cycle's tiles that wait for a
 * line hold up those behind, though there is room. */
static void
test_traversal_stops_before_the_queue_is_full(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      const char *const config[] = {n ? "RASTERIZER.EarlyZQueueSize=1024"
                                      : "RASTERIZER.EarlyZQueueSize=96",
                                    "RASTERIZER.HZAccessLatency=10", NULL};
      struct bench b;
      hz_bench(&b, RELEASE, 1, config);
      push_clear(&b, &b.draw[0], 0.5f);
      for (unsigned i = 0; i < 6; i++) /* hidden, all of one line */
         push_tile(&b, &b.draw[0], 8 * (int32_t)(i % 4), 8 * (int32_t)(i / 4), 0.6f, ~0ull)
             ->earliest = 100;
      push_tile_end(&b, &b.draw[0]);
      bench_run(&b);
      /* Two tiles in each of three cycles, tested 10 cycles after the first, 2 a cycle. In the
       * small queue the four that came have left at the end of cycle 113, which the last two, in
       * cycle 115, are the first to know. */
      assert_int_equal(b.log[b.num_log - 1].tick, 101 + 10 + 2 + 1 + 1 + (n ? 0 : 2));
      finish(&b);
   }
}

/* In the paper's variant the latency is that of every tile, culled or not, and nothing waits. */
static void
test_paper_latency_is_equal_for_all_tiles(void **unused)
{
   (void)unused;
   for (unsigned latency = 1; latency < 8; latency += 3) {
      char set[40];
      const char *const config[] = {set, NULL};
      snprintf(set, sizeof(set), "RASTERIZER.HZAccessLatency=%u", latency);
      struct bench b;
      hz_bench(&b, PAPER, 1, config);
      push_clear(&b, &b.draw[0], 1.0f);
      push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], 32, 0, 0.5f, 1)->earliest = 100;
      bench_run(&b);
      assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + latency + 1);
      assert_int_equal(first_quad(&b, &b.draw[1]), first_quad(&b, &b.draw[0]));
      finish(&b);
   }
}

/* No more tiles come in than the queue has room for, and none faster than StampsPerCycle. */
static void
test_queue_limits_arriving_tiles(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      const char *const config[] = {
          n ? "RASTERIZER.EarlyZQueueSize=32" : "RASTERIZER.EarlyZQueueSize=256",
          "RASTERIZER.StampsPerCycle=2", "RASTERIZER.HZAccessLatency=20", NULL};
      struct bench b;
      hz_bench(&b, PAPER, 1, config);
      push_clear(&b, &b.draw[0], 0.5f);
      for (unsigned i = 0; i < 16; i++) /* all hidden */
         push_tile(&b, &b.draw[0], 8 * (int32_t)(i % 8), 0, 0.6f, ~0ull)->earliest = 100;
      push_tile_end(&b, &b.draw[0]);
      bench_run(&b);
      /* 2 tiles a cycle, or 2 tiles in the time that the buffer takes. */
      assert_int_equal(b.log[b.num_log - 1].tick, n ? 101 + 8 * 21 + 1 : 101 + 7 + 20 + 1);
      finish(&b);
   }
}

/* The tiles of a multisampled draw that come together take a cycle for every two samples. */
static void
test_two_samples_per_cycle_arrive(void **unused)
{
   (void)unused;
   static const unsigned samples[] = {1, 2, 4, 8};
   for (unsigned n = 0; n < 4; n++) {
      struct bench b;
      hz_bench(&b, PAPER, 1, NULL);
      struct sim_draw *d = &b.draw[0];
      bind(d, samples[n], ATTILA_FORMAT_Z24S8, 0);
      push_clear(&b, d, 0.5f);
      for (unsigned i = 0; i < 16; i++) /* none covered: they leave nothing to wait for */
         push_tile(&b, d, 512, 0, 0.6f, 0)->earliest = 100;
      push_tile_end(&b, d);
      bench_run(&b);
      assert_int_equal(b.log[b.num_log - 1].tick,
                       101 + 7 * (samples[n] > 2 ? samples[n] / 2 : 1) + 1 + 1);
      finish(&b);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_clear_takes_blocks_cleared_per_cycle),
       cmocka_unit_test(test_first_quad_of_a_line_waits_for_the_buffer),
       cmocka_unit_test(test_buffer_port_reads_one_line_per_cycle),
       cmocka_unit_test(test_lines_in_use_are_not_replaced),
       cmocka_unit_test(test_traversal_stops_before_the_queue_is_full),
       cmocka_unit_test(test_paper_latency_is_equal_for_all_tiles),
       cmocka_unit_test(test_queue_limits_arriving_tiles),
       cmocka_unit_test(test_two_samples_per_cycle_arrive),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
