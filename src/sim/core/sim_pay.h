/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Whether several threads pay (SIMULATOR.Threads); for core/ only. The kernel runs windows of some
 * milliseconds with one thread or with all; the faster way goes on, the other is tried now and
 * then. Results do not depend on it. Not here: threads (core/sim_threads.h). */
#ifndef SIM_PAY_H
#define SIM_PAY_H

#include "core/sim_box.h"

enum sim_pay_way {
   SIM_PAY_ONE,   /* one thread clocks all boxes */
   SIM_PAY_WEIGH, /* the same, measuring each box's cost: sim_pay.spent */
   SIM_PAY_ALL,   /* all threads clock */
};

struct sim_pay {
   uint32_t ticks; /* left until sim_pay_end; the clocking loop counts down */
   bool late;      /* a thread was late: the host is busy */
   uint64_t spent[SIM_MAX_BOXES];
   enum sim_pay_way way;
   bool waits; /* this window lasts until threads have woken up */
   /* Purpose of windows: pay_next. */
   enum { PAY_STAY, PAY_WEIGH, PAY_WARM, PAY_TIME } step;
   bool all, usual;          /* this window's way, and the usual one; true: all threads */
   uint32_t length;          /* of windows, in ticks */
   uint32_t left, done;      /* ticks of this window: to come, clocked */
   uint32_t taken;           /* ticks when it began, or went on after a run's end */
   uint32_t windows;         /* before the other way is tried */
   uint32_t stay, stay_late; /* next value of windows; the same after late threads */
   uint64_t start, ns;       /* host time when it began or went on; total before that */
   double cost[2];           /* ns per tick in the last window [all threads] */
   uint64_t clocked[2];      /* ticks [all threads] */
};

/* Begins a window, or continues it in another run: sets sim_pay.ticks, deals boxes for the returned
 * way. */
enum sim_pay_way sim_pay_begin(struct sim_kernel *k);
/* Ends the window, or the run. */
void sim_pay_end(struct sim_kernel *k);

#endif
