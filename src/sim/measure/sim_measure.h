/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Measuring: what the boxes of a machine counted, for which piece of work. Statistics have columns
 * (sim_columns.c); what was counted are values of columns (sim_values.c); who has which slot is
 * known by sim_rows.c. Not here: files (results/).
 */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include <stdio.h>
#include "measure/sim_counters.h"
#include "measure/sim_limiter.h"
#include "measure/sim_rows.h"

/* --- sim_columns.c --- */

struct measure_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu

/* Where a box counts: of slot n at n * stride bytes and at cycles + n * SIM_NUM_ACTIVITIES. */
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

/* Counters as they lie in the boxes: those of each box that counted something, in the order of
 * boxes. */
struct measure_raw {
   uint64_t stats[SIM_MAX_BOXES / 64]; /* bit per box: its own statistics are there */
   uint64_t cycles[SIM_MAX_BOXES / 64];
   uint32_t num; /* counters */
   uint64_t counter[];
};

/* Bytes that the counters of a slot need at most. */
size_t measure_raw_size(const struct sim_kernel *k);
/* Takes the counters of a slot and leaves zeros. Returns the bytes. */
size_t measure_raw_take(struct measure_raw *raw, const struct measure_columns *c, bool avx2,
                        unsigned slot);
void measure_values_add_raw(struct measure_values *v, const struct measure_columns *c,
                            const struct sim_kernel *k, const struct measure_raw *raw);
/* Zeros for every counter; then counters of slots are added and left as they are. */
void measure_raw_start(struct measure_raw *raw, const struct sim_kernel *k);
void measure_raw_look(struct measure_raw *raw, const struct sim_kernel *k, unsigned slot);
/* Adds the counters of a slot to the columns of sums, and leaves them as they are. */
void measure_values_look(const struct measure_columns *c, const struct sim_kernel *k, unsigned slot,
                         uint64_t *sums);
/* The same for all columns. */
void measure_values_look_all(const struct measure_columns *c, const struct sim_kernel *k,
                             unsigned slot, uint64_t *values);

/* --- sim_rows.c --- */

bool measure_rows_make(struct sim_measure *m);
void measure_rows_free(struct sim_rows *rows);
/* Takes the rows that are complete. */
void measure_rows_take_done(struct sim_rows *rows, sim_tick now);
/* And what those have so far that are not. */
void measure_rows_end_frame(struct sim_rows *rows, sim_tick now);

/* Rows below this number of the frame are complete: in sim_rows.c. */
uint32_t measure_rows_complete(const struct sim_rows *rows);

/* --- sim_banks.c: what rows counted in which state. False: out of host memory --- */

struct measure_banks;

struct measure_banks *measure_banks_make(unsigned num_slots, unsigned num_columns);
void measure_banks_free(struct measure_banks *b);
/* What the slot counted since the last time is the state's. all: [column], and what it counted at
 * all is added there; NULL: nowhere. */
bool measure_banks_look(struct measure_banks *b, const struct sim_measure *m, unsigned slot,
                        unsigned state, uint64_t *all);
/* Its bank is that of the row which is handed over now; the slot begins with an empty one. */
bool measure_banks_take(struct measure_banks *b, const struct sim_measure *m, unsigned slot,
                        unsigned state);
/* The row's is put to that of earlier work; and the other way round. */
bool measure_banks_put_off(struct measure_banks *b);
void measure_banks_take_earlier(struct measure_banks *b);
/* The row's, which is empty then; NULL: out of host memory. */
const struct measure_parts *measure_banks_row(struct measure_banks *b, unsigned num_states);

/* --- */

/* What is measured of a machine. */
struct sim_measure {
   struct sim_kernel *kernel;
   struct measure_columns columns;
   struct sim_limiter limiter;
   struct sim_rows rows;
   struct sim_counters *counters; /* sim_counters.c; NULL: nobody has asked yet */
   uint32_t next_draw;            /* of the present frame */
   /* Whoever takes the counters of a slot: its row is complete, or its frame ends. */
   void (*take)(void *owner, const struct sim_row_state *s, uint16_t slot, sim_tick now);
   void *owner;
};

#endif
