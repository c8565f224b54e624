/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due: for the files of core/ alone.
 */
#ifndef SIM_DUE_H
#define SIM_DUE_H

#include "core/sim_box.h"

/* A share without boxes. */
void sim_due_init(struct sim_share *h);

/* It may be due at tick, which is less than SIM_DUE_TICKS away. */
static inline void
sim_due_set(struct sim_share *h, unsigned box, sim_tick tick)
{
   h->due.boxes[tick % SIM_DUE_TICKS][box / 64] |= 1ull << box % 64;
   h->due.used |= 1ull << tick % SIM_DUE_TICKS;
}

/* A far tick, or one that may lie between two of the box's cycles. */
void sim_due_note_rare(struct sim_share *h, unsigned box, sim_tick wake);

/* As sim_due_note, but false where only sim_due_note_rare can do it. */
static inline bool
sim_due_note_near(struct sim_share *h, unsigned box, sim_tick wake)
{
   const sim_tick away = wake - h->now - 1;
   if (__builtin_expect(away >= h->due.ahead, 0))
      return false;
   if (away)
      sim_due_set(h, box, wake);
   else
      h->due.soon[box / 64] |= 1ull << box % 64;
   return true;
}

/* sim_share.wake of a box has become wake, which is not SIM_NEVER. */
static inline void
sim_due_note(struct sim_share *h, unsigned box, sim_tick wake)
{
   if (!sim_due_note_near(h, box, wake))
      sim_due_note_rare(h, box, wake);
}

/* wake is an entry of sim_share.wake: the box is clocked at tick or earlier. */
static inline void
sim_wake_at(struct sim_share *h, sim_tick *wake, sim_tick tick)
{
   if (tick < *wake) {
      *wake = tick;
      sim_due_note(h, (unsigned)(wake - h->wake), tick);
   }
}

/* Those of the wheel that are due at tick t, the next, become due soon; its other bits of t are
 * forgotten. */
void sim_due_take_wheel(struct sim_share *h, sim_tick t);
/* Before sim_due_take of tick t, the next one to be clocked. */
static inline void
sim_due_look(struct sim_share *h, sim_tick t)
{
   if (h->due.used >> t % SIM_DUE_TICKS & 1 || __builtin_expect(h->due.far <= t, 0))
      sim_due_take_wheel(h, t);
}
/* A bit for each of 64 boxes that is due and in a cycle of its domain; it is marked asleep. */
static inline uint64_t
sim_due_take(struct sim_share *h, unsigned word)
{
   const uint64_t due = h->due.soon[word];
   h->due.soon[word] = 0;
   sim_tick *wakes = h->wake + 64 * word;
   for (uint64_t left = due; left; left &= left - 1)
      wakes[__builtin_ctzll(left)] = SIM_NEVER;
   return due;
}
/* The same for tests and profiles: a list, in the clocking order. Returns how many. */
unsigned sim_due_list(struct sim_share *h, sim_tick t, uint16_t *list);
/* The first tick from t on in which a box is due; SIM_NEVER: all sleep. */
sim_tick sim_due_next(struct sim_share *h, sim_tick t);

#endif
