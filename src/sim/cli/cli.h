/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The attila-sim program: what its files share.
 */
#ifndef ATTILA_CLI_H
#define ATTILA_CLI_H

#include "capture/sim_capture.h"
#include "cli/cli_options_table.h"
#include "config/sim_config.h"
#include "options/sim_options.h"
#include "session/session.h"

enum cli_exit {
#define E(constant, status, meaning) CLI_##constant = status,
   ATTILA_EXITS(E)
#undef E
};

#define ATTILA_MEMBER_RANGE(member) struct sim_option_range member;

#define CLI_MAX_OPTIONS 128

struct cli_options {
   struct attila_sim_options sim; /* the first member: sim_options_check */
#define O(type, member, name, letter, argument, variable, accepts, commands, group, help) \
   ATTILA_MEMBER_##type(member)
#define A(...)
   CLI_OPTIONS(O, A)
#undef O
#undef A
   enum sim_command command;
   char **args; /* what is no option, and NULL */
   unsigned num_args;
   /* By place in cli_option_table: it stands on the command line, whatever the environment has. */
   bool typed[CLI_MAX_OPTIONS];
};

/* Lines of ATTILA_SUBCOMMANDS as data. */
struct cli_command_row {
   const char *name;
   const char *arguments;
   unsigned fewest, most;
   bool each; /* run is called for each argument */
   const char *summary, *description;
   int (*run)(struct cli_options *o, char **args); /* returns an enum cli_exit */
};

/* By enum sim_command. */
extern const struct cli_command_row cli_commands[SIM_NUM_COMMANDS];
extern const struct sim_option_table cli_option_table;

#define C(constant, function, ...) int cli_##function(struct cli_options *o, char **args);
ATTILA_SUBCOMMANDS(C)
#undef C

/* False: there is no such subcommand. Dashes before the name are ignored: --version. */
bool cli_find_command(const char *name, enum sim_command *command);
/* Reads the options of o->command; argv[0] is its name. *done: the program ends with this status.
 */
int cli_parse(struct cli_options *o, int argc, char **argv, bool *done);
/* Whether --debug help was given; prints the flags then. */
bool cli_launch_wants_debug_help(const struct cli_options *o);
/* "attila-sim run", "attila-run" */
const char *cli_program(enum sim_command command, char *name, size_t size);
/* A message about the command line. Returns CLI_USAGE. */
int cli_complain(const struct cli_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A message about a file or a machine. Returns CLI_FILE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_print_help(enum sim_command command);
/* All subcommands. */
void cli_print_commands(FILE *f);

/* A simulator for the capture: the memory of the GPU it was captured on, unless --set says
 * otherwise. NULL, with a message on stderr, when there is none. */
struct attila_sim *cli_make_sim(const struct cli_options *o,
                                const struct sim_capture_reader *capture);

/* --- cli_jump.c: checkpoints in FILE.index --- */

/* first: the first frame that must be replayed. NULL, perhaps with a warning on stderr: there are
 * no checkpoints for it. */
struct attila_checkpoints *cli_jump_open(const struct cli_options *o, struct attila_sim *sim,
                                         const char *path, struct sim_capture_reader *capture,
                                         uint32_t first);
/* At the beginning of *frame: skips to a later checkpoint at or before frame `to`, if there is one,
 * and sets *frame and *place to it. False, with a message on stderr: the replay cannot go on. */
bool cli_jump(struct attila_checkpoints *index, struct sim_capture_reader *capture, uint32_t to,
              uint32_t *frame, struct attila_place *place);

/* Prints docs/reference/units.md, with the figures of a machine; in cli_pins.c. */
void cli_describe_pins(const struct sim_config *c);

/* Whether two paths name the same existing file. */
bool cli_same_file(const char *a, const char *b);
/* CPU time of this process. */
double cli_cpu_seconds(void);
/* Prints a line about FILE.index, for info. */
void cli_index_info(const char *path);
/* Whether no reports of the workers of another run are in the folder; says so if they are. */
bool cli_run_workers_free(const char *program, const char *folder);
/* Joins the reports of the workers of --jobs. */
int cli_merge_workers(const char *folder);

#endif
