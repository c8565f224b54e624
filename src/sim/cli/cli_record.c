/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Opening records (cli_record.h). */
#include "cli/cli_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "core/sim_file.h"
#include "results/sim_record.h"

/* Returns the path of a journal that a killed run left and that this process has no right to roll
 * back, or NULL if there is none. The string is static. */
static const char *
cli_record_journal(const char *path)
{
   static const char *const ends[] = {"-journal", "-wal"};
   const char *left = NULL;
   for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]) && !left; i++) {
      char *name = sim_file_path("%s%s", path, ends[i]);
      if (!access(name, F_OK) && access(path, W_OK))
         left = ends[i];
      free(name);
   }
   return left;
}

sqlite3 *
cli_record_open(const char *folder, char *error, size_t error_size)
{
   char *path = sim_file_path("%s/" SIM_RECORD_NAME, folder);
   sqlite3 *db = NULL;
   sqlite3_stmt *s = NULL;
   /* Open for writing if possible: a run that was killed while it wrote leaves a journal, which
    * must be rolled back. */
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
   } else if (cli_record_journal(path)) {
      snprintf(error, error_size,
               "%.400s: its run was killed while it wrote, and SQLite must put the last frame in "
               "order (run.sqlite%s), which needs leave to write: copy the folder, or open the "
               "record once as its owner",
               path, cli_record_journal(path));
   } else {
      snprintf(error, error_size, "%.400s: %s", path, sqlite3_errmsg(db));
   }
   sqlite3_finalize(s);
   free(path);
   if (result == SQLITE_OK)
      return db;
   sqlite3_close(db);
   return NULL;
}
