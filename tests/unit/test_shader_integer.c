/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Integer instructions, bit for bit, in every variant of the emulator: answers worked out by hand,
 * and all pairs of awkward operands beside the plain interpreter. Random programs with them are in
 * test_shader.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/sim_fp.h"
#include "shader_interpreter.h"

static const struct {
   const char *op;
   uint32_t a, b, result;
} answers[] = {
    {"IADD", 0x7fffffff, 1, 0x80000000},
    {"IADD", 0xffffffff, 2, 1},
    {"ISUB", 0, 1, 0xffffffff},
    {"ISUB", 0x80000000, 1, 0x7fffffff},
    {"IMUL", 0xffffffff, 7, 0xfffffff9},
    {"IMUL", 0x10001, 0x10001, 0x20001},
    {"AND", 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {"OR", 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {"XOR", 0xff00ff00, 0xffffffff, 0x00ff00ff},
    {"SHL", 1, 31, 0x80000000},
    {"SHL", 5, 32, 5},
    {"ISHR", 0x80000000, 31, 0xffffffff},
    {"ISHR", 0x80000000, 33, 0xc0000000},
    {"USHR", 0x80000000, 31, 1},
    {"USHR", 0x80000000, 0xffffffff, 1},
    {"IMIN", 0x80000000, 0x7fffffff, 0x80000000},
    {"IMAX", 0x80000000, 0x7fffffff, 0x7fffffff},
    {"UMIN", 0x80000000, 0x7fffffff, 0x7fffffff},
    {"UMAX", 0x80000000, 0x7fffffff, 0x80000000},
    /* NaNs of other bits are other integers; +0 and -0, too. */
    {"IEQ", 0x7fc00001, 0x7fc00001, 0x3f800000},
    {"IEQ", 0, 0x80000000, 0},
    {"INE", 0x7fc00001, 0xffc00001, 0x3f800000},
    {"INE", 3, 3, 0},
    {"ILT", 0xffffffff, 0, 0x3f800000},
    {"ILT", 0, 0, 0},
    {"IGE", 0x80000000, 0x7fffffff, 0},
    {"IGE", 5, 5, 0x3f800000},
    {"ULT", 0, 0xffffffff, 0x3f800000},
    {"ULT", 0xffffffff, 0, 0},
    {"UGE", 0xffffffff, 0, 0x3f800000},
    {"UGE", 0, 1, 0},
    {"I2F", 0xffffffff, 0, 0xbf800000},
    {"I2F", 0x80000000, 0, 0xcf000000},
    {"I2F", 16777217, 0, 0x4b800000}, /* halves to even */
    {"I2F", 16777219, 0, 0x4b800002},
    {"U2F", 0xffffffff, 0, 0x4f800000},
    {"U2F", 0x80000080, 0, 0x4f000000}, /* 2^31 + 2^7: to even */
    {"U2F", 0x80000081, 0, 0x4f000001},
    {"F2I", 0xbfc00000, 0, 0xffffffff}, /* -1.5 */
    {"F2I", 0x4f000000, 0, 0x7fffffff},
    {"F2I", 0xcf000001, 0, 0x80000000},
    {"F2I", 0x7fc00000, 0, 0},
    {"F2I", 0xff800000, 0, 0x80000000},
    {"F2U", 0xbf800000, 0, 0},
    {"F2U", 0x4f7fffff, 0, 0xffffff00},
    {"F2U", 0x4f000000, 0, 0x80000000},
    {"F2U", 0x4f800000, 0, 0xffffffff},
    {"F2U", 0x7fc00000, 0, 0},
};

static const uint32_t awkward[] = {
    0,          1,          2,          3,          31,         32,         33,         0x7f,
    0x80,       0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
    0x00ffffff, 0x01000001, 0x3f800000, 0xbf000000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
    0xcf000000, 0xcf000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000400, 0x55555555,
};
#define NUM_AWKWARD (sizeof(awkward) / sizeof(awkward[0]))
#define NUM_PAIRS (NUM_AWKWARD * NUM_AWKWARD)

static struct emul_thread thread;
static struct emul_vec4 temps[8], in[32], out[32];
static float consts[ATTILA_MAX_CONSTS][4];

/* Runs a program of operands i0 and i1 in a variant. */
static void
run(const struct emul_program *program, uint16_t exec)
{
   memset(temps, 0xff, sizeof(temps));
   memset(out, 0xff, sizeof(out));
   thread.temps = temps;
   thread.inputs = in;
   thread.outputs = out;
   thread.consts = (const float(*)[4])consts;
   const sim_fp_state before = sim_fp_enter();
   emul_thread_start(&thread, program, 0xffff, true, 1u << 16);
   thread.exec = exec;
   assert_int_equal(emul_thread_run(&thread, NULL, NULL), EMUL_STEP_END);
   sim_fp_leave(before);
}

static void
put(struct emul_vec4 *reg, unsigned c, unsigned lane, uint32_t bits)
{
   memcpy(&reg->c[c][lane], &bits, 4);
}

static uint32_t
get(const struct emul_vec4 *reg, unsigned c, unsigned lane)
{
   uint32_t bits;
   memcpy(&bits, &reg->c[c][lane], 4);
   return bits;
}

static struct attila_isa_program
assemble(const char *format, const char *op, const char *operands)
{
   struct attila_isa_program p;
   char error[128], text[256];
   snprintf(text, sizeof(text), format, op, operands);
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s: %s", text, error);
   return p;
}

static void
answers_by_hand(void **state)
{
   for (unsigned i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
      struct attila_isa_program one = assemble(".fragment\n%s o0, i0%s\nEND\n", answers[i].op,
                                               strchr(answers[i].op, '2') ? "" : ", i1");
      for (unsigned e = 0; emul_exec_get(e); e++) {
         struct emul_program *program = emul_program_create_for(&one, emul_exec_get(e));
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < EMUL_LANES; l++) {
               put(&in[0], c, l, answers[i].a);
               put(&in[1], c, l, answers[i].b);
            }
         }
         run(program, 0xffff);
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < EMUL_LANES; l++) {
               if (get(&out[0], c, l) != answers[i].result)
                  fail_msg("%s: %s 0x%x, 0x%x is 0x%x, not 0x%x", emul_exec_get(e)->name,
                           answers[i].op, answers[i].a, answers[i].b, get(&out[0], c, l),
                           answers[i].result);
            }
         }
         emul_program_destroy(program);
      }
      attila_isa_free(&one);
   }
}

