/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads the command line of a subcommand: getopt's table is made from the table of options. Not
 * here: values and relations (options/sim_options.h), help (cli_help.c). */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static const struct sim_option options[] = {
#define SIM_OFFSET(member) offsetof(struct cli_options, sim.member)
    ATTILA_OPTIONS(SIM_OPTION)
#undef SIM_OFFSET
#define SIM_OFFSET(member) offsetof(struct cli_options, member)
        CLI_OPTIONS(SIM_OPTION, SIM_OPTION)
#undef SIM_OFFSET
};

static const struct sim_relation relations[] = {
#define SIM_OFFSET(member) offsetof(struct cli_options, sim.member)
    ATTILA_RELATIONS(SIM_NEEDS, SIM_EXCLUDES, SIM_TIMED)
#undef SIM_OFFSET
#define SIM_OFFSET(member) offsetof(struct cli_options, member)
        CLI_RELATIONS(SIM_NEEDS, SIM_EXCLUDES, SIM_TIMED)};

_Static_assert(offsetof(struct cli_options, sim) == 0, "sim_options_check looks at the mode");
_Static_assert(sizeof(options) / sizeof(options[0]) <= CLI_MAX_OPTIONS, "cli_options.typed");

const struct sim_option_table cli_option_table = {
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .relations = relations,
    .num_relations = sizeof(relations) / sizeof(relations[0]),
};

#define NUM_OPTIONS (sizeof(options) / sizeof(options[0]))

const char *
cli_program(enum sim_command command, char *name, size_t size)
{
   if (command == SIM_COMMAND_LAUNCH)
      snprintf(name, size, "attila-run");
   else
      snprintf(name, size, "attila-sim %s", cli_commands[command].name);
   return name;
}

int
cli_complain(const struct cli_options *o, const char *format, ...)
{
   char program[64];
   va_list args;
   va_start(args, format);
   cli_program(o->command, program, sizeof(program));
   fprintf(stderr, "%s: ", program);
   vfprintf(stderr, format, args);
   fprintf(stderr, "\nTry \"%s --help\".\n", program);
   va_end(args);
   return CLI_USAGE;
}

/* What getopt_long returns for option i. */
#define RETURNED(i) (256 + (int)(i))
enum { RETURNED_HELP = 'h', RETURNED_VERSION = 255 };

/* getopt's view of the options of a command. */
struct getopt_table {
   struct option longs[NUM_OPTIONS + 3];
   char letters[2 * NUM_OPTIONS + 8];
};

static void
cli_parse_make_table(struct getopt_table *t, enum sim_command command)
{
   struct option *l = t->longs;
   /* The options of attila-run end where the program begins. */
   char *letter = t->letters + sprintf(t->letters, "%sh", command == SIM_COMMAND_LAUNCH ? "+" : "");
   for (unsigned i = 0; i < NUM_OPTIONS; i++) {
      const struct sim_option *o = &options[i];
      const int argument = o->argument ? required_argument : no_argument;
      if (!(o->commands >> command & 1))
         continue;
      if (o->name)
         *l++ = (struct option){o->name, argument, NULL, RETURNED(i)};
      if (o->letter)
         letter += sprintf(letter, "%c%s", o->letter, o->argument ? ":" : "");
   }
   *l++ = (struct option){"help", no_argument, NULL, RETURNED_HELP};
   *l++ = (struct option){"version", no_argument, NULL, RETURNED_VERSION};
   *l = (struct option){0};
}

static const struct sim_option *
cli_parse_find(enum sim_command command, int returned)
{
   if (returned >= RETURNED(0))
      return &options[returned - RETURNED(0)];
   const struct sim_option *o = options;
   while (!(o->commands >> command & 1) || o->letter != returned)
      o++;
   return o;
}

static int
cli_parse_bad_value(const struct cli_options *o, const struct sim_option *option, const char *text)
{
   char expected[200];
   sim_option_expected(option, expected, sizeof(expected));
   return option->name ? cli_complain(o, "--%s \"%s\": expected %s", option->name, text, expected)
                       : cli_complain(o, "-%c \"%s\": expected %s", option->letter, text, expected);
}

static int
cli_parse_arguments(struct cli_options *o, int argc, char **argv)
{
   const struct cli_command_row *c = &cli_commands[o->command];
   o->args = argv;
   o->num_args = (unsigned)argc;
   if (o->num_args > c->most)
      return cli_complain(o, "\"%s\" is one argument too many", argv[c->most]);
   if (o->num_args < c->fewest)
      return cli_complain(o, "expected %s", c->arguments);
   return CLI_OK;
}

int
cli_parse(struct cli_options *o, int argc, char **argv, bool *done)
{
   char program[64], error[300];
   struct getopt_table t;
   int returned;
   cli_parse_make_table(&t, o->command);
   argv[0] = (char *)cli_program(o->command, program, sizeof(program));
   *done = true;
   while ((returned = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
      if (returned == RETURNED_HELP)
         return cli_print_help(o->command);
      if (returned == RETURNED_VERSION)
         return cli_version(o, NULL);
      if (returned == '?') {
         fprintf(stderr, "Try \"%s --help\".\n", program);
         return CLI_USAGE;
      }
      const struct sim_option *option = cli_parse_find(o->command, returned);
      if (!sim_option_set(option, o, optarg ? optarg : "1"))
         return cli_parse_bad_value(o, option, optarg);
      o->typed[option - options] = true;
   }
   *done = false;
   if (o->sim.jobs && !o->sim.job_frames)
      o->sim.job_frames = 1;
   if (!sim_options_check(&cli_option_table, o, o->command, error, sizeof(error)))
      return cli_complain(o, "%s", error);
   if (o->command == SIM_COMMAND_LAUNCH && cli_launch_wants_debug_help(o)) {
      *done = true;
      return CLI_OK;
   }
   const int status = cli_parse_arguments(o, argc - optind, argv + optind);
   if (status != CLI_OK ||
       sim_options_check_made(&cli_option_table, o, o->command, error, sizeof(error)))
      return status;
   fprintf(stderr, "%s: %s\n", program, error);
   return CLI_FILE;
}
