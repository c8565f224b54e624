/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dictionaries of captures: numbers of version 1 mean the same for ever (dictionary-1.txt is what
 * they were), and a stream made with other numbers is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "capture/sim_dictionary.h"
#include "hw/attila_cmd.h"

static char error[512];

static bool
check_text(const char *text)
{
   error[0] = '\0';
   return sim_dictionary_check(text, strlen(text), error, sizeof(error));
}

static void
numbers_of_version_1_stay(void **state)
{
   FILE *f = fopen(DICTIONARY_1, "rb");
   assert_non_null(f);
   static char text[1 << 16];
   const size_t size = fread(text, 1, sizeof(text) - 1, f);
   fclose(f);
   assert_in_range(size, 4000, sizeof(text) - 2);
   if (!check_text(text))
      fail_msg("%s", error);
}

static void
our_own_is_taken(void **state)
{
   size_t size;
   char *text = sim_dictionary_text(&size);
   assert_int_equal(strlen(text), size);
   assert_true(check_text(text));
   free(text);
}

static void
registers_of_which_there_were_fewer_are_taken(void **state)
{
   char line[128];
   snprintf(line, sizeof(line), "register %u 0 32 1 0 color[0].address\n",
            (unsigned)ATTILA_REG(color[0].address));
   assert_true(check_text(line));
   const unsigned stride = ATTILA_REG(color[1].address) - ATTILA_REG(color[0].address);
   for (unsigned more = 0; more < 2; more++) {
      snprintf(line, sizeof(line), "register %u 0 32 2 %u color[0].address\n",
               (unsigned)ATTILA_REG(color[0].address), stride + more);
      assert_int_equal(check_text(line), !more);
   }
}

static void
what_means_something_else_here_is_refused_by_name(void **state)
{
   static const char *const lines[] = {
       "command 11 1 PAINT",
       "command 7 2 WRITE_REGS",
       "command 3 11 DRAW",
       "format 78 R99_UNORM",
       "opcode 1 ADD",
       "opcode 2 AD",
       "pcode 2 ADD",
       "opcode 2 ADD 3",
       "value 3 attila_func.LESS",
       "register 9 0 14 1 0 fb_width",
       "register 0 0 14 1 0 glow",
       "register 0 0 14 2 1 fb_width",
       "register 0 0 14 0 0 fb_width",
       "register 0 0 13 1 0 fb_width",
       "register 0 14 14 1 0 fb_width",
       "noise",
       "",
   };
   for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
      char text[200], quoted[200];
      snprintf(text, sizeof(text), "opcode 2 ADD\n%s\n", lines[i]);
      snprintf(quoted, sizeof(quoted), "\"%s\" is not in the dictionary", lines[i]);
      if (check_text(text) || !strstr(error, quoted))
         fail_msg("\"%s\" gives \"%s\"", lines[i], error);
   }
   char wide[1000];
   memset(wide, 'x', sizeof(wide) - 1);
   wide[sizeof(wide) - 1] = '\0';
   assert_false(check_text(wide));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(numbers_of_version_1_stay),
       cmocka_unit_test(our_own_is_taken),
       cmocka_unit_test(registers_of_which_there_were_fewer_are_taken),
       cmocka_unit_test(what_means_something_else_here_is_refused_by_name),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
