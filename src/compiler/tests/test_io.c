/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Directed tests of inputs, outputs, constants and local arrays: where they are, and how they are
 * indexed. */
#include "harness.h"

static void
test_constants_and_arrays_can_be_indexed(void **state)
{
   (void)state;
   for (unsigned stage = 0; stage < 2; stage++) {
      struct shader_test *t = test_begin(stage ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX);
      nir_builder *b = &t->b;
      nir_def *in = test_input(t, 0);
      nir_def *i = nir_f2i32(b, nir_channel(b, in, 0)), *k = nir_f2i32(b, nir_channel(b, in, 1));
      nir_def *u = test_uniform_indirect(t, 3, 10, i),
              *w = test_uniform_indirect(t, 20, 10, nir_iadd_imm(b, k, 2));
      test_output(t, 0, nir_fadd(b, u, w));
      test_output(t, 1, test_input_indirect(t, 1, 4, nir_imm_int(b, 2)));
      /* A local array: a[j] = in * j, then a[3 - i] and a[i] = 0. */
      nir_variable *array =
          nir_local_variable_create(b->impl, glsl_array_type(glsl_vec4_type(), 4, 0), "a");
      nir_variable *numbers =
          nir_local_variable_create(b->impl, glsl_array_type(glsl_int_type(), 4, 0), "n");
      nir_deref_instr *a = nir_build_deref_var(b, array), *n = nir_build_deref_var(b, numbers);
      for (unsigned j = 0; j < 4; j++) {
         nir_store_deref(b, nir_build_deref_array_imm(b, a, j), nir_fmul_imm(b, in, j), 0xf);
         nir_store_deref(b, nir_build_deref_array_imm(b, n, j), nir_imm_int(b, 5 + j), 1);
      }
      nir_store_deref(b, nir_build_deref_array(b, n, i), nir_imm_int(b, 99), 1);
      nir_def *first = nir_load_deref(b, nir_build_deref_array(b, a, nir_isub_imm(b, 3, i)));
      nir_store_deref(b, nir_build_deref_array(b, a, i), nir_imm_vec4(b, 0, 0, 0, 0), 0x5);
      nir_def *second = nir_load_deref(b, nir_build_deref_array(b, a, k));
      test_output(t, 2, first);
      test_output(t, 3, second);
      nir_def *number = nir_load_deref(b, nir_build_deref_array(b, n, k));
      test_output(t, 4, nir_i2f32(b, nir_iadd_imm(b, number, 1)));
      {
         for (unsigned noopt = 0; noopt < 2; noopt++) {
            test_must_compile(t, noopt ? ATTILA_DEBUG_NOOPT : 0);
            struct emul_vec4 *r = test_input_reg(t, 0);
            for (unsigned l = 0; l < EMUL_LANES; l++) {
               r->c[0][l] = l % 4;
               r->c[1][l] = l / 4;
            }
            assert_true(test_run(t));
            for (unsigned l = 0; l < EMUL_LANES; l++) {
               for (unsigned c = 0; c < 4; c++) {
                  float x = r->c[c][l];
                  unsigned p = l % 4, q = l / 4;
                  assert_float_equal(test_output_reg(t, 0)->c[c][l],
                                     t->consts[3 + p][c] + t->consts[22 + q][c], 0);
                  assert_float_equal(test_output_reg(t, 2)->c[c][l], x * (3 - p), 0);
                  assert_float_equal(test_output_reg(t, 3)->c[c][l],
                                     (p == q && !(c & 1) ? 0 : x * q), 0);
               }
               assert_float_equal(test_output_reg(t, 4)->c[0][l],
                                  (l % 4 == l / 4 ? 100 : 6 + l / 4), 0);
            }
            assert_int_equal(t->out.num_consts, 30);
         }
      }
      test_end(t);
   }
}

static void
test_inputs_and_outputs_can_be_indexed(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   nir_builder *b = &t->b;
   nir_def *i = nir_f2i32(b, nir_channel(b, test_input(t, 0), 0));
   nir_def *value = test_input_indirect(t, 4, 4, i);
   nir_io_semantics sem = {.location = VARYING_SLOT_VAR2, .num_slots = 4};
   for (unsigned j = 0; j < 4; j++)
      test_output(t, 2 + j, nir_imm_vec4(b, 1, 2, 3, 4));
   nir_store_output(b, value, i, .write_mask = 0xf, .src_type = nir_type_float32,
                    .io_semantics = sem);
   test_must_compile(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      t->inputs[0].c[0][l] = l % 4;
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned j = 0; j < 4; j++)
         assert_float_equal(test_output_reg(t, 2 + j)->c[1][l],
                            (l % 4 == j ? t->inputs[4 + j].c[1][l] : 2), 0);
   }
   test_end(t);
}

