/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Coverage: which pixels of a tile, or samples of a quad, are inside a primitive. Edge functions
 * are exact; per tile an edge rejects all pixels, accepts all, or is evaluated for 64 pixels in 32
 * bits (in steps of whole pixels its low 8 bits cannot change a sign). Smooth primitives cover a
 * pixel if one of its points is covered. Applies scissor, stipple, and discs of smooth points. */
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "emul/raster/emul_setup_impl.h"

typedef int32_t i32x4 __attribute__((vector_size(16)));

const uint8_t emul_sample_positions[4][ATTILA_MAX_SAMPLES][2] = ATTILA_SAMPLE_POSITIONS;

/* Pixels of a tile with x & 7 (or y & 7) < n. */
static const uint64_t left_of[9] = {
    0x0000000000000000ull, 0x0000050500000505ull, 0x00000f0f00000f0full,
    0x00005f5f00005f5full, 0x0000ffff0000ffffull, 0x0505ffff0505ffffull,
    0x0f0fffff0f0fffffull, 0x5f5fffff5f5fffffull, 0xffffffffffffffffull};
static const uint64_t above[9] = {
    0x0000000000000000ull, 0x0000000000330033ull, 0x0000000000ff00ffull,
    0x0000000033ff33ffull, 0x00000000ffffffffull, 0x00330033ffffffffull,
    0x00ff00ffffffffffull, 0x33ff33ffffffffffull, 0xffffffffffffffffull};

static inline int32_t
emul_raster_clamp8(int32_t v)
{
   return v < 0 ? 0 : v > 8 ? 8 : v;
}

static inline uint64_t
emul_raster_rectangle_mask(const struct emul_setup *s, int32_t x, int32_t y)
{
   return (left_of[emul_raster_clamp8(s->maxx - x)] & ~left_of[emul_raster_clamp8(s->minx - x)]) &
          (above[emul_raster_clamp8(s->maxy - y)] & ~above[emul_raster_clamp8(s->miny - y)]);
}

static inline unsigned
emul_raster_sign_bits(i32x4 v)
{
#if defined(__x86_64__)
   return (unsigned)_mm_movemask_ps((__m128)v);
#else
   return (unsigned)((v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3);
#endif
}

static uint64_t
emul_raster_edge_mask_base(unsigned n, const int32_t *a, const int32_t *b, const int32_t *e,
                           uint64_t mask)
{
   uint64_t out = 0;
   for (unsigned block = 0; block < 4; block++) {
      if (!(mask >> 16 * block & 0xffff))
         continue;
      i32x4 q0 = {0}, q1 = q0, q2 = q0, q3 = q0;
      for (unsigned i = 0; i < n; i++) {
         int32_t base = e[i] + (block & 1 ? 4 * a[i] : 0) + (block & 2 ? 4 * b[i] : 0);
         i32x4 v = (i32x4){0, a[i], b[i], a[i] + b[i]} + base, vx = v + 2 * a[i];
         q0 |= v;
         q1 |= vx;
         q2 |= v + 2 * b[i];
         q3 |= vx + 2 * b[i];
      }
      unsigned outside = emul_raster_sign_bits(q0) | emul_raster_sign_bits(q1) << 4 |
                         emul_raster_sign_bits(q2) << 8 | emul_raster_sign_bits(q3) << 12;
      out |= (uint64_t)(~outside & 0xffff) << 16 * block;
   }
   return out & mask;
}

#if defined(__x86_64__)
static __attribute__((target("avx512f"))) uint64_t
emul_raster_edge_mask_avx512(unsigned n, const int32_t *a, const int32_t *b, const int32_t *e,
                             uint64_t mask)
{
   const __m512i dx = _mm512_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3);
   const __m512i dy = _mm512_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3);
   __m512i block[4];
   for (unsigned i = 0; i < n; i++) {
      __m512i va = _mm512_set1_epi32(a[i]), vb = _mm512_set1_epi32(b[i]);
      __m512i a4 = _mm512_slli_epi32(va, 2), b4 = _mm512_slli_epi32(vb, 2);
      __m512i v =
          _mm512_add_epi32(_mm512_set1_epi32(e[i]), _mm512_add_epi32(_mm512_mullo_epi32(va, dx),
                                                                     _mm512_mullo_epi32(vb, dy)));
      __m512i below = _mm512_add_epi32(v, b4);
      const __m512i value[4] = {v, _mm512_add_epi32(v, a4), below, _mm512_add_epi32(below, a4)};
      for (unsigned k = 0; k < 4; k++)
         block[k] = i ? _mm512_or_si512(block[k], value[k]) : value[k];
   }
   uint64_t outside = 0;
   for (unsigned k = 0; k < 4; k++)
      outside |= (uint64_t)_mm512_cmplt_epi32_mask(block[k], _mm512_setzero_si512()) << 16 * k;
   return mask & ~outside;
}

