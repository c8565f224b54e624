/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory instructions in the shader emulator, on every instruction set of the host, against a model
 * of each lane: loads, stores, all atomic operations, sizes; limits of buffers, lanes that do not
 * execute, that are helpers or were killed; the text and the binary form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"

#define MEMORY 4096
#define ROUNDS 60

static const struct emul_const_buffer storage[ATTILA_MAX_STORAGE_BUFFERS] =
    {{256, 64}, {1028, 20}, {0, 0}, [15] = {2048, 1024}};

struct machine {
   struct emul_thread t;
   struct emul_vec4 temps[4], in[3], out[1];
   uint8_t memory[MEMORY];
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

static struct attila_isa_program
assembled(const char *text)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s in %s", error, text);
   return isa;
}

/* Inputs: 0 has the byte, the buffer, a condition and whether the lane is killed; 1 and 2 data. */
static void
start(struct machine *m, const struct emul_program *p, unsigned round)
{
   static const uint32_t numbers[] = {0, 0, 15, 1, 2, 16, UINT32_MAX, 15};
   memset(m, 0, sizeof(*m));
   for (unsigned i = 0; i < MEMORY; i += 4) {
      const uint32_t word = hash(i + round);
      memcpy(m->memory + i, &word, 4);
   }
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const uint32_t h = hash(round * 16 + l);
      put(&m->in[0].c[0][l], round % 7 == 6 ? h : h % (round % 3 ? 80 : 16));
      put(&m->in[0].c[1][l], numbers[h >> 8 & 7]);
      m->in[0].c[2][l] = (float)(h >> 12 & 1);
      m->in[0].c[3][l] = h >> 14 & 1 ? -1.0f : 1.0f;
      for (unsigned c = 0; c < 4; c++)
         put(&m->in[1].c[c][l], round % 2 ? hash(h + c) : hash(h + c) % 3);
   }
   m->t.temps = m->temps;
   m->t.inputs = m->in;
   m->t.outputs = m->out;
   m->t.storage = storage;
   m->t.memory = m->memory;
   emul_thread_start(&m->t, p, round % 2 ? 0xffff : 0x7ff, true, 1u << 16);
   m->t.helpers = (uint16_t)(round % 5 == 4 ? 0x2412 : 0);
}

/* What the model of a lane does. */
struct model {
   uint8_t *memory;
   const struct machine *m;
   unsigned lane;
   uint32_t result[4];
   bool writes; /* the lane is there and lives */
};

static uint8_t *
word(const struct model *x, unsigned c)
{
   const uint32_t buffer = get(&x->m->in[0].c[1][x->lane]), byte = get(&x->m->in[0].c[0][x->lane]);
   const uint64_t at = (uint64_t)(byte & ~3u) + 4 * c;
   if (buffer >= ATTILA_MAX_STORAGE_BUFFERS || at + 4 > storage[buffer].size)
      return NULL;
   return x->memory + storage[buffer].address + at;
}

static uint32_t
datum(const struct model *x, unsigned c)
{
   return get(&x->m->in[1].c[c][x->lane]);
}

/* Runs a program and the model of its lanes in turn; compares memory and output 0. */
static void
check(const char *text, void (*lane)(struct model *x))
{
   static struct machine ran, stepped;
   static uint8_t memory[MEMORY];
   const struct emul_exec *exec;
   const struct attila_isa_program isa = assembled(text);
   assert_true(isa.uses_storage);
   for (unsigned n = 0; (exec = emul_exec_get(n)); n++) {
      struct emul_program *p = emul_program_create_for(&isa, exec);
      assert_non_null(p);
      for (unsigned round = 0; round < ROUNDS; round++) {
         start(&ran, p, round);
         start(&stepped, p, round);
         memcpy(memory, ran.memory, MEMORY);
         const uint16_t lanes = ran.t.lanes, helpers = ran.t.helpers;
         assert_int_equal(emul_thread_run(&ran.t, NULL, NULL), EMUL_STEP_END);
         for (enum emul_step step; (step = emul_thread_step(&stepped.t)) != EMUL_STEP_END;) {
            struct emul_vec4 result;
            if (step != EMUL_STEP_MEMORY)
               continue;
            emul_memory_execute(&stepped.t.request, stepped.memory, &result);
            if (attila_isa_ops[stepped.t.request.op].has_dst)
               emul_thread_result(&stepped.t, &result);
            else
               emul_thread_stored(&stepped.t);
         }
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            struct model x = {memory, &ran, l, {0}, (lanes & ~helpers) >> l & 1};
            if (!(lanes >> l & 1))
               continue;
            lane(&x);
            for (unsigned c = 0; c < 4; c++) {
               if (get(&ran.out[0].c[c][l]) != x.result[c] ||
                   get(&stepped.out[0].c[c][l]) != x.result[c])
                  fail_msg("%s, %s round %u lane %u component %u: 0x%x, by steps 0x%x, not 0x%x",
                           text, exec->name, round, l, c, get(&ran.out[0].c[c][l]),
                           get(&stepped.out[0].c[c][l]), x.result[c]);
            }
         }
         assert_memory_equal(ran.memory, memory, MEMORY);
         assert_memory_equal(stepped.memory, memory, MEMORY);
      }
      emul_program_destroy(p);
   }
   attila_isa_free((struct attila_isa_program *)&isa);
}

