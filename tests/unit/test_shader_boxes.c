/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, Shader Fetch and Decode/Execute between mock neighbours: results equal the
 * emulator's, fragments leave in order, nothing is lost, clocking order and clocks without work
 * change nothing, and enough threads hide latencies. Single instructions: test_shader_issue.c. */
#include "shader_bench.h"

static bool
all_done(const void *data)
{
   (void)data;
   return (got_ends == ROPS * DRAWS && got_vertices == DRAWS * scene.vertices) ||
          gpu->kernel.now > 1000000;
}

/* All statistics but idle time, mixed into one number. */
static uint64_t
digest(void)
{
   const struct sim_box *boxes[] = {ffu, shf[0], shf[1], shdx[0], shdx[1]};
   uint64_t h = finished;
   for (unsigned i = 0; i < 5; i++) {
      for (unsigned work_id = 1; work_id < SIM_DEFAULT_WORK_IDS; work_id++) { /* 0: idle */
         for (unsigned n = 0; n < boxes[i]->cls->num_stats; n++)
            h = (h ^ sim_stat(boxes[i], work_id)[n]) * 0x100000001b3ull;
      }
   }
   return h;
}

static uint64_t
run_scene(uint32_t order_seed)
{
   build(fs_text, order_seed);
   gpu->kernel.until = all_done;
   if (!sim_kernel_run(&gpu->kernel, NULL))
      fail_msg("%s", gpu->kernel.error);
   assert_int_equal(got_ends, ROPS * DRAWS);
   assert_int_equal(got_vertices, DRAWS * scene.vertices);
   assert_int_equal(wrong_order, 0);
   assert_int_equal(got_quads + stat_of(ffu, "KilledStamps"), ROPS * DRAWS * scene.quads);
   assert_true(stat_of(ffu, "KilledStamps") > 0);
   assert_int_equal(gpu->quads.in_use + gpu->groups.in_use + gpu->vertices.in_use, 0);
   assert_int_equal(stat_of(ffu, "InputFragments"), counters[ATTILA_COUNTER_FS_INVOCATIONS]);
   assert_int_equal(counters[ATTILA_COUNTER_VS_INVOCATIONS], DRAWS * scene.vertices);
   const bool shared = config.shader.shared_window;
   assert_int_equal(stat_of(shf[0], "EndedThreads") +
                        (shared ? 0 : stat_of(shf[1], "EndedThreads")),
                    stat_of(ffu, "FragmentThreads") + stat_of(ffu, "VertexThreads"));
   assert_true(stat_of(shf[0], "FetchedInstr") >=
               stat_of(shdx[0], "ExecutedInstructions") +
                   (shared ? stat_of(shdx[1], "ExecutedInstructions") : 0));
   assert_true(
       (stat_of(shdx[0], "ReplayCommands") + (shared ? stat_of(shdx[1], "ReplayCommands") : 0)) *
           lanes_of(0) >=
       stat_of(shf[0], "ReFetchedInstr"));
   assert_int_equal(stat_of(shf[0], "Blocks"), stat_of(shf[0], "Unblocks"));
   uint64_t h = digest();
   destroy();
   return h;
}

static void
check_orders(void)
{
   uint64_t want = run_scene(0);
   for (uint32_t seed = 1; seed < 6; seed++)
      assert_true(run_scene(seed) == want);
   scene.wake_all = true;
   assert_true(run_scene(0) == want);
   scene.wake_all = false;
}

static void
test_every_configuration_shades_all_inputs(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 36; n++) {
      default_config();
      struct sim_config *c = &config;
      scene.seed = n;
      scene.slow_sink = n & 1;
      scene.gap = n % 3 == 0 ? 0 : 1 + n % 9;
      scene.tex_latency = n % 4 == 3 ? 150 : 10;
      c->shader.vector = n % 5 != 2;
      c->shader.vector_length = c->shader.group = 4 + 4 * (n % 4);
      c->shader.vector_resources = n % 5 == 0 ? 8 : 112;
      c->shader.registers = n % 5 == 0 ? 64 : 448;
      c->shader.thread_window = n % 3 != 1;
      c->shader.swap_on_block = n % 6 == 3;
      strcpy(c->shader.issue_policy, n % 4 == 2 ? "OLDEST_FIRST" : "ROUND_ROBIN");
      strcpy(c->shader.vector_alu, n % 4 == 1 ? "simd4+scalar" : n % 4 == 3 ? "scalar" : "simd4");
      c->shader.wait_on_stall = n % 7 == 1;
      c->shader.scoreboard = n % 7 == 3;
      c->shader.tex_queue = n % 4 == 1 ? 1 : 64;
      c->shader.fetch_rate = 1 + n % 4;
      c->shader.scalar_alu = n % 2;
      c->shader.rate = c->shader.vector_width = n % 6 < 3 ? 4 : 16;
      c->shader.fetch_delay = n % 8 == 6 ? 9 : 0;
      c->vshader.locked = n % 2;
      c->vshader.group = 4;
      c->rast.shaded_queue = n % 7 == 2 ? 16 : 160;
      c->shader.shared_window = n >= 24;
      if (n % 8 == 5 && n < 24) { /* a split machine: shader 0 fragments, shader 1 vertices */
         c->gpu.unified = false;
         c->gpu.num_shaders = c->gpu.num_vertex_shaders = 1;
      }
      check_orders();
   }
}

/* A queue that stops at groups that wait for texels shows the latency of each round; a window
 * hides it (ISPASS 2006 section 5). */
