/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of quads: clamping, blending, logic operation, write masks, alpha to one, alpha to
 * coverage, in float32 vectors of a quad's 4 pixels. RGBA of 8 bits in any order is converted here,
 * other formats by emul_format, with equal rounding. There is no dithering: the GPU has none. */
#include <string.h>
#include "emul/format/emul_format.h"
#define EMUL_BLEND_LANES 4
#include "emul/rop/emul_blend_lanes.h"

/* --- Elements of 4 pixels to and from floats --- */

/* Returns the bits of an element that a write mask covers; unused bits are covered if every channel
 * is. */
static void
emul_blend_element_bits(const struct attila_format_desc *desc, unsigned write, uint8_t bits[16])
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
emul_blend_load_generic(enum attila_format format, const uint8_t *element, struct blend_color *out)
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
emul_blend_merge(uint8_t *element, const uint8_t *value, const uint8_t *bits, unsigned bytes)
{
   for (unsigned i = 0; i < bytes; i++)
      element[i] = (uint8_t)((element[i] & ~bits[i]) | (value[i] & bits[i]));
}

/* --- Logic operation --- */

static inline uint8_t
emul_blend_logic_op(unsigned op, uint8_t s, uint8_t d)
{
   /* Bit s * 2 + d of op, for every bit. */
   unsigned r = 0;
   r |= op & 1 ? ~(unsigned)s & ~(unsigned)d : 0;
   r |= op & 2 ? ~(unsigned)s & d : 0;
   r |= op & 4 ? s & ~(unsigned)d : 0;
   r |= op & 8 ? (unsigned)s & d : 0;
   return (uint8_t)r;
}

/* Stores the result of the logic operation on the colour and the old contents. */
static void
emul_blend_store_generic(enum attila_format format, unsigned op, unsigned mask, unsigned write,
                         const struct blend_color *color, uint8_t *element)
{
   const struct attila_format_desc *desc = &attila_formats[format];
   uint8_t bits[16], value[16];
   emul_blend_element_bits(desc, write, bits);
   for (unsigned p = 0; p < 4; p++) {
      if (!(mask >> p & 1))
         continue;
      const float rgba[4] = {color->c[0][p], color->c[1][p], color->c[2][p], color->c[3][p]};
      emul_format_pack(format, rgba, value);
      for (unsigned i = 0; op != ATTILA_LOGIC_COPY && i < desc->bytes; i++)
         value[i] = emul_blend_logic_op(op, value[i], element[p * desc->bytes + i]);
      emul_blend_merge(element + p * desc->bytes, value, bits, desc->bytes);
   }
}

/* Returns whether logic operations apply: to fixed-point and integer buffers; OpenGL ignores them
 * (and blending) on float and sRGB ones. */
static inline bool
emul_blend_has_logic_op(const struct attila_format_desc *desc)
{
   return (desc->type == ATTILA_TYPE_UNORM || desc->type == ATTILA_TYPE_SNORM ||
           attila_type_is_integer(desc->type)) &&
          !(desc->uses & ATTILA_USE_SRGB);
}

/* second: each pixel's second colour, for dual-source blending. */
static void
emul_blend_with(const struct emul_draw_state *state, unsigned rt, const struct blend_color *d,
                const float second[4][4], struct blend_color *s)
{
   struct blend_color s1;
   if (!emul_blends_two(state, rt)) {
      blend_with(state, rt, d, NULL, s);
      return;
   }
   memcpy(&s1, second, sizeof(s1));
   clamp_source(state, state->color_format[rt]->type, &s1);
   blend_with(state, rt, d, &s1, s);
}

void
emul_color_quad(const struct emul_draw_state *state, unsigned rt, unsigned mask,
                const float src[4][4], const float second[4][4], uint8_t *dst)
{
   const struct attila_color_regs *regs = &state->regs.color[rt];
   const struct attila_format_desc *desc = state->color_format[rt];
   enum attila_format format = (enum attila_format)regs->format;
   bool bytes = is_byte_format(format);
   struct blend_color s, d;

   vu old = {0};
   struct byte_order order;

   byte_order_of(desc, &order);
   memcpy(&s, src, sizeof(s));
   if (bytes)
      memcpy(&old, dst, sizeof(old));
   if (!attila_type_is_integer(desc->type)) /* emul_format_pack clamps integers */
      clamp_source(state, desc->type, &s);

   if (state->regs.logicop_enable) {
      if (emul_blend_has_logic_op(desc)) {
         emul_blend_store_generic(format, state->regs.logicop & 15, mask, regs->write_mask, &s,
                                  dst);
         return;
      }
   } else if (regs->blend_enable) {
      if (bytes)
         load_bytes(&order, old, &d);
      else
         emul_blend_load_generic(format, dst, &d);
      emul_blend_with(state, rt, &d, second, &s);
   }
   if (bytes) {
      const vi lanes = ((vi){1, 2, 4, 8} & (int32_t)mask) != 0;
      const vu take = (vu)lanes & written_bits(desc, regs->write_mask);
      old = (to_bytes(&order, &s) & take) | (old & ~take);
      memcpy(dst, &old, sizeof(old));
   } else {
      emul_blend_store_generic(format, ATTILA_LOGIC_COPY, mask, regs->write_mask, &s, dst);
   }
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

uint32_t
emul_samples_that_stay(const float samples[4])
{
   uint32_t mask = 0, bits[4];
   memcpy(bits, samples, sizeof(bits));
   for (unsigned i = 0; i < 4 * ATTILA_MAX_SAMPLES; i++)
      mask |= (bits[i % 4] >> i / 4 & 1) << i;
   return mask;
}
