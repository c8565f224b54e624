/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The kernel clocks what is due (core/sim_box.h, ISPASS 2006 section 3). A box that is busy costs
 * nothing else, one that goes to sleep has its inputs looked at once. Not here: which boxes are due
 * (core/sim_due.c), creating them (core/sim_kernel.c).
 */
#include "core/sim_box.h"
#include "core/sim_due.h"
#include "core/sim_fp.h"
#include "core/sim_dvfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

/* Objects sent in earlier ticks that have not arrived yet woke the box in vain: look again. A queue
 * from which the box took something and which has more is worth another cycle. What has arrived and
 * was left alone waits for a credit or a timer. Returns when the box must be clocked for the inputs
 * of a word: wake or earlier. */
static inline sim_tick
run_look_at_word(const struct sim_box *b, unsigned word, sim_tick t, sim_tick soonest,
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
run_look_at_more(const struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick wake)
{
   for (unsigned word = 1; word < SIM_MAX_INPUTS / 64; word++)
      wake = run_look_at_word(b, word, t, soonest, wake);
   return wake;
}

/* The same for all inputs; soonest at the earliest. */
static inline sim_tick
run_look_at_inputs(const struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick wake)
{
   wake = run_look_at_word(b, 0, t, soonest, wake);
   /* Few boxes have more inputs than a word has bits. */
   if (__builtin_expect((b->filled[1] | b->filled[2]) != 0, 0))
      wake = run_look_at_more(b, t, soonest, wake);
   _Static_assert(SIM_MAX_INPUTS / 64 == 3, "words of sim_box.filled");
   return wake < soonest ? soonest : wake;
}

/* Clocks one box and computes when it runs again, which the caller has to note. wake: its entry of
 * kernel->wake, SIM_NEVER unless something woke it in this tick. soonest: its next cycle. activity:
 * what it does is counted. */
static inline __attribute__((always_inline)) sim_tick
run_clock_box(struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick *wake, bool activity)
{
   if (activity)
      sim_activity_begin(b);
   sim_tick next = b->clock(b, t);
   b->last_clock = b->counted = t;
   if (next <= soonest || *wake <= soonest) {
      next = soonest;
   } else {
      next = *wake < next ? *wake : next;
      next = run_look_at_inputs(b, t, soonest, next);
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

void
sim_box_wake(struct sim_box *b, sim_tick tick)
{
   sim_wake_at(b->kernel, &b->kernel->wake[b->index], tick);
}

static uint64_t
run_host_now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Cheap time stamps for the profile, in any unit. */
static inline uint64_t
run_stamp(void)
{
#ifdef __x86_64__
   return __rdtsc();
#else
   return run_host_now();
#endif
}

/* For tests and profiles. */
static void __attribute__((noinline))
run_clock_apart(struct sim_kernel *k, unsigned b, sim_tick t, uint64_t *spent)
{
   const uint64_t start = spent ? run_stamp() : 0;
   struct sim_box *box = k->boxes[b];
   const sim_tick wake = run_clock_box(box, t, t + box->period, &k->wake[b], !k->no_activity);
   if (wake != SIM_NEVER)
      sim_due_note(k, b, wake);
   if (spent)
      spent[b] += run_stamp() - start;
}

/* Clocks the boxes of a word, whose bits in due are set; one is. one_domain, activity: as the
 * kernel has them, which the compiler knows where it is called. */
static inline __attribute__((always_inline)) void
run_clock_boxes(struct sim_kernel *k, unsigned word, uint64_t due, sim_tick t, bool one_domain,
                bool activity)
{
   struct sim_box *const *boxes = k->boxes + 64 * word;
   sim_tick *wakes = k->wake + 64 * word;
   uint64_t soon = one_domain ? due : 0;
   do {
      struct sim_box *b = boxes[__builtin_ctzll(due)];
      sim_tick *wake = &wakes[__builtin_ctzll(due)];
      const sim_tick soonest = t + (one_domain ? 1 : b->period);
      const sim_tick next = run_clock_box(b, t, soonest, wake, activity);
      if (!one_domain || next != soonest) {
         soon &= ~(due & -due);
         if (next != SIM_NEVER)
            sim_due_note(k, (unsigned)(wake - k->wake), next);
      }
   } while (due &= due - 1);
   k->due.soon[word] |= soon;
}

/* Clocks what is due at tick t, for tests and profiles; false: nothing is. spent: as in run. */
static bool __attribute__((noinline))
run_clock_list(struct sim_kernel *k, sim_tick t, uint64_t *spent)
{
   uint16_t list[SIM_MAX_BOXES];
   const unsigned n = sim_due_list(k, t, list);
   k->now = n ? t : k->now;
   for (unsigned i = 0; i < n; i++)
      run_clock_apart(k, list[i], t, spent);
   return n != 0;
}

/* clock_boxes of a machine with one clock, or several. */
static inline __attribute__((always_inline)) void
run_clock_word(struct sim_kernel *k, unsigned word, uint64_t due, sim_tick t, bool activity)
{
   if (__builtin_expect(!k->one_domain, 0))
      run_clock_boxes(k, word, due, t, false, activity);
   else
      run_clock_boxes(k, word, due, t, true, activity);
}

/* Machines of more than 64 boxes: as clock_tick. */
static bool __attribute__((noinline))
run_clock_words(struct sim_kernel *k, sim_tick t, bool activity)
{
   const unsigned words = (k->num_boxes + 63) / 64;
   uint64_t due[SIM_MAX_BOXES / 64], any = 0;
   for (unsigned word = 0; word < words; word++)
      any |= due[word] = sim_due_take(k, word);
   if (!any)
      return false;
   k->now = t;
   for (unsigned word = 0; word < words; word++) {
      if (!due[word])
         continue;
      if (activity)
         run_clock_word(k, word, due[word], t, true);
      else
         run_clock_word(k, word, due[word], t, false);
   }
   return true;
}

/* Clocks what is due at tick t; false: nothing is. */
static inline __attribute__((always_inline)) bool
run_clock_tick(struct sim_kernel *k, sim_tick t, bool activity)
{
   sim_due_look(k, t);
   if (k->num_boxes > 64)
      return run_clock_words(k, t, activity);
   const uint64_t due = sim_due_take(k, 0);
   if (!due)
      return false;
   k->now = t;
   run_clock_word(k, 0, due, t, activity);
   return true;
}

/* Stops when no object moved since the check before, though boxes were clocked. */
static void
run_check_stall(struct sim_kernel *k)
{
   uint64_t moved = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      for (unsigned n = 0; n < k->boxes[i]->num_in; n++)
         moved += (uint64_t)k->boxes[i]->in[n]->head + k->boxes[i]->in[n]->tail;
   }
   if (moved == k->stall_moved) {
      snprintf(k->error, sizeof(k->error),
               "tick %llu: no object has moved over any signal for %llu ticks",
               (unsigned long long)k->now, (unsigned long long)k->stall_ticks);
      sim_kernel_dump(k, stderr);
      k->stopped = true;
   }
   k->stall_moved = moved;
   k->stall_check = k->now + k->stall_ticks;
}

void
sim_kernel_after(struct sim_kernel *k, void (*call)(void *data, sim_tick now), void *data)
{
   if (k->num_after == sizeof(k->after) / sizeof(k->after[0])) {
      fprintf(stderr, "attila: too many calls for the end of a tick\n");
      abort();
   }
   k->after[k->num_after].call = call;
   k->after[k->num_after++].data = data;
}

/* Finds the timer that is next. */
static void
run_find_timer(struct sim_kernel *k)
{
   k->timers.next = 0;
   for (unsigned i = 0; i < sizeof(k->timers.timer) / sizeof(k->timers.timer[0]); i++) {
      const sim_tick at = k->timers.timer[i].at;
      if (at && (!k->timers.next || at < k->timers.next))
         k->timers.next = at;
   }
}

void
sim_kernel_call_at(struct sim_kernel *k, sim_tick tick, void (*call)(void *data, sim_tick now),
                   void *data)
{
   unsigned i = 0;
   while (k->timers.timer[i].at && k->timers.timer[i].data != data) {
      if (++i == sizeof(k->timers.timer) / sizeof(k->timers.timer[0])) {
         fprintf(stderr, "attila: internal error: too many timers\n");
         abort();
      }
   }
   k->timers.timer[i].at = tick;
   k->timers.timer[i].call = call;
   k->timers.timer[i].data = data;
   run_find_timer(k);
}

/* Whether a timer is due up to the end of tick t. */
static inline bool
run_timer_due(const struct sim_kernel *k, sim_tick t)
{
   return __builtin_expect(k->timers.next - 1 < t, 0);
}

/* Everything up to the present tick is done, and nothing happens before the one after t. */
static void __attribute__((noinline)) run_timers_until(struct sim_kernel *k, sim_tick t)
{
   while (run_timer_due(k, t)) {
      unsigned i = 0;
      while (k->timers.timer[i].at != k->timers.next)
         i++;
      k->now = k->timers.next > k->now ? k->timers.next : k->now;
      if (k->dvfs) /* the tick is over */
         sim_dvfs_pass(k, (k->now + 1) * SIM_FINE - 1);
      k->timers.timer[i].at = 0;
      run_find_timer(k);
      k->timers.timer[i].call(k->timers.timer[i].data, k->now);
   }
}

/* True when nothing but timers of the background box is to come. What is on its way to the box is
 * no timer: where domains differ, everyone else may sleep until it has arrived. */
static bool
run_only_background(const struct sim_kernel *k)
{
   const struct sim_box *b = k->background;
   for (unsigned n = 0; n < b->num_in; n++) {
      if (b->in[n]->head != b->in[n]->tail)
         return false;
   }
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->wake[i] != SIM_NEVER && k->boxes[i] != k->background)
         return false;
   }
   return true;
}

