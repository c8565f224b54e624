/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * emul_tex_sample: plan and filter in one call, with shortcuts in registers for the states of most
 * pixels (enum emul_tex_fast). They share wrap, level and lerp functions, so bits are the same.
 * Included for vectors of 4 and of 8 lanes (emul_tex_impl.h). */
#ifndef EMUL_TEX_FAST_H
#define EMUL_TEX_FAST_H

#include "emul/texture/emul_tex_filter.h"
#include "emul/texture/emul_tex_plan.h"

/* Vectors per group. First all find their texels, then all are filtered. The steps of one vector
 * depend on each other, but the host can work on those of another, which it looks for only a few
 * hundred instructions ahead. */
#define FAST_PARTS (EMUL_LANES / EMUL_TEX_VL)

/* What a shortcut is for. */
struct fast {
   unsigned wrap; /* enum attila_wrap */
   bool pow2, linear, depth;
   unsigned channels; /* bit per channel read */
   bool plain;        /* the format has these, unswizzled */
};

/* Returns raw channel c; of depth, what load_tap gives. Channels are bytes. */
SIM_INLINE vf
fast_channel(const struct emul_tex_state *st, struct fast f, unsigned c, vi raw)
{
   if (f.depth)
      return tex_depth(st, raw);
#if EMUL_TEX_VL == 8
   return vf_of(vi_shuffle_bytes(raw, vi_load_twice(st->byte[c])));
#else
   return vf_of((vi)((vu)raw >> st->shift[c]) & 255);
#endif
}

/* Returns whether the format has channel c, and its value if not. */
SIM_INLINE bool
fast_has(const struct emul_tex_state *st, struct fast f, unsigned c)
{
   return f.plain ? true : f.depth ? c == 0 : st->mask[c] != 0;
}
SIM_INLINE vf
fast_missing(const struct emul_tex_state *st, struct fast f, unsigned c)
{
   return vf_all(f.depth ? (c == 3 ? 1.0f : 0.0f) : (float)st->missing[c]);
}

SIM_INLINE struct level
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

/* Returns level through comparisons, which the host predicts; so it need not wait for the level of
 * detail. */
SIM_INLINE int32_t
fast_guess(const struct emul_tex_state *st, int32_t level)
{
   int32_t guess = (int32_t)st->first_level;
   while (guess != level) {
      guess++;
      __asm__("" : "+r"(guess));
   }
   return guess;
}

/* Does what plan_level does, but fast if all lanes have the same level, which is usual. */
SIM_INLINE struct level
fast_level_of(const struct emul_tex_state *st, vi level)
{
   const int32_t l = level[0];
   if (vi_differs(level, l))
      return plan_level(st, level);
   return fast_uniform(st, fast_guess(st, l));
}

/* Texels of one level, by lane, for its filter. */
struct fast_texels {
   vi raw[4]; /* (x0, y0), (x1, y0), (x0, y1), (x1, y1); point samples: the first */
   vf fx, fy;
};

/* Filters channel c, which the format has. */
SIM_INLINE vf
fast_filter(const struct emul_tex_state *st, struct fast f, unsigned c,
            const struct fast_texels *at)
{
   const vf first = fast_channel(st, f, c, at->raw[0]);
   if (!f.linear)
      return first;
   const vf upper = vf_lerp_finite(at->fx, first, fast_channel(st, f, c, at->raw[1]));
   const vf lower = vf_lerp_finite(at->fx, fast_channel(st, f, c, at->raw[2]),
                                   fast_channel(st, f, c, at->raw[3]));
   return vf_lerp_finite(at->fy, upper, lower);
}

/* Texel addresses in one level, by lane of a part of the group, and weights. */
struct fast_place {
   vi address[4]; /* as fast_texels.raw */
   vi ahead;      /* depth: for fast_prefetch */
   vf fx, fy;
};

