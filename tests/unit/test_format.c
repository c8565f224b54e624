/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Format conversion against plain references: bit fields read one bit at a time in double
 * arithmetic, the compiler's _Float16, libm's pow, and blocks decoded by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/sim_fp.h"
#include "emul/format/emul_format.h"
#include "emul/format/emul_format_block.h"
#include "emul/format/emul_format_etc.h"

static uint32_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8 ^ seed << 13;
}

static uint64_t
bits_of(const uint8_t *e, unsigned bits, unsigned shift)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < bits; i++)
      v |= (uint64_t)(e[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
   return v;
}

static double
small_float(uint64_t v, unsigned bits)
{
   if (bits == 32) {
      float f;
      uint32_t u = (uint32_t)v;
      memcpy(&f, &u, 4);
      return f;
   }
   unsigned m = bits == 16 ? 10 : bits - 5, e = v >> m & 31;
   double sign = bits == 16 && v >> 15 ? -1 : 1,
          mantissa = (double)(v & ((1u << m) - 1)) / (1u << m);
   if (e == 31)
      return mantissa ? NAN : sign * INFINITY;
   return sign * (e ? ldexp(1 + mantissa, (int)e - 15) : ldexp(mantissa, -14));
}

static double
srgb_decode(double c)
{
   return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Plain value of channel c; false: the format is block compressed or shares its exponent. */
static bool
reference(const struct attila_format_desc *d, const uint8_t *e, unsigned c, double *out)
{
   unsigned bits = d->channel[c].bits;
   if (d->block_width > 1 || d->type == ATTILA_TYPE_SHARED_EXP)
      return false;
   *out = c == 3 ? 1 : 0;
   if (!bits || (d->type == ATTILA_TYPE_ZS && c))
      return true;
   uint64_t v = bits_of(e, bits, d->channel[c].shift);
   int64_t s = v >> (bits - 1) ? (int64_t)v - (1ll << bits) : (int64_t)v;
   switch (d->type) {
   case ATTILA_TYPE_UNORM:
      *out = (double)v / (double)((1ull << bits) - 1);
      break;
   case ATTILA_TYPE_SNORM:
      *out = fmax(-1, (double)s / (double)((1ull << (bits - 1)) - 1));
      break;
   case ATTILA_TYPE_USCALED:
   case ATTILA_TYPE_UINT:
      *out = (double)v;
      break;
   case ATTILA_TYPE_SSCALED:
   case ATTILA_TYPE_SINT:
      *out = (double)s;
      break;
   case ATTILA_TYPE_FIXED:
      *out = (double)s / 65536;
      break;
   case ATTILA_TYPE_FLOAT:
      *out = small_float(v, bits);
      break;
   case ATTILA_TYPE_ZS:
      *out = bits == 32 ? small_float(v, 32) : (double)v / (double)((1ull << bits) - 1);
      break;
   default:
      return false;
   }
   if (d->uses & ATTILA_USE_SRGB && c < 3)
      *out = srgb_decode(*out);
   return true;
}

/* What a component of a register stands for. */
static double
number(unsigned type, float component)
{
   uint32_t u;
   memcpy(&u, &component, 4);
   if (type == ATTILA_TYPE_UINT)
      return u;
   return type == ATTILA_TYPE_SINT ? (double)(int32_t)u : (double)component;
}

static void
unpack_matches_bit_fields(void **state)
{
   unsigned checked = 0;
   (void)state;
   for (unsigned f = 1; f < ATTILA_NUM_FORMATS; f++) {
      const struct attila_format_desc *d = &attila_formats[f];
      for (unsigned n = 0; n < 300; n++) {
         uint8_t e[16];
         float rgba[4];
         for (unsigned i = 0; i < 16; i++)
            e[i] = n == 0 ? 0 : n == 1 ? 255 : (uint8_t)rnd();
         emul_format_unpack(f, e, 0, rgba);
         for (unsigned c = 0; c < 4; c++) {
            double want;
            if (!reference(d, e, c, &want))
               continue;
            checked++;
            const double got = number(d->type, rgba[c]);
            if (isnan(want)) {
               assert_true(isnan(got));
            } else if (isinf(want) || attila_type_is_integer(d->type)) {
               assert_true(got == want);
            } else if (fabs(got - want) > fabs(want) * 1.2e-7) {
               fail_msg("%s channel %u: %.9g, not %.9g", d->name, c, got, want);
            }
         }
      }
   }
   assert_true(checked > 100000);
}

static void
normalised_ends_are_exact(void **state)
{
   (void)state;
   for (unsigned f = 1; f < ATTILA_NUM_FORMATS; f++) {
      const struct attila_format_desc *d = &attila_formats[f];
      if (d->type != ATTILA_TYPE_UNORM && d->type != ATTILA_TYPE_S3TC &&
          !(d->type == ATTILA_TYPE_ZS && d->channel[0].bits == 24))
         continue;
      uint8_t e[16];
      float rgba[4];
      memset(e, 255, sizeof(e));
      if (d->type == ATTILA_TYPE_S3TC)
         memset(e, 0, 16), e[d->bytes - 8] = e[d->bytes - 7] = 255,
                                        e[0] = 255; /* colour 0 and alpha 0 of DXT5 are white */
      emul_format_unpack(f, e, 0, rgba);
      for (unsigned c = 0; c < 3; c++) {
         if (d->channel[c].bits && !(d->type == ATTILA_TYPE_ZS && c))
            assert_true(rgba[c] == 1.0f);
      }
   }
}

static void
pack_rounds_to_nearest(void **state)
{
   (void)state;
   for (unsigned f = 1; f < ATTILA_NUM_FORMATS; f++) {
      const struct attila_format_desc *d = &attila_formats[f];
      if (!(d->uses & ATTILA_USE_COLOR) || attila_type_is_integer(d->type))
         continue;
      for (unsigned n = 0; n < 500; n++) {
         float in[4], out[4];
         uint8_t e[17];
         for (unsigned c = 0; c < 4; c++)
            in[c] = (float)((double)(rnd() & 0xffffff) / 0xffffff * 3.0 - 1.0);
         e[d->bytes] = 0xa5;
         emul_format_pack(f, in, e);
         assert_int_equal(e[d->bytes], 0xa5);
         emul_format_unpack(f, e, 0, out);
         for (unsigned c = 0; c < 4; c++) {
            unsigned bits = d->channel[c].bits;
            if (!bits)
               continue;
            double low = d->type == ATTILA_TYPE_SNORM ? -1 : 0, want = in[c], step;
            if (d->type == ATTILA_TYPE_FLOAT) {
               unsigned m = bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
               if (bits < 16)
                  want = fmax(want, 0);
               step = fmax(ldexp(fabs(want), -(int)m), ldexp(1, -14 - (int)m));
            } else {
               want = fmin(fmax(want, low), 1);
               step = 1.0 / (double)((1ull << (bits - (low < 0))) - 1);
            }
            double got = out[c];
            if (d->uses & ATTILA_USE_SRGB && c < 3) {
               got = got <= 0.0031308 ? got * 12.92 : 1.055 * pow(got, 1 / 2.4) - 0.055;
               want = want <= 0.0031308 ? want * 12.92 : 1.055 * pow(want, 1 / 2.4) - 0.055;
            }
            if (fabs(got - want) > step * 0.5001 + 1e-7)
               fail_msg("%s channel %u: %.9g became %.9g", d->name, c, want, got);
         }
      }
   }
}

/* Integers are clamped to what their channel can hold, also where the host takes denormals for 0.
 */
static void
pack_clamps_integers(void **state)
{
   (void)state;
   unsigned formats = 0;
   for (unsigned f = 1; f < ATTILA_NUM_FORMATS; f++) {
      const struct attila_format_desc *d = &attila_formats[f];
      const bool is_signed = d->type == ATTILA_TYPE_SINT;
      if (!(d->uses & ATTILA_USE_COLOR) || !attila_type_is_integer(d->type))
         continue;
      formats++;
      for (unsigned n = 0; n < 1000; n++) {
         uint32_t in[4];
         float rgba[4], out[4];
         uint8_t e[17];
         for (unsigned c = 0; c < 4; c++)
            in[c] = (rnd() ^ rnd() << 16) >> rnd() % 32 ^ (rnd() & 1 ? ~0u : 0);
         memcpy(rgba, in, sizeof(rgba));
         e[d->bytes] = 0xa5;
         const sim_fp_state before = sim_fp_enter();
         emul_format_pack(f, rgba, e);
         emul_format_unpack(f, e, 0, out);
         sim_fp_leave(before);
         assert_int_equal(e[d->bytes], 0xa5);
         for (unsigned c = 0; c < 4; c++) {
            const unsigned bits = d->channel[c].bits;
            const double high = ldexp(1, (int)bits - is_signed) - 1,
                         low = is_signed ? -high - 1 : 0,
                         value = is_signed ? (double)(int32_t)in[c] : (double)in[c],
                         want = bits ? fmin(fmax(value, low), high) : c == 3;
            if (number(d->type, out[c]) != want)
               fail_msg("%s channel %u: %.9g became %.9g, not %.9g", d->name, c, value,
                        number(d->type, out[c]), want);
         }
      }
   }
   assert_int_equal(formats, 19);
}

static void
integers_become_numbers(void **state)
{
   (void)state;
   const uint32_t bits[4] = {7, 0x80000000, 0xffffffff, 1};
   float u[4], s[4], f[4] = {0.5f, -1.0f, 3.0f, 1.0f};
   memcpy(u, bits, sizeof(u));
   memcpy(s, bits, sizeof(s));
   emul_format_to_numbers(ATTILA_FORMAT_R32G32B32A32_UINT, u);
   emul_format_to_numbers(ATTILA_FORMAT_R32G32B32A32_SINT, s);
   emul_format_to_numbers(ATTILA_FORMAT_R32G32B32A32_FLOAT, f);
   assert_true(u[0] == 7.0f && u[1] == 0x1p31f && u[2] == 0x1p32f && u[3] == 1.0f);
   assert_true(s[0] == 7.0f && s[1] == -0x1p31f && s[2] == -1.0f && s[3] == 1.0f);
   assert_true(f[0] == 0.5f && f[1] == -1.0f && f[2] == 3.0f && f[3] == 1.0f);
}

static void
pack_handles_special_values(void **state)
{
   (void)state;
   uint8_t e[16];
   float in[4] = {NAN, INFINITY, -INFINITY, 2.0f};
   emul_format_pack(ATTILA_FORMAT_R8G8B8A8_UNORM, in, e);
   assert_memory_equal(e, ((uint8_t[]){0, 255, 0, 255}), 4);
   emul_format_pack(ATTILA_FORMAT_R8G8B8A8_SNORM, in, e);
   assert_memory_equal(e, ((uint8_t[]){0, 127, 0x81, 127}), 4);
   float big[4] = {1e9f, -1.0f, 65000.0f, 0};
   emul_format_pack(ATTILA_FORMAT_R11G11B10_FLOAT, big, e);
   float out[4];
   emul_format_unpack(ATTILA_FORMAT_R11G11B10_FLOAT, e, 0, out);
   assert_true(out[0] == 65024.0f && out[1] == 0.0f && out[2] == 64512.0f);
   /* Half way: to even. 0.5 / 255 * 255 lies between 0 and 1, 1.5 between 1 and 2. */
   float half[4] = {0.5f / 255, 1.5f / 255, 2.5f / 255, 3.5f / 255};
   emul_format_pack(ATTILA_FORMAT_R8G8B8A8_UNORM, half, e);
   assert_memory_equal(e, ((uint8_t[]){0, 2, 2, 4}), 4);
}

/* The value of a half float that is not NaN. */
static double
half_value(uint16_t h)
{
   int exponent = h >> 10 & 31, mantissa = h & 1023;
   double v = exponent == 31 ? HUGE_VAL
              : exponent     ? ldexp(mantissa + 1024, exponent - 25)
                             : ldexp(mantissa, -24);
   return h >> 15 ? -v : v;
}

/* The half float nearest to f, ties to even; exact in double precision. */
static double
round_to_half(float f)
{
   double v = fabs((double)f);
   if (v >= 65520)
      return copysign(HUGE_VAL, f);
   int exponent = v < 0x1p-14 ? -14 : ilogb(v);
   return copysign(ldexp(nearbyint(ldexp(v, 10 - exponent)), exponent - 10), f);
}

static void
half_matches_the_definition(void **state)
{
   (void)state;
   for (unsigned h = 0; h < 65536; h++) {
      uint16_t bits = (uint16_t)h;
      float f = emul_half_to_float(bits);
      if ((h & 0x7fff) > 0x7c00) {
         assert_true(isnan(f));
         assert_true(isnan(emul_half_to_float(emul_float_to_half(f))));
         continue;
      }
      assert_true(f == half_value(bits) && !signbit(f) == !(h >> 15));
      assert_int_equal(emul_float_to_half(f), bits);
   }
   for (unsigned n = 0; n < 2000000; n++) {
      uint32_t u = n & 1 ? rnd() ^ rnd() << 16 : 0x33000000 + rnd() % 0x15000000;
      float f;
      memcpy(&f, &u, 4);
      if (isnan(f))
         continue;
      uint16_t h = emul_float_to_half(f);
      assert_true(half_value(h) == round_to_half(f) && !(h >> 15) == !signbit(f));
   }
}

static void
srgb_matches_the_definition(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 256; i++) {
      double want = srgb_decode(i / 255.0);
      assert_true(fabs(emul_srgb_to_linear((uint8_t)i) - want) <= want * 6e-8);
      assert_int_equal(emul_linear_to_srgb(emul_srgb_to_linear((uint8_t)i)), i);
   }
   for (unsigned n = 0; n < 100000; n++) {
      double c = (rnd() & 0xffffff) / 16777215.0;
      double s = (c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055) * 255;
      assert_true(fabs(emul_linear_to_srgb((float)c) - s) < 0.5005);
   }
   assert_int_equal(emul_linear_to_srgb(-1.0f), 0);
   assert_int_equal(emul_linear_to_srgb(NAN), 0);
   assert_int_equal(emul_linear_to_srgb(2.0f), 255);
}

static uint32_t
texel8(unsigned format, const uint8_t *block, unsigned i)
{
   float rgba[4];
   uint32_t v = 0;
   emul_format_unpack(format, block, i, rgba);
   for (unsigned c = 0; c < 4; c++)
      v |= (uint32_t)lrintf(rgba[c] * 255) << c * 8;
   return v;
}

static void
s3tc_blocks_decode_as_the_extension_says(void **state)
{
   (void)state;
   /* Red 0xf800 and blue 0x001f; row 0 uses codes 0, 1, 2, 3. */
   uint8_t b[16] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGB, b, 0), 0xff0000ff);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGB, b, 1), 0xffff0000);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGB, b, 2), 0xff5500aa);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGB, b, 3), 0xffaa0055);
   /* Colour 0 below colour 1: three colours and black. */
   uint8_t t[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGBA, t, 2), 0xff7f007f);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGBA, t, 3), 0x00000000);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT1_RGB, t, 3), 0xff000000);
   /* DXT3: alpha 4 bits; always four colours. */
   uint8_t d3[16] = {0x21, 0x43, 0, 0, 0, 0, 0, 0xf0, 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_DXT3_RGBA, d3, 0), 0x11ff0000);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT3_RGBA, d3, 1), 0x220000ff);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT3_RGBA, d3, 3), 0x445500aa);
   assert_int_equal(texel8(ATTILA_FORMAT_DXT3_RGBA, d3, 15) >> 24, 255);
   /* DXT5: codes 0..7 in the first 8 texels; 7-step and 5-step alpha. */
   uint8_t d5[16] = {200, 60, 0x88, 0xc6, 0xfa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
   const unsigned seven[8] = {200, 60, 180, 160, 140, 120, 100, 80};
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(texel8(ATTILA_FORMAT_DXT5_RGBA, d5, i) >> 24, seven[i]);
   d5[0] = 60, d5[1] = 200;
   const unsigned five[8] = {60, 200, 88, 116, 144, 172, 0, 255};
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(texel8(ATTILA_FORMAT_DXT5_RGBA, d5, i) >> 24, five[i]);
   float rgba[4];
   emul_format_unpack(ATTILA_FORMAT_DXT1_SRGB, b, 2, rgba);
   assert_true(fabs(rgba[0] - srgb_decode(170 / 255.0)) < 1e-6 && rgba[3] == 1.0f);
}

