/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Zeros of both signs, infinities, NaN, denormals and other values where rewriting may go wrong:
 * random straight-line programs of exact operations, every intermediate value of which is an
 * output. Each operation is checked, bit for bit, against plain C on the operands that the program
 * itself computed. Where IEEE 754 or GLSL leave a choice (which zero a minimum returns, the sign of
 * a NaN), any is accepted. */
#include <math.h>
#include "harness.h"

#define STEPS 24
#define INPUTS 3

enum special_op {
   ADD,
   SUBTRACT,
   MULTIPLY,
   MULTIPLY_ADD,
   MINIMUM,
   MAXIMUM,
   SATURATE,
   SIGN,
   FLOOR,
   CEILING,
   TRUNCATE,
   ROUND,
   FRACTION,
   RECIPROCAL,
   SQUARE_ROOT,
   LESS,
   GREATER_EQUAL,
   EQUAL,
   NOT_EQUAL,
   NOT_LESS,
   NOT_GREATER_EQUAL,
   SELECT_LESS,
   SELECT_GREATER_EQUAL_ZERO,
   SELECT_GREATER_ZERO,
   SELECT_NOT_EQUAL,
   OPS
};

struct special_operand {
   uint8_t step; /* below INPUTS: an input; else the result of step number step - INPUTS */
   bool negate, absolute;
};

struct special_step {
   enum special_op op;
   struct special_operand src[3];
};

static uint32_t
draw(uint32_t *seed, uint32_t below)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (*seed >> 8) % below;
}

static void
make_steps(struct special_step *steps, uint32_t seed)
{
   for (unsigned n = 0; n < STEPS; n++) {
      steps[n].op = draw(&seed, OPS);
      for (unsigned s = 0; s < 3; s++)
         steps[n].src[s] = (struct special_operand){.step = draw(&seed, n + INPUTS),
                                                    .negate = draw(&seed, 3) == 0,
                                                    .absolute = draw(&seed, 4) == 0};
   }
}

/* --- What C says --- */

static float
choose(bool condition, float a, float b)
{
   return condition ? a : b;
}

static float
expect(enum special_op op, float a, float b, float d)
{
   switch (op) {
   case ADD:
      return a + b;
   case SUBTRACT:
      return a - b;
   case MULTIPLY:
      return a * b;
   case MULTIPLY_ADD:
      return a * b + d; /* rounded twice: no contraction */
   case MINIMUM:
      return fminf(a, b);
   case MAXIMUM:
      return fmaxf(a, b);
   case SATURATE:
      return a > 0 ? (a < 1 ? a : 1) : 0; /* NaN: 0 */
   case SIGN:
      return (a > 0) - (a < 0);
   case FLOOR:
      return floorf(a);
   case CEILING:
      return ceilf(a);
   case TRUNCATE:
      return truncf(a);
   case ROUND:
      return rintf(a);
   case FRACTION:
      return a - floorf(a);
   case RECIPROCAL:
      return 1 / a;
   case SQUARE_ROOT:
      return sqrtf(a);
   case LESS:
      return a < b;
   case GREATER_EQUAL:
      return a >= b;
   case EQUAL:
      return a == b;
   case NOT_EQUAL:
      return a != b;
   case NOT_LESS:
      return !(a < b);
   case NOT_GREATER_EQUAL:
      return !(a >= b);
   case SELECT_LESS:
      return choose(a < b, d, b);
   case SELECT_GREATER_EQUAL_ZERO:
      return choose(a >= 0, b, d);
   case SELECT_GREATER_ZERO:
      return choose(a > 0, b, d);
   default: /* SELECT_NOT_EQUAL */
      return choose(a != b, b, d);
   }
}

static bool
same(enum special_op op, float got, float want)
{
   if (isnan(want))
      return isnan(got);
   /* (NIR drops the sign of a zero that is a selected constant.) */
   bool any_zero = op == MINIMUM || op == MAXIMUM || op == SATURATE || op == SIGN ||
                   (op >= SELECT_LESS && op <= SELECT_NOT_EQUAL);
   if (any_zero && want == 0)
      return got == 0;
   return memcmp(&got, &want, sizeof(got)) == 0;
}

/* Returns whether a result is one that NIR's rules allow. NIR replaces |x| by x if x cannot be
 * below 0, so a zero may be negative that |x| would make positive. It assumes that a sum of
 * numbers, even of infinite ones, is never NaN, and then inverts comparisons. */
static bool
is_right(const struct special_step *step, const float *src, float got)
{
   if (step->op == NOT_LESS || step->op == NOT_GREATER_EQUAL) {
      for (unsigned s = 0; s < 2; s++) {
         if (isnan(src[s]) && step->src[s].step >= INPUTS)
            return got == 0 || got == 1;
      }
   }
   for (unsigned negated = 0; negated < 8; negated++) {
      float v[3];
      for (unsigned s = 0; s < 3; s++) {
         bool flip = (negated >> s & 1) && step->src[s].absolute && src[s] == 0;
         v[s] = flip ? -src[s] : src[s];
      }
      if (same(step->op, got, expect(step->op, v[0], v[1], v[2])))
         return true;
   }
   return false;
}

/* --- The program --- */

