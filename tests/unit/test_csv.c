/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of a table in a file (results/sim_csv.h), as text and in frames of zstd: whole lines, and a
 * frame for what is written at a time. Not here: a process that is killed (tests/sim/pack.sh). */
#include <fcntl.h>
#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include "results/sim_csv.h"

#define MAX_TEXT (2u << 20)

static char folder[] = "/tmp/attila-pack-XXXXXX";
static char path[64];

static struct sim_csv
open_packed(void)
{
   struct sim_csv c = {0};
   char error[200];
   assert_int_equal(sim_csv_open(&c, AT_FDCWD, path, path, true, error, sizeof(error)),
                    SIM_FILE_OPEN);
   return c;
}

/* A row of so many bytes, all of them the letter, and a line's end. */
static void
put(struct sim_csv *c, char letter, size_t size)
{
   char *p = sim_csv_begin(c, size + 1);
   assert_non_null(p);
   memset(p, letter, size);
   p[size] = '\n';
   sim_csv_end(c, p + size + 1);
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
test_packed_frames_unpack_to_the_text(void **state)
{
   struct sim_csv c = open_packed();
   size_t size;
   unsigned frames;
   put(&c, 'a', 70000);
   put(&c, 'b', 1000);
   put(&c, 'c', 10);
   sim_csv_write(&c);
   sim_csv_write(&c); /* nothing waits */
   put(&c, 'd', 5);
   put(&c, 'e', 2u << 19); /* more than waits for long */
   put(&c, 'f', 1);
   sim_csv_write(&c);
   char *text = unpack(&size, &frames);
   assert_int_equal(frames, 3);
   const char *p = expect(expect(expect(text, 'a', 70000), 'b', 1000), 'c', 10);
   p = expect(expect(expect(p, 'd', 5), 'e', 2u << 19), 'f', 1);
   assert_int_equal(size, p - text);
   free(text);
   assert_true(sim_csv_close(&c));
   assert_int_equal(unlink(path), 0);
}

static void
test_fields_are_printed_as_printf_does(void **state)
{
   static const uint64_t numbers[] = {
       0, 9, 10, 99, 100, 9999, 10000, 123456, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
   char got[64], want[64];
   for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
      *sim_csv_number(got, numbers[i]) = '\0';
      snprintf(want, sizeof(want), "%llu", (unsigned long long)numbers[i]);
      assert_string_equal(got, want);
   }
   *sim_csv_text(got, "a \"b\",\n") = '\0';
   assert_string_equal(got, "\"a \"\"b\"\", \"");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_packed_frames_unpack_to_the_text),
       cmocka_unit_test(test_fields_are_printed_as_printf_does),
   };
   if (!mkdtemp(folder))
      return 1;
   snprintf(path, sizeof(path), "%s/draws.csv.zst", folder);
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   rmdir(folder);
   return failed;
}
