/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The geometry stage by command streams, in both modes: which vertices of which primitive come to
 * it, what becomes of what it emits, constants of its own, what is counted, which draws are
 * refused. What was emitted is seen in the buffer that stream-out writes. Not here: EMIT and CUT of
 * one lane (test_shader_geometry), time (test_geometry_boxes). */
#include "stream_out_scene.h"

#define POINTS_OF(in, max, body) ".geometry " #in " 1 " #max "\n" body "END\n"

/* Input n of a vertex is its output n. */
static void
geometry(struct scene *c, const char *program)
{
   struct attila_cmd_geometry g = {.enable = 1};
   for (unsigned i = 0; i < ATTILA_MAX_GS_INPUTS; i++)
      g.input[i] = (uint8_t)i;
   stream_program(&c->s, ATTILA_STAGE_GEOMETRY, program);
   stream_command(&c->s, ATTILA_CMD_GEOMETRY, &g, sizeof(g) / 4);
}

/* Every vertex of a primitive as a point, in the order in which the program sees them. */
static void
vertices_come_in_opengls_order(void **unused)
{
   static const char *const programs[] = {
       [1] = POINTS_OF(1, 1, "MOV o1, i8\nMOV o0, i0\nEMIT\n"),
       [2] = POINTS_OF(2, 2, "MOV o1, i8\nMOV o0, i0\nEMIT\nMOV o1, i9\nEMIT\n"),
       [3] = POINTS_OF(3, 3, "MOV o1, i8\nMOV o0, i0\nEMIT\nMOV o1, i9\nEMIT\nMOV o1, i10\nEMIT\n"),
       [4] = POINTS_OF(4, 4,
                       "MOV o1, i8\nMOV o0, i0\nEMIT\nMOV o1, i9\nEMIT\nMOV o1, i10\nEMIT\n"
                       "MOV o1, i11\nEMIT\n"),
       [6] = POINTS_OF(6, 6,
                       "MOV o1, i8\nMOV o0, i0\nEMIT\nMOV o1, i9\nEMIT\nMOV o1, i10\nEMIT\n"
                       "MOV o1, i11\nEMIT\nMOV o1, i12\nEMIT\nMOV o1, i13\nEMIT\n"),
   };
   static const struct {
      unsigned prim, count, in;
      const char *order;
   } cases[] = {
       {ATTILA_PRIM_POINTS, 3, 1, "012"},
       {ATTILA_PRIM_LINES, 5, 2, "0123"},
       {ATTILA_PRIM_LINE_STRIP, 4, 2, "011223"},
       {ATTILA_PRIM_LINE_LOOP, 3, 2, "011220"},
       {ATTILA_PRIM_TRIANGLES, 7, 3, "012345"},
       {ATTILA_PRIM_TRIANGLE_STRIP, 6, 3, "012213234435"},
       {ATTILA_PRIM_TRIANGLE_FAN, 5, 3, "012023034"},
       {ATTILA_PRIM_LINES_ADJACENCY, 9, 4, "01234567"},
       {ATTILA_PRIM_LINES_ADJACENCY, 9, 2, "1256"},
       {ATTILA_PRIM_LINE_STRIP_ADJACENCY, 6, 4, "012312342345"},
       {ATTILA_PRIM_TRIANGLES_ADJACENCY, 12, 6, "0123456789ab"},
       {ATTILA_PRIM_TRIANGLES_ADJACENCY, 12, 3, "02468a"},
       {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, 10, 6, "012643402568426987"},
   };
   for (unsigned i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
      struct scene c;
      start(&c);
      c.s.regs.flatshade_first = i & 1; /* what provokes does not matter */
      geometry(&c, programs[cases[i / 2].in]);
      write_numbers(&c, ROOM);
      draw(&c, cases[i / 2].prim, 0, cases[i / 2].count);
      uint8_t *memory = run(&c);
      check_numbers(&c, memory, cases[i / 2].order);
      free(memory);
   }
}

/* Emits o1 = l0.x, l0.y, ... as a strip, with CUT where the text has one. */
static void
emit_strip(struct scene *c, unsigned out, const char *vertices)
{
   char text[1024];
   int n = snprintf(text, sizeof(text), ".geometry 1 %u 16\n", out);
   unsigned num = 0;
   for (const char *v = vertices; *v; v++) {
      if (*v != '|')
         n += snprintf(text + n, sizeof(text) - (size_t)n, ".literal %c, 0, 0, 0\n", *v);
   }
   n += snprintf(text + n, sizeof(text) - (size_t)n, "MOV o0, i0\n");
   for (const char *v = vertices; *v; v++) {
      if (*v == '|')
         n += snprintf(text + n, sizeof(text) - (size_t)n, "CUT\n");
      else
         n += snprintf(text + n, sizeof(text) - (size_t)n, "MOV o1, l%u\nEMIT\n", num++);
   }
   snprintf(text + n, sizeof(text) - (size_t)n, "END\n");
   geometry(c, text);
}

