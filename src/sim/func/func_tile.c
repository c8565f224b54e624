/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Depth test of a whole tile for the most frequent cases (24-bit integers in 4 bytes or 16 bits in
 * 2, single sample, no stencil), in wide host vectors, with the bits of emul_quad_depth and
 * emul_zs_quad. A tile's 4x4 block is contiguous: the lanes of a 512-bit vector. */
#include <string.h>
#include "func/sim_func_impl.h"

static uint64_t
func_tile_base(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   const unsigned quad_bytes = 4u * s->state->zs_format->bytes;
   uint64_t left = 0;
   for (uint64_t m = coverage; m;) {
      unsigned q = (unsigned)__builtin_ctzll(m) / 4;
      float z[4];
      emul_quad_depth(s, x + emul_quad_x(q), y + emul_quad_y(q), 0, 1, z);
      left |=
          (uint64_t)emul_zs_quad(s->state, s->front, coverage >> 4 * q & 15, z, zs + quad_bytes * q)
          << 4 * q;
      m &= ~(15ull << 4 * q);
   }
   return left;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define DEPTH24 0xffffff
#define AVX512 __attribute__((target("avx512f")))
#define AVX2 __attribute__((target("avx2")))

/* A primitive's depth in a tile. It is a copy, since the compiler must assume that stores of depths
 * change the original. */
struct plane_avx512 {
   __m512d z[3], x, y; /* the plane; pixel (0, 0) */
   __m512 zmin, zmax, scale;
};
static inline AVX512 struct plane_avx512
func_tile_plane_avx512(const struct emul_setup *s, int32_t x, int32_t y, float scale)
{
   return (struct plane_avx512){
       .z = {_mm512_set1_pd(s->z[0]), _mm512_set1_pd(s->z[1]), _mm512_set1_pd(s->z[2])},
       .x = _mm512_set1_pd(x),
       .y = _mm512_set1_pd(y),
       .zmin = _mm512_set1_ps(s->zmin),
       .zmax = _mm512_set1_ps(s->zmax),
       .scale = _mm512_set1_ps(scale)};
}

/* Returns a 4x4 block's depths as integers up to scale. */
static inline AVX512 __m512i
func_tile_codes_avx512(const struct plane_avx512 *p, unsigned block)
{
   const double x = (block & 1) * 4, y = (block & 2) * 2;
   const __m512d px = _mm512_add_pd(p->x,
                                    _mm512_setr_pd(x, x + 1, x, x + 1, x + 2, x + 3, x + 2, x + 3)),
                 py = _mm512_add_pd(p->y, _mm512_setr_pd(y, y, y + 1, y + 1, y, y, y + 1, y + 1)),
                 row = _mm512_add_pd(p->z[0], _mm512_mul_pd(p->z[1], px));
   const __m512d upper = _mm512_add_pd(row, _mm512_mul_pd(p->z[2], py)),
                 lower = _mm512_add_pd(
                     row, _mm512_mul_pd(p->z[2], _mm512_add_pd(py, _mm512_set1_pd(2.0))));
   const __m512d both =
       _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(upper))),
                          _mm256_castps_pd(_mm512_cvtpd_ps(lower)), 1);
   const __m512 z = _mm512_min_ps(_mm512_max_ps(_mm512_castpd_ps(both), p->zmin), p->zmax);
   return _mm512_cvttps_epi32(_mm512_mul_ps(z, p->scale));
}

/* Returns the lanes of live that pass. */
static inline AVX512 __mmask16
func_tile_test_avx512(unsigned func, __mmask16 live, __m512i code, __m512i old)
{
   unsigned pass = 0;
   if (func & 1)
      pass |= _mm512_cmplt_epi32_mask(code, old);
   if (func & 2)
      pass |= _mm512_cmpeq_epi32_mask(code, old);
   if (func & 4)
      pass |= _mm512_cmpgt_epi32_mask(code, old);
   return (__mmask16)(pass & live);
}

