/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim describe: parameters and statistics of a machine, as text, JSON, .ini or Markdown
 * (docs/reference/parameters.md and statistics.md). Markdown also lists the keys and statistics of
 * the original that are not here, and why. Not here: commands and registers (cli_interface.c). */
#include "box/netlist.h"
#include "cli/cli.h"
#include "config/sim_release_keys.h"
#include "core/sim_json.h"
#include "measure/sim_measure.h"
#include "measure/sim_release_statistics.h"

static void
cli_describe_class(const struct sim_box_class *cls)
{
   printf("\n%s (%s): %s\n", cls->name, cls->unit, cls->doc);
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      const struct sim_stat_desc *d = measure_class_stat(cls, s);
      printf("  %s_%s (%s): %s\n", d->name, cls->unit, measure_unit_text(d->unit), d->doc);
   }
}

/* The machine's parameters and all statistics, as one object. */
static void
cli_describe_json(const struct sim_config *config)
{
   const char *between = "";
   printf("{\"parameters\": ");
   sim_config_describe(config, SIM_DESCRIBE_JSON, stdout);
   printf(",\n\"statistics\": [\n");
   for (unsigned i = 0; i < sim_netlist_num_classes; i++) {
      const struct sim_box_class *cls = sim_netlist_classes[i];
      for (unsigned s = 0; s < measure_class_stats(cls); s++, between = ",\n") {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         printf("%s  {\"name\": \"%s_%s\", \"class\": \"%s\", \"measure\": ", between, d->name,
                cls->unit, cls->name);
         sim_json_text(stdout, measure_unit_text(d->unit));
         printf(", \"meaning\": ");
         sim_json_text(stdout, d->doc);
         printf(", \"attribution\": ");
         sim_json_text(stdout, measure_class_attribution(cls, s));
         printf("}");
      }
   }
   printf("\n ]}\n");
}

/* The texts of the tables of the release (reasons and differences), a constant for each. */
#define R(reason, text) static const char REASON_##reason[] = text;
SIM_RELEASE_REASONS(R)
SIM_UNCOUNTED_REASONS(R)
SIM_DIFFERENCES(R)
#undef R

/* Prints docs/reference/statistics.md. */
static void
cli_describe_statistics(void)
{
   printf("# Statistics\n\n"
          "Every statistic of every box. `attila-sim describe --format statistics` prints\n"
          "this page. `#` in a name is the number of the unit's instance; a column without it\n"
          "is the sum over all instances. A unit that occurs twice (`MC`, `Sched#`) has two\n"
          "models, of which a machine has one. The last column says which row of `draws.csv`\n"
          "is charged ([attribution.md](../explanation/attribution.md)).\n");
   for (unsigned i = 0; i < sim_netlist_num_classes; i++) {
      const struct sim_box_class *cls = sim_netlist_classes[i];
      printf("\n## %s (%s)\n\n%s.\n\n", cls->name, cls->unit, cls->doc);
      printf("| Statistic | Unit | Meaning | Whose row |\n|---|---|---|---|\n");
      for (unsigned s = 0; s < measure_class_stats(cls); s++) {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         printf("| %s_%s | %s | %s | %s |\n", d->name, cls->unit, measure_unit_text(d->unit),
                d->doc, measure_class_attribution(cls, s));
      }
   }
   printf("\n# Statistics that the original counts otherwise\n\n"
          "Under the same name; `*` stands for anything. All others mean the same.\n\n"
          "| Statistic | What the original counts |\n|---|---|\n");
#define S(name, difference) printf("| `%s` | %s |\n", name, REASON_##difference);
   SIM_DIFFERENT_STATISTICS(S)
#undef S
}

static void
cli_describe_original(void)
{
   printf("\n# Keys of the original without effect\n\n| Key | Why |\n|---|---|\n");
#define K(section, key, reason) printf("| `%s.%s` | %s |\n", #section, #key, REASON_##reason);
   SIM_RELEASE_KEYS(K)
#undef K
   printf("\n# Statistics of the original that are not counted\n\n"
          "`#` stands for a number, `*` for anything.\n\n| Statistic | Why |\n|---|---|\n");
#define S(name, reason) printf("| `%s` | %s |\n", name, REASON_##reason);
   SIM_UNCOUNTED_STATISTICS(S)
#undef S
}

int
cli_describe(struct cli_options *o, char **args)
{
   char error[1024];
   const char *format = o->format ? o->format : "text";
   const enum sim_describe_format how = !strcmp(format, "markdown") ? SIM_DESCRIBE_MARKDOWN
                                        : !strcmp(format, "ini")    ? SIM_DESCRIBE_INI
                                                                    : SIM_DESCRIBE_TEXT;
   if (!strcmp(format, "statistics")) {
      cli_describe_statistics();
      return CLI_OK;
   }
   struct attila_sim *sim = attila_sim_create(&o->sim, error, sizeof(error));
   if (!sim)
      return cli_fail("%s", error);
   if (!strcmp(format, "json") || !strcmp(format, "units")) {
      if (!strcmp(format, "json"))
         cli_describe_json(attila_session_config(sim));
      else
         cli_describe_pins(attila_session_config(sim));
      attila_sim_destroy(sim);
      return CLI_OK;
   }
   if (how == SIM_DESCRIBE_MARKDOWN)
      printf("# Parameters\n\n");
   sim_config_describe(attila_session_config(sim), how, stdout);
   if (how == SIM_DESCRIBE_TEXT) {
      printf("\nStatistics\n");
      for (unsigned i = 0; i < sim_netlist_num_classes; i++)
         cli_describe_class(sim_netlist_classes[i]);
   }
   if (how == SIM_DESCRIBE_MARKDOWN) {
      printf("\n# Statistics\n\n[statistics.md](statistics.md) lists them.\n");
      cli_describe_original();
   }
   attila_sim_destroy(sim);
   return CLI_OK;
}
