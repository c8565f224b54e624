/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture sampling against a plain reference in double precision, written from OpenGL's definitions
 * lane by lane. Not here: what holds for every state (test_texture_states.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/format/emul_format.h"
#include "texture_state.h"

/* --- The reference --- */

static void
ref_texel(const struct emul_tex_state *st, unsigned level, int x, int y, int z, double out[4])
{
   const struct attila_tex_regs *r = &st->regs;
   const struct attila_format_desc *d = &attila_formats[r->format];
   int w = (int)attila_minify(r->width, level), h = (int)attila_minify(r->height, level);
   int depth = (int)(r->target == ATTILA_TEX_3D ? attila_minify(r->depth, level) : r->depth);
   if (r->target == ATTILA_TEX_1D || r->target == ATTILA_TEX_1D_ARRAY)
      y = 0, h = 1;
   if (x < 0 || x >= w || y < 0 || y >= h || z < 0 || z >= depth) {
      for (unsigned c = 0; c < 4; c++) {
         bool clamped = d->type != ATTILA_TYPE_FLOAT &&
                        !(d->type == ATTILA_TYPE_ZS && d->channel[0].bits == 32);
         out[c] = clamped ? fmin(fmax(r->border[c], d->type == ATTILA_TYPE_SNORM ||
                                                            d->type == ATTILA_TYPE_RGTC_SNORM ||
                                                            d->type == ATTILA_TYPE_EAC_SNORM
                                                        ? -1
                                                        : 0),
                                 1)
                          : r->border[c];
      }
      return;
   }
   float rgba[4];
   uint32_t a =
       r->address + st->layout.level_offset[level] + (uint32_t)z * st->layout.slice_stride[level] +
       attila_element_offset(st->layout.pitch_tiles[level], 1, d->bytes,
                             (uint32_t)x / d->block_width, (uint32_t)y / d->block_height, 0);
   emul_format_unpack(r->format, memory + a,
                      (unsigned)(y % d->block_height * 4 + x % d->block_width), rgba);
   for (unsigned c = 0; c < 4; c++)
      out[c] = rgba[c];
}

static int
imod(int a, int n)
{
   return (a % n + n) % n;
}

/* Texel indices and weights of an axis, as tables 8.20 of the OpenGL specification and the mirror
 * clamp extensions define them. */
static unsigned
ref_axis(unsigned wrap, bool linear, bool unnormalized, double s, int size, int index[2],
         double weight[2])
{
   double n = size;
   if (!unnormalized)
      s *= n;
   switch (wrap) {
   case ATTILA_WRAP_CLAMP:
      s = linear ? fmin(fmax(s, 0), n) : fmin(fmax(s, 0.5), n - 0.5);
      break;
   case ATTILA_WRAP_CLAMP_TO_EDGE:
      s = fmin(fmax(s, 0.5), n - 0.5);
      break;
   case ATTILA_WRAP_CLAMP_TO_BORDER:
      s = fmin(fmax(s, -0.5), n + 0.5);
      break;
   case ATTILA_WRAP_MIRROR_REPEAT:
      s = fmod(fmod(s, 2 * n) + 2 * n, 2 * n);
      s = s > n ? 2 * n - s : s;
      s = fmin(fmax(s, 0.5), n - 0.5);
      break;
   case ATTILA_WRAP_MIRROR_CLAMP:
      s = fmin(fabs(s), linear ? n : n - 0.5);
      break;
   case ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE:
      s = fmin(fmax(fabs(s), 0.5), n - 0.5);
      break;
   case ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER:
      s = fmin(fabs(s), n + 0.5);
      break;
   }
   double u = linear ? s - 0.5 : s;
   index[0] = (int)floor(u);
   weight[1] = u - floor(u);
   weight[0] = 1 - weight[1];
   if (!linear)
      weight[0] = 1;
   index[1] = index[0] + 1;
   if (wrap == ATTILA_WRAP_REPEAT)
      index[0] = imod(index[0], size), index[1] = imod(index[1], size);
   return linear ? 2 : 1;
}

static bool
compares(unsigned func, double r, double t)
{
   switch (func) {
   case ATTILA_FUNC_NEVER:
      return false;
   case ATTILA_FUNC_LESS:
      return r < t;
   case ATTILA_FUNC_EQUAL:
      return r == t;
   case ATTILA_FUNC_LEQUAL:
      return r <= t;
   case ATTILA_FUNC_GREATER:
      return r > t;
   case ATTILA_FUNC_NOTEQUAL:
      return r != t;
   case ATTILA_FUNC_GEQUAL:
      return r >= t;
   default:
      return true;
   }
}

static void
ref_level(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
          unsigned level, bool linear, double out[4])
{
   const struct attila_tex_regs *r = &st->regs;
   int ix[2] = {0}, iy[2] = {0}, iz[2] = {0}, w = (int)attila_minify(r->width, level),
       h = (int)attila_minify(r->height, level);
   double wx[2] = {1}, wy[2] = {1}, wz[2] = {1};
   unsigned nx, ny = 1, nz = 1;
   double s = req->coord[0][lane], t = req->coord[1][lane], p = req->coord[2][lane];
   nx = ref_axis(r->wrap_s, linear, r->unnormalized, s, w, ix, wx);
   if (r->target != ATTILA_TEX_1D && r->target != ATTILA_TEX_1D_ARRAY)
      ny = ref_axis(r->wrap_t, linear, r->unnormalized, t, h, iy, wy);
   if (r->target == ATTILA_TEX_3D)
      nz = ref_axis(r->wrap_r, linear, r->unnormalized, p, (int)attila_minify(r->depth, level), iz,
                    wz);
   if (r->target == ATTILA_TEX_2D_ARRAY || r->target == ATTILA_TEX_1D_ARRAY)
      iz[0] =
          (int)fmin(fmax(floor((r->target == ATTILA_TEX_2D_ARRAY ? p : t) + 0.5), 0), r->depth - 1);
   memset(out, 0, 4 * sizeof(double));
   for (unsigned k = 0; k < nz; k++)
      for (unsigned j = 0; j < ny; j++)
         for (unsigned i = 0; i < nx; i++) {
            double texel[4];
            ref_texel(st, level, ix[i], iy[j], iz[k], texel);
            if (r->compare && req->shadow) {
               double ref = req->ref[lane];
               if (attila_formats[r->format].channel[0].bits != 32)
                  ref = fmin(fmax(ref, 0), 1);
               texel[0] = texel[1] = texel[2] = compares(r->compare_func, ref, texel[0]);
               texel[3] = 1;
            }
            for (unsigned c = 0; c < 4; c++)
               out[c] += wx[i] * wy[j] * wz[k] * texel[c];
         }
}

/* Explicit level of detail only. */
static void
ref_sample(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
           double out[4])
{
   const struct attila_tex_regs *r = &st->regs;
   double lod = fmin(fmax(req->lod[lane] + r->lod_bias, r->min_lod), r->max_lod), v[4], next[4];
   int last = (int)r->last_level, level = (int)r->first_level;
   /* OpenGL 2.1, 3.8.9: the constant c. */
   bool half = r->mag_filter == ATTILA_FILTER_LINEAR && r->min_filter == ATTILA_FILTER_NEAREST &&
               r->mip_filter != ATTILA_MIP_NONE;
   bool magnified = lod <= (half ? 0.5 : 0.0), linear = magnified ? r->mag_filter : r->min_filter;
   if (!magnified && r->mip_filter == ATTILA_MIP_NEAREST)
      level = (int)fmin(level + ceil(lod + 0.5) - 1, last);
   if (!magnified && r->mip_filter == ATTILA_MIP_LINEAR)
      level = (int)fmin(level + floor(lod), last);
   ref_level(st, req, lane, (unsigned)level, linear, v);
   if (!magnified && r->mip_filter == ATTILA_MIP_LINEAR && level < last) {
      ref_level(st, req, lane, (unsigned)level + 1, linear, next);
      for (unsigned c = 0; c < 4; c++)
         v[c] += (lod - floor(lod)) * (next[c] - v[c]);
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned s = r->swizzle >> c * 3 & 7;
      out[c] = s < 4 ? v[s] : s == ATTILA_SWIZZLE_1;
   }
}

/* --- Tests --- */

/* A coordinate that is not within 1/16 of a texel edge of any level, so that rounding decides
 * nothing. */
static float
safe_coordinate(unsigned size, bool unnormalized)
{
   float texels = (float)((int)below(5 * size) - (int)(2 * size)) + uniform(0.07f, 0.43f) +
                  (below(2) ? 0.5f : 0.0f);
   return unnormalized ? texels : texels / (float)size;
}

static void
filters_match_the_reference(void **state)
{
   (void)state;
   static const unsigned formats[] = {
       ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_B8G8R8X8_UNORM,
       ATTILA_FORMAT_R8_UNORM,       ATTILA_FORMAT_B5G6R5_UNORM,
       ATTILA_FORMAT_R8G8B8A8_SRGB,  ATTILA_FORMAT_DXT1_RGBA,
       ATTILA_FORMAT_DXT5_SRGBA,     ATTILA_FORMAT_R16G16_UNORM,
       ATTILA_FORMAT_Z16_UNORM,      ATTILA_FORMAT_Z24S8,
       ATTILA_FORMAT_R8G8B8A8_SNORM, ATTILA_FORMAT_R16G16B16A16_UNORM,
       ATTILA_FORMAT_RGTC2_UNORM,    ATTILA_FORMAT_RGTC1_SNORM,
       ATTILA_FORMAT_ETC1_RGB8,      ATTILA_FORMAT_R10G10B10A2_UNORM,
       ATTILA_FORMAT_ETC2_RGB8A1,    ATTILA_FORMAT_ETC2_SRGBA8,
       ATTILA_FORMAT_ETC2_R11_SNORM, ATTILA_FORMAT_ETC2_RG11_UNORM};
   static const unsigned targets[] = {ATTILA_TEX_1D,   ATTILA_TEX_2D,       ATTILA_TEX_3D,
                                      ATTILA_TEX_RECT, ATTILA_TEX_2D_ARRAY, ATTILA_TEX_1D_ARRAY};
   static struct emul_tex_request req;
   random_memory();
   for (unsigned n = 0; n < 20000; n++) {
      unsigned target = targets[below(6)], format = formats[below(20)];
      unsigned w = below(2) ? 1u << below(6) : 1 + below(60),
               h = below(2) ? 1u << below(6) : 1 + below(60), d = 1 + below(9);
      bool one_row = target == ATTILA_TEX_1D || target == ATTILA_TEX_1D_ARRAY,
           layers = target == ATTILA_TEX_2D_ARRAY || target == ATTILA_TEX_1D_ARRAY;
      h = one_row ? 1 : h;
      d = target == ATTILA_TEX_3D || layers ? d : 1;
      /* Sizes of several levels differ: only power of two sizes keep texel edges apart in all of
       * them. */
      bool pow2 = !(w & (w - 1)) && !(h & (h - 1)) && (target != ATTILA_TEX_3D || !(d & (d - 1)));
      unsigned levels = pow2 && target != ATTILA_TEX_RECT ? 1 + below(4) : 1;
      struct attila_tex_regs r = default_regs(target, format, w, h, d, levels);
      r.first_level = below(levels);
      r.wrap_s = below(8), r.wrap_t = below(8), r.wrap_r = below(8);
      r.mag_filter = below(2), r.min_filter = below(2), r.mip_filter = below(3);
      r.compare = below(4) == 0, r.compare_func = below(8),
      r.unnormalized = target == ATTILA_TEX_RECT && below(2);
      if (r.unnormalized)
         r.wrap_s = 1 + below(3), r.wrap_t = 1 + below(3);
      r.lod_bias = below(2) ? 0 : uniform(-1, 1);
      for (unsigned c = 0; c < 4; c++)
         r.border[c] = uniform(-0.5f, 1.5f);
      r.swizzle = below(6) | below(6) << 3 | below(6) << 6 | below(6) << 9;
      struct emul_tex_state st;
      struct emul_vec4 got;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXL, .target = (uint8_t)target, .shadow = below(2), .mask = 0xffff};
      for (unsigned i = 0; i < 16; i++) {
         req.coord[0][i] = safe_coordinate(w, r.unnormalized);
         req.coord[1][i] = target == ATTILA_TEX_1D_ARRAY ? (float)below(12) - 1.3f
                                                         : safe_coordinate(h, r.unnormalized);
         req.coord[2][i] = layers ? (float)below(12) - 1.3f : safe_coordinate(d, false);
         req.ref[i] = uniform(-0.2f, 1.2f);
         req.lod[i] = r.lod_bias == 0.0f && !below(8)
                          ? (float)below(5) - 0.5f /* halfway */
                          : (float)below(6) - 1.0f + uniform(0.05f, 0.45f) - r.lod_bias;
      }
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         double want[4];
         ref_sample(&st, &req, i, want);
         for (unsigned c = 0; c < 4; c++) {
            if (!(fabs(got.c[c][i] - want[c]) < 2e-5))
               fail_msg("target %u format %s %ux%ux%u levels %u..%u wrap %u %u %u filter %u %u %u "
                        "compare %u lane %u (%g %g %g lod %g) channel %u: "
                        "%g, not %g",
                        target, attila_formats[format].name, w, h, d, r.first_level, r.last_level,
                        r.wrap_s, r.wrap_t, r.wrap_r, r.mag_filter, r.min_filter, r.mip_filter,
                        r.compare && req.shadow, i, req.coord[0][i], req.coord[1][i],
                        req.coord[2][i], req.lod[i], c, got.c[c][i], want[c]);
         }
      }
   }
}

