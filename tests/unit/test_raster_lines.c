/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lines and points against plain references: the diamonds a line leaves, strips that draw no pixel
 * twice, widths, squares of points, and what the sides of the view volume do to them. */
#include <math.h>
#include "raster_draw.h"

/* Does the segment leave the open diamond around (cx, cy)? unsure: too close to its outline to say.
 */
static bool
leaves_diamond(double x0, double y0, double x1, double y1, double cx, double cy, bool *unsure)
{
   double lo = 0, hi = 1, near = 1e9;
   for (unsigned i = 0; i < 4; i++) {
      double sx = i & 1 ? 1 : -1, sy = i & 2 ? 1 : -1;
      double f0 = 0.5 - (sx * (x0 - cx) + sy * (y0 - cy)),
             f1 = 0.5 - (sx * (x1 - cx) + sy * (y1 - cy));
      near = fmin(near, fmin(fabs(f0), fabs(f1)));
      double t = f0 / (f0 - f1);
      if (f0 < 0 && f1 < 0)
         return false;
      if (f0 < 0)
         lo = fmax(lo, t);
      else if (f1 < 0)
         hi = fmin(hi, t);
   }
   *unsure = near < 1e-6 || fabs(hi - lo) < 1e-6;
   return lo < hi && hi < 1;
}

static void
lines_leave_diamonds(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_LINES);
   unsigned compared = 0;
   for (unsigned round = 0; round < 2000; round++) {
      double p[2][2];
      struct emul_vertex v[3];
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      for (unsigned i = 0; i < 2; i++) {
         double reach = round & 1 ? 30 : 2;
         for (unsigned k = 0; k < 2; k++)
            p[i][k] = floor(random_double(32 - reach, 32 + reach) * 256) / 256;
         window_vertex(&regs, &v[i], p[i][0], p[i][1], 0.5, 1.0);
      }
      draw_prim(v, 2, hits, &stipple);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            bool unsure = false, leaves = leaves_diamond(p[0][0], p[0][1], p[1][0], p[1][1],
                                                         x + 0.5, y + 0.5, &unsure);
            if (unsure)
               continue;
            assert_int_equal(hits[y][x], leaves);
            compared++;
         }
      }
   }
   assert_true(compared > 7000000);
}

static void
line_strips_draw_once(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_LINE_STRIP);
   for (unsigned round = 0; round < 500; round++) {
      struct emul_vertex v[3];
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      bool backwards = round & 1, transposed = round & 2, whole = round & 4;
      unsigned drawn = 0;
      double first = 0, last = 0, a = random_double(0, 4), b = random_double(28, 36);
      if (whole)
         a = floor(a);
      for (unsigned k = 0; k < 12; k++) {
         double along = backwards ? 63 - a : a;
         window_vertex(&regs, &v[k ? 1 : 0], transposed ? b : along, transposed ? along : b, 0.5,
                       1.0);
         if (k)
            drawn += draw_prim(v, 2, hits, &stipple), v[0] = v[1];
         else
            first = along;
         last = along;
         double step = whole ? floor(random_double(1, 5)) : random_double(1, 4);
         a += step;
         b += random_double(-step + 0.5, step - 0.5) * 0.9;
      }
      int lines = 0;
      for (int i = 0; i < SIZE; i++) {
         unsigned n = 0;
         for (int k = 0; k < SIZE; k++)
            n += transposed ? hits[i][k] : hits[k][i];
         assert_true(n <= 1);
         lines += (int)n;
      }
      assert_int_equal(stipple, drawn);
      assert_true(fabs(lines - fabs(last - first)) < 2.0);
   }
}

static void
wide_lines_and_stipple(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   uint8_t hits[SIZE][SIZE] = {{0}};
   uint32_t stipple = 3;
   state_regs(&regs, SIZE, SIZE);
   regs.line_width = 4;
   regs.line_stipple_enable = 1;
   regs.line_stipple_pattern = 0x2cf1;
   regs.line_stipple_factor = 2;
   restart(ATTILA_PRIM_LINES);
   window_vertex(&regs, &v[0], 10.5, 20.5, 0.5, 1.0);
   window_vertex(&regs, &v[1], 50.5, 20.5, 0.5, 1.0);
   draw_prim(v, 2, hits, &stipple);
   assert_int_equal(stipple, 43);
   for (int x = 0; x < SIZE; x++) {
      unsigned column = 0;
      for (int y = 0; y < SIZE; y++)
         column += hits[y][x];
      bool on = x >= 10 && x < 50 && (0x2cf1 >> ((x - 10 + 3) / 2 & 15) & 1);
      assert_int_equal(column, on ? 4 : 0);
      /* The segment of 4 pixels: centres in (18.5, 22.5]. */
      assert_int_equal(hits[19][x] + hits[22][x], on ? 2 : 0);
   }
}

/* OpenGL 3.3, 3.5.1: lines with slopes in [-1, 1], both ends included, are x-major and as high as
 * they are wide. */
