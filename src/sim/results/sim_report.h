/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a run: frames.csv, draws.csv, pictures of frames, warnings. Both modes call this; it
 * reads the statistics of a kernel's boxes and knows neither the boxes nor what a draw is made of.
 * Every function but sim_report_create accepts NULL for the report and then does nothing.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "hw/attila_cmd.h"
#include "hw/attila_limits.h"
#include "measure/sim_work.h"

struct sim_report;
struct sim_config;
struct attila_isa_program;
struct sim_cost;

/* What the record says of a run besides what its process is (results/sim_record.h). */
struct sim_record_run {
   const char *mode;                      /* "cycle", ... */
   const char *config_path, *ideal;       /* NULL: none */
   const char *ignored_keys;              /* of the .ini file, with reasons; NULL: none */
   const struct sim_config *config;       /* NULL: not recorded. It lives as long as the report */
   const char *draws_columns;             /* as in the options */
   const char *cycle_draws, *cycle_label; /* parts of frames that were simulated; NULL: all */
   uint32_t interval;                     /* cycles; 0: none */
   const char *power;                     /* table of energies, a file or "builtin"; NULL: none */
   bool boxes;     /* work and intervals have statistics of single boxes, too */
   bool rows_only; /* another record of the run has the machine and the views: see cli_merge.c */
};

#define SIM_RECORD_SETUP ATTILA_NUM_STAGES /* stage of the machine's own program */

/* A program that a draw uses. */
struct sim_record_program {
   uint64_t hash; /* of its binary */
   uint32_t stage, frame;
   const char *name; /* NULL: none */
   const struct attila_isa_program *isa;
   struct attila_program_note note;
};

/* A surface that a draw reads or writes. The first part decides which is the same. */
struct sim_record_surface {
   struct {
      int32_t slot; /* colour buffer or texture unit; -1: depth */
      uint32_t texture, address, format, target, width, height, depth, levels, samples;
   } state;
   const char *format, *target, *label; /* constants; label: NULL: none */
};

struct sim_report_options {
   const char *out_dir; /* where files go, made if missing; NULL: no files */
   bool save_frames;    /* also write frame-NNNN.png; needs out_dir */
   bool progress;       /* a line per frame on stderr */
   bool status;         /* one that says where it is, if stderr is a terminal */
   /* What draws.csv is limited to; NULL: everything. */
   const char *draws_frames;  /* "0,10-20,50-" */
   const char *draws;         /* "0:3,7:10-20": draws of frames; rows and intervals */
   const char *label;         /* of what has rows and intervals, * and ? as below */
   bool part_of_a_run;        /* others report the rest of it */
   const char *draws_columns; /* names of statistics, * and ? stand for any characters; "none" */
   const char *record; /* which of "sqlite" and "csv" are written, a comma between; NULL: both.
                          "boxes": work and intervals with statistics of single boxes.
                          frames.csv always is */
   struct sim_record_run run;
};

/* Opens the files. A folder that another simulator reports into, or that an earlier one of this
 * process has reported into, is left alone: then the files go to simulator-2, -3, ... in it, with a
 * message on stderr. The kernel's boxes must exist already (none in functional mode) and live as
 * long as the report. NULL with a message on failure. */
struct sim_report *sim_report_create(struct sim_kernel *kernel, const struct sim_report_options *o,
                                     char *error, size_t error_size);
/* Writes what is pending and closes the files. Writing ends for good with the first failure (a full
 * disk), with a message; rows that were written before are whole. */
void sim_report_destroy(struct sim_report *r);
/* Rows of frames before this one are left out (they were only run to get there). */
void sim_report_set_first_frame(struct sim_report *r, uint32_t frame);
/* Parts of frames are simulated: on: what is executed from now on is not in one, has no rows and no
 * time, and a frame of nothing else has none either. */
void sim_report_pass_over(struct sim_report *r, bool on);
/* Whether the present frame's picture is one of those that are saved; if this is never said, it is.
 */
void sim_report_choose_picture(struct sim_report *r, bool chosen);
/* The present tick. */
sim_tick sim_report_now(const struct sim_report *r);
/* A label is "[target] group/group: marker". name: all of it, or a target, a group, several with
 * what stands between them, or a marker; * and ? in it stand for any characters. label: NULL: none.
 */
