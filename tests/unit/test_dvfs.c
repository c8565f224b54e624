/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Frequencies that change: what a kernel with DVFS domains does (times, timers, signals,
 * transitions), and the rule of each policy on a machine of two boxes with a queue between them.
 * Not here: that whole machines keep their pixels (test_modes_random.c), records
 * (tests/sim/dvfs.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/sim_dvfs.h"
#include "dvfs/dvfs_policy.h"
#include "kernel_gpu.h"

/* --- A sender in DVFS domain 1, a receiver in DVFS domain 2 --- */

struct sender {
   struct sim_box box;
   struct sim_signal *out;
   bool sends; /* one object a cycle */
   uint64_t clocks;
};

static sim_tick
sender_clock(struct sim_box *b, sim_tick now)
{
   struct sender *s = (struct sender *)b;
   const uint64_t time = sim_box_time(b, now);
   s->clocks++;
   if (s->sends && sim_can_send(s->out, now))
      sim_send(s->out, now, &time);
   return now + b->period;
}

struct receiver {
   struct sim_box box;
   struct sim_signal *in;
   bool takes;
   unsigned seen;
   uint64_t sent[64], got[64]; /* in time of the machine */
};

static sim_tick
receiver_clock(struct sim_box *b, sim_tick now)
{
   struct receiver *r = (struct receiver *)b;
   const uint64_t *time = sim_peek(r->in, now);
   if (time && r->takes) {
      r->sent[r->seen % 64] = *time;
      r->got[r->seen++ % 64] = sim_box_time(b, now);
      sim_pop(r->in, now);
   }
   return r->takes ? SIM_NEVER : now + b->period;
}

/* In the constant DVFS domain: something happens in every tick of the machine. */
static sim_tick
ticker_clock(struct sim_box *b, sim_tick now)
{
   return now + b->period;
}

static const struct sim_box_class ticker_class = {.name = "Ticker",
                                                  .unit = "T",
                                                  .size = sizeof(struct sim_box),
                                                  .clock = ticker_clock};
static const struct sim_box_class sender_class = {.name = "Sender",
                                                  .unit = "S",
                                                  .size = sizeof(struct sender),
                                                  .clock = sender_clock};
static const struct sim_box_class receiver_class = {.name = "Receiver",
                                                    .unit = "R",
                                                    .size = sizeof(struct receiver),
                                                    .clock = receiver_clock};

struct machine {
   struct sim_gpu *gpu;
   struct sim_kernel *k;
   struct sender *s;
   struct receiver *r;
   struct sim_signal queue;
   struct sim_device device;
   struct dvfs *dvfs;
};

static void
make(struct machine *m, uint32_t latency, uint32_t order)
{
   memset(m, 0, sizeof(*m));
   m->gpu = new_gpu(500, 500, 500, order);
   m->k = &m->gpu->kernel;
   m->gpu->device = &m->device;
   sim_config_defaults(&m->gpu->config);
   sim_dvfs_create(m->k, 4);
   m->s = (struct sender *)sim_box_create(m->k, m->gpu, &sender_class, -1);
   m->r = (struct receiver *)sim_box_create(m->k, m->gpu, &receiver_class, -1);
   sim_box_create(m->k, m->gpu, &ticker_class, -1);
   sim_dvfs_put(&m->s->box, 1);
   sim_dvfs_put(&m->r->box, 2);
   sim_signal_init(&m->queue, "ts_tt", &m->s->box, &m->r->box, 8, 1, latency, 20);
   sim_dvfs_cross(&m->queue, 0);
   m->s->out = m->r->in = &m->queue;
   m->s->sends = m->r->takes = true;
}

static void
destroy(struct machine *m)
{
   dvfs_destroy(m->dvfs);
   free_gpu(m->gpu);
}

static sim_tick stop_at;

static bool
reached(const void *data)
{
   const struct sim_kernel *k = data;
   return k->now >= stop_at;
}

/* Until a tick of the machine. */
static void
run_until(struct machine *m, sim_tick tick)
{
   stop_at = tick;
   m->k->until = reached;
   m->k->until_data = m->k;
   assert_true(sim_kernel_run(m->k, NULL));
   m->k->until = NULL;
}

/* --- DVFS domains --- */

static void
test_cycles_follow_the_frequency(void **state)
{
   static const unsigned percent[] = {100, 90, 70, 50, 30, 10};
   for (unsigned i = 0; i < 6; i++) {
      struct machine m;
      make(&m, 1, 0);
      sim_dvfs_set(m.k, 1, percent[i], 1000, 0);
      run_until(&m, 10000);
      /* Tenths are exact. */
      assert_int_equal(m.s->clocks, 10000 * percent[i] / 100);
      assert_int_equal(m.r->seen, m.s->clocks - 1);
      destroy(&m);
   }
}

/* An object is under way for the latency in cycles of the sender, and is seen at the next cycle of
 * the receiver. */
static void
test_latency_is_in_the_senders_cycles(void **state)
{
   struct machine m;
   make(&m, 3, 0);
   sim_dvfs_set(m.k, 1, 50, 1000, 0);
   sim_dvfs_set(m.k, 2, 25, 1000, 0);
   run_until(&m, 200);
   assert_true(m.r->seen > 30);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(m.r->sent[i], 2 + 2 * i);
      /* The receiver's cycles are at multiples of 4 ticks, and it takes one in each. */
      assert_int_equal(m.r->got[i], 8 + 4 * i);
   }
   destroy(&m);
}

