/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clock domains: signals between different clocks pass a synchroniser, and any ratio of clocks has
 * exact periods. Not here: that pixels do not depend on clocks (test_modes_random.c). */
#include "box_bench.h"

static struct sim_gpu *
machine(uint32_t gpu_mhz, uint32_t shader_mhz, uint32_t memory_mhz, uint32_t sync)
{
   struct sim_gpu *gpu = bench_create(0);
   gpu->config.gpu.gpu_clock = gpu_mhz;
   gpu->config.gpu.shader_clock = shader_mhz;
   gpu->config.gpu.memory_clock = memory_mhz;
   gpu->config.gpu.sync_cycles = sync;
   memset(&gpu->kernel, 0, sizeof(gpu->kernel));
   sim_kernel_init(&gpu->kernel, gpu_mhz, shader_mhz, memory_mhz, 0);
   sim_netlist_build(gpu);
   return gpu;
}

static void
test_synchronizer_costs_time_but_no_bandwidth(void **state)
{
   /* Periods 3 and 2 ticks. */
   struct sim_gpu *gpu = machine(400, 600, 400, 0), *synced = machine(400, 600, 400, 5);
   const struct sim_signal *fast = &gpu->net.ffu_shf[0], *slow = &synced->net.ffu_shf[0];
   assert_int_equal(fast->latency, 3);
   assert_int_equal(slow->latency, 3 + 5 * 2);
   assert_int_equal(slow->capacity, fast->capacity + 4); /* 10 ticks are 4 cycles of the sender */
   /* And back: 5 cycles of 3 ticks. */
   fast = &gpu->net.shf_ffu[0], slow = &synced->net.shf_ffu[0];
   assert_int_equal(slow->latency, fast->latency + 15);
   assert_int_equal(slow->capacity, fast->capacity + 8);
   /* Texture units are in the GPU's clock; their links are signals like others. */
   fast = &gpu->net.shdx_tu[0], slow = &synced->net.shdx_tu[0];
   assert_int_equal(slow->latency, fast->latency + 15);
   fast = &gpu->net.tu_shf[0], slow = &synced->net.tu_shf[0];
   assert_int_equal(slow->latency, fast->latency + 10);
   /* Within one clock, whatever the domains are called: nothing. */
   assert_int_equal(synced->net.shf_shdx[0].latency, gpu->net.shf_shdx[0].latency);
   assert_int_equal(synced->net.mc_sched[0].latency, gpu->net.mc_sched[0].latency);
   bench_destroy(gpu);
   bench_destroy(synced);
}

/* An object sent in a cycle is seen at the first edge after the synchroniser. */
static void
test_object_arrives_at_the_edge_after_the_synchronizer(void **state)
{
   struct sim_gpu *gpu = machine(400, 600, 400, 1);
   struct sim_signal *s = &gpu->net.ffu_shf[0];
   const struct msg_group m = {NULL};
   sim_send(s, 30, &m);
   assert_null(sim_peek(s, 34));
   assert_non_null(sim_peek(s, 36));
   bench_destroy(gpu);
}

static void
test_periods_have_the_ratio_of_the_clocks(void **state)
{
   static const uint32_t mhz[][3] = {{1, 10000, 3}, {9973, 9967, 9949}, {500, 501, 499}, {7, 7, 7}};
   for (unsigned i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
      struct sim_kernel kernel = {0};
      sim_kernel_init(&kernel, mhz[i][0], mhz[i][1], mhz[i][2], 0);
      for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
         assert_true(kernel.period[d] * mhz[i][d] == kernel.period[0] * mhz[i][0]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_synchronizer_costs_time_but_no_bandwidth),
       cmocka_unit_test(test_object_arrives_at_the_edge_after_the_synchronizer),
       cmocka_unit_test(test_periods_have_the_ratio_of_the_clocks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
