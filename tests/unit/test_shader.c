/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The shader emulator against an interpreter written plainly (shader_interpreter.h). Random
 * programs with divergence, relative addressing, kills and textures; every host instruction set;
 * run and step must agree bit for bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"
#include "shader_interpreter.h"
#include "shader_random.h"

static bool
same(float a, float b)
{
   return (isnan(a) && isnan(b)) || memcmp(&a, &b, 4) == 0;
}

/* --- Comparison --- */

struct machine {
   struct emul_thread t;
   struct emul_vec4 temps[ATTILA_ISA_MAX_TEMPS], in[32], out[32];
};
static struct machine reference_inputs, ran, stepped;
static float consts[ATTILA_MAX_CONSTS][4];

static void
sample(void *user, const struct emul_tex_request *q, struct emul_vec4 *texel)
{
   (void)user;
   /* Lanes outside the mask must not matter. */
   for (unsigned c = 0; c < 4; c++) {
      if (!(q->unread >> c & 1))
         memset(texel->c[c], 0xff, sizeof(texel->c[c]));
   }
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float coord[3], dx[3], dy[3], result[4];
      if (!(q->mask >> l & 1))
         continue;
      for (unsigned c = 0; c < 3; c++) {
         coord[c] = q->coord[c][l];
         dx[c] = q->ddx[c][l];
         dy[c] = q->ddy[c][l];
      }
      bool lod = q->op == ATTILA_OP_TXB || q->op == ATTILA_OP_TXL || q->op == ATTILA_OP_TXF ||
                 q->op == ATTILA_OP_TXS;
      const bool cube_array = q->target == ATTILA_TEX_CUBE_ARRAY;
      if (cube_array && q->shadow)
         dx[1] = 0; /* the offset's place has the reference */
      texture(q->op, q->unit, q->offset, coord,
              cube_array && q->op != ATTILA_OP_TXS ? q->layer[l] : 0, q->shadow ? q->ref[l] : 0,
              lod ? q->lod[l] : 0, dx, dy, result);
      for (unsigned c = 0; c < 4; c++) {
         if (!(q->unread >> c & 1))
            texel->c[c][l] = result[c];
      }
   }
}

static void
fill(void)
{
   for (unsigned i = 0; i < 32; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < EMUL_LANES; l++)
            reference_inputs.in[i].c[c][l] =
                i == 7 ? (float)(1 + rnd(4)) : (float)(int)rnd(4000) / 128.0f - 15.0f;
      }
   }
   for (unsigned i = 0; i < ATTILA_MAX_CONSTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         consts[i][c] = rnd(10) ? (float)(int)rnd(400) / 16.0f - 10.0f : 0.0f;
   }
}

/* Old contents are NaN: what is not written must read 0. */
static void
prepare_machine(struct machine *m, const struct emul_program *program, uint16_t lanes)
{
   memset(&m->t, 0xff, sizeof(m->t));
   memset(m->temps, 0xff, emul_program_isa(program)->num_temps * sizeof(m->temps[0]));
   memset(m->out, 0xff, sizeof(m->out));
   memcpy(m->in, reference_inputs.in, sizeof(m->in));
   m->t.temps = m->temps;
   m->t.inputs = m->in;
   m->t.outputs = m->out;
   m->t.consts = (const float(*)[4])consts;
   emul_thread_start(&m->t, program, lanes, true, 1u << 16);
}

static void
step_all(struct machine *m)
{
   for (;;) {
      enum emul_step step = emul_thread_step(&m->t);
      if (step == EMUL_STEP_END)
         return;
      if (step == EMUL_STEP_TEXTURE) {
         struct emul_vec4 texel;
         sample(NULL, &m->t.tex, &texel);
         emul_thread_result(&m->t, &texel);
      } else {
         assert_int_equal(step, EMUL_STEP_NEXT);
      }
   }
}

static void
compare_lane(const struct attila_isa_program *p, const struct machine *m, unsigned l,
             const char *name)
{
   static struct lane lane;
   memset(&lane, 0, sizeof(lane));
   lane.p = p;
   lane.consts = (const float(*)[4])consts;
   for (unsigned i = 0; i < 32; i++) {
      for (unsigned c = 0; c < 4; c++)
         lane.input[i][c] = m->in[i].c[c][l];
   }
   interpret(&lane, 0, p->num_instrs);
   if (lane.killed != (m->t.killed >> l & 1))
      fail_msg("%s lane %u: killed %d\n%s", name, l, lane.killed, attila_isa_disassemble(p));
   if (m->t.killed == m->t.lanes)
      return; /* ended early, nothing is used */
   for (unsigned o = 0; o < 9; o++) {
      for (unsigned c = 0; c < 4 && (p->outputs_written >> o & 1); c++) {
         if (!same(lane.output[o][c], m->out[o].c[c][l]))
            fail_msg("%s lane %u: o%u.%c is %a, not %a\n%s", name, l, o, "xyzw"[c],
                     m -> out[o].c[c][l], lane.output[o][c], attila_isa_disassemble(p));
      }
   }
}

