/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out by command streams, in both modes: which vertices of which primitive are written, in
 * which order, where; what does not fit; what is counted; appending, and draws with as many
 * vertices as were written. Time is in test_stream_boxes.c. */
#include "stream_out_scene.h"

/* OpenGL 4.6, table 10.1 and section 13.3.2; a triangle is turned so that its provoking vertex is
 * that of a triangle in a list. */
static void
vertices_are_written_in_opengls_order(void **unused)
{
   static const struct {
      unsigned prim, count;
      bool first;
      const char *order;
   } cases[] = {
       {ATTILA_PRIM_POINTS, 3, 0, "012"},
       {ATTILA_PRIM_LINES, 5, 0, "0123"},
       {ATTILA_PRIM_LINE_STRIP, 4, 0, "011223"},
       {ATTILA_PRIM_LINE_STRIP, 4, 1, "011223"},
       {ATTILA_PRIM_LINE_LOOP, 3, 0, "011220"},
       {ATTILA_PRIM_TRIANGLES, 7, 0, "012345"},
       {ATTILA_PRIM_TRIANGLES, 6, 1, "012345"},
       {ATTILA_PRIM_TRIANGLE_STRIP, 6, 0, "012213234435"},
       {ATTILA_PRIM_TRIANGLE_STRIP, 6, 1, "012132234354"},
       {ATTILA_PRIM_TRIANGLE_FAN, 5, 0, "012023034"},
       {ATTILA_PRIM_TRIANGLE_FAN, 5, 1, "120230340"},
       {ATTILA_PRIM_QUADS, 4, 0, "013123"},
       {ATTILA_PRIM_QUADS, 4, 1, "012023"},
       {ATTILA_PRIM_POLYGON, 5, 0, "120230340"},
       {ATTILA_PRIM_POLYGON, 5, 1, "012023034"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct scene c;
      start(&c);
      c.s.regs.flatshade_first = cases[i].first;
      write_numbers(&c, ROOM);
      draw(&c, cases[i].prim, 0, cases[i].count);
      uint8_t *memory = run(&c);
      check_numbers(&c, memory, cases[i].order);
      free(memory);
   }
}

/* Two buffers, one with gaps that keep what they held, and an output that the program does not
 * write. */
static void
outputs_go_where_the_table_says(void **unused)
{
   static const uint32_t stride[4] = {24, 0, 8};
   static const struct attila_stream_output o[] = {
       {.output = 1, .first = 1, .last = 3, .buffer = 0, .offset = 1},
       {.output = 2, .buffer = 2, .offset = 1},
       {.output = 9, .first = 3, .last = 3, .buffer = 2},
   };
   struct scene c;
   start(&c);
   const struct attila_stream_target t[3] = {
       {.address = c.target[0] + 4, .size = 400}, {0}, {.address = c.target[2] + 60, .size = 400}};
   outputs(&c, stride, o, 3);
   targets(&c, t, 3);
   draw(&c, ATTILA_PRIM_POINTS, 2, 5);
   const uint32_t bytes[2] = {stream_counter(&c.s, ATTILA_COUNTER_STREAM_BYTES_0),
                              stream_counter(&c.s, ATTILA_COUNTER_STREAM_BYTES_2)};
   uint8_t *memory = run(&c), expected[2][ROOM];
   memset(expected, 0xee, sizeof(expected));
   for (unsigned v = 0; v < 5; v++) {
      const float x = 2.0f + (float)v, a[3] = {x + .25f, x + .5f, x + .75f}, b[2] = {1, x + 100};
      memcpy(expected[0] + 4 + 24 * v + 4, a, sizeof(a));
      memcpy(expected[1] + 60 + 8 * v, b, sizeof(b));
   }
   assert_memory_equal(memory + c.target[0], expected[0], ROOM);
   assert_memory_equal(memory + c.target[2], expected[1], ROOM);
   assert_int_equal(counter(memory, bytes[0]), 5 * 24);
   assert_int_equal(counter(memory, bytes[1]), 5 * 8);
   free(memory);
}

/* Of 4 triangles 2 fit into the smaller of two buffers: in neither there is a third. */
static void
a_primitive_is_written_whole_or_not_at_all(void **unused)
{
   static const uint32_t stride[4] = {4, 4};
   static const struct attila_stream_output o[] = {{.output = 1}, {.output = 2, .buffer = 1}};
   struct scene c;
   start(&c);
   const struct attila_stream_target t[2] = {{.address = c.target[0], .size = 8 * 4},
                                             {.address = c.target[1], .size = ROOM}};
   outputs(&c, stride, o, 2);
   targets(&c, t, 2);
   draw(&c, ATTILA_PRIM_TRIANGLES, 0, 12);
   const uint32_t made = stream_counter(&c.s, ATTILA_COUNTER_STREAM_PRIMITIVES),
                  written = stream_counter(&c.s, ATTILA_COUNTER_STREAM_WRITTEN),
                  assembled = stream_counter(&c.s, ATTILA_COUNTER_IA_PRIMITIVES),
                  bytes = stream_counter(&c.s, ATTILA_COUNTER_STREAM_BYTES_1);
   uint8_t *memory = run(&c);
   assert_int_equal(counter(memory, made), 4);
   assert_int_equal(counter(memory, assembled), 4);
   assert_int_equal(counter(memory, written), 2);
   assert_int_equal(counter(memory, bytes), 6 * 4);
   for (unsigned b = 0; b < 2; b++) {
      const uint32_t untouched = 0xeeeeeeee;
      assert_memory_not_equal(memory + c.target[b] + 5 * 4, &untouched, 4);
      assert_memory_equal(memory + c.target[b] + 6 * 4, &untouched, 4);
   }
   free(memory);
}

/* Written, stopped, another buffer written, gone on with behind what the first holds; then drawn,
 * without the program knowing how much that is. */
static void
a_buffer_is_appended_to_and_drawn(void **unused)
{
   struct scene c;
   start(&c);
   write_numbers(&c, ROOM);
   draw(&c, ATTILA_PRIM_POINTS, 0, 3);
   const uint32_t filled = stream_counter(&c.s, ATTILA_COUNTER_STREAM_BYTES_0);
   struct attila_stream_target t = {.address = c.target[1], .size = ROOM};
   targets(&c, &t, 1);
   draw(&c, ATTILA_PRIM_POINTS, 3, 2);
   t = (struct attila_stream_target){c.target[0], ROOM, filled};
   targets(&c, &t, 1);
   draw(&c, ATTILA_PRIM_POINTS, 5, 4);
   const uint32_t store[2] = {ATTILA_COUNTER_STREAM_BYTES_0, filled};
   stream_command(&c.s, ATTILA_CMD_WRITE_COUNTER, store, 2);
   t = (struct attila_stream_target){c.target[2], ROOM, 0};
   targets(&c, &t, 1);
   /* 7 points of 4 bytes each; their numbers come from what was written. */
   const struct attila_cmd_vertex_count count = {.filled = filled, .stride = 4};
   const struct attila_cmd_draw counted = {
       .prim = ATTILA_PRIM_POINTS, .num_instances = 1, .flags = ATTILA_DRAW_COUNTED};
   stream_command(&c.s, ATTILA_CMD_VERTEX_COUNT, &count, sizeof(count) / 4);
   c.s.regs.attrib[0] = (struct attila_attrib_regs){.enable = 1,
                                                    .address = c.target[0],
                                                    .stride = 4,
                                                    .format = ATTILA_FORMAT_R32_FLOAT,
                                                    .limit = ROOM};
   stream_regs(&c.s);
   stream_command(&c.s, ATTILA_CMD_DRAW, &counted, sizeof(counted) / 4);
   targets(&c, &t, 0);
   draw(&c, ATTILA_PRIM_POINTS, 0, 12); /* nothing is bound */
   const uint32_t written = stream_counter(&c.s, ATTILA_COUNTER_STREAM_WRITTEN);
   uint8_t *memory = run(&c);
   static const float first[7] = {0, 1, 2, 5, 6, 7, 8}, second[2] = {3, 4};
   const uint32_t untouched = 0xeeeeeeee;
   assert_memory_equal(memory + c.target[0], first, sizeof(first));
   assert_memory_equal(memory + c.target[1], second, sizeof(second));
   assert_memory_equal(memory + c.target[2], first, sizeof(first));
   assert_memory_equal(memory + c.target[2] + sizeof(first), &untouched, 4);
   assert_int_equal(counter(memory, filled), 7 * 4);
   assert_int_equal(counter(memory, written), 3 + 2 + 4 + 7);
   free(memory);
}

/* The same pixels as without stream-out, and the same counts of what is drawn. */
static void
what_is_written_is_drawn_too(void **unused)
{
   uint8_t *memory[2];
   struct scene c[2];
   uint32_t clipped[2];
   for (unsigned i = 0; i < 2; i++) {
      start(&c[i]);
      c[i].s.regs.rasterizer_discard = 0;
      stream_regs(&c[i].s);
      stream_clear(&c[i].s, 0, 0, 0, 0, 1, 0);
      if (i)
         write_numbers(&c[i], 12 * 4);
      c[i].s.regs.point_size = 5;
      draw(&c[i], ATTILA_PRIM_POINTS, 0, 12);
      clipped[i] = stream_counter(&c[i].s, ATTILA_COUNTER_CLIP_INVOCATIONS);
      stream_flush(&c[i].s);
      memory[i] = run(&c[i]);
   }
   assert_memory_equal(memory[0] + c[0].s.regs.color[0].address,
                       memory[1] + c[1].s.regs.color[0].address, 16 * 16 * 4);
   assert_int_equal(counter(memory[0], clipped[0]), 12);
   assert_int_equal(counter(memory[1], clipped[1]), 12);
   const float last = 11;
   assert_memory_equal(memory[1] + c[1].target[0] + 11 * 4, &last, 4);
   free(memory[0]);
   free(memory[1]);
}

/* Buffers that are no multiple of anything, longer than the write buffer, in memory that was a
 * cleared surface: clears are materialised first. */
static void
a_surface_becomes_a_buffer(void **unused)
{
   static const uint32_t stride[4] = {20};
   static const struct attila_stream_output o[] = {{.output = 1, .last = 3},
                                                   {.output = 2, .offset = 4}};
   struct scene c;
   start(&c);
   stream_regs(&c.s);
   stream_clear(&c.s, 1, 0, 1, 0, 1, 0);
   const struct attila_stream_target t = {.address = c.s.regs.color[0].address + 12, .size = 900};
   outputs(&c, stride, o, 2);
   targets(&c, &t, 1);
   for (unsigned i = 0; i < 5; i++)
      draw(&c, ATTILA_PRIM_TRIANGLE_STRIP, 0, 9);
   uint8_t *memory = run(&c);
   const uint32_t magenta = 0xffff00ff & 0x00ff00ff;
   /* 15 triangles of 60 bytes, of 35. */
   assert_memory_equal(memory + t.address - 4, &magenta, 4);
   assert_memory_equal(memory + t.address + 900, &magenta, 4);
   const float first[5] = {0, .25f, .5f, .75f, 100};
   assert_memory_equal(memory + t.address, first, sizeof(first));
   assert_memory_equal(memory + t.address + 420, first, sizeof(first));
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(vertices_are_written_in_opengls_order),
       cmocka_unit_test(outputs_go_where_the_table_says),
       cmocka_unit_test(a_primitive_is_written_whole_or_not_at_all),
       cmocka_unit_test(a_buffer_is_appended_to_and_drawn),
       cmocka_unit_test(what_is_written_is_drawn_too),
       cmocka_unit_test(a_surface_becomes_a_buffer),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
