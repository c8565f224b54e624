/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The name that a user may have meant, for "is it ...?" in messages. Not here: lists of names. */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

#include <stdbool.h>

struct sim_nearest {
   const char *wanted;   /* the user's word; the rest starts as zeros */
   bool found;           /* a name was near enough */
   unsigned differences; /* of the nearest name */
};

/* Returns whether a name, in any case, is near enough and nearer than all before. Near enough: a
 * third of the letters (at least one) left out, added, changed or swapped. */
bool sim_nearest_is(struct sim_nearest *n, const char *name);

#endif
