/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What one channel of each memory of configs/memory/ gives, beside bounds by hand from its rules:
 * reads in the order of addresses, reads of random rows, a read of an idle channel, reads of a full
 * queue, and reads and writes in turns. A feeder that keeps so many transactions in the channel
 * stands for the controller; channels share nothing, so a machine has as many times the bytes. With
 * --table it prints the table of docs/notebook/memories.md. Not here: what the controller's buses
 * leave of that (tests/timing). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "gddr_bench.h"
#include "config/sim_memory_map.h"

static const char *const memories[] = {"gddr3", "gddr5", "lpddr4", "lpddr5", "gddr6", "hbm2"};
#define NUM_MEMORIES (sizeof(memories) / sizeof(memories[0]))

enum pattern { PEAK, RANDOM, TURNS };

/* Keeps transactions in the channel: up to depth of them under way. */
struct feeder {
   struct sim_box box;
   struct sim_signal *out, *in[3];
   struct sim_memory_map map;
   enum pattern pattern;
   unsigned depth, total, sent, done;
   uint32_t bytes, address, random;      /* bytes of a transaction, next address */
   uint64_t sent_at[256], latency, last; /* sum of latencies; cycle of the last answer */
   uint8_t data[64];
};

/* Returns the next place in channel 0. */
static struct sim_memory_place
feeder_place(struct feeder *f)
{
   struct sim_memory_place p;
   do {
      p = sim_memory_place(&f->map, f->address);
      f->address += f->bytes;
   } while (p.channel);
   if (f->pattern == RANDOM) {
      f->random = f->random * 1664525u + 1013904223u;
      p.bank = (uint8_t)(f->random >> 28 & (f->box.gpu->config.mc.banks - 1));
      p.row = f->random >> 8 & 0x1fff;
   } else if (f->pattern == TURNS) {
      p.bank = 0;
      p.row = 1;
   }
   return p;
}

static void
feeder_send(struct feeder *f, sim_tick now)
{
   const struct sim_memory_place p = feeder_place(f);
   const unsigned entry = f->sent % 256;
   f->sent_at[entry] = now;
   sim_send(f->out, now,
            &(struct msg_transaction){.data = f->data,
                                      .address = f->sent % 1024 * 64,
                                      .row = p.row,
                                      .column = p.column,
                                      .size = (uint16_t)f->bytes,
                                      .bytes = (uint8_t)f->bytes,
                                      .entry = (uint16_t)entry,
                                      .bank = p.bank,
                                      .bursts = (uint8_t)(f->bytes / 32),
                                      .write = f->pattern == TURNS && f->sent % 2});
   f->sent++;
}

static sim_tick
feeder_clock(struct sim_box *b, sim_tick now)
{
   struct feeder *f = (struct feeder *)b;
   sim_tick next = SIM_NEVER;
   for (; sim_peek(f->in[0], now); sim_pop(f->in[0], now))
      ;
   for (unsigned i = 1; i < 3; i++) {
      const struct msg_transaction_done *d;
      while ((d = sim_peek(f->in[i], now)) != NULL && d->ready <= now) {
         f->latency += now - f->sent_at[d->entry];
         f->last = now;
         f->done++;
         sim_pop(f->in[i], now);
      }
      next = d && d->ready < next ? d->ready : next;
   }
   if (f->sent < f->total && f->sent - f->done < f->depth && sim_can_send(f->out, now)) {
      feeder_send(f, now);
      next = now + b->period;
   }
   return next;
}

static const struct sim_box_class feeder_class = {.name = "Feeder",
                                                  .unit = "MC",
                                                  .size = sizeof(struct feeder),
                                                  .clock = feeder_clock};

struct result {
   double rate, latency; /* bytes and cycles, of the memory's clock */
};