static void
rgtc_blocks_decode_as_the_extension_says(void **state)
{
   (void)state;
   uint8_t u[16] = {200, 60, 0x88, 0xc6, 0xfa, 0, 0, 0, 60, 200, 0x88, 0xc6, 0xfa, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_RGTC2_UNORM, u, 3), 0xff0074a0);
   assert_int_equal(texel8(ATTILA_FORMAT_RGTC1_UNORM, u, 7), 0xff000050);
   /* -100 and 40: below, so 5 steps; code 2 is (-100 * 4 + 40) / 5 = -72, code 6 -1, code 7 1. */
   uint8_t s[8] = {(uint8_t)-100, 40, 0x88, 0xc6, 0xfa, 0, 0, 0};
   float rgba[4];
   emul_format_unpack(ATTILA_FORMAT_RGTC1_SNORM, s, 2, rgba);
   assert_true(fabsf(rgba[0] + 72 / 127.0f) < 1e-6f && rgba[1] == 0 && rgba[3] == 1);
   emul_format_unpack(ATTILA_FORMAT_RGTC1_SNORM, s, 6, rgba);
   assert_true(rgba[0] == -1.0f);
   emul_format_unpack(ATTILA_FORMAT_RGTC1_SNORM, s, 7, rgba);
   assert_true(rgba[0] == 1.0f);
}

