/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers, ranges and lists of ranges from users, such as "3,10-20,50-". Not here: messages about
 * wrong ones. */
#ifndef SIM_RANGE_H
#define SIM_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads digits at *p and skips them; false: none, or above UINT32_MAX. */
bool sim_range_number(const char **p, uint32_t *value);
/* Reads "A", "A-B" with B >= A, or "A-" (last is UINT32_MAX). */
bool sim_range_parse(const char **p, uint32_t *first, uint32_t *last);

/* Reads "A" or "A-B" with B >= A, to its end; B is below UINT64_MAX / 4096, so that cycles can be
 * ticks. */
bool sim_range_span(const char *text, uint64_t *first, uint64_t *last);
/* Reads "FRAME:DRAW", "FRAME:FIRST-LAST" or "FRAME:FIRST-". */
bool sim_range_draws(const char **p, uint32_t *frame, uint32_t *first, uint32_t *last);

struct sim_range {
   uint32_t first, last; /* UINT32_MAX: no end */
};
/* Reads "3,10-20,50-": ascending, without overlaps; to free. NULL: malformed. */
struct sim_range *sim_range_list(const char *text, unsigned *num);
/* Returns the range with a number in [first, last]; num: none. */
unsigned sim_range_find(const struct sim_range *list, unsigned num, uint32_t first, uint32_t last);

#endif
