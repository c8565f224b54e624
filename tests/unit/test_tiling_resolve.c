/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A tile-based machine: averages of samples that a pass makes on the chip, and FLUSH commands that
 * end no pass. Not here: clears in the lists (test_tiling_contents.c). */
#include "tiling_stream.h"

static uint32_t sample_bytes; /* of all samples */

/* Makes the colour buffer one with samples; returns memory for the averages. */
static uint32_t
use_samples(struct stream *s, unsigned samples, uint32_t format)
{
   struct attila_color_regs *c = &s->regs.color[0];
   const uint32_t bytes = SIZE * SIZE * attila_formats[format].bytes;
   sample_bytes = samples * bytes;
   s->regs.fb_samples = samples;
   c->format = format;
   c->address = stream_alloc(s, sample_bytes);
   s->regs.zs_address = stream_alloc(s, samples * PICTURE_BYTES);
   return stream_alloc(s, bytes);
}

static struct attila_cmd_blit
average(const struct stream *s, uint32_t to, uint32_t width, uint32_t height)
{
   const struct attila_color_regs *c = &s->regs.color[0];
   return (struct attila_cmd_blit){
       .src = {.address = c->address, .pitch_tiles = c->pitch_tiles},
       .dst = {.address = to, .pitch_tiles = attila_surface_pitch(SIZE, SIZE)},
       .width = width,
       .height = height,
       .depth = 1,
       .element_bytes = attila_formats[c->format].bytes,
       .samples = s->regs.fb_samples,
       .resolve = ATTILA_RESOLVE_AVERAGE,
       .format = c->format};
}

static void
resolve(struct stream *s, uint32_t to, uint32_t width, uint32_t height)
{
   const struct attila_cmd_blit b = average(s, to, width, height);
   stream_command(s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
}

/* A triangle with edges in many pixels. */
static void
draw_edges(struct stream *s)
{
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 6, 3);
   draw_small(s, 600);
}

static void
test_samples_are_averaged_on_the_chip(void **state)
{
   for (unsigned discards = 0; discards < 2; discards++) {
      struct stream s;
      start(&s);
      const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM);
      draw_quad(&s, 1);
      draw_edges(&s);
      resolve(&s, to, SIZE, SIZE);
      if (discards)
         discard(&s, s.regs.color[0].address, sample_bytes);
      RUN(&s, "COLORWRITE.DisableCompression=TRUE");
      assert_int_equal(counted("ListedResolves_PLB"), 1);
      assert_int_equal(counted("PassesBlit_PLB"), 0);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
      assert_int_equal(counted("ReadBytes_CW-SU"), 0);
      assert_int_equal(counted("WriteBytes_CW-SU"),
                       PICTURE_BYTES + (discards ? 0 : (int64_t)sample_bytes));
      assert_int_equal(counted("ListedCommands_TF"), BINS);
   }
}

/* Blocks that no draw of the pass touches come from memory, or are clear. */
static void
test_bins_without_draws_are_averaged(void **state)
{
   static const uint32_t formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_B5G6R5_UNORM,
                                      ATTILA_FORMAT_R16G16B16A16_FLOAT,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT};
   const uint32_t fence[2] = {1, 0};
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned samples = 2; samples <= 8; samples *= 2) {
         struct stream s;
         start(&s);
         const uint32_t to = use_samples(&s, samples, formats[i]);
         stream_regs(&s);
         stream_clear(&s, 0.25f, 0.5f, 1, 1, 1, 0);
         draw_edges(&s);
         stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
         draw_small(&s, 3);
         resolve(&s, to, SIZE - 3, SIZE - 14);
         RUN(&s, "MEMORYCONTROLLER.MemorySize=32");
         assert_int_equal(counted("ListedResolves_PLB"), 1);
      }
   }
}

static void
test_a_draw_after_averages_ends_the_pass(void **state)
{
   struct stream s;
   start(&s);
   const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM);
   draw_edges(&s);
   resolve(&s, to, SIZE, SIZE);
   draw_quad(&s, 1);
   draw_edges(&s);
   /* Not from the first pixel on. */
   struct attila_cmd_blit b = average(&s, to, 8, 8);
   b.src.x = b.dst.x = 16;
   stream_command(&s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
   RUN(&s);
   assert_int_equal(counted("ListedResolves_PLB"), 1);
   assert_int_equal(counted("PassesBlit_PLB"), 2);
}

