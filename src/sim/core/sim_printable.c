/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A stream that escapes control characters (sim_printable.h). */
#include "core/sim_printable.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#define C1 0xc2u /* first byte of U+0080 to U+00BF in UTF-8 */

static bool
printable_put(const struct sim_printable *p, const char *text, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = write(p->fd, text + done, size - done);
      if (n < 0 && errno != EINTR)
         return false;
      done += n > 0 ? (size_t)n : 0;
   }
   return true;
}

static size_t
printable_escape(char *to, unsigned byte)
{
   return (size_t)sprintf(to, "\\x%02x", byte);
}

/* Returns the bytes that stand for one byte of text. */
static size_t
printable_byte(struct sim_printable *p, uint8_t byte, char *to)
{
   size_t n = 0;
   const bool second = p->c1 && byte >= 0x80 && byte < 0xa0;
   if (second)
      n = printable_escape(to, C1);
   else if (p->c1)
      to[n++] = (char)C1;
   p->c1 = byte == C1;
   if (second || byte == 0x7f || (byte < ' ' && byte != '\n' && byte != '\t'))
      n += printable_escape(to + n, byte);
   else if (!p->c1)
      to[n++] = (char)byte;
   return n;
}

static ssize_t
printable_write(void *cookie, const char *text, size_t size)
{
   struct sim_printable *p = cookie;
   char piece[4096];
   size_t n = 0;
   for (size_t i = 0; i < size; i++) {
      n += printable_byte(p, (uint8_t)text[i], piece + n);
      if ((n > sizeof(piece) - 8 || i + 1 == size) && !printable_put(p, piece, n))
         return 0;
      n = n > sizeof(piece) - 8 ? 0 : n;
   }
   return (ssize_t)size;
}

FILE *
sim_printable_stream(struct sim_printable *p, int fd)
{
   *p = (struct sim_printable){.fd = fd};
   FILE *f = fopencookie(p, "w", (cookie_io_functions_t){.write = printable_write});
   if (!f)
      return NULL;
   if (fd == STDERR_FILENO)
      setvbuf(f, NULL, _IONBF, 0);
   else if (isatty(fd))
      setvbuf(f, NULL, _IOLBF, BUFSIZ);
   return f;
}
