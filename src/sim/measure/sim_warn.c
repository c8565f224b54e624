/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Warnings for the user on stderr: each distinct text once, and a limited number of them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "core/sim_mix.h"
#include "measure/sim_observer.h"

void
sim_warn(struct sim_observed *o, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const uint64_t hash = sim_mix(0, text, strlen(text));
   for (unsigned i = 0; i < o->num_warned; i++) {
      if (o->warned[i] == hash)
         return;
   }
   if (o->num_warned == SIM_MAX_WARNINGS)
      return;
   o->warned[o->num_warned++] = hash;
   fprintf(stderr, "attila: warning: %s\n", text);
   if (o->num_warned == SIM_MAX_WARNINGS)
      fprintf(stderr, "attila: warning: further warnings are not shown\n");
}