static struct result
measure(const struct sim_config *config, enum pattern pattern, unsigned depth, unsigned total)
{
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   char error[256];
   memset(gpu, 0, sizeof(*gpu));
   gpu->config = *config;
   gpu->device = calloc(1, sizeof(*gpu->device));
   gpu->device->memory_size = 1 << 20;
   gpu->device->memory = calloc(1, gpu->device->memory_size);
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, 600, 0);
   struct feeder *f = (struct feeder *)sim_box_create(&gpu->kernel, gpu, &feeder_class, -1);
   struct sim_box *channel = sim_box_create(&gpu->kernel, gpu, &gddr_class, 0);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {&f->box}, .count = 1},
       [NETLIST_sched] = {.name = "sched", .box = {channel}, .count = 1}};
   sim_netlist_connect(gpu, boxes);
   f->out = &gpu->net.mc_gddr[0];
   f->in[0] = &gpu->net.gddr_taken[0];
   f->in[1] = &gpu->net.gddr_read[0];
   f->in[2] = &gpu->net.gddr_written[0];
   f->pattern = pattern;
   f->depth = depth;
   f->total = total;
   f->random = 1;
   assert_true(sim_memory_map_init(&f->map, config, false, error, sizeof(error)));
   f->bytes = pattern == PEAK && f->map.granule > 5 ? 64 : 32;
   sim_kernel_start(&gpu->kernel);
   if (!sim_kernel_run(&gpu->kernel, NULL))
      fail_msg("%s", gpu->kernel.error);
   assert_int_equal(f->done, total);
   const struct result r = {(double)total * f->bytes / (double)f->last, (double)f->latency / total};
   sim_kernel_fini(&gpu->kernel);
   free(gpu->device->memory);
   free(gpu->device);
   free(gpu);
   return r;
}

static struct sim_config
load(const char *memory)
{
   struct sim_config c;
   char path[256], error[512];
   snprintf(path, sizeof(path), "memory/%s", memory);
   sim_config_defaults(&c);
   if (!sim_config_load(&c, path, NULL, error, sizeof(error)) ||
       !sim_config_check(&c, error, sizeof(error)))
      fail_msg("%s", error);
   return c;
}

/* --- Bounds by hand, in cycles of the memory's clock --- */

struct bound {
   double value;
   const char *why; /* the rule that it comes from */
};

static struct sim_gddr_timing
times_of(const struct sim_config *c)
{
   struct sim_gddr_timing t;
   char error[256];
   assert_true(sim_gddr_timing_init(&t, c, error, sizeof(error)));
   return t;
}

/* Share of time in which no bank of the channel is refreshed. */
static double
unrefreshed(const struct sim_gddr_timing *t)
{
   return t->t_refi && !t->refresh_bank ? 1 - (double)t->t_rfc / t->t_refi : 1;
}

static struct bound
bound_peak(const struct sim_config *c)
{
   const struct sim_gddr_timing t = times_of(c);
   return (struct bound){c->mc.burst_bytes * unrefreshed(&t), "pins"};
}

/* A row for every 32 bytes: activates are tRRD, a quarter of tFAW, or a bank's whole row cycle over
 * the number of banks apart. Where tRCD is a multiple of tRRD, each read wants the cycle of an
 * activate on the command pins, and one of two waits a cycle. */
static struct bound
bound_random(const struct sim_config *c)
{
   const struct sim_gddr_timing t = times_of(c);
   const double read = t.t_rtp ? t.t_rcd + t.t_rtp : t.t_rcd + t.t_cas + t.burst - (double)t.t_rp;
   const double open = read > t.t_ras ? read : t.t_ras;
   const double row = (open + t.t_rp) / c->mc.banks, four = t.t_faw / 4.0;
   struct bound b = {t.burst, "pins"};
   if (t.t_rrd > b.value)
      b = t.t_rcd % t.t_rrd ? (struct bound){t.t_rrd, "tRRD"}
                            : (struct bound){t.t_rrd + .5, "tRRD, commands"};
   if (four > b.value)
      b = (struct bound){four, "tFAW"};
   if (row > b.value)
      b = (struct bound){row, "tRAS + tRP of a bank"};
   b.value = 32 / b.value * unrefreshed(&t);
   return b;
}

