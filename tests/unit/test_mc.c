/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Timing and data of the memory controller and the GDDR channels, one fact each, with mock clients.
 * Expected cycles are computed from the configuration: a request is sent in cycle t, MC sees it in
 * t + 1, the channel in t + 2 (command); the response takes one cycle to MC and one to the
 * client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "memory_bench.h"

extern const struct sim_box_class mc_class, sched_class;

#define WAY 4 /* cycles on the way: client, MC, channel, MC, client */

struct fixture {
   struct sim_gpu *gpu;
   struct memory_client *cp, *cw[2];
   struct sim_box *mc;
};

static struct fixture
setup(uint32_t channels, uint32_t memory_clock, uint32_t seed)
{
   struct fixture f;
   struct sim_gpu *gpu = memory_bench_create(16 << 20);
   gpu->config.mc.v2 = false;
   gpu->config.mc.channels = channels;
   memory_bench_start(gpu, memory_clock, 100000, seed);
   f.gpu = gpu;
   f.mc = sim_box_create(&gpu->kernel, gpu, &mc_class, -1);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {f.mc}, .count = 1},
       [NETLIST_sched] = {.name = "sched", .count = channels}};
   for (uint32_t i = 0; i < channels; i++)
      boxes[NETLIST_sched].box[i] = sim_box_create(&gpu->kernel, gpu, &sched_class, (int)i);
   f.cp = memory_client_create(gpu, &gpu->net.cp_mc[0], &gpu->net.mc_cp[0], 0, 64);
   for (unsigned i = 0; i < 2; i++)
      f.cw[i] = memory_client_create(gpu, &gpu->net.cw_mc[i], &gpu->net.mc_cw[i], 1 + (int)i, 64);
   boxes[NETLIST_cp] = (struct sim_netlist_boxes){.box = {&f.cp->box}, .count = 1};
   boxes[NETLIST_cw] =
       (struct sim_netlist_boxes){.box = {&f.cw[0]->box, &f.cw[1]->box}, .count = 2};
   sim_netlist_connect(gpu, boxes);
   sim_kernel_start(&gpu->kernel);
   return f;
}

/* Statistic by its column name, of work id 1. */
static uint64_t
stat(const struct sim_box *b, const char *name)
{
   for (unsigned i = 0; i < b->cls->num_stats; i++) {
      if (!strcmp(b->cls->stats[i].name, name))
         return sim_stat(b, 1)[i];
   }
   fail_msg("no statistic %s", name);
   return 0;
}

static struct sim_box *
channel(struct fixture *f, unsigned i)
{
   return f->gpu->net.mc_sched[i].receiver;
}

static sim_tick
read_latency(struct fixture *f, uint32_t bytes)
{
   return WAY + f->gpu->config.mc.read_latency +
          (bytes + 63) / 64 * 64 / f->gpu->config.mc.burst_bytes;
}

static void
test_read_miss_then_hit(void **state)
{
   static const uint16_t sizes[] = {1, 64, 65, 256};
   uint8_t data[2][256];
   for (unsigned i = 0; i < 4; i++) {
      struct fixture f = setup(4, 600, 0);
      f.cp->window = 1;
      memory_client_add(f.cp, 0x1000, sizes[i], false, 0, data[0]);
      memory_client_add(f.cp, 0x1000, sizes[i], false, 0, data[1]);
      assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
      assert_int_equal(f.cp->done[0] - f.cp->sent[0],
                       read_latency(&f, sizes[i]) + f.gpu->config.mc.page_open_latency);
      assert_int_equal(f.cp->done[1] - f.cp->sent[1], read_latency(&f, sizes[i]));
      assert_memory_equal(data[1], f.gpu->device->memory + 0x1000, sizes[i]);
      assert_int_equal(stat(channel(&f, 0), "ReadRowMiss"), 1);
      assert_int_equal(stat(channel(&f, 0), "ReadRowHit"), 1);
      assert_int_equal(stat(f.mc, "CommandProcessor_ReadBytes"), 2 * sizes[i]);
      assert_int_equal(stat(f.mc, "TotalReadTransactions"), 2 * ((sizes[i] + 63) / 64));
      memory_bench_destroy(f.gpu);
   }
}

