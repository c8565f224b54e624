/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Geometry shaders: inputs of vertices, also indexed, arrays among them, the primitive's number;
 * what is emitted in loops and under conditions, and into which stream. The harness executes the
 * programs. */
#include <math.h>
#include "harness.h"

static struct shader_test *
begin(unsigned vertices_in, enum mesa_prim output, unsigned max)
{
   struct shader_test *t = test_begin_with(MESA_SHADER_GEOMETRY, true);
   struct shader_info *info = &t->b.shader->info;
   info->gs.vertices_in = vertices_in;
   info->gs.output_primitive = output;
   info->gs.vertices_out = max;
   info->gs.invocations = 1;
   info->gs.active_stream_mask = 1;
   return t;
}

/* Returns element `index` of the array that begins at VARfirst, of a vertex. */
static nir_def *
vertex_input(struct shader_test *t, nir_def *vertex, unsigned first, unsigned count, nir_def *index)
{
   nir_io_semantics sem = {.location = VARYING_SLOT_VAR0 + first, .num_slots = count};
   return nir_load_per_vertex_input(&t->b, 4, 32, vertex, index, .base = first,
                                    .dest_type = nir_type_float32, .io_semantics = sem);
}

static nir_def *
one_input(struct shader_test *t, nir_def *vertex, unsigned n)
{
   return vertex_input(t, vertex, n, 1, nir_imm_int(&t->b, 0));
}

static void
emit(struct shader_test *t)
{
   nir_emit_vertex(&t->b, .stream_id = 0);
}

/* Returns output VARn of a vertex that a lane emitted. */
static const float *
emitted(struct shader_test *t, unsigned lane, unsigned vertex, unsigned n)
{
   assert_true(vertex < t->emission[lane].num);
   return t->emitted[lane][vertex][t->out.output[VARYING_SLOT_VAR0 + n]];
}

/* Returns the value that the harness gives to input number `input` (of those that are read) of a
 * vertex. */
static float
value(unsigned input, unsigned vertex, unsigned c, unsigned lane)
{
   return 100.0f * ATTILA_GS_INPUT(input, vertex) + 10.0f * c + lane;
}

static void
test_program_describes_its_primitives(void **state)
{
   static const struct {
      enum mesa_prim output;
      unsigned vertices;
   } cases[] = {{MESA_PRIM_POINTS, 1}, {MESA_PRIM_LINE_STRIP, 2}, {MESA_PRIM_TRIANGLE_STRIP, 3}};
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct shader_test *t = begin(2 + i, cases[i].output, i * 7);
      t->b.shader->info.gs.invocations = 1 + 31 * i / 2;
      emit(t);
      nir_end_primitive(&t->b, .stream_id = 0);
      test_must_compile(t, 0);
      assert_int_equal(t->out.isa.stage, ATTILA_STAGE_GEOMETRY);
      assert_int_equal(t->out.isa.gs_vertices_in, 2 + i);
      assert_int_equal(t->out.isa.gs_vertices_out, cases[i].vertices);
      /* A shader with a limit of 0 emits nothing; the machine has no such programs. */
      assert_int_equal(t->out.isa.gs_max_vertices, i ? i * 7 : 1);
      assert_int_equal(t->out.isa.gs_repeats, 31 * i / 2);
      assert_int_equal(test_count(t, ATTILA_OP_EMIT), i ? 1 : 0);
      test_end(t);
   }
}

/* Inputs that are read are numbered in the order of their slots. Vertices are constant or
 * computed. */
