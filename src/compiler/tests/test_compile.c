/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Directed tests of the compiler: every kind of operation, what it must compute (against plain C)
 * and, where it matters, what it must be encoded as and how many instructions it may take.
 */
#include <math.h>
#include "harness.h"

/* Two numbers of each lane with signs, fractions and equalities among them. */
static void
fill_inputs(struct shader_test *t)
{
   static const float values[8] = {-2.5f, -1.0f, -0.25f, 0.0f, 0.5f, 1.0f, 2.75f, 8.0f};
   for (unsigned n = 0; n < 2; n++) {
      struct emul_vec4 *r = test_input_reg(t, n);
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         for (unsigned c = 0; c < 4; c++)
            r->c[c][l] = values[(l * (n + 1) + c * 3 + n * (l / 8)) % 8];
      }
   }
}

typedef float (*reference)(float a, float b);

static float
ref_add(float a, float b)
{
   return a + b;
}
static float
ref_sub(float a, float b)
{
   return a - b;
}
static float
ref_mul(float a, float b)
{
   return a * b;
}
static float
ref_div(float a, float b)
{
   return b == 0.0f ? 0.0f : a / b;
}
static float
ref_min(float a, float b)
{
   return a < b ? a : b;
}
static float
ref_max(float a, float b)
{
   return a > b ? a : b;
}
static float
ref_neg(float a, float b)
{
   (void)b;
   return -a;
}
static float
ref_abs(float a, float b)
{
   (void)b;
   return a < 0 ? -a : a;
}
static float
ref_sat(float a, float b)
{
   (void)b;
   return a < 0 ? 0 : a > 1 ? 1 : a;
}
static float
ref_floor(float a, float b)
{
   (void)b;
   return floorf(a);
}
static float
ref_ceil(float a, float b)
{
   (void)b;
   return ceilf(a);
}
static float
ref_trunc(float a, float b)
{
   (void)b;
   return truncf(a);
}
static float
ref_round(float a, float b)
{
   (void)b;
   return rintf(a);
}
static float
ref_fract(float a, float b)
{
   (void)b;
   return a - floorf(a);
}
static float
ref_sign(float a, float b)
{
   (void)b;
   return a > 0 ? 1 : a < 0 ? -1 : 0;
}
static float
ref_mod(float a, float b)
{
   return b == 0.0f ? 0.0f : a - b * floorf(a / b);
}
static float
ref_lt(float a, float b)
{
   return a < b;
}
static float
ref_ge(float a, float b)
{
   return a >= b;
}
static float
ref_eq(float a, float b)
{
   return a == b;
}
static float
ref_ne(float a, float b)
{
   return a != b;
}
static float
ref_exp2(float a, float b)
{
   (void)b;
   return exp2f(a);
}
static float
ref_log2(float a, float b)
{
   (void)b;
   return log2f(fabsf(a) + 1.0f);
}
static float
ref_sqrt(float a, float b)
{
   (void)b;
   return sqrtf(fabsf(a));
}
static float
ref_rsq(float a, float b)
{
   (void)b;
   return 1.0f / sqrtf(fabsf(a) + 1.0f);
}
static float
ref_pow(float a, float b)
{
   return powf(fabsf(a) + 1.0f, b);
}
static float
ref_sin(float a, float b)
{
   (void)b;
   return sinf(a);
}
static float
ref_cos(float a, float b)
{
   (void)b;
   return cosf(a);
}
static float
ref_mix(float a, float b)
{
   return a * (1.0f - 0.25f) + b * 0.25f;
}
static float
ref_fma(float a, float b)
{
   return a * b + a;
}
static float
ref_select_gt(float a, float b)
{
   return a > 0.0f ? b : a;
}
static float
ref_select_ge(float a, float b)
{
   return a >= 0.0f ? b : 3.0f;
}
static float
ref_idiv(float a, float b)
{
   int x = (int)(a * 8), y = (int)(b * 4);
   return y == 0 ? 0 : x / y;
}
static float
ref_irem(float a, float b)
{
   int x = (int)(a * 8), y = (int)(b * 4);
   return y == 0 ? 0 : x % y;
}
static float
ref_imod(float a, float b)
{
   int x = (int)(a * 8), y = (int)(b * 4);
   return y == 0 ? 0 : ((x % y) + y) % y;
}
static float
ref_logic(float a, float b)
{
   return (a < b && b > 0) || (a == b) != (a > 1);
}
static float
ref_imax(float a, float b)
{
   int x = (int)a, y = (int)b;
   return (x > y ? x : y) * 3 - abs(x);
}

static nir_def *
guard(nir_builder *b, nir_def *divisor, nir_def *value)
{
   return nir_bcsel(b, nir_feq_imm(b, divisor, 0.0),
                    nir_imm_zero(b, value->num_components, value->bit_size), value);
}

