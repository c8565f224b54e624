/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads, checks and prints tables of energies, from the lines of power_table.h. Not here: what
 * energies follow from the numbers (power_model.c). */
#include "power/power_table.h"

#include <ctype.h>
#include <ini.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/sim_config.h"
#include "core/sim_ini.h"
#include "core/sim_json.h"

static const struct number {
   const char *section, *key;
   size_t offset;
   double def, min, max;
   const char *unit, *doc;
} numbers[] = {
#define N(section, key, member, def, min, max, unit, doc) \
   {#section, #key, offsetof(struct power_table, member), def, min, max, unit, doc},
    POWER_NUMBERS(N) POWER_CHIPS(N)
#undef N
};
#define NUM_NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static const struct {
   const char *key, *source, *doc;
   double pj, percent;
} energies[] = {
#define E(key, member, pj, percent, source, doc) {#key, source, doc, pj, percent},
    POWER_ENERGIES(E)
#undef E
};

static const struct {
   const char *name, *doc;
} gatings[] = {
#define G(NAME, name, doc) {#name, doc},
    POWER_GATINGS(G)
#undef G
};

static double *
power_table_value_of(struct power_table *t, const struct number *n)
{
   return (double *)(void *)((uint8_t *)t + n->offset);
}

void
power_table_defaults(struct power_table *t)
{
   memset(t, 0, sizeof(*t));
   t->gating = POWER_GATING_IDLE;
   for (unsigned i = 0; i < NUM_NUMBERS; i++)
      *power_table_value_of(t, &numbers[i]) = numbers[i].def;
   for (unsigned i = 0; i < POWER_NUM_OPS; i++) {
      t->energy[i].pj = energies[i].pj;
      t->energy[i].percent = energies[i].percent;
      snprintf(t->energy[i].source, sizeof(t->energy[i].source), "%s", energies[i].source);
   }
}

/* --- Values --- */

/* Reads a number; the text may go on after a blank. */
static bool
power_table_read_number(const char *text, const char **end, double *value)
{
   char *stop;
   while (isspace((unsigned char)*text))
      text++;
   if (!isdigit((unsigned char)*text) && *text != '-' && *text != '.')
      return false;
   *value = strtod(text, &stop);
   *end = stop;
   return stop != text && isfinite(*value) && (!*stop || isspace((unsigned char)*stop));
}

static bool
power_table_blank(const char *text)
{
   return text[strspn(text, " \t\r")] == '\0';
}

static bool
power_table_set_number(struct power_table *t, const struct number *n, const char *text, char *error,
                       size_t size)
{
   const char *end;
   double value;
   if (!power_table_read_number(text, &end, &value) || !power_table_blank(end) || value < n->min ||
       value > n->max) {
      snprintf(error, size, "%s.%s = %s: expected a number from %g to %g%s%s", n->section, n->key,
               text, n->min, n->max, *n->unit ? " " : "", n->unit);
      return false;
   }
   *power_table_value_of(t, n) = value;
   return true;
}

/* Reads PICOJOULES PERCENT "SOURCE"; --set may omit the last two. */
static bool
power_table_set_energy(struct power_energy *e, const char *key, const char *text, bool all,
                       char *error, size_t size)
{
   const char *p, *quote = NULL;
   struct power_energy now = *e;
   bool good = power_table_read_number(text, &p, &now.pj) && now.pj >= 0 && now.pj <= 1e6;
   if (good && !(power_table_blank(p) && !all)) {
      good = power_table_read_number(p, &p, &now.percent) && now.percent >= 0 &&
             now.percent <= 1000 && (p = strchr(p, '"')) && (quote = strchr(p + 1, '"')) &&
             power_table_blank(quote + 1) && quote > p + 1 &&
             (size_t)(quote - p) < sizeof(now.source);
      if (good)
         snprintf(now.source, sizeof(now.source), "%.*s", (int)(quote - p - 1), p + 1);
   }
   if (!good) {
      snprintf(error, size,
               "ENERGY.%s = %s: expected picojoules (0 to 1e6), uncertainty in %% (0 to 1000) and "
               "a \"source\" of up to %u characters",
               key, text, (unsigned)sizeof(e->source) - 1);
      return false;
   }
   *e = now;
   return true;
}

