/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The shader emulator against an interpreter written plainly: one lane at a time, recursive blocks,
 * scalar arithmetic. Random programs with divergence, relative addressing, kills and textures;
 * every host instruction set; run and step must agree bit for bit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"
#include "shader_random.h"

static bool
same(float a, float b)
{
   return (isnan(a) && isnan(b)) || memcmp(&a, &b, 4) == 0;
}

/* --- The plain interpreter --- */

struct lane {
   const struct attila_isa_program *p;
   float temp[ATTILA_ISA_MAX_TEMPS][4], input[32][4], output[32][4];
   const float (*consts)[4];
   int32_t address[4];
   bool killed;
};

enum outcome { GO_ON, BREAK, CONTINUE };

static int
relative(const struct lane *l, int index, bool rel, unsigned comp, int size)
{
   int64_t i = (int64_t)index + (rel ? l->address[comp] : 0);
   return i < 0 ? 0 : i >= size ? size - 1 : (int)i;
}

static float
read_component(const struct lane *l, const struct attila_isa_src *s, unsigned c)
{
   const float *reg;
   int index = s->index;
   switch (s->file) {
   case ATTILA_FILE_TEMP:
      reg = l->temp[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_temps)];
      break;
   case ATTILA_FILE_INPUT:
      reg = l->input[relative(l, index, s->relative, s->rel_comp, 32)];
      break;
   case ATTILA_FILE_CONST:
      reg = l->consts[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_consts)];
      break;
   default:
      reg = l->p->literals[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_literals)];
      break;
   }
   float v = reg[(s->swizzle >> (2 * c)) & 3];
   if (s->absolute)
      v = fabsf(v);
   return s->negate ? -v : v;
}

static void
write_result(struct lane *l, const struct attila_isa_dst *d, const float v[4])
{
   float *reg;
   if (d->file == ATTILA_FILE_TEMP)
      reg = l->temp[relative(l, d->index, d->relative, d->rel_comp, (int)l->p->num_temps)];
   else
      reg = l->output[relative(l, d->index, d->relative, d->rel_comp, 9)];
   for (unsigned c = 0; c < 4; c++) {
      if (d->write_mask >> c & 1)
         reg[c] = !d->saturate ? v[c] : v[c] > 0 ? (v[c] < 1 ? v[c] : 1) : 0;
   }
}

static float
one_component(unsigned op, float a, float b, float c)
{
   switch (op) {
   case ATTILA_OP_MOV:
      return a;
   case ATTILA_OP_ADD:
      return a + b;
   case ATTILA_OP_MUL:
      return a * b;
   case ATTILA_OP_MAD:
      return a * b + c;
   case ATTILA_OP_MIN:
      return a < b || isnan(b) ? a : b;
   case ATTILA_OP_MAX:
      return a > b || isnan(b) ? a : b;
   case ATTILA_OP_SLT:
      return a < b;
   case ATTILA_OP_SGE:
      return a >= b;
   case ATTILA_OP_SEQ:
      return a == b;
   case ATTILA_OP_SNE:
      return a != b;
   case ATTILA_OP_SGT:
      return a > b;
   case ATTILA_OP_SLE:
      return a <= b;
   case ATTILA_OP_CMP:
      return a < 0 ? b : c;
   case ATTILA_OP_CND:
      return a != 0 ? b : c;
   case ATTILA_OP_LRP:
      return a * b + (1 - a) * c;
   case ATTILA_OP_FRC:
      return a - floorf(a);
   case ATTILA_OP_FLR:
      return floorf(a);
   case ATTILA_OP_CEIL:
      return ceilf(a);
   case ATTILA_OP_TRUNC:
      return truncf(a);
   case ATTILA_OP_ROUND:
      return rintf(a);
   case ATTILA_OP_SSG:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
   default:
      fail_msg("no reference for %s", attila_isa_ops[op].name);
      return 0;
   }
}

/* What the test's texture returns. */
static void
texture(unsigned op, unsigned unit, const float coord[3], float ref, float lod, const float dx[3],
        const float dy[3], float result[4])
{
   result[0] = coord[0] * 0.5f + (float)unit;
   result[1] = coord[1] - coord[2];
   result[2] = ref + lod * 2.0f;
   result[3] = op == ATTILA_OP_TXD ? dx[0] + dy[1] - dx[2] + dy[2] : 1.0f;
}

