/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture arithmetic on vectors of EMUL_TEX_VL lanes (16, 8 or 4: whole quads, host registers),
 * shared by planner, filter and emul_tex_sample's shortcuts, so that bits are the same. Included by
 * emul_tex_impl.h, which is compiled per host instruction set. */
#ifndef EMUL_TEX_VEC_H
#define EMUL_TEX_VEC_H

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include "core/sim_inline.h"
#include "emul/texture/emul_texture.h"

/* No vector is ever passed in a register: functions that take them by value are inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float vf __attribute__((vector_size(4 * EMUL_TEX_VL)));
typedef int32_t vi __attribute__((vector_size(4 * EMUL_TEX_VL)));
typedef uint32_t vu __attribute__((vector_size(4 * EMUL_TEX_VL)));

SIM_INLINE vf
vf_load(const float *p)
{
   vf v;
   memcpy(&v, p, sizeof(v));
   return v;
}
SIM_INLINE vi
vi_load(const void *p)
{
   vi v;
   memcpy(&v, p, sizeof(v));
   return v;
}
SIM_INLINE void
vf_store(float *p, vf v)
{
   memcpy(p, &v, sizeof(v));
}
SIM_INLINE void
vi_store(void *p, vi v)
{
   memcpy(p, &v, sizeof(v));
}
SIM_INLINE vf
vf_all(float x)
{
#if EMUL_TEX_VL == 16
   return (vf)_mm512_set1_ps(x);
#elif EMUL_TEX_VL == 8
   return (vf)_mm256_set1_ps(x);
#else
   return (vf){x, x, x, x};
#endif
}
SIM_INLINE vi
vi_all(int32_t x)
{
   return (vi){} + x;
}
SIM_INLINE vf
vf_of(vi x)
{
   return __builtin_convertvector(x, vf);
}

/* Takes lanes of a where mask is -1, of b where it is 0. */
SIM_INLINE vi
vi_sel(vi mask, vi a, vi b)
{
   return (mask & a) | (~mask & b);
}
SIM_INLINE vf
vf_sel(vi mask, vf a, vf b)
{
   return (vf)vi_sel(mask, (vi)a, (vi)b);
}
SIM_INLINE vf
vf_abs(vf x)
{
   return (vf)((vi)x & 0x7fffffff);
}
/* a where a > b, else b (so NaN in a gives b), like the host's instructions. */
SIM_INLINE vf
vf_max(vf a, vf b)
{
#if EMUL_TEX_VL == 16
   return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif EMUL_TEX_VL == 8
   return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#else
   return vf_sel(a > b, a, b);
#endif
}
SIM_INLINE vf
vf_min(vf a, vf b)
{
#if EMUL_TEX_VL == 16
   return (vf)_mm512_min_ps((__m512)a, (__m512)b);
#elif EMUL_TEX_VL == 8
   return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#else
   return vf_sel(a < b, a, b);
#endif
}
SIM_INLINE vi
vi_max(vi a, vi b)
{
#if EMUL_TEX_VL == 16
   return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif EMUL_TEX_VL == 8
   return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
   return vi_sel(a > b, a, b);
#endif
}
SIM_INLINE vi
vi_min(vi a, vi b)
{
#if EMUL_TEX_VL == 16
   return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif EMUL_TEX_VL == 8
   return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
   return vi_sel(a < b, a, b);
#endif
}

/* Cuts coordinates at +-2^23, beyond which there is no fraction, so that conversions and products
 * are exact; NaN becomes -2^23. */
SIM_INLINE vf
vf_safe(vf x)
{
   return vf_min(vf_max(x, vf_all(-0x1p23f)), vf_all(0x1p23f));
}