/* More indexed constants in use at once than the address register has components. */
static void
test_more_indices_than_address_components_work(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   nir_builder *b = &t->b;
   nir_def *u[6], *sum = NULL;
   for (unsigned n = 0; n < 6; n++) {
      nir_def *i = nir_f2i32(b, nir_channel(b, test_input(t, n / 4), n % 4));
      u[n] = test_uniform_indirect(t, n * 8, 8, i);
      sum = n ? nir_fadd(b, nir_fmul_imm(b, sum, 2), u[n]) : u[n];
   }
   for (unsigned n = 0; n < 6; n++)
      sum = nir_fmul(b, nir_fadd_imm(b, sum, -1), u[n]);
   test_output(t, 0, sum);
   test_must_compile(t, 0);
   for (unsigned r = 0; r < 64; r++)
      t->consts[r][0] = 1.0f + (r * 7) % 3;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned n = 0; n < 6; n++)
         t->inputs[n / 4].c[n % 4][l] = (l * (n + 1)) % 8;
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float want = 0, v[6];
      for (unsigned n = 0; n < 6; n++) {
         v[n] = t->consts[n * 8 + (l * (n + 1)) % 8][0];
         want = n ? want * 2 + v[n] : v[n];
      }
      for (unsigned n = 0; n < 6; n++)
         want = (want - 1) * v[n];
      assert_float_equal(test_output_reg(t, 0)->c[0][l], want, 0);
   }
   test_end(t);
}

/* The instance number is in the register after the attributes, as a float; if no register is free
 * it is converted from the integer. */
static void
test_instance_is_a_float_or_made_of_the_integer(void **state)
{
   (void)state;
   for (unsigned last = 2; last < ATTILA_MAX_ATTRIBS; last += ATTILA_MAX_ATTRIBS - 3) {
      struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
      nir_builder *b = &t->b;
      nir_def *twice = nir_imul_imm(b, nir_load_instance_id(b), 2);
      test_output(t, 0, nir_fadd(b, test_input(t, last), nir_replicate(b, nir_i2f32(b, twice), 4)));
      test_must_compile(t, 0);
      const bool full = last == ATTILA_MAX_ATTRIBS - 1;
      assert_int_equal(t->out.vs_instance_input, full ? ATTILA_NO_INPUT : last + 1);
      for (unsigned i = 0; i < EMUL_LANES; i++) {
         t->inputs[last].c[0][i] = 0.25f;
         if (full)
            memcpy(&t->inputs[ATTILA_VS_INPUT_IDS].c[1][i], &i, sizeof(i));
         else
            t->inputs[last + 1].c[0][i] = (float)i;
      }
      assert_true(test_run(t));
      for (unsigned i = 0; i < EMUL_LANES; i++)
         assert_true(test_output_reg(t, 0)->c[0][i] == 0.25f + 2.0f * (float)i);
      test_end(t);
   }
}

