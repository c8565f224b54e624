/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Text of JSON. Not here: objects, which whoever prints them writes himself.
 */
#ifndef SIM_JSON_H
#define SIM_JSON_H

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

#endif
