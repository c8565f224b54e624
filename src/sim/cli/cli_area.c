/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim area: the area of a machine's units as a table. Not here: the estimate
 * (config/sim_area.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "config/sim_area.h"
#include "core/sim_json.h"
#include "measure/sim_measure.h"

static bool
cli_area_read_machine(const struct attila_sim_options *o, struct sim_config *config)
{
   char error[1024], *ignored;
   const bool good = sim_config_read(config, o->config_path, o->overrides, o->num_overrides,
                                     &ignored, error, sizeof(error)) &&
                     sim_config_check(config, error, sizeof(error));
   if (ignored)
      fprintf(stderr, "attila-sim: warning: %s\n", ignored);
   if (!good)
      fprintf(stderr, "attila-sim: %s\n", error);
   free(ignored);
   return good;
}

static void
cli_area_print_text(const struct sim_area *a, const struct sim_area_process *p)
{
   printf("%-20s %6s %14s %10s %8s %8s %6s\n", "unit", "units", "Mtransistors", "kbit each",
          "mm2 each", "mm2", "%");
   for (unsigned i = 0; i < a->num; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("%-20s %6.0f %14.2f %10.1f %8.2f %8.2f %6.1f\n", u->what, u->units,
             u->units * u->mtransistors, u->kbits, u->mm2, u->units * u->mm2,
             100 * u->units * u->mm2 / a->mm2);
   }
   printf("%-20s %6s %14.2f %10s %8s %8.2f %6.1f\n", "all", "", a->mtransistors, "", "", a->mm2,
          100.);
   printf("%u nm, as dense as %s (%.0f million transistors on %.0f mm2)\n", p->nm, p->chip,
          p->mtransistors, p->mm2);
   for (unsigned i = 0; i < a->num; i++) {
      if (!strcmp(a->unit[i].source, SIM_AREA_UNDECLARED))
         printf("%s: %s\n", a->unit[i].what, SIM_AREA_UNDECLARED);
   }
}

static void
cli_area_print_csv(const struct sim_area *a)
{
   printf("unit,units,mtransistors_each,kbits_each,mm2_each,mtransistors,mm2\n");
   for (unsigned i = 0; i < a->num; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("%s,%.0f,%.6f,%.3f,%.6f,%.6f,%.6f\n", u->name, u->units, u->mtransistors, u->kbits,
             u->mm2, u->units * u->mtransistors, u->units * u->mm2);
   }
   printf("total,,,,,%.6f,%.6f\n", a->mtransistors, a->mm2);
}

static void
cli_area_print_json(const struct sim_area *a, const struct sim_area_process *p)
{
   printf("{\"process_nm\": %u, \"mtransistors\": %.6f, \"mm2\": %.6f, \"units\": [", p->nm,
          a->mtransistors, a->mm2);
   for (unsigned i = 0; i < a->num; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("%s\n {\"unit\": \"%s\", \"what\": ", i ? "," : "", u->name);
      sim_json_text(stdout, u->what);
      printf(", \"units\": %.0f, \"mtransistors_each\": %.6f, \"kbits_each\": %.3f, "
             "\"mm2_each\": %.6f, \"mtransistors\": %.6f, \"mm2\": %.6f, \"source\": ",
             u->units, u->mtransistors, u->kbits, u->mm2, u->units * u->mtransistors,
             u->units * u->mm2);
      sim_json_text(stdout, u->source);
      printf("}");
   }
   printf("\n],\n\"blocks\": {");
   const char *before = "";
   for (unsigned i = 0; i < sim_num_area_places; i++) {
      const struct sim_area_place *at = &sim_area_places[i];
      if (!at->block[0] || !strcmp(before, at->unit)) /* the same unit in another machine */
         continue;
      char unit[64];
      measure_unit_name(at->unit, unit, sizeof(unit));
      printf("%s\"%s\": \"%s\"", *before ? ", " : "", unit, at->block[0]);
      before = at->unit;
   }
   printf("}}\n");
}

static void
cli_area_print_markdown(const struct sim_area *a, const struct sim_area_process *p)
{
   printf(
       "| unit | units | million transistors | mm² at %u nm | source |\n|---|---:|---:|---:|---|\n",
       p->nm);
   for (unsigned i = 0; i < a->num; i++) {
      const struct sim_area_unit *u = &a->unit[i];
      printf("| %s | %.0f | %.2f | %.2f | %s |\n", u->what, u->units, u->units * u->mtransistors,
             u->units * u->mm2, u->source);
   }
   printf("| all | | %.2f | %.2f | |\n", a->mtransistors, a->mm2);
}

int
cli_area(struct cli_options *o, char **args)
{
   struct sim_config config;
   struct sim_area area;
   const unsigned nm = o->process ? (unsigned)atoi(o->process) : SIM_AREA_DEFAULT_NM;
   const struct sim_area_process *process = sim_area_process(nm);
   if (!cli_area_read_machine(&o->sim, &config))
      return CLI_FILE;
   sim_area_of(&area, &config, process);
   if (o->format && !strcmp(o->format, "csv"))
      cli_area_print_csv(&area);
   else if (o->format && !strcmp(o->format, "json"))
      cli_area_print_json(&area, process);
   else if (o->format && !strcmp(o->format, "markdown"))
      cli_area_print_markdown(&area, process);
   else
      cli_area_print_text(&area, process);
   return CLI_OK;
}
