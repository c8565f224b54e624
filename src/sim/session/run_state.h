/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of a process that attila-run watches: whether it has a simulated GPU and a context,
 * whether it is inside the simulator now, and how far simulated time has come, which is the clock
 * that the program sees (src/tools/app_hook_clock.c). The state is a small file that all of these
 * processes map; it is always up to date, since a program may end in any way. It changes no
 * result. */
#ifndef ATTILA_RUN_STATE_H
#define ATTILA_RUN_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* The file is $ATTILA_RUN_DIR/PID. All numbers but busy only grow. */
struct attila_run_state {
   uint32_t wanted;   /* simulated GPUs that the program wanted */
   uint32_t gpus;     /* simulated GPUs that were made */
   uint32_t contexts; /* OpenGL contexts made */
   uint32_t frames;   /* frames ended */
   uint32_t busy;     /* threads inside the simulator */
   uint32_t limit;    /* the process ended itself after the frames it was allowed */
   uint64_t time_ns;  /* simulated, of all GPUs together */
};

/* How far a simulator has come. */
struct attila_run_progress {
   uint32_t frames;  /* that have ended */
   uint64_t time_ns; /* simulated */
};

/* Without ATTILA_RUN_DIR these do nothing. */
void attila_run_wanted(void);
void attila_run_created(void);
void attila_run_enter(void);
/* Adds the progress from *counted to now, and sets *counted to now. */
void attila_run_leave(struct attila_run_progress *counted, struct attila_run_progress now);
void attila_run_limit(void);

#endif
