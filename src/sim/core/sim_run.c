/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The kernel's loop clocks what is due (core/sim_box.h, ISPASS 2006 section 3). Not here: which
 * boxes are due (core/sim_due.c), how a box is clocked (core/sim_clock.h), creation
 * (core/sim_kernel.c). */
#include "core/sim_box.h"
#include "core/sim_clock.h"
#include "core/sim_fp.h"
#include "core/sim_inline.h"
#include "core/sim_pay.h"
#include "core/sim_dvfs.h"
#include "core/sim_shares.h"
#include "core/sim_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

/* Sets the present tick of the kernel and of all shares. */
static void
run_set_now(struct sim_kernel *k, sim_tick t)
{
   k->now = t;
   for (unsigned i = 0; i < k->num_shares; i++)
      k->share[i]->now = t;
}

void
sim_box_wake(struct sim_box *b, sim_tick tick)
{
   sim_wake_at(b->share, &b->share->wake[b->index], tick);
}

static uint64_t
run_host_now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Returns cheap time stamps for the profile, in any unit. */
static inline uint64_t
run_stamp(void)
{
#ifdef __x86_64__
   return __rdtsc();
#else
   return run_host_now();
#endif
}

/* Clocks a box, for tests and profiles. */
static void __attribute__((noinline))
run_clock_apart(struct sim_kernel *k, unsigned b, sim_tick t, uint64_t *spent)
{
   const uint64_t start = spent ? run_stamp() : 0;
   struct sim_box *box = k->boxes[b];
   const sim_tick wake =
       sim_clock_box(box, t, t + box->period, &box->share->wake[b], !k->no_activity);
   if (wake != SIM_NEVER)
      sim_due_note(box->share, b, wake);
   if (spent)
      spent[b] += run_stamp() - start;
}

/* Clocks what is due at tick t, for tests and profiles; false: nothing is. spent: as in
 * run_kernel. */
static bool __attribute__((noinline))
run_clock_list(struct sim_kernel *k, sim_tick t, uint64_t *spent)
{
   uint16_t list[SIM_MAX_BOXES];
   const unsigned n = sim_due_list(&k->first, t, list);
   if (n)
      run_set_now(k, t);
   for (unsigned i = 0; i < n; i++)
      run_clock_apart(k, list[i], t, spent);
   return n != 0;
}

/* Stops if no object moved since the last check though boxes were clocked. */
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
   const unsigned n = __atomic_fetch_add(&k->num_after, 1, __ATOMIC_RELAXED);
   if (n >= sizeof(k->after) / sizeof(k->after[0])) {
      fprintf(stderr, "attila: too many calls for the end of a tick\n");
      abort();
   }
   k->after[n].call = call;
   k->after[n].data = data;
}

/* Finds the next timer. */
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

/* Runs the timers up to tick t. Everything up to the present tick is done, and boxes do nothing
 * more up to t. */
static void __attribute__((noinline)) run_timers_until(struct sim_kernel *k, sim_tick t)
{
   while (sim_clock_timer_due(k, t)) {
      unsigned i = 0;
      while (k->timers.timer[i].at != k->timers.next)
         i++;
      if (k->timers.next > k->now)
         run_set_now(k, k->timers.next);
      if (k->dvfs) /* the tick is over */
         sim_dvfs_pass(k, (k->now + 1) * SIM_FINE - 1);
      k->timers.timer[i].at = 0;
      run_find_timer(k);
      k->timers.timer[i].call(k->timers.timer[i].data, k->now);
   }
}

/* Returns whether only timers of the background box remain. Objects on their way to it are no
 * timers: with several domains all others may sleep until they arrive. */
static bool
run_only_background(const struct sim_kernel *k)
{
   const struct sim_box *b = k->background;
   for (unsigned n = 0; n < b->num_in; n++) {
      if (b->in[n]->head != b->in[n]->tail)
         return false;
   }
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      if (b->share->wake[i] != SIM_NEVER && b != k->background)
         return false;
   }
   return true;
}

/* Ends tick t after everything was clocked. */
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

/* Runs machines with DVFS domains from instant to instant, several of which may lie in one tick. */
static void
run_dvfs(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   uint16_t due[SIM_MAX_BOXES];
   while (sim_clock_goes_on(k, stop_flag)) {
      const uint64_t instant = sim_dvfs_next(k);
      if (instant == SIM_NEVER || (k->background && run_only_background(k)))
         return;
      const sim_tick t = instant / SIM_FINE;
      if (sim_clock_timer_due(k, t - 1)) {
         run_timers_until(k, t - 1); /* which may change frequencies */
         continue;
      }
      /* Neither sleeping nor standing still is a stall. */
      if (t - k->now > k->longest_period)
         k->stall_check += t - k->now - k->longest_period;
      sim_dvfs_pass(k, instant);
      run_set_now(k, t);
      const unsigned n = sim_dvfs_due(k, due);
      for (unsigned i = 0; i < n; i++)
         run_clock_apart(k, due[i], sim_box_now(k->boxes[due[i]]), spent);
      run_end_tick(k, t);
      if (k->stall_ticks && t >= k->stall_check)
         run_check_stall(k);
   }
}

