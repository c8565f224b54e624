/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The memory controller with GDDR banks: where addresses live, what each scheduler serves first,
 * the request buffer and the buses, and that memory holds what it should under every scheduler,
 * page policy and interleaving, whatever the order in which boxes are clocked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "gddr_bench.h"
#include "gddr_system.h"

/* --- Addresses --- */

static struct sim_memory_map
map_of(const char *settings)
{
   struct sim_config c;
   struct sim_memory_map map;
   char error[256];
   sim_config_defaults(&c);
   gddr_bench_set(&c, settings);
   assert_true(sim_memory_map_init(&map, &c, false, error, sizeof(error)));
   return map;
}

static void
expect_place(const struct sim_memory_map *map, uint32_t address, unsigned channel, unsigned bank,
             uint32_t row, uint32_t column)
{
   struct sim_memory_place p = sim_memory_place(map, address);
   if (p.channel != channel || p.bank != bank || p.row != row || p.column != column)
      fail_msg("0x%x: channel %u, bank %u, row %u, column %u; expected %u, %u, %u, %u", address,
               p.channel, p.bank, p.row, p.column, channel, bank, row, column);
}

static void
test_masks_select_channel_bank_and_row(void **state)
{
   struct sim_memory_map m = map_of("V2MemoryChannels=8;V2ChannelInterleavingMask=10 9 8");
   expect_place(&m, 0, 0, 0, 0, 0);
   expect_place(&m, 0x100, 1, 0, 0, 0);
   expect_place(&m, 0x7ff, 7, 0, 0, 0xff);
   expect_place(&m, 0x800, 0, 1, 0, 0);
   expect_place(&m, 0x3fff, 7, 7, 0, 0xff);
   /* Above bit 13: columns of 256 bytes up to the row of 2048. */
   expect_place(&m, 0x4000, 0, 0, 0, 0x100);
   expect_place(&m, 0x1c000 + 0x123, 1, 0, 0, 0x723);
   expect_place(&m, 0x20000, 0, 0, 1, 0);
   /* The first bit of the mask is the highest of the number. */
   m = map_of("V2MemoryChannels=8;V2ChannelInterleavingMask=8 20 10");
   expect_place(&m, 1 << 8, 4, 0, 0, 0);
   expect_place(&m, 1 << 20, 2, 0, 0, 0);
   expect_place(&m, 1 << 10, 1, 0, 0, 0);
   /* One channel, one bank. */
   m = map_of("V2MemoryChannels=1;V2ChannelInterleavingMask=;V2BanksPerMemoryChannel=1;"
              "V2BankInterleavingMask=");
   expect_place(&m, 0x12345678, 0, 0, 0x12345678 >> 11, 0x678);
}

/* Interleaving in bytes is the same as the masks that it stands for; banks are counted in the bytes
 * of a channel. */
static void
test_interleaving_equals_its_masks(void **state)
{
   struct sim_memory_map a = map_of("V2MemoryChannels=4;V2SplitterType=0;V2ChannelInterleaving=256;"
                                    "V2BankInterleaving=1024"),
                         b = map_of("V2MemoryChannels=4;V2ChannelInterleavingMask=9 8;"
                                    "V2BankInterleavingMask=14 13 12"),
                         c = map_of("V2MemoryChannels=4;V2SplitterType=0;"
                                    "V2ChannelInterleaving=4096;V2BankInterleaving=256"),
                         d = map_of("V2MemoryChannels=4;V2ChannelInterleavingMask=13 12;"
                                    "V2BankInterleavingMask=10 9 8");
   uint32_t x = 1;
   for (unsigned i = 0; i < 1000; i++) {
      x = x * 1664525 + 1013904223;
      struct sim_memory_place p = sim_memory_place(&b, x >> 2);
      expect_place(&a, x >> 2, p.channel, p.bank, p.row, p.column);
      p = sim_memory_place(&d, x >> 2);
      if (x >> 2 & 0x800)
         continue;
      expect_place(&c, x >> 2, p.channel, p.bank, p.row, p.column);
   }
}

