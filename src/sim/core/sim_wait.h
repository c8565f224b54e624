/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of waiting cycles, for boxes that sleep while they wait. struct sim_stall: the oldest
 * object cannot go on; the cycles are counted for its work id when it goes on. struct sim_waits:
 * the box waits for several things, and notes at every clock which they are. Not here: cycles of
 * work. */
#ifndef SIM_WAIT_H
#define SIM_WAIT_H

#include "core/sim_box.h"

/* Zeroed: nothing waits. */
struct sim_stall {
   sim_tick since;
   unsigned stat; /* SIM_STAT to count */
   bool on;
};

/* The oldest object waits from now on, unless it already did. */
static inline void
sim_stall_begin(struct sim_stall *s, unsigned stat, sim_tick now)
{
   if (!s->on)
      *s = (struct sim_stall){.since = now, .stat = stat, .on = true};
}

/* An object of this work id goes on. */
static inline void
sim_stall_end(struct sim_stall *s, struct sim_box *b, unsigned work_id, sim_tick now)
{
   if (__builtin_expect(s->on, 0)) {
      sim_stat(b, work_id)[s->stat] += (now - s->since) / b->period;
      s->on = false;
   }
}

/* At a frame's end, in cls->flush_counters: counts the time before tick next for the waiting
 * object's work id; the rest is counted when it goes on. */
static inline void
sim_stall_flush(struct sim_stall *s, struct sim_box *b, unsigned work_id, sim_tick next)
{
   if (s->on && next > s->since) {
      sim_stat(b, work_id)[s->stat] += (next - s->since) / b->period;
      s->since = next;
   }
}

/* Counters that grow until the next clock. The first cycle is counted at once, so that a box
 * clocked every cycle has nothing to do later. */
#define SIM_MAX_WAITS 72
struct sim_waits {
   uint64_t *counter[SIM_MAX_WAITS];
   unsigned num;
   unsigned ahead; /* future cycles that are already counted */
};

static inline void
sim_wait(struct sim_waits *w, uint64_t *counter)
{
   ++*counter;
   w->counter[w->num++] = counter;
}

/* Takes back the waits noted since there were num of them. */
static inline void
sim_waits_undo(struct sim_waits *w, unsigned num)
{
   while (w->num > num)
      --*w->counter[--w->num];
}

static inline void
sim_waits_count(struct sim_waits *w, const struct sim_box *b, sim_tick until)
{
   const uint64_t cycles = sim_waited(b, until) - w->ahead;
   for (unsigned i = 0; cycles && i < w->num; i++)
      *w->counter[i] += cycles;
}

/* Call it first in a clock: charges the cycles since the last one. */
static inline void
sim_waits_charge(struct sim_waits *w, const struct sim_box *b, sim_tick now)
{
   sim_waits_count(w, b, now);
   w->num = 0;
   w->ahead = 1;
}

/* In cls->flush_counters: charges them; the waits go on. */
static inline void
sim_waits_flush(struct sim_waits *w, const struct sim_box *b, sim_tick next)
{
   sim_waits_count(w, b, next);
   w->ahead = 0;
}

/* The same for a part of a box whose state lasts several clocks: waits are set when the state
 * changes, and hold until they are set anew. Zeroed: nothing waits. */
#define SIM_MAX_HELD_WAITS 16
struct sim_held_waits {
   uint64_t *counter[SIM_MAX_HELD_WAITS];
   unsigned num;
   sim_tick since; /* cycles before are counted */
};

static inline void
sim_hold_wait(struct sim_held_waits *w, uint64_t *counter)
{
   w->counter[w->num++] = counter;
}

static inline void
sim_held_waits_flush(struct sim_held_waits *w, const struct sim_box *b, sim_tick next)
{
   const sim_tick ticks = next - w->since;
   const uint64_t cycles = __builtin_expect(b->period == 1, 1) ? ticks : ticks / b->period;
   for (unsigned i = 0; i < w->num; i++)
      *w->counter[i] += cycles;
   w->since = next;
}

/* Charges the cycles up to now, then starts empty. */
static inline void
sim_held_waits_charge(struct sim_held_waits *w, const struct sim_box *b, sim_tick now)
{
   sim_held_waits_flush(w, b, now);
   w->num = 0;
}

#endif
