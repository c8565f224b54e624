/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A tile-based machine: what its passes need not write to memory, by DISCARD and by clears. Not
 * here: lists and ends of passes (test_tiling.c). */
#include "tiling_stream.h"

/* --- Discards --- */

static void
test_discarded_depth_is_not_written(void **state)
{
   for (unsigned discards = 0; discards < 2; discards++) {
      struct stream s;
      start(&s);
      test_depth(&s);
      draw_quad(&s, 0);
      draw_quad(&s, 1);
      if (discards)
         discard(&s, s.regs.zs_address, PICTURE_BYTES);
      RUN(&s, "ZSTENCILTEST.DisableCompression=TRUE");
      assert_int_equal(counted("WriteBytes_ZST-SU"), discards ? 0 : PICTURE_BYTES);
      assert_int_equal(counted("DiscardedLines_ZST-SU"), discards ? PICTURE_BYTES / 256 : 0);
      assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
      assert_int_equal(counted("DiscardedLines_CW-SU"), 0);
   }
}

static void
test_discarded_colours_are_not_written(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   discard(&s, s.regs.color[0].address, PICTURE_BYTES);
   RUN(&s, "ZSTENCILTEST.DisableCompression=TRUE");
   assert_int_equal(counted("WriteBytes_CW-SU"), 0);
   assert_int_equal(counted("WriteBytes_ZST-SU"), PICTURE_BYTES);
}

static void
test_only_whole_targets_are_discarded(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   discard(&s, s.regs.zs_address, PICTURE_BYTES - 256);
   RUN(&s);
   assert_int_equal(counted("DiscardedLines_ZST-SU"), 0);
}

static void
test_a_draw_after_a_discard_reads_all_of_the_depth(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   discard(&s, s.regs.zs_address, PICTURE_BYTES);
   draw_quad(&s, 1);
   RUN(&s, "ZSTENCILTEST.DisableCompression=TRUE");
   assert_int_equal(counted("PassesDiscard_PLB"), 1);
   assert_int_equal(counted("ReadBytes_ZST-SU"), PICTURE_BYTES);
   /* The first part of the frame drops it, the second does not. */
   assert_int_equal(counted("WriteBytes_ZST-SU"), PICTURE_BYTES);
   assert_int_equal(counted("DiscardedLines_ZST-SU"), PICTURE_BYTES / 256);
}

/* After a DISCARD, a clear does not join the lists. */
static void
test_what_a_clear_ends_is_not_written(void **state)
{
   for (unsigned planes = 1; planes <= 3; planes += 2) {
      const uint32_t zs[3] = {planes, 0, 0};
      struct stream s;
      start(&s);
      test_depth(&s);
      const uint32_t other = stream_alloc(&s, PICTURE_BYTES);
      s.regs.color[1] = s.regs.color[0];
      s.regs.color[1].address = other;
      draw_quad(&s, 0);
      discard(&s, other, PICTURE_BYTES);
      stream_command(&s, ATTILA_CMD_CLEAR_ZS, zs, 3);
      RUN(&s, "ZSTENCILTEST.DisableCompression=TRUE");
      assert_int_equal(counted("ListedClears_PLB"), 0);
      assert_int_equal(counted("PassesClear_PLB"), 1);
      /* Stencil that stays must be written, and depth with it. */
      assert_int_equal(counted("DiscardedLines_ZST-SU"), planes == 3 ? PICTURE_BYTES / 256 : 0);
      assert_int_equal(counted("WriteBytes_ZST-SU"), planes == 3 ? 0 : PICTURE_BYTES);
      assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
   }
}

/* --- Clears in the lists --- */