static nir_def *
iguard(nir_builder *b, nir_def *divisor, nir_def *value)
{
   return nir_i2f32(b, nir_bcsel(b, nir_ieq_imm(b, divisor, 0),
                                 nir_imm_zero(b, value->num_components, 32), value));
}

static nir_def *
build_case(nir_builder *b, unsigned n, nir_def *x, nir_def *y)
{
   nir_def *ix = nir_f2i32(b, nir_fmul_imm(b, x, 8)), *iy = nir_f2i32(b, nir_fmul_imm(b, y, 4));
   nir_def *one_up = nir_fadd_imm(b, nir_fabs(b, x), 1.0);
   switch (n) {
   case 0:
      return nir_fadd(b, x, y);
   case 1:
      return nir_fsub(b, x, y);
   case 2:
      return nir_fmul(b, x, y);
   case 3:
      return guard(b, y, nir_fdiv(b, x, y));
   case 4:
      return nir_fmin(b, x, y);
   case 5:
      return nir_fmax(b, x, y);
   case 6:
      return nir_fneg(b, x);
   case 7:
      return nir_fabs(b, x);
   case 8:
      return nir_fsat(b, x);
   case 9:
      return nir_ffloor(b, x);
   case 10:
      return nir_fceil(b, x);
   case 11:
      return nir_ftrunc(b, x);
   case 12:
      return nir_fround_even(b, x);
   case 13:
      return nir_ffract(b, x);
   case 14:
      return nir_fsign(b, x);
   case 15:
      return guard(b, y, nir_fmod(b, x, y));
   case 16:
      return nir_b2f32(b, nir_flt(b, x, y));
   case 17:
      return nir_b2f32(b, nir_fge(b, x, y));
   case 18:
      return nir_b2f32(b, nir_feq(b, x, y));
   case 19:
      return nir_b2f32(b, nir_fneu(b, x, y));
   case 20:
      return nir_fexp2(b, x);
   case 21:
      return nir_flog2(b, one_up);
   case 22:
      return nir_fsqrt(b, nir_fabs(b, x));
   case 23:
      return nir_frsq(b, one_up);
   case 24:
      return nir_fpow(b, one_up, y);
   case 25:
      return nir_fsin(b, x);
   case 26:
      return nir_fcos(b, x);
   case 27:
      return nir_flrp(b, x, y, nir_imm_vec4(b, 0.25, 0.25, 0.25, 0.25));
   case 28:
      return nir_ffma(b, x, y, x);
   case 29:
      return nir_bcsel(b, nir_flt(b, nir_imm_zero(b, 4, 32), x), y, x);
   case 30:
      return nir_bcsel(b, nir_fge_imm(b, x, 0.0), y, nir_imm_vec4(b, 3, 3, 3, 3));
   case 31:
      return iguard(b, iy, nir_idiv(b, ix, iy));
   case 32:
      return iguard(b, iy, nir_irem(b, ix, iy));
   case 33:
      return iguard(b, iy, nir_imod(b, ix, iy));
   case 34:
      return nir_b2f32(
          b, nir_ior(b, nir_iand(b, nir_flt(b, x, y), nir_flt(b, nir_imm_zero(b, 4, 32), y)),
                     nir_ixor(b, nir_feq(b, x, y),
                              nir_inot(b, nir_fge(b, nir_imm_vec4(b, 1, 1, 1, 1), x)))));
   default: {
      nir_def *p = nir_f2i32(b, x), *q = nir_f2i32(b, y);
      return nir_i2f32(b, nir_isub(b, nir_imul_imm(b, nir_imax(b, p, q), 3), nir_iabs(b, p)));
   }
   }
}

static const struct {
   const char *name;
   reference ref;
   float tolerance; /* relative; 0: the same bits */
} cases[] = {
    {"add", ref_add, 0},
    {"sub", ref_sub, 0},
    {"mul", ref_mul, 0},
    {"div", ref_div, 1e-6f},
    {"min", ref_min, 0},
    {"max", ref_max, 0},
    {"neg", ref_neg, 0},
    {"abs", ref_abs, 0},
    {"sat", ref_sat, 0},
    {"floor", ref_floor, 0},
    {"ceil", ref_ceil, 0},
    {"trunc", ref_trunc, 0},
    {"round", ref_round, 0},
    {"fract", ref_fract, 0},
    {"sign", ref_sign, 0},
    {"mod", ref_mod, 1e-5f},
    {"lt", ref_lt, 0},
    {"ge", ref_ge, 0},
    {"eq", ref_eq, 0},
    {"ne", ref_ne, 0},
    {"exp2", ref_exp2, 1e-5f},
    {"log2", ref_log2, 1e-5f},
    {"sqrt", ref_sqrt, 1e-6f},
    {"rsq", ref_rsq, 1e-6f},
    {"pow", ref_pow, 1e-4f},
    {"sin", ref_sin, 1e-5f},
    {"cos", ref_cos, 1e-5f},
    {"mix", ref_mix, 1e-6f},
    {"fma", ref_fma, 0},
    {"select gt", ref_select_gt, 0},
    {"select ge", ref_select_ge, 0},
    {"idiv", ref_idiv, 0},
    {"irem", ref_irem, 0},
    {"imod", ref_imod, 0},
    {"logic", ref_logic, 0},
    {"imax", ref_imax, 0},
};

