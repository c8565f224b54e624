/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the tables of subcommands and options say: --help, docs/reference/options.md, and lists for
 * completion. Manual pages are made from --help (scripts/lib/manpage.py). */
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"

#define WIDTH 98  /* of a line */
#define INDENT 26 /* of the text of an option */

static const char *const group_titles[] = {
#define G(constant, title) title,
    SIM_OPTION_GROUPS(G)
#undef G
};

static const struct {
   int status;
   const char *meaning;
} exits[] = {
#define E(constant, status, meaning) {status, meaning},
    ATTILA_EXITS(E)
#undef E
};
#define NUM_EXITS (sizeof(exits) / sizeof(exits[0]))

/* --- Text --- */

/* Prints words on lines that begin at column indent. The cursor is already at that column. */
static void
cli_help_wrap(FILE *f, const char *text, size_t length, int indent)
{
   int at = indent;
   for (const char *p = text, *end = text + length; p < end;) {
      int n = 0;
      while (p + n < end && p[n] != ' ')
         n++;
      if (at > indent && at + 1 + n > WIDTH) {
         fprintf(f, "\n%*s", indent, "");
         at = indent;
      } else if (at > indent) {
         at += fprintf(f, " ");
      }
      at += fprintf(f, "%.*s", n, p);
      p += n + (p + n < end);
   }
}

/* Prints a description: lines that begin with a space as they are, others wrapped as paragraphs. */
static void
cli_help_description(FILE *f, const char *text)
{
   for (const char *p = text; *p;) {
      const size_t n = strcspn(p, "\n");
      if (*p == ' ')
         fprintf(f, "%.*s", (int)n, p);
      else
         cli_help_wrap(f, p, n, 0);
      fputc('\n', f);
      p += n + (p[n] == '\n');
   }
}

/* Prints "; needs --out" and the like for each relation of this option. */
static void
cli_help_relations(FILE *f, const struct sim_option *o, enum sim_command command)
{
   const struct sim_option_table *t = &cli_option_table;
   const char *apart = "; not with";
   for (const struct sim_relation *r = t->relations; r < t->relations + t->num_relations; r++) {
      char other[64], either[64];
      if (r->who != o->offset || r->but >> command & 1)
         continue;
      sim_option_label(t, r->other, command, other, sizeof(other));
      sim_option_label(t, r->either, command, either, sizeof(either));
      const bool first = *other == '-', second = *either == '-';
      if (r->kind == SIM_RELATION_NEEDS && first && second && r->other != r->either)
         fprintf(f, "; needs %s or %s", other, either);
      else if (r->kind == SIM_RELATION_NEEDS && (first || second))
         fprintf(f, "; needs %s", first ? other : either);
      else if (r->kind == SIM_RELATION_EXCLUDES && first)
         apart = fprintf(f, "%s %s", apart, other) > 0 ? "," : apart;
      else if (r->kind == SIM_RELATION_TIMED)
         fprintf(f, "; not in functional mode");
   }
}

static void
cli_help_option(FILE *f, const struct sim_option *o, enum sim_command command)
{
   char text[1200] = "";
   FILE *m = fmemopen(text, sizeof(text), "w");
   int at = o->letter ? fprintf(f, "  -%c", o->letter) : fprintf(f, "    ");
   if (o->name)
      at += fprintf(f, "%s--%s", o->letter ? ", " : "  ", o->name);
   if (o->argument)
      at += fprintf(f, " %s", o->argument);
   if (at > INDENT - 2)
      fprintf(f, "\n%*s", INDENT, "");
   else
      fprintf(f, "%*s", INDENT - at, "");
   if (m) {
      fputs(o->help, m);
      cli_help_relations(m, o, command);
      fclose(m);
   }
   cli_help_wrap(f, text, strlen(text), INDENT);
   fputc('\n', f);
}

static void
cli_help_exits(FILE *f)
{
   fprintf(f, "\nExit status:\n");
   for (unsigned i = 0; i < NUM_EXITS; i++)
      fprintf(f, "  %d  %s\n", exits[i].status, exits[i].meaning);
}

int
cli_print_help(enum sim_command command)
{
   const struct cli_command_row *c = &cli_commands[command];
   const struct sim_option_table *t = &cli_option_table;
   const bool launch = command == SIM_COMMAND_LAUNCH;
   char program[64];
   cli_program(command, program, sizeof(program));
   if (launch)
      printf("Usage: %s [options] %s\n\n", program, c->arguments);
   else
      printf("Usage: %s%s%s [options]\n\n", program, *c->arguments ? " " : "", c->arguments);
   cli_help_description(stdout, c->description);
   for (unsigned g = 0; g < SIM_NUM_GROUPS; g++) {
      bool title = false;
      for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
         if (o->group != g || !(o->commands >> command & 1))
            continue;
         if (!title)
            printf("\n%s:\n", group_titles[g]);
         title = true;
         cli_help_option(stdout, o, command);
      }
   }
   printf("\nOther options:\n  -h, --help              this text\n"
          "      --version           version and commit\n");
   if (launch)
      printf("\nMost options can also be given as ATTILA_* variables; docs/reference/options.md "
             "lists them. "
             "The exit\nstatus is the program's, 126 if it cannot be executed, 127 if it cannot be "
             "found, and 128 + N if\nsignal N ended it; or else 1 or 2, as below.\n");
   cli_help_exits(stdout);
   return CLI_OK;
}

