/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a box does with its cycles. A cycle is busy (the box works), blocked (its work cannot go on:
 * the next box, memory or a resource is not ready), starved (no work, though some is in flight in
 * the machine) or idle (none in flight). Every class has these four statistics, which add up to the
 * box's cycles. Included by sim_box.h. In clock() a box reports this cycle (sim_busy,
 * sim_busy_until) and those until the next clock (sim_blocked); unreported cycles have no work. A
 * work id is that of the object that is worked on or waits. The command processor reports whether
 * work is in flight (sim_kernel_flight). */
#ifndef SIM_ACTIVITY_H
#define SIM_ACTIVITY_H

/* clang-format off */
#define SIM_ACTIVITY_STATS(S)                                                               \
   S(busy, "CyclesBusy", CYCLES, "the unit did work")                                       \
   S(blocked, "CyclesBlocked", CYCLES, "the unit held work that could not go on")           \
   S(starved, "CyclesStarved", CYCLES, "the unit had nothing to do, while others had work") \
   S(idle, "CyclesIdle", CYCLES, "no work was in flight in the machine")
/* clang-format on */
SIM_STATS_DECLARE_PLAIN(sim_activity, SIM_ACTIVITY_STATS)
#define SIM_NUM_ACTIVITIES (sizeof(struct sim_activity_stats) / sizeof(uint64_t))

/* A box's state: its kind in the upper bits, and the work id. 0: no work. */
#define SIM_ACTIVITY_BUSY (1u << 16)
#define SIM_ACTIVITY_BLOCKED (2u << 16)
/* In sim_box.activity only: a turn is set; not a state that a box reports. */
#define SIM_ACTIVITY_TURNS (4u << 16)

/* In clock(): reports work for work id in this cycle. The last call counts. */
static inline void
sim_busy(struct sim_box *b, unsigned work_id)
{
   b->did = SIM_ACTIVITY_BUSY | work_id;
}

/* In clock(): reports work for work id in this cycle and those before tick (a timer, a pipeline).
 * The latest tick counts. */
static inline void
sim_busy_until(struct sim_box *b, unsigned work_id, sim_tick tick)
{
   b->did = SIM_ACTIVITY_BUSY | work_id;
   if (tick > b->busy_until)
      b->busy_until = tick;
}

/* In clock(): reports that work of work id waits while the box does nothing, until another clock
 * reports something else. */
static inline void
sim_blocked(struct sim_box *b, unsigned work_id)
{
   b->rest = SIM_ACTIVITY_BLOCKED | work_id;
}

/* Does the same while the box goes on by itself, with a timer for the end. */
static inline void
sim_working(struct sim_box *b, unsigned work_id)
{
   b->rest = SIM_ACTIVITY_BUSY | work_id;
}

/* For the kernel only: */

/* Ends the present state before tick, at most the box's next cycle; state holds from tick on. */
void sim_activity_change(struct sim_box *b, uint32_t state, sim_tick tick);

/* The box is busy from tick now until its next cycle, then it rests. */
void sim_activity_once(struct sim_box *b, sim_tick now);

/* Returns whether the box is busy until tick or later with this state anyway, so that nothing need
 * be counted yet. */
static inline bool
sim_activity_goes_on(const struct sim_box *b, uint32_t state, sim_tick tick)
{
   return b->activity == (state | SIM_ACTIVITY_TURNS) && b->turn >= tick && b->kernel->plain;
}

/* Returns the box's cycle in which its present work is done. */
static inline sim_tick
sim_activity_until(const struct sim_box *b)
{
   return b->period == 1 ? b->busy_until : (b->busy_until + b->period - 1) / b->period * b->period;
}

/* Runs before the box is clocked. */
static inline void
sim_activity_begin(struct sim_box *b)
{
   b->did = b->rest = 0;
   b->busy_until = 0;
}
/* Runs after the box's clock at tick now, if its next cycle is clocked, too. */
static inline void
sim_activity_end(struct sim_box *b, sim_tick now)
{
   uint32_t state = b->did ? b->did : b->rest;
   if (state != b->activity)
      sim_activity_change(b, state, now);
}
/* sim_activity_sleep for a box that goes on by itself until b->busy_until. */
sim_tick sim_activity_work_on(struct sim_box *b, sim_tick now, sim_tick wake);
/* Runs after the box's clock at tick now, if it sleeps until tick wake. Returns when it must be
 * clocked. */
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

/* Sets whether work is in flight, from the next tick on; between runs, in the next tick. */
void sim_kernel_flight(struct sim_kernel *k, bool on);

/* Between runs: starts to count activity from the next cycle on, after sim_kernel.no_activity. */
void sim_kernel_count_activity(struct sim_kernel *k);

/* At the end of a tick: counts all that has passed, including this tick, which boxes otherwise
 * count when next clocked. Changes nothing else. */
void sim_kernel_flush_counters(struct sim_kernel *k);
/* Does the same for a work id without references: no box holds anything that waits for it, so only
 * cycles just spent on it are missing. */
void sim_kernel_flush_work(struct sim_kernel *k, unsigned work_id);

#endif