static void
test_compressed_transfer_is_shorter(void **state)
{
   uint8_t data[256];
   struct fixture f = setup(4, 600, 0);
   f.cp->window = 1;
   memory_client_add(f.cp, 0, 256, false, 0, data);
   memory_client_add(f.cp, 0, 256, false, 64, data);
   memory_client_add(f.cp, 0, 256, false, 128, data);
   assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
   assert_int_equal(f.cp->done[1] - f.cp->sent[1], read_latency(&f, 64));
   assert_int_equal(f.cp->done[2] - f.cp->sent[2], read_latency(&f, 128));
   assert_memory_equal(data, f.gpu->device->memory, 256);
   assert_int_equal(stat(channel(&f, 0), "DataCycles"), 16 + 4 + 8);
   memory_bench_destroy(f.gpu);
}

/* A read right behind a write on the pins: its data comes WriteToReadLatency after the write's. */
static void
test_read_after_write_waits_on_the_pins(void **state)
{
   uint8_t data[3][256] = {{0}};
   struct fixture f = setup(1, 600, 0);
   memory_client_add(f.cp, 0, 64, false, 0, data[0]); /* opens the page */
   memory_client_add(f.cp, 0, 64, true, 0, data[1]);
   memory_client_add(f.cp, 64, 64, false, 0, data[2]);
   assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
   const uint32_t burst = 64 / f.gpu->config.mc.burst_bytes;
   assert_int_equal(f.cp->done[1] - f.cp->done[0], f.gpu->config.mc.read_to_write + burst);
   assert_int_equal(f.cp->done[2] - f.cp->done[1], f.gpu->config.mc.write_to_read + burst);
   assert_int_equal(stat(channel(&f, 0), "SwitchModeCount"), 2);
   assert_int_equal(stat(channel(&f, 0), "WastedCycles_WRITE_TO_READ"),
                    f.gpu->config.mc.write_to_read);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(f.gpu->device->memory[i], 0);
   memory_bench_destroy(f.gpu);
}

/* One channel gives V2BurstBytesPerCycle, four give four times as much to two clients of 64 bytes
 * per cycle each. */
static void
test_channels_give_their_bandwidth(void **state)
{
   static uint8_t data[256];
   for (uint32_t channels = 1; channels <= 4; channels *= 4) {
      struct fixture f = setup(channels, 600, 0);
      for (unsigned i = 0; i < 512; i++) {
         for (unsigned c = 0; c < 2; c++)
            memory_client_add(f.cw[c], (i * 2 + c) * 256, 256, false, 0, data);
      }
      assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
      uint64_t cycles = f.gpu->kernel.now,
               least = 1024 * 256 / (channels * f.gpu->config.mc.burst_bytes);
      assert_true(cycles >= least);
      assert_true(cycles < least + least / 50 + 100);
      uint64_t busy = 0;
      for (uint32_t ch = 0; ch < channels; ch++)
         busy += stat(channel(&f, ch), "DataCycles");
      assert_int_equal(busy, 1024 * 256 / f.gpu->config.mc.burst_bytes);
      assert_int_equal(stat(f.mc, "ColorWrite_ReadBytes"), 1024 * 256);
      memory_bench_destroy(f.gpu);
   }
}

/* Two clients that want the same channel get the same share of it. */
static void
test_clients_share_a_channel_equally(void **state)
{
   static uint8_t data[256];
   struct fixture f = setup(1, 600, 0);
   for (unsigned i = 0; i < 600; i++) {
      memory_client_add(f.cw[0], 0, 256, false, 0, data);
      if (i < 300)
         memory_client_add(f.cw[1], 256, 256, false, 0, data);
   }
   assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
   /* When the second is through, the first is half way. */
   unsigned before = 0;
   for (unsigned i = 0; i < 600; i++)
      before += f.cw[0]->done[i] <= f.cw[1]->done[299];
   assert_true(before >= 290 && before <= 310);
   memory_bench_destroy(f.gpu);
}

/* Memory at half the clock: twice the cycles of the GPU on the pins. */
static void
test_half_memory_clock_doubles_the_time(void **state)
{
   uint8_t data[256];
   struct fixture f = setup(1, 300, 0);
   f.cp->window = 1;
   memory_client_add(f.cp, 0, 256, false, 0, data);
   memory_client_add(f.cp, 0, 256, false, 0, data);
   assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
   sim_tick took = f.cp->done[1] - f.cp->sent[1], memory = 2 * (f.gpu->config.mc.read_latency + 16);
   assert_true(took >= memory + WAY && took <= memory + WAY + 3);
   memory_bench_destroy(f.gpu);
}

