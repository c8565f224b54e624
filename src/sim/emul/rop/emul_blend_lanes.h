/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write's arithmetic: clamping, blending, RGBA of 8 bits in any order. A vector has one
 * component of EMUL_BLEND_LANES pixels: 4 for quads in cycle mode (emul_blend.c), up to 16 for
 * groups in functional mode (emul_blend_group.h); the same expressions give the same bits. Not
 * here: other formats, logic operations. */
#ifndef EMUL_BLEND_LANES_H
#define EMUL_BLEND_LANES_H

#include "core/sim_inline.h"
#include "emul/rop/emul_fragment.h"
#if EMUL_BLEND_LANES > 4
#include <immintrin.h>
#endif

#if defined(__x86_64__)
extern const struct emul_color_writer emul_color_writer_avx2, emul_color_writer_avx512;
#endif
extern const struct emul_color_writer emul_color_writer_base;

typedef float vf __attribute__((vector_size(4 * EMUL_BLEND_LANES)));
typedef int32_t vi __attribute__((vector_size(4 * EMUL_BLEND_LANES)));
typedef uint32_t vu __attribute__((vector_size(4 * EMUL_BLEND_LANES)));

/* Each pixel's colour: one vector per component. */
struct blend_color {
   vf c[4];
};

SIM_INLINE vf
splat(float v)
{
   return v - (vf){0};
}

SIM_INLINE vf
select_f(vi condition, vf yes, vf no)
{
   return (vf)((condition & (vi)yes) | (~condition & (vi)no));
}

SIM_INLINE vf
min_f(vf a, vf b)
{
   return select_f(a < b, a, b);
}

SIM_INLINE vf
max_f(vf a, vf b)
{
   return select_f(a > b, a, b);
}

/* NaN becomes lo, as in the hardware's comparisons. The host's min and max compare in the same way,
 * but may flush denormals, as the arithmetic after a clamp does anyway. */
SIM_INLINE vf
clamp(vf v, float lo, float hi)
{
#if EMUL_BLEND_LANES == 16
   return (vf)_mm512_min_ps(_mm512_max_ps((__m512)v, (__m512)splat(lo)), (__m512)splat(hi));
#elif EMUL_BLEND_LANES == 8
   return (vf)_mm256_min_ps(_mm256_max_ps((__m256)v, (__m256)splat(lo)), (__m256)splat(hi));
#else
   return min_f(max_f(v, splat(lo)), splat(hi));
#endif
}

/* Clamps to a fixed-point format's range; floats stay. */
SIM_INLINE vf
clamp_to_type(unsigned type, vf v)
{
   return type == ATTILA_TYPE_UNORM   ? clamp(v, 0.0f, 1.0f)
          : type == ATTILA_TYPE_SNORM ? clamp(v, -1.0f, 1.0f)
                                      : v;
}

/* --- RGBA of 8 bits to and from floats --- */

/* Four 8-bit channels in 4 bytes, not sRGB; alpha may be missing (0 bits). */
SIM_INLINE bool
is_byte_format(enum attila_format format)
{
   switch (format) {
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
   case ATTILA_FORMAT_R8G8B8X8_UNORM:
   case ATTILA_FORMAT_B8G8R8A8_UNORM:
   case ATTILA_FORMAT_B8G8R8X8_UNORM:
   case ATTILA_FORMAT_A8R8G8B8_UNORM:
   case ATTILA_FORMAT_A8B8G8R8_UNORM:
      return true;
   default:
      return false;
   }
}

/* Converts elements to numbers with channel i from bit channel_place(i) on, and back, with one byte
 * shuffle if the host has it, since shifts by run-time amounts are slower. Bytes that belong to no
 * channel are undefined when read, and written as 0. */
struct byte_order {
   const struct attila_format_desc *desc;
#if EMUL_BLEND_LANES == 8
   __m256i from, to; /* shuffles */
#endif
};

#if EMUL_BLEND_LANES == 8
SIM_INLINE __m256i
shuffle_of(uint32_t from)
{
   const __m256i lane = _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0, 0x0c0c0c0c,
                                         0x08080808, 0x04040404, 0);
   return _mm256_or_si256(_mm256_set1_epi32((int32_t)from), lane);
}

