/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tests of activities: what boxes do with their cycles, counted when it has passed, whether they
 * sleep or not and in whatever order they are clocked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "kernel_gpu.h"

/* A box that does what a script says for the cycle in which it is clocked. */
struct actor {
   struct sim_box box;
   uint64_t (*stat)[1]; /* [work_id]: a stall */
   struct sim_stall stall;
   struct act {
      sim_tick at; /* of the clock; the next one's is when it wakes */
      enum { NOTHING, BUSY, UNTIL, BLOCKED, WORKING } what;
      unsigned work_id;
      sim_tick until;
   } acts[8];
   unsigned num, next;
   bool restless;
};

static sim_tick
actor_clock(struct sim_box *b, sim_tick now)
{
   struct actor *a = (struct actor *)b;
   while (a->next + 1 < a->num && a->acts[a->next + 1].at <= now)
      a->next++;
   const struct act *act = &a->acts[a->next];
   if (act->what == BUSY && act->at == now)
      sim_busy(b, act->work_id);
   if (act->what == UNTIL && act->until > now)
      sim_busy_until(b, act->work_id, act->until);
   if (act->what == UNTIL || act->what == BLOCKED)
      sim_blocked(b, act->work_id);
   if (act->what == WORKING)
      sim_working(b, act->work_id);
   if (act->what == BLOCKED)
      sim_stall_begin(&a->stall, 0, now);
   else
      sim_stall_end(&a->stall, b, act->work_id, now);
   return a->next + 1 == a->num ? SIM_NEVER
          : a->restless         ? now + b->period
                                : a->acts[a->next + 1].at;
}

static void
actor_flush_counters(struct sim_box *b, sim_tick next)
{
   struct actor *a = (struct actor *)b;
   sim_stall_flush(&a->stall, b, a->acts[a->next].work_id, next);
}

static const struct sim_stat_desc actor_descs[] = {{"Stall", SIM_CYCLES, "stands still"}};
static const struct sim_box_class actor_class = {.name = "Actor",
                                                 .unit = "A",
                                                 .size = sizeof(struct actor),
                                                 .domain = SIM_DOMAIN_MEMORY,
                                                 .clock = actor_clock,
                                                 .flush_counters = actor_flush_counters,
                                                 .stats_offset = offsetof(struct actor, stat),
                                                 .stats_size = sizeof(uint64_t),
                                                 .stats = actor_descs,
                                                 .num_stats = 1};

/* Says when work is in flight. */
struct pilot {
   struct sim_box box;
   sim_tick change[4]; /* on, off, on, off */
   unsigned next;
};

static sim_tick
pilot_clock(struct sim_box *b, sim_tick now)
{
   struct pilot *p = (struct pilot *)b;
   while (p->next < 4 && p->change[p->next] == now)
      sim_kernel_flight(b->kernel, p->next++ % 2 == 0);
   return p->next < 4 ? p->change[p->next] : SIM_NEVER;
}

static const struct sim_box_class pilot_class = {.name = "Pilot",
                                                 .unit = "CP",
                                                 .size = sizeof(struct pilot),
                                                 .domain = SIM_DOMAIN_GPU,
                                                 .clock = pilot_clock};

static void
take(void *data, sim_tick now)
{
   struct actor *a = data;
   sim_kernel_flush_counters(a->box.kernel);
   sim_kernel_flush_counters(a->box.kernel); /* twice is not more */
   /* Up to now everything is counted, whatever comes later. */
   uint64_t sum = 0;
   for (unsigned work_id = 0; work_id < SIM_DEFAULT_WORK_IDS; work_id++) {
      const struct sim_activity_stats *s = &a->box.cycles[work_id];
      sum += s->busy + s->blocked + s->starved + s->idle;
   }
   assert_int_equal(sum, now / a->box.period);
}

/* Takes what there is at the end of a tick. */
struct taker {
   struct sim_box box;
   struct actor *actor;
   sim_tick at, last;
   uint64_t stall; /* what had been counted then */
};

static sim_tick
taker_clock(struct sim_box *b, sim_tick now)
{
   struct taker *t = (struct taker *)b;
   if (now == t->at || now == t->last)
      sim_kernel_after(b->kernel, take, t->actor);
   if (now > t->at && !t->stall)
      t->stall = sim_stat(&t->actor->box, 2)[0];
   return now < t->at     ? t->at
          : now == t->at  ? now + b->period
          : now < t->last ? t->last
                          : SIM_NEVER;
}

static const struct sim_box_class taker_class = {.name = "Taker",
                                                 .unit = "T",
                                                 .size = sizeof(struct taker),
                                                 .domain = SIM_DOMAIN_GPU,
                                                 .clock = taker_clock};

/* GPU cycles are 2 ticks, the actor's 3. Asleep or clocked in every cycle, in any order: the same.
 * Cycles of the actor are at ticks 3, 6, ... 96. */
static void
test_activity_is_the_same_asleep_or_clocked(void **state)
{
   for (unsigned run = 0; run < 8; run++) {
      struct sim_gpu *gpu = new_gpu(300, 300, 200, run / 2);
      struct sim_kernel *k = &gpu->kernel;
      struct pilot *p = (struct pilot *)sim_box_create(k, gpu, &pilot_class, -1);
      struct actor *a = (struct actor *)sim_box_create(k, gpu, &actor_class, -1);
      struct taker *t = (struct taker *)sim_box_create(k, gpu, &taker_class, -1);
      const sim_tick change[4] = {6, 30, 66, 80};
      const struct act acts[] = {{3, NOTHING, 0, 0}, {21, BUSY, 1, 0},    {30, BLOCKED, 2, 0},
                                 {45, UNTIL, 3, 54}, {63, WORKING, 1, 0}, {66, NOTHING, 0, 0},
                                 {96, NOTHING, 0, 0}};
      memcpy(p->change, change, sizeof(change));
      memcpy(a->acts, acts, sizeof(acts));
      a->num = sizeof(acts) / sizeof(acts[0]);
      a->restless = run % 2;
      t->actor = a;
      t->at = 36;
      t->last = 96;
      assert_true(sim_kernel_run(k, NULL));
      assert_int_equal(k->now, 96);
      const struct sim_activity_stats *s = a->box.cycles;
      /* In flight from tick 7 to 30 and from 67 to 80, busy in 21: 9 to 18, 24, 27, 69 to 78. The
       * changes come in ticks in which the actor changes, too. */
      assert_int_equal(s[0].starved, 10);
      /* 3, 6, 66, 81 to 96. */
      assert_int_equal(s[0].idle, 9);
      assert_int_equal(s[1].busy, 2);    /* 21, 63 */
      assert_int_equal(s[2].blocked, 5); /* 30 to 42 */
      assert_int_equal(s[3].busy, 3);    /* 45, 48, 51 */
      assert_int_equal(s[3].blocked, 3); /* 54, 57, 60 */
      /* The stall from 30 to 45: at tick 36 its past was counted, at its end the rest, for the
       * object that goes on. */
      assert_int_equal(t->stall, 3);
      assert_int_equal(sim_stat(&a->box, 2)[0], 3);
      assert_int_equal(sim_stat(&a->box, 3)[0], 2);
      free_gpu(gpu);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_activity_is_the_same_asleep_or_clocked),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
