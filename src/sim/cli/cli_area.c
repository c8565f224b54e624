/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim area: the area of a machine's units as a table. Not here: the estimate
 * (config/sim_area.h).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "config/sim_area.h"

static const char help[] =
    "usage: attila-sim area [options]\n"
    "\n"
    "Estimates the area of each unit of a machine from its parameters (docs/explanation/area.md).\n"
    "\n"
    "  -c, --config FILE    machine (.ini); default: the machine of ISPASS 2006\n"
    "  -s, --set S.Key=V    change one parameter; may be repeated\n"
    "      --process NM     150, 130 (default), 110 or 90 nanometres\n"
    "      --format FORMAT  text (default), csv: a line for each unit and total, or markdown:\n"
    "                       with the source of each estimate\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 done, 1 wrong usage, 2 a machine that there cannot be.\n";

enum { OPT_PROCESS = 256, OPT_FORMAT };

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, 's'},
    {"process", required_argument, NULL, OPT_PROCESS},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct options {
   struct cli_options machine; /* -c and -s */
   const struct sim_area_process *process;
   const char *format;
};

static int
complain(const char *format, const char *what)
{
   return cli_complain("attila-sim area", format, what);
}

static void
warn(const char *message)
{
   fprintf(stderr, "attila-sim: %s\n", message);
}

static bool
read_machine(const struct options *o, struct sim_config *config)
{
   char error[1024];
   const struct cli_options *m = &o->machine;
   const bool good = sim_config_read(config, m->sim.config_path, m->overrides + 1, m->num_overrides,
                                     warn, error, sizeof(error)) &&
                     sim_config_check(config, error, sizeof(error));
   if (!good)
      warn(error);
   return good;
}

static void
print_text(const struct sim_area *a, const struct sim_area_process *p)
{
   printf("%-20s %6s %14s %10s %8s %8s %6s\n", "unit", "units", "Mtransistors", "kbit each",
          "mm2 each", "mm2", "%");
   for (unsigned i = 0; i < SIM_NUM_AREA_UNITS; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("%-20s %6.0f %14.2f %10.1f %8.2f %8.2f %6.1f\n", u->what, u->units,
             u->units * u->mtransistors, u->kbits, u->mm2, u->units * u->mm2,
             100 * u->units * u->mm2 / a->mm2);
   }
   printf("%-20s %6s %14.2f %10s %8s %8.2f %6.1f\n", "all", "", a->mtransistors, "", "", a->mm2,
          100.);
   printf("%u nm, as dense as %s (%.0f million transistors on %.0f mm2)\n", p->nm, p->chip,
          p->mtransistors, p->mm2);
}

static void
print_csv(const struct sim_area *a)
{
   printf("unit,units,mtransistors_each,kbits_each,mm2_each,mtransistors,mm2\n");
   for (unsigned i = 0; i < SIM_NUM_AREA_UNITS; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("%s,%.0f,%.6f,%.3f,%.6f,%.6f,%.6f\n", u->name, u->units, u->mtransistors, u->kbits,
             u->mm2, u->units * u->mtransistors, u->units * u->mm2);
   }
   printf("total,,,,,%.6f,%.6f\n", a->mtransistors, a->mm2);
}

static void
print_markdown(const struct sim_area *a, const struct sim_area_process *p)
{
   printf(
       "| unit | units | million transistors | mm² at %u nm | source |\n|---|---:|---:|---:|---|\n",
       p->nm);
   for (unsigned i = 0; i < SIM_NUM_AREA_UNITS; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("| %s | %.0f | %.2f | %.2f | %s |\n", u->what, u->units, u->units * u->mtransistors,
             u->units * u->mm2, u->source);
   }
   printf("| all | | %.2f | %.2f | |\n", a->mtransistors, a->mm2);
}

static int
print_area(const struct options *o)
{
   struct sim_config config;
   struct sim_area area;
   if (!read_machine(o, &config))
      return CLI_FILE;
   sim_area_of(&area, &config, o->process);
   if (!strcmp(o->format, "csv"))
      print_csv(&area);
   else if (!strcmp(o->format, "markdown"))
      print_markdown(&area, o->process);
   else
      print_text(&area, o->process);
   return CLI_OK;
}

static bool
apply(struct options *o, int option, const char *arg)
{
   uint32_t nm;
   if (cli_machine_option(&o->machine, option, arg))
      return true;
   if (option == OPT_PROCESS) {
      o->process = cli_whole_number(arg, &nm) ? sim_area_process(nm) : NULL;
      return o->process;
   }
   o->format = arg; /* OPT_FORMAT */
   return !strcmp(arg, "text") || !strcmp(arg, "csv") || !strcmp(arg, "markdown");
}

int
cli_area(int argc, char **argv)
{
   struct options o = {.process = sim_area_process(SIM_AREA_DEFAULT_NM), .format = "text"};
   int option, index = 0, status = CLI_OK;
   if (!cli_options_begin(&o.machine, argc))
      return CLI_FILE;
   while (status == CLI_OK &&
          (option = getopt_long(argc, argv, "c:s:h", long_options, &index)) != -1) {
      if (option == 'h') {
         fputs(help, stdout);
         free(o.machine.overrides);
         return CLI_OK;
      }
      if (option == '?')
         status = complain("%s", "see above");
      else if (!apply(&o, option, optarg))
         status = complain("\"%s\" is not a value this option accepts", optarg);
   }
   if (status == CLI_OK && optind < argc)
      status = complain("\"%s\" is one argument too many", argv[optind]);
   if (status == CLI_OK)
      status = print_area(&o);
   free(o.machine.overrides);
   return status;
}
