/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * emul_tex_sample: plan and filter in one call, and shortcuts for the states most pixels use (enum
 * emul_tex_fast), which keep everything in registers. They go through the same wrap, level and
 * lerp functions, so their results are the same bits. Included once per host instruction set
 * (emul_tex_impl.h).
 */
#ifndef EMUL_TEX_FAST_H
#define EMUL_TEX_FAST_H

#include "emul/texture/emul_tex_filter.h"
#include "emul/texture/emul_tex_plan.h"

/* What a shortcut is made for. */
struct fast {
   unsigned wrap; /* enum attila_wrap */
   bool pow2, linear, depth;
};

/* Which channels are read, a bit each, and how a channel's byte comes to the low end of each lane.
 */
struct fast_bytes {
   unsigned channels;
   vi pick[4];
};

EMUL_TEX_INLINE void
fast_bytes_of(const struct emul_tex_state *st, const struct emul_tex_request *req,
              struct fast_bytes *bytes)
{
   bytes->channels = tex_channels(st, req);
   for (unsigned c = 0; c < 4; c++) {
#if EMUL_TEX_VL >= 8
      bytes->pick[c] = vi_fours(0, 4, 8, 12) | (int32_t)(0x80808000u | st->shift[c] / 8);
#else
      bytes->pick[c] = vi_all((int32_t)st->shift[c]);
#endif
   }
}

/* Raw channel c, or for depth what load_tap gives. Channels are bytes. */
EMUL_TEX_INLINE vf
fast_channel(const struct emul_tex_state *st, struct fast f, const struct fast_bytes *bytes,
             unsigned c, vi raw)
{
   if (f.depth)
      return tex_depth(st, raw);
#if EMUL_TEX_VL >= 8
   return vf_of(vi_shuffle_bytes(raw, bytes->pick[c]));
#else
   return vf_of((vi)((vu)raw >> (vu)bytes->pick[c]) & 255);
#endif
}

/* Whether the format has channel c, and what it is in every texel if not. */
EMUL_TEX_INLINE bool
fast_has(const struct emul_tex_state *st, struct fast f, unsigned c)
{
   return f.depth ? c == 0 : st->mask[c] != 0;
}
EMUL_TEX_INLINE vf
fast_missing(const struct emul_tex_state *st, struct fast f, unsigned c)
{
   return vf_all(f.depth ? (c == 3 ? 1.0f : 0.0f) : (float)st->missing[c]);
}

EMUL_TEX_INLINE struct level
fast_uniform(const struct emul_tex_state *st, int32_t l)
{
   struct level out = {.width = vi_all(st->width[l]),
                       .height = vi_all(st->height[l]),
                       .address = vi_all((int32_t)st->address[l]),
                       .rows.pitch = vi_all((int32_t)st->pitch[l]),
                       .rows.super = vi_all((int32_t)st->super[l]),
                       .rows.mask = vi_all((1 << st->super[l]) - 1)};
   return out;
}

/* level, found by comparing: the host predicts how that goes and does not wait for the level of
 * detail before it looks up texels. */
EMUL_TEX_INLINE int32_t
fast_guess(const struct emul_tex_state *st, int32_t level)
{
   int32_t guess = (int32_t)st->first_level;
   while (guess != level) {
      guess++;
      __asm__("" : "+r"(guess));
   }
   return guess;
}

/* As plan_level; mostly all lanes take the same one. */
EMUL_TEX_INLINE struct level
fast_level_of(const struct emul_tex_state *st, vi level)
{
   const int32_t l = level[0];
   if (vi_differs(level, l))
      return plan_level(st, level);
   return fast_uniform(st, fast_guess(st, l));
}

/* Texels of one level, by lane, between which its filter takes its value. */
struct fast_texels {
   vi raw[4]; /* (x0, y0), (x1, y0), (x0, y1), (x1, y1); of a point sample only the first */
   vf fx, fy;
};