SIM_INLINE void
byte_order_of(const struct attila_format_desc *desc, struct byte_order *order)
{
   const uint32_t nothing = 0x80;
   uint32_t from = 0, to = nothing * 0x01010101u;
   for (unsigned i = 0; i < 4; i++) {
      from |= desc->channel[i].shift / 8u << 8 * i;
      if (i < 3 || desc->channel[i].bits)
         to ^= (nothing | i) << desc->channel[i].shift;
   }
   *order = (struct byte_order){desc, shuffle_of(from), shuffle_of(to)};
}

SIM_INLINE unsigned
channel_place(const struct byte_order *order, unsigned i)
{
   (void)order;
   return 8 * i;
}

SIM_INLINE vu
from_element(const struct byte_order *order, vu v)
{
   return (vu)_mm256_shuffle_epi8((__m256i)v, order->from);
}

SIM_INLINE vu
to_element(const struct byte_order *order, vu v)
{
   return (vu)_mm256_shuffle_epi8((__m256i)v, order->to);
}
#else
SIM_INLINE void
byte_order_of(const struct attila_format_desc *desc, struct byte_order *order)
{
   order->desc = desc;
}

SIM_INLINE unsigned
channel_place(const struct byte_order *order, unsigned i)
{
   return order->desc->channel[i].shift;
}

SIM_INLINE vu
from_element(const struct byte_order *order, vu v)
{
   (void)order;
   return v;
}

SIM_INLINE vu
to_element(const struct byte_order *order, vu v)
{
   (void)order;
   return v;
}
#endif

SIM_INLINE void
load_bytes(const struct byte_order *order, vu v, struct blend_color *out)
{
   v = from_element(order, v);
   for (unsigned i = 0; i < 4; i++) {
      const vi byte = (vi)(v >> channel_place(order, i) & 255);
      out->c[i] = __builtin_convertvector(byte, vf) * (1.0f / 255.0f);
   }
   if (order->desc->channel[3].bits == 0)
      out->c[3] = splat(1.0f);
}

/* Rounds v * 255 to nearest even: adding 1.5 * 2^23 leaves the integer in the float's low bits. */
SIM_INLINE vu
to_byte(vf v)
{
   vf rounded = clamp(v, 0.0f, 1.0f) * 255.0f + 12582912.0f;
   return (vu)rounded & 255;
}

/* Returns a colour's elements. */
SIM_INLINE vu
to_bytes(const struct byte_order *order, const struct blend_color *color)
{
   vu v = {0};
   for (unsigned i = 0; i < 4; i++) {
      if (i < 3 || order->desc->channel[3].bits)
         v |= to_byte(color->c[i]) << channel_place(order, i);
   }
   return to_element(order, v);
}

/* Returns the bits of an element that a write mask passes, including bits that belong to no
 * channel. */
SIM_INLINE uint32_t
written_bits(const struct attila_format_desc *desc, unsigned write)
{
   uint32_t written = 0xffffffffu;
   if (write == 15)
      return written;
   for (unsigned i = 0; i < 4; i++) {
      if (desc->channel[i].bits && !(write >> i & 1))
         written &= ~(0xffu << desc->channel[i].shift);
   }
   return written;
}

/* --- Blending --- */

struct blend_inputs {
   const struct blend_color *src, *dst;
   const struct blend_color *second; /* of dual-source blending; NULL: no factor uses it */
   const float *constant;            /* the blend colour */
   unsigned type;                    /* the buffer's */
};

SIM_INLINE vf
blend_constant(const struct blend_inputs *in, unsigned i)
{
   return clamp_to_type(in->type, splat(in->constant[i]));
}

/* A factor: enum attila_blend_factor, and whether it uses the second colour. */
struct blend_factor {
   unsigned f;
   bool second;
};

/* Returns a factor for component i; i == 3 is alpha. */
SIM_INLINE vf
factor(struct blend_factor f, unsigned i, const struct blend_inputs *in)
{
   const vf one = splat(1.0f);
   const struct blend_color *const src = in->second && f.second ? in->second : in->src;
   switch (f.f) {
   case ATTILA_FACTOR_ONE:
      return one;
   case ATTILA_FACTOR_SRC_COLOR:
      return src->c[i];
   case ATTILA_FACTOR_SRC_ALPHA:
      return src->c[3];
   case ATTILA_FACTOR_DST_COLOR:
      return in->dst->c[i];
   case ATTILA_FACTOR_DST_ALPHA:
      return in->dst->c[3];
   case ATTILA_FACTOR_CONST_COLOR:
      return blend_constant(in, i);
   case ATTILA_FACTOR_CONST_ALPHA:
      return blend_constant(in, 3);
   case ATTILA_FACTOR_SRC_ALPHA_SATURATE:
      return i == 3 ? one : min_f(in->src->c[3], one - in->dst->c[3]);
   case ATTILA_FACTOR_INV_SRC_COLOR:
      return one - src->c[i];
   case ATTILA_FACTOR_INV_SRC_ALPHA:
      return one - src->c[3];
   case ATTILA_FACTOR_INV_DST_COLOR:
      return one - in->dst->c[i];
   case ATTILA_FACTOR_INV_DST_ALPHA:
      return one - in->dst->c[3];
   case ATTILA_FACTOR_INV_CONST_COLOR:
      return one - blend_constant(in, i);
   case ATTILA_FACTOR_INV_CONST_ALPHA:
      return one - blend_constant(in, 3);
   default:
      return splat(0.0f);
   }
}

