/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How the compiler uses the machine that it compiles for: it selects instructions that replace
 * several others where they are faster, with the same results; it pairs instructions; it makes no
 * choice that is predicted to be slower, or whose gain is uncertain. Also tests the validator of
 * orders. */
#include <math.h>
#include "attila_ir.h"
#include "attila_nir.h"
#include "random_program.h"

/* --- Instructions that replace several others --- */

static nir_def *
number(nir_builder *b, double value)
{
   return nir_imm_float(b, value);
}

/* Mesa's forms of ARB instructions (its prog_to_nir), and what GLSL programs write. x and y are
 * inputs of four components. */
static nir_def *
lit(nir_builder *b, nir_def *x, UNUSED nir_def *y)
{
   nir_def *zero = number(b, 0), *w = nir_channel(b, x, 3);
   w = nir_fmax(b, nir_fmin(b, w, number(b, 128)), number(b, -128));
   nir_def *power = nir_fpow(b, nir_fmax(b, nir_channel(b, x, 1), zero), w);
   nir_def *z = nir_bcsel(b, nir_fge(b, zero, nir_channel(b, x, 0)), zero, power);
   return nir_vec4(b, number(b, 1), nir_fmax(b, nir_channel(b, x, 0), zero), z, number(b, 1));
}

static nir_def *
power_of_light(nir_builder *b, nir_def *x, nir_def *y)
{
   nir_def *light =
       nir_fmax(b, nir_fdot3(b, nir_trim_vector(b, x, 3), nir_trim_vector(b, y, 3)), number(b, 0));
   return nir_fmul(b, y, nir_replicate(b, nir_fpow(b, light, number(b, 20)), 4));
}

static nir_def *
power_of_anything(nir_builder *b, nir_def *x, UNUSED nir_def *y)
{
   return nir_replicate(b, nir_fpow(b, nir_channel(b, x, 0), number(b, 2.5)), 4);
}

static nir_def *
long_power(nir_builder *b, nir_def *x, UNUSED nir_def *y)
{
   nir_def *base = nir_fmax(b, nir_channel(b, x, 0), number(b, 0));
   return nir_replicate(b, nir_fpow(b, base, number(b, 200)), 4);
}

static nir_def *
cross(nir_builder *b, nir_def *x, nir_def *y)
{
   static const unsigned yzx[3] = {1, 2, 0}, zxy[3] = {2, 0, 1};
   nir_def *first = nir_fmul(b, nir_swizzle(b, x, yzx, 3), nir_swizzle(b, y, zxy, 3)),
           *second = nir_fmul(b, nir_swizzle(b, x, zxy, 3), nir_swizzle(b, y, yzx, 3));
   return nir_pad_vec4(b, nir_fsub(b, first, second));
}

/* The same with one wrong swizzle. */
static nir_def *
nearly_cross(nir_builder *b, nir_def *x, nir_def *y)
{
   static const unsigned yzx[3] = {1, 2, 0}, zxy[3] = {2, 0, 1}, zyx[3] = {2, 1, 0};
   nir_def *first = nir_fmul(b, nir_swizzle(b, x, yzx, 3), nir_swizzle(b, y, zxy, 3)),
           *second = nir_fmul(b, nir_swizzle(b, x, zyx, 3), nir_swizzle(b, y, yzx, 3));
   return nir_pad_vec4(b, nir_fsub(b, first, second));
}

static nir_def *
distance(nir_builder *b, nir_def *x, nir_def *y)
{
   return nir_vec4(b, number(b, 1), nir_fmul(b, nir_channel(b, x, 1), nir_channel(b, y, 1)),
                   nir_channel(b, x, 2), nir_channel(b, y, 3));
}

static nir_def *
exponential(nir_builder *b, nir_def *x, UNUSED nir_def *y)
{
   nir_def *a = nir_channel(b, x, 0), *floor = nir_ffloor(b, a);
   return nir_vec4(b, nir_fexp2(b, floor), nir_fsub(b, a, floor), nir_fexp2(b, a), number(b, 1));
}

