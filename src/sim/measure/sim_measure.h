/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Measuring: what the boxes of a machine counted, and for which piece of work. A statistic has a
 * column (sim_columns.c). What was counted is a value for each column (sim_values.c). sim_work.c
 * knows which work has which work id; sim_intervals.c measures equal stretches of time;
 * sim_states.c divides counts among the voltages of a DVFS policy. Not here: files (results/).
 */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include <stdio.h>
#include "measure/sim_counters.h"
#include "measure/sim_limiter.h"
#include "measure/sim_work.h"

struct sim_measure;

/* --- sim_columns.c --- */

struct measure_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu

/* Where a box counts: of work id n at n * stride bytes and at cycles + n * SIM_NUM_ACTIVITIES. */
struct measure_source {
   uint8_t *stats;
   uint64_t *cycles;
   uint32_t stride;
   uint16_t num, padded; /* statistics; with the zeros behind them; 0: it has none */
};

/* Statistics' columns: sums of every class, then those of numbered boxes. */
struct measure_columns {
   unsigned num, num_classes;
   unsigned num_sums; /* the first ones, of classes; the others are those of numbered boxes */
   struct measure_class classes[SIM_MAX_BOXES];
   unsigned sum[SIM_MAX_BOXES], own[SIM_MAX_BOXES]; /* of a box; NO_COLUMN */
   unsigned *draws, num_draws;                      /* those that draws.csv has, in order */
   char *names;                                     /* of all, each after a comma */
   size_t name_bytes, names_size;                   /* of these; of the memory */
   struct measure_source source[SIM_MAX_BOXES];
   unsigned num_sources; /* boxes */
};

void measure_columns_make(struct measure_columns *c, const struct sim_kernel *k);
/* Makes their names, once; false: out of host memory. */
bool measure_columns_name(struct measure_columns *c, const struct sim_kernel *k);
/* Chooses those of draws.csv. list: patterns with commas between them, NULL: all. */
bool measure_columns_choose(struct measure_columns *c, const struct sim_kernel *k, const char *list,
                            char *error, size_t error_size);
/* Calls visit with every column of a class, in order, and its name. */
void measure_columns_each_sum(const struct measure_columns *c,
                              void (*visit)(void *data, unsigned column, const char *name),
                              void *data);
/* What a box of a class counts: its own statistics, then what it does with its cycles. */
unsigned measure_class_stats(const struct sim_box_class *cls);
const struct sim_stat_desc *measure_class_stat(const struct sim_box_class *cls, unsigned s);
/* Whose row gets it, in words. */
const char *measure_class_attribution(const struct sim_box_class *cls, unsigned s);
/* "cycles" */
const char *measure_unit_text(enum sim_unit unit);
/* Boxes of a class in the machine. */
unsigned measure_class_boxes(const struct sim_kernel *k, const struct sim_box_class *cls);
/* Whether a class may have several boxes: they are numbered, and have columns of their own. */
bool measure_class_numbered(const struct sim_box_class *cls);
/* counters.csv: a line for each column that is a sum. */
void measure_columns_describe(const struct measure_columns *c, const struct sim_kernel *k, FILE *f);
void measure_columns_free(struct measure_columns *c);
/* A comma and a name for each column, or each of draws.csv. */
char *measure_columns_put_names(const struct measure_columns *c, const struct sim_kernel *k,
                                bool draws, char *p);
/* "ZST-SU#" gives "ZST-SU". */
void measure_unit_name(const struct sim_box_class *cls, char *unit, size_t size);

/* --- sim_values.c --- */

/* What was counted, by column, and which columns that are: most are 0 for most commands. */
struct measure_values {
   uint64_t *value;   /* [column] */
   uint16_t *touched; /* columns that are not 0, each once, in no order */
   unsigned num_touched;
};

bool measure_values_make(struct measure_values *v, unsigned num);
void measure_values_free(struct measure_values *v);
void measure_values_clear(struct measure_values *v);
void measure_values_add(struct measure_values *v, const struct measure_values *more);
/* count: not 0 */
static inline void
measure_values_count(struct measure_values *v, unsigned column, uint64_t count)
{
   if (!v->value[column])
      v->touched[v->num_touched++] = (uint16_t)column;
   v->value[column] += count;
}

/* The same by state of the domains' voltages. */
struct measure_parts {
   struct measure_values *state; /* [state]; value NULL: nothing was counted in it */
   unsigned num;
};

/* Values of a state, of which there are so many; NULL: out of host memory. */
struct measure_values *measure_parts_state(struct measure_parts *p, unsigned num_states,
                                           unsigned state, unsigned num_columns);
void measure_parts_clear(struct measure_parts *p);
void measure_parts_free(struct measure_parts *p);

/* Moves the counters of a work id to v, which is cleared first. They count for the frame. Without
 * memory for the states that they were counted in there are none from then on. */
void measure_take(struct sim_measure *m, unsigned work_id, struct measure_values *v);
/* Adds the counters of a work id to the columns of sums, or to all columns; they stay. */
void measure_look_sums(const struct sim_measure *m, unsigned work_id, uint64_t *sums);
void measure_look(const struct sim_measure *m, unsigned work_id, uint64_t *all);
/* Everything that was counted in the run until now, by column. After sim_kernel_flush_counters. */
void measure_total(const struct sim_measure *m, uint64_t *all);
/* From now on what is taken is remembered for measure_total; false: out of host memory. */
bool measure_remember(struct sim_measure *m);