static __attribute__((target("avx2"))) uint64_t
emul_raster_edge_mask_avx2(unsigned n, const int32_t *a, const int32_t *b, const int32_t *e,
                           uint64_t mask)
{
   const __m256i dx = _mm256_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3),
                 dy = _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1);
   __m256i half[8]; /* two quads side by side */
   for (unsigned i = 0; i < n; i++) {
      const __m256i va = _mm256_set1_epi32(a[i]), vb = _mm256_set1_epi32(b[i]);
      const __m256i a4 = _mm256_slli_epi32(va, 2), b2 = _mm256_slli_epi32(vb, 1);
      __m256i v =
          _mm256_add_epi32(_mm256_set1_epi32(e[i]), _mm256_add_epi32(_mm256_mullo_epi32(va, dx),
                                                                     _mm256_mullo_epi32(vb, dy)));
      for (unsigned y = 0; y < 4; y++, v = _mm256_add_epi32(v, b2)) {
         const unsigned k = (y & 2) << 1 | (y & 1);
         const __m256i right = _mm256_add_epi32(v, a4);
         half[k] = i ? _mm256_or_si256(half[k], v) : v;
         half[k + 2] = i ? _mm256_or_si256(half[k + 2], right) : right;
      }
   }
   uint64_t outside = 0;
   for (unsigned k = 0; k < 8; k++)
      outside |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(half[k])) << 8 * k;
   return mask & ~outside;
}
#endif

emul_edge_mask_fn
emul_edge_mask_get(unsigned n)
{
   emul_edge_mask_fn list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = emul_raster_edge_mask_avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = emul_raster_edge_mask_avx2;
#endif
   list[count++] = emul_raster_edge_mask_base;
   return n < count ? list[n] : NULL;
}

/* Chosen once, when the library is loaded. */
static emul_edge_mask_fn edge_mask = emul_raster_edge_mask_base;

static __attribute__((constructor)) void
emul_raster_choose_edge_mask(void)
{
   edge_mask = emul_edge_mask_get(0);
}

/* Tests the disc of a smooth point; (x, y) in subpixels. */
static inline bool
emul_raster_in_disc(const struct emul_setup *s, int64_t x, int64_t y)
{
   int64_t dx = x - (int64_t)(s->point_center[0] * SUBPIXELS),
           dy = y - (int64_t)(s->point_center[1] * SUBPIXELS);
   int64_t diameter = (int64_t)(s->point_size * SUBPIXELS);
   return 4 * (dx * dx + dy * dy) <= diameter * diameter;
}

static inline bool
emul_raster_is_disc(const struct emul_setup *s)
{
   const struct attila_regs *r = &s->state->regs;
   return s->is_point && !r->point_is_sprite && (s->smooth || emul_multisample(s->state));
}

static inline bool
emul_raster_line_stipple_on(const struct emul_setup *s, int32_t x, int32_t y)
{
   const struct attila_regs *r = &s->state->regs;
   float along = s->stipple_step[0] + s->stipple_step[1] * (float)x + s->stipple_step[2] * (float)y;
   uint32_t factor = r->line_stipple_factor ? r->line_stipple_factor : 1;
   uint32_t counter = s->stipple_start + (along > 0.0f ? (uint32_t)along : 0);
   return r->line_stipple_pattern >> (counter / factor & 15) & 1;
}

