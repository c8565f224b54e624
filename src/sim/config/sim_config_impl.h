/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the configuration's files share: a parameter as data. Not here: the interface
 * (sim_config.h). */
#ifndef SIM_CONFIG_IMPL_H
#define SIM_CONFIG_IMPL_H

#include "config/sim_config.h"

struct sim_param {
   const char *section, *key;
   size_t offset; /* in struct sim_config */
   enum { SIM_PARAM_NUMBER, SIM_PARAM_BOOL, SIM_PARAM_TEXT } type;
   uint32_t def, min, max;
   const char *text; /* default of a text */
   const char *unit, *doc;
};

/* Finds a parameter, without regard to case. Returns NULL if there is none. */
const struct sim_param *sim_param_find(const char *section, const char *key);
/* Reports an unknown parameter, with the nearest name. section may be empty. */
void sim_param_unknown(const char *section, const char *key, char *error, size_t error_size);
/* Trims blanks, an unquoted trailing comment, one pair of double quotes. */
void sim_param_clean(const char *value, char *out, size_t size);
/* Reads and range-checks a value; the message has parameter, value and accepted values. */
bool sim_param_set(struct sim_config *config, const struct sim_param *p, const char *text,
                   char *error, size_t error_size);

#endif
