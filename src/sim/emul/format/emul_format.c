/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Element formats without block compression: memory bits to float32 and back. Integers are stored
 * as the bits of a float; no arithmetic is done with them. A generic bit field path handles every
 * channel; the most used formats have paths of their own. Normalised values are value * (1 /
 * maximum) in float32, exact for 0 and the maximum. Not here: compressed blocks
 * (emul_format_block.c), the vectorised conversion of texture samples (emul_tex_filter.h), which
 * gives the same bits. */
#include "emul/format/emul_format.h"
#include <string.h>
#include "emul/format/emul_format_block.h"
#include "emul/format/emul_srgb_table.h"

float
emul_half_to_float(uint16_t h)
{
   uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff,
            bits;
   float f;
   if (exponent == 31) {
      bits = sign | 0x7f800000 | mantissa << 13;
   } else if (exponent) {
      bits = sign | (exponent + 112) << 23 | mantissa << 13;
   } else {
      f = (float)mantissa * 0x1p-24f; /* exact, also for zero */
      memcpy(&bits, &f, 4);
      bits |= sign;
   }
   memcpy(&f, &bits, 4);
   return f;
}

/* Rounds a magnitude (sign bit clear, finite) to a float with 5 exponent bits and mantissa_bits,
 * nearest even. The result may be infinity. */
static uint32_t
emul_format_round_to_small_float(uint32_t magnitude, unsigned mantissa_bits)
{
   unsigned drop = 23 - mantissa_bits;
   if (magnitude < 0x38800000) { /* below 2^-14: denormal, unit 2^-(14 + mantissa_bits) */
      unsigned exponent = magnitude >> 23;
      unsigned shift = drop + 113 - exponent;
      if (shift > 24 + 1)
         return 0;
      uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
      uint32_t half = (1u << (shift - 1)) - 1;
      return (mantissa + half + (mantissa >> shift & 1)) >> shift;
   }
   uint32_t rebased = magnitude - (112u << 23);
   uint32_t half = (1u << (drop - 1)) - 1;
   return (rebased + half + (rebased >> drop & 1)) >> drop;
}

uint16_t
emul_float_to_half(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   uint16_t sign = bits >> 16 & 0x8000;
   bits &= 0x7fffffff;
   if (bits > 0x7f800000)
      return sign | 0x7e00 | (bits >> 13 & 0x1ff);
   if (bits >= 0x477ff000) /* rounds to 2^16 and above */
      return sign | 0x7c00;
   return sign | emul_format_round_to_small_float(bits, 10);
}

/* Converts to an unsigned float with 5 exponent bits. Negative numbers become 0; finite values stay
 * finite. */
static uint32_t
emul_format_float_to_unsigned_small(float f, unsigned mantissa_bits)
{
   uint32_t bits, infinity = 31u << mantissa_bits;
   memcpy(&bits, &f, 4);
   if ((bits & 0x7fffffff) > 0x7f800000)
      return infinity | 1;
   if (bits & 0x80000000)
      return 0;
   if (bits == 0x7f800000)
      return infinity;
   if (bits >= 0x47800000)
      return infinity - 1;
   uint32_t result = emul_format_round_to_small_float(bits, mantissa_bits);
   return result < infinity ? result : infinity - 1;
}

float
emul_srgb_to_linear(uint8_t c)
{
   return emul_srgb_linear[c];
}

uint8_t
emul_linear_to_srgb(float c)
{
   unsigned i = 0;
   for (unsigned step = 128; step; step >>= 1) {
      if (c >= emul_srgb_threshold[i + step - 1])
         i += step;
   }
   return (uint8_t)i;
}

/* Returns bits [shift, shift + bits) of a little-endian element; bits <= 32. */
static uint32_t
emul_format_get_bits(const uint8_t *element, unsigned bits, unsigned shift)
{
   uint64_t v = 0;
   unsigned first = shift / 8, last = (shift + bits - 1) / 8;
   for (unsigned i = first; i <= last; i++)
      v |= (uint64_t)element[i] << (i - first) * 8;
   return (uint32_t)(v >> shift % 8) & (uint32_t)((1ull << bits) - 1);
}

static void
emul_format_set_bits(uint8_t *element, unsigned bits, unsigned shift, uint32_t value)
{
   for (unsigned done = 0; done < bits;) {
      unsigned bit = (shift + done) % 8, n = 8 - bit < bits - done ? 8 - bit : bits - done;
      uint8_t mask = ((1u << n) - 1) << bit;
      uint8_t *byte = &element[(shift + done) / 8];
      *byte = (*byte & ~mask) | ((value >> done << bit) & mask);
      done += n;
   }
}

static float
emul_format_unorm_to_float(uint32_t v, unsigned bits)
{
   if (bits > 24)
      return (float)((double)v / (double)((1ull << bits) - 1));
   return (float)v * (1.0f / (float)((1u << bits) - 1));
}