static bool
power_table_set_gating(struct power_table *t, const char *text, char *error, size_t size)
{
   for (unsigned i = 0; i < POWER_NUM_GATINGS; i++) {
      if (!strcasecmp(text, gatings[i].name)) {
         t->gating = (enum power_gating)i;
         return true;
      }
   }
   int n = snprintf(error, size, "CLOCK.GatingStyle = %s: expected ", text);
   for (unsigned i = 0; i < POWER_NUM_GATINGS && n > 0 && (size_t)n < size; i++)
      n += snprintf(error + n, size - (size_t)n, "%s%s", i ? ", " : "", gatings[i].name);
   return false;
}

static bool
power_table_set_value(struct power_table *t, const char *section, const char *key, const char *text,
                      bool all, char *error, size_t size)
{
   if (!strcasecmp(section, "CLOCK") && !strcasecmp(key, "GatingStyle"))
      return power_table_set_gating(t, text, error, size);
   for (unsigned i = 0; i < NUM_NUMBERS; i++) {
      if (!strcasecmp(section, numbers[i].section) && !strcasecmp(key, numbers[i].key))
         return power_table_set_number(t, &numbers[i], text, error, size);
   }
   for (unsigned i = 0; i < POWER_NUM_OPS && !strcasecmp(section, "ENERGY"); i++) {
      if (!strcasecmp(key, energies[i].key))
         return power_table_set_energy(&t->energy[i], energies[i].key, text, all, error, size);
   }
   snprintf(error, size,
            "%s.%s is not a key of a table of energies (attila-sim power --describe "
            "lists them)",
            section, key);
   return false;
}

bool
power_table_set(struct power_table *t, const char *assignment, char *error, size_t error_size)
{
   const char *dot = strchr(assignment, '.'), *equal = strchr(assignment, '=');
   char section[64], key[64], value[256];
   if (!dot || !equal || dot > equal || dot - assignment >= 64 || equal - dot > 64 ||
       strlen(equal) > 255) {
      snprintf(error, error_size, "\"%.200s\" is not of the form SECTION.Key=value", assignment);
      return false;
   }
   snprintf(section, sizeof(section), "%.*s", (int)(dot - assignment), assignment);
   snprintf(key, sizeof(key), "%.*s", (int)(equal - dot - 1), dot + 1);
   snprintf(value, sizeof(value), "%s", equal + 1);
   return power_table_set_value(t, section, key, value, false, error, error_size);
}

/* --- Files --- */

struct loader {
   struct power_table *table;
   struct sim_ini ini;
   char message[600];
};

static char *
power_table_line(char *buffer, int size, void *user)
{
   struct loader *l = user;
   char *s = sim_ini_read(&l->ini, buffer, size);
   if (l->ini.too_long && !l->message[0])
      snprintf(l->message, sizeof(l->message), SIM_INI_TOO_LONG, l->ini.room);
   return s;
}

static int
power_table_handle(void *user, const char *section, const char *key, const char *value)
{
   struct loader *l = user;
   if (l->message[0])
      return 0;
   const unsigned before = sim_ini_note(&l->ini, section, key);
   if (before) {
      snprintf(l->message, sizeof(l->message),
               "%.100s.%.100s stands in line %u, too: expected once", section, key, before);
      return 0;
   }
   return power_table_set_value(l->table, section, key, value, true, l->message,
                                sizeof(l->message));
}

