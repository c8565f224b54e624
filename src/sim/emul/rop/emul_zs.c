/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Depth and stencil test of quads, and values for clears and the Hierarchical Z buffer. A quad's 4
 * pixels are one vector's lanes, so all functions, operations and formats share a few instructions.
 * Depth becomes an integer by truncation of z * (2^n - 1) in float32, which gives the pictures of
 * Mesa's software rasteriser. Not here: fetching elements (box/rop/zst.c, func/), clamping depth to
 * a range other than [0, 1] (emul_clamp_depth). */
#include <string.h>
#include "emul/rop/emul_fragment.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint8_t u8x4 __attribute__((vector_size(4)));
typedef uint16_t u16x4 __attribute__((vector_size(8)));

static inline i32x4
emul_zs_splat(int32_t v)
{
   return (i32x4){v, v, v, v};
}

static inline i32x4
emul_zs_select_i(i32x4 condition, i32x4 yes, i32x4 no)
{
   return (condition & yes) | (~condition & no);
}

/* Expands a bit per lane to a vector of all ones or zeros, and back. */
static inline i32x4
emul_zs_expand_mask(unsigned mask)
{
   const i32x4 bits = {1, 2, 4, 8};
   return (emul_zs_splat((int32_t)mask) & bits) != 0;
}

static inline unsigned
emul_zs_collect_mask(i32x4 m)
{
   return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
}

/* Clamps to [0, 1]; NaN becomes 0. */
static inline f32x4
emul_zs_saturate(f32x4 z)
{
   const f32x4 zero = {0}, one = {1.0f, 1.0f, 1.0f, 1.0f};
   i32x4 v = (i32x4)z & (z > zero);
   return (f32x4)emul_zs_select_i((f32x4)v < one, v, (i32x4)one);
}

/* The functions' numbers: bit 0 accepts less, bit 1 equal, bit 2 greater. */
static inline i32x4
emul_zs_compare(unsigned func, i32x4 less, i32x4 equal, i32x4 greater)
{
   return (less & emul_zs_splat(-(int32_t)(func & 1))) |
          (equal & emul_zs_splat(-(int32_t)(func >> 1 & 1))) |
          (greater & emul_zs_splat(-(int32_t)(func >> 2 & 1)));
}

static inline i32x4
emul_zs_stencil_op(unsigned op, i32x4 s, i32x4 ref)
{
   switch (op) {
   case ATTILA_STENCIL_ZERO:
      return emul_zs_splat(0);
   case ATTILA_STENCIL_REPLACE:
      return ref;
   case ATTILA_STENCIL_INCR_SAT:
      return s + ((s < 255) & 1);
   case ATTILA_STENCIL_DECR_SAT:
      return s - ((s > 0) & 1);
   case ATTILA_STENCIL_INCR_WRAP:
      return (s + 1) & 255;
   case ATTILA_STENCIL_DECR_WRAP:
      return (s - 1) & 255;
   case ATTILA_STENCIL_INVERT:
      return ~s & 255;
   default:
      return s;
   }
}

/* Tests 24-bit depth in 4-byte elements without stencil: nearly every draw. */
static inline unsigned
emul_zs_z24_quad(const struct emul_draw_state *state, unsigned mask, const float z[4], uint8_t *zs)
{
   i32x4 element, live = emul_zs_expand_mask(mask);
   f32x4 zf;
   memcpy(&element, zs, 16);
   memcpy(&zf, z, 16);
   i32x4 old = element & 0xffffff;
   i32x4 code = __builtin_convertvector(emul_zs_saturate(zf) * 16777215.0f, i32x4);
   i32x4 pass = live & emul_zs_compare(state->regs.z_func, code<old, code == old, code> old);
   if (state->z_write) {
      element = emul_zs_select_i(pass, (element & (int32_t)0xff000000) | code, element);
      memcpy(zs, &element, 16);
   }
   return emul_zs_collect_mask(pass);
}

