/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of attila-sim export share: a record, and tables of text made from it.
 */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include <sqlite3.h>
#include <stdio.h>
#include "cli/cli.h"

struct export
{
   sqlite3 *db;
   const char *folder;
   char error[600]; /* the first failure */
};

/* Queries; after a failure nothing happens any more. */
sqlite3_stmt *export_prepare(struct export *e, const char *sql);
bool export_step(struct export *e, sqlite3_stmt *s);
/* Whether the record has a table or view. */
bool export_has(struct export *e, const char *name);
/* A file in the folder; export_finish closes it. f: NULL: it was not opened. */
FILE *export_create(struct export *e, const char *name);
void export_finish(struct export *e, FILE *f, const char *name);
/* A field in quotes. */
void export_text(FILE *f, const char *text);

/* cli_export_energy.c: files of joules, if the record has energies. */
void export_energy(struct export *e);

#endif
