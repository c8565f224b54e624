/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Decoders of block compressed textures in the integer arithmetic of EXT_texture_compression_s3tc
 * and EXT_texture_compression_rgtc: end points expand to 8 bits by bit replication, interpolation
 * truncates. ETC: emul_format_etc.c. There is no encoder: applications or the driver compress. */
#include "emul/format/emul_format_block.h"
#include <stdbool.h>
#include "emul/format/emul_format.h"
#include "emul/format/emul_format_etc.h"

static uint64_t
emul_format_block_load_le(const uint8_t *p, unsigned bytes)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < bytes; i++)
      v |= (uint64_t)p[i] << i * 8;
   return v;
}

static uint32_t
emul_format_block_rgb(uint32_t r, uint32_t g, uint32_t b)
{
   return r | g << 8 | b << 16;
}

/* Decodes an S3TC block's colours into bits 0..23; bits 24..31 are 255, or 0 for transparent
 * black. */
static void
emul_format_block_decode_s3tc_color(const uint8_t *block, bool one_bit_alpha, bool always_four,
                                    uint32_t texels[16])
{
   uint32_t c[2] = {(uint32_t)emul_format_block_load_le(block, 2),
                    (uint32_t)emul_format_block_load_le(block + 2, 2)};
   uint32_t bits = (uint32_t)emul_format_block_load_le(block + 4, 4), r[2], g[2], b[2], palette[4];
   for (unsigned i = 0; i < 2; i++) {
      r[i] = c[i] >> 11 << 3 | c[i] >> 13;
      g[i] = (c[i] >> 5 & 63) << 2 | (c[i] >> 9 & 3);
      b[i] = (c[i] & 31) << 3 | (c[i] >> 2 & 7);
      palette[i] = emul_format_block_rgb(r[i], g[i], b[i]) | 0xff000000u;
   }
   if (always_four || c[0] > c[1]) {
      palette[2] = emul_format_block_rgb((2 * r[0] + r[1]) / 3, (2 * g[0] + g[1]) / 3,
                                         (2 * b[0] + b[1]) / 3) |
                   0xff000000u;
      palette[3] = emul_format_block_rgb((r[0] + 2 * r[1]) / 3, (g[0] + 2 * g[1]) / 3,
                                         (b[0] + 2 * b[1]) / 3) |
                   0xff000000u;
   } else {
      palette[2] = emul_format_block_rgb((r[0] + r[1]) / 2, (g[0] + g[1]) / 2, (b[0] + b[1]) / 2) |
                   0xff000000u;
      palette[3] = one_bit_alpha ? 0 : 0xff000000u;
   }
   for (unsigned i = 0; i < 16; i++)
      texels[i] = palette[bits >> i * 2 & 3];
}

/* Decodes an 8-byte block of one channel: two end points, sixteen 3-bit codes. minimum and maximum:
 * values of codes 6 and 7 in the 5-value mode. */
static void
emul_format_block_decode_channel(const uint8_t *block, int e0, int e1, int minimum, int maximum,
                                 int values[16])
{
   uint64_t codes = emul_format_block_load_le(block + 2, 6);
   int palette[8] = {e0, e1};
   for (int code = 2; code < 8; code++) {
      if (e0 > e1)
         palette[code] = (e0 * (8 - code) + e1 * (code - 1)) / 7;
      else
         palette[code] = code < 6    ? (e0 * (6 - code) + e1 * (code - 1)) / 5
                         : code == 6 ? minimum
                                     : maximum;
   }
   for (unsigned i = 0; i < 16; i++)
      values[i] = palette[codes >> i * 3 & 7];
}

static void
emul_format_block_decode_unorm_channel(const uint8_t *block, unsigned shift, uint32_t texels[16])
{
   int values[16];
   emul_format_block_decode_channel(block, block[0], block[1], 0, 255, values);
   for (unsigned i = 0; i < 16; i++)
      texels[i] = (texels[i] & ~(0xffu << shift)) | (uint32_t)values[i] << shift;
}