/* Returns addresses of texels that the pixels 8 to the right read. */
SIM_INLINE vi
fast_ahead(struct fast f, const struct level *l, vf s, vf t)
{
   const vf next_s = s + 8.0f * vf_quad_dx(s), next_t = t + 8.0f * vf_quad_dx(t);
   const struct tex_axis x = tex_wrap(f.wrap, false, f.pow2, 0, vi_all(0), next_s, l->width);
   const struct tex_axis y = tex_wrap(f.wrap, false, f.pow2, 0, vi_all(0), next_t, l->height);
   vi of_y, of_x = tex_spread(l->rows, x.i0, y.i0, &of_y);
   return ((of_x + of_y) << 2) + l->address;
}

/* Prefetches for a group to come. Shadow maps are read in another order than they are drawn in, so
 * their texels are seldom in the cache. */
SIM_INLINE void
fast_prefetch(const struct fast_place *place, const uint8_t *memory)
{
   /* Each quad's outermost pixel in a square. */
   static const uint8_t corner[4] = {0, 5, 10, 15};
   for (unsigned q = 0; q < EMUL_TEX_VL / 4; q++)
      __builtin_prefetch(memory + (uint32_t)place->ahead[corner[q]]);
}

SIM_INLINE struct fast_place
fast_place_of(const struct emul_tex_state *st, const struct emul_tex_request *req, struct fast f,
              vi level, unsigned part)
{
   const vf s = vf_load(&req->coord[0][part * EMUL_TEX_VL]),
            t = vf_load(&req->coord[1][part * EMUL_TEX_VL]);
   const struct level l = fast_level_of(st, level);
   const vi none = vi_all(0);
   const struct tex_axis x = tex_wrap(f.wrap, false, f.pow2, f.linear, none, s, l.width);
   const struct tex_axis y = tex_wrap(f.wrap, false, f.pow2, f.linear, none, t, l.height);
   vi y0, x0 = tex_spread(l.rows, x.i0, y.i0, &y0);
   struct fast_place at = {.fx = x.f, .fy = y.f};
   x0 <<= 2;
   y0 = (y0 << 2) + l.address;
   at.address[0] = x0 + y0;
   if (f.depth)
      at.ahead = fast_ahead(f, &l, s, t);
   if (f.linear) {
      vi y1, x1 = tex_spread(l.rows, x.i1, y.i1, &y1);
      x1 <<= 2;
      y1 = (y1 << 2) + l.address;
      at.address[1] = x1 + y0;
      at.address[2] = x0 + y1;
      at.address[3] = x1 + y1;
   }
   return at;
}

/* Filters a level's raw channels as a plan's step does. Channels that are not read are 0; none is
 * infinite, NaN or -0. */
SIM_INLINE void
fast_value(const struct emul_tex_state *st, struct fast f, const struct fast_place *place,
           const uint8_t *memory, vf value[4])
{
   struct fast_texels at = {.fx = place->fx, .fy = place->fy};
   for (unsigned i = 0; i < (f.linear ? 4 : 1); i++)
      at.raw[i] = load_words(memory, place->address[i]);
   if (f.depth)
      fast_prefetch(place, memory);
   for (unsigned c = 0; c < 4; c++) {
      value[c] = vf_all(0.0f);
      if (f.channels >> c & 1)
         value[c] = fast_has(st, f, c) ? fast_filter(st, f, c, &at) : fast_missing(st, f, c);
   }
}

#if EMUL_TEX_VL == 8
/* Does tex_gradient for all quads of a group, each in two lanes: 0, 0, 2, 2, 1, 1, 3, 3. */
SIM_INLINE void
quads_gradient(const struct emul_tex_request *req, unsigned c, vf *dx, vf *dy)
{
   const __m256 low = (__m256)vf_load(&req->coord[c][0]), high = (__m256)vf_load(&req->coord[c][8]);
   const __m256 d =
       (__m256)((vf)_mm256_shuffle_ps(low, high, 0x33) - (vf)_mm256_shuffle_ps(low, high, 0xaa));
   *dx = (vf)_mm256_moveldup_ps(d);
   *dy = (vf)_mm256_movehdup_ps(d);
}

