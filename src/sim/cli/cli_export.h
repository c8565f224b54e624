/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of attila-sim export to CSV share: the record that is read, and how files are made
 * of it. The first thing that fails is remembered, and nothing is done after it.
 */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include <sqlite3.h>
#include <stdio.h>
#include "cli/cli.h"

/* A column of statistics: a counter, of one of several boxes or (-1) the sum of all. */
struct column {
   int counter, instance;
};

/* Which columns the numbers of an array are (docs/reference/record.md, layout). */
struct layout {
   struct column *place;
   int num;
};

struct export
{
   sqlite3 *db;
   const char *folder;
   char error[600];
   struct column *columns; /* of the table that is written */
   unsigned num_columns;
   struct layout *layouts; /* by number */
   int num_layouts;
   uint64_t *values; /* of one row, by counter and instance + 1 */
   int num_counters, num_instances;
};

/* NULL after a failure. */
sqlite3_stmt *export_prepare(struct export *e, const char *sql);
/* The next row; false at the end or on an error. */
bool export_step(struct export *e, sqlite3_stmt *s);
/* A file in the folder; NULL after a failure. */
FILE *export_create(struct export *e, const char *name);
void export_finish(struct export *e, FILE *f, const char *name);
/* In quotation marks. */
void export_text(FILE *f, const char *text);

/* cli_export_energy.c: files of joules, if the record has energies. */
void export_energy(struct export *e);

#endif
