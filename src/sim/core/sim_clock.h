/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clocks a share's due boxes; for core/ only. A box that goes to sleep has its inputs checked once;
 * a busy one costs nothing extra. Not here: which boxes are due (core/sim_due.c), what happens
 * between ticks (core/sim_run.c). */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "core/sim_due.h"
#include "core/sim_inline.h"

/* Returns when the box must be clocked for a word's inputs: wake or earlier. Objects that are still
 * on the wire may have woken the box too early, so they wake it again. A queue from which the box
 * took something, and that has more, is worth another cycle. An object that has arrived but was
 * left alone waits for a credit or a timer. */
static inline sim_tick
sim_clock_look_at_word(const struct sim_box *b, unsigned word, sim_tick t, sim_tick soonest,
                       sim_tick wake)
{
   for (uint64_t left = b->filled[word]; left; left &= left - 1) {
      const struct sim_signal *s = b->in[64 * word + (unsigned)__builtin_ctzll(left)];
      const sim_tick ready = sim_arrival(s);
      if (ready > t)
         wake = ready < wake ? ready : wake;
      else if (s->last_pop == t)
         return soonest;
   }
   return wake;
}

static sim_tick __attribute__((noinline))
sim_clock_look_at_more(const struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick wake)
{
   for (unsigned word = 1; word < SIM_MAX_INPUTS / 64; word++)
      wake = sim_clock_look_at_word(b, word, t, soonest, wake);
   return wake;
}

/* Does the same for all inputs; returns soonest or later. */
static inline sim_tick
sim_clock_look_at_inputs(const struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick wake)
{
   wake = sim_clock_look_at_word(b, 0, t, soonest, wake);
   /* Few boxes have more inputs than a word has bits. */
   if (__builtin_expect(b->num_in > 64, 0))
      wake = sim_clock_look_at_more(b, t, soonest, wake);
   return wake < soonest ? soonest : wake;
}

/* Clocks a box and returns when it runs again, for the caller to note. wake: its entry of
 * sim_share.wake, SIM_NEVER unless it was woken in this tick. soonest: its next cycle. activity:
 * count it. */
SIM_INLINE sim_tick
sim_clock_box(struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick *wake, bool activity)
{
   if (activity)
      sim_activity_begin(b);
   sim_tick next = b->clock(b, t);
   b->last_clock = b->counted = t;
   if (next <= soonest || *wake <= soonest) {
      next = soonest;
   } else {
      next = *wake < next ? *wake : next;
      next = sim_clock_look_at_inputs(b, t, soonest, next);
   }
   if (activity) {
      if (next > soonest)
         next = sim_activity_sleep(b, t, next);
      else
         sim_activity_end(b, t);
   }
   *wake = next;
   return next;
}

/* Clocks the boxes of a word set in due (at least one). one_domain, activity: the kernel's,
 * constant in each call. */
SIM_INLINE void
sim_clock_boxes(struct sim_share *h, unsigned word, uint64_t due, sim_tick t, bool one_domain,
                bool activity)
{
   struct sim_box *const *boxes = h->kernel->boxes + 64 * word;
   sim_tick *wakes = h->wake + 64 * word;
   uint64_t soon = one_domain ? due : 0;
   do {
      struct sim_box *b = boxes[__builtin_ctzll(due)];
      sim_tick *wake = &wakes[__builtin_ctzll(due)];
      const sim_tick soonest = t + (one_domain ? 1 : b->period);
      const sim_tick next = sim_clock_box(b, t, soonest, wake, activity);
      if (!one_domain || next != soonest) {
         soon &= ~(due & -due);
         if (next != SIM_NEVER)
            sim_due_note(h, (unsigned)(wake - h->wake), next);
      }
   } while (due &= due - 1);
   h->due.soon[word] |= soon;
}

/* Does the same for one clock or several. */
SIM_INLINE void
sim_clock_word(struct sim_share *h, unsigned word, uint64_t due, sim_tick t, bool activity)
{
   if (__builtin_expect(!h->kernel->one_domain, 0))
      sim_clock_boxes(h, word, due, t, false, activity);
   else
      sim_clock_boxes(h, word, due, t, true, activity);
}

/* Begins a tick for the share. The kernel's present tick is the first share's. */
static inline void
sim_clock_begin(struct sim_share *h, sim_tick t)
{
   h->now = t;
   if (h->index == 0)
      h->kernel->now = t;
}

/* Takes the share's boxes due at tick t; false: none. */
static inline bool
sim_clock_take(struct sim_share *h, sim_tick t, uint64_t due[SIM_MAX_BOXES / 64])
{
   const unsigned words = (h->kernel->num_boxes + 63) / 64;
   uint64_t any = 0;
   sim_due_look(h, t);
   for (unsigned word = 0; word < words; word++)
      any |= due[word] = sim_due_take(h, word);
   return any != 0;
}

/* Clocks the boxes taken. */
static void __attribute__((noinline))
sim_clock_words(struct sim_share *h, const uint64_t due[SIM_MAX_BOXES / 64], sim_tick t,
                bool activity)
{
   const unsigned words = (h->kernel->num_boxes + 63) / 64;
   sim_clock_begin(h, t);
   for (unsigned word = 0; word < words; word++) {
      if (!due[word])
         continue;
      if (activity)
         sim_clock_word(h, word, due[word], t, true);
      else
         sim_clock_word(h, word, due[word], t, false);
   }
}

/* Does the same for machines of more than 64 boxes. */
static bool __attribute__((noinline))
sim_clock_large(struct sim_share *h, sim_tick t, bool activity)
{
   uint64_t due[SIM_MAX_BOXES / 64];
   if (!sim_clock_take(h, t, due))
      return false;
   sim_clock_words(h, due, t, activity);
   return true;
}

/* Clocks what is due at tick t; false: nothing is. */
SIM_INLINE bool
sim_clock_tick(struct sim_share *h, sim_tick t, bool activity)
{
   if (h->kernel->num_boxes > 64)
      return sim_clock_large(h, t, activity);
   sim_due_look(h, t);
   const uint64_t due = sim_due_take(h, 0);
   if (!due)
      return false;
   sim_clock_begin(h, t);
   sim_clock_word(h, 0, due, t, activity);
   return true;
}

/* Returns whether a timer is due up to the end of tick t. */
static inline bool
sim_clock_timer_due(const struct sim_kernel *k, sim_tick t)
{
   return __builtin_expect(k->timers.next - 1 < t, 0);
}

static inline bool
sim_clock_goes_on(const struct sim_kernel *k, const bool *stop_flag)
{
   return !k->stopped && !(stop_flag && *stop_flag) && !(k->until && k->until(k->until_data));
}

#endif
