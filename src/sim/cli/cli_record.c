/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Opening records (cli_record.h). */
#include "cli/cli_record.h"

#include <stdio.h>
#include "results/sim_record.h"

sqlite3 *
cli_record_open(const char *folder, char *error, size_t error_size)
{
   char path[4400];
   sqlite3 *db = NULL;
   sqlite3_stmt *s = NULL;
   snprintf(path, sizeof(path), "%s/" SIM_RECORD_NAME, folder);
   /* Opened for writing where possible: a run that was killed while it wrote leaves a journal to
    * roll back. */
   int result = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
   sqlite3_busy_timeout(db, 5000);
   if (result == SQLITE_OK)
      result = sqlite3_prepare_v2(db, "SELECT schema FROM run", -1, &s, NULL);
   if (result == SQLITE_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
      const int schema = sqlite3_column_int(s, 0);
      result = schema == SIM_RECORD_SCHEMA ? SQLITE_OK : SQLITE_MISMATCH;
      if (result != SQLITE_OK)
         snprintf(
             error, error_size,
             "%.400s is of another version of Attila: it has schema %d, and this one reads %d; "
             "record the run again",
             path, schema, SIM_RECORD_SCHEMA);
   } else if (result == SQLITE_DONE) {
      snprintf(error, error_size, "%.400s: the record is empty: the run ended before its first row",
               path);
   } else {
      snprintf(error, error_size, "%.400s: %s", path, sqlite3_errmsg(db));
   }
   sqlite3_finalize(s);
   if (result == SQLITE_OK)
      return db;
   sqlite3_close(db);
   return NULL;
}