/* Each level of one colour: the result tells the level of detail. */
static void
fill_levels(const struct emul_tex_state *st)
{
   for (unsigned l = 0; l < st->regs.num_levels; l++) {
      uint32_t end =
          l + 1 < st->regs.num_levels ? st->layout.level_offset[l + 1] : (uint32_t)st->layout.size;
      float v = (float)l;
      for (uint32_t a = st->layout.level_offset[l]; a < end; a += 4)
         memcpy(memory + BASE + a, &v, 4);
   }
}

/* Whether a level of detail is the wanted one. Closer to a level than the threshold, that one is
 * read alone. */
static bool
is_level(double got, double want, double threshold)
{
   double near = floor(want + 0.5), from = fabs(want - near);
   if (threshold > 0 && fabs(from - threshold) < 2e-4) /* rounding decides */
      return fabs(got - near) < 2e-4 || fabs(got - want) < 2e-4;
   return fabs(got - (from < threshold ? near : want)) < 2e-4;
}

static void
level_of_detail(void **state)
{
   (void)state;
   struct attila_tex_regs r = default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R32_FLOAT, 256, 128, 1, 9);
   r.mip_filter = ATTILA_MIP_LINEAR;
   struct emul_tex_state st;
   for (unsigned n = 0; n < 2000; n++) {
      r.lod_bias = below(2) ? 0 : uniform(-2, 2);
      r.min_lod = below(3) ? 0 : uniform(0, 3);
      r.max_lod = below(3) ? 100 : uniform(3, 6);
      struct emul_tex_quality quality = EMUL_TEX_QUALITY_DEFAULT;
      quality.trilinear_threshold = below(2) ? 0 : uniform(0, 0.5f);
      emul_tex_state_init(&st, &r, &quality, MEMORY);
      fill_levels(&st);
      static struct emul_tex_request req;
      struct emul_vec4 got;
      req = (struct emul_tex_request){.op = ATTILA_OP_TEX, .mask = 0xffff, .has_quads = true};
      float dx[2], dy[2];
      double want[16];
      unsigned kind = below(4);
      for (unsigned q = 0; q < 4; q++) {
         for (unsigned c = 0; c < 2; c++) {
            dx[c] = uniform(-1, 1) * exp2f(uniform(-9, 0));
            dy[c] = uniform(-1, 1) * exp2f(uniform(-9, 0));
         }
         const double lod =
             log2(fmax(hypot(256 * dx[0], 128 * dx[1]), hypot(256 * dy[0], 128 * dy[1])));
         for (unsigned i = 0; i < 4; i++) {
            unsigned lane = q * 4 + i;
            for (unsigned c = 0; c < 2; c++) {
               req.coord[c][lane] = 0.25f + (i & 1 ? dx[c] : 0) + (i & 2 ? dy[c] : 0);
               req.ddx[c][lane] = dx[c];
               req.ddy[c][lane] = dy[c];
            }
            req.lod[lane] = uniform(-1, 5);
            double l = kind == 2 ? req.lod[lane] : kind == 1 ? lod + req.lod[lane] : lod;
            want[lane] = fmin(fmax(fmin(fmax(l + r.lod_bias, r.min_lod), r.max_lod), 0), 8);
         }
      }
      req.op = kind == 0   ? ATTILA_OP_TEX
               : kind == 1 ? ATTILA_OP_TXB
               : kind == 2 ? ATTILA_OP_TXL
                           : ATTILA_OP_TXD;
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++)
         assert_true(is_level(got.c[0][i], want[i], quality.trilinear_threshold));
      /* Vertices have no quads: level 0. */
      req.op = ATTILA_OP_TEX;
      req.has_quads = false;
      emul_tex_sample(&st, &req, memory, &got);
      double zero = fmin(fmax(fmin(fmax(r.lod_bias, r.min_lod), r.max_lod), 0), 8);
      assert_true(is_level(got.c[0][5], zero, quality.trilinear_threshold));
   }
}