static nir_def *
logarithm(nir_builder *b, nir_def *x, UNUSED nir_def *y)
{
   nir_def *a = nir_fabs(b, nir_channel(b, x, 0)), *log = nir_flog2(b, a);
   nir_def *floor = nir_ffloor(b, log);
   return nir_vec4(b, floor, nir_fdiv(b, a, nir_fexp2(b, floor)), log, number(b, 1));
}

static const struct pattern_case {
   const char *name;
   nir_def *(*build)(nir_builder *b, nir_def *x, nir_def *y);
   unsigned op;
   unsigned machine; /* test_set_machine */
   bool chosen;
   bool exact;           /* the result has the same bits as without the pattern */
   unsigned replaced[3]; /* operations that the pattern removes */
} pattern_cases[] = {
    {"LIT", lit, ATTILA_OP_LIT, 0, true, true, {ATTILA_OP_POW, ATTILA_OP_MIN, ATTILA_OP_MAX}},
    {"LIT", lit, ATTILA_OP_LIT, 1, true, true, {ATTILA_OP_POW, ATTILA_OP_MIN, ATTILA_OP_MAX}},
    /* MAX and POW are as long as MOV and LIT where nothing has a repeat rate. */
    {"power of light", power_of_light, ATTILA_OP_LIT, 0, false, true, {0}},
    {"power of light", power_of_light, ATTILA_OP_LIT, 1, true, true, {ATTILA_OP_POW}},
    {"power of anything", power_of_anything, ATTILA_OP_LIT, 1, false, true, {0}},
    {"long power", long_power, ATTILA_OP_LIT, 1, false, true, {0}},
    {"XPD", cross, ATTILA_OP_XPD, 0, true, true, {ATTILA_OP_MUL, ATTILA_OP_MAD}},
    /* The repeat rate of XPD is 2 on this machine. */
    {"XPD", cross, ATTILA_OP_XPD, 1, false, true, {0}},
    {"nearly XPD", nearly_cross, ATTILA_OP_XPD, 0, false, true, {0}},
    {"DST", distance, ATTILA_OP_DST, 0, true, true, {ATTILA_OP_MUL}},
    {"DST", distance, ATTILA_OP_DST, 1, true, true, {ATTILA_OP_MUL}},
    {"EXP", exponential, ATTILA_OP_EXP, 0, true, true, {ATTILA_OP_EX2, ATTILA_OP_FRC}},
    /* Two EX2 issue together. */
    {"EXP", exponential, ATTILA_OP_EXP, 1, false, true, {0}},
    {"LOG", logarithm, ATTILA_OP_LOG, 0, true, false, {ATTILA_OP_LG2, ATTILA_OP_EX2}},
    {"LOG", logarithm, ATTILA_OP_LOG, 1, true, false, {ATTILA_OP_LG2, ATTILA_OP_EX2}},
};

static void
fill_inputs(struct shader_test *t)
{
   static const float values[8] = {-2.5f, 0.3f, -0.25f, 0.0f, 0.5f, 1.0f, 2.75f, 8.1f};
   for (unsigned n = 0; n < 2; n++) {
      struct emul_vec4 *r = test_find_input(t, n);
      for (unsigned l = 0; r && l < EMUL_LANES; l++) {
         for (unsigned c = 0; c < 4; c++)
            r->c[c][l] = values[(l * (n + 1) + c * 3 + n * (l / 8)) % 8];
      }
   }
}

static void
check_pattern(const struct pattern_case *test)
{
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   test_output(t, 0, test->build(&t->b, x, y));
   test_set_machine(t, test->machine);
   test_must_compile(t, ATTILA_DEBUG_NOMACHINE);
   assert_int_equal(test_count(t, test->op), 0);
   fill_inputs(t);
   assert_true(test_run(t));
   struct emul_vec4 wanted = t->outputs[0];
   uint32_t before = attila_isa_cycles(&t->out.isa, &t->machine);

   test_must_compile(t, 0);
   if (test_count(t, test->op) != test->chosen)
      fail_msg("%s, machine %u: chosen %u times", test->name, test->machine,
               test_count(t, test->op));
   for (unsigned i = 0; i < 3; i++) {
      if (test->replaced[i] && test_count(t, test->replaced[i]))
         fail_msg("%s: there is still a %s", test->name, attila_isa_ops[test->replaced[i]].name);
   }
   uint32_t after = attila_isa_cycles(&t->out.isa, &t->machine);
   if (after > before)
      fail_msg("%s, machine %u: %u cycles for 100 groups, before %u", test->name, test->machine,
               after, before);
   fill_inputs(t);
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++) {
         float is = t->outputs[0].c[c][l], was = wanted.c[c][l];
         bool same = !memcmp(&is, &was, sizeof(is)) || (isnan(is) && isnan(was));
         /* LOG 0 is (-inf, 1, -inf, 1); its parts give no number there. */
         if (!same && (test->exact || (fabsf(is - was) > 1e-6f * fabsf(was) && !isnan(was))))
            fail_msg("%s, lane %u component %u: %g, not %g", test->name, l, c, is, was);
      }
   }
   test_end(t);
}

