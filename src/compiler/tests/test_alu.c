/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Directed tests of arithmetic: every operation of NIR that the compiler takes against plain C, and
 * the encoding of dot products and modifiers. */
#include <math.h>
#include "harness.h"

/* Gives each lane two numbers; some are negative, fractions, or equal to each other. */
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

/* C(name, tolerance, in C: of a and b, in NIR: of x and y). The tolerance is relative; 0: the same
 * bits. i and k, in NIR ix and iy, are the same as whole numbers. */
/* clang-format off */
#define CASES(C)                                                                                 \
   C(add, 0, a + b, nir_fadd(n, x, y))                                                           \
   C(sub, 0, a - b, nir_fsub(n, x, y))                                                           \
   C(mul, 0, a * b, nir_fmul(n, x, y))                                                           \
   C(div, 1e-6f, b == 0 ? 0 : a / b, guard(n, y, nir_fdiv(n, x, y)))                             \
   C(min, 0, a < b ? a : b, nir_fmin(n, x, y))                                                   \
   C(max, 0, a > b ? a : b, nir_fmax(n, x, y))                                                   \
   C(neg, 0, -a, nir_fneg(n, x))                                                                 \
   C(abs, 0, fabsf(a), nir_fabs(n, x))                                                           \
   C(sat, 0, a < 0 ? 0 : a > 1 ? 1 : a, nir_fsat(n, x))                                          \
   C(floor, 0, floorf(a), nir_ffloor(n, x))                                                      \
   C(ceil, 0, ceilf(a), nir_fceil(n, x))                                                         \
   C(trunc, 0, truncf(a), nir_ftrunc(n, x))                                                      \
   C(round, 0, rintf(a), nir_fround_even(n, x))                                                  \
   C(fract, 0, a - floorf(a), nir_ffract(n, x))                                                  \
   C(sign, 0, (a > 0) - (a < 0), nir_fsign(n, x))                                                \
   C(mod, 1e-5f, b == 0 ? 0 : a - b * floorf(a / b), guard(n, y, nir_fmod(n, x, y)))             \
   C(lt, 0, a < b, nir_b2f32(n, nir_flt(n, x, y)))                                               \
   C(ge, 0, a >= b, nir_b2f32(n, nir_fge(n, x, y)))                                              \
   C(eq, 0, a == b, nir_b2f32(n, nir_feq(n, x, y)))                                              \
   C(ne, 0, a != b, nir_b2f32(n, nir_fneu(n, x, y)))                                             \
   C(exp2, 1e-5f, exp2f(a), nir_fexp2(n, x))                                                     \
   C(log2, 1e-5f, log2f(fabsf(a) + 1), nir_flog2(n, one_up(n, x)))                               \
   C(sqrt, 1e-6f, sqrtf(fabsf(a)), nir_fsqrt(n, nir_fabs(n, x)))                                 \
   C(rsq, 1e-6f, 1 / sqrtf(fabsf(a) + 1), nir_frsq(n, one_up(n, x)))                             \
   C(pow, 1e-4f, powf(fabsf(a) + 1, b), nir_fpow(n, one_up(n, x), y))                            \
   C(sin, 1e-5f, sinf(a), nir_fsin(n, x))                                                        \
   C(cos, 1e-5f, cosf(a), nir_fcos(n, x))                                                        \
   C(mix, 1e-6f, a * 0.75f + b * 0.25f, nir_flrp(n, x, y, splat(n, 0.25f)))                      \
   C(fma, 0, a * b + a, nir_ffma(n, x, y, x))                                                    \
   C(select_gt, 0, a > 0 ? b : a, nir_bcsel(n, nir_flt(n, splat(n, 0), x), y, x))                \
   C(select_ge, 0, a >= 0 ? b : 3, nir_bcsel(n, nir_fge(n, x, splat(n, 0)), y, splat(n, 3)))     \
   C(idiv, 0, k == 0 ? 0 : i / k, iguard(n, iy, nir_idiv(n, ix, iy)))                            \
   C(irem, 0, k == 0 ? 0 : i % k, iguard(n, iy, nir_irem(n, ix, iy)))                            \
   C(imod, 0, k == 0 ? 0 : (i % k + k) % k, iguard(n, iy, nir_imod(n, ix, iy)))                  \
   C(logic, 0, (a < b && b > 0) || (a == b) != (a > 1), logic(n, x, y))                          \
   C(imax, 0, (i > k ? i : k) * 3 - abs(i),                                                      \
     nir_i2f32(n, nir_isub(n, nir_imul_imm(n, nir_imax(n, ix, iy), 3), nir_iabs(n, ix))))
