/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the parts of attila-sim have in common: numbers, ranges, the machine (-c, -s), what is said
 * of a wrong option, and questions to the host. Not here: which options there are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include "cli/cli.h"

bool
cli_options_begin(struct cli_options *o, int argc)
{
   o->overrides = calloc((size_t)argc + 1, sizeof(*o->overrides));
   if (!o->overrides)
      fprintf(stderr, "attila-sim: out of host memory\n");
   return o->overrides != NULL;
}

bool
cli_machine_option(struct cli_options *o, int option, const char *arg)
{
   if (option == 'c')
      o->sim.config_path = arg;
   else if (option == 's')
      o->overrides[1 + o->num_overrides++] = arg;
   return option == 'c' || option == 's';
}

bool
cli_number(const char *text, const char **end, uint32_t *value)
{
   char *stop;
   if (*text < '0' || *text > '9')
      return false;
   errno = 0;
   unsigned long long v = strtoull(text, &stop, 10);
   *end = stop;
   *value = (uint32_t)v;
   return !errno && v <= UINT32_MAX;
}

bool
cli_whole_number(const char *text, uint32_t *value)
{
   const char *end;
   return cli_number(text, &end, value) && !*end;
}

bool
cli_range(const char *text, uint32_t *first, uint32_t *last)
{
   const char *end;
   if (!cli_number(text, &end, first))
      return false;
   *last = *first;
   if (*end == '-' && !cli_number(end + 1, &end, last))
      return false;
   return !*end && *last >= *first;
}

bool
cli_same_file(const char *a, const char *b)
{
   struct stat sa, sb;
   return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

double
cli_cpu_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

int
cli_complain(const char *command, const char *format, const char *what)
{
   fprintf(stderr, "%s: ", command);
   fprintf(stderr, format, what);
   fprintf(stderr, "\n%s --help lists the options.\n", command);
   return CLI_USAGE;
}
