/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every register lies where its declaration says (hw/attila_regs.h): in the word and at the bit
 * that follow the one declared before it, whatever the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "hw/attila_regs.h"

struct place {
   uint32_t word, bit;
};

/* The field of `bits` bits, all ones in the words, is at p and nothing else is set. */
static void
expect(struct place *p, const void *words, size_t num_words, uint32_t bits)
{
   const uint32_t *w = words;
   uint32_t ones = bits == 32 ? 0xffffffffu : ((1u << bits) - 1) << p->bit;
   assert_true(p->bit + bits <= 32);
   for (uint32_t i = 0; i < num_words; i++)
      assert_int_equal(w[i], i == p->word ? ones : 0);
   p->bit += bits;
   p->word += p->bit / 32;
   p->bit %= 32;
}

#define WORDS (sizeof(r) / 4)
#define CHECK_R(type, name, doc) \
   memset(&r, 0, sizeof(r));     \
   memset(&r.name, 0xff, 4);     \
   expect(&p, &r, WORDS, 32);
#define CHECK_B(bits, name, doc) \
   memset(&r, 0, sizeof(r));     \
   r.name = (1ull << bits) - 1;  \
   expect(&p, &r, WORDS, bits);
#define CHECK_RA(type, name, count, doc)    \
   for (unsigned i = 0; i < (count); i++) { \
      memset(&r, 0, sizeof(r));             \
      memset(&r.name[i], 0xff, 4);          \
      expect(&p, &r, WORDS, 32);            \
   }
#define CHECK_RS(list, name, count)                                  \
   assert_int_equal(p.bit, 0);                                       \
   assert_int_equal(p.word, offsetof(struct attila_regs, name) / 4); \
   p.word += sizeof(ATTILA_GROUP_##list) / 4 * (count);
#define NONE(list, name, count)

#define GROUP_TEST(list)                                                      \
   static void test_##list(void **state)                                      \
   {                                                                          \
      struct place p = {0};                                                   \
      ATTILA_GROUP_##list r;                                                  \
      list(CHECK_R, CHECK_B, CHECK_RA, NONE) assert_int_equal(p.word, WORDS); \
   }
GROUP_TEST(ATTILA_ATTRIB_REGS)
GROUP_TEST(ATTILA_COLOR_REGS)
GROUP_TEST(ATTILA_STENCIL_REGS)
GROUP_TEST(ATTILA_FS_INPUT_REGS)
GROUP_TEST(ATTILA_TEX_REGS)

static void
test_register_file_has_no_gaps(void **state)
{
   struct place p = {0};
   static struct attila_regs r;
   ATTILA_REGS(CHECK_R, CHECK_B, CHECK_RA, CHECK_RS)
   assert_int_equal(p.word, ATTILA_NUM_REGS);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_ATTILA_ATTRIB_REGS),  cmocka_unit_test(test_ATTILA_COLOR_REGS),
       cmocka_unit_test(test_ATTILA_STENCIL_REGS), cmocka_unit_test(test_ATTILA_FS_INPUT_REGS),
       cmocka_unit_test(test_ATTILA_TEX_REGS),     cmocka_unit_test(test_register_file_has_no_gaps),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
