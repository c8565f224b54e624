/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Decoders of ETC1, ETC2 and EAC in the integer arithmetic, tables and bit numbers of OpenGL ES
 * 3.0.6, appendix C (bit 63 is the top bit of a block's first byte). ETC2 adds three modes in codes
 * that ETC1 leaves undefined. If base colour plus difference is outside 0..31 in red, the mode is
 * T; in green, H; in blue, planar. Texels are numbered by columns. */
#include "emul/format/emul_format_etc.h"

static uint64_t
emul_etc_load(const uint8_t *block)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < 8; i++)
      v = v << 8 | block[i];
   return v;
}

/* Returns bits high to low of a block. */
static int
emul_etc_bits(uint64_t block, unsigned high, unsigned low)
{
   return (int)(block >> low & ((1ull << (high - low + 1)) - 1));
}

static int
emul_etc_clamp(int v, int low, int high)
{
   return v < low ? low : v > high ? high : v;
}

static uint32_t
emul_etc_rgb(const int rgb[3], int add)
{
   uint32_t texel = 0xff000000u;
   for (unsigned c = 0; c < 3; c++)
      texel |= (uint32_t)emul_etc_clamp(rgb[c] + add, 0, 255) << c * 8;
   return texel;
}

/* Returns the two bits of texel y * 4 + x. */
static unsigned
emul_etc_code(uint64_t block, unsigned texel)
{
   const unsigned k = (texel & 3) * 4 + (texel >> 2);
   return (unsigned)(block >> (16 + k) & 1) << 1 | (unsigned)(block >> k & 1);
}

/* Individual and differential modes: two halves, each with a base colour and a table of modifiers.
 * opaque false: code 2 is transparent and code 0 the base colour. */
static void
emul_etc_halves(uint64_t block, const int base[2][3], bool opaque, uint32_t texels[16])
{
   static const uint8_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                           {18, 60}, {24, 80}, {33, 106}, {47, 183}};
   const int table[2] = {emul_etc_bits(block, 39, 37), emul_etc_bits(block, 36, 34)};
   const bool flip = block >> 32 & 1;
   for (unsigned i = 0; i < 16; i++) {
      const unsigned half = flip ? i >> 3 : (i & 3) >> 1, code = emul_etc_code(block, i);
      int add = modifiers[table[half]][code & 1];
      if (!opaque && !(code & 1))
         add = 0;
      texels[i] = !opaque && code == 2 ? 0 : emul_etc_rgb(base[half], code & 2 ? -add : add);
   }
}

/* Modes T and H: four colours from two 4-bit base colours and a distance. */
static void
emul_etc_paint(uint64_t block, bool h, bool opaque, uint32_t texels[16])
{
   static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
   int c[2][3], d;
   if (h) {
      c[0][0] = emul_etc_bits(block, 62, 59);
      c[0][1] = emul_etc_bits(block, 58, 56) << 1 | emul_etc_bits(block, 52, 52);
      c[0][2] = emul_etc_bits(block, 51, 51) << 3 | emul_etc_bits(block, 49, 47);
      c[1][0] = emul_etc_bits(block, 46, 43);
      c[1][1] = emul_etc_bits(block, 42, 39);
      c[1][2] = emul_etc_bits(block, 38, 35);
      /* The order of the base colours is the distance's lowest bit. */
      const int first = c[0][0] << 8 | c[0][1] << 4 | c[0][2],
                second = c[1][0] << 8 | c[1][1] << 4 | c[1][2];
      d = emul_etc_bits(block, 34, 34) << 2 | emul_etc_bits(block, 32, 32) << 1 | (first >= second);
   } else {
      c[0][0] = emul_etc_bits(block, 60, 59) << 2 | emul_etc_bits(block, 57, 56);
      c[0][1] = emul_etc_bits(block, 55, 52);
      c[0][2] = emul_etc_bits(block, 51, 48);
      c[1][0] = emul_etc_bits(block, 47, 44);
      c[1][1] = emul_etc_bits(block, 43, 40);
      c[1][2] = emul_etc_bits(block, 39, 36);
      d = emul_etc_bits(block, 35, 34) << 1 | emul_etc_bits(block, 32, 32);
   }
   for (unsigned i = 0; i < 6; i++)
      c[i / 3][i % 3] *= 17;
   const int distance = distances[d];
   uint32_t paint[4];
   if (h) {
      paint[0] = emul_etc_rgb(c[0], distance);
      paint[1] = emul_etc_rgb(c[0], -distance);
   } else {
      paint[0] = emul_etc_rgb(c[0], 0);
      paint[1] = emul_etc_rgb(c[1], distance);
   }
   paint[2] = opaque ? emul_etc_rgb(c[1], h ? distance : 0) : 0;
   paint[3] = emul_etc_rgb(c[1], -distance);
   for (unsigned i = 0; i < 16; i++)
      texels[i] = paint[emul_etc_code(block, i)];
}

