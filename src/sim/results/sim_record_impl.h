/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the record share. */
#ifndef SIM_RECORD_IMPL_H
#define SIM_RECORD_IMPL_H

#include <sqlite3.h>
#include <sys/types.h>
#include "results/sim_record.h"
#include "results/sim_record_tables.h"

/* What has statistics. Each kind has a name (in views, and as the key) and a table of rows. */
enum record_kind { RECORD_WORK, RECORD_FRAME, RECORD_INTERVAL, RECORD_NUM_KINDS };
struct record_kind_names {
   const char *name, *rows;
};
extern const struct record_kind_names record_kinds[RECORD_NUM_KINDS];

/* A table of statistics for a kind of rows: of one class of boxes, or of all
 * (sim_record_counters.c). */
struct record_counts {
   char *insert;             /* NULL: no such table */
   sqlite3_stmt *put;        /* NULL: not yet prepared */
   unsigned num, num_params; /* statistics; parameters of the INSERT */
   uint16_t *param;          /* [statistic]: number of its parameter; 0: not chosen */
   uint64_t *bound;          /* [statistic]: its parameter's value */
};

struct sim_record {
   sqlite3 *db;
   pid_t owner;
   char *path;
   char error[512];
   bool failed, open, staged; /* open: in a transaction; staged: temporary tables have rows */
   bool boxes;                /* work and intervals have tables of single boxes */
   double began;              /* host time */
   const struct sim_measure *measure;
   bool *chosen; /* [column]: for rows of work */
   sqlite3_stmt *put[RECORD_NUM_TABLES], *end_run;
   struct record_counts *counts[RECORD_NUM_KINDS][2]; /* [class]: sums (frames and intervals use [0]
                                                       * for all classes); single boxes */
   uint64_t frame_id; /* number of the frame's row 0 in the column work.work */
   double cpu;        /* seconds of the run so far */
   uint64_t intervals;
   uint32_t passes;              /* of the present frame */
   struct record_clocks *clocks; /* NULL: frequencies do not change */
   struct record_power *power;   /* NULL: no energies */
};

/* --- sim_record.c --- */

/* Returns whether the record can be written. */
bool record_usable(const struct sim_record *rec);
/* Remembers the first failure. */
void record_check(struct sim_record *rec, int result);
void record_out_of_memory(struct sim_record *rec);
/* Opens the transaction if there is none. */
void record_begin(struct sim_record *rec);
/* Executes a statement whose values are bound, and resets it. */
void record_step(struct sim_record *rec, sqlite3_stmt *s);
sqlite3_stmt *record_prepare(struct sim_record *rec, const char *sql);
void record_sql(struct sim_record *rec, const char *sql);
/* Executes the text and frees it. */
void record_run(struct sim_record *rec, sqlite3_str *sql);
/* Bind a value; NULL stays NULL. Text that is not UTF-8 is converted. The text must stay valid
 * until the statement is executed. */
void record_text(sqlite3_stmt *s, int column, const char *text);
/* Binds a text of our own, which is known to be UTF-8. */
void record_word(sqlite3_stmt *s, int column, const char *word);
void record_number(sqlite3_stmt *s, int column, uint64_t value);
void record_number_or_null(sqlite3_stmt *s, int column, bool is, uint64_t value);
/* Binds the limits, three pairs of columns. */
void record_limits(sqlite3_stmt *s, int column, const struct sim_limits *limits);

/* --- sim_record_schema.c --- */

/* Returns the INSERT of a table, prepared at first use; NULL after a failure. */
sqlite3_stmt *record_put(struct sim_record *rec, enum record_table which);
void record_make_tables(struct sim_record *rec);
void record_make_clock_tables(struct sim_record *rec);
/* From now on, rows of some tables go to temporary tables until the next commit. */
void record_stage(struct sim_record *rec);
/* Moves these rows to the file. */
void record_unstage(struct sim_record *rec);
/* Fills the tables that are written once: the run, its configuration, boxes, counters, kinds. */
void record_describe(struct sim_record *rec, const struct sim_record_run *run);

/* --- sim_record_counters.c --- */

/* Makes the tables of statistics and prepares their statements. */
void record_counts_make(struct sim_record *rec, const struct sim_record_run *run);
/* Returns whether rows have sums of a class. */
bool record_counts_has(const struct sim_record *rec, enum record_kind kind, unsigned cls);
/* Writes the counts of a row. zeros: also those of classes that counted nothing. */
void record_counts_put(struct sim_record *rec, enum record_kind kind, uint64_t id, bool zeros,
                       const struct measure_values *values);
/* Finds the counter and the box of a column; box -1: the column is the sum of all boxes. */
void record_column(const struct sim_record *rec, unsigned column, unsigned *counter, int *instance);
void record_counts_free(struct sim_record *rec);

/* --- sim_record_views.c: derived values --- */

void record_make_views(struct sim_record *rec);

/* --- sim_record_power.c --- */

/* Writes the tables and views of energy for a run in cycle mode. table: a file, or "builtin". Call
 * it after record_describe. */
void record_power(struct sim_record *rec, const char *table, const struct sim_config *config);
/* Records the costs at the voltages of a state of power_states. */
void record_power_state(struct sim_record *rec, unsigned state);

/* --- sim_record_clocks.c --- */

/* Writes the counts and cycles of a row in each state other than the nominal one. */
void record_clocks_work(struct sim_record *rec, const struct sim_record_work *w);
void record_clocks_frame(struct sim_record *rec, const struct sim_record_frame *f);
void record_clocks_interval(struct sim_record *rec, const struct sim_record_interval *i);
/* Begins a frame. */
void record_clocks_next_frame(struct sim_record *rec);
void record_clocks_free(struct sim_record *rec);

/* --- sim_record_costs.c --- */

/* Writes the instructions of a new program. code: text of attila_isa_disassemble. */
void record_costs_describe(struct sim_record *rec, uint32_t program, const char *code,
                           const struct attila_program_note *note);

#endif