/* Colour and depth in the midst of a pass, and a draw that depth lets pass again. */
static void
test_a_clear_after_draws_ends_no_pass(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 4);
   stream_clear(&s, 0, 1, 0, 1, 0.75f, 0);
   draw_small(&s, 2);
   RUN(&s, "COLORWRITE.DisableCompression=TRUE", "ZSTENCILTEST.DisableCompression=TRUE");
   assert_int_equal(counted("ListedClears_PLB"), 2);
   assert_int_equal(counted("PassesClear_PLB"), 0);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   /* Each in the list of each bin; the rest are the quad's and the small triangles' in one bin. */
   assert_int_equal(counted("ListEntries_PLB"), 2 * BINS + 20 + 2);
   assert_int_equal(counted("ListedCommands_TF"), 2 * BINS);
   /* What was drawn before is gone: the tile of the small triangles alone is written. */
   assert_int_equal(counted("WriteBytes_CW-SU"), 256);
   assert_int_equal(counted("WriteBytes_ZST-SU"), 256);
   assert_int_equal(counted("ReadBytes_CW-SU") + counted("ReadBytes_ZST-SU"), 0);
   /* Nor is it drawn. */
   assert_int_equal(counted("TakenOutEntries_PLB"), 20);
   assert_int_equal(counted("Runs_TF"), 1);
}

/* What keeps the draws before clears of colour and depth in the lists. */
static void
test_draws_are_left_out_where_nothing_shows_them(void **state)
{
   enum { NOTHING, STENCIL, SAMPLES, INVOCATIONS, ANOTHER_TARGET, CASES };
   for (unsigned what = 0; what < CASES; what++) {
      const uint32_t zs[3] = {1, 0, 0};
      struct stream s;
      start(&s);
      test_depth(&s);
      const unsigned counter =
          what == INVOCATIONS ? ATTILA_COUNTER_FS_INVOCATIONS : ATTILA_COUNTER_SAMPLES_PASSED;
      if (what == STENCIL)
         s.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                          .func = ATTILA_FUNC_ALWAYS,
                                                          .zpass = ATTILA_STENCIL_INCR_WRAP,
                                                          .value_mask = 255,
                                                          .write_mask = 255};
      if (what == ANOTHER_TARGET) {
         s.regs.color[1] = s.regs.color[0];
         s.regs.color[1].address = stream_alloc(&s, PICTURE_BYTES);
         s.regs.fs_color0_to_all = 1;
      }
      s.regs.count_samples = what == SAMPLES;
      if (what == SAMPLES || what == INVOCATIONS)
         stream_counter(&s, counter);
      draw_quad(&s, 4);
      draw_quad(&s, 5);
      const struct {
         uint32_t mask;
         float color[4];
      } color = {1, {0, 1, 0, 1}};
      stream_command(&s, ATTILA_CMD_CLEAR_COLOR, &color, 5);
      stream_command(&s, ATTILA_CMD_CLEAR_ZS, zs, 3);
      if (what == SAMPLES || what == INVOCATIONS)
         stream_counter(&s, counter);
      draw_small(&s, 2);
      RUN(&s);
      assert_int_equal(counted("ListedClears_PLB"), 2);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
      assert_int_equal(counted("TakenOutEntries_PLB"), what == NOTHING ? 2 * 20 : 0);
   }
}

/* Entries go once, clear after clear. */
static void
test_each_clear_leaves_the_draws_before_it_out(void **state)
{
   struct stream s;
   start(&s);
   blend(&s);
   test_depth(&s);
   for (unsigned i = 0; i < 4; i++) {
      draw_quad(&s, i);
      stream_clear(&s, 0.1f * (float)i, 0, 0, 1, 0.9f, i);
   }
   draw_quad(&s, 6);
   RUN(&s, "TILING.ListBlockBytes=16");
   assert_int_equal(counted("TakenOutEntries_PLB"), 4 * 20 + 3 * 2 * BINS);
   assert_int_equal(counted("ListedCommands_TF"), 2 * BINS);
   assert_int_equal(counted("Runs_TF"), BINS);
}

