/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The rules of a GDDR channel with banks, one by one: a command is blocked in the cycle before the
 * rule's time is over and ready in the cycle in which it is, in the rules themselves and in the
 * box, where the time of a transaction's first read or write is seen from outside. Profiles of
 * timing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "gddr_bench.h"

/* --- The rules themselves --- */

enum command { ACT, RD, WR, PRE };

static uint64_t
earliest(const struct gddr_rules *r, enum command command, unsigned bank)
{
   switch (command) {
   case ACT:
      return gddr_activate_at(r, bank);
   case RD:
   case WR:
      return gddr_access_at(r, bank, command == WR);
   default:
      return gddr_precharge_at(r, bank);
   }
}

static void
give(struct gddr_rules *r, enum command command, unsigned bank, uint64_t c)
{
   assert_true(earliest(r, command, bank) <= c);
   switch (command) {
   case ACT:
      gddr_activate(r, bank, 7, c);
      break;
   case RD:
      gddr_read(r, bank, c);
      break;
   case WR:
      gddr_write(r, bank, c);
      break;
   case PRE:
      gddr_precharge(r, bank, c);
      break;
   }
}

/* After "first" in a bank, "then" in the same or another one must wait for so many cycles. Every
 * other rule is far below or far before. */
static const struct {
   const char *rule;
   enum command before, first, then;
   bool other_bank;
   struct sim_gddr_timing t;
   unsigned wait;
} rules[] = {
    {"tRRD", ACT, ACT, ACT, true, {.t_rrd = 9, .burst = 4}, 9},
    {"tRCD, read", PRE, ACT, RD, false, {.t_rcd = 13, .burst = 4}, 13},
    {"tRCD, write", PRE, ACT, WR, false, {.t_rcd = 13, .burst = 4}, 13},
    {"tRCD, precharge", PRE, ACT, PRE, false, {.t_rcd = 13, .burst = 4}, 13},
    {"tRAS", PRE, ACT, PRE, false, {.t_rcd = 13, .t_ras = 27, .burst = 4}, 27},
    {"tRP", ACT, PRE, ACT, false, {.t_rp = 14, .burst = 4}, 14},
    {"tWTR", ACT, WR, RD, true, {.t_wtr = 5, .t_wl = 5, .burst = 4}, 5 + 4 + 5},
    {"tRTW", ACT, RD, WR, true, {.t_rtw = 2, .t_cas = 10, .t_wl = 5, .burst = 4}, 10 + 4 + 2 - 5},
    {"tWR", ACT, WR, PRE, false, {.t_wr = 10, .t_wl = 5, .burst = 4}, 5 + 4 + 10},
    {"read to precharge", ACT, RD, PRE, false, {.t_cas = 30, .t_rp = 14, .burst = 4}, 30 + 4 - 14},
    {"tRTP", ACT, RD, PRE, false, {.t_cas = 30, .t_rp = 14, .t_rtp = 6, .burst = 4}, 6},
    {"pins, reads", ACT, RD, RD, true, {.t_cas = 10, .burst = 4}, 4},
    {"pins, writes", ACT, WR, WR, true, {.t_wl = 5, .burst = 8}, 8},
};

static void
test_each_rule_delays_its_command(void **state)
{
   for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
      struct gddr_rules r;
      const unsigned bank = rules[i].other_bank ? 5 : 2;
      const uint64_t c = 1000;
      gddr_rules_init(&r, &rules[i].t);
      if (rules[i].before == ACT) {
         give(&r, ACT, 2, 100);
         if (rules[i].other_bank && rules[i].then != ACT)
            give(&r, ACT, 5, 200);
      }
      give(&r, rules[i].first, 2, c);
      const uint64_t at = earliest(&r, rules[i].then, bank);
      if (at != c + rules[i].wait)
         fail_msg("%s: %llu cycles, expected %u", rules[i].rule, (unsigned long long)(at - c),
                  rules[i].wait);
   }
}

