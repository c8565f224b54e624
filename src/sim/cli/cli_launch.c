/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim launch: reads the command line of attila-run and prints it as shell variables, after a
 * check of everything that the simulator would refuse. attila-sim check-env checks the environment
 * alone. Not here: display, libraries, the program's start (scripts/attila-run).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "config/sim_config.h"

/* Builds the machine; nothing is written. */
static int
cli_launch_check_machine(const struct attila_sim_options *given, const char *who)
{
   char error[1024];
   struct attila_sim_options o = *given;
   o.check_only = true;
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fprintf(stderr, "%s: %s\n", who, error);
   attila_sim_destroy(sim);
   return sim ? CLI_OK : CLI_FILE;
}

int
cli_check_env(struct cli_options *o, char **args)
{
   char error[1024];
   if (!attila_sim_options_from_env(&o->sim, error, sizeof(error))) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_USAGE;
   }
   return cli_launch_check_machine(&o->sim, "attila-sim");
}

static void
cli_launch_print_quoted(FILE *f, const char *text)
{
   fputc('\'', f);
   for (; *text; text++) {
      if (*text == '\'')
         fputs("'\\''", f);
      else
         fputc(*text, f);
   }
   fputc('\'', f);
}

/* The program may run in another folder. */
static void
cli_launch_print_option(FILE *f, const struct sim_option *o, const struct cli_options *options)
{
   char folder[4096], found[4096];
   char *given = sim_option_text(o, options);
   const char *text = given;
   if (!text)
      return;
   const bool path = o->type == SIM_OPTION_PATH && !(o->words && !strcmp(text, o->words));
   const bool machine = o->offset == offsetof(struct cli_options, sim.config_path);
   if (path && (machine || o->offset == offsetof(struct cli_options, sim.power)) &&
       sim_config_find(text, machine ? "" : "power/", found, sizeof(found)))
      text = found;
   const bool relative = path && *text != '/' && getcwd(folder, sizeof(folder));
   fprintf(f, "%s%s=", isupper((unsigned char)*o->variable) ? "export " : "", o->variable);
   if (relative) {
      cli_launch_print_quoted(f, folder);
      fputc('/', f);
   }
   cli_launch_print_quoted(f, text);
   fputc('\n', f);
   free(given);
}

static int
cli_launch_print(FILE *f, const struct cli_options *o, char **args)
{
   const struct sim_option_table *t = &cli_option_table;
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      if (p->variable)
         cli_launch_print_option(f, p, o);
   }
   fprintf(f, "set --");
   for (unsigned i = 0; i < o->num_args; i++) {
      fputc(' ', f);
      cli_launch_print_quoted(f, args[i]);
   }
   fputc('\n', f);
   return fclose(f) ? CLI_FILE : CLI_OK;
}

static bool
cli_launch_size_is_good(const char *size)
{
   unsigned width, height;
   int end = 0;
   return !size ||
          (sscanf(size, "%5ux%5u%n", &width, &height, &end) == 2 && !size[end] && width && height);
}

int
cli_launch(struct cli_options *o, char **args)
{
   char error[1024], *script = NULL;
   size_t size;
   const bool attila = !o->driver || !strcmp(o->driver, "attila");
   if (!cli_launch_size_is_good(o->size))
      return cli_complain(o, "--size \"%s\": expected WIDTHxHEIGHT", o->size);
   if (o->simulated_clock && !attila)
      return cli_complain(o, "--simulated-clock needs --driver attila");
   FILE *f = open_memstream(&script, &size);
   int status = f ? cli_launch_print(f, o, args) : CLI_FILE;
   if (status == CLI_OK && !sim_options_live(&o->sim, error, sizeof(error)))
      status = cli_complain(o, "%s", error);
   if (status == CLI_OK && attila)
      status = cli_launch_check_machine(&o->sim, "attila-run");
   if (status == CLI_OK)
      fputs(script, stdout);
   free(script);
   return status;
}