static void
load(struct model *x)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint8_t *at = word(x, c);
      if (at)
         memcpy(&x->result[c], at, 4);
   }
}

static void
a_load_reads_words_and_zeros_outside(void **state)
{
   (void)state;
   check(".fragment\nLDB r0, i0.x, i0.y\nMOV o0, r0\nEND\n", load);
   check(".fragment\nLDB o0, i0.x, i0.y\nEND\n", load);
}

static unsigned stored; /* words */

static void
store(struct model *x)
{
   for (unsigned c = 0; c < stored && x->writes; c++) {
      const uint32_t value = datum(x, c);
      uint8_t *at = word(x, c);
      if (at)
         memcpy(at, &value, 4);
   }
}

static void
a_store_writes_words_of_lanes_in_turn(void **state)
{
   (void)state;
   for (stored = 1; stored <= 4; stored++) {
      char text[96];
      snprintf(text, sizeof(text),
               ".fragment\n.literal 0, 0, 0, 0\nSTB i0.x, i0.y, i1, %u\nMOV o0, l0\nEND\n", stored);
      check(text, store);
   }
}

static void
store_where(struct model *x)
{
   x->writes &= x->m->in[0].c[2][x->lane] != 0;
   store(x);
}

static void
store_alive(struct model *x)
{
   x->writes &= !(x->m->in[0].c[3][x->lane] < 0);
   store(x);
}

static void
lanes_that_do_not_execute_or_were_killed_store_nothing(void **state)
{
   (void)state;
   stored = 2;
   check(".fragment\n.literal 0, 0, 0, 0\nIF i0.z\nSTB i0.x, i0.y, i1, 2\nENDIF\nMOV o0, l0\nEND\n",
         store_where);
   check(".fragment\n.literal 0, 0, 0, 0\nMOV o0, l0\nKIL i0.w\nSTB i0.x, i0.y, i1, 2\nEND\n",
         store_alive);
}

static enum attila_atomic operation;

/* Written anew, from the specification: not the emulator's table. */
static uint32_t
changed(uint32_t old, uint32_t data, uint32_t expected)
{
   switch (operation) {
   case ATTILA_ATOMIC_ADD:
      return old + data;
   case ATTILA_ATOMIC_UMIN:
      return data < old ? data : old;
   case ATTILA_ATOMIC_UMAX:
      return data > old ? data : old;
   case ATTILA_ATOMIC_IMIN:
      return (int32_t)data < (int32_t)old ? data : old;
   case ATTILA_ATOMIC_IMAX:
      return (int32_t)data > (int32_t)old ? data : old;
   case ATTILA_ATOMIC_AND:
      return old & data;
   case ATTILA_ATOMIC_OR:
      return old | data;
   case ATTILA_ATOMIC_XOR:
      return old ^ data;
   case ATTILA_ATOMIC_EXCHANGE:
      return data;
   default:
      return old == expected ? data : old;
   }
}

static void
change(struct model *x)
{
   uint8_t *at = word(x, 0);
   uint32_t old, value;
   if (!at || !x->writes)
      return;
   memcpy(&old, at, 4);
   value = changed(old, datum(x, 0), datum(x, 1));
   memcpy(at, &value, 4);
   for (unsigned c = 0; c < 4; c++)
      x->result[c] = old;
}

static void
change_only(struct model *x)
{
   change(x);
   memset(x->result, 0, sizeof(x->result));
}

static void
atomic_operations_change_words_of_lanes_in_turn(void **state)
{
   static const char *const names[ATTILA_NUM_ATOMICS] = {[ATTILA_ATOMIC_ADD] = "ADD",
                                                         [ATTILA_ATOMIC_UMIN] = "UMIN",
                                                         [ATTILA_ATOMIC_UMAX] = "UMAX",
                                                         [ATTILA_ATOMIC_IMIN] = "IMIN",
                                                         [ATTILA_ATOMIC_IMAX] = "IMAX",
                                                         [ATTILA_ATOMIC_AND] = "AND",
                                                         [ATTILA_ATOMIC_OR] = "OR",
                                                         [ATTILA_ATOMIC_XOR] = "XOR",
                                                         [ATTILA_ATOMIC_EXCHANGE] = "EXCHANGE",
                                                         [ATTILA_ATOMIC_COMPARE_SWAP] =
                                                             "COMPARE_SWAP"};
   (void)state;
   for (operation = 1; operation < ATTILA_NUM_ATOMICS; operation++) {
      char text[128];
      assert_non_null(names[operation]);
      snprintf(text, sizeof(text), ".fragment\nATOM o0, i0.x, i0.y, i1, %s\nEND\n",
               names[operation]);
      check(text, change);
      snprintf(text, sizeof(text),
               ".fragment\n.literal 0, 0, 0, 0\nRED i0.x, i0.y, i1, %s\nMOV o0, l0\nEND\n",
               names[operation]);
      check(text, change_only);
   }
}