static void
test_alu(void **state)
{
   (void)state;
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      for (unsigned noopt = 0; noopt < 2; noopt++) {
         struct shader_test *t = test_begin(noopt ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT);
         nir_def *x = test_input(t, 0), *y = test_input(t, 1);
         /* Both are read whatever the case needs. */
         test_output(t, 1, nir_fadd(&t->b, x, y));
         test_output(t, 0, build_case(&t->b, n, x, y));
         test_must_compile(t, noopt ? ATTILA_DEBUG_NOOPT : 0);
         fill_inputs(t);
         assert_true(test_run(t));
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            for (unsigned c = 0; c < 4; c++) {
               float a = test_input_reg(t, 0)->c[c][l], b = test_input_reg(t, 1)->c[c][l];
               float want = cases[n].ref(a, b), got = test_output_reg(t, 0)->c[c][l];
               if (fabsf(want - got) > cases[n].tolerance * fmaxf(1.0f, fabsf(want)) || isnan(got))
                  fail_msg("%s(%g, %g) is %.9g, not %.9g", cases[n].name, a, b, got, want);
            }
         }
         test_end(t);
      }
   }
}

/* Quotients of whole numbers that x * (1 / y) rounds to the wrong side. */
static void
test_integer_division(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = nir_f2i32(b, nir_channel(b, test_input(t, 0), 0)),
           *y = nir_f2i32(b, nir_channel(b, test_input(t, 0), 1));
   test_output(t, 0, nir_vec2(b, nir_i2f32(b, nir_idiv(b, x, y)), nir_i2f32(b, nir_irem(b, x, y))));
   test_must_compile(t, 0);
   struct emul_vec4 *in = test_input_reg(t, 0);
   for (int d = 1; d < 1200; d++) {
      int sign = d & 1 ? 1 : -1, divisor = d & 2 ? d : -d;
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         in->c[0][l] = sign * (d * (int)(l * 7 + 1) - (int)(l & 1));
         in->c[1][l] = divisor;
      }
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         int dividend = (int)in->c[0][l];
         assert_int_equal((int)test_output_reg(t, 0)->c[0][l], dividend / divisor);
         assert_int_equal((int)test_output_reg(t, 0)->c[1][l], dividend % divisor);
      }
   }
   test_end(t);
}

static void
test_dots_and_swizzles(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   static const unsigned wzyx[4] = {3, 2, 1, 0};
   nir_def *d = nir_vec4(b, nir_fdot2(b, nir_trim_vector(b, x, 2), nir_trim_vector(b, y, 2)),
                         nir_fdot3(b, nir_trim_vector(b, x, 3), nir_trim_vector(b, y, 3)),
                         nir_fdot4(b, x, y), nir_fdph(b, nir_trim_vector(b, x, 3), y));
   test_output(t, 0, d);
   test_output(t, 1, nir_fadd(b, nir_fneg(b, nir_swizzle(b, x, wzyx, 4)), nir_fabs(b, y)));
   test_output(
       t, 2,
       nir_vec4(
           b, nir_b2f32(b, nir_ball_fequal4(b, x, x)),
           nir_b2f32(b, nir_ball_fequal3(b, nir_trim_vector(b, x, 3), nir_trim_vector(b, y, 3))),
           nir_b2f32(b, nir_bany_fnequal2(b, nir_trim_vector(b, x, 2), nir_trim_vector(b, y, 2))),
           nir_channel(b, y, 1)));
   test_must_compile(t, 0);
   fill_inputs(t);
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float a[4], c[4];
      for (unsigned i = 0; i < 4; i++) {
         a[i] = test_input_reg(t, 0)->c[i][l];
         c[i] = test_input_reg(t, 1)->c[i][l];
      }
      float dot2 = a[0] * c[0] + a[1] * c[1], dot3 = dot2 + a[2] * c[2];
      assert_float_equal(t->outputs[0].c[0][l], dot2, 0);
      assert_float_equal(t->outputs[0].c[1][l], dot3, 0);
      assert_float_equal(t->outputs[0].c[2][l], dot3 + a[3] * c[3], 0);
      assert_float_equal(t->outputs[0].c[3][l], dot3 + c[3], 0);
      for (unsigned i = 0; i < 4; i++)
         assert_float_equal(t->outputs[1].c[i][l], -a[3 - i] + fabsf(c[i]), 0);
      bool same2 = a[0] == c[0] && a[1] == c[1];
      assert_float_equal(t->outputs[2].c[1][l], same2 && a[2] == c[2], 0);
      assert_float_equal(t->outputs[2].c[2][l], !same2, 0);
      assert_float_equal(t->outputs[2].c[3][l], c[1], 0);
   }
   /* Dot products write the output's components directly and modifiers cost nothing. */
   assert_int_equal(test_count(t, ATTILA_OP_DP4) + test_count(t, ATTILA_OP_DPH), 3);
   assert_true(t->out.isa.num_instrs <= 4 + 1 + 10 + 1);
   test_end(t);
}

