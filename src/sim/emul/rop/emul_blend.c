/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of quads: clamping, blending, logic operation, write masks, alpha to one and alpha
 * to coverage. The arithmetic is float32 with the 4 pixels of a quad as the lanes of a vector. RGBA
 * of 8 bits in any order is converted here, other formats by emul_format; both round alike, so
 * which path is taken cannot be seen. Not here: dithering (the GPU has none).
 */
#include <string.h>
#include "emul/format/emul_format.h"
#include "emul/rop/emul_fragment.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));

/* A colour of each of the 4 pixels: one vector per component. */
struct quad_color {
   f32x4 c[4];
};

static inline f32x4
splat(float v)
{
   return (f32x4){v, v, v, v};
}

static inline f32x4
select_f(i32x4 condition, f32x4 yes, f32x4 no)
{
   return (f32x4)((condition & (i32x4)yes) | (~condition & (i32x4)no));
}

static inline i32x4
expand_mask(unsigned mask)
{
   const i32x4 bits = {1, 2, 4, 8};
   int32_t m = (int32_t)mask;
   return ((i32x4){m, m, m, m} & bits) != 0;
}

static inline f32x4
min_f(f32x4 a, f32x4 b)
{
   return select_f(a < b, a, b);
}

static inline f32x4
max_f(f32x4 a, f32x4 b)
{
   return select_f(a > b, a, b);
}

/* Not a number becomes lo, as in the comparisons of the hardware. */
static inline f32x4
clamp(f32x4 v, float lo, float hi)
{
   return min_f(max_f(v, splat(lo)), splat(hi));
}

/* Clamps to what a fixed-point format can hold; floats stay. */
static inline f32x4
clamp_to_type(unsigned type, f32x4 v)
{
   return type == ATTILA_TYPE_UNORM   ? clamp(v, 0.0f, 1.0f)
          : type == ATTILA_TYPE_SNORM ? clamp(v, -1.0f, 1.0f)
                                      : v;
}

/* --- Elements of 4 pixels to and from floats --- */

/* Four 8-bit channels in 4 bytes without sRGB; channels that do not exist have 0 bits. */
static inline bool
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

static inline void
load_bytes(const struct attila_format_desc *desc, const uint8_t *element, struct quad_color *out)
{
   u32x4 v;
   memcpy(&v, element, 16);
   for (unsigned i = 0; i < 4; i++) {
      i32x4 byte = (i32x4)(v >> desc->channel[i].shift & 255);
      out->c[i] = __builtin_convertvector(byte, f32x4) * (1.0f / 255.0f);
   }
   if (desc->channel[3].bits == 0)
      out->c[3] = splat(1.0f);
}

/* Rounds v * 255 to nearest even by adding 1.5 * 2^23, which leaves the integer in the low bits of
 * the float. */
static inline u32x4
to_byte(f32x4 v)
{
   f32x4 rounded = clamp(v, 0.0f, 1.0f) * 255.0f + 12582912.0f;
   return (u32x4)rounded & 255;
}

static inline void
store_bytes(const struct attila_format_desc *desc, unsigned mask, unsigned write,
            const struct quad_color *color, uint8_t *element)
{
   u32x4 old, v = {0}, keep = ~(u32x4)expand_mask(mask);
   memcpy(&old, element, 16);
   uint32_t written = 0xffffffffu;
   for (unsigned i = 0; i < 4; i++) {
      if (desc->channel[i].bits == 0)
         continue;
      v |= to_byte(color->c[i]) << desc->channel[i].shift;
      if (!(write >> i & 1))
         written &= ~(0xffu << desc->channel[i].shift);
   }
   keep |= ~written;
   v = (old & keep) | (v & ~keep);
   memcpy(element, &v, 16);
}

/* Bits of an element that a write mask covers; unused bits count as covered when every channel is.
 */
static void
element_bits(const struct attila_format_desc *desc, unsigned write, uint8_t bits[16])
{
   memset(bits, 0, 16);
   bool all = true;
   for (unsigned i = 0; i < 4; i++) {
      if (desc->channel[i].bits == 0)
         continue;
      if (!(write >> i & 1)) {
         all = false;
         continue;
      }
      for (unsigned b = desc->channel[i].shift; b < desc->channel[i].shift + desc->channel[i].bits;
           b++)
         bits[b / 8] |= (uint8_t)(1u << (b % 8));
   }
   if (all)
      memset(bits, 0xff, 16);
}

