/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sets the parameters of ideal units (sim_ideal.h). */
#include "config/sim_ideal.h"

#include <string.h>

static const struct ideal {
   const char *name, *section, *values; /* "Key=value Key=value" */
} rules[] = {
#define I(name, section, values) {#name, #section, values},
#define U(class) SIM_IDEAL_##class(I)
    SIM_EACH_UNIT
#undef U
#undef I
};
#define NUM_RULES (sizeof(rules) / sizeof(rules[0]))

/* Returns the next word of a text, separated by characters of between. */
static const char *
ideal_next_word(const char *p, const char *between, char *word, size_t size)
{
   p += strspn(p, between);
   const size_t n = strcspn(p, between);
   snprintf(word, size, "%.*s", (int)n, p);
   return n ? p + n : NULL;
}

static bool
ideal_set_all(struct sim_config *config, const struct ideal *rule, char *error, size_t error_size)
{
   char value[96], assignment[128];
   const char *p = rule->values;
   while ((p = ideal_next_word(p, " ", value, sizeof(value)))) {
      snprintf(assignment, sizeof(assignment), "%s.%s", rule->section, value);
      if (!sim_config_set(config, assignment, error, error_size))
         return false;
   }
   return true;
}

const char *
sim_config_ideal_name(unsigned number)
{
   for (unsigned i = 0; i < NUM_RULES; i++) {
      unsigned first = 0;
      while (strcmp(rules[first].name, rules[i].name))
         first++;
      if (first == i && number-- == 0)
         return rules[i].name;
   }
   return NULL;
}

bool
sim_config_idealise(struct sim_config *config, const char *list, char *error, size_t error_size)
{
   char name[64];
   const char *p = list ? list : "", *other;
   while ((p = ideal_next_word(p, ", ", name, sizeof(name)))) {
      bool known = false;
      for (unsigned i = 0; i < NUM_RULES; i++) {
         if (strcmp(rules[i].name, name))
            continue;
         known = true;
         if (!ideal_set_all(config, &rules[i], error, error_size))
            return false;
      }
      if (known)
         continue;
      int n = snprintf(error, error_size, "ideal units: \"%s\" is none of", name);
      for (unsigned i = 0; (other = sim_config_ideal_name(i)) && n > 0 && (size_t)n < error_size;
           i++)
         n += snprintf(error + n, error_size - (size_t)n, " %s", other);
      return false;
   }
   return true;
}
