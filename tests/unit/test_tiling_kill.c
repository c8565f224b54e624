/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Forward pixel kill of a tile-based machine (box/shader/ffu_kill.c): what is shaded of layers that
 * are drawn back to front. A layer is two triangles over 32x32 quads; the 32 quads on the diagonal
 * come once from each triangle, neither of which covers them. A bin has 64 quads, and 8 more on the
 * diagonal. */
#include "tiling_stream.h"

#define KILL "TILING.ForwardPixelKill=128"
#define LAYER (SIZE * SIZE) /* fragments */
#define HIDDEN_QUADS (LAYER / 4 - SIZE / 2)
#define SEEN (LAYER - 4 * HIDDEN_QUADS) /* fragments on the diagonal, which nothing covers */

static void
expect_shaded(int64_t fragments, int64_t hidden_quads)
{
   assert_int_equal(counted("ShadedFragments_FFU"), fragments);
   assert_int_equal(counted("HiddenStamps_FFU"), hidden_quads);
   assert_int_equal(counted("HiddenFragments_FFU"), 4 * hidden_quads);
}

/* With a depth test and without. */
static void
test_only_the_last_of_opaque_layers_is_shaded(void **state)
{
   for (unsigned tests = 0; tests < 2; tests++) {
      struct stream s;
      start(&s);
      if (tests)
         test_depth(&s);
      for (unsigned i = 0; i < QUADS; i++)
         draw_quad(&s, i);
      RUN(&s, KILL);
      expect_shaded(LAYER + (QUADS - 1) * SEEN, (QUADS - 1) * HIDDEN_QUADS);
      assert_int_equal(counted("InputFragments_FFU"), QUADS * LAYER);
   }
}

static void
test_without_the_key_all_layers_are_shaded(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned i = 0; i < QUADS; i++)
      draw_quad(&s, i);
   RUN(&s);
   expect_shaded(QUADS * LAYER, 0);
   assert_int_equal(counted("ComparedStamps_FFU"), 0);
}

/* A quad of the next layer comes 64 quads later, on the diagonal 72: too late for 63. In one bin
 * the first layer has 64 quads, each of which is compared with those that wait: 0 to 62, then 62,
 * since the oldest leaves when 63 wait. */
static void
test_a_window_smaller_than_a_layer_of_a_bin_drops_nothing(void **state)
{
   struct stream s;
   start(&s);
   s.regs.scissor_minx = 16;
   s.regs.scissor_maxx = 32;
   s.regs.scissor_maxy = 16;
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   RUN(&s, "TILING.ForwardPixelKill=63");
   expect_shaded(2 * 256, 0);
   assert_int_equal(counted("ComparedStamps_FFU"), 62 * 63 / 2 + (128 - 63) * 62);
}

/* A blended layer shows what is below it. An opaque one over both drops both, if there is room for
 * two layers of a bin. */
static void
test_a_blended_layer_drops_nothing_and_is_dropped(void **state)
{
   for (unsigned layers = 2; layers < 4; layers++) {
      struct stream s;
      start(&s);
      draw_quad(&s, 0);
      blend(&s);
      draw_quad(&s, 1);
      s.regs.color[0].blend_enable = 0;
      if (layers == 3)
         draw_quad(&s, 2);
      RUN(&s, "TILING.ForwardPixelKill=256");
      expect_shaded(layers == 2 ? 2 * LAYER : LAYER + 2 * SEEN, layers == 2 ? 0 : 2 * HIDDEN_QUADS);
   }
}

static void
test_a_program_that_discards_drops_nothing(void **state)
{
   struct stream s;
   start(&s);
   const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                   kills = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
   stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &early, sizeof(early) / 4);
   draw_quad(&s, 0);
   stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &kills, sizeof(kills) / 4);
   draw_quad(&s, 1);
   RUN(&s, KILL);
   expect_shaded(2 * LAYER, 0);
}

static void
test_a_masked_channel_or_a_logic_operation_shows_what_is_below(void **state)
{
   for (unsigned logic = 0; logic < 2; logic++) {
      struct stream s;
      start(&s);
      draw_quad(&s, 0);
      s.regs.color[0].write_mask = logic ? 15 : 7;
      s.regs.logicop_enable = logic;
      s.regs.logicop = 6;
      draw_quad(&s, 1);
      RUN(&s, KILL);
      expect_shaded(2 * LAYER, 0);
   }
}

