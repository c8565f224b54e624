/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The rasteriser against plain references: triangle coverage against 128-bit integers with a
 * symbolically moved sample point, clipped triangles against homogeneous coordinates without
 * clipping, samples, polygon modes. Lines and points: test_raster_lines.c. */
#include <math.h>
#include "raster_draw.h"

static void
shared_edges_cover_once(void **unused __attribute__((unused)))
{
   enum { GRID = 9 };
   static struct emul_vertex v[GRID][GRID];
   start(ATTILA_PRIM_TRIANGLES);
   for (unsigned round = 0; round < 200; round++) {
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      regs.bottom_edge_rule = round & 1;
      state.regs.bottom_edge_rule = round & 1;
      bool on_centres = round % 3 == 0; /* many vertices and edges exactly on pixel centres */
      for (unsigned y = 0; y < GRID; y++) {
         for (unsigned x = 0; x < GRID; x++) {
            double jx = x == 0 || x == GRID - 1 ? 0 : random_double(-2.4, 2.4),
                   jy = y == 0 || y == GRID - 1 ? 0 : random_double(-2.4, 2.4);
            if (on_centres) {
               jx = floor(jx) + 0.5;
               jy = floor(jy) + 0.5;
            }
            window_vertex(&regs, &v[y][x], -8.0 + x * 10.0 + jx, -8.0 + y * 10.0 + jy, 0.5, 1.0);
         }
      }
      for (unsigned y = 0; y + 1 < GRID; y++) {
         for (unsigned x = 0; x + 1 < GRID; x++) {
            const struct emul_vertex a[3] = {v[y][x], v[y][x + 1], v[y + 1][x]},
                                     b[3] = {v[y + 1][x + 1], v[y + 1][x], v[y][x + 1]};
            draw_prim(a, 3, hits, &stipple);
            draw_prim(b, 3, hits, &stipple);
         }
      }
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++)
            assert_int_equal(hits[y][x], 1);
      }
   }
}

/* Strictly inside after moving the point by (e, f), e positive and much larger than f, both too
 * small to matter otherwise. */
static bool
inside(const int64_t p[3][2], int64_t x, int64_t y, bool bottom)
{
   const __int128 one = (__int128)1 << 60;
   __int128 px = x * one + ((__int128)1 << 34), py = y * one + (bottom ? -256 : 256);
   int64_t area =
       (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
   for (unsigned i = 0; i < 3; i++) {
      const int64_t *a = p[i], *b = p[(i + 1) % 3];
      __int128 e = (b[0] - a[0]) * (py - a[1] * one) - (b[1] - a[1]) * (px - a[0] * one);
      if (area > 0 ? e <= 0 : e >= 0)
         return false;
   }
   return true;
}

static void
coverage_is_exact(void **unused __attribute__((unused)))
{
   start(ATTILA_PRIM_TRIANGLES);
   for (unsigned round = 0; round < 3000; round++) {
      int64_t p[3][2];
      struct emul_vertex v[3];
      uint8_t hits[SIZE][SIZE] = {{0}};
      uint32_t stipple = 0;
      double far = round % 4 == 0 ? 20000 : round % 4 == 1 ? 6 : 90;
      int64_t grid = round % 5 == 0 ? 128 : 1;      /* ties */
      state.regs.bottom_edge_rule = round >> 2 & 1; /* with each of the sizes */
      for (unsigned i = 0; i < 3; i++) {
         for (unsigned k = 0; k < 2; k++)
            p[i][k] = (int64_t)(random_double(32 - far, 32 + far) * 256) / grid * grid;
         window_vertex(&regs, &v[i], (double)p[i][0] / 256, (double)p[i][1] / 256, 0.5, 1.0);
      }
      draw_prim(v, 3, hits, &stipple);
      /* Positions of thousands of pixels lose bits in float32 clip coordinates: take what the
       * vertex says. */
      for (unsigned i = 0; i < 3; i++) {
         for (unsigned k = 0; k < 2; k++)
            p[i][k] = (int64_t)rint((v[i].out[0][k] * (double)(SIZE / 2) + SIZE / 2) * 256);
      }
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(hits[y][x], inside((const int64_t(*)[2])p, x * 256 + 128,
                                                y * 256 + 128, state.regs.bottom_edge_rule));
      }
   }
}

