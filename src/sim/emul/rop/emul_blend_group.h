/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of a group of quads at once, for RGBA of 8 bits: what functional mode does with the
 * colours that its shaders leave, EMUL_BLEND_LANES pixels at a time. The same bits as
 * emul_color_quad, quad by quad, which is there for all other formats. Included once by each
 * emul_blend_*.c that names a vector instruction set with EMUL_BLEND_NAME, the function.
 */
#ifndef EMUL_BLEND_GROUP_H
#define EMUL_BLEND_GROUP_H

#include <string.h>
#include "emul/rop/emul_blend_lanes.h"

typedef uint32_t quad __attribute__((vector_size(16)));

static inline quad
load_quad(unsigned lanes, unsigned q, uint8_t *const dst[EMUL_LANES / 4])
{
   quad v = {0};
   if (lanes >> 4 * q & 15)
      memcpy(&v, dst[q], 16);
   return v;
}

/* The elements at dst of the lanes from first on; in registers, since one wide load after several
 * narrow stores would wait for them. */
BLEND_INLINE vu
load_quads(unsigned lanes, unsigned first, uint8_t *const dst[EMUL_LANES / 4])
{
   const quad a = load_quad(lanes, first / 4, dst);
#if EMUL_BLEND_LANES == 4
   return (vu)a;
#else
   typedef uint32_t pair __attribute__((vector_size(32)));
   const pair ab =
       __builtin_shufflevector(a, load_quad(lanes, first / 4 + 1, dst), 0, 1, 2, 3, 4, 5, 6, 7);
#if EMUL_BLEND_LANES == 8
   return (vu)ab;
#else
   const pair cd = __builtin_shufflevector(load_quad(lanes, 2, dst), load_quad(lanes, 3, dst), 0, 1,
                                           2, 3, 4, 5, 6, 7);
   return (vu)__builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
#endif
}

/* Elements of the lanes from first on, with all channels. */
BLEND_INLINE vu
group_elements(const struct emul_draw_state *state, unsigned rt, unsigned lanes, unsigned first,
               const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   const struct attila_format_desc *desc = state->color_format[rt];
   struct blend_color s, d;
   for (unsigned i = 0; i < 4; i++)
      memcpy(&s.c[i], &color->c[i][first], sizeof(s.c[i]));
   if (state->regs.color[rt].blend_enable) {
      clamp_source(state, desc->type, &s);
      load_bytes(desc, load_quads(lanes, first, dst), &d);
      blend_with(state, rt, &d, &s);
   } else if (state->regs.alpha_to_one && state->samples > 1) {
      s.c[3] = splat(1.0f);
   }
   return to_bytes(desc, &s);
}

/* What is written as a whole is not read: the host would wait for it. */
static inline void
store_quad(unsigned lanes, uint32_t channels, quad value, uint8_t *dst)
{
   if (!lanes)
      return;
   if (lanes != 15 || channels != UINT32_MAX) {
      const quad covered = (quad)(((quad){1, 2, 4, 8} & lanes) != 0) & channels;
      quad old;
      memcpy(&old, dst, 16);
      value = (value & covered) | (old & ~covered);
   }
   memcpy(dst, &value, 16);
}

void
EMUL_BLEND_NAME(const struct emul_draw_state *state, unsigned rt, unsigned lanes,
                const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   const uint32_t channels =
       written_bits(state->color_format[rt], state->regs.color[rt].write_mask);
   uint32_t elements[EMUL_LANES];
   for (unsigned first = 0; first < EMUL_LANES && lanes >> first; first += EMUL_BLEND_LANES) {
      const vu v = group_elements(state, rt, lanes, first, color, dst);
      memcpy(&elements[first], &v, sizeof(v));
   }
   for (unsigned q = 0; lanes >> 4 * q; q++) {
      quad value;
      memcpy(&value, &elements[4 * q], 16);
      store_quad(lanes >> 4 * q & 15, channels, value, dst[q]);
   }
}

#endif
