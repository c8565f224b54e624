/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a box does with its cycles. Each is one of four: busy, the box did work in it; blocked, it
 * holds work that cannot go on (the next box, memory or a resource is not ready); starved, it has
 * nothing to do although work is in flight in the machine; idle, nothing is in flight. Every class
 * gets these four statistics, and they add up to the box's cycles. Included by sim_box.h.
 *
 * A box says in clock() what it does in this cycle (sim_busy, sim_busy_until), and how the cycles
 * until the next clock pass (sim_blocked); what it does not say is a cycle without work. The work
 * ids are those of the object worked on, or waiting. The command processor says whether work is in
 * flight (sim_kernel_flight).
 */
#ifndef SIM_ACTIVITY_H
#define SIM_ACTIVITY_H

/* clang-format off */
#define SIM_ACTIVITY_STATS(S)                                                        \
   S(busy, "CyclesBusy", CYCLES, "the unit did work")                                \
   S(blocked, "CyclesBlocked", CYCLES, "it held work that could not go on")          \
   S(starved, "CyclesStarved", CYCLES, "it had nothing to do, others had")           \
   S(idle, "CyclesIdle", CYCLES, "no work was in flight in the machine")
/* clang-format on */
SIM_STATS_DECLARE_PLAIN(sim_activity, SIM_ACTIVITY_STATS)
#define SIM_NUM_ACTIVITIES (sizeof(struct sim_activity_stats) / sizeof(uint64_t))

/* A state of a box: what, and for which work id. 0: no work. */
#define SIM_ACTIVITY_BUSY (1u << 16)
#define SIM_ACTIVITY_BLOCKED (2u << 16)
/* Only of sim_box.activity: there is a turn, so it is no state that a box could be in. */
#define SIM_ACTIVITY_TURNS (4u << 16)

/* In clock(): the box did something for work id in this cycle. The last call counts. */
static inline void
sim_busy(struct sim_box *b, unsigned work_id)
{
   b->did = SIM_ACTIVITY_BUSY | work_id;
}

/* In clock(): it works for work id in this cycle and in those before tick (a timer, a pipeline). Of
 * several calls in a cycle the latest tick counts. */
static inline void
sim_busy_until(struct sim_box *b, unsigned work_id, sim_tick tick)
{
   b->did = SIM_ACTIVITY_BUSY | work_id;
   if (tick > b->busy_until)
      b->busy_until = tick;
}

/* In clock(): work of work id waits for something in the cycles in which the box does nothing,
 * until another clock says otherwise. */
static inline void
sim_blocked(struct sim_box *b, unsigned work_id)
{
   b->rest = SIM_ACTIVITY_BLOCKED | work_id;
}

/* The same, but the box works on by itself: it has a timer for when that ends. */
static inline void
sim_working(struct sim_box *b, unsigned work_id)
{
   b->rest = SIM_ACTIVITY_BUSY | work_id;
}

/* Nobody may call what follows but the kernel. */

/* The cycles before tick, which is a cycle of the box and not past its next one, were as the box
 * said; from tick on they are as state says. */
void sim_activity_change(struct sim_box *b, uint32_t state, sim_tick tick);

/* From tick now, in which it did something, until its next cycle it was busy, then it rests. */
void sim_activity_once(struct sim_box *b, sim_tick now);

/* Whether it is busy for the same work id as until tick, though it might have rested by then:
 * nothing is to be counted yet. */
static inline bool
sim_activity_goes_on(const struct sim_box *b, uint32_t state, sim_tick tick)
{
   return b->activity == (state | SIM_ACTIVITY_TURNS) && b->turn >= tick && b->kernel->plain;
}

/* The cycle of the box in which it has done what it is busy with. */
static inline sim_tick
sim_activity_until(const struct sim_box *b)
{
   return b->period == 1 ? b->busy_until : (b->busy_until + b->period - 1) / b->period * b->period;
}

/* Before the box is clocked. */
static inline void
sim_activity_begin(struct sim_box *b)
{
   b->did = b->rest = 0;
   b->busy_until = 0;
}
/* It has been clocked at tick now and will be in its next cycle. */
static inline void
sim_activity_end(struct sim_box *b, sim_tick now)
{
   uint32_t state = b->did ? b->did : b->rest;
   if (state != b->activity)
      sim_activity_change(b, state, now);
}
/* sim_activity_sleep, when it goes on working by itself: until b->busy_until. */
sim_tick sim_activity_work_on(struct sim_box *b, sim_tick now, sim_tick wake);
/* It has been clocked at tick now and will be at tick wake, after its next cycle. Returns when it
 * must be clocked. */
static inline sim_tick
sim_activity_sleep(struct sim_box *b, sim_tick now, sim_tick wake)
{
   if (b->busy_until > now + b->period) {
      if (!sim_activity_goes_on(b, b->did, now))
         return sim_activity_work_on(b, now, wake);
      b->turn = sim_activity_until(b);
      b->turn_to = b->rest;
      return wake;
   }
   if (b->did && b->did != b->rest)
      sim_activity_once(b, now);
   else if (b->rest != b->activity)
      sim_activity_change(b, b->rest, now);
   return wake;
}

/* Whether work is in flight in the machine, from the next tick on. Between runs: in the tick that
 * comes next. */
void sim_kernel_flight(struct sim_kernel *k, bool on);

/* Between runs: nobody wanted to know what boxes do with their cycles (sim_kernel.no_activity), and
 * from the next cycle on somebody does. */
void sim_kernel_count_activity(struct sim_kernel *k);

/* At the end of a tick: counts everything that has passed so far, the present tick included, and
 * that boxes count only when they are clocked next. It changes nothing else. */
void sim_kernel_flush_counters(struct sim_kernel *k);
/* The same for a work id that nothing refers to any more: no box holds anything that waits for it,
 * so only cycles that boxes have just spent on it are missing. */
void sim_kernel_flush_work(struct sim_kernel *k, unsigned work_id);

#endif