/* Strips as OpenGL has them; those that are too short are dropped, and a strip ends with its
 * program. */
static void
strips_become_primitives(void **unused)
{
   static const struct {
      unsigned out;
      bool first;
      const char *emitted, *order;
   } cases[] = {
       {1, 0, "12|3", "123123"},
       {2, 0, "123|4|56", "122356122356"},
       {2, 1, "123|4|56", "122356122356"},
       {3, 0, "123456", "123324345546123324345546"},
       {3, 1, "12345", "123243345123243345"},
       {3, 0, "123|45|6789", "123678879123678879"},
       {3, 0, "12", ""},
       {3, 0, "", ""},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct scene c;
      start(&c);
      c.s.regs.flatshade_first = cases[i].first;
      emit_strip(&c, cases[i].out, cases[i].emitted);
      write_numbers(&c, ROOM);
      draw(&c, ATTILA_PRIM_POINTS, 0, 2);
      uint8_t *memory = run(&c);
      check_numbers(&c, memory, cases[i].order);
      free(memory);
   }
}

/* A primitive's number begins again with an instance; how many came, were made, were written. */
static void
primitives_are_numbered_and_counted(void **unused)
{
   struct scene c;
   start(&c);
   geometry(&c, ".geometry 1 2 3\nMOV o0, i0\nI2F o1.x, i7.x\nEMIT\nEMIT\nEMIT\nEND\n");
   write_numbers(&c, 4 * 13); /* of 8 lines 6 fit */
   stream_regs(&c.s);
   const struct attila_cmd_draw d = {
       .prim = ATTILA_PRIM_POINTS, .count = 2, .start = 3, .num_instances = 2};
   stream_command(&c.s, ATTILA_CMD_DRAW, &d, sizeof(d) / 4);
   static const struct {
      uint32_t counter;
      uint64_t value;
   } counts[] = {
       {ATTILA_COUNTER_IA_PRIMITIVES, 4},    {ATTILA_COUNTER_GS_INVOCATIONS, 4},
       {ATTILA_COUNTER_GS_PRIMITIVES, 8},    {ATTILA_COUNTER_STREAM_PRIMITIVES, 8},
       {ATTILA_COUNTER_STREAM_WRITTEN, 6},   {ATTILA_COUNTER_STREAM_BYTES_0, 48},
       {ATTILA_COUNTER_CLIP_INVOCATIONS, 0},
   };
   uint32_t at[sizeof(counts) / sizeof(counts[0])];
   for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
      at[i] = stream_counter(&c.s, counts[i].counter);
   uint8_t *memory = run(&c);
   check_numbers(&c, memory, "000011110000");
   for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
      assert_int_equal(counter(memory, at[i]), counts[i].value);
   free(memory);
}

/* More primitives than a group has lanes, each with another number of vertices, leave in order. */
static void
primitives_leave_in_order(void **unused)
{
   struct scene c;
   char expected[200], *e = expected;
   start(&c);
   /* Vertex v emits v % 4 points. */
   geometry(&c, ".geometry 1 1 3\n.literal 0.25, 4, 1, 0\n.temps 2\nMOV o0, i0\nMOV o1, i8\n"
                "MUL r0.x, i8.x, l0.x\nFRC r0.x, r0.x\nMUL r0.x, r0.x, l0.y\nMOV r0.y, l0.w\n"
                "LOOP\nSGE r1.x, r0.y, r0.x\nIF r1.x\nBRK\nENDIF\nEMIT\nADD r0.y, r0.y, l0.z\n"
                "ENDLOOP\nEND\n");
   write_numbers(&c, ROOM);
   for (unsigned n = 0; n < 5; n++) {
      draw(&c, ATTILA_PRIM_POINTS, 0, 12);
      for (unsigned v = 0; v < 12; v++) {
         for (unsigned k = 0; k < v % 4; k++)
            *e++ = (char)(v < 10 ? '0' + v : 'a' + v - 10);
      }
   }
   *e = 0;
   uint8_t *memory = run(&c);
   check_numbers(&c, memory, expected);
   free(memory);
}

/* Constants, a constant buffer and inputs that the vertex program does not write. Off again, the
 * draw has the vertex program's vertices. */
