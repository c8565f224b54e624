/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a process tells the one that started it (attila-watch, by way of scripts/attila-run):
 * whether it has a simulated GPU, draws with it, is inside it now; and the clock that the program
 * is shown (src/tools/app_hook_clock.c): how far simulated time has come. The state is a small file
 * that all map; it is written as things happen, since a program may end in any way. Nothing here
 * can change a result.
 */
#ifndef ATTILA_RUN_H
#define ATTILA_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* The file is $ATTILA_RUN_DIR/PID. Numbers only grow, but for busy. */
struct attila_run_state {
   uint32_t gpus;    /* simulated GPUs made */
   uint32_t drew;    /* something was drawn */
   uint32_t frames;  /* frames ended */
   uint32_t busy;    /* threads inside the simulator */
   uint32_t limit;   /* the process ended itself after the frames it was allowed */
   uint64_t time_ns; /* simulated, of all GPUs together */
};

struct attila_sim;

/* Each does nothing when nobody asked. */
void attila_run_created(void);
void attila_run_enter(void);
void attila_run_leave(struct attila_sim *sim);
void attila_run_limit(void);

#endif