static void
samples_are_exact(void **unused __attribute__((unused)))
{
   static const struct {
      int n, at[8][2];
   } standard[3] = {{2, {{4, 4}, {-4, -4}}},
                    {4, {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}}},
                    {8, {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}}}};
   for (unsigned round = 0; round < 600; round++) {
      unsigned which = round % 3, samples = (unsigned)standard[which].n;
      int64_t p[3][2];
      struct emul_vertex v[3];
      struct emul_primitive prim = {
          .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint32_t stipple = 0;
      if (round < 3) {
         state_regs(&regs, SIZE, SIZE);
      }
      regs.fb_samples = samples;
      regs.sample_mask = round & 64 ? 0xfd : 0xff;
      restart(ATTILA_PRIM_TRIANGLES);
      for (unsigned i = 0; i < 3; i++) {
         for (unsigned k = 0; k < 2; k++)
            p[i][k] = (int64_t)(random_double(-10, 74) * 256);
         window_vertex(&regs, &v[i], (double)p[i][0] / 256, (double)p[i][1] / 256, 0.5, 1.0);
      }
      unsigned num = emul_setup(&state, &prim, &stipple, s, &result);
      for (int y = 0; y < SIZE; y += 2) {
         for (int x = 0; x < SIZE; x += 2) {
            uint32_t expected = 0;
            for (unsigned n = 0; n < samples; n++) {
               for (unsigned q = 0; q < 4; q++) {
                  int64_t sx = (x + (int)(q & 1)) * 256 + 128 + standard[which].at[n][0] * 16;
                  int64_t sy = (y + (int)(q >> 1)) * 256 + 128 + standard[which].at[n][1] * 16;
                  if (inside((const int64_t(*)[2])p, sx, sy, false) && (regs.sample_mask >> n & 1))
                     expected |= 1u << (n * 4 + q);
               }
            }
            assert_int_equal(num ? emul_quad_coverage(&s[0], x, y, samples) : 0, expected);
            if (expected)
               assert_true(emul_block_overlaps(&s[0], x & ~7, y & ~7, 8));
         }
      }
   }
}

/* --- Clipping: a pixel of the unclipped homogeneous triangle --- */

struct reference {
   bool in;
   double margin, attrib[4], z, rw;
};

static struct reference
homogeneous(const struct emul_vertex v[3], double x, double y, unsigned clip_output)
{
   /* b solves sum b_i * (X_i, Y_i, W_i) = (x, y, 1): the point on the ray with w = 1. */
   struct reference r = {.in = true, .margin = 1e9};
   double m[3][3], b[3];
   for (unsigned i = 0; i < 3; i++) {
      m[i][0] = v[i].out[0][0];
      m[i][1] = v[i].out[0][1];
      m[i][2] = v[i].out[0][3];
   }
   double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
   for (unsigned i = 0; i < 3; i++) {
      const double *p = m[(i + 1) % 3], *q = m[(i + 2) % 3];
      b[i] = ((p[1] * q[2] - p[2] * q[1]) * x + (p[2] * q[0] - p[0] * q[2]) * y +
              (p[0] * q[1] - p[1] * q[0])) /
             det;
      /* Distance to the edge in pixels. */
      double gx = (p[1] * q[2] - p[2] * q[1]) / det, gy = (p[2] * q[0] - p[0] * q[2]) / det;
      double d = fabs(b[i]) / (sqrt(gx * gx + gy * gy) / (SIZE / 2) + 1e-30);
      r.margin = d < r.margin ? d : r.margin;
      r.in &= b[i] > 0;
   }
   double sum = b[0] + b[1] + b[2], z = 0, user = 0;
   r.rw = sum;
   for (unsigned i = 0; i < 3; i++) {
      z += b[i] * v[i].out[0][2];
      user += b[i] * v[i].out[clip_output][0];
      for (unsigned c = 0; c < 4; c++)
         r.attrib[c] += b[i] / sum * v[i].out[1][c];
   }
   double d = 1 - fabs(z); /* near and far */
   r.in &= d > 0;
   r.margin = fabs(d) < r.margin / 10 ? fabs(d) * 10 : r.margin;
   if (clip_output) {
      r.in &= user > 0;
      r.margin = fabs(user) < r.margin / 10 ? fabs(user) * 10 : r.margin;
   }
   r.z = z * 0.5 + 0.5;
   if (!(det != 0))
      r.margin = 0;
   return r;
}