/* Loads a quad's depth bits and stencil values; 0 if the format has none. */
static inline void
emul_zs_load_quad(enum attila_format format, const uint8_t *zs, i32x4 *depth, i32x4 *stencil)
{
   *depth = *stencil = emul_zs_splat(0);
   switch (format) {
   case ATTILA_FORMAT_Z16_UNORM: {
      u16x4 v;
      memcpy(&v, zs, 8);
      *depth = __builtin_convertvector(v, i32x4);
      break;
   }
   case ATTILA_FORMAT_Z16S8: {
      u32x4 v;
      memcpy(&v, zs, 16);
      *depth = (i32x4)(v & 0xffff);
      *stencil = (i32x4)(v >> 16 & 255);
      break;
   }
   case ATTILA_FORMAT_Z24X8_UNORM:
   case ATTILA_FORMAT_Z24S8: {
      u32x4 v;
      memcpy(&v, zs, 16);
      *depth = (i32x4)(v & 0xffffff);
      *stencil = (i32x4)(v >> 24);
      break;
   }
   case ATTILA_FORMAT_Z32_FLOAT:
      memcpy(depth, zs, 16);
      break;
   case ATTILA_FORMAT_Z32_FLOAT_S8X24: {
      u32x4 lo, hi;
      memcpy(&lo, zs, 16);
      memcpy(&hi, zs + 16, 16);
      *depth = (i32x4){(int32_t)lo[0], (int32_t)lo[2], (int32_t)hi[0], (int32_t)hi[2]};
      *stencil = (i32x4){(int32_t)lo[1], (int32_t)lo[3], (int32_t)hi[1], (int32_t)hi[3]} & 255;
      break;
   }
   case ATTILA_FORMAT_S8: {
      u8x4 v;
      memcpy(&v, zs, 4);
      *stencil = __builtin_convertvector(v, i32x4);
      break;
   }
   default:
      break;
   }
}

static inline void
emul_zs_store_quad(enum attila_format format, uint8_t *zs, i32x4 depth, i32x4 stencil)
{
   switch (format) {
   case ATTILA_FORMAT_Z16_UNORM: {
      u16x4 v = __builtin_convertvector(depth, u16x4);
      memcpy(zs, &v, 8);
      break;
   }
   case ATTILA_FORMAT_Z16S8: {
      u32x4 v = (u32x4)depth | (u32x4)stencil << 16;
      memcpy(zs, &v, 16);
      break;
   }
   case ATTILA_FORMAT_Z24X8_UNORM:
   case ATTILA_FORMAT_Z24S8: {
      u32x4 v = (u32x4)depth | (u32x4)stencil << 24;
      memcpy(zs, &v, 16);
      break;
   }
   case ATTILA_FORMAT_Z32_FLOAT:
      memcpy(zs, &depth, 16);
      break;
   case ATTILA_FORMAT_Z32_FLOAT_S8X24: {
      for (unsigned i = 0; i < 4; i++) {
         int32_t d = depth[i];
         memcpy(zs + 8 * i, &d, 4);
         zs[8 * i + 4] = (uint8_t)stencil[i]; /* the unused bytes stay */
      }
      break;
   }
   case ATTILA_FORMAT_S8: {
      u8x4 v = __builtin_convertvector(stencil, u8x4);
      memcpy(zs, &v, 4);
      break;
   }
   default:
      break;
   }
}

/* Finds a format by its members: every file has its own table of descriptions, so an address does
 * not identify it. */
static enum attila_format
emul_zs_format(const struct attila_format_desc *desc)
{
   switch (desc->bytes) {
   case 1:
      return ATTILA_FORMAT_S8;
   case 2:
      return ATTILA_FORMAT_Z16_UNORM;
   case 8:
      return ATTILA_FORMAT_Z32_FLOAT_S8X24;
   default:
      return desc->channel[0].bits == 32   ? ATTILA_FORMAT_Z32_FLOAT
             : desc->channel[0].bits == 16 ? ATTILA_FORMAT_Z16S8
             : desc->channel[1].bits       ? ATTILA_FORMAT_Z24S8
                                           : ATTILA_FORMAT_Z24X8_UNORM;
   }
}

static inline bool
emul_zs_is_float(enum attila_format format)
{
   return format == ATTILA_FORMAT_Z32_FLOAT || format == ATTILA_FORMAT_Z32_FLOAT_S8X24;
}

/* Returns a format's largest integer depth. */
static inline float
emul_zs_max_code(enum attila_format format)
{
   return format == ATTILA_FORMAT_Z16_UNORM || format == ATTILA_FORMAT_Z16S8 ? 65535.0f
                                                                             : 16777215.0f;
}

