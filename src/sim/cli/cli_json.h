/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Text of JSON on standard output. Not here: objects, which whoever prints them writes himself.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

/* In quotes; text: UTF-8. */
static inline void
cli_json_text(const char *text)
{
   putchar('"');
   for (; *text; text++) {
      if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
         printf("\\u%04x", (unsigned char)*text);
      else
         putchar(*text);
   }
   putchar('"');
}

#endif