static void
etc1_blocks_decode_both_modes(void **state)
{
   (void)state;
   /* Individual mode, no flip: left half 0x888888 with table 0, right half 0x111111 with table 7;
    * texel (0,0) code 0 (+2), (0,1) code 1 (+8), (1,0) code 2 (-2), (2,0) code 3 (-183 clamps).
    * Code k = x * 4 + y. */
   uint8_t b[8] = {0x81, 0x81, 0x81, 7 << 2, 0, 0, 0, 0};
   b[7] = 1 << 1;                /* low bit of (0,1) */
   b[5] = 1 << 4;                /* high bit of (1,0) */
   b[6] = 1 << 0, b[4] = 1 << 0; /* both of (2,0): k = 8 */
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, b, 0), 0xff8a8a8a);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, b, 4), 0xff909090);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, b, 1), 0xff868686);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, b, 2), 0xff000000);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, b, 3), 0xff000000 | (17 + 47) * 0x10101);
   /* Differential, flipped: top 5-bit 16 -> 132, bottom 16 - 4 = 12 -> 99. */
   uint8_t d[8] = {16 << 3 | 4, 16 << 3 | 4, 16 << 3 | 4, 3, 0, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, d, 3), 0xff000000 | (132 + 2) * 0x10101);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, d, 12), 0xff000000 | (99 + 2) * 0x10101);
}

