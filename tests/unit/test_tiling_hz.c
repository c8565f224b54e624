/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z of a tile-based machine (box/raster/hz.c): what it culls of layers that are drawn
 * front to back, and that bounds are true across bins, passes and commands in the lists. A layer is
 * two triangles over 64 tiles; 8 tiles on the diagonal are whole in neither. It has 1024 quads, and
 * the 32 on the diagonal once more. */
#include "tiling_stream.h"

#define HZ "RASTERIZER.DisableHZ=FALSE"
#define LAYER_QUADS (SIZE * SIZE / 4 + SIZE / 2)
#define WHOLE_QUADS ((64 - 8) * 16)
/* Tiles are tested long after they have come, so others come between. */
#define LATE "RASTERIZER.HZAccessLatency=30", "RASTERIZER.EarlyZQueueSize=512"

static void
expect_culled(int64_t quads)
{
   assert_int_equal(counted("CulledHZFragments_HZ"), quads);
}

static void
clear_depth(struct stream *s, float depth)
{
   uint32_t zs[3] = {3};
   memcpy(&zs[1], &depth, 4);
   stream_command(s, ATTILA_CMD_CLEAR_ZS, zs, 3);
}

/* In whole tiles, also in bins of other sizes, and with the HZ of the release. */
static void
test_layers_behind_another_are_culled(void **state)
{
   static const char *const keys[][2] = {{"TILING.TileWidth=16", "TILING.TileHeight=16"},
                                         {"TILING.TileWidth=8", "TILING.TileHeight=64"},
                                         {"RASTERIZER.HZVariant=2", "RASTERIZER.HZCacheLines=16"}};
   for (unsigned i = 0; i < 3; i++) {
      struct stream s;
      start(&s);
      test_depth(&s);
      for (unsigned n = QUADS; n-- > 0;)
         draw_quad(&s, n);
      RUN(&s, HZ, keys[i][0], keys[i][1]);
      expect_culled((QUADS - 1) * WHOLE_QUADS);
      assert_int_equal(counted("ShadedFragments_FFU"), SIZE * SIZE);
   }
}

static void
test_layers_in_front_are_not_culled(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   for (unsigned n = 0; n < QUADS; n++)
      draw_quad(&s, n);
   RUN(&s, HZ);
   expect_culled(0);
}

static void
test_without_it_nothing_is_culled(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 7);
   draw_quad(&s, 0);
   RUN(&s);
   expect_culled(0);
}

/* A draw that is drawn over all leaves farther depths. Bounds of the draw before it come late. */
static void
test_a_draw_that_leaves_farther_depths_widens_bounds(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 7);
   s.regs.z_func = ATTILA_FUNC_ALWAYS;
   draw_quad(&s, 0);
   s.regs.z_func = ATTILA_FUNC_LEQUAL;
   draw_quad(&s, 3);
   RUN(&s, HZ, LATE);
   expect_culled(0);
}

/* The last draw leaves farther depths. In the next bin the first one comes again. */
static void
test_each_bin_has_the_draws_in_their_order(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 7);
   draw_quad(&s, 3);
   s.regs.z_func = ATTILA_FUNC_ALWAYS;
   draw_quad(&s, 0);
   RUN(&s, HZ);
   expect_culled(WHOLE_QUADS);
}

/* Of parts of tiles, of a stencil test and of a program that discards, something may stay. */
static void
test_what_may_leave_a_pixel_out_hides_nothing(void **state)
{
   for (unsigned i = 0; i < 4; i++) {
      struct stream s;
      start(&s);
      const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                      kills = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
      const struct attila_cmd_program *p = i == 2 ? &kills : &early;
      test_depth(&s);
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, p, sizeof(*p) / 4);
      s.regs.stencil[0] = (struct attila_stencil_regs){
          .enable = i == 1, .func = ATTILA_FUNC_NOTEQUAL, .value_mask = 255};
      s.regs.scissor_minx = i == 0 ? 4 : 0;
      s.regs.scissor_maxx = i == 0 ? 8 : SIZE;
      s.regs.z_write = i != 3;
      draw_quad(&s, 7);
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &early, sizeof(early) / 4);
      s.regs.stencil[0].enable = 0;
      s.regs.scissor_minx = 0;
      s.regs.scissor_maxx = SIZE;
      s.regs.z_write = 1;
      draw_quad(&s, 0);
      RUN(&s, HZ);
      expect_culled(0);
   }
}

/* The clear comes between the two layers in each bin. */
static void
test_a_clear_in_the_lists_changes_bounds(void **state)
{
   for (unsigned near = 0; near < 2; near++) {
      struct stream s;
      start(&s);
      test_depth(&s);
      draw_quad(&s, near ? 0 : 7);
      clear_depth(&s, near ? 0.1f : 1);
      draw_quad(&s, near ? 7 : 0);
      RUN(&s, HZ, LATE);
      assert_int_equal(counted("ListedCommands_TF"), BINS);
      expect_culled(near ? LAYER_QUADS : 0);
   }
}

/* Bins that have ended send the depths of their tiles, also of those on the diagonal. */
static void
test_a_pass_knows_the_depths_of_the_one_before(void **state)
{
   const uint32_t fence[2] = {1, 0};
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 7);
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   draw_quad(&s, 0);
   RUN(&s, HZ);
   assert_int_equal(counted("PassesFence_PLB"), 1);
   expect_culled(LAYER_QUADS);
}

/* Bins that are not drawn have the depths of an earlier frame, not those of the clear. */
static void
test_nothing_is_known_of_bins_that_are_not_drawn(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   for (unsigned frame = 0; frame < 3; frame++) {
      stream_regs(&s);
      stream_clear(&s, 0.5f, 0, 0, 1, 1, 0);
      draw_quad(&s, 3);
      stream_command(&s, ATTILA_CMD_END_FRAME, NULL, 0);
   }
   s.regs.z_func = ATTILA_FUNC_GREATER;
   draw_quad(&s, 0);
   RUN(&s, HZ, "RASTERIZER.HZNearest=TRUE", "TILING.RenderingElimination=TRUE");
   assert_int_equal(counted("EliminatedBins_TF"), 2 * BINS);
   expect_culled(0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_layers_behind_another_are_culled),
       cmocka_unit_test(test_layers_in_front_are_not_culled),
       cmocka_unit_test(test_without_it_nothing_is_culled),
       cmocka_unit_test(test_a_draw_that_leaves_farther_depths_widens_bounds),
       cmocka_unit_test(test_each_bin_has_the_draws_in_their_order),
       cmocka_unit_test(test_what_may_leave_a_pixel_out_hides_nothing),
       cmocka_unit_test(test_a_clear_in_the_lists_changes_bounds),
       cmocka_unit_test(test_a_pass_knows_the_depths_of_the_one_before),
       cmocka_unit_test(test_nothing_is_known_of_bins_that_are_not_drawn),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