static void
test_a_clear_of_depth_keeps_stencil(void **state)
{
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } depth = {1, 0.25f, 0};
   struct stream s;
   start(&s);
   test_depth(&s);
   s.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                    .func = ATTILA_FUNC_ALWAYS,
                                                    .zpass = ATTILA_STENCIL_INCR_WRAP,
                                                    .value_mask = 255,
                                                    .write_mask = 255};
   draw_small(&s, 40);
   stream_command(&s, ATTILA_CMD_CLEAR_ZS, &depth, 3);
   draw_small(&s, 20);
   RUN(&s);
   assert_int_equal(counted("ListedClears_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

/* The clear is in the lists of both paths of fragments. */
static void
test_a_clear_between_late_and_early_tests_keeps_their_order(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                   late = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
   for (unsigned i = 0; i < 6; i++) {
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, i & 1 ? &late : &early, sizeof(early) / 4);
      s.regs.z_test = i != 2;
      draw_quad(&s, 5 - i);
      if (i % 3 == 1)
         stream_clear(&s, 0.5f, 0, 0, 1, 0.6f, 3);
   }
   RUN(&s);
   assert_int_equal(counted("ListedClears_PLB"), 4);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

/* It is executed once in each part. */
static void
test_a_clear_in_a_pass_of_parts_is_executed_once(void **state)
{
   struct stream s;
   start(&s);
   blend(&s);
   test_depth(&s);
   draw_small(&s, SMALL);
   for (unsigned i = 0; i < 5; i++) {
      stream_clear(&s, 0.1f * (float)i, 0, 0, 1, 1, 0);
      draw_small(&s, SMALL / 3);
   }
   RUN(&s, "TILING.ParameterBufferSize=32");
   assert_true(counted("PartialRenders_PLB") >= 3);
   assert_int_equal(counted("ListedClears_PLB"), 10);
   assert_true(counted("ListedCommands_TF") <= 10 * BINS);
}

static void
test_a_clear_of_another_surface_ends_the_pass(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   s.regs.color[0].address = stream_alloc(&s, PICTURE_BYTES);
   stream_regs(&s);
   stream_clear(&s, 0, 0, 1, 0, 1, 0);
   RUN(&s);
   assert_int_equal(counted("PassesClear_PLB"), 1);
   assert_int_equal(counted("ListedClears_PLB"), 0);
}

/* What a partial render leaves is still needed. */
static void
test_partial_renders_discard_nothing(void **state)
{
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 0);
   draw_small(&s, SMALL);
   draw_quad(&s, 1);
   discard(&s, s.regs.zs_address, PICTURE_BYTES);
   RUN(&s, "TILING.ParameterBufferSize=32", "ZSTENCILTEST.DisableCompression=TRUE");
   assert_true(counted("PartialRenders_PLB") >= 1);
   assert_true(counted("ReadBytes_ZST-SU") >= PICTURE_BYTES / 4);
   assert_int_equal(counted("DiscardedLines_ZST-SU"), PICTURE_BYTES / 256);
}

/* The stencil that it cleared is that of the surface from then on. */
static void
test_a_clear_before_a_draw_is_taken_out_by_no_other_planes(void **state)
{
   const uint32_t both[3] = {3, 0, 4}, depth[3] = {1, 0, 1}, black[5] = {1};
   struct stream s;
   start(&s);
   test_depth(&s);
   draw_quad(&s, 1);
   stream_command(&s, ATTILA_CMD_CLEAR_ZS, both, 3);
   draw_small(&s, 2);
   stream_command(&s, ATTILA_CMD_CLEAR_COLOR, black, 5);
   stream_command(&s, ATTILA_CMD_CLEAR_ZS, depth, 3);
   draw_small(&s, 3);
   RUN(&s);
   assert_int_equal(counted("ListedClears_PLB"), 3);
   assert_int_equal(counted("TakenOutEntries_PLB"), 0);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_discarded_depth_is_not_written),
       cmocka_unit_test(test_discarded_colours_are_not_written),
       cmocka_unit_test(test_only_whole_targets_are_discarded),
       cmocka_unit_test(test_a_draw_after_a_discard_reads_all_of_the_depth),
       cmocka_unit_test(test_what_a_clear_ends_is_not_written),
       cmocka_unit_test(test_a_clear_after_draws_ends_no_pass),
       cmocka_unit_test(test_draws_are_left_out_where_nothing_shows_them),
       cmocka_unit_test(test_each_clear_leaves_the_draws_before_it_out),
       cmocka_unit_test(test_a_clear_of_depth_keeps_stencil),
       cmocka_unit_test(test_a_clear_between_late_and_early_tests_keeps_their_order),
       cmocka_unit_test(test_a_clear_in_a_pass_of_parts_is_executed_once),
       cmocka_unit_test(test_a_clear_of_another_surface_ends_the_pass),
       cmocka_unit_test(test_partial_renders_discard_nothing),
       cmocka_unit_test(test_a_clear_before_a_draw_is_taken_out_by_no_other_planes),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
