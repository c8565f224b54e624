/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hidden surface removal of a tile-based machine (box/raster/interp_hide.c): what is shaded of
 * layers that are drawn back to front. A layer is two triangles over 32x32 quads; the 32 quads on
 * the diagonal come once from each triangle, with the pixels that it covers. */
#include "tiling_stream.h"

#define HIDE "TILING.HiddenSurfaceRemoval=TRUE"
#define LAYER (SIZE * SIZE) /* fragments */
#define LAYER_QUADS (LAYER / 4 + SIZE / 2)

static void
expect_shaded(int64_t fragments, int64_t hidden_fragments)
{
   assert_int_equal(counted("ShadedFragments_FFU"), fragments);
   assert_int_equal(counted("HiddenFragments_Interpolator"), hidden_fragments);
}

/* With a depth test and without, in bins of several sizes, alone and with forward pixel kill. */
static void
test_only_the_last_of_opaque_layers_is_shaded(void **state)
{
   static const char *const keys[][2] = {{"TILING.TileWidth=16", "TILING.TileHeight=16"},
                                         {"TILING.TileWidth=64", "TILING.TileHeight=64"},
                                         {"TILING.TileWidth=8", "TILING.ForwardPixelKill=32"}};
   for (unsigned i = 0; i < 6; i++) {
      struct stream s;
      start(&s);
      if (i & 1)
         test_depth(&s);
      for (unsigned n = 0; n < QUADS; n++)
         draw_quad(&s, n);
      RUN(&s, HIDE, "TILING.TileBufferBytes=16384", keys[i / 2][0], keys[i / 2][1]);
      expect_shaded(LAYER, (QUADS - 1) * LAYER);
      assert_int_equal(counted("DeferredStamps_Interpolator"), QUADS * LAYER_QUADS);
      assert_int_equal(counted("HiddenStamps_Interpolator"), (QUADS - 1) * LAYER_QUADS);
      assert_int_equal(counted("InterpolatedQuads_Interpolator"), LAYER_QUADS);
      assert_int_equal(counted("HiddenStamps_FFU"), 0);
   }
}

static void
test_without_the_key_all_layers_are_shaded(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned n = 0; n < QUADS; n++)
      draw_quad(&s, n);
   RUN(&s);
   expect_shaded(QUADS * LAYER, 0);
   assert_int_equal(counted("DeferredStamps_Interpolator"), 0);
}

/* Of each pixel, whatever part of a quad it is. */
static void
test_parts_of_quads_are_hidden(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   s.regs.scissor_minx = 3;
   s.regs.scissor_maxx = 38;
   s.regs.scissor_maxy = 21;
   draw_quad(&s, 1);
   RUN(&s, HIDE);
   expect_shaded(LAYER, 35 * 21);
}

/* What is behind a blended layer is shaded, and so is the layer. */
static void
test_a_blended_layer_ends_the_wait(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   blend(&s);
   draw_quad(&s, 2);
   s.regs.color[0].blend_enable = 0;
   draw_quad(&s, 3);
   draw_quad(&s, 4);
   RUN(&s, HIDE);
   expect_shaded(3 * LAYER, 2 * LAYER);
}

static void
test_a_program_that_discards_ends_the_wait(void **state)
{
   struct stream s;
   start(&s);
   const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                   kills = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
   test_depth(&s);
   stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &early, sizeof(early) / 4);
   draw_quad(&s, 0);
   stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &kills, sizeof(kills) / 4);
   draw_quad(&s, 1);
   RUN(&s, HIDE);
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
      RUN(&s, HIDE);
      expect_shaded(2 * LAYER, 0);
   }
}

/* The tags of a second buffer are those of the first. */
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
      draw_quad(&s, 2);
      RUN(&s, HIDE);
      expect_shaded(both ? LAYER : 2 * LAYER, both ? 2 * LAYER : LAYER);
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
   RUN(&s, HIDE);
   expect_shaded(2 * LAYER, 0);
}

