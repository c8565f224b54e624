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
#include "report/sim_limiter.h"
#include "report/sim_report.h"
#include "report/sim_writer.h"

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

/* --- sim_report_columns.c --- */

struct report_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu

/* Where a box counts: of slot n at n * stride bytes and at cycles + n * SIM_NUM_ACTIVITIES. */
struct report_source {
   uint8_t *stats;
   uint64_t *cycles;
   uint32_t stride;
   uint16_t num, padded; /* statistics; with the zeros behind them; 0: it has none */
};

/* Statistics' columns: sums of every class, then those of numbered boxes. */
struct report_columns {
   unsigned num, num_classes;
   unsigned num_sums; /* the first ones, of classes; the others are those of numbered boxes */
   struct report_class classes[SIM_MAX_BOXES];
   unsigned sum[SIM_MAX_BOXES], own[SIM_MAX_BOXES]; /* of a box; NO_COLUMN */
   unsigned *draws, num_draws;                      /* those that draws.csv has, in order */
   char *names;                                     /* of all, each after a comma */
   size_t name_bytes, names_size;                   /* of these; of the memory */
   struct report_source source[SIM_MAX_BOXES];
   unsigned num_sources; /* boxes */
};

void report_columns_make(struct report_columns *c, const struct sim_kernel *k);
/* Makes their names, once; false: out of host memory. */
bool report_columns_name(struct report_columns *c, const struct sim_kernel *k);
/* Chooses those of draws.csv. list: patterns with commas between them, NULL: all. */
bool report_columns_choose(struct report_columns *c, const struct sim_kernel *k, const char *list,
                           char *error, size_t error_size);
/* Calls visit with every column of a class, in order, and its name. */
void report_columns_each_sum(const struct report_columns *c,
                             void (*visit)(void *data, unsigned column, const char *name),
                             void *data);
/* What a box of a class counts: its own statistics, then what it does with its cycles. */
unsigned report_class_stats(const struct sim_box_class *cls);
const struct sim_stat_desc *report_class_stat(const struct sim_box_class *cls, unsigned s);
/* Whose row gets it, in words. */
const char *report_class_attribution(const struct sim_box_class *cls, unsigned s);
/* "cycles" */
const char *report_measure(enum sim_unit unit);
/* Boxes of a class in the machine. */
unsigned report_class_boxes(const struct sim_kernel *k, const struct sim_box_class *cls);
/* counters.csv: a line for each column that is a sum. */
void report_columns_describe(const struct report_columns *c, const struct sim_kernel *k, FILE *f);
void report_columns_free(struct report_columns *c);
/* A comma and a name for each column, or each of draws.csv. */
char *report_columns_put_names(const struct report_columns *c, const struct sim_kernel *k,
                               bool draws, char *p);
/* "ZST-SU#" gives "ZST-SU". */
void report_unit_name(const struct sim_box_class *cls, char *unit, size_t size);
/* --- sim_report_values.c --- */

/* What was counted, by column, and which columns that are: most are 0 for most commands. */
struct report_values {
   uint64_t *value;   /* [column] */
   uint16_t *touched; /* columns that are not 0, each once, in no order */
   unsigned num_touched;
};

bool report_values_make(struct report_values *v, unsigned num);
void report_values_free(struct report_values *v);
void report_values_clear(struct report_values *v);
void report_values_add(struct report_values *v, const struct report_values *more);
/* count: not 0 */
static inline void
report_values_count(struct report_values *v, unsigned column, uint64_t count)
{
   if (!v->value[column])
      v->touched[v->num_touched++] = (uint16_t)column;
   v->value[column] += count;
}

/* The same by state of the domains' voltages (sim_report_clocks.c). */
struct report_parts {
   struct report_values *state; /* [state]; value NULL: nothing was counted in it */
   unsigned num;
};

/* Values of a state, of which there are so many; NULL: out of host memory. */
struct report_values *report_parts_state(struct report_parts *p, unsigned num_states,
                                         unsigned state, unsigned num_columns);
void report_parts_clear(struct report_parts *p);
void report_parts_free(struct report_parts *p);

/* Counters as they lie in the boxes: those of each box that counted something, in the order of
 * boxes. */
