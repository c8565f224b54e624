/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * EMIT and CUT in the shader emulator, on every instruction set of the host: what each lane emits,
 * its strips, its limit; inputs of vertices by number and by a relative index. Not here: who makes
 * primitives of it (test_geometry_stage), the text and the binary (test_isa). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/shader/emul_shader_program.h"

#define OUTPUTS 3
#define MAX 70 /* vertices, more than a word has bits */

static struct emul_vec4 inputs[ATTILA_GS_INPUT(4, 0)], outputs[ATTILA_ISA_MAX_OUTPUTS], temps[16];
static float consts[ATTILA_MAX_CONSTS][4];
static struct emul_emission emission[EMUL_LANES];
static float vertices[EMUL_LANES][MAX][OUTPUTS][4];

/* Input n of vertex v: 100 n + 10 v + component, and a thousand for each lane. */
static float
input(unsigned n, unsigned v, unsigned c, unsigned lane)
{
   return (float)(1000 * lane + 100 * n + 10 * v + c);
}

/* Runs a program on so many lanes with the n-th table of instruction functions; false: there is
 * none. */
static bool
run(const char *text, unsigned table, unsigned lanes)
{
   struct attila_isa_program isa;
   char error[128];
   const struct emul_exec *exec = emul_exec_get(table);
   if (!exec)
      return false;
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s in %s", error, text);
   struct emul_program *program = emul_program_create_for(&isa, exec);
   struct emul_thread t;
   memset(&t, 0x5a, sizeof(t));
   memset(outputs, 0x5a, sizeof(outputs));
   memset(vertices, 0x5a, sizeof(vertices));
   for (unsigned i = 0; i < ATTILA_GS_INPUT(4, 0); i++) {
      for (unsigned l = 0; l < 4 * EMUL_LANES; l++)
         inputs[i].c[l % 4][l / 4] = input(i / 8, i % 8, l % 4, l / 4);
   }
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      emission[l].out = vertices[l][0];
      emul_emission_start(&emission[l], OUTPUTS, isa.gs_max_vertices);
      t.emission[l] = &emission[l];
   }
   t.temps = temps;
   t.inputs = inputs;
   t.outputs = outputs;
   t.consts = consts;
   emul_thread_start(&t, program, (uint16_t)((1u << lanes) - 1), false, 1u << 16);
   assert_int_equal(emul_thread_run(&t, NULL, NULL), EMUL_STEP_END);
   emul_program_destroy(program);
   attila_isa_free(&isa);
   return true;
}

static bool
begins(unsigned lane, unsigned v)
{
   return emission[lane].begins[v / 32] >> v % 32 & 1;
}

/* Vertices as they come in leave as a strip; an output that is never written is 0, as is one that
 * is written later. */
static void
test_emitted_vertices_leave_as_a_strip(void **state)
{
   (void)state;
   for (unsigned table = 0;
        run(".geometry 3 3 3\nMOV o0, i0\nEMIT\nMOV o0, i1\nMOV o2.y, i9.y\nEMIT\nMOV o0, i2\n"
            "EMIT\nEND\n",
            table, 5);
        table++) {
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         assert_int_equal(emission[l].num, l < 5 ? 3 : 0);
         for (unsigned v = 0; v < 3 && l < 5; v++) {
            for (unsigned c = 0; c < 4; c++) {
               assert_float_equal(vertices[l][v][0][c], input(0, v, c, l), 0);
               assert_float_equal(vertices[l][v][1][c], 0, 0);
               assert_float_equal(vertices[l][v][2][c], c == 1 && v > 0 ? input(1, 1, 1, l) : 0, 0);
            }
            assert_int_equal(begins(l, v), v == 0);
         }
      }
   }
}

/* A relative index counts the vertices of one input, and stays among them. */
static void
test_relative_index_stays_in_the_primitive(void **state)
{
   (void)state;
   static const struct {
      const char *value;
      unsigned vertex;
   } cases[] = {{"-3", 0}, {"0", 0}, {"1", 1}, {"2", 2}, {"3", 2}, {"1000", 2}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char text[200];
      snprintf(text, sizeof(text),
               ".geometry 3 1 1\n.literal %s, 0, 0, 0\nARL a0.x, l0\nMOV o0, i[a0.x+16]\nEMIT\n"
               "END\n",
               cases[i].value);
      for (unsigned table = 0; run(text, table, 16); table++) {
         for (unsigned l = 0; l < EMUL_LANES; l++)
            assert_float_equal(vertices[l][0][0][3], input(2, cases[i].vertex, 3, l), 0);
      }
   }
}

/* CUT begins another strip with the next vertex, however often it is there. Lanes emit each for
 * itself: lane l emits l vertices. */
static void
test_cuts_by_lane(void **state)
{
   (void)state;
   for (unsigned table = 0; run(".geometry 1 2 70\n.literal 0, 1, 2, 1000\n.temps 2\n"
                                "MOV r0.x, l0.x\nLOOP\nMUL r0.y, r0.x, l0.w\nSGE r1.x, r0.y, i0.x\n"
                                "IF r1.x\nBRK\nENDIF\nMOV o0, r0.x\nEMIT\nSEQ r1.x, r0.x, l0.y\n"
                                "IF r1.x\nCUT\nCUT\nENDIF\nADD r0.x, r0.x, l0.y\nENDLOOP\nEND\n",
                                table, 16);
        table++) {
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         assert_int_equal(emission[l].num, l);
         for (unsigned v = 0; v < l; v++) {
            assert_float_equal(vertices[l][v][0][0], v, 0);
            assert_int_equal(begins(l, v), v == 0 || v == 2);
         }
      }
   }
}

/* What is emitted beyond the limit is dropped, and the strips of more vertices than a word has
 * bits. */
static void
test_vertices_beyond_the_limit_are_dropped(void **state)
{
   (void)state;
   for (unsigned table = 0;
        run(".geometry 1 3 70\n.literal 0, 1, 64, 200\n.temps 2\nMOV r0.x, l0.x\nLOOP\nSGE r1.x, "
            "r0.x, l0.w\nIF r1.x\nBRK\nENDIF\nSEQ r1.x, r0.x, l0.z\nIF r1.x\nCUT\nENDIF\nMOV o2, "
            "r0.x\nEMIT\nADD r0.x, r0.x, l0.y\nENDLOOP\nEND\n",
            table, 3);
        table++) {
      for (unsigned v = 0; v < MAX; v++) {
         assert_float_equal(vertices[2][v][2][0], v, 0);
         assert_int_equal(begins(2, v), v == 0 || v == 64);
      }
      assert_int_equal(emission[2].num, MAX);
   }
}

/* A lane that loops for ever emits nothing; the others do. */
static void
test_stopped_lane_emits_nothing(void **state)
{
   (void)state;
   for (unsigned table = 0;
        run(".geometry 1 1 8\n.literal 0, 0, 0, 2000\n.temps 1\nMOV o0, i0\nEMIT\nLOOP\nSNE r0.x, "
            "i0.x, l0.w\nIF r0.x\nBRK\nENDIF\nENDLOOP\nEMIT\nEND\n",
            table, 4);
        table++) {
      for (unsigned l = 0; l < 4; l++)
         assert_int_equal(emission[l].num, l == 2 ? 0 : 2);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_emitted_vertices_leave_as_a_strip),
       cmocka_unit_test(test_relative_index_stays_in_the_primitive),
       cmocka_unit_test(test_cuts_by_lane),
       cmocka_unit_test(test_vertices_beyond_the_limit_are_dropped),
       cmocka_unit_test(test_stopped_lane_emits_nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
