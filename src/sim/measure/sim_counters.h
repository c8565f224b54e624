/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counters for programs: the list of what a machine counts, and monitors that add it up over part
 * of the stream's commands. A counter is a statistic, summed over its unit's instances, or is
 * computed from several statistics (SIM_DERIVED_COUNTERS; hit rates: SIM_CACHES). A monitor counts
 * by rows (sim_work.h): all costs, whenever they arise, of the commands that began while it was
 * open. Costs that belong to no command are in no monitor. */
#ifndef SIM_COUNTERS_H
#define SIM_COUNTERS_H

#include "measure/sim_work.h"

struct sim_measure;
struct sim_monitor;

struct sim_counter {
   const char *name, *group; /* group: the box, or "GPU" */
   const char *unit;         /* of sim_stats.h, "ns" or "%" */
   const char *doc;
};

/* Counters made of statistics: name, unit, sum of "Name_Unit" (separated by spaces), meaning. */
/* clang-format off */
#define SIM_DERIVED_COUNTERS(D)                                                               \
   D("draws", "count", "Batches_CP", "draws")                                                 \
   D("vertices", "vertices", "ShadedVertices_FFU", "vertices shaded")                         \
   D("triangles", "triangles", "OutputTriangles_TS", "primitives that were not culled")       \
   D("fragments", "fragments", "ShadedFragments_FFU", "fragments shaded")                     \
   D("texture-quads", "requests", "TextureResults_TU-FSTU", "quads of texture look-ups")      \
   D("bytes-read", "bytes", "TotalReadBytes_MC", "read from memory")                          \
   D("bytes-written", "bytes", "TotalWriteBytes_MC", "written to memory")                     \
   D("bytes", "bytes", "TotalReadBytes_MC TotalWriteBytes_MC", "to and from memory")

/* clang-format on */

/* Return the counters, which live as long as the machine; there are none in functional mode. */
unsigned sim_counters_num(struct sim_measure *measure);
const struct sim_counter *sim_counters_get(struct sim_measure *measure, unsigned index);

/* Opens a monitor: it counts commands that begin in this context until it is closed. Call it
 * between runs of the kernel. Returns NULL if host memory is exhausted. */
struct sim_monitor *sim_monitor_open(struct sim_measure *measure, uint32_t context);
void sim_monitor_close(struct sim_measure *measure, struct sim_monitor *m);
/* Reads counters' values: the commands' costs so far. */
void sim_monitor_read(struct sim_measure *measure, const struct sim_monitor *m,
                      const unsigned *counters, unsigned num, uint64_t *values);
void sim_monitor_destroy(struct sim_measure *measure, struct sim_monitor *m);
void sim_counters_free(struct sim_measure *measure);

/* Calls from sim_work.c: a command has ended; the statistics of a work id will be taken. */
void sim_monitors_ended(struct sim_work_table *table, const struct sim_work_state *s, sim_tick now);
void sim_monitors_taken(struct sim_work_table *table, const struct sim_work_state *s,
                        uint16_t work_id);

#endif