/* Rules of bank groups hold in the group of the first command, those of the channel elsewhere. */
static void
test_rules_of_groups_hold_in_the_group(void **state)
{
   static const struct {
      const char *rule;
      enum command first, then;
      unsigned same, other;
   } t[] = {{"tRRDL", ACT, ACT, 7, 3},
            {"tCCDL, reads", RD, RD, 6, 2},
            {"tCCDL, writes", WR, WR, 6, 2},
            {"tWTRL", WR, RD, 5 + 2 + 12, 5 + 2 + 4}};
   const struct sim_gddr_timing timing = {.t_rrd = 3,
                                          .t_rrdl = 7,
                                          .t_ccdl = 6,
                                          .t_wtr = 4,
                                          .t_wtrl = 12,
                                          .t_wl = 5,
                                          .burst = 2,
                                          .groups = 4};
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      for (unsigned bank = 1; bank < 16; bank++) {
         struct gddr_rules r;
         gddr_rules_init(&r, &timing);
         for (unsigned b = 0; b < 16 && t[i].first != ACT; b++)
            give(&r, ACT, b, 100 + 10 * b);
         give(&r, t[i].first, 0, 1000);
         const unsigned wait = bank % 4 ? t[i].other : t[i].same;
         if (earliest(&r, t[i].then, bank) != 1000 + wait)
            fail_msg("%s: bank %u after bank 0: %llu cycles, expected %u", t[i].rule, bank,
                     (unsigned long long)earliest(&r, t[i].then, bank) - 1000, wait);
      }
   }
}

/* Four activates in tFAW, not five; the window moves on. */
static void
test_fifth_activate_waits_for_tfaw(void **state)
{
   const struct sim_gddr_timing t = {.t_rrd = 2, .t_faw = 20, .burst = 4};
   struct gddr_rules r;
   gddr_rules_init(&r, &t);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(gddr_activate_at(&r, i), i * 2);
      gddr_activate(&r, i, 0, i * 2);
   }
   assert_int_equal(gddr_activate_at(&r, 4), 20);
   gddr_activate(&r, 4, 0, 20);
   assert_int_equal(gddr_activate_at(&r, 5), 22);
   gddr_activate(&r, 5, 0, 30);
   assert_int_equal(gddr_activate_at(&r, 6), 32);
}

/* --- The same in the box --- */

/* Cycle of the read or write command of each transaction; each is one burst. */
static void
accesses(const char *timing, const struct gddr_bench_step *steps, unsigned n, uint64_t *at)
{
   struct gddr_bench b;
   gddr_bench_setup(&b, timing, 0);
   for (unsigned i = 0; i < n; i++)
      gddr_bench_add(&b, &steps[i]);
   gddr_bench_run(&b);
   for (unsigned i = 0; i < n; i++)
      at[i] = b.feeder->access[i];
   gddr_bench_teardown(&b);
}

#define BASE "V2GDDR_Profile=custom;V2PagePolicy=1;V2GDDR_tRTW=2;V2GDDR_tWR=10;"

/* When the rule's parameter grows by one, the last access comes one cycle later, and exactly when
 * the rule says. */
static void
test_channel_obeys_each_rule_to_the_cycle(void **state)
{
   static const struct {
      const char *key;
      unsigned value;
      const char *others;
      struct gddr_bench_step steps[6];
      unsigned num;
      unsigned after; /* the first access: cycles to the last one, without the parameter */
   } t[] = {
       {"tRRD", 9, "V2GDDR_tRCD=20", {{0, 0, 1, 0, 0, 0}, {0, 1, 1, 0, 0, 0}}, 2, 0},
       {"tFAW",
        70,
        "V2GDDR_tRCD=20;V2GDDR_tRRD=5",
        {{0, 0, 1, 0, 0, 0},
         {0, 1, 1, 0, 0, 0},
         {0, 2, 1, 0, 0, 0},
         {0, 3, 1, 0, 0, 0},
         {0, 4, 1, 0, 0, 0}},
        5,
        0},
       {"tRP", 40, "V2GDDR_tRCD=13", {{0, 0, 1, 0, 0, 0}, {0, 0, 2, 0, 0, 0}}, 2, 1 + 13},
       {"tRCD",
        25,
        "V2GDDR_tRP=40",
        {{0, 0, 1, 0, 0, 0}, {100, 0, 2, 0, 0, 0}},
        2,
        0 /* see below */},
       {"tRAS",
        60,
        "V2GDDR_tRCD=13;V2GDDR_tRP=14",
        {{0, 0, 1, 0, 0, 0}, {0, 0, 2, 0, 0, 0}},
        2,
        14},
       {"tWTR", 5, "", {{0, 0, 1, 1, 0, 0}, {3, 0, 1, 0, 0, 0}}, 2, 5 + 4},
       {"tRTW", 3, "", {{0, 0, 1, 0, 0, 0}, {3, 0, 1, 1, 0, 0}}, 2, 10 + 4 - 5},
       {"tWR",
        12,
        "V2GDDR_tRP=14;V2GDDR_tRCD=13",
        {{0, 0, 1, 1, 0, 0}, {0, 0, 2, 1, 0, 0}},
        2,
        5 + 4 + 14 + 13},
       {"WL", 9, "V2GDDR_tWTR=5", {{0, 0, 1, 1, 0, 0}, {3, 0, 1, 0, 0, 0}}, 2, 4 + 5},
       {"CAS", 12, "V2GDDR_WL=5", {{0, 0, 1, 0, 0, 0}, {3, 0, 1, 1, 0, 0}}, 2, 4 + 2 - 5},
   };
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      uint64_t wait[2];
      for (unsigned more = 0; more < 2; more++) {
         char timing[512];
         uint64_t at[6];
         snprintf(timing, sizeof(timing), BASE "%s%sV2GDDR_%s=%u", t[i].others,
                  t[i].others[0] ? ";" : "", t[i].key, t[i].value + more);
         accesses(timing, t[i].steps, t[i].num, at);
         wait[more] = at[t[i].num - 1] - at[0];
      }
      if (wait[1] != wait[0] && wait[1] != wait[0] + 1)
         fail_msg("%s + 1: %llu cycles instead of %llu", t[i].key, (unsigned long long)wait[1],
                  (unsigned long long)wait[0]);
      if (strcmp(t[i].key, "tRCD")) {
         if (wait[0] != t[i].value + t[i].after || wait[1] != wait[0] + 1)
            fail_msg("%s = %u: %llu cycles, expected %u; one more: %llu", t[i].key, t[i].value,
                     (unsigned long long)wait[0], t[i].value + t[i].after,
                     (unsigned long long)wait[1]);
      }
   }
}

