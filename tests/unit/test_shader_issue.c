/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What Shader Fetch and Decode/Execute let issue, and when: latencies, repeat rates, refetch,
 * pairs, ports, the scalar ALU, issue policies, registers and input buffers. */
#include "shader_bench.h"

/* One shader clocked by hand: so many full groups of this program from the first tick on. */
struct alone {
   sim_tick first, last; /* ticks from the first group to the first and the last result */
   uint64_t fetched, refetched, executed, replays, ports, alu, operands; /* statistics */
};

static struct sim_group *
full_group(void)
{
   struct sim_group *g = sim_pool_alloc(&gpu->groups);
   memset(g, 0, sizeof(*g));
   *g = (struct sim_group){.draw = &draws[0],
                           .program = draws[0].state.fs,
                           .work_id = 1,
                           .kind = SIM_GROUP_QUADS,
                           .num_items = (uint8_t)(lanes_of(0) / 4)};
   for (unsigned i = 0; i < g->num_items; i++) {
      g->quad[i] = make_quad(0, 0);
      g->quad[i]->mask = 15;
   }
   return g;
}

static struct alone
run_alone(const char *body, unsigned groups)
{
   char text[1024];
   const char *fs[DRAWS] = {text, text};
   struct alone r = {0};
   snprintf(text, sizeof(text), ".fragment\n%sEND\n", body);
   scene.quads = 1;
   scene.vertices = 0;
   build(fs, 0);
   sim_tick start = gpu->kernel.now;
   unsigned sent = 0, got = 0;
   for (sim_tick now = start; got < groups && now < start + 10000; now++) {
      while (sent < groups && sim_can_send(&gpu->net.ffu_shf[0], now)) {
         sim_send(&gpu->net.ffu_shf[0], now, &(struct msg_group){.group = full_group()});
         sent++;
      }
      shf[0]->cls->clock(shf[0], now);
      shdx[0]->cls->clock(shdx[0], now);
      shf[0]->counted = shdx[0]->counted = now;
      for (; sim_peek(&gpu->net.shf_ffu[0], now); got++) {
         sim_pop(&gpu->net.shf_ffu[0], now);
         r.first = r.first ? r.first : now - start;
         r.last = now - start;
      }
   }
   assert_int_equal(got, groups);
   r.fetched = stat_of(shf[0], "FetchedInstr") / lanes_of(0);
   r.refetched = stat_of(shf[0], "ReFetchedInstr") / lanes_of(0);
   r.executed = stat_of(shdx[0], "ExecutedInstructions") / lanes_of(0);
   r.replays = stat_of(shdx[0], "ReplayCommands");
   r.ports = stat_of(shdx[0], "StallsRegisterPorts");
   r.alu = stat_of(shdx[0], "StallsALU");
   r.operands = stat_of(shdx[0], "StallsOperands");
   destroy();
   return r;
}

static sim_tick
latency_of(const char *body)
{
   return run_alone(body, 1).last;
}

/* Cycles of the last release. */
static void
release_cycles(void)
{
#define O(name, srcs, dst, cls, lat, rep, doc) \
   config.latency.op_##name = lat;             \
   config.repeat.op_##name = rep;
   ATTILA_ISA_OPCODES(O)
#undef O
}