static void
test_inputs_of_vertices(void **state)
{
   (void)state;
   for (unsigned noopt = 0; noopt < 2; noopt++) {
      struct shader_test *t = begin(3, MESA_PRIM_POINTS, 2);
      nir_builder *b = &t->b;
      nir_def *which = nir_f2i32(b, nir_channel(b, one_input(t, nir_imm_int(b, 0), 2), 0));
      test_output(t, 0, one_input(t, nir_imm_int(b, 2), 9));
      test_output(t, 1, one_input(t, which, 9));
      emit(t);
      test_must_compile(t, noopt ? ATTILA_DEBUG_NOOPT : 0);
      assert_int_equal(t->out.num_gs_inputs, 2);
      assert_int_equal(t->out.gs_input[0], VARYING_SLOT_VAR2);
      assert_int_equal(t->out.gs_input[1], VARYING_SLOT_VAR9);
      for (unsigned l = 0; l < EMUL_LANES; l++)
         t->inputs[ATTILA_GS_INPUT(0, 0)].c[0][l] = l % 3;
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         for (unsigned c = 0; c < 4; c++) {
            assert_float_equal(emitted(t, l, 0, 0)[c], value(1, 2, c, l), 0);
            assert_float_equal(emitted(t, l, 0, 1)[c], value(1, l % 3, c, l), 0);
         }
      }
      test_end(t);
   }
}

/* Both the element of an array and the vertex are computed, while the machine indexes only
 * vertices. */
static void
test_arrays_of_inputs(void **state)
{
   (void)state;
   struct shader_test *t = begin(6, MESA_PRIM_POINTS, 1);
   nir_builder *b = &t->b;
   nir_def *first = one_input(t, nir_imm_int(b, 0), 0);
   nir_def *vertex = nir_f2i32(b, nir_channel(b, first, 0)),
           *element = nir_f2i32(b, nir_channel(b, first, 1));
   test_output(t, 0, vertex_input(t, vertex, 1, 3, element));
   emit(t);
   test_must_compile(t, 0);
   assert_int_equal(t->out.num_gs_inputs, 4);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      t->inputs[ATTILA_GS_INPUT(0, 0)].c[0][l] = l % 6;
      t->inputs[ATTILA_GS_INPUT(0, 0)].c[1][l] = l / 6;
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++)
      assert_float_equal(emitted(t, l, 0, 0)[2], value(1 + l / 6, l % 6, 2, l), 0);
   test_end(t);
}

/* The number of the primitive is an integer. */
static void
test_numbers_of_primitive_and_invocation(void **state)
{
   (void)state;
   struct shader_test *t = begin(1, MESA_PRIM_POINTS, 1);
   nir_builder *b = &t->b;
   test_output(t, 0,
               nir_vec2(b, nir_i2f32(b, nir_imul_imm(b, nir_load_primitive_id(b), 3)),
                        nir_i2f32(b, nir_load_invocation_id(b))));
   emit(t);
   test_must_compile(t, 0);
   assert_true(t->out.isa.gs_reads_ids);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const int32_t id = 16777217 + (int32_t)l; /* a float cannot hold it */
      memcpy(&t->inputs[ATTILA_GS_INPUT_IDS].c[0][l], &id, sizeof(id));
      memcpy(&t->inputs[ATTILA_GS_INPUT_IDS].c[1][l], &l, sizeof(l));
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      assert_float_equal(emitted(t, l, 0, 0)[0], (float)(3 * (16777217 + (int)l)), 0);
      assert_float_equal(emitted(t, l, 0, 0)[1], (float)l, 0);
   }
   test_end(t);
}

/* A vertex has the outputs at the time of its EMIT, wherever the values were computed, and a strip
 * ends at a cut. A lane emits as many vertices as its input says, and cuts after the second. */