/* A transaction that finds its bank closed: activate at once, read tRCD later, answer CAS, the
 * burst and three cycles on the way after that. */
static void
test_closed_bank_costs_trcd_cas_and_burst(void **state)
{
   for (unsigned rcd = 1; rcd < 30; rcd += 7) {
      for (unsigned cas = 0; cas < 20; cas += 6) {
         char timing[128];
         struct gddr_bench b;
         snprintf(timing, sizeof(timing), "V2GDDR_Profile=custom;V2GDDR_tRCD=%u;V2GDDR_CAS=%u", rcd,
                  cas);
         gddr_bench_setup(&b, timing, 0);
         gddr_bench_add(&b, &(struct gddr_bench_step){10, 3, 1, 0, 0, 0});
         gddr_bench_run(&b);
         assert_int_equal(b.feeder->seen[0], 10);
         assert_int_equal(b.feeder->access[0], 10 + rcd);
         assert_int_equal(b.feeder->heard[0], 10 + rcd + cas + 4 + 3);
         gddr_bench_teardown(&b);
      }
   }
}

/* Two bursts of one transaction and those of the next one follow each other on the pins. */
static void
test_bursts_follow_without_a_gap(void **state)
{
   static const struct gddr_bench_step steps[] = {
       {0, 0, 1, 0, 2, 0}, {0, 0, 1, 0, 2, 0}, {0, 0, 1, 0, 2, 0}};
   static const unsigned width[] = {4, 8, 16, 32, 0, 0};
   for (unsigned i = 0; i < 4; i++) {
      char timing[64];
      uint64_t at[3];
      snprintf(timing, sizeof(timing), "V2BurstBytesPerCycle=%u", width[i]);
      accesses(timing, steps, 3, at);
      const unsigned burst = 32 / width[i];
      assert_int_equal(at[1] - at[0], 2 * burst);
      assert_int_equal(at[2] - at[1], 2 * burst);
   }
}

/* Refresh: due every tREFI, all rows closed, nothing for tRFC; a channel that had no work has done
 * those that it slept through. */
static void
test_refresh_blocks_the_channel_for_trfc(void **state)
{
   static const struct gddr_bench_step steps[] = {{0, 0, 1, 0, 0, 0},
                                                  {998, 0, 1, 0, 0, 0},
                                                  {1010, 0, 1, 0, 0, 0},
                                                  {5003, 1, 1, 0, 0, 0},
                                                  {5500, 1, 1, 0, 0, 0}};
   uint64_t at[5], without[5];
   accesses(BASE "V2GDDR_tREFI=1000;V2GDDR_tRFC=60", steps, 5, at);
   accesses(BASE, steps, 5, without);
   assert_int_equal(at[0], without[0]);
   assert_int_equal(at[1], without[1]);
   /* Due at 1000: the row is closed then or when the read of 998 allows it, tRP, tRFC, and opened
    * again. */
   assert_int_equal(without[2], 1010);
   assert_int_equal(at[1], 998);
   assert_int_equal(at[2], 1000 + 14 + 60 + 13);
   /* Refreshed at 5000 with all rows closed (those of 2000 to 4000 left nothing to close). */
   assert_int_equal(at[3], 5000 + 60 + 13);
   assert_int_equal(at[4], 5500);
}