/* Any number of channels: blocks in turn, no two addresses in one place, all rows used evenly. */
static void
test_any_number_of_channels(void **state)
{
   for (unsigned n = 1; n <= 16; n++) {
      static const char *const masks[] = {"", "8", "9 8", "10 9 8", "11 10 9 8"};
      char text[128];
      unsigned bits = 0;
      while (1u << bits < n)
         bits++;
      snprintf(text, sizeof(text),
               "V2MemoryChannels=%u;V2ChannelInterleavingMask=%s;V2BankInterleavingMask=16 15 14",
               n, masks[bits]);
      struct sim_memory_map m = map_of(text);
      static uint8_t used[16][8][64][2048 / 64];
      memset(used, 0, sizeof(used));
      for (uint32_t address = 0; address < n << 18; address += 64) {
         struct sim_memory_place p = sim_memory_place(&m, address);
         assert_int_equal(p.channel, address / 256 % n);
         assert_true(p.bank < 8 && p.row < 64);
         assert_int_equal(used[p.channel][p.bank][p.row][p.column / 64]++, 0);
      }
   }
}

/* --- Schedulers --- */

/* The order in which transactions are answered, as text: "0 2 1". */
static void
expect_order(const char *settings, const struct gddr_bench_step *steps, unsigned n,
             const char *expected)
{
   struct gddr_bench b;
   char text[512] = "";
   gddr_bench_setup(&b, settings, 0);
   for (unsigned i = 0; i < n; i++)
      gddr_bench_add(&b, &steps[i]);
   gddr_bench_run(&b);
   /* By command: answers of writes come sooner. */
   for (unsigned done = 0; done < n; done++) {
      unsigned best = n;
      for (unsigned i = 0; i < n; i++) {
         if (b.feeder->access[i] && (best == n || b.feeder->access[i] < b.feeder->access[best]))
            best = i;
      }
      b.feeder->access[best] = 0;
      snprintf(text + strlen(text), sizeof(text) - strlen(text), done ? " %u" : "%u", best);
   }
   if (strcmp(text, expected))
      fail_msg("%s: served %s, expected %s", settings, text, expected);
   gddr_bench_teardown(&b);
}

/* Row 1 of bank 0 is being opened for transaction 0 while the others arrive. */
static void
test_each_scheduler_has_its_order(void **state)
{
   static const struct gddr_bench_step steps[] = {
       {10, 0, 1, 0, 1, 0},    /* 0: opens row 1 of bank 0 */
       {11, 0, 2, 0, 1, 0},    /* 1: another row of it */
       {12, 1, 1, 0, 1, 0},    /* 2: another bank */
       {13, 1, 1, 1, 1, 1024}, /* 3: a write there */
       {14, 0, 1, 0, 1, 1024}, /* 4: hits row 1 of bank 0 */
       {15, 0, 1, 1, 1, 1536}, /* 5: a write, hits, too */
   };
   /* As they came. */
   expect_order("V2ChannelScheduler=0;V2PagePolicy=1", steps, 6, "0 1 2 3 4 5");
   /* All reads, then the writes. */
   expect_order("V2ChannelScheduler=1;V2PagePolicy=1", steps, 6, "0 1 2 4 3 5");
   /* Queues of banks: bank 1 finds its row open when bank 0 must close and open; its write is alone
    * in front of its queue then, and reads come first. */
   expect_order("V2ChannelScheduler=2;V2PagePolicy=1", steps, 6, "0 2 1 4 3 5");
   expect_order("V2ChannelScheduler=3;V2PagePolicy=1", steps, 6, "0 2 1 4 3 5");
   /* What can move its data first: row hits, and after a read another read. */
   expect_order("V2ChannelScheduler=5;V2PagePolicy=1", steps, 6, "0 4 2 3 5 1");
}