struct report_raw {
   uint64_t stats[SIM_MAX_BOXES / 64]; /* bit per box: its own statistics are there */
   uint64_t cycles[SIM_MAX_BOXES / 64];
   uint32_t num; /* counters */
   uint64_t counter[];
};

/* Bytes that the counters of a slot need at most. */
size_t report_raw_size(const struct sim_kernel *k);
/* Takes the counters of a slot and leaves zeros. Returns the bytes. */
size_t report_raw_take(struct report_raw *raw, const struct report_columns *c, bool avx2,
                       unsigned slot);
void report_values_add_raw(struct report_values *v, const struct report_columns *c,
                           const struct sim_kernel *k, const struct report_raw *raw);
/* Zeros for every counter; then counters of slots are added and left as they are. */
void report_raw_start(struct report_raw *raw, const struct sim_kernel *k);
void report_raw_look(struct report_raw *raw, const struct sim_kernel *k, unsigned slot);
/* Adds the counters of a slot to the columns of sums, and leaves them as they are. */
void report_values_look(const struct report_columns *c, const struct sim_kernel *k, unsigned slot,
                        uint64_t *sums);
/* The same for all columns. */
void report_values_look_all(const struct report_columns *c, const struct sim_kernel *k,
                            unsigned slot, uint64_t *values);

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

/* Rows below this number of the frame are complete: in sim_rows.c. */
uint32_t report_rows_complete(const struct sim_rows *rows);

/* --- sim_intervals.c --- */

struct report_intervals {
   sim_tick ticks, from; /* length, 0: none; end of the interval before */
   /* The writer's. */
   struct report_values now, values; /* in rows that are not taken yet; of one interval */
   uint64_t *before, *frames;        /* [column]: until its beginning; of frames that ended */
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
const struct report_parts *report_clocks_row(struct sim_report *r);
void report_clocks_free(struct sim_report *r);

/* --- sim_report_banks.c: what rows counted in which state. False: out of host memory --- */

struct report_banks;

struct report_banks *report_banks_make(unsigned num_slots, unsigned num_columns);
void report_banks_free(struct report_banks *b);
/* What the slot counted since the last time is the state's. all: [column], and what it counted at
 * all is added there; NULL: nowhere. */
bool report_banks_look(struct report_banks *b, const struct sim_report *r, unsigned slot,
                       unsigned state, uint64_t *all);
/* Its bank is that of the row which is handed over now; the slot begins with an empty one. */
bool report_banks_take(struct report_banks *b, const struct sim_report *r, unsigned slot,
                       unsigned state);
/* The row's is put to that of earlier work; and the other way round. */
bool report_banks_put_off(struct report_banks *b);
void report_banks_take_earlier(struct report_banks *b);
/* The row's, which is empty then; NULL: out of host memory. */
const struct report_parts *report_banks_row(struct report_banks *b, unsigned num_states);

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
   struct report_raw raw;
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

#define REPORT_ROW_BYTES(r) (600 + 2 * SIM_LABEL_BYTES + 21 * (size_t)(r)->columns.num)

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
   struct sim_kernel *kernel;
   struct sim_writer *writer;
   size_t raw_bytes;               /* of struct report_handed_row and the most counters */
   struct report_handed_row *lost; /* for those that cannot be handed over */
   unsigned handed;                /* rows since report_rows_complete was asked */
   double asked;                   /* host time then */
   uint32_t frame, next_draw;      /* present frame; number of its next draw */
   uint32_t passed_draws;          /* of them: sim_report_pass_over */
   bool in_parts, passing;         /* frames are simulated in parts; not in one now */
   bool no_picture;                /* of the present frame */
   int folder;                     /* -1: none */
   char *path;                     /* of the folder, for messages */
   struct csv draws, frames;
   struct sim_record *record; /* NULL: none */
   struct sim_limiter limiter;
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
   struct report_columns columns;
   struct sim_rows rows;
   bool counts_rows;                             /* somebody wants rows: files, or a monitor */
   struct sim_counters *counters;                /* sim_counters.c; NULL: nobody has asked yet */
   struct report_values row, frame_sum, earlier; /* earlier: of work of earlier frames */
   sim_tick last_end;                            /* of the frame before */
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
