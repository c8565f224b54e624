/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Cube maps and anisotropic filtering of cube and 3D textures: against a plain reference in double
 * precision (aniso_reference.h); against the mean of many points of the pixel, which anisotropic
 * filtering must come close to where isotropic filtering does not; and single facts about corners
 * and what a sample costs. Whether all host instruction sets agree is in test_texture_states.c. */
#include "aniso_reference.h"

static void
samples_match_the_reference(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   static struct emul_tex_plan plan;
   struct emul_tex_state st;
   struct emul_vec4 got;
   unsigned compared = 0, by_ratio[17] = {0};
   for (unsigned n = 0; n < 3000; n++) {
      bool cube = below(2);
      unsigned size = 1u << below(cube ? 7 : 6), levels = 1 + below(7), depth = 1u << below(5);
      unsigned max_aniso = below(4) ? 2 + below(15) : 1;
      random_quality();
      texture(&st, cube ? ATTILA_TEX_CUBE : ATTILA_TEX_3D, size, depth, levels, max_aniso,
              below(4) != 0);
      random_texels(&st);
      random_request(&req, cube, exp2f(uniform(-7, -1)), exp2f(uniform(0, 5)));
      emul_tex_plan(&st, &req, &plan);
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         double p[3], dx[3], dy[3], want;
         lane_of(&req, i, p, dx, dy);
         if (!ref_sample(&st, p, dx, dy, &want))
            continue;
         struct footprint f = footprint_of(&st, p, dx, dy);
         compared++;
         by_ratio[f.samples]++;
         if (st.regs.max_aniso > 1 && f.samples > plan.aniso_ratio[i / 4])
            fail_msg("%u samples, not %u", plan.aniso_ratio[i / 4], f.samples);
         if (fabs(got.c[0][i] - want) > 5e-4)
            fail_msg("%s of %u, %u levels, seamless %u, algorithm %u, anisotropy %u, lane %u (%g "
                     "%g %g), %u "
                     "samples, level %g: %g, not %g",
                     cube ? "cube" : "3D", size, levels, st.regs.seamless, quality.aniso_algorithm,
                     st.regs.max_aniso, i, p[0], p[1], p[2], f.samples, f.lod, got.c[0][i], want);
      }
   }
   quality = EMUL_TEX_QUALITY_DEFAULT;
   assert_true(compared > 25000);
   for (unsigned i = 1; i <= 16; i++)
      assert_true(by_ratio[i] > 100);
}

/* A pattern in space that is fine in every direction. On a cube it is seen where the direction
 * meets the cube, so it goes on across edges. */
static double
pattern(const double p[3])
{
   return 0.5 + 0.25 * sin(47 * p[0] + 1) * cos(31 * p[1]) + 0.25 * sin(43 * p[2] + 29 * p[1] + 2);
}

static double
pattern_of(const struct emul_tex_state *st, const double p[3])
{
   double v[3], largest = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
   for (unsigned c = 0; c < 3; c++)
      v[c] = st->regs.target == ATTILA_TEX_CUBE ? p[c] / largest : 2 * p[c] - 1;
   return pattern(v);
}

/* The pattern in the first level; each further one the mean of the texels of the one before. */
static void
pattern_texels(const struct emul_tex_state *st)
{
   bool cube = st->regs.target == ATTILA_TEX_CUBE;
   for (unsigned l = 0; l < st->regs.num_levels; l++) {
      unsigned size = attila_minify(st->regs.width, l), depth = slices(st, l);
      for (unsigned z = 0; z < depth; z++)
         for (unsigned y = 0; y < size; y++)
            for (unsigned x = 0; x < size; x++) {
               double p[3] = {(x + 0.5) / size, (y + 0.5) / size, (z + 0.5) / depth}, sum = 0;
               if (cube)
                  cube_point(z, p[0], p[1], p);
               if (!l)
                  sum = pattern_of(st, p);
               for (unsigned k = 0; l && k < 8; k++) {
                  unsigned below_z = cube ? z : 2 * z + (k >> 2);
                  sum += stored(st, l - 1, (int)(2 * x + (k & 1)), (int)(2 * y + (k >> 1 & 1)),
                                (int)below_z) /
                         8;
               }
               float v = (float)sum;
               memcpy(element(st, l, x, y, z), &v, 4);
            }
   }
}