/* Reads and writes of one place stay in order, those of others do not. */
static void
test_reads_and_writes_of_a_place_stay_in_order(void **state)
{
   static const struct gddr_bench_step steps[] = {
       {10, 0, 1, 0, 1, 0}, {11, 0, 1, 1, 1, 512}, {12, 0, 1, 0, 1, 512}, {13, 0, 1, 0, 1, 1024}};
   struct gddr_bench_step same[4];
   memcpy(same, steps, sizeof(same));
   static const unsigned schedulers[] = {1, 3};
   for (unsigned i = 0; i < 2; i++) {
      char text[64];
      snprintf(text, sizeof(text), "V2ChannelScheduler=%u;V2PagePolicy=1", schedulers[i]);
      /* The read of column 512 waits for the write, and the read behind it in its queue, too. */
      expect_order(text, steps, 4, "0 1 2 3");
      same[2].column = 1536;
      expect_order(text, same, 4, "0 2 3 1");
      same[2].column = steps[2].column;
   }
   /* FR-FCFS: only the one that must wait does. */
   expect_order("V2ChannelScheduler=5;V2PagePolicy=1", steps, 4, "0 3 1 2");
}

/* Orders of banks: eight banks whose first transactions came one after the other, none open. */
static void
test_each_policy_orders_the_banks(void **state)
{
   static const struct gddr_bench_step steps[] = {
       {10, 7, 1, 0, 0, 0}, {11, 2, 1, 0, 0, 0}, {12, 5, 1, 0, 0, 0}, {13, 1, 1, 0, 0, 0},
       {14, 1, 2, 0, 0, 0}, {15, 5, 1, 0, 0, 0}, {16, 5, 1, 0, 0, 0}};
   static const char base[] = "V2ChannelScheduler=2;V2PagePolicy=1;V2DisableActiveManager=TRUE;"
                              "V2DisablePrechargeManager=TRUE;V2GDDR_Profile=custom;V2GDDR_tRCD=20;"
                              "V2BankSelectionPolicy=";
   static const struct {
      const char *policy, *order;
   } t[] = {
       {"OLDEST_FIRST", "0 1 2 5 6 3 4"},
       {"YOUNGEST_FIRST", "0 3 4 2 5 6 1"},
       {"ROUND_ROBIN", "0 3 1 2 5 6 4"},
       {"MORE_PENDING_REQUESTS", "0 2 5 6 3 4 1"},
       {"LESS_PENDING_REQUESTS", "0 1 3 4 2 5 6"},
       {"MORE_CONSECUTIVE_HITS", "0 2 5 6 3 4 1"},
       {"LESS_CONSECUTIVE_HITS YOUNGEST_FIRST", "0 3 4 1 2 5 6"},
       {"zero_pending_first oldest_first", "0 1 2 5 6 3 4"},
   };
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      char text[512];
      snprintf(text, sizeof(text), "%s%s", base, t[i].policy);
      expect_order(text, steps, 7, t[i].order);
   }
}

/* Counters: after two reads a write that waits, after one write a read. */
static void
test_switch_follows_the_consecutive_counters(void **state)
{
   static const struct gddr_bench_step steps[] = {
       {10, 0, 1, 0, 1, 0},   {11, 0, 1, 0, 1, 128}, {12, 0, 1, 0, 1, 256}, {13, 0, 1, 0, 1, 384},
       {14, 0, 1, 1, 1, 512}, {15, 0, 1, 1, 1, 640}, {16, 0, 1, 1, 1, 768}};
   expect_order("V2ChannelScheduler=1;V2PagePolicy=1;V2SwitchModePolicy=0;MaxConsecutiveReads=2;"
                "MaxConsecutiveWrites=1",
                steps, 7, "0 1 4 2 3 5 6");
   expect_order("V2ChannelScheduler=1;V2PagePolicy=1;V2SwitchModePolicy=1", steps, 7,
                "0 1 2 3 4 5 6");
}