/* While a DVFS domain stands still nothing in it is clocked; others go on. */
static void
test_domain_stands_still_in_a_transition(void **state)
{
   struct machine m;
   make(&m, 1, 0);
   run_until(&m, 100);
   assert_int_equal(m.s->clocks, 100);
   sim_dvfs_set(m.k, 1, 50, 800, 40 * SIM_FINE);
   run_until(&m, 140);
   assert_int_equal(m.s->clocks, 100);
   run_until(&m, 240);
   assert_int_equal(m.s->clocks, 150);
   /* Another change while it stands still begins anew. */
   sim_dvfs_set(m.k, 1, 100, 1000, 40 * SIM_FINE);
   run_until(&m, 260);
   sim_dvfs_set(m.k, 1, 50, 800, 40 * SIM_FINE);
   run_until(&m, 300);
   assert_int_equal(m.s->clocks, 150);
   run_until(&m, 400);
   assert_int_equal(m.s->clocks, 200);
   /* Old ticks are where they were. */
   assert_int_equal(sim_box_time(&m.s->box, 100), 100);
   assert_int_equal(sim_box_time(&m.s->box, 101), 142);
   assert_int_equal(sim_box_time(&m.s->box, 150), 240);
   assert_int_equal(sim_box_time(&m.s->box, 151), 302);
   destroy(&m);
}

/* What is under way arrives when it would have, whatever the receiver's clock does meanwhile, and
 * in order. */
static void
test_change_under_way(void **state)
{
   struct machine m;
   make(&m, 10, 0);
   run_until(&m, 1);
   m.s->sends = false;
   run_until(&m, 5);
   sim_dvfs_set(m.k, 2, 50, 1000, 0);
   run_until(&m, 8);
   sim_dvfs_set(m.k, 2, 100, 1000, 0);
   run_until(&m, 30);
   assert_int_equal(m.r->seen, 1);
   assert_in_range(m.r->got[0], 11, 12);
   /* A sender that gets faster does not overtake itself. */
   sim_dvfs_set(m.k, 1, 10, 1000, 0);
   run_until(&m, 39);
   m.s->sends = true;
   run_until(&m, 50);
   sim_dvfs_set(m.k, 1, 100, 1000, 0);
   run_until(&m, 300);
   assert_true(m.r->seen > 100);
   for (unsigned i = 1; i < 64; i++)
      assert_true(m.r->sent[i] > m.r->sent[i - 1] || i == m.r->seen % 64);
   destroy(&m);
}

/* Everything at random, in three clocking orders: the same. */
static void
test_clocking_order_does_not_matter(void **state)
{
   uint64_t clocks[3] = {0}, seen[3] = {0};
   for (uint32_t order = 0; order < 3; order++) {
      struct machine m;
      uint32_t x = 7;
      make(&m, 2, order * 3);
      m.k->thorough = order == 2;
      for (sim_tick t = 50; t < 20000; t += 50) {
         run_until(&m, t);
         x = x * 1664525 + 1013904223;
         m.r->takes = x >> 29 & 1;
         m.s->sends = x >> 28 & 3;
         if (m.r->takes)
            sim_box_wake(&m.r->box, sim_box_now(&m.r->box) + 1);
         sim_dvfs_set(m.k, 1 + (x >> 20 & 1), 10 + (x >> 8) % 91, 1000,
                      (x >> 4) % 7 * SIM_FINE / 2);
      }
      clocks[order] = m.s->clocks;
      seen[order] = m.r->seen;
      for (unsigned i = 0; i < 64; i++)
         seen[order] = seen[order] * 31 + m.r->sent[i] * 7 + m.r->got[i];
      destroy(&m);
   }
   for (unsigned order = 1; order < 3; order++) {
      assert_int_equal(clocks[order], clocks[0]);
      assert_true(seen[order] == seen[0]);
   }
}