/* Compares what a fan of setups covers and interpolates with the reference. */
static void
compare_pieces(const struct emul_vertex v[3], unsigned clip_output, uint8_t hits[SIZE][SIZE],
               uint8_t owner[SIZE][SIZE], const struct emul_setup *pieces, unsigned *compared,
               unsigned *covered)
{
   static struct emul_vec4 inputs[ATTILA_ISA_MAX_INPUTS];
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         struct reference r =
             homogeneous(v, (x + 0.5) / (SIZE / 2) - 1, (y + 0.5) / (SIZE / 2) - 1, clip_output);
         r.in &= r.rw > 0;
         if (r.margin < 0.02)
            continue;
         assert_int_equal(hits[y][x], r.in);
         ++*compared;
         if (!r.in || r.margin < 0.3)
            continue;
         ++*covered;
         float z[4], zmin, zmax;
         unsigned p = (x & 1) | (y & 1) << 1;
         const struct emul_setup *o = &pieces[owner[y][x]];
         emul_quad_depth(o, x & ~1, y & ~1, 0, 1, z);
         assert_true(fabs(z[p] - r.z) < 0.02);
         emul_quad_interpolate(o, x & ~1, y & ~1, 2, inputs);
         for (unsigned c = 0; c < 4; c++)
            assert_true(fabs(inputs[1].c[c][8 + p] - r.attrib[c]) < 0.02);
         emul_tile_depth_range(o, x & ~7, y & ~7, &zmin, &zmax);
         assert_true(zmin <= z[p] && z[p] <= zmax);
      }
   }
}