static void
diagonals_are_x_major(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_LINES);
   state.regs.line_width = 3;
   for (unsigned direction = 0; direction < 4; direction++) {
      struct emul_vertex v[2];
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      const double x = direction & 1 ? 50.5 : 10.5, y = direction & 2 ? 50.25 : 10.25;
      window_vertex(&regs, &v[0], x, y, 0.5, 1.0);
      window_vertex(&regs, &v[1], 61 - x, 60.5 - y, 0.5, 1.0);
      draw_prim(v, 2, hits, &stipple);
      unsigned columns = 0;
      for (unsigned i = 0; i < SIZE; i++) {
         unsigned height = 0;
         for (unsigned k = 0; k < SIZE; k++)
            height += hits[k][i];
         assert_true(height == 0 || height == 3);
         columns += height != 0;
      }
      assert_int_equal(columns, 40);
   }
}

static void
points_cover_squares(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_POINTS);
   for (unsigned round = 0; round < 1000; round++) {
      struct emul_vertex v[3];
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      double x = floor(random_double(8, 56) * 256) / 256,
             y = floor(random_double(8, 56) * 256) / 256;
      unsigned size = 1 + round % 7;
      state.regs.point_size = (float)size;
      window_vertex(&regs, &v[0], x, y, 0.5, 1.0);
      assert_int_equal(draw_prim(v, 1, hits, &stipple), size * size);
      /* Odd: the pixel the point is in is the centre; even: the nearest corner is. */
      int first_x = (int)(size & 1 ? floor(x) : floor(x + 0.5)) - (int)size / 2;
      int first_y = (int)(size & 1 ? floor(y) : floor(y + 0.5)) - (int)size / 2;
      assert_int_equal(hits[first_y][first_x], 1);
      assert_int_equal(hits[first_y + (int)size - 1][first_x + (int)size - 1], 1);
   }
}

/* Clips and draws a point or line; false: clipping dropped it. */
static bool
clip_and_draw(const struct emul_vertex *v, unsigned num_vertices, uint8_t hits[SIZE][SIZE])
{
   struct emul_primitive prim = {.num_vertices = (uint8_t)num_vertices, .v = {&v[0], &v[1]}};
   struct emul_vertex storage[EMUL_MAX_CLIPPED];
   unsigned n, planes;
   uint32_t edges, stipple = 0;
   enum emul_clip_result result = emul_clip(&state, &prim, storage, &n, &edges, &planes);
   memset(hits, 0, SIZE * SIZE);
   if (result == EMUL_CLIP_REJECT)
      return false;
   draw_prim(result == EMUL_CLIP_CLIPPED ? storage : v, num_vertices, hits, &stipple);
   return true;
}

/* OpenGL drops a point by its centre and cuts a line before it is widened; OpenGL ES draws what of
 * them is inside the viewport. */
static void
sides_clip_pixels(void **unused __attribute__((unused)))
{
   struct emul_vertex v[2];
   uint8_t whole[SIZE][SIZE], hits[SIZE][SIZE];
   for (unsigned es = 0; es < 2; es++) {
      state_regs(&regs, SIZE, SIZE);
      regs.viewport_scale[0] = regs.viewport_scale[1] = 16; /* pixels 16 to 47 */
      regs.point_line_tri_clip = es;
      regs.point_size = 8;
      regs.line_width = 6;
      restart(ATTILA_PRIM_POINTS);
      window_vertex(&regs, &v[0], 14, 30, 0.5, 1.0); /* pixels 10 to 17 */
      assert_int_equal(clip_and_draw(v, 1, hits), es);
      for (int x = 0; x < SIZE; x++)
         assert_int_equal(hits[30][x], es && x >= 16 && x < 18);
      window_vertex(&regs, &v[0], 30, 30, 2.0, 1.0); /* beyond the far plane */
      assert_false(clip_and_draw(v, 1, hits));

      /* Beside the left side and parallel to it: columns 12 to 17. */
      restart(ATTILA_PRIM_LINES);
      window_vertex(&regs, &v[0], 15, 5.5, 0.5, 1.0);
      window_vertex(&regs, &v[1], 15, 60.5, 0.5, 1.0);
      assert_int_equal(clip_and_draw(v, 2, hits), es);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(hits[y][x], es && x >= 16 && x < 18 && y >= 16 && y < 48);
      }

      /* A slanted line: as if there were no sides, inside the viewport. */
      window_vertex(&regs, &v[0], 3.25, 8.5, 0.5, 1.0);
      window_vertex(&regs, &v[1], 60.75, 40.25, 0.5, 1.0);
      uint32_t stipple = 0;
      memset(whole, 0, sizeof(whole));
      regs.point_line_tri_clip = 0; /* limits the pixels to the scissor only */
      restart(ATTILA_PRIM_LINES);
      draw_prim(v, 2, whole, &stipple);
      regs.point_line_tri_clip = es;
      restart(ATTILA_PRIM_LINES);
      assert_true(clip_and_draw(v, 2, hits));
      unsigned differ = 0;
      for (int y = 16; y < 48; y++) {
         for (int x = 16; x < 48; x++)
            differ += hits[y][x] != whole[y][x];
      }
      assert_true(es ? differ == 0 : differ > 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(lines_leave_diamonds),   cmocka_unit_test(line_strips_draw_once),
       cmocka_unit_test(wide_lines_and_stipple), cmocka_unit_test(diagonals_are_x_major),
       cmocka_unit_test(points_cover_squares),   cmocka_unit_test(sides_clip_pixels),
   };
   return cmocka_run_group_tests_name("raster lines", tests, NULL, NULL);
}
