/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Measuring: what boxes counted, and for which work. Each statistic has a column (sim_columns.c);
 * counts are values by column (sim_values.c). sim_work.c holds the work of each work id, sim_rows.c
 * announces rows, sim_intervals.c measures equal stretches of time, sim_states.c divides counts by
 * the voltages that a DVFS policy sets. Not here: uses of rows (listeners, sim_observer.h). */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include <stdio.h>
#include "measure/sim_counters.h"
#include "measure/sim_limiter.h"
#include "measure/sim_observer.h"

struct sim_measure;

/* --- sim_columns.c --- */

struct measure_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu

/* Where a box counts. Work id n has its statistics at stats + n * stride bytes and its activity at
 * cycles + n * SIM_NUM_ACTIVITIES. */
struct measure_source {
   uint8_t *stats;
   uint64_t *cycles;
   uint32_t stride;
   uint16_t num, padded; /* number of statistics, without and with padding zeros; 0: none */
};

/* Columns: sums of every class, then numbered boxes'. */
struct measure_columns {
   unsigned num, num_classes;
   unsigned num_sums; /* these come first; the rest are the columns of numbered boxes */
   struct measure_class classes[SIM_MAX_BOXES];
   unsigned sum[SIM_MAX_BOXES], own[SIM_MAX_BOXES]; /* a box's first columns, or NO_COLUMN */
   unsigned *draws, num_draws;                      /* draws.csv's, in order */
   char *names;                                     /* all names, each after a comma */
   size_t name_bytes, names_size;                   /* bytes used; allocated */
   struct measure_source source[SIM_MAX_BOXES];
   unsigned num_sources; /* boxes */
};

void measure_columns_make(struct measure_columns *c, const struct sim_kernel *k);
/* Makes the names, once. Returns false if host memory is exhausted. */
bool measure_columns_name(struct measure_columns *c, const struct sim_kernel *k);
/* Chooses draws.csv's columns. list: comma-separated patterns; NULL: all. */
bool measure_columns_choose(struct measure_columns *c, const struct sim_kernel *k, const char *list,
                            char *error, size_t error_size);
/* Calls visit with every column of a class, in order, and its name. */
void measure_columns_each_sum(const struct measure_columns *c,
                              void (*visit)(void *data, unsigned column, const char *name),
                              void *data);
/* Returns the number of a box's statistics: its own, then its activity. */
unsigned measure_class_stats(const struct sim_box_class *cls);
const struct sim_stat_desc *measure_class_stat(const struct sim_box_class *cls, unsigned s);
/* Returns a text that says which row is charged. */
const char *measure_class_attribution(const struct sim_box_class *cls, unsigned s);
/* Returns the name of a unit, such as "cycles". */
const char *measure_unit_text(enum sim_unit unit);
/* Returns how many boxes of a class the machine has. */
unsigned measure_class_boxes(const struct sim_kernel *k, const struct sim_box_class *cls);
/* Returns whether a class may have several boxes, which are numbered and have their own columns. */
bool measure_class_numbered(const struct sim_box_class *cls);
/* Writes counters.csv: a line per column of sums. */
void measure_columns_describe(const struct measure_columns *c, const struct sim_kernel *k, FILE *f);
void measure_columns_free(struct measure_columns *c);
/* Appends a comma and a name per column, or per column of draws.csv. */
char *measure_columns_put_names(const struct measure_columns *c, const struct sim_kernel *k,
                                bool draws, char *p);
/* Makes "ZST-SU" of "ZST-SU#". */
void measure_unit_name(const char *code, char *unit, size_t size);

/* --- sim_values.c --- */

/* Counts by column, and a list of the columns that are not 0, which are few for most commands. */
struct measure_values {
   uint64_t *value;   /* [column] */
   uint16_t *touched; /* columns that are not 0, each once, in any order */
   unsigned num_touched;
};

bool measure_values_make(struct measure_values *v, unsigned num);
void measure_values_free(struct measure_values *v);
void measure_values_clear(struct measure_values *v);
void measure_values_add(struct measure_values *v, const struct measure_values *more);
/* Adds to a column. count: not 0. */
static inline void
measure_values_count(struct measure_values *v, unsigned column, uint64_t count)
{
   if (!v->value[column])
      v->touched[v->num_touched++] = (uint16_t)column;
   v->value[column] += count;
}

/* The same, divided by the state of the domains' voltages. */
struct measure_parts {
   struct measure_values *state; /* [state]; value NULL: the state has no counts */
   unsigned num;
};

/* Returns the values of a state; there are num_states. Returns NULL if host memory is exhausted. */
struct measure_values *measure_parts_state(struct measure_parts *p, unsigned num_states,
                                           unsigned state, unsigned num_columns);
void measure_parts_clear(struct measure_parts *p);
void measure_parts_free(struct measure_parts *p);

/* Moves the counters of a work id to v, which is cleared first, and adds them to the frame. If
 * there is no memory to divide them by state, states are given up from then on. */
void measure_take(struct sim_measure *m, unsigned work_id, struct measure_values *v);
/* Add the counters of a work id to the columns of sums, or to all columns. The counters keep their
 * values. */
void measure_look_sums(const struct sim_measure *m, unsigned work_id, uint64_t *sums);
void measure_look(const struct sim_measure *m, unsigned work_id, uint64_t *all);
/* Returns the run's counts so far, by column, after sim_kernel_flush_counters. */
void measure_total(const struct sim_measure *m, uint64_t *all);
/* Adds up what is taken from now on, for measure_total. Returns false if host memory is
 * exhausted. */
bool measure_remember(struct sim_measure *m);

/* --- sim_work.c --- */

