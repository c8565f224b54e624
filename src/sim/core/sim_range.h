/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers, ranges and lists of ranges that a user writes, such as "3,10-20,50-". Not here: the
 * messages about wrong ones.
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

struct sim_range {
   uint32_t first, last; /* UINT32_MAX: no end */
};
/* "3,10-20,50-": ascending, without overlaps. To be freed. NULL: text is no such list. */
struct sim_range *sim_range_list(const char *text, unsigned *num);
/* The range that has a number in [first, last]; num: there is none. */
unsigned sim_range_find(const struct sim_range *list, unsigned num, uint32_t first, uint32_t last);

#endif
