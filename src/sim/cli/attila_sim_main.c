/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim: replays captured command streams without Mesa, reads records, and describes machines.
 * This file chooses the subcommand. Not here: its options (cli_parse.c). */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "core/sim_file.h"
#include "core/sim_printable.h"
#include "core/sim_version.h"

const struct cli_command_row cli_commands[SIM_NUM_COMMANDS] = {
#define ONCE false
#define EACH true
#define C(constant, function, name_, arguments_, fewest_, most_, calls, summary_, description_) \
   [SIM_COMMAND_##constant] = {.name = (name_),                                                 \
                               .arguments = (arguments_),                                       \
                               .fewest = (fewest_),                                             \
                               .most = (most_),                                                 \
                               .each = (calls),                                                 \
                               .summary = (summary_),                                           \
                               .description = (description_),                                   \
                               .run = cli_##function},
    ATTILA_SUBCOMMANDS(C)
#undef C
};

bool
cli_find_command(const char *name, enum sim_command *command)
{
   name += strspn(name, "-");
   name = !strcmp(name, "h") ? "help" : name;
   for (unsigned i = 0; i < SIM_NUM_COMMANDS; i++) {
      if (!strcmp(name, cli_commands[i].name)) {
         *command = (enum sim_command)i;
         return true;
      }
   }
   return false;
}

int
cli_version(struct cli_options *o, char **args)
{
   printf("attila-sim %s\n", sim_version);
   return CLI_OK;
}

static int
sim_main_run(struct cli_options *o)
{
   const struct cli_command_row *c = &cli_commands[o->command];
   int worst = CLI_OK;
   if (!c->each)
      return c->run(o, o->args);
   for (unsigned i = 0; i < o->num_args; i++) {
      const int status = c->run(o, o->args + i);
      worst = status > worst ? status : worst;
   }
   return worst;
}

/* Sets the defaults of the subcommand maps for --map and --frame. */
static bool
sim_main_defaults(struct cli_options *o)
{
   if (o->command == SIM_COMMAND_MAPS) {
      o->sim.maps = strdup("all");
      o->sim.cycle_frames = strdup("0");
   }
   char error[300];
   if (o->command != SIM_COMMAND_LAUNCH ||
       sim_options_read_environment(&cli_option_table, o, error, sizeof(error)))
      return true;
   fprintf(stderr, "attila-run: %s\n", error);
   return false;
}

/* Names, labels and keys of files are printed everywhere. */
static void
sim_main_escape_output(void)
{
   static struct sim_printable of_out, of_error;
   FILE *out = sim_printable_stream(&of_out, STDOUT_FILENO),
        *error = sim_printable_stream(&of_error, STDERR_FILENO);
   stdout = out ? out : stdout;
   stderr = error ? error : stderr;
}

int
main(int argc, char **argv)
{
   static struct cli_options o;
   bool done;
   sim_file_hold_standard_streams();
   sim_main_escape_output();
   /* Otherwise SQLite would take a lock and count memory at each allocation. */
   sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
   if (argc < 2) {
      cli_print_commands(stderr);
      return CLI_USAGE;
   }
   if (!cli_find_command(argv[1], &o.command)) {
      fprintf(stderr, "attila-sim: there is no subcommand \"%s\"\nTry \"attila-sim --help\".\n",
              argv[1]);
      return CLI_USAGE;
   }
   int status = CLI_USAGE;
   if (sim_main_defaults(&o)) {
      status = cli_parse(&o, argc - 1, argv + 1, &done);
      if (status == CLI_OK && !done)
         status = sim_main_run(&o);
   }
   sim_options_free(&cli_option_table, &o);
   /* Output may have failed, for example on a full disk. */
   if (fflush(stdout) || ferror(stdout)) {
      perror("attila-sim: standard output");
      status = status > CLI_FILE ? status : CLI_FILE;
   }
   return status;
}