/* clang-format on */

static nir_def *
splat(nir_builder *n, float value)
{
   return nir_imm_vec4(n, value, value, value, value);
}

static nir_def *
one_up(nir_builder *n, nir_def *x)
{
   return nir_fadd_imm(n, nir_fabs(n, x), 1.0);
}

/* Returns 0 where the divisor is 0. */
static nir_def *
guard(nir_builder *n, nir_def *divisor, nir_def *value)
{
   return nir_bcsel(n, nir_feq_imm(n, divisor, 0.0), splat(n, 0), value);
}

static nir_def *
iguard(nir_builder *n, nir_def *divisor, nir_def *value)
{
   return nir_i2f32(n, nir_bcsel(n, nir_ieq_imm(n, divisor, 0), nir_imm_zero(n, 4, 32), value));
}

static nir_def *
logic(nir_builder *n, nir_def *x, nir_def *y)
{
   nir_def *both = nir_iand(n, nir_flt(n, x, y), nir_flt(n, splat(n, 0), y));
   nir_def *greater = nir_inot(n, nir_fge(n, splat(n, 1), x));
   return nir_b2f32(n, nir_ior(n, both, nir_ixor(n, nir_feq(n, x, y), greater)));
}

#define C(name, tolerance, in_c, in_nir)                                                          \
   static float expect_##name(float a, float b, int i, int k)                                     \
   {                                                                                              \
      (void)a, (void)b, (void)i, (void)k;                                                         \
      return in_c;                                                                                \
   }                                                                                              \
   static nir_def *build_##name(nir_builder *n, nir_def *x, nir_def *y, nir_def *ix, nir_def *iy) \
   {                                                                                              \
      (void)y, (void)ix, (void)iy;                                                                \
      return in_nir;                                                                              \
   }
CASES(C)
#undef C

static const struct {
   const char *name;
   float tolerance;
   float (*expect)(float a, float b, int i, int k);
   nir_def *(*build)(nir_builder *n, nir_def *x, nir_def *y, nir_def *ix, nir_def *iy);
} cases[] = {
#define C(name, tolerance, in_c, in_nir) {#name, tolerance, expect_##name, build_##name},
    CASES(C)
#undef C
};

static void
check_case(unsigned c, gl_shader_stage stage, uint32_t debug)
{
   struct shader_test *t = test_begin(stage);
   nir_builder *n = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   nir_def *ix = nir_f2i32(n, nir_fmul_imm(n, x, 8)), *iy = nir_f2i32(n, nir_fmul_imm(n, y, 4));
   /* Read both inputs, whatever the case needs. */
   test_output(t, 1, nir_fadd(n, x, y));
   test_output(t, 0, cases[c].build(n, x, y, ix, iy));
   test_must_compile(t, debug);
   fill_inputs(t);
   assert_true(test_run(t));
   for (unsigned i = 0; i < EMUL_LANES * 4; i++) {
      float a = test_input_reg(t, 0)->c[i % 4][i / 4], b = test_input_reg(t, 1)->c[i % 4][i / 4];
      float want = cases[c].expect(a, b, (int)(a * 8), (int)(b * 4));
      float got = test_output_reg(t, 0)->c[i % 4][i / 4];
      if (fabsf(want - got) > cases[c].tolerance * fmaxf(1.0f, fabsf(want)) || isnan(got))
         fail_msg("%s(%g, %g) is %.9g, not %.9g", cases[c].name, a, b, got, want);
   }
   test_end(t);
}

static void
test_every_operation_computes_what_nir_says(void **state)
{
   (void)state;
   for (unsigned c = 0; c < ARRAY_SIZE(cases); c++) {
      check_case(c, MESA_SHADER_FRAGMENT, 0);
      check_case(c, MESA_SHADER_VERTEX, ATTILA_DEBUG_NOOPT);
   }
}

/* Quotients of whole numbers that x * (1 / y) rounds to the wrong side. */
static void
test_integer_division_is_exact(void **state)
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_operation_computes_what_nir_says),
       cmocka_unit_test(test_integer_division_is_exact),
       cmocka_unit_test(test_dots_and_swizzles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