static float
emul_format_snorm_to_float(uint32_t v, unsigned bits)
{
   int32_t i = (int32_t)(v << (32 - bits)) >> (32 - bits);
   float f = bits > 24 ? (float)((double)i / (double)((1ull << (bits - 1)) - 1))
                       : (float)i * (1.0f / (float)((1u << (bits - 1)) - 1));
   return f < -1.0f ? -1.0f : f;
}

static float
emul_format_small_float_to_float(uint32_t v, unsigned bits)
{
   if (bits == 32) {
      float f;
      memcpy(&f, &v, 4);
      return f;
   }
   return emul_half_to_float(bits == 16 ? v : bits == 11 ? v << 4 : v << 5);
}

static float
emul_format_of_bits(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

static uint32_t
emul_format_to_bits(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return bits;
}

static float
emul_format_channel_to_float(enum attila_format_type type, uint32_t v, unsigned bits)
{
   switch (type) {
   case ATTILA_TYPE_UNORM:
      return emul_format_unorm_to_float(v, bits);
   case ATTILA_TYPE_SNORM:
      return emul_format_snorm_to_float(v, bits);
   case ATTILA_TYPE_USCALED:
      return (float)v;
   case ATTILA_TYPE_SSCALED:
      return (float)((int32_t)(v << (32 - bits)) >> (32 - bits));
   case ATTILA_TYPE_FLOAT:
      return emul_format_small_float_to_float(v, bits);
   case ATTILA_TYPE_FIXED:
      return (float)((double)(int32_t)v / 65536.0);
   case ATTILA_TYPE_UINT:
      return emul_format_of_bits(v);
   case ATTILA_TYPE_SINT:
      return emul_format_of_bits((uint32_t)((int32_t)(v << (32 - bits)) >> (32 - bits)));
   default:
      return 0.0f;
   }
}

static float
emul_format_depth_to_float(const struct attila_format_desc *d, const uint8_t *element)
{
   unsigned bits = d->channel[0].bits;
   if (!bits)
      return 0.0f;
   uint32_t v = emul_format_get_bits(element, bits, d->channel[0].shift);
   if (bits == 32)
      return emul_format_small_float_to_float(v, 32);
   /* Correctly rounded, so a stored value is read as the value that was compared. */
   return (float)v / (float)((1u << bits) - 1);
}

static void
emul_format_unpack_shared_exponent(const uint8_t *element, float rgba[4])
{
   uint32_t v;
   memcpy(&v, element, 4);
   uint32_t bits = ((v >> 27) + 127 - 15 - 9)
                   << 23; /* 2^(e - 24): exponent 103..134, never denormal */
   float scale;
   memcpy(&scale, &bits, 4);
   for (unsigned c = 0; c < 3; c++)
      rgba[c] = (float)(v >> c * 9 & 0x1ff) * scale;
   rgba[3] = 1.0f;
}

void
emul_format_to_numbers(enum attila_format format, float rgba[4])
{
   const unsigned type = attila_formats[format].type;
   for (unsigned c = 0; attila_type_is_integer(type) && c < 4; c++) {
      const uint32_t bits = emul_format_to_bits(rgba[c]);
      rgba[c] = type == ATTILA_TYPE_UINT ? (float)bits : (float)(int32_t)bits;
   }
}

float
emul_format_one(const struct attila_format_desc *format)
{
   return attila_type_is_integer(format->type) ? emul_format_of_bits(1) : 1.0f;
}

static void
emul_format_unpack_generic(const struct attila_format_desc *d, const uint8_t *element,
                           float rgba[4])
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      if (!bits)
         rgba[c] = c == 3 ? emul_format_one(d) : 0.0f;
      else
         rgba[c] = emul_format_channel_to_float(
             d->type, emul_format_get_bits(element, bits, d->channel[c].shift), bits);
   }
   if (d->uses & ATTILA_USE_SRGB) {
      for (unsigned c = 0; c < 3; c++) {
         if (d->channel[c].bits)
            rgba[c] = emul_srgb_linear[element[d->channel[c].shift / 8]];
      }
   }
}

