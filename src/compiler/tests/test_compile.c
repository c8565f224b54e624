/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Directed tests of what is neither arithmetic (test_alu.c), nor inputs and outputs (test_io.c),
 * nor textures (test_tex_ops.c): loops, kills, folding, limits, and errors that name the reason. */
#include "harness.h"

/* Loop variables that exchange their values: neither may be written before the other was read. */
static void
test_loop_variables_can_exchange_values(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_variable *v[4];
   for (unsigned n = 0; n < 4; n++) {
      v[n] = nir_local_variable_create(b->impl, glsl_float_type(), "v");
      nir_store_var(b, v[n], nir_imm_float(b, n), 1);
   }
   nir_def *limit = nir_channel(b, test_input(t, 0), 0);
   nir_push_loop(b);
   nir_def *p = nir_load_var(b, v[0]), *q = nir_load_var(b, v[1]), *r = nir_load_var(b, v[2]),
           *i = nir_load_var(b, v[3]);
   nir_break_if(b, nir_fge(b, i, limit));
   nir_store_var(b, v[0], q, 1);
   nir_store_var(b, v[1], nir_fadd(b, p, q), 1);
   nir_store_var(b, v[2], nir_fadd(b, nir_fmul_imm(b, p, 3), r), 1);
   nir_store_var(b, v[3], nir_fadd_imm(b, i, 1), 1);
   nir_pop_loop(b, NULL);
   test_output(t, 0,
               nir_vec4(b, nir_load_var(b, v[0]), nir_load_var(b, v[1]), nir_load_var(b, v[2]),
                        nir_load_var(b, v[3])));
   test_must_compile(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      test_input_reg(t, 0)->c[0][l] = l + 2;
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float w[3] = {0, 1, 2};
      for (unsigned n = 3; n < l + 2; n++) {
         float next = w[0] + w[1];
         w[2] += 3 * w[0];
         w[0] = w[1];
         w[1] = next;
      }
      for (unsigned c = 0; c < 3; c++)
         assert_float_equal(t->outputs[0].c[c][l], w[c], 0);
   }
   test_end(t);
}

static void
test_fragments_are_killed_where_a_condition_holds(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_demote_if(b, nir_flt_imm(b, nir_channel(b, x, 1), 0.0));
   nir_demote_if(b, nir_flt(b, nir_imm_float(b, 0.0), nir_channel(b, x, 2)));
   nir_demote_if(b, nir_feq_imm(b, nir_channel(b, x, 0), 5.0));
   nir_push_if(b, nir_fge_imm(b, nir_channel(b, x, 0), 14.0));
   nir_demote(b);
   nir_pop_if(b, NULL);
   test_output(t, 0, x);
   test_must_compile(t, 0);
   struct emul_vec4 *in = test_input_reg(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      in->c[0][l] = l;
      in->c[1][l] = l == 2 ? -0.5f : 0.0f;
      in->c[2][l] = l == 7 ? 0.5f : -0.0f - (l & 1);
   }
   assert_true(test_run(t));
   assert_int_equal(t->killed, 1 << 2 | 1 << 5 | 1 << 7 | 1 << 14 | 1 << 15);
   assert_true(t->out.isa.uses_kill);
   assert_int_equal(test_count(t, ATTILA_OP_KIL), 2);
   assert_int_equal(test_count(t, ATTILA_OP_KILC), 2);
   assert_false(t->out.isa.uses_flow);
   test_end(t);
}

/* Kills where any component is below that of another vector, below zero, or above zero: this takes
 * one KIL, and a subtraction if neither side is zero. Even the smallest difference counts, and
 * equal infinities are not below each other. */
