/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Time, traffic and bytes of the L2 cache, one fact each, with mock clients (l2_system.h). A
 * request is sent in cycle t, the controller sees it in t + 1, the slice looks it up in t + 2; the
 * answer takes a cycle to the controller and one to the client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "l2_system.h"
#include "emul/shader/emul_atomic.h"

#define WAY 4 /* cycles on the way: client, controller, slice, controller, client */
#define TINY "L2.Ways=1;L2.Lines=1;MEMORYCONTROLLER.V2MemoryChannels=1"

static struct l2_system
start(const char *settings)
{
   return l2_system_setup(settings, 600, 0);
}

static void
test_hit_takes_the_latency_and_a_miss_the_memory_time_more(void **state)
{
   static const char *const settings[] = {"", "L2.Latency=1", "L2.Latency=100"};
   for (unsigned i = 0; i < 3; i++) {
      struct l2_system s = start(settings[i]);
      const struct sim_config *c = &s.gpu->config;
      const sim_tick hit = WAY + c->l2.latency,
                     memory = c->mc.page_open_latency + c->mc.read_latency + 64 / c->mc.burst_bytes;
      assert_int_equal(l2_system_one(&s, CP, 0x1000, 64, false), hit + 2 + memory);
      assert_int_equal(l2_system_one(&s, CP, 0x1000, 64, false), hit);
      assert_int_equal(l2_system_one(&s, CW1, 0x1020, 1, false), hit);
      assert_int_equal(l2_system_one(&s, CW1, 0x1020, 1, true), hit);
      assert_memory_equal(l2_system_buffer(CP, 0), s.gpu->device->memory + 0x1000, 32);
      assert_int_equal(l2_stat(&s, "Hits_CommandProcessor"), 1);
      assert_int_equal(l2_stat(&s, "Misses_CommandProcessor"), 1);
      assert_int_equal(l2_stat(&s, "Hits_ColorWrite"), 2);
      assert_int_equal(l2_stat(&s, "FillBytes"), 64);
      assert_int_equal(l2_stat(&s, "Reads"), 3);
      assert_int_equal(l2_stat(&s, "ReadLatency"), 3 * c->l2.latency + 2 + memory);
      memory_bench_destroy(s.gpu);
   }
}

/* With banks: activate, read, and the way of the answer (sim_netlist_read_latency). */
static void
test_miss_takes_the_time_of_a_bank(void **state)
{
   struct l2_system s = start("MEMORYCONTROLLER.MemoryControllerV2=TRUE");
   const struct sim_config *c = &s.gpu->config;
   const sim_tick hit = WAY + c->l2.latency, first = l2_system_one(&s, CP, 0x1000, 32, false),
                  open = l2_system_one(&s, CP, 0x1020, 32, false);
   assert_int_equal(l2_system_one(&s, CP, 0x1000, 32, false), hit);
   /* Page policy 0 closes the row behind the first. */
   assert_int_equal(first, open);
   assert_int_equal(first, hit + 1 + c->mc.t_rcd + sim_netlist_read_latency(c));
   memory_bench_destroy(s.gpu);
}

/* Bursts of 32 bytes in turn in the banks: each sector is a transfer to its own bank. */
static void
test_sectors_in_two_banks_are_two_transfers(void **state)
{
   static const char *const masks[] = {"13 12 11", "12 11 5"};
   for (unsigned i = 0; i < 2; i++) {
      char settings[200];
      snprintf(settings, sizeof(settings),
               "MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
               "MEMORYCONTROLLER.V2BankInterleavingMask=%s",
               masks[i]);
      struct l2_system s = start(settings);
      l2_system_one(&s, CP, 0x1000, 64, false);
      assert_int_equal(l2_stat(&s, "FillBytes"), 64);
      assert_int_equal(l2_system_stat(&s, s.channel, "ACTCommandsReceived"), 1 + i);
      memory_bench_destroy(s.gpu);
   }
}

