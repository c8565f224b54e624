/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Antialiased points, lines and polygons: the covered fraction of every pixel against an area
 * measured on a fine grid from the shape's definition, and the rules that make a polygon of several
 * triangles one shape. And the outline of a triangle, for wireframes. */
#include <math.h>
#include "raster_state.h"

#define SIZE 64
#define FINE 16 /* points per axis of a pixel */
#define FS ".fragment\nADD o0, i1, i0\nEND\n"

static struct attila_regs regs;
static struct emul_draw_state state;
static float covered[SIZE][SIZE];
static struct emul_vec4 inputs[ATTILA_ISA_MAX_INPUTS];

static void
start(unsigned prim)
{
   state_regs(&regs, SIZE, SIZE);
   regs.line_smooth = regs.point_smooth = regs.poly_smooth = 1;
   regs.fs_input[0].source = ATTILA_FS_FACE;
   state_init(&state, &regs, prim, FS);
}

/* Puts the fractions of every pixel into covered; tiles, quads and blocks must agree on which
 * pixels are touched. */
static unsigned
draw(const struct emul_vertex *v, unsigned n, uint8_t edges)
{
   struct emul_primitive prim = {
       .num_vertices = (uint8_t)n, .edges = edges, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
   struct emul_setup out[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   uint32_t stipple = 0;
   unsigned num = emul_setup(&state, &prim, &stipple, out, &result);
   memset(covered, 0, sizeof(covered));
   for (unsigned i = 0; i < num; i++) {
      for (int32_t y = 0; y < SIZE; y += 2) {
         for (int32_t x = 0; x < SIZE; x += 2) {
            uint64_t tile = emul_tile_coverage(&out[i], x & ~7, y & ~7);
            uint32_t quad = emul_quad_coverage(&out[i], x, y, 1),
                     four = emul_quad_coverage(&out[i], x, y, 4);
            float c[4];
            emul_quad_smooth_coverage(&out[i], x, y, c);
            emul_quad_interpolate(&out[i], x, y, 1, inputs);
            assert_memory_equal(&inputs[0].c[1][4], c, sizeof(c)); /* a shader sees the same */
            assert_int_equal(tile >> attila_morton8((uint32_t)x & 7, (uint32_t)y & 7) & 15, quad);
            assert_int_equal(four, state.samples == 4 ? quad * 0x1111 : four);
            if (quad)
               assert_true(emul_block_overlaps(&out[i], x, y, 2) &&
                           emul_block_overlaps(&out[i], x & ~31, y & ~31, 32));
            for (int32_t p = 0; p < 4; p++) {
               if (quad >> p & 1)
                  assert_true(c[p] > 0.0f && c[p] <= 1.0f);
               covered[y + (p >> 1)][x + (p & 1)] += quad >> p & 1 ? c[p] : 0.0f;
            }
         }
      }
   }
   return num;
}

struct shape {
   unsigned sides;    /* 0: a disc */
   double x[4], y[4]; /* in order; [0] the centre of a disc */
   double radius;
};

static bool
in_shape(const struct shape *s, double x, double y)
{
   if (s->sides == 0)
      return hypot(x - s->x[0], y - s->y[0]) <= s->radius;
   unsigned left = 0, right = 0;
   for (unsigned i = 0; i < s->sides; i++) {
      unsigned k = (i + 1) % s->sides;
      double side = (s->x[k] - s->x[i]) * (y - s->y[i]) - (s->y[k] - s->y[i]) * (x - s->x[i]);
      left += side > 0;
      right += side < 0;
   }
   return left == 0 || right == 0;
}

/* No pixel may be off by more than the points can be, and all together not by 3 % and a quarter of
 * a pixel. */
static void
compare(const struct shape *s)
{
   double sum = 0, exact_sum = 0;
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         unsigned in = 0;
         for (unsigned i = 0; i < FINE * FINE; i++)
            in += in_shape(s, x + (i % FINE + 0.5) / FINE, y + (i / FINE + 0.5) / FINE);
         double exact = (double)in / (FINE * FINE);
         assert_true(fabs(covered[y][x] - exact) <= 0.16);
         sum += covered[y][x];
         exact_sum += exact;
      }
   }
   assert_true(fabs(sum - exact_sum) <= 0.03 * exact_sum + 0.25);
}

static double
subpixel(double lo, double hi)
{
   return floor(random_double(lo, hi) * 256) / 256;
}

static void
lines_cover_their_area(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_LINES);
   for (unsigned round = 0; round < 40; round++) {
      struct emul_vertex v[3];
      double x0 = subpixel(8, 56), y0 = subpixel(8, 56), x1 = subpixel(8, 56), y1 = subpixel(8, 56);
      double len = hypot(x1 - x0, y1 - y0), width = round % 4 == 0 ? 1.0 : random_double(1, 6);
      if (len < 4)
         continue;
      double ox = -(y1 - y0) / len * width / 2, oy = (x1 - x0) / len * width / 2;
      struct shape s = {.sides = 4,
                        .x = {x0 - ox, x1 - ox, x1 + ox, x0 + ox},
                        .y = {y0 - oy, y1 - oy, y1 + oy, y0 + oy}};
      state.regs.line_width = (float)width;
      window_vertex(&regs, &v[0], x0, y0, 0.5, 1.0);
      window_vertex(&regs, &v[1], x1, y1, 0.5, 1.0);
      assert_int_equal(draw(v, 2, 0), 1);
      compare(&s);
   }
}

/* Wherever it lies, a horizontal line of one pixel covers one pixel of every column, divided
 * between two rows. */