/* Floor of a safe value. */
SIM_INLINE vf
vf_floor(vf x)
{
#if EMUL_TEX_VL == 16
   return (vf)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif EMUL_TEX_VL == 8
   return (vf)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
   vi i = __builtin_convertvector(x, vi);
   return vf_of(i + (vf_of(i) > x));
#endif
}
SIM_INLINE vi
vi_floor(vf x)
{
   return __builtin_convertvector(vf_floor(x), vi);
}

/* Returns a bit per lane with mask -1. */
SIM_INLINE unsigned
vi_bits(vi mask)
{
#if EMUL_TEX_VL == 16
   return _mm512_movepi32_mask((__m512i)mask);
#elif EMUL_TEX_VL == 8
   return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__)
   return (unsigned)_mm_movemask_ps((__m128)mask);
#else
   unsigned bits = 0;
   for (unsigned i = 0; i < EMUL_TEX_VL; i++)
      bits |= (unsigned)(mask[i] & 1) << i;
   return bits;
#endif
}
/* Returns whether some lane is not x. */
SIM_INLINE bool
vi_differs(vi v, int32_t x)
{
#if EMUL_TEX_VL == 16
   return _mm512_cmpneq_epi32_mask((__m512i)v, _mm512_set1_epi32(x)) != 0;
#else
   return vi_bits(v != x) != 0;
#endif
}
/* Returns a mask of -1 in each lane with a set bit. */
SIM_INLINE vi
vi_mask(unsigned bits)
{
   static const int32_t bit[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                   256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
   return (vi_all((int32_t)bits) & vi_load(bit)) != 0;
}

/* Looks up the value of each lane's level. */
SIM_INLINE vi
vi_of_level(const void *table, vi level)
{
#if EMUL_TEX_VL == 16
   return (vi)_mm512_permutexvar_epi32((__m512i)level, (__m512i)vi_load(table));
#elif EMUL_TEX_VL == 8
   const vi low = (vi)_mm256_permutevar8x32_epi32((__m256i)vi_load(table), (__m256i)level),
            high = (vi)_mm256_permutevar8x32_epi32((__m256i)vi_load((const int32_t *)table + 8),
                                                   (__m256i)level);
   return vi_sel(level > 7, high, low);
#else
   const int32_t *values = table;
   vi v = level;
   for (unsigned i = 0; i < EMUL_TEX_VL; i++)
      v[i] = values[level[i]];
   return v;
#endif
}

/* Interpolates finite numbers other than -0. */
SIM_INLINE vf
vf_lerp_finite(vf f, vf a, vf b)
{
   return a + f * (b - a);
}

/* lerp(0, a, b) is a, even if b is infinite or NaN. */
SIM_INLINE vf
vf_lerp(vf f, vf a, vf b)
{
   return vf_sel(f == 0.0f, a, vf_lerp_finite(f, a, b));
}

/* Square root, rounded as IEEE 754 says, so equal on all hosts. */
SIM_INLINE vf
vf_sqrt(vf x)
{
   float f[EMUL_TEX_VL];
   vf_store(f, x);
   for (unsigned i = 0; i < EMUL_TEX_VL; i++)
      f[i] = __builtin_sqrtf(f[i]);
   return vf_load(f);
}

/* Base 2 logarithm: error below 2e-7 plus rounding, exact for powers of two. 0 and denormals give
 * about -127, infinity and NaN at most 129. */
SIM_INLINE vf
vf_log2(vf x)
{
   vi bits = (vi)x & 0x7fffffff;
   /* Mantissa in [sqrt(1/2), sqrt(2)). */
   vi exponent = ((bits - 0x3f3504f3) >> 23);
   vf m = (vf)(bits - (exponent << 23));
   vf z = (m - 1.0f) / (m + 1.0f), z2 = z * z;
   vf p = ((0.41219857f * z2 + 0.57707801f) * z2 + 0.96179669f) * z2 + 2.8853900f;
   return vf_of(exponent) + z * p;
}

/* The quad's differences: right minus left of the lower row, upper minus lower of the left
 * column. */
#if EMUL_TEX_VL == 16
#define QUAD_SHUFFLE(x, i)                                                                    \
   __builtin_shufflevector(x, x, i, i, i, i, 4 + i, 4 + i, 4 + i, 4 + i, 8 + i, 8 + i, 8 + i, \
                           8 + i, 12 + i, 12 + i, 12 + i, 12 + i)
#elif EMUL_TEX_VL == 8
#define QUAD_SHUFFLE(x, i) __builtin_shufflevector(x, x, i, i, i, i, 4 + i, 4 + i, 4 + i, 4 + i)
#else
#define QUAD_SHUFFLE(x, i) __builtin_shufflevector(x, x, i, i, i, i)
#endif
SIM_INLINE vf
vf_quad_dx(vf x)
{
   return QUAD_SHUFFLE(x, 3) - QUAD_SHUFFLE(x, 2);
}
SIM_INLINE vf
vf_quad_dy(vf x)
{
   return QUAD_SHUFFLE(x, 0) - QUAD_SHUFFLE(x, 2);
}

/* Returns i modulo size for |i| <= 2^23 + 1. Products are exact; the quotient is at most one
 * off. */
SIM_INLINE vi
vi_modulo(vi i, vi size, vf fsize, bool pow2)
{
   if (pow2)
      return i & (size - 1);
   vi q = vi_floor(vf_of(i) / fsize);
   vi r = i - q * size;
   r += (r < 0) & size;
   return r - ((r >= size) & size);
}

/* Texel indices along an axis: i0, i1 and the fraction between. Indices outside 0..size - 1 are the
 * border. */
struct tex_axis {
   vi i0, i1;
   vf f;
};

/* Folds s into 0..size texels by mirroring. */
SIM_INLINE vf
tex_mirror(vf s, bool unnormalized, vf fsize)
{
   if (unnormalized)
      s = s / fsize;
   s = vf_safe(s);
   vf fl = vf_floor(s), u = s - fl;
   return vf_sel((__builtin_convertvector(fl, vi) & 1) != 0, 1.0f - u, u) * fsize;
}

SIM_INLINE vi
tex_wrap_nearest(unsigned mode, bool unnormalized, bool pow2, vf s, vi size, vf fsize)
{
   vf c = vf_safe(unnormalized ? s : s * fsize);
   switch (mode) {
   case ATTILA_WRAP_REPEAT:
      return vi_modulo(vi_floor(c), size, fsize, pow2);
   case ATTILA_WRAP_CLAMP_TO_BORDER:
      return vi_min(vi_max(vi_floor(c), vi_all(-1)), size);
   case ATTILA_WRAP_MIRROR_REPEAT:
      return vi_min(vi_floor(tex_mirror(s, unnormalized, fsize)), size - 1);
   case ATTILA_WRAP_MIRROR_CLAMP:
   case ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE:
      return vi_min(vi_floor(vf_abs(c)), size - 1);
   case ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER:
      return vi_min(vi_floor(vf_abs(c)), size);
   default: /* CLAMP, CLAMP_TO_EDGE */
      return vi_min(vi_max(vi_floor(c), vi_all(0)), size - 1);
   }
}

SIM_INLINE struct tex_axis
tex_wrap_linear(unsigned mode, bool unnormalized, bool pow2, vf s, vi size, vf fsize)
{
   struct tex_axis a;
   /* Most modes clamp it to the texture's range, which is safe. */
   vf c = unnormalized ? s : s * fsize, zero = {};
   bool edge = false;
   switch (mode) {
   case ATTILA_WRAP_REPEAT: {
      vf u = vf_safe(vf_safe(c) - 0.5f);
      vf fl = vf_floor(u);
      a.f = u - fl;
      a.i0 = vi_modulo(__builtin_convertvector(fl, vi), size, fsize, pow2);
      a.i1 = a.i0 + 1;
      a.i1 = a.i1 & (a.i1 < size);
      return a;
   }
   case ATTILA_WRAP_CLAMP:
      c = vf_min(vf_max(c, zero), fsize);
      break;
   case ATTILA_WRAP_CLAMP_TO_BORDER:
      c = vf_min(vf_max(c, zero - 1.0f), fsize + 0.5f);
      break;
   case ATTILA_WRAP_MIRROR_REPEAT:
      c = tex_mirror(s, unnormalized, fsize);
      edge = true;
      break;
   case ATTILA_WRAP_MIRROR_CLAMP:
      c = vf_min(vf_abs(c), fsize);
      break;
   case ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE:
      c = vf_min(vf_abs(c), fsize);
      edge = true;
      break;
   case ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER:
      c = vf_min(vf_abs(c), fsize + 0.5f);
      break;
   default: /* CLAMP_TO_EDGE */
      c = vf_min(vf_max(c, zero), fsize);
      edge = true;
      break;
   }
   vf u = c - 0.5f, fl = vf_floor(u);
   a.f = u - fl;
   a.i0 = __builtin_convertvector(fl, vi);
   a.i1 = a.i0 + 1;
   if (edge) {
      a.i0 = vi_max(a.i0, vi_all(0));
      a.i1 = vi_min(a.i1, size - 1);
   }
   return a;
}

/* Does both filters: linear is 0 nearest, 1 linear, 2 by lane (is_linear). */
SIM_INLINE struct tex_axis
tex_wrap(unsigned mode, bool unnormalized, bool pow2, unsigned linear, vi is_linear, vf s, vi size)
{
   vf fsize = vf_of(size);
   if (linear == 1)
      return tex_wrap_linear(mode, unnormalized, pow2, s, size, fsize);
   vi n = tex_wrap_nearest(mode, unnormalized, pow2, s, size, fsize);
   struct tex_axis a = {n, n, vf_all(0.0f)};
   if (linear == 2) {
      struct tex_axis l = tex_wrap_linear(mode, unnormalized, pow2, s, size, fsize);
      a.i0 = vi_sel(is_linear, l.i0, n);
      a.i1 = vi_sel(is_linear, l.i1, n);
      a.f = vf_sel(is_linear, l.f, a.f);
   }
   return a;
}

/* How levels store elements, by lane: elements per row of tiles, log2 of a superblock's side in
 * elements, and that side less one. */
struct tex_rows {
   vi pitch, super, mask;
};

#if EMUL_TEX_VL >= 8
/* Repeats four lanes. */
SIM_INLINE vi
vi_fours(int32_t a, int32_t b, int32_t c, int32_t d)
{
#if EMUL_TEX_VL == 16
   return (vi){a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d};
#else
   return (vi){a, b, c, d, a, b, c, d};
#endif
}
#if EMUL_TEX_VL == 8
/* Loads 16 bytes twice. */
SIM_INLINE vi
vi_load_twice(const void *p)
{
   return (vi)_mm256_broadcastsi128_si256(_mm_loadu_si128(p));
}
#endif
/* Picks bytes of v by number, within each four lanes; 0 for numbers from 0x80 on. */
SIM_INLINE vi
vi_shuffle_bytes(vi v, vi numbers)
{
#if EMUL_TEX_VL == 16
   return (vi)_mm512_shuffle_epi8((__m512i)v, (__m512i)numbers);
#else
   return (vi)_mm256_shuffle_epi8((__m256i)v, (__m256i)numbers);
#endif
}
#endif

/* Spreads the bits of bytes below 16 to 0, 2, 4 and 6. */
SIM_INLINE vi
vi_spread_nibbles(vi v)
{
#if EMUL_TEX_VL >= 8
   return vi_shuffle_bytes(vi_fours(0x05040100, 0x15141110, 0x45444140, 0x55545150), v);
#else
   v = (v | v << 2) & 0x33333333;
   return (v | v << 1) & 0x55555555;
#endif
}

/* Returns x's share of an element's number in a slice (attila_element_offset), and y's in *of_y;
 * both are spread at once, 6 bits each within a superblock. */
SIM_INLINE vi
tex_spread(struct tex_rows r, vi x, vi y, vi *of_y)
{
   vi in_x = x & r.mask, in_y = y & r.mask, v = in_x | in_y << 16;
   v = (v | v << 4) & 0x0f0f0f0f;
   v = vi_spread_nibbles(v);
   *of_y = (y - in_y) * r.pitch + (v >> 15);
   return ((x - in_x) << r.super) + (v & 0xffff);
}

/* The levels and filter that a clamped level of detail (relative to the first level) selects. */
struct tex_levels {
   vi level0, level1; /* equal if only one is sampled */
   vf blend;          /* of level1 */
   vi two, magnified;
};

SIM_INLINE struct tex_levels
tex_levels(const struct emul_tex_state *st, vf lod)
{
   struct tex_levels l = {.magnified = lod <= st->mag_lod,
                          .level0 = vi_all((int32_t)st->first_level)};
   vi last = vi_all((int32_t)st->last_level);
   vf positive = vf_min(vf_max(lod, vf_all(0.0f)), vf_all(16.0f));
   if (st->regs.mip_filter == ATTILA_MIP_NEAREST) {
      /* ceil(lod + 1/2) - 1 (OpenGL 3.3, 3.8.11): halfway between two levels, the larger one. */
      vf above = positive + 0.5f;
      vi nearest = __builtin_convertvector(above, vi);
      nearest += vf_of(nearest) == above;
      l.level0 = vi_min(l.level0 + (~l.magnified & nearest), last);
   } else if (st->regs.mip_filter == ATTILA_MIP_LINEAR) {
      vi whole = __builtin_convertvector(positive, vi);
      l.level0 = vi_min(l.level0 + whole, last);
      l.two = ~l.magnified & (l.level0 < last);
      l.blend = (vf)((vi)(positive - vf_of(whole)) & l.two);
      if (st->trilinear_threshold > 0.0f) {
         /* If one of two levels is close, takes only that one. */
         vi second = l.two & (l.blend >= 1.0f - st->trilinear_threshold);
         l.two &= ~second & (l.blend > st->trilinear_threshold);
         l.level0 -= second;
         l.blend = (vf)((vi)l.blend & l.two);
      }
   }
   l.level1 = l.level0 - l.two;
   return l;
}

SIM_INLINE vf
tex_clamp_lod(const struct emul_tex_state *st, vf lod)
{
   return vf_min(vf_max(lod, vf_all(st->min_lod)), vf_all(st->max_lod));
}

/* Returns channel c of raw texels, before scaling. */
SIM_INLINE vf
tex_channel(const struct emul_tex_state *st, unsigned c, vi raw)
{
   vu v = ((vu)raw >> st->shift[c]) & st->mask[c];
   return vf_of((vi)(v | st->missing[c]));
}

/* Returns red of raw depth texels. */
SIM_INLINE vf
tex_depth(const struct emul_tex_state *st, vi raw)
{
   return vf_of(raw & (int32_t)st->mask[0]) / (float)st->mask[0];
}

/* Returns the channels that are read. */
SIM_INLINE unsigned
tex_channels(const struct emul_tex_state *st, const struct emul_tex_request *req)
{
   return st->channels[~req->unread & 15];
}

/* Applies the view's swizzle and stores the components that are read. */
SIM_INLINE void
tex_store_swizzled(const struct emul_tex_state *st, const struct emul_tex_request *req,
                   const vf value[4], struct emul_vec4 *result, unsigned lane)
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned s = st->swizzle[c];
      if (!(req->unread >> c & 1))
         vf_store(&result->c[c][lane],
                  s < 4 ? value[s] : (vf)vi_all(s == ATTILA_SWIZZLE_1 ? (int32_t)st->one : 0));
   }
}

#endif
