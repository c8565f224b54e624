/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sample variables, the mask of samples that stay, and interpolation at samples, offsets and
 * centroids, from the words that the machine gives a fragment. */
#include "harness.h"

static nir_def *
input_at(struct shader_test *t, nir_def *bary, unsigned slot, unsigned slots, nir_def *index)
{
   return nir_load_interpolated_input(
       &t->b, 4, 32, bary, index, .dest_type = nir_type_float32,
       .io_semantics = {.location = VARYING_SLOT_VAR0 + slot, .num_slots = slots});
}

/* Returns the register of an input, or NULL. centroid: of the one at centroids. */
static struct emul_vec4 *
find(struct shader_test *t, unsigned slot, bool centroid)
{
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++) {
      if (t->out.fs_input[i].slot == slot &&
          !(t->out.fs_input[i].interp & ATTILA_INTERP_CENTROID) == !centroid)
         return &t->inputs[i];
   }
   return NULL;
}

static float
weight(float x, float y, unsigned quad)
{
   return 1.0f + 0.25f * x + 0.125f * y + (float)quad;
}

static float
product(float x, float y, unsigned n)
{
   return 3.0f - 0.5f * x + 2.0f * y + (float)n;
}

/* Gives each quad inputs at (dx, dy) from pixel centres; VARn is n more than VAR0 before the
 * division. Its samples 0 .. 7 are at (n, 15 - n) / 16. */
static void
set_inputs(struct shader_test *t, float dx, float dy, bool perspective)
{
   struct emul_vec4 *position = find(t, VARYING_SLOT_POS, false),
                    *words = find(t, ATTILA_SLOT_SAMPLES, false);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const float x = (float)(l & 1) + dx, y = (float)(l >> 1 & 1) + dy, w = weight(x, y, l / 4);
      const uint32_t word[4] = {
          3, 0x5au | (uint32_t)(8 + 16 * dx) << 8 | (uint32_t)(8 + 16 * dy) << 12, 0xc3d2e1f0,
          0x8796a5b4};
      for (unsigned n = 0; n < 4; n++) {
         struct emul_vec4 *in = find(t, VARYING_SLOT_VAR0 + n, false);
         for (unsigned c = 0; c < 4 && in; c++)
            in->c[c][l] = (product(x, y, n) + (float)c) / (perspective ? w : 1.0f);
      }
      if (position)
         position->c[3][l] = w;
      for (unsigned c = 0; c < 4; c++)
         memcpy(&words->c[c][l], &word[c], sizeof(word[c]));
   }
}

static void
check_values(struct shader_test *t, float x, float y, unsigned n, bool perspective)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const float px = (float)(l & 1) + x, py = (float)(l >> 1 & 1) + y,
                  w = perspective ? weight(px, py, l / 4) : 1.0f;
      for (unsigned c = 0; c < 4; c++)
         assert_float_equal(test_output_reg(t, 0)->c[c][l], (product(px, py, n) + (float)c) / w,
                            1e-4f);
   }
}

static void
test_inputs_are_interpolated_at_offsets(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 8; i++) {
      const bool perspective = i & 1, branch = i & 2;
      struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
      nir_builder *b = &t->b;
      nir_def *offset = nir_channels(b, test_uniform(t, 0), 3), *zero = nir_imm_int(b, 0),
              *half = nir_flt_imm(b, nir_channel(b, nir_load_frag_coord(b), 0), 0.5);
      nir_variable *out = nir_local_variable_create(b->impl, glsl_vec4_type(), "out");
      if (branch)
         nir_push_if(b, half);
      for (unsigned arm = 0; arm < (branch ? 2 : 1); arm++) {
         nir_def *bary = nir_load_barycentric_at_offset(
             b, 32, offset,
             .interp_mode = perspective ? INTERP_MODE_SMOOTH : INTERP_MODE_NOPERSPECTIVE);
         nir_store_var(b, out, input_at(t, bary, 1, 1, zero), 0xf);
         if (branch && !arm)
            nir_push_else(b, NULL);
      }
      if (branch)
         nir_pop_if(b, NULL);
      test_output(t, 0, nir_load_var(b, out));
      test_must_compile(t, i & 4 ? ATTILA_DEBUG_NOOPT : 0);
      assert_non_null(find(t, VARYING_SLOT_VAR1, false));
      for (unsigned moved = 0; moved < 2; moved++) {
         const float dx = moved ? 0.25f : 0.0f, dy = moved ? -0.375f : 0.0f;
         set_inputs(t, dx, dy, perspective);
         for (unsigned l = 0; l < EMUL_LANES && branch; l++)
            find(t, VARYING_SLOT_POS, false)->c[0][l] = (float)(l & 1); /* half of each quad */
         t->consts[0][0] = 0.375f;
         t->consts[0][1] = -0.5f;
         assert_true(test_run(t));
         check_values(t, 0.375f, -0.5f, 1, perspective);
      }
      test_end(t);
   }
}