static void
test_sectors_are_written_without_a_read_unless_bytes_of_them_are_read(void **state)
{
   struct l2_system s = start("");
   l2_system_one(&s, CW0, 0x2000, 128, true);
   l2_system_one(&s, CW0, 0x2104, 40, true); /* part of one sector, part of another */
   assert_int_equal(l2_stat(&s, "FillBytes"), 0);
   assert_int_equal(l2_system_one(&s, CW0, 0x2000, 128, false), WAY + 1 + s.gpu->config.l2.latency);
   assert_int_equal(l2_stat(&s, "FillBytes"), 0);
   l2_system_one(&s, CW0, 0x2100, 8, false);
   assert_int_equal(l2_stat(&s, "FillBytes"), 32);
   assert_int_equal(l2_stat(&s, "WriteBytes"), 168);
   assert_int_equal(l2_stat(&s, "ReadBytes"), 136);
   memory_bench_destroy(s.gpu);
}

static void
test_dirty_sectors_of_a_replaced_line_are_written_back(void **state)
{
   struct l2_system s = start(TINY);
   l2_system_one(&s, CW0, 0x1000, 33, true); /* two sectors */
   l2_system_one(&s, CW0, 0x1060, 32, true); /* the last one */
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 0);
   l2_system_one(&s, CP, 0x4000, 32, false);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 96);
   assert_int_equal(l2_system_stat(&s, s.channel, "WriteBytes"), 96);
   assert_int_equal(l2_system_stat(&s, s.channel, "WriteDataBytes"), 128); /* two transactions */
   assert_int_equal(l2_stat(&s, "ReplacedDirty"), 1);
   l2_system_one(&s, CP, 0x5000, 32, false);
   assert_int_equal(l2_stat(&s, "ReplacedClean"), 1);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 96);
   memory_bench_destroy(s.gpu);
}

static void
test_bypassing_client_takes_no_line_but_finds_others(void **state)
{
   struct l2_system s = start("L2.CommandProcessorPolicy=0");
   l2_system_one(&s, CP, 0x1000, 64, false);
   l2_system_one(&s, CP, 0x1000, 64, false);
   l2_system_one(&s, CP, 0x1000, 64, true);
   assert_int_equal(l2_stat(&s, "Bypasses"), 3);
   assert_int_equal(l2_stat(&s, "Hits_CommandProcessor"), 0);
   assert_int_equal(l2_stat(&s, "FillBytes"), 128);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 64);
   l2_system_one(&s, DAC, 0x1000, 64, false);
   assert_int_equal(l2_system_one(&s, CP, 0x1000, 64, false), WAY + s.gpu->config.l2.latency);
   l2_system_one(&s, CP, 0x1000, 64, true);
   assert_int_equal(l2_stat(&s, "Hits_CommandProcessor"), 2);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 64);
   memory_bench_destroy(s.gpu);
}

/* Returns whether the colour unit finds its line after others have passed. */
static bool
stays(const char *policy)
{
   char settings[200];
   snprintf(settings, sizeof(settings),
            "L2.Ways=2;L2.Lines=1;MEMORYCONTROLLER.V2MemoryChannels=1;%s", policy);
   struct l2_system s = start(settings);
   l2_system_one(&s, CW0, 0x1000, 32, false);
   for (unsigned i = 0; i < 4; i++)
      l2_system_one(&s, CP, 0x8000 + i * 128, 32, false);
   l2_system_one(&s, CW0, 0x1000, 32, false);
   const bool hit = l2_stat(&s, "Hits_ColorWrite") == 1;
   memory_bench_destroy(s.gpu);
   return hit;
}

static void
test_kept_lines_go_last(void **state)
{
   assert_false(stays(""));
   assert_true(stays("L2.ColorWritePolicy=2"));
   assert_false(stays("L2.ColorWritePolicy=2;L2.CommandProcessorPolicy=2"));
}

static void
test_clients_share_the_read_of_a_sector(void **state)
{
   struct l2_system s = start("");
   l2_system_add(&s, CP, 0x1000, 64, false, l2_system_data[0]);
   l2_system_add(&s, CW0, 0x1000, 64, false, l2_system_data[1]);
   l2_system_add(&s, CW1, 0x1020, 64, false,
                 l2_system_data[2]); /* a sector of them, one of its own */
   l2_system_run(&s);
   assert_int_equal(l2_stat(&s, "MergedFetch"), 1);
   assert_int_equal(l2_stat(&s, "FillBytes"), 96);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 1);
   assert_int_equal(l2_stat(&s, "MissesFetch"), 2);
   /* The look-ups follow one another; one fill ends both waits, and answers leave in turn. */
   assert_int_equal(s.client[CW0]->done[0], s.client[CP]->done[0] + 1);
   memory_bench_destroy(s.gpu);
}