bool sim_report_label_matches(const char *name, const char *label);
/* The present frame, the first one of a worker's report, has this number. */
void sim_report_set_frame(struct sim_report *r, uint32_t frame);
/* Writes the row of an unfinished last frame, and everything that is pending. */
void sim_report_finish(struct sim_report *r);
/* In a child after fork(): the files are the parent's. */
void sim_report_disown(struct sim_report *r);
bool sim_report_writes_files(const struct sim_report *r);
/* Whether something could not be written. */
bool sim_report_failed(const struct sim_report *r);
/* Around the work of a thread in the simulator: its CPU time is what a frame cost. */
void sim_report_begin_work(struct sim_report *r);
void sim_report_end_work(struct sim_report *r);
/* Frames ended so far. */
uint32_t sim_report_frames(const struct sim_report *r);
/* Whether there was a draw, or a frame that at least ended. */
bool sim_report_drew(const struct sim_report *r);

/* Who wants to know of frames and draws; of zeros: nobody. A frame's end is called at the end of
 * its last tick. */
struct sim_report_watch {
   void *data;
   void (*frame_ended)(void *data, uint32_t frame, sim_tick end);
   void (*draw_begins)(void *data, uint32_t frame, uint32_t draw);
};
void sim_report_watch(struct sim_report *r, struct sim_report_watch watch);

/* Domains whose frequency and voltage change (core/sim_dvfs.h): before anything runs, by number
 * from 0. Each begins at its nominal frequency. */
void sim_report_domain(struct sim_report *r, unsigned domain, const char *name);
/* A change that is about to happen, between ticks. */
struct sim_report_clock {
   unsigned domain;
   unsigned percent, voltage; /* of the nominal frequency; thousandths of the nominal voltage */
   double still_ns;           /* the domain stands still */
   const char *reason;        /* in a few words */
};
void sim_report_clock(struct sim_report *r, const struct sim_report_clock *change);

/* The number of the next draw of the present frame, from 0. */
uint32_t sim_report_next_draw(struct sim_report *r);
/* Draws of the present frame so far. */
uint32_t sim_report_draws(const struct sim_report *r);
/* The next draw is executed as a whole, and so many of its vertices are done (0 at its start).
 * Tells the user when that takes long. */
void sim_report_draw_progress(struct sim_report *r, uint64_t done, uint64_t total);
/* What is measured of the machine, as long as there is the report. */
struct sim_measure *sim_report_measure(struct sim_report *r);
/* For the machine's boxes; NULL: nobody wants rows. */
struct sim_work_table *sim_report_work_table(struct sim_report *r);
/* Somebody wants them from now on, between runs of the kernel: commands that are in the machine
 * already have none. */
struct sim_work_table *sim_report_count_work(struct sim_report *r);
/* The number of a program, and of what a draw has bound, in the record; 0: there is none. *costs:
 * where to count what its instructions cost, by position, as long as there is the report; NULL:
 * nowhere. */
uint32_t sim_report_program(struct sim_report *r, const struct sim_record_program *program,
                            struct sim_cost **costs);
uint32_t sim_report_bindings(struct sim_report *r, const struct sim_record_surface *surfaces,
                             unsigned num);
/* Whether the present frame is one of those that draws.csv is limited to. */
bool sim_report_wants_frame(const struct sim_report *r);
/* The folder that it writes to; NULL: none. */
const char *sim_report_folder(const struct sim_report *r);
/* Whether anybody wants these. */
bool sim_report_records(const struct sim_report *r);
/* And of the present frame: those that lead up to the first one leave nothing in it. */
bool sim_report_describes(const struct sim_report *r);
/* Writes the row of a draw that was executed as a whole, without statistics: functional mode. */
void sim_report_draw(struct sim_report *r, const struct sim_work *draw);
/* A frame ended at tick end; image: NULL or width * height RGBA8 pixels, row 0 on top. */
void sim_report_frame(struct sim_report *r, sim_tick end, const uint8_t *image, uint32_t width,
                      uint32_t height);
/* The same for a frame that ends without a swap: there is no picture, and who wants one is told. */
void sim_report_frame_unshown(struct sim_report *r, sim_tick end);
/* Whether sim_report_frame would save an image (else making one is wasted time). */
bool sim_report_wants_image(const struct sim_report *r);

/* sim_warn.c: a message for the user on stderr, once per distinct text. */
void sim_warn(struct sim_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
