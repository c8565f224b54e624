/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * emul_tex_sample: plan and filter in one call, and a shortcut for the states most pixels use (enum
 * emul_tex_fast), which keeps everything in registers. It goes through the same wrap, level and
 * lerp functions, so its results are the same bits. Included once per host instruction set
 * (emul_tex_impl.h).
 */
#ifndef EMUL_TEX_FAST_H
#define EMUL_TEX_FAST_H

#include "emul/texture/emul_tex_filter.h"
#include "emul/texture/emul_tex_plan.h"

/* Raw channels of one level: what a step's filter gives. They are integers. */
EMUL_TEX_INLINE void
fast_level(const struct emul_tex_state *st, unsigned wrap, bool pow2, bool linear, vi level, vf s,
           vf t, const uint8_t *memory, vf value[4])
{
   struct level l = plan_level(st, level);
   vi none = vi_all(0);
   struct tex_axis x = tex_wrap(wrap, false, pow2, linear, none, s, l.width);
   struct tex_axis y = tex_wrap(wrap, false, pow2, linear, none, t, l.height);
   vi y0, x0 = tex_spread(l.rows, x.i0, y.i0, &y0);
   vi raw0 = load_words(memory, ((x0 + y0) << 2) + l.address);
   if (!linear) {
      for (unsigned c = 0; c < 4; c++) {
         value[c] = st->used >> c & 1 ? tex_channel(st, c, raw0) : vf_all(0.0f);
      }
      return;
   }
   vi y1, x1 = tex_spread(l.rows, x.i1, y.i1, &y1);
   vi raw1 = load_words(memory, ((x1 + y0) << 2) + l.address);
   vi raw2 = load_words(memory, ((x0 + y1) << 2) + l.address);
   vi raw3 = load_words(memory, ((x1 + y1) << 2) + l.address);
   for (unsigned c = 0; c < 4; c++) {
      value[c] = vf_all(0.0f);
      if (st->used >> c & 1)
         value[c] = vf_lerp_finite(
             y.f, vf_lerp_finite(x.f, tex_channel(st, c, raw0), tex_channel(st, c, raw1)),
             vf_lerp_finite(x.f, tex_channel(st, c, raw2), tex_channel(st, c, raw3)));
   }
}

/* As plan_lod, for a texture that plan_lambda finds to have two coordinates in texels and no
 * anisotropy. */
EMUL_TEX_INLINE vf
fast_lod(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane)
{
   const unsigned first = st->first_level;
   const float size[2] = {(float)st->width[first], (float)st->height[first]};
   vf rho = vf_all(0.0f);
   if (!tex_lod_needs_lambda(req))
      return tex_lod(st, req, lane, rho);
   for (unsigned c = 0; c < 2; c++) {
      vf dx, dy;
      tex_gradient(req, lane, c, &dx, &dy);
      rho = tex_wider(rho, dx, dy, vf_all(size[c]));
   }
   return tex_lod(st, req, lane, vf_log2(rho));
}

EMUL_TEX_INLINE void
fast_sample(const struct emul_tex_state *st, const struct emul_tex_request *req,
            const uint8_t *memory, struct emul_vec4 *result, unsigned lane, unsigned wrap,
            bool pow2, bool linear)
{
   vf s = vf_load(&req->coord[0][lane]), t = vf_load(&req->coord[1][lane]), value[4];
   if (st->first_level == st->last_level || st->regs.mip_filter == ATTILA_MIP_NONE) {
      /* The level of detail would only choose between equal filters. */
      fast_level(st, wrap, pow2, linear, vi_all((int32_t)st->first_level), s, t, memory, value);
   } else {
      struct tex_levels l = tex_levels(st, fast_lod(st, req, lane));
      fast_level(st, wrap, pow2, linear, l.level0, s, t, memory, value);
      if (vi_bits(l.two & (l.blend != 0.0f))) {
         vf other[4];
         fast_level(st, wrap, pow2, linear, l.level1, s, t, memory, other);
         for (unsigned c = 0; c < 4; c++) {
            if (st->used >> c & 1)
               value[c] = vf_lerp_finite(l.blend, value[c], other[c]);
         }
      }
   }
   for (unsigned c = 0; c < 4; c++)
      value[c] *= st->scale[c];
   tex_store_swizzled(st, value, result, lane);
}

/* One function per state. */
#define FAST(name, wrap, pow2, linear)                                                             \
   static __attribute__((noinline)) void fast_##name(                                              \
       const struct emul_tex_state *st, const struct emul_tex_request *req, const uint8_t *memory, \
       struct emul_vec4 *result)                                                                   \
   {                                                                                               \
      for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL)                              \
         fast_sample(st, req, memory, result, lane, ATTILA_WRAP_##wrap, pow2, linear);             \
   }
FAST(repeat_pow2_linear, REPEAT, true, true)
FAST(repeat_pow2_nearest, REPEAT, true, false)
FAST(repeat_linear, REPEAT, false, true)
FAST(repeat_nearest, REPEAT, false, false)
FAST(edge_linear, CLAMP_TO_EDGE, false, true)
FAST(edge_nearest, CLAMP_TO_EDGE, false, false)
#undef FAST

static __attribute__((noinline)) void
sample_by_plan(const struct emul_tex_state *st, const struct emul_tex_request *req,
               const uint8_t *memory, struct emul_vec4 *result)
{
   struct emul_tex_plan plan; /* only the steps in use are written and read */
   plan_request(st, req, &plan);
   filter_request(st, req, &plan, memory, result);
}

static void
sample_request(const struct emul_tex_state *st, const struct emul_tex_request *req,
               const uint8_t *memory, struct emul_vec4 *result)
{
   if (!st->valid) {
      filter_disabled(result);
      return;
   }
   switch (st->fast) {
   case EMUL_TEX_FAST_REPEAT_POW2_LINEAR:
      fast_repeat_pow2_linear(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_REPEAT_POW2_NEAREST:
      fast_repeat_pow2_nearest(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_REPEAT_LINEAR:
      fast_repeat_linear(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_REPEAT_NEAREST:
      fast_repeat_nearest(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_EDGE_LINEAR:
      fast_edge_linear(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_EDGE_NEAREST:
      fast_edge_nearest(st, req, memory, result);
      break;
   default:
      sample_by_plan(st, req, memory, result);
      break;
   }
}

#endif
