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

/* What the host spent on a frame, in seconds: time that passed, and the simulator's part of it. */
struct report_host_time {
   double wall, cpu;
};

double report_seconds(clockid_t clock);
/* Since the last call. The frame may end while a thread is at work. */
struct report_host_time report_take_host_time(struct sim_report *r);
double report_kcycles_per_s(uint64_t cycles, const struct report_host_time *host);
/* A line for a frame of so many cycles; 0: it was functional. */
void report_progress(const struct sim_report *r, uint64_t cycles,
                     const struct report_host_time *host);

struct report_status {
   bool on;
   pid_t owner;      /* a child of fork() is quiet */
   double told, cpu; /* host time of the last line (0: none), and CPU time then */
   uint64_t cycles;  /* then */
};
/* A line on stderr if that is a terminal. */
void report_status_start(struct sim_report *r, bool wanted);
/* Writes it anew if the last time was some while ago. */
void report_status(struct sim_report *r);
/* Takes it away. */
void report_status_end(struct sim_report *r);

/* --- sim_report_frames.c --- */

/* Whether the present frame has rows. */
bool report_wants_rows(const struct sim_report *r);
/* "0:3,7:10-20": draws that have rows, and what lies between them in the order of commands. */
bool report_draws_parse(struct sim_report *r, const char *list, char *error, size_t error_size);
/* Rows only of what was submitted under a label that matches. */
bool report_label_parse(struct sim_report *r, const char *pattern, char *error, size_t error_size);
/* Whether a row of the present frame is one of all these. draws: that had begun before it. */
bool report_work_wanted(const struct sim_report *r, const struct sim_work *work, uint32_t draws);
/* Whether any of them was in the machine since the last call. */
bool report_window_open(struct sim_report *r);

/* --- sim_report_files.c --- */

/* Opens the folder, makes it if it is missing, and begins its two tables. A folder that another
 * simulator reports into is left alone: this one takes a folder in it. False with a message. */
bool report_files_open(struct sim_report *r, const char *path, char *error, size_t error_size);
void report_files_close(struct sim_report *r);
/* Writes counters.csv: what the columns of statistics are. */
bool report_files_counters(const struct sim_report *r, char *error, size_t error_size);
/* Saves a picture in the folder; false with a message. */
bool report_files_image(const struct sim_report *r, const uint8_t *rgba, uint32_t width,
                        uint32_t height, char *error, size_t error_size);

/* --- sim_pending.c: rows of work and intervals of the present frame --- */

struct pending_work {
   struct sim_work work; /* with the texts that follow */
   struct sim_work_texts texts;
   uint32_t number; /* in the frame; UINT32_MAX - 1, UINT32_MAX: what comes last */
   bool hidden;     /* not written: others' exclusive cycles depend on it */
   uint64_t start, end;
   struct sim_limits limits;
   size_t first; /* of its counts; those of state 0 are the row's, of others parts of it */
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
   size_t write_at;           /* bytes that wait from which some are written */
   struct measure_values row; /* the one that is written */
   uint64_t reached;          /* cycle up to which time has been divided among rows */
   uint64_t divided;          /* cycles of the frame that rows have got */
   uint32_t next_number;      /* above those of the frame so far */
};

bool report_pending_make(struct sim_report *r);
void report_pending_free(struct sim_report *r);
/* Adds a row, whose number and end are there. values: NULL: nothing was counted; parts: by state,
 * NULL: there are no states. */
void report_pending_work(struct sim_report *r, const struct pending_work *work,
                         const struct measure_values *values, const struct measure_parts *parts);
void report_pending_interval(struct sim_report *r, const struct sim_record_interval *interval,
                             const struct measure_parts *parts);
/* Writes what waits, rows in the order of commands: all of it; or, when it is much, what is below a
 * number (measure_work_complete). */
void report_pending_write(struct sim_report *r);
void report_pending_write_some(struct sim_report *r);
/* The next frame begins in this cycle; what still waits is forgotten. */
void report_pending_next_frame(struct sim_report *r, uint64_t start);

/* --- sim_tables.c: rows of draws.csv and frames.csv --- */

void report_tables_headers(struct sim_report *r);
/* A row of work whose statistics are in r->pending.row. */
void report_tables_work(struct sim_report *r, const struct pending_work *w, uint64_t exclusive);
void report_tables_frame(struct sim_report *r, const struct sim_record_frame *f);

/* --- sim_report.c --- */

/* Prints once that the reports end here, and ends them all: rows after a gap would mislead. */
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
   bool no_picture;               /* of the present frame */
   int folder;                    /* -1: none */
   char *path;                    /* of the folder, for messages */
   struct sim_csv draws, frames;
   struct sim_record *record; /* NULL: none */
   struct report_pending pending;
   bool has_states; /* the record says in which states the domains were */
   struct report_status status;
   struct sim_limits frame_limits; /* of the frame before */
   bool no_draws_csv, pack_draws;  /* draws.csv has no rows; is draws.csv.zst */
   bool progress, save_frames;
   bool failed;                       /* something could not be written, and the user knows */
   struct report_draws *draws_wanted; /* NULL: all */
   unsigned num_draws_wanted;
   char *label_wanted;             /* NULL: all */
   bool label_seen, part_of_a_run; /* there was such a row; others report the rest of the run */
   /* Since report_window_open: a row was taken; a frame with rows has ended. */
   bool window_touched, frame_touched;
   double last_host;
   /* CPU time of the simulator: spent, when the thread that is in it entered, at the last frame. */
   double cpu, cpu_entered, last_cpu;
   bool working;
   double draw_began, draw_told; /* host time: sim_report_draw_progress */
};

#endif