static void
clipped_matches_homogeneous(void **unused __attribute__((unused)))
{
   unsigned compared = 0, clipped = 0, covered = 0;
   state_regs(&regs, SIZE, SIZE);
   regs.fs_input[1].output = 1;
   restart(ATTILA_PRIM_TRIANGLES);
   for (unsigned round = 0; round < 3000; round++) {
      struct emul_vertex v[3], storage[EMUL_MAX_CLIPPED];
      unsigned clip_output = round & 1 ? 2 : 0, n = 3, planes = 0;
      state.regs.clip_distance_enable = round & 1;
      state.regs.clip_distance_output_0 = 2;
      memset(v, 0, sizeof(v));
      for (unsigned i = 0; i < 3; i++) {
         double w = random_double(round % 3 ? -1 : 0.5, 4);
         for (unsigned c = 0; c < 3; c++)
            v[i].out[0][c] = (float)random_double(-3, 3);
         v[i].out[0][3] = (float)w;
         for (unsigned c = 0; c < 4; c++)
            v[i].out[1][c] = (float)random_double(0, 1);
         v[i].out[2][0] = (float)random_double(-1, 2);
      }
      struct emul_primitive prim = {
          .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      uint32_t edges = 0, stipple = 0;
      enum emul_clip_result result = emul_clip(&state, &prim, storage, &n, &edges, &planes);
      if (result == EMUL_CLIP_PASS)
         memcpy(storage, v, sizeof(v)), n = 3;
      clipped += result == EMUL_CLIP_CLIPPED;
      static struct emul_setup s[EMUL_MAX_CLIPPED];
      uint8_t hits[SIZE][SIZE] = {{0}}, owner[SIZE][SIZE] = {{0}};
      for (unsigned k = 1; result != EMUL_CLIP_REJECT && k + 1 < n; k++) {
         struct emul_primitive piece = {
             .num_vertices = 3, .v = {&storage[0], &storage[k], &storage[k + 1]}, .flat = &v[0]};
         struct emul_setup out[EMUL_MAX_SETUP];
         enum emul_setup_result set_up;
         uint8_t mine[SIZE][SIZE] = {{0}};
         if (!emul_setup(&state, &piece, &stipple, out, &set_up))
            continue;
         s[k] = out[0];
         draw_setup(&s[k], mine);
         for (unsigned i = 0; i < SIZE * SIZE; i++) {
            hits[i / SIZE][i % SIZE] += mine[i / SIZE][i % SIZE];
            if (mine[i / SIZE][i % SIZE])
               owner[i / SIZE][i % SIZE] = (uint8_t)k;
         }
      }
      compare_pieces(v, clip_output, hits, owner, s, &compared, &covered);
   }
   /* The test is about clipping: most of it happened. */
   assert_true(compared > 1000000 && clipped > 800 && covered > 50000);
}

/* An output that is x / w, y / w of the position stays so where a plane cuts. */
static void
linear_outputs_are_cut_in_the_window(void **unused __attribute__((unused)))
{
   unsigned cut = 0;
   state_regs(&regs, SIZE, SIZE);
   regs.fs_input[1] = (struct attila_fs_input_regs){.output = 1, .interp = ATTILA_INTERP_LINEAR};
   regs.clip_distance_enable = 1;
   regs.clip_distance_output_0 = 2;
   restart(ATTILA_PRIM_TRIANGLES);
   state.regs.clip_distance_enable = 1;
   for (unsigned round = 0; round < 500; round++) {
      struct emul_vertex v[3], storage[EMUL_MAX_CLIPPED];
      unsigned n = 0, vertices = 2 + round % 2;
      uint32_t edges;
      memset(v, 0, sizeof(v));
      for (unsigned i = 0; i < 3; i++) {
         float *p = v[i].out[0];
         p[3] = (float)random_double(0.5, 4);
         for (unsigned c = 0; c < 3; c++)
            p[c] = (float)random_double(-1.5, 1.5) * p[3];
         v[i].out[1][0] = p[0] / p[3];
         v[i].out[1][1] = p[1] / p[3];
         v[i].out[2][0] = (float)random_double(-1, 2);
      }
      struct emul_primitive prim = {
          .num_vertices = (uint8_t)vertices, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      if (emul_clip(&state, &prim, storage, &n, &edges, NULL) != EMUL_CLIP_CLIPPED)
         continue;
      for (unsigned i = 0; i < n; i++) {
         const float *p = storage[i].out[0], *out = storage[i].out[1];
         assert_true(fabsf(out[0] - p[0] / p[3]) < 1e-5f && fabsf(out[1] - p[1] / p[3]) < 1e-5f);
      }
      cut++;
   }
   assert_true(cut > 200);
}

/* One setup comes of it when the result is EMUL_SETUP_OK, else none. */
static enum emul_setup_result
set_up_triangle(const struct emul_vertex v[3], struct emul_setup s[EMUL_MAX_SETUP])
{
   const struct emul_primitive prim = {
       .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
   enum emul_setup_result result;
   uint32_t stipple = 0;
   const unsigned num = emul_setup(&state, &prim, &stipple, s, &result);
   assert_int_equal(num, result == EMUL_SETUP_OK);
   return result;
}

static void
facing_culling_offset(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   struct emul_setup s[EMUL_MAX_SETUP];
   state_regs(&regs, SIZE, SIZE);
   regs.zs_address = 4096;
   regs.zs_format = ATTILA_FORMAT_Z24S8;
   regs.zs_pitch_tiles = SIZE / 8;
   regs.front_ccw = 1;
   restart(ATTILA_PRIM_TRIANGLES);
   /* Counter-clockwise as seen: rows grow downwards. */
   window_vertex(&regs, &v[0], 10, 50, 0.25, 1.0);
   window_vertex(&regs, &v[1], 50, 50, 0.50, 1.0);
   window_vertex(&regs, &v[2], 10, 10, 0.25, 1.0);
   assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_OK);
   assert_true(s[0].front);
   float z[4], slope = 0.25f / 40;
   emul_quad_depth(&s[0], 20, 40, 0, 1, z);
   assert_true(fabsf(z[0] - (0.25f + slope * 10.5f)) < 1e-6f);

   state.regs.offset_tri = 1;
   state.regs.offset_units = 8;
   state.regs.offset_scale = 2;
   set_up_triangle(v, s);
   emul_quad_depth(&s[0], 20, 40, 0, 1, z);
   assert_true(fabsf(z[0] - (0.25f + slope * 12.5f + 10.0f / 16777215)) < 1e-7f * 3);

   state.regs.cull = ATTILA_CULL_FRONT;
   assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_CULLED_FACE);
   state.regs.front_ccw = 0;
   assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_OK);
   assert_false(s[0].front);
   v[2] = v[1];
   assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_CULLED_AREA);
}

