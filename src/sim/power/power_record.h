/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy of a recorded run: reads the machine from a record (run.sqlite), makes its terms, and
 * writes them into it as tables with views, which give energy by unit and by box for the run's
 * frames, work and intervals (docs/explanation/power.md). Not here: the model (power_model.h).
 */
#ifndef POWER_RECORD_H
#define POWER_RECORD_H

#include <sqlite3.h>
#include "power/power_model.h"

/* What has energy in a record: what a view is called after (and the column that numbers its rows),
 * the table of rows, and in SQL a row's cycles and seconds. */
enum power_row_kind { POWER_ROWS_WORK, POWER_ROWS_FRAME, POWER_ROWS_INTERVAL, POWER_NUM_ROWS };
extern const struct power_rows {
   const char *name, *rows, *cycles, *seconds;
} power_rows[POWER_NUM_ROWS];

struct sim_config;

/* Writes the tables power and power_terms and their views into the record, in place of those that
 * are there; temporary: for this connection alone, and the file stays as it is. The record has its
 * configuration, boxes and counters; config: the same configuration, for those who have it, since
 * reading it back is a quarter of the work, or NULL. False with a message. */
bool power_record_write(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        bool temporary, char *error, size_t error_size);
/* Adds what events cost in another state of power_states to power_terms that were written when it
 * had at least one. */
bool power_record_state(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        unsigned state, char *error, size_t error_size);
/* The table that the record was written with; the built-in one where it has none. */
bool power_record_table(sqlite3 *db, struct power_table *t, char *error, size_t error_size);

#endif
