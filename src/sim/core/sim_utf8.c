/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * UTF-8 (RFC 3629) for sim_utf8.h. */
#include "core/sim_utf8.h"

#include <stdint.h>
#include <string.h>

/* Returns the bytes of the character at p, 0 if invalid: no overlong forms, surrogates, or above
 * U+10FFFF. */
static size_t
utf8_character(const uint8_t *p)
{
   const size_t size = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
   if (size < 2)
      return size;
   const uint8_t low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
   const uint8_t high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
   if (p[0] > 0xf4 || p[1] < low || p[1] > high)
      return 0;
   for (size_t i = 2; i < size; i++) {
      if ((p[i] & 0xc0) != 0x80)
         return 0;
   }
   return size;
}

bool
sim_utf8_valid(const char *text)
{
   const uint8_t *p = (const uint8_t *)text;
   for (size_t n; *p; p += n) {
      if (!(n = utf8_character(p)))
         return false;
   }
   return true;
}

void
sim_utf8_copy(char *to, size_t size, const char *text)
{
   const uint8_t *p = (const uint8_t *)text;
   for (size_t n; *p; p += n) {
      const size_t bytes = utf8_character(p);
      n = bytes ? bytes : 1;
      if (n >= size)
         break;
      if (bytes)
         memcpy(to, p, bytes);
      else
         *to = '?';
      to += n;
      size -= n;
   }
   *to = '\0';
}
