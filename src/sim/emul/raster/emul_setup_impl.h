/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files emul_setup*.c share: a vertex in window coordinates, and steps of making a
 * primitive. */
#ifndef EMUL_SETUP_IMPL_H
#define EMUL_SETUP_IMPL_H

#include "emul/raster/emul_raster.h"

#define SUBPIXELS (1 << EMUL_SUBPIXEL_BITS)

/* A polygon's offset and facing, and the pixels it may cover. */
struct emul_facet {
   bool front;
   double offset;
   const int32_t *area;
};

/* Returns the subpixel position of a pixel's centre. */
static inline int64_t
emul_centre(const struct emul_draw_state *state)
{
   return state->regs.half_pixel_center ? SUBPIXELS / 2 : 0;
}

/* Finds the pixels touched by [x0, x1] x [y0, y1] (subpixels) within area; false: none. */
bool emul_setup_bounds(struct emul_setup *s, const int64_t x[], const int64_t y[], unsigned num,
                       const int32_t area[4]);
/* Computes the depth plane, with the offset, from z at barycentric coordinates s->l; z1 and z2
 * belong to l[0] and l[1]. */
void emul_setup_depth(struct emul_setup *s, double z0, double z1, double z2, double offset);
/* Computes perspective planes from s->l and 1 / w. */
void emul_setup_perspective(struct emul_setup *s, double w0, double w1, double w2);
/* Computes the function of edge i from (x0, y0) to (x1, y1). Inside is where the area is positive;
 * the fill rule decides about the edge itself. */
void emul_setup_edge(struct emul_setup *s, unsigned i, int64_t x0, int64_t y0, int64_t x1,
                     int64_t y1);

/* Returns the pixels in mask where none of n edge functions e + a * x + b * y is negative; skips
 * 4x4 blocks without pixels in mask. emul_edge_mask_get returns the n-th variant that this host can
 * run, fastest first; NULL past the last. */
typedef uint64_t (*emul_edge_mask_fn)(unsigned n, const int32_t *a, const int32_t *b,
                                      const int32_t *e, uint64_t mask);
emul_edge_mask_fn emul_edge_mask_get(unsigned n);

bool emul_setup_line(struct emul_setup *s, const struct emul_window w[2],
                     const struct emul_facet *facet, uint32_t *stipple);
bool emul_setup_point(struct emul_setup *s, const struct emul_window *w,
                      const struct emul_facet *facet);

#endif