static inline bool
emul_raster_is_stippled(const struct emul_setup *s)
{
   const struct attila_regs *r = &s->state->regs;
   return s->is_line ? r->line_stipple_enable : !s->is_point && r->poly_stipple_enable;
}

static inline bool
emul_raster_stipple_on(const struct emul_setup *s, int32_t x, int32_t y)
{
   if (s->is_line)
      return emul_raster_line_stipple_on(s, x, y);
   return s->state->regs.poly_stipple[y & 31] >> (31 - (x & 31)) & 1;
}

/* Returns how many of a pixel's EMUL_SMOOTH_POINTS points (Hammersley's, so that edges along an
 * axis distinguish as many widths) a smooth primitive covers. */
static unsigned
emul_raster_smooth_points(const struct emul_setup *s, int32_t px, int32_t py)
{
   static const uint8_t reversed[EMUL_SMOOTH_POINTS] = {0, 8, 4, 12, 2, 10, 6, 14,
                                                        1, 9, 5, 13, 3, 11, 7, 15};
   const int64_t step = SUBPIXELS / EMUL_SMOOTH_POINTS, cx = (int64_t)px * SUBPIXELS,
                 cy = (int64_t)py * SUBPIXELS;
   int64_t corner[4];
   unsigned sampled = 0, inside = 0;
   for (unsigned i = 0; i < s->num_edges; i++) {
      int64_t v = s->edge_a[i] * cx + s->edge_b[i] * cy + s->edge_c[i];
      if (!(s->centre_edges >> i & 1)) {
         sampled |= 1u << i;
         corner[i] = v;
      } else if (v + (s->edge_a[i] + s->edge_b[i]) * emul_centre(s->state) < 0) {
         return 0;
      }
   }
   for (unsigned n = 0; n < EMUL_SMOOTH_POINTS; n++) {
      int64_t dx = n * step + step / 2, dy = reversed[n] * step + step / 2;
      bool in = !emul_raster_is_disc(s) || emul_raster_in_disc(s, cx + dx, cy + dy);
      for (unsigned left = sampled; left; left &= left - 1) {
         unsigned i = (unsigned)__builtin_ctz(left);
         in &= corner[i] + s->edge_a[i] * dx + s->edge_b[i] * dy >= 0;
      }
      inside += in;
   }
   return inside;
}

void
emul_quad_smooth_coverage(const struct emul_setup *s, int32_t x, int32_t y, float coverage[4])
{
   for (int32_t p = 0; p < 4; p++)
      coverage[p] = s->smooth ? (float)emul_raster_smooth_points(s, x + (p & 1), y + (p >> 1)) /
                                    EMUL_SMOOTH_POINTS
                              : 1.0f;
}

/* Does the tests that are per pixel. */
static uint64_t
emul_raster_pixel_tests(const struct emul_setup *s, int32_t x, int32_t y, uint64_t mask)
{
   bool stippled = emul_raster_is_stippled(s);
   for (uint64_t m = mask; m; m &= m - 1) {
      unsigned i = (unsigned)__builtin_ctzll(m);
      int32_t px = x + (int32_t)((i & 1) | (i >> 1 & 2) | (i >> 2 & 4)),
              py = y + (int32_t)((i >> 1 & 1) | (i >> 2 & 2) | (i >> 3 & 4));
      if ((stippled && !emul_raster_stipple_on(s, px, py)) ||
          (s->smooth && !emul_raster_smooth_points(s, px, py)))
         mask &= ~(1ull << i);
   }
   return mask;
}

/* Finds the pixels of a tile that a smooth primitive covers at one of their points, which do not
 * lie at centres. First skips quads that cannot be covered. */
static uint64_t
emul_raster_smooth_tile(const struct emul_setup *s, int32_t x, int32_t y, uint64_t mask)
{
   if (!mask || !emul_block_overlaps(s, x, y, ATTILA_TILE_DIM))
      return 0;
   for (unsigned q = 0; q < 16; q++) {
      if (!emul_block_overlaps(s, x + emul_quad_x(q), y + emul_quad_y(q), 2))
         mask &= ~(15ull << 4 * q);
   }
   return emul_raster_pixel_tests(s, x, y, mask);
}

