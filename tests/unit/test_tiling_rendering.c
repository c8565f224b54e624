/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rendering elimination of a tile-based machine (box/tiling/kept.c): which bins of frames that
 * repeat themselves are drawn, and that memory is right in any case. */
#include "tiling_stream.h"

#define KEEPS "TILING.RenderingElimination=TRUE"
#define PLAIN "COLORWRITE.DisableCompression=TRUE"

static void
end_frame(struct stream *s)
{
   stream_command(s, ATTILA_CMD_END_FRAME, NULL, 0);
}

static int64_t
counted_in(const char *statistic, unsigned frame)
{
   char sql[200];
   snprintf(sql, sizeof(sql), "SELECT \"%s\" FROM frame_counters WHERE frame = %u", statistic,
            frame);
   return record_number(db, sql);
}

/* Without and with a depth test, in two sizes of bins; blocks are compressed or plain. */
static void
test_frames_like_the_one_before_are_not_drawn(void **state)
{
   for (unsigned i = 0; i < 8; i++) {
      const unsigned bins = i & 2 ? BINS / 4 : BINS;
      struct stream s;
      start(&s);
      s.regs.z_test = s.regs.z_write = i & 1;
      s.regs.z_func = ATTILA_FUNC_LEQUAL;
      for (unsigned frame = 0; frame < 3; frame++) {
         stream_regs(&s);
         stream_clear(&s, 0.5f, 0, 0, 1, 1, 0);
         draw_quad(&s, 1);
         draw_small(&s, 100);
         if (frame < 2)
            end_frame(&s);
      }
      RUN(&s, KEEPS, i & 2 ? "TILING.TileWidth=32" : "TILING.TileWidth=16",
          i & 2 ? "TILING.TileHeight=32" : "TILING.TileHeight=16",
          i & 4 ? "COLORWRITE.DisableCompression=TRUE" : "COLORWRITE.DisableCompression=FALSE");
      assert_int_equal(counted_in("DrawnBins_TF", 0), bins);
      for (unsigned frame = 1; frame < 3; frame++) {
         assert_int_equal(counted_in("EliminatedBins_TF", frame), bins);
         assert_int_equal(counted_in("DrawnBins_TF", frame), 0);
         assert_int_equal(counted_in("OutputTriangles_TF", frame), 0);
         assert_int_equal(counted_in("ShadedFragments_FFU", frame), 0);
         assert_int_equal(counted_in("WriteBytes_CW-SU", frame), 0);
         /* Geometry is as ever. */
         assert_int_equal(counted_in("ListEntries_PLB", frame), counted_in("ListEntries_PLB", 0));
      }
      assert_true(counted("SignedBytes_PLB") > 0);
   }
}

static void
test_without_the_key_all_bins_are_drawn(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned frame = 0; frame < 2; frame++) {
      stream_regs(&s);
      stream_clear(&s, 0.5f, 0, 0, 1, 1, 0);
      draw_quad(&s, 1);
      if (frame < 1)
         end_frame(&s);
   }
   RUN(&s, PLAIN);
   assert_int_equal(counted("DrawnBins_TF"), 2 * BINS);
   assert_int_equal(counted("EliminatedBins_TF") + counted("SignedBytes_PLB"), 0);
}

/* One input of a bin is another one in the second frame; the third frame is like the first. */
enum change {
   CLEAR_COLOR,
   VERTICES,
   CONSTANT,
   PROGRAM,
   BLENDING,
   TEXELS,
   ORDER,
   SAMPLES_COUNTED,
   FRAGMENTS_COUNTED,
   READS_TARGET,
   UPLOAD_TO_TARGET,
   OTHER_TARGETS,
   LISTED_CLEAR,
   NO_CLEAR,
   CHANGES
};

static void
upload(struct stream *s, uint32_t address, uint32_t word)
{
   const uint32_t command[4] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3), address, 4, word};
   stream_words(s, command, 4);
}

