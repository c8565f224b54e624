/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the reports share.
 */
#ifndef SIM_REPORT_IMPL_H
#define SIM_REPORT_IMPL_H

#include <stdio.h>
#include <time.h>
#include "core/sim_file.h"
#include "measure/sim_measure.h"
#include "results/sim_report.h"
#include "results/sim_writer.h"

/* Digits; returns where the next byte goes. */
#define REPORT_NUMBER_BYTES 20
char *report_put_digits(char *p, uint64_t v); /* v: 10 or more */
static inline char *
report_put_number(char *p, uint64_t v)
{
   if (v >= 10)
      return report_put_digits(p, v);
   *p = (char)('0' + v);
   return p + 1;
}

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
   unsigned rows;         /* begun and ended, ever */
   struct csv_pack *pack; /* NULL: the file is text */
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
/* --- sim_report_pack.c: the rows that wait are written as frames of zstd; false: not all of them.
 * The second one is for signal handlers --- */

struct csv_pack *csv_pack_create(void);
void csv_pack_free(struct csv_pack *p);
bool csv_pack_write(struct csv *c);
bool csv_pack_write_raw(struct csv *c);

/* A field; returns where the next byte goes. A text is quoted, and stays a single line. */
char *csv_put_text(char *p, const char *text);

/* --- sim_intervals.c --- */

struct report_intervals {
   sim_tick ticks, from; /* length, 0: none; end of the interval before */
   /* The writer's. */
   struct measure_values now, values; /* in rows that are not taken yet; of one interval */
   uint64_t *before, *frames;         /* [column]: until its beginning; of frames that ended */
};

/* Intervals of so many cycles from now on; false: out of host memory. */
bool report_intervals_start(struct sim_report *r, uint32_t cycles);
/* In the writer's thread, before the sums of a frame are forgotten. */
void report_intervals_end_frame(struct sim_report *r);
/* The last one, which may be shorter. */
void report_intervals_finish(struct sim_report *r);
void report_intervals_free(struct sim_report *r);

/* --- sim_report_clocks.c --- */

struct report_clocks;

/* Before the sums of a frame are forgotten, and before its row is written. Cycles. */
void report_clocks_end_frame(struct sim_report *r, uint64_t start, uint64_t end, bool wanted);
/* After everything was settled. */
void report_clocks_end_interval(struct sim_report *r, uint64_t interval, uint64_t start,
                                uint64_t end, bool wanted);
/* The counters of a slot will be taken for the row that is handed over next. */
void report_clocks_take(struct sim_report *r, unsigned slot);
/* That row has none of its own: it is what was handed over as LATER. */
void report_clocks_take_earlier(struct sim_report *r);
/* That row waits for this one. */
void report_clocks_put_off(struct sim_report *r);
/* Its parts; NULL: there are no states. */
const struct measure_parts *report_clocks_row(struct sim_report *r);
void report_clocks_free(struct sim_report *r);

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
   double told, cpu; /* host time of the line before, 0: there is none; CPU time then */
   uint64_t cycles;  /* then */
};
/* A line on stderr if that is a terminal. */
void report_status_start(struct sim_report *r, bool wanted);
/* Writes it anew if the last time was some while ago. */
void report_status(struct sim_report *r);
/* Takes it away. */
void report_status_end(struct sim_report *r);

/* --- sim_report_frames.c --- */

/* "3,10-20,50-": frames whose draws have rows. */
bool report_frames_parse(struct sim_report *r, const char *list, char *error, size_t error_size);
bool report_frames_wanted(const struct sim_report *r);
/* "0:3,7:10-20": draws that have rows, and what lies between them in the order of commands. */
bool report_draws_parse(struct sim_report *r, const char *list, char *error, size_t error_size);
/* Rows only of what was submitted under a label that matches. */
bool report_label_parse(struct sim_report *r, const char *pattern, char *error, size_t error_size);
/* Whether a row of the present frame is one of all these. draws: that had begun before it. */
bool report_row_wanted(const struct sim_report *r, const struct sim_row *row, uint32_t draws);
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

/* --- sim_report_write.c: what the thread does that writes the files (sim_writer.h). Jobs of a
 * report, with what is handed over. At the end of a frame the simulator waits for it, so it may
 * read what changes with frames --- */