static void
anisotropy_takes_samples_along_the_long_axis(void **state)
{
   (void)state;
   struct attila_tex_regs r = default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R32_FLOAT, 256, 256, 1, 9);
   struct emul_tex_state st;
   static struct emul_tex_request req;
   static struct emul_tex_plan plan;
   struct emul_vec4 got;
   r.mip_filter = ATTILA_MIP_LINEAR;
   r.mag_filter = r.min_filter = ATTILA_FILTER_LINEAR;
   r.max_aniso = 8;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   fill_levels(&st);
   req = (struct emul_tex_request){.op = ATTILA_OP_TXD, .mask = 0xffff};
   static const struct {
      float dx, dy;
      unsigned ratio;
      float lod;
   } cases[] = {
       {8, 8, 1, 3},  {8, 4, 2, 2},       {8, 3, 3, 1.5849625f}, {1, 16, 8, 1},
       {32, 1, 8, 2}, {0.5f, 0.1f, 1, 0}, {4, 0, 8, 0},
   };
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      for (unsigned i = 0; i < 16; i++) {
         req.coord[0][i] = req.coord[1][i] = 0.4f;
         req.ddx[0][i] = cases[k].dx / 256;
         req.ddy[1][i] = cases[k].dy / 256;
      }
      emul_tex_plan(&st, &req, &plan);
      emul_tex_sample(&st, &req, memory, &got);
      assert_int_equal(plan.aniso_ratio[1], cases[k].ratio);
      assert_true(fabsf(got.c[0][7] - cases[k].lod) < 1e-3f);
      assert_int_equal(plan.quad_steps[2],
                       cases[k].ratio * (cases[k].lod == floorf(cases[k].lod) ? 1 : 2));
   }
   /* A ramp of one level: the samples are spread evenly around the centre, so their mean is the
    * centre's. */
   r.num_levels = 1, r.last_level = 0;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   for (unsigned y = 0; y < 256; y++)
      for (unsigned x = 0; x < 256; x++) {
         float v = (float)x;
         memcpy(memory + BASE + attila_element_offset(st.layout.pitch_tiles[0], 1, 4, x, y, 0), &v,
                4);
      }
   for (unsigned i = 0; i < 16; i++) {
      req.coord[0][i] = 0.5f, req.coord[1][i] = 0.5f;
      req.ddx[0][i] = 16.0f / 256, req.ddy[1][i] = 2.0f / 256;
   }
   emul_tex_sample(&st, &req, memory, &got);
   assert_true(fabsf(got.c[0][0] - 127.5f) < 1e-3f);
}

