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

/* Return whether GPU.Renderer is TILED, and whether TILING.TileOrder is Z; sim_config_check accepts
 * no third word. */
static inline bool
sim_tiled(const struct sim_config *config)
{
   return (config->gpu.renderer[0] | 32) == 't';
}
static inline bool
sim_tiled_in_z_order(const struct sim_config *config)
{
   return (config->tiling.order[0] | 32) == 'z';
}

/* Sets every parameter to its default. */
void sim_config_defaults(struct sim_config *config);
/* Reads an .ini file (libinih), after its base if it has one, or a machine by name
 * (sim_config_find). Returns false for an unknown key or a value out of range; error then has file,
 * line, key and accepted values. Keys of the release that have no effect are accepted: *ignored
 * (may be NULL) becomes a text with their names and reasons, which the caller frees, or NULL if
 * there are none. */
bool sim_config_load(struct sim_config *config, const char *path, char **ignored, char *error,
                     size_t error_size);
/* Finds a file by its path, or else in the folder of machines or its subfolder (ends with '/', or
 * is empty); the name may lack ".ini" and may begin with "configs/". If there is none, returns
 * false and path is the name. */
bool sim_config_find(const char *name, const char *subfolder, char *path, size_t size);
/* Writes "; machines by name: A, B, C" for messages; empty without machines. Returns text. */
const char *sim_config_list(char *text, size_t size);
/* Applies one "Section.Key=value". */
bool sim_config_set(struct sim_config *config, const char *assignment, char *error,
                    size_t error_size);
/* Makes a machine from defaults, then a file (NULL: none), then settings. ignored: as in
 * sim_config_load. Does not call sim_config_check. */
bool sim_config_read(struct sim_config *config, const char *path, const char *const *settings,
                     unsigned num_settings, char **ignored, char *error, size_t error_size);
/* Checks that numbers are in range and texts have allowed characters. */
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