/* ETC2's modes are in differential blocks whose second base colour leaves 0..31. */
static void
etc2_blocks_decode_the_three_new_modes(void **state)
{
   (void)state;
   /* T: red 31 + 3. Base colours 0xf32 and 0x456 in 4 bits a channel (red of the first in bits 60,
    * 59, 57, 56), distance 5 (32). Codes: texel 0 is 0, (1,0) 1, (2,0) 2, (3,0) 3. */
   uint8_t t[8] = {0xfb, 0x32, 0x45, 6 << 4 | 2 << 2 | 2 | 1, 0x11, 0, 0x10, 0x10};
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, t, 0), 0xff2233ff);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, t, 1), 0xff000000 | 100 | 117 << 8 | 134 << 16);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, t, 2), 0xff665544);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, t, 3), 0xff000000 | 36 | 53 << 8 | 70 << 16);
   /* ETC1 knows no T: the difference wraps, 31 + 3 is 2, and below the half (2, 2) has code 0. */
   assert_int_equal(texel8(ATTILA_FORMAT_ETC1_RGB8, t, 10) & 0xff, (2 << 3) + 9);
   /* Planar: blue 31 + 1; all three colours are 0 but the vertical red, 63. */
   uint8_t p[8] = {0, 0, 0xf9, 2, 0, 7, 0xe0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, p, 0) & 0xff, 0);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8, p, 12) & 0xff, (255 * 3 + 2) >> 2);
   /* One bit of alpha: code 2 is transparent black, code 0 the base colour, unless bit 33. */
   uint8_t a[8] = {16 << 3, 16 << 3, 16 << 3, 0, 0, 1, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8A1, a, 0), 0);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGB8A1, a, 1), 0xff848484);
   /* EAC: 100 + 3 * modifier 14 of table 0 (code 7); 11 bits: 8 times that, and 4. */
   uint8_t e[16] = {100, 3 << 4, 0xe0, 0, 0, 0, 0, 0};
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGBA8, e, 0) >> 24, 142);
   assert_int_equal(texel8(ATTILA_FORMAT_ETC2_RGBA8, e, 1) >> 24, 91);
   float rgba[4];
   emul_format_unpack(ATTILA_FORMAT_ETC2_R11_UNORM, e, 0, rgba);
   assert_true(fabsf(rgba[0] - (142 * 8 + 4) / 2047.0f) < 1e-6f && rgba[1] == 0 && rgba[3] == 1);
   e[0] = (uint8_t)-128; /* counts as -127 */
   emul_format_unpack(ATTILA_FORMAT_ETC2_R11_SNORM, e, 0, rgba);
   assert_true(fabsf(rgba[0] + (127 - 42) * 8 / 1023.0f) < 1e-6f);
}