/* Channel c, which the format has. */
EMUL_TEX_INLINE vf
fast_filter(const struct emul_tex_state *st, struct fast f, const struct fast_bytes *bytes,
            unsigned c, const struct fast_texels *at)
{
   const vf first = fast_channel(st, f, bytes, c, at->raw[0]);
   if (!f.linear)
      return first;
   const vf upper = vf_lerp_finite(at->fx, first, fast_channel(st, f, bytes, c, at->raw[1]));
   const vf lower = vf_lerp_finite(at->fx, fast_channel(st, f, bytes, c, at->raw[2]),
                                   fast_channel(st, f, bytes, c, at->raw[3]));
   return vf_lerp_finite(at->fy, upper, lower);
}

/* Asks for the texels that the pixels 8 to the right of these would read: the group there is one of
 * the next ones. A shadow map is read in another order than it was drawn in, so it is seldom in the
 * cache, and the group would wait. */
EMUL_TEX_INLINE void
fast_ahead(struct fast f, const struct level *l, vf s, vf t, const uint8_t *memory)
{
   const vf next_s = s + 8.0f * vf_quad_dx(s), next_t = t + 8.0f * vf_quad_dx(t);
   const struct tex_axis x = tex_wrap(f.wrap, false, f.pow2, 0, vi_all(0), next_s, l->width);
   const struct tex_axis y = tex_wrap(f.wrap, false, f.pow2, 0, vi_all(0), next_t, l->height);
   vi of_y, of_x = tex_spread(l->rows, x.i0, y.i0, &of_y);
   const vi address = ((of_x + of_y) << 2) + l->address;
   /* The outermost pixel of each quad in a square. */
   static const uint8_t corner[4] = {0, 5, 10, 15};
   for (unsigned q = 0; q < EMUL_TEX_VL / 4; q++)
      __builtin_prefetch(memory + (uint32_t)address[corner[q]]);
}

/* Raw channels of one level: what a step's filter gives, 0 for channels that nobody reads. None is
 * infinite, no number or -0. */
EMUL_TEX_INLINE void
fast_level(const struct emul_tex_state *st, struct fast f, const struct fast_bytes *bytes, vi level,
           vf s, vf t, const uint8_t *memory, vf value[4])
{
   struct level l = fast_level_of(st, level);
   vi none = vi_all(0);
   struct tex_axis x = tex_wrap(f.wrap, false, f.pow2, f.linear, none, s, l.width);
   struct tex_axis y = tex_wrap(f.wrap, false, f.pow2, f.linear, none, t, l.height);
   vi y0, x0 = tex_spread(l.rows, x.i0, y.i0, &y0);
   struct fast_texels at = {.fx = x.f, .fy = y.f};
   at.raw[0] = load_words(memory, ((x0 + y0) << 2) + l.address);
   if (f.depth)
      fast_ahead(f, &l, s, t, memory);
   if (f.linear) {
      vi y1, x1 = tex_spread(l.rows, x.i1, y.i1, &y1);
      at.raw[1] = load_words(memory, ((x1 + y0) << 2) + l.address);
      at.raw[2] = load_words(memory, ((x0 + y1) << 2) + l.address);
      at.raw[3] = load_words(memory, ((x1 + y1) << 2) + l.address);
   }
   for (unsigned c = 0; c < 4; c++) {
      value[c] = vf_all(0.0f);
      if (bytes->channels >> c & 1)
         value[c] = fast_has(st, f, c) ? fast_filter(st, f, bytes, c, &at) : fast_missing(st, f, c);
   }
}

/* The gradients' larger size in texels, of a texture of which plan_lambda finds that it has two
 * coordinates in texels and no anisotropy. */
EMUL_TEX_INLINE vf
fast_rho(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane)
{
   const unsigned first = st->first_level;
   const float size[2] = {(float)st->width[first], (float)st->height[first]};
   vf rho = vf_all(0.0f);
   for (unsigned c = 0; c < 2; c++) {
      vf dx, dy;
      tex_gradient(req, lane, c, &dx, &dy);
      rho = tex_wider(rho, dx, dy, vf_all(size[c]));
   }
   return rho;
}

