/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Ideal units (config/sim_ideal.h): they are faster, but the compiler sees the machine that was
 * configured, so that with and without them the same programs run. Not here: what is gained
 * (tests/sim/limiters.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "session/session.h"
#include "config/sim_ideal.h"
#include "config/sim_shader_machine.h"

static struct attila_sim *
create(const char *machine, const char *ideal)
{
   char error[512];
   const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16", machine};
   const struct attila_sim_options o = {.overrides = overrides, .num_overrides = 2, .ideal = ideal};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s: %s", ideal ? ideal : "no ideal unit", error);
   return sim;
}

/* What simulates is another machine; what is compiled for is not. */
static void
check_unit(const char *machine, const char *ideal)
{
   struct attila_sim *plain = create(machine, NULL), *fast = create(machine, ideal);
   assert_memory_not_equal(attila_session_config(plain), attila_session_config(fast),
                           sizeof(struct sim_config));
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      struct attila_shader_machine a, b;
      attila_sim_shader_machine(plain, stage, &a);
      attila_sim_shader_machine(fast, stage, &b);
      assert_true(a.lanes > 0);
      if (memcmp(&a, &b, sizeof(a)))
         fail_msg("%s: programs of stage %u are compiled for another machine", ideal, stage);
   }
   attila_sim_destroy(plain);
   attila_sim_destroy(fast);
}

static void
test_ideal_units_compile_the_same_programs(void **state)
{
   static const char *const machines[] = {"GPU.Unified=TRUE", "GPU.Unified=FALSE"};
   const char *name;
   for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
      for (unsigned u = 0; (name = sim_config_ideal_name(u)); u++)
         check_unit(machines[m], name);
   }
}

/* The ideal shaders are those of the simulated machine: the test above would see nothing if the
 * units did not change them. */
static void
test_ideal_shaders_are_larger(void **state)
{
   struct attila_sim *sim = create("GPU.Unified=TRUE", "shader");
   struct attila_shader_machine configured, simulated;
   attila_sim_shader_machine(sim, ATTILA_STAGE_FRAGMENT, &configured);
   sim_shader_machine_describe(attila_session_config(sim), ATTILA_STAGE_FRAGMENT, &simulated);
   assert_true(simulated.threads > configured.threads);
   assert_true(simulated.registers > configured.registers);
   attila_sim_destroy(sim);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_ideal_units_compile_the_same_programs),
       cmocka_unit_test(test_ideal_shaders_are_larger),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
