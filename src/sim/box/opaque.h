/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which fragments leave nothing of earlier ones at their place, and which of these need not be
 * shaded then: for forward pixel kill (box/shader/ffu_kill.c) and hidden surface removal
 * (box/raster/interp_hide.c) of a tile-based machine. */
#ifndef OPAQUE_H
#define OPAQUE_H

#include "box/sim_gpu.h"

/* Returns whether what a draw's fragments write replaces what is there in its buffers. */
static inline bool
opaque_colors(const struct emul_draw_state *s)
{
   if (s->regs.logicop_enable)
      return false;
   for (uint32_t m = s->color_mask; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      if (s->regs.color[i].blend_enable || emul_masks_channels(s, i))
         return false;
   }
   return true;
}

/* Returns whether nothing is left of what was at the samples of a draw's quads in the buffers to
 * which it writes. */
static inline bool
opaque_replaces(const struct emul_draw_state *s)
{
   return !s->late_zs && s->fs && !emul_program_isa(s->fs)->uses_kill && !s->drops_samples &&
          !s->regs.alpha_to_coverage && opaque_colors(s);
}

/* Returns whether nothing is missing without a waiting quad once q, which replaces what is at its
 * samples, is written: its depth is written already, its samples are not counted, and q's draw
 * writes to its buffers. */
static inline bool
opaque_may_drop(const struct sim_quad *waiting, const struct sim_quad *q)
{
   const struct emul_draw_state *s = &waiting->draw->state, *over = &q->draw->state;
   if (s->late_zs || s->regs.count_samples || emul_stage_writes(s, ATTILA_STAGE_FRAGMENT) ||
       s->samples != over->samples || (s->color_mask & ~over->color_mask))
      return false;
   for (uint32_t m = s->color_mask; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct attila_color_regs *a = &s->regs.color[i], *b = &over->regs.color[i];
      if (emul_layer_color(s, i, waiting->prim->setup.layer) !=
              emul_layer_color(over, i, q->prim->setup.layer) ||
          a->format != b->format || a->pitch_tiles != b->pitch_tiles)
         return false;
   }
   return true;
}

#endif
