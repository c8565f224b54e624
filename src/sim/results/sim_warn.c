/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Messages for the user on stderr: each distinct text once, and a limited number of them.
 */
#include <stdarg.h>
#include <string.h>
#include "results/sim_report_impl.h"

void
sim_warn(struct sim_report *r, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   uint64_t hash = 0xcbf29ce484222325ull;
   for (const char *c = text; *c; c++)
      hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
   if (r) {
      r->warnings++;
      for (unsigned i = 0; i < r->num_warned; i++) {
         if (r->warned[i] == hash)
            return;
      }
      if (r->num_warned == MAX_WARNINGS)
         return;
      r->warned[r->num_warned++] = hash;
   }
   fprintf(stderr, "attila: warning: %s\n", text);
   if (r && r->num_warned == MAX_WARNINGS)
      fprintf(stderr, "attila: warning: further warnings are not shown\n");
}
