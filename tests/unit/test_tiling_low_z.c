/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Low-resolution Z of a tile-based machine (box/low_z.h): which tiles are dropped of layers that
 * are drawn back to front and front to back, and what ends that. run_tiled compares all memory with
 * functional mode. A layer is two triangles over 8x8 tiles, of which the eight on the diagonal have
 * two parts, and hide nothing. */
#include "tiling_stream.h"

#define LOW "TILING.LowResolutionZ=64"
#define TILES 64
#define SPLIT 8                             /* tiles on the diagonal */
#define HIDDEN_QUADS ((TILES - SPLIT) * 16) /* of a layer behind others */
#define LAYER_TILES (TILES + SPLIT)         /* that triangles of a layer cover in part or whole */

static void
start_depth(struct stream *s)
{
   start(s);
   test_depth(s);
}

static void
expect_culled(int64_t quads)
{
   assert_int_equal(counted("CulledLowZQuads_HZ"), quads);
}

/* Layer n is nearer than layer n - 1. */
static void
test_later_layers_hide_earlier_ones(void **state)
{
   static const char *const keys[][2] = {{"TILING.TileWidth=16", "TILING.TileHeight=16"},
                                         {"TILING.TileWidth=64", "TILING.TileHeight=8"},
                                         {"TILING.TileOrder=Z", "RASTERIZER.DisableHZ=FALSE"}};
   for (unsigned i = 0; i < 3; i++) {
      struct stream s;
      start_depth(&s);
      for (unsigned n = 0; n < 5; n++)
         draw_quad(&s, n);
      RUN(&s, LOW, keys[i][0], keys[i][1]);
      expect_culled(4 * HIDDEN_QUADS);
      assert_int_equal(counted("TestedLowZTiles_HZ"), 5 * LAYER_TILES);
      assert_int_equal(counted("LowZTiles_PLB"), 5 * 2 * TILES);
      assert_int_equal(counted("ShadedFragments_FFU"),
                       SIZE * SIZE + 4 * SPLIT * ATTILA_TILE_ELEMENTS);
   }
}

static void
test_without_the_key_nothing_is_dropped(void **state)
{
   struct stream s;
   start_depth(&s);
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   RUN(&s);
   expect_culled(0);
   assert_int_equal(counted("TestedLowZTiles_HZ"), 0);
   assert_int_equal(counted("LowZTiles_PLB"), 0);
}

static void
test_earlier_layers_hide_later_ones(void **state)
{
   struct stream s;
   start_depth(&s);
   for (unsigned n = 5; n--;)
      draw_quad(&s, n);
   RUN(&s, LOW);
   expect_culled(4 * HIDDEN_QUADS);
}

/* Tiles beyond those that have a depth are drawn: the first four rows have one. */
static void
test_only_tiles_with_room_are_dropped(void **state)
{
   struct stream s;
   start_depth(&s);
   draw_quad(&s, 0);
   draw_quad(&s, 1);
   RUN(&s, "TILING.LowResolutionZ=32");
   expect_culled((32 - 4) * 16);
}

/* What a draw may do between a layer and one in front of it. */
struct between {
   const char *name;
   void (*draw)(struct stream *s);
   bool harmless;
};

static void
draw_blended(struct stream *s)
{
   s->regs.z_write = 0;
   blend(s);
   draw_quad(s, 1);
}

static void
draw_blended_with_depth(struct stream *s)
{
   blend(s);
   draw_quad(s, 1);
}

static void
draw_masked(struct stream *s)
{
   s->regs.color[0].write_mask = 7;
   draw_quad(s, 1);
}

static void
draw_depth_alone(struct stream *s)
{
   s->regs.color[0].write_mask = 0;
   draw_quad(s, 1);
}

static void
draw_logic_operation(struct stream *s)
{
   s->regs.logicop_enable = 1;
   s->regs.logicop = 6;
   draw_quad(s, 1);
}

static void
draw_without_test(struct stream *s)
{
   s->regs.z_test = s->regs.z_write = 0;
   draw_quad(s, 1);
}

static void
draw_if_farther(struct stream *s)
{
   s->regs.z_write = 0;
   s->regs.z_func = ATTILA_FUNC_GREATER;
   draw_quad(s, 1);
}

static void
draw_if_equal(struct stream *s)
{
   s->regs.z_func = ATTILA_FUNC_EQUAL;
   draw_quad(s, 0);
}

static void
draw_stencil(struct stream *s)
{
   s->regs.z_write = 0;
   s->regs.stencil[0].enable = 1;
   s->regs.stencil[0].func = ATTILA_FUNC_ALWAYS;
   s->regs.stencil[0].value_mask = s->regs.stencil[0].write_mask = 0xff;
   s->regs.stencil[0].zpass = ATTILA_STENCIL_INCR_SAT;
   draw_quad(s, 1);
}

static void
draw_counted(struct stream *s)
{
   s->regs.count_samples = 1;
   draw_quad(s, 1);
}

static const struct between between[] = {
    {"blended", draw_blended, true},
    {"without a test", draw_without_test, true},
    {"blended, with depth", draw_blended_with_depth, false},
    {"a channel is masked", draw_masked, false},
    {"depth alone", draw_depth_alone, false},
    {"a logic operation", draw_logic_operation, false},
    {"if farther", draw_if_farther, false},
    {"if equal", draw_if_equal, false},
    {"stencil", draw_stencil, false},
    {"counted", draw_counted, false},
};

