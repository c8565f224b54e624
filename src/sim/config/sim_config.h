/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A machine's configuration: the struct made from the parameters of sim_params.h and the sheets
 * (units/), read from .ini files and overrides. */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "config/sim_params.h"
#include "hw/attila_limits.h"

#define SIM_TEXT_SIZE 64 /* bytes of a text, with NUL */

#define P(section, key, member, def, min, max, unit, doc) uint32_t member;
#define B(section, key, member, def, doc) bool member;
#define T(section, key, member, def, doc) char member[SIM_TEXT_SIZE];
#define S(section, member)          \
   struct sim_config_##section {    \
      SIM_PARAMS_##section(P, B, T) \
   };
SIM_SECTIONS(S)
#undef P
#undef B
#undef T
#undef S

struct sim_config {
#define S(section, member) struct sim_config_##section member;
   SIM_SECTIONS(S)
#undef S
};

/* Sets every parameter to its default. */
void sim_config_defaults(struct sim_config *config);
/* Reads an .ini file (libinih), after its base if any, or a machine by name (sim_config_find).
 * False: error has file, line, key and accepted values (unknown key, value out of range). Keys of
 * the release without effect are accepted: *ignored (may be NULL) names them with reasons, to free;
 * NULL: none. */
bool sim_config_load(struct sim_config *config, const char *path, char **ignored, char *error,
                     size_t error_size);
/* Finds a file by path, else in the folder of machines or its subfolder (with '/', or empty), where
 * ".ini" may be missing and "configs/" may precede. False: none; path is the name. */
bool sim_config_find(const char *name, const char *subfolder, char *path, size_t size);
/* Writes "; machines by name: A, B, C" for messages; empty without machines. Returns text. */
const char *sim_config_list(char *text, size_t size);
/* Applies one "Section.Key=value". */
bool sim_config_set(struct sim_config *config, const char *assignment, char *error,
                    size_t error_size);
/* Reads a machine as a user names it: defaults, then a file (NULL: none), then settings. ignored:
 * as in sim_config_load. Unchecked (sim_config_check). */
bool sim_config_read(struct sim_config *config, const char *path, const char *const *settings,
                     unsigned num_settings, char **ignored, char *error, size_t error_size);
/* Checks that parameters are in range and texts are texts. */
bool sim_config_check_ranges(const struct sim_config *config, char *error, size_t error_size);
/* Also checks relations of parameters (powers of two, lanes multiple of 4, ...). */
bool sim_config_check(const struct sim_config *config, char *error, size_t error_size);

enum sim_describe_format {
   SIM_DESCRIBE_TEXT,
   SIM_DESCRIBE_MARKDOWN,
   SIM_DESCRIBE_INI,
   SIM_DESCRIBE_JSON, /* an array of objects */
};
/* Prints every parameter with section, key, default, range, unit and meaning; INI prints the given
 * configuration as a file. */
void sim_config_describe(const struct sim_config *config, enum sim_describe_format format, FILE *f);

#endif
