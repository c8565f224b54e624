/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the reports share. */
#ifndef SIM_REPORT_IMPL_H
#define SIM_REPORT_IMPL_H

#include <time.h>
#include "measure/sim_measure.h"
#include "results/sim_csv.h"
#include "results/sim_report.h"

/* --- sim_status.c --- */

/* What the host spent on a frame, in seconds: elapsed time, and CPU time of the simulator. */
struct report_host_time {
   double wall, cpu;
};

double report_seconds(clockid_t clock);
/* Returns the time since the last call. The frame may end while a thread is at work. */
struct report_host_time report_take_host_time(struct sim_report *r);
double report_kcycles_per_s(uint64_t cycles, const struct report_host_time *host);
/* Prints a line for a frame of so many cycles; 0: functional mode. */
void report_progress(const struct sim_report *r, uint64_t cycles,
                     const struct report_host_time *host);

struct report_status {
   bool on;
   pid_t owner;      /* a child of fork() is quiet */
   double told, cpu; /* host time of the last line (0: no line yet), and CPU time then */
   uint64_t cycles;  /* then */
};
/* Starts the status line on stderr if that is a terminal. */
void report_status_start(struct sim_report *r, bool wanted);
/* Rewrites the status line if it is old enough. */
void report_status(struct sim_report *r);
/* Removes the status line. */
void report_status_end(struct sim_report *r);

/* --- sim_report_frames.c --- */

/* Returns whether the present frame has rows. */
bool report_wants_rows(const struct sim_report *r);
/* Reads a list such as "0:3,7:10-20": only these draws have rows, and the other work between
 * them. */
bool report_draws_parse(struct sim_report *r, const char *list, char *error, size_t error_size);
/* Sets a pattern: only work that was submitted under a matching label has rows. */
bool report_label_parse(struct sim_report *r, const char *pattern, char *error, size_t error_size);
/* Returns whether a row of the present frame is wanted by all these choices. draws: how many had
 * begun before it. */
bool report_work_wanted(const struct sim_report *r, const struct sim_work *work, uint32_t draws);
/* Returns whether any wanted work was in the machine since the last call. */
bool report_window_open(struct sim_report *r);

/* --- sim_report_files.c --- */

/* Opens the folder, makes it if it is missing, and begins its two tables. If another simulator
 * reports into the folder, this one uses a subfolder. Returns false with a message on failure. */
bool report_files_open(struct sim_report *r, const char *path, char *error, size_t error_size);
void report_files_close(struct sim_report *r);
/* Writes counters.csv, which describes the columns of statistics. */
bool report_files_counters(const struct sim_report *r, char *error, size_t error_size);
/* Saves a picture in the folder. Returns false with a message on failure. */
bool report_files_image(const struct sim_report *r, const uint8_t *rgba, uint32_t width,
                        uint32_t height, char *error, size_t error_size);

/* --- sim_pending.c: rows of work and intervals of the present frame --- */

struct pending_work {
   struct sim_work work; /* with the texts that follow */
   struct sim_work_texts texts;
   uint32_t number; /* in the frame; UINT32_MAX - 1 and UINT32_MAX: rows that come last */
   bool hidden;     /* not written, but the exclusive cycles of other rows depend on it */
   uint64_t start, end;
   struct sim_limits limits;
   size_t first; /* first of its counts; counts of state 0 are those of the whole row, others are
                    parts */
   uint32_t num, num_parts;
};

struct pending_interval {
   struct sim_record_interval interval;
   size_t first;
   uint32_t num, num_parts;
};

struct report_pending {
   struct pending_work *work;
   struct pending_interval *interval;
   struct sim_record_part *count;
   size_t num_work, work_size, num_intervals, interval_size, num_counts, count_size;
   size_t write_at;           /* when so many bytes wait, some rows are written */
   struct measure_values row; /* values of the row that is being written */
   uint64_t reached;          /* cycle up to which time has been divided among rows */
   uint64_t divided;          /* cycles of the frame that are given to rows */
   uint32_t next_number;      /* above all numbers of the frame so far */
};

bool report_pending_make(struct sim_report *r);
void report_pending_free(struct sim_report *r);
/* Adds a row whose number and end are known. values is NULL if nothing was counted; parts are the
 * values by state, or NULL if there are no states. */
void report_pending_work(struct sim_report *r, const struct pending_work *work,
                         const struct measure_values *values, const struct measure_parts *parts);
void report_pending_interval(struct sim_report *r, const struct sim_record_interval *interval,
                             const struct measure_parts *parts);
/* Writes rows that wait, in the order of commands: all at the end of a frame; before that, if there
 * are many, those below a number (measure_work_complete). */
void report_pending_write(struct sim_report *r);
void report_pending_write_some(struct sim_report *r);
/* Begins the next frame in this cycle; rows that still wait are dropped. */
void report_pending_next_frame(struct sim_report *r, uint64_t start);

/* --- sim_tables.c: rows of draws.csv and frames.csv --- */

void report_tables_headers(struct sim_report *r);
/* Writes a row of work, whose statistics are in r->pending.row. */
void report_tables_work(struct sim_report *r, const struct pending_work *w, uint64_t exclusive);
void report_tables_frame(struct sim_report *r, const struct sim_record_frame *f);

/* --- sim_report.c --- */

/* Ends all reports and prints this once: with a gap, later rows would mislead. */
void report_fail(struct sim_report *r, const char *error);

/* --- */

/* Draws of a frame. */
struct report_draws {
   uint32_t frame, first, last;
};

struct sim_report {
   struct sim_observer observer; /* the first member: report_of */
   struct sim_measure *measure;
   struct sim_observed *observed; /* numbers of frames and draws */
   bool no_picture;               /* the picture of the present frame is not wanted */
   int folder;                    /* -1: none */
   char *path;                    /* of the folder, for messages */
   struct sim_csv draws, frames;
   struct sim_record *record; /* NULL: none */
   struct report_pending pending;
   bool has_states; /* the record has the states of the domains */
   struct report_status status;
   struct sim_limits frame_limits; /* of the frame before */
   bool no_draws_csv, pack_draws;  /* draws.csv has no rows; it is draws.csv.zst */
   bool progress, save_frames;
   bool failed;                       /* something could not be written, and the user knows */
   struct report_draws *draws_wanted; /* NULL: all */
   unsigned num_draws_wanted;
   char *label_wanted; /* NULL: all */
   bool label_seen,
       part_of_a_run; /* a row with the label came; others report the rest of the run */
   /* Since report_window_open: a row was wanted; a frame with rows has ended. */
   bool window_touched, frame_touched;
   double last_host;
   /* CPU time of the simulator: spent so far; when the present thread entered it; at the last
    * frame. */
   double cpu, cpu_entered, last_cpu;
   bool working;
   double draw_began, draw_told; /* host time: sim_report_draw_progress */
};

#endif
