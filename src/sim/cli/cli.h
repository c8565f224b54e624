/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The attila-sim program: what its files share.
 */
#ifndef ATTILA_CLI_H
#define ATTILA_CLI_H

#include "session/machine.h"

enum cli_exit {
   CLI_OK = 0,
   CLI_USAGE = 1,
   CLI_FILE = 2,
   CLI_STOPPED = 3,
   CLI_DIFFERENT = 4, /* diff */
};

struct cli_options {
   struct attila_sim_options sim;
   const char **overrides; /* [0] is for the memory size of a capture */
   unsigned num_overrides; /* from [1] on */
   bool frames;            /* --frames */
   uint32_t first_frame, last_frame;
   const char *frame_list; /* --frames or --start-frame; NULL: not given */
   bool one_range;         /* it is A[-B] */
   char start_text[24];
   bool draws; /* --draws */
   uint32_t first_draw, last_draw;
   bool state; /* --state */
   bool no_index;
   uint32_t every; /* of index: frames between snapshots; 0: not given */
   bool profile;
   enum sim_describe_format format;
   const char *format_name; /* --format as given; NULL: not */
};

/* A simulator for the capture: the memory of the GPU it was captured on, unless --set says
 * otherwise; o->overrides[0] must be free. NULL, with a message on stderr, when there is none. */
struct attila_sim *cli_make_sim(struct cli_options *o, const struct sim_capture_reader *capture);

/* --- cli_jump.c: the index beside a capture --- */

struct attila_checkpoints;
struct attila_place;
/* For a replay whose first frame that matters is this one. NULL, perhaps with a warning on stderr:
 * the replay does without. */
struct attila_checkpoints *cli_jump_open(const struct cli_options *o, struct attila_sim *sim,
                                         const char *path, struct sim_capture_reader *capture,
                                         uint32_t first);
/* At the beginning of *frame, of which nothing is wanted before frame `to`: goes on to a later
 * snapshot, if there is one; then *frame and *place say where that is. False, with a message on
 * stderr: the replay cannot go on. */
bool cli_jump(struct attila_checkpoints *index, struct sim_capture_reader *capture, uint32_t to,
              uint32_t *frame, struct attila_place *place);

/* Room for as many --set as there are arguments, which o->overrides owns; false, with a message on
 * stderr: no memory. */
bool cli_options_begin(struct cli_options *o, int argc);
/* -c FILE and -s KEY=VALUE; false: it is another option. */
bool cli_machine_option(struct cli_options *o, int option, const char *arg);
/* Decimal digits up to *end; false if there are none or the number is too large. */
bool cli_number(const char *text, const char **end, uint32_t *value);
bool cli_whole_number(const char *text, uint32_t *value); /* and nothing after it */
/* "A" or "A-B" */
bool cli_range(const char *text, uint32_t *first, uint32_t *last);
/* Whether two paths name one file that exists. */
bool cli_same_file(const char *a, const char *b);
/* Of this process: does not depend on what else the host does. */
double cli_cpu_seconds(void);
/* command: "attila-sim maps"; format has one %s, for what. Returns CLI_USAGE. */
int cli_complain(const char *command, const char *format, const char *what);

/* Each returns an enum cli_exit. */
/* Parses options of its own: argv[0] is the command. */
int cli_picture(int argc, char **argv);
int cli_maps(int argc, char **argv);
int cli_power(int argc, char **argv);
int cli_area(int argc, char **argv);
int cli_reprogram(int argc, char **argv);
int cli_run(struct cli_options *o, const char *path);
int cli_bench(struct cli_options *o, const char *path);
int cli_info(const char *path);
/* What info says of the index beside a capture. */
void cli_index_info(const char *path);
/* Snapshots beside a capture. */
int cli_index(const struct cli_options *o, const char *path);
/* draws: with the rows of draws.csv, not only its header. */
int cli_export(const char *folder, bool draws);
/* A row per frame of what it asks of a GPU, on standard output. */
int cli_features(const struct cli_options *o, const char *path);
/* The folders of the workers of --jobs become one record, and tables of text (draws: as above). */
int cli_merge(const char *folder, bool draws);
/* To --out, a file here, or else into the folder. */
int cli_perfetto(const struct cli_options *o, const char *folder);
int cli_disasm(const char *path);
int cli_dump(struct cli_options *o, const char *path);
/* Two captures, or two folders of reports. */
int cli_diff(const char *left, const char *right);
int cli_diff_runs(const char *left, const char *right);
/* The rows of a folder of reports, which may be compressed, and what their file is called. NULL:
 * errno says why. */
FILE *cli_open_rows(const char *folder, char *path, size_t path_size);
int cli_describe(struct cli_options *o);
int cli_check_env(void);
int cli_interface(void);

#endif