static void
test_hit_passes_a_miss(void **state)
{
   struct l2_system s = start("L2.Latency=2");
   l2_system_one(&s, CP, 0x1000, 64, false);
   l2_system_add(&s, CP, 0x3000, 64, false, l2_system_data[1]);
   l2_system_add(&s, CP, 0x1000, 64, false, l2_system_data[2]);
   l2_system_run(&s);
   assert_int_equal(l2_system_took(&s, CP, 2), WAY + 2);
   assert_true(s.client[CP]->done[2] < s.client[CP]->done[1]);
   memory_bench_destroy(s.gpu);
}

/* Hits of two clients of 64 bytes a cycle each from one slice: as fast as its port. */
static void
test_port_limits_the_bandwidth_of_hits(void **state)
{
   for (uint32_t width = 16; width <= 256; width *= 2) {
      char settings[200];
      snprintf(settings, sizeof(settings),
               "L2.PortWidth=%u;L2.Requests=256;MEMORYCONTROLLER.V2MemoryChannels=1", width);
      struct l2_system s = start(settings);
      for (unsigned i = 0; i < 8; i++)
         l2_system_one(&s, CP, 256 * i, 256, false);
      const sim_tick before = s.gpu->kernel.now;
      for (unsigned i = 0; i < 512; i++)
         l2_system_add(&s, CW0 + i % 2, 256 * (i / 2 % 8), 256, false, l2_system_data[i]);
      l2_system_run(&s);
      assert_int_equal(l2_stat(&s, "Hits_ColorWrite"), 1024);
      /* Two lines of a request take two cycles at least, as the clients' buses allow. */
      const uint64_t bytes = 512 * 256, least = bytes / (width < 128 ? width : 128);
      const sim_tick took = s.gpu->kernel.now - before;
      assert_true(took >= least);
      assert_true(took <= least + least / 50 + 40);
      memory_bench_destroy(s.gpu);
   }
}

static void
test_compressed_request_moves_its_bytes_on_the_wire(void **state)
{
   struct l2_system s = start("");
   l2_system_add(&s, CW0, 0x1000, 256, false, l2_system_data[0])->wire_bytes = 64;
   l2_system_run(&s);
   assert_int_equal(l2_stat(&s, "FillBytes"), 64);
   assert_int_equal(l2_stat(&s, "PortCycles"), 1);
   assert_memory_equal(l2_system_data[0], s.gpu->device->memory + 0x1000, 256);
   /* A part at the end of a block of 128 bytes on the wire begins with the block. */
   l2_system_add(&s, CW0, 0x10c0, 64, true, l2_system_data[1])->wire_bytes = 128;
   l2_system_run(&s);
   assert_int_equal(l2_stat(&s, "WriteBytes"), 128);
   assert_int_equal(l2_stat(&s, "Hits_ColorWrite"), 1); /* the line at 0x1000 */
   assert_memory_equal(l2_system_data[1], s.gpu->device->memory + 0x10c0, 64);
   memory_bench_destroy(s.gpu);
}

/* A read of a block whose write waits comes after it on the pins, although reads go first. */
static void
test_read_goes_behind_the_write_of_its_block(void **state)
{
   struct l2_system s = start("L2.CommandProcessorPolicy=0;MEMORYCONTROLLER.V2MemoryChannels=1;"
                              "MEMORYCONTROLLER.ServiceQueueSize=1");
   l2_system_add(&s, CP, 0x1000, 256, true, l2_system_data[1]);
   l2_system_add(&s, CP, 0x10c0, 64, false, l2_system_data[2]);
   l2_system_run(&s);
   assert_int_equal(l2_stat(&s, "Bypasses"), 3);
   assert_int_equal(l2_system_stat(&s, s.channel, "SwitchModeCount"), 1);
   assert_memory_equal(l2_system_data[2], l2_system_data[1] + 0xc0, 64);
   memory_bench_destroy(s.gpu);
}