/* Expands the first or the last two quads to lanes. */
SIM_INLINE vi
quads_lanes(vi v, bool last)
{
   return last ? (vi)_mm256_shuffle_epi32((__m256i)v, 0xaa)
               : (vi)_mm256_shuffle_epi32((__m256i)v, 0x00);
}
#endif

/* Returns the longer gradient's squared length in texels, for textures with two coordinates and no
 * anisotropy (plan_lambda). quads: for all quads, in the order of quads_gradient; else for the
 * lanes from lane on. */
SIM_INLINE vf
fast_rho2(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
          bool quads)
{
   const unsigned first = st->first_level;
   const float size[2] = {(float)st->width[first], (float)st->height[first]};
   vf dx2 = vf_all(0.0f), dy2 = vf_all(0.0f);
   for (unsigned c = 0; c < 2; c++) {
      vf dx, dy;
#if EMUL_TEX_VL == 8
      if (quads)
         quads_gradient(req, c, &dx, &dy);
      else
#endif
         tex_gradient(req, lane, c, &dx, &dy);
      dx *= size[c];
      dy *= size[c];
      dx2 += dx * dx;
      dy2 += dy * dy;
   }
   return tex_longer2(dx2, dy2);
}

/* Finds the levels that lanes may need, vector by vector; false: only first_level. */
SIM_INLINE bool
fast_levels(const struct emul_tex_state *st, const struct emul_tex_request *req,
            struct tex_levels levels[FAST_PARTS])
{
   if (st->first_level == st->last_level || st->regs.mip_filter == ATTILA_MIP_NONE)
      return false; /* magnification and minification have the same filter */
   const bool needs_lambda = tex_lod_needs_lambda(req);
   /* If no gradient exceeds a texel, the level of detail is at most 0. */
   bool smaller =
       !needs_lambda || req->op == ATTILA_OP_TXB || st->regs.lod_bias != 0.0f || st->min_lod > 0.0f;
#if EMUL_TEX_VL == 8
   if (needs_lambda && req->op != ATTILA_OP_TXD && req->op != ATTILA_OP_TXB) {
      /* A quad's lanes share a level of detail. */
      const vf rho2 = fast_rho2(st, req, 0, true);
      if (!smaller && !vi_bits(rho2 > 1.0f))
         return false;
      const struct tex_levels l = tex_levels(st, tex_lod(st, req, 0, tex_lambda(rho2)));
      for (unsigned i = 0; i < 2; i++) {
         levels[i].level0 = quads_lanes(l.level0, i);
         levels[i].level1 = quads_lanes(l.level1, i);
         levels[i].blend = (vf)quads_lanes((vi)l.blend, i);
      }
      return true;
   }
#endif
   vf rho2[FAST_PARTS];
   for (unsigned i = 0; needs_lambda && i < FAST_PARTS; i++) {
      rho2[i] = fast_rho2(st, req, i * EMUL_TEX_VL, false);
      smaller |= vi_bits(rho2[i] > 1.0f) != 0;
   }
   if (!smaller)
      return false;
   for (unsigned i = 0; i < FAST_PARTS; i++)
      levels[i] = tex_levels(
          st, tex_lod(st, req, i * EMUL_TEX_VL, needs_lambda ? tex_lambda(rho2[i]) : vf_all(0.0f)));
   return true;
}

SIM_INLINE void
fast_store(const struct emul_tex_state *st, const struct emul_tex_request *req, struct fast f,
           vf value[4], struct emul_vec4 *restrict result, unsigned lane)
{
   for (unsigned c = 0; c < 4; c++) {
      if (!(f.channels >> c & 1))
         continue;
      value[c] *= st->scale[c];
      if (f.plain)
         vf_store(&result->c[c][lane], value[c]);
   }
   if (!f.plain)
      tex_store_swizzled(st, req, value, result, lane);
}

