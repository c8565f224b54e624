/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim --describe: parameters and statistics of a machine, as text, as Markdown
 * (docs/reference.md) or as .ini. Markdown also says which names of the original's configuration
 * and statistics are not here, and why. Not here: commands and registers (cli_interface.c).
 */
#include "cli/cli.h"
#include "config/sim_no_effect.h"
#include "report/sim_no_statistic.h"

static const char *const unit_names[SIM_NUM_UNITS] = {
#define U(name, text) text,
    SIM_UNITS(U)
#undef U
};

static void
describe_stat(const struct sim_box_class *cls, const struct sim_stat_desc *d,
              enum sim_describe_format format)
{
   if (format == SIM_DESCRIBE_MARKDOWN)
      printf("| %s_%s | %s | %s |\n", d->name, cls->unit, unit_names[d->unit], d->doc);
   else
      printf("  %s_%s (%s): %s\n", d->name, cls->unit, unit_names[d->unit], d->doc);
}

static void
describe_class(const struct sim_box_class *cls, enum sim_describe_format format)
{
   if (format == SIM_DESCRIBE_MARKDOWN)
      printf("\n## %s (%s)\n\n%s.\n\nCounted for: %s.\n\n| Statistic | Unit | Meaning |\n"
             "|---|---|---|\n",
             cls->name, cls->unit, cls->doc,
             cls->charges ? cls->charges : "the draw or other command it was done for");
   else
      printf("\n%s (%s): %s\n", cls->name, cls->unit, cls->doc);
   for (unsigned s = 0; s < cls->num_stats; s++)
      describe_stat(cls, &cls->stats[s], format);
   for (unsigned s = 0; s < SIM_NUM_ACTIVITIES; s++)
      describe_stat(cls, &sim_activity_stat_descs[s], format);
}

/* The words of a list, each in a row of its own. */
static void
describe_missing(const char *section, const char *names, const char *why)
{
   for (const char *p = names; *p;) {
      int n = (int)strcspn(p, " ");
      if (section)
         printf("| `%s.%.*s` | %s |\n", section, n, p, why);
      else
         printf("| `%.*s` | %s |\n", n, p, why);
      p += n + (p[n] == ' ');
   }
}

static void
describe_original(void)
{
   printf("\n# Keys of the original without effect\n\n| Key | Why |\n|---|---|\n");
#define N(section, keys, why) describe_missing(#section, keys, why);
   SIM_NO_EFFECT(N)
#undef N
   printf("\n# Statistics of the original that are not counted\n\n"
          "`#` stands for a number, `*` for anything.\n\n| Statistic | Why |\n|---|---|\n");
#define N(names, why) describe_missing(NULL, names, why);
   SIM_NO_STATISTIC(N)
#undef N
}

int
cli_describe(struct cli_options *o)
{
   char error[1024];
   struct attila_sim_options options = o->sim;
   options.mode = ATTILA_MODE_CYCLE;
   options.out_dir = NULL;
   options.save_frames = false;
   options.overrides = o->overrides + 1;
   options.num_overrides = o->num_overrides;
   struct attila_sim *sim = attila_sim_create(&options, error, sizeof(error));
   if (!sim) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_FILE;
   }
   if (o->format == SIM_DESCRIBE_MARKDOWN)
      printf("# Parameters\n\n");
   sim_config_describe(&sim->gpu.config, o->format, stdout);
   if (o->format != SIM_DESCRIBE_INI) {
      printf(o->format == SIM_DESCRIBE_MARKDOWN ? "\n# Statistics\n" : "\nStatistics\n");
      for (unsigned i = 0; i < sim_netlist_num_classes; i++)
         describe_class(sim_netlist_classes[i], o->format);
   }
   if (o->format == SIM_DESCRIBE_MARKDOWN)
      describe_original();
   attila_sim_destroy(sim);
   return CLI_OK;
}
