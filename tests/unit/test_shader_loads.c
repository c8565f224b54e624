/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * LDC in the shader emulator, on every instruction set of the host: values from memory, limits,
 * lanes that do not execute, ways to write the result; by steps and as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"

#define MEMORY 8192
#define TEMPS 4

static uint8_t memory[MEMORY];
static const struct emul_const_buffer buffers[ATTILA_MAX_CONST_BUFFERS] =
    {{1024, 512}, {48, 20}, {0, 0}, [13] = {4096, 4096}};

struct machine {
   struct emul_thread t;
   struct emul_vec4 temps[TEMPS], in[2], out[1];
};

static uint32_t
hash(uint32_t x)
{
   x = (x ^ 61) * 0x9e3779b1u;
   return x ^ x >> 15;
}

static void
put(float *where, uint32_t bits)
{
   memcpy(where, &bits, 4);
}

static uint32_t
get(const float *where)
{
   uint32_t bits;
   memcpy(&bits, where, 4);
   return bits;
}

/* What word c behind byte offset of a buffer is. */
static uint32_t
word(uint32_t buffer, uint32_t offset, unsigned c)
{
   uint32_t value = 0;
   const uint64_t first = (uint64_t)(offset & ~3u) + 4 * c;
   if (buffer < ATTILA_MAX_CONST_BUFFERS && first + 4 <= buffers[buffer].size)
      memcpy(&value, memory + buffers[buffer].address + first, 4);
   return value;
}

static struct emul_program *
program(const char *text, const struct emul_exec *exec)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s", error);
   assert_true(isa.uses_loads);
   struct emul_program *p = emul_program_create_for(&isa, exec);
   assert_non_null(p);
   attila_isa_free(&isa);
   return p;
}

/* Input 0 is the offset, buffer, condition and address of each lane. */
static void
start(struct machine *m, const struct emul_program *p, uint16_t lanes, unsigned round)
{
   static const uint32_t numbers[] = {0, 0, 13, 1, 2, 14, UINT32_MAX, 13};
   memset(m, 0xff, sizeof(*m));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const uint32_t h = hash(round * 16 + (round % 3 ? l : 0));
      put(&m->in[0].c[0][l], round % 7 == 6 ? h : h % 560);
      put(&m->in[0].c[1][l], numbers[h >> 8 & 7]);
      m->in[0].c[2][l] = (float)(h >> 12 & 1);
      m->in[0].c[3][l] = (float)(h >> 14 & 1);
   }
   m->t.temps = m->temps;
   m->t.inputs = m->in;
   m->t.outputs = m->out;
   m->t.buffers = buffers;
   m->t.memory = memory;
   emul_thread_start(&m->t, p, lanes, true, 1u << 16);
}

static void
step_all(struct machine *m)
{
   for (;;) {
      const enum emul_step step = emul_thread_step(&m->t);
      if (step == EMUL_STEP_END)
         return;
      if (step == EMUL_STEP_LOAD) {
         struct emul_vec4 result;
         memset(&result, 0, sizeof(result));
         /* In pieces, as the cache reads them. */
         for (uint32_t at = 0; at < MEMORY; at += 16)
            emul_load_words(&m->t.load, at, at + 16, memory + at, &result);
         emul_thread_result(&m->t, &result);
      } else {
         assert_int_equal(step, EMUL_STEP_NEXT);
      }
   }
}

/* Runs a program in rounds of offsets; expect says what component c of output 0 is. */
static void
check(const char *text, uint32_t (*expect)(const struct machine *m, unsigned l, unsigned c))
{
   static struct machine ran, stepped;
   const struct emul_exec *exec;
   for (unsigned n = 0; (exec = emul_exec_get(n)); n++) {
      struct emul_program *p = program(text, exec);
      for (unsigned round = 0; round < 40; round++) {
         const uint16_t lanes = round % 2 ? 0xffff : 0x7ff;
         start(&ran, p, lanes, round);
         start(&stepped, p, lanes, round);
         assert_int_equal(emul_thread_run(&ran.t, NULL, NULL), EMUL_STEP_END);
         step_all(&stepped);
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            for (unsigned c = 0; c < 4 && (lanes >> l & 1); c++) {
               const uint32_t want = expect(&ran, l, c);
               if (get(&ran.out[0].c[c][l]) != want || get(&stepped.out[0].c[c][l]) != want)
                  fail_msg("%s round %u lane %u component %u: 0x%x, by steps 0x%x, not 0x%x",
                           exec->name, round, l, c, get(&ran.out[0].c[c][l]),
                           get(&stepped.out[0].c[c][l]), want);
            }
         }
      }
      emul_program_destroy(p);
   }
}