/* Every mode: texels of 100,000 random blocks. Mesa's decoder of ETC2 (25.0.7) gave the same. */
static void
etc_random_blocks(void **state)
{
   (void)state;
   static const enum attila_format formats[] = {
       ATTILA_FORMAT_ETC2_RGB8, ATTILA_FORMAT_ETC2_RGBA8, ATTILA_FORMAT_ETC2_RGB8A1,
       ATTILA_FORMAT_ETC2_R11_UNORM, ATTILA_FORMAT_ETC2_R11_SNORM};
   static const uint64_t sums[] = {5771290960998064108u, 13189153494361388827u,
                                   5961925403894945197u, 16960812097896523926u,
                                   10244674498261587877u};
   for (unsigned f = 0; f < 5; f++) {
      uint64_t random = 1, sum = 0;
      for (unsigned n = 0; n < 100000; n++) {
         uint8_t block[16];
         for (unsigned i = 0; i < 16; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            block[i] = (uint8_t)(random >> 56);
         }
         for (unsigned i = 0; i < 16; i++) {
            uint32_t texel = f < 3 ? texel8(formats[f], block, i)
                                   : (uint32_t)emul_format_decode_eac11(block, i, f == 4);
            sum = (sum ^ texel) * 1099511628211u;
         }
      }
      assert_int_equal(sum, sums[f]);
   }
}