/* A draw that writes to a second buffer is not dropped for one that leaves that buffer alone. */
static void
test_a_buffer_that_is_not_written_again_keeps_its_fragments(void **state)
{
   for (unsigned both = 0; both < 2; both++) {
      struct stream s;
      start(&s);
      s.regs.color[1] = s.regs.color[0];
      s.regs.color[1].address = stream_alloc(&s, PICTURE_BYTES);
      s.regs.fs_color0_to_all = 1;
      draw_quad(&s, 0);
      s.regs.color[1].write_mask = both ? 15 : 0;
      draw_quad(&s, 1);
      RUN(&s, KILL);
      expect_shaded(both ? LAYER + SEEN : 2 * LAYER, both ? HIDDEN_QUADS : 0);
   }
}

/* Samples of a query: none of the first layer may be missing. */
static void
test_counted_samples_are_not_dropped(void **state)
{
   struct stream s;
   start(&s);
   s.regs.count_samples = 1;
   draw_quad(&s, 0);
   s.regs.count_samples = 0;
   draw_quad(&s, 1);
   stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   RUN(&s, KILL);
   expect_shaded(2 * LAYER, 0);
}

/* Fragments of a query are those of functional mode, which shades all: its memory has both. */
static void
test_dropped_fragments_count_for_queries(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   stream_counter(&s, ATTILA_COUNTER_FS_INVOCATIONS);
   RUN(&s, KILL);
   expect_shaded(LAYER + SEEN, HIDDEN_QUADS);
}

/* All four samples of a pixel must be covered; a sample mask leaves some. */
static void
test_all_samples_must_be_covered(void **state)
{
   for (unsigned masked = 0; masked < 2; masked++) {
      struct stream s;
      start(&s);
      s.regs.fb_samples = 4;
      s.regs.sample_mask = 15;
      s.regs.color[0].address = stream_alloc(&s, 4 * PICTURE_BYTES);
      s.regs.zs_address = stream_alloc(&s, 4 * PICTURE_BYTES);
      draw_quad(&s, 0);
      s.regs.sample_mask = masked ? 7 : 15;
      draw_quad(&s, 1);
      RUN(&s, KILL);
      assert_int_equal(counted("HiddenStamps_FFU"), masked ? 0 : HIDDEN_QUADS);
   }
}

/* Commands in the lists may read what is there. The program is so long that some of the first layer
 * still wait when the second one comes. */
static void
test_a_command_in_the_lists_ends_the_wait(void **state)
{
   const uint32_t zs[3] = {3, 0x3f800000, 0};
   char text[2048] = ".fragment\nMOV r0, i1\n";
   for (unsigned i = 0; i < 60; i++)
      strcat(text, "MAD r0, r0, r0, i1\n");
   strcat(text, "MOV o0, r0\nEND\n");
   struct stream s;
   start(&s);
   program(&s, text);
   test_depth(&s);
   draw_quad(&s, 0);
   stream_command(&s, ATTILA_CMD_CLEAR_ZS, zs, 3);
   draw_quad(&s, 1);
   RUN(&s, KILL, "RASTERIZER.ShadedStampQueueSize=16");
   assert_int_equal(counted("ListedCommands_TF"), BINS);
   expect_shaded(2 * LAYER, 0);
}

/* SIM_END_RUN between a draw with a depth test and one without does not. */
static void
test_draws_with_and_without_a_depth_test_hide_each_other(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   s.regs.z_test = s.regs.z_write = 0;
   draw_quad(&s, 1);
   RUN(&s, KILL);
   expect_shaded(LAYER + SEEN, HIDDEN_QUADS);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_only_the_last_of_opaque_layers_is_shaded),
       cmocka_unit_test(test_without_the_key_all_layers_are_shaded),
       cmocka_unit_test(test_a_window_smaller_than_a_layer_of_a_bin_drops_nothing),
       cmocka_unit_test(test_a_blended_layer_drops_nothing_and_is_dropped),
       cmocka_unit_test(test_a_program_that_discards_drops_nothing),
       cmocka_unit_test(test_a_masked_channel_or_a_logic_operation_shows_what_is_below),
       cmocka_unit_test(test_a_buffer_that_is_not_written_again_keeps_its_fragments),
       cmocka_unit_test(test_counted_samples_are_not_dropped),
       cmocka_unit_test(test_dropped_fragments_count_for_queries),
       cmocka_unit_test(test_all_samples_must_be_covered),
       cmocka_unit_test(test_a_command_in_the_lists_ends_the_wait),
       cmocka_unit_test(test_draws_with_and_without_a_depth_test_hide_each_other),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
