/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Cube maps and anisotropic filtering in double precision: faces, edges and corners by geometry
 * instead of tables, gradients by small steps; and the textures and requests that
 * test_texture_aniso.c compares it with. */
#ifndef ANISO_REFERENCE_H
#define ANISO_REFERENCE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "texture_state.h"

/* --- The reference --- */

/* Major axis, then which coordinates s and t are, as in OpenGL's table of cube map faces. */
static const struct {
   int axis, sign, s_axis, s_sign, t_axis, t_sign;
} faces[6] = {
    {0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
    {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1},
};

static unsigned
face_of(const double d[3])
{
   double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
   if (x >= y && x >= z)
      return d[0] >= 0 ? 0 : 1;
   if (y >= z)
      return d[1] >= 0 ? 2 : 3;
   return d[2] >= 0 ? 4 : 5;
}

/* s and t (0..1 on the face) of the point where a direction meets the plane of a face. */
static void
on_plane(unsigned face, const double d[3], double st[2])
{
   double major = fabs(d[faces[face].axis]);
   st[0] = (faces[face].s_sign * d[faces[face].s_axis] / major + 1) / 2;
   st[1] = (faces[face].t_sign * d[faces[face].t_axis] / major + 1) / 2;
}

/* The point of the cube (-1..1) that a position of a face is. */
static void
cube_point(unsigned face, double s, double t, double p[3])
{
   p[faces[face].axis] = faces[face].sign;
   p[faces[face].s_axis] = faces[face].s_sign * (2 * s - 1);
   p[faces[face].t_axis] = faces[face].t_sign * (2 * t - 1);
}

static double
stored(const struct emul_tex_state *st, unsigned level, int x, int y, int z)
{
   float v;
   memcpy(&v, element(st, level, (unsigned)x, (unsigned)y, (unsigned)z), 4);
   return v;
}

/* A texel one step beyond one edge: its centre is folded around the edge. */
static double
cube_texel(const struct emul_tex_state *st, unsigned level, unsigned face, int x, int y)
{
   int size = (int)attila_minify(st->regs.width, level);
   bool x_out = x < 0 || x >= size, y_out = y < 0 || y >= size;
   if (!x_out && !y_out)
      return stored(st, level, x, y, (int)face);
   int inner_x = x < 0       ? 0
                 : x >= size ? size - 1
                             : x,
       inner_y = y < 0       ? 0
                 : y >= size ? size - 1
                             : y;
   if (x_out && y_out)
      return (stored(st, level, inner_x, inner_y, (int)face) +
              cube_texel(st, level, face, x, inner_y) + cube_texel(st, level, face, inner_x, y)) /
             3;
   double p[3], uv[2];
   cube_point(face, (x + 0.5) / size, (y + 0.5) / size, p);
   int beyond = x_out ? faces[face].s_axis : faces[face].t_axis;
   p[beyond] = p[beyond] < 0 ? -1 : 1;
   p[faces[face].axis] *= 1 - 1.0 / size;
   /* At size 1 the centre is in the middle of its face, whose axis is the one that was left. */
   unsigned next = (unsigned)beyond * 2 + (p[beyond] < 0);
   on_plane(next, p, uv);
   return stored(st, level, (int)floor(uv[0] * size), (int)floor(uv[1] * size), (int)next);
}

static double
lerp(double f, double a, double b)
{
   return a + f * (b - a);
}

static double
cube_level(const struct emul_tex_state *st, unsigned level, const double d[3])
{
   int size = (int)attila_minify(st->regs.width, level);
   unsigned face = face_of(d);
   double uv[2], tap[4];
   on_plane(face, d, uv);
   for (unsigned c = 0; c < 2; c++) {
      uv[c] = uv[c] * size - 0.5;
      if (!st->regs.seamless) /* clamp to edge */
         uv[c] = fmin(fmax(uv[c], 0), size - 1);
   }
   int x = (int)floor(uv[0]), y = (int)floor(uv[1]);
   for (int i = 0; i < 4; i++) {
      int tx = x + (i & 1), ty = y + (i >> 1);
      if (!st->regs.seamless)
         tx = tx < size ? tx : size - 1, ty = ty < size ? ty : size - 1;
      tap[i] = cube_texel(st, level, face, tx, ty);
   }
   return lerp(uv[1] - y, lerp(uv[0] - x, tap[0], tap[1]), lerp(uv[0] - x, tap[2], tap[3]));
}

static int
imod(int a, int n)
{
   return (a % n + n) % n;
}

/* Wraps repeat. */
static double
volume_level(const struct emul_tex_state *st, unsigned level, const double p[3])
{
   int size[3] = {(int)attila_minify(st->regs.width, level),
                  (int)attila_minify(st->regs.height, level),
                  (int)attila_minify(st->regs.depth, level)};
   int i[3];
   double f[3], sum = 0;
   for (unsigned c = 0; c < 3; c++) {
      double u = p[c] * size[c] - 0.5;
      i[c] = (int)floor(u);
      f[c] = u - i[c];
   }
   for (int k = 0; k < 8; k++) {
      double w = (k & 1 ? f[0] : 1 - f[0]) * (k & 2 ? f[1] : 1 - f[1]) * (k & 4 ? f[2] : 1 - f[2]);
      int x = imod(i[0] + (k & 1), size[0]), y = imod(i[1] + (k >> 1 & 1), size[1]),
          z = imod(i[2] + (k >> 2), size[2]);
      sum += w * stored(st, level, x, y, z);
   }
   return sum;
}

static double
ref_level(const struct emul_tex_state *st, unsigned level, const double p[3])
{
   return st->regs.target == ATTILA_TEX_CUBE ? cube_level(st, level, p)
                                             : volume_level(st, level, p);
}

/* A gradient in texels of the first level; for cube maps on the face at p. */
static void
gradient_in_texels(const struct emul_tex_state *st, const double p[3], const double d[3],
                   double out[3])
{
   double size[3] = {st->regs.width, st->regs.height, st->regs.depth};
   if (st->regs.target != ATTILA_TEX_CUBE) {
      for (unsigned c = 0; c < 3; c++)
         out[c] = d[c] * size[c];
      return;
   }
   double a[3], b[3], sa[2], sb[2], e = 1e-6;
   for (unsigned c = 0; c < 3; c++)
      a[c] = p[c] - e * d[c], b[c] = p[c] + e * d[c];
   on_plane(face_of(p), a, sa);
   on_plane(face_of(p), b, sb);
   for (unsigned c = 0; c < 2; c++)
      out[c] = (sb[c] - sa[c]) / (2 * e) * size[0];
   out[2] = 0;
}

static double
dot(const double a[3], const double b[3])
{
   return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static struct emul_tex_quality quality;

struct footprint {
   unsigned samples;
   double lod;
   double axis[3]; /* the long one, in coordinates */
   bool sharp;     /* close to where the number of samples or the axis changes */
};

/* How many samples a ratio takes. */
static unsigned
samples_of(double ratio, unsigned most, bool *sharp)
{
   unsigned step = quality.even_samples ? 2 : 1, whole = (unsigned)(ratio / step) * step;
   double over = (ratio - whole) / step;
   unsigned samples = over > quality.aniso_round ? whole + step : whole;
   *sharp = fabs(over - quality.aniso_round) < 1e-3 || over < 1e-3 || over > 0.999;
   samples = samples ? samples : 1;
   return samples < most ? samples : most;
}

/* The axes at an angle between the gradients: long, short, ratio; the long one in coordinates. */
struct axes {
   double longer[3], shorter[3], ratio, axis[3];
};
static struct axes
axes_at(double angle, const double x[3], const double y[3], const double dx[3], const double dy[3])
{
   struct axes a;
   double u[3], v[3], du[3], dv[3];
   for (unsigned c = 0; c < 3; c++) {
      u[c] = cos(angle) * x[c] + sin(angle) * y[c], du[c] = cos(angle) * dx[c] + sin(angle) * dy[c];
      v[c] = cos(angle) * y[c] - sin(angle) * x[c], dv[c] = cos(angle) * dy[c] - sin(angle) * dx[c];
   }
   bool first = dot(u, u) > dot(v, v);
   memcpy(a.longer, first ? u : v, sizeof(u));
   memcpy(a.shorter, first ? v : u, sizeof(u));
   memcpy(a.axis, first ? du : dv, sizeof(du));
   a.ratio = sqrt(dot(a.longer, a.longer) / dot(a.shorter, a.shorter));
   return a;
}

static struct footprint
footprint_of(const struct emul_tex_state *st, const double p[3], const double dx[3],
             const double dy[3])
{
   const double pi = acos(-1);
   double x[3], y[3];
   gradient_in_texels(st, p, dx, x);
   gradient_in_texels(st, p, dy, y);
   struct footprint f = {.samples = 1, .lod = log2(sqrt(fmax(dot(x, x), dot(y, y))))};
   if (st->regs.max_aniso <= 1)
      return f;
   double angle = quality.aniso_algorithm == EMUL_TEX_ANISO_EWA
                      ? 0.5 * atan2(2 * dot(x, y), dot(x, x) - dot(y, y))
                      : 0;
   struct axes a = axes_at(angle, x, y, dx, dy), d = axes_at(pi / 4, x, y, dx, dy);
   if (quality.aniso_algorithm == EMUL_TEX_ANISO_FOUR_AXIS ||
       quality.aniso_algorithm == EMUL_TEX_ANISO_RECTANGULAR) {
      f.sharp |= fabs(a.ratio - d.ratio) < 1e-3;
      a = d.ratio > a.ratio ? d : a;
   }
   double length = sqrt(dot(a.longer, a.longer));
   if (quality.aniso_algorithm == EMUL_TEX_ANISO_RECTANGULAR) {
      double along = dot(a.longer, a.shorter) / length;
      a.ratio = (length + fabs(along)) / sqrt(dot(a.shorter, a.shorter) - along * along);
   }
   bool sharp = false;
   f.samples = length > 1 ? samples_of(fmin(a.ratio, 1e6), st->regs.max_aniso, &sharp) : 1;
   f.sharp |= fabs(length - 1) < 1e-3 || a.ratio < 1.01 || (length > 1 && sharp);
   f.lod = log2(length / (length > 1 ? fmin(a.ratio, st->regs.max_aniso) : 1));
   memcpy(f.axis, a.axis, sizeof(f.axis));
   return f;
}

/* False: rounding may decide, do not compare. */
static bool
ref_sample(const struct emul_tex_state *st, const double p[3], const double dx[3],
           const double dy[3], double *out)
{
   struct footprint f = footprint_of(st, p, dx, dy);
   double lod = fmin(fmax(f.lod, 0), st->regs.num_levels - 1), sum = 0;
   unsigned level = (unsigned)floor(lod);
   for (unsigned i = 1; i <= f.samples; i++) {
      double at[3], offset = f.samples > 1 ? (double)i / (f.samples + 1) - 0.5 : 0;
      for (unsigned c = 0; c < 3; c++)
         at[c] = p[c] + offset * f.axis[c];
      double ax = fabs(at[0]), ay = fabs(at[1]), az = fabs(at[2]), largest = fmax(ax, fmax(ay, az));
      /* Without seamless filtering neighbouring faces do not agree at their edge. */
      if (st->regs.target == ATTILA_TEX_CUBE && !st->regs.seamless &&
          (ax > 0.9999 * largest) + (ay > 0.9999 * largest) + (az > 0.9999 * largest) != 1)
         return false;
      double v = ref_level(st, level, at);
      if (lod > level)
         v = lerp(lod - level, v, ref_level(st, level + 1, at));
      sum += v;
   }
   *out = sum / f.samples;
   return !f.sharp;
}

/* --- Textures --- */

static void
texture(struct emul_tex_state *st, unsigned target, unsigned size, unsigned depth, unsigned levels,
        unsigned max_aniso, bool seamless)
{
   depth = target == ATTILA_TEX_CUBE ? 6 : depth;
   struct attila_tex_regs r =
       default_regs(target, ATTILA_FORMAT_R32_FLOAT, size, size, depth, levels);
   r.mag_filter = r.min_filter = ATTILA_FILTER_LINEAR;
   r.mip_filter = ATTILA_MIP_LINEAR;
   r.max_aniso = max_aniso;
   r.seamless = seamless;
   r.wrap_s = r.wrap_t = r.wrap_r =
       target == ATTILA_TEX_CUBE ? ATTILA_WRAP_CLAMP_TO_EDGE : ATTILA_WRAP_REPEAT;
   emul_tex_state_init(st, &r, &quality, MEMORY);
   assert_true(st->valid);
}

/* Any that a configuration can name. */
static void
random_quality(void)
{
   quality = EMUL_TEX_QUALITY_DEFAULT;
   quality.aniso_algorithm = below(EMUL_TEX_NUM_ANISO);
   if (below(3) == 0)
      quality.max_aniso = 1 + below(16);
   quality.force_max_aniso = below(8) == 0;
   quality.even_samples = below(4) == 0;
   quality.aniso_round = below(3) ? 0 : uniform(0, 1);
}

static unsigned
slices(const struct emul_tex_state *st, unsigned level)
{
   return st->regs.target == ATTILA_TEX_CUBE ? 6 : attila_minify(st->regs.depth, level);
}

static void
random_texels(const struct emul_tex_state *st)
{
   for (unsigned l = 0; l < st->regs.num_levels; l++)
      for (unsigned z = 0; z < slices(st, l); z++)
         for (unsigned y = 0; y < attila_minify(st->regs.height, l); y++)
            for (unsigned x = 0; x < attila_minify(st->regs.width, l); x++) {
               float v = uniform(0, 1);
               memcpy(element(st, l, x, y, z), &v, 4);
            }
}

/* Coordinate c of a quad, whose lower left lane is at p. */
static __attribute__((noinline)) void
set_quad(struct emul_tex_request *req, unsigned quad, unsigned c, float p, float dx, float dy)
{
   static const float right[4] = {0, 1, 0, 1}, up[4] = {1, 1, 0, 0};
   for (unsigned i = 0; i < 4; i++) {
      req->coord[c][quad * 4 + i] = p + right[i] * dx + up[i] * dy;
      req->ddx[c][quad * 4 + i] = dx;
      req->ddy[c][quad * 4 + i] = dy;
   }
}

/* A point with gradients whose lengths have a ratio; the same in all lanes' quads, read by TEX and
 * TXD alike. */
static void
random_request(struct emul_tex_request *req, bool cube, float longer, float ratio)
{
   *req = (struct emul_tex_request){
       .op = below(2) ? ATTILA_OP_TEX : ATTILA_OP_TXD, .mask = 0xffff, .has_quads = true};
   for (unsigned q = 0; q < 4; q++) {
      float p[3], d[2][3], scale = cube ? uniform(0.3f, 4) : 1;
      unsigned first = below(2);
      for (unsigned c = 0; c < 3; c++) {
         p[c] = cube ? uniform(-1, 1) : uniform(-1, 2);
         d[first][c] = uniform(-1, 1) * longer * scale;
         d[!first][c] = uniform(-1, 1) * longer / ratio * scale;
      }
      if (cube && below(2)) { /* close to an edge or a corner */
         unsigned a = below(3);
         float major = p[a] < 0 ? -1.0f : 1.0f;
         p[a] = major;
         p[(a + 1) % 3] = (below(2) ? -1.0f : 1.0f) * uniform(0.95f, 1.05f);
         if (below(2))
            p[(a + 2) % 3] = (below(2) ? -1.0f : 1.0f) * uniform(0.95f, 1.05f);
      }
      for (unsigned c = 0; c < 3; c++)
         set_quad(req, q, c, p[c] * scale, d[0][c], d[1][c]);
   }
   if (req->op == ATTILA_OP_TXD)
      return;
   for (unsigned lane = 0; lane < 16; lane++)
      for (unsigned c = 0; c < 3; c++) {
         const float *v = &req->coord[c][lane & ~3u];
         req->ddx[c][lane] = v[3] - v[2];
         req->ddy[c][lane] = v[0] - v[2];
      }
}

static void
lane_of(const struct emul_tex_request *req, unsigned lane, double p[3], double dx[3], double dy[3])
{
   for (unsigned c = 0; c < 3; c++)
      p[c] = req->coord[c][lane], dx[c] = req->ddx[c][lane], dy[c] = req->ddy[c][lane];
}

#endif
