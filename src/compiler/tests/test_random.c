/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random vertex and fragment programs (random_program.h), compiled with and without optimisation
 * and native integers, each for one of several machines, against an interpreter that knows neither
 * NIR nor the instruction set. ATTILA_TEST_SEED=N shows program N, ATTILA_TEST_SEEDS=N runs N
 * programs. */
#include "random_program.h"

static void
check_program(struct random_program *p, uint32_t seed, gl_shader_stage stage, bool integers,
              uint32_t debug)
{
   random_program_make(p, stage, seed);
   struct shader_test *t = test_begin_with(stage, integers);
   test_set_machine(t, seed);
   random_program_constants(t);
   random_program_build(p, t);
   if (!test_compile(t, debug))
      fail_msg("seed %u: %s", seed, t->error);
   struct random_lane lanes[EMUL_LANES];
   for (unsigned l = 0; l < EMUL_LANES; l++)
      random_program_start(&lanes[l], t, l);
   random_program_interpret(p, lanes);
   const char *error = random_program_run(p, t, lanes);
   if (error)
      fail_msg("seed %u, %s%s%s: %s", seed, gl_shader_stage_name(stage),
               integers ? ", native integers" : "",
               debug & ATTILA_DEBUG_NOOPT ? ", not optimised" : "", error);
   test_end(t);
}

static void
test_random_programs_compute_what_nir_says(void **state)
{
   (void)state;
   const char *one = getenv("ATTILA_TEST_SEED"), *many = getenv("ATTILA_TEST_SEEDS");
   const char *from = getenv("ATTILA_TEST_FIRST");
   uint32_t first = one ? atoi(one) : from ? atoi(from) : 0;
   uint32_t count = one ? 1 : many ? atoi(many) : 300;
   uint32_t show = one ? ATTILA_DEBUG_ISA | ATTILA_DEBUG_NIR | ATTILA_DEBUG_STATS : 0;
   struct random_program *p = malloc(sizeof(*p));
   assert_non_null(p);
   for (uint32_t seed = first; seed < first + count; seed++) {
      for (unsigned i = 0; i < 8; i++)
         check_program(p, seed, i & 1 ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT, i & 4,
                       show | (i & 2 ? ATTILA_DEBUG_NOOPT : 0));
   }
   free(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_random_programs_compute_what_nir_says),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
