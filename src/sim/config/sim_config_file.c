/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads machines' .ini files. Keys of the release without effect (sim_release_keys.h) are reported
 * with reasons; other unknown keys are errors. "base = FILE, FILE" before the first section reads
 * other files first. "base = release2015" starts from the values in the release's code
 * (sim_release_values.h), and so does a file with the heading of the release's own, which loads
 * unmodified. Not here: values (sim_config.c), finding files (sim_config_find.c). */
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "config/sim_config_impl.h"
#include "config/sim_release_keys.h"
#include "config/sim_release_values.h"
#include "core/sim_ini.h"
#include "core/sim_nearest.h"

#define MAX_BASES 16 /* nested bases */
#define RELEASE "release2015"
#define RELEASE_HEADING "# bGPU Simulator"

enum release_reason {
#define R(reason, why) RELEASE_##reason,
   SIM_RELEASE_REASONS(R)
#undef R
       NUM_REASONS
};

static const char *const reasons[] = {
#define R(reason, why) why,
    SIM_RELEASE_REASONS(R)
#undef R
};

static const struct {
   const char *section, *key;
   enum release_reason reason;
} release_keys[] = {
#define K(section, key, reason) {#section, #key, RELEASE_##reason},
    SIM_RELEASE_KEYS(K)
#undef K
};
#define NUM_KEYS (sizeof(release_keys) / sizeof(release_keys[0]))

struct loader {
   struct sim_config *config;
   struct sim_ini ini; /* of the current file */
   const char *path;
   unsigned depth;
   bool any_section, has_base, failed;
   char *error;
   size_t error_size;
   bool *ignored; /* NUM_KEYS flags, shared with bases: which keys occur */
   bool *release; /* shared with bases: the machine starts from the release's values */
};

static void config_file_read(struct loader *l);

static void __attribute__((format(printf, 3, 4)))
config_file_error(struct loader *l, unsigned line, const char *format, ...)
{
   if (l->failed)
      return;
   l->failed = true;
   int n = line ? snprintf(l->error, l->error_size, "%.300s:%u: ", l->path, line)
                : snprintf(l->error, l->error_size, "%.300s: ", l->path);
   if (n < 0 || (size_t)n >= l->error_size)
      return;
   va_list args;
   va_start(args, format);
   vsnprintf(l->error + n, l->error_size - (size_t)n, format, args);
   va_end(args);
}

/* libinih calls no handler for a section without keys. */
static void
config_file_section(struct loader *l, const char *text)
{
   static const char *const sections[] = {
#define S(section, member) #section,
       SIM_SECTIONS(S)
#undef S
   };
   char name[64];
   const char *meant = NULL;
   if (sscanf(text, " [%63[^]\n]]", name) != 1)
      return;
   struct sim_nearest near = {.wanted = name};
   l->any_section = true;
   for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
      if (!strcasecmp(sections[i], name))
         return;
   }
   for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
      meant = sim_nearest_is(&near, sections[i]) ? sections[i] : meant;
   config_file_error(l, l->ini.line, "[%s] is not a section%s%s%s", name, meant ? "; is it [" : "",
                     meant ? meant : "", meant ? "]?" : " (attila-sim describe lists them)");
}

/* Sets the values in the release's code. */
static void
config_file_release(struct loader *l)
{
   static const struct {
      const char *section, *key, *value;
   } values[] = {SIM_RELEASE_VALUES};
   char error[256];
   for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
      sim_param_set(l->config, sim_param_find(values[i].section, values[i].key), values[i].value,
                    error, sizeof(error));
   *l->release = true;
}

static char *
config_file_line(char *buffer, int size, void *user)
{
   struct loader *l = user;
   char *s = sim_ini_read(&l->ini, buffer, size);
   if (l->ini.too_long)
      config_file_error(l, l->ini.too_long, SIM_INI_TOO_LONG, l->ini.room);
   else if (s && !l->any_section && !l->has_base &&
            !strncmp(s, RELEASE_HEADING, strlen(RELEASE_HEADING)))
      config_file_release(l);
   else if (s)
      config_file_section(l, s);
   return s;
}

/* Returns a key of the release without effect, or NUM_KEYS. */
static unsigned
config_file_release_key(const char *section, const char *key)
{
   unsigned k = 0;
   while (k < NUM_KEYS &&
          (strcasecmp(release_keys[k].key, key) || strcasecmp(release_keys[k].section, section)))
      k++;
   return k;
}

/* Reads one file of base = FILE, FILE, which is beside this file or in configs/, or takes the
 * release's values. */
static void
config_file_base(struct loader *l, const char *name)
{
   char path[4096];
   const char *slash = strrchr(l->path, '/');
   struct stat s;
   if (!strcmp(name, RELEASE)) {
      config_file_release(l);
      return;
   }
   if (l->depth == MAX_BASES) {
      config_file_error(l, l->ini.line,
                        "base = %s: more than %u files, each the base of the one before", name,
                        MAX_BASES);
      return;
   }
   const int n = snprintf(path, sizeof(path), "%.*s%s",
                          slash && *name != '/' ? (int)(slash + 1 - l->path) : 0, l->path, name);
   if ((n < 0 || n >= (int)sizeof(path) || stat(path, &s)) &&
       !sim_config_find(name, "", path, sizeof(path))) {
      config_file_error(l, l->ini.line, "base = %s: no such file, beside this one or in configs/",
                        name);
      return;
   }
   struct loader base = *l;
   base.path = path;
   base.depth++;
   config_file_read(&base);
   l->failed |= base.failed;
}

