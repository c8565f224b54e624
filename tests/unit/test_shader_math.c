/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Errors of the shader emulator's own functions against double precision libm, over a dense sample
 * of all floats; every host instruction set must give the same bits. Run with --print for the
 * numbers of docs/reference/shader-isa.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"

static bool print;

static float
from_bits(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

static uint32_t
to_bits(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return bits;
}

static bool
same(float a, float b)
{
   return (isnan(a) && isnan(b)) || to_bits(a) == to_bits(b);
}

/* Distance in units of the last place of the float nearest to the exact value. */
static double
ulps(float got, double want)
{
   if ((isnan(got) && isnan(want)) || (double)got == want ||
       (isinf((float)want) && got == (float)want))
      return 0;
   if (!isfinite(got) || !isfinite(want))
      return 1e30;
   int e;
   frexp(want, &e);
   return fabs((double)got - want) / ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

/* Executes "OP o0, i0.x[, i1.x]" on 16 lanes with one table. */
struct machine {
   struct emul_program *program;
   struct emul_thread t;
   struct emul_vec4 in[32], out[32];
};

static struct machine *
machine_create(const char *op, bool two, const struct emul_exec *exec)
{
   char text[64], error[128];
   struct attila_isa_program isa;
   struct machine *m = aligned_alloc(64, (sizeof(*m) + 63) & ~(size_t)63);
   memset(m, 0, sizeof(*m));
   snprintf(text, sizeof(text), ".fragment\n%s o0, i0.x%s\nEND\n", op, two ? ", i1.x" : "");
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s", error);
   m->program = emul_program_create_for(&isa, exec);
   attila_isa_free(&isa);
   m->t.inputs = m->in;
   m->t.outputs = m->out;
   return m;
}

static void
machine_destroy(struct machine *m)
{
   emul_program_destroy(m->program);
   free(m);
}

static void
machine_run(struct machine *m)
{
   emul_thread_start(&m->t, m->program, 0xffff, true, 1u << 16);
   assert_int_equal(emul_thread_run(&m->t, NULL, NULL), EMUL_STEP_END);
}

struct function {
   const char *op;
   double (*exact)(double);
   double max_ulps;                  /* where |exact| >= floor_value */
   double floor_value, max_absolute; /* below it the absolute error counts */
   double limit;                     /* largest |argument| */
};

static double
exact_rcp(double x)
{
   return 1 / x;
}
static double
exact_rsq(double x)
{
   return 1 / sqrt(fabs(x));
}

static void
check_function(const struct function *f)
{
   struct machine *m[4] = {NULL};
   unsigned n = 0;
   double worst = 0, worst_absolute = 0;
   float at = 0;
   for (; n < 4 && emul_exec_get(n); n++)
      m[n] = machine_create(f->op, false, emul_exec_get(n));
   for (uint64_t bits = 0; bits < 1ull << 32; bits += 16 * 1733) {
      for (unsigned l = 0; l < 16; l++)
         m[0]->in[0].c[0][l] = from_bits((uint32_t)(bits + 1733 * l));
      for (unsigned i = 0; i < n; i++) {
         m[i]->in[0] = m[0]->in[0];
         machine_run(m[i]);
         for (unsigned l = 0; l < 16; l++) {
            if (!same(m[i]->out[0].c[0][l], m[0]->out[0].c[0][l]))
               fail_msg("%s(%a): %s gives %a, %s gives %a", f->op, m[0]->in[0].c[0][l],
                        emul_exec_get(i)->name, m[i]->out[0].c[0][l], emul_exec_get(0)->name,
                        m[0]->out[0].c[0][l]);
         }
      }
      for (unsigned l = 0; l < 16; l++) {
         float x = m[0]->in[0].c[0][l], y = m[0]->out[0].c[0][l];
         if (f->limit && !(fabsf(x) <= f->limit))
            continue;
         double exact = f->exact(x), u = ulps(y, exact), a = fabs((double)y - exact);
         if (fabs(exact) < f->floor_value) {
            worst_absolute = a > worst_absolute ? a : worst_absolute;
         } else if (u > worst) {
            worst = u;
            at = x;
         }
      }
   }
   if (print)
      printf("%-5s %.3f ulp (at %a), absolute 2^%.2f\n", f->op, worst, at,
             worst_absolute > 0 ? log2(worst_absolute) : -999);
   if (worst > f->max_ulps || worst_absolute > f->max_absolute)
      fail_msg("%s: %.3f ulp at %a, absolute %g", f->op, worst, at, worst_absolute);
   for (unsigned i = 0; i < n; i++)
      machine_destroy(m[i]);
}

static void
test_functions_stay_within_their_errors(void **state)
{
   (void)state;
   static const struct function functions[] = {
       {"RCP", exact_rcp, 0.5, 0, 0, 0},
       {"RSQ", exact_rsq, 1.5, 0, 0, 0},
       {"SQRT", sqrt, 0.5, 0, 0, 0},
       {"EX2", exp2, 1.5, 0, 0, 0},
       {"LG2", log2, 2.0, 0, 0, 0},
       {"SIN", sin, 1e30, 2, 0x1p-23, 1e5},
       {"COS", cos, 1e30, 2, 0x1p-23, 1e5},
       {"SIN", sin, 1e30, 2, 0x1p-21, 0x1p30},
       {"COS", cos, 1e30, 2, 0x1p-21, 0x1p30},
   };
   for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
      check_function(&functions[i]);
}

static float
run1(const char *op, float a, float b)
{
   struct machine *m = machine_create(op, !strcmp(op, "POW"), emul_exec_get(0));
   for (unsigned l = 0; l < 16; l++) {
      m->in[0].c[0][l] = a;
      m->in[1].c[0][l] = b;
   }
   machine_run(m);
   float r = m->out[0].c[0][5];
   machine_destroy(m);
   return r;
}

static void
test_special_values_have_their_results(void **state)
{
   (void)state;
   static const struct {
      const char *op;
      float a, b, want;
   } cases[] = {
       {"EX2", 0, 0, 1},
       {"EX2", 10, 0, 1024},
       {"EX2", -149, 0, 0x1p-149f},
       {"EX2", 127, 0, 0x1p127f},
       {"EX2", 128, 0, INFINITY},
       {"EX2", 1e30f, 0, INFINITY},
       {"EX2", INFINITY, 0, INFINITY},
       {"EX2", -INFINITY, 0, 0},
       {"EX2", -151, 0, 0},
       {"EX2", NAN, 0, NAN},
       {"LG2", 1, 0, 0},
       {"LG2", 8, 0, 3},
       {"LG2", 0x1p-149f, 0, -149},
       {"LG2", 0, 0, -INFINITY},
       {"LG2", -0.0f, 0, -INFINITY},
       {"LG2", -1, 0, NAN},
       {"LG2", INFINITY, 0, INFINITY},
       {"LG2", -INFINITY, 0, NAN},
       {"LG2", NAN, 0, NAN},
       {"POW", 2, 10, 1024},
       {"POW", 0, 3, 0},
       {"POW", 1, 100, 1},
       {"POW", -1, 2, NAN},
       {"POW", 5, 0, 1},
       {"POW", 0, 0, 1},
       {"POW", INFINITY, -0.0f, 1},
       {"POW", 0, -1, INFINITY},
       {"POW", 4, 0.5f, 2},
       {"SIN", 0, 0, 0},
       {"COS", 0, 0, 1},
       {"SIN", INFINITY, 0, NAN},
       {"COS", NAN, 0, NAN},
       {"SIN", 1e20f, 0, 0},
       {"COS", 1e20f, 0, 1},
       {"RCP", 0, 0, INFINITY},
       {"RCP", -0.0f, 0, -INFINITY},
       {"RSQ", -4, 0, 0.5f},
       {"RSQ", 0, 0, INFINITY},
       {"SQRT", -1, 0, NAN},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      float got = run1(cases[i].op, cases[i].a, cases[i].b);
      if (!same(got, cases[i].want))
         fail_msg("%s(%a, %a) = %a, not %a", cases[i].op, cases[i].a, cases[i].b, got,
                  cases[i].want);
   }
}

/* Relative error of POW grows with |b log2 a|: the logarithm's rounding is multiplied by it. */
static void
test_error_of_pow_grows_with_the_exponent(void **state)
{
   (void)state;
   struct machine *m = machine_create("POW", true, emul_exec_get(0));
   double worst = 0;
   for (unsigned i = 0; i < 20000; i++) {
      for (unsigned l = 0; l < 16; l++) {
         unsigned k = i * 16 + l;
         m->in[0].c[0][l] = from_bits(0x3a000000u + (k * 2654435761u) % 0x0a000000u);
         m->in[1].c[0][l] = (float)(int)((k * 40503u) % 40001u) / 1000.0f - 20.0f;
      }
      machine_run(m);
      for (unsigned l = 0; l < 16; l++) {
         double a = m->in[0].c[0][l], b = m->in[1].c[0][l], want = pow(a, b),
                got = m->out[0].c[0][l];
         double scale = 1 + fabs(b * log2(a));
         if (want < 0x1p-120 || want > 0x1p120)
            continue;
         double error = fabs(got / want - 1) / scale * 0x1p24;
         worst = error > worst ? error : worst;
      }
   }
   if (print)
      printf("POW   relative error / (1 + |b log2 a|): %.3f * 2^-24\n", worst);
   assert_true(worst < 2.5);
   machine_destroy(m);
}

static void
test_rounding_equals_the_c_library(void **state)
{
   (void)state;
   static const struct {
      const char *op;
      float (*exact)(float);
   } ops[] = {{"FLR", floorf}, {"CEIL", ceilf}, {"TRUNC", truncf}, {"ROUND", rintf}};
   for (unsigned o = 0; o < 4; o++) {
      for (unsigned e = 0; emul_exec_get(e); e++) {
         struct machine *m = machine_create(ops[o].op, false, emul_exec_get(e));
         for (uint64_t bits = 0; bits < 1ull << 32; bits += 16 * 9973) {
            for (unsigned l = 0; l < 16; l++) {
               float half = (float)((int)(bits >> 20) + (int)l) / 2.0f - 1000.0f; /* halves too */
               m->in[0].c[0][l] = bits & 16 ? from_bits((uint32_t)bits + 9973 * l) : half;
            }
            machine_run(m);
            for (unsigned l = 0; l < 16; l++) {
               float x = m->in[0].c[0][l];
               if (!same(m->out[0].c[0][l], ops[o].exact(x)))
                  fail_msg("%s(%a) = %a on %s", ops[o].op, x, m->out[0].c[0][l],
                           emul_exec_get(e)->name);
            }
         }
         machine_destroy(m);
      }
   }
}

int
main(int argc, char **argv)
{
   print = argc > 1 && !strcmp(argv[1], "--print");
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_functions_stay_within_their_errors),
       cmocka_unit_test(test_special_values_have_their_results),
       cmocka_unit_test(test_error_of_pow_grows_with_the_exponent),
       cmocka_unit_test(test_rounding_equals_the_c_library),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