/* Fragments of a query are those of functional mode, which shades all: its memory has both. */
static void
test_hidden_fragments_count_for_queries(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   stream_counter(&s, ATTILA_COUNTER_FS_INVOCATIONS);
   RUN(&s, HIDE);
   expect_shaded(LAYER, LAYER);
}

/* A pixel is shaded twice if some of its samples show the first layer. */
static void
test_each_sample_has_its_fragment(void **state)
{
   for (unsigned masked = 0; masked < 2; masked++) {
      struct stream s;
      start(&s);
      s.regs.fb_samples = 4;
      s.regs.sample_mask = 15;
      s.regs.color[0].address = stream_alloc(&s, 4 * PICTURE_BYTES);
      s.regs.zs_address = stream_alloc(&s, 4 * PICTURE_BYTES);
      stream_regs(&s);
      stream_clear(&s, 0, 0, 0, 0, 1, 0);
      s.regs.scissor_maxx = SIZE / 2 - 2; /* where only one triangle is */
      s.regs.scissor_miny = SIZE / 2;
      draw_quad(&s, 0);
      s.regs.sample_mask = masked ? 7 : 15;
      draw_quad(&s, 1);
      RUN(&s, HIDE);
      const int64_t part = (SIZE / 2 - 2) * SIZE / 2;
      expect_shaded(masked ? 2 * part : part, masked ? 0 : part);
   }
}

/* Commands in the lists may read what is there. */
static void
test_a_command_in_the_lists_ends_the_wait(void **state)
{
   const uint32_t zs[3] = {3, 0x3f800000, 0};
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   stream_command(&s, ATTILA_CMD_CLEAR_ZS, zs, 3);
   draw_quad(&s, 1);
   RUN(&s, HIDE);
   assert_int_equal(counted("ListedCommands_TF"), BINS);
   expect_shaded(2 * LAYER, 0);
}

/* SIM_END_RUN between a draw with a depth test and one without does not. */
static void
test_draws_with_and_without_a_depth_test_hide_each_other(void **state)
{
   for (unsigned first = 0; first < 2; first++) {
      struct stream s;
      start(&s);
      test_depth(&s);
      for (unsigned i = 0; i < 2; i++) {
         s.regs.z_test = s.regs.z_write = i == first;
         draw_quad(&s, i);
      }
      RUN(&s, HIDE);
      expect_shaded(LAYER, LAYER);
   }
}

/* Depth that a hidden fragment has written stays: the second layer is behind the third. */
static void
test_hidden_fragments_have_written_their_depth(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 5);
   s.regs.z_test = s.regs.z_write = 0;
   draw_quad(&s, 0);
   s.regs.z_test = s.regs.z_write = 1;
   draw_quad(&s, 3);
   RUN(&s, HIDE);
   expect_shaded(LAYER, LAYER);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_only_the_last_of_opaque_layers_is_shaded),
       cmocka_unit_test(test_without_the_key_all_layers_are_shaded),
       cmocka_unit_test(test_parts_of_quads_are_hidden),
       cmocka_unit_test(test_a_blended_layer_ends_the_wait),
       cmocka_unit_test(test_a_program_that_discards_ends_the_wait),
       cmocka_unit_test(test_a_masked_channel_or_a_logic_operation_shows_what_is_below),
       cmocka_unit_test(test_a_buffer_that_is_not_written_again_keeps_its_fragments),
       cmocka_unit_test(test_counted_samples_are_not_dropped),
       cmocka_unit_test(test_hidden_fragments_count_for_queries),
       cmocka_unit_test(test_each_sample_has_its_fragment),
       cmocka_unit_test(test_a_command_in_the_lists_ends_the_wait),
       cmocka_unit_test(test_draws_with_and_without_a_depth_test_hide_each_other),
       cmocka_unit_test(test_hidden_fragments_have_written_their_depth),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
