/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Watched draws: counts the fragments of each pixel, those that passed every test, and marks the
 * pixels on edges of primitives. The caller is cli_picture_cover.c. */
#include "func/sim_func_impl.h"

/* Returns pixel p of the quad at (x, y). */
static struct sim_func_cover_pixel *
func_cover_at(const struct sim_func_cover *c, int32_t x, int32_t y, unsigned p)
{
   return &c->pixel[(size_t)(y + (int32_t)(p >> 1)) * c->width + (size_t)(x + (int32_t)(p & 1))];
}

/* Marks the edges in a quad of a tile: of a triangle its outline, also where it covers nothing; of
 * points and lines all that they cover. */
static void
func_cover_edges(struct sim_func_cover *c, const struct emul_setup *s, int32_t x, int32_t y,
                 uint32_t covered)
{
   const int32_t *scissor = s->state->scissor;
   const bool triangle = !s->is_point && !s->is_line;
   for (uint32_t m = triangle ? emul_quad_outline(s, x, y) : covered; m; m &= m - 1) {
      const unsigned p = (unsigned)__builtin_ctz(m);
      const int32_t px = x + (int32_t)(p & 1), py = y + (int32_t)(p >> 1);
      if (px >= scissor[0] && py >= scissor[1] && px < scissor[2] && py < scissor[3])
         func_cover_at(c, x, y, p)->edge = true;
   }
}

static void
func_cover_tile(struct sim_func_cover *c, const struct emul_setup *s, int32_t x, int32_t y)
{
   for (unsigned q = 0; q < ATTILA_TILE_ELEMENTS / 4; q++) {
      const int32_t qx = x + emul_quad_x(q), qy = y + emul_quad_y(q);
      const uint32_t mask = emul_quad_coverage(s, qx, qy, s->state->samples),
                     covered = sim_quad_pixels(mask);
      /* Samples that are shaded by themselves are fragments of their own. */
      for (uint32_t m = s->state->sample_shading ? mask : covered; m; m &= m - 1)
         func_cover_at(c, qx, qy, (unsigned)__builtin_ctz(m) & 3)->fragments++;
      func_cover_edges(c, s, qx, qy, covered);
   }
}

void
func_cover_primitive(struct sim_func_cover *c, const struct emul_setup *s)
{
   if (s->layer)
      return;
   /* Edges go through pixels at most one beside those that the primitive may cover. */
   for (int32_t y = (s->miny - 1) & ~(ATTILA_TILE_DIM - 1); y <= s->maxy; y += ATTILA_TILE_DIM) {
      for (int32_t x = (s->minx - 1) & ~(ATTILA_TILE_DIM - 1); x <= s->maxx; x += ATTILA_TILE_DIM)
         func_cover_tile(c, s, x, y);
   }
}

void
func_cover_passed(const struct func_worker *w)
{
   const struct func_group *g = w->group;
   if (w->layer)
      return;
   for (unsigned i = 0; i < g->count; i++) {
      for (uint32_t m = sim_quad_pixels(g->mask[i]); m; m &= m - 1)
         func_cover_at(w->pass->cover, g->x[i], g->y[i], (unsigned)__builtin_ctz(m))->passed++;
   }
}