/* Closed pages: an unused row is closed; open: it stays. */
static void
test_closed_page_policy_closes_unused_rows(void **state)
{
   for (unsigned open = 0; open < 2; open++) {
      struct gddr_bench b;
      gddr_bench_setup(&b, open ? "V2PagePolicy=1" : "V2PagePolicy=0", 0);
      gddr_bench_add(&b, &(struct gddr_bench_step){10, 0, 1, 0, 0, 0});
      gddr_bench_add(&b, &(struct gddr_bench_step){200, 0, 1, 0, 0, 0});
      gddr_bench_run(&b);
      assert_int_equal(b.feeder->access[1], open ? 200 : 200 + 13);
      assert_int_equal(gddr_stat(&b.channel->box, "ClosePageActivationCount"), open ? 0 : 2);
      assert_int_equal(gddr_stat(&b.channel->box, "DDRActiveCommands"), open ? 1 : 2);
      assert_int_equal(gddr_stat(&b.channel->box, "RowHit"), open ? 1 : 0);
      gddr_bench_teardown(&b);
   }
}

/* Each cycle of the command bus and of the data pins is counted once. */
static void
test_cycles_add_up(void **state)
{
   struct gddr_bench b;
   gddr_bench_setup(&b, "", 0);
   uint32_t x = 99;
   for (unsigned i = 0; i < GDDR_BENCH_STEPS; i++) {
      x = x * 1664525 + 1013904223;
      gddr_bench_add(&b, &(struct gddr_bench_step){10 + i * 9, x >> 28 & 7, x >> 24 & 1,
                                                   (x >> 20 & 3) == 0, 1 + (x >> 16 & 1), i * 32});
   }
   gddr_bench_run(&b);
   static const char *const bus[] = {"ctrlIdleCycles",   "ctrlUsedCycles",  "act2actCycles",
                                     "act2preCycles",    "act2readCycles",  "act2writeCycles",
                                     "pre2actCycles",    "read2preCycles",  "read2readCycles",
                                     "read2writeCycles", "write2preCycles", "write2readCycles"};
   static const char *const pins[] = {"IdleCycles",
                                      "DataCycles",
                                      "WastedCycles_CASLatency",
                                      "WastedCycles_WriteLatency",
                                      "WastedCycles_ACT_TO_ACT",
                                      "WastedCycles_ACT_TO_PRE",
                                      "WastedCycles_ACT_TO_READ",
                                      "WastedCycles_ACT_TO_WRITE",
                                      "WastedCycles_PRE_TO_ACT",
                                      "WastedCycles_READ_TO_PRE",
                                      "WastedCycles_READ_TO_WRITE",
                                      "WastedCycles_WRITE_TO_PRE",
                                      "WastedCycles_WRITE_TO_READ"};
   uint64_t commands = 0, data = 0, end = b.gpu->kernel.now + 1;
   for (unsigned i = 0; i < sizeof(bus) / sizeof(bus[0]); i++)
      commands += gddr_stat(&b.channel->box, bus[i]);
   for (unsigned i = 0; i < sizeof(pins) / sizeof(pins[0]); i++)
      data += gddr_stat(&b.channel->box, pins[i]);
   assert_int_equal(commands, end);
   assert_int_equal(data, end);
   assert_true(gddr_stat(&b.channel->box, "act2readCycles") > 0);
   assert_true(gddr_stat(&b.channel->box, "WastedCycles_ACT_TO_READ") > 0);
   gddr_bench_teardown(&b);
}

/* --- The controller --- */

/* A request of 256 bytes is four transactions, one per cycle; their answers come one per cycle, and
 * the client hears of the last. */
