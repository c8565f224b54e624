/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ATTILA_DEBUG, read from the environment. Not here: the flags (attila_debug_flags.h). */
#ifndef ATTILA_DEBUG_H
#define ATTILA_DEBUG_H

#include <stdbool.h>
#include "hw/attila_debug_flags.h"

struct attila_sim_options;

/* Parses a list of names; "help" prints all. Returns false after a message on stderr for an unknown
 * name. text may be NULL. */
bool attila_debug_parse(const char *text, unsigned *flags);

/* Appends flags that are machine parameters to the overrides in options. storage, of
 * options->num_overrides + ATTILA_DEBUG_OVERRIDES, must outlive options. */
#define ATTILA_DEBUG_OVERRIDES 3
void attila_debug_override(unsigned flags, struct attila_sim_options *options,
                           const char **storage);

#endif