/* OpenGL 3.3, 3.6.4: an offset of one unit separates depths in every format, here of 32 bits of
 * floating point: those that lie halfway between two numbers, too. */
static void
offset_separates_floats(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   struct emul_setup s[EMUL_MAX_SETUP];
   float z[3][4];
   start(ATTILA_PRIM_TRIANGLES);
   state.zs_format = &attila_formats[ATTILA_FORMAT_Z32_FLOAT];
   state.regs.offset_tri = 1;
   for (unsigned n = 0; n < 64; n++) {
      const double depth = n ? random_double(0.01, 0.99) : 0.5 + 3 * 0x1p-25;
      for (unsigned i = 0; i < 3; i++) {
         window_vertex(&regs, &v[i], i == 1 ? 50 : 10, i == 2 ? 10 : 50, 0, 1.0);
         v[i].out[ATTILA_VS_OUTPUT_POSITION][2] = (float)(2 * depth - 1);
      }
      for (int units = -1; units <= 1; units++) {
         state.regs.offset_units = (float)units;
         assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_OK);
         emul_quad_depth(&s[0], 20, 40, 0, 1, z[units + 1]);
      }
      assert_true(z[0][0] < z[1][0] && z[1][0] < z[2][0]);
   }
}

/* The step of a fixed-point format that a depth becomes (emul_zs.c). */
static int
step_of(float z, unsigned bits)
{
   return (int)(z * (float)((1u << bits) - 1));
}

/* The same with fixed-point depths, also around 1/2, where the steps of floating point change: by a
 * step or two, and no more, which is the smallest unit that does. */
static void
offset_separates_steps(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   struct emul_setup s[EMUL_MAX_SETUP];
   start(ATTILA_PRIM_TRIANGLES);
   state.regs.offset_tri = 1;
   for (unsigned n = 0; n < 4096; n++) {
      const unsigned bits = n & 1 ? 16 : 24;
      const float clip = n == 0  ? 0.3f
                         : n & 2 ? (float)random_double(-0.98, 0.98)
                                 : (float)random_double(-0x1p-21, 0x1p-21);
      float z[2][4];
      state.zs_format = &attila_formats[n & 1 ? ATTILA_FORMAT_Z16S8 : ATTILA_FORMAT_Z24S8];
      for (unsigned i = 0; i < 3; i++) {
         window_vertex(&regs, &v[i], i == 1 ? 50 : 10, i == 2 ? 10 : 50, 0, 1.0);
         v[i].out[ATTILA_VS_OUTPUT_POSITION][2] = clip;
      }
      for (int units = 0; units <= 1; units++) {
         state.regs.offset_units = (float)units;
         assert_int_equal(set_up_triangle(v, s), EMUL_SETUP_OK);
         emul_quad_depth(&s[0], 20, 40, 0, 1, z[units]);
      }
      assert_in_range(step_of(z[1][0], bits) - step_of(z[0][0], bits), 1, 2);
   }
}

