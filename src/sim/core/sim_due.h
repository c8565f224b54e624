/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due: for the files of core/ alone.
 */
#ifndef SIM_DUE_H
#define SIM_DUE_H

#include "core/sim_box.h"

/* It may be due at tick, which is less than SIM_DUE_TICKS away. */
static inline void
sim_due_set(struct sim_kernel *k, unsigned box, sim_tick tick)
{
   k->due.boxes[tick % SIM_DUE_TICKS][box / 64] |= 1ull << box % 64;
   k->due.used |= 1ull << tick % SIM_DUE_TICKS;
}

/* A far tick, or one that may lie between two of the box's cycles. */
void sim_due_note_rare(struct sim_kernel *k, unsigned box, sim_tick wake);

/* As sim_due_note, but false where only sim_due_note_rare can do it. */
static inline bool
sim_due_note_near(struct sim_kernel *k, unsigned box, sim_tick wake)
{
   const sim_tick away = wake - k->now - 1;
   if (__builtin_expect(away >= k->due.ahead, 0))
      return false;
   if (away)
      sim_due_set(k, box, wake);
   else
      k->due.soon[box / 64] |= 1ull << box % 64;
   return true;
}

/* kernel->wake of a box has become wake, which is not SIM_NEVER. */
static inline void
sim_due_note(struct sim_kernel *k, unsigned box, sim_tick wake)
{
   if (!sim_due_note_near(k, box, wake))
      sim_due_note_rare(k, box, wake);
}

/* wake is an entry of kernel->wake: the box is clocked at tick or earlier. */
static inline void
sim_wake_at(struct sim_kernel *k, sim_tick *wake, sim_tick tick)
{
   if (tick < *wake) {
      *wake = tick;
      sim_due_note(k, (unsigned)(wake - k->wake), tick);
   }
}

/* Those of the wheel that are due at tick t, the next, become due soon; its other bits of t are
 * forgotten. */
void sim_due_take_wheel(struct sim_kernel *k, sim_tick t);
/* Before sim_due_take of tick t, the next one to be clocked. */
static inline void
sim_due_look(struct sim_kernel *k, sim_tick t)
{
   if (k->due.used >> t % SIM_DUE_TICKS & 1 || __builtin_expect(k->due.far <= t, 0))
      sim_due_take_wheel(k, t);
}
/* A bit for each of 64 boxes that is due and in a cycle of its domain; it is marked asleep. */
static inline uint64_t
sim_due_take(struct sim_kernel *k, unsigned word)
{
   const uint64_t due = k->due.soon[word];
   k->due.soon[word] = 0;
   sim_tick *wakes = k->wake + 64 * word;
   for (uint64_t left = due; left; left &= left - 1)
      wakes[__builtin_ctzll(left)] = SIM_NEVER;
   return due;
}
/* The same for tests and profiles: a list, in the clocking order. Returns how many. */
unsigned sim_due_list(struct sim_kernel *k, sim_tick t, uint16_t *list);
/* The first tick from t on in which a box is due; SIM_NEVER: all sleep. */
sim_tick sim_due_next(struct sim_kernel *k, sim_tick t);

#endif
