/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A cube map's faces: their planes and shared edges. The plan (emul_tex_plan.h) finds a direction's
 * face. */
#ifndef EMUL_TEX_CUBE_H
#define EMUL_TEX_CUBE_H

#include "emul/texture/emul_tex_vec.h"

/* Returns a direction's coordinates in a face's plane: OpenGL's sc and tc negated, and the major
 * coordinate's size. Linear, so it maps gradients too. */
SIM_INLINE void
cube_to_plane(vi face, const vf v[3], vf out[3])
{
   vi is_x = face < 2, is_y = (face & 2) != 0;
   vf sign = vf_sel((face & 1) != 0, vf_all(-1.0f), vf_all(1.0f));
   out[0] = vf_sel(is_x, sign * v[2], vf_sel(is_y, -v[0], sign * -v[0]));
   out[1] = vf_sel(is_y, sign * -v[2], v[1]);
   out[2] = sign * vf_sel(is_x, v[0], vf_sel(is_y, v[1], v[2]));
}

/* Where a texel beyond a face's edge lies: direction 0 x < 0, 1 x > max, 2 y < 0, 3 y > max. The
 * new coordinate is 0, max, the old x or y, or max minus one of these. */
enum { AT_0, AT_MAX, AT_X, AT_Y, AT_MAX_X, AT_MAX_Y };
static const struct {
   uint8_t face, x, y;
} cube_neighbour[6][4] = {
    {{4, AT_MAX, AT_Y}, {5, AT_0, AT_Y}, {2, AT_MAX, AT_MAX_X}, {3, AT_MAX, AT_X}},
    {{5, AT_MAX, AT_Y}, {4, AT_0, AT_Y}, {2, AT_0, AT_X}, {3, AT_0, AT_MAX_X}},
    {{1, AT_Y, AT_0}, {0, AT_MAX_Y, AT_0}, {5, AT_MAX_X, AT_0}, {4, AT_X, AT_0}},
    {{1, AT_MAX_Y, AT_MAX}, {0, AT_Y, AT_MAX}, {4, AT_X, AT_MAX}, {5, AT_MAX_X, AT_MAX}},
    {{1, AT_MAX, AT_Y}, {0, AT_0, AT_Y}, {2, AT_X, AT_MAX}, {3, AT_X, AT_0}},
    {{0, AT_MAX, AT_Y}, {1, AT_0, AT_Y}, {2, AT_MAX_X, AT_0}, {3, AT_MAX_X, AT_MAX}},
};

static int32_t
cube_coordinate(unsigned at, int32_t x, int32_t y, int32_t max)
{
   const int32_t values[] = {0, max, x, y, max - x, max - y};
   return values[at];
}

/* Moves texels that left their face to the neighbour. Returns the lanes beyond a corner, which has
 * no neighbour; they keep their coordinates. */
SIM_INLINE vi
cross_cube_edges(vi *px, vi *py, vi *pface, vi size)
{
   vi outside_x = (*px < 0) | (*px >= size), outside_y = (*py < 0) | (*py >= size),
      corner = outside_x & outside_y;
   unsigned lanes = vi_bits((outside_x | outside_y) & ~corner);
   for (; lanes; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);
      int32_t max = size[i] - 1, x = (*px)[i], y = (*py)[i], face = (*pface)[i];
      unsigned direction = x < 0 ? 0 : x > max ? 1 : y < 0 ? 2 : 3;
      /* Filters reach one texel beyond the edge, so the distance does not matter. */
      (*px)[i] = cube_coordinate(cube_neighbour[face][direction].x, x, y, max);
      (*py)[i] = cube_coordinate(cube_neighbour[face][direction].y, x, y, max);
      (*pface)[i] = cube_neighbour[face][direction].face;
   }
   return corner;
}

#endif