/* 16 inputs on 4 ALUs: a fetch every 4 cycles, times the repeat rate of what was fetched before. */
static void
test_latency_is_the_tables(void **state)
{
   (void)state;
   default_config();
   release_cycles();
   sim_tick one = latency_of("MOV o0, i0\n");
   /* Arrives 1, loads 4, to decode 1, latency 3 and a cycle to write; 3 for the other parts of the
    * group; stored 4, sent 1. */
   assert_int_equal(one, 1 + 4 + 1 + 4 + 3 + 4 + 1);
   assert_int_equal(latency_of("MOV r0, i0\nMOV o0, r0\n") - one, 4);
   assert_int_equal(latency_of("DP4 r0, i0, i0\nMOV o0, r0\n") - one, 4);
   assert_int_equal(latency_of("RCP r0, i0.x\nMOV o0, r0\n") - one, 4 * 4);
   assert_int_equal(latency_of("EX2 r0, i0.x\nMOV o0, r0\n") - one, 2 * 4);
   assert_int_equal(latency_of("SIN r0, i0.x\nMOV r1, i0\nMOV o0, r1\n") - one, 6 * 4 + 4);
   /* DDX ends last: 16 + 1 cycles after the part that begins 3 * 8 later. */
   assert_int_equal(latency_of("DDX r0, i0\nMOV o0, r0\n") - one, 17 + 3 * 8 - (4 + 3));
   assert_int_equal(latency_of("ARL a0.x, i0.x\nMOV o0, c[a0.x+2]\n") - one, 4);
   /* The end waits for r0, the last part of which comes 5 * 4 cycles after the first. */
   assert_int_equal(latency_of("MOV o0, i0\nRCP r0, i0.x\n") - one,
                    4 + (5 + 1 + 3 * 4) - (3 + 1 + 3));
   /* LIT takes 5 cycles: what needs it is refused after 4 and comes after 8. */
   assert_int_equal(latency_of("LIT r0, i0\nMOV o0, r0\n") - one, 8);
   config.shader.fixed_latency = true;
   assert_int_equal(latency_of("LIT r0, i0\nMOV o0, r0\n") - one, 4);
   config.shader.fixed_latency = false;
   /* A jump is known when it has executed: 2 cycles and 3 for the other parts, and 1 to tell. */
   assert_int_equal(latency_of("IF i0.x\nMOV o0, i0\nENDIF\n") - latency_of("IF i0.x\nENDIF\n"), 4);
   config.latency.op_MOV = 7;
   assert_int_equal(latency_of("MOV o0, i0\n") - one, 7 - 3);
   config.repeat.op_MOV = 3;
   assert_int_equal(latency_of("MOV r0, i0\nMOV o0, i0\n") - one, 7 - 3 + 2 * 3 + 3 * 4);
}

/* N - 1 wait, the Nth is ready: what is refused is fetched again, or waits in decode. */
static void
test_refused_instruction_is_fetched_again(void **state)
{
   (void)state;
   static const char program[] = "LIT r0, i0\nMOV o0, r0\n";
   default_config();
   struct alone r = run_alone(program, 1);
   assert_int_equal(r.executed, 2);
   assert_int_equal(r.fetched, 3);
   assert_int_equal(r.refetched, 1);
   assert_int_equal(r.operands, 1);
   /* Another group is fetched in between: nothing is refused. */
   r = run_alone(program, 2);
   assert_true(r.refetched <= 1);
   sim_tick refetched = run_alone(program, 1).last;
   config.shader.wait_on_stall = true;
   r = run_alone(program, 1);
   assert_int_equal(r.refetched, 0);
   assert_int_equal(refetched - r.last, 8 - 5);
   config.shader.wait_on_stall = false;
   config.shader.scoreboard = true; /* fetch knows */
   r = run_alone(program, 1);
   assert_int_equal(r.refetched, 0);
   assert_int_equal(refetched - r.last, 8 - 5);
   /* FetchDelay: the same group waits longer. */
   config.shader.scoreboard = false;
   sim_tick two = latency_of("MOV r0, i0\nMOV o0, r0\n");
   config.shader.fetch_delay = 11;
   assert_int_equal(latency_of("MOV r0, i0\nMOV o0, r0\n") - two, 11 - 4);
}

