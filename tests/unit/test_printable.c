/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streams for terminals (core/sim_printable.h): control characters become escapes, all else stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/sim_printable.h"

/* Compares what comes out of a stream of which each character was written by itself, or all at
 * once. */
static void
expect_printed(const char *text, size_t size, bool one_by_one, const char *wanted)
{
   char got[20000];
   int ends[2];
   assert_int_equal(pipe(ends), 0);
   struct sim_printable p;
   FILE *f = sim_printable_stream(&p, ends[1]);
   assert_non_null(f);
   for (size_t i = 0; i < size; i += one_by_one ? 1 : size) {
      assert_int_equal(fwrite(text + i, 1, one_by_one ? 1 : size, f), one_by_one ? 1 : size);
      assert_int_equal(fflush(f), 0);
   }
   fclose(f);
   close(ends[1]);
   const ssize_t n = read(ends[0], got, sizeof(got) - 1);
   assert_true(n >= 0);
   got[n] = '\0';
   close(ends[0]);
   assert_string_equal(got, wanted);
}

static void
test_control_characters_become_escapes(void **state)
{
   static const struct {
      const char *text, *printed;
   } cases[] = {
       {"plain\ttext\n", "plain\ttext\n"},
       {"\x1b[31mred\x1b]0;title\a\r", "\\x1b[31mred\\x1b]0;title\\x07\\x0d"},
       {"\x7f\b", "\\x7f\\x08"},
       {"\xc2\x9b"
        "2J",
        "\\xc2\\x9b2J"}, /* U+009B, a terminal's other ESC [ */
       {"\xc2\x85\xc2\x80", "\\xc2\\x85\\xc2\\x80"},
       {"\xc2\xa0\xc3\xa9\xe2\x82\xac", "\xc2\xa0\xc3\xa9\xe2\x82\xac"},
       {"\xc2\x1b", "\xc2\\x1b"},
       {"\xc2\xc2\x9b", "\xc2\\xc2\\x9b"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      expect_printed(cases[i].text, strlen(cases[i].text), false, cases[i].printed);
      expect_printed(cases[i].text, strlen(cases[i].text), true, cases[i].printed);
   }
}

static void
test_long_text_of_escapes_is_whole(void **state)
{
   char text[3000], wanted[sizeof(text) * 4 + 1] = "";
   memset(text, '\x1b', sizeof(text));
   for (size_t i = 0; i < sizeof(text); i++)
      memcpy(wanted + 4 * i, "\\x1b", 5);
   expect_printed(text, sizeof(text), false, wanted);
}

static void
test_an_error_of_writing_is_an_error_of_the_stream(void **state)
{
   struct sim_printable p;
   FILE *f = sim_printable_stream(&p, -1);
   assert_non_null(f);
   fputs("lost", f);
   assert_int_not_equal(fflush(f), 0);
   assert_true(ferror(f));
   fclose(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_control_characters_become_escapes),
       cmocka_unit_test(test_long_text_of_escapes_is_whole),
       cmocka_unit_test(test_an_error_of_writing_is_an_error_of_the_stream),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