/* Streams that miss keep memory's pins busy, also when few misses and write-backs fit. */
static void
test_misses_have_the_bandwidth_of_memory(void **state)
{
   static const char *const settings[] = {"", "L2.SectorSize=64",
                                          "MEMORYCONTROLLER.MemoryControllerV2=TRUE"};
   for (unsigned i = 0; i < 3; i++) {
      struct l2_system s = start(settings[i]);
      for (unsigned n = 0; n < 1024; n++)
         l2_system_add(&s, CW0 + n % 2, 256 * n, 256, false, l2_system_data[n]);
      l2_system_run(&s);
      const uint64_t least = 1024 * 256 / (4 * s.gpu->config.mc.burst_bytes);
      assert_true(s.gpu->kernel.now >= least);
      assert_true(s.gpu->kernel.now <= least + least / 20 + 150);
      memory_bench_destroy(s.gpu);
   }
}

/* Cycles in which the pins of all channels move so many bytes, at least. */
static uint64_t
pin_cycles(const struct l2_system *s, uint64_t bytes)
{
   const struct sim_config *c = &s->gpu->config;
   return bytes / (c->mc.channels * c->mc.burst_bytes);
}

/* A stream of whole lines: each but those that stay is written back, as fast as the pins write,
 * without a read. */
static void
test_write_backs_have_the_bandwidth_of_memory(void **state)
{
   static const struct {
      const char *settings;
      uint64_t stays; /* bytes: channels * ways * lines * 128 */
   } cases[] = {{"L2.Ways=2;L2.Lines=1", 4 * 2 * 128},
                {"L2.Ways=1;L2.Lines=64", 4 * 64 * 128},
                {"L2.Ways=2;L2.Lines=4;L2.SectorSize=64", 4 * 8 * 128},
                {"MEMORYCONTROLLER.MemoryControllerV2=TRUE;L2.Ways=2;L2.Lines=1", 4 * 2 * 128}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct l2_system s = start(cases[i].settings);
      for (unsigned n = 0; n < 1024; n++)
         l2_system_add(&s, CW0 + n % 2, 256 * n, 256, true, l2_system_data[n]);
      l2_system_run(&s);
      const uint64_t least = pin_cycles(&s, 1024 * 256 - cases[i].stays);
      assert_int_equal(l2_stat(&s, "FillBytes"), 0);
      assert_int_equal(l2_stat(&s, "WriteBackBytes"), 1024 * 256 - cases[i].stays);
      assert_int_equal(l2_stat(&s, "ReplacedDirty"), (1024 * 256 - cases[i].stays) / 128);
      assert_int_equal(l2_stat(&s, "ReplacedClean"), 0);
      assert_true(s.gpu->kernel.now >= least);
      assert_true(s.gpu->kernel.now <= least + least / 20 + 150);
      memory_bench_destroy(s.gpu);
   }
}

/* Reads that miss drive dirty lines out: the pins move the bytes of both, a transaction of 64 bytes
 * for one dirty sector of four, too. Pages and turns cost nothing here: with the default latencies
 * the channels, which turn after some requests, take a ninth to an eighth longer. */
static void
test_misses_behind_dirty_lines_share_the_pins_with_their_write_backs(void **state)
{
   for (uint16_t dirty = 32; dirty <= 128; dirty *= 4) {
      struct l2_system s = start(
          "L2.Lines=128;MEMORYCONTROLLER.PageOpenLatency=0;MEMORYCONTROLLER.ReadToWriteLatency=0;"
          "MEMORYCONTROLLER.WriteToReadLatency=0;MEMORYCONTROLLER.ReadLatency=1;"
          "MEMORYCONTROLLER.WriteLatency=1");
      const unsigned lines = 4 * 8 * 128;
      for (unsigned n = 0; n < lines; n++)
         l2_system_add(&s, CW0, 128 * n, dirty, true, l2_system_data[n % 64]);
      l2_system_run(&s);
      assert_int_equal(l2_stat(&s, "WriteBackBytes"), 0);
      const sim_tick before = s.gpu->kernel.now;
      for (unsigned n = 0; n < lines / 2; n++)
         l2_system_add(&s, CW1, 128 * lines + 256 * n, 256, false, l2_system_data[64 + n % 64]);
      l2_system_run(&s);
      assert_int_equal(l2_stat(&s, "FillBytes"), 128 * lines);
      assert_int_equal(l2_stat(&s, "WriteBackBytes"), dirty * lines);
      const uint64_t least = pin_cycles(&s, (128 + (dirty < 64 ? 64 : dirty)) * lines);
      const sim_tick took = s.gpu->kernel.now - before;
      assert_true(took >= least);
      assert_true(took <= least + least / 100 + 40);
      memory_bench_destroy(s.gpu);
   }
}

