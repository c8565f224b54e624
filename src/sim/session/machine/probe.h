/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Probes of a machine in cycle mode: what is being drawn at a cycle, what memory would hold if all
 * caches were written back, and the host time of each kind of box. A probe changes no cycle. */
#ifndef ATTILA_PROBE_H
#define ATTILA_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/sim_signal.h"

struct attila_regs;
struct sim_machine;

/* Calls back once, at the end of this GPU clock cycle; the callback may ask for another cycle. */
void attila_probe_at(struct sim_machine *m, uint64_t cycle, void (*call)(void *data, sim_tick now),
                     void *data);

struct attila_drawing {
   const struct attila_regs *regs; /* of the oldest draw in flight, else of the draw or clear that
                                      started last; NULL: there was none yet */
   bool in_flight;
   uint32_t draw; /* in_flight: its number in the frame */
};
struct attila_drawing attila_probe_drawing(const struct sim_machine *m);

/* Reads memory, including all that the ROPs have done so far. [address, address + size) must be in
 * memory. */
void attila_probe_memory(const struct sim_machine *m, uint32_t address, uint32_t size,
                         uint8_t *data);

/* In functional mode: func/sim_func.h, sim_func_watch_pixel. */
struct sim_func_fragment;
void attila_probe_pixel(struct sim_machine *m, int32_t x, int32_t y,
                        void (*call)(void *user, const struct sim_func_fragment *found, bool after),
                        void *user);

/* In functional mode: func/sim_func.h, sim_func_watch_grid. */
void attila_probe_grid(struct sim_machine *m, int32_t x, int32_t y, int32_t step,
                       void (*call)(void *user, int32_t x, int32_t y,
                                    const struct sim_func_fragment *found),
                       void *user);

/* In functional mode: func/sim_func.h, sim_func_watch_cover. */
struct sim_func_cover;
void attila_probe_cover(struct sim_machine *m, struct sim_func_cover *cover);

/* In functional mode: func/sim_func.h, sim_func_watch_vertices. */
struct sim_func_vertices_watch;
void attila_probe_vertices(struct sim_machine *m, const struct sim_func_vertices_watch *w);

/* Measures each box's host time from now on, which itself costs time. */
void attila_probe_profile(struct sim_machine *m);

/* Host time of all boxes of a kind. */
struct attila_host_time {
   const char *name;
   unsigned boxes;
   uint64_t ns;
};
/* Lists at most max kinds, the longest time first; returns their number. */
unsigned attila_probe_host_times(const struct sim_machine *m, struct attila_host_time *times,
                                 unsigned max);

/* Returns the largest speed-up that so many threads (1 to 16) could have with these times, if they
 * never waited and synchronised for free. */
double attila_probe_threads_bound(const struct sim_machine *m, unsigned threads);
/* Returns how many threads may clock boxes. *share: the share of ticks that all of them clocked, 0
 * to 1. */
unsigned attila_probe_threads(const struct sim_machine *m, double *share);

#endif
