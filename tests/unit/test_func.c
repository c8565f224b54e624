/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Small command streams with assembled programs: memory and counters afterwards, in both modes. */
#include <fenv.h>
#include <math.h>
#include "func_stream.h"

static enum attila_mode mode;

#define W 96
#define H 80
#define PASS_VS ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n"
#define PASS_FS ".fragment\nMOV o0, i1\nEND\n"

/* Two triangles over [x0, x1] x [y0, y1] in clip coordinates, as 6 vertices. */
static void
rectangle(float *v, float x0, float y0, float x1, float y1, float z)
{
   const float xy[6][2] = {{x0, y0}, {x1, y0}, {x0, y1}, {x0, y1}, {x1, y0}, {x1, y1}};
   for (unsigned i = 0; i < 6; i++) {
      v[4 * i] = xy[i][0];
      v[4 * i + 1] = xy[i][1];
      v[4 * i + 2] = z;
      v[4 * i + 3] = 1;
   }
}

static void
colors(float *c, unsigned n, float r, float g, float b, float a)
{
   for (unsigned i = 0; i < n; i++, c += 4) {
      c[0] = r;
      c[1] = g;
      c[2] = b;
      c[3] = a;
   }
}

static void
begin(struct stream *s, unsigned samples, const char *fs)
{
   stream_start(s, W, H, samples);
   stream_program(s, ATTILA_STAGE_VERTEX, PASS_VS);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fs);
   stream_regs(s);
   stream_clear(s, 0, 0, 0, 1, 1.0f, 0x55);
}

static void
perspective_triangle_has_the_expected_pixels(void **unused __attribute__((unused)))
{
   struct stream s;
   const float position[12] = {-1, -1, 0, 1, 3, -3, 0, 3, -2, 2, 0, 2},
               color[12] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0};
   const uint16_t index[3] = {2, 0, 1};
   begin(&s, 1, PASS_FS);
   stream_attrib(&s, 0, position, 4, 3);
   stream_attrib(&s, 1, color, 4, 3);
   stream_draw_indexed(&s, ATTILA_PRIM_TRIANGLES, stream_upload(&s, index, 6), 2, 3, 0);
   uint32_t fragments = stream_counter(&s, ATTILA_COUNTER_FS_INVOCATIONS),
            vertices = stream_counter(&s, ATTILA_COUNTER_IA_VERTICES);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   unsigned inside = 0;
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         /* Window triangle (0, 0), (W, 0), (0, H) with w 1, 3, 2. */
         double b1 = (x + 0.5) / W, b2 = (y + 0.5) / H, b0 = 1 - b1 - b2,
                w = 1 / (b0 + b1 / 3 + b2 / 2);
         uint32_t p = stream_pixel(&s, picture, x, y, 0);
         if (fabs(b0) < 1e-9)
            continue;
         if (b0 < 0) {
            assert_int_equal(p, 0xff000000);
            continue;
         }
         const double expected[4] = {b0 * w, b1 / 3 * w, b2 / 2 * w, (b0 + b1 / 3) * w};
         for (unsigned c = 0; c < 4; c++)
            assert_true(fabs((p >> 8 * c & 255) - expected[c] * 255) < 0.51);
         inside++;
      }
   }
   assert_in_range(stream_read_counter(sim, fragments), inside, inside + W);
   assert_int_equal(stream_read_counter(sim, vertices), 3);
   free(picture);
   attila_sim_destroy(sim);
}

