/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How long draws with a geometry stage take on a whole machine, against bounds by hand: a program
 * that passes primitives on, one that makes many of each, and what the size of the output buffer
 * does to programs that declare more or fewer vertices. The shape is that of the G80 and the GT200
 * (NVIDIA TB-04044-001: an output buffer six times larger helps the program that expands most).
 * Vertices are counted only, nothing is drawn. Not here: the boxes alone (test_geometry_boxes). */
#include "func_stream.h"

#define POINTS 2000

/* Cycles of points with a geometry program, or without one (NULL), on a machine; fragments are not
 * wanted. */
static uint64_t
cycles(const char *program, const char *machine)
{
   struct stream s;
   float data[POINTS][4];
   char error[512] = "";
   const char *const overrides[] = {machine};
   stream_start(&s, 16, 16, 1);
   for (unsigned i = 0; i < POINTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         data[i][c] = (float)(i % 17) / 17.0f;
   }
   stream_attrib(&s, 0, data[0], 4, POINTS);
   stream_program(&s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   s.regs.rasterizer_discard = 1;
   if (program) {
      struct attila_cmd_geometry g = {.enable = 1};
      for (unsigned i = 0; i < ATTILA_MAX_GS_INPUTS; i++)
         g.input[i] = (uint8_t)i;
      stream_program(&s, ATTILA_STAGE_GEOMETRY, program);
      stream_command(&s, ATTILA_CMD_GEOMETRY, &g, sizeof(g) / 4);
   }
   const uint32_t begin = stream_counter(&s, ATTILA_COUNTER_GPU_CYCLES);
   stream_draw(&s, ATTILA_PRIM_POINTS, 0, POINTS);
   const uint32_t end = stream_counter(&s, ATTILA_COUNTER_GPU_CYCLES);
   struct attila_sim_options options = {
       .mode = ATTILA_MODE_CYCLE, .overrides = overrides, .num_overrides = machine != NULL};
   struct attila_sim *sim = attila_sim_create(&options, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   assert_true(attila_sim_submit(sim, s.words, s.num));
   const uint64_t t = stream_read_counter(sim, end) - stream_read_counter(sim, begin);
   attila_sim_destroy(sim);
   free(s.words);
   return t;
}

/* A program that emits so many points of two outputs and declares that it may emit so many. */
static const char *
emits(unsigned vertices, unsigned declared)
{
   static char text[4096];
   int n = snprintf(text, sizeof(text), ".geometry 1 1 %u\nMOV o0, i0\nMOV o1, i8\n", declared);
   for (unsigned i = 0; i < vertices; i++)
      n += snprintf(text + n, sizeof(text) - (size_t)n, "EMIT\n");
   snprintf(text + n, sizeof(text) - (size_t)n, "END\n");
   return text;
}

/* Points that leave as they came take no longer than without the stage, but for its latency: each
 * of its boxes takes a primitive a cycle, and the streamer is no faster. */
static void
passing_on_costs_latency_only(void **state)
{
   const uint64_t without = cycles(NULL, NULL), with = cycles(emits(1, 1), NULL);
   (void)state;
   assert_in_range(with, without, without * 115 / 100 + 300);
}

/* Of a program that expands: a vertex leaves a cycle. */
static void
expansion_takes_a_cycle_for_a_vertex(void **state)
{
   (void)state;
   for (unsigned vertices = 8; vertices <= 32; vertices *= 2) {
      const uint64_t bound = POINTS * vertices,
                     t = cycles(emits(vertices, vertices), "GEOMETRYSTAGE.OutputBufferSize=262144");
      assert_in_range(t, bound, bound * 110 / 100 + 500);
   }
}

/* What is declared holds room: the more, the fewer primitives are in the shaders; a buffer six
 * times larger makes good for it, and matters little to a program that declares few. */
static void
declared_vertices_hold_room(void **state)
{
   static const char *const machines[] = {"GEOMETRYSTAGE.OutputBufferSize=2048",
                                          "GEOMETRYSTAGE.OutputBufferSize=12288"};
   uint64_t few[2], many[2];
   (void)state;
   for (unsigned m = 0; m < 2; m++) {
      few[m] = cycles(emits(4, 4), machines[m]);
      many[m] = cycles(emits(4, 60), machines[m]);
   }
   assert_true(many[0] > 2 * few[0]);
   assert_true(many[0] > many[1] * 3 / 2);
   assert_in_range(few[0], few[1], few[1] * 130 / 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(passing_on_costs_latency_only),
       cmocka_unit_test(expansion_takes_a_cycle_for_a_vertex),
       cmocka_unit_test(declared_vertices_hold_room),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
