/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of a table: collected in memory, written as whole lines in the order of their keys. Not
 * here: what is in them.
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_report_impl.h"

char *
report_put_digits(char *p, uint64_t v)
{
   static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                               "25262728293031323334353637383940414243444546474849"
                               "50515253545556575859606162636465666768697071727374"
                               "75767778798081828384858687888990919293949596979899";
   if (v < 100) {
      memcpy(p, pairs + v * 2, 2);
      return p + 2;
   }
   if (v < 10000) {
      const uint32_t w = (uint32_t)v, high = w / 100;
      char *at = p;
      if (high < 10)
         *at++ = (char)('0' + high);
      else
         at = memcpy(at, pairs + high * 2, 2) + 2;
      memcpy(at, pairs + w % 100 * 2, 2);
      return at + 2;
   }
   unsigned size = 5;
   for (uint64_t most = 100000; size < REPORT_NUMBER_BYTES && v >= most; most *= 10)
      size++;
   char *at = p + size;
   for (; v > UINT32_MAX; v /= 100)
      memcpy(at -= 2, pairs + v % 100 * 2, 2);
   /* Most are small; a division of 32 bits is the cheap one. */
   uint32_t w = (uint32_t)v;
   for (; w >= 10; w /= 100)
      memcpy(at -= 2, pairs + w % 100 * 2, 2);
   if (at > p)
      *p = (char)('0' + w);
   return p + size;
}

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
   bool ok = !c->pack || csv_pack_write(c);
   for (unsigned i = 0; !c->pack && i < c->num && ok;) {
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
   if (c->pack) {
      csv_pack_write_raw(c);
      c->len = 0;
      c->num = 0;
   }
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
   csv_pack_free(c->pack);
   *c = (struct csv){0};
   return ok;
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