/* Texels hold their own direction; a sample must give back the direction it was asked for, across
 * all edges. */
static void
cube_faces_and_edges(void **state)
{
   (void)state;
   enum { SIZE = 32 };
   /* Major axis, then which coordinates s and t are, as in OpenGL's table of cube map faces. */
   static const struct {
      int axis, sign, s_axis, s_sign, t_axis, t_sign;
   } faces[6] = {{0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
                 {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1}};
   struct attila_tex_regs r =
       default_regs(ATTILA_TEX_CUBE, ATTILA_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 6, 1);
   r.mag_filter = r.min_filter = ATTILA_FILTER_LINEAR;
   r.seamless = 1;
   struct emul_tex_state st;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   for (unsigned f = 0; f < 6; f++)
      for (unsigned y = 0; y < SIZE; y++)
         for (unsigned x = 0; x < SIZE; x++) {
            float v[4] = {0, 0, 0, 1};
            v[faces[f].axis] = (float)faces[f].sign;
            v[faces[f].s_axis] = (float)faces[f].s_sign * (2 * ((float)x + 0.5f) / SIZE - 1);
            v[faces[f].t_axis] = (float)faces[f].t_sign * (2 * ((float)y + 0.5f) / SIZE - 1);
            memcpy(memory + BASE + f * st.layout.slice_stride[0] +
                       attila_element_offset(st.layout.pitch_tiles[0], 1, 16, x, y, 0),
                   v, 16);
         }
   static struct emul_tex_request req;
   struct emul_vec4 got;
   for (unsigned n = 0; n < 4000; n++) {
      for (unsigned linear = 0; linear < 2; linear++) {
         r.mag_filter = r.min_filter = linear;
         emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
         req = (struct emul_tex_request){.op = ATTILA_OP_TXL, .mask = 0xffff};
         for (unsigned i = 0; i < 16; i++) {
            for (unsigned c = 0; c < 3; c++)
               req.coord[c][i] = uniform(-1, 1);
            if (i & 1) { /* close to an edge */
               unsigned a = below(3), b = (a + 1 + below(2)) % 3;
               req.coord[b][i] =
                   req.coord[a][i] * (below(2) ? 1.0f : -1.0f) * uniform(0.97f, 1.03f);
            }
         }
         emul_tex_sample(&st, &req, memory, &got);
         for (unsigned i = 0; i < 16; i++) {
            float m = fmaxf(fabsf(req.coord[0][i]),
                            fmaxf(fabsf(req.coord[1][i]), fabsf(req.coord[2][i])));
            for (unsigned c = 0; c < 3; c++)
               assert_true(fabsf(got.c[c][i] - req.coord[c][i] / m) < 1.01f / SIZE);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(filters_match_the_reference),
       cmocka_unit_test(level_of_detail),
       cmocka_unit_test(anisotropy_takes_samples_along_the_long_axis),
       cmocka_unit_test(cube_faces_and_edges),
   };
   return cmocka_run_group_tests(tests, texture_setup, texture_teardown);
}