static void
test_patterns_are_selected_where_they_are_faster(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(pattern_cases); i++)
      check_pattern(&pattern_cases[i]);
}

/* --- Pairs --- */

/* Three lengths and their reciprocals: the scalar instructions issue in pairs, or beside other
 * work. */
static void
test_scalar_instructions_issue_in_pairs(void **state)
{
   (void)state;
   for (unsigned machine = 1; machine < 3; machine++) {
      struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
      nir_builder *b = &t->b;
      nir_def *sum = NULL;
      for (unsigned i = 0; i < 4; i++) {
         nir_def *v = nir_trim_vector(b, test_input(t, i), 3);
         v = nir_fmul(b, v, nir_frsq(b, nir_fdot3(b, v, v)));
         sum = sum ? nir_fadd(b, sum, v) : v;
      }
      test_output(t, 0, nir_pad_vec4(b, sum));
      test_set_machine(t, machine);
      test_must_compile(t, ATTILA_DEBUG_NOMACHINE);
      uint32_t before = attila_isa_cycles(&t->out.isa, &t->machine);
      test_must_compile(t, 0);
      uint32_t after = attila_isa_cycles(&t->out.isa, &t->machine);
      unsigned pairs = 0;
      for (unsigned i = 0; i + 1 < t->out.isa.num_instrs; i++)
         pairs += attila_isa_pairs(&t->machine, &t->out.isa.instrs[i], &t->out.isa.instrs[i + 1]);
      assert_true(pairs >= 2);
      if (after * 10 > before * 9)
         fail_msg("machine %u: %u cycles for 100 groups, before %u", machine, after, before);
      test_end(t);
   }
}

/* --- Random programs --- */

/* Compiling for a machine never makes a program slower on it, as far as can be predicted. */
static void
test_choice_for_a_machine_is_never_slower_on_it(void **state)
{
   (void)state;
   struct random_program *p = malloc(sizeof(*p));
   assert_non_null(p);
   uint64_t before = 0, after = 0;
   for (uint32_t seed = 0; seed < 100; seed++) {
      gl_shader_stage stage = seed & 1 ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT;
      random_program_make(p, stage, seed);
      struct shader_test *t = test_begin(stage);
      test_set_machine(t, seed / 2);
      random_program_constants(t);
      random_program_build(p, t);
      test_must_compile(t, ATTILA_DEBUG_NOMACHINE);
      uint32_t was = attila_isa_cycles(&t->out.isa, &t->machine);
      test_must_compile(t, 0);
      uint32_t is = attila_isa_cycles(&t->out.isa, &t->machine);
      if (is > was + was / 50)
         fail_msg("seed %u: %u cycles for 100 groups, before %u", seed, is, was);
      before += was;
      after += is;
      test_end(t);
   }
   assert_true(after < before);
   free(p);
}

static bool
same_operations(const struct attila_isa_instr *instrs, unsigned num,
                const struct attila_isa_program *other)
{
   int count[ATTILA_NUM_OPS] = {0};
   for (unsigned i = 0; i < num; i++)
      count[instrs[i].op]++;
   for (unsigned i = 0; i < other->num_instrs; i++)
      count[other->instrs[i].op]--;
   for (unsigned op = 0; op < ATTILA_NUM_OPS; op++) {
      if (count[op])
         return false;
   }
   return true;
}

/* An uncertain gain changes nothing: a program is faster by more than 1 %, or has fewer registers
 * or instructions, or stays the same. The choice assumes that some texels miss the cache
 * (attila_candidate_select.c). */