static void
test_kill_by_vector_comparison_is_one_instruction(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1), *z = test_input(t, 2);
   nir_demote_if(b, nir_bany(b, nir_flt(b, x, y)));
   nir_demote_if(b, nir_bany(b, nir_flt_imm(b, nir_trim_vector(b, z, 3), 0.0)));
   nir_demote_if(b, nir_bany(b, nir_flt(b, nir_imm_zero(b, 2, 32), nir_channels(b, z, 0xa))));
   test_output(t, 0, x);
   test_must_compile(t, 0);
   struct emul_vec4 *a = test_input_reg(t, 0), *c = test_input_reg(t, 1), *d = test_input_reg(t, 2);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned k = 0; k < 4; k++) {
         a->c[k][l] = l == 6 ? INFINITY : (float)(k + l);
         c->c[k][l] = a->c[k][l];
         d->c[k][l] = k & 1 ? -0.0f : 0.0f;
      }
   }
   c->c[3][1] = nextafterf(4.0f, 5.0f);
   a->c[0][2] = 0.0f;
   c->c[0][2] = 1e-45f;
   a->c[2][3] = -INFINITY;
   d->c[2][9] = -1e-45f;
   d->c[3][10] = 1.0f;
   d->c[3][11] = -1.0f; /* not tested in that direction */
   d->c[1][12] = 1e-45f;
   d->c[0][13] = 1.0f;
   assert_true(test_run(t));
   assert_int_equal(t->killed, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 9 | 1 << 10 | 1 << 12);
   assert_int_equal(test_count(t, ATTILA_OP_KIL), 3);
   assert_int_equal(test_count(t, ATTILA_OP_KILC), 0);
   assert_int_equal(test_count(t, ATTILA_OP_ADD), 1);
   test_end(t);
}

/* Saturation and scaled sums fold: one instruction. */
static void
test_saturation_and_scaled_sums_are_one_instruction(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *u = test_uniform(t, 7);
   test_output(
       t, 0, nir_fsat(b, nir_fadd(b, nir_fmul(b, x, nir_fneg(b, u)), nir_imm_vec4(b, 1, 2, 2, 1))));
   test_must_compile(t, 0);
   assert_int_equal(t->out.isa.num_instrs, 2);
   assert_int_equal(t->out.isa.instrs[0].op, ATTILA_OP_MAD);
   assert_true(t->out.isa.instrs[0].dst.saturate);
   assert_int_equal(t->out.isa.num_literals, 1);
   assert_int_equal(t->out.num_consts, 8);
   assert_int_equal(t->out.isa.num_temps, 0);
   test_end(t);
}

/* Errors name what cannot be compiled. */
static void
test_error_names_what_is_missing(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   test_output(t, 0, nir_f2f32(b, nir_fsqrt(b, nir_f2f64(b, test_uniform(t, 0)))));
   assert_false(test_compile(t, 0));
   assert_non_null(strstr(t->error, "numbers of 64 bits (GLSL 4.00)"));
   test_end(t);

   t = test_begin(MESA_SHADER_FRAGMENT);
   test_output(t, 0, test_uniform(t, ATTILA_MAX_CONSTS));
   assert_false(test_compile(t, 0));
   assert_non_null(strstr(t->error, "1056"));
   test_end(t);

   /* 300 vectors live at once. */
   t = test_begin(MESA_SHADER_VERTEX);
   b = &t->b;
   nir_def *values[300], *sum = test_input(t, 0);
   for (unsigned n = 0; n < 300; n++)
      values[n] = nir_fexp2(b, nir_fadd(b, test_uniform(t, n), sum));
   for (unsigned n = 0; n < 300; n++)
      sum = nir_fmul(b, nir_fadd(b, sum, values[n]), sum);
   for (unsigned n = 300; n-- > 0;)
      sum = nir_fmul(b, nir_fadd(b, sum, values[n]), sum);
   test_output(t, 0, sum);
   assert_true(test_compile(t, 0));
   assert_true(t->out.isa.num_temps > 256);
   test_end(t);
}