static void
size(struct model *x)
{
   const uint32_t buffer = get(&x->m->in[0].c[1][x->lane]);
   for (unsigned c = 0; c < 4 && buffer < ATTILA_MAX_STORAGE_BUFFERS; c++)
      x->result[c] = storage[buffer].size;
}

static void
sizes_are_those_of_buffers(void **state)
{
   (void)state;
   check(".fragment\nSZB o0, i0.y\nEND\n", size);
}

static void
what_a_program_does_to_memory_is_known(void **state)
{
   static const struct {
      const char *text;
      bool uses, writes, order;
   } programs[] = {{"LDC r0, i0.x, i0.y", false, false, false},
                   {"LDB r0, i0.x, i0.y", true, false, false},
                   {"SZB r0, i0.x", true, false, false},
                   {"STB i0.x, i0.y, i1, 1", true, true, true},
                   {"RED i0.x, i0.y, i1, ADD", true, true, false},
                   {"RED i0.x, i0.y, i1, EXCHANGE", true, true, true},
                   {"RED i0.x, i0.y, i1, COMPARE_SWAP", true, true, true},
                   {"ATOM r0.x, i0.x, i0.y, i1, ADD", true, true, true}};
   (void)state;
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      char text[128];
      snprintf(text, sizeof(text), ".fragment\n%s\nEND\n", programs[i].text);
      struct attila_isa_program isa = assembled(text);
      assert_int_equal(isa.uses_storage, programs[i].uses);
      assert_int_equal(isa.writes_storage, programs[i].writes);
      assert_int_equal(isa.storage_order, programs[i].order);
      attila_isa_free(&isa);
   }
}

static void
text_and_binary_forms_keep_everything(void **state)
{
   static const char text[] = ".fragment\n.early\n.temps 1\nLDB r0.xy, i0.x, i0.y\n"
                              "STB i0.x, i0.y, i1, 3\nATOM r0.z, i0.x, i0.y, i1, COMPARE_SWAP\n"
                              "RED i0.x, i0.y, -i1, UMAX\nSZB r0.w, i0.x\nEND\n";
   char error[256];
   (void)state;
   struct attila_isa_program isa = assembled(text), again;
   assert_true(isa.early_tests);
   char *printed = attila_isa_disassemble(&isa);
   assert_string_equal(printed, text);
   void *binary = malloc(attila_isa_encoded_size(&isa));
   attila_isa_encode(&isa, binary);
   assert_true(
       attila_isa_decode(binary, attila_isa_encoded_size(&isa), &again, error, sizeof(error)));
   assert_true(again.early_tests);
   assert_int_equal(again.instrs[1].words, 3);
   assert_int_equal(again.instrs[2].atomic, ATTILA_ATOMIC_COMPARE_SWAP);
   assert_int_equal(again.instrs[3].atomic, ATTILA_ATOMIC_UMAX);
   attila_isa_free(&again);
   attila_isa_free(&isa);
   free(printed);
   free(binary);
}

static void
wrong_forms_are_refused(void **state)
{
   static const char *const wrong[] = {
       ".fragment\nSTB i0.x, i0.y, i1, 0\nEND\n",   ".fragment\nSTB i0.x, i0.y, i1, 5\nEND\n",
       ".fragment\nSTB i0.x, i0.y, i1\nEND\n",      ".fragment\nRED i0.x, i0.y, i1, FADD\nEND\n",
       ".fragment\nATOM r0, i0.x, i0.y, i1\nEND\n", ".vertex\n.early\nMOV o0, i0\nEND\n"};
   struct attila_isa_program isa;
   char error[256];
   (void)state;
   for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
      assert_false(attila_isa_assemble(wrong[i], &isa, error, sizeof(error)));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(a_load_reads_words_and_zeros_outside),
       cmocka_unit_test(a_store_writes_words_of_lanes_in_turn),
       cmocka_unit_test(lanes_that_do_not_execute_or_were_killed_store_nothing),
       cmocka_unit_test(atomic_operations_change_words_of_lanes_in_turn),
       cmocka_unit_test(sizes_are_those_of_buffers),
       cmocka_unit_test(what_a_program_does_to_memory_is_known),
       cmocka_unit_test(text_and_binary_forms_keep_everything),
       cmocka_unit_test(wrong_forms_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