static inline bool
run_goes_on(const struct sim_kernel *k, const bool *stop_flag)
{
   return !k->stopped && !(stop_flag && *stop_flag) && !(k->until && k->until(k->until_data));
}

/* Everything has been clocked in tick t. */
static inline void
run_end_tick(struct sim_kernel *k, sim_tick t)
{
   if (__builtin_expect(k->num_after != 0, 0)) {
      for (unsigned i = 0; i < k->num_after; i++)
         k->after[i].call(k->after[i].data, t);
      k->num_after = 0;
   }
   if (k->thorough > 1)
      sim_kernel_flush_counters(k);
}

/* Machines with DVFS domains: from instant to instant, of which several may lie in one tick. */
static void
run_dvfs(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   uint16_t due[SIM_MAX_BOXES];
   while (run_goes_on(k, stop_flag)) {
      const uint64_t instant = sim_dvfs_next(k);
      if (instant == SIM_NEVER || (k->background && run_only_background(k)))
         return;
      const sim_tick t = instant / SIM_FINE;
      if (run_timer_due(k, t - 1)) {
         run_timers_until(k, t - 1); /* which may change frequencies */
         continue;
      }
      /* Sleeping is not being stuck, and neither is standing still. */
      if (t - k->now > k->longest_period)
         k->stall_check += t - k->now - k->longest_period;
      sim_dvfs_pass(k, instant);
      k->now = t;
      const unsigned n = sim_dvfs_due(k, due);
      for (unsigned i = 0; i < n; i++)
         run_clock_apart(k, due[i], sim_box_now(k->boxes[due[i]]), spent);
      run_end_tick(k, t);
      if (k->stall_ticks && t >= k->stall_check)
         run_check_stall(k);
   }
}

