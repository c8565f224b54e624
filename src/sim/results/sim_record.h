/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The record of a run: run.sqlite in its folder (record.md). A commit at the end of every frame
 * writes all rows so far: however the process ends, the file is complete up to its last whole
 * frame. Not here: the text tables beside it (sim_csv.h), rows that wait for the frame's end
 * (sim_pending.c). */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "measure/sim_measure.h"

struct sim_config;

/* What the record says about a run, apart from its process. */
struct sim_record_run {
   const char *mode;                      /* "cycle", ... */
   const char *config_path, *ideal;       /* NULL: none */
   const char *ignored_keys;              /* keys of the .ini file, with reasons; NULL: none */
   const struct sim_config *config;       /* NULL: not recorded. Lives as long as the report */
   const char *draws_columns;             /* as in the option */
   const char *cycle_draws, *cycle_label; /* simulated parts of frames; NULL: all */
   uint32_t interval;                     /* cycles; 0: none */
   const char *power;                     /* energy table, a file or "builtin"; NULL: none */
   bool boxes;     /* also statistics of single boxes for work and intervals */
   bool rows_only; /* machine and views are in another record of the run (cli_merge.c) */
};

#define SIM_RECORD_NAME "run.sqlite"
#define SIM_RECORD_SCHEMA 8 /* run.schema; grows when a table or column changes its meaning */

/* Opens an empty record in the folder, an absolute path; deletes an old record. measure must
 * outlive the record. Returns NULL with a message on failure. */
struct sim_record *sim_record_create(const char *folder, const struct sim_measure *measure,
                                     char *error, size_t error_size);
/* Makes the tables and records what is known of the run. Call it after sim_record_create. */
void sim_record_fill(struct sim_record *rec, const struct sim_record_run *run);
/* Commits and closes. Returns false if rows were lost. After sim_record_disown it only frees. */
bool sim_record_close(struct sim_record *rec);
/* Call it in a child after fork(): the file belongs to the parent. */
void sim_record_disown(struct sim_record *rec);
/* Returns the message of the first failure, after which nothing is written; NULL: none. */
const char *sim_record_error(const struct sim_record *rec);
/* Writes all rows so far. If a reader is in the middle of a query, they wait for the next
 * commit. */
void sim_record_commit(struct sim_record *rec);
/* Marks the end of the run; rows may still follow. complete: the run ended normally. */
void sim_record_finish(struct sim_record *rec, bool complete);

/* Returns the name of a primitive, such as "TRIANGLES". */
const char *sim_record_prim_name(uint32_t prim);

/* What a row counted in one state of the domains' voltages. */
struct sim_record_part {
   uint32_t state, column;
   uint64_t value;
};

/* A row of work; rows come in the order of commands. number: its place in the frame, from 1; 0:
 * what the work of earlier frames cost here. start, end: cycles. The exclusive cycles belong to
 * this row alone. */
struct sim_record_work {
   const struct sim_work *work;
   uint32_t frame, number;
   bool hidden; /* not written; its cycles still belong to no other row */
   uint64_t start, end, from, exclusive;
   const struct measure_values *values;
   const struct sim_record_part *parts; /* by state */
   uint32_t num_parts;
   const struct sim_limits *limits;
};
void sim_record_work(struct sim_record *rec, const struct sim_record_work *work);

/* A frame has ended, and its rows of work were passed. */
struct sim_record_frame {
   uint32_t frame, draws;
   uint64_t start, end; /* cycles */
   double ms;           /* simulated */
   double wall, cpu;    /* host seconds */
   uint64_t domain_cycles[SIM_NUM_DOMAINS];
   const struct measure_values *values;
   const struct measure_parts *parts; /* by state; NULL: there are no states */
   struct sim_limits limits;
};
void sim_record_frame(struct sim_record *rec, const struct sim_record_frame *frame);
/* The frame had this many numbers; those of later rows follow them. */
void sim_record_next_frame(struct sim_record *rec, uint32_t numbers);

/* The row of an interval of cycles. */
struct sim_record_interval {
   uint32_t frame;      /* frame in which it ends */
   uint64_t start, end; /* cycles */
   uint64_t domain_cycles[SIM_NUM_DOMAINS];
   const struct measure_values *values;
   const struct sim_record_part *parts;
   uint32_t num_parts;
};
void sim_record_interval(struct sim_record *rec, const struct sim_record_interval *interval);

/* sim_record_clocks.c: domains, changes of frequency, states (vectors of voltages by domain) */
void sim_record_domain(struct sim_record *rec, unsigned domain, const char *name);
/* Sets the state from now on. Call it after sim_record_state if the state is new. */
void sim_record_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                      const struct sim_clock_change *change, unsigned state);
void sim_record_state(struct sim_record *rec, unsigned state, const uint16_t *voltage);

/* New programs and bindings, with their numbers (measure/sim_numbers.c). */
void sim_record_program(struct sim_record *rec, uint32_t number,
                        const struct sim_seen_program *program);
void sim_record_bindings(struct sim_record *rec, uint32_t number,
                         const struct sim_seen_surface *surfaces, unsigned num);
/* What a new state of draws changes. */
void sim_record_pipeline(struct sim_record *rec, uint32_t number,
                         const struct sim_pipeline_change *changes, unsigned num);
/* In sim_record_passes.c: writes the next pass of the frame. Cycles are those of the GPU clock. */
void sim_record_pass(struct sim_record *rec, uint32_t frame, const struct sim_seen_pass *pass);

/* Writes what instructions cost in the frame that ends. */
void sim_record_put_costs(struct sim_record *rec, uint32_t frame);

#endif
