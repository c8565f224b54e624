/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counts what boxes do with their cycles (sim_activity.h) in runs of equal cycles, so that sleeping
 * boxes cost nothing. Boxes report their activity themselves. */
#include "core/sim_dvfs.h"
#include "core/sim_trace.h"

/* Returns a domain's cycles in ticks (from, to]. */
static uint64_t
activity_cycles_in(const struct sim_kernel *k, unsigned domain, sim_tick from, sim_tick to)
{
   if (to <= from)
      return 0;
   sim_tick period = k->period[domain];
   return k->one_domain ? to - from : to / period - from / period;
}

/* Returns a DVFS domain's last tick that has begun. */
static sim_tick
activity_dvfs_domain_now(const struct sim_share *h, unsigned dvfs_domain)
{
   return h->kernel->dvfs ? h->kernel->dvfs->clock[dvfs_domain].now : h->now;
}

/* Returns the cycles of a clock domain in a DVFS domain with work in flight, up to and including
 * the present tick. */
static uint64_t
activity_flight_until_now(const struct sim_share *h, unsigned dvfs_domain, unsigned domain)
{
   const struct sim_kernel *k = h->kernel;
   return k->flight.cycles[dvfs_domain][domain] +
          (k->flight.on ? activity_cycles_in(k, domain, k->flight.since[dvfs_domain],
                                             activity_dvfs_domain_now(h, dvfs_domain))
                        : 0);
}

/* Returns the cycles with work in flight before a tick that lies between the last change and the
 * next tick; for one clock and no DVFS domains. */
static inline uint64_t
activity_flight_at(const struct sim_kernel *k, sim_tick tick)
{
   return k->flight.base + ((tick - 1) & k->flight.mask);
}

/* Counts the cycles before the box's turn, which has come; for one clock, no DVFS domains and no
 * listener. */
static inline void
activity_take_turn(struct sim_box *b)
{
   b->cycles[b->activity & 0xffff].busy += b->turn - b->run_from;
   b->run_from = b->turn;
   b->activity = b->turn_to;
   if (!b->activity)
      b->run_flight = activity_flight_at(b->kernel, b->turn);
   b->turn = SIM_NEVER;
}

/* Counts the waiting time before tick. */
static inline void
activity_flush_waits(struct sim_box *b, sim_tick tick)
{
   if (b->counted >= tick || !b->cls->flush_counters)
      return;
   b->cls->flush_counters(b, tick);
   b->counted = tick;
}

/* Lets boxes rest whose work has ended meanwhile. How many cycles of their rest have work in flight
 * is found at their next clock, or at a change before that. */
static void
activity_begin_rests(struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (!(b->activity & SIM_ACTIVITY_TURNS) || b->turn_to || b->turn > k->now)
         continue;
      activity_flush_waits(b, b->turn);
      activity_take_turn(b);
   }
}

void
sim_kernel_flight(struct sim_kernel *k, bool on)
{
   if (k->parallel) {
      k->flight.later = on != k->flight.on; /* others are being clocked */
      return;
   }
   if (on == k->flight.on)
      return;
   activity_begin_rests(k);
   for (unsigned i = 0; i < k->num_dvfs_domains; i++) {
      for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
         k->flight.cycles[i][d] = activity_flight_until_now(&k->first, i, d);
      k->flight.since[i] = activity_dvfs_domain_now(&k->first, i);
   }
   if (k->flight.changed != sim_instant(&k->first))
      k->flight.before = k->flight.on;
   k->flight.changed = sim_instant(&k->first);
   k->flight.on = on;
   k->flight.mask = on ? UINT64_MAX : 0;
   k->flight.base = k->flight.cycles[0][0] - (k->flight.since[0] & k->flight.mask);
}

/* Returns the cycles with work in flight before tick, a cycle of the box. What the command
 * processor reports in this tick does not count yet, so the order of the two boxes does not
 * matter. */
static uint64_t
activity_flight_before(const struct sim_box *b, sim_tick tick)
{
   const struct sim_kernel *k = b->kernel;
   uint64_t cycles = activity_flight_until_now(b->share, b->dvfs_domain, b->cls->domain);
   if (tick > sim_box_now(b))
      return cycles;
   bool now = k->flight.changed == sim_instant(b->share) ? k->flight.before : k->flight.on;
   return cycles - now;
}

/* Counts the cycles of the present run before tick. */
static void
activity_count_run(struct sim_box *b, sim_tick tick)
{
   const sim_tick ticks = tick - b->run_from;
   const uint64_t cycles = b->period == 1 ? ticks : ticks / b->period;
   struct sim_activity_stats *stat = &b->cycles[b->activity & 0xffff];
   const struct sim_trace *trace = b->kernel->trace;
   const sim_tick from = b->run_from;
   if (b->activity & SIM_ACTIVITY_BUSY) {
      stat->busy += cycles;
   } else if (b->activity & SIM_ACTIVITY_BLOCKED) {
      stat->blocked += cycles;
   } else {
      uint64_t flight = activity_flight_before(b, tick), starved = flight - b->run_flight;
      stat->starved += starved;
      stat->idle += cycles - starved;
      b->run_flight = flight;
   }
   b->run_from = tick;
   if (__builtin_expect(trace && trace->activity, 0))
      trace->activity(trace->data, b, b->activity & ~SIM_ACTIVITY_TURNS, from, tick);
}