/* --- Policies --- */

static void
set_key(struct machine *m, const char *assignment)
{
   char error[400];
   if (!sim_config_set(&m->gpu->config, assignment, error, sizeof(error)))
      fail_msg("%s", error);
}

static void
start(struct machine *m)
{
   char error[600] = "";
   m->dvfs = dvfs_create(m->gpu, error, sizeof(error));
   if (!m->dvfs)
      fail_msg("%s", error);
   /* The DVFS domains of make(): constant, geometry, fragment, memory. */
   assert_int_equal(m->dvfs->config.num_domains, 4);
   assert_string_equal(m->dvfs->config.domain[1].name, "geometry");
   assert_string_equal(m->dvfs->config.domain[2].name, "fragment");
}

static unsigned
percent(const struct machine *m, unsigned dvfs_domain)
{
   return sim_dvfs_state(m->k, dvfs_domain)->percent;
}

static void
make_watermark(struct machine *m)
{
   make(m, 1, 0);
   set_key(m, "DVFS.Policy=WATERMARK");
   set_key(m, "DVFS.HoldCycles=1000");
   set_key(m, "DVFS.SampleCycles=10");
   set_key(m, "DVFS.TransitionTime=200");
   start(m);
}

static void
test_watermark_slows_the_side_that_waits(void **state)
{
   struct machine m;
   make_watermark(&m);
   /* Full from the beginning: geometry loses a step every thousand cycles, down to the least. */
   m.r->takes = false;
   run_until(&m, 1500);
   assert_int_equal(percent(&m, 1), 90);
   assert_int_equal(sim_dvfs_state(m.k, 1)->voltage, 940);
   run_until(&m, 2500);
   assert_int_equal(percent(&m, 1), 80);
   run_until(&m, 20000);
   assert_int_equal(percent(&m, 1), 50);
   assert_int_equal(sim_dvfs_state(m.k, 1)->voltage, 700);
   assert_int_equal(percent(&m, 2), 100);
   /* It is emptied: geometry is back at once, then fragment gets slower. */
   m.s->sends = false;
   m.r->takes = true;
   sim_box_wake(&m.r->box, sim_box_now(&m.r->box) + 1);
   run_until(&m, 20100);
   assert_int_equal(percent(&m, 1), 100);
   assert_int_equal(percent(&m, 2), 100);
   run_until(&m, 21500);
   assert_int_equal(percent(&m, 2), 90);
   run_until(&m, 40000);
   assert_int_equal(percent(&m, 2), 50);
   assert_int_equal(percent(&m, 3), 100);
   destroy(&m);
}

/* Neither full nor empty for long: nothing happens. */
static void
test_watermark_holds_without_a_long_wait(void **state)
{
   struct machine m;
   make_watermark(&m);
   for (sim_tick t = 900; t < 20000; t += 900) {
      m.r->takes = !m.r->takes;
      m.s->sends = !m.r->takes;
      sim_box_wake(&m.r->box, sim_box_now(&m.r->box) + 1);
      run_until(&m, t);
      assert_int_equal(percent(&m, 1), 100);
      assert_int_equal(percent(&m, 2), 100);
   }
   destroy(&m);
}

/* A transition of 200 ns is 100 ticks of 500 MHz. */
static void
test_transition_takes_its_nanoseconds(void **state)
{
   struct machine m;
   make_watermark(&m);
   m.r->takes = false;
   run_until(&m, 1010);
   const uint64_t before = m.s->clocks;
   run_until(&m, 1100);
   assert_int_equal(percent(&m, 1), 90);
   assert_in_range(m.s->clocks - before, 0, 20);
   destroy(&m);
}

static void
make_frames(struct machine *m, const char *policy)
{
   make(m, 1, 0);
   set_key(m, policy);
   set_key(m, "DVFS.FrameRate=50000"); /* 10,000 ticks */
   set_key(m, "DVFS.TransitionTime=100");
   set_key(m, "DVFS.SampleCycles=10");
   set_key(m, "DVFS.Margin=0");
   start(m);
}

/* Ends a frame. */
static void
frame(struct machine *m, uint32_t next)
{
   m->dvfs->policy->frame(m->dvfs, next, m->k->now);
}