/* Refresh per bank: bank 0 at 1000, bank 1 at 2000; the other banks keep their rows and work. */
static void
test_refresh_of_a_bank_leaves_the_others(void **state)
{
   static const struct gddr_bench_step steps[] = {{0, 0, 1, 0, 0, 0},    {0, 1, 1, 0, 0, 0},
                                                  {1010, 1, 1, 0, 0, 0}, {1011, 0, 1, 0, 0, 0},
                                                  {2010, 0, 1, 0, 0, 0}, {2011, 1, 1, 0, 0, 0}};
   uint64_t at[6];
   accesses(BASE "V2RefreshPerBank=TRUE;V2GDDR_tREFI=1000;V2GDDR_tRFC=60", steps, 6, at);
   assert_int_equal(at[2], 1010);
   assert_int_equal(at[3], 1000 + 14 + 60 + 13);
   assert_int_equal(at[4], 2010);
   assert_int_equal(at[5], 2000 + 14 + 60 + 13);
}

/* The bursts of a transaction are in one bank: tCCDL apart, where a burst takes less. */
static void
test_bursts_of_one_group_are_tccdl_apart(void **state)
{
   static const struct gddr_bench_step same[] = {{0, 0, 1, 0, 0, 0}, {0, 4, 1, 0, 0, 0}},
                                       other[] = {{0, 0, 1, 0, 0, 0}, {0, 5, 1, 0, 0, 0}},
                                       two[] = {{0, 0, 1, 0, 2, 0}, {0, 5, 1, 0, 0, 0}};
   const char *timing = BASE "V2BankGroups=4;V2GDDR_tRRD=0;V2GDDR_tRCD=40;V2GDDR_tCCDL=7";
   uint64_t at[2];
   accesses(timing, same, 2, at);
   assert_int_equal(at[1] - at[0], 7);
   accesses(timing, other, 2, at);
   assert_int_equal(at[1] - at[0], 4);
   accesses(timing, two, 2, at);
   assert_int_equal(at[1] - at[0], 7 + 4);
}

static void
test_profiles_have_the_datasheets_times(void **state)
{
   struct sim_config c;
   struct sim_gddr_timing t;
   char error[256];
   sim_config_defaults(&c);
   c.mc.v2 = true;
   c.mc.t_rcd = 99;
   assert_true(sim_gddr_timing_init(&t, &c, error, sizeof(error)));
   /* Hynix GDDR3 at 600 MHz, as the release of 2015 has it; custom keys do not count. */
   assert_int_equal(t.t_rrd, 9);
   assert_int_equal(t.t_rcd, 13);
   assert_int_equal(t.t_wtr, 5);
   assert_int_equal(t.t_rtw, 2);
   assert_int_equal(t.t_wr, 10);
   assert_int_equal(t.t_rp, 14);
   assert_int_equal(t.t_cas, 10);
   assert_int_equal(t.t_wl, 5);
   assert_int_equal(t.t_ras + t.t_faw + t.t_refi + t.t_rfc, 0);
   strcpy(c.mc.profile, "custom");
   assert_true(sim_gddr_timing_init(&t, &c, error, sizeof(error)));
   assert_int_equal(t.t_rcd, 99);
   strcpy(c.mc.profile, "perfect");
   c.mc.t_ras = c.mc.t_ccdl = c.mc.t_refi = 99;
   assert_true(sim_gddr_timing_init(&t, &c, error, sizeof(error)));
   assert_int_equal(t.t_rcd + t.t_rrd + t.t_wtr + t.t_rtw + t.t_wr + t.t_rp + t.t_cas + t.t_wl, 0);
   assert_int_equal(t.t_ras + t.t_ccdl + t.t_refi, 0);
   assert_int_equal(t.burst, 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_each_rule_delays_its_command),
       cmocka_unit_test(test_rules_of_groups_hold_in_the_group),
       cmocka_unit_test(test_fifth_activate_waits_for_tfaw),
       cmocka_unit_test(test_channel_obeys_each_rule_to_the_cycle),
       cmocka_unit_test(test_closed_bank_costs_trcd_cas_and_burst),
       cmocka_unit_test(test_bursts_follow_without_a_gap),
       cmocka_unit_test(test_refresh_blocks_the_channel_for_trfc),
       cmocka_unit_test(test_refresh_of_a_bank_leaves_the_others),
       cmocka_unit_test(test_bursts_of_one_group_are_tccdl_apart),
       cmocka_unit_test(test_profiles_have_the_datasheets_times),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
