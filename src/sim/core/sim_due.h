/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due; for core/ only. */
#ifndef SIM_DUE_H
#define SIM_DUE_H

#include "core/sim_box.h"

/* Initialises a share without boxes. */
void sim_due_init(struct sim_share *h);

/* Marks a box as maybe due at tick, less than SIM_DUE_TICKS away. */
static inline void
sim_due_set(struct sim_share *h, unsigned box, sim_tick tick)
{
   h->due.boxes[tick % SIM_DUE_TICKS][box / 64] |= 1ull << box % 64;
   h->due.used |= 1ull << tick % SIM_DUE_TICKS;
}

/* Notes a far tick, or one between two of the box's cycles. */
void sim_due_note_rare(struct sim_share *h, unsigned box, sim_tick wake);

/* Does what sim_due_note does, or returns false where sim_due_note_rare must do it. */
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

/* Notes that sim_share.wake of a box became wake, not SIM_NEVER. */
static inline void
sim_due_note(struct sim_share *h, unsigned box, sim_tick wake)
{
   if (!sim_due_note_near(h, box, wake))
      sim_due_note_rare(h, box, wake);
}

/* Clocks the box of sim_share.wake entry wake at tick or earlier. */
static inline void
sim_wake_at(struct sim_share *h, sim_tick *wake, sim_tick tick)
{
   if (tick < *wake) {
      *wake = tick;
      sim_due_note(h, (unsigned)(wake - h->wake), tick);
   }
}

/* Marks the boxes of the wheel that are due at t, the next tick, as due soon; drops the wheel's
 * other bits of t. */
void sim_due_take_wheel(struct sim_share *h, sim_tick t);
/* Prepares sim_due_take of tick t, the next to be clocked. */
static inline void
sim_due_look(struct sim_share *h, sim_tick t)
{
   if (h->due.used >> t % SIM_DUE_TICKS & 1 || __builtin_expect(h->due.far <= t, 0))
      sim_due_take_wheel(h, t);
}
/* Returns a bit for each of 64 boxes that is due and in a cycle of its domain; marks it asleep. */
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
/* Does the same for tests and profiles: fills a list in clocking order and returns its length. */
unsigned sim_due_list(struct sim_share *h, sim_tick t, uint16_t *list);
/* Returns the first tick from t on with a due box; SIM_NEVER: all sleep. */
sim_tick sim_due_next(struct sim_share *h, sim_tick t);

#endif