/* The levels that some lane may need; first_level is all there is to it where false is returned. */
EMUL_TEX_INLINE bool
fast_levels(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
            struct tex_levels *l)
{
   if (st->first_level == st->last_level || st->regs.mip_filter == ATTILA_MIP_NONE)
      return false; /* the level of detail would only choose between equal filters */
   vf lambda = vf_all(0.0f);
   if (tex_lod_needs_lambda(req)) {
      const vf rho = fast_rho(st, req, lane);
      /* Where no gradient is larger than a texel the level of detail is at most 0. */
      if (!vi_bits(rho > 1.0f) && req->op != ATTILA_OP_TXB && st->regs.lod_bias == 0.0f &&
          st->min_lod <= 0.0f)
         return false;
      lambda = vf_log2(rho);
   }
   *l = tex_levels(st, tex_lod(st, req, lane, lambda));
   return true;
}

EMUL_TEX_INLINE void
fast_sample(const struct emul_tex_state *st, const struct emul_tex_request *req,
            const uint8_t *memory, struct emul_vec4 *result, unsigned lane, struct fast f,
            const struct fast_bytes *bytes)
{
   vf s = vf_load(&req->coord[0][lane]), t = vf_load(&req->coord[1][lane]), value[4];
   struct tex_levels l;
   if (!fast_levels(st, req, lane, &l)) {
      fast_level(st, f, bytes, vi_all((int32_t)st->first_level), s, t, memory, value);
   } else {
      fast_level(st, f, bytes, l.level0, s, t, memory, value);
      if (vi_bits(l.two & (l.blend != 0.0f))) {
         vf other[4];
         fast_level(st, f, bytes, l.level1, s, t, memory, other);
         for (unsigned c = 0; c < 4; c++) {
            if (bytes->channels >> c & 1)
               value[c] = vf_lerp_finite(l.blend, value[c], other[c]);
         }
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (bytes->channels >> c & 1)
         value[c] *= st->scale[c];
   }
   tex_store_swizzled(st, req, value, result, lane);
}

/* One function per state. */
#define FAST(name, ...)                                                                            \
   static __attribute__((noinline)) void fast_##name(                                              \
       const struct emul_tex_state *st, const struct emul_tex_request *req, const uint8_t *memory, \
       struct emul_vec4 *result)                                                                   \
   {                                                                                               \
      const struct fast f = {__VA_ARGS__};                                                         \
      struct fast_bytes bytes;                                                                     \
      fast_bytes_of(st, req, &bytes);                                                              \
      for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL)                              \
         fast_sample(st, req, memory, result, lane, f, &bytes);                                    \
   }
FAST(repeat_pow2_linear, .wrap = ATTILA_WRAP_REPEAT, .pow2 = true, .linear = true)
FAST(repeat_pow2_nearest, .wrap = ATTILA_WRAP_REPEAT, .pow2 = true)
FAST(repeat_linear, .wrap = ATTILA_WRAP_REPEAT, .linear = true)
FAST(repeat_nearest, .wrap = ATTILA_WRAP_REPEAT)
FAST(edge_linear, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE, .linear = true)
FAST(edge_nearest, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE)
FAST(depth_edge_linear, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE, .linear = true, .depth = true)
FAST(depth_edge_nearest, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE, .depth = true)
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
      filter_disabled(req, result);
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
   case EMUL_TEX_FAST_DEPTH_EDGE_LINEAR:
      fast_depth_edge_linear(st, req, memory, result);
      break;
   case EMUL_TEX_FAST_DEPTH_EDGE_NEAREST:
      fast_depth_edge_nearest(st, req, memory, result);
      break;
   default:
      sample_by_plan(st, req, memory, result);
      break;
   }
}

#endif
