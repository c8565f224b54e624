/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The tables of sim_csv.h. */
#include "results/sim_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "core/sim_grow_array.h"

#define MANY_BYTES (1u << 20) /* bytes that are written before the frame ends */
#define LEVEL 3               /* level of zstd */

/* --- Fields --- */

char *
sim_csv_digits(char *p, uint64_t v)
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
   for (uint64_t most = 100000; size < SIM_CSV_NUMBER_BYTES && v >= most; most *= 10)
      size++;
   char *at = p + size;
   for (; v > UINT32_MAX; v /= 100)
      memcpy(at -= 2, pairs + v % 100 * 2, 2);
   /* Most values are small, and a 32-bit division is cheaper. */
   uint32_t w = (uint32_t)v;
   for (; w >= 10; w /= 100)
      memcpy(at -= 2, pairs + w % 100 * 2, 2);
   if (at > p)
      *p = (char)('0' + w);
   return p + size;
}

char *
sim_csv_text(char *p, const char *text)
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

/* --- Rows --- */

enum sim_file_result
sim_csv_open(struct sim_csv *c, int folder, const char *name, const char *path, bool pack,
             char *error, size_t error_size)
{
   const enum sim_file_result result =
       sim_file_create(&c->file, folder, name, path, SIM_FILE_OURS, error, error_size);
   if (result != SIM_FILE_OPEN || !pack || (c->zstd = ZSTD_createCCtx()))
      return result;
   snprintf(error, error_size, "%s: out of host memory", path);
   sim_csv_close(c);
   return SIM_FILE_ERROR;
}

char *
sim_csv_begin(struct sim_csv *c, size_t size)
{
   if (!c->file || !sim_file_usable(c->file) ||
       !sim_grow_array(&c->data, &c->size, c->len + size, 1))
      return NULL;
   return c->data + c->len;
}

void
sim_csv_end(struct sim_csv *c, const char *end)
{
   c->len = (size_t)(end - c->data);
   c->rows++;
   if (c->len >= MANY_BYTES)
      sim_csv_write(c);
}

static void
csv_write_packed(struct sim_csv *c)
{
   size_t size = ZSTD_compressBound(c->len);
   if (sim_grow_array(&c->packed, &c->packed_size, size, 1)) {
      size = ZSTD_compressCCtx(c->zstd, c->packed, c->packed_size, c->data, c->len, LEVEL);
      if (!ZSTD_isError(size)) {
         sim_file_write(c->file, c->packed, size);
         return;
      }
   }
   c->file->error = ENOMEM;
}

void
sim_csv_write(struct sim_csv *c)
{
   if (!c->file || !sim_file_usable(c->file) || !c->len)
      return;
   /* The file now has more than its first line, so a later simulator leaves it alone. */
   if (c->rows > 1)
      sim_file_mark_used(c->file);
   if (c->zstd)
      csv_write_packed(c);
   else
      sim_file_write_lines(c->file, c->data, c->len);
   c->len = 0;
}

void
sim_csv_disown(struct sim_csv *c)
{
   if (c->file)
      sim_file_disown(c->file);
}

bool
sim_csv_close(struct sim_csv *c)
{
   sim_csv_write(c);
   const bool ok = sim_file_close(c->file);
   free(c->data);
   free(c->packed);
   ZSTD_freeCCtx(c->zstd);
   *c = (struct sim_csv){0};
   return ok;
}