/* Reads the files of base = FILE, FILE in this order. If several files have a key, the last value
 * counts. */
static void
config_file_bases(struct loader *l, char *names)
{
   if (l->any_section || l->has_base) {
      config_file_error(l, l->ini.line, "base stands once, before the first [section]");
      return;
   }
   l->has_base = true;
   while (names && !l->failed) {
      char *name = strsep(&names, ",");
      name += strspn(name, " \t");
      for (size_t n = strlen(name); n && strchr(" \t", name[n - 1]); n--)
         name[n - 1] = '\0';
      if (*name)
         config_file_base(l, name);
      else
         config_file_error(l, l->ini.line, "base = FILE, FILE: a name is empty");
   }
}

static int
config_file_handle(void *user, const char *section, const char *key, const char *raw)
{
   struct loader *l = user;
   char value[256], message[384];
   sim_param_clean(raw, value, sizeof(value));
   if (l->failed)
      return 1;
   if (!*section && !strcasecmp(key, "base")) {
      config_file_bases(l, value);
      return 1;
   }
   const struct sim_param *p = sim_param_find(section, key);
   const unsigned k = p ? NUM_KEYS : config_file_release_key(section, key);
   const unsigned before = p ? sim_ini_note(&l->ini, section, key) : 0;
   if (before) {
      config_file_error(l, l->ini.line, "%s.%s stands in line %u, too: expected once", p->section,
                        p->key, before);
   } else if (p) {
      if (!sim_param_set(l->config, p, value, message, sizeof(message)))
         config_file_error(l, l->ini.line, "%s", message);
   } else if (!*section) {
      sim_param_unknown(section, key, message, sizeof(message));
      config_file_error(l, l->ini.line, "no [section] before it: %s", message);
   } else if (k < NUM_KEYS) {
      l->ignored[k] = true;
   } else {
      sim_param_unknown(section, key, message, sizeof(message));
      config_file_error(l, l->ini.line, "%s", message);
   }
   return 1;
}

static void
config_file_read(struct loader *l)
{
   struct stat s;
   l->any_section = l->has_base = false;
   l->ini = (struct sim_ini){.file = fopen(l->path, "re")};
   if (!l->ini.file) {
      char names[400] = "";
      const int error = errno;
      config_file_error(l, 0, "%s%s", strerror(error),
                        error == ENOENT ? sim_config_list(names, sizeof(names)) : "");
      return;
   }
   if (!fstat(fileno(l->ini.file), &s) && S_ISDIR(s.st_mode)) {
      config_file_error(l, 0, "a folder, not an .ini file");
   } else {
      const int line = ini_parse_stream(config_file_line, l, config_file_handle, l);
      if (ferror(l->ini.file))
         config_file_error(l, 0, "cannot be read");
      else if (line)
         config_file_error(l, line > 0 ? (unsigned)line : l->ini.line,
                           "neither a [section] nor a key = value");
   }
   fclose(l->ini.file);
   sim_ini_fini(&l->ini);
}

/* Makes one message with a line per reason. Returns NULL if nothing is ignored, or host memory is
 * exhausted. */
static char *
config_file_message(const struct loader *l, const char *path)
{
   char *text = NULL;
   size_t size;
   unsigned num = 0;
   for (unsigned k = 0; k < NUM_KEYS; k++)
      num += l->ignored[k];
   FILE *f = num ? open_memstream(&text, &size) : NULL;
   if (!f)
      return NULL;
   fprintf(f, "%.300s: %u keys have no effect:", path, num);
   for (unsigned r = 0; r < NUM_REASONS; r++) {
      const char *section = NULL;
      for (unsigned k = 0; k < NUM_KEYS; k++) {
         if (!l->ignored[k] || release_keys[k].reason != r)
            continue;
         if (!section)
            fprintf(f, "\n  ");
         if (!section || strcmp(section, release_keys[k].section))
            fprintf(f, " [%s]", section = release_keys[k].section);
         fprintf(f, " %s", release_keys[k].key);
      }
      if (section)
         fprintf(f, ": %s", reasons[r]);
   }
   if (!*l->release)
      fprintf(f, "\n   the machine of the release begins with base = " RELEASE);
   return fclose(f) ? NULL : text;
}

bool
sim_config_load(struct sim_config *config, const char *path, char **ignored, char *error,
                size_t error_size)
{
   char found[4096];
   bool ignored_keys[NUM_KEYS] = {false}, release = false;
   sim_config_find(path, "", found, sizeof(found));
   struct loader l = {.config = config,
                      .path = found,
                      .error = error,
                      .error_size = error_size,
                      .ignored = ignored_keys,
                      .release = &release};
   config_file_read(&l);
   if (ignored)
      *ignored = l.failed ? NULL : config_file_message(&l, path);
   return !l.failed;
}
