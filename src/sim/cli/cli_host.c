/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Queries of the host that several subcommands share, and their messages. */
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include "cli/cli.h"

int
cli_fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fputs("attila-sim: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   return CLI_FILE;
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
