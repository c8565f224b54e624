/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lossless compression of 256-byte blocks (8x8 elements of 4 bytes, Morton order): decides whether
 * a block fits 64 or 128 bytes. Memory always holds the plain bytes; only the transfers get
 * shorter, so what is computed here is whether an encoding of that size exists, and the encodings
 * below are complete (header included, decodable without other data). In the manner of ISPASS 2006
 * [18][19]: depth against a plane, colours against the minimum of a 4x4 block. Not here: the bit
 * stream itself.
 */
#include <string.h>
#include "emul/rop/emul_fragment.h"

/* Coordinates of the elements of a block in memory order. */
#define X4(x) x, x + 1, x, x + 1
#define Y4(y) y, y, y + 1, y + 1
#define X16(x) X4(x), X4(x + 2), X4(x), X4(x + 2)
#define Y16(y) Y4(y), Y4(y), Y4(y + 2), Y4(y + 2)
static const int32_t block_x[64] = {X16(0), X16(4), X16(0), X16(4)};
static const int32_t block_y[64] = {Y16(0), Y16(0), Y16(4), Y16(4)};

/*
 * Depth: the header is a mode bit, a 24-bit reference, the 8 top bits that all elements share
 * (stencil, or sign and exponent of floats) and slopes in 1/8 per pixel, 16 bits for x and 15 for
 * y: 64 bits. Then 64 residuals against the plane, of 7 bits (512 bits in all) or 15 bits (1024).
 * In the other mode a bit per element says that it is as far as can be, as cleared blocks are that
 * a triangle covers in part; the 64 residuals have 6 or 14 bits. The reference can be anything, so
 * only the spread of the residuals counts.
 */
#define FAR 0xffffff

static unsigned
plane_class(const int32_t depth[64], int32_t slope_x, int32_t slope_y)
{
   int32_t min = INT32_MAX, max = INT32_MIN;
   for (unsigned i = 0; i < 64; i++) {
      int32_t r = depth[i] - ((block_x[i] * slope_x + block_y[i] * slope_y) >> 3);
      min = r < min ? r : min;
      max = r > max ? r : max;
   }
   return max - min < 1 << 7 ? 4 : max - min < 1 << 15 ? 2 : 1;
}

/* The same without the elements that are far. */
static unsigned
masked_class(const int32_t depth[64], int32_t slope_x, int32_t slope_y)
{
   int32_t min = INT32_MAX, max = INT32_MIN;
   for (unsigned i = 0; i < 64; i++) {
      int32_t r = depth[i] - ((block_x[i] * slope_x + block_y[i] * slope_y) >> 3),
              far = -(int32_t)(depth[i] == FAR);
      int32_t low = (r & ~far) | (INT32_MAX & far), high = (r & ~far) | (INT32_MIN & far);
      min = low < min ? low : min;
      max = high > max ? high : max;
   }
   return max - min < 1 << 6 ? 4 : max - min < 1 << 14 ? 2 : 1;
}

/* Slope along one axis from the two elements furthest apart that are not far, in the line where
 * they are furthest apart. */
static int32_t
masked_slope(const int32_t depth[64], bool vertical)
{
   int32_t slope = 0, longest = 0;
   for (uint32_t line = 0; line < 8; line++) {
      int32_t first = -1, last = -1, at_first = 0, at_last = 0;
      for (uint32_t i = 0; i < 8; i++) {
         int32_t d = depth[vertical ? attila_morton8(line, i) : attila_morton8(i, line)];
         if (d == FAR)
            continue;
         at_first = first < 0 ? d : at_first;
         first = first < 0 ? (int32_t)i : first;
         last = (int32_t)i;
         at_last = d;
      }
      if (last - first > longest) {
         longest = last - first;
         slope = (at_last - at_first) * 8 / longest;
      }
   }
   return slope;
}

static bool
slopes_fit(int32_t slope_x, int32_t slope_y)
{
   return slope_x >= -(1 << 15) && slope_x < 1 << 15 && slope_y >= -(1 << 14) && slope_y < 1 << 14;
}

static unsigned
better(unsigned a, unsigned b)
{
   return a > b ? a : b;
}

unsigned
emul_compress_z(const uint8_t *block)
{
   uint32_t element[64], differ = 0, far = 0;
   int32_t depth[64];
   memcpy(element, block, 256);
   for (unsigned i = 0; i < 64; i++) {
      differ |= element[i] ^ element[0];
      depth[i] = (int32_t)(element[i] & 0xffffff);
      far += depth[i] == FAR;
   }
   if (differ >> 24)
      return 1;
   if (!differ)
      return 4;
   /* Corners: (7, 0) is element 21, (0, 7) is 42. */
   int32_t slope_x = (depth[21] - depth[0]) * 8 / 7, slope_y = (depth[42] - depth[0]) * 8 / 7;
   unsigned best = slopes_fit(slope_x, slope_y) ? plane_class(depth, slope_x, slope_y) : 1;
   if (best < 4)
      best = better(best, plane_class(depth, 0, 0));
   if (best < 4 && far) {
      slope_x = masked_slope(depth, false);
      slope_y = masked_slope(depth, true);
      if (slopes_fit(slope_x, slope_y))
         best = better(best, masked_class(depth, slope_x, slope_y));
      if (best < 4)
         best = better(best, masked_class(depth, 0, 0));
   }
   return best;
}

/*
 * Colour: every 4x4 block has a header of 4 minima (8 bits a channel) and 4 widths (4 bits), then
 * 16 differences of width bits per channel. The four blocks follow one another without gaps and
 * have to fit 512 or 1024 bits together.
 */
unsigned
emul_compress_color(const uint8_t *block)
{
   typedef uint8_t u8x16 __attribute__((vector_size(16)));
   unsigned bits = 0;
   for (unsigned b = 0; b < 4; b++) {
      u8x16 v[4];
      memcpy(v, block + b * 64, 64);
      u8x16 min = v[0], max = v[0];
      for (unsigned i = 1; i < 4; i++) {
         u8x16 below = (u8x16)(v[i] < min), above = (u8x16)(v[i] > max);
         min = (v[i] & below) | (min & ~below);
         max = (v[i] & above) | (max & ~above);
      }
      bits += 48;
      for (unsigned c = 0; c < 4; c++) {
         unsigned lo = min[c], hi = max[c];
         for (unsigned i = 4; i < 16; i += 4) {
            lo = min[c + i] < lo ? min[c + i] : lo;
            hi = max[c + i] > hi ? max[c + i] : hi;
         }
         bits += hi == lo ? 0 : 16 * (32 - (unsigned)__builtin_clz(hi - lo));
      }
   }
   return bits <= 512 ? 4 : bits <= 1024 ? 2 : 1;
}