void
emul_format_unpack(enum attila_format format, const void *element, unsigned inside, float rgba[4])
{
   if ((unsigned)format >= ATTILA_NUM_FORMATS) {
      rgba[0] = rgba[1] = rgba[2] = 0.0f;
      rgba[3] = 1.0f;
      return;
   }
   const struct attila_format_desc *d = &attila_formats[format];
   switch (format) {
   case ATTILA_FORMAT_R32_FLOAT:
   case ATTILA_FORMAT_R32G32_FLOAT:
   case ATTILA_FORMAT_R32G32B32_FLOAT:
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      rgba[1] = rgba[2] = 0.0f;
      rgba[3] = 1.0f;
      memcpy(rgba, element, d->bytes);
      return;
   case ATTILA_FORMAT_R8G8B8A8_UNORM: {
      const uint8_t *b = element;
      for (unsigned c = 0; c < 4; c++)
         rgba[c] = (float)b[c] * (1.0f / 255.0f);
      return;
   }
   case ATTILA_FORMAT_B8G8R8A8_UNORM: {
      const uint8_t *b = element;
      rgba[0] = (float)b[2] * (1.0f / 255.0f);
      rgba[1] = (float)b[1] * (1.0f / 255.0f);
      rgba[2] = (float)b[0] * (1.0f / 255.0f);
      rgba[3] = (float)b[3] * (1.0f / 255.0f);
      return;
   }
   default:
      break;
   }
   switch (d->type) {
   case ATTILA_TYPE_S3TC:
   case ATTILA_TYPE_RGTC_UNORM:
   case ATTILA_TYPE_RGTC_SNORM:
   case ATTILA_TYPE_ETC:
   case ATTILA_TYPE_EAC_UNORM:
   case ATTILA_TYPE_EAC_SNORM:
      emul_format_unpack_block_texel(format, element, inside & 15, rgba);
      return;
   case ATTILA_TYPE_ZS:
      rgba[0] = emul_format_depth_to_float(d, element);
      rgba[1] = rgba[2] = 0.0f;
      rgba[3] = 1.0f;
      return;
   case ATTILA_TYPE_SHARED_EXP:
      emul_format_unpack_shared_exponent(element, rgba);
      return;
   default:
      emul_format_unpack_generic(d, element, rgba);
   }
}

/* Clamps to [low, 1] (NaN: low), multiplies by maximum, rounds to nearest even. */
static int64_t
emul_format_quantise(float x, float low, double maximum)
{
   x = x > low ? x : low;
   x = x < 1.0f ? x : 1.0f;
   return (int64_t)__builtin_rint((double)x * maximum);
}

static uint8_t
emul_format_quantise8(float x)
{
   x = x > 0.0f ? x : 0.0f;
   x = x < 1.0f ? x : 1.0f;
   /* Adding 2^23 leaves the rounded integer in the low mantissa bits. */
   float sum = x * 255.0f + 0x1p23f;
   uint32_t bits;
   memcpy(&bits, &sum, 4);
   return (uint8_t)bits;
}

/* Returns the nearest value that this many bits hold; only these bits are stored. */
static uint32_t
emul_format_clamp_unsigned(uint32_t v, unsigned bits)
{
   const uint32_t max = UINT32_MAX >> (32 - bits);
   return v < max ? v : max;
}

static uint32_t
emul_format_clamp_signed(int32_t v, unsigned bits)
{
   const int32_t max = INT32_MAX >> (32 - bits), min = -max - 1;
   return (uint32_t)(v < min ? min : v < max ? v : max);
}

static uint32_t
emul_format_float_to_channel(enum attila_format_type type, float x, unsigned bits)
{
   uint32_t v = 0;
   switch (type) {
   case ATTILA_TYPE_UNORM:
      return bits == 8 ? emul_format_quantise8(x)
                       : (uint32_t)emul_format_quantise(x, 0.0f, (double)((1ull << bits) - 1));
   case ATTILA_TYPE_SNORM:
      /* NaN becomes 0, as in the driver's other conversions. */
      return (uint32_t)emul_format_quantise(x == x ? x : 0.0f, -1.0f,
                                            (double)((1ull << (bits - 1)) - 1));
   case ATTILA_TYPE_FLOAT:
      if (bits == 32)
         memcpy(&v, &x, 4);
      else
         v = bits == 16 ? emul_float_to_half(x) : emul_format_float_to_unsigned_small(x, bits - 5);
      return v;
   case ATTILA_TYPE_UINT:
      return emul_format_clamp_unsigned(emul_format_to_bits(x), bits);
   case ATTILA_TYPE_SINT:
      return emul_format_clamp_signed((int32_t)emul_format_to_bits(x), bits);
   default: /* no colour format has another type */
      return 0;
   }
}

void
emul_format_pack(enum attila_format format, const float rgba[4], void *element)
{
   if ((unsigned)format >= ATTILA_NUM_FORMATS)
      return;
   const struct attila_format_desc *d = &attila_formats[format];
   uint8_t *b = element;
   switch (format) {
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
      for (unsigned c = 0; c < 4; c++)
         b[c] = emul_format_quantise8(rgba[c]);
      return;
   case ATTILA_FORMAT_B8G8R8A8_UNORM:
   case ATTILA_FORMAT_B8G8R8X8_UNORM:
      b[0] = emul_format_quantise8(rgba[2]);
      b[1] = emul_format_quantise8(rgba[1]);
      b[2] = emul_format_quantise8(rgba[0]);
      b[3] = format == ATTILA_FORMAT_B8G8R8A8_UNORM ? emul_format_quantise8(rgba[3]) : 0;
      return;
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      memcpy(element, rgba, 16);
      return;
   default:
      break;
   }
   memset(element, 0, d->bytes);
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      if (!bits || !(d->uses & ATTILA_USE_COLOR))
         continue;
      uint32_t v = (d->uses & ATTILA_USE_SRGB) && c < 3
                       ? emul_linear_to_srgb(rgba[c])
                       : emul_format_float_to_channel(d->type, rgba[c], bits);
      emul_format_set_bits(b, bits, d->channel[c].shift, v);
   }
}