/* The clear comes after the averages in each bin, which need the draws. */
static void
test_a_clear_after_averages_joins_the_pass(void **state)
{
   struct stream s;
   start(&s);
   const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM);
   stream_regs(&s);
   stream_clear(&s, 0, 0, 1, 0, 0, 0);
   draw_edges(&s);
   resolve(&s, to, SIZE, SIZE);
   stream_clear(&s, 1, 1, 0, 0, 0, 0);
   RUN(&s, "COLORWRITE.DisableCompression=TRUE");
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
   assert_int_equal(counted("TakenOutEntries_PLB"), 0);
}

static void
test_a_swap_of_samples_is_averaged_by_its_pass(void **state)
{
   struct stream s;
   start(&s);
   const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM);
   const struct attila_cmd_swap swap = {.address = s.regs.color[0].address,
                                        .format = s.regs.color[0].format,
                                        .pitch_tiles = s.regs.color[0].pitch_tiles,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .flags = ATTILA_SWAP_RESOLVE,
                                        .samples = 4,
                                        .picture_address = to,
                                        .picture_pitch_tiles = attila_surface_pitch(SIZE, SIZE)};
   for (unsigned frame = 0; frame < 2; frame++) {
      draw_quad(&s, frame);
      draw_edges(&s);
      stream_flush(&s);
      discard(&s, swap.address, sample_bytes);
      stream_command(&s, ATTILA_CMD_SWAP, &swap, sizeof(swap) / 4);
   }
   RUN(&s, "COLORWRITE.DisableCompression=TRUE");
   assert_int_equal(counted("ListedResolves_PLB"), 2);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
   assert_int_equal(counted("PassesFlush_PLB"), 0);
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * PICTURE_BYTES);
}

/* --- Memory of averages that other commands use --- */

/* A counter before and one after: the later of the two commands leaves its bytes, and so does it at
 * the surface's end, where the box does not reach. */
static void
test_counters_and_averages_keep_their_order(void **state)
{
   for (unsigned when = 0; when < 4; when++) {
      struct stream s;
      start(&s);
      const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM),
                     end = to + PICTURE_BYTES - 8;
      s.regs.count_samples = 1;
      if (when == 1)
         stream_command(&s, ATTILA_CMD_WRITE_COUNTER,
                        (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, to}, 2);
      draw_edges(&s);
      for (unsigned i = 0; when == 2 && i < 2; i++)
         stream_command(&s, ATTILA_CMD_WRITE_COUNTER,
                        (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, i ? end : to}, 2);
      resolve(&s, to, SIZE - 8, SIZE - 8);
      for (unsigned i = 0; when == 3 && i < 2; i++)
         stream_command(&s, ATTILA_CMD_WRITE_COUNTER,
                        (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, i ? end : to}, 2);
      RUN(&s);
      /* What waits for the pass is written before averages that come later. */
      assert_int_equal(counted("ListedResolves_PLB"), when != 2);
      assert_int_equal(counted("PassesBlit_PLB"), when == 2);
   }
}

/* A CONDITION reads averages as if they were counters: their differences decide. */
static void
test_a_condition_waits_for_averages(void **state)
{
   const uint8_t zeros[16] = {0};
   for (unsigned reads = 0; reads < 2; reads++) {
      struct stream s;
      start(&s);
      const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM),
                     other = stream_upload(&s, zeros, sizeof(zeros));
      const struct attila_cmd_condition c = {.address = reads ? to : other, .count = 1};
      stream_regs(&s);
      stream_clear(&s, 0, 0, 0, 0, 1, 0);
      /* Colours differ from pixel to pixel. */
      draw_quad(&s, 1);
      resolve(&s, to, SIZE, SIZE);
      stream_command(&s, ATTILA_CMD_CONDITION, &c, sizeof(c) / 4);
      struct attila_cmd_draw draw = {.prim = ATTILA_PRIM_TRIANGLES,
                                     .start = 6 * 3,
                                     .count = 6,
                                     .num_instances = 1,
                                     .flags = ATTILA_DRAW_CONDITIONAL};
      stream_command(&s, ATTILA_CMD_DRAW, &draw, sizeof(draw) / 4);
      RUN(&s);
      assert_int_equal(counted("ListedResolves_PLB"), 1);
      assert_int_equal(counted("PassesBlit_PLB"), reads);
   }
}