/* --- sim_work.c --- */

bool measure_work_make(struct sim_measure *m);
void measure_work_free(struct sim_work_table *table);
/* Takes the rows that are complete. */
void measure_work_take_done(struct sim_work_table *table, sim_tick now);
/* And what those have so far that are not. */
void measure_work_end_frame(struct sim_work_table *table, sim_tick now);
/* Whether a work id may hold counters. */
bool measure_work_in_use(const struct sim_work_table *table, unsigned work_id);
/* Rows below this number of the frame are complete. */
uint32_t measure_work_complete(const struct sim_work_table *table);

/* --- sim_intervals.c --- */

struct measure_interval {
   sim_tick start, end;
   const struct measure_values *values;
};

struct measure_intervals {
   sim_tick ticks, from;         /* length, 0: none; end of the interval before */
   struct measure_values values; /* of one interval */
   uint64_t *now, *before;       /* [column]: everything until its end, its beginning */
   void (*ended)(void *owner, const struct measure_interval *interval);
};

/* Intervals of so many cycles from now on; ended is called with m->owner. False: out of host
 * memory. */
bool measure_intervals_start(struct sim_measure *m, uint32_t cycles,
                             void (*ended)(void *owner, const struct measure_interval *interval));
/* The last one, which may be shorter. */
void measure_intervals_finish(struct sim_measure *m);
void measure_intervals_free(struct sim_measure *m);

/* --- sim_states.c --- */

struct measure_states;

/* Domains have voltages from now on. False: out of host memory. */
bool measure_states_make(struct sim_measure *m);
void measure_states_free(struct sim_measure *m);
/* A domain is about to have another voltage. Returns the state that the domains are in then;
 * *is_new: for the first time. False: out of host memory. */
bool measure_states_change(struct sim_measure *m, unsigned domain, unsigned voltage,
                           unsigned *state, bool *is_new);
/* Voltages of the present state, by domain. */
const uint16_t *measure_states_voltages(const struct sim_measure *m);
/* The counters of a work id are about to be taken (measure_take). */
bool measure_states_take(struct sim_measure *m, unsigned work_id);
/* That row has none of its own: it is what was put off. */
void measure_states_take_earlier(struct sim_measure *m);
/* That row is put off. */
bool measure_states_put_off(struct sim_measure *m);
/* The parts of that row, of the frame that ends, of the interval that ends: valid until the next
 * call. NULL: there are no states, or no memory. */
const struct measure_parts *measure_states_row(struct sim_measure *m);
const struct measure_parts *measure_states_frame(struct sim_measure *m);
const struct measure_parts *measure_states_interval(struct sim_measure *m);

/* --- sim_banks.c: what rows counted in which state. False: out of host memory --- */

struct measure_banks;

struct measure_banks *measure_banks_make(unsigned num_work_ids, unsigned num_columns);
void measure_banks_free(struct measure_banks *b);
/* What the work id counted since the last time is the state's. all: [column], and what it counted
 * at all is added there; NULL: nowhere. */
bool measure_banks_look(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                        unsigned state, uint64_t *all);
/* Its bank is that of the row which is taken now; the work id begins with an empty one. */
bool measure_banks_take(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                        unsigned state);
/* The row's is put to that of earlier work; and the other way round. */
bool measure_banks_put_off(struct measure_banks *b);
void measure_banks_take_earlier(struct measure_banks *b);
/* The row's, which is empty then; NULL: out of host memory. */
const struct measure_parts *measure_banks_row(struct measure_banks *b, unsigned num_states);

/* --- sim_measure.c --- */

/* What is measured of a machine. */
struct sim_measure {
   struct sim_kernel *kernel;
   struct measure_columns columns;
   struct sim_limiter limiter;
   struct sim_work_table work;
   struct sim_counters *counters; /* sim_counters.c; NULL: nobody has asked yet */
   uint32_t next_draw;            /* of the present frame */
   struct measure_values frame;   /* taken in the present frame */
   uint64_t *taken;               /* [column]: in the run; NULL: nobody asks */
   struct measure_intervals intervals;
   struct measure_states *states; /* NULL: frequencies do not change */
   /* Takes the counters of a work id: its row is complete, or its frame ends. */
   void (*take)(void *owner, const struct sim_work_state *s, uint16_t work_id, sim_tick now);
   void *owner;
};

/* The kernel's boxes exist already. False: out of host memory. */
bool sim_measure_make(struct sim_measure *m, struct sim_kernel *k, void *owner,
                      void (*take)(void *owner, const struct sim_work_state *s, uint16_t work_id,
                                   sim_tick now));
void sim_measure_free(struct sim_measure *m);
/* Cycles of a clock domain until a tick. */
uint64_t measure_cycles(const struct sim_measure *m, unsigned domain, sim_tick tick);
/* What limited what was counted from a tick to another. */
struct sim_limits measure_limits(const struct sim_measure *m, const uint64_t *values,
                                 sim_tick start, sim_tick end);

#endif