/* Little room of each kind costs time, and says so. */
static void
test_what_is_too_small_is_named(void **state)
{
   static const struct {
      const char *settings, *stall;
      bool write;
   } cases[] = {
       {"L2.Requests=2", "StallsRequests", false},
       {"L2.Misses=8", "StallsMisses", false},
       {TINY, "StallsSet", false},
       {"L2.Ways=1;L2.Lines=1;L2.WriteBacks=8", "StallsWriteBacks", true},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct l2_system s = start(cases[i].settings);
      for (unsigned n = 0; n < 200; n++)
         l2_system_add(&s, CW0 + n % 2, 256 * n, 256, cases[i].write, l2_system_data[n]);
      l2_system_run(&s);
      if (!l2_stat(&s, cases[i].stall))
         fail_msg("%s: no %s", cases[i].settings, cases[i].stall);
      memory_bench_destroy(s.gpu);
   }
}

static uint32_t
word(const uint8_t *at)
{
   uint32_t w;
   memcpy(&w, at, sizeof(w));
   return w;
}

static void
test_atomic_operations_take_turns_and_return_the_old_word(void **state)
{
   for (unsigned cycles = 1; cycles <= 4; cycles += 3) {
      char settings[100];
      snprintf(settings, sizeof(settings), "L2.AtomicCycles=%u", cycles);
      struct l2_system s = start(settings);
      memset(s.gpu->device->memory + 0x1000, 0, 4);
      for (unsigned i = 0; i < 60; i++) {
         const uint32_t operand = 1;
         memcpy(l2_system_data[i], &operand, sizeof(operand));
         l2_system_add(&s, CW0 + i % 2, 0x1000, 4, false, l2_system_data[i])->atomic =
             ATTILA_ATOMIC_ADD;
      }
      l2_system_run(&s);
      assert_int_equal(word(s.gpu->device->memory + 0x1000), 60);
      uint64_t seen = 0;
      for (unsigned i = 0; i < 60; i++)
         seen |= 1ull << word(l2_system_data[i]);
      assert_true(seen == (1ull << 60) - 1);
      assert_int_equal(l2_stat(&s, "Atomics"), 60);
      assert_int_equal(l2_stat(&s, "PortCycles"), 60 * cycles);
      assert_int_equal(l2_stat(&s, "FillBytes"), 32);
      memory_bench_destroy(s.gpu);
   }
}