/* Mean of the pattern over the parallelogram of a pixel. */
static double
pixel_mean(const struct emul_tex_state *st, const double p[3], const double dx[3],
           const double dy[3])
{
   enum { N = 48 };
   double sum = 0;
   for (unsigned j = 0; j < N; j++)
      for (unsigned i = 0; i < N; i++) {
         double at[3];
         for (unsigned c = 0; c < 3; c++)
            at[c] = p[c] + ((i + 0.5) / N - 0.5) * dx[c] + ((j + 0.5) / N - 0.5) * dy[c];
         sum += pattern_of(st, at);
      }
   return sum / (N * N);
}

/* Sums of squared errors of isotropic and anisotropic filtering over long thin pixels, [0] inside a
 * face or volume, [1] across an edge. */
static void
measure(unsigned target, unsigned size, double error[2][2], unsigned count[2])
{
   static struct emul_tex_request req;
   struct emul_tex_state st[2];
   struct emul_vec4 got[2];
   texture(&st[0], target, size, size, 6, 1, true);
   texture(&st[1], target, size, size, 6, 16, true);
   pattern_texels(&st[0]);
   for (unsigned n = 0; n < (target == ATTILA_TEX_CUBE ? 1000 : 4000); n++) {
      float longest = (target == ATTILA_TEX_CUBE ? 24.0f : 12.0f) / (float)size;
      random_request(&req, target == ATTILA_TEX_CUBE, longest, uniform(10, 16));
      req.op = ATTILA_OP_TXD;
      for (unsigned k = 0; k < 2; k++)
         emul_tex_sample(&st[k], &req, memory, &got[k]);
      for (unsigned i = 0; i < 16; i += 4) {
         double p[3], dx[3], dy[3], a[3], b[3];
         lane_of(&req, i, p, dx, dy);
         struct footprint f = footprint_of(&st[1], p, dx, dy);
         bool inside = true; /* the pattern does not repeat */
         for (unsigned c = 0; c < 3; c++) {
            a[c] = p[c] - f.axis[c] / 2, b[c] = p[c] + f.axis[c] / 2;
            inside &= fmin(a[c], b[c]) > 0.05 && fmax(a[c], b[c]) < 0.95;
         }
         if (f.samples < 8 || f.lod < -1 || f.lod > 1.5 || (target == ATTILA_TEX_3D && !inside))
            continue;
         bool crosses = target == ATTILA_TEX_CUBE && face_of(a) != face_of(b);
         double want = pixel_mean(&st[0], p, dx, dy);
         for (unsigned k = 0; k < 2; k++)
            error[crosses][k] += pow(got[k].c[0][i] - want, 2);
         count[crosses]++;
      }
   }
}

static void
anisotropy_comes_close_to_supersampling(void **state)
{
   (void)state;
   for (unsigned k = 0; k < 2; k++) {
      double error[2][2] = {{0}};
      unsigned count[2] = {0};
      measure(k ? ATTILA_TEX_3D : ATTILA_TEX_CUBE, 64, error, count);
      for (unsigned crosses = 0; crosses < (k ? 1 : 2); crosses++) {
         assert_true(count[crosses] > 50);
         double isotropic = sqrt(error[crosses][0] / count[crosses]);
         double anisotropic = sqrt(error[crosses][1] / count[crosses]);
         print_message("%s%s: rms error isotropic %.4f, anisotropic %.4f (%u pixels)\n",
                       k ? "3D" : "cube", crosses ? " across edges" : "", isotropic, anisotropic,
                       count[crosses]);
         assert_true(anisotropic < 0.06 && anisotropic < 0.4 * isotropic);
      }
   }
}

static void
corner_texels(const struct emul_tex_state *st, unsigned corner, uint8_t *at[3])
{
   unsigned size = st->regs.width;
   for (unsigned axis = 0; axis < 3; axis++) {
      double p[3], uv[2];
      for (unsigned c = 0; c < 3; c++)
         p[c] = (corner >> c & 1 ? 1 : -1) * (c == axis ? 1 : 1 - 1.0 / size);
      unsigned face = axis * 2 + (p[axis] < 0);
      on_plane(face, p, uv);
      at[axis] = element(st, 0, (unsigned)floor(uv[0] * size), (unsigned)floor(uv[1] * size), face);
   }
}

/* What the machine allows or forces, whatever a program asks for. */
static void
limits_of_the_machine(void **state)
{
   (void)state;
   struct emul_tex_state st;
   struct attila_tex_regs r = default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R32_FLOAT, 64, 64, 1, 7);
   for (unsigned n = 0; n < 64; n++) {
      const unsigned asked[4] = {1, 2, 8, 16}, most = n & 32 ? 16 : 4, forced = n >> 4 & 1;
      const unsigned linear = n >> 2 & 1;
      quality = EMUL_TEX_QUALITY_DEFAULT;
      quality.max_aniso = most;
      quality.force_max_aniso = forced;
      r.max_aniso = asked[n & 3];
      r.min_filter = linear ? ATTILA_FILTER_LINEAR : ATTILA_FILTER_NEAREST;
      emul_tex_state_init(&st, &r, &quality, MEMORY);
      bool limited = (forced && linear) || r.max_aniso > most;
      unsigned want = limited ? most : r.max_aniso;
      assert_int_equal(st.regs.max_aniso, want);
   }
   quality = EMUL_TEX_QUALITY_DEFAULT;
}