/* Returns value * factor; a zero factor gives zero, even of infinities. */
SIM_INLINE vf
term(struct blend_factor f, vf value, unsigned i, const struct blend_inputs *in)
{
   return f.f == ATTILA_FACTOR_ZERO  ? splat(0.0f)
          : f.f == ATTILA_FACTOR_ONE ? value
                                     : value * factor(f, i, in);
}

SIM_INLINE vf
blend_component(unsigned equation, struct blend_factor sf, struct blend_factor df, unsigned i,
                const struct blend_inputs *in)
{
   vf s = in->src->c[i], d = in->dst->c[i];
   switch (equation) {
   case ATTILA_BLEND_SUBTRACT:
      return term(sf, s, i, in) - term(df, d, i, in);
   case ATTILA_BLEND_REVERSE_SUBTRACT:
      return term(df, d, i, in) - term(sf, s, i, in);
   case ATTILA_BLEND_MIN:
      return min_f(s, d);
   case ATTILA_BLEND_MAX:
      return max_f(s, d);
   default:
      return term(sf, s, i, in) + term(df, d, i, in);
   }
}

/* Blends the first components of src, this many, over dst; out may be src. */
SIM_INLINE void
blend_over(const struct blend_color *dst, const struct blend_color *src, unsigned components,
           struct blend_color *out)
{
   const vf a = src->c[3], b = splat(1.0f) - a;
   for (unsigned i = 0; i < components; i++)
      out->c[i] = src->c[i] * a + dst->c[i] * b;
}

SIM_INLINE void
blend(const struct attila_color_regs *regs, const struct blend_inputs *in, struct blend_color *out)
{
   const struct blend_factor rgb_src = {regs->rgb_src, regs->rgb_src_second},
                             rgb_dst = {regs->rgb_dst, regs->rgb_dst_second},
                             alpha_src = {regs->alpha_src, regs->alpha_src_second},
                             alpha_dst = {regs->alpha_dst, regs->alpha_dst_second};
   if (!in->second && regs->rgb_eq == ATTILA_BLEND_ADD && rgb_src.f == ATTILA_FACTOR_SRC_ALPHA &&
       rgb_dst.f == ATTILA_FACTOR_INV_SRC_ALPHA) {
      blend_over(in->dst, in->src, 3, out);
   } else {
      for (unsigned i = 0; i < 3; i++)
         out->c[i] = blend_component(regs->rgb_eq, rgb_src, rgb_dst, i, in);
   }
   out->c[3] = blend_component(regs->alpha_eq, alpha_src, alpha_dst, 3, in);
}

/* Clamps a colour to its buffer's type. */
SIM_INLINE void
clamp_source(const struct emul_draw_state *state, unsigned type, struct blend_color *s)
{
   if (state->regs.alpha_to_one && state->samples > 1)
      s->c[3] = splat(1.0f);
   for (unsigned i = 0; i < 4; i++)
      s->c[i] = clamp_to_type(type, s->c[i]);
}

/* Blends s with d into s. second: as in struct blend_inputs, clamped. */
SIM_INLINE void
blend_with(const struct emul_draw_state *state, unsigned rt, const struct blend_color *d,
           const struct blend_color *second, struct blend_color *s)
{
   const struct blend_inputs in = {.src = s,
                                   .dst = d,
                                   .second = second,
                                   .constant = state->regs.blend_color,
                                   .type = state->color_format[rt]->type};
   struct blend_color result;
   blend(&state->regs.color[rt], &in, &result);
   /* Copies vectors one by one: compilers copy structures in pieces, and loading the vectors whole
    * would stall. */
   for (unsigned i = 0; i < 4; i++)
      s->c[i] = result.c[i];
}

#endif