static void
constant(struct stream *s, float value)
{
   struct {
      uint32_t stage, first;
      float vec[4];
   } c = {ATTILA_STAGE_FRAGMENT, 0, {value, 0.5f, 0, 1}};
   stream_command(s, ATTILA_CMD_WRITE_CONSTS, &c, 6);
}

/* Draws frame 0, 1 or 2. */
static void
changing_frame(struct stream *s, enum change what, bool changed, uint32_t memory)
{
   static const char shader[] = ".fragment\nTEX r0, i1, t0, 2D\nADD o0, r0, c0\nEND\n",
                     other[] = ".fragment\nTEX r0, i1, t0, 2D\nMUL o0, r0, c0\nEND\n";
   const uint32_t target = s->regs.color[0].address;
   stream_program(s, ATTILA_STAGE_FRAGMENT, what == PROGRAM && changed ? other : shader);
   constant(s, what == CONSTANT && changed ? 0.25f : 0.125f);
   if (what == TEXELS)
      upload(s, memory + 64, changed ? 0xffffffff : 0);
   sample(s, memory);
   s->regs.color[0].blend_enable = what == BLENDING && changed;
   s->regs.color[0].rgb_src = s->regs.color[0].alpha_src = ATTILA_FACTOR_SRC_ALPHA;
   s->regs.count_samples = what == SAMPLES_COUNTED;
   stream_regs(s);
   if (what != NO_CLEAR)
      stream_clear(s, what == CLEAR_COLOR && changed ? 0.75f : 0.5f, 0, 0, 1, 1, 0);
   if (what == FRAGMENTS_COUNTED || what == SAMPLES_COUNTED)
      stream_counter(s, what == SAMPLES_COUNTED ? ATTILA_COUNTER_SAMPLES_PASSED
                                                : ATTILA_COUNTER_FS_INVOCATIONS);
   if (what == ORDER && changed) {
      draw_small(s, SMALL);
      draw_quad(s, 1);
   } else {
      draw_quad(s, what == VERTICES && changed ? 2 : 1);
      draw_small(s, SMALL);
   }
   if (what == FRAGMENTS_COUNTED || what == SAMPLES_COUNTED)
      stream_counter(s, what == SAMPLES_COUNTED ? ATTILA_COUNTER_SAMPLES_PASSED
                                                : ATTILA_COUNTER_FS_INVOCATIONS);
   if (what == READS_TARGET) {
      /* It writes nothing, so what it reads does not show. */
      sample(s, target);
      s->regs.color[0].write_mask = 0;
      draw_small(s, SMALL);
      s->regs.color[0].write_mask = 15;
   }
   if (what == LISTED_CLEAR && changed)
      stream_clear(s, 0, 0, 1, 1, 1, 0);
   if (what == UPLOAD_TO_TARGET && changed)
      upload(s, target + 512, 0x12345678);
   if (what == OTHER_TARGETS && changed) {
      /* The same memory as another target, with depth beside it that was not there. */
      struct attila_regs before = s->regs;
      s->regs.zs_address = 0;
      draw_small(s, SMALL);
      s->regs = before;
   }
   stream_flush(s);
}

static void
test_bins_with_other_inputs_are_drawn(void **state)
{
   for (enum change what = 0; what < CHANGES; what++) {
      struct stream s;
      start(&s);
      const uint32_t memory = stream_alloc(&s, PICTURE_BYTES);
      for (unsigned frame = 0; frame < 3; frame++) {
         changing_frame(&s, what, frame == 1, memory);
         if (frame < 2)
            end_frame(&s);
      }
      RUN(&s, KEEPS);
      /* What changes after the draws of the second frame shows in the third. */
      const bool second = what == UPLOAD_TO_TARGET || what == OTHER_TARGETS;
      assert_int_equal(counted_in("EliminatedBins_TF", 0), 0);
      assert_int_equal(counted_in("EliminatedBins_TF", 1), second ? BINS : 0);
      assert_int_equal(counted_in("EliminatedBins_TF", 2), 0);
   }
}