static void
test_request_becomes_transactions_of_64_bytes(void **state)
{
   uint8_t data[256];
   struct gddr_system s;
   gddr_system_setup(&s, "V2MemoryChannels=4;V2ChannelInterleavingMask=9 8", 600, 0);
   memory_client_add(s.cw[0], 0x1000, 256, false, 0, data);
   memory_bench_run(s.gpu);
   assert_int_equal(gddr_stat(s.mc, "ColorWrite_ReadTransactions"), 4);
   assert_int_equal(gddr_stat(s.mc, "ColorWrite_ReadBytes"), 256);
   assert_int_equal(gddr_stat(s.channel[0], "DDRReadCommands"), 8);
   assert_int_equal(gddr_stat(s.channel[0], "RowHit"), 7);
   /* Way to the controller 1, channel 1, activate 13, eight bursts of 4 cycles of which the last
    * one's data ends 7 * 4 + 10 + 4 after the first command, answer 3, retired, reserved and served
    * a cycle each, client 1. */
   assert_int_equal(s.cw[0]->done[0] - s.cw[0]->sent[0], 1 + 1 + 13 + 28 + 14 + 3 + 3 + 1);
   assert_memory_equal(data, s.gpu->device->memory + 0x1000, 256);
   memory_bench_destroy(s.gpu);
   /* Compressed: as many as cross the wire, for all of the data. */
   gddr_system_setup(&s, "V2MemoryChannels=4;V2ChannelInterleavingMask=9 8", 600, 0);
   memory_client_add(s.cw[0], 0x1000, 256, false, 64, data);
   memory_client_add(s.cw[0], 0x2030, 16, false, 0, data);
   memory_client_add(s.cw[0], 0x2030, 32, false, 0, data);
   memory_bench_run(s.gpu);
   assert_int_equal(gddr_stat(s.mc, "ColorWrite_ReadTransactions"), 1 + 1 + 2);
   assert_int_equal(gddr_stat(s.mc, "ColorWrite_ReadBytes"), 64 + 16 + 32);
   assert_int_equal(gddr_stat(s.channel[0], "DDRReadCommands"), 2 + 1 + 2);
   memory_bench_destroy(s.gpu);
}

/* A bus of 8 bytes takes eight cycles for what one of 64 takes in one, both ways. */
static void
test_narrow_bus_takes_more_cycles(void **state)
{
   uint8_t data[64] = {0};
   sim_tick took[2][2];
   for (unsigned wide = 0; wide < 2; wide++) {
      for (unsigned write = 0; write < 2; write++) {
         struct gddr_system s;
         gddr_system_setup(&s, wide ? "CommandProcessorBusWidth=64" : "CommandProcessorBusWidth=8",
                           600, 0);
         memory_client_add(s.cp, 0, 64, write, 0, data);
         memory_bench_run(s.gpu);
         took[wide][write] = s.cp->done[0] - s.cp->sent[0];
         memory_bench_destroy(s.gpu);
      }
   }
   assert_int_equal(took[0][0], took[1][0] + 7);
   assert_int_equal(took[0][1], took[1][1] + 7);
}

/* The request buffer is shared: while one client fills it, another one waits; split, it does not.
 */
static void
test_shared_request_buffer_delays_other_clients(void **state)
{
   static uint8_t data[256];
   sim_tick took[2];
   for (unsigned split = 0; split < 2; split++) {
      struct gddr_system s;
      gddr_system_setup(&s,
                        split ? "RequestQueueSize=64;V2UseSplitRequestBufferPerROP=TRUE"
                              : "RequestQueueSize=64",
                        600, 0);
      for (unsigned i = 0; i < 64; i++)
         memory_client_add(s.cw[0], i * 1024, 256, false, 0, data);
      memory_client_add(s.cw[1], 256, 64, false, 0, data);
      s.cw[1]->start = 300;
      memory_bench_run(s.gpu);
      took[split] = s.cw[1]->done[0] - s.cw[1]->sent[0];
      if (split)
         assert_true(gddr_stat(s.mc, "StallsRequestBufferFull") > 0);
      memory_bench_destroy(s.gpu);
   }
   assert_true(took[1] < took[0]);
   assert_int_equal(took[1], 1 + 1 + 13 + 4 + 14 + 3 + 3 + 1);
}

/* --- Memory --- */