static void
execute_texture(struct lane *l, const struct attila_isa_instr *in)
{
   float coord[4], dx[3] = {0}, dy[3] = {0}, lod = 0, result[4];
   for (unsigned c = 0; c < 4; c++)
      coord[c] = read_component(l, &in->src[0], c);
   for (unsigned c = 0; c < 3 && in->op == ATTILA_OP_TXP; c++)
      coord[c] /= coord[3];
   if (in->op == ATTILA_OP_TXB || in->op == ATTILA_OP_TXL)
      lod = read_component(l, &in->src[1], 0);
   for (unsigned c = 0; c < 3 && in->op == ATTILA_OP_TXD; c++) {
      dx[c] = read_component(l, &in->src[1], c);
      dy[c] = read_component(l, &in->src[2], c);
   }
   texture(in->op, in->tex_unit, coord,
           in->tex_shadow ? coord[attila_isa_tex_ref_component(in->tex_target)] : 0, lod, dx, dy,
           result);
   write_result(l, &in->dst, result);
}

static int32_t
to_address(float f)
{
   f = floorf(f);
   return isnan(f)             ? 0
          : f >= 2147483648.0f ? INT32_MAX
          : f < -2147483648.0f ? INT32_MIN
                               : (int32_t)f;
}

static void
execute(struct lane *l, const struct attila_isa_instr *in)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   float s[3][4] = {{0}}, v[4] = {0};
   if (info->cls == ATTILA_CLASS_TEXTURE) {
      execute_texture(l, in);
      return;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      for (unsigned c = 0; c < 4; c++)
         s[i][c] = read_component(l, &in->src[i], c);
   }
   const float *a = s[0], *b = s[1];
   float dot2 = a[0] * b[0] + a[1] * b[1], dot3 = dot2 + a[2] * b[2];
   for (unsigned c = 0; c < 4; c++) {
      switch (in->op) {
      case ATTILA_OP_DP2:
         v[c] = dot2;
         break;
      case ATTILA_OP_DP3:
         v[c] = dot3;
         break;
      case ATTILA_OP_DP4:
         v[c] = dot3 + a[3] * b[3];
         break;
      case ATTILA_OP_DPH:
         v[c] = dot3 + b[3];
         break;
      case ATTILA_OP_RCP:
         v[c] = 1 / a[0];
         break;
      case ATTILA_OP_RSQ:
         v[c] = 1 / sqrtf(fabsf(a[0]));
         break;
      case ATTILA_OP_SQRT:
         v[c] = sqrtf(a[0]);
         break;
      case ATTILA_OP_DST:
         v[c] = c == 0 ? 1 : c == 1 ? a[1] * b[1] : c == 2 ? a[2] : b[3];
         break;
      case ATTILA_OP_XPD:
         v[c] = c == 3 ? 0 : a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
         break;
      case ATTILA_OP_ARL:
         if (in->dst.write_mask >> c & 1)
            l->address[c] = to_address(a[c]);
         break;
      default:
         v[c] = one_component(in->op, s[0][c], s[1][c], s[2][c]);
         break;
      }
   }
   if (in->op != ATTILA_OP_ARL)
      write_result(l, &in->dst, v);
}

/* First instruction at the same level from i on that is one of two opcodes. */
static uint32_t
find(const struct attila_isa_program *p, uint32_t i, unsigned op1, unsigned op2)
{
   unsigned depth = 0;
   for (;; i++) {
      unsigned op = p->instrs[i].op;
      if (depth == 0 && (op == op1 || op == op2))
         return i;
      depth += op == ATTILA_OP_IF || op == ATTILA_OP_LOOP;
      depth -= op == ATTILA_OP_ENDIF || op == ATTILA_OP_ENDLOOP;
   }
}

