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

/* Elements of the lanes from first on, with all channels. */
BLEND_INLINE vu
group_elements(const struct emul_draw_state *state, unsigned rt, unsigned lanes, unsigned first,
               const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   const struct attila_format_desc *desc = state->color_format[rt];
   struct blend_color s, d;
   uint32_t old[EMUL_BLEND_LANES] = {0};
   vu v;
   for (unsigned i = 0; i < 4; i++)
      memcpy(&s.c[i], &color->c[i][first], sizeof(s.c[i]));
   if (state->regs.color[rt].blend_enable) {
      clamp_source(state, desc->type, &s);
      for (unsigned i = 0; i < EMUL_BLEND_LANES; i += 4) {
         if (lanes >> (first + i) & 15)
            memcpy(&old[i], dst[(first + i) / 4], 16);
      }
      memcpy(&v, old, sizeof(v));
      load_bytes(desc, v, &d);
      blend_with(state, rt, &d, &s);
   } else if (state->regs.alpha_to_one && state->samples > 1) {
      s.c[3] = splat(1.0f);
   }
   return to_bytes(desc, &s);
}

void
EMUL_BLEND_NAME(const struct emul_draw_state *state, unsigned rt, unsigned lanes,
                const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   typedef uint32_t quad __attribute__((vector_size(16)));
   const uint32_t channels =
       written_bits(state->color_format[rt], state->regs.color[rt].write_mask);
   uint32_t elements[EMUL_LANES];
   for (unsigned first = 0; first < EMUL_LANES && lanes >> first; first += EMUL_BLEND_LANES) {
      const vu v = group_elements(state, rt, lanes, first, color, dst);
      memcpy(&elements[first], &v, sizeof(v));
   }
   for (unsigned q = 0; lanes >> 4 * q; q++) {
      quad old, value, covered = (quad)(((quad){1, 2, 4, 8} & lanes >> 4 * q) != 0) & channels;
      if (!(lanes >> 4 * q & 15))
         continue;
      memcpy(&old, dst[q], 16);
      memcpy(&value, &elements[4 * q], 16);
      value = (value & covered) | (old & ~covered);
      memcpy(dst[q], &value, 16);
   }
}

#endif
