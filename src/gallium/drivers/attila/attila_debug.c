/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ATTILA_DEBUG: names to flags. Not here: what the flags do. */
#include "attila_debug.h"

#include <stdio.h>
#include <string.h>
#include "attila_sim.h"
#include "util/log.h"
#include "util/macros.h"

static const struct {
   const char *name;
   unsigned flag;
   const char *doc;
} debug_flags[] = {
#define D(NAME, name, bit, doc) {name, ATTILA_DEBUG_##NAME, doc},
    ATTILA_DEBUG_FLAGS(D)
#undef D
};

static void
attila_debug_print_names(void)
{
   fprintf(stderr, "attila: ATTILA_DEBUG is a list of these, with commas between them:\n");
   for (unsigned i = 0; i < ARRAY_SIZE(debug_flags); i++)
      fprintf(stderr, "  %-14s %s\n", debug_flags[i].name, debug_flags[i].doc);
}

bool
attila_debug_parse(const char *text, unsigned *flags)
{
   static const char separators[] = ", ;:|";
   *flags = 0;
   for (const char *p = text ? text : ""; *(p += strspn(p, separators));) {
      const size_t n = strcspn(p, separators);
      unsigned i = 0;
      while (i < ARRAY_SIZE(debug_flags) &&
             (strncmp(debug_flags[i].name, p, n) || debug_flags[i].name[n]))
         i++;
      if (i < ARRAY_SIZE(debug_flags)) {
         *flags |= debug_flags[i].flag;
      } else if (n == 4 && !strncmp(p, "help", n)) {
         attila_debug_print_names();
      } else {
         mesa_loge("attila: ATTILA_DEBUG=%s: there is no \"%.*s\"", text, (int)n, p);
         attila_debug_print_names();
         return false;
      }
      p += n;
   }
   return true;
}

void
attila_debug_override(unsigned flags, struct attila_sim_options *options, const char **storage)
{
   unsigned num = options->num_overrides;
   if (num)
      memcpy(storage, options->overrides, num * sizeof(*storage));
   if (flags & ATTILA_DEBUG_NOHZ)
      storage[num++] = "RASTERIZER.DisableHZ=TRUE";
   if (flags & ATTILA_DEBUG_NOCOMPRESSION) {
      storage[num++] = "ZSTENCILTEST.DisableCompression=TRUE";
      storage[num++] = "COLORWRITE.DisableCompression=TRUE";
   }
   options->overrides = storage;
   options->num_overrides = num;
}