/* Rectangles at several depths: early test, or late because the program kills. */
static void
depth_test(const char *fs, bool kills)
{
   struct stream s;
   float v[3][24], c[3][24];
   uint32_t passed[4];
   begin(&s, 1, fs);
   s.regs.z_test = s.regs.z_write = s.regs.count_samples = 1;
   s.regs.z_func = ATTILA_FUNC_LESS;
   rectangle(v[0], -1, -1, 0, 1, 0.0f);        /* left half, z 0.5 */
   rectangle(v[1], -1, -1, 1, 0, 0.5f);        /* upper half, behind: only on the right */
   rectangle(v[2], -0.5f, -1, 0.5f, 1, -0.5f); /* in front of all */
   colors(c[0], 6, 1, 0, 0, 1);
   colors(c[1], 6, 0, 1, 0, 1);
   colors(c[2], 6, 0, 0, kills ? -1 : 1, 1); /* blue below 0 is killed */
   passed[0] = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   for (unsigned i = 0; i < 3; i++) {
      stream_attrib(&s, 0, v[i], 4, 6);
      stream_attrib(&s, 1, c[i], 4, 6);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
      passed[i + 1] = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   }
   struct attila_sim *sim = stream_run(&s, mode);
   const uint64_t expected[4] = {0, W * H / 2, W * H / 2 + W * H / 4,
                                 W * H / 2 + W * H / 4 + (kills ? 0 : W * H / 2)};
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(stream_read_counter(sim, passed[i]), expected[i]);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address),
            *zs = stream_read_surface(sim, &s, s.regs.zs_address);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         bool middle = !kills && x >= W / 4 && x < 3 * W / 4, left = x < W / 2, upper = y < H / 2;
         uint32_t color = middle ? 0xffff0000 : left ? 0xff0000ff : upper ? 0xff00ff00 : 0xff000000;
         double depth = middle ? 0.25 : left ? 0.5 : upper ? 0.75 : 1.0;
         uint32_t z = stream_pixel(&s, zs, x, y, 0);
         assert_int_equal(stream_pixel(&s, picture, x, y, 0), color);
         assert_int_equal(z >> 24, 0x55);
         assert_true(fabs((z & 0xffffff) - depth * 16777215) <= 1);
      }
   }
   free(picture);
   free(zs);
   attila_sim_destroy(sim);
}

/* What two rectangles leave, one in front of half of the other. */
struct left_behind {
   uint64_t passed, shaded;
   uint32_t *zs;
};

static struct left_behind
draw_depth(bool z_test, bool stencil_test, bool colors_written)
{
   struct stream s;
   float v[2][24], c[24];
   begin(&s, 1, PASS_FS);
   s.regs.z_test = s.regs.z_write = z_test;
   s.regs.z_func = ATTILA_FUNC_LESS;
   s.regs.count_samples = 1;
   for (unsigned i = 0; stencil_test && i < 2; i++) {
      s.regs.stencil[i].enable = 1;
      s.regs.stencil[i].func = ATTILA_FUNC_ALWAYS;
      s.regs.stencil[i].zpass = ATTILA_STENCIL_INCR_WRAP;
      s.regs.stencil[i].write_mask = s.regs.stencil[i].value_mask = 255;
   }
   s.regs.color[0].write_mask = colors_written ? 15 : 0;
   rectangle(v[0], -1, -1, 0.3f, 1, 0.0f);
   rectangle(v[1], -0.7f, -0.6f, 1, 0.9f, 0.5f);
   colors(c, 6, 1, 0, 0, 1);
   stream_attrib(&s, 1, c, 4, 6);
   for (unsigned i = 0; i < 2; i++) {
      stream_attrib(&s, 0, v[i], 4, 6);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   }
   const uint32_t passed = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED),
                  shaded = stream_counter(&s, ATTILA_COUNTER_FS_INVOCATIONS);
   struct attila_sim *sim = stream_run(&s, mode);
   const struct left_behind left = {stream_read_counter(sim, passed),
                                    stream_read_counter(sim, shaded),
                                    stream_read_surface(sim, &s, s.regs.zs_address)};
   attila_sim_destroy(sim);
   return left;
}

/* A program without visible results may be skipped, but not if depth, stencil or counters depend on
 * it. */
static void
draw_without_colors_writes_depth(void **unused __attribute__((unused)))
{
   for (unsigned tests = 0; tests < 4; tests++) {
      const struct left_behind with = draw_depth(tests & 1, tests & 2, true),
                               without = draw_depth(tests & 1, tests & 2, false);
      assert_in_range(with.passed, W * H / 2, 2 * W * H);
      assert_int_equal(without.passed, with.passed);
      assert_int_equal(without.shaded, with.shaded);
      assert_memory_equal(without.zs, with.zs, W * H * 4);
      free(with.zs);
      free(without.zs);
   }
}

static void
early_depth_rejects_before_shading(void **unused __attribute__((unused)))
{
   depth_test(PASS_FS, false);
}

static void
late_depth_follows_kill(void **unused __attribute__((unused)))
{
   depth_test(".fragment\nMOV o0, i1\nKIL i1\nEND\n", false);
   depth_test(".fragment\nMOV o0, i1\nKIL i1\nEND\n", true);
}

