/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the setup share: a vertex in window coordinates, and the parts that make one
 * kind of primitive. Internal to emul_setup*.c.
 */
#ifndef EMUL_SETUP_IMPL_H
#define EMUL_SETUP_IMPL_H

#include "emul/raster/emul_raster.h"

#define SUBPIXELS (1 << EMUL_SUBPIXEL_BITS)

/* Polygon offset and facing of the polygon that a setup comes from, and the pixels it may cover. */
struct emul_facet {
   bool front;
   double offset;
   const int32_t *area;
};

/* Subpixel position of a pixel's centre inside the pixel. */
static inline int64_t
emul_centre(const struct emul_draw_state *state)
{
   return state->regs.half_pixel_center ? SUBPIXELS / 2 : 0;
}

/* Pixels touched by [x0, x1] x [y0, y1] in subpixels, limited to area; false: none. */
bool emul_setup_bounds(struct emul_setup *s, const int64_t x[], const int64_t y[], unsigned num,
                       const int32_t area[4]);
/* Depth plane through z at barycentric coordinates s->l, with the offset; z1 and z2 belong to l[0]
 * and l[1]. */
void emul_setup_depth(struct emul_setup *s, double z0, double z1, double z2, double offset);
/* Perspective planes from s->l and 1 / w. */
void emul_setup_perspective(struct emul_setup *s, double w0, double w1, double w2);
/* Edge function i from (x0, y0) to (x1, y1) with the inside where the area is positive; half-open
 * by the fill rule. */
void emul_setup_edge(struct emul_setup *s, unsigned i, int64_t x0, int64_t y0, int64_t x1,
                     int64_t y1);

/* Of the pixels of a tile in mask, those where every one of n edge functions e + a * x + b * y is
 * not negative. Blocks of 4x4 without a pixel in mask are skipped. The n-th variant this host can
 * run, the fastest first; NULL past the last. */
typedef uint64_t (*emul_edge_mask_fn)(unsigned n, const int32_t *a, const int32_t *b,
                                      const int32_t *e, uint64_t mask);
emul_edge_mask_fn emul_edge_mask_get(unsigned n);

bool emul_setup_line(struct emul_setup *s, const struct emul_window w[2],
                     const struct emul_facet *facet, uint32_t *stipple);
bool emul_setup_point(struct emul_setup *s, const struct emul_window *w,
                      const struct emul_facet *facet);

#endif