/* Counts the cycles before tick. */
static void
activity_count(struct sim_box *b, sim_tick tick)
{
   if (b->turn < tick) {
      activity_count_run(b, b->turn);
      b->activity = b->turn_to;
      if (!b->activity) /* of a plain machine */
         b->run_flight = activity_flight_at(b->kernel, b->turn);
      b->turn = SIM_NEVER;
   }
   activity_count_run(b, tick);
}

static void __attribute__((noinline))
activity_change_any(struct sim_box *b, uint32_t state, sim_tick tick)
{
   activity_count(b, tick);
   if (!state && b->activity)
      b->run_flight = activity_flight_before(b, tick);
   b->activity = state;
   b->turn = SIM_NEVER;
}

/* --- Nearly all machines: one clock, and no listener --- */

/* Returns whether work is in flight in the present tick. */
static inline bool
activity_plain_in_flight(const struct sim_share *h)
{
   const struct sim_kernel *k = h->kernel;
   return k->flight.changed == h->now ? k->flight.before : k->flight.on;
}

/* As activity_flight_before. */
static inline uint64_t
activity_plain_flight(const struct sim_share *h, sim_tick tick)
{
   const struct sim_kernel *k = h->kernel;
   return k->flight.base + (h->now & k->flight.mask) -
          (tick <= h->now && activity_plain_in_flight(h));
}

/* Counts the cycles before tick. */
static inline void
activity_plain_count(struct sim_box *b, sim_tick tick)
{
   if (b->activity & SIM_ACTIVITY_TURNS) {
      if (b->turn < tick)
         activity_take_turn(b);
      b->turn = SIM_NEVER;
   }
   const uint32_t was = b->activity;
   struct sim_activity_stats *stat = &b->cycles[was & 0xffff];
   const uint64_t cycles = tick - b->run_from;
   if (was & SIM_ACTIVITY_BUSY) {
      stat->busy += cycles;
   } else if (was) {
      stat->blocked += cycles;
   } else {
      const uint64_t starved = activity_plain_flight(b->share, tick) - b->run_flight;
      stat->starved += starved;
      stat->idle += cycles - starved;
   }
}

/* Sets the state from tick on. */
static inline void
activity_plain_state(struct sim_box *b, uint32_t state, sim_tick tick)
{
   b->run_from = tick;
   b->activity = state;
   if (!state)
      b->run_flight = activity_plain_flight(b->share, tick);
}

void
sim_activity_change(struct sim_box *b, uint32_t state, sim_tick tick)
{
   if (__builtin_expect(!b->kernel->plain, 0)) {
      activity_change_any(b, state, tick);
      return;
   }
   if (sim_activity_goes_on(b, state, tick)) {
      b->activity = state;
      b->turn = SIM_NEVER;
      return;
   }
   activity_plain_count(b, tick);
   activity_plain_state(b, state, tick);
}

void
sim_activity_once(struct sim_box *b, sim_tick now)
{
   const uint32_t did = b->did;
   struct sim_kernel *k = b->kernel;
   if (did == b->activity) {
      sim_activity_change(b, b->rest, now + b->period);
   } else if (__builtin_expect(!k->plain, 0)) {
      activity_change_any(b, did, now);
      activity_change_any(b, b->rest, now + b->period);
   } else if (b->rest == b->activity) {
      /* The states before and after this cycle are equal: their run goes on, without this cycle. */
      b->cycles[did & 0xffff].busy++;
      b->run_from++;
      if (!b->rest)
         b->run_flight += activity_plain_in_flight(b->share);
   } else {
      activity_plain_count(b, now);
      b->cycles[did & 0xffff].busy++;
      activity_plain_state(b, b->rest, now + 1);
   }
}

sim_tick
sim_activity_work_on(struct sim_box *b, sim_tick now, sim_tick wake)
{
   const sim_tick end = sim_activity_until(b);
   sim_activity_end(b, now);
   /* With several times, it cannot be found later how many of the cycles without work had other
    * work in flight. Besides, listeners must get states in order. */
   if (!b->rest && !b->kernel->plain)
      return end < wake ? end : wake;
   b->turn = end;
   b->turn_to = b->rest;
   b->activity |= SIM_ACTIVITY_TURNS;
   return wake;
}

/* Counts all uncounted cycles of the box before next, its next cycle. */
static void
activity_flush_counters(struct sim_box *b, sim_tick next)
{
   if (b->run_from < next)
      activity_count(b, next);
   activity_flush_waits(b, next);
}

static inline sim_tick
activity_next_cycle(const struct sim_box *b)
{
   return (sim_box_now(b) / b->period + 1) * b->period;
}

void
sim_kernel_flush_counters(struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++)
      activity_flush_counters(k->boxes[i], activity_next_cycle(k->boxes[i]));
}

void
sim_kernel_flush_work(struct sim_kernel *k, unsigned work_id)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      const sim_tick next = activity_next_cycle(b);
      if (b->turn < next && !b->turn_to)
         activity_flush_counters(b, next); /* its work ended, and it was not clocked since */
      else if ((b->activity & 0xffff) == work_id ||
               (b->turn != SIM_NEVER && (b->turn_to & 0xffff) == work_id)) {
         if (b->run_from < next)
            activity_count(b, next);
      }
   }
}

void
sim_kernel_count_activity(struct sim_kernel *k)
{
   if (!k->no_activity)
      return;
   k->no_activity = false;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      const sim_tick next = activity_next_cycle(b);
      b->activity = 0;
      b->turn = SIM_NEVER;
      b->run_from = next;
      b->run_flight = activity_flight_until_now(b->share, b->dvfs_domain, b->cls->domain);
      /* The box reports its activity when it is clocked. */
      sim_box_wake(b, next);
   }
}