static void
the_stage_has_constants_of_its_own(void **unused)
{
   static const uint32_t words[4] = {0, 0x40400000, 0, 0}; /* 3 */
   struct scene c;
   start(&c);
   geometry(&c, ".geometry 1 1 5\n.literal 4, 0, 0, 0\nMOV o0, i0\nMOV o1, c1\nEMIT\nF2I r0, l0\n"
                "LDC o1.x, r0.x, r0.y\nEMIT\nMOV o1, i24.x\nEMIT\nMOV o1, i24.w\nEMIT\nEND\n");
   const struct {
      uint32_t stage, first;
      float v[4];
   } consts[] = {{ATTILA_STAGE_GEOMETRY, 1, {2}}, {ATTILA_STAGE_VERTEX, 1, {8}}};
   for (unsigned i = 0; i < 2; i++)
      stream_command(&c.s, ATTILA_CMD_WRITE_CONSTS, &consts[i], 6);
   const uint32_t bind[4] = {ATTILA_STAGE_GEOMETRY, 0, stream_upload(&c.s, words, sizeof(words)),
                             sizeof(words)};
   stream_command(&c.s, ATTILA_CMD_CONST_BUFFERS, bind, 4);
   write_numbers(&c, ROOM);
   draw(&c, ATTILA_PRIM_POINTS, 6, 1);
   static const struct attila_cmd_geometry off;
   stream_command(&c.s, ATTILA_CMD_GEOMETRY, &off, sizeof(off) / 4);
   draw(&c, ATTILA_PRIM_POINTS, 6, 1);
   uint8_t *memory = run(&c);
   check_numbers(&c, memory, "23016");
   free(memory);
}

/* A point that becomes a square has the pixels of two triangles; flat values are those of the
 * vertex that provokes. */
static void
what_is_emitted_is_drawn(void **unused)
{
   uint8_t *memory[2];
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      struct stream *s = &c[i].s;
      static const float corner[4][4] = {
          {-.75f, -.5f, 0, 1}, {.5f, -.5f, 0, 1}, {-.75f, .75f, 0, 1}, {.5f, .75f, 0, 1}};
      start(&c[i]);
      s->regs.rasterizer_discard = 0;
      stream_regs(s);
      stream_clear(s, 0, 0, 0, 0, 1, 0);
      if (i) {
         geometry(&c[i], ".geometry 1 3 4\n.literal -0.75, -0.5, 0, 1\n.literal 0.5, 0.75, 0, 1\n"
                         "MOV o0, l0\nMOV o1, l0\nEMIT\nMOV o0.x, l1\nMOV o1.x, l1\nEMIT\n"
                         "MOV o0, l1\nMOV o0.x, l0\nMOV o1, l1\nMOV o1.x, l0\nEMIT\n"
                         "MOV o0, l1\nMOV o1, l1\nEMIT\nEND\n");
         draw(&c[i], ATTILA_PRIM_POINTS, 0, 1);
      } else {
         stream_attrib(s, 0, corner[0], 4, 4);
         draw(&c[i], ATTILA_PRIM_TRIANGLE_STRIP, 0, 4);
      }
      stream_flush(s);
      memory[i] = run(&c[i]);
   }
   const uint32_t at = c[0].s.regs.color[0].address;
   assert_memory_equal(memory[0] + at, memory[1] + c[1].s.regs.color[0].address, 16 * 16 * 4);
   unsigned drawn = 0;
   for (unsigned p = 0; p < 16 * 16; p++)
      drawn += memory[1][c[1].s.regs.color[0].address + 4 * p] != 0;
   assert_in_range(drawn, 20, 200);
   free(memory[0]);
   free(memory[1]);
}

/* Without a program, or with primitives that it does not take, nothing is drawn; without a fragment
 * of it to see, a program need not write a position. */
static void
draws_that_do_not_fit_are_skipped(void **unused)
{
   struct scene c;
   start(&c);
   geometry(&c, POINTS_OF(3, 3, "MOV o1, i8\nEMIT\n"));
   write_numbers(&c, ROOM);
   draw(&c, ATTILA_PRIM_LINES, 0, 12);
   draw(&c, ATTILA_PRIM_TRIANGLES, 3, 3);
   c.s.regs.rasterizer_discard = 0;
   draw(&c, ATTILA_PRIM_TRIANGLES, 6, 3);
   uint8_t *memory = run(&c);
   check_numbers(&c, memory, "3");
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(vertices_come_in_opengls_order),
       cmocka_unit_test(strips_become_primitives),
       cmocka_unit_test(primitives_are_numbered_and_counted),
       cmocka_unit_test(primitives_leave_in_order),
       cmocka_unit_test(the_stage_has_constants_of_its_own),
       cmocka_unit_test(what_is_emitted_is_drawn),
       cmocka_unit_test(draws_that_do_not_fit_are_skipped),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
