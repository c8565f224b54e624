/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compression of blocks (emul_compress.h): HILO, after the offset values of ATI's patent (ISPASS
 * 2006 [18][19]), and MSAA. Not here: when to compress. */
#include "emul/rop/emul_compress.h"

#include <stdbool.h>
#include <string.h>

#define WORDS 64

/* --- Bit streams --- */

struct bits {
   uint8_t *bytes;
   uint32_t at;
};

static void
emul_compress_put(struct bits *b, uint32_t value, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++, b->at++)
      b->bytes[b->at / 8] |= (uint8_t)((value >> i & 1) << b->at % 8);
}

static uint32_t
emul_compress_get(const uint8_t *bytes, uint32_t *at, uint32_t count)
{
   uint32_t value = 0;
   for (uint32_t i = 0; i < count; i++, ++*at)
      value |= (uint32_t)(bytes[*at / 8] >> *at % 8 & 1) << i;
   return value;
}

/* --- HILO: stores each word's lower bits, and 2 bits for its upper part, which must be that of the
 * smallest word or one more, or that of the largest word or one less. The smallest and the largest
 * upper part come first: 2 * (32 - low) + 64 * (2 + low) bits. --- */

static const uint32_t hilo_low[3] = {5, 13, 21}; /* 502, 998 and 1494 bits */

static inline unsigned
emul_compress_hilo_levels(enum emul_compressor c)
{
   return c == EMUL_COMPRESS_HILO_2 ? 2 : 3;
}

/* Reorders a word's bits, so that words become close if each of their four bytes is: first come the
 * upper bits of the four bytes, then the low / 4 lower bits of each. */
static uint32_t
emul_compress_reorder(uint32_t v, uint32_t low, bool back)
{
   uint32_t below = low / 4, above = 8 - below, out = 0;
   for (uint32_t byte = 0; byte < 4; byte++) {
      uint32_t low_at = byte * below, high_at = 4 * below + byte * above;
      uint32_t low_mask = (1u << below) - 1, high_mask = (1u << above) - 1;
      if (back)
         out |= ((v >> low_at & low_mask) | (v >> high_at & high_mask) << below) << 8 * byte;
      else
         out |= (v >> 8 * byte & low_mask) << low_at | (v >> (8 * byte + below) & high_mask)
                                                           << high_at;
   }
   return out;
}

struct hilo {
   uint32_t word[WORDS];
   uint32_t low;          /* bits */
   uint32_t reference[4]; /* upper parts */
};

static void
emul_compress_hilo_load(struct hilo *h, enum emul_compressor c, unsigned level,
                        const uint8_t *block)
{
   memcpy(h->word, block, sizeof(h->word));
   h->low = hilo_low[level];
   for (unsigned i = 0; c == EMUL_COMPRESS_HILO_REORDERED && i < WORDS; i++)
      h->word[i] = emul_compress_reorder(h->word[i], h->low, false);
}

static void
emul_compress_hilo_references(uint32_t reference[4], uint32_t min, uint32_t max, uint32_t low)
{
   uint32_t mask = (1u << (32 - low)) - 1;
   reference[0] = min;
   reference[1] = max;
   reference[2] = (min + 1) & mask;
   reference[3] = (max - 1) & mask;
}

/* Returns whether every upper part is a reference. */
static __attribute__((target_clones("avx2", "default"))) bool
emul_compress_hilo_fits(struct hilo *h)
{
   uint32_t min = UINT32_MAX, max = 0, other = 0;
   for (unsigned i = 0; i < WORDS; i++) {
      min = h->word[i] < min ? h->word[i] : min;
      max = h->word[i] > max ? h->word[i] : max;
   }
   const uint32_t *r = h->reference;
   emul_compress_hilo_references(h->reference, min >> h->low, max >> h->low, h->low);
   for (unsigned i = 0; i < WORDS; i++) {
      uint32_t high = h->word[i] >> h->low;
      other |= (uint32_t)((high != r[0]) & (high != r[1]) & (high != r[2]) & (high != r[3]));
   }
   return !other;
}

static void
emul_compress_hilo_compress(struct hilo *h, struct bits *out)
{
   emul_compress_hilo_fits(h);
   emul_compress_put(out, h->reference[0], 32 - h->low);
   emul_compress_put(out, h->reference[1], 32 - h->low);
   for (unsigned i = 0; i < WORDS; i++) {
      unsigned index = 0;
      while (h->reference[index] != h->word[i] >> h->low)
         index++;
      emul_compress_put(out, index, 2);
      emul_compress_put(out, h->word[i], h->low);
   }
}

