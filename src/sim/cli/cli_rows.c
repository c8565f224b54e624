/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Opens the rows of a run, draws.csv or draws.csv.zst, as text. A file of frames of zstd that ends
 * in the middle of one, since the run was killed there, ends before it. Not here: what is in a row.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>
#include "cli/cli.h"

struct packed {
   FILE *file;
   ZSTD_DStream *zstd;
   ZSTD_inBuffer in;
   uint8_t bytes[1 << 16];
};

static ssize_t
cli_rows_packed_read(void *cookie, char *buffer, size_t size)
{
   struct packed *p = cookie;
   ZSTD_outBuffer out = {buffer, size, 0};
   while (!out.pos && size) {
      if (p->in.pos == p->in.size) {
         p->in = (ZSTD_inBuffer){p->bytes, fread(p->bytes, 1, sizeof(p->bytes), p->file), 0};
         if (!p->in.size)
            return ferror(p->file) ? -1 : 0;
      }
      if (ZSTD_isError(ZSTD_decompressStream(p->zstd, &out, &p->in))) {
         errno = EIO;
         return -1;
      }
   }
   return (ssize_t)out.pos;
}

static int
cli_rows_packed_close(void *cookie)
{
   struct packed *p = cookie;
   const int result = p->file ? fclose(p->file) : 0;
   ZSTD_freeDStream(p->zstd);
   free(p);
   return result;
}

FILE *
cli_open_rows(const char *folder, char *path, size_t path_size)
{
   snprintf(path, path_size, "%s/draws.csv.zst", folder);
   struct packed *p = calloc(1, sizeof(*p));
   if (p && (p->file = fopen(path, "re")) && (p->zstd = ZSTD_createDStream())) {
      FILE *f = fopencookie(
          p, "r",
          (cookie_io_functions_t){.read = cli_rows_packed_read, .close = cli_rows_packed_close});
      if (f)
         return f;
   }
   if (p)
      cli_rows_packed_close(p);
   snprintf(path, path_size, "%s/draws.csv", folder);
   return fopen(path, "re");
}
