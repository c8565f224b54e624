/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Ideal units (--ideal memory,texture) show what a run would gain if a unit were as fast as its
 * parameters allow and all others stayed the same. Pixels do not change. Not here: each one's
 * parameters, in the sheets (SIM_IDEAL_name, units/). */
#ifndef SIM_IDEAL_H
#define SIM_IDEAL_H

#include "config/sim_config.h"

/* Makes the listed units ("memory,texture") ideal, after all else is set. NULL or "": none. False
 * with a message for an unknown name. */
bool sim_config_idealise(struct sim_config *config, const char *list, char *error,
                         size_t error_size);
/* Returns the name with this number, or NULL after the last one. Each name occurs once. */
const char *sim_config_ideal_name(unsigned number);

#endif
