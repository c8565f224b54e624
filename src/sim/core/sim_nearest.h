/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The name that a user may have meant: what "is it ...?" in messages says. Not here: lists of
 * names.
 */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

#include <stdbool.h>

struct sim_nearest {
   const char *wanted;   /* what the user wrote; all else is zero at first */
   bool found;           /* a name was near enough */
   unsigned differences; /* of the nearest one */
};

/* Whether a name, in upper or lower case, is near enough and nearer than all before. Near enough is
 * a third of the letters (at least one) left out, added, changed or swapped. */
bool sim_nearest_is(struct sim_nearest *n, const char *name);

#endif
