/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Opens the record of a run (run.sqlite) for the commands that read one. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <sqlite3.h>
#include <stddef.h>

/* Returns NULL, with a message, if the folder has no record or one of another version. */
sqlite3 *cli_record_open(const char *folder, char *error, size_t error_size);

#endif
