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
#include "core/sim_nearest.h"
#include "hw/attila_debug_flags.h"

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

/* --- --debug --- */

static const struct {
   const char *name, *meaning;
} debug_flags[] = {
#define D(NAME, name, bit, meaning) {name, meaning},
    ATTILA_DEBUG_FLAGS(D)
#undef D
};
#define NUM_DEBUG_FLAGS (sizeof(debug_flags) / sizeof(debug_flags[0]))

bool
cli_launch_wants_debug_help(const struct cli_options *o)
{
   if (!o->debug || strcmp(o->debug, "help"))
      return false;
   fprintf(stderr, "attila-run: --debug takes these, with commas between them:\n");
   for (unsigned i = 0; i < NUM_DEBUG_FLAGS; i++)
      fprintf(stderr, "  %-14s %s\n", debug_flags[i].name, debug_flags[i].meaning);
   return true;
}

static int
cli_launch_check_debug(const struct cli_options *o)
{
   for (const char *p = o->debug ? o->debug : ""; *p; p += *p == ',') {
      char word[64];
      const char *meant = NULL;
      struct sim_nearest near = {.wanted = word};
      const int n = (int)strcspn(p, ",");
      snprintf(word, sizeof(word), "%.*s", n, p);
      for (unsigned i = 0; i < NUM_DEBUG_FLAGS; i++)
         meant = sim_nearest_is(&near, debug_flags[i].name) ? debug_flags[i].name : meant;
      if (!meant || near.differences)
         return cli_complain(o, "--debug \"%s\": there is no such flag%s%s%s", word,
                             meant ? "; is it " : " (--debug help lists them)", meant ? meant : "",
                             meant ? "?" : "");
      p += n;
   }
   return CLI_OK;
}

/* --- What does not go together --- */

/* Options that only the simulated GPU or its driver looks at. */
static bool
cli_launch_is_for_attila(const struct sim_option *p)
{
   static const size_t of_program[] = {
       offsetof(struct cli_options, debug),           offsetof(struct cli_options, frame_limit),
       offsetof(struct cli_options, frame_on_finish), offsetof(struct cli_options, frame_on_flush),
       offsetof(struct cli_options, simulated_clock), offsetof(struct cli_options, host_limit),
       offsetof(struct cli_options, report)};
   bool is = p->group != SIM_GROUP_PROGRAM;
   for (unsigned i = 0; i < sizeof(of_program) / sizeof(of_program[0]); i++)
      is |= p->offset == of_program[i];
   return is && p->commands & ON(LAUNCH);
}

/* Variables of the environment are for whatever program follows: no mistake of this one. */
static int
cli_launch_check_driver(const struct cli_options *o)
{
   const struct sim_option_table *t = &cli_option_table;
   if (!o->driver || !strcmp(o->driver, "attila"))
      return CLI_OK;
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      if (cli_launch_is_for_attila(p) && sim_option_given(p, o) && o->typed[p - t->options])
         return cli_complain(o, "--%s needs --driver attila%s", p->name,
                             p->offset == offsetof(struct cli_options, frame_limit)
                                 ? "; --grab-frames ends what --grab saves"
                                 : "");
   }
   return CLI_OK;
}

/* attila-run glxgears --frames 1 */
static void
cli_launch_note_late_options(const struct cli_options *o, char **args)
{
   const struct sim_option_table *t = &cli_option_table;
   for (unsigned i = 1; i < o->num_args; i++) {
      for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
         if (p->commands & ON(LAUNCH) && p->name && !strncmp(args[i], "--", 2) &&
             !strcmp(args[i] + 2, p->name))
            fprintf(stderr,
                    "attila-run: note: %s stands after %s, so it is an option of that "
                    "program\n",
                    args[i], args[0]);
      }
   }
}

int
cli_launch(struct cli_options *o, char **args)
{
   char error[1024], *script = NULL;
   size_t size;
   const bool attila = !o->driver || !strcmp(o->driver, "attila");
   if (!cli_launch_size_is_good(o->size))
      return cli_complain(o, "--size \"%s\": expected WIDTHxHEIGHT", o->size);
   const int wrong = cli_launch_check_driver(o);
   if (wrong || cli_launch_check_debug(o))
      return CLI_USAGE;
   cli_launch_note_late_options(o, args);
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