static void
shader_depth_replaces_the_interpolated_one(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24], c[24];
   begin(&s, 1, ".fragment\nMOV o0, i1\nMOV o8.x, i1\nEND\n");
   s.regs.z_test = s.regs.z_write = 1;
   s.regs.z_func = ATTILA_FUNC_LEQUAL;
   rectangle(v, -1, -1, 1, 1, 0.9f);
   stream_attrib(&s, 0, v, 4, 6);
   for (unsigned i = 0; i < 6; i++)
      colors(c + 4 * i, 1, v[4 * i] * 0.5f + 0.5f, 0, 0, 1); /* grows with x */
   stream_attrib(&s, 1, c, 4, 6);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *zs = stream_read_surface(sim, &s, s.regs.zs_address);
   for (unsigned x = 0; x < W; x++)
      assert_true(fabs((stream_pixel(&s, zs, x, 30, 0) & 0xffffff) / 16777215.0 - (x + 0.5) / W) <
                  1e-5);
   free(zs);
   attila_sim_destroy(sim);
}

static void
multisample_coverage_is_per_sample(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24], c[24];
   begin(&s, 4, PASS_FS);
   s.regs.count_samples = 1;
   /* The left edge lies at 10.5: samples right of a pixel's middle are covered there. */
   rectangle(v, 10.5f / (W / 2) - 1, -1, 1, 1, 0.0f);
   colors(c, 6, 1, 1, 1, 1);
   stream_attrib(&s, 0, v, 4, 6);
   stream_attrib(&s, 1, c, 4, 6);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   uint32_t passed = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   static const bool right[4] = {false, true, false, true};
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         for (unsigned n = 0; n < 4; n++) {
            bool in = x > 10 || (x == 10 && right[n]);
            assert_int_equal(stream_pixel(&s, picture, x, y, n), in ? 0xffffffff : 0xff000000);
         }
      }
   }
   assert_int_equal(stream_read_counter(sim, passed), H * ((W - 11) * 4 + 2));
   free(picture);
   attila_sim_destroy(sim);
}

/* Alpha k / 8 keeps that share of the samples, before the depth test counts them; then the resolve
 * makes a grey of it. */
static void
alpha_to_coverage_resolved(void **unused __attribute__((unused)))
{
   static const unsigned samples_of[3] = {2, 4, 8};
   for (unsigned i = 0; i < 3; i++) {
      struct stream s;
      unsigned samples = samples_of[i];
      float v[9][24], c[9][24];
      uint32_t passed[10];
      begin(&s, samples, PASS_FS);
      s.regs.alpha_to_coverage = s.regs.alpha_to_one = s.regs.count_samples = s.regs.z_test =
          s.regs.z_write = 1;
      s.regs.z_func = ATTILA_FUNC_LESS;
      passed[0] = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
      for (unsigned k = 0; k < 9; k++) { /* columns of 8 pixels */
         rectangle(v[k], (float)(8 * k) / (W / 2) - 1, -1, (float)(8 * k + 8) / (W / 2) - 1, 1,
                   0.0f);
         colors(c[k], 6, 1, 1, 1, (float)k / 8);
         stream_attrib(&s, 0, v[k], 4, 6);
         stream_attrib(&s, 1, c[k], 4, 6);
         stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
         passed[k + 1] = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
      }
      const size_t bytes = attila_surface_bytes(s.regs.color[0].pitch_tiles, W, H, 1, 4);
      struct attila_cmd_blit resolve = {
          .src = {.address = s.regs.color[0].address, .pitch_tiles = s.regs.color[0].pitch_tiles},
          .width = W,
          .height = H,
          .depth = 1,
          .dst = {.address = stream_alloc(&s, bytes), .pitch_tiles = s.regs.color[0].pitch_tiles},
          .element_bytes = 4,
          .samples = samples,
          .resolve = ATTILA_RESOLVE_AVERAGE,
          .format = ATTILA_FORMAT_R8G8B8A8_UNORM};
      stream_flush(&s);
      stream_command(&s, ATTILA_CMD_BLIT, &resolve, sizeof(resolve) / 4);
      struct attila_sim *sim = stream_run(&s, mode);
      uint32_t *zs = stream_read_surface(sim, &s, s.regs.zs_address), *grey = malloc(bytes);
      assert_true(attila_sim_read(sim, resolve.dst.address, grey, bytes));
      for (unsigned k = 0; k < 9; k++) {
         /* Half a sample is rounded up. */
         unsigned kept = (2 * k * samples + 8) / 16, y = 5 + k, x = 8 * k + 3, far = 0;
         uint64_t count =
             stream_read_counter(sim, passed[k + 1]) - stream_read_counter(sim, passed[k]);
         assert_int_equal(count, kept * 8 * H);
         for (unsigned n = 0; n < samples; n++)
            far += (stream_pixel(&s, zs, x, y, n) & 0xffffff) == 0xffffff;
         assert_int_equal(far, samples - kept);
         uint32_t value = (255 * kept + samples / 2) / samples;
         assert_int_equal(grey[attila_element_offset(resolve.dst.pitch_tiles, 1, 1, x, y, 0)],
                          0xff000000 | value * 0x010101);
      }
      free(zs);
      free(grey);
      attila_sim_destroy(sim);
   }
}

