/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * As many varyings as the machine has, in both modes: every output reaches the fragment input that
 * its register names, from the vertex and from the geometry stage, cut by a clip plane, with
 * samples, by relative operands, to stream-out and as the size of points. Not here: what is
 * interpolated (test_raster). */
#include "func_stream.h"

#define SIZE 40
#define LAST (ATTILA_MAX_VARYINGS - 1)
#define WHITE UINT32_MAX

static const enum attila_mode modes[] = {ATTILA_MODE_FUNCTIONAL, ATTILA_MODE_CYCLE};

/* A triangle over the whole framebuffer; a part of it is beyond the far plane. */
static void
start(struct stream *s, unsigned samples)
{
   static const float position[3][4] = {{-1, -1, 0, 1}, {7, -1, 0, 1}, {-1, 7, 2, 1}},
                      one[3][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
   stream_start(s, SIZE, SIZE, samples);
   stream_attrib(s, 0, position[0], 4, 3);
   stream_attrib(s, 1, one[0], 4, 3);
   stream_regs(s);
   stream_clear(s, 0, 0, 0, 0, 1, 0);
}

static void __attribute__((format(printf, 2, 3))) add(char *text, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsprintf(text + strlen(text), format, args);
   va_end(args);
}

/* Literal n is (n, n * n, 1, 0). */
static void
add_literals(char *text)
{
   for (unsigned n = 0; n < ATTILA_MAX_VARYINGS; n++)
      add(text, ".literal %u, %u, 1, 0\n", n, n * n);
}

/* Output n is literal n, from 1 on. */
static void
add_outputs(char *text)
{
   for (unsigned n = 1; n <= LAST; n++)
      add(text, "MOV o%u, l%u\n", n, n);
}

static void
load_vertex_program(struct stream *s)
{
   static char text[8000];
   strcpy(text, ".vertex\n");
   add_literals(text);
   add(text, "MOV o0, i0\n");
   for (unsigned n = 1; n <= LAST; n++)
      add(text, "MUL o%u, i1, l%u\n", n, n);
   add(text, "END\n");
   stream_program(s, ATTILA_STAGE_VERTEX, text);
}

/* Input n is output LAST - n; the last one is what no program writes. White where the sums of all,
 * each times its number and one, are exactly what they must be. */
static void
load_fragment_program(struct stream *s)
{
   static char text[12000];
   uint32_t x = 0, y = 0;
   strcpy(text, ".fragment\n");
   add_literals(text);
   for (unsigned n = 0; n < LAST; n++) {
      attila_fs_input(&s->regs, n)->output = LAST - n;
      x += (n + 1) * (LAST - n);
      y += (n + 1) * (LAST - n) * (LAST - n);
   }
   attila_fs_input(&s->regs, LAST)->output = ATTILA_NO_VARYING;
   add(text, ".literal %u, %u, %u, %u\nMOV r0, l0.w\n", x, y, LAST * (LAST + 1) / 2, LAST + 1);
   for (unsigned n = 0; n < LAST; n++)
      add(text, "ADD r1.x, l%u.x, l1.x\nMAD r0, i%u, r1.x, r0\n", n, n);
   add(text, "ADD r1.x, l%u.x, l1.x\nMAD r0, i%u, r1.x, r0\n", LAST, LAST);
   add(text, "SEQ o0, r0, l%u\nEND\n", ATTILA_MAX_VARYINGS);
   stream_program(s, ATTILA_STAGE_FRAGMENT, text);
}

static void
draw(struct stream *s)
{
   stream_more_inputs(s);
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 0, 3);
}

/* Runs the stream in both modes: a pixel of each sample is white, or none. */
static void
check_pixels(struct stream *s, uint32_t white)
{
   const size_t num = s->num;
   const unsigned samples = s->regs.fb_samples ? s->regs.fb_samples : 1;
   uint32_t *words = malloc(num * 4);
   memcpy(words, s->words, num * 4);
   for (unsigned m = 0; m < 2; m++) {
      if (m)
         stream_words(s, words, num);
      struct attila_sim *sim = stream_run(s, modes[m]);
      uint32_t *surface = stream_read_surface(sim, s, s->regs.color[0].address), got = 0;
      for (uint32_t p = 0; p < SIZE * SIZE; p++) {
         for (unsigned i = 0; i < samples; i++)
            got += stream_pixel(s, surface, p % SIZE, p / SIZE, i) == WHITE;
      }
      assert_int_equal(got, white * samples);
      free(surface);
      attila_sim_destroy(sim);
   }
   free(words);
}

static void
every_output_reaches_its_input(void **state)
{
   (void)state;
   for (unsigned samples = 0; samples <= 4; samples += 4) {
      struct stream s;
      start(&s, samples);
      load_vertex_program(&s);
      load_fragment_program(&s);
      draw(&s);
      check_pixels(&s, SIZE * SIZE);
   }
}

/* Without the registers of later inputs these are all the position. */
static void
registers_of_later_inputs_count(void **state)
{
   struct stream s;
   (void)state;
   start(&s, 0);
   load_vertex_program(&s);
   load_fragment_program(&s);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   check_pixels(&s, 0);
}