static void
test_race_to_idle(void **state)
{
   struct machine m;
   make_frames(&m, "DVFS.Policy=RACE_TO_IDLE");
   run_until(&m, 4000);
   frame(&m, 1);
   assert_int_equal(percent(&m, 1), 50);
   assert_int_equal(percent(&m, 2), 50);
   assert_int_equal(percent(&m, 3), 100);
   assert_int_equal(m.gpu->hold_until, 10000);
   run_until(&m, 9900);
   assert_int_equal(percent(&m, 1), 50);
   run_until(&m, 10000);
   assert_int_equal(percent(&m, 1), 100);
   assert_true(sim_dvfs_state(m.k, 1)->start <= 10000 * (uint64_t)SIM_FINE);
   /* One that is late is followed at once, at full speed. */
   run_until(&m, 25000);
   m.gpu->hold_until = 0;
   frame(&m, 2);
   assert_int_equal(percent(&m, 1), 100);
   assert_int_equal(m.gpu->hold_until, 0);
   assert_int_equal(m.dvfs->due, 35000);
   destroy(&m);
}

static void
test_deadline_takes_the_least_step_that_suffices(void **state)
{
   struct machine m;
   make_frames(&m, "DVFS.Policy=DEADLINE");
   /* 5500 ticks of work in 10,000: 60 percent is the least step that is enough. */
   run_until(&m, 5500);
   frame(&m, 1);
   assert_int_equal(percent(&m, 1), 60);
   assert_int_equal(percent(&m, 2), 60);
   assert_int_equal(m.gpu->hold_until, 10000);
   /* The same work again ends in time. */
   run_until(&m, 10000 + 5500 * 10 / 6);
   assert_in_range(dvfs_work(m.dvfs), 5450, 5500);
   assert_int_equal(percent(&m, 1), 60);
   frame(&m, 2);
   assert_int_equal(percent(&m, 1), 60);
   /* More than expected: nominal for the rest. */
   run_until(&m, 29900);
   assert_int_equal(percent(&m, 1), 100);
   frame(&m, 3);
   /* History: that one is remembered. */
   assert_true(percent(&m, 1) > 60);
   run_until(&m, 33000);
   frame(&m, 4);
   assert_true(percent(&m, 1) > 60);
   run_until(&m, 43000);
   frame(&m, 5);
   assert_int_equal(percent(&m, 1), 50);
   destroy(&m);
}