/* Bins that differ are drawn, the others are not. */
static void
test_a_bin_that_changes_is_drawn_alone(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned frame = 0; frame < 3; frame++) {
      stream_regs(&s);
      stream_clear(&s, 0.5f, 0, 0, 1, 1, 0);
      draw_quad(&s, 1);
      if (frame == 1)
         draw_small(&s, 2);
      if (frame < 2)
         end_frame(&s);
   }
   RUN(&s, KEEPS);
   assert_int_equal(counted_in("EliminatedBins_TF", 1), BINS - 1);
   assert_int_equal(counted_in("DrawnBins_TF", 1), 1);
   assert_int_equal(counted_in("EliminatedBins_TF", 2), BINS - 1);
}

/* Two targets in turn, as windows have two buffers. */
static void
test_targets_in_turn_are_kept_apart(void **state)
{
   struct stream s;
   start(&s);
   const uint32_t picture[2] = {s.regs.color[0].address, stream_alloc(&s, PICTURE_BYTES)};
   s.regs.zs_address = 0;
   for (unsigned frame = 0; frame < 6; frame++) {
      s.regs.color[0].address = picture[frame & 1];
      stream_regs(&s);
      stream_clear(&s, 0.5f, 0, 0, 1, 1, 0);
      draw_quad(&s, frame & 1);
      if (frame < 5)
         end_frame(&s);
   }
   RUN(&s, KEEPS);
   assert_int_equal(counted("DrawnBins_TF"), 2 * BINS);
   assert_int_equal(counted("EliminatedBins_TF"), 4 * BINS);
}

/* Early and late depth tests, samples, several colour buffers, discarded depth, parts. */
static void
test_kept_contents_are_right_in_all_kinds_of_passes(void **state)
{
   for (unsigned kind = 0; kind < 6; kind++) {
      struct stream s;
      start(&s);
      const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                      late = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
      if (kind == 1) {
         s.regs.fb_samples = 4;
         s.regs.color[0].address = stream_alloc(&s, 4 * PICTURE_BYTES);
         s.regs.zs_address = stream_alloc(&s, 4 * PICTURE_BYTES);
      }
      if (kind == 2) {
         s.regs.color[1] = s.regs.color[0];
         s.regs.color[1].address = stream_alloc(&s, PICTURE_BYTES);
         s.regs.fs_color0_to_all = 1;
      }
      const struct {
         uint32_t mask;
         float color[4];
      } color = {3, {0.5f, 0, 0, 1}};
      for (unsigned frame = 0; frame < 3; frame++) {
         test_depth(&s);
         stream_command(&s, ATTILA_CMD_CLEAR_COLOR, &color, 5);
         for (unsigned i = 0; i < 4; i++) {
            if (kind == 0)
               stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, i & 1 ? &late : &early,
                              sizeof(early) / 4);
            draw_quad(&s, 4 - i);
         }
         draw_small(&s, SMALL);
         if (kind == 3)
            discard(&s, s.regs.zs_address, PICTURE_BYTES);
         if (frame < 2)
            end_frame(&s);
      }
      RUN(&s, KEEPS,
          kind == 4 ? "TILING.ParameterBufferSize=32" : "TILING.ParameterBufferSize=4096",
          kind == 5 ? "TILING.TransactionElimination=TRUE" : "TILING.TransactionElimination=FALSE",
          "MEMORYCONTROLLER.MemorySize=32");
      assert_int_equal(counted_in("EliminatedBins_TF", 2), kind == 4 ? 0 : BINS);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_frames_like_the_one_before_are_not_drawn),
       cmocka_unit_test(test_without_the_key_all_bins_are_drawn),
       cmocka_unit_test(test_bins_with_other_inputs_are_drawn),
       cmocka_unit_test(test_a_bin_that_changes_is_drawn_alone),
       cmocka_unit_test(test_targets_in_turn_are_kept_apart),
       cmocka_unit_test(test_kept_contents_are_right_in_all_kinds_of_passes),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
