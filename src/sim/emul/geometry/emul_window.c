/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Computes window coordinates (OpenGL 2.1, 2.11), and the planes of the view volume that a vertex
 * is outside of, for one vertex or a whole group with host vectors; both give the same bits. Not
 * here: primitives (emul_clip.c, emul_setup.c). */
#include <math.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "emul/raster/emul_raster.h"

#define SUBPIXELS (1 << EMUL_SUBPIXEL_BITS)
#define MAX_COORD (1 << 23)
#define DEPTH_PLANES (EMUL_OUTSIDE_NEAR | EMUL_OUTSIDE_FAR)
#define ALL_PLANES 0x7fu

static inline int32_t
emul_window_snap(double v)
{
   v *= SUBPIXELS;
   /* Clipping leaves nothing outside, but if something is, it must not overflow. */
   return !(v > -MAX_COORD) ? -MAX_COORD : v > MAX_COORD ? MAX_COORD : (int32_t)lrint(v);
}

unsigned
emul_outcode(const struct emul_draw_state *state, const float p[4])
{
   const float x = p[0], y = p[1], z = p[2], w = p[3];
   unsigned inside = (unsigned)(x >= -w) | (unsigned)(x <= w) << 1 | (unsigned)(y >= -w) << 2 |
                     (unsigned)(y <= w) << 3 | (unsigned)(w > 0.0f) << 6;
   if (state->regs.depth_clip)
      inside |= (unsigned)(z >= (state->regs.clip_halfz ? 0.0f : -w)) << 4 | (unsigned)(z <= w)
                                                                                 << 5;
   else
      inside |= DEPTH_PLANES;
   return inside ^ ALL_PLANES;
}

void
emul_window_of(const struct emul_draw_state *state, const float p[4], struct emul_window *out)
{
   const float *s = state->regs.viewport_scale, *t = state->regs.viewport_translate;
   out->rw = 1.0 / p[3];
   out->x = emul_window_snap(p[0] * out->rw * s[0] + t[0]);
   out->y = emul_window_snap(p[1] * out->rw * s[1] + t[1]);
   out->z = p[2] * out->rw * s[2] + t[2];
   out->outcode = emul_outcode(state, p);
   out->unused = 0;
}

static void
emul_window_windows_base(const struct emul_draw_state *state, const struct emul_vec4 *position,
                         unsigned count, struct emul_window *out, size_t stride)
{
   for (unsigned i = 0; i < count; i++) {
      const float p[4] = {position->c[0][i], position->c[1][i], position->c[2][i],
                          position->c[3][i]};
      emul_window_of(state, p, (struct emul_window *)((char *)out + i * stride));
   }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

static inline AVX2 __m128i
emul_window_outside_avx2(const struct emul_draw_state *state, __m128 x, __m128 y, __m128 z,
                         __m128 w)
{
   const __m128 minus = _mm_xor_ps(w, _mm_set1_ps(-0.0f)), zero = _mm_setzero_ps();
   const __m128 inside[7] = {
       _mm_cmpge_ps(x, minus),
       _mm_cmple_ps(x, w),
       _mm_cmpge_ps(y, minus),
       _mm_cmple_ps(y, w),
       _mm_cmpge_ps(z, state->regs.clip_halfz ? zero : minus),
       _mm_cmple_ps(z, w),
       _mm_cmpgt_ps(w, zero),
   };
   __m128i outside = _mm_setzero_si128();
   for (unsigned i = 0; i < 7; i++)
      outside = _mm_or_si128(outside,
                             _mm_andnot_si128(_mm_castps_si128(inside[i]), _mm_set1_epi32(1 << i)));
   return state->regs.depth_clip ? outside
                                 : _mm_andnot_si128(_mm_set1_epi32(DEPTH_PLANES), outside);
}

static inline AVX2 __m128i
emul_window_snap_avx2(__m256d v)
{
   const __m256d least = _mm256_set1_pd(-MAX_COORD), most = _mm256_set1_pd(MAX_COORD);
   v = _mm256_mul_pd(v, _mm256_set1_pd(SUBPIXELS));
   /* NaN becomes the second operand. */
   return _mm256_cvtpd_epi32(_mm256_min_pd(_mm256_max_pd(v, least), most));
}

/* Computes four vertices from 4 * group on. */
static inline AVX2 void
emul_window_four_windows_avx2(const struct emul_draw_state *state, const struct emul_vec4 *position,
                              unsigned group, __m256d out[4])
{
   const float *s = state->regs.viewport_scale, *t = state->regs.viewport_translate;
   __m128 p[4];
   __m256d ndc[3];
   for (unsigned c = 0; c < 4; c++)
      p[c] = _mm_loadu_ps(&position->c[c][4 * group]);
   const __m256d rw = _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_cvtps_pd(p[3]));
   for (unsigned c = 0; c < 3; c++)
      ndc[c] = _mm256_add_pd(
          _mm256_mul_pd(_mm256_mul_pd(_mm256_cvtps_pd(p[c]), rw), _mm256_set1_pd(s[c])),
          _mm256_set1_pd(t[c]));
   const __m128i x = emul_window_snap_avx2(ndc[0]), y = emul_window_snap_avx2(ndc[1]),
                 code = emul_window_outside_avx2(state, p[0], p[1], p[2], p[3]);
   const __m256d xy =
       _mm256_castsi256_pd(_mm256_set_m128i(_mm_unpackhi_epi32(x, y), _mm_unpacklo_epi32(x, y)));
   const __m256d codes = _mm256_castsi256_pd(_mm256_cvtepu32_epi64(code));
   /* Transposes columns of members to rows of vertices. */
   const __m256d z_rw02 = _mm256_unpacklo_pd(ndc[2], rw), z_rw13 = _mm256_unpackhi_pd(ndc[2], rw);
   const __m256d xy_code02 = _mm256_unpacklo_pd(xy, codes),
                 xy_code13 = _mm256_unpackhi_pd(xy, codes);
   out[0] = _mm256_permute2f128_pd(z_rw02, xy_code02, 0x20);
   out[1] = _mm256_permute2f128_pd(z_rw13, xy_code13, 0x20);
   out[2] = _mm256_permute2f128_pd(z_rw02, xy_code02, 0x31);
   out[3] = _mm256_permute2f128_pd(z_rw13, xy_code13, 0x31);
}

static AVX2 void
emul_window_windows_avx2(const struct emul_draw_state *state, const struct emul_vec4 *position,
                         unsigned count, struct emul_window *out, size_t stride)
{
   _Static_assert(sizeof(struct emul_window) == sizeof(__m256d), "one store");
   for (unsigned i = 0; i < count; i += 4) {
      __m256d four[4];
      emul_window_four_windows_avx2(state, position, i / 4, four);
      for (unsigned k = 0; k < 4 && i + k < count; k++)
         _mm256_storeu_pd((double *)((char *)out + (i + k) * stride), four[k]);
   }
}
#endif

emul_windows_fn
emul_windows_get(unsigned n)
{
   emul_windows_fn list[2];
   unsigned count = 0;
#if defined(__x86_64__)
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx2"))
      list[count++] = emul_window_windows_avx2;
#endif
   list[count++] = emul_window_windows_base;
   return n < count ? list[n] : NULL;
}