/* Returns the first tick from t on with a due box; SIM_NEVER: all sleep. */
static sim_tick
run_next(struct sim_kernel *k, sim_tick t)
{
   sim_tick next = SIM_NEVER;
   for (unsigned i = 0; i < k->num_shares && next > t; i++) {
      const sim_tick due = sim_due_next(k->share[i], t);
      next = due < next ? due : next;
   }
   return next;
}

/* Returns the first later tick with a due box, 0 if there is none. */
static sim_tick __attribute__((noinline)) run_later_tick(struct sim_kernel *k)
{
   const sim_tick next = k->now + 1, due = run_next(k, next);
   if (due == SIM_NEVER || (k->background && run_only_background(k)))
      return 0;
   const sim_tick t = k->thorough ? next : due;
   /* A timer may be far away: while all boxes sleep, the machine does not stall. */
   if (t - k->now > k->longest_period)
      k->stall_check += t - k->now - k->longest_period;
   if (sim_clock_timer_due(k, t - 1))
      run_timers_until(k, t - 1);
   run_set_now(k, t); /* in tests, a tick in which no box may be due */
   return t;
}

/* Ends the present tick. */
static inline void
run_pass_tick(struct sim_kernel *k)
{
   const sim_tick t = k->now;
   run_end_tick(k, t);
   if (sim_clock_timer_due(k, t))
      run_timers_until(k, t);
   if (k->stall_ticks && t >= k->stall_check)
      run_check_stall(k);
}

/* Runs all other machines, for tests and profiles. ticks: NULL, or the most ticks to clock, counted
 * down; returns true at 0. */
static bool __attribute__((noinline))
run_lists(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent, uint32_t *ticks)
{
   for (; !ticks || *ticks; ticks ? (*ticks)-- : 0) {
      if (!sim_clock_goes_on(k, stop_flag))
         return false;
      if (k->thorough || !run_clock_list(k, k->now + 1, spent)) {
         const sim_tick t = run_later_tick(k);
         if (!t)
            return false;
         run_clock_list(k, t, spent);
      }
      run_pass_tick(k);
   }
   return true;
}

/* Does the same without tests and profiles, as fast as possible. */
SIM_INLINE bool
run_ticks(struct sim_kernel *k, const bool *stop_flag, bool activity, uint32_t *ticks)
{
   for (; !ticks || *ticks; ticks ? (*ticks)-- : 0) {
      if (!sim_clock_goes_on(k, stop_flag))
         return false;
      if (!sim_clock_tick(&k->first, k->now + 1, activity)) {
         const sim_tick t = run_later_tick(k);
         if (!t)
            return false;
         sim_clock_tick(&k->first, t, activity);
      }
      run_pass_tick(k);
   }
   return true;
}
static void __attribute__((noinline)) run_plain(struct sim_kernel *k, const bool *stop_flag)
{
   run_ticks(k, stop_flag, false, NULL);
}
static void __attribute__((noinline)) run_counting(struct sim_kernel *k, const bool *stop_flag)
{
   run_ticks(k, stop_flag, true, NULL);
}

/* Runs a window of a machine with several threads (core/sim_pay.h) with the first thread alone. */
static bool __attribute__((noinline)) run_window(struct sim_kernel *k, const bool *stop_flag)
{
   return k->no_activity ? run_ticks(k, stop_flag, false, &k->pay->ticks)
                         : run_ticks(k, stop_flag, true, &k->pay->ticks);
}

/* Does the same with all threads. */
static bool
run_window_all(struct sim_kernel *k, const bool *stop_flag)
{
   while (k->pay->ticks && !k->pay->late) {
      sim_tick t = k->now + 1;
      if (!sim_clock_goes_on(k, stop_flag) || (run_next(k, t) != t && !(t = run_later_tick(k))))
         return false;
      sim_threads_clock(k, t, stop_flag);
      if (k->stopped)
         return false;
      run_pass_tick(k);
   }
   return true;
}

/* Runs machines with several threads. */
static void __attribute__((noinline)) run_windows(struct sim_kernel *k, const bool *stop_flag)
{
   for (bool more = true; more;) {
      const enum sim_pay_way way = sim_pay_begin(k);
      more = way == SIM_PAY_ALL     ? run_window_all(k, stop_flag)
             : way == SIM_PAY_WEIGH ? run_lists(k, stop_flag, k->pay->spent, &k->pay->ticks)
                                    : run_window(k, stop_flag);
      sim_pay_end(k);
   }
}

/* spent: host time per box for profiles, else NULL. */
static void
run_kernel(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   if (setjmp(k->jump))
      return;
   k->running = true;
   if (k->dvfs)
      run_dvfs(k, stop_flag, spent);
   else if (k->num_threads > 1 && !k->trace && !k->thorough && !spent)
      run_windows(k, stop_flag);
   else if (k->order_seed || k->thorough || spent)
      run_lists(k, stop_flag, spent, NULL);
   else if (k->no_activity) /* changes only between runs */
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
   if (k->num_shares > 1)
      sim_shares_deal(k, false);
   sim_threads_rest(k);
   k->running = false;
   return !k->stopped;
}
