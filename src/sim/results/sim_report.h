/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a run: frames.csv, draws.csv, the record, pictures of frames, progress. A report
 * listens to a run (measure/sim_observer.h), and reads what is measured of it. Every function but
 * sim_report_create accepts NULL for the report and then does nothing.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "results/sim_record.h"

struct sim_report;

struct sim_report_options {
   const char *out_dir; /* where files go, made if missing; NULL: no files */
   bool save_frames;    /* also write frame-NNNN.png; needs out_dir */
   bool progress;       /* a line per frame on stderr */
   bool status;         /* one that says where it is, if stderr is a terminal */
   /* What rows and intervals are limited to; NULL: everything. */
   const char *draws;         /* "0:3,7:10-20": draws of frames */
   const char *label;         /* * and ? as below */
   bool part_of_a_run;        /* others report the rest of it */
   const char *draws_columns; /* names of statistics, * and ? stand for any characters; "none" */
   const char *record; /* which of "sqlite" and "csv" are written, a comma between; NULL: both.
                          "boxes": work and intervals with statistics of single boxes.
                          frames.csv always is */
   struct sim_record_run run;
};

/* Opens the files and listens. A folder that another simulator reports into, or that an earlier one
 * of this process has reported into, is left alone: then the files go to simulator-2, -3, ... in
 * it, with a message on stderr. What is measured lives as long as the report, and work is counted
 * if sim_report_writes_files. NULL with a message on failure. */
struct sim_report *sim_report_create(struct sim_measure *measure,
                                     const struct sim_report_options *o, char *error,
                                     size_t error_size);
/* Writes what is pending and closes the files. Writing ends for good with the first failure (a full
 * disk), with a message; rows that were written before are whole. */
void sim_report_destroy(struct sim_report *r);
/* Whether the present frame's picture is one of those that are saved; by default it is. */
void sim_report_choose_picture(struct sim_report *r, bool chosen);
/* A label is "[target] group/group: marker". name: all of it, or a target, a group, several with
 * what stands between them, or a marker; * and ? in it stand for any characters. label: NULL: none.
 */
bool sim_report_label_matches(const char *name, const char *label);
/* In a child after fork(): the files are the parent's. */
void sim_report_disown(struct sim_report *r);
bool sim_report_writes_files(const struct sim_report *r);
/* Whether something could not be written. */
bool sim_report_failed(const struct sim_report *r);
/* Around the work of a thread in the simulator: its CPU time is what a frame cost. */
void sim_report_begin_work(struct sim_report *r);
void sim_report_end_work(struct sim_report *r);
/* The folder that it writes to; NULL: none. */
const char *sim_report_folder(const struct sim_report *r);

#endif
