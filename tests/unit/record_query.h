/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A record (run.sqlite) and what a query finds in it, for tests.
 */
#ifndef RECORD_QUERY_H
#define RECORD_QUERY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sqlite3.h>

/* The first column of the first row; the test fails if there is none. */
static inline int64_t
record_number(sqlite3 *db, const char *sql)
{
   sqlite3_stmt *s = NULL;
   if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
      fail_msg("%s: %s", sql, sqlite3_errmsg(db));
   const int64_t n = sqlite3_column_int64(s, 0);
   sqlite3_finalize(s);
   return n;
}

/* Removes a folder and what is in it. folder: empty: there is none. */
static inline int
record_remove(char folder[64])
{
   char command[80];
   snprintf(command, sizeof(command), "rm -r '%s'", folder);
   return folder[0] ? system(command) : 0;
}

/* A new folder for a record, in place of the one that was made before. folder: of it, or empty. */
static inline void
record_renew(char folder[64])
{
   assert_int_equal(record_remove(folder), 0);
   strcpy(folder, "/tmp/attila-record-XXXXXX");
   assert_non_null(mkdtemp(folder));
}

/* That of a folder; to be closed. */
static inline sqlite3 *
record_open(const char *folder)
{
   char path[200];
   sqlite3 *db = NULL;
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
   return db;
}

/* All that a query finds, a line for each row; to be freed. */
static inline char *
record_text(sqlite3 *db, const char *sql)
{
   sqlite3_stmt *s = NULL;
   char *all = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&all, &size);
   if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
      fail_msg("%s: %s", sql, sqlite3_errmsg(db));
   while (sqlite3_step(s) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(s); i++)
         fprintf(f, "%s ", (const char *)sqlite3_column_text(s, i));
      fputc('\n', f);
   }
   sqlite3_finalize(s);
   fclose(f);
   return all;
}

#endif
