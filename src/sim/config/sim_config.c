/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads and describes configurations. One table made from the sheets of the units and
 * config/sim_params.h serves the .ini reader, "Section.Key=value" overrides, range checks and
 * documentation. ATTILA's own .ini files
 * load unmodified: keys this machine has no parameter for are named in one warning, never an error.
 */
#include "config/sim_config.h"
#include "config/sim_no_effect.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct param {
   const char *section, *key;
   size_t offset;
   enum { NUMBER, BOOL, TEXT } type;
   uint32_t def, min, max;
   const char *text; /* default of a text */
   const char *unit, *doc;
};

/* Where a section is. */
enum {
#define S(section, member) AT_##section = offsetof(struct sim_config, member),
   SIM_SECTIONS(S)
#undef S
};
#define AT(section, member) (AT_##section + offsetof(struct sim_config_##section, member))

static const struct param params[] = {
#define P(section, key, member, def, min, max, unit, doc) \
   {#section, #key, AT(section, member), NUMBER, def, min, max, NULL, unit, doc},
#define B(section, key, member, def, doc) \
   {#section, #key, AT(section, member), BOOL, def, 0, 1, NULL, "", doc},
#define T(section, key, member, def, doc) \
   {#section, #key, AT(section, member), TEXT, 0, 0, 0, def, "", doc},
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
config_get(const struct sim_config *config, const struct param *p)
{
   const uint8_t *m = (const uint8_t *)config + p->offset;
   return p->type == BOOL ? *(const bool *)m : *(const uint32_t *)m;
}

static void
config_put(struct sim_config *config, const struct param *p, uint32_t value)
{
   uint8_t *m = (uint8_t *)config + p->offset;
   if (p->type == BOOL)
      *(bool *)m = value != 0;
   else
      *(uint32_t *)m = value;
}

static const char *
config_get_text(const struct sim_config *config, const struct param *p)
{
   return (const char *)config + p->offset;
}

static void
config_put_text(struct sim_config *config, const struct param *p, const char *text)
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
      if (params[i].type == TEXT)
         config_put_text(config, &params[i], params[i].text);
      else
         config_put(config, &params[i], params[i].def);
   }
}

/* First letters alone tell most keys apart: a record's whole configuration is read with --power. */
static const struct param *
config_find(const char *section, const char *key)
{
   const int first = tolower((unsigned char)*key);
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (tolower((unsigned char)*params[i].key) == first &&
          !strcasecmp(params[i].section, section) && !strcasecmp(params[i].key, key))
         return &params[i];
   }
   return NULL;
}

/* Trims blanks, an unquoted trailing comment and one pair of double quotes. */
static void
config_clean(const char *value, char *out, size_t size)
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

/* Short, and nothing that a file could not say again. */
static bool
config_good_text(const char *text)
{
   const char *allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,/+";
   size_t n = strlen(text);
   return n < SIM_TEXT_SIZE && strspn(text, allowed) == n &&
          (!n || (text[0] != ' ' && text[n - 1] != ' '));
}

/* Reads and range-checks a value; the message names parameter, value and what is accepted. */
static bool
config_set_param(struct sim_config *config, const struct param *p, const char *text, char *error,
                 size_t size)
{
   uint32_t value = 0;
   if (p->type == TEXT) {
      if (!config_good_text(text)) {
         snprintf(error, size,
                  "%s.%s = %s: expected up to %u letters, digits, blanks or any of _-.,/+",
                  p->section, p->key, text, SIM_TEXT_SIZE - 1);
         return false;
      }
      config_put_text(config, p, text);
      return true;
   }
   if (p->type == BOOL) {
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
   config_clean(value, key, sizeof(key));
   config_clean(equal + 1, value, sizeof(value));
   const struct param *p = config_find(section, key);
   if (!p) {
      snprintf(error, error_size, "%s.%s is not a parameter (attila-sim --describe lists them)",
               section, key);
      return false;
   }
   return config_set_param(config, p, value, error, error_size);
}

/* --- .ini files --- */

static const struct {
   const char *section, *keys, *why;
} reasons[] = {
#define N(section, keys, why) {#section, keys, why},
    SIM_NO_EFFECT(N)
#undef N
};
#define NUM_REASONS (sizeof(reasons) / sizeof(reasons[0]))

struct loader {
   struct sim_config *config;
   FILE *file;
   const char *path;
   unsigned line;
   bool failed;
   char *error;
   size_t error_size;
   /* Keys without effect, by reason: "Key, Key"; NO_REASON: nobody knows them. */
   char ignored[NUM_REASONS + 1][1024];
   unsigned num_ignored;
};

static char *
config_read_line(char *buffer, int size, void *user)
{
   struct loader *l = user;
   char *s = fgets(buffer, size, l->file);
   /* A line longer than the buffer comes in pieces: count it once. */
   if (s && (strchr(s, '\n') || feof(l->file)))
      l->line++;
   return s;
}

/* Whether a list of keys with spaces between them has this one. */
static bool
config_lists(const char *keys, const char *key)
{
   size_t n = strlen(key);
   for (const char *p = keys; n && (p = strstr(p, key)); p += n) {
      if ((p == keys || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
         return true;
   }
   return false;
}

static void
config_ignore(struct loader *l, const char *section, const char *key)
{
   unsigned r = 0;
   while (r < NUM_REASONS &&
          (strcasecmp(reasons[r].section, section) || !config_lists(reasons[r].keys, key)))
      r++;
   char *text = l->ignored[r];
   size_t used = strlen(text), size = sizeof(l->ignored[r]);
   if (r < NUM_REASONS)
      snprintf(text + used, size - used, "%s%s", used ? ", " : "", key);
   else
      snprintf(text + used, size - used, "%s%s.%s", used ? ", " : "", section, key);
   l->num_ignored++;
}

/* One message, a line for each reason. */
static void
config_warn_ignored(const struct loader *l, void (*warn)(const char *message))
{
   char text[sizeof(l->ignored) + 8192];
   int n = snprintf(text, sizeof(text), "%.300s: %u keys have no effect:", l->path, l->num_ignored);
   if (l->ignored[NUM_REASONS][0])
      n +=
          snprintf(text + n, sizeof(text) - (size_t)n, "\n   unknown: %s", l->ignored[NUM_REASONS]);
   for (unsigned r = 0; r < NUM_REASONS; r++) {
      if (l->ignored[r][0])
         n += snprintf(text + n, sizeof(text) - (size_t)n, "\n   [%s] %s: %s", reasons[r].section,
                       l->ignored[r], reasons[r].why);
   }
   warn(text);
}

static void __attribute__((format(printf, 3, 4)))
config_load_error(struct loader *l, unsigned line, const char *format, ...)
{
   if (l->failed)
      return;
   l->failed = true;
   int n = snprintf(l->error, l->error_size, "%s:%u: ", l->path, line);
   if (n < 0 || (size_t)n >= l->error_size)
      return;
   va_list args;
   va_start(args, format);
   vsnprintf(l->error + n, l->error_size - (size_t)n, format, args);
   va_end(args);
}

static int
config_handle(void *user, const char *section, const char *key, const char *raw)
{
   struct loader *l = user;
   char value[256], message[384];
   config_clean(raw, value, sizeof(value));
   const struct param *p = config_find(section, key);
   if (!p) {
      config_ignore(l, section, key);
      return 1;
   }
   if (!config_set_param(l->config, p, value, message, sizeof(message)))
      config_load_error(l, l->line, "%s", message);
   return 1;
}

bool
sim_config_load(struct sim_config *config, const char *path, void (*warn)(const char *message),
                char *error, size_t error_size)
{
   struct loader *l = calloc(1, sizeof(*l));
   if (!l) {
      snprintf(error, error_size, "%s: out of host memory", path);
      return false;
   }
   *l = (struct loader){.config = config, .path = path, .error = error, .error_size = error_size};
   l->file = fopen(path, "r");
   if (!l->file) {
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
      free(l);
      return false;
   }
   int line = ini_parse_stream(config_read_line, l, config_handle, l);
   bool bad = ferror(l->file);
   fclose(l->file);
   if (bad)
      config_load_error(l, l->line, "cannot be read");
   else if (line)
      config_load_error(l, line > 0 ? (unsigned)line : l->line,
                        "neither a [section] nor a key = value");
   if (!l->failed && l->num_ignored && warn)
      config_warn_ignored(l, warn);
   bool ok = !l->failed;
   free(l);
   return ok;
}

bool
sim_config_read(struct sim_config *config, const char *path, const char *const *settings,
                unsigned num_settings, void (*warn)(const char *message), char *error,
                size_t error_size)
{
   sim_config_defaults(config);
   bool good = !path || sim_config_load(config, path, warn, error, error_size);
   for (unsigned i = 0; good && i < num_settings; i++)
      good = sim_config_set(config, settings[i], error, error_size);
   return good;
}

bool
sim_config_check_ranges(const struct sim_config *config, char *error, size_t error_size)
{
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (params[i].type == TEXT)
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
config_print_value(FILE *f, const struct sim_config *config, const struct param *p)
{
   if (p->type == TEXT)
      fprintf(f, "\"%s\"", config_get_text(config, p));
   else if (p->type == BOOL)
      fputs(config_get(config, p) ? "TRUE" : "FALSE", f);
   else
      fprintf(f, "%u", config_get(config, p));
}

static void
config_print_range(FILE *f, const struct param *p, enum sim_describe_format format)
{
   static const char *const words[] = {[BOOL] = "TRUE or FALSE", [TEXT] = "text"};
   if (format == SIM_DESCRIBE_MARKDOWN && p->type == BOOL)
      fputs("TRUE, FALSE", f);
   else if (p->type != NUMBER)
      fputs(words[p->type], f);
   else
      fprintf(f, "%u to %u", p->min, p->max);
}

static void
config_describe_one(const struct sim_config *config, const struct sim_config *defaults,
                    const struct param *p, enum sim_describe_format format, FILE *f)
{
   switch (format) {
   case SIM_DESCRIBE_INI:
      if (p->type == NUMBER)
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
   }
}

void
sim_config_describe(const struct sim_config *config, enum sim_describe_format format, FILE *f)
{
   struct sim_config defaults;
   sim_config_defaults(&defaults);
   for (unsigned i = 0; i < NUM_PARAMS; i++) {
      if (!i || strcmp(params[i].section, params[i - 1].section)) {
         if (format == SIM_DESCRIBE_MARKDOWN)
            fprintf(
                f, "%s## %s\n\n| Key | Default | Range | Unit | Meaning |\n|---|---|---|---|---|\n",
                i ? "\n" : "", params[i].section);
         else
            fprintf(f, "%s[%s]\n", i ? "\n" : "", params[i].section);
      }
      config_describe_one(config, &defaults, &params[i], format, f);
   }
}