static void
special_inputs_have_their_values(void **unused __attribute__((unused)))
{
   static struct emul_vec4 in[ATTILA_ISA_MAX_INPUTS];
   struct emul_vertex v[3];
   struct emul_primitive prim = {
       .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[2]};
   struct emul_setup s[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   uint32_t stipple = 0;
   state_regs(&regs, SIZE, SIZE);
   regs.fs_input[0].source = ATTILA_FS_POSITION;
   regs.fs_input[2].source = ATTILA_FS_FACE;
   regs.fs_input[3].source = ATTILA_FS_POINT_COORD;
   regs.fs_input[4] = (struct attila_fs_input_regs){.output = 1, .interp = ATTILA_INTERP_FLAT};
   regs.fs_input[5] =
       (struct attila_fs_input_regs){.output = 1, .interp = ATTILA_INTERP_LINEAR, .sprite = 1};
   regs.fs_input[6] = (struct attila_fs_input_regs){.output = 9};
   regs.fs_input[7] = (struct attila_fs_input_regs){.output = 2};
   regs.fs_input[8] = (struct attila_fs_input_regs){.output = 2, .primitive_id = 1};
   prim.id = 0x7fc00001; /* bits of no number, which must not change */
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES,
              ".fragment\nADD r0, i0, i2\nADD r0, i3, i4\nADD r0, i5, i6\nADD r0, i7, i8\n"
              "ADD o0, r0, i7\nEND\n");
   for (unsigned i = 0; i < 3; i++) {
      window_vertex(&regs, &v[i], i == 1 ? 60 : 4, i == 2 ? 60 : 4, 0.5, 1.0 + i);
      v[i].out[1][0] = (float)i;
      v[i].out[2][0] = 0.1f; /* the same everywhere: stays exactly that */
   }
   assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 1);
   emul_quad_interpolate(&s[0], 10, 12, 0, in);
   assert_true(in[0].c[0][1] == 11.5f && in[0].c[1][2] == 13.5f && in[0].c[2][3] == 0.5f);
   double b1 = (11.5 - 4) / 56, b2 = (12.5 - 4) / 56;
   assert_true(fabs(in[0].c[3][1] - (1 - b1 / 2 - b2 * 2 / 3)) < 1e-6);
   assert_true(in[2].c[0][0] == (s[0].front ? 1.0f : 0.0f) && in[2].c[1][0] == 1.0f);
   assert_true(in[3].c[0][0] == 0.0f && in[3].c[3][0] == 1.0f);
   assert_true(in[4].c[0][3] == 2.0f);
   assert_true(fabs(in[5].c[0][1] - (b1 + 2 * b2)) < 1e-6);
   assert_true(in[6].c[0][0] == 0.0f && in[6].c[3][0] == 1.0f);
   for (unsigned p = 0; p < 4; p++)
      assert_true(in[7].c[0][p] == 0.1f);
   uint32_t id[2];
   memcpy(&id[0], &in[8].c[0][3], sizeof(id[0]));
   memcpy(&id[1], &in[8].c[3][3], sizeof(id[1]));
   assert_true(id[0] == 0x7fc00001 && id[1] == 0);

   struct emul_primitive point = {.num_vertices = 1, .v = {&v[0]}, .flat = &v[0]};
   state.regs.point_is_sprite = 1;
   state.regs.point_size = 8;
   assert_int_equal(emul_setup(&state, &point, &stipple, s, &result), 1);
   emul_quad_interpolate(&s[0], 2, 4, 1, in);
   assert_true(in[3].c[0][4] == 2.5f / 8 && in[3].c[1][4] == 4.5f / 8 && in[5].c[0][5] == 3.5f / 8);
   state.regs.sprite_origin_lower_left = 1;
   emul_quad_interpolate(&s[0], 2, 4, 1, in);
   assert_true(in[3].c[1][4] == 1 - 4.5f / 8);
}

/* Any output that the program does not write: 32 was what drivers of a machine with 32 outputs set
 * for none. */
static void
outputs_that_are_not_written_are_none(void **unused __attribute__((unused)))
{
   static const uint8_t outputs[] = {4, 31, 32, ATTILA_NO_VARYING};
   for (unsigned i = 0; i < sizeof(outputs); i++) {
      state_regs(&regs, SIZE, SIZE);
      regs.fs_input[1].output = regs.point_size_output = regs.edge_flag_output = outputs[i];
      regs.point_size_per_vertex = 1;
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      assert_int_equal(state.num_fs_inputs, 1);
      assert_int_equal(state.fs_inputs[0].output, ATTILA_NO_VARYING);
      assert_int_equal(state.regs.edge_flag_output, ATTILA_NO_VARYING);
      assert_int_equal(state.regs.point_size_per_vertex, 0);
   }
   regs.fs_input[1].output = regs.point_size_output = regs.edge_flag_output = 3;
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   assert_int_equal(state.fs_inputs[0].output, 3);
   assert_int_equal(state.regs.edge_flag_output, 3);
   assert_int_equal(state.regs.point_size_per_vertex, 1);
}

