/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The attila-sim program: what its files share. */
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
   char **args; /* the words that are not options, and NULL */
   unsigned num_args;
   /* [place in cli_option_table]: the option is on the command line, whatever the environment
    * has. */
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

/* Finds a subcommand. Dashes before the name are ignored (--version). Returns false if it is
 * unknown. */
bool cli_find_command(const char *name, enum sim_command *command);
/* Reads the options of o->command; argv[0] is its name. If *done, the program ends with the
 * returned status. */
int cli_parse(struct cli_options *o, int argc, char **argv, bool *done);
/* Prints the flags and returns true if --debug help was given. */
bool cli_launch_wants_debug_help(const struct cli_options *o);
/* "attila-sim run", "attila-run" */
const char *cli_program(enum sim_command command, char *name, size_t size);
/* Prints a message about the command line. Returns CLI_USAGE. */
int cli_complain(const struct cli_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a message about a file or a machine. Returns CLI_FILE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_print_help(enum sim_command command);
/* All subcommands. */
void cli_print_commands(FILE *f);

/* Makes a simulator for the capture. It has as much memory as the GPU of the capture, unless --set
 * says otherwise. Returns NULL, with a message on stderr, on failure. */
struct attila_sim *cli_make_sim(const struct cli_options *o,
                                const struct sim_capture_reader *capture);

/* --- cli_jump.c: checkpoints in FILE.index --- */

/* Opens the checkpoints. first: the first frame that must be replayed. Returns NULL, perhaps with a
 * warning on stderr, if there are no checkpoints for it. */
struct attila_checkpoints *cli_jump_open(const struct cli_options *o, struct attila_sim *sim,
                                         const char *path, struct sim_capture_reader *capture,
                                         uint32_t first);
/* At the beginning of *frame: skips to a later checkpoint at or before frame `to`, if there is one,
 * and sets *frame and *place to it. Returns false, with a message on stderr, if the replay cannot
 * go on. */
bool cli_jump(struct attila_checkpoints *index, struct sim_capture_reader *capture, uint32_t to,
              uint32_t *frame, struct attila_place *place);

/* Prints docs/reference/units.md, with the figures of a machine; in cli_pins.c. */
void cli_describe_pins(const struct sim_config *c);

/* Returns whether two paths name the same existing file. */
bool cli_same_file(const char *a, const char *b);
/* Returns the CPU time of this process. */
double cli_cpu_seconds(void);
/* Prints a line about FILE.index, for info. */
void cli_index_info(const char *path);
/* Returns whether the folder has no reports of another run's workers; prints a message if it
 * has. */
bool cli_run_workers_free(const char *program, const char *folder);
/* Joins the reports of the workers of --jobs. */
int cli_merge_workers(const char *folder);

#endif