static nir_def *
build_step(nir_builder *b, enum special_op op, nir_def *x, nir_def *y, nir_def *z)
{
   nir_def *zero = nir_imm_zero(b, 4, 32);
   switch (op) {
   case ADD:
      return nir_fadd(b, x, y);
   case SUBTRACT:
      return nir_fsub(b, x, y);
   case MULTIPLY:
      return nir_fmul(b, x, y);
   case MULTIPLY_ADD:
      return nir_fadd(b, nir_fmul(b, x, y), z);
   case MINIMUM:
      return nir_fmin(b, x, y);
   case MAXIMUM:
      return nir_fmax(b, x, y);
   case SATURATE:
      return nir_fsat(b, x);
   case SIGN:
      return nir_fsign(b, x);
   case FLOOR:
      return nir_ffloor(b, x);
   case CEILING:
      return nir_fceil(b, x);
   case TRUNCATE:
      return nir_ftrunc(b, x);
   case ROUND:
      return nir_fround_even(b, x);
   case FRACTION:
      return nir_ffract(b, x);
   case RECIPROCAL:
      return nir_frcp(b, x);
   case SQUARE_ROOT:
      return nir_fsqrt(b, x);
   case LESS:
      return nir_b2f32(b, nir_flt(b, x, y));
   case GREATER_EQUAL:
      return nir_b2f32(b, nir_fge(b, x, y));
   case EQUAL:
      return nir_b2f32(b, nir_feq(b, x, y));
   case NOT_EQUAL:
      return nir_b2f32(b, nir_fneu(b, x, y));
   case NOT_LESS:
      return nir_b2f32(b, nir_inot(b, nir_flt(b, x, y)));
   case NOT_GREATER_EQUAL:
      return nir_b2f32(b, nir_inot(b, nir_fge(b, x, y)));
   case SELECT_LESS:
      return nir_bcsel(b, nir_flt(b, x, y), z, y);
   case SELECT_GREATER_EQUAL_ZERO:
      return nir_bcsel(b, nir_fge(b, x, zero), y, z);
   case SELECT_GREATER_ZERO:
      return nir_bcsel(b, nir_flt(b, zero, x), y, z);
   default: /* SELECT_NOT_EQUAL */
      return nir_bcsel(b, nir_fneu(b, x, y), y, z);
   }
}

static void
build_program(struct shader_test *t, const struct special_step *steps)
{
   nir_builder *b = &t->b;
   nir_def *values[INPUTS + STEPS];
   b->exact = true;
   b->fp_fast_math = FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP32;
   for (unsigned n = 0; n < INPUTS; n++)
      values[n] = test_input(t, n);
   for (unsigned n = 0; n < STEPS; n++) {
      nir_def *src[3];
      for (unsigned s = 0; s < 3; s++) {
         const struct special_operand *o = &steps[n].src[s];
         src[s] = o->absolute ? nir_fabs(b, values[o->step]) : values[o->step];
         src[s] = o->negate ? nir_fneg(b, src[s]) : src[s];
      }
      values[INPUTS + n] = build_step(b, steps[n].op, src[0], src[1], src[2]);
      test_output(t, n, values[INPUTS + n]);
   }
}

static void
fill_inputs(struct shader_test *t, uint32_t seed)
{
   static const float values[] = {0.0f,   -0.0f,    1.0f,        -1.0f,   0.5f,  -0.5f,
                                  2.5f,   INFINITY, -INFINITY,   NAN,     1e38f, -3e38f,
                                  1e-40f, -1e-45f,  16777216.0f, 1.5e-38f};
   for (unsigned n = 0; n < INPUTS; n++) {
      for (unsigned i = 0; i < 4 * EMUL_LANES; i++)
         t->inputs[n].c[i % 4][i / 4] = values[draw(&seed, ARRAY_SIZE(values))];
   }
}

static void
check_steps(struct shader_test *t, const struct special_step *steps, uint32_t seed)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float values[INPUTS + STEPS][4];
      for (unsigned n = 0; n < INPUTS + STEPS; n++) {
         for (unsigned c = 0; c < 4; c++)
            values[n][c] =
                n < INPUTS ? t->inputs[n].c[c][l] : test_output_reg(t, n - INPUTS)->c[c][l];
      }
      for (unsigned n = 0; n < STEPS * 4; n++) {
         const struct special_step *step = &steps[n / 4];
         float src[3], got = values[INPUTS + n / 4][n % 4];
         for (unsigned s = 0; s < 3; s++) {
            src[s] = values[step->src[s].step][n % 4];
            src[s] = step->src[s].absolute ? fabsf(src[s]) : src[s];
            src[s] = step->src[s].negate ? -src[s] : src[s];
         }
         if (!is_right(step, src, got))
            fail_msg("seed %u, step %u: operation %u of %g, %g, %g is %g, not %g", seed, n / 4,
                     step->op, src[0], src[1], src[2], got,
                     expect(step->op, src[0], src[1], src[2]));
      }
   }
}

static void
test_special_values_are_computed_as_nir_says(void **state)
{
   (void)state;
   const char *one = getenv("ATTILA_TEST_SEED");
   uint32_t first = one ? atoi(one) : 0, count = one ? 1 : 400;
   uint32_t show = one ? ATTILA_DEBUG_ISA | ATTILA_DEBUG_NIR : 0;
   for (uint32_t seed = first; seed < first + count; seed++) {
      struct special_step steps[STEPS];
      make_steps(steps, seed * 2654435761u + 1);
      struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
      build_program(t, steps);
      test_must_compile(t, show | (seed & 1 ? ATTILA_DEBUG_NOOPT : 0));
      fill_inputs(t, seed);
      assert_true(test_run(t));
      check_steps(t, steps, seed);
      test_end(t);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_special_values_are_computed_as_nir_says),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