/* Samples all lanes from first_level. */
SIM_INLINE void
fast_one(const struct emul_tex_state *st, const struct emul_tex_request *req, const uint8_t *memory,
         struct emul_vec4 *restrict result, struct fast f)
{
   struct fast_place place[FAST_PARTS];
   for (unsigned i = 0; i < FAST_PARTS; i++)
      place[i] = fast_place_of(st, req, f, vi_all((int32_t)st->first_level), i);
   for (unsigned i = 0; i < FAST_PARTS; i++) {
      vf value[4];
      fast_value(st, f, &place[i], memory, value);
      fast_store(st, req, f, value, result, i * EMUL_TEX_VL);
   }
}

/* Samples lanes from their levels. */
SIM_INLINE void
fast_two(const struct emul_tex_state *st, const struct emul_tex_request *req, const uint8_t *memory,
         struct emul_vec4 *restrict result, struct fast f, const struct tex_levels *levels)
{
   struct fast_place place[FAST_PARTS], place1[FAST_PARTS];
   bool two[FAST_PARTS];
   for (unsigned i = 0; i < FAST_PARTS; i++) {
      place[i] = fast_place_of(st, req, f, levels[i].level0, i);
      two[i] = vi_bits(levels[i].blend != 0.0f);
      if (two[i])
         place1[i] = fast_place_of(st, req, f, levels[i].level1, i);
   }
   for (unsigned i = 0; i < FAST_PARTS; i++) {
      vf value[4], value1[4];
      fast_value(st, f, &place[i], memory, value);
      if (two[i]) {
         fast_value(st, f, &place1[i], memory, value1);
         for (unsigned c = 0; c < 4; c++) {
            if (f.channels >> c & 1)
               value[c] = vf_lerp_finite(levels[i].blend, value[c], value1[c]);
         }
      }
      fast_store(st, req, f, value, result, i * EMUL_TEX_VL);
   }
}

SIM_INLINE void
fast_group(const struct emul_tex_state *st, const struct emul_tex_request *req,
           const uint8_t *memory, struct emul_vec4 *restrict result, struct fast f)
{
   struct tex_levels levels[FAST_PARTS];
   if (fast_levels(st, req, levels))
      fast_two(st, req, memory, result, f, levels);
   else
      fast_one(st, req, memory, result, f);
}

/* One function per state, for any channels ... */
#define FAST(name, ...)                                                                            \
   static __attribute__((noinline)) void fast_##name(                                              \
       const struct emul_tex_state *st, const struct emul_tex_request *req, const uint8_t *memory, \
       struct emul_vec4 *restrict result)                                                          \
   {                                                                                               \
      fast_group(st, req, memory, result, (struct fast){__VA_ARGS__});                             \
   }