/* Multisampling switched off: pixel centres decide for all samples, and smooth edges are gone. */
static void
pixel_coverage_covers_all_samples_or_none(void **unused __attribute__((unused)))
{
   struct stream s;
   const float v[12] = {-0.93f, -0.87f, -0.5f, 1, 0.91f, -0.35f, 0.5f, 1, -0.2f, 0.83f, 0.9f, 1};
   float c[12];
   uint32_t *picture[2], *zs[2];
   colors(c, 3, 1, 1, 1, 1);
   for (unsigned i = 0; i < 2; i++) {
      begin(&s, i ? 4 : 1, PASS_FS);
      s.regs.pixel_coverage = i;
      s.regs.z_test = s.regs.z_write = 1;
      s.regs.z_func = ATTILA_FUNC_LESS;
      stream_attrib(&s, 0, v, 4, 3);
      stream_attrib(&s, 1, c, 4, 3);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
      stream_draw(&s, ATTILA_PRIM_LINES, 0, 2);
      stream_draw(&s, ATTILA_PRIM_POINTS, 2, 1);
      struct attila_sim *sim = stream_run(&s, mode);
      picture[i] = stream_read_surface(sim, &s, s.regs.color[0].address);
      zs[i] = stream_read_surface(sim, &s, s.regs.zs_address);
      attila_sim_destroy(sim);
   }
   struct stream single = s;
   single.regs.fb_samples = 1;
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         for (unsigned n = 0; n < 4; n++) {
            assert_int_equal(stream_pixel(&s, picture[1], x, y, n),
                             stream_pixel(&single, picture[0], x, y, 0));
            assert_int_equal(stream_pixel(&s, zs[1], x, y, n),
                             stream_pixel(&single, zs[0], x, y, 0));
         }
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      free(picture[i]);
      free(zs[i]);
   }
}

/* A smooth edge in a multisampled buffer with multisampling switched off: the covered fraction of a
 * pixel multiplies its alpha first, and what is left decides how many samples are kept. */
static void
smooth_alpha_to_coverage(void **unused __attribute__((unused)))
{
   struct stream s;
   const float v[12] = {10.5f / (W / 2) - 1, -20, 0, 1, 10.5f / (W / 2) - 1, 20, 0, 1, 30, 0, 0, 1};
   float c[12];
   colors(c, 3, 1, 1, 1, 1);
   begin(&s, 4, PASS_FS);
   s.regs.pixel_coverage = s.regs.poly_smooth = s.regs.alpha_to_coverage = 1;
   s.regs.count_samples = 1;
   stream_attrib(&s, 0, v, 4, 3);
   stream_attrib(&s, 1, c, 4, 3);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   uint32_t passed = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < 40; x++) {
         for (unsigned n = 0; n < 4; n++) {
            uint32_t want = x > 10 ? 0xffffffff : x == 10 && n < 2 ? 0x80ffffff : 0xff000000;
            assert_int_equal(stream_pixel(&s, picture, x, y, n), want);
         }
      }
   }
   assert_int_equal(stream_read_counter(sim, passed), H * ((W - 11) * 4 + 2));
   free(picture);
   attila_sim_destroy(sim);
}

/* A colour that is 0..1 inside a triangle leaves that range at centres outside of it, but not at
 * covered samples. */
