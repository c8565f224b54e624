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

/* Rows of a record that have energy: the name of the views and of the column that numbers rows, the
 * table of rows, and in SQL the cycles and seconds of a row. */
enum power_row_kind { POWER_ROWS_WORK, POWER_ROWS_FRAME, POWER_ROWS_INTERVAL, POWER_NUM_ROWS };
extern const struct power_rows {
   const char *name, *rows, *cycles, *seconds;
} power_rows[POWER_NUM_ROWS];

struct sim_config;

/* Writes the tables power and power_terms and their views into the record, where they replace old
 * ones. temporary: for this connection only, without changing the file. The record must have
 * configuration, boxes and counters. config: the same configuration if the caller has it (reading
 * it is a quarter of the work), or NULL. Returns false with a message on failure. */
bool power_record_write(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        bool temporary, char *error, size_t error_size);
/* Adds the costs of events in another state of power_states to power_terms, which must have been
 * written with at least one state. */
bool power_record_state(sqlite3 *db, const struct power_table *t, const struct sim_config *config,
                        unsigned state, char *error, size_t error_size);
/* Reads the record's table of energies, or the built-in one if the record has none. */
bool power_record_table(sqlite3 *db, struct power_table *t, char *error, size_t error_size);

#endif
