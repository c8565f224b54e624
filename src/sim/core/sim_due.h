/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due; for core/ only. */
#ifndef SIM_DUE_H
#define SIM_DUE_H

#include "core/sim_box.h"

/* Before the first box. */
void sim_due_init(struct sim_due *d);

/* Marks a box as maybe due at tick, less than SIM_DUE_TICKS away. */
static inline void
sim_due_set(struct sim_due *d, unsigned box, sim_tick tick)
{
   d->boxes[tick % SIM_DUE_TICKS][box / 64] |= 1ull << box % 64;
   d->used |= 1ull << tick % SIM_DUE_TICKS;
}

/* Notes a far tick, or one between two of the box's cycles. */
void sim_due_note_rare(struct sim_due *d, unsigned box, sim_tick wake);

/* As sim_due_note; false where sim_due_note_rare must do it. */
static inline bool
sim_due_note_near(struct sim_due *d, unsigned box, sim_tick wake)
{
   const sim_tick away = wake - d->now - 1;
   if (__builtin_expect(away >= d->ahead, 0))
      return false;
   if (away)
      sim_due_set(d, box, wake);
   else
      d->soon[box / 64] |= 1ull << box % 64;
   return true;
}

/* Notes that sim_due.wake of a box became wake, not SIM_NEVER. */
static inline void
sim_due_note(struct sim_due *d, unsigned box, sim_tick wake)
{
   if (!sim_due_note_near(d, box, wake))
      sim_due_note_rare(d, box, wake);
}

/* Clocks the box of sim_due.wake entry wake at tick or earlier. */
static inline void
sim_wake_at(struct sim_due *d, sim_tick *wake, sim_tick tick)
{
   if (tick < *wake) {
      *wake = tick;
      sim_due_note(d, (unsigned)(wake - d->wake), tick);
   }
}

/* Makes the wheel's boxes due at tick t, the next, due soon; drops its other bits of t. */
void sim_due_take_wheel(struct sim_due *d, sim_tick t);
/* Prepares sim_due_take of tick t, the next to be clocked. */
static inline void
sim_due_look(struct sim_due *d, sim_tick t)
{
   if (d->used >> t % SIM_DUE_TICKS & 1 || __builtin_expect(d->far <= t, 0))
      sim_due_take_wheel(d, t);
}
/* Returns a bit for each of 64 boxes that is due and in a cycle of its domain; marks it asleep. */
static inline uint64_t
sim_due_take(struct sim_due *d, unsigned word)
{
   const uint64_t due = d->soon[word];
   d->soon[word] = 0;
   sim_tick *wakes = d->wake + 64 * word;
   for (uint64_t left = due; left; left &= left - 1)
      wakes[__builtin_ctzll(left)] = SIM_NEVER;
   return due;
}
/* The same for tests and profiles: fills a list in clocking order and returns its length. */
unsigned sim_due_list(struct sim_due *d, sim_tick t, uint16_t *list);
/* Returns the first tick from t on with a due box; SIM_NEVER: all sleep. */
sim_tick sim_due_next(struct sim_due *d, sim_tick t);

#endif