static void
emul_compress_hilo_decompress(enum emul_compressor c, unsigned level, const uint8_t *in,
                              uint8_t *block)
{
   uint32_t low = hilo_low[level], at = 0, reference[4];
   uint32_t min = emul_compress_get(in, &at, 32 - low), max = emul_compress_get(in, &at, 32 - low);
   emul_compress_hilo_references(reference, min, max, low);
   for (unsigned i = 0; i < WORDS; i++) {
      uint32_t word = reference[emul_compress_get(in, &at, 2)] << low;
      word |= emul_compress_get(in, &at, low);
      if (c == EMUL_COMPRESS_HILO_REORDERED)
         word = emul_compress_reorder(word, low, true);
      memcpy(block + 4 * i, &word, 4);
   }
}

/* --- MSAA: groups of words that have one value (32 bits) or two (64 bits, and a bit per word).
 * --- */

static const struct {
   unsigned values, words, bytes;
} msaa_level[EMUL_COMPRESS_LEVELS] = {{1, 4, 64},
                                      {2, 16, 64},
                                      {1, 2, 128},
                                      {2, 8, 128},
                                      {2, 4, 192}};

/* Finds a group's second value, or the first if there is only one; false if there are more. */
static bool
emul_compress_msaa_group(const uint32_t *word, unsigned words, unsigned values, uint32_t *second)
{
   unsigned found = 1;
   *second = word[0];
   for (unsigned i = 1; i < words; i++) {
      if (word[i] == word[0] || (found == 2 && word[i] == *second))
         continue;
      if (++found > values)
         return false;
      *second = word[i];
   }
   return true;
}

static bool
emul_compress_msaa_fits(const uint8_t *block, unsigned level)
{
   uint32_t word[WORDS], second;
   memcpy(word, block, sizeof(word));
   for (unsigned i = 0; i < WORDS; i += msaa_level[level].words) {
      if (!emul_compress_msaa_group(word + i, msaa_level[level].words, msaa_level[level].values,
                                    &second))
         return false;
   }
   return true;
}

static void
emul_compress_msaa_compress(const uint8_t *block, unsigned level, struct bits *out)
{
   uint32_t word[WORDS], second;
   unsigned words = msaa_level[level].words;
   memcpy(word, block, sizeof(word));
   for (unsigned i = 0; i < WORDS; i += words) {
      emul_compress_msaa_group(word + i, words, msaa_level[level].values, &second);
      emul_compress_put(out, word[i], 32);
      if (msaa_level[level].values == 1)
         continue;
      emul_compress_put(out, second, 32);
      for (unsigned n = 0; n < words; n++)
         emul_compress_put(out, word[i + n] != word[i], 1);
   }
}

static void
emul_compress_msaa_decompress(unsigned level, const uint8_t *in, uint8_t *block)
{
   unsigned words = msaa_level[level].words;
   uint32_t at = 0;
   for (unsigned i = 0; i < WORDS; i += words) {
      uint32_t value[2] = {emul_compress_get(in, &at, 32)};
      if (msaa_level[level].values == 2)
         value[1] = emul_compress_get(in, &at, 32);
      for (unsigned n = 0; n < words; n++)
         memcpy(block + 4 * (i + n),
                &value[msaa_level[level].values == 2 ? emul_compress_get(in, &at, 1) : 0], 4);
   }
}

/* --- All --- */

unsigned
emul_compress_level(enum emul_compressor c, const uint8_t block[EMUL_COMPRESS_BYTES])
{
   if (c == EMUL_COMPRESS_MSAA) {
      unsigned level = 0;
      while (level < EMUL_COMPRESS_LEVELS && !emul_compress_msaa_fits(block, level))
         level++;
      return level;
   }
   struct hilo h;
   for (unsigned level = 0; level < emul_compress_hilo_levels(c); level++) {
      emul_compress_hilo_load(&h, c, level, block);
      if (emul_compress_hilo_fits(&h))
         return level;
   }
   return EMUL_COMPRESS_LEVELS;
}

unsigned
emul_compress_size(enum emul_compressor c, unsigned level)
{
   if (level >= EMUL_COMPRESS_LEVELS)
      return EMUL_COMPRESS_BYTES;
   return c == EMUL_COMPRESS_MSAA ? msaa_level[level].bytes : 64 * (level + 1);
}

void
emul_compress(enum emul_compressor c, unsigned level, const uint8_t block[EMUL_COMPRESS_BYTES],
              uint8_t *out)
{
   struct bits bits = {.bytes = out};
   struct hilo h;
   memset(out, 0, emul_compress_size(c, level));
   if (c == EMUL_COMPRESS_MSAA) {
      emul_compress_msaa_compress(block, level, &bits);
   } else {
      emul_compress_hilo_load(&h, c, level, block);
      emul_compress_hilo_compress(&h, &bits);
   }
}

void
emul_decompress(enum emul_compressor c, unsigned level, const uint8_t *in,
                uint8_t block[EMUL_COMPRESS_BYTES])
{
   if (c == EMUL_COMPRESS_MSAA)
      emul_compress_msaa_decompress(level, in, block);
   else
      emul_compress_hilo_decompress(c, level, in, block);
}