/* Random requests of three clients, each in its own half of every block, against a plain copy of
 * memory. */
static uint64_t
random_traffic(uint32_t memory_clock, uint32_t order)
{
   static uint8_t data[3][MEMORY_CLIENT_REQUESTS][128], expected[3][MEMORY_CLIENT_REQUESTS][128];
   struct fixture f = setup(4, memory_clock, order);
   uint8_t *copy = malloc(f.gpu->device->memory_size);
   memcpy(copy, f.gpu->device->memory, f.gpu->device->memory_size);
   struct memory_client *clients[3] = {f.cp, f.cw[0], f.cw[1]};
   uint32_t x = 12345;
   for (unsigned i = 0; i < MEMORY_CLIENT_REQUESTS; i++) {
      for (unsigned c = 0; c < 3; c++) {
         x = x * 1664525 + 1013904223;
         uint32_t block = x >> 8 & 1023, offset = x >> 20 & 63,
                  size = 1 + (x >> 26) % (80 - offset % 80);
         if (offset + size > 80)
            size = 80 - offset;
         uint32_t address = block * 256 + c * 80 + offset;
         bool write = (x >> 5 & 3) == 0;
         for (uint32_t b = 0; b < size && write; b++)
            data[c][i][b] = (uint8_t)(x >> 3 ^ b * 7);
         if (write)
            memcpy(copy + address, data[c][i], size);
         memcpy(expected[c][i], copy + address, size);
         memory_client_add(clients[c], address, (uint16_t)size, write, 0, data[c][i]);
      }
   }
   assert_true(sim_kernel_run(&f.gpu->kernel, NULL));
   uint64_t hash = f.gpu->kernel.now;
   for (unsigned c = 0; c < 3; c++) {
      assert_int_equal(clients[c]->finished, MEMORY_CLIENT_REQUESTS);
      for (unsigned i = 0; i < MEMORY_CLIENT_REQUESTS; i++) {
         assert_memory_equal(data[c][i], expected[c][i], clients[c]->requests[i].size);
         hash = hash * 31 + clients[c]->done[i];
      }
   }
   assert_memory_equal(copy, f.gpu->device->memory, f.gpu->device->memory_size);
   free(copy);
   memory_bench_destroy(f.gpu);
   return hash;
}

static void
test_random_traffic_ignores_the_box_order(void **state)
{
   assert_int_equal(random_traffic(600, 0), random_traffic(600, 3));
   assert_int_equal(random_traffic(700, 0), random_traffic(700, 9));
   assert_true(random_traffic(600, 0) != random_traffic(700, 0));
}

static void
test_request_outside_memory_stops_the_machine(void **state)
{
   static const struct {
      uint32_t address;
      uint16_t size;
   } bad[] = {{16 << 20, 1}, {(16 << 20) - 64, 128}, {0, 0}, {0, 257}, {200, 57}, {0xffffffff, 1}};
   uint8_t data[512];
   for (unsigned i = 0; i < 6; i++) {
      struct fixture f = setup(4, 600, 0);
      memory_client_add(f.cw[1], bad[i].address, bad[i].size, i & 1, 0, data);
      assert_false(sim_kernel_run(&f.gpu->kernel, NULL));
      assert_non_null(strstr(f.gpu->kernel.error, "MC, cycle"));
      assert_non_null(strstr(f.gpu->kernel.error, "Client2"));
      memory_bench_destroy(f.gpu);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_read_miss_then_hit),
       cmocka_unit_test(test_compressed_transfer_is_shorter),
       cmocka_unit_test(test_read_after_write_waits_on_the_pins),
       cmocka_unit_test(test_channels_give_their_bandwidth),
       cmocka_unit_test(test_clients_share_a_channel_equally),
       cmocka_unit_test(test_half_memory_clock_doubles_the_time),
       cmocka_unit_test(test_random_traffic_ignores_the_box_order),
       cmocka_unit_test(test_request_outside_memory_stops_the_machine),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