/* What a variant makes of a program, run and step by step; counts what was worth it. */
struct seen {
   unsigned diverged, killed, wrote, stretches;
};

static void
check_variant(const struct attila_isa_program *p, const struct emul_exec *exec, struct seen *seen)
{
   static const uint16_t groups[] = {0xffff, 0x000f, 0x00ff, 0x0fff, 0x0001, 0x07ff};
   struct emul_program *program = emul_program_create_for(p, exec);
   assert_non_null(program);
   uint16_t lanes = groups[rnd(6)];
   prepare_machine(&ran, program, lanes);
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   prepare_machine(&stepped, program, lanes);
   step_all(&stepped);
   assert_int_equal(ran.t.killed, stepped.t.killed);
   assert_int_equal(ran.t.pc, stepped.t.pc);
   assert_memory_equal(ran.out, stepped.out, sizeof(ran.out));
   assert_memory_equal(ran.temps, stepped.temps, sizeof(ran.temps));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      if (lanes >> l & 1)
         compare_lane(p, &ran, l, exec->name);
   }
   seen->killed += ran.t.killed != 0;
   for (uint32_t i = 0; i < p->num_instrs; i++)
      seen->stretches += program->instrs[i].run_length > 1;
   emul_program_destroy(program);
}

static struct seen
check_random_programs(unsigned count)
{
   struct seen seen = {0};
   for (unsigned n = 0; n < count; n++) {
      struct attila_isa_program p = random_program(false, true, n % 4 == 0, 5 + rnd(60));
      fill();
      for (unsigned e = 0; emul_exec_get(e); e++)
         check_variant(&p, emul_exec_get(e), &seen);
      seen.diverged += p.uses_flow;
      seen.wrote += p.outputs_written != 0;
      attila_isa_free(&p);
   }
   return seen;
}

static void
test_random_programs_agree_with_the_reference(void **state)
{
   (void)state;
   const struct seen seen = check_random_programs(1500);
   assert_true(seen.diverged > 500 && seen.killed > 200 && seen.wrote > 1000);
}

/* Whether memory that was written may be executed afterwards. */
static bool
can_execute(void)
{
   const size_t size = 4096;
   void *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_true(m != MAP_FAILED);
   const bool can = mprotect(m, size, PROT_READ | PROT_EXEC) == 0;
   munmap(m, size);
   return can;
}