enum report_what {
   REPORT_ROW,
   REPORT_ROW_IF_ANY, /* only if anything was counted */
   REPORT_EARLIER,    /* a row of what was handed over as LATER; has no counters itself */
   REPORT_NO_EARLIER, /* forgets them: nobody wants the frame's rows */
   REPORT_LATER,      /* no row yet: of a command of an earlier frame */
   REPORT_NO_ROW,     /* counts for the frame only */
};
struct report_handed_row {
   enum report_what what;
   bool hidden;       /* not written: others' exclusive cycles depend on it */
   uint32_t number;   /* in its frame */
   uint32_t complete; /* rows below this one are there; 0: nobody has looked */
   struct sim_row row;
   char label[SIM_LABEL_BYTES]; /* row.label is nothing */
   struct measure_raw raw;
};
void report_write_row(void *report, void *handed_row);

struct report_handed_frame {
   sim_tick end;
   bool wanted;
   double wall, cpu; /* host seconds */
};
void report_write_frame(void *report, void *handed_frame);

/* Fills the record, and counters.csv; out_dir was opened before. */
struct report_handed_run {
   struct sim_record_run run;
   bool filled; /* the record is already */
   char text[]; /* its texts */
};
void report_write_run(void *report, void *handed_run);
/* The run has come to its end; what came after the last frame belongs to none. */
void report_write_end(void *report, void *drop);
/* sim_record_ids.c: copies and hands over. */
void report_hand_over_program(struct sim_report *r, uint32_t number,
                              const struct sim_record_program *program);
void report_hand_over_bindings(struct sim_report *r, uint32_t number,
                               const struct sim_record_surface *surfaces, unsigned num);
/* Writes what waits in memory. */
void report_write_pending(struct sim_report *r);
/* Tells the user once that the reports end here, and ends them all: rows after a gap would mislead.
 */
void report_fail(struct sim_report *r, const char *error);
uint64_t report_domain_cycles(const struct sim_report *r, unsigned domain, sim_tick tick);

#define REPORT_ROW_BYTES(r) (600 + 2 * SIM_LABEL_BYTES + 21 * (size_t)(r)->measure.columns.num)

/* --- */

struct report_frames {
   uint32_t first, last;
};

/* Draws of a frame. */
struct report_draws {
   uint32_t frame, first, last;
};

#define MAX_WARNINGS 256

struct sim_record;

struct sim_report {
   struct sim_measure measure;
   struct sim_writer *writer;
   size_t raw_bytes;               /* of struct report_handed_row and the most counters */
   struct report_handed_row *lost; /* for those that cannot be handed over */
   unsigned handed;                /* rows since measure_rows_complete was asked */
   double asked;                   /* host time then */
   uint32_t frame;                 /* the present one */
   uint32_t passed_draws;          /* of them: sim_report_pass_over */
   bool in_parts, passing;         /* frames are simulated in parts; not in one now */
   bool no_picture;                /* of the present frame */
   int folder;                     /* -1: none */
   char *path;                     /* of the folder, for messages */
   struct csv draws, frames;
   struct sim_record *record; /* NULL: none */
   struct report_intervals intervals;
   struct report_clocks *clocks; /* NULL: frequencies do not change, or nothing records them */
   struct report_status status;
   struct sim_report_watch watch;
   struct sim_limits frame_limits; /* of the frame before */
   bool no_draws_csv, pack_draws;  /* draws.csv has no rows; is draws.csv.zst */
   bool progress, save_frames;
   _Atomic bool failed; /* something could not be written, and the user knows */
   uint32_t first_frame;
   struct report_frames *draw_frames; /* frames whose draws have rows; NULL: all */
   unsigned num_draw_frames;
   struct report_draws *draws_wanted; /* NULL: all */
   unsigned num_draws_wanted;
   char *label_wanted;             /* NULL: all */
   bool label_seen, part_of_a_run; /* there was such a row; others report the rest of the run */
   /* Since report_window_open: one of them was taken; a frame that is wanted has ended. */
   bool window_touched, frame_touched;
   bool counts_rows;                              /* somebody wants rows: files, or a monitor */
   struct measure_values row, frame_sum, earlier; /* earlier: of work of earlier frames */
   sim_tick last_end;                             /* of the frame before */
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

/* --- sim_report.c --- */

const char *report_prim_name(uint32_t prim);

#endif