static void
centroid_is_at_a_covered_sample(void **unused __attribute__((unused)))
{
   const float v[12] = {-0.93f, -0.87f, 0, 1, 0.91f, -0.75f, 0, 1, -0.83f, 0.93f, 0, 1};
   const float c[12] = {0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1}; /* barycentrics: negative outside */
   unsigned outside[2] = {0, 0};
   for (unsigned i = 0; i < 2; i++) {
      struct stream s;
      /* The third channel is 1 where the first or second is negative. */
      begin(&s, 4, ".fragment\nSLT r0, i1, c0\nMOV o0, i1\nADD o0.z, r0.x, r0.y\nEND\n");
      const struct {
         uint32_t stage, first;
         float zero[4];
      } zero = {ATTILA_STAGE_FRAGMENT, 0, {0, 0, 0, 0}};
      stream_command(&s, ATTILA_CMD_WRITE_CONSTS, &zero, sizeof(zero) / 4);
      s.regs.fs_input[1].interp = ATTILA_INTERP_LINEAR | (i ? ATTILA_INTERP_CENTROID : 0);
      stream_attrib(&s, 0, v, 4, 3);
      stream_attrib(&s, 1, c, 4, 3);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
      struct attila_sim *sim = stream_run(&s, mode);
      uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
      for (unsigned p = 0; p < W * H; p++) {
         for (unsigned n = 0; n < 4; n++)
            outside[i] += (stream_pixel(&s, picture, p % W, p / W, n) >> 16 & 255) != 0;
      }
      free(picture);
      attila_sim_destroy(sim);
   }
   assert_true(outside[0] > 30);
   assert_int_equal(outside[1], 0);
}

static uint32_t *
picture_of(struct stream *s)
{
   struct attila_sim *sim = stream_run(s, mode);
   uint32_t *picture = stream_read_surface(sim, s, s->regs.color[0].address);
   attila_sim_destroy(sim);
   return picture;
}

/* The picture of a draw of many vertices must not depend on how it is submitted. */
static uint32_t *
strip_picture(unsigned how, unsigned prim)
{
   enum { COLUMNS = 3000 };
   static float v[COLUMNS * 2][4], c[COLUMNS * 2][4];
   static uint32_t index[COLUMNS * 2 + COLUMNS / 50 * 3];
   struct stream s;
   for (unsigned i = 0; i < COLUMNS * 2; i++) {
      v[i][0] = (float)(i / 2) / COLUMNS * 2 - 1;
      v[i][1] = i & 1 ? 0.9f : -0.8f;
      v[i][2] = 0;
      v[i][3] = 1;
      colors(c[i], 1, (float)(i % 97) / 97, (float)(i % 13) / 13, (float)(i % 5) / 5, 1);
   }
   begin(&s, 1, PASS_FS);
   stream_attrib(&s, 0, v[0], 4, COLUMNS * 2);
   stream_attrib(&s, 1, c[0], 4, COLUMNS * 2);
   if (how == 0) {
      stream_draw(&s, prim, 0, COLUMNS * 2);
   } else if (how == 1) {
      /* Pieces that overlap by the two vertices a strip needs, restarted. */
      unsigned n = 0;
      for (unsigned i = 0; i < COLUMNS * 2; i++) {
         if (i && i % 100 == 0) {
            index[n++] = 0xffff;
            index[n++] = i - 2;
            index[n++] = i - 1;
         }
         index[n++] = i;
      }
      stream_draw_indexed(&s, prim, stream_upload(&s, index, n * 4), 4, n, 0xffff);
   } else {
      for (unsigned i = 0; i + 4 <= COLUMNS * 2; i += 2)
         stream_draw(&s, prim, i, 4);
   }
   return picture_of(&s);
}

static void
chunks_do_not_show(void **unused __attribute__((unused)))
{
   for (unsigned prim = ATTILA_PRIM_TRIANGLE_STRIP; prim <= ATTILA_PRIM_QUAD_STRIP;
        prim += ATTILA_PRIM_QUAD_STRIP - ATTILA_PRIM_TRIANGLE_STRIP) {
      uint32_t *a = strip_picture(0, prim), *b = strip_picture(1, prim),
               *c = strip_picture(2, prim);
      unsigned lit = 0;
      for (unsigned i = 0; i < W * H; i++)
         lit += a[i] != 0xff000000;
      assert_true(lit > W * H * 3 / 4);
      assert_memory_equal(a, b, W * H * 4);
      assert_memory_equal(a, c, W * H * 4);
      free(a);
      free(b);
      free(c);
   }
}