/* A cycle to the channel, then activate, read, data, and three cycles back (gddr.c). */
static struct bound
bound_idle(const struct sim_config *c)
{
   const struct sim_gddr_timing t = times_of(c);
   return (struct bound){1 + t.t_rcd + sim_gddr_read_cycles(&t), "tRCD + CAS + burst"};
}

/* A read and a write of one bank follow each other; sometimes it is refreshed. */
static struct bound
bound_turns(const struct sim_config *c)
{
   const struct sim_gddr_timing t = times_of(c);
   const unsigned wtr = t.t_wtrl > t.t_wtr ? t.t_wtrl : t.t_wtr;
   const double refresh =
       t.refresh_bank ? (t.t_rfc + t.t_rp + t.t_rcd) / ((double)c->mc.banks * t.t_refi) : 0;
   return (struct bound){64.0 / (t.t_cas + 2 * t.burst + t.t_rtw + wtr) * (1 - refresh),
                         "CAS + tRTW + tWTR + two bursts"};
}

/* --- Tests --- */

static void
expect_near(const char *memory, const char *what, double got, double bound, double tolerance)
{
   if (got > bound * (1 + tolerance) || got < bound * (1 - tolerance))
      fail_msg("%s, %s: %.3f, bound %.3f (%.1f %%)", memory, what, got, bound,
               100 * (got / bound - 1));
}

static void
test_reads_in_order_take_the_pins(void **state)
{
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      expect_near(memories[i], "peak", measure(&c, PEAK, 64, 20000).rate, bound_peak(&c).value,
                  0.05);
   }
}

static void
test_random_rows_take_their_activates(void **state)
{
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      expect_near(memories[i], "random", measure(&c, RANDOM, 64, 20000).rate,
                  bound_random(&c).value, 0.05);
   }
}

static void
test_idle_read_takes_its_rules(void **state)
{
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      expect_near(memories[i], "idle", measure(&c, RANDOM, 1, 1).latency, bound_idle(&c).value, 0);
   }
}

/* Little's law: so many transactions in the queue, each with its share of the random rate. */
static void
test_full_queue_waits_its_turn(void **state)
{
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      const double bound = 64 * 32 / bound_random(&c).value;
      expect_near(memories[i], "loaded", measure(&c, RANDOM, 64, 20000).latency, bound, 0.05);
   }
}

static void
test_turns_take_both_turnarounds(void **state)
{
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      expect_near(memories[i], "turns", measure(&c, TURNS, 2, 4000).rate, bound_turns(&c).value,
                  0.05);
   }
}

/* --- The table --- */

static void
print_table(void)
{
   printf("| memory | channels | peak, GB/s | bound | random rows, GB/s | bound | idle, ns | "
          "loaded, ns | bound | read and write in turns, GB/s | bound | random is bound by |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
   for (unsigned i = 0; i < NUM_MEMORIES; i++) {
      const struct sim_config c = load(memories[i]);
      const double ghz = c.gpu.memory_clock / 1000.0, all = ghz * c.mc.channels;
      const struct result random = measure(&c, RANDOM, 64, 20000);
      const struct bound b = bound_random(&c);
      printf(
          "| `%s.ini` | %u | %.1f | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f | %.1f | %.1f | %s |\n",
          memories[i], c.mc.channels, measure(&c, PEAK, 64, 20000).rate * all,
          bound_peak(&c).value * all, random.rate * all, b.value * all,
          measure(&c, RANDOM, 1, 1).latency / ghz, random.latency / ghz, 64 * 32 / b.value / ghz,
          measure(&c, TURNS, 2, 4000).rate * all, bound_turns(&c).value * all, b.why);
   }
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--table")) {
      print_table();
      return 0;
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_reads_in_order_take_the_pins),
       cmocka_unit_test(test_random_rows_take_their_activates),
       cmocka_unit_test(test_idle_read_takes_its_rules),
       cmocka_unit_test(test_full_queue_waits_its_turn),
       cmocka_unit_test(test_turns_take_both_turnarounds),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
