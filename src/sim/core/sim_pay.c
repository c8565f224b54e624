/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Decides, window by window, whether several threads clock a machine (core/sim_pay.h). It only
 * measures, since the host's other load and the distances between processors are unknown. Not here:
 * loops (core/sim_run.c), boxes' threads (core/sim_shares.c). */
#include "core/sim_pay.h"
#include "core/sim_shares.h"
#include "core/sim_threads.h"

#include <sched.h>
#include <time.h>

/* Window lengths adapt until they take this many ns. */
#define WINDOW_LEAST 1000000
#define WINDOW_MOST 4000000
#define LENGTH_LEAST 64u /* ticks */
#define LENGTH_MOST 65536u
#define GAIN 0.95 /* threads pay if they take at most this share of one thread's time */
#define STAY 32   /* windows before the other way is tried, at first */
#define STAY_MOST 1024
#define STAY_LATE 4 /* the same after a late thread */
#define WAKING 64   /* ticks for sleeping threads to wake up */
/* In tests: most ticks with all threads, and with one. */
#define TEST_ALL 32u
#define TEST_ONE 2048u

static uint64_t
pay_now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Switches to all threads, or to one. Costs of boxes are measured before each dealing. */
static void
pay_turn(struct sim_pay *p, bool all)
{
   p->all = false;
   p->step = all ? PAY_WEIGH : p->usual == all ? PAY_STAY : PAY_WARM;
}

/* Decides after both ways were timed. A decision that is repeated holds longer. */
static void
pay_decide(struct sim_pay *p)
{
   const bool all = p->cost[true] < GAIN * p->cost[false];
   p->stay = all != p->usual ? STAY : p->stay < STAY_MOST ? 2 * p->stay : p->stay;
   p->stay_late = all ? STAY_LATE : p->stay_late;
   p->windows = p->stay;
   p->usual = all;
   p->step = PAY_STAY;
   if (p->all != all)
      pay_turn(p, all);
}

static void
pay_next(struct sim_pay *p)
{
   switch (p->step) {
   case PAY_STAY:
      if (p->windows)
         p->windows--;
      else
         pay_turn(p, !p->usual);
      break;
   case PAY_WEIGH:
      p->all = true;
      p->step = p->usual ? PAY_STAY : PAY_WARM;
      break;
   case PAY_WARM: /* the host's caches have what boxes read */
      p->step = PAY_TIME;
      break;
   case PAY_TIME:
      pay_decide(p);
      break;
   }
}

static void
pay_was_late(struct sim_pay *p)
{
   p->late = p->all = p->usual = false;
   p->step = PAY_STAY;
   p->windows = p->stay_late;
   p->stay_late = p->stay_late < STAY_MOST ? 2 * p->stay_late : p->stay_late;
}

static void
pay_fit_length(struct sim_pay *p)
{
   if (p->ns < WINDOW_LEAST && p->length < LENGTH_MOST)
      p->length *= 2;
   else if (p->ns > WINDOW_MOST && p->length > LENGTH_LEAST)
      p->length /= 2;
}

static uint64_t
pay_random(const struct sim_kernel *k, uint64_t i)
{
   return ((k->now * SIM_MAX_BOXES + i) * 0x9e3779b97f4a7c15ull ^ k->order_seed) *
              0xbf58476d1ce4e5b9ull >>
          48;
}

/* For tests: now and then all threads clock for some ticks, and boxes are dealt anew each time. */
static uint32_t
pay_open_test(struct sim_kernel *k)
{
   struct sim_pay *p = k->pay;
   p->all = !p->all;
   for (unsigned i = 0; i < k->num_boxes; i++)
      p->spent[i] = pay_random(k, i);
   sim_shares_weigh(k, p->spent);
   return 1 + (uint32_t)pay_random(k, SIM_MAX_BOXES) % (p->all ? TEST_ALL : TEST_ONE);
}

static uint32_t
pay_open(struct sim_kernel *k)
{
   struct sim_pay *p = k->pay;
   if (p->step == PAY_WEIGH)
      memset(p->spent, 0, sizeof(p->spent));
   return p->length;
}

static void
pay_create(struct sim_kernel *k)
{
   k->pay = sim_arena_alloc(&k->arena, sizeof(*k->pay));
   k->pay->length = LENGTH_LEAST;
   k->pay->windows = 1;
   k->pay->stay = STAY;
   k->pay->stay_late = STAY_LATE;
}

enum sim_pay_way
sim_pay_begin(struct sim_kernel *k)
{
   if (!k->pay)
      pay_create(k);
   struct sim_pay *p = k->pay;
   if (!p->left) {
      p->ns = 0;
      p->done = 0;
      p->left = k->order_seed ? pay_open_test(k) : pay_open(k);
   }
   bool ready = !p->all || sim_threads_ready(k);
   while (!ready && k->order_seed && !sim_threads_none(k)) {
      sched_yield();
      ready = sim_threads_ready(k);
   }
   if (k->num_shares > 1 || (p->all && ready))
      sim_shares_deal(k, p->all && ready);
   p->ticks = p->taken = ready ? p->left : sim_threads_none(k) ? UINT32_MAX : WAKING;
   p->way = !ready || !p->all ? SIM_PAY_ONE : SIM_PAY_ALL;
   if (ready && !p->all && p->step == PAY_WEIGH)
      p->way = SIM_PAY_WEIGH;
   p->waits = !ready;
   p->start = pay_now();
   return p->way;
}

void
sim_pay_end(struct sim_kernel *k)
{
   struct sim_pay *p = k->pay;
   const uint32_t ticks = p->taken - p->ticks;
   p->clocked[p->way == SIM_PAY_ALL] += ticks;
   if (p->waits)
      return;
   p->ns += pay_now() - p->start;
   p->done += ticks;
   p->left -= ticks;
   if (p->left && !p->late)
      return;
   p->left = 0;
   if (k->order_seed) {
      sim_threads_rest(k);
      return;
   }
   if (p->way == SIM_PAY_WEIGH)
      sim_shares_weigh(k, p->spent);
   else
      p->cost[p->all] = (double)p->ns / p->done;
   if (p->way != SIM_PAY_ALL)
      pay_fit_length(p);
   if (p->late)
      pay_was_late(p);
   else
      pay_next(p);
   if (!p->all && p->step != PAY_WEIGH)
      sim_threads_rest(k);
}