/* The same for a list: whole, with pieces of triangles that a restart leaves, and one by one. */
static uint32_t *
list_picture(unsigned how)
{
   enum { TRIANGLES = 1500 };
   static float v[TRIANGLES * 3][4], c[TRIANGLES * 3][4];
   static uint32_t index[TRIANGLES * 6];
   struct stream s;
   unsigned n = 0;
   for (unsigned i = 0; i < TRIANGLES * 3; i++) {
      v[i][0] = (float)(i / 3 + i % 3 % 2) / TRIANGLES * 2 - 1;
      v[i][1] = i % 3 == 2 ? 0.9f : -0.8f;
      v[i][3] = 1;
      colors(c[i], 1, (float)(i % 97) / 97, (float)(i % 13) / 13, (float)(i % 5) / 5, 1);
      if (i % 21 == 0) {
         for (unsigned k = 0; k < i / 21 % 3; k++)
            index[n++] = k;
         index[n++] = 0xffff;
      }
      index[n++] = i;
   }
   begin(&s, 1, PASS_FS);
   stream_attrib(&s, 0, v[0], 4, TRIANGLES * 3);
   stream_attrib(&s, 1, c[0], 4, TRIANGLES * 3);
   if (how == 0)
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, TRIANGLES * 3);
   else if (how == 1)
      stream_draw_indexed(&s, ATTILA_PRIM_TRIANGLES, stream_upload(&s, index, n * 4), 4, n, 0xffff);
   for (unsigned i = 0; how == 2 && i < TRIANGLES * 3; i += 3)
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, i, 3);
   return picture_of(&s);
}

static void
chunks_of_lists_do_not_show(void **unused __attribute__((unused)))
{
   uint32_t *whole = list_picture(0);
   unsigned lit = 0;
   for (unsigned i = 0; i < W * H; i++)
      lit += whole[i] != 0xff000000;
   assert_true(lit > W * H / 4);
   for (unsigned how = 1; how < 3; how++) {
      uint32_t *other = list_picture(how);
      assert_memory_equal(whole, other, W * H * 4);
      free(other);
   }
   free(whole);
}

static void
scissor_blend_masks(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24], c[24];
   begin(&s, 1, PASS_FS);
   rectangle(v, -1, -1, 1, 1, 0);
   stream_attrib(&s, 0, v, 4, 6);
   colors(c, 6, 1, 0.5f, 0.25f, 0.5f);
   stream_attrib(&s, 1, c, 4, 6);
   s.regs.scissor_minx = 5;
   s.regs.scissor_miny = 7;
   s.regs.scissor_maxx = 50;
   s.regs.scissor_maxy = 33;
   s.regs.color[0].blend_enable = 1;
   s.regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
   s.regs.color[0].rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
   s.regs.color[0].alpha_src = ATTILA_FACTOR_ZERO;
   s.regs.color[0].alpha_dst = ATTILA_FACTOR_ONE;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   s.regs.color[0].blend_enable = 0;
   s.regs.color[0].write_mask = 4;
   s.regs.scissor_maxx = 20;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         uint32_t blended = 0xff204080,
                  masked = 0xff404080; /* 0.125 * 255 = 31.9; then blue alone: 63.75 */
         bool in = x >= 5 && x < 50 && y >= 7 && y < 33;
         assert_int_equal(stream_pixel(&s, picture, x, y, 0), !in      ? 0xff000000
                                                              : x < 20 ? masked
                                                                       : blended);
      }
   }
   free(picture);
   attila_sim_destroy(sim);
}

static void
texture_copy_keeps_every_texel(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24], t[24];
   uint32_t texels[64 * 64];
   begin(&s, 1, ".fragment\nTEX o0, i1, t0, 2D\nEND\n");
   for (unsigned i = 0; i < 64 * 64; i++)
      texels[i] = i * 2654435761u;
   rectangle(v, -1, -1, 64.0f / (W / 2) - 1, 64.0f / (H / 2) - 1, 0);
   rectangle(t, 0, 0, 1, 1, 0);
   stream_attrib(&s, 0, v, 4, 6);
   stream_attrib(&s, 1, t, 4, 6);
   s.regs.tex[0] = (struct attila_tex_regs){.enable = 1,
                                            .target = ATTILA_TEX_2D,
                                            .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                            .width = 64,
                                            .height = 64,
                                            .depth = 1,
                                            .num_levels = 1,
                                            .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                            .mip_filter = ATTILA_MIP_NONE};
   s.regs.tex[0].address = stream_upload(&s, texels, sizeof(texels));
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   for (unsigned y = 0; y < 64; y++) {
      for (unsigned x = 0; x < 64; x++)
         assert_int_equal(stream_pixel(&s, picture, x, y, 0),
                          texels[attila_element_offset(8, 1, 1, x, y, 0)]);
   }
   free(picture);
   attila_sim_destroy(sim);
}