static void
emul_format_block_decode_snorm_channel(const uint8_t *block, unsigned shift, uint32_t texels[16])
{
   int values[16];
   emul_format_block_decode_channel(block, (int8_t)block[0], (int8_t)block[1], -128, 127, values);
   for (unsigned i = 0; i < 16; i++)
      texels[i] |= ((uint32_t)values[i] & 0xff) << shift;
}

void
emul_format_decode_block(enum attila_format format, const uint8_t *block, uint32_t texels[16])
{
   switch (format) {
   case ATTILA_FORMAT_DXT1_RGB:
   case ATTILA_FORMAT_DXT1_SRGB:
      emul_format_block_decode_s3tc_color(block, false, false, texels);
      return;
   case ATTILA_FORMAT_DXT1_RGBA:
   case ATTILA_FORMAT_DXT1_SRGBA:
      emul_format_block_decode_s3tc_color(block, true, false, texels);
      return;
   case ATTILA_FORMAT_DXT3_RGBA:
   case ATTILA_FORMAT_DXT3_SRGBA: {
      uint64_t alpha = emul_format_block_load_le(block, 8);
      emul_format_block_decode_s3tc_color(block + 8, false, true, texels);
      for (unsigned i = 0; i < 16; i++)
         texels[i] = (texels[i] & 0xffffff) | (uint32_t)(alpha >> i * 4 & 15) * 17 << 24;
      return;
   }
   case ATTILA_FORMAT_DXT5_RGBA:
   case ATTILA_FORMAT_DXT5_SRGBA:
      emul_format_block_decode_s3tc_color(block + 8, false, true, texels);
      emul_format_block_decode_unorm_channel(block, 24, texels);
      return;
   default:
      break;
   }
   if (attila_formats[format].type == ATTILA_TYPE_ETC) {
      emul_format_decode_etc(format, block, texels);
      return;
   }
   bool is_signed = format == ATTILA_FORMAT_RGTC1_SNORM || format == ATTILA_FORMAT_RGTC2_SNORM;
   bool two = format == ATTILA_FORMAT_RGTC2_UNORM || format == ATTILA_FORMAT_RGTC2_SNORM;
   for (unsigned i = 0; i < 16; i++)
      texels[i] = is_signed ? 0x7f000000u : 0xff000000u;
   for (unsigned c = 0; c <= two; c++) {
      if (is_signed)
         emul_format_block_decode_snorm_channel(block + c * 8, c * 8, texels);
      else
         emul_format_block_decode_unorm_channel(block + c * 8, c * 8, texels);
   }
}

static void
emul_format_block_unpack_eac(enum attila_format format, const uint8_t *block, unsigned inside,
                             float rgba[4])
{
   const struct attila_format_desc *d = &attila_formats[format];
   const bool is_signed = d->type == ATTILA_TYPE_EAC_SNORM;
   const float scale = is_signed ? 1.0f / 1023.0f : 1.0f / 2047.0f;
   rgba[1] = rgba[2] = 0.0f;
   rgba[3] = 1.0f;
   for (unsigned c = 0; c < d->bytes / 8u; c++)
      rgba[c] = (float)emul_format_decode_eac11(block + c * 8, inside, is_signed) * scale;
}

void
emul_format_unpack_block_texel(enum attila_format format, const uint8_t *block, unsigned inside,
                               float rgba[4])
{
   const enum attila_format_type type = attila_formats[format].type;
   if (type == ATTILA_TYPE_EAC_UNORM || type == ATTILA_TYPE_EAC_SNORM) {
      emul_format_block_unpack_eac(format, block, inside, rgba);
      return;
   }
   uint32_t texels[16];
   emul_format_decode_block(format, block, texels);
   bool is_signed = type == ATTILA_TYPE_RGTC_SNORM;
   for (unsigned c = 0; c < 4; c++) {
      uint32_t v = texels[inside] >> c * 8 & 0xff;
      if (is_signed) {
         float f = (float)(int8_t)v * (1.0f / 127.0f);
         rgba[c] = f < -1.0f ? -1.0f : f;
      } else if (c < 3 && attila_formats[format].uses & ATTILA_USE_SRGB) {
         rgba[c] = emul_srgb_to_linear((uint8_t)v);
      } else {
         rgba[c] = (float)v * (1.0f / 255.0f);
      }
   }
}