static void
test_indirect(void **state)
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
test_indirect_io(void **state)
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
test_many_addresses(void **state)
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

/* Loop variables that exchange their values: neither may be written before the other was read. */
static void
test_exchange(void **state)
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
test_kill(void **state)
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

/* The instance is in the register after the attributes, as a float; without a free register there
 * is a message. */
static void
test_instance(void **state)
{
   (void)state;
   for (unsigned last = 2; last < ATTILA_MAX_ATTRIBS; last += ATTILA_MAX_ATTRIBS - 3) {
      struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
      nir_builder *b = &t->b;
      nir_def *twice = nir_imul_imm(b, nir_load_instance_id(b), 2);
      test_output(t, 0, nir_fadd(b, test_input(t, last), nir_replicate(b, nir_i2f32(b, twice), 4)));
      if (last == ATTILA_MAX_ATTRIBS - 1) {
         assert_false(test_compile(t, 0));
         assert_non_null(strstr(t->error, "instance"));
         test_end(t);
         continue;
      }
      test_must_compile(t, 0);
      assert_int_equal(t->out.vs_instance_input, last + 1);
      for (unsigned i = 0; i < EMUL_LANES; i++) {
         t->inputs[last].c[0][i] = 0.25f;
         t->inputs[last + 1].c[0][i] = (float)i;
      }
      assert_true(test_run(t));
      for (unsigned i = 0; i < EMUL_LANES; i++)
         assert_true(test_output_reg(t, 0)->c[0][i] == 0.25f + 2.0f * (float)i);
      test_end(t);
   }
}

/* Position first, the others by slot; gl_FragColor; system values. */
static void
test_layout(void **state)
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
   assert_int_equal(t->out.vs_output[VARYING_SLOT_POS], 0);
   assert_int_equal(t->out.vs_output[VARYING_SLOT_COL0], 1);
   assert_int_equal(t->out.vs_output[VARYING_SLOT_PSIZ], 2);
   assert_int_equal(t->out.vs_output[VARYING_SLOT_VAR3], 3);
   assert_int_equal(t->out.vs_output[VARYING_SLOT_EDGE], ATTILA_NO_OUTPUT);
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

/* Saturation and scaled sums fold: one instruction. */
static void
test_folding(void **state)
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

/* What cannot be done is said, with the name of it. */
static void
test_errors(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *i = nir_f2i32(b, nir_channel(b, test_input(t, 0), 0));
   test_output(t, 0,
               nir_i2f32(b, nir_ishl(b, i, nir_f2i32(b, nir_channel(b, test_input(t, 0), 1)))));
   assert_false(test_compile(t, 0));
   assert_non_null(strstr(t->error, "bitwise operations of integers (GLSL 1.30"));
   test_end(t);

   t = test_begin(MESA_SHADER_VERTEX);
   test_output(t, 0, nir_i2f32(&t->b, nir_load_vertex_id(&t->b)));
   assert_false(test_compile(t, 0));
   assert_non_null(strstr(t->error, "gl_VertexID (GLSL 1.30"));
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

/* Arrays that do not fit, alone and beside another one, and that do. */
static void
test_large_arrays(void **state)
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_alu),
       cmocka_unit_test(test_integer_division),
       cmocka_unit_test(test_dots_and_swizzles),
       cmocka_unit_test(test_indirect),
       cmocka_unit_test(test_indirect_io),
       cmocka_unit_test(test_many_addresses),
       cmocka_unit_test(test_exchange),
       cmocka_unit_test(test_kill),
       cmocka_unit_test(test_instance),
       cmocka_unit_test(test_layout),
       cmocka_unit_test(test_folding),
       cmocka_unit_test(test_errors),
       cmocka_unit_test(test_large_arrays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
