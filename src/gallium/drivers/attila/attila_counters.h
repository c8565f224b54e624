/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator's counters as driver queries, in groups by box. */
#ifndef ATTILA_COUNTERS_H
#define ATTILA_COUNTERS_H

#include <stdbool.h>

struct attila_cs;
struct attila_screen;
struct pipe_screen;
struct attila_batch; /* a query of several counters */
union pipe_query_result;

/* counters: PIPE_QUERY_DRIVER_SPECIFIC + index. Returns NULL if a counter is unknown or memory is
 * exhausted. */
struct attila_batch *attila_batch_create(struct attila_cs *cs, unsigned num,
                                         const unsigned *counters);
void attila_batch_destroy(struct attila_cs *cs, struct attila_batch *b);
bool attila_batch_begin(struct attila_cs *cs, struct attila_batch *b);
void attila_batch_end(struct attila_cs *cs, struct attila_batch *b);
/* result: a number per counter. Returns false if the result is not available yet (without wait). */
bool attila_batch_result(struct attila_cs *cs, struct attila_batch *b, bool wait,
                         union pipe_query_result *result);

/* Call it once the simulator exists. Functional mode has no counters. Returns false if memory is
 * exhausted. */
bool attila_init_screen_counters(struct attila_screen *screen);
/* Sets entry points if there are counters; call it before the caps. */
void attila_init_screen_counter_queries(struct pipe_screen *screen);
void attila_finish_screen_counters(struct attila_screen *screen);

#endif