static void
test_window_hides_texture_latency(void **state)
{
   (void)state;
   sim_tick ticks[2];
   for (unsigned window = 0; window < 2; window++) {
      default_config();
      scene.tex_latency = 200;
      scene.vertices = 0;
      config.shader.vector_threads = 8;
      config.shader.thread_window = window;
      build(fs_text, 0);
      gpu->kernel.until = all_done;
      assert_true(sim_kernel_run(&gpu->kernel, NULL));
      ticks[window] = finished;
      destroy();
   }
   assert_true(ticks[0] * 20 > ticks[1] * 21);
}

/* Enough threads hide latencies: 1 instruction every 4 cycles with 4 ALUs; decode and back take 2
 * with 16. Groups with a quad take as long as full ones. */
static void
test_enough_threads_hide_latencies(void **state)
{
   (void)state;
   for (unsigned width = 4; width <= 16; width *= 2) {
      default_config();
      scene.tex_latency = 10;
      scene.vertices = 0;
      config.shader.vector_width = width;
      config.shader.inputs_cycle = config.shader.outputs_cycle = 16;
      config.shader.vector_resources = 256;
      config.repeat.op_RCP = config.repeat.op_RSQ = 1;
      build(fs_text, 0);
      gpu->kernel.until = all_done;
      assert_true(sim_kernel_run(&gpu->kernel, NULL));
      uint64_t busy = stat_of(shf[0], "ALUBusyCycles"), fetched = stat_of(shf[0], "FetchCycles");
      uint64_t gap = width == 4 ? 4 : 2;
      assert_int_equal(busy, fetched / (gap - 1) * gap);
      /* The producer sends 2 quads of each ROP a cycle: more than 2 shaders take. */
      assert_true(width == 16 || stat_of(shf[0], "NoReadyCycles") * 5 < busy);
      destroy();
   }
}

static void
run_shared(bool shared)
{
   config.shader.shared_window = shared;
   build(fs_text, 0);
   gpu->kernel.until = all_done;
   assert_true(sim_kernel_run(&gpu->kernel, NULL));
   assert_int_equal(got_ends, ROPS * DRAWS);
}

/* Returns whether two numbers differ by at most 5 %. */
static bool
alike(uint64_t a, uint64_t b)
{
   return a * 20 <= b * 21 && b * 20 <= a * 21;
}

/* ISPASS 2006 section 5: any group of the window may go to any shader. Groups that the rule of
 * distribution gives to one shader keep two busy, with many threads and with few. */
static void
test_shaders_of_a_shared_window_work_alike(void **state)
{
   (void)state;
   for (unsigned gap = 0; gap <= 40; gap += 40) {
      uint64_t ticks[2];
      for (unsigned shared = 0; shared < 2; shared++) {
         default_config();
         scene.tex_latency = 10;
         scene.vertices = 0;
         scene.gap = gap;
         config.rast.distribution = 0;
         config.rast.scan_width = 1024;
         run_shared(shared);
         ticks[shared] = finished;
         const uint64_t executed[] = {stat_of(shdx[0], "ExecutedInstructions"),
                                      stat_of(shdx[1], "ExecutedInstructions")};
         assert_true(shared ? alike(executed[0], executed[1]) : executed[1] == 0);
         destroy();
      }
      assert_true(gap || ticks[1] * 5 < ticks[0] * 3);
   }
}

/* The window has the contexts and registers of all shaders, and no more. */
static void
test_a_shared_window_is_as_large_as_those_of_all_shaders(void **state)
{
   (void)state;
   static const char *const states[] = {"ReadyThreads",  "BlockedThreads",  "ConstantThreads",
                                        "MemoryThreads", "FinishedThreads", "LoadedThreads",
                                        "FreeThreads"};
   for (unsigned few = 0; few < 2; few++) {
      uint64_t contexts[2] = {0}, stalls[2];
      for (unsigned shared = 0; shared < 2; shared++) {
         default_config();
         scene.tex_latency = 300;
         scene.vertices = 0;
         config.shader.vector_threads = few ? 28 : 6;
         config.shader.vector_resources = few ? 16 : 256;
         run_shared(shared);
         sim_kernel_flush_counters(&gpu->kernel);
         for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++)
            contexts[shared] += stat_of(shf[0], states[i]);
         contexts[shared] /= gpu->kernel.now;
         stalls[shared] = stat_of(shf[0], few ? "StallsRegisters" : "StallsThreads");
         if (few)
            assert_true(stat_of(shf[0], "UsedResources") <= (shared ? 32 : 16) * gpu->kernel.now);
         destroy();
      }
      assert_int_equal(contexts[1], 2 * contexts[0]);
      assert_true(stalls[0] && stalls[1]);
   }
}

/* An instruction of a group does not begin while another shader's ALUs work on the one before. */
static void
test_a_group_alone_gains_nothing_from_a_shared_window(void **state)
{
   (void)state;
   for (unsigned width = 4; width <= 16; width *= 4) {
      sim_tick ticks[2];
      for (unsigned shared = 0; shared < 2; shared++) {
         default_config();
         scene.tex_latency = 10;
         scene.vertices = 16;
         scene.quads = 0;
         config.repeat.op_DP4 = 9; /* the second one does not wait for a result */
         config.shader.vector_threads = 1;
         config.shader.vector_width = width;
         config.rast.distribution = 1;
         run_shared(shared);
         ticks[shared] = finished;
         destroy();
      }
      assert_int_equal(ticks[0], ticks[1]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_configuration_shades_all_inputs),
       cmocka_unit_test(test_window_hides_texture_latency),
       cmocka_unit_test(test_enough_threads_hide_latencies),
       cmocka_unit_test(test_shaders_of_a_shared_window_work_alike),
       cmocka_unit_test(test_a_shared_window_is_as_large_as_those_of_all_shaders),
       cmocka_unit_test(test_a_group_alone_gains_nothing_from_a_shared_window),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