static const char *const machines[] = {
    "",
    "V2PagePolicy=1",
    "V2ChannelScheduler=0",
    "V2ChannelScheduler=0;V2PagePolicy=1;V2UseChannelRequestFIFOPerBank=FALSE",
    "V2ChannelScheduler=1",
    "V2ChannelScheduler=1;V2PagePolicy=1;V2MaxChannelTransactions=16;V2SwitchModePolicy=0",
    "V2ChannelScheduler=2;V2SwitchModePolicy=0;V2ManagerSelectionAlgorithm=1",
    "V2ChannelScheduler=2;V2BankSelectionPolicy=RANDOM;V2UseClassicSchedulerStates=TRUE",
    "V2ChannelScheduler=3",
    "V2ChannelScheduler=3;V2PagePolicy=1;V2SwitchModePolicy=0;V2MaxChannelTransactions=16",
    "V2ChannelScheduler=5",
    "V2ChannelScheduler=5;V2PagePolicy=1;V2GDDR_Profile=perfect",
    "V2ChannelScheduler=2;V2ChannelInterleavingMask=7 6;V2BankInterleavingMask=10 9 8",
    "V2ChannelScheduler=5;V2ChannelInterleavingMask=9 8;V2BankInterleavingMask=11 7 6",
    "V2ChannelScheduler=1;V2ChannelInterleavingMask=6 5;V2BankInterleavingMask=9 8 7",
    "V2MemoryChannels=5;V2ChannelInterleavingMask=10 9 8",
    "V2MemoryChannels=6;V2ChannelInterleavingMask=8 7 6;V2ChannelScheduler=3",
    "V2SplitterType=0;V2ChannelInterleaving=128;V2BankInterleaving=512",
    "V2SecondInterleaving=TRUE;V2SecondInterleavingStart=8;V2SecondChannelInterleavingMask=7 6;"
    "V2SecondBankInterleavingMask=10 9 8",
    "RequestQueueSize=48;ServiceQueueSize=1;WriteBufferLines=2",
    "V2GDDR_tREFI=1500;V2GDDR_tRFC=70;V2GDDR_tRAS=40;V2GDDR_tFAW=60;V2PagePolicy=1",
    "V2BanksPerMemoryChannel=1;V2BankInterleavingMask=;V2ChannelScheduler=5",
    "ColorWriteBusWidth=16;CommandProcessorBusWidth=1",
};
#define NUM_MACHINES (sizeof(machines) / sizeof(machines[0]))

#define TRAFFIC 1500

/* Three clients with their own third of every block of a small piece of memory, at the start and at
 * 8 MiB: reads, writes, whole blocks now and then compressed on the wire. Each of them must read
 * what it wrote last, and memory must be as if everything had happened in order. Returns a hash of
 * times and statistics. */
static uint64_t
traffic(const char *settings, uint32_t memory_clock, uint32_t order, bool thorough)
{
   static uint8_t data[3][TRAFFIC][256], expected[3][TRAFFIC][256];
   struct gddr_system s;
   gddr_system_setup(&s, settings, memory_clock, order);
   s.gpu->kernel.thorough = thorough;
   uint8_t *copy = malloc(s.gpu->device->memory_size);
   memcpy(copy, s.gpu->device->memory, s.gpu->device->memory_size);
   struct memory_client *clients[3] = {s.cp, s.cw[0], s.cw[1]};
   uint32_t x = 12345;
   for (unsigned i = 0; i < TRAFFIC; i++) {
      for (unsigned c = 0; c < 3; c++) {
         x = x * 1664525 + 1013904223;
         const bool whole = (x >> 7 & 3) == 0, write = (x >> 5 & 3) == 0;
         /* Whole blocks are of one client: every third. */
         const uint32_t block = (x >> 11 & 63) * 4 + (whole ? c : 3);
         uint32_t offset = whole ? 0 : x >> 20 & 63, size = whole ? 256 : 1 + (x >> 26);
         if (!whole && offset + size > 80)
            size = 80 - offset;
         const uint32_t address =
             (x >> 4 & 1 ? 8u << 20 : 0) + block * 256 + (whole ? 0 : c * 80 + offset);
         for (uint32_t b = 0; b < size && write; b++)
            data[c][i][b] = (uint8_t)(x >> 3 ^ b * 7);
         if (write)
            memcpy(copy + address, data[c][i], size);
         memcpy(expected[c][i], copy + address, size);
         memory_client_add(clients[c], address, (uint16_t)size, write,
                           whole ? (uint16_t)((x >> 17 & 3) * 64 + 64) : 0, data[c][i]);
      }
   }
   memory_bench_run(s.gpu);
   uint64_t hash = s.gpu->kernel.now;
   for (unsigned c = 0; c < 3; c++) {
      assert_int_equal(clients[c]->finished, TRAFFIC);
      for (unsigned i = 0; i < TRAFFIC; i++) {
         if (memcmp(data[c][i], expected[c][i], clients[c]->requests[i].size))
            fail_msg("%s: request %u of client %u read something else", settings, i, c);
         hash = hash * 31 + clients[c]->done[i];
      }
   }
   if (memcmp(copy, s.gpu->device->memory, s.gpu->device->memory_size))
      fail_msg("%s: memory is not what was written", settings);
   free(copy);
   hash = gddr_system_hash(&s, hash);
   memory_bench_destroy(s.gpu);
   return hash;
}