static void
thin_lines_are_even(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_LINES);
   for (unsigned i = 0; i < 16; i++) {
      struct emul_vertex v[3];
      double y = 20.5 + i / 16.0;
      window_vertex(&regs, &v[0], 10, y, 0.5, 1.0);
      window_vertex(&regs, &v[1], 50, y, 0.5, 1.0);
      draw(v, 2, 0);
      for (int x = 10; x < 50; x++) {
         assert_true(covered[20][x] == (float)(16 - i) / 16);
         assert_true(covered[21][x] == (float)i / 16);
      }
   }
}

static void
points_cover_discs(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_POINTS);
   for (unsigned round = 0; round < 40; round++) {
      struct emul_vertex v[3];
      struct shape s = {
          .x = {subpixel(12, 52)}, .y = {subpixel(12, 52)}, .radius = random_double(0.5, 8)};
      state.regs.point_size = (float)(2 * s.radius);
      window_vertex(&regs, &v[0], s.x[0], s.y[0], 0.5, 1.0);
      assert_int_equal(draw(v, 1, 0), 1);
      compare(&s);
   }
   /* Sprites are squares, smooth or not. */
   struct emul_vertex v[3];
   state.regs.point_is_sprite = 1;
   state.regs.point_size = 4;
   window_vertex(&regs, &v[0], 32, 32, 0.5, 1.0);
   draw(v, 1, 0);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++)
         assert_true(covered[y][x] == (x >= 30 && x < 34 && y >= 30 && y < 34));
   }
}

static void
triangles_cover_their_area(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_TRIANGLES);
   for (unsigned round = 0; round < 40; round++) {
      struct emul_vertex v[3];
      struct shape s = {.sides = 3};
      for (unsigned i = 0; i < 3; i++) {
         s.x[i] = subpixel(2, 62);
         s.y[i] = subpixel(2, 62);
         window_vertex(&regs, &v[i], s.x[i], s.y[i], 0.5, 1.0);
      }
      draw(v, 3, 7);
      compare(&s);
   }
}

/* A quad is two triangles; no pixel on their common edge belongs to both, and inside alpha is
 * untouched. */
static void
polygons_have_no_seams(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_QUADS);
   for (unsigned round = 0; round < 40; round++) {
      static float first[SIZE][SIZE];
      struct emul_vertex v[4];
      struct shape s = {.sides = 4};
      for (unsigned i = 0; i < 4; i++) {
         static const double corner[4][2] = {{10, 10}, {54, 10}, {54, 54}, {10, 54}};
         s.x[i] = corner[i][0] + subpixel(-6, 6);
         s.y[i] = corner[i][1] + subpixel(-6, 6);
         window_vertex(&regs, &v[i], s.x[i], s.y[i], 0.5, 1.0);
      }
      const struct emul_vertex a[3] = {v[0], v[1], v[2]}, b[3] = {v[0], v[2], v[3]};
      draw(a, 3, 3); /* edges 0-1 and 1-2 */
      memcpy(first, covered, sizeof(first));
      draw(b, 3, 6); /* edges 2-3 and 3-0 */
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            assert_true(first[y][x] == 0 || covered[y][x] == 0);
            bool inside = in_shape(&s, x, y) && in_shape(&s, x + 1, y) && in_shape(&s, x, y + 1) &&
                          in_shape(&s, x + 1, y + 1);
            if (inside)
               assert_true(first[y][x] + covered[y][x] == 1);
         }
      }
   }
}

/* Multisampling replaces smoothing; switched off, smoothing works on surfaces with several samples.
 */
static void
multisampling_replaces_smoothing(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   start(ATTILA_PRIM_LINES);
   regs.fb_samples = 4;
   state_init(&state, &regs, ATTILA_PRIM_LINES, FS);
   assert_false(state.smooth);
   regs.pixel_coverage = 1;
   state_init(&state, &regs, ATTILA_PRIM_LINES, FS);
   assert_true(state.smooth);
   window_vertex(&regs, &v[0], 10, 20.25, 0.5, 1.0);
   window_vertex(&regs, &v[1], 50, 30.25, 0.5, 1.0);
   assert_int_equal(draw(v, 2, 0), 1);
}

/* A right triangle whose corners are corners of pixels: one pixel beside each edge, and the
 * diagonal. */
static void
outlines_are_the_pixels_of_edges(void **unused __attribute__((unused)))
{
   static const double at[3][2] = {{10, 10}, {30, 10}, {10, 30}};
   struct emul_vertex v[3];
   struct emul_primitive prim = {
       .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
   struct emul_setup s[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   uint32_t stipple = 0;
   start(ATTILA_PRIM_TRIANGLES);
   for (unsigned i = 0; i < 3; i++)
      window_vertex(&regs, &v[i], at[i][0], at[i][1], 0.5, 1.0);
   assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 1);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool edge = x >= 10 && y >= 10 && x + y <= 39 && (x == 10 || y == 10 || x + y == 39);
         assert_int_equal(emul_quad_outline(s, x & ~1, y & ~1) >> ((y & 1) * 2 + (x & 1)) & 1,
                          edge);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(lines_cover_their_area),
       cmocka_unit_test(thin_lines_are_even),
       cmocka_unit_test(points_cover_discs),
       cmocka_unit_test(triangles_cover_their_area),
       cmocka_unit_test(polygons_have_no_seams),
       cmocka_unit_test(multisampling_replaces_smoothing),
       cmocka_unit_test(outlines_are_the_pixels_of_edges),
   };
   return cmocka_run_group_tests_name("smooth", tests, NULL, NULL);
}