/* VERTEX_COUNT reads an average as if it were a counter: 0x40800020 / 0x10000000 is 4 vertices. */
static void
test_a_vertex_count_waits_for_averages(void **state)
{
   const uint8_t zeros[8] = {0};
   for (unsigned reads = 0; reads < 2; reads++) {
      struct stream s;
      start(&s);
      const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM),
                     other = stream_upload(&s, zeros, sizeof(zeros));
      const struct attila_cmd_vertex_count c = {.filled = reads ? to : other, .stride = 1u << 28};
      stream_regs(&s);
      stream_clear(&s, 0, 0, 0, 0, 1, 0);
      /* The first pixel alone has a colour. */
      s.regs.scissor_maxx = s.regs.scissor_maxy = 1;
      draw_quad(&s, 1);
      s.regs.scissor_maxx = s.regs.scissor_maxy = SIZE;
      resolve(&s, to, SIZE, SIZE);
      stream_command(&s, ATTILA_CMD_VERTEX_COUNT, &c, sizeof(c) / 4);
      const struct attila_cmd_draw draw = {.prim = ATTILA_PRIM_TRIANGLES,
                                           .start = 6 * 3,
                                           .num_instances = 1,
                                           .flags = ATTILA_DRAW_COUNTED};
      stream_regs(&s);
      stream_command(&s, ATTILA_CMD_DRAW, &draw, sizeof(draw) / 4);
      RUN(&s);
      assert_int_equal(counted("ListedResolves_PLB"), 1);
      assert_int_equal(counted("PassesBlit_PLB"), reads);
      assert_int_equal(counted("InputTriangles_PLB"), reads ? 3 : 2);
   }
}

/* Draws the words of a binary, one a pixel, as memory has them in a tile. */
static void
draw_words(struct stream *s, const uint32_t *words, uint32_t num)
{
   for (uint32_t n = 0; n < num; n++) {
      uint32_t c[6] = {ATTILA_STAGE_FRAGMENT, 0};
      for (unsigned i = 0; i < 4; i++) {
         const float value = (float)(words[n] >> 8 * i & 255) / 255;
         memcpy(&c[2 + i], &value, 4);
      }
      stream_command(s, ATTILA_CMD_WRITE_CONSTS, c, 6);
      s->regs.scissor_minx = ATTILA_GATHER8(n);
      s->regs.scissor_miny = ATTILA_GATHER8(n >> 1);
      s->regs.scissor_maxx = s->regs.scissor_minx + 1;
      s->regs.scissor_maxy = s->regs.scissor_miny + 1;
      draw_quad(s, 1);
   }
}

/* LOAD_PROGRAM reads averages that are the words of a program. */
static void
test_a_program_waits_for_averages(void **state)
{
   for (unsigned reads = 0; reads < 2; reads++) {
      struct stream s;
      start(&s);
      const uint32_t to = use_samples(&s, 4, ATTILA_FORMAT_R8G8B8A8_UNORM);
      const size_t upload = s.num + 3; /* behind header, address and size */
      struct attila_cmd_program p = program(&s, ".fragment\nMOV o0, c0\nEND\n");
      uint32_t words[ATTILA_TILE_ELEMENTS];
      assert_in_range(p.size, 4, sizeof(words));
      memcpy(words, s.words + upload, p.size);
      /* What is loaded already would not be read. */
      p.address = stream_upload(&s, words, p.size);
      stream_regs(&s);
      stream_clear(&s, 0, 0, 0, 0, 1, 0);
      draw_words(&s, words, p.size / 4);
      resolve(&s, to, SIZE, SIZE);
      p.address = reads ? to : p.address;
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &p, sizeof(p) / 4);
      RUN(&s);
      assert_int_equal(counted("ListedResolves_PLB"), 1);
      assert_int_equal(counted("PassesBlit_PLB"), reads);
   }
}

/* --- FLUSH --- */

static void
test_a_flush_ends_the_pass_when_a_draw_reads_it(void **state)
{
   for (unsigned own = 0; own < 2; own++) {
      struct stream s;
      start(&s);
      const uint32_t other = stream_alloc(&s, PICTURE_BYTES);
      draw_quad(&s, 1);
      stream_flush(&s);
      sample(&s, own ? s.regs.color[0].address : other);
      stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, i1, t0, 2D\nEND\n");
      draw_small(&s, 100);
      RUN(&s);
      assert_int_equal(counted("PassesFlush_PLB"), own);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_samples_are_averaged_on_the_chip),
       cmocka_unit_test(test_bins_without_draws_are_averaged),
       cmocka_unit_test(test_a_draw_after_averages_ends_the_pass),
       cmocka_unit_test(test_a_clear_after_averages_joins_the_pass),
       cmocka_unit_test(test_a_swap_of_samples_is_averaged_by_its_pass),
       cmocka_unit_test(test_counters_and_averages_keep_their_order),
       cmocka_unit_test(test_a_condition_waits_for_averages),
       cmocka_unit_test(test_a_vertex_count_waits_for_averages),
       cmocka_unit_test(test_a_program_waits_for_averages),
       cmocka_unit_test(test_a_flush_ends_the_pass_when_a_draw_reads_it),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
