/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sets and describes parameters. One table, from the units' sheets and config/sim_params.h, serves
 * .ini reader, "Section.Key=value" overrides, range checks and documentation. Not here: .ini files
 * (sim_config_file.c). */
#include "config/sim_config_impl.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "core/sim_json.h"
#include "core/sim_nearest.h"

/* Places of sections in struct sim_config. */
enum {
#define S(section, member) AT_##section = offsetof(struct sim_config, member),
   SIM_SECTIONS(S)
#undef S
};
#define AT(section, member) (AT_##section + offsetof(struct sim_config_##section, member))

static const struct sim_param params[] = {
#define P(section, key, member, def, min, max, unit, doc) \
   {#section, #key, AT(section, member), SIM_PARAM_NUMBER, def, min, max, NULL, unit, doc},
#define B(section, key, member, def, doc) \
   {#section, #key, AT(section, member), SIM_PARAM_BOOL, def, 0, 1, NULL, "", doc},
#define T(section, key, member, def, doc) \
   {#section, #key, AT(section, member), SIM_PARAM_TEXT, 0, 0, 0, def, "", doc},
#define S(section, member) SIM_PARAMS_##section(P, B, T)
    SIM_SECTIONS(S)
#undef P
#undef B
#undef T
};
#define NUM_PARAMS (sizeof(params) / sizeof(params[0]))

/* A default out of range does not compile. */
#define P(section, key, member, def, min, max, unit, doc) \
   _Static_assert((def) >= (min) && (def) <= (max), #section "." #key ": default out of range");
#define B(section, key, member, def, doc) \
   _Static_assert((def) == 0 || (def) == 1, #section "." #key ": default is not 0 or 1");
#define T(section, key, member, def, doc) \
   _Static_assert(sizeof(def) <= SIM_TEXT_SIZE, #section "." #key ": default too long");
SIM_SECTIONS(S)
#undef P
#undef B
#undef T
#undef S

static uint32_t
config_get(const struct sim_config *config, const struct sim_param *p)
{
   const uint8_t *m = (const uint8_t *)config + p->offset;
   return p->type == SIM_PARAM_BOOL ? *(const bool *)m : *(const uint32_t *)m;
}

static void
config_put(struct sim_config *config, const struct sim_param *p, uint32_t value)
{
   uint8_t *m = (uint8_t *)config + p->offset;
   if (p->type == SIM_PARAM_BOOL)
      *(bool *)m = value != 0;
   else
      *(uint32_t *)m = value;
}

static const char *
config_get_text(const struct sim_config *config, const struct sim_param *p)
{
   return (const char *)config + p->offset;
}

static void
config_put_text(struct sim_config *config, const struct sim_param *p, const char *text)
{
   char *m = (char *)config + p->offset;
   memset(m, 0, SIM_TEXT_SIZE);
   memcpy(m, text, strnlen(text, SIM_TEXT_SIZE - 1));
}

void
sim_config_defaults(struct sim_config *config)
{
   memset(config, 0, sizeof(*config));
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (params[i].type == SIM_PARAM_TEXT)
         config_put_text(config, &params[i], params[i].text);
      else
         config_put(config, &params[i], params[i].def);
   }
}

/* The first letter alone rules out most keys. That matters for --power, which reads a record's
 * whole configuration. */
const struct sim_param *
sim_param_find(const char *section, const char *key)
{
   const int first = tolower((unsigned char)*key);
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (tolower((unsigned char)*params[i].key) == first &&
          !strcasecmp(params[i].section, section) && !strcasecmp(params[i].key, key))
         return &params[i];
   }
   return NULL;
}

void
sim_param_unknown(const char *section, const char *key, char *error, size_t error_size)
{
   struct sim_nearest near_section = {.wanted = section}, near_key = {.wanted = key};
   const char *meant = "";
   const struct sim_param *p, *best = NULL, *end = params + NUM_PARAMS;
   for (p = params; p < end; p++)
      meant = sim_nearest_is(&near_section, p->section) ? p->section : meant;
   for (p = params; p < end; p++)
      best = !strcmp(p->section, meant) && sim_nearest_is(&near_key, p->key) ? p : best;
   for (p = params; p < end; p++)
      best = sim_nearest_is(&near_key, p->key) ? p : best;
   const int n =
       snprintf(error, error_size, "%s%s%s is not a parameter", section, *section ? "." : "", key);
   if (n < 0 || (size_t)n >= error_size)
      return;
   if (best)
      snprintf(error + n, error_size - (size_t)n, "; is it %s.%s?", best->section, best->key);
   else
      snprintf(error + n, error_size - (size_t)n, " (attila-sim describe lists them)");
}

void
sim_param_clean(const char *value, char *out, size_t size)
{
   while (isspace((unsigned char)*value))
      value++;
   size_t n = 0;
   bool quoted = *value == '"';
   if (quoted)
      value++;
   for (; *value && n + 1 < size; value++) {
      if (quoted ? *value == '"' : *value == '#' || *value == ';')
         break;
      out[n++] = *value;
   }
   while (n && isspace((unsigned char)out[n - 1]))
      n--;
   out[n] = '\0';
}

static bool
config_parse_number(const char *text, uint32_t *value)
{
   if (!isdigit((unsigned char)*text))
      return false;
   char *end;
   errno = 0;
   unsigned long long v = strtoull(text, &end, 10);
   if (errno || *end || v > UINT32_MAX)
      return false;
   *value = (uint32_t)v;
   return true;
}

static bool
config_parse_bool(const char *text, uint32_t *value)
{
   static const char *const words[2][4] = {{"FALSE", "0", "NO", "OFF"}, {"TRUE", "1", "YES", "ON"}};
   for (unsigned v = 0; v < 2; v++) {
      for (unsigned i = 0; i < 4; i++) {
         if (!strcasecmp(text, words[v][i])) {
            *value = v;
            return true;
         }
      }
   }
   return false;
}

/* Returns whether a text is short and has only characters that a file can hold. */
static bool
config_good_text(const char *text)
{
   const char *allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,/+";
   size_t n = strlen(text);
   return n < SIM_TEXT_SIZE && strspn(text, allowed) == n &&
          (!n || (text[0] != ' ' && text[n - 1] != ' '));
}

bool
sim_param_set(struct sim_config *config, const struct sim_param *p, const char *text, char *error,
              size_t size)
{
   uint32_t value = 0;
   if (p->type == SIM_PARAM_TEXT) {
      if (!config_good_text(text)) {
         snprintf(error, size,
                  "%s.%s = %s: expected up to %u letters, digits, blanks or any of _-.,/+",
                  p->section, p->key, text, SIM_TEXT_SIZE - 1);
         return false;
      }
      config_put_text(config, p, text);
      return true;
   }
   if (p->type == SIM_PARAM_BOOL) {
      if (!config_parse_bool(text, &value)) {
         snprintf(error, size, "%s.%s = %s: expected TRUE or FALSE", p->section, p->key, text);
         return false;
      }
   } else if (!config_parse_number(text, &value) || value < p->min || value > p->max) {
      snprintf(error, size, "%s.%s = %s: expected a number from %u to %u (%s)", p->section, p->key,
               text, p->min, p->max, p->unit);
      return false;
   }
   config_put(config, p, value);
   return true;
}

bool
sim_config_set(struct sim_config *config, const char *assignment, char *error, size_t error_size)
{
   const char *dot = strchr(assignment, '.'), *equal = strchr(assignment, '=');
   char section[64], key[64], value[128];
   if (!dot || !equal || dot > equal || dot - assignment >= 64 || equal - dot > 64) {
      snprintf(error, error_size, "\"%s\" is not of the form Section.Key=value", assignment);
      return false;
   }
   snprintf(section, sizeof(section), "%.*s", (int)(dot - assignment), assignment);
   snprintf(value, sizeof(value), "%.*s", (int)(equal - dot - 1), dot + 1);
   sim_param_clean(value, key, sizeof(key));
   sim_param_clean(equal + 1, value, sizeof(value));
   const struct sim_param *p = sim_param_find(section, key);
   if (!p) {
      sim_param_unknown(section, key, error, error_size);
      return false;
   }
   return sim_param_set(config, p, value, error, error_size);
}

bool
sim_config_read(struct sim_config *config, const char *path, const char *const *settings,
                unsigned num_settings, char **ignored, char *error, size_t error_size)
{
   sim_config_defaults(config);
   if (ignored)
      *ignored = NULL;
   bool good = !path || sim_config_load(config, path, ignored, error, error_size);
   for (unsigned i = 0; good && i < num_settings; i++)
      good = sim_config_set(config, settings[i], error, error_size);
   return good;
}

bool
sim_config_check_ranges(const struct sim_config *config, char *error, size_t error_size)
{
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (params[i].type == SIM_PARAM_TEXT)
         continue;
      uint32_t v = config_get(config, &params[i]);
      if (v < params[i].min || v > params[i].max) {
         snprintf(error, error_size, "%s.%s = %u: expected a number from %u to %u",
                  params[i].section, params[i].key, v, params[i].min, params[i].max);
         return false;
      }
   }
   return true;
}

/* --- Descriptions --- */

static void
config_print_value(FILE *f, const struct sim_config *config, const struct sim_param *p)
{
   if (p->type == SIM_PARAM_TEXT)
      fprintf(f, "\"%s\"", config_get_text(config, p));
   else if (p->type == SIM_PARAM_BOOL)
      fputs(config_get(config, p) ? "TRUE" : "FALSE", f);
   else
      fprintf(f, "%u", config_get(config, p));
}

static void
config_print_range(FILE *f, const struct sim_param *p, enum sim_describe_format format)
{
   static const char *const words[] = {
       [SIM_PARAM_BOOL] = "TRUE or FALSE", [SIM_PARAM_TEXT] = "text"};
   if (format == SIM_DESCRIBE_MARKDOWN && p->type == SIM_PARAM_BOOL)
      fputs("TRUE, FALSE", f);
   else if (p->type != SIM_PARAM_NUMBER)
      fputs(words[p->type], f);
   else
      fprintf(f, "%u to %u", p->min, p->max);
}

static void
config_print_json_value(FILE *f, const struct sim_config *config, const struct sim_param *p)
{
   if (p->type == SIM_PARAM_TEXT)
      sim_json_text(f, config_get_text(config, p));
   else if (p->type == SIM_PARAM_BOOL)
      fputs(config_get(config, p) ? "true" : "false", f);
   else
      fprintf(f, "%u", config_get(config, p));
}

static void
config_describe_json(const struct sim_config *config, const struct sim_config *defaults,
                     const struct sim_param *p, FILE *f)
{
   fprintf(f, "  {\"section\": \"%s\", \"key\": \"%s\", \"value\": ", p->section, p->key);
   config_print_json_value(f, config, p);
   fputs(", \"default\": ", f);
   config_print_json_value(f, defaults, p);
   if (p->type == SIM_PARAM_NUMBER)
      fprintf(f, ", \"min\": %u, \"max\": %u", p->min, p->max);
   fputs(", \"unit\": ", f);
   sim_json_text(f, p->unit);
   fputs(", \"meaning\": ", f);
   sim_json_text(f, p->doc);
   fputs(p == &params[NUM_PARAMS - 1] ? "}\n" : "},\n", f);
}

static void
config_describe_one(const struct sim_config *config, const struct sim_config *defaults,
                    const struct sim_param *p, enum sim_describe_format format, FILE *f)
{
   switch (format) {
   case SIM_DESCRIBE_INI:
      if (p->type == SIM_PARAM_NUMBER)
         fprintf(f, "# %s (%s, %u to %u)\n", p->doc, p->unit, p->min, p->max);
      else
         fprintf(f, "# %s\n", p->doc);
      fprintf(f, "%s = ", p->key);
      config_print_value(f, config, p);
      fputc('\n', f);
      break;
   case SIM_DESCRIBE_MARKDOWN:
      fprintf(f, "| %s | ", p->key);
      config_print_value(f, defaults, p);
      fputs(" | ", f);
      config_print_range(f, p, format);
      fprintf(f, p->unit[0] ? " | %s |" : " |%s |", p->unit);
      fprintf(f, " %s |\n", p->doc);
      break;
   case SIM_DESCRIBE_TEXT:
      fprintf(f, "  %-30s ", p->key);
      config_print_value(f, config, p);
      fputs("\n      ", f);
      config_print_range(f, p, format);
      fprintf(f, p->unit[0] ? " %s; default " : "%s; default ", p->unit);
      config_print_value(f, defaults, p);
      fprintf(f, ": %s\n", p->doc);
      break;
   case SIM_DESCRIBE_JSON:
      config_describe_json(config, defaults, p, f);
      break;
   }
}

void
sim_config_describe(const struct sim_config *config, enum sim_describe_format format, FILE *f)
{
   struct sim_config defaults;
   sim_config_defaults(&defaults);
   if (format == SIM_DESCRIBE_JSON)
      fputs("[\n", f);
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (format != SIM_DESCRIBE_JSON && (!i || strcmp(params[i].section, params[i - 1].section))) {
         if (format == SIM_DESCRIBE_MARKDOWN)
            fprintf(
                f, "%s## %s\n\n| Key | Default | Range | Unit | Meaning |\n|---|---|---|---|---|\n",
                i ? "\n" : "", params[i].section);
         else
            fprintf(f, "%s[%s]\n", i ? "\n" : "", params[i].section);
      }
      config_describe_one(config, &defaults, &params[i], format, f);
   }
   if (format == SIM_DESCRIBE_JSON)
      fputs(" ]", f);
}