/* Planar mode: interpolates colours at the origin, to the right and below. */
static void
emul_etc_planar(uint64_t block, uint32_t texels[16])
{
   const int six[6] = {emul_etc_bits(block, 62, 57),
                       emul_etc_bits(block, 48, 48) << 5 | emul_etc_bits(block, 44, 43) << 3 |
                           emul_etc_bits(block, 41, 39),
                       emul_etc_bits(block, 38, 34) << 1 | emul_etc_bits(block, 32, 32),
                       emul_etc_bits(block, 24, 19),
                       emul_etc_bits(block, 18, 13),
                       emul_etc_bits(block, 5, 0)},
             seven[3] = {emul_etc_bits(block, 56, 56) << 6 | emul_etc_bits(block, 54, 49),
                         emul_etc_bits(block, 31, 25), emul_etc_bits(block, 12, 6)};
   int at[3][3]; /* [origin, horizontal, vertical][channel] */
   for (unsigned i = 0; i < 3; i++) {
      at[i][0] = six[i * 2] << 2 | six[i * 2] >> 4;
      at[i][1] = seven[i] << 1 | seven[i] >> 6;
      at[i][2] = six[i * 2 + 1] << 2 | six[i * 2 + 1] >> 4;
   }
   for (int i = 0; i < 16; i++) {
      int rgb[3];
      for (unsigned c = 0; c < 3; c++)
         rgb[c] = ((i & 3) * (at[1][c] - at[0][c]) + (i >> 2) * (at[2][c] - at[0][c]) +
                   4 * at[0][c] + 2) >>
                  2;
      texels[i] = emul_etc_rgb(rgb, 0);
   }
}

/* one: the format is ETC1. punch: bit 33 means that all texels are opaque, and there is no
 * individual mode. */
static void
emul_etc_color(const uint8_t *data, bool one, bool punch, uint32_t texels[16])
{
   const uint64_t block = emul_etc_load(data);
   const bool bit33 = block >> 33 & 1, opaque = !punch || bit33;
   int base[2][3];
   for (unsigned c = 0; c < 3; c++) {
      const unsigned low = 56 - c * 8;
      if (!punch && !bit33) {
         base[0][c] = emul_etc_bits(block, low + 7, low + 4) * 17;
         base[1][c] = emul_etc_bits(block, low + 3, low) * 17;
         continue;
      }
      const int first = emul_etc_bits(block, low + 7, low + 3),
                delta = emul_etc_bits(block, low + 2, low);
      const int second = first + delta - (delta & 4) * 2;
      if ((second < 0 || second > 31) && !one) {
         if (c == 2)
            emul_etc_planar(block, texels);
         else
            emul_etc_paint(block, c == 1, opaque, texels);
         return;
      }
      base[0][c] = first << 3 | first >> 2;
      base[1][c] = (second & 31) << 3 | (second & 31) >> 2;
   }
   emul_etc_halves(block, (const int(*)[3])base, opaque, texels);
}

/* Returns EAC texel y * 4 + x's offset from the base value, before the multiplier. */
static int
emul_etc_eac_modifier(uint64_t block, unsigned texel)
{
   static const int8_t modifiers[16][8] = {
       {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12},
       {-2, -5, -8, -13, 1, 4, 7, 12}, {-2, -4, -6, -13, 1, 3, 5, 12},
       {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
       {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},
       {-2, -6, -8, -10, 1, 5, 7, 9},  {-2, -5, -8, -10, 1, 4, 7, 9},
       {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
       {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},
       {-4, -6, -8, -9, 3, 5, 7, 8},   {-3, -5, -7, -9, 2, 4, 6, 8}};
   const unsigned k = (texel & 3) * 4 + (texel >> 2);
   return modifiers[emul_etc_bits(block, 51, 48)][block >> (45 - k * 3) & 7];
}

static void
emul_etc_alpha(const uint8_t *data, uint32_t texels[16])
{
   const uint64_t block = emul_etc_load(data);
   const int base = emul_etc_bits(block, 63, 56), multiplier = emul_etc_bits(block, 55, 52);
   for (unsigned i = 0; i < 16; i++) {
      const int alpha = emul_etc_clamp(base + emul_etc_eac_modifier(block, i) * multiplier, 0, 255);
      texels[i] = (texels[i] & 0xffffff) | (uint32_t)alpha << 24;
   }
}

void
emul_format_decode_etc(enum attila_format format, const uint8_t *block, uint32_t texels[16])
{
   switch (format) {
   case ATTILA_FORMAT_ETC2_RGBA8:
   case ATTILA_FORMAT_ETC2_SRGBA8:
      emul_etc_color(block + 8, false, false, texels);
      emul_etc_alpha(block, texels);
      return;
   case ATTILA_FORMAT_ETC2_RGB8A1:
   case ATTILA_FORMAT_ETC2_SRGB8A1:
      emul_etc_color(block, false, true, texels);
      return;
   default:
      emul_etc_color(block, format == ATTILA_FORMAT_ETC1_RGB8, false, texels);
   }
}

int
emul_format_decode_eac11(const uint8_t data[8], unsigned texel, bool is_signed)
{
   const uint64_t block = emul_etc_load(data);
   const int multiplier = emul_etc_bits(block, 55, 52),
             add = emul_etc_eac_modifier(block, texel) * (multiplier ? multiplier * 8 : 1);
   int base = emul_etc_bits(block, 63, 56);
   if (!is_signed)
      return emul_etc_clamp(base * 8 + 4 + add, 0, 2047);
   base = base > 127 ? base - 256 : base;
   return emul_etc_clamp((base == -128 ? -127 : base) * 8 + add, -1023, 1023);
}
