/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A pixel's footprint in a texture: its gradients along x and y, their level of detail, and the two
 * axes that stand for it, by each algorithm of enum emul_tex_aniso. Samples along the long axis:
 * emul_tex_plan.h. */
#ifndef EMUL_TEX_FOOTPRINT_H
#define EMUL_TEX_FOOTPRINT_H

#include "emul/texture/emul_tex_vec.h"

/* A footprint's long and short axis as x * dx + y * dy, with squared lengths. */
struct footprint {
   vf x, y; /* the long axis */
   vf length2, ratio_long2, ratio_short2;
};

/* Makes a footprint of two axes with squared lengths a2 and b2, given as weights of dx and dy. */
SIM_INLINE struct footprint
footprint_of(vf a2, vf ax, vf ay, vf b2, vf bx, vf by)
{
   vi first = a2 > b2;
   vf longer = vf_sel(first, a2, b2), shorter = vf_sel(first, b2, a2);
   return (struct footprint){vf_sel(first, ax, bx), vf_sel(first, ay, by), longer, longer, shorter};
}

/* Replaces the parallelogram of the two axes by the rectangle around it along the long axis; dot:
 * their scalar product. */
SIM_INLINE void
footprint_rectangle(struct footprint *f, vf dot)
{
   vf along2 = dot * dot / f->length2, length = vf_sqrt(f->length2) + vf_sqrt(along2);
   f->ratio_short2 = vf_max(f->ratio_short2 - along2, vf_all(0.0f));
   f->ratio_long2 = length * length;
}

/* Makes the axes of the ellipse that x, y with x * x + y * y = 1 draw. */
SIM_INLINE struct footprint
footprint_ellipse(vf px2, vf py2, vf dot)
{
   vf sum = px2 + py2, difference = px2 - py2,
      root = vf_sqrt(difference * difference + 4.0f * dot * dot);
   vi round = ~(root > 0.0f);
   /* cos and sin of half the angle with cosine difference / root. */
   vf c = vf_sel(round, vf_all(1.0f), difference / root);
   vf x = vf_sqrt(vf_max(0.5f + 0.5f * c, vf_all(0.0f)));
   vf y = vf_sqrt(vf_max(0.5f - 0.5f * c, vf_all(0.0f)));
   vf longer = 0.5f * (sum + root), shorter = vf_max(0.5f * (sum - root), vf_all(0.0f));
   return (struct footprint){x, vf_sel(dot < 0.0f, -y, y), longer, longer, shorter};
}

SIM_INLINE struct footprint
plan_footprint(unsigned algorithm, unsigned n, const vf dx[3], const vf dy[3])
{
   vf px2 = dx[0] * dx[0] + dx[1] * dx[1], py2 = dy[0] * dy[0] + dy[1] * dy[1],
      dot = dx[0] * dy[0] + dx[1] * dy[1], one = vf_all(1.0f), zero = vf_all(0.0f),
      half = vf_all(0x1.6a09e6p-1f); /* square root of 1/2 */
   if (n == 3) {
      px2 += dx[2] * dx[2];
      py2 += dy[2] * dy[2];
      dot += dx[2] * dy[2];
   }
   if (algorithm == EMUL_TEX_ANISO_EWA)
      return footprint_ellipse(px2, py2, dot);
   struct footprint f = footprint_of(px2, one, zero, py2, zero, one);
   if (algorithm == EMUL_TEX_ANISO_TWO_AXIS)
      return f;
   vf mean = 0.5f * (px2 + py2);
   struct footprint d =
       footprint_of(vf_max(mean + dot, zero), half, half, vf_max(mean - dot, zero), half, -half);
   vi diagonal = d.length2 * f.ratio_short2 > f.length2 * d.ratio_short2;
   if (algorithm == EMUL_TEX_ANISO_RECTANGULAR) {
      footprint_rectangle(&f, dot);
      footprint_rectangle(&d, 0.5f * (px2 - py2));
   }
   return (struct footprint){vf_sel(diagonal, d.x, f.x), vf_sel(diagonal, d.y, f.y),
                             vf_sel(diagonal, d.length2, f.length2),
                             vf_sel(diagonal, d.ratio_long2, f.ratio_long2),
                             vf_sel(diagonal, d.ratio_short2, f.ratio_short2)};
}

/* Returns lambda (OpenGL 2.1, equation 3.18) of rho squared (equation 3.21): the longer gradient's
 * squared length in texels. */
SIM_INLINE vf
tex_lambda(vf rho2)
{
   return 0.5f * vf_log2(rho2);
}

/* Returns a coordinate's gradient: TXD's, else the quad's differences. */
SIM_INLINE void
tex_gradient(const struct emul_tex_request *req, unsigned lane, unsigned c, vf *dx, vf *dy)
{
   const vf x = vf_load(&req->coord[c][lane]);
   const bool given = req->op == ATTILA_OP_TXD;
   *dx = given ? vf_load(&req->ddx[c][lane]) : vf_quad_dx(x);
   *dy = given ? vf_load(&req->ddy[c][lane]) : vf_quad_dy(x);
}

/* Returns the larger of two squared lengths; 0 for NaN. */
SIM_INLINE vf
tex_longer2(vf dx2, vf dy2)
{
   return vf_max(vf_max(dx2, dy2), vf_all(0.0f));
}

/* Returns whether gradients determine the level of detail. */
SIM_INLINE bool
tex_lod_needs_lambda(const struct emul_tex_request *req)
{
   return req->op == ATTILA_OP_TXD || (req->has_quads && req->op != ATTILA_OP_TXL);
}

/* Returns the clamped level of detail; lambda: that of the gradients, or 0. */
SIM_INLINE vf
tex_lod(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
        vf lambda)
{
   vf lod = req->op == ATTILA_OP_TXL ? vf_load(&req->lod[lane]) : lambda;
   if (req->op == ATTILA_OP_TXB)
      lod += vf_load(&req->lod[lane]);
   return tex_clamp_lod(st, lod + st->regs.lod_bias);
}

#endif