/* Nothing is due in the next tick: goes on to the first one in which something is, which is 0 if
 * there is none. */
static sim_tick __attribute__((noinline)) run_later_tick(struct sim_kernel *k)
{
   const sim_tick next = k->now + 1, due = sim_due_next(k, next);
   if (due == SIM_NEVER || (k->background && run_only_background(k)))
      return 0;
   const sim_tick t = k->thorough ? next : due;
   /* A timer of a slow machine: while every box sleeps, none is stuck. */
   if (t - k->now > k->longest_period)
      k->stall_check += t - k->now - k->longest_period;
   if (run_timer_due(k, t - 1))
      run_timers_until(k, t - 1);
   k->now = t; /* of tests, in which no domain may have a cycle */
   return t;
}

/* The present tick is over. */
static inline void
run_pass_tick(struct sim_kernel *k)
{
   const sim_tick t = k->now;
   run_end_tick(k, t);
   if (run_timer_due(k, t))
      run_timers_until(k, t);
   if (k->stall_ticks && t >= k->stall_check)
      run_check_stall(k);
}

/* For tests and profiles: all other machines. */
static void __attribute__((noinline))
run_lists(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   while (run_goes_on(k, stop_flag)) {
      if (k->thorough || !run_clock_list(k, k->now + 1, spent)) {
         const sim_tick t = run_later_tick(k);
         if (!t)
            return;
         run_clock_list(k, t, spent);
      }
      run_pass_tick(k);
   }
}

/* The same, when nothing but speed matters. */
static inline __attribute__((always_inline)) void
run_ticks(struct sim_kernel *k, const bool *stop_flag, bool activity)
{
   while (run_goes_on(k, stop_flag)) {
      if (!run_clock_tick(k, k->now + 1, activity)) {
         const sim_tick t = run_later_tick(k);
         if (!t)
            return;
         run_clock_tick(k, t, activity);
      }
      run_pass_tick(k);
   }
}
static void __attribute__((noinline)) run_plain(struct sim_kernel *k, const bool *stop_flag)
{
   run_ticks(k, stop_flag, false);
}
static void __attribute__((noinline)) run_counting(struct sim_kernel *k, const bool *stop_flag)
{
   run_ticks(k, stop_flag, true);
}

/* spent: host time per box, when profiling; else NULL. */
static void
run_kernel(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   if (setjmp(k->jump))
      return;
   k->running = true;
   if (k->dvfs)
      run_dvfs(k, stop_flag, spent);
   else if (k->order_seed || k->thorough || spent)
      run_lists(k, stop_flag, spent);
   else if (k->no_activity) /* which changes between runs */
      run_plain(k, stop_flag);
   else
      run_counting(k, stop_flag);
}

bool
sim_kernel_run(struct sim_kernel *k, const bool *stop_flag)
{
   if (k->stopped)
      return false;
   /* A run after a long sleep starts a new interval. */
   k->stall_check = k->now + k->stall_ticks;
   k->stall_moved = 0;
   const sim_fp_state fp = sim_fp_enter();
   if (k->profile) {
      uint64_t spent[SIM_MAX_BOXES] = {0};
      uint64_t ns = run_host_now(), start = run_stamp();
      run_kernel(k, stop_flag, spent);
      double scale = (double)(run_host_now() - ns) / (double)(run_stamp() - start + 1);
      for (unsigned i = 0; i < k->num_boxes; i++)
         k->boxes[i]->host_ns += (uint64_t)((double)spent[i] * scale);
   } else {
      run_kernel(k, stop_flag, NULL);
   }
   sim_fp_leave(fp);
   k->running = false;
   return !k->stopped;
}