static void
load_generic(enum attila_format format, const uint8_t *element, struct quad_color *out)
{
   unsigned bytes = attila_formats[format].bytes;
   for (unsigned p = 0; p < 4; p++) {
      float rgba[4];
      emul_format_unpack(format, element + p * bytes, 0, rgba);
      for (unsigned i = 0; i < 4; i++)
         out->c[i][p] = rgba[i];
   }
}

static inline void
merge(uint8_t *element, const uint8_t *value, const uint8_t *bits, unsigned bytes)
{
   for (unsigned i = 0; i < bytes; i++)
      element[i] = (uint8_t)((element[i] & ~bits[i]) | (value[i] & bits[i]));
}

static void
store_generic(enum attila_format format, unsigned mask, unsigned write,
              const struct quad_color *color, uint8_t *element)
{
   const struct attila_format_desc *desc = &attila_formats[format];
   uint8_t bits[16], value[16];
   element_bits(desc, write, bits);
   for (unsigned p = 0; p < 4; p++) {
      if (!(mask >> p & 1))
         continue;
      const float rgba[4] = {color->c[0][p], color->c[1][p], color->c[2][p], color->c[3][p]};
      emul_format_pack(format, rgba, value);
      merge(element + p * desc->bytes, value, bits, desc->bytes);
   }
}

/* --- Logic operation --- */

static inline uint8_t
logic_op(unsigned op, uint8_t s, uint8_t d)
{
   /* Bit s * 2 + d of op, for every bit. */
   unsigned r = 0;
   r |= op & 1 ? ~(unsigned)s & ~(unsigned)d : 0;
   r |= op & 2 ? ~(unsigned)s & d : 0;
   r |= op & 4 ? s & ~(unsigned)d : 0;
   r |= op & 8 ? (unsigned)s & d : 0;
   return (uint8_t)r;
}

static void
logic_quad(enum attila_format format, unsigned op, unsigned mask, unsigned write,
           const struct quad_color *src, uint8_t *element)
{
   const struct attila_format_desc *desc = &attila_formats[format];
   uint8_t bits[16], value[16];
   element_bits(desc, write, bits);
   for (unsigned p = 0; p < 4; p++) {
      if (!(mask >> p & 1))
         continue;
      const float rgba[4] = {src->c[0][p], src->c[1][p], src->c[2][p], src->c[3][p]};
      emul_format_pack(format, rgba, value);
      for (unsigned i = 0; i < desc->bytes; i++)
         value[i] = logic_op(op, value[i], element[p * desc->bytes + i]);
      merge(element + p * desc->bytes, value, bits, desc->bytes);
   }
}

/* Logic operations work on fixed-point buffers; OpenGL ignores them on float and sRGB ones (and
 * does not blend either). */
static inline bool
has_logic_op(const struct attila_format_desc *desc)
{
   return (desc->type == ATTILA_TYPE_UNORM || desc->type == ATTILA_TYPE_SNORM) &&
          !(desc->uses & ATTILA_USE_SRGB);
}

/* --- Blending --- */

struct blend_inputs {
   const struct quad_color *src, *dst;
   f32x4 constant[4];
};

/* A factor for component i; i == 3 is alpha. */
static inline f32x4
factor(unsigned f, unsigned i, const struct blend_inputs *in)
{
   const f32x4 one = splat(1.0f);
   switch (f) {
   case ATTILA_FACTOR_ONE:
      return one;
   case ATTILA_FACTOR_SRC_COLOR:
      return in->src->c[i];
   case ATTILA_FACTOR_SRC_ALPHA:
      return in->src->c[3];
   case ATTILA_FACTOR_DST_COLOR:
      return in->dst->c[i];
   case ATTILA_FACTOR_DST_ALPHA:
      return in->dst->c[3];
   case ATTILA_FACTOR_CONST_COLOR:
      return in->constant[i];
   case ATTILA_FACTOR_CONST_ALPHA:
      return in->constant[3];
   case ATTILA_FACTOR_SRC_ALPHA_SATURATE:
      return i == 3 ? one : min_f(in->src->c[3], one - in->dst->c[3]);
   case ATTILA_FACTOR_INV_SRC_COLOR:
      return one - in->src->c[i];
   case ATTILA_FACTOR_INV_SRC_ALPHA:
      return one - in->src->c[3];
   case ATTILA_FACTOR_INV_DST_COLOR:
      return one - in->dst->c[i];
   case ATTILA_FACTOR_INV_DST_ALPHA:
      return one - in->dst->c[3];
   case ATTILA_FACTOR_INV_CONST_COLOR:
      return one - in->constant[i];
   case ATTILA_FACTOR_INV_CONST_ALPHA:
      return one - in->constant[3];
   default:
      return splat(0.0f);
   }
}

