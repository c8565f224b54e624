/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Text of JSON. Not here: objects, which callers print themselves. */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include <math.h>
#include <stdio.h>

/* In quotes; text: UTF-8. */
static inline void
sim_json_text(FILE *f, const char *text)
{
   fputc('"', f);
   for (; *text; text++) {
      if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
         fprintf(f, "\\u%04x", (unsigned char)*text);
      else
         fputc(*text, f);
   }
   fputc('"', f);
}

/* JSON has no non-finite numbers: prints the texts "nan", "inf" and "-inf". */
static inline void
sim_json_number(FILE *f, double n)
{
   if (isfinite(n))
      fprintf(f, "%.9g", n);
   else
      fprintf(f, isnan(n) ? "\"nan\"" : n < 0.0 ? "\"-inf\"" : "\"inf\"");
}

/* [a, b, c, d] */
static inline void
sim_json_vec4(FILE *f, const double v[4])
{
   for (unsigned c = 0; c < 4; c++) {
      fputs(c ? ", " : "[", f);
      sim_json_number(f, v[c]);
   }
   fputc(']', f);
}

#endif