void
cli_print_commands(FILE *f)
{
   fprintf(f, "Usage: attila-sim SUBCOMMAND ...\n\n"
              "Replays captures of the simulated ATTILA GPU, reads records and describes machines."
              "\n\nSubcommands:\n");
   for (unsigned i = 0; i < SIM_NUM_COMMANDS; i++) {
      const struct cli_command_row *c = &cli_commands[i];
      const int at = fprintf(f, "  %s %s", c->name, c->arguments);
      fprintf(f, "%*s%s\n", INDENT > at ? INDENT - at : 1, "", c->summary);
   }
   fprintf(f, "\n\"attila-sim SUBCOMMAND --help\" lists the options of a subcommand.\n");
   cli_help_exits(f);
}

int
cli_help(struct cli_options *o, char **args)
{
   enum sim_command command;
   const bool all = o->num_args && !strcmp(args[0], "all");
   if (!o->num_args || all)
      cli_print_commands(stdout);
   for (unsigned i = SIM_COMMAND_LAUNCH + 1; i < SIM_NUM_COMMANDS && all; i++) {
      putchar('\n');
      cli_print_help((enum sim_command)i);
   }
   if (!o->num_args || all)
      return CLI_OK;
   if (!strcmp(args[0], "attila-run"))
      return cli_print_help(SIM_COMMAND_LAUNCH);
   if (!cli_find_command(args[0], &command))
      return cli_complain(o, "there is no subcommand \"%s\"", args[0]);
   return cli_print_help(command);
}

/* --- options --- */

/* Prints text for a cell of a Markdown table. */
static void
cli_help_cell(const char *text)
{
   for (; *text; text++) {
      if (*text == '|' || *text == '*')
         putchar('\\');
      putchar(*text);
   }
}

static void
cli_help_markdown_takers(const struct sim_option *o)
{
   const char *between = "";
   for (unsigned i = 0; i < SIM_NUM_COMMANDS; i++) {
      if (!(o->commands >> i & 1))
         continue;
      printf("%s%s", between, i == SIM_COMMAND_LAUNCH ? "attila-run" : cli_commands[i].name);
      between = ", ";
   }
}

static void
cli_help_markdown_option(const struct sim_option *o)
{
   printf("| `");
   if (o->letter)
      printf("-%c%s", o->letter, o->name ? ", " : "");
   printf("%s%s%s%s` | ", o->name ? "--" : "", o->name ? o->name : "", o->argument ? " " : "",
          o->argument ? o->argument : "");
   if (o->variable && !strncmp(o->variable, "ATTILA_", 7))
      printf("`%s`", o->variable);
   printf(" | ");
   cli_help_markdown_takers(o);
   printf(" | ");
   cli_help_cell(o->help);
   enum sim_command command = 0;
   while (!(o->commands >> command & 1))
      command++;
   cli_help_relations(stdout, o, command);
   printf(" |\n");
}

static void
cli_help_markdown(void)
{
   const struct sim_option_table *t = &cli_option_table;
   printf("# Options, subcommands, exit codes\n\n`attila-sim options` prints this page from the "
          "tables in `src/sim/options` and `src/sim/cli`.\nOptions are those of the program or "
          "subcommand in the third column; all of them have\n`--help`. A variable of the second "
          "column stands for the option where a program is not started by\n`attila-run`; flags are "
          "0 or 1 there.\n\n## Subcommands of attila-sim\n\n| Subcommand | Meaning |\n|---|---|\n");
   for (unsigned i = 0; i < SIM_NUM_COMMANDS; i++) {
      const struct cli_command_row *c = &cli_commands[i];
      printf("| `%s%s%s` | ", c->name, *c->arguments ? " " : "", c->arguments);
      cli_help_cell(c->summary);
      printf(" |\n");
   }
   for (unsigned g = 0; g < SIM_NUM_GROUPS; g++) {
      printf("\n## %s\n\n| Option | Variable | Of | Meaning |\n|---|---|---|---|\n",
             group_titles[g]);
      for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
         if (o->group == g)
            cli_help_markdown_option(o);
      }
   }
   printf("\n## Exit codes\n\n| Status of attila-sim | Meaning |\n|---|---|\n");
   for (unsigned i = 0; i < NUM_EXITS; i++)
      printf("| %d | %s |\n", exits[i].status, exits[i].meaning);
   printf(
       "\nattila-run and the other scripts use 1 and 2 in the same way. Otherwise attila-run ends "
       "with the\nstatus of the program that it runs: 126 if that cannot be executed, 127 if "
       "there is none, 128 + N\nif signal N ended it.\n");
}

int
cli_options(struct cli_options *o, char **args)
{
   const struct sim_option_table *t = &cli_option_table;
   enum sim_command command;
   if (!o->num_args) {
      cli_help_markdown();
      return CLI_OK;
   }
   if (!strcmp(args[0], "attila-run"))
      command = SIM_COMMAND_LAUNCH;
   else if (!cli_find_command(args[0], &command))
      return cli_complain(o, "there is no subcommand \"%s\"", args[0]);
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      if (p->commands >> command & 1 && p->name)
         printf("--%s\t%s\t%s\n", p->name, p->argument ? p->argument : "",
                p->words ? p->words : "");
   }
   return CLI_OK;
}
