/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dictionaries of captures: numbers of version 1 mean the same for ever (dictionary-1.txt is what
 * they were), and a stream made with other numbers is translated or refused by name.
 */
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

static struct sim_dictionary *
read_text(const char *text)
{
   error[0] = '\0';
   return sim_dictionary_read(text, strlen(text), error, sizeof(error));
}

static void
refuses(const char *text, const char *why)
{
   assert_null(read_text(text));
   if (!strstr(error, why))
      fail_msg("\"%s\" is not \"%s\"", error, why);
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
   struct sim_dictionary *d = read_text(text);
   if (!d)
      fail_msg("%s", error);
   assert_true(sim_dictionary_same(d));
   sim_dictionary_free(d);
}

static void
our_own_needs_no_translation(void **state)
{
   size_t size;
   char *text = sim_dictionary_text(&size);
   assert_int_equal(strlen(text), size);
   struct sim_dictionary *d = read_text(text);
   assert_non_null(d);
   assert_true(sim_dictionary_same(d));
   sim_dictionary_free(d);
   free(text);
}

/* A machine with other numbers: fb_* in word 9, the colour buffers from word 20 on, 9 words apart,
 * the last one behind an unknown register. */
static const char OTHER[] = "command 3 10 DRAW\n"
                            "command 7 2 WRITE_REGS\n"
                            "command 8 21 BLIT\n"
                            "command 9 6 SWAP\n"
                            "command 11 1 PAINT\n"
                            "format 77 R8_UNORM\n"
                            "format 78 R99_UNORM\n"
                            "register 9 0 14 1 0 fb_width\n"
                            "register 9 14 14 1 0 fb_height\n"
                            "register 20 0 32 2 9 color[0].address\n"
                            "register 21 0 8 2 9 color[0].format\n"
                            "register 21 8 11 2 9 color[0].pitch_tiles\n"
                            "register 22 0 32 1 0 glow\n";

static void
expect(struct sim_dictionary *d, const uint32_t *words, size_t num, const uint32_t *expected,
       size_t num_expected)
{
   size_t n = 0;
   const uint32_t *got = sim_dictionary_translate(d, words, num, &n, error, sizeof(error));
   if (!got)
      fail_msg("%s", error);
   assert_int_equal(n, num_expected);
   assert_memory_equal(got, expected, n * 4);
}

static void
commands_registers_and_formats_are_translated(void **state)
{
   struct sim_dictionary *d = read_text(OTHER);
   assert_non_null(d);
   assert_false(sim_dictionary_same(d));
   const uint32_t words[] = {ATTILA_CMD_HEADER(7, 4),
                             20,
                             0x1000,
                             77 | 5 << 8,
                             0,
                             ATTILA_CMD_HEADER(7, 2),
                             9,
                             640 | 480 << 14,
                             ATTILA_CMD_HEADER(7, 3),
                             29,
                             0x2000,
                             77,
                             ATTILA_CMD_HEADER(9, 6),
                             0x1000,
                             77,
                             5,
                             8,
                             8,
                             0};
   const uint32_t ours[] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 3),
                            ATTILA_REG(color[0].address),
                            0x1000,
                            ATTILA_FORMAT_R8_UNORM | 5 << 8,
                            ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 2),
                            0,
                            640 | 480 << 14,
                            ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 3),
                            ATTILA_REG(color[1].address),
                            0x2000,
                            ATTILA_FORMAT_R8_UNORM,
                            ATTILA_CMD_HEADER(ATTILA_CMD_SWAP, 6),
                            0x1000,
                            ATTILA_FORMAT_R8_UNORM,
                            5,
                            8,
                            8,
                            0};
   expect(d, words, sizeof(words) / 4, ours, sizeof(ours) / 4);
   /* A format counts only where it is used. */
   uint32_t blit[22] = {ATTILA_CMD_HEADER(8, 21)}, out[22];
   blit[1 + offsetof(struct attila_cmd_blit, format) / 4] = 200;
   memcpy(out, blit, sizeof(out));
   out[0] = ATTILA_CMD_HEADER(ATTILA_CMD_BLIT, 21);
   expect(d, blit, 22, out, 22);
   blit[1 + offsetof(struct attila_cmd_blit, resolve) / 4] = ATTILA_RESOLVE_AVERAGE;
   size_t n;
   assert_null(sim_dictionary_translate(d, blit, 22, &n, error, sizeof(error)));
   sim_dictionary_free(d);
}

