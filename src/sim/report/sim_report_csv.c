/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of a table: collected in memory, written as whole lines in the order of their keys. Not
 * here: what is in them.
 */
#include <stdlib.h>
#include <string.h>
#include "report/sim_report_impl.h"

static bool
make_room(struct csv *c, size_t size)
{
   if (c->len + size > c->capacity) {
      size_t capacity = (c->len + size) * 2;
      char *grown = realloc(c->data, capacity);
      if (!grown)
         return false;
      c->data = grown;
      c->capacity = capacity;
   }
   if (c->num == c->order_capacity) {
      unsigned capacity = c->num * 2 + 16;
      struct csv_row *grown = realloc(c->order, capacity * sizeof(*grown));
      if (!grown)
         return false;
      c->order = grown;
      c->order_capacity = capacity;
   }
   return true;
}

char *
csv_begin(struct csv *c, size_t size)
{
   if (!c->file || !sim_file_usable(c->file))
      return NULL;
   sim_guard_enter(&c->file->guard);
   if (!make_room(c, size)) {
      sim_guard_leave(&c->file->guard);
      return NULL;
   }
   return c->data + c->len;
}

void
csv_end(struct csv *c, const char *end, uint64_t key)
{
   size_t at = c->len;
   c->len = (size_t)(end - c->data);
   /* Rows come nearly in order, and a signal handler that has to write them must not sort. */
   unsigned i = c->num++;
   for (; i > 0 && c->order[i - 1].key > key; i--)
      c->order[i] = c->order[i - 1];
   c->order[i] = (struct csv_row){.key = key, .at = at, .size = c->len - at};
   c->rows++;
   sim_guard_leave(&c->file->guard);
}

static void
write_rows(struct csv *c)
{
   bool ok = true;
   for (unsigned i = 0; i < c->num && ok;) {
      /* Neighbours in one go. */
      size_t at = c->order[i].at, size = 0;
      for (; i < c->num && c->order[i].at == at + size; i++)
         size += c->order[i].size;
      ok = sim_file_write_lines(c->file, c->data + at, size);
   }
   c->len = 0;
   c->num = 0;
}

void
csv_drop(struct csv *c)
{
   if (!c->file)
      return;
   sim_guard_enter(&c->file->guard);
   c->len = 0;
   c->num = 0;
   sim_guard_leave(&c->file->guard);
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
   free(c->order);
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