static void
test_emits_in_loops(void **state)
{
   (void)state;
   for (unsigned noopt = 0; noopt < 2; noopt++) {
      struct shader_test *t = begin(1, MESA_PRIM_LINE_STRIP, 12);
      nir_builder *b = &t->b;
      nir_def *in = one_input(t, nir_imm_int(b, 0), 0);
      nir_def *count = nir_f2i32(b, nir_channel(b, in, 0));
      nir_variable *i = nir_local_variable_create(b->impl, glsl_int_type(), "i");
      nir_store_var(b, i, nir_imm_int(b, 0), 1);
      nir_push_loop(b);
      {
         nir_def *n = nir_load_var(b, i);
         nir_break_if(b, nir_ige(b, n, count));
         nir_def *x = nir_i2f32(b, n);
         test_output(t, 0, nir_vec2(b, x, nir_fmul_imm(b, nir_channel(b, in, 1), 2)));
         emit(t);
         test_output(t, 1, nir_fadd_imm(b, x, 0.5)); /* of the next vertex */
         nir_push_if(b, nir_ieq_imm(b, n, 1));
         nir_end_primitive(b, .stream_id = 0);
         nir_pop_if(b, NULL);
         nir_store_var(b, i, nir_iadd_imm(b, n, 1), 1);
      }
      nir_pop_loop(b, NULL);
      test_must_compile(t, noopt ? ATTILA_DEBUG_NOOPT : 0);
      for (unsigned l = 0; l < EMUL_LANES; l++)
         t->inputs[0].c[0][l] = l % 12;
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         assert_int_equal(t->emission[l].num, l % 12);
         for (unsigned v = 0; v < l % 12; v++) {
            assert_float_equal(emitted(t, l, v, 0)[0], v, 0);
            assert_float_equal(emitted(t, l, v, 0)[1], 2 * t->inputs[0].c[1][l], 0);
            if (v)
               assert_float_equal(emitted(t, l, v, 1)[0], v - 0.5f, 0);
            assert_int_equal(t->emission[l].begins[0] >> v & 1, v == 0 || v == 2);
         }
      }
      test_end(t);
   }
}

/* Several vertices without control flow, whose values take long: no write of an output moves across
 * an EMIT. */
static void
test_keeps_the_order_of_vertices(void **state)
{
   (void)state;
   for (unsigned machine = 0; machine < 5; machine++) {
      struct shader_test *t = begin(3, MESA_PRIM_TRIANGLE_STRIP, 12);
      nir_builder *b = &t->b;
      test_set_machine(t, machine);
      for (unsigned v = 0; v < 12; v++) {
         nir_def *x = nir_channel(b, one_input(t, nir_imm_int(b, v % 3), 0), 3);
         test_output(t, 0, nir_vec2(b, nir_fsqrt(b, nir_fmul_imm(b, x, v + 1)), x));
         test_output(t, 1, nir_imm_vec4(b, v, 1, 2, 3));
         emit(t);
      }
      test_must_compile(t, 0);
      assert_int_equal(test_count(t, ATTILA_OP_EMIT), 12);
      assert_true(test_run(t));
      for (unsigned v = 0; v < 12; v++) {
         const float x = value(0, v % 3, 3, 5);
         assert_float_equal(emitted(t, 5, v, 0)[0], sqrtf(x * (v + 1)), 0.001f);
         assert_float_equal(emitted(t, 5, v, 0)[1], x, 0);
         assert_float_equal(emitted(t, 5, v, 1)[0], v, 0);
      }
      test_end(t);
   }
}

/* Points of several streams. */
static void
test_streams_of_vertices(void **state)
{
   (void)state;
   struct shader_test *t = begin(1, MESA_PRIM_POINTS, 8);
   for (unsigned v = 0; v < 8; v++) {
      test_output(t, 0, nir_imm_vec4(&t->b, v, 0, 0, 0));
      nir_emit_vertex(&t->b, .stream_id = v * 3 % 4);
      nir_end_primitive(&t->b, .stream_id = v * 3 % 4);
   }
   t->b.shader->info.gs.active_stream_mask = 15;
   test_must_compile(t, 0);
   assert_true(test_run(t));
   for (unsigned v = 0; v < 8; v++) {
      assert_int_equal(t->emission[5].stream[v], v * 3 % 4);
      assert_float_equal(emitted(t, 5, v, 0)[0], v, 0);
   }
   test_end(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_program_describes_its_primitives),
       cmocka_unit_test(test_inputs_of_vertices),
       cmocka_unit_test(test_arrays_of_inputs),
       cmocka_unit_test(test_numbers_of_primitive_and_invocation),
       cmocka_unit_test(test_emits_in_loops),
       cmocka_unit_test(test_keeps_the_order_of_vertices),
       cmocka_unit_test(test_streams_of_vertices),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