/* The variant "native" makes functions where it may, and does without where it may not. */
static void
test_native_functions_are_made_where_allowed(void **state)
{
   (void)state;
   bool exists = false;
   for (unsigned e = 0; emul_exec_get(e); e++)
      exists |= emul_exec_get(e)->native;
   if (!exists || !can_execute())
      skip();
   assert_true(check_random_programs(20).stretches > 0);
   const pid_t child = fork();
   assert_true(child >= 0);
   if (child == 0) {
      const int set_mdwe = 65, refuse_exec_gain = 1, no_such_call = 77; /* Linux 6.3 */
      if (prctl(set_mdwe, refuse_exec_gain, 0, 0, 0))
         _exit(no_such_call);
      assert_false(can_execute());
      assert_int_equal(check_random_programs(50).stretches, 0);
      _exit(0);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
      skip();
   assert_true(WIFEXITED(status));
   assert_int_equal(WEXITSTATUS(status), 0);
}

static void
run_text(const char *text, uint16_t lanes)
{
   struct attila_isa_program p;
   char error[128];
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s", error);
   struct emul_program *program = emul_program_create(&p);
   prepare_machine(&ran, program, lanes);
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   emul_program_destroy(program);
   attila_isa_free(&p);
}

static void
expect(unsigned o, unsigned lane, float x, float y, float z, float w)
{
   const float want[4] = {x, y, z, w};
   for (unsigned c = 0; c < 4; c++) {
      if (!same(ran.out[o].c[c][lane], want[c]))
         fail_msg("o%u.%c lane %u is %a, not %a", o, "xyzw"[c], lane, ran.out[o].c[c][lane],
                  want[c]);
   }
}

static void
test_lighting_and_arb(void **state)
{
   (void)state;
   run_text(".literal 0.5, 2, 9, 3\n.literal -1, 2, 0, 3\n.literal 1, 0, 0, 0\n.literal 2.75, 12, "
            "-0.375, 0\n"
            "LIT o0, l0\nLIT o1, l1\nLIT o2, l2\nEXP o3, l3.x\nLOG o4, l3.y\nLOG o5, l3.z\nLOG o6, "
            "l3.w\nEND\n",
            0xffff);
   expect(0, 3, 1, 0.5f, 8, 1);
   expect(1, 3, 1, 0, 0, 1);
   expect(2, 3, 1, 1, 1, 1); /* 0 ^ 0 */
   expect(4, 3, 3, 1.5f, ran.out[4].c[2][3], 1);
   assert_true(fabs(ran.out[4].c[2][3] - log2(12)) < 1e-6);
   expect(5, 3, -2, 1.5f, ran.out[5].c[2][3], 1);
   expect(6, 3, -INFINITY, 1, -INFINITY, 1);
   expect(3, 3, 4, 0.75f, ran.out[3].c[2][3], 1);
   assert_true(fabs(ran.out[3].c[2][3] - exp2(2.75)) < 1e-5);
}

/* Of a number and a NaN the number is the smaller, and the larger. */
static void
test_min_max_nan(void **state)
{
   (void)state;
   fill();
   reference_inputs.in[0].c[0][2] = NAN;
   reference_inputs.in[0].c[1][2] = 3;
   run_text(
       ".fragment\nMIN o0, i0.xyxy, i0.yxyx\nMAX o1, i0.xyxy, i0.yxyx\nMIN o2, i0.x, -i0.x\nEND\n",
       0xffff);
   expect(0, 2, 3, 3, 3, 3);
   expect(1, 2, 3, 3, 3, 3);
   assert_true(isnan(ran.out[2].c[0][2]));
}

static void
test_derivatives_are_differences_in_the_quad(void **state)
{
   (void)state;
   fill();
   for (unsigned l = 0; l < EMUL_LANES; l++)
      reference_inputs.in[0].c[0][l] = (float)(l * l);
   run_text(".fragment\nDDX o0, i0.x\nDDY o1, i0.x\nEND\n", 0xffff);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      unsigned q = l & ~3u;
      float dx = (float)((q + 3) * (q + 3)) - (float)((q + 2) * (q + 2));
      float dy = (float)((q + 2) * (q + 2)) - (float)(q * q);
      expect(0, l, dx, dx, dx, dx);
      expect(1, l, dy, dy, dy, dy);
   }
}

/* Starts a program; the caller destroys it. */
static struct emul_program *
start(const char *text, uint16_t lanes)
{
   struct attila_isa_program p;
   char error[128];
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s", error);
   struct emul_program *program = emul_program_create(&p);
   fill();
   prepare_machine(&ran, program, lanes);
   attila_isa_free(&p);
   return program;
}

/* A fragment whose loop does not end is killed; the others of its group are as without it. */
static void
test_endless_fragment_is_killed_alone(void **state)
{
   (void)state;
   static const char all[] = ".fragment\nLOOP\nADD o1, i0, i0\nENDLOOP\nMOV o2, i0\nEND\n";
   static const char odd[] =
       ".fragment\n.literal 0x41200000, 0x3f800000, 0, 0\nMOV r0, l0.z\nLOOP\n"
       "ADD r0.x, r0.x, l0.y\nIF i0.x\nSGE r1.x, r0.x, l0.x\nIF r1.x\nBRK\nENDIF\nENDIF\n"
       "ENDLOOP\nMOV o0, r0.x\nLOOP\nADD r0.x, r0.x, l0.y\nSGE r1.x, r0.x, l0.x\nIF r1.x\nBRK\n"
       "ENDIF\nENDLOOP\nMOV o1, r0.x\nEND\n";
   struct emul_program *program = start(all, 0x0fff);
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   assert_int_equal(ran.t.killed, 0x0fff);
   emul_program_destroy(program);
   program = start(odd, 0xffff);
   for (unsigned l = 0; l < 16; l++)
      ran.in[0].c[0][l] = l & 1 ? 0.0f : 1.0f;
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   assert_int_equal(ran.t.killed, 0xaaaa);
   assert_int_equal(ran.t.stopped, 0xaaaa);
   for (unsigned l = 0; l < 16; l += 2) {
      assert_true(ran.out[0].c[0][l] == 10.0f);
      assert_true(ran.out[1].c[0][l] == 11.0f);
   }
   emul_program_destroy(program);
}