/* The position is first, the others follow by slot. Also gl_FragColor and system values. */
static void
test_outputs_are_ordered_by_slot_behind_the_position(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   static const unsigned slots[] = {VARYING_SLOT_VAR3, VARYING_SLOT_PSIZ, VARYING_SLOT_POS,
                                    VARYING_SLOT_COL0};
   for (unsigned i = 0; i < ARRAY_SIZE(slots); i++) {
      nir_io_semantics sem = {.location = slots[i], .num_slots = 1};
      nir_store_output(b, x, nir_imm_int(b, 0), .write_mask = 0xf, .src_type = nir_type_float32,
                       .io_semantics = sem);
   }
   test_must_compile(t, 0);
   assert_int_equal(t->out.output[VARYING_SLOT_POS], 0);
   assert_int_equal(t->out.output[VARYING_SLOT_COL0], 1);
   assert_int_equal(t->out.output[VARYING_SLOT_PSIZ], 2);
   assert_int_equal(t->out.output[VARYING_SLOT_VAR3], 3);
   assert_int_equal(t->out.output[VARYING_SLOT_EDGE], ATTILA_NO_OUTPUT);
   assert_int_equal(t->out.vs_instance_input, ATTILA_NO_INPUT);
   assert_int_equal(t->out.isa.num_instrs, 5);
   test_end(t);

   t = test_begin(MESA_SHADER_FRAGMENT);
   b = &t->b;
   nir_io_semantics sem = {.location = FRAG_RESULT_COLOR, .num_slots = 1},
                    depth = {.location = FRAG_RESULT_DEPTH, .num_slots = 1};
   nir_io_semantics col0 = {.location = VARYING_SLOT_COL0, .num_slots = 1},
                    flat = {.location = VARYING_SLOT_VAR7, .num_slots = 1};
   nir_def *bary = nir_load_barycentric_pixel(b, 32, .interp_mode = INTERP_MODE_NONE);
   nir_def *color = nir_load_interpolated_input(
       b, 4, 32, bary, nir_imm_int(b, 0), .dest_type = nir_type_float32, .io_semantics = col0);
   nir_def *other = nir_load_input(b, 1, 32, nir_imm_int(b, 0), .component = 2,
                                   .dest_type = nir_type_float32, .io_semantics = flat);
   nir_def *front = nir_load_front_face(b, 1);
   nir_def *value =
       nir_bcsel(b, front, color, nir_fmul(b, nir_load_frag_coord(b), nir_replicate(b, other, 4)));
   nir_store_output(b, value, nir_imm_int(b, 0), .write_mask = 0xf, .src_type = nir_type_float32,
                    .io_semantics = sem);
   nir_store_output(b, nir_channel(b, nir_load_point_coord(b), 1), nir_imm_int(b, 0),
                    .write_mask = 1, .src_type = nir_type_float32, .io_semantics = depth);
   test_must_compile(t, 0);
   assert_true(t->out.color0_to_all);
   assert_true(t->out.isa.writes_depth);
   assert_int_equal(t->out.num_fs_inputs, 5);
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++) {
      const struct attila_fs_input *in = &t->out.fs_input[i];
      for (unsigned l = 0; l < EMUL_LANES && in->source == ATTILA_FS_FACE; l++)
         t->inputs[i].c[0][l] = l & 1;
      assert_int_equal(in->color, in->slot == VARYING_SLOT_COL0);
      if (in->slot == VARYING_SLOT_VAR7)
         assert_int_equal(in->interp, ATTILA_INTERP_FLAT);
   }
   assert_true(test_run(t));
   unsigned reg[64] = {0};
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++)
      reg[t->out.fs_input[i].slot] = i;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float back =
          t->inputs[reg[VARYING_SLOT_POS]].c[3][l] * t->inputs[reg[VARYING_SLOT_VAR7]].c[2][l];
      assert_float_equal(t->outputs[0].c[3][l],
                         (l & 1 ? t->inputs[reg[VARYING_SLOT_COL0]].c[3][l] : back), 0);
      assert_float_equal(t->outputs[8].c[0][l], t->inputs[reg[VARYING_SLOT_PNTC]].c[1][l], 0);
   }
   test_end(t);
}

/* 32 varyings beside everything else that a vertex and a fragment have; then an array of 32
 * varyings, written and read with an index that is not constant. */
static void
test_all_varyings_fit_beside_all_other_outputs(void **state)
{
   (void)state;
   static const unsigned others[] = {
       VARYING_SLOT_POS,  VARYING_SLOT_PSIZ,       VARYING_SLOT_BFC0,       VARYING_SLOT_BFC1,
       VARYING_SLOT_EDGE, VARYING_SLOT_CLIP_DIST0, VARYING_SLOT_CLIP_DIST1, VARYING_SLOT_LAYER};
   const nir_io_semantics array = {.location = VARYING_SLOT_VAR0, .num_slots = 32};
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   for (unsigned i = 0; i < ARRAY_SIZE(others); i++) {
      nir_io_semantics sem = {.location = others[i], .num_slots = 1};
      nir_store_output(b, x, nir_imm_int(b, 0), .write_mask = 0xf, .src_type = nir_type_float32,
                       .io_semantics = sem);
   }
   nir_store_output(b, nir_fadd(b, x, x), nir_f2i32(b, nir_channel(b, x, 1)), .write_mask = 0xf,
                    .src_type = nir_type_float32, .io_semantics = array);
   test_must_compile(t, 0);
   assert_true(t->out.isa.wide);
   assert_in_range(t->out.output[VARYING_SLOT_CLIP_DIST1], 1, 31); /* fields of 5 bits */
   assert_int_equal(t->out.output[VARYING_SLOT_VAR31], 32 + ARRAY_SIZE(others) - 1);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      test_input_reg(t, 0)->c[1][l] = 2 * l + 1;
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++)
      assert_float_equal(test_output_reg(t, 2 * l + 1)->c[1][l], 4 * l + 2, 0);
   test_end(t);

   t = test_begin(MESA_SHADER_FRAGMENT);
   b = &t->b;
   nir_def *where = nir_fmul(b, nir_load_frag_coord(b),
                             nir_replicate(b, nir_channel(b, nir_load_point_coord(b), 0), 4));
   nir_def *element =
       test_input_indirect(t, 0, 32, nir_f2i32(b, nir_channel(b, test_uniform(t, 0), 0)));
   test_output(t, 0, nir_bcsel(b, nir_load_front_face(b, 1), element, where));
   test_must_compile(t, 0);
   assert_true(t->out.isa.wide);
   assert_int_equal(t->out.num_fs_inputs, 35);
   t->consts[0][0] = 31;
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++) {
      for (unsigned l = 0; l < EMUL_LANES && t->out.fs_input[i].source == ATTILA_FS_FACE; l++)
         t->inputs[i].c[0][l] = 1;
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++)
      assert_float_equal(t->outputs[0].c[2][l], test_input_reg(t, 31)->c[2][l], 0);
   test_end(t);
}