/* Footprints whose long axis lies anywhere between the gradients: the more axes an algorithm looks
 * at, the closer it comes to the pixel's mean. */
static void
more_axes_come_closer_to_the_mean(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_tex_state st[EMUL_TEX_NUM_ANISO];
   double error[EMUL_TEX_NUM_ANISO] = {0}, samples[EMUL_TEX_NUM_ANISO] = {0};
   enum { SIZE = 64, PIXELS = 400 };
   for (unsigned k = 0; k < EMUL_TEX_NUM_ANISO; k++) {
      quality.aniso_algorithm = k;
      texture(&st[k], ATTILA_TEX_3D, SIZE, SIZE, 6, 16, false);
   }
   quality = EMUL_TEX_QUALITY_DEFAULT;
   pattern_texels(&st[0]);
   for (unsigned n = 0; n < PIXELS; n++) {
      const double pi = acos(-1), at = uniform(0, 2) * pi, between = uniform(0, 1) * pi;
      const double longer = uniform(8, 12) / SIZE, shorter = longer / uniform(6, 10);
      double p[3], d[2][3] = {{0}};
      req = (struct emul_tex_request){.op = ATTILA_OP_TXD, .mask = 0xffff, .has_quads = true};
      for (unsigned c = 0; c < 3; c++) {
         double u = c == 2 ? 0 : longer * (c ? sin(at) : cos(at));
         double v = c == 2 ? 0 : shorter * (c ? cos(at) : -sin(at));
         p[c] = uniform(0.3f, 0.7f);
         d[0][c] = cos(between) * u + sin(between) * v;
         d[1][c] = cos(between) * v - sin(between) * u;
         set_quad(&req, 0, c, (float)p[c], (float)d[0][c], (float)d[1][c]);
      }
      lane_of(&req, 0, p, d[0], d[1]);
      double want = pixel_mean(&st[0], p, d[0], d[1]);
      for (unsigned k = 0; k < EMUL_TEX_NUM_ANISO; k++) {
         struct emul_vec4 got;
         static struct emul_tex_plan plan;
         emul_tex_plan(&st[k], &req, &plan);
         emul_tex_sample(&st[k], &req, memory, &got);
         error[k] += pow(got.c[0][0] - want, 2) / PIXELS;
         samples[k] += (double)plan.aniso_ratio[0] / PIXELS;
      }
   }
   for (unsigned k = 0; k < EMUL_TEX_NUM_ANISO; k++)
      print_message("algorithm %u: rms error %.4f with %.1f samples\n", k, sqrt(error[k]),
                    samples[k]);
   assert_true(error[EMUL_TEX_ANISO_FOUR_AXIS] < 0.8 * error[EMUL_TEX_ANISO_TWO_AXIS]);
   assert_true(error[EMUL_TEX_ANISO_EWA] < 0.5 * error[EMUL_TEX_ANISO_FOUR_AXIS]);
}

