/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Low-resolution Z (box/low_z.h): which triangles hide others, and which tiles they hide.
 * A fragment F is behind the farthest depth that an opaque triangle T leaves in its tile. If T came
 * first, F fails its depth test. If T comes later, F may pass, and T replaces it in all buffers, or
 * another fragment in front of T has done so. So no pixel shows F, if the draws of the lists keep
 * three rules, which low_z_look_at checks:
 * - depths only become nearer: else nothing in the lists hides anything;
 * - no result but its own pixels depends on F: neither counters nor stencil, and no depth test but
 *   LESS and LEQUAL;
 * - a draw that writes depth replaces all that is in the buffers to which draws have written.
 * From the first draw on that breaks one of the last two, triangles do not hide others any more.
 * What earlier ones hide stays hidden: it would fail its test. */
#include "box/low_z.h"
#include "box/opaque.h"
#include "box/rop/rop_cache.h"

void
low_z_init(struct low_z *z, uint32_t size)
{
   *z = (struct low_z){.size = size};
   if (size)
      z->far = sim_xmalloc(size * sizeof(*z->far));
}

static void
low_z_forget(struct low_z *z)
{
   for (uint32_t i = 0; i < z->size; i++)
      z->far[i] = EMUL_ZS_FARTHER;
}

void
low_z_begin(struct low_z *z, uint32_t width, uint32_t height)
{
   z->across = (width + ATTILA_TILE_DIM - 1) / ATTILA_TILE_DIM;
   z->down = (height + ATTILA_TILE_DIM - 1) / ATTILA_TILE_DIM;
   low_z_empty(z);
}

void
low_z_empty(struct low_z *z)
{
   low_z_forget(z);
   z->colors = 0;
   z->adds = z->size != 0;
   z->draw = NULL;
}

/* Returns whether a draw only makes depths nearer. */
static bool
low_z_lowers(const struct emul_draw_state *s)
{
   return s->regs.z_func == ATTILA_FUNC_LESS || s->regs.z_func == ATTILA_FUNC_LEQUAL;
}

/* Returns whether triangles of a draw leave no depth behind their own where they cover a tile. */
static bool
low_z_hides(const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   return s->z_test && s->z_write && sim_draw_tests_early(draw) &&
          (s->fs ? opaque_replaces(s) : !s->color_mask && !s->regs.alpha_to_coverage);
}

/* Finds what primitives of a draw do. */
static void
low_z_look_at(struct low_z *z, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   const bool tests = s->z_test && s->regs.z_func != ATTILA_FUNC_ALWAYS;
   if (s->z_write && !low_z_lowers(s) && s->regs.z_func != ATTILA_FUNC_EQUAL)
      low_z_add_command(z, true);
   if (draw->counts || s->stencil_test || (tests && !low_z_lowers(s)) ||
       (s->z_write && ((z->colors & ~s->color_mask) || !opaque_colors(s))))
      z->adds = false;
   z->hides = z->adds && low_z_hides(draw);
   z->colors |= s->color_mask;
   z->draw = draw;
}

void
low_z_add_command(struct low_z *z, bool depth)
{
   z->adds = false;
   z->draw = NULL;
   if (depth)
      low_z_forget(z);
}

/* --- Triangles that hide others --- */

/* Returns whether a triangle covers all samples of a tile, and none is masked. */
static bool
low_z_covers(const struct emul_setup *s, int32_t x, int32_t y)
{
   const unsigned samples = s->state->samples;
   if (~emul_tile_coverage(s, x, y))
      return false;
   for (unsigned q = 0; samples > 1 && q < ATTILA_TILE_ELEMENTS / 4; q++) {
      if (emul_quad_coverage(s, x + emul_quad_x(q), y + emul_quad_y(q), samples) !=
          (uint32_t)((1ull << 4 * samples) - 1))
         return false;
   }
   return true;
}

/* Returns the place of a tile's depth; size: it has none. */
static uint32_t
low_z_place(const struct low_z *z, uint32_t layer, int32_t x, int32_t y)
{
   const uint64_t i =
       ((uint64_t)layer * z->down + ((uint32_t)y >> 3)) * z->across + ((uint32_t)x >> 3);
   return i < z->size ? (uint32_t)i : z->size;
}

static bool
low_z_finite(const struct emul_setup *s)
{
   return __builtin_isfinite(s->z[0]) && __builtin_isfinite(s->z[1]) && __builtin_isfinite(s->z[2]);
}

uint32_t
low_z_add(struct low_z *z, const struct sim_draw *draw, const struct emul_setup *s)
{
   const int32_t dim = ATTILA_TILE_DIM;
   uint32_t compared = 0;
   if (z->draw != draw)
      low_z_look_at(z, draw);
   if (!z->hides || s->is_point || s->is_line || s->smooth || !low_z_finite(s))
      return 0;
   for (int32_t y = s->miny & -dim; y < s->maxy; y += dim) {
      for (int32_t x = s->minx & -dim; x < s->maxx; x += dim) {
         const uint32_t i = low_z_place(z, s->layer, x, y);
         float near, far;
         compared++;
         if (i == z->size || !low_z_covers(s, x, y))
            continue;
         emul_tile_depth_range(s, x, y, &near, &far);
         const uint32_t code = emul_zs_code(draw->state.zs_format, far);
         z->far[i] = code < z->far[i] ? code : z->far[i];
      }
   }
   return compared;
}

/* --- What they hide --- */

bool
low_z_hidden(const struct low_z *z, const struct sim_prim *p, int32_t x, int32_t y)
{
   const struct emul_draw_state *s = &p->draw->state;
   const uint32_t i = low_z_place(z, p->setup.layer, x, y);
   float near, far;
   if (i == z->size || z->far[i] == EMUL_ZS_FARTHER || !s->z_test || !low_z_finite(&p->setup) ||
       (s->fs && emul_program_isa(s->fs)->writes_depth) || !emul_stencil_keeps(s) ||
       !(low_z_lowers(s) || s->regs.z_func == ATTILA_FUNC_EQUAL))
      return false;
   emul_tile_depth_range(&p->setup, x, y, &near, &far);
   return emul_zs_code(s->zs_format, near) > z->far[i];
}