static AVX512 uint64_t
func_tile_z24_avx512(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage,
                     uint8_t *zs)
{
   const __m512i depth_bits = _mm512_set1_epi32(DEPTH24);
   const struct plane_avx512 plane = func_tile_plane_avx512(s, x, y, (float)DEPTH24);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
#pragma GCC unroll 4
   for (unsigned block = 0; block < 4; block++) {
      const __mmask16 live = (__mmask16)(coverage >> 16 * block);
      if (!live)
         continue;
      const __m512i code = func_tile_codes_avx512(&plane, block),
                    element = _mm512_loadu_si512(zs + 64 * block);
      const __mmask16 pass =
          func_tile_test_avx512(func, live, code, _mm512_and_si512(element, depth_bits));
      if (write && pass)
         _mm512_storeu_si512(
             zs + 64 * block,
             _mm512_mask_or_epi32(element, pass, _mm512_andnot_si512(depth_bits, element), code));
      left |= (uint64_t)pass << 16 * block;
   }
   return left;
}

static AVX512 uint64_t
func_tile_z16_avx512(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage,
                     uint8_t *zs)
{
   const struct plane_avx512 plane = func_tile_plane_avx512(s, x, y, (float)UINT16_MAX);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
#pragma GCC unroll 4
   for (unsigned block = 0; block < 4; block++) {
      const __mmask16 live = (__mmask16)(coverage >> 16 * block);
      if (!live)
         continue;
      __m256i *const at = (__m256i *)(zs + 32 * block);
      const __m512i code = func_tile_codes_avx512(&plane, block),
                    old = _mm512_cvtepu16_epi32(_mm256_loadu_si256(at));
      const __mmask16 pass = func_tile_test_avx512(func, live, code, old);
      if (write && pass)
         _mm256_storeu_si256(at, _mm512_cvtepi32_epi16(_mm512_mask_mov_epi32(old, pass, code)));
      left |= (uint64_t)pass << 16 * block;
   }
   return left;
}

struct plane_avx2 {
   __m256d z[3], x, y;
   __m256 zmin, zmax, scale;
};
static inline AVX2 struct plane_avx2
func_tile_plane_avx2(const struct emul_setup *s, int32_t x, int32_t y, float scale)
{
   return (struct plane_avx2){
       .z = {_mm256_set1_pd(s->z[0]), _mm256_set1_pd(s->z[1]), _mm256_set1_pd(s->z[2])},
       .x = _mm256_set1_pd(x),
       .y = _mm256_set1_pd(y),
       .zmin = _mm256_set1_ps(s->zmin),
       .zmax = _mm256_set1_ps(s->zmax),
       .scale = _mm256_set1_ps(scale)};
}

/* Does the same for two adjacent quads, 2 * half and the next. */
static inline AVX2 __m256i
func_tile_codes_avx2(const struct plane_avx2 *p, unsigned half)
{
   const double x = emul_quad_x(2 * half), y = emul_quad_y(2 * half);
   const __m256d px = _mm256_add_pd(p->x, _mm256_setr_pd(x, x + 1, x, x + 1)),
                 py = _mm256_add_pd(p->y, _mm256_setr_pd(y, y, y + 1, y + 1)),
                 column = _mm256_mul_pd(p->z[2], py);
   const __m256d left = _mm256_add_pd(_mm256_add_pd(p->z[0], _mm256_mul_pd(p->z[1], px)), column),
                 right = _mm256_add_pd(
                     _mm256_add_pd(p->z[0],
                                   _mm256_mul_pd(p->z[1], _mm256_add_pd(px, _mm256_set1_pd(2.0)))),
                     column);
   const __m256 z = _mm256_set_m128(_mm256_cvtpd_ps(right), _mm256_cvtpd_ps(left));
   return _mm256_cvttps_epi32(
       _mm256_mul_ps(_mm256_min_ps(_mm256_max_ps(z, p->zmin), p->zmax), p->scale));
}