bool
power_table_load(struct power_table *t, const char *path, char *error, size_t error_size)
{
   char found[4096];
   sim_config_find(path, "power/", found, sizeof(found));
   FILE *f = fopen(found, "re");
   struct loader l = {.table = t, .ini.file = f};
   const int line = f ? ini_parse_stream(power_table_line, &l, power_table_handle, &l) : -1;
   sim_ini_fini(&l.ini);
   const bool unreadable = !f || line < 0 || ferror(f);
   if (f)
      fclose(f);
   if (unreadable)
      snprintf(error, error_size, "%.300s: cannot read it", path);
   else if (line || l.message[0])
      snprintf(error, error_size, "%.300s:%u: %s", path, line ? (unsigned)line : l.ini.too_long,
               l.message[0] ? l.message : "neither [SECTION] nor Key = value");
   else
      snprintf(t->path, sizeof(t->path), "%s", path);
   return !unreadable && !line && !l.message[0];
}

bool
power_table_read(struct power_table *t, const char *text, char *error, size_t error_size)
{
   struct loader l = {.table = t};
   const int line = ini_parse_string(text, power_table_handle, &l);
   sim_ini_fini(&l.ini);
   if (line)
      snprintf(error, error_size, "line %d of a table of energies: %s", line, l.message);
   return !line;
}

void
power_table_print(const struct power_table *t, FILE *f)
{
   const char *section = "";
   for (unsigned i = 0; i < NUM_NUMBERS; i++) {
      const struct number *n = &numbers[i];
      if (strcmp(section, n->section)) {
         fprintf(f, "%s[%s]\n", i ? "\n" : "", n->section);
         if (!strcmp(n->section, "CLOCK")) {
            for (unsigned g = 0; g < POWER_NUM_GATINGS; g++)
               fprintf(f, "# %s: %s\n", gatings[g].name, gatings[g].doc);
            fprintf(f, "GatingStyle = %s\n", gatings[t->gating].name);
         }
      }
      section = n->section;
      fprintf(f, "# %s (%s%s%g to %g)\n%s = %g\n", n->doc, n->unit, *n->unit ? ", " : "", n->min,
              n->max, n->key, *power_table_value_of((struct power_table *)(uintptr_t)t, n));
   }
   fprintf(f, "\n# picojoules, uncertainty in %%, source\n[ENERGY]\n");
   for (unsigned i = 0; i < POWER_NUM_OPS; i++)
      fprintf(f, "# %s\n%s = %g %g \"%s\"\n", energies[i].doc, energies[i].key, t->energy[i].pj,
              t->energy[i].percent, t->energy[i].source);
}

void
power_table_print_json(const struct power_table *t, FILE *f)
{
   fprintf(f, "{\"gating_style\": \"%s\",\n \"numbers\": [\n", gatings[t->gating].name);
   for (unsigned i = 0; i < NUM_NUMBERS; i++) {
      const struct number *n = &numbers[i];
      fprintf(f, "  {\"section\": \"%s\", \"key\": \"%s\", \"value\": %.17g, \"min\": %g, ",
              n->section, n->key, *power_table_value_of((struct power_table *)(uintptr_t)t, n),
              n->min);
      fprintf(f, "\"max\": %g, \"unit\": \"%s\", \"meaning\": ", n->max, n->unit);
      sim_json_text(f, n->doc);
      fprintf(f, "}%s\n", i + 1 < NUM_NUMBERS ? "," : "");
   }
   fprintf(f, " ],\n \"energies\": [\n");
   for (unsigned i = 0; i < POWER_NUM_OPS; i++) {
      fprintf(
          f,
          "  {\"key\": \"%s\", \"picojoules\": %.17g, \"uncertainty_percent\": %.17g, \"source\": ",
          energies[i].key, t->energy[i].pj, t->energy[i].percent);
      sim_json_text(f, t->energy[i].source);
      fprintf(f, ", \"meaning\": ");
      sim_json_text(f, energies[i].doc);
      fprintf(f, "}%s\n", i + 1 < POWER_NUM_OPS ? "," : "");
   }
   fprintf(f, " ]}\n");
}
