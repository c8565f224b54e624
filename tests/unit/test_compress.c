/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block compression: the compressed form has the size that is charged and holds the whole block,
 * for random blocks and for those at the edge of each level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/rop/emul_compress.h"

static uint32_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

static uint32_t
word(void)
{
   return rnd() << 16 ^ rnd();
}

/* The level, after the block has gone through a compressed form that may not be longer than it
 * says. */
static unsigned
round_trip(enum emul_compressor c, const uint32_t block[64])
{
   unsigned level = emul_compress_level(c, (const uint8_t *)block);
   unsigned size = emul_compress_size(c, level);
   if (level == EMUL_COMPRESS_LEVELS) {
      assert_int_equal(size, 256);
      return level;
   }
   uint32_t back[64];
   assert_true(size == 64 || size == 128 || size == 192);
   uint8_t *out = malloc(size); /* exact: sanitizers see a byte beyond */
   memset(out, 0xa5, size);
   emul_compress(c, level, (const uint8_t *)block, out);
   memset(back, 0x5a, sizeof(back));
   emul_decompress(c, level, out, (uint8_t *)back);
   assert_memory_equal(back, block, 256);
   free(out);
   return level;
}

static void
fill(uint32_t block[64], uint32_t value)
{
   for (unsigned i = 0; i < 64; i++)
      block[i] = value;
}

/* Upper parts of the smallest and largest word, one above and one below, at each level. */
static void
test_hilo_takes_four_upper_parts_at_each_level(void **unused)
{
   (void)unused;
   static const uint32_t low[3] = {5, 13, 21};
   for (unsigned level = 0; level < 3; level++) {
      uint32_t block[64], step = 1u << low[level], base = 0x12345678 & ~(step - 1),
                          top = base + 7 * step;
      for (unsigned i = 0; i < 64; i++) {
         const uint32_t part[4] = {base, base + step, top - step, top};
         block[i] = part[i % 4] | (rnd() & (step - 1));
      }
      block[0] = base;
      block[3] = top | (step - 1);
      unsigned two = level < 2 ? level : EMUL_COMPRESS_LEVELS;
      assert_int_equal(round_trip(EMUL_COMPRESS_HILO_3, block), level);
      assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), two);
      /* A value between them. */
      block[17] = base + 3 * step;
      assert_true(round_trip(EMUL_COMPRESS_HILO_3, block) > level);
   }
   assert_int_equal(emul_compress_size(EMUL_COMPRESS_HILO_3, 0), 64);
   assert_int_equal(emul_compress_size(EMUL_COMPRESS_HILO_3, 1), 128);
   assert_int_equal(emul_compress_size(EMUL_COMPRESS_HILO_3, 2), 192);
}

/* References that wrap around: the smallest is 0, the largest all ones; the same upper part. */
static void
test_hilo_references_wrap_around(void **unused)
{
   (void)unused;
   uint32_t block[64];
   fill(block, 0);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), 0);
   fill(block, UINT32_MAX);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), 0);
   block[5] = 0;
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), 0);
   fill(block, 31);
   block[63] = 32;
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), 0);
   block[62] = 0;
   block[61] = UINT32_MAX - 32;
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), 0);
}

/* Four bytes that differ a little each: near in the reordered bits only. */
static void
test_hilo_reordered_takes_close_bytes(void **unused)
{
   (void)unused;
   uint32_t block[64];
   for (unsigned i = 0; i < 64; i++)
      block[i] = 0x40608090 + (word() & 0x01010101);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_REORDERED, block), 0);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_2, block), EMUL_COMPRESS_LEVELS);
   for (unsigned i = 0; i < 64; i++)
      block[i] = 0x40608090 + (word() & 0x07070707);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_REORDERED, block), 1);
   for (unsigned i = 0; i < 64; i++)
      block[i] = 0x40608080 + (word() & 0x1f1f1f1f);
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_REORDERED, block), 2);
   for (unsigned i = 0; i < 64; i++)
      block[i] = word();
   assert_int_equal(round_trip(EMUL_COMPRESS_HILO_REORDERED, block), EMUL_COMPRESS_LEVELS);
}

/* One or two values in groups, and one too many. */
static void
test_msaa_takes_one_or_two_values_per_group(void **unused)
{
   (void)unused;
   static const struct {
      unsigned values, words, size;
   } level[5] = {{1, 4, 64}, {2, 16, 64}, {1, 2, 128}, {2, 8, 128}, {2, 4, 192}};
   for (unsigned n = 0; n < 5; n++) {
      uint32_t block[64];
      for (unsigned i = 0; i < 64; i += level[n].words) {
         uint32_t value[2] = {word(), word()};
         for (unsigned k = 0; k < level[n].words; k++)
            block[i + k] = value[level[n].values == 2 ? (k + k / 3) & 1 : 0];
      }
      unsigned found = round_trip(EMUL_COMPRESS_MSAA, block);
      assert_int_equal(found, n);
      assert_int_equal(emul_compress_size(EMUL_COMPRESS_MSAA, found), level[n].size);
      /* Another value, then a third and a fourth in a group of 4. */
      block[1] = word();
      block[2] = word();
      block[3] = word();
      assert_int_equal(round_trip(EMUL_COMPRESS_MSAA, block), EMUL_COMPRESS_LEVELS);
   }
}

/* Blocks near and at every kind of limit. */
static void
test_random_blocks_survive_compression(void **unused)
{
   (void)unused;
   unsigned seen[EMUL_NUM_COMPRESSORS][EMUL_COMPRESS_LEVELS + 1] = {{0}};
   for (unsigned n = 0; n < 20000; n++) {
      uint32_t block[64], base = word(), mask = UINT32_MAX >> rnd() % 32, values = 1 + rnd() % 3;
      uint32_t bytes = 0x01010101u * (0xffu >> rnd() % 8), palette[3] = {word(), word(), word()};
      for (unsigned i = 0; i < 64; i++) {
         const uint32_t kinds[4] = {base + (word() & mask), base + (word() & bytes),
                                    palette[(rnd() % values + i / 16) % 3],
                                    (rnd() % 3 ? base : 0xffffff) + (word() & mask >> 8)};
         block[i] = kinds[n % 4];
      }
      for (unsigned c = 0; c < EMUL_NUM_COMPRESSORS; c++)
         seen[c][round_trip((enum emul_compressor)c, block)]++;
   }
   for (unsigned c = 0; c < 3; c++)
      assert_true(seen[c][0] > 100 && seen[c][1] > 100 && seen[c][EMUL_COMPRESS_LEVELS] > 100);
   assert_true(seen[EMUL_COMPRESS_MSAA][1] > 100 && seen[EMUL_COMPRESS_MSAA][0] > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_hilo_takes_four_upper_parts_at_each_level),
       cmocka_unit_test(test_hilo_references_wrap_around),
       cmocka_unit_test(test_hilo_reordered_takes_close_bytes),
       cmocka_unit_test(test_msaa_takes_one_or_two_values_per_group),
       cmocka_unit_test(test_random_blocks_survive_compression),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