/* Returns the bits of depth z in a format. */
static inline i32x4
emul_zs_depth_code(enum attila_format format, f32x4 z)
{
   z = emul_zs_saturate(z);
   if (emul_zs_is_float(format))
      return (i32x4)z;
   return __builtin_convertvector(z * emul_zs_max_code(format), i32x4);
}

static inline i32x4
emul_zs_depth_compare(enum attila_format format, unsigned func, i32x4 code, i32x4 old)
{
   if (!emul_zs_is_float(format))
      return emul_zs_compare(func, code<old, code == old, code> old);
   /* A buffer may hold any uploaded bits: NaN is neither less than, equal to nor greater than
    * anything. */
   f32x4 a = (f32x4)code, b = (f32x4)old;
   i32x4 unordered = ~((a < b) | (a == b) | (a > b));
   bool accepts_unordered = func == ATTILA_FUNC_ALWAYS || func == ATTILA_FUNC_NOTEQUAL;
   return emul_zs_compare(func, a<b, a == b, a> b) |
          (unordered & emul_zs_splat(-(int32_t)accepts_unordered));
}

/* Handles all else: any format, stencil. */
static __attribute__((noinline)) unsigned
emul_zs_quad_ops(const struct emul_draw_state *state, bool front, unsigned mask, const float z[4],
                 uint8_t *zs)
{
   enum attila_format format = state->regs.zs_format;
   const struct attila_format_desc *desc = &attila_formats[format];
   bool has_depth = desc->channel[0].bits != 0, has_stencil = desc->channel[1].bits != 0;
   i32x4 depth, stencil, live = emul_zs_expand_mask(mask), stencil_pass = live;
   const struct attila_stencil_regs *face =
       !front && state->regs.stencil[1].enable ? &state->regs.stencil[1] : &state->regs.stencil[0];
   f32x4 zf;
   memcpy(&zf, z, 16);
   emul_zs_load_quad(format, zs, &depth, &stencil);

   bool test_stencil = state->stencil_test && has_stencil;
   if (test_stencil) {
      i32x4 ref = emul_zs_splat((int32_t)(face->ref & face->value_mask & 255)),
            value = stencil & (int32_t)face->value_mask;
      stencil_pass &= emul_zs_compare(face->func, ref<value, ref == value, ref> value);
   }
   i32x4 pass = stencil_pass;
   if (state->z_test && has_depth) {
      i32x4 code = emul_zs_depth_code(format, zf);
      pass &= emul_zs_depth_compare(format, state->regs.z_func, code, depth);
      if (state->z_write)
         depth = emul_zs_select_i(pass, code, depth);
   }
   if (test_stencil) {
      i32x4 ref = emul_zs_splat((int32_t)(face->ref & 255)),
            write = emul_zs_splat((int32_t)(face->write_mask & 255));
      i32x4 value = emul_zs_select_i(live & ~stencil_pass,
                                     emul_zs_stencil_op(face->fail, stencil, ref), stencil);
      value = emul_zs_select_i(stencil_pass & ~pass, emul_zs_stencil_op(face->zfail, stencil, ref),
                               value);
      value = emul_zs_select_i(pass, emul_zs_stencil_op(face->zpass, stencil, ref), value);
      stencil = emul_zs_select_i(write, value, stencil);
   }
   emul_zs_store_quad(format, zs, depth, stencil);
   return emul_zs_collect_mask(pass);
}

unsigned
emul_zs_quad(const struct emul_draw_state *state, bool front, unsigned mask, const float z[4],
             uint8_t *zs)
{
   enum attila_format format = state->regs.zs_format;
   if (!state->stencil_test && state->z_test &&
       (format == ATTILA_FORMAT_Z24S8 || format == ATTILA_FORMAT_Z24X8_UNORM))
      return emul_zs_z24_quad(state, mask, z, zs);
   return emul_zs_quad_ops(state, front, mask, z, zs);
}

void
emul_zs_codes(const struct attila_format_desc *format, const float z[4], uint32_t code[4])
{
   f32x4 v;
   memcpy(&v, z, 16);
   i32x4 c = emul_zs_depth_code(emul_zs_format(format), v) + 1;
   memcpy(code, &c, 16);
}

