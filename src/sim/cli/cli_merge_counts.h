/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Where the counters of workers' arrays stand in a merged record (cli_merge_counts.c).
 */
#ifndef CLI_MERGE_COUNTS_H
#define CLI_MERGE_COUNTS_H

#include <sqlite3.h>
#include <stdbool.h>

/* For a record whose table of layouts is empty; db knows moved_counts(layout, counts) as long as
 * this lives. NULL: out of host memory. */
struct merge_counts *merge_counts_create(sqlite3 *db);
void merge_counts_destroy(struct merge_counts *c);

/* The next worker's record is attached as w: from now on moved_counts() is of its arrays. Counters
 * that none before has had get places in main. False: its layouts are damaged. */
bool merge_counts_worker(struct merge_counts *c);

#endif
