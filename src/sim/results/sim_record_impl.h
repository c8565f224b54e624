/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the record share.
 */
#ifndef SIM_RECORD_IMPL_H
#define SIM_RECORD_IMPL_H

#include <signal.h>
#include <sqlite3.h>
#include <sys/types.h>
#include "core/sim_cost.h"
#include "results/sim_record.h"

/* Text that grows. */
struct record_text {
   char *p;
   size_t len, size;
};

/* Where counters stand in the arrays of a kind of rows (sim_record_values.c). */
struct record_layout {
   uint16_t *place, *column; /* [column]; [place] */
   unsigned num, written;    /* places given; of these in the file */
};

/* Numbers of layouts: first enum sim_row_kind. */
#define RECORD_LAYOUT_FRAME SIM_NUM_ROW_KINDS
#define RECORD_LAYOUT_INTERVAL (SIM_NUM_ROW_KINDS + 1)
#define RECORD_LAYOUTS (SIM_NUM_ROW_KINDS + 2)

/* A row that waits for those before it: its exclusive cycles depend on them. */
struct record_work {
   struct sim_row row;
   char label[SIM_LABEL_BYTES];
   uint32_t frame, number;
   bool hidden;         /* not written */
   uint64_t start, end; /* cycles */
   struct sim_limits limits;
   size_t counts, counts_size; /* in sim_record.counts; size 0: none */
   struct record_parts *parts; /* of states; NULL: none */
};

/* Numbers of things by the hash of what they are. */
struct record_ids {
   struct record_id {
      uint64_t hash; /* 0: free */
      uint32_t id;
   } * slot;
   uint32_t num, size; /* size: a power of two, or 0 */
};

/* What the instructions of a program cost in the present frame. */
struct record_costs {
   struct sim_cost *cost; /* [num]; NULL: nobody counts */
   uint32_t num;
};

struct sim_record {
   sqlite3 *db;
   pid_t owner;
   char *path;
   char error[512];
   bool failed, open;       /* open: a transaction is */
   double committed, began; /* host time, by a coarse and a fine clock */
   const struct measure_columns *columns;
   const struct sim_kernel *kernel;
   bool *chosen; /* [column]: of rows of work */
   struct record_layout layouts[RECORD_LAYOUTS];
   uint64_t *places;        /* [column]: zeros, for record_encode */
   struct record_text text; /* of one row */
   sqlite3_stmt *put_work, *put_frame, *put_interval, *put_program, *put_binding, *end_run;
   sqlite3_stmt *put_layout, *put_work_counts, *put_frame_counts, *put_interval_counts;
   sqlite3_stmt *drop_work, *drop_counts, *put_instruction, *put_cost;
   unsigned held;    /* depth of record_enter */
   sigset_t signals; /* before it */
   struct record_ids programs, bindings;
   struct record_costs *costs; /* [number of the program] */
   uint32_t num_costs;
   /* Rows of the present frame. */
   struct record_work *waiting;
   uint32_t num_waiting;
   size_t waiting_size;
   struct record_text counts; /* of those that wait */
   uint64_t frame_id;         /* work.id of row number 0 of the frame */
   uint32_t next_number;      /* above those of the frame so far */
   uint64_t reached;          /* cycle up to which time has been divided among rows */
   uint64_t divided;          /* cycles of the frame that rows have got */
   double cpu;                /* seconds of the run so far */
   uint64_t intervals;
   struct record_clocks *clocks; /* NULL: frequencies do not change */
   struct record_power *power;   /* NULL: no energies */
};

/* --- sim_record.c --- */