static enum outcome
interpret(struct lane *l, uint32_t i, uint32_t end)
{
   const struct attila_isa_program *p = l->p;
   for (; i < end; i++) {
      const struct attila_isa_instr *in = &p->instrs[i];
      enum outcome o = GO_ON;
      if (in->op == ATTILA_OP_BRK || in->op == ATTILA_OP_CONT)
         return in->op == ATTILA_OP_BRK ? BREAK : CONTINUE;
      if (in->op == ATTILA_OP_IF) {
         bool taken = read_component(l, &in->src[0], 0) != 0;
         uint32_t other = find(p, i + 1, ATTILA_OP_ELSE, ATTILA_OP_ENDIF);
         uint32_t endif = p->instrs[other].op == ATTILA_OP_ELSE
                              ? find(p, other + 1, ATTILA_OP_ENDIF, ATTILA_OP_ENDIF)
                              : other;
         o = taken            ? interpret(l, i + 1, other)
             : other == endif ? GO_ON
                              : interpret(l, other + 1, endif);
         i = endif;
      } else if (in->op == ATTILA_OP_LOOP) {
         uint32_t endloop = find(p, i + 1, ATTILA_OP_ENDLOOP, ATTILA_OP_ENDLOOP);
         while (interpret(l, i + 1, endloop) != BREAK)
            ;
         i = endloop;
      } else if (in->op == ATTILA_OP_KIL) {
         for (unsigned c = 0; c < 4; c++)
            l->killed |= read_component(l, &in->src[0], c) < 0;
      } else if (in->op == ATTILA_OP_KILC) {
         l->killed |= read_component(l, &in->src[0], 0) != 0;
      } else if (in->op != ATTILA_OP_NOP && in->op != ATTILA_OP_END) {
         execute(l, in);
      }
      if (o != GO_ON)
         return o;
   }
   return GO_ON;
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
   memset(texel, 0xff, sizeof(*texel)); /* lanes outside the mask must not matter */
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float coord[3], dx[3], dy[3], result[4];
      if (!(q->mask >> l & 1))
         continue;
      for (unsigned c = 0; c < 3; c++) {
         coord[c] = q->coord[c][l];
         dx[c] = q->ddx[c][l];
         dy[c] = q->ddy[c][l];
      }
      bool lod = q->op == ATTILA_OP_TXB || q->op == ATTILA_OP_TXL;
      texture(q->op, q->unit, coord, q->shadow ? q->ref[l] : 0, lod ? q->lod[l] : 0, dx, dy,
              result);
      for (unsigned c = 0; c < 4; c++)
         texel->c[c][l] = result[c];
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
   emul_thread_start(&m->t, program, lanes, true);
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
         emul_thread_texture_result(&m->t, &texel);
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

static void
test_random_programs(void **state)
{
   (void)state;
   static const uint16_t groups[] = {0xffff, 0x000f, 0x00ff, 0x0fff, 0x0001, 0x07ff};
   unsigned diverged = 0, killed = 0, wrote = 0;
   for (unsigned n = 0; n < 1500; n++) {
      struct attila_isa_program p = random_program(false, true, n % 4 == 0, 5 + rnd(60));
      fill();
      for (unsigned e = 0; emul_exec_get(e); e++) {
         const char *name = emul_exec_get(e)->name;
         struct emul_program *program = emul_program_create_for(&p, emul_exec_get(e));
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
               compare_lane(&p, &ran, l, name);
         }
         killed += ran.t.killed != 0;
         emul_program_destroy(program);
      }
      diverged += p.uses_flow;
      wrote += p.outputs_written != 0;
      attila_isa_free(&p);
   }
   assert_true(diverged > 500 && killed > 200 && wrote > 1000);
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
test_derivatives(void **state)
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
test_endless_fragments(void **state)
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
test_endless_vertices(void **state)
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
test_hurry(void **state)
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
test_invalid_program(void **state)
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
test_issue_classes(void **state)
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
       cmocka_unit_test(test_random_programs),
       cmocka_unit_test(test_lighting_and_arb),
       cmocka_unit_test(test_derivatives),
       cmocka_unit_test(test_min_max_nan),
       cmocka_unit_test(test_endless_fragments),
       cmocka_unit_test(test_endless_vertices),
       cmocka_unit_test(test_hurry),
       cmocka_unit_test(test_invalid_program),
       cmocka_unit_test(test_issue_classes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