/* The two triangles of a rectangle give a pixel on its diagonal the same inputs, so that its
 * samples read one texel. */
static void
triangles_agree_on_their_diagonal(void **unused __attribute__((unused)))
{
   static struct emul_vec4 in[2][ATTILA_ISA_MAX_INPUTS];
   unsigned shared = 0;
   state_regs(&regs, SIZE, SIZE);
   regs.fb_samples = 4;
   regs.fs_input[1] = (struct attila_fs_input_regs){.output = 1};
   regs.fs_input[2] = (struct attila_fs_input_regs){.output = 2, .interp = ATTILA_INTERP_LINEAR};
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nADD o0, i1, i2\nEND\n");
   for (unsigned round = 0; round < 300; round++) {
      struct emul_vertex v[4];
      int x0 = (int)(random_u32() % 8), y0 = (int)(random_u32() % 8);
      int width = 1 + (int)(random_u32() % 50), height = 1 + (int)(random_u32() % 50);
      /* Planes of multiples of 1/64, so that the fourth corner is exact. */
      float start[8], right[8], down[8];
      for (unsigned c = 0; c < 8; c++) {
         start[c] = (float)(random_u32() % 256) / 64 - 2;
         right[c] = (float)(random_u32() % 256) / 64 - 2;
         down[c] = (float)(random_u32() % 256) / 64 - 2;
      }
      for (unsigned i = 0; i < 4; i++) {
         unsigned fx = i & 1, fy = i >> 1;
         window_vertex(&regs, &v[i], x0 + (int)fx * width, y0 + (int)fy * height, 0.5, 1.0);
         for (unsigned c = 0; c < 8; c++)
            v[i].out[1 + c / 4][c % 4] = start[c] + (float)fx * right[c] + (float)fy * down[c];
      }
      struct emul_setup s[2][EMUL_MAX_SETUP];
      for (unsigned t = 0; t < 2; t++) {
         struct emul_primitive prim = {.num_vertices = 3,
                                       .edges = 7,
                                       .v = {&v[t ? 3 : 0], &v[t ? 2 : 1], &v[t ? 1 : 2]},
                                       .flat = &v[0]};
         enum emul_setup_result result;
         uint32_t stipple = 0;
         assert_int_equal(emul_setup(&state, &prim, &stipple, s[t], &result), 1);
      }
      for (int32_t y = y0 & ~1; y < y0 + height; y += 2) {
         for (int32_t x = x0 & ~1; x < x0 + width; x += 2) {
            if (!emul_quad_coverage(&s[0][0], x, y, 4) || !emul_quad_coverage(&s[1][0], x, y, 4))
               continue;
            emul_quads_interpolate(&s[0][0], 1, &x, &y, 0, in[0]);
            emul_quad_interpolate(&s[1][0], x, y, 0, in[1]);
            assert_memory_equal(in[0], in[1], sizeof(in[0]));
            shared++;
         }
      }
   }
   assert_true(shared > 3000);
}

static void
polygon_modes_and_stipple(void **unused __attribute__((unused)))
{
   struct emul_vertex v[3];
   struct emul_primitive prim = {
       .num_vertices = 3, .edges = 3, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
   struct emul_setup s[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   uint32_t stipple = 0;
   state_regs(&regs, SIZE, SIZE);
   regs.fill_front = regs.fill_back = ATTILA_FILL_LINE;
   regs.edge_flag_output = 2;
   restart(ATTILA_PRIM_TRIANGLES);
   for (unsigned i = 0; i < 3; i++) {
      window_vertex(&regs, &v[i], i == 1 ? 60 : 4, i == 2 ? 60 : 4, 0.5, 1.0);
      v[i].out[2][0] = i != 1;
   }
   /* Edge 2 is inside the polygon, edge 1 has no flag. */
   assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 1);
   assert_true(s[0].is_line && s[0].v[1] == &v[1]);
   v[1].out[2][0] = 1;
   assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 2);
   state.regs.fill_front = state.regs.fill_back = ATTILA_FILL_POINT;
   assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 2);
   assert_true(s[1].is_point && s[1].v[0] == &v[1]);

   uint8_t hits[SIZE][SIZE] = {{0}}, plain[SIZE][SIZE] = {{0}};
   state.regs.fill_front = state.regs.fill_back = ATTILA_FILL_SOLID;
   draw_prim(v, 3, plain, &stipple);
   state.regs.poly_stipple_enable = 1;
   for (unsigned i = 0; i < 32; i++)
      state.regs.poly_stipple[i] = random_u32();
   draw_prim(v, 3, hits, &stipple);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         assert_int_equal(hits[y][x],
                          plain[y][x] && (state.regs.poly_stipple[y % 32] & 0x80000000u >> x % 32));
   }
}