static void
bad_draw_is_skipped_and_bad_command_stops(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24];
   begin(&s, 1, PASS_FS);
   rectangle(v, -1, -1, 1, 1, 0);
   stream_attrib(&s, 0, v, 4, 6);
   /* A draw that cannot run is skipped; the stream goes on. */
   s.regs.color[0].format = 255;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   uint32_t fence[2] = {7, 0};
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   struct attila_sim *sim = stream_run(&s, mode);
   assert_true(attila_sim_wait(sim, 7));
   assert_true(attila_sim_fence_signalled(sim, 7));
   assert_null(attila_sim_error(sim));
   uint32_t bad[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 2), 0xffffff, 1};
   assert_false(attila_sim_submit(sim, bad, 3));
   assert_non_null(attila_sim_error(sim));
   attila_sim_destroy(sim);
}

/* 2^-100 * 2^-40 is zero, whatever rounding the application asked for; the application keeps what
 * it asked for. */
static void
denormals_are_zero(void **unused __attribute__((unused)))
{
   struct stream s;
   float v[24], c[24];
   const struct {
      uint32_t stage, first;
      float value[2][4];
   } consts = {ATTILA_STAGE_FRAGMENT,
               0,
               {{0x1p-100f, 0x1p-100f, 0x1p-130f, 1.0f}, {0x1p-40f, 0x1p-20f, 1.0f, 0x1p-24f}}};
   begin(&s, 1,
         ".fragment\nMOV r0, c0\nMUL r0, r0, c1\nSLT r1, -r0, r0\nADD r1.w, c0.w, c1.w\nSLT r1.w, "
         "c0.w, r1.w\nMOV o0, r1\nEND\n");
   stream_command(&s, ATTILA_CMD_WRITE_CONSTS, &consts, sizeof(consts) / 4);
   rectangle(v, -1, -1, 1, 1, 0);
   colors(c, 6, 1, 1, 1, 1);
   stream_attrib(&s, 0, v, 4, 6);
   stream_attrib(&s, 1, c, 4, 6);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   assert_int_equal(fesetround(FE_UPWARD), 0);
   struct attila_sim *sim = stream_run(&s, mode);
   uint32_t *picture = stream_read_surface(sim, &s, s.regs.color[0].address);
   assert_int_equal(fegetround(), FE_UPWARD);
   fesetround(FE_TONEAREST);
   /* Red underflows, green does not, blue reads a denormal; 1 + 2^-24 rounds to 1. */
   assert_int_equal(stream_pixel(&s, picture, 10, 10, 0), 0x0000ff00);
   free(picture);
   attila_sim_destroy(sim);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(denormals_are_zero),
       cmocka_unit_test(perspective_triangle_has_the_expected_pixels),
       cmocka_unit_test(early_depth_rejects_before_shading),
       cmocka_unit_test(draw_without_colors_writes_depth),
       cmocka_unit_test(late_depth_follows_kill),
       cmocka_unit_test(shader_depth_replaces_the_interpolated_one),
       cmocka_unit_test(multisample_coverage_is_per_sample),
       cmocka_unit_test(chunks_do_not_show),
       cmocka_unit_test(chunks_of_lists_do_not_show),
       cmocka_unit_test(scissor_blend_masks),
       cmocka_unit_test(texture_copy_keeps_every_texel),
       cmocka_unit_test(bad_draw_is_skipped_and_bad_command_stops),
       cmocka_unit_test(alpha_to_coverage_resolved),
       cmocka_unit_test(pixel_coverage_covers_all_samples_or_none),
       cmocka_unit_test(smooth_alpha_to_coverage),
       cmocka_unit_test(centroid_is_at_a_covered_sample),
   };
   mode = ATTILA_MODE_FUNCTIONAL;
   int failed = cmocka_run_group_tests_name("functional", tests, NULL, NULL);
   mode = ATTILA_MODE_CYCLE;
   return failed + cmocka_run_group_tests_name("cycle", tests, NULL, NULL);
}