static bool
compares(enum attila_func func, float a, float b)
{
   return (func & ATTILA_FUNC_LESS && a < b) || (func & ATTILA_FUNC_EQUAL && a == b) ||
          (func & ATTILA_FUNC_GREATER && a > b);
}

/* Tests one alpha comparison with a shader that reads indexed uniforms and the face, and writes its
 * colour at once or in two parts. */
static void
check_alpha_test(enum attila_func func, bool coverage, bool parts)
{
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *index = nir_f2i32(b, nir_channel(b, test_input(t, 1), 0));
   nir_def *color = nir_fadd(b, test_input(t, 0), test_uniform_indirect(t, 2, 4, index));
   color = nir_fmul(b, color, nir_b2f32(b, nir_load_front_face(b, 1)));
   nir_def *zero = nir_imm_int(b, 0);
   const nir_io_semantics data0 = {.location = FRAG_RESULT_DATA0, .num_slots = 1};
   if (parts) {
      nir_store_output(b, nir_channels(b, color, 0xc), zero, .component = 2, .write_mask = 3,
                       .src_type = nir_type_float32, .io_semantics = data0);
      nir_store_output(b, nir_channels(b, color, 0x3), zero, .write_mask = 3,
                       .src_type = nir_type_float32, .io_semantics = data0);
   } else {
      test_output(t, 0, color);
   }
   b->shader->num_uniforms = coverage ? 9 : 0; /* as the front end declares, or what is read */
   test_output(t, 1, nir_imm_vec4(b, 0, 0, 0, 0.25)); /* another colour's alpha is not tested */
   t->variant =
       (struct attila_variant){.alpha_test = 1, .alpha_func = func, .alpha_coverage = coverage};
   test_must_compile(t, 0);
   assert_true(t->out.isa.uses_kill || func == ATTILA_FUNC_ALWAYS);
   if (t->out.isa.uses_kill && func != ATTILA_FUNC_NEVER) {
      assert_int_equal(t->out.alpha_ref_const, coverage ? 9 : 6);
      assert_int_equal(t->out.num_consts, t->out.alpha_ref_const + 1);
   }
   memset(t->consts, 0, sizeof(t->consts));
   if (t->out.alpha_ref_const != ATTILA_NO_CONST)
      t->consts[t->out.alpha_ref_const][0] = 0.375f;
   int face = -1;
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++)
      face = t->out.fs_input[i].source == ATTILA_FS_FACE ? (int)i : face;
   assert_true(face >= 0);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      test_input_reg(t, 0)->c[3][l] = l / 8.0f;
      test_input_reg(t, 1)->c[0][l] = 1;
      t->inputs[face].c[0][l] = 1;
      t->inputs[face].c[1][l] = l & 1 ? 0.5f : 1.0f;
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const float alpha = l / 8.0f * (coverage && l & 1 ? 0.5f : 1.0f);
      assert_int_equal(t->killed >> l & 1, !compares(func, alpha, 0.375f));
      if (compares(func, alpha, 0.375f))
         assert_float_equal(test_output_reg(t, 0)->c[3][l], l / 8.0f, 0);
   }
   test_end(t);
}

static void
test_alpha_test_kills_by_every_function(void **state)
{
   (void)state;
   for (enum attila_func func = ATTILA_FUNC_NEVER; func <= ATTILA_FUNC_ALWAYS; func++) {
      for (unsigned n = 0; n < 4; n++)
         check_alpha_test(func, n & 1, n & 2);
   }
   /* Without alpha there is nothing to test. */
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   test_output(t, 0, nir_channels(&t->b, test_input(t, 0), 7));
   t->variant = (struct attila_variant){.alpha_test = 1, .alpha_func = ATTILA_FUNC_NEVER};
   test_must_compile(t, 0);
   assert_int_equal(t->out.alpha_ref_const, ATTILA_NO_CONST);
   assert_false(t->out.isa.uses_kill);
   test_end(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_constants_and_arrays_can_be_indexed),
       cmocka_unit_test(test_inputs_and_outputs_can_be_indexed),
       cmocka_unit_test(test_more_indices_than_address_components_work),
       cmocka_unit_test(test_instance_is_a_float_or_made_of_the_integer),
       cmocka_unit_test(test_outputs_are_ordered_by_slot_behind_the_position),
       cmocka_unit_test(test_all_varyings_fit_beside_all_other_outputs),
       cmocka_unit_test(test_alpha_test_kills_by_every_function),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