static void
the_geometry_stage_has_as_many(void **state)
{
   static char text[24000];
   static const struct attila_cmd_geometry on = {.enable = 1, .input = {0, LAST}};
   struct stream s;
   (void)state;
   start(&s, 0);
   load_vertex_program(&s);
   load_fragment_program(&s);
   strcpy(text, ".geometry 3 3 3\n");
   add_literals(text);
   for (unsigned v = 0; v < 3; v++) {
      add_outputs(text);
      add(text, "MOV o0, i%u\nMOV o%u, i%u\nEMIT\n", ATTILA_GS_INPUT(0, v), LAST,
          ATTILA_GS_INPUT(1, v));
   }
   add(text, "END\n");
   stream_program(&s, ATTILA_STAGE_GEOMETRY, text);
   stream_command(&s, ATTILA_CMD_GEOMETRY, &on, sizeof(on) / 4);
   draw(&s);
   check_pixels(&s, SIZE * SIZE);
}

/* Output 31 + 9 is written, and input 2 + 38 read, by relative operands; without .wide these end at
 * register 31. */
static void
relative_operands_reach_later_registers(void **state)
{
   (void)state;
   for (unsigned wide = 0; wide < 2; wide++) {
      char text[400];
      struct stream s;
      start(&s, 0);
      snprintf(text, sizeof(text),
               ".vertex\n%s.literal 9, 5, 7, 0\nMOV o0, i0\nMOV o31, l0.w\nMOV o40, l0.w\nARL "
               "a0.x, l0.x\nMOV o[a0.x+31], l0.z\nEND\n",
               wide ? ".wide\n" : "");
      stream_program(&s, ATTILA_STAGE_VERTEX, text);
      attila_fs_input(&s.regs, 31)->output = 31;
      attila_fs_input(&s.regs, 40)->output = 40;
      snprintf(text, sizeof(text),
               ".fragment\n%s.literal 38, 0, 7, 0\nARL a0.x, l0.x\nSEQ r0, i[a0.x+2], l0.z\n"
               "SEQ r1, i31, l0.%c\nSEQ r2, i40, l0.%c\nMUL r0, r0, r1\nMUL o0, r0, r2\nEND\n",
               wide ? ".wide\n" : "", wide ? 'w' : 'z', wide ? 'z' : 'w');
      stream_program(&s, ATTILA_STAGE_FRAGMENT, text);
      draw(&s);
      check_pixels(&s, SIZE * SIZE);
   }
}

/* A point as large as the framebuffer, by the last output. */
static void
the_last_output_is_the_size_of_points(void **state)
{
   static const float centre[4] = {0, 0, 0, 1};
   char text[200];
   struct stream s;
   (void)state;
   start(&s, 0);
   stream_attrib(&s, 0, centre, 4, 1);
   snprintf(text, sizeof(text), ".vertex\n.literal %u, 0, 0, 0\nMOV o0, i0\nMOV o%u, l0.x\nEND\n",
            SIZE, LAST);
   stream_program(&s, ATTILA_STAGE_VERTEX, text);
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\n.literal 1, 1, 1, 1\nMOV o0, l0\nEND\n");
   s.regs.point_is_sprite = s.regs.point_size_per_vertex = 1;
   s.regs.point_size_output = LAST;
   stream_draw(&s, ATTILA_PRIM_POINTS, 0, 1);
   check_pixels(&s, SIZE * SIZE);
}

static void
the_last_output_is_streamed_out(void **state)
{
   (void)state;
   for (unsigned m = 0; m < 2; m++) {
      struct stream s;
      float got[6];
      start(&s, 0);
      load_vertex_program(&s);
      load_fragment_program(&s);
      const struct attila_stream_output o[] = {
          {.output = LAST, .last = 0},
          {.output = ATTILA_NO_VARYING, .first = 3, .last = 3, .offset = 1}};
      uint32_t outputs[ATTILA_MAX_STREAM_BUFFERS + 2] = {8};
      struct attila_stream_target targets[ATTILA_MAX_STREAM_BUFFERS] = {
          {.address = stream_alloc(&s, sizeof(got)), .size = sizeof(got)}};
      memcpy(outputs + ATTILA_MAX_STREAM_BUFFERS, o, sizeof(o));
      stream_command(&s, ATTILA_CMD_STREAM_OUTPUTS, outputs, sizeof(outputs) / 4);
      stream_command(&s, ATTILA_CMD_STREAM_TARGETS, targets, sizeof(targets) / 4);
      draw(&s);
      struct attila_sim *sim = stream_run(&s, modes[m]);
      assert_true(attila_sim_read(sim, targets[0].address, got, sizeof(got)));
      for (unsigned v = 0; v < 3; v++) {
         assert_true(got[2 * v] == LAST);
         assert_true(got[2 * v + 1] == 1);
      }
      attila_sim_destroy(sim);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(every_output_reaches_its_input),
       cmocka_unit_test(registers_of_later_inputs_count),
       cmocka_unit_test(the_geometry_stage_has_as_many),
       cmocka_unit_test(relative_operands_reach_later_registers),
       cmocka_unit_test(the_last_output_is_the_size_of_points),
       cmocka_unit_test(the_last_output_is_streamed_out),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