/* A layer, the draw, and a layer in front of both: the first must be there for the draw. */
static void
test_draws_that_need_what_is_hidden_end_it(void **state)
{
   for (unsigned i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
      struct stream s;
      start_depth(&s);
      const struct attila_regs plain = s.regs;
      draw_quad(&s, 0);
      between[i].draw(&s);
      s.regs = plain;
      draw_quad(&s, 4);
      stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
      RUN(&s, LOW);
      const int64_t quads = counted("CulledLowZQuads_HZ");
      if (between[i].harmless ? quads < HIDDEN_QUADS : quads != 0)
         fail_msg("%s: %d quads dropped", between[i].name, (int)quads);
   }
}

/* What was found before such a draw counts for it and for those after it. */
static void
test_what_earlier_layers_hide_stays_hidden(void **state)
{
   struct stream s;
   start_depth(&s);
   draw_quad(&s, 4);
   draw_stencil(&s);
   draw_quad(&s, 0);
   RUN(&s, LOW);
   expect_culled(2 * HIDDEN_QUADS);
}

/* Depth that becomes farther. */
static void
test_a_draw_that_leaves_farther_depths_ends_all(void **state)
{
   struct stream s;
   start_depth(&s);
   draw_quad(&s, 4);
   s.regs.z_func = ATTILA_FUNC_ALWAYS;
   draw_quad(&s, 0);
   s.regs.z_func = ATTILA_FUNC_LESS;
   draw_quad(&s, 2);
   draw_quad(&s, 1);
   RUN(&s, LOW);
   expect_culled(0);
}

/* A clear that takes out all before it begins anew; one of depth alone ends all. */
static void
test_clears_in_the_lists(void **state)
{
   const uint32_t zs[3] = {3, 0x3f800000, 0};
   for (unsigned color = 0; color < 2; color++) {
      struct stream s;
      start_depth(&s);
      draw_quad(&s, 4);
      if (color)
         stream_clear(&s, 0, 0, 0, 0, 1, 0);
      else
         stream_command(&s, ATTILA_CMD_CLEAR_ZS, zs, 3);
      draw_quad(&s, 1);
      draw_quad(&s, 2);
      RUN(&s, LOW);
      expect_culled(color ? HIDDEN_QUADS : 0);
   }
}

static void
test_programs_that_discard_hide_nothing(void **state)
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
   RUN(&s, LOW);
   expect_culled(0);
}

/* A program that writes storage buffers counts its fragments there: those of two layers in a draw,
 * of which the second hides the first, or with early tests those that pass. */
static void
test_fragments_that_write_storage_are_not_dropped(void **state)
{
   static const char count[] = ".literal 0, 0x00000001, 0, 0\n"
                               "RED l0.x, l0.x, l0.y, ADD\nMOV o0, i1\nEND\n";
   for (unsigned early = 0; early < 2; early++) {
      struct stream s;
      char text[128];
      start(&s);
      const uint32_t bind[4] = {ATTILA_STAGE_FRAGMENT, 0, stream_alloc(&s, 64), 64};
      snprintf(text, sizeof(text), ".fragment\n%s%s", early ? ".early\n" : "", count);
      stream_program(&s, ATTILA_STAGE_FRAGMENT, text);
      stream_command(&s, ATTILA_CMD_STORAGE, bind, 4);
      test_depth(&s);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 12);
      RUN(&s, LOW);
      expect_culled(0);
   }
}

/* All samples of a tile must be covered, and none masked. */
static void
test_samples(void **state)
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
      test_depth(&s);
      draw_quad(&s, 0);
      s.regs.sample_mask = masked ? 7 : 15;
      draw_quad(&s, 1);
      RUN(&s, LOW);
      expect_culled(masked ? 0 : HIDDEN_QUADS);
   }
}

/* Lists that were drawn in part begin anew. */
static void
test_partial_renders(void **state)
{
   struct stream s;
   start_depth(&s);
   for (unsigned n = 0; n < QUADS; n++) {
      draw_quad(&s, 0);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 6 * QUADS, 3 * SMALL);
   }
   draw_quad(&s, 2);
   RUN(&s, LOW, "TILING.ParameterBufferSize=64");
   assert_true(counted("PartialRenders_PLB") > 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_later_layers_hide_earlier_ones),
       cmocka_unit_test(test_without_the_key_nothing_is_dropped),
       cmocka_unit_test(test_earlier_layers_hide_later_ones),
       cmocka_unit_test(test_only_tiles_with_room_are_dropped),
       cmocka_unit_test(test_draws_that_need_what_is_hidden_end_it),
       cmocka_unit_test(test_what_earlier_layers_hide_stays_hidden),
       cmocka_unit_test(test_a_draw_that_leaves_farther_depths_ends_all),
       cmocka_unit_test(test_clears_in_the_lists),
       cmocka_unit_test(test_programs_that_discard_hide_nothing),
       cmocka_unit_test(test_fragments_that_write_storage_are_not_dropped),
       cmocka_unit_test(test_samples),
       cmocka_unit_test(test_partial_renders),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