/* A scalar instruction is one that writes one component: it issues beside the one before. */
static void
test_scalar_instruction_issues_beside_a_simd_one(void **state)
{
   (void)state;
   static const char pair[] = "MUL r0.xyz, i0, i0\nMOV o0.w, i0.x\n",
                     simd[] = "MUL r0.xyz, i0, i0\nMOV o0, i0\n",
                     scalars[] = "MUL r0.x, i0, i0\nMOV o0.w, i0.x\n",
                     depends[] = "MUL r0, i0, i0\nMOV o0.x, r0\n";
   default_config();
   sim_tick one = latency_of("MOV o0, i0\n");
   assert_int_equal(latency_of(pair) - one, 4);
   strcpy(config.shader.vector_alu, "simd4+scalar");
   assert_int_equal(latency_of(pair) - one, 0);
   assert_int_equal(latency_of(simd) - one, 4);
   assert_int_equal(latency_of(scalars) - one, 0);
   struct alone r = run_alone(depends, 1);
   assert_int_equal(r.last - one, 4);
   assert_int_equal(r.refetched, 1);
   /* A scalar one that comes first has both ALUs, or one. */
   static const char scalar_first[] = "MUL r0.x, i0, i0\nMOV o0, i0\n";
   r = run_alone(scalar_first, 1);
   assert_int_equal(r.last - one, 4);
   assert_int_equal(r.refetched, 1);
   assert_int_equal(r.alu, 1);
   config.shader.scalar_first = true;
   r = run_alone(scalar_first, 1);
   assert_int_equal(r.last - one, 0);
   assert_int_equal(r.refetched + r.alu, 0);
   /* The first shader model: any two, or a SIMD and a scalar one, but not two scalars. */
   default_config();
   config.shader.vector = false;
   config.shader.group = 16;
   one = latency_of("MOV o0, i0\n");
   assert_true(latency_of(simd) > one);
   config.shader.fetch_rate = 2;
   assert_int_equal(latency_of(simd), one);
   config.shader.scalar_alu = true;
   assert_true(latency_of(simd) > one);
   assert_int_equal(latency_of(pair), one);
   assert_true(latency_of(scalars) > one);
   /* Four at a time; the registers they read have ports. */
   config.shader.scalar_alu = false;
   config.shader.fetch_rate = 4;
   static const char four[] = "MOV r0, i0\nMOV r1, i0\nMOV r2, i0\nMOV r3, i0\n"
                              "ADD r4, r0, r1\nADD r5, r2, r3\nMOV o0, r4\nMOV o0, r5\n";
   r = run_alone(four, 1);
   assert_int_equal(r.ports, 0);
   config.shader.read_ports = 3;
   r = run_alone(four, 1);
   assert_int_equal(r.ports, 1);
   config.shader.read_ports = 12;
   config.shader.write_ports = 1;
   config.shader.fetch_rate = 1;
   assert_int_equal(run_alone(four, 1).ports, 0);
   /* ADD is written 1 cycle before the MUL behind it would be, and MUL then with another one's. */
   config.shader.group = config.shader.rate = 4;
   config.latency.op_ADD = 4;
   r = run_alone("ADD r0, i0, i0\nMUL o0, i0, i0\n", 4);
   assert_true(r.ports > 0);
   config.shader.write_ports = 2;
   assert_int_equal(run_alone("ADD r0, i0, i0\nMUL o0, i0, i0\n", 4).ports, 0);
}

/* The ALU of one component takes a step for each that is written. */
static void
test_scalar_alu_takes_a_step_per_component(void **state)
{
   (void)state;
   default_config();
   strcpy(config.shader.vector_alu, "scalar");
   sim_tick one = latency_of("MOV o0.x, i0\n");
   assert_int_equal(latency_of("MOV r0.xy, i0\nMOV o0.x, i0\n") - one, 2 * 4);
   assert_int_equal(latency_of("MOV r0, i0\nMOV o0.x, i0\n") - one, 4 * 4);
   assert_int_equal(latency_of("DP3 r0.x, i0, i0\nMOV o0.x, i0\n") - one, 3 * 4);
   assert_int_equal(latency_of("LIT r0, i0\nMOV o0.x, i0\n") - one, 7 * 4);
   /* The result is there after the last step. */
   assert_int_equal(latency_of("DP3 r0.x, i0, i0\nMOV o0.x, r0\n") - one, 3 * 4);
}