static void
what_is_unknown_is_refused_when_it_is_used(void **state)
{
   struct sim_dictionary *d = read_text(OTHER);
   const struct {
      uint32_t words[4];
      size_t num;
      const char *why;
   } cases[] = {
       {{ATTILA_CMD_HEADER(11, 1), 0}, 2, "command 11 (PAINT) is unknown here"},
       {{ATTILA_CMD_HEADER(200, 0)}, 1, "command 200 () is unknown here"},
       {{ATTILA_CMD_HEADER(3, 10), 0}, 2, "command DRAW is not whole"},
       {{ATTILA_CMD_HEADER(3, 1), 0}, 2, "command DRAW is not whole"},
       {{ATTILA_CMD_HEADER(7, 2), 22, 1}, 3, "register glow cannot be written here"},
       {{ATTILA_CMD_HEADER(7, 2), 9, 1u << 31}, 3, "register of an unused bit cannot be written"},
       {{ATTILA_CMD_HEADER(7, 2), 21, 78}, 3, "format 78 (R99_UNORM) is unknown here"},
       {{ATTILA_CMD_HEADER(7, 2), 400, 0}, 3, "register word 400 is not in the dictionary"},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      size_t n;
      assert_null(
          sim_dictionary_translate(d, cases[i].words, cases[i].num, &n, error, sizeof(error)));
      if (!strstr(error, cases[i].why))
         fail_msg("\"%s\" is not \"%s\"", error, cases[i].why);
   }
   sim_dictionary_free(d);
}

static void
a_dictionary_that_cannot_be_translated_is_refused(void **state)
{
   refuses("opcode 1 ADD\n", "opcode ADD is number 1, here it is number 2");
   refuses("value 3 attila_func.LESS\n", "value attila_func.LESS is number 3, here it is number 1");
   refuses("command 7 11 DRAW\n", "command DRAW has 11 words, here it has 10");
   refuses("command 256 1 X\n", "command X has number 256");
   refuses("format 256 X\n", "format X has number 256");
   refuses("register 0 20 14 1 0 fb_width\n", "register fb_width has no such place");
   refuses("register 0 0 14 4000 4000 fb_width\n", "register fb_width has no such place");
   refuses("opcode 2 ADD 3\n", "\"opcode 2 ADD 3\" is no line of a dictionary");
   refuses("noise", "\"noise\" is no line of a dictionary");
}

/* Fields of one word that are in two here, and of two that are in one, cannot be written alone. */
static void
words_are_not_taken_apart(void **state)
{
   const uint32_t words[] = {ATTILA_CMD_HEADER(2, 2), 5, 1};
   size_t n;
   struct sim_dictionary *d = read_text("command 2 2 WRITE_REGS\n"
                                        "register 5 14 14 1 0 fb_height\n"
                                        "register 5 0 1 1 0 z_test\n");
   assert_null(sim_dictionary_translate(d, words, 3, &n, error, sizeof(error)));
   assert_non_null(strstr(error, "register z_test"));
   sim_dictionary_free(d);
   d = read_text("command 2 2 WRITE_REGS\n"
                 "register 4 14 14 1 0 fb_height\n"
                 "register 5 0 14 1 0 fb_width\n");
   assert_null(sim_dictionary_translate(d, words, 3, &n, error, sizeof(error)));
   assert_non_null(strstr(error, "register fb_width"));
   sim_dictionary_free(d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(numbers_of_version_1_stay),
       cmocka_unit_test(our_own_needs_no_translation),
       cmocka_unit_test(commands_registers_and_formats_are_translated),
       cmocka_unit_test(what_is_unknown_is_refused_when_it_is_used),
       cmocka_unit_test(a_dictionary_that_cannot_be_translated_is_refused),
       cmocka_unit_test(words_are_not_taken_apart),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
