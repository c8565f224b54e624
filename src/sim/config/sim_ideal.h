/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Ideal units: what a run would gain if a unit were as fast as its parameters allow, far beyond
 * what it needs, while all others stay as they are (--ideal memory,texture). Pixels stay the same.
 * Not here: the parameters of each, which are in the sheets (SIM_IDEAL_name, units/).
 */
#ifndef SIM_IDEAL_H
#define SIM_IDEAL_H

#include "config/sim_config.h"

/* Gives the units of a list ("memory,texture") their speed; after everything else has been set.
 * NULL or "": nothing. False with a message when a name is not one of these. */
bool sim_config_idealise(struct sim_config *config, const char *list, char *error,
                         size_t error_size);
/* The names, each once; NULL behind the last. */
const char *sim_config_ideal_name(unsigned number);

#endif