/* The sample, and which of several inputs, are computed. */
static void
test_inputs_are_interpolated_at_samples(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *numbers = nir_f2i32(b, test_uniform(t, 0));
   nir_def *bary = nir_load_barycentric_at_sample(b, 32, nir_channel(b, numbers, 0),
                                                  .interp_mode = INTERP_MODE_NONE);
   test_output(t, 0, input_at(t, bary, 0, 4, nir_channel(b, numbers, 1)));
   test_must_compile(t, 0);
   for (unsigned sample = 0; sample < 8; sample++) {
      set_inputs(t, 0.0f, 0.0f, true);
      t->consts[0][0] = (float)sample;
      t->consts[0][1] = (float)(sample % 4);
      assert_true(test_run(t));
      check_values(t, (float)sample / 16.0f - 0.5f, (15.0f - (float)sample) / 16.0f - 0.5f,
                   sample % 4, true);
   }
   test_end(t);
}

static void
test_variables_and_the_mask(void **state)
{
   (void)state;
   for (unsigned integers = 0; integers < 2; integers++) {
      struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, integers);
      nir_builder *b = &t->b;
      nir_def *position = nir_load_sample_pos(b), *id = nir_load_sample_id(b),
              *mask = nir_load_sample_mask_in(b);
      test_output(t, 0,
                  nir_vec4(b, nir_i2f32(b, id), nir_i2f32(b, mask), nir_channel(b, position, 0),
                           nir_channel(b, position, 1)));
      nir_store_output(b, nir_ixor(b, mask, id), nir_imm_int(b, 0), .write_mask = 1,
                       .src_type = nir_type_int32,
                       .io_semantics = {.location = FRAG_RESULT_SAMPLE_MASK, .num_slots = 1});
      b->shader->info.fs.uses_sample_shading = true;
      test_must_compile(t, 0);
      assert_true(t->out.isa.writes_samples);
      assert_true(t->out.sample_shading);
      set_inputs(t, 0.25f, -0.375f, true);
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         uint32_t stay;
         memcpy(&stay, &t->outputs[ATTILA_FS_OUTPUT_SAMPLES].c[0][l], sizeof(stay));
         assert_int_equal(stay, 0x5a ^ 3);
         assert_float_equal(t->outputs[0].c[0][l], 3, 0);
         assert_float_equal(t->outputs[0].c[1][l], 0x5a, 0);
         assert_float_equal(t->outputs[0].c[2][l], 0.75f, 0);
         assert_float_equal(t->outputs[0].c[3][l], 0.125f, 0);
      }
      test_end(t);
   }
}

/* An input that is read at centroids, too, has two registers; one that is only read there has
 * one. */
static void
test_centroids_are_inputs_of_their_own(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *zero = nir_imm_int(b, 0);
   nir_def *pixel = nir_load_barycentric_pixel(b, 32, .interp_mode = INTERP_MODE_SMOOTH),
           *centroid = nir_load_barycentric_centroid(b, 32, .interp_mode = INTERP_MODE_SMOOTH);
   test_output(t, 0, input_at(t, centroid, 0, 1, zero));
   test_output(t, 1, input_at(t, pixel, 0, 1, zero));
   test_output(t, 2, input_at(t, centroid, 1, 1, zero));
   test_must_compile(t, 0);
   assert_int_equal(t->out.num_fs_inputs, 3);
   assert_null(find(t, VARYING_SLOT_VAR1, false));
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      assert_float_equal(t->outputs[0].c[1][l], find(t, VARYING_SLOT_VAR0, true)->c[1][l], 0);
      assert_float_equal(t->outputs[1].c[1][l], find(t, VARYING_SLOT_VAR0, false)->c[1][l], 0);
      assert_float_equal(t->outputs[2].c[1][l], find(t, VARYING_SLOT_VAR1, true)->c[1][l], 0);
   }
   test_end(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_inputs_are_interpolated_at_offsets),
       cmocka_unit_test(test_inputs_are_interpolated_at_samples),
       cmocka_unit_test(test_variables_and_the_mask),
       cmocka_unit_test(test_centroids_are_inputs_of_their_own),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
