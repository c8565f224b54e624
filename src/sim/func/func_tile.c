/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Depth test of a whole tile at once for the most frequent case: 24-bit integers in 4 bytes, single
 * sample, no stencil test. The same bits as emul_quad_depth and emul_zs_quad, quad by quad, with
 * wide vectors where the host has them. A 4x4 block of a tile is 64 contiguous bytes: the lanes of
 * one 512-bit vector.
 */
#include <string.h>
#include "func/sim_func_impl.h"

static uint64_t
tile_z24_base(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   uint64_t left = 0;
   for (uint64_t m = coverage; m;) {
      unsigned q = (unsigned)__builtin_ctzll(m) / 4;
      float z[4];
      emul_quad_depth(s, x + emul_quad_x(q), y + emul_quad_y(q), 0, 1, z);
      left |= (uint64_t)emul_zs_quad(s->state, s->front, coverage >> 4 * q & 15, z, zs + 16 * q)
              << 4 * q;
      m &= ~(15ull << 4 * q);
   }
   return left;
}

#if defined(__x86_64__)
#include <immintrin.h>

static __attribute__((target("avx512f"))) uint64_t
tile_z24_avx512(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   const __m512d dx = _mm512_setr_pd(0, 1, 0, 1, 2, 3, 2, 3),
                 dy = _mm512_setr_pd(0, 0, 1, 1, 0, 0, 1, 1);
   const __m512d p0 = _mm512_set1_pd(s->z[0]), p1 = _mm512_set1_pd(s->z[1]),
                 p2 = _mm512_set1_pd(s->z[2]);
   const __m512 zmin = _mm512_set1_ps(s->zmin), zmax = _mm512_set1_ps(s->zmax),
                scale = _mm512_set1_ps(16777215.0f);
   const __m512i depth_bits = _mm512_set1_epi32(0xffffff);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
   for (unsigned block = 0; block < 4; block++) {
      __mmask16 live = (__mmask16)(coverage >> 16 * block);
      if (!live)
         continue;
      __m512d px = _mm512_add_pd(_mm512_set1_pd(x + (int)(block & 1) * 4), dx);
      __m512d py = _mm512_add_pd(_mm512_set1_pd(y + (int)(block & 2) * 2), dy);
      __m512d row = _mm512_add_pd(p0, _mm512_mul_pd(p1, px));
      __m512d upper = _mm512_add_pd(row, _mm512_mul_pd(p2, py));
      __m512d lower = _mm512_add_pd(row, _mm512_mul_pd(p2, _mm512_add_pd(py, _mm512_set1_pd(2.0))));
      __m512d both =
          _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(upper))),
                             _mm256_castps_pd(_mm512_cvtpd_ps(lower)), 1);
      __m512 z = _mm512_min_ps(_mm512_max_ps(_mm512_castpd_ps(both), zmin), zmax);
      __m512i code = _mm512_cvttps_epi32(_mm512_mul_ps(z, scale));
      __m512i element = _mm512_loadu_si512(zs + 64 * block),
              old = _mm512_and_si512(element, depth_bits);
      unsigned pass = 0;
      if (func & 1)
         pass |= _mm512_cmplt_epi32_mask(code, old);
      if (func & 2)
         pass |= _mm512_cmpeq_epi32_mask(code, old);
      if (func & 4)
         pass |= _mm512_cmpgt_epi32_mask(code, old);
      pass &= live;
      if (write)
         _mm512_mask_storeu_epi32(zs + 64 * block, (__mmask16)pass,
                                  _mm512_or_si512(_mm512_andnot_si512(depth_bits, element), code));
      left |= (uint64_t)pass << 16 * block;
   }
   return left;
}

static __attribute__((target("avx2"))) uint64_t
tile_z24_avx2(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   const __m256d dx = _mm256_setr_pd(0, 1, 0, 1), dy = _mm256_setr_pd(0, 0, 1, 1);
   const __m256d p0 = _mm256_set1_pd(s->z[0]), p1 = _mm256_set1_pd(s->z[1]),
                 p2 = _mm256_set1_pd(s->z[2]);
   const __m256 zmin = _mm256_set1_ps(s->zmin), zmax = _mm256_set1_ps(s->zmax),
                scale = _mm256_set1_ps(16777215.0f);
   const __m256i depth_bits = _mm256_set1_epi32(0xffffff),
                 bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
   for (unsigned half = 0; half < 8; half++) { /* two quads side by side */
      unsigned live = coverage >> 8 * half & 0xff;
      if (!live)
         continue;
      __m256d px = _mm256_add_pd(_mm256_set1_pd(x + emul_quad_x(2 * half)), dx);
      __m256d py = _mm256_add_pd(_mm256_set1_pd(y + emul_quad_y(2 * half)), dy);
      __m256d column = _mm256_mul_pd(p2, py);
      __m256d left_quad = _mm256_add_pd(_mm256_add_pd(p0, _mm256_mul_pd(p1, px)), column);
      __m256d right_quad = _mm256_add_pd(
          _mm256_add_pd(p0, _mm256_mul_pd(p1, _mm256_add_pd(px, _mm256_set1_pd(2.0)))), column);
      __m256 z = _mm256_set_m128(_mm256_cvtpd_ps(right_quad), _mm256_cvtpd_ps(left_quad));
      z = _mm256_min_ps(_mm256_max_ps(z, zmin), zmax);
      __m256i code = _mm256_cvttps_epi32(_mm256_mul_ps(z, scale));
      __m256i element = _mm256_loadu_si256((const __m256i *)(zs + 32 * half)),
              old = _mm256_and_si256(element, depth_bits);
      __m256i pass = _mm256_setzero_si256();
      if (func & 1)
         pass = _mm256_or_si256(pass, _mm256_cmpgt_epi32(old, code));
      if (func & 2)
         pass = _mm256_or_si256(pass, _mm256_cmpeq_epi32(code, old));
      if (func & 4)
         pass = _mm256_or_si256(pass, _mm256_cmpgt_epi32(code, old));
      pass = _mm256_and_si256(
          pass, _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)live), bits), bits));
      if (write)
         _mm256_maskstore_epi32((int *)(zs + 32 * half), pass,
                                _mm256_or_si256(_mm256_andnot_si256(depth_bits, element), code));
      left |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(pass)) << 8 * half;
   }
   return left;
}
#endif

func_tile_z24_fn
func_tile_z24_get(unsigned n)
{
   func_tile_z24_fn list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = tile_z24_avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = tile_z24_avx2;
#endif
   list[count++] = tile_z24_base;
   return n < count ? list[n] : NULL;
}
