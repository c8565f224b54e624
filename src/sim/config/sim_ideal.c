/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sets the parameters of ideal units (sim_ideal.h). */
#include "config/sim_ideal.h"

#include <stdlib.h>
#include <string.h>
#include "config/sim_config_impl.h"

static const struct ideal {
   const char *name, *section,
       *values; /* "Key=value Key>=value": sets a key; raises a key that is lower */
} rules[] = {
#define I(name, section, values) {#name, #section, values},
#define U(class) SIM_IDEAL_##class(I)
    SIM_EACH_UNIT
#undef U
#undef I
};
#define NUM_RULES (sizeof(rules) / sizeof(rules[0]))

/* Returns the next word of a text; words are separated by any of the characters in between. */
static const char *
ideal_next_word(const char *p, const char *between, char *word, size_t size)
{
   p += strspn(p, between);
   const size_t n = strcspn(p, between);
   snprintf(word, size, "%.*s", (int)n, p);
   return n ? p + n : NULL;
}

/* Returns whether a number of the machine is already at least the value in "Key>=value". */
static bool
ideal_has(const struct sim_config *config, const char *section, const char *value)
{
   char key[64];
   const char *least = strstr(value, ">=");
   if (!least)
      return false;
   snprintf(key, sizeof(key), "%.*s", (int)(least - value), value);
   const struct sim_param *p = sim_param_find(section, key);
   uint32_t has = 0;
   if (p)
      memcpy(&has, (const uint8_t *)config + p->offset, sizeof(has));
   return has >= strtoul(least + 2, NULL, 10);
}

static bool
ideal_set_all(struct sim_config *config, const struct ideal *rule, char *error, size_t error_size)
{
   char value[96], assignment[128];
   const char *p = rule->values;
   while ((p = ideal_next_word(p, " ", value, sizeof(value)))) {
      if (ideal_has(config, rule->section, value))
         continue;
      const size_t key = strcspn(value, ">=");
      snprintf(assignment, sizeof(assignment), "%s.%.*s=%s", rule->section, (int)key, value,
               value + key + strspn(value + key, ">="));
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