static void
test_random_traffic_reads_what_was_written(void **state)
{
   for (unsigned i = 0; i < NUM_MACHINES; i++)
      traffic(machines[i], i % 2 ? 600 : 700, 0, false);
}

/* Neither the order of the boxes nor clocks without work change a time or a statistic. */
static void
test_order_and_sleep(void **state)
{
   for (unsigned i = 0; i < NUM_MACHINES; i++) {
      const uint32_t clock = i % 3 ? 600 : 450;
      const uint64_t hash = traffic(machines[i], clock, 0, false);
      if (traffic(machines[i], clock, 7 + i, false) != hash)
         fail_msg("%s: another result in another order of boxes", machines[i]);
      if (traffic(machines[i], clock, 0, true) != hash)
         fail_msg("%s: another result when boxes do not sleep", machines[i]);
   }
}

/* Eight channels of 8 bytes per cycle give 64 bytes per cycle to clients that ask for rows in
 * order. */
static void
test_eight_channels_give_their_bandwidth(void **state)
{
   static uint8_t data[256];
   struct gddr_system s;
   gddr_system_setup(&s, "V2MemoryChannels=8;V2ChannelInterleavingMask=10 9 8", 600, 0);
   for (unsigned i = 0; i < 1024; i++)
      memory_client_add(s.cw[i & 1], i * 256, 256, false, 0, data);
   memory_bench_run(s.gpu);
   const uint64_t least = 1024 * 256 / 64;
   assert_true(s.gpu->kernel.now >= least);
   assert_true(s.gpu->kernel.now < least + least / 5);
   memory_bench_destroy(s.gpu);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_masks_select_channel_bank_and_row),
       cmocka_unit_test(test_interleaving_equals_its_masks),
       cmocka_unit_test(test_any_number_of_channels),
       cmocka_unit_test(test_each_scheduler_has_its_order),
       cmocka_unit_test(test_reads_and_writes_of_a_place_stay_in_order),
       cmocka_unit_test(test_each_policy_orders_the_banks),
       cmocka_unit_test(test_switch_follows_the_consecutive_counters),
       cmocka_unit_test(test_closed_page_policy_closes_unused_rows),
       cmocka_unit_test(test_cycles_add_up),
       cmocka_unit_test(test_request_becomes_transactions_of_64_bytes),
       cmocka_unit_test(test_narrow_bus_takes_more_cycles),
       cmocka_unit_test(test_shared_request_buffer_delays_other_clients),
       cmocka_unit_test(test_random_traffic_reads_what_was_written),
       cmocka_unit_test(test_order_and_sleep),
       cmocka_unit_test(test_eight_channels_give_their_bandwidth),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