static uint32_t
word_of(const struct machine *m, unsigned l, unsigned c)
{
   return word(get(&m->in[0].c[1][l]), get(&m->in[0].c[0][l]), c);
}

static void
a_load_reads_the_words_of_each_lane_and_zeros_outside(void **state)
{
   (void)state;
   check(".fragment\nLDC r0, i0.x, i0.y\nMOV o0, r0\nEND\n", word_of);
   check(".fragment\nLDC o0, i0.x, i0.y\nEND\n", word_of);
}

static uint32_t
second_word(const struct machine *m, unsigned l, unsigned c)
{
   return c == 1 ? word_of(m, l, 1) : 0;
}

static void
components_that_are_not_written_stay(void **state)
{
   (void)state;
   check(".fragment\n.literal 0, 0, 0, 0\nMOV r0, l0\nLDC r0.y, i0.x, i0.y\nMOV o0, "
         "r0\nEND\n",
         second_word);
}

static uint32_t
word_if(const struct machine *m, unsigned l, unsigned c)
{
   return m->in[0].c[2][l] != 0 ? word_of(m, l, c) : 0;
}

static void
lanes_that_do_not_execute_load_nothing(void **state)
{
   (void)state;
   check(".fragment\n.literal 0, 0, 0, 0\nMOV r0, l0\nIF i0.z\nLDC r0, i0.x, "
         "i0.y\nENDIF\nMOV o0, r0\nEND\n",
         word_if);
}

static uint32_t
word_at_address(const struct machine *m, unsigned l, unsigned c)
{
   return m->in[0].c[3][l] != 0 ? word_of(m, l, c) : 0;
}

static void
a_destination_may_be_relative(void **state)
{
   (void)state;
   check(".fragment\n.temps 4\n.literal 0, 0, 0, 0\nMOV r2, l0\nARL a0.x, i0.w\nLDC "
         "r[a0.x+1], i0.x, i0.y\nMOV o0, r2\nEND\n",
         word_at_address);
}

static uint32_t
saturated(const struct machine *m, unsigned l, unsigned c)
{
   const uint32_t bits = word_of(m, l, c);
   float f;
   memcpy(&f, &bits, 4);
   const float want = f > 0 ? (f < 1 ? f : 1) : 0;
   uint32_t out;
   memcpy(&out, &want, 4);
   return out;
}

static void
a_result_may_be_saturated(void **state)
{
   (void)state;
   check(".fragment\nLDC_SAT r0, i0.x, i0.y\nMOV o0, r0\nEND\n", saturated);
}

static void
offset_and_buffer_may_have_modifiers_of_bits(void **state)
{
   (void)state;
   /* The sign bit goes, so what it says is another place. */
   static struct machine m;
   struct emul_program *p =
       program(".fragment\nLDC r0, |i0.x|, i0.y\nMOV o0, r0\nEND\n", emul_exec_get(0));
   start(&m, p, 0xffff, 1);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      put(&m.in[0].c[0][l], 0x80000000u + 4 * l);
      put(&m.in[0].c[1][l], 0);
   }
   emul_thread_run(&m.t, NULL, NULL);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      assert_int_equal(get(&m.out[0].c[0][l]), word(0, 4 * l, 0));
   emul_program_destroy(p);
}

int
main(void)
{
   for (unsigned i = 0; i < MEMORY; i += 4) {
      const uint32_t h = hash(i + 77);
      float f = (float)(h % 4001) / 1000.0f - 2.0f;
      memcpy(memory + i, &f, 4);
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(a_load_reads_the_words_of_each_lane_and_zeros_outside),
       cmocka_unit_test(components_that_are_not_written_stay),
       cmocka_unit_test(lanes_that_do_not_execute_load_nothing),
       cmocka_unit_test(a_destination_may_be_relative),
       cmocka_unit_test(a_result_may_be_saturated),
       cmocka_unit_test(offset_and_buffer_may_have_modifiers_of_bits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