static void
test_oracle_knows_the_next_frame(void **state)
{
   struct machine m;
   char path[] = "/tmp/attila-oracle-XXXXXX", key[100], error[600];
   const int fd = mkstemp(path);
   FILE *f = fdopen(fd, "w");
   assert_non_null(f);
   fprintf(f, "frame,draws,start_cycle,end_cycle,cycles,simulated_ms\n0,1,0,8500,8500,0.1\n"
              "1,1,8500,9500,1000,0.1\n2,1,9500,29500,20000,0.1\n");
   fclose(f);
   make(&m, 1, 0);
   set_key(&m, "DVFS.Policy=ORACLE");
   set_key(&m, "DVFS.FrameRate=50000");
   set_key(&m, "DVFS.Margin=0");
   /* Without its file it says so. */
   assert_null(dvfs_create(m.gpu, error, sizeof(error)));
   assert_non_null(strstr(error, "DVFS.Oracle is empty"));
   set_key(&m, "DVFS.Oracle=/dev/null/frames.csv");
   assert_null(dvfs_create(m.gpu, error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/frames.csv"));
   snprintf(key, sizeof(key), "DVFS.Oracle=%s", path);
   set_key(&m, key);
   start(&m);
   assert_int_equal(percent(&m, 1), 90);
   run_until(&m, 9500);
   frame(&m, 1);
   assert_int_equal(percent(&m, 1), 50);
   frame(&m, 2);
   assert_int_equal(percent(&m, 1), 100);
   frame(&m, 3); /* not in the file */
   assert_int_equal(percent(&m, 1), 100);
   f = fopen(path, "w");
   assert_non_null(f);
   fprintf(f, "frame,cycles\n0,none\n");
   fclose(f);
   assert_null(dvfs_create(m.gpu, error, sizeof(error)));
   assert_non_null(strstr(error, "columns frame and cycles"));
   unlink(path);
   destroy(&m);
}

static void
test_fixed_sets_the_given_frequencies(void **state)
{
   struct machine m;
   make(&m, 1, 0);
   set_key(&m, "DVFS.Policy=FIXED");
   set_key(&m, "DVFS.Frequencies=fragment 30, memory 80");
   start(&m);
   run_until(&m, 50000);
   assert_int_equal(percent(&m, 0), 100);
   assert_int_equal(percent(&m, 1), 100);
   assert_int_equal(percent(&m, 2), 30);
   assert_int_equal(percent(&m, 3), 80);
   assert_int_equal(m.k->dvfs->clock[2].num, 2);
   /* Below MinFrequency the voltage stays. */
   assert_int_equal(sim_dvfs_state(m.k, 2)->voltage, 700);
   destroy(&m);
}

/* --- Keys --- */

static void
test_bad_dvfs_keys_are_refused(void **state)
{
   static const struct {
      const char *policy, *key, *message;
   } bad[] = {
       {"NONSENSE", "DVFS.Step=10", "expected one of FIXED"},
       {"FIXED", "DVFS.Frequencies=fragment 9", "10 to 100"},
       {"FIXED", "DVFS.Frequencies=fragment", "10 to 100"},
       {"FIXED", "DVFS.Frequencies=shaders 50", "none of the domains"},
       {"FIXED", "DVFS.Frequencies=constant 50", "none of the domains"},
       {"FIXED", "DVFS.Frequencies=fragment 50 60", "10 to 100"},
       {"FIXED", "DVFS.RopDomain=", "one word"},
       {"FIXED", "DVFS.RopDomain=two words", "one word"},
       {"WATERMARK", "DVFS.FrontDomain=constant", "none of the domains"},
       {"WATERMARK", "DVFS.FrontDomain=fragment", "are both"},
       {"WATERMARK", "DVFS.RestoreBelow=95", "RestoreBelow (95)"},
       {"WATERMARK", "DVFS.LowMark=30", "LowMark (30)"},
       {"DEADLINE", "DVFS.Scaled=", "needs a domain"},
       {"DEADLINE", "DVFS.Scaled=geometry, nobody", "nobody"},
   };
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      struct sim_config config;
      char error[600] = "", policy[64];
      sim_config_defaults(&config);
      snprintf(policy, sizeof(policy), "DVFS.Policy=%s", bad[i].policy);
      assert_true(sim_config_set(&config, policy, error, sizeof(error)));
      assert_true(sim_config_set(&config, bad[i].key, error, sizeof(error)));
      assert_false(sim_config_check(&config, error, sizeof(error)));
      if (!strstr(error, bad[i].message))
         fail_msg("%s %s: %s", bad[i].policy, bad[i].key, error);
   }
   /* Eight domains, the constant one included. */
   struct sim_config config;
   struct sim_dvfs_config d;
   char error[600] = "";
   static const char *const keys[] = {"Command", "Display", "Geometry", "Setup", "VertexShader",
                                      "Raster",  "Shader",  "Rop",      "Memory"};
   sim_config_defaults(&config);
   assert_true(sim_config_set(&config, "DVFS.Policy=FIXED", error, sizeof(error)));
   for (unsigned i = 0; i < 9; i++) {
      char key[64];
      snprintf(key, sizeof(key), "DVFS.%sDomain=d%u", keys[i], i % 7);
      assert_true(sim_config_set(&config, key, error, sizeof(error)));
   }
   assert_true(sim_dvfs_config_read(&d, &config, error, sizeof(error)));
   assert_int_equal(d.num_domains, 8);
   assert_true(sim_config_set(&config, "DVFS.MemoryDomain=d7", error, sizeof(error)));
   assert_false(sim_dvfs_config_read(&d, &config, error, sizeof(error)));
   assert_non_null(strstr(error, "8 domains"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_cycles_follow_the_frequency),
       cmocka_unit_test(test_latency_is_in_the_senders_cycles),
       cmocka_unit_test(test_domain_stands_still_in_a_transition),
       cmocka_unit_test(test_change_under_way),
       cmocka_unit_test(test_clocking_order_does_not_matter),
       cmocka_unit_test(test_watermark_slows_the_side_that_waits),
       cmocka_unit_test(test_watermark_holds_without_a_long_wait),
       cmocka_unit_test(test_transition_takes_its_nanoseconds),
       cmocka_unit_test(test_race_to_idle),
       cmocka_unit_test(test_deadline_takes_the_least_step_that_suffices),
       cmocka_unit_test(test_oracle_knows_the_next_frame),
       cmocka_unit_test(test_fixed_sets_the_given_frequencies),
       cmocka_unit_test(test_bad_dvfs_keys_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
