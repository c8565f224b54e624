/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of a table in a file of zstd frames (RFC 8878): what is written at a time is a frame of its
 * own, so a file that ends with any of them is whole, and all of it is read by "zstd -dc". A signal
 * handler must not compress: its frames hold the text as it is. Not here: which rows, and when
 * (sim_report_csv.c).
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "core/sim_grow_array.h"
#include "results/sim_report_impl.h"

#define LEVEL 3 /* of zstd */
/* RFC 8878, 3.1.1: magic number, no content size, a window of 128 KiB; 3.1.1.2: a block of at most
 * that, the last one, of type 0, which is the text. */
#define RAW_BYTES (128u << 10)
#define RAW_HEAD 9u

struct csv_pack {
   ZSTD_CCtx *zstd;
   char *text; /* rows in order */
   size_t text_size;
   uint8_t *frame;
   size_t frame_size;
   uint8_t raw[RAW_HEAD + RAW_BYTES];
   size_t raw_len; /* of the text in it */
};

struct csv_pack *
csv_pack_create(void)
{
   static const uint8_t head[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38};
   struct csv_pack *p = calloc(1, sizeof(*p));
   if (!p || !(p->zstd = ZSTD_createCCtx())) {
      csv_pack_free(p);
      return NULL;
   }
   memcpy(p->raw, head, sizeof(head));
   return p;
}

void
csv_pack_free(struct csv_pack *p)
{
   if (!p)
      return;
   ZSTD_freeCCtx(p->zstd);
   free(p->text);
   free(p->frame);
   free(p);
}

/* --- As it is: what a signal handler may do --- */

static bool
write_raw(struct csv_pack *p, struct sim_file *f)
{
   const uint32_t block = (uint32_t)p->raw_len << 3 | 1;
   const size_t size = RAW_HEAD + p->raw_len;
   if (!p->raw_len)
      return true;
   for (unsigned i = 0; i < 3; i++)
      p->raw[RAW_HEAD - 3 + i] = (uint8_t)(block >> 8 * i);
   p->raw_len = 0;
   return sim_file_write(f, p->raw, size);
}

/* Whole rows, unless one is larger than a block. */
static bool
put_raw(struct csv_pack *p, struct sim_file *f, const char *row, size_t size)
{
   bool ok = p->raw_len + size <= RAW_BYTES || write_raw(p, f);
   while (ok && size > 0) {
      const size_t n = size < RAW_BYTES - p->raw_len ? size : RAW_BYTES - p->raw_len;
      memcpy(p->raw + RAW_HEAD + p->raw_len, row, n);
      p->raw_len += n;
      row += n;
      size -= n;
      ok = !size || write_raw(p, f);
   }
   return ok;
}

bool
csv_pack_write_raw(struct csv *c)
{
   bool ok = true;
   for (unsigned i = 0; i < c->num && ok; i++)
      ok = put_raw(c->pack, c->file, c->data + c->order[i].at, c->order[i].size);
   return ok && write_raw(c->pack, c->file);
}

/* --- Compressed --- */

/* The rows one after another; NULL: out of host memory. */
static const char *
in_order(struct csv *c)
{
   struct csv_pack *p = c->pack;
   size_t at = 0;
   unsigned i = 0;
   for (; i < c->num && c->order[i].at == at; i++)
      at += c->order[i].size;
   if (i == c->num)
      return c->data;
   if (!sim_grow_array(&p->text, &p->text_size, c->len, 1))
      return NULL;
   char *to = p->text;
   for (i = 0; i < c->num; i++)
      to = mempcpy(to, c->data + c->order[i].at, c->order[i].size);
   return p->text;
}

bool
csv_pack_write(struct csv *c)
{
   struct csv_pack *p = c->pack;
   const char *text = in_order(c);
   if (!c->num)
      return true;
   if (!text || !sim_grow_array(&p->frame, &p->frame_size, ZSTD_compressBound(c->len), 1))
      return csv_pack_write_raw(c);
   const size_t size = ZSTD_compressCCtx(p->zstd, p->frame, p->frame_size, text, c->len, LEVEL);
   return ZSTD_isError(size) ? csv_pack_write_raw(c) : sim_file_write(c->file, p->frame, size);
}