static void
test_atomic_results(void **state)
{
   static const struct {
      enum attila_atomic op;
      uint32_t memory, operand, compare, result;
   } cases[] = {
       {ATTILA_ATOMIC_NONE, 5, 7, 9, 5},
       {ATTILA_ATOMIC_ADD, 0xffffffff, 2, 0, 1},
       {ATTILA_ATOMIC_UMIN, 0xffffffff, 2, 0, 2},
       {ATTILA_ATOMIC_UMAX, 0xffffffff, 2, 0, 0xffffffff},
       {ATTILA_ATOMIC_IMIN, 0xffffffff, 2, 0, 0xffffffff},
       {ATTILA_ATOMIC_IMAX, 0xffffffff, 2, 0, 2},
       {ATTILA_ATOMIC_AND, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
       {ATTILA_ATOMIC_OR, 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0},
       {ATTILA_ATOMIC_XOR, 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0},
       {ATTILA_ATOMIC_EXCHANGE, 1, 2, 3, 2},
       {ATTILA_ATOMIC_COMPARE_SWAP, 1, 2, 1, 2},
       {ATTILA_ATOMIC_COMPARE_SWAP, 1, 2, 3, 1},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      assert_int_equal(
          emul_atomic_result(cases[i].op, cases[i].memory, cases[i].operand, cases[i].compare),
          cases[i].result);
   struct l2_system s = start("");
   const uint32_t operands[2] = {42, word(s.gpu->device->memory + 0x1000)};
   memcpy(l2_system_data[0], operands, sizeof(operands));
   l2_system_add(&s, CP, 0x1000, 4, false, l2_system_data[0])->atomic = ATTILA_ATOMIC_COMPARE_SWAP;
   l2_system_run(&s);
   assert_int_equal(word(s.gpu->device->memory + 0x1000), 42);
   assert_int_equal(word(l2_system_data[0]), operands[1]);
   memory_bench_destroy(s.gpu);
}

static void
test_impossible_atomic_operation_stops_the_machine(void **state)
{
   static const struct {
      const char *settings;
      uint32_t address;
      uint16_t size;
      bool write;
   } cases[] = {
       {"L2.Enabled=FALSE", 2, 4, false}, {"", 2, 4, false}, {"", 0, 8, false}, {"", 0, 4, true}};
   for (unsigned i = 0; i < 4; i++) {
      struct l2_system s = start(cases[i].settings);
      l2_system_add(&s, CW1, cases[i].address, cases[i].size, cases[i].write, l2_system_data[0])
          ->atomic = ATTILA_ATOMIC_ADD;
      assert_false(sim_kernel_run(&s.gpu->kernel, NULL));
      assert_non_null(strstr(s.gpu->kernel.error, "atomic operation by Client3"));
      memory_bench_destroy(s.gpu);
   }
}

/* Random requests of four clients, each in its own part of every block, against a plain copy of
 * memory. Returns a hash of when they were answered. */
static uint64_t
random_traffic(const char *settings, uint32_t memory_clock, uint32_t order)
{
   static uint8_t bytes[4][600][64], expected[4][600][64];
   struct l2_system s = l2_system_setup(settings, memory_clock, order);
   uint8_t *copy = malloc(s.gpu->device->memory_size);
   memcpy(copy, s.gpu->device->memory, s.gpu->device->memory_size);
   uint32_t x = 12345;
   for (unsigned i = 0; i < 600; i++) {
      for (unsigned c = 0; c < 4; c++) {
         x = x * 1664525 + 1013904223;
         const uint32_t block = x >> 8 & 255, offset = x >> 20 & 63,
                        size = 1 + (x >> 26) % (64 - offset),
                        address = block * 256 + c * 64 + offset;
         const bool write = (x >> 5 & 3) == 0;
         for (uint32_t b = 0; b < size && write; b++)
            bytes[c][i][b] = (uint8_t)(x >> 3 ^ b * 7);
         if (write)
            memcpy(copy + address, bytes[c][i], size);
         memcpy(expected[c][i], copy + address, size);
         l2_system_add(&s, c, address, (uint16_t)size, write, bytes[c][i]);
      }
   }
   l2_system_run(&s);
   uint64_t hash = s.gpu->kernel.now;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned i = 0; i < 600; i++) {
         assert_memory_equal(bytes[c][i], expected[c][i], s.client[c]->requests[i].size);
         hash = hash * 31 + s.client[c]->done[i];
      }
   }
   assert_memory_equal(copy, s.gpu->device->memory, s.gpu->device->memory_size);
   assert_int_equal(l2_stat(&s, "Fetches"), l2_stat(&s, "HitsFetch") + l2_stat(&s, "MissesFetch"));
   assert_int_equal(
       l2_system_stat(&s, s.channel, s.gpu->config.mc.v2 ? "DDRWriteCommands" : "WriteBytes") != 0,
       l2_stat(&s, "WriteBackBytes") != 0);
   free(copy);
   memory_bench_destroy(s.gpu);
   return hash;
}

static void
test_random_traffic_has_its_bytes_in_any_order_of_boxes(void **state)
{
   static const char *const machines[] = {
       "",
       "L2.Ways=1;L2.Lines=1;L2.Misses=8;L2.WriteBacks=8;L2.Requests=1;L2.RequestQueueSize=1",
       "L2.Ways=2;L2.Lines=4;L2.LineSize=32;L2.PortWidth=16",
       "L2.LineSize=256;L2.Lines=2;L2.ColorWritePolicy=2;L2.DACPolicy=0",
       "MEMORYCONTROLLER.MemoryControllerV2=TRUE;L2.Lines=2;L2.CommandProcessorPolicy=0",
       "MEMORYCONTROLLER.MemoryControllerV2=TRUE;MEMORYCONTROLLER.V2ChannelScheduler=3;"
       "L2.SectorSize=64;L2.Lines=1",
       "MEMORYCONTROLLER.MemoryControllerV2=TRUE;MEMORYCONTROLLER.V2ChannelScheduler=5;"
       "L2.Lines=1;L2.Ways=3;L2.Replacement=1",
       "MEMORYCONTROLLER.MemoryControllerV2=TRUE;MEMORYCONTROLLER.V2ChannelScheduler=1;"
       "MEMORYCONTROLLER.V2MemoryChannels=3;L2.Lines=2;L2.WriteBacks=8",
       "MEMORYCONTROLLER.MemoryControllerV2=TRUE;MEMORYCONTROLLER.V2BankInterleavingMask=12 11 5;"
       "L2.LineSize=256;L2.Lines=1;L2.WriteBacks=8;L2.Misses=8",
   };
   for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
      assert_int_equal(random_traffic(machines[i], 600, 0), random_traffic(machines[i], 600, 3));
      assert_int_equal(random_traffic(machines[i], 700, 0), random_traffic(machines[i], 700, 9));
   }
}