/* Whether it can be written. */
bool record_usable(const struct sim_record *rec);
/* Remembers the first failure. */
void record_check(struct sim_record *rec, int result);
/* Whether a second has passed since the last commit. */
bool record_old(const struct sim_record *rec);
/* Around many statements: a signal is held once, and not for each of them. */
void record_enter(struct sim_record *rec);
void record_leave(struct sim_record *rec);
/* Opens the transaction if there is none. */
void record_begin(struct sim_record *rec);
/* Executes a statement that has its values, and makes it ready for others. */
void record_step(struct sim_record *rec, sqlite3_stmt *s);
sqlite3_stmt *record_prepare(struct sim_record *rec, const char *sql);
void record_sql(struct sim_record *rec, const char *sql);
/* Values of a statement; NULL stays NULL. The text must be there until the statement is executed,
 * and is looked at no more after that. */
void record_text(sqlite3_stmt *s, int column, const char *text);
void record_number(sqlite3_stmt *s, int column, uint64_t value);
/* Three pairs of columns. */
void record_limits(sqlite3_stmt *s, int column, const struct sim_limits *limits);

/* --- sim_record_schema.c --- */

/* Makes the tables and views that are the same for every machine. */
void record_make_tables(struct sim_record *rec);
/* sim_record_views.c: what is derived from them. */
void record_make_views(struct sim_record *rec);
/* Those that are filled once: the run, its configuration, boxes, counters, kinds and units. */
void record_describe(struct sim_record *rec, const struct sim_record_run *run);

/* --- sim_record_values.c --- */

/* Makes the tables of statistics and prepares what fills them. */
void record_values_make(struct sim_record *rec);
/* Appends the array of a row. chosen: [column]: those it has; NULL: all. False without memory. */
bool record_encode(struct sim_record *rec, unsigned layout, const struct measure_values *values,
                   const bool *chosen, struct record_text *text);
/* Which counter of which box a column is; -1: the sum of all. */
void record_column(const struct sim_record *rec, unsigned column, unsigned *counter, int *instance);
/* Places that the file does not have yet. */
void record_put_layout(struct sim_record *rec, unsigned layout);
/* Writes an array. s: one of put_..._counts */
void record_put_counts(struct sim_record *rec, sqlite3_stmt *s, uint64_t id, unsigned layout,
                       const char *counts, size_t size);
/* Both. */
void record_put_values(struct sim_record *rec, sqlite3_stmt *s, uint64_t id, unsigned layout,
                       const struct measure_values *values);
void record_layouts_free(struct sim_record *rec);

/* --- sim_record_power.c --- */

/* What events cost, by a table (a file, or "builtin") on the machine of a run in cycles: tables and
 * views. After record_describe. */
void record_power(struct sim_record *rec, const char *table, const struct sim_config *config);
/* What they cost at the voltages of a state, which power_states has. */
void record_power_state(struct sim_record *rec, unsigned state);

/* --- sim_record_clocks.c --- */

/* The arrays of a row's parts; false: out of host memory. */
bool record_clocks_encode(struct sim_record *rec, const struct sim_record_work *work,
                          struct record_parts **parts);
/* A row, in the order of commands, has the cycles from one on, or (other) those of the frame that
 * nobody has; written unless hidden. Its parts are freed. */
void record_clocks_work(struct sim_record *rec, struct record_work *w, uint64_t from,
                        uint64_t exclusive);
/* A frame begins. */
void record_clocks_new_frame(struct sim_record *rec);
void record_clocks_drop_work(struct sim_record *rec);
void record_clocks_free(struct sim_record *rec);

/* --- sim_record_ids.c --- */

void record_ids_free(struct record_ids *ids);

/* --- sim_record_costs.c --- */

/* Makes their tables. */
void record_costs_make(struct sim_record *rec);
/* The instructions of a program, which is new. code: of attila_isa_disassemble. */
void record_costs_describe(struct sim_record *rec, uint32_t program, const char *code);
void record_costs_free(struct sim_record *rec);

/* --- sim_record_work.c --- */

/* Writes the rows that wait and whose number is below this. */
void record_work_flush(struct sim_record *rec, uint32_t below);
void record_work_new_frame(struct sim_record *rec, uint64_t start, bool kept);
void record_work_write(struct sim_record *rec, const struct record_work *w, uint64_t exclusive);

#endif
