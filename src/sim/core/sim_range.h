/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers and ranges of numbers in lists that a user writes, such as "3,10-20,50-". Not here: what
 * is between them, which ranges may follow each other, and what is said of a wrong list.
 */
#ifndef SIM_RANGE_H
#define SIM_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads digits at *p and goes behind them; false: there are none, or the number is above
 * UINT32_MAX. */
bool sim_range_number(const char **p, uint32_t *value);
/* "A", "A-B" with B not below A, or "A-": last is UINT32_MAX. */
bool sim_range_parse(const char **p, uint32_t *first, uint32_t *last);

#endif