/* Operands as they are and with modifiers, all lanes and some; o1 keeps what other lanes had. */
static void
check_pairs(const struct attila_isa_program *p, const struct emul_program *program,
            const char *variant, unsigned first)
{
   static struct lane lane;
   for (unsigned n = 0; n < 4 * EMUL_LANES; n++) {
      const unsigned pair = (first + n) % NUM_PAIRS;
      put(&in[0], n % 4, n / 4, awkward[pair % NUM_AWKWARD]);
      put(&in[1], n % 4, n / 4, awkward[pair / NUM_AWKWARD]);
   }
   const uint16_t exec = first % 128 ? 0xffff : 0x5a3c;
   run(program, exec);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      memset(&lane, 0, sizeof(lane));
      lane.p = p;
      lane.consts = (const float(*)[4])consts;
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned c = 0; c < 4; c++)
            lane.input[i][c] = in[i].c[c][l];
      }
      interpret(&lane, 0, p->num_instrs);
      for (unsigned n = 0; n < 8 && (exec >> l & 1); n++) {
         uint32_t want;
         memcpy(&want, &lane.output[n / 4][n % 4], 4);
         if (get(&out[n / 4], n % 4, l) != want)
            fail_msg("%s: 0x%x is not 0x%x, of 0x%x and 0x%x\n%s", variant,
                     get(&out[n / 4], n % 4, l), want, get(&in[0], n % 4, l), get(&in[1], n % 4, l),
                     attila_isa_disassemble(p));
      }
   }
}

static void
all_pairs_of_awkward_operands(void **state)
{
   for (unsigned op = 0; op < ATTILA_NUM_OPS; op++) {
      if (attila_isa_ops[op].cls != ATTILA_CLASS_INTEGER)
         continue;
      const bool two = attila_isa_ops[op].num_srcs == 2;
      char text[128];
      snprintf(text, sizeof(text), ".fragment\nMOV o1, i1\n%%s r0, i0%%s\n%s o1.xzw, -i0.wzyx%s\n",
               attila_isa_ops[op].name, two ? ", |i1|" : "");
      strcat(text, "MOV o0, r0\nEND\n");
      struct attila_isa_program p = assemble(text, attila_isa_ops[op].name, two ? ", i1" : "");
      for (unsigned e = 0; emul_exec_get(e); e++) {
         struct emul_program *program = emul_program_create_for(&p, emul_exec_get(e));
         for (unsigned first = 0; first < NUM_PAIRS; first += 4 * EMUL_LANES)
            check_pairs(&p, program, emul_exec_get(e)->name, first);
         emul_program_destroy(program);
      }
      attila_isa_free(&p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(answers_by_hand),
       cmocka_unit_test(all_pairs_of_awkward_operands),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