uint32_t
emul_zs_code(const struct attila_format_desc *format, float z)
{
   const float four[4] = {z, z, z, z};
   uint32_t code[4];
   emul_zs_codes(format, four, code);
   return code[0];
}

float
emul_zs_code_depth(const struct attila_format_desc *format, uint32_t code)
{
   enum attila_format f = emul_zs_format(format);
   float z;
   code--;
   if (!emul_zs_is_float(f))
      return (float)((double)code / (double)emul_zs_max_code(f));
   memcpy(&z, &code, 4);
   return z;
}

void
emul_zs_block_range(const struct attila_format_desc *format, const uint8_t *block,
                    unsigned elements, uint32_t *near, uint32_t *far)
{
   enum attila_format f = emul_zs_format(format);
   const int32_t one = 0x3f800000; /* 1.0f */
   const unsigned quad_bytes = format->bytes * 4u;
   i32x4 min = emul_zs_splat(INT32_MAX), max = emul_zs_splat(INT32_MIN), nan = emul_zs_splat(0);
   for (unsigned q = 0; q < elements / 4; q++) {
      i32x4 depth, stencil;
      emul_zs_load_quad(f, block + q * quad_bytes, &depth, &stencil);
      if (emul_zs_is_float(f)) {
         nan |= ((f32x4)depth != (f32x4)depth);
         depth = emul_zs_select_i((f32x4)depth == 0.0f, emul_zs_splat(0), depth); /* -0 is 0 */
      }
      /* The bits of positive floats compare as the floats do, and exceed those of negative floats
       * as signed integers. */
      min = emul_zs_select_i(depth < min, depth, min);
      max = emul_zs_select_i(depth > max, depth, max);
   }
   int32_t lo = min[0], hi = max[0];
   for (unsigned i = 1; i < 4; i++) {
      lo = min[i] < lo ? min[i] : lo;
      hi = max[i] > hi ? max[i] : hi;
   }
   bool strange = format->channel[0].bits == 0 || emul_zs_collect_mask(nan);
   *near = strange || lo < 0 ? EMUL_ZS_NEARER : (uint32_t)lo + 1;
   *far =
       strange || hi < 0 || (emul_zs_is_float(f) && hi > one) ? EMUL_ZS_FARTHER : (uint32_t)hi + 1;
}

void
emul_zs_clear_value(const struct attila_format_desc *format, unsigned planes, float depth,
                    uint32_t stencil, const uint8_t *old, uint8_t out[8])
{
   enum attila_format f = emul_zs_format(format);
   uint8_t quad[32] = {0};
   i32x4 d = emul_zs_splat(0), s = emul_zs_splat(0);
   if (old) {
      memcpy(quad, old, format->bytes);
      emul_zs_load_quad(f, quad, &d, &s);
   }
   if (planes & 1)
      d = emul_zs_depth_code(f, (f32x4){depth, depth, depth, depth});
   if (planes & 2)
      s = emul_zs_splat((int32_t)(stencil & 255));
   if (format->channel[1].bits == 0)
      s = emul_zs_splat(0);
   memset(quad, 0, sizeof(quad)); /* unused bits become 0 */
   emul_zs_store_quad(f, quad, d, s);
   memset(out, 0, 8);
   memcpy(out, quad, format->bytes);
}

uint64_t
emul_zs_plane_mask(const struct attila_format_desc *format, unsigned plane)
{
   switch (emul_zs_format(format)) {
   case ATTILA_FORMAT_Z16_UNORM:
      return plane & 1 ? 0xffff : 0;
   case ATTILA_FORMAT_Z16S8:
      return plane & 1 ? 0xffff : 0xff0000;
   case ATTILA_FORMAT_Z24X8_UNORM:
      return plane & 1 ? 0xffffff : 0;
   case ATTILA_FORMAT_Z24S8:
      return plane & 1 ? 0xffffff : 0xff000000;
   case ATTILA_FORMAT_Z32_FLOAT:
      return plane & 1 ? 0xffffffff : 0;
   case ATTILA_FORMAT_Z32_FLOAT_S8X24:
      return plane & 1 ? 0xffffffff : 0xff00000000;
   default:
      return plane & 1 ? 0 : 0xff;
   }
}