/* Half-cycle mode: 4 cycles for each instruction of 16 inputs, whatever it is; groups one after the
 * other. */
static void
test_half_cycle_mode_takes_no_latency(void **state)
{
   (void)state;
   default_config();
   config.sim.half = true;
   sim_tick one = latency_of("MOV o0, i0\n");
   assert_int_equal(latency_of("SIN r0, i0.x\nMOV o0, r0\n") - one, 4);
   assert_int_equal(latency_of("LIT r0, i0\nLIT r0, r0\nMOV o0, r0\n") - one, 8);
   static const char eight[] = "MOV r0, i0\nRCP r0, r0.x\nRCP r0, r0.x\nRCP r0, r0.x\n"
                               "RCP r0, r0.x\nRCP r0, r0.x\nRCP r0, r0.x\nMOV o0, r0\n";
   struct alone r = run_alone(eight, 3);
   assert_int_equal(r.last - r.first, 2 * 8 * 4);
   assert_int_equal(r.executed, 3 * 8);
   assert_int_equal(r.operands, 0);
}

/* Order in which three contexts are fetched: ready ones as given, then one that stays ready. */
static void
test_each_policy_has_its_order(void **state)
{
   (void)state;
   struct shf_thread threads[3];
   struct sim_group groups[3];
   memset(threads, 0, sizeof(threads));
   memset(groups, 0, sizeof(groups));
   uint64_t ready = 0;
   uint16_t order[3] = {2, 0, 1}; /* 2 is the oldest */
   for (unsigned i = 0; i < 3; i++)
      threads[i].group = &groups[i];
   struct shf_window w = {.threads = threads,
                          .ready = &ready,
                          .order = order,
                          .num_threads = 3,
                          .period = 1,
                          .last_started = 0};
   sim_tick again;
   const struct shf_policy *rr = shf_policy_get(SIM_ISSUE_ROUND_ROBIN),
                           *oldest = shf_policy_get(SIM_ISSUE_OLDEST_FIRST),
                           *swap = shf_policy_get(SIM_ISSUE_SWAP_ON_BLOCK),
                           *queue = shf_policy_get(SIM_ISSUE_IN_ORDER);
   for (unsigned n = 0; n < 3; n++) {
      w.num_order++;
      queue->started(&w);
   }
   assert_int_equal(w.batch, 3);
   /* None is ready. */
   assert_int_equal(rr->choose(&w, 0, &again), -1);
   assert_int_equal(oldest->choose(&w, 0, &again), -1);
   assert_int_equal(swap->choose(&w, 0, &again), -1);
   assert_int_equal(queue->choose(&w, 0, &again), -1);
   /* 1 and 0, not the oldest. */
   ready = 3;
   w.num_ready = 2;
   w.last = 0;
   assert_int_equal(rr->choose(&w, 0, &again), 1);
   w.last = 1;
   w.own_last = 1;
   assert_int_equal(rr->choose(&w, 0, &again), 0);
   assert_int_equal(oldest->choose(&w, 0, &again), 0);
   assert_int_equal(swap->choose(&w, 0, &again), 1);
   w.own_last = 2;
   assert_int_equal(swap->choose(&w, 0, &again), 0);
   assert_int_equal(queue->choose(&w, 0, &again), -1); /* stops at 2 */
   /* All: the queue takes turns, and begins again when nothing comes any more. */
   ready = 7;
   w.num_ready = 3;
   assert_int_equal(oldest->choose(&w, 0, &again), 2);
   assert_int_equal(queue->choose(&w, 0, &again), 2);
   assert_int_equal(queue->choose(&w, 1, &again), 0);
   assert_int_equal(queue->choose(&w, 2, &again), 1);
   assert_int_equal(queue->choose(&w, 3, &again), -1);
   assert_int_equal(again, 64);
   assert_int_equal(queue->choose(&w, 64, &again), 2);
   assert_true(w.closed);
   /* The batch is closed: who comes now waits until the others have ended. */
   order[0] = 0;
   order[1] = 1;
   w.num_order = 2;
   queue->ended(&w, 0); /* 2 */
   order[2] = 2;
   w.num_order = 3;
   queue->started(&w);
   assert_int_equal(w.batch, 2);
   assert_int_equal(queue->choose(&w, 65, &again), 0);
   assert_int_equal(queue->choose(&w, 66, &again), 1);
   assert_int_equal(queue->choose(&w, 67, &again), 0);
   order[0] = 1;
   order[1] = 2;
   w.num_order = 2;
   queue->ended(&w, 0);
   order[0] = 2;
   w.num_order = 1;
   queue->ended(&w, 0);
   assert_int_equal(w.batch, 1);
   assert_int_equal(queue->choose(&w, 68, &again), 2);
}