static void
test_gain_within_the_error_changes_nothing(void **state)
{
   (void)state;
   unsigned same = 0, faster = 0, unsure = 0;
   struct random_program *p = malloc(sizeof(*p));
   assert_non_null(p);
   for (uint32_t seed = 0; seed < 100; seed++) {
      gl_shader_stage stage = seed & 1 ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT;
      random_program_make(p, stage, seed);
      struct shader_test *t = test_begin(stage);
      test_set_machine(t, seed / 2);
      random_program_constants(t);
      random_program_build(p, t);
      test_must_compile(t, ATTILA_DEBUG_NOMACHINE);
      struct attila_shader_machine machine = t->machine;
      machine.texture_latency += 60;
      const uint32_t was = attila_isa_cycles(&t->out.isa, &machine);
      const unsigned num = t->out.isa.num_instrs, temps = t->out.isa.num_temps;
      struct attila_isa_instr *before = malloc(num * sizeof(*before));
      assert_non_null(before);
      memcpy(before, t->out.isa.instrs, num * sizeof(*before));
      test_must_compile(t, 0);
      const uint32_t is = attila_isa_cycles(&t->out.isa, &machine);
      const bool comparable = same_operations(before, num, &t->out.isa);
      const bool equal = comparable && !memcmp(before, t->out.isa.instrs, num * sizeof(*before));
      unsure += comparable && !equal && t->out.isa.num_temps == temps && is + is / 100 >= was;
      same += equal;
      faster += is + is / 100 < was;
      free(before);
      test_end(t);
   }
   assert_true(same > 10);
   assert_true(faster > 10);
   /* After the second scheduling, an order may become as good as a later candidate. */
   assert_true(unsure <= 3);
   free(p);
}

/* --- The validator of orders --- */

static void
check_order(const uint32_t *origin, const char *error)
{
   /* r1 = i0 * i0; r2 = r1 + i0; r1 = i1; o0 = r1 */
   static const char text[] = ".fragment\n.temps 3\nMUL r1, i0, i0\nADD r2, r1, i0\nMOV r1, i1\n"
                              "ADD o0, r1, r2\nEND\n";
   char message[100];
   struct attila_isa_program p;
   struct air *ir = rzalloc(NULL, struct air);
   ir->mem = ir;
   ir->validate = true;
   for (unsigned v = 0; v < 3; v++)
      air_new_vreg(ir, false);
   assert_true(attila_isa_assemble(text, &p, message, sizeof(message)));
   ir->instrs = ralloc_memdup(ir, p.instrs, p.num_instrs * sizeof(*p.instrs));
   ir->num_instrs = p.num_instrs;
   for (unsigned i = 0; i < p.num_instrs; i++)
      ir->instrs[i] = p.instrs[origin[i]];
   struct air_cfg *cfg = air_build_cfg(ir, false);
   air_validate_order(ir, cfg, p.instrs, origin);
   if (!!error != ir->broken || (error && !strstr(ir->error, error)))
      fail_msg("%s, not %s", ir->error ? ir->error : "passed", error ? error : "right");
   attila_isa_free(&p);
   ralloc_free(ir);
}

static void
test_validator_refuses_wrong_orders(void **state)
{
   (void)state;
   check_order((uint32_t[]){0, 1, 2, 3, 4}, NULL);
   check_order((uint32_t[]){1, 0, 2, 3, 4}, "reads another instruction's result");
   /* The second value of r1 is written before the first one is read. */
   check_order((uint32_t[]){0, 2, 1, 3, 4}, "reads another instruction's result");
   check_order((uint32_t[]){2, 0, 1, 3, 4}, "reads another instruction's result");
   check_order((uint32_t[]){0, 1, 1, 3, 4}, "not an instruction of the block");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_patterns_are_selected_where_they_are_faster),
       cmocka_unit_test(test_scalar_instructions_issue_in_pairs),
       cmocka_unit_test(test_choice_for_a_machine_is_never_slower_on_it),
       cmocka_unit_test(test_gain_within_the_error_changes_nothing),
       cmocka_unit_test(test_validator_refuses_wrong_orders),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