bool measure_work_make(struct sim_measure *m);
void measure_work_free(struct sim_work_table *table);
/* Takes the counters of complete rows. */
void measure_work_take_done(struct sim_work_table *table, sim_tick now);
/* Takes the counters of complete rows, and what incomplete rows have counted so far. */
void measure_work_end_frame(struct sim_work_table *table, sim_tick now);
/* Returns whether a work id may hold counters. */
bool measure_work_in_use(const struct sim_work_table *table, unsigned work_id);
/* Returns the number below which the frame's rows are complete. */
uint32_t measure_work_complete(const struct sim_work_table *table);

/* --- sim_rows.c --- */

/* Takes the counters of a work id when its row is complete or its frame ends. */
void measure_rows_take(struct sim_measure *m, const struct sim_work_state *s, uint16_t work_id,
                       sim_tick now);
/* Takes the counters of all work ids at the end of a frame, so that its rows add up to the
 * frame. */
void measure_rows_end_frame(struct sim_measure *m, sim_tick end);

/* --- sim_intervals.c --- */

struct measure_interval {
   sim_tick start, end;
   const struct measure_values *values;
};

struct measure_intervals {
   sim_tick ticks, from;         /* length, 0: there are no intervals; end of the last one */
   struct measure_values values; /* of the present interval */
   uint64_t *now, *before;       /* [column]: run's counts at its end, and beginning */
};

/* Makes intervals of so many cycles from now on (sim_observer_class.interval). Returns false if
 * host memory is exhausted. */
bool measure_intervals_start(struct sim_measure *m, uint32_t cycles);
/* Ends the last interval, which may be shorter. */
void measure_intervals_finish(struct sim_measure *m);
void measure_intervals_free(struct sim_measure *m);

/* --- sim_states.c --- */

struct measure_states;

/* Begins to divide counts by voltages. Returns false if host memory is exhausted. */
bool measure_states_make(struct sim_measure *m);
void measure_states_free(struct sim_measure *m);
/* Called before a domain's voltage changes. Returns the new state; *is_new: the state is seen for
 * the first time. Returns false if host memory is exhausted. */
bool measure_states_change(struct sim_measure *m, unsigned domain, unsigned voltage,
                           unsigned *state, bool *is_new);
/* Returns the present state's voltages, by domain. */
const uint16_t *measure_states_voltages(const struct sim_measure *m);
/* Called before a work id's counters are taken (measure_take). */
bool measure_states_take(struct sim_measure *m, unsigned work_id);
/* For the row of earlier work, which has no work id: takes the counts that were put off. */
void measure_states_take_earlier(struct sim_measure *m);
/* Puts off the counts that were taken last, for the row of earlier work. */
bool measure_states_put_off(struct sim_measure *m);
/* Return the parts of the row taken last, of the ending frame and of the ending interval; they are
 * valid until the next call. NULL: there are no states, or no memory. */
const struct measure_parts *measure_states_row(struct sim_measure *m);
const struct measure_parts *measure_states_frame(struct sim_measure *m);
const struct measure_parts *measure_states_interval(struct sim_measure *m);

/* --- sim_banks.c: counts of rows by state. False: host memory is exhausted --- */

struct measure_banks;

struct measure_banks *measure_banks_make(unsigned num_work_ids, unsigned num_columns);
void measure_banks_free(struct measure_banks *b);
/* Adds the work id's counts since the last time to the state. If all is not NULL, adds all counts
 * of the work id to all[column]. */
bool measure_banks_look(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                        unsigned state, uint64_t *all);
/* Makes the bank of the work id the bank of the row that is being taken; the work id gets an empty
 * one. */
bool measure_banks_take(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                        unsigned state);
/* Add the row's bank to the bank of earlier work; make the bank of earlier work the row's. */
bool measure_banks_put_off(struct measure_banks *b);
void measure_banks_take_earlier(struct measure_banks *b);
/* Returns the contents of the row's bank and empties it. Returns NULL if host memory is
 * exhausted. */
const struct measure_parts *measure_banks_row(struct measure_banks *b, unsigned num_states);

/* --- sim_measure.c --- */

/* What is measured of a machine. */
struct sim_measure {
   struct sim_kernel *kernel;
   struct measure_columns columns;
   struct sim_limiter limiter;
   struct sim_work_table work;
   struct sim_counters *counters; /* sim_counters.c; NULL: unused so far */
   struct sim_observer
       observer; /* the first listener: rows of a frame come before the frame's end */
   struct sim_observed *observed;
   bool counts;                        /* work is counted, for rows or counters */
   struct measure_values frame;        /* all that was taken in this frame */
   struct measure_values row, earlier; /* what was taken last; the work of earlier frames */
   uint64_t *taken; /* [column]: all that was taken in the run; NULL: not needed */
   struct measure_intervals intervals;
   struct measure_states *states; /* NULL: frequencies are fixed */
};

/* Connects to the observed device, and counts nothing yet. Call it once the kernel's boxes (none in
 * functional mode) exist. Returns NULL if host memory is exhausted. */
struct sim_measure *sim_measure_create(struct sim_kernel *k, const struct sim_config *config,
                                       struct sim_observed *observed);
void sim_measure_destroy(struct sim_measure *m);
/* Counts work from now on; call it between runs of the kernel. Commands that are already in the
 * machine get no rows. Returns the table for sim_gpu.work. */
struct sim_work_table *sim_measure_count_work(struct sim_measure *m);
/* Returns the cycles of a clock domain up to a tick. */
uint64_t measure_cycles(const struct sim_measure *m, unsigned domain, sim_tick tick);
/* Finds what limited the counts between two ticks. */
struct sim_limits measure_limits(const struct sim_measure *m, const uint64_t *values,
                                 sim_tick start, sim_tick end);

#endif