/* The register file bounds the groups: inputs, temporaries and outputs share registers, which come
 * in units. The last group that fits begins, the next one waits. */
static void
test_registers_bound_the_groups(void **state)
{
   (void)state;
   static const char program[] = ".fragment\nMOV r4, i0\nADD r4, r4, i1\nMOV o0, r4\nEND\n";
   struct sim_shader_machine m;
   default_config();
   const struct emul_program *p = assemble(program);
   const struct attila_isa_program *isa = emul_program_isa(p);
   shf_machine(&m, &config, 0);
   assert_int_equal(sim_shader_registers(&m, isa), 5);
   config.shader.granularity = 4;
   shf_machine(&m, &config, 0);
   assert_int_equal(sim_shader_registers(&m, isa), 8);
   emul_program_destroy((struct emul_program *)p);
   p = assemble(".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o2, i0\nEND\n");
   config.shader.granularity = 1;
   shf_machine(&m, &config, 0);
   assert_int_equal(sim_shader_registers(&m, emul_program_isa(p)), 3);
   emul_program_destroy((struct emul_program *)p);

   /* 5 registers each. */
   static const char body[] = "SIN r4.x, i0.x\nSIN r4.x, r4.x\nSIN r4.x, r4.x\nMOV o0, r4.x\n";
   for (unsigned registers = 9; registers <= 11; registers++) {
      config.shader.vector_resources = registers;
      config.latency.op_SIN = 60;
      config.repeat.op_SIN = 1;
      struct alone r = run_alone(body, 2);
      /* Two at a time when there are 10. */
      assert_int_equal(r.last - r.first < 100, registers >= 10);
   }
}

/* As many groups as may execute do, and the buffers load others in the meantime. */
static void
test_buffers_load_while_groups_execute(void **state)
{
   (void)state;
   static const char body[] = "MOV r0, i0\nMOV r1, r0\nMOV r2, r1\nMOV o0, r2\n";
   default_config();
   config.shader.vector = false;
   config.shader.buffers = 0;
   config.shader.threads = config.shader.group = 16;
   config.shader.inputs_cycle = 1;
   struct alone one = run_alone(body, 2);
   config.shader.buffers = 16;
   struct alone two = run_alone(body, 2);
   assert_int_equal(one.first, two.first);
   assert_true(one.last - one.first >= two.last - two.first + 15);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_latency_is_the_tables),
       cmocka_unit_test(test_refused_instruction_is_fetched_again),
       cmocka_unit_test(test_scalar_instruction_issues_beside_a_simd_one),
       cmocka_unit_test(test_scalar_alu_takes_a_step_per_component),
       cmocka_unit_test(test_each_policy_has_its_order),
       cmocka_unit_test(test_registers_bound_the_groups),
       cmocka_unit_test(test_buffers_load_while_groups_execute),
       cmocka_unit_test(test_half_cycle_mode_takes_no_latency),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
