/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The tables of options as data: values from text and environment, and relations of options. Not
 * here: the options (attila_options_table.h), getopt and help (cli/cli_parse.c, cli/cli_help.c). */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "options/attila_subcommands.h"
#include "options/attila_options.h"

enum sim_command {
#define C(constant, ...) SIM_COMMAND_##constant,
   ATTILA_SUBCOMMANDS(C)
#undef C
       SIM_NUM_COMMANDS,
   /* Other sources of options, for messages: variables, or a program that uses attila_sim.h. */
   SIM_FROM_ENVIRONMENT = SIM_NUM_COMMANDS,
   SIM_FROM_PROGRAM
};

/* For the column "commands". */
#define ON(command) (1u << SIM_COMMAND_##command)
/* Commands that build a machine to replay a capture. */
#define ON_REPLAY (ON(RUN) | ON(BENCH) | ON(INDEX) | ON(FEATURES) | ON(TRIM))

/* G(constant, title), in the order of --help. */
#define SIM_OPTION_GROUPS(G)         \
   G(MACHINE, "Machine")             \
   G(FRAMES, "Frames and processes") \
   G(REPORT, "Reports")              \
   G(MAPS, "Maps")                   \
   G(TRACE, "Trace")                 \
   G(PROGRAM, "The program")         \
   G(OUTPUT, "Output")

enum sim_option_group {
#define G(constant, title) SIM_GROUP_##constant,
   SIM_OPTION_GROUPS(G)
#undef G
       SIM_NUM_GROUPS
};

enum sim_option_type {
   SIM_OPTION_FLAG,
   SIM_OPTION_NUMBER,
   SIM_OPTION_TEXT,
   SIM_OPTION_PATH,
   SIM_OPTION_CHOICE,
   SIM_OPTION_WORDS,
   SIM_OPTION_RANGES,
   SIM_OPTION_SPAN,
   SIM_OPTION_PICKS,
   SIM_OPTION_MODE,
   SIM_OPTION_LIST,
   /* On command lines only (cli/cli_options_table.h). */
   SIM_OPTION_RANGE, /* struct sim_option_range: A, A-B or A- */
   SIM_OPTION_START, /* text: N, kept as "N-" */
};

/* What a command writes at a path: nothing, a file or a folder. */
enum sim_option_made { SIM_MADE_NOTHING, SIM_MADE_FILE, SIM_MADE_FOLDER };

struct sim_option_range {
   bool given;
   uint32_t first, last;
};

struct sim_option {
   enum sim_option_type type;
   size_t offset; /* offset of its member; the length of a list follows the list */
   const char *member;
   const char *name; /* without "--"; NULL: a letter only */
   char letter;
   const char *argument, *variable;
   uint32_t low, high;          /* high 0: any number */
   const char *words, *endings; /* NULL: any */
   enum sim_option_made made;
   unsigned commands;
   enum sim_option_group group;
   const char *help;
};

/* "cycle functional half" */
#define SIM_MODE_WORD(constant, name) " " #name
#define SIM_MODE_WORDS (ATTILA_MODES(SIM_MODE_WORD) + 1)

/* For the column "accepts". */
#define ANY .words = NULL
#define BETWEEN(min, max) .low = (min), .high = (max)
#define WORDS(list) .words = (list)
#define MAKES(what) .made = SIM_MADE_##what
#define ENDS(list) .endings = (list), MAKES(FILE)

/* A line of the table as data. The file that uses it defines SIM_OFFSET(member) for its struct. */
#define SIM_OPTION(type_, member_, name_, letter_, argument_, variable_, accepts_, commands_, \
                   group_, help_)                                                             \
   {.type = SIM_OPTION_##type_,                                                               \
    .offset = SIM_OFFSET(member_),                                                            \
    .member = #member_,                                                                       \
    .name = (name_),                                                                          \
    .letter = (letter_),                                                                      \
    .argument = (argument_),                                                                  \
    .variable = (variable_),                                                                  \
    accepts_,                                                                                 \
    .commands = (commands_),                                                                  \
    .group = SIM_GROUP_##group_,                                                              \
    .help = (help_)},

enum sim_relation_kind { SIM_RELATION_NEEDS, SIM_RELATION_EXCLUDES, SIM_RELATION_TIMED };

struct sim_relation {
   enum sim_relation_kind kind;
   size_t who, other, either; /* members' offsets; either: equals other if there is only one */
   unsigned but;              /* commands for which the relation does not hold */
};

/* Lines of ATTILA_RELATIONS as data. */
#define SIM_NEEDS(a, b, c) {SIM_RELATION_NEEDS, SIM_OFFSET(a), SIM_OFFSET(b), SIM_OFFSET(c), 0},
#define SIM_EXCLUDES(a, b) {SIM_RELATION_EXCLUDES, SIM_OFFSET(a), SIM_OFFSET(b), SIM_OFFSET(b), 0},
#define SIM_TIMED(a, but) {SIM_RELATION_TIMED, SIM_OFFSET(a), SIM_OFFSET(a), SIM_OFFSET(a), but},

/* Options and relations of a struct that begins with struct attila_sim_options. */
struct sim_option_table {
   const struct sim_option *options;
   unsigned num_options;
   const struct sim_relation *relations;
   unsigned num_relations;
};

/* The table of struct attila_sim_options alone. */
extern const struct sim_option_table sim_run_options;

/* Sets a value from text; to a list it appends assignments, which are separated by ';'. Returns
 * false and changes nothing if sim_option_expected does not list the value. */
bool sim_option_set(const struct sim_option *o, void *base, const char *text);
/* Writes which values an option accepts, such as "a number from 1 to 64". */
void sim_option_expected(const struct sim_option *o, char *text, size_t size);
bool sim_option_given(const struct sim_option *o, const void *base);
/* Returns the value as text for sim_option_set, which the caller frees. NULL: the option is not
 * set, or host memory is exhausted. */
char *sim_option_text(const struct sim_option *o, const void *base);
/* Writes the name that an option has at its source: --out, ATTILA_OUT or out_dir. */
void sim_option_label(const struct sim_option_table *t, size_t offset, enum sim_command from,
                      char *label, size_t size);
/* Returns false with a message if a variable has a bad value. */
bool sim_options_read_environment(const struct sim_option_table *t, void *base, char *error,
                                  size_t error_size);
/* Returns false with a message if an option needs another one, two exclude each other, or a program
 * has set one out of range. */
bool sim_options_check(const struct sim_option_table *t, const void *base, enum sim_command from,
                       char *error, size_t error_size);
/* Returns false with a message if a file or folder that an option names cannot be made, as far as
 * this can be known before. Makes nothing. */
bool sim_options_check_made(const struct sim_option_table *t, const void *base,
                            enum sim_command from, char *error, size_t error_size);
/* Unsets the options that need simulated time, for functional mode. Use it on a copy: strings are
 * not freed. */
void sim_options_drop_timed(struct attila_sim_options *o);
void sim_options_free(const struct sim_option_table *t, void *base);
/* Sets options that follow from others in a run whose end the program decides. Returns false with a
 * message if they cannot go together. */
bool sim_options_live(struct attila_sim_options *o, char *error, size_t error_size);

#endif
