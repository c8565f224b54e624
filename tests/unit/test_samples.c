/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragments of single samples: where their inputs are, and what they know of their pixel. Not here:
 * boxes (test_modes_random.c). */
#include "raster_state.h"
#include <math.h>

enum { SIZE = 64 };

static struct attila_regs regs;
static struct emul_draw_state state;

/* At each sample of a pixel: its position, its depth, a varying, and the words that say so. */
static void
inputs_are_at_samples(void **unused __attribute__((unused)))
{
   static struct emul_vec4 in[ATTILA_ISA_MAX_INPUTS];
   struct emul_vertex v[3];
   struct emul_primitive prim = {
       .num_vertices = 3, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[2]};
   struct emul_setup s[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   uint32_t stipple = 0;
   for (unsigned row = 1; row < 4; row++) {
      const unsigned samples = 1u << row;
      state_regs(&regs, SIZE, SIZE);
      regs.fb_samples = samples;
      regs.sample_mask = 0xbf;
      regs.sample_shading = 1;
      regs.fs_input[0].source = ATTILA_FS_POSITION;
      regs.fs_input[1] = (struct attila_fs_input_regs){
          .output = 1, .interp = ATTILA_INTERP_PERSPECTIVE | ATTILA_INTERP_CENTROID};
      regs.fs_input[2] = (struct attila_fs_input_regs){.output = 1, .samples = 1};
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES,
                 ".fragment\nADD r0, i0, i1\nADD o0, r0, i2\nEND\n");
      assert_true(state.sample_shading);
      for (unsigned i = 0; i < 3; i++) {
         window_vertex(&regs, &v[i], i == 1 ? 60 : 4, i == 2 ? 60 : 4, i ? 0.75 : 0.25, 1.0);
         v[i].out[1][0] = (float)(i == 1 ? 60 : 4);
      }
      assert_int_equal(emul_setup(&state, &prim, &stipple, s, &result), 1);
      for (int32_t x = 4; x < 40; x += 34) { /* inside, and on the edge */
         const uint32_t covered = emul_quad_coverage(&s[0], x, 24, samples);
         for (unsigned n = 0; n < samples; n++) {
            const uint8_t *at = emul_sample_positions[row][n];
            float z[4];
            emul_quad_interpolate_sample(&s[0], x, 24, n, 1, in);
            emul_quad_depth(&s[0], x, 24, n, samples, z);
            for (unsigned p = 0; p < 4; p++) {
               const float px = (float)(x + (int)(p & 1)) + at[0] / 16.0f,
                           py = (float)(24 + (int)(p >> 1)) + at[1] / 16.0f;
               uint32_t word[4];
               for (unsigned c = 0; c < 4; c++)
                  memcpy(&word[c], &in[2].c[c][4 + p], sizeof(word[c]));
               assert_true(in[0].c[0][4 + p] == px && in[0].c[1][4 + p] == py);
               assert_true(in[0].c[2][4 + p] == z[p]);
               assert_true(fabsf(in[1].c[0][4 + p] - px) < 1e-4f);
               assert_int_equal(word[0], n);
               assert_int_equal(word[1] & 0xff, (covered >> (4 * n + p) & 1) << n);
               assert_int_equal(word[1] >> 8, at[0] | at[1] << 4);
               assert_int_equal(word[2 + n / 4] >> 8 * (n % 4) & 0xff, at[0] | at[1] << 4);
            }
         }
      }
      /* Of whole pixels. */
      state.regs.sample_shading = state.sample_shading = 0;
      const uint32_t covered = emul_quad_coverage(&s[0], 38, 24, samples);
      emul_quad_interpolate(&s[0], 38, 24, 0, in);
      for (unsigned p = 0; p < 4; p++) {
         uint32_t word[2], mask = 0;
         for (unsigned n = 0; n < samples; n++)
            mask |= (covered >> (4 * n + p) & 1) << n;
         memcpy(&word[0], &in[2].c[0][p], sizeof(word[0]));
         memcpy(&word[1], &in[2].c[1][p], sizeof(word[1]));
         assert_int_equal(word[0], 0);
         assert_int_equal(word[1], mask | 0x88 << 8);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(inputs_are_at_samples),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