#define FAST_ANY(name, ...) FAST(name, .channels = tex_channels(st, req), __VA_ARGS__)
FAST_ANY(repeat_pow2_nearest, .wrap = ATTILA_WRAP_REPEAT, .pow2 = true)
FAST_ANY(repeat_nearest, .wrap = ATTILA_WRAP_REPEAT)
FAST_ANY(edge_nearest, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE)
FAST_ANY(depth_edge_linear, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE, .linear = true, .depth = true)
FAST_ANY(depth_edge_nearest, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE, .depth = true)
/* ... and functions of the busiest states for one, three or four channels that are plain. */
#define FAST_LINEAR(name, ...)                                                 \
   FAST_ANY(name, .linear = true, __VA_ARGS__)                                 \
   FAST(name##_1, .plain = true, .channels = 0x1, .linear = true, __VA_ARGS__) \
   FAST(name##_3, .plain = true, .channels = 0x7, .linear = true, __VA_ARGS__) \
   FAST(name##_4, .plain = true, .channels = 0xf, .linear = true, __VA_ARGS__)
FAST_LINEAR(repeat_pow2_linear, .wrap = ATTILA_WRAP_REPEAT, .pow2 = true)
FAST_LINEAR(repeat_linear, .wrap = ATTILA_WRAP_REPEAT)
FAST_LINEAR(edge_linear, .wrap = ATTILA_WRAP_CLAMP_TO_EDGE)
#undef FAST
#undef FAST_ANY
#undef FAST_LINEAR

static __attribute__((noinline)) void
sample_by_plan(const struct emul_tex_state *st, const struct emul_tex_request *req,
               const uint8_t *memory, struct emul_vec4 *result)
{
   struct emul_tex_plan plan; /* only steps in use are touched */
   plan_request(st, req, &plan);
   filter_request(st, req, &plan, memory, result);
}

enum fast_set { FAST_SET_ANY, FAST_SET_1, FAST_SET_3, FAST_SET_4, FAST_NUM_SETS };
typedef void fast_function(const struct emul_tex_state *, const struct emul_tex_request *,
                           const uint8_t *, struct emul_vec4 *restrict);
#define SAME(name)           \
   {                         \
      name, name, name, name \
   }
#define BY_SET(name)                     \
   {                                     \
      name, name##_1, name##_3, name##_4 \
   }
static fast_function *const fast_functions[EMUL_TEX_NUM_FAST][FAST_NUM_SETS] = {
    [EMUL_TEX_FAST_NONE] = SAME(sample_by_plan),
    [EMUL_TEX_FAST_REPEAT_POW2_LINEAR] = BY_SET(fast_repeat_pow2_linear),
    [EMUL_TEX_FAST_REPEAT_POW2_NEAREST] = SAME(fast_repeat_pow2_nearest),
    [EMUL_TEX_FAST_REPEAT_LINEAR] = BY_SET(fast_repeat_linear),
    [EMUL_TEX_FAST_REPEAT_NEAREST] = SAME(fast_repeat_nearest),
    [EMUL_TEX_FAST_EDGE_LINEAR] = BY_SET(fast_edge_linear),
    [EMUL_TEX_FAST_EDGE_NEAREST] = SAME(fast_edge_nearest),
    [EMUL_TEX_FAST_DEPTH_EDGE_LINEAR] = SAME(fast_depth_edge_linear),
    [EMUL_TEX_FAST_DEPTH_EDGE_NEAREST] = SAME(fast_depth_edge_nearest),
};
#undef SAME
#undef BY_SET

/* Returns the set of functions for a request. constant: its last component is 0 or 1. */
static enum fast_set
fast_set_of(const struct emul_tex_state *st, const struct emul_tex_request *req, bool *constant)
{
   static const uint8_t sets[16] = {[0x1] = FAST_SET_1, [0x7] = FAST_SET_3, [0xf] = FAST_SET_4};
   const unsigned written = ~req->unread & 15, others = written & ~st->plain;
   *constant = false;
   if (others && (others != 8 || st->swizzle[3] < 4))
      return FAST_SET_ANY;
   const enum fast_set set = sets[written & st->plain];
   *constant = others && set != FAST_SET_ANY;
   return set;
}

static void
sample_request(const struct emul_tex_state *st, const struct emul_tex_request *req,
               const uint8_t *memory, struct emul_vec4 *result)
{
   uint32_t offset;
   memcpy(&offset, req->offset, sizeof(offset));
   if (!st->valid || offset || req->op == ATTILA_OP_TXF || req->op == ATTILA_OP_TXS ||
       req->op >= ATTILA_OP_TXG) {
      sample_by_plan(st, req, memory, result);
      return;
   }
   bool constant;
   fast_functions[st->fast][fast_set_of(st, req, &constant)](st, req, memory, result);
   for (unsigned lane = 0; constant && lane < EMUL_LANES; lane++)
      result->c[3][lane] = st->swizzle[3] == ATTILA_SWIZZLE_1 ? 1.0f : 0.0f;
}

#endif
