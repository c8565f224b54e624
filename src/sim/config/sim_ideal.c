/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sets the parameters of ideal units (sim_ideal.h).
 */
#include "config/sim_ideal.h"

#include <string.h>

struct ideal {
   const char *name, *parameters;
};

static const struct ideal units[] = {
#define I(name, doc, parameters) {#name, parameters},
    SIM_IDEAL_UNITS(I)
#undef I
};

/* The words of a text that characters of between separate. */
static const char *
next_word(const char *p, const char *between, char *word, size_t size)
{
   p += strspn(p, between);
   const size_t n = strcspn(p, between);
   snprintf(word, size, "%.*s", (int)n, p);
   return n ? p + n : NULL;
}

static bool
set_all(struct sim_config *config, const char *parameters, char *error, size_t error_size)
{
   char assignment[128];
   const char *p = parameters;
   while ((p = next_word(p, " ", assignment, sizeof(assignment)))) {
      if (!sim_config_set(config, assignment, error, error_size))
         return false;
   }
   return true;
}

bool
sim_config_idealise(struct sim_config *config, const char *list, char *error, size_t error_size)
{
   char name[64];
   const char *p = list ? list : "";
   while ((p = next_word(p, ", ", name, sizeof(name)))) {
      unsigned i = 0;
      while (i < sizeof(units) / sizeof(units[0]) && strcmp(units[i].name, name))
         i++;
      if (i == sizeof(units) / sizeof(units[0])) {
         snprintf(error, error_size, "ideal units: \"%s\" is none of", name);
         for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
            const size_t n = strlen(error);
            snprintf(error + n, error_size - n, " %s", units[i].name);
         }
         return false;
      }
      if (!set_all(config, units[i].parameters, error, error_size))
         return false;
   }
   return true;
}
