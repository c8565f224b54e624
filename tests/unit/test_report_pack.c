/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows in a file of zstd frames (results/sim_report_pack.c): what zstd reads of them is the rows in
 * the order of their keys, whether a frame was compressed or is a signal handler's, which holds the
 * text as it is. Not here: a process that ends by a signal (test_report.c), or is killed
 * (tests/sim/pack.sh).
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include "results/sim_report_impl.h"

#define MAX_TEXT (2u << 20)

static char folder[] = "/tmp/attila-pack-XXXXXX";
static char path[64];

static struct csv
open_packed(void)
{
   struct csv c = {0};
   char error[200];
   assert_int_equal(
       sim_file_create(&c.file, AT_FDCWD, path, path, SIM_FILE_OURS, error, sizeof(error)),
       SIM_FILE_OPEN);
   c.pack = csv_pack_create();
   assert_non_null(c.pack);
   return c;
}

/* A row of so many bytes, all of them the letter, and a line's end. */
static void
put(struct csv *c, uint64_t key, char letter, size_t size)
{
   char *p = csv_begin(c, size + 1);
   assert_non_null(p);
   memset(p, letter, size);
   p[size] = '\n';
   csv_end(c, p + size + 1, key);
}

/* What zstd reads of the file; *frames: how many there are. */
static char *
unpack(size_t *size, unsigned *frames)
{
   uint8_t *packed = malloc(MAX_TEXT);
   char *text = malloc(MAX_TEXT);
   FILE *f = fopen(path, "r");
   assert_non_null(f);
   const size_t n = fread(packed, 1, MAX_TEXT, f);
   fclose(f);
   *size = 0;
   *frames = 0;
   for (size_t at = 0; at < n; ++*frames) {
      const size_t frame = ZSTD_findFrameCompressedSize(packed + at, n - at);
      if (ZSTD_isError(frame))
         fail_msg("frame %u: %s", *frames, ZSTD_getErrorName(frame));
      const size_t got = ZSTD_decompress(text + *size, MAX_TEXT - *size, packed + at, frame);
      if (ZSTD_isError(got))
         fail_msg("frame %u: %s", *frames, ZSTD_getErrorName(got));
      *size += got;
      at += frame;
   }
   free(packed);
   return text;
}

/* The next row of text must be this one. */
static const char *
expect(const char *text, char letter, size_t size)
{
   for (size_t i = 0; i < size; i++) {
      if (text[i] != letter)
         fail_msg("byte %zu of row %c is %c", i, letter, text[i]);
   }
   assert_int_equal(text[size], '\n');
   return text + size + 1;
}

static void
test_frames(void **state)
{
   struct csv c = open_packed();
   size_t size;
   unsigned frames;
   put(&c, 2, 'b', 1000);
   put(&c, 3, 'c', 10);
   put(&c, 1, 'a', 70000); /* out of order */
   csv_write(&c);
   csv_write(&c); /* nothing waits */
   put(&c, 4, 'd', 5);
   csv_write(&c);
   char *text = unpack(&size, &frames);
   assert_int_equal(frames, 2);
   const char *p = expect(expect(expect(expect(text, 'a', 70000), 'b', 1000), 'c', 10), 'd', 5);
   assert_int_equal(size, p - text);
   free(text);
   assert_true(csv_close(&c));
   assert_int_equal(unlink(path), 0);
}

/* Rows in blocks of at most 128 KiB, whole ones, unless one is larger; then compressed ones. */
static void
test_handler(void **state)
{
   struct csv c = open_packed();
   size_t size;
   unsigned frames;
   put(&c, 1, 'a', 100);
   csv_write(&c);
   put(&c, 3, 'c', 100000);
   put(&c, 2, 'b', 60000);
   put(&c, 4, 'd', 300000);
   put(&c, 5, 'e', 1);
   csv_emergency(&c);
   csv_emergency(&c);
   put(&c, 6, 'f', 7);
   csv_write(&c);
   char *text = unpack(&size, &frames);
   /* a; b; c; 3 of d, the last one with e; f */
   assert_int_equal(frames, 7);
   const char *p = expect(expect(expect(text, 'a', 100), 'b', 60000), 'c', 100000);
   p = expect(expect(expect(p, 'd', 300000), 'e', 1), 'f', 7);
   assert_int_equal(size, p - text);
   free(text);
   assert_true(csv_close(&c));
   assert_int_equal(unlink(path), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_frames),
       cmocka_unit_test(test_handler),
   };
   if (!mkdtemp(folder))
      return 1;
   snprintf(path, sizeof(path), "%s/draws.csv.zst", folder);
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   rmdir(folder);
   return failed;
}