static void
test_contradictory_keys_are_refused(void **state)
{
   static const char *const cases[][2] = {
       {"L2.LineSize=32;L2.SectorSize=64", "L2.LineSize = 32: expected 1 to 8 times"},
       {"L2.LineSize=96", "L2.LineSize = 96: expected a power of two"},
       {"L2.Enabled=TRUE;MEMORYCONTROLLER.ChannelInterleave=128", "expected at least 256"},
       {"L2.Enabled=TRUE;MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
        "MEMORYCONTROLLER.V2ChannelInterleavingMask=8 7",
        "bit 7 of addresses selects the channel"},
       {"L2.Enabled=TRUE;MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
        "MEMORYCONTROLLER.V2BankInterleavingMask=12 11 5;L2.SectorSize=64",
        "bit 5 channel or bank: expected bits from 8 for channels and from 6"},
       {"L2.Enabled=TRUE;MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
        "MEMORYCONTROLLER.BurstLength=4;MEMORYCONTROLLER.V2BankInterleavingMask=12 11 4",
        "bit 4 channel or bank: expected bits from 8 for channels and from 5"},
       {"L2.Enabled=TRUE;MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
        "MEMORYCONTROLLER.V2SecondInterleaving=TRUE;"
        "MEMORYCONTROLLER.V2SecondChannelInterleavingMask=9 8;"
        "MEMORYCONTROLLER.V2SecondBankInterleavingMask=13 12 11",
        "V2SecondInterleaving = TRUE: expected FALSE"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct sim_config c;
      char error[512] = "";
      sim_config_defaults(&c);
      assert_true(machine_set(&c, "", cases[i][0], error, sizeof(error)));
      assert_false(sim_config_check(&c, error, sizeof(error)));
      if (!strstr(error, cases[i][1]))
         fail_msg("%s: %s", cases[i][0], error);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_hit_takes_the_latency_and_a_miss_the_memory_time_more),
       cmocka_unit_test(test_miss_takes_the_time_of_a_bank),
       cmocka_unit_test(test_sectors_in_two_banks_are_two_transfers),
       cmocka_unit_test(test_sectors_are_written_without_a_read_unless_bytes_of_them_are_read),
       cmocka_unit_test(test_dirty_sectors_of_a_replaced_line_are_written_back),
       cmocka_unit_test(test_bypassing_client_takes_no_line_but_finds_others),
       cmocka_unit_test(test_kept_lines_go_last),
       cmocka_unit_test(test_clients_share_the_read_of_a_sector),
       cmocka_unit_test(test_hit_passes_a_miss),
       cmocka_unit_test(test_port_limits_the_bandwidth_of_hits),
       cmocka_unit_test(test_compressed_request_moves_its_bytes_on_the_wire),
       cmocka_unit_test(test_read_goes_behind_the_write_of_its_block),
       cmocka_unit_test(test_misses_have_the_bandwidth_of_memory),
       cmocka_unit_test(test_write_backs_have_the_bandwidth_of_memory),
       cmocka_unit_test(test_misses_behind_dirty_lines_share_the_pins_with_their_write_backs),
       cmocka_unit_test(test_what_is_too_small_is_named),
       cmocka_unit_test(test_atomic_operations_take_turns_and_return_the_old_word),
       cmocka_unit_test(test_atomic_results),
       cmocka_unit_test(test_impossible_atomic_operation_stops_the_machine),
       cmocka_unit_test(test_random_traffic_has_its_bytes_in_any_order_of_boxes),
       cmocka_unit_test(test_contradictory_keys_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
