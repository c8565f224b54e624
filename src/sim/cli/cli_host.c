/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Questions to the host that several subcommands of attila-sim ask.
 */
#include <sys/stat.h>
#include <time.h>
#include "cli/cli.h"

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