static void
shared_exponent_is_exact(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 10000; n++) {
      uint32_t v = rnd() ^ rnd() << 16;
      float rgba[4];
      emul_format_unpack(ATTILA_FORMAT_R9G9B9E5_FLOAT, &v, 0, rgba);
      for (unsigned c = 0; c < 3; c++)
         assert_true(rgba[c] == (float)ldexp((double)(v >> c * 9 & 511), (int)(v >> 27) - 24));
      assert_true(rgba[3] == 1.0f);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(unpack_matches_bit_fields),
       cmocka_unit_test(normalised_ends_are_exact),
       cmocka_unit_test(pack_rounds_to_nearest),
       cmocka_unit_test(pack_clamps_integers),
       cmocka_unit_test(integers_become_numbers),
       cmocka_unit_test(pack_handles_special_values),
       cmocka_unit_test(half_matches_the_definition),
       cmocka_unit_test(srgb_matches_the_definition),
       cmocka_unit_test(s3tc_blocks_decode_as_the_extension_says),
       cmocka_unit_test(rgtc_blocks_decode_as_the_extension_says),
       cmocka_unit_test(etc1_blocks_decode_both_modes),
       cmocka_unit_test(etc2_blocks_decode_the_three_new_modes),
       cmocka_unit_test(etc_random_blocks),
       cmocka_unit_test(shared_exponent_is_exact),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
