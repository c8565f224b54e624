/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * UTF-8 (core/sim_utf8.h): what is valid stays, every other byte becomes a question mark, and text
 * is cut between characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/sim_utf8.h"

static void
test_bad_bytes_become_question_marks(void **state)
{
   static const struct {
      const char *text, *copy;
   } cases[] = {
       {"", ""},
       {"plain", "plain"},
       {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
       {"a\xff", "a?"},
       {"\x80z", "?z"},
       {"\xc3", "?"}, /* cut */
       {"\xc3z", "?z"},
       {"\xc0\x80", "??"}, /* overlong */
       {"\xe0\x80\x80", "???"},
       {"\xed\xa0\x80", "???"},      /* a surrogate */
       {"\xf4\x90\x80\x80", "????"}, /* above U+10FFFF */
       {"\xf5\x80\x80\x80", "????"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char copy[64];
      sim_utf8_copy(copy, sizeof(copy), cases[i].text);
      assert_string_equal(copy, cases[i].copy);
      assert_true(sim_utf8_valid(copy));
      assert_true(sim_utf8_valid(cases[i].text) == !strcmp(cases[i].text, cases[i].copy));
   }
}

static void
test_long_text_is_cut_between_characters(void **state)
{
   char copy[4];
   sim_utf8_copy(copy, sizeof(copy), "ab\xc3\xa9");
   assert_string_equal(copy, "ab");
   sim_utf8_copy(copy, sizeof(copy), "a\xc3\xa9z");
   assert_string_equal(copy, "a\xc3\xa9");
   sim_utf8_copy(copy, 1, "a");
   assert_string_equal(copy, "");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_bad_bytes_become_question_marks),
       cmocka_unit_test(test_long_text_is_cut_between_characters),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