/* value * factor; a factor of zero gives zero, also of infinities. */
static inline f32x4
term(unsigned f, f32x4 value, unsigned i, const struct blend_inputs *in)
{
   return f == ATTILA_FACTOR_ZERO  ? splat(0.0f)
          : f == ATTILA_FACTOR_ONE ? value
                                   : value * factor(f, i, in);
}

static inline f32x4
blend_component(unsigned equation, unsigned sf, unsigned df, unsigned i,
                const struct blend_inputs *in)
{
   f32x4 s = in->src->c[i], d = in->dst->c[i];
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

static inline void
blend(const struct attila_color_regs *regs, const struct blend_inputs *in, struct quad_color *out)
{
   if (regs->rgb_eq == ATTILA_BLEND_ADD && regs->rgb_src == ATTILA_FACTOR_SRC_ALPHA &&
       regs->rgb_dst == ATTILA_FACTOR_INV_SRC_ALPHA) {
      f32x4 a = in->src->c[3], b = splat(1.0f) - a;
      for (unsigned i = 0; i < 3; i++)
         out->c[i] = in->src->c[i] * a + in->dst->c[i] * b;
   } else {
      for (unsigned i = 0; i < 3; i++)
         out->c[i] = blend_component(regs->rgb_eq, regs->rgb_src, regs->rgb_dst, i, in);
   }
   out->c[3] = blend_component(regs->alpha_eq, regs->alpha_src, regs->alpha_dst, 3, in);
}

void
emul_color_quad(const struct emul_draw_state *state, unsigned rt, unsigned mask,
                const float src[4][4], uint8_t *dst)
{
   const struct attila_color_regs *regs = &state->regs.color[rt];
   const struct attila_format_desc *desc = state->color_format[rt];
   enum attila_format format = (enum attila_format)regs->format;
   bool bytes = is_byte_format(format);
   struct quad_color s, d;

   memcpy(&s, src, sizeof(s));
   if (state->regs.alpha_to_one && state->samples > 1)
      s.c[3] = splat(1.0f);
   for (unsigned i = 0; i < 4; i++)
      s.c[i] = clamp_to_type(desc->type, s.c[i]);

   if (state->regs.logicop_enable) {
      if (has_logic_op(desc)) {
         logic_quad(format, state->regs.logicop & 15, mask, regs->write_mask, &s, dst);
         return;
      }
   } else if (regs->blend_enable) {
      struct blend_inputs in = {.src = &s, .dst = &d};
      struct quad_color result;
      if (bytes)
         load_bytes(desc, dst, &d);
      else
         load_generic(format, dst, &d);
      for (unsigned i = 0; i < 4; i++)
         in.constant[i] = clamp_to_type(desc->type, splat(state->regs.blend_color[i]));
      blend(regs, &in, &result);
      s = result;
   }
   if (bytes)
      store_bytes(desc, mask, regs->write_mask, &s, dst);
   else
      store_generic(format, mask, regs->write_mask, &s, dst);
}

bool
emul_color_overwrites(const struct emul_draw_state *state, unsigned rt)
{
   const struct attila_color_regs *regs = &state->regs.color[rt];
   const struct attila_format_desc *desc = state->color_format[rt];
   for (unsigned i = 0; i < 4; i++) {
      if (desc->channel[i].bits && !(regs->write_mask >> i & 1))
         return false;
   }
   if (state->regs.logicop_enable) {
      unsigned op = state->regs.logicop & 15;
      /* The result does not depend on d when the bits for d = 0 and d = 1 agree. */
      return !has_logic_op(desc) || ((op & 5) == (op >> 1 & 5));
   }
   return !regs->blend_enable;
}

uint32_t
emul_alpha_to_coverage(const float alpha[4], unsigned samples)
{
   uint32_t mask = 0;
   for (unsigned p = 0; p < 4; p++) {
      float a = alpha[p] > 0.0f ? alpha[p] : 0.0f;
      unsigned kept = (unsigned)((a < 1.0f ? a : 1.0f) * (float)samples + 0.5f);
      for (unsigned s = 0; s < kept; s++)
         mask |= 1u << (s * 4 + p);
   }
   return mask;
}
