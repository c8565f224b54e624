/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lines and keys of .ini files (sim_ini.h). */
#include "core/sim_ini.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns whether a comment begins in this part of a line: at its first character, or at a
 * semicolon behind a blank. */
static bool
ini_has_comment(const char *line)
{
   const char first = line[strspn(line, " \t")];
   if (first == ';' || first == '#')
      return true;
   for (const char *p = line; (p = strchr(p, ';')); p++) {
      if (p[-1] == ' ' || p[-1] == '\t')
         return true;
   }
   return false;
}

char *
sim_ini_read(struct sim_ini *ini, char *buffer, int size)
{
   char *s = fgets(buffer, size, ini->file);
   if (!s)
      return s;
   ini->line++;
   ini->room = (unsigned)size - 2;
   if (strchr(s, '\n') || feof(ini->file))
      return s;
   if (!ini_has_comment(s) && !ini->too_long)
      ini->too_long = ini->line;
   for (int c = getc(ini->file); c != EOF && c != '\n';)
      c = getc(ini->file);
   /* Newer versions of inih would skip the next line, as the rest of one without an end. */
   s[size - 2] = '\n';
   return s;
}

unsigned
sim_ini_note(struct sim_ini *ini, const char *section, const char *key)
{
   struct sim_ini_key new = {.line = ini->line};
   snprintf(new.name, sizeof(new.name), "%s.%s", section, key);
   for (unsigned i = 0; i < ini->num_keys; i++) {
      if (!strcasecmp(ini->keys[i].name, new.name))
         return ini->keys[i].line;
   }
   struct sim_ini_key *grown = realloc(ini->keys, (ini->num_keys + 1) * sizeof(*grown));
   if (grown) {
      ini->keys = grown;
      ini->keys[ini->num_keys++] = new;
   }
   return 0;
}

void
sim_ini_fini(struct sim_ini *ini)
{
   free(ini->keys);
   *ini = (struct sim_ini){0};
}