static void
garbage_is_harmless(void **unused __attribute__((unused)))
{
   static struct emul_vec4 in[ATTILA_ISA_MAX_INPUTS];
   for (unsigned round = 0; round < 20000; round++) {
      struct emul_vertex v[3], storage[EMUL_MAX_CLIPPED];
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint8_t hits[SIZE][SIZE] = {{0}};
      if (round % 100 == 0) {
         state_regs(&regs, SIZE, SIZE);
         for (unsigned i = 0; i < 3; i++) {
            uint32_t bits = random_u32();
            memcpy(&regs.viewport_scale[i], &bits, 4);
            bits = random_u32();
            memcpy(round % 200 ? &regs.viewport_translate[i] : &regs.offset_scale, &bits, 4);
         }
         regs.depth_clip = round / 100 & 1;
         regs.fill_front = round / 200 % 3;
         regs.line_smooth = round / 400 & 1;
         regs.offset_tri = 1;
         regs.clip_distance_enable = round / 200 & 255;
         restart(ATTILA_PRIM_TRIANGLES);
      }
      memset(v, 0, sizeof(v));
      for (unsigned i = 0; i < 3; i++) {
         for (unsigned c = 0; c < 8; c++) {
            uint32_t bits = random_u32();
            if (round & 1)
               bits = (bits & 0xbfffffff) | 0x38000000;
            memcpy(&v[i].out[c / 4][c % 4], &bits, 4);
         }
      }
      unsigned n = 1 + round % 3, planes;
      uint32_t edges, stipple = 0;
      struct emul_primitive prim = {
          .num_vertices = (uint8_t)n, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      enum emul_clip_result clip = emul_clip(&state, &prim, storage, &n, &edges, &planes);
      if (clip == EMUL_CLIP_REJECT)
         continue;
      if (clip == EMUL_CLIP_CLIPPED) {
         assert_in_range(n, 1, EMUL_MAX_CLIPPED);
         for (unsigned i = 0; i < 3; i++)
            prim.v[i] = &storage[i];
      }
      unsigned num = emul_setup(&state, &prim, &stipple, s, &result);
      assert_true(num <= EMUL_MAX_SETUP);
      for (unsigned i = 0; i < num; i++) {
         float z[4];
         assert_true(s[i].minx >= 0 && s[i].miny >= 0 && s[i].maxx <= SIZE && s[i].maxy <= SIZE);
         draw_setup(&s[i], hits);
         emul_quad_interpolate(&s[i], s[i].minx & ~1, s[i].miny & ~1, 0, in);
         emul_quad_depth(&s[i], s[i].minx & ~1, s[i].miny & ~1, 0, 1, z);
         for (unsigned p = 0; p < 4; p++)
            assert_true(z[p] >= 0.0f && z[p] <= 1.0f);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(shared_edges_cover_once),
       cmocka_unit_test(coverage_is_exact),
       cmocka_unit_test(samples_are_exact),
       cmocka_unit_test(clipped_matches_homogeneous),
       cmocka_unit_test(linear_outputs_are_cut_in_the_window),
       cmocka_unit_test(facing_culling_offset),
       cmocka_unit_test(special_inputs_have_their_values),
       cmocka_unit_test(offset_separates_floats),
       cmocka_unit_test(offset_separates_steps),
       cmocka_unit_test(outputs_that_are_not_written_are_none),
       cmocka_unit_test(triangles_agree_on_their_diagonal),
       cmocka_unit_test(polygon_modes_and_stipple),
       cmocka_unit_test(garbage_is_harmless),
   };
   return cmocka_run_group_tests_name("raster", tests, NULL, NULL);
}