/* Arrays that do not fit, alone or beside another one, and arrays that do. */
static void
test_arrays_beyond_the_register_file_are_refused(void **state)
{
   (void)state;
   static const struct {
      unsigned elements;
      const char *error;
   } sizes[] = {{5000, "5000 elements"}, {2100, "4096"}, {2040, NULL}, {100, NULL}};
   for (unsigned n = 0; n < ARRAY_SIZE(sizes); n++) {
      struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
      nir_builder *b = &t->b;
      nir_def *i = nir_f2i32(b, nir_channel(b, test_input(t, 0), 0));
      nir_def *j = nir_f2i32(b, nir_channel(b, test_input(t, 0), 1));
      nir_deref_instr *array[2];
      for (unsigned k = 0; k < 2; k++) {
         const struct glsl_type *type = glsl_array_type(glsl_vec4_type(), sizes[n].elements, 0);
         array[k] = nir_build_deref_var(b, nir_local_variable_create(b->impl, type, "a"));
         nir_store_deref(b, nir_build_deref_array(b, array[k], i), test_input(t, 1 + k), 0xf);
      }
      for (unsigned k = 0; k < 2; k++)
         test_output(t, k, nir_load_deref(b, nir_build_deref_array(b, array[k], j)));
      bool compiled = test_compile(t, 0);
      assert_int_equal(compiled, sizes[n].error == NULL);
      if (!compiled) {
         assert_non_null(strstr(t->error, sizes[n].error));
      } else {
         for (unsigned l = 0; l < EMUL_LANES; l++)
            t->inputs[0].c[0][l] = t->inputs[0].c[1][l] = l * 6;
         assert_true(test_run(t));
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            assert_float_equal(test_output_reg(t, 0)->c[1][l], t->inputs[1].c[1][l], 0);
            assert_float_equal(test_output_reg(t, 1)->c[2][l], t->inputs[2].c[2][l], 0);
         }
      }
      test_end(t);
   }
}

/* Ladders of cases, each inside the one before. x = n selects case n, whose result is 37 n modulo
 * 101; the result of the last case is what is left of x. In a loop, the first cases leave it and
 * others continue with the next iteration. */
static void
test_long_ladders_of_cases_compile(void **state)
{
   (void)state;
   static const unsigned lengths[] = {40, 63, 64, 65, 130, 300};
   for (unsigned n = 0; n < 3 * ARRAY_SIZE(lengths); n++) {
      const unsigned cases = lengths[n / 3], kind = n % 3; /* 1, 2: in a loop */
      struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
      nir_builder *b = &t->b;
      nir_variable *left = nir_local_variable_create(b->impl, glsl_float_type(), "left");
      nir_variable *result = nir_local_variable_create(b->impl, glsl_float_type(), "result");
      nir_if *open[300];
      nir_store_var(b, left, nir_channel(b, test_input(t, 0), 0), 1);
      if (kind)
         nir_push_loop(b);
      nir_def *rest = nir_load_var(b, left);
      for (unsigned i = 0; i < cases; i++) {
         open[i] = nir_push_if(b, nir_feq_imm(b, rest, 0));
         nir_store_var(b, result, nir_imm_float(b, i * 37 % 101), 1);
         if (kind && i < 10)
            nir_jump(b, nir_jump_break);
         nir_push_else(b, NULL);
         rest = nir_fadd_imm(b, rest, -1);
      }
      nir_store_var(b, result, rest, 1);
      for (unsigned i = cases; i-- > 0;)
         nir_pop_if(b, open[i]);
      if (kind == 2) {
         nir_store_var(b, left, nir_fadd_imm(b, nir_load_var(b, left), -1), 1);
         nir_break_if(b, nir_flt_imm(b, nir_load_var(b, left), 5));
      } else if (kind) {
         nir_jump(b, nir_jump_break);
      }
      if (kind)
         nir_pop_loop(b, NULL);
      test_output(t, 0, nir_replicate(b, nir_load_var(b, result), 4));
      test_must_compile(t, 0);
      for (unsigned l = 0; l < EMUL_LANES; l++)
         test_input_reg(t, 0)->c[0][l] = l * 23;
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         float want = 0;
         for (unsigned x = l * 23;; x--) {
            want = x < cases ? x * 37 % 101 : x - cases;
            if (kind != 2 || x < 10 || x - 1 < 5)
               break;
         }
         assert_float_equal(test_output_reg(t, 0)->c[0][l], want, 0);
      }
      test_end(t);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_loop_variables_can_exchange_values),
       cmocka_unit_test(test_fragments_are_killed_where_a_condition_holds),
       cmocka_unit_test(test_kill_by_vector_comparison_is_one_instruction),
       cmocka_unit_test(test_saturation_and_scaled_sums_are_one_instruction),
       cmocka_unit_test(test_error_names_what_is_missing),
       cmocka_unit_test(test_arrays_beyond_the_register_file_are_refused),
       cmocka_unit_test(test_long_ladders_of_cases_compile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
