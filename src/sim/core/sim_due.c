/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Finds the boxes that are due, without looking at others. Boxes due in the next tick have a bit
 * (due.soon). Later ticks have a wheel of bits for boxes that may be due: sim_share.wake decides,
 * since a box woken earlier than planned leaves a bit behind. Timers beyond the wheel are searched
 * when the first comes near. Not here: what wakes boxes (core/sim_run.c, core/sim_signal.c); DVFS
 * domains with their several times, which use sim_share.wake alone (core/sim_dvfs.c). */
#include "core/sim_due.h"

void
sim_due_init(struct sim_share *h)
{
   h->now = h->kernel->now;
   memset(&h->due, 0, sizeof(h->due));
   h->due.ahead = h->kernel->one_domain ? SIM_DUE_AHEAD : 0;
   h->due.far = SIM_NEVER;
   for (unsigned i = 0; i < SIM_MAX_BOXES; i++)
      h->wake[i] = SIM_NEVER;
}

/* Returns the first tick from t on in which the box, due at tick wake, is clocked. */
static inline sim_tick
due_tick(const struct sim_share *h, unsigned box, sim_tick wake, sim_tick t)
{
   const sim_tick tick = wake < t ? t : wake;
   const struct sim_kernel *k = h->kernel;
   const sim_tick period = k->period[k->domain[box]];
   return k->one_domain ? tick : (tick + period - 1) / period * period;
}

void
sim_due_note_rare(struct sim_share *h, unsigned box, sim_tick wake)
{
   const sim_tick tick = due_tick(h, box, wake, h->now + 1);
   if (tick - h->now - 1 < SIM_DUE_AHEAD)
      sim_due_set(h, box, tick);
   else
      h->due.far = tick < h->due.far ? tick : h->due.far;
}

/* Notes timers that were far away when they were set. Tick t is clocked next. */
static void __attribute__((noinline)) due_note_far(struct sim_share *h, sim_tick t)
{
   h->due.far = SIM_NEVER;
   for (unsigned b = 0; b < h->kernel->num_boxes; b++) {
      if (h->wake[b] == SIM_NEVER)
         continue;
      const sim_tick tick = due_tick(h, b, h->wake[b], t);
      if (tick - t < SIM_DUE_AHEAD)
         sim_due_set(h, b, tick);
      else
         h->due.far = tick < h->due.far ? tick : h->due.far;
   }
}

void
sim_due_take_wheel(struct sim_share *h, sim_tick t)
{
   if (h->due.far <= t)
      due_note_far(h, t);
   const unsigned at = t % SIM_DUE_TICKS;
   h->due.used &= ~(1ull << at);
   for (unsigned first = 0; first < h->kernel->num_boxes; first += 64) {
      uint64_t bits = 0;
      for (uint64_t left = h->due.boxes[at][first / 64]; left; left &= left - 1)
         bits |= h->wake[first + (unsigned)__builtin_ctzll(left)] <= t ? left & -left : 0;
      h->due.soon[first / 64] |= bits;
      h->due.boxes[at][first / 64] = 0;
   }
}

unsigned
sim_due_list(struct sim_share *h, sim_tick t, uint16_t *list)
{
   const struct sim_kernel *k = h->kernel;
   uint64_t due[SIM_MAX_BOXES / 64];
   sim_due_look(h, t);
   for (unsigned word = 0; 64 * word < h->kernel->num_boxes; word++)
      due[word] = sim_due_take(h, word);
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned b = k->order[i];
      const bool in_cycle = t % k->period[k->domain[b]] == 0;
      if (due[b / 64] >> b % 64 & 1 || (k->thorough && in_cycle))
         list[n++] = (uint16_t)b;
   }
   for (unsigned i = 0; i < n; i++)
      h->wake[list[i]] = SIM_NEVER;
   return n;
}

sim_tick
sim_due_next(struct sim_share *h, sim_tick t)
{
   for (unsigned word = 0; 64 * word < h->kernel->num_boxes; word++) {
      if (h->due.soon[word])
         return t;
   }
   while (h->due.used) {
      /* Rotated so that bit 0 is tick t. */
      const unsigned shift = t % SIM_DUE_TICKS;
      const uint64_t used = h->due.used >> shift | h->due.used << (SIM_DUE_TICKS - shift) % 64;
      const sim_tick tick = t + (unsigned)__builtin_ctzll(used);
      if (h->due.far <= tick)
         break;
      const unsigned at = tick % SIM_DUE_TICKS;
      for (unsigned word = 0; 64 * word < h->kernel->num_boxes; word++) {
         for (uint64_t left = h->due.boxes[at][word]; left; left &= left - 1) {
            if (h->wake[64 * word + (unsigned)__builtin_ctzll(left)] <= tick)
               return tick;
         }
         h->due.boxes[at][word] = 0;
      }
      h->due.used &= ~(1ull << at);
   }
   if (h->due.far == SIM_NEVER)
      return SIM_NEVER;
   /* Finds the first far timer that is still valid. */
   sim_tick next = SIM_NEVER;
   for (unsigned b = 0; b < h->kernel->num_boxes; b++) {
      const sim_tick tick = h->wake[b] == SIM_NEVER ? SIM_NEVER : due_tick(h, b, h->wake[b], t);
      next = tick < next ? tick : next;
   }
   return next;
}
