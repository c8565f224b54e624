/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the record share.
 */
#ifndef SIM_RECORD_IMPL_H
#define SIM_RECORD_IMPL_H

#include <sqlite3.h>
#include <sys/types.h>
#include "core/sim_cost.h"
#include "report/sim_record.h"

/* A row that waits for those before it: its exclusive cycles depend on them. */
struct record_work {
   struct sim_row row;
   char label[SIM_LABEL_BYTES];
   uint32_t frame, number;
   uint64_t start, end; /* cycles */
   struct sim_limits limits;
};

/* Tables of a kind (work, frame, interval) that hold statistics: a column for each sum, and the
 * numbers of boxes that there are several of as a JSON text. */
struct record_values {
   sqlite3_stmt *sums, *instances;
   const bool *chosen; /* [column]; NULL: all */
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
   double committed, began; /* host time */
   const struct report_columns *columns;
   const struct sim_kernel *kernel;
   bool *chosen; /* [column]: of rows of work */
   struct record_values work_values, frame_values, interval_values;
   sqlite3_stmt *put_work, *put_frame, *put_interval, *put_program, *put_binding, *end_run;
   sqlite3_stmt *drop_counters, *drop_boxes, *put_instruction, *put_cost;
   char *json; /* for one row's instances */
   size_t json_size;
   struct record_ids programs, bindings;
   struct record_costs *costs; /* [number of the program] */
   uint32_t num_costs;
   /* Rows of the present frame. */
   struct record_work *waiting;
   uint32_t num_waiting, waiting_size;
   uint64_t frame_id;    /* work.id of row number 0 of the frame */
   uint32_t next_number; /* above those of the frame so far */
   uint64_t reached;     /* cycle up to which time has been divided among rows */
   uint64_t divided;     /* cycles of the frame that rows have got */
   double cpu;           /* seconds of the run so far */
   uint64_t intervals;
};

/* --- sim_record.c --- */

/* Whether it can be written. */
bool record_usable(const struct sim_record *rec);
/* Remembers the first failure. */
void record_check(struct sim_record *rec, int result);
/* Whether a second has passed since the last commit. */
bool record_old(const struct sim_record *rec);
/* Opens the transaction if there is none. */
void record_begin(struct sim_record *rec);
/* Executes a statement that has its values, and makes it ready for others. */
void record_step(struct sim_record *rec, sqlite3_stmt *s);
sqlite3_stmt *record_prepare(struct sim_record *rec, const char *sql);
void record_sql(struct sim_record *rec, const char *sql);
/* Values of a statement; the text is copied, NULL stays NULL. */
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

/* Makes the tables of a kind and prepares what fills them. */
void record_values_make(struct sim_record *rec, struct record_values *v, const char *kind,
                        const bool *chosen);
void record_values_put(struct sim_record *rec, const struct record_values *v, uint64_t id,
                       const uint64_t *values);
void record_values_free(struct record_values *v);

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
void record_work_new_frame(struct sim_record *rec, uint64_t start);
void record_work_write(struct sim_record *rec, const struct record_work *w, uint64_t exclusive);

#endif
