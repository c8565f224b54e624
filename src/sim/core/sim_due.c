/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due, without looking at others. Boxes due in the next tick have a bit (due.soon).
 * Later ticks have a wheel of bits for boxes that may be due: sim_due.wake decides, since a box
 * woken earlier than planned leaves a bit behind. Timers beyond the wheel are searched when the
 * first comes near. Not here: what wakes boxes (core/sim_run.c, core/sim_signal.c); DVFS domains
 * with their several times, which use sim_due.wake alone (core/sim_dvfs.c). */
#include "core/sim_due.h"

void
sim_due_init(struct sim_due *d)
{
   struct sim_kernel *k = d->kernel;
   *d = (struct sim_due){.kernel = k, .now = k->now, .far = SIM_NEVER};
   d->ahead = k->one_domain ? SIM_DUE_AHEAD : 0;
   for (unsigned i = 0; i < SIM_MAX_BOXES; i++)
      d->wake[i] = SIM_NEVER;
}

/* Returns the first tick from t on in which the box, due at tick wake, is clocked. */
static inline sim_tick
due_tick(const struct sim_due *d, unsigned box, sim_tick wake, sim_tick t)
{
   const sim_tick tick = wake < t ? t : wake;
   const struct sim_kernel *k = d->kernel;
   const sim_tick period = k->period[k->domain[box]];
   return k->one_domain ? tick : (tick + period - 1) / period * period;
}

void
sim_due_note_rare(struct sim_due *d, unsigned box, sim_tick wake)
{
   const sim_tick tick = due_tick(d, box, wake, d->now + 1);
   if (tick - d->now - 1 < SIM_DUE_AHEAD)
      sim_due_set(d, box, tick);
   else
      d->far = tick < d->far ? tick : d->far;
}

/* Notes timers that were far away when set. Tick t is clocked next. */
static void __attribute__((noinline)) due_note_far(struct sim_due *d, sim_tick t)
{
   d->far = SIM_NEVER;
   for (unsigned b = 0; b < d->kernel->num_boxes; b++) {
      if (d->wake[b] == SIM_NEVER)
         continue;
      const sim_tick tick = due_tick(d, b, d->wake[b], t);
      if (tick - t < SIM_DUE_AHEAD)
         sim_due_set(d, b, tick);
      else
         d->far = tick < d->far ? tick : d->far;
   }
}

void
sim_due_take_wheel(struct sim_due *d, sim_tick t)
{
   if (d->far <= t)
      due_note_far(d, t);
   const unsigned at = t % SIM_DUE_TICKS;
   d->used &= ~(1ull << at);
   for (unsigned first = 0; first < d->kernel->num_boxes; first += 64) {
      uint64_t bits = 0;
      for (uint64_t left = d->boxes[at][first / 64]; left; left &= left - 1)
         bits |= d->wake[first + (unsigned)__builtin_ctzll(left)] <= t ? left & -left : 0;
      d->soon[first / 64] |= bits;
      d->boxes[at][first / 64] = 0;
   }
}

unsigned
sim_due_list(struct sim_due *d, sim_tick t, uint16_t *list)
{
   const struct sim_kernel *k = d->kernel;
   uint64_t due[SIM_MAX_BOXES / 64];
   sim_due_look(d, t);
   for (unsigned word = 0; 64 * word < d->kernel->num_boxes; word++)
      due[word] = sim_due_take(d, word);
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned b = k->order[i];
      const bool in_cycle = t % k->period[k->domain[b]] == 0;
      if (due[b / 64] >> b % 64 & 1 || (k->thorough && in_cycle))
         list[n++] = (uint16_t)b;
   }
   for (unsigned i = 0; i < n; i++)
      d->wake[list[i]] = SIM_NEVER;
   return n;
}

sim_tick
sim_due_next(struct sim_due *d, sim_tick t)
{
   for (unsigned word = 0; 64 * word < d->kernel->num_boxes; word++) {
      if (d->soon[word])
         return t;
   }
   while (d->used) {
      /* Bit 0 of the rest is tick t. */
      const unsigned shift = t % SIM_DUE_TICKS;
      const uint64_t used = d->used >> shift | d->used << (SIM_DUE_TICKS - shift) % 64;
      const sim_tick tick = t + (unsigned)__builtin_ctzll(used);
      if (d->far <= tick)
         break;
      const unsigned at = tick % SIM_DUE_TICKS;
      for (unsigned word = 0; 64 * word < d->kernel->num_boxes; word++) {
         for (uint64_t left = d->boxes[at][word]; left; left &= left - 1) {
            if (d->wake[64 * word + (unsigned)__builtin_ctzll(left)] <= tick)
               return tick;
         }
         d->boxes[at][word] = 0;
      }
      d->used &= ~(1ull << at);
   }
   if (d->far == SIM_NEVER)
      return SIM_NEVER;
   /* Finds the first far timer that its box still has. */
   sim_tick next = SIM_NEVER;
   for (unsigned b = 0; b < d->kernel->num_boxes; b++) {
      const sim_tick tick = d->wake[b] == SIM_NEVER ? SIM_NEVER : due_tick(d, b, d->wake[b], t);
      next = tick < next ? tick : next;
   }
   return next;
}