void
emul_walk_start(const struct emul_setup *s, struct emul_walk *w)
{
   for (unsigned i = 0; i < s->num_edges; i++) {
      const int64_t dx = s->edge_a[i] * 7 * SUBPIXELS, dy = s->edge_b[i] * 7 * SUBPIXELS;
      w->step[i] = s->edge_a[i] * ATTILA_TILE_DIM * SUBPIXELS;
      w->low[i] = (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0);
      w->high[i] = (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0);
   }
}

void
emul_walk_to(const struct emul_setup *s, struct emul_walk *w, int32_t x, int32_t y)
{
   const int64_t centre = emul_centre(s->state), cx = (int64_t)x * SUBPIXELS + centre,
                 cy = (int64_t)y * SUBPIXELS + centre;
   for (unsigned i = 0; i < s->num_edges; i++)
      w->v[i] = s->edge_a[i] * cx + s->edge_b[i] * cy + s->edge_c[i];
   w->x = x;
   w->y = y;
   w->over = false;
}

/* Returns the coverage of w's tile, for pixels in mask (the bounding box). */
static inline uint64_t
emul_raster_walk_coverage(const struct emul_setup *s, const struct emul_walk *w, uint64_t mask)
{
   int32_t a[4], b[4], e[4];
   unsigned n = 0;
   for (unsigned i = 0; i < s->num_edges; i++) {
      /* Branch-free: the host would often mispredict. */
      a[n] = (int32_t)s->edge_a[i];
      b[n] = (int32_t)s->edge_b[i];
      e[n] = (int32_t)(w->v[i] >> EMUL_SUBPIXEL_BITS);
      n += w->v[i] + w->low[i] < 0;
   }
   if (n)
      mask = edge_mask(n, a, b, e, mask);
   if (mask && emul_raster_is_stippled(s))
      mask = emul_raster_pixel_tests(s, w->x, w->y, mask);
   return mask;
}

uint64_t
emul_walk_tile(const struct emul_setup *s, struct emul_walk *w)
{
   uint64_t mask = 0;
   int64_t out = 0;
   for (unsigned i = 0; i < s->num_edges; i++)
      out |= w->v[i] + w->high[i];
   if (s->smooth)
      mask = emul_raster_smooth_tile(s, w->x, w->y, emul_raster_rectangle_mask(s, w->x, w->y));
   else if (out >= 0 && (mask = emul_raster_rectangle_mask(s, w->x, w->y)))
      mask = emul_raster_walk_coverage(s, w, mask);
   w->x += ATTILA_TILE_DIM;
   if (out < 0 && !s->smooth) {
      for (unsigned i = 0; i < s->num_edges; i++)
         w->over |= w->step[i] <= 0 && w->v[i] + w->high[i] < 0;
   }
   for (unsigned i = 0; i < s->num_edges; i++)
      w->v[i] += w->step[i];
   return mask;
}

uint64_t
emul_tile_coverage(const struct emul_setup *s, int32_t x, int32_t y)
{
   struct emul_walk w;
   emul_walk_start(s, &w);
   emul_walk_to(s, &w, x, y);
   return emul_walk_tile(s, &w);
}

/* Returns whether no edge has all points of the square from (x, y), `pixels` wide, outside. */
static inline bool
emul_raster_inside_edges(const struct emul_setup *s, int32_t x, int32_t y, int32_t pixels,
                         int64_t offset)
{
   int64_t reach = (int64_t)pixels * SUBPIXELS, cx = (int64_t)x * SUBPIXELS + offset,
           cy = (int64_t)y * SUBPIXELS + offset;
   for (unsigned i = 0; i < s->num_edges; i++) {
      int64_t v = s->edge_a[i] * cx + s->edge_b[i] * cy + s->edge_c[i];
      v += s->edge_a[i] > 0 ? s->edge_a[i] * reach : 0;
      v += s->edge_b[i] > 0 ? s->edge_b[i] * reach : 0;
      if (v < 0)
         return false;
   }
   return true;
}