/* live: a bit per lane. */
static inline AVX2 __m256i
func_tile_test_avx2(unsigned func, unsigned live, __m256i code, __m256i old)
{
   const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   __m256i pass = _mm256_setzero_si256();
   if (func & 1)
      pass = _mm256_or_si256(pass, _mm256_cmpgt_epi32(old, code));
   if (func & 2)
      pass = _mm256_or_si256(pass, _mm256_cmpeq_epi32(code, old));
   if (func & 4)
      pass = _mm256_or_si256(pass, _mm256_cmpgt_epi32(code, old));
   return _mm256_and_si256(
       pass, _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)live), bits), bits));
}

static inline AVX2 unsigned
func_tile_lanes_avx2(__m256i pass)
{
   return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(pass));
}

static AVX2 uint64_t
func_tile_z24_avx2(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   const __m256i depth_bits = _mm256_set1_epi32(DEPTH24);
   const struct plane_avx2 plane = func_tile_plane_avx2(s, x, y, (float)DEPTH24);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
#pragma GCC unroll 8
   for (unsigned half = 0; half < 8; half++) {
      const unsigned live = coverage >> 8 * half & 0xff;
      if (!live)
         continue;
      __m256i *const at = (__m256i *)(zs + 32 * half);
      const __m256i code = func_tile_codes_avx2(&plane, half), element = _mm256_loadu_si256(at);
      const __m256i pass =
          func_tile_test_avx2(func, live, code, _mm256_and_si256(element, depth_bits));
      const unsigned lanes = func_tile_lanes_avx2(pass);
      /* Masked stores are slower on AMD hosts. */
      if (write && lanes)
         _mm256_storeu_si256(
             at, _mm256_blendv_epi8(element,
                                    _mm256_or_si256(_mm256_andnot_si256(depth_bits, element), code),
                                    pass));
      left |= (uint64_t)lanes << 8 * half;
   }
   return left;
}

static AVX2 uint64_t
func_tile_z16_avx2(const struct emul_setup *s, int32_t x, int32_t y, uint64_t coverage, uint8_t *zs)
{
   const struct plane_avx2 plane = func_tile_plane_avx2(s, x, y, (float)UINT16_MAX);
   const unsigned func = s->state->regs.z_func;
   const bool write = s->state->z_write;
   uint64_t left = 0;
#pragma GCC unroll 8
   for (unsigned half = 0; half < 8; half++) {
      const unsigned live = coverage >> 8 * half & 0xff;
      if (!live)
         continue;
      __m128i *const at = (__m128i *)(zs + 16 * half);
      const __m256i code = func_tile_codes_avx2(&plane, half),
                    old = _mm256_cvtepu16_epi32(_mm_loadu_si128(at));
      const __m256i pass = func_tile_test_avx2(func, live, code, old),
                    value = _mm256_blendv_epi8(old, code, pass);
      if (write)
         _mm_storeu_si128(at, _mm_packus_epi32(_mm256_castsi256_si128(value),
                                               _mm256_extracti128_si256(value, 1)));
      left |= (uint64_t)func_tile_lanes_avx2(pass) << 8 * half;
   }
   return left;
}
#endif

const struct func_tile_z *
func_tile_z_get(unsigned n)
{
   static const struct func_tile_z base = {func_tile_base, func_tile_base};
   const struct func_tile_z *list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   static const struct func_tile_z avx2 = {func_tile_z24_avx2, func_tile_z16_avx2},
                                   avx512 = {func_tile_z24_avx512, func_tile_z16_avx512};
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = &avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = &avx2;
#endif
   list[count++] = &base;
   return n < count ? list[n] : NULL;
}

func_tile_z_fn
func_tile_z_of(const struct func_tile_z *variant, enum attila_format format)
{
   switch (format) {
   case ATTILA_FORMAT_Z24S8:
   case ATTILA_FORMAT_Z24X8_UNORM:
      return variant->z24;
   case ATTILA_FORMAT_Z16_UNORM:
      return variant->z16;
   default:
      return NULL;
   }
}