/* At a corner all of the filter's weight is on the three texels that meet there, a third each. */
static void
corners_are_the_mean_of_three(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_tex_state st;
   struct emul_vec4 got;
   for (unsigned n = 0; n < 400; n++) {
      unsigned size = 1u << n % 6, format = n & 1 ? ATTILA_FORMAT_R32_FLOAT : ATTILA_FORMAT_Z24S8;
      struct attila_tex_regs r = default_regs(ATTILA_TEX_CUBE, format, size, size, 6, 1);
      r.mag_filter = r.min_filter = ATTILA_FILTER_LINEAR;
      r.seamless = 1;
      r.compare = n % 3 == 0;
      r.compare_func = ATTILA_FUNC_LESS;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      bool flat = n % 5 == 0;
      float one = uniform(-3, 3);
      req = (struct emul_tex_request){.op = ATTILA_OP_TXL, .mask = 0xffff, .shadow = true};
      double want[8];
      for (unsigned corner = 0; corner < 8; corner++) {
         uint8_t *at[3];
         corner_texels(&st, corner, at);
         for (unsigned i = 0; i < 3; i++) {
            float v = flat ? one : uniform(-3, 3);
            uint32_t raw = flat ? 12345678 : below(1 << 24);
            memcpy(at[i], n & 1 ? (void *)&v : &raw, 4);
         }
      }
      for (unsigned corner = 0; corner < 8; corner++) { /* at size 1 corners share texels */
         uint8_t *at[3];
         corner_texels(&st, corner, at);
         req.ref[corner] = uniform(0, 1);
         want[corner] = 0;
         for (unsigned i = 0; i < 3; i++) {
            float v;
            uint32_t raw;
            memcpy(&v, at[i], 4);
            memcpy(&raw, at[i], 4);
            double texel = n & 1 ? v : (raw & 0xffffff) / 16777215.0;
            want[corner] += (r.compare ? req.ref[corner] < texel : texel) / 3;
         }
         for (unsigned c = 0; c < 3; c++)
            req.coord[c][corner] = corner >> c & 1 ? 0.7f : -0.7f;
      }
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned corner = 0; corner < 8; corner++) {
         if (fabs(got.c[0][corner] - want[corner]) > 1e-6)
            fail_msg("corner %u of size %u: %g, not %g", corner, size, got.c[0][corner],
                     want[corner]);
         if (flat && n & 1 && !r.compare)
            assert_true(got.c[0][corner] == one);
      }
   }
}

/* The level of detail of a cube map is that of its faces, however long the direction is. */
static void
length_of_a_direction_does_not_matter(void **state)
{
   (void)state;
   static struct emul_tex_request req, longer;
   struct emul_tex_state st;
   struct emul_vec4 a, b;
   for (unsigned n = 0; n < 500; n++) {
      texture(&st, ATTILA_TEX_CUBE, 64, 6, 7, n & 1 ? 1 : 16, true);
      if (n == 0)
         random_texels(&st);
      random_request(&req, true, exp2f(uniform(-7, -1)), exp2f(uniform(0, 5)));
      longer = req;
      for (unsigned i = 0; i < 16; i++)
         for (unsigned c = 0; c < 3; c++) {
            longer.coord[c][i] *= 8;
            longer.ddx[c][i] *= 8;
            longer.ddy[c][i] *= 8;
         }
      emul_tex_sample(&st, &req, memory, &a);
      emul_tex_sample(&st, &longer, memory, &b);
      assert_memory_equal(&a.c[0], &b.c[0], sizeof(a.c[0]));
   }
}

/* A quad takes as many bilinear operations as it has samples, times levels, times slices. */
static void
samples_cost_a_bilinear_each(void **state)
{
   (void)state;
   static const struct {
      float x, y;
      unsigned samples;
   } cases[] = {{16, 1, 16}, {8, 1, 8}, {1, 8, 8}, {8, 3, 3}, {4, 4, 1}, {64, 1, 16}, {0.9f, 0, 1}};
   static struct emul_tex_request req;
   static struct emul_tex_plan plan;
   struct emul_tex_state st;
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      for (unsigned t = 0; t < 3; t++) {
         static const unsigned targets[] = {ATTILA_TEX_2D, ATTILA_TEX_CUBE, ATTILA_TEX_3D};
         texture(&st, targets[t], 64, 64, 1, 16, true);
         req = (struct emul_tex_request){.op = ATTILA_OP_TXD, .mask = 0xffff};
         for (unsigned i = 0; i < 16; i++) {
            /* A cube's face spans two units. */
            float unit = (t == 1 ? 2.0f : 1.0f) / 64;
            req.coord[0][i] = t == 1 ? 1.0f : 0.4f;
            req.coord[1][i] = req.coord[2][i] = 0.401f;
            req.ddx[1][i] = cases[k].x * unit;
            req.ddy[t == 1 ? 2 : 0][i] = cases[k].y * unit;
         }
         emul_tex_plan(&st, &req, &plan);
         for (unsigned q = 0; q < 4; q++) {
            assert_int_equal(plan.aniso_ratio[q], cases[k].samples);
            assert_int_equal(plan.quad_steps[q], cases[k].samples * (t == 2 ? 2 : 1));
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(samples_match_the_reference),
       cmocka_unit_test(anisotropy_comes_close_to_supersampling),
       cmocka_unit_test(more_axes_come_closer_to_the_mean),
       cmocka_unit_test(limits_of_the_machine),
       cmocka_unit_test(corners_are_the_mean_of_three),
       cmocka_unit_test(length_of_a_direction_does_not_matter),
       cmocka_unit_test(samples_cost_a_bilinear_each),
   };
   return cmocka_run_group_tests(tests, texture_setup, texture_teardown);
}
