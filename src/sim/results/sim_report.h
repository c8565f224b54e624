/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a run: frames.csv, draws.csv, the record, pictures of frames, progress. A report
 * listens to a run (measure/sim_observer.h) and reads its measurements. Every function but
 * sim_report_create accepts NULL for the report and then does nothing. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "results/sim_record.h"

struct sim_report;

struct sim_report_options {
   const char *out_dir; /* folder of the files, made if missing; NULL: no files */
   bool save_frames;    /* also write frame-NNNN.png; needs out_dir */
   bool progress;       /* a line per frame on stderr */
   bool status;         /* status line, if stderr is a terminal */
   /* Which rows and intervals are written; NULL: all. */
   const char *draws;         /* "0:3,7:10-20": draws of frames */
   const char *label;         /* pattern with * and ?, see sim_report_label_matches */
   bool part_of_a_run;        /* another simulator reports the rest of the run */
   const char *draws_columns; /* names of statistics, with * and ?; "none" */
   const char *record; /* "sqlite", "csv", separated by a comma; NULL: both. "boxes": work and
                        * intervals with statistics of single boxes. frames.csv is always written */
   struct sim_record_run run;
};

/* Opens the files and listens. If another simulator reports into the folder, or an earlier one of
 * this process has done so, its files stay: the new ones go to the subfolder simulator-2, -3, ...,
 * with a message on stderr. measure must outlive the report and must count work if
 * sim_report_writes_files. Returns NULL with a message on failure. */
struct sim_report *sim_report_create(struct sim_measure *measure,
                                     const struct sim_report_options *o, char *error,
                                     size_t error_size);
/* Writes pending rows and closes the files. The first failure (a full disk) ends writing, with a
 * message; rows written before are whole. */
void sim_report_destroy(struct sim_report *r);
/* Sets whether the present frame's picture is saved; the default is true. */
void sim_report_choose_picture(struct sim_report *r, bool chosen);
/* A label is "[target] group/group: marker". Returns whether name matches the whole label, its
 * target, one or several consecutive groups, or its marker; * and ? stand for any characters. label
 * NULL: no label. */
bool sim_report_label_matches(const char *name, const char *label);
/* Call it in a child after fork(): the files belong to the parent. */
void sim_report_disown(struct sim_report *r);
bool sim_report_writes_files(const struct sim_report *r);
/* Returns whether something could not be written. */
bool sim_report_failed(const struct sim_report *r);
/* Call these around the work of a thread in the simulator: its CPU time counts for the frame. */
void sim_report_begin_work(struct sim_report *r);
void sim_report_end_work(struct sim_report *r);
/* Returns the folder of the files; NULL: none. */
const char *sim_report_folder(const struct sim_report *r);

#endif
