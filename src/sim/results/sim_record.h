/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The record of a run: run.sqlite in its folder (record.md says what is in it). What is handed
 * over is in the file after the next commit: at the end of every frame, and about every second in a
 * frame that takes longer. A process that is killed leaves everything up to there. Not here: the
 * tables of text beside it (sim_report_csv.c).
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include <stdio.h>
#include "measure/sim_limiter.h"
#include "results/sim_report_impl.h"

#define SIM_RECORD_NAME "run.sqlite"
#define SIM_RECORD_SCHEMA 2 /* run.schema: grows when a table or column changes its meaning */

/* Opens an empty record in the folder, whose absolute path this is; an old one is deleted. columns
 * and kernel live as long as the record. chosen: the statistics of rows, those of columns->draws.
 * NULL with a message on failure. */
struct sim_record *sim_record_create(const char *folder, const struct measure_columns *columns,
                                     const struct sim_kernel *kernel, char *error,
                                     size_t error_size);
/* What comes next: the tables, and what is known of the run. All that follows is for one thread at
 * a time, but what says otherwise. */
void sim_record_fill(struct sim_record *rec, const struct sim_record_run *run);
/* Commits and closes. False if something was lost. After sim_record_disown: only forgets. */
bool sim_record_close(struct sim_record *rec);
/* In a child after fork(): the file is the parent's. */
void sim_record_disown(struct sim_record *rec);
/* The message of the first failure, after which nothing is written; NULL: none. */
const char *sim_record_error(const struct sim_record *rec);

/* A row of work, with statistics by column. number: its place in the order of commands of the
 * frame, from 1; start and end in cycles. Rows that a frame has once come after all others. */
struct sim_record_work {
   const struct sim_row *row;
   uint32_t frame, number;
   bool hidden; /* not in the file: others' exclusive cycles depend on it */
   uint64_t start, end;
   const struct measure_values *values;
   const struct measure_parts *parts; /* by state; NULL: there are no states */
   struct sim_limits limits;
};
void sim_record_work(struct sim_record *rec, const struct sim_record_work *work);
/* Rows whose number is below this are all there: those that wait may be written. */
void sim_record_work_until(struct sim_record *rec, uint32_t number);

/* A frame has ended, and its rows of work have been handed over. */
struct sim_record_frame {
   uint32_t frame, draws;
   uint64_t start, end; /* cycles */
   double ms;           /* simulated */
   double wall, cpu;    /* host seconds */
   uint64_t domain_cycles[SIM_NUM_DOMAINS];
   const struct measure_values *values;
   struct sim_limits limits;
};
void sim_record_frame(struct sim_record *rec, const struct sim_record_frame *frame);
/* The next one begins in this cycle. */
void sim_record_next_frame(struct sim_record *rec, uint64_t start, bool kept);
/* The row of an interval of cycles. */
struct sim_record_interval {
   uint32_t frame;      /* in which it ends */
   uint64_t start, end; /* cycles */
   uint64_t domain_cycles[SIM_NUM_DOMAINS];
   const struct measure_values *values;
};
void sim_record_interval(struct sim_record *rec, const struct sim_record_interval *interval);
/* The number of the interval that comes next. */
uint64_t sim_record_intervals(const struct sim_record *rec);

/* sim_record_clocks.c: domains, changes of their frequency, states (vectors of voltages by domain),
 * and what was counted in each. */
struct sim_report_clock;
void sim_record_domain(struct sim_record *rec, unsigned domain, const char *name);
/* state: from now on, after sim_record_state if it is new. */
void sim_record_clock(struct sim_record *rec, uint32_t frame, sim_tick now,
                      const struct sim_report_clock *change, unsigned state);
void sim_record_state(struct sim_record *rec, unsigned state, const uint16_t *voltage);
/* The parts of a frame or interval, from one cycle to another. */
enum sim_states_of { SIM_STATES_WORK, SIM_STATES_FRAME, SIM_STATES_INTERVAL, SIM_NUM_STATES_OF };
struct sim_record_states {
   enum sim_states_of of;
   uint64_t id, start, end;
   const struct measure_parts *parts;
};
void sim_record_states(struct sim_record *rec, const struct sim_record_states *states);

/* The run has come to its end, though more may follow. */
void sim_record_finish(struct sim_record *rec);
/* Forgets rows that wait: they belong to no frame. */
void sim_record_drop_work(struct sim_record *rec);
/* Writes what is pending to the file. */
void sim_record_commit(struct sim_record *rec);
/* Whether that is worth its time: a second has passed, or many rows wait. */
bool sim_record_due(const struct sim_record *rec);

/* The number of a program or of what is bound, from 1; an equal one has the same. 0: not recorded.
 * *fresh: nobody has asked for it yet, and it is not in the file. These three may be called while
 * another thread writes. */
uint32_t sim_record_number_program(struct sim_record *rec, const struct sim_record_program *program,
                                   bool *fresh);
uint32_t sim_record_number_bindings(struct sim_record *rec,
                                    const struct sim_record_surface *surfaces, unsigned num,
                                    bool *fresh);
/* Where to count what a program's instructions cost, by position; the record's. NULL: nowhere. */
struct sim_cost *sim_record_costs(struct sim_record *rec, uint32_t program, uint32_t num_instrs);
/* What has been counted is that frame's, and counting begins anew; wanted: it is recorded. Nobody
 * may be counting. */
void sim_record_take_costs(struct sim_record *rec, uint32_t frame, bool wanted);
/* Writes a fresh one. */
void sim_record_program(struct sim_record *rec, uint32_t number,
                        const struct sim_record_program *program);
void sim_record_bindings(struct sim_record *rec, uint32_t number,
                         const struct sim_record_surface *surfaces, unsigned num);

#endif
