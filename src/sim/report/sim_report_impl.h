/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the reports share.
 */
#ifndef SIM_REPORT_IMPL_H
#define SIM_REPORT_IMPL_H

#include "core/sim_file.h"
#include "report/sim_report.h"

/* --- sim_report_csv.c --- */

/* A row that waits to be written. */
struct csv_row {
   uint64_t key;
   size_t at, size;
};

/* A file of rows. Those in [0, len) are complete and wait to be written. */
struct csv {
   struct sim_file *file; /* NULL: none. Its guard is held while rows change */
   char *data;
   size_t len, capacity;
   struct csv_row *order; /* of the rows in data: as they are written */
   unsigned num, order_capacity;
   unsigned rows; /* begun and ended, ever */
};

/* Room for a row, NULL if there is no file or no host memory (which drops the row rather than the
 * application). A row that was begun is ended; end: the byte after its line break. Rows that wait
 * are written in the order of their keys. */
char *csv_begin(struct csv *c, size_t size);
void csv_end(struct csv *c, const char *end, uint64_t key);
/* Forgets the rows that wait. */
void csv_drop(struct csv *c);
void csv_write(struct csv *c);
void csv_emergency(struct csv *c);
/* False if rows were lost. */
bool csv_close(struct csv *c);
/* Fields; each returns where the next byte goes. A text is quoted, and stays a single line. */
char *csv_put_number(char *p, uint64_t v);
char *csv_put_text(char *p, const char *text);

/* --- sim_report_columns.c --- */

struct report_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu

/* Statistics' columns: sums of every class, then those of numbered boxes. */
struct report_columns {
   unsigned num, num_classes;
   struct report_class classes[SIM_MAX_BOXES];
   unsigned sum[SIM_MAX_BOXES], own[SIM_MAX_BOXES]; /* of a box; NO_COLUMN */
   unsigned *draws, num_draws;                      /* those that draws.csv has, in order */
   size_t name_bytes;                               /* of the names of all, with their commas */
};

void report_columns_make(struct report_columns *c, const struct sim_kernel *k);
/* Chooses those of draws.csv. list: patterns with commas between them, NULL: all. */
bool report_columns_choose(struct report_columns *c, const struct sim_kernel *k, const char *list,
                           char *error, size_t error_size);
void report_columns_free(struct report_columns *c);
/* A comma and a name for each column, or each of draws.csv. */
char *report_columns_put_names(const struct report_columns *c, const struct sim_kernel *k,
                               bool draws, char *p);
/* "ZST-SU#" gives "ZST-SU". */
void report_unit_name(const struct sim_box_class *cls, char *unit, size_t size);
/* Adds the counters of a slot to the columns of sums, and leaves them as they are. */
void report_columns_look(const struct report_columns *c, const struct sim_kernel *k, unsigned slot,
                         uint64_t *sums);
/* Takes the counters of a slot into values (added) and clears them. */
void report_columns_take(const struct report_columns *c, const struct sim_kernel *k, unsigned slot,
                         uint64_t *values);

/* --- sim_rows.c --- */

bool report_rows_make(struct sim_rows *rows, struct sim_report *r, struct sim_kernel *k);
void report_rows_free(struct sim_rows *rows);
/* Takes the rows that are complete. */
void report_rows_take_done(struct sim_rows *rows, sim_tick now);
/* And what those have so far that are not. */
void report_rows_end_frame(struct sim_rows *rows, sim_tick now);
/* In sim_report.c: takes the statistics of a slot. */
void report_take_row(struct sim_report *r, const struct sim_row_state *s, uint16_t slot,
                     sim_tick now);

/* --- sim_report_files.c --- */

/* Opens the folder, makes it if it is missing, and begins its two tables. A folder that another
 * simulator reports into is left alone: this one takes a folder in it. False with a message. */
bool report_files_open(struct sim_report *r, const char *path, char *error, size_t error_size);
void report_files_close(struct sim_report *r);
/* Saves a picture in the folder; false with a message. */
bool report_files_image(const struct sim_report *r, const uint8_t *rgba, uint32_t width,
                        uint32_t height, char *error, size_t error_size);

/* --- */

struct report_frames {
   uint32_t first, last;
};

#define MAX_WARNINGS 256

struct sim_report {
   struct sim_kernel *kernel;
   uint32_t frame, next_draw; /* present frame; number of its next draw */
   int folder;                /* -1: none */
   char *path;                /* of the folder, for messages */
   struct csv draws, frames;
   bool progress, save_frames;
   bool failed; /* something could not be written, and the user knows */
   uint32_t first_frame;
   struct report_frames *draw_frames; /* frames whose draws have rows; NULL: all */
   unsigned num_draw_frames;
   struct report_columns columns;
   struct sim_rows rows;
   bool counts_rows;                    /* somebody wants rows: files, or a monitor */
   struct sim_counters *counters;       /* sim_counters.c; NULL: nobody has asked yet */
   uint64_t *row, *frame_sum, *earlier; /* [column]; earlier: of work of earlier frames */
   sim_tick last_end;                   /* of the frame before */
   double last_host;
   /* CPU time of the simulator: spent, when the thread that is in it entered, at the last frame. */
   double cpu, cpu_entered, last_cpu;
   bool working;
   double draw_began, draw_told; /* host time: sim_report_draw_progress */
   /* Texts that have been printed, by hash. */
   uint64_t warned[MAX_WARNINGS];
   unsigned num_warned;
   uint64_t warnings; /* including repetitions */
};

#endif
