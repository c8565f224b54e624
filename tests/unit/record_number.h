/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A number out of a record (run.sqlite), for tests.
 */
#ifndef RECORD_NUMBER_H
#define RECORD_NUMBER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

#endif