/* Such a vertex has zeros for outputs, its neighbours have theirs. */
static void
test_endless_vertex_has_zeros_alone(void **state)
{
   (void)state;
   struct emul_program *program =
       start(".vertex\nMOV o0, i0\nLOOP\nIF i0.x\nBRK\nENDIF\nENDLOOP\nMOV o2, i0\nEND\n", 0xffff);
   ran.t.is_fragment = false;
   for (unsigned l = 0; l < 16; l++)
      ran.in[0].c[0][l] = l < 5 ? 0.0f : 1.0f;
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   assert_int_equal(ran.t.killed, 0);
   assert_int_equal(ran.t.stopped, 0x1f);
   for (unsigned l = 0; l < 16; l++) {
      for (unsigned c = 0; c < 4; c++) {
         float value = l < 5 ? 0.0f : ran.in[0].c[c][l];
         assert_true(same(ran.out[0].c[c][l], value));
         assert_true(same(ran.out[2].c[c][l], value));
      }
   }
   emul_program_destroy(program);
}

/* A loop of 1000 iterations ends; in a hurry it does not get as many. */
static void
test_hurried_group_stops_its_loop_early(void **state)
{
   (void)state;
   static const char text[] =
       ".fragment\n.literal 0x447a0000, 0x3f800000, 0, 0\nMOV r0, l0.z\nLOOP\n"
       "ADD r0.x, r0.x, l0.y\nSGE r1.x, r0.x, l0.x\nIF r1.x\nBRK\nENDIF\nENDLOOP\n"
       "MOV o0, r0.x\nEND\n";
   struct emul_program *program = start(text, 0xffff);
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   assert_int_equal(ran.t.killed, 0);
   assert_true(ran.out[0].c[0][3] == 1000.0f);
   emul_program_destroy(program);
   program = start(text, 0xffff);
   emul_thread_hurry(&ran.t);
   assert_int_equal(emul_thread_run(&ran.t, sample, NULL), EMUL_STEP_END);
   assert_int_equal(ran.t.killed, 0xffff);
   emul_program_destroy(program);
}

static void
test_invalid_program_is_refused(void **state)
{
   (void)state;
   struct attila_isa_instr in = {.op = ATTILA_OP_MOV};
   struct attila_isa_program p = {.stage = ATTILA_STAGE_VERTEX, .instrs = &in, .num_instrs = 1};
   assert_null(emul_program_create(&p));
   in.op = 200;
   assert_null(emul_program_create(&p));
}

/* What the timing boxes know of instructions: whether one component is written and worked on, steps
 * of an ALU of one component, temporaries read, jumps. */
static void
test_instructions_have_their_issue_classes(void **state)
{
   (void)state;
   struct attila_isa_program p;
   char error[128];
   assert_true(attila_isa_assemble(
       ".fragment\nMUL r0, i0, i1\nMUL r1.x, r0, r0\nMAD r1.xz, r0, r1, c0\nRCP r2.w, r1.x\n"
       "RSQ r2, r1.x\nDP3 r2.y, r0, r1\nLIT r3.x, r2\nLRP r3, r0, r1, r2\nIF r3.x\nKIL r3\nENDIF\n"
       "TEX r3.x, r3, t0, 2D\nMOV o0, r3\nEND\n",
       &p, error, sizeof(error)));
   struct emul_program *program = emul_program_create(&p);
   static const struct {
      bool is_scalar;
      unsigned steps, temp_reads;
      bool jumps;
   } want[] = {
       {0, 4, 0, 0}, {1, 1, 1, 0}, {0, 2, 2, 0}, {1, 1, 1, 0}, {0, 4, 1, 0},
       {0, 3, 2, 0}, {0, 7, 1, 0}, {0, 4, 3, 0}, {1, 1, 1, 1}, {0, 1, 1, 0},
       {1, 1, 0, 1}, {0, 3, 1, 0}, {0, 4, 1, 0},
   };
   for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
      const struct emul_instr *in = &program->instrs[i];
      if (in->is_scalar != want[i].is_scalar || in->steps != want[i].steps ||
          in->temp_reads != want[i].temp_reads || in->jumps != want[i].jumps)
         fail_msg("instruction %u: scalar %d, %u steps, %u temporaries, jumps %d", i, in->is_scalar,
                  in->steps, in->temp_reads, in->jumps);
   }
   emul_program_destroy(program);
   attila_isa_free(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_random_programs_agree_with_the_reference),
       cmocka_unit_test(test_native_functions_are_made_where_allowed),
       cmocka_unit_test(test_lighting_and_arb),
       cmocka_unit_test(test_derivatives_are_differences_in_the_quad),
       cmocka_unit_test(test_min_max_nan),
       cmocka_unit_test(test_endless_fragment_is_killed_alone),
       cmocka_unit_test(test_endless_vertex_has_zeros_alone),
       cmocka_unit_test(test_hurried_group_stops_its_loop_early),
       cmocka_unit_test(test_invalid_program_is_refused),
       cmocka_unit_test(test_instructions_have_their_issue_classes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
