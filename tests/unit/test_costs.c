/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What instructions cost (core/sim_cost.h): on random streams and machines of several shapes the
 * sums over all instructions of a frame are the frame's statistics of the shaders. */
#include "random_scene.h"
#include "machine_text.h"
#include <unistd.h>
#include "record_query.h"

/* Runs a stream, which a frame ends in the middle of, and leaves its record in dir. */
static void
run(const struct scene *c, const char *machine, enum attila_mode mode, const char *dir)
{
   const struct attila_sim_options o = {.mode = mode, .record = "sqlite", .out_dir = dir};
   struct attila_sim *sim = machine_create(o, 16, machine);
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   /* A frame ends in the middle of its draws. */
   if (!attila_sim_submit(sim, c->s.words, c->s.num) || !attila_sim_submit(sim, &end_frame, 1))
      fail_msg("%s", attila_sim_error(sim));
   attila_sim_destroy(sim);
}

static const struct equal {
   const char *cost, *statistic;
} equal[] = {
    {"inputs", "ExecutedInputs_ShDX-FS"},
    {"alu_cycles", "ALUBusyCycles_ShF-FS"},
    {"wait_fetch + wait_result + wait_decode", "ReadyThreads_ShF-FS"},
    {"wait_texture", "BlockedThreads_ShF-FS"},
    {"wait_constant", "ConstantThreads_ShF-FS"},
    {"wait_memory", "MemoryThreads_ShF-FS"},
    {"wait_barrier", "BarrierThreads_ShF-FS"},
    {"wait_output", "FinishedThreads_ShF-FS"},
    {"refused_operands", "StallsOperands_ShDX-FS"},
    {"refused_ports", "StallsRegisterPorts_ShDX-FS"},
    {"refused_alu", "StallsALU_ShDX-FS"},
    {"refused_texture", "StallsTextureUnit_ShDX-FS"},
    {"refused_constant", "StallsConstantCache_ShDX-FS"},
};

static void
check(sqlite3 *db, unsigned machine, uint64_t *executed)
{
   char sql[600];
   for (unsigned i = 0; i < sizeof(equal) / sizeof(equal[0]); i++) {
      snprintf(sql, sizeof(sql),
               "SELECT count(*) FROM frame_counters c WHERE c.\"%s\" != (SELECT coalesce(sum(%s), "
               "0) FROM frame_instructions i WHERE i.frame = c.frame)",
               equal[i].statistic, equal[i].cost);
      if (record_number(db, sql))
         fail_msg("machine %u: %s is not %s", machine, equal[i].cost, equal[i].statistic);
   }
   /* These count lanes. Those of vertex shaders may be others in number. */
   const uint64_t fetched =
                      record_number(db, "SELECT sum(\"FetchedInstr_ShF-FS\") FROM frame_counters"),
                  fetches = record_number(db, "SELECT sum(fetches) FROM frame_instructions"),
                  run = record_number(db, "SELECT sum(\"ExecutedInstructions_ShDX-FS\") FROM "
                                          "frame_counters"),
                  groups = record_number(db, "SELECT sum(groups) FROM frame_instructions");
   assert_true(groups > 0 && fetches > 0);
   assert_true(fetched % fetches == 0 || strstr(machines[machine], "Unified=FALSE"));
   assert_true(run % groups == 0 || strstr(machines[machine], "Unified=FALSE"));
   /* A program's instructions are all there, and no other. */
   assert_int_equal(record_number(db,
                                  "SELECT count(*) FROM programs p WHERE instructions != (SELECT "
                                  "count(*) FROM instructions i WHERE i.program = p.program)"),
                    0);
   assert_int_equal(record_number(db,
                                  "SELECT count(*) FROM frame_instructions LEFT JOIN instructions "
                                  "USING (program, position) WHERE text IS NULL"),
                    0);
   *executed += run;
   /* A thread context is in one state in each cycle, from the first one on. */
   assert_true(strstr(machines[machine], "Unified=FALSE") ||
               !record_number(db, "SELECT count(*) FROM frame_occupancy WHERE contexts != "
                                  "round(contexts)"));
}

static void
test_instruction_costs_add_up_to_the_statistics(void **state)
{
   uint64_t executed = 0;
   for (unsigned n = 0; n < NUM_MACHINES + 2; n++) {
      if (n < NUM_MACHINES && !sample_has(n))
         continue;
      const unsigned machine = n < NUM_MACHINES ? n : 0;
      char dir[] = "/tmp/attila-test-XXXXXX", command[80];
      char options[700];
      struct scene c;
      sqlite3 *db = NULL;
      /* The last two: half-cycle mode, and setup on the shaders. */
      snprintf(options, sizeof(options), "%s%s", machines[machine],
               n == NUM_MACHINES + 1 ? "RASTERIZER.TriangleSetupOnShader=TRUE" : "");
      assert_non_null(mkdtemp(dir));
      make_scene(&c, 5000 + n);
      run(&c, options, n == NUM_MACHINES ? ATTILA_MODE_HALF : ATTILA_MODE_CYCLE, dir);
      db = record_open(dir);
      check(db, machine, &executed);
      assert_int_equal(record_number(db, "SELECT count(*) FROM programs WHERE stage = 'setup'"),
                       strstr(options, "SetupOnShader") != NULL);
      sqlite3_close(db);
      free(c.s.words);
      snprintf(command, sizeof(command), "rm -r '%s'", dir);
      assert_int_equal(system(command), 0);
   }
   assert_true(executed > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_instruction_costs_add_up_to_the_statistics)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
