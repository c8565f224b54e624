/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of a table: collected in memory, written as whole lines. Not here: what is in them.
 */
#include <stdlib.h>
#include "report/sim_report_impl.h"

char *
csv_begin(struct csv *c, size_t size)
{
   if (!c->file || !sim_file_usable(c->file))
      return NULL;
   sim_guard_enter(&c->file->guard);
   if (c->len + size > c->capacity) {
      size_t capacity = (c->len + size) * 2;
      char *grown = realloc(c->data, capacity);
      if (!grown) {
         sim_guard_leave(&c->file->guard);
         return NULL;
      }
      c->data = grown;
      c->capacity = capacity;
   }
   return c->data + c->len;
}

void
csv_end(struct csv *c, const char *end)
{
   c->len = (size_t)(end - c->data);
   c->rows++;
   sim_guard_leave(&c->file->guard);
}

static void
write_rows(struct csv *c)
{
   if (c->len)
      sim_file_write_lines(c->file, c->data, c->len);
   c->len = 0;
}

void
csv_write(struct csv *c)
{
   if (!c->file || !sim_file_usable(c->file))
      return;
   sim_guard_enter(&c->file->guard);
   write_rows(c);
   sim_guard_leave(&c->file->guard);
}

void
csv_emergency(struct csv *c)
{
   if (!c->file || !sim_file_usable(c->file) || !sim_guard_enter_handler(&c->file->guard))
      return;
   write_rows(c);
   sim_guard_leave(&c->file->guard);
}

bool
csv_close(struct csv *c)
{
   csv_write(c);
   bool ok = sim_file_close(c->file);
   free(c->data);
   *c = (struct csv){0};
   return ok;
}

char *
csv_put_number(char *p, uint64_t v)
{
   char digits[20];
   unsigned n = 0;
   do {
      digits[n++] = (char)('0' + v % 10);
      v /= 10;
   } while (v);
   while (n)
      *p++ = digits[--n];
   return p;
}

char *
csv_put_text(char *p, const char *text)
{
   *p++ = '"';
   for (; *text; text++) {
      if (*text == '"')
         *p++ = '"';
      *p++ = (unsigned char)*text < ' ' ? ' ' : *text;
   }
   *p++ = '"';
   return p;
}
