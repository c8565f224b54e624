/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A record (run.sqlite) and what a query finds in it, for tests. */
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

/* The first row, to finalize; the test fails if there is none. */
static inline sqlite3_stmt *
record_row(sqlite3 *db, const char *sql)
{
   sqlite3_stmt *s = NULL;
   if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
      fail_msg("%s: %s", sql, sqlite3_errmsg(db));
   return s;
}

/* The first column of the first row. */
static inline int64_t
record_number(sqlite3 *db, const char *sql)
{
   sqlite3_stmt *s = record_row(db, sql);
   const int64_t n = sqlite3_column_int64(s, 0);
   sqlite3_finalize(s);
   return n;
}

/* The same, with its fraction. */
static inline double
record_real(sqlite3 *db, const char *sql)
{
   sqlite3_stmt *s = record_row(db, sql);
   const double n = sqlite3_column_double(s, 0);
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

/* Makes the views frame_values, work_values and interval_values of this connection: a row for each
 * number of the tables of statistics that is not 0, with its counter and name. */
static inline void
record_long_form(sqlite3 *db)
{
   static const char *const kinds[] = {"frame", "work", "interval"};
   static const char query[] =
       "WITH columns AS (SELECT c.class, c.name, c.counter, CASE ?1 WHEN 'work' THEN 'work_' || "
       "c.class ELSE ?1 || '_counters' END AS tbl FROM counters c) "
       "SELECT group_concat(part, ' UNION ALL ') FROM (SELECT 'SELECT v.' || ?1 || ', c.counter, "
       "c.name, j.value FROM \"' || tbl || '\" v CROSS JOIN json_each(json_array(' "
       "|| group_concat('\"' || name || '\"') || ')) j CROSS JOIN counters c ON c.counter = ' || "
       "min(counter) || ' + j.key WHERE j.value != 0' AS part FROM (SELECT columns.* FROM columns "
       "JOIN pragma_table_info(tbl) t ON t.name = columns.name ORDER BY counter) GROUP BY class, "
       "(counter - (SELECT min(counter) FROM counters d WHERE d.class = class)) / 100)";
   for (unsigned i = 0; i < 3; i++) {
      sqlite3_stmt *s = NULL;
      assert_int_equal(sqlite3_prepare_v2(db, query, -1, &s, NULL), SQLITE_OK);
      sqlite3_bind_text(s, 1, kinds[i], -1, SQLITE_STATIC);
      assert_int_equal(sqlite3_step(s), SQLITE_ROW);
      const char *select = (const char *)sqlite3_column_text(s, 0);
      char *view =
          select ? sqlite3_mprintf("CREATE TEMP VIEW %s_values AS %s", kinds[i], select) : NULL;
      if (view && sqlite3_exec(db, view, NULL, NULL, NULL) != SQLITE_OK)
         fail_msg("%s", sqlite3_errmsg(db));
      sqlite3_free(view);
      sqlite3_finalize(s);
   }
}

/* That of a folder; to be closed. */
static inline sqlite3 *
record_open(const char *folder)
{
   char path[200];
   sqlite3 *db = NULL;
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
   record_long_form(db);
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