/* Returns whether sample points are spread over the pixel instead of at its centre. */
static inline bool
emul_raster_samples_anywhere(const struct emul_setup *s)
{
   return emul_multisample(s->state) || s->smooth;
}

bool
emul_block_overlaps(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim)
{
   if (x >= s->maxx || y >= s->maxy || x + dim <= s->minx || y + dim <= s->miny)
      return false;
   bool anywhere = emul_raster_samples_anywhere(s);
   return emul_raster_inside_edges(s, x, y, anywhere ? dim : dim - 1,
                                   anywhere ? 0 : emul_centre(s->state));
}

bool
emul_block_touches(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim)
{
   return emul_raster_inside_edges(s, x, y, dim,
                                   emul_raster_samples_anywhere(s) ? 0 : emul_centre(s->state));
}

static inline unsigned
emul_raster_log2_samples(unsigned samples)
{
   return samples >= 8 ? 3 : samples >= 4 ? 2 : samples >= 2 ? 1 : 0;
}

uint32_t
emul_quad_coverage(const struct emul_setup *s, int32_t x, int32_t y, unsigned samples)
{
   uint32_t mask = 0;
   unsigned row = emul_multisample(s->state) ? emul_raster_log2_samples(samples) : 0;
   bool disc = emul_raster_is_disc(s), stippled = emul_raster_is_stippled(s);
   for (unsigned p = 0; p < 4; p++) {
      int32_t px = x + (int32_t)(p & 1), py = y + (int32_t)(p >> 1);
      if (px < s->minx || px >= s->maxx || py < s->miny || py >= s->maxy ||
          (stippled && !emul_raster_stipple_on(s, px, py)))
         continue;
      if (s->smooth) {
         mask |= (uint32_t)(emul_raster_smooth_points(s, px, py) > 0) << p;
         continue;
      }
      for (unsigned n = 0; n < 1u << row; n++) {
         int64_t cx = (int64_t)px * SUBPIXELS, cy = (int64_t)py * SUBPIXELS;
         cx += row ? emul_sample_positions[row][n][0] * (SUBPIXELS / 16) : emul_centre(s->state);
         cy += row ? emul_sample_positions[row][n][1] * (SUBPIXELS / 16) : emul_centre(s->state);
         bool in = !disc || emul_raster_in_disc(s, cx, cy);
         for (unsigned i = 0; i < s->num_edges; i++)
            in &= s->edge_a[i] * cx + s->edge_b[i] * cy + s->edge_c[i] >= 0;
         mask |= (uint32_t)in << (n * 4 + p);
      }
   }
   if (samples == 1)
      return mask;
   if (!row)
      mask *= 0x11111111u >> (32 - 4 * samples);
   for (unsigned n = 0; n < samples; n++) {
      if (!(s->state->regs.sample_mask >> n & 1))
         mask &= ~(15u << n * 4);
   }
   return mask;
}

uint32_t
emul_quad_outline(const struct emul_setup *s, int32_t x, int32_t y)
{
   uint32_t mask = 0;
   for (unsigned p = 0; p < 4; p++) {
      const int64_t cx = (int64_t)(x + (int32_t)(p & 1)) * SUBPIXELS + emul_centre(s->state),
                    cy = (int64_t)(y + (int32_t)(p >> 1)) * SUBPIXELS + emul_centre(s->state);
      bool near = false, beside = true;
      for (unsigned i = 0; i < s->num_edges; i++) {
         const int64_t a = llabs(s->edge_a[i]), b = llabs(s->edge_b[i]),
                       half = (a > b ? a : b) * (SUBPIXELS / 2),
                       at = s->edge_a[i] * cx + s->edge_b[i] * cy + s->edge_c[i];
         beside &= at > -half; /* not past the ends of the other edges */
         near |= at <= half;
      }
      mask |= (uint32_t)(near && beside) << p;
   }
   return mask;
}
