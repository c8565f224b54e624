/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy of a recorded run: reads the machine from a record (run.sqlite), makes its terms and
 * writes them with views, which give energy by unit and box for frames, work and intervals
 * (docs/explanation/power.md). Not here: the model (power_model.h). */
#ifndef POWER_RECORD_H
#define POWER_RECORD_H

#include <sqlite3.h>
#include "power/power_model.h"

/* Rows with energy in a record: the view's name (and its numbering column), the table of rows, and
 * in SQL a row's cycles and seconds. */
enum power_row_kind { POWER_ROWS_WORK, POWER_ROWS_FRAME, POWER_ROWS_INTERVAL, POWER_NUM_ROWS };
extern const struct power_rows {
   const char *name, *rows, *cycles, *seconds;
} power_rows[POWER_NUM_ROWS];

struct sim_config;

/* Writes the tables power and power_terms and their views into the record, replacing existing ones;
 * temporary: for this connection only, without changing the file. The record has configuration,
 * boxes and counters; config: the same configuration if known (reading it is a quarter of the
 * work), or NULL. False with a message. */
bool power_record_write(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        bool temporary, char *error, size_t error_size);
/* Adds event costs in another state of power_states to power_terms written with at least one. */
bool power_record_state(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        unsigned state, char *error, size_t error_size);
/* Returns the record's table of energies; the built-in one if it has none. */
bool power_record_table(sqlite3 *db, struct power_table *t, char *error, size_t error_size);

#endif
