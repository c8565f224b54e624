/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Whether several threads pay (SIMULATOR.Threads): for the files of core/ alone. The kernel runs in
 * windows of some milliseconds, in each of which one thread clocks all boxes, or all threads do.
 * Whichever was faster goes on; the other is tried now and then. Results do not depend on it. Not
 * here: the threads (core/sim_threads.h).
 */
#ifndef SIM_PAY_H
#define SIM_PAY_H

#include "core/sim_box.h"

enum sim_pay_way {
   SIM_PAY_ONE,   /* one thread clocks all boxes, as in a machine that has only one */
   SIM_PAY_WEIGH, /* the same, and measures what each box costs: sim_pay.spent */
   SIM_PAY_ALL,   /* all threads clock */
};

struct sim_pay {
   uint32_t ticks; /* left until sim_pay_end: whoever clocks them counts */
   bool late;      /* a thread did not come in time: the host has something else to do */
   uint64_t spent[SIM_MAX_BOXES];
   enum sim_pay_way way;
   bool waits; /* until threads have woken up */
   /* What windows are for: pay_next. */
   enum { PAY_STAY, PAY_WEIGH, PAY_WARM, PAY_TIME } step;
   bool all, usual;          /* the way of this window, and of most; true: all threads */
   uint32_t length;          /* of windows, in ticks */
   uint32_t left, done;      /* ticks of this one: to come, clocked */
   uint32_t taken;           /* ticks when it was begun, or went on after a run had ended */
   uint32_t windows;         /* to come before the other way is tried */
   uint32_t stay, stay_late; /* how many there are the next time; when threads were late */
   uint64_t start, ns;       /* time of the host: when it was begun or went on; before that */
   double cost[2];           /* ns of a tick in the last window, by all */
   uint64_t clocked[2];      /* ticks, by all */
};

/* A window begins, or goes on in another run: sim_pay.ticks is set, boxes are dealt for the way
 * that is returned. */
enum sim_pay_way sim_pay_begin(struct sim_kernel *k);
/* It has ended, or the run. */
void sim_pay_end(struct sim_kernel *k);

#endif
