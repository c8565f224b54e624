/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Transaction elimination of a tile-based machine (box/rop/rop_sign.c): what frames that repeat
 * themselves write. */
#include "tiling_stream.h"

#define ELIMINATION "TILING.TransactionElimination=TRUE", "COLORWRITE.DisableCompression=TRUE"
#define LINES (PICTURE_BYTES / 256)

static void
end_frame(struct stream *s)
{
   stream_command(s, ATTILA_CMD_END_FRAME, NULL, 0);
}

static void
frame(struct stream *s, bool clears)
{
   stream_regs(s);
   if (clears)
      stream_clear(s, 0.5f, 0, 0, 1, 1, 0);
   draw_quad(s, 1);
   draw_small(s, 100);
}

/* With a clear of the picture and without. */
static void
test_a_frame_like_the_one_before_is_not_written(void **state)
{
   for (unsigned clears = 0; clears < 2; clears++) {
      struct stream s;
      start(&s);
      for (unsigned i = 0; i < 3; i++) {
         frame(&s, clears);
         if (i < 2)
            end_frame(&s);
      }
      RUN(&s, ELIMINATION);
      assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
      assert_int_equal(counted("EliminatedLines_CW-SU"), 2 * LINES);
      assert_int_equal(counted("EliminatedBytes_CW-SU"), 2 * PICTURE_BYTES);
      assert_int_equal(counted("SignedBytes_CW-SU"), 3 * PICTURE_BYTES);
   }
}

static void
test_without_the_key_it_is_written(void **state)
{
   struct stream s;
   start(&s);
   frame(&s, true);
   end_frame(&s);
   frame(&s, true);
   RUN(&s, "COLORWRITE.DisableCompression=TRUE");
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * PICTURE_BYTES);
   assert_int_equal(counted("SignedBytes_CW-SU"), 0);
}

/* A square that differs is written as a whole, and once more when it is as before. */
static void
test_a_square_that_changes_is_written(void **state)
{
   struct stream s;
   start(&s);
   stream_regs(&s);
   for (unsigned i = 0; i < 3; i++) {
      stream_clear(&s, 0, 0, 0, 1, 1, 0);
      draw_quad(&s, 1);
      if (i == 1)
         draw_small(&s, 2);
      if (i < 2)
         end_frame(&s);
   }
   RUN(&s, ELIMINATION);
   assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES + 2 * BIN_BYTES);
}

/* A block of the colour of the clear is stored when it is drawn, and not when it is not. */
static void
test_a_clear_block_is_not_a_drawn_one(void **state)
{
   struct stream s;
   start(&s);
   s.regs.scissor_maxx = s.regs.scissor_maxy = 8;
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, c0\nEND\n");
   for (unsigned i = 0; i < 4; i++) {
      stream_regs(&s);
      stream_clear(&s, 0, 0, 0, 0, 1, 0);
      s.regs.scissor_maxx = i & 1 ? 16 : 8;
      draw_quad(&s, 1);
      if (i < 3)
         end_frame(&s);
   }
   RUN(&s, ELIMINATION);
   assert_int_equal(counted("WriteBytes_CW-SU"), (1 + 2 + 1 + 2) * 256);
}

static void
test_an_upload_makes_signatures_unknown(void **state)
{
   const uint32_t words[16] = {0};
   struct stream s;
   start(&s);
   frame(&s, false);
   const uint32_t head[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + 16),
                             s.regs.color[0].address + 1024, sizeof(words)};
   stream_words(&s, head, 3);
   stream_words(&s, words, 16);
   frame(&s, false);
   RUN(&s, ELIMINATION);
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * PICTURE_BYTES);
   assert_int_equal(counted("EliminatedLines_CW-SU"), 0);
}

/* What DISCARD drops is not in memory. */
static void
test_a_discard_makes_signatures_unknown(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned i = 0; i < 3; i++) {
      frame(&s, true);
      if (i == 1)
         discard(&s, s.regs.color[0].address, PICTURE_BYTES);
      if (i < 2)
         end_frame(&s);
   }
   RUN(&s, ELIMINATION);
   /* The line of a square that is discarded first makes it unknown. */
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * PICTURE_BYTES);
   assert_int_equal(counted("DiscardedLines_CW-SU"), LINES);
}

/* A cache of a single bin keeps it until it is written back: the next one waits. */
static void
test_a_bin_does_not_take_lines_of_the_one_before(void **state)
{
   struct stream s;
   start(&s);
   frame(&s, true);
   end_frame(&s);
   frame(&s, true);
   RUN(&s, ELIMINATION, "GPU.NumStampPipes=1", "TILING.TileBuffers=1",
       "COLORWRITE.ColorCacheWays=4", "COLORWRITE.ColorCacheLines=1");
   assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
   assert_int_equal(counted("EliminatedLines_CW-SU"), LINES);
}

/* Lines that leave a cache of few lines before their bin has ended are written. */
static void
test_lines_that_leave_early_are_written(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned i = 0; i < 2; i++) {
      draw_quad(&s, 1);
      draw_quad(&s, 2);
      if (i < 1)
         end_frame(&s);
   }
   RUN(&s, ELIMINATION, "COLORWRITE.ColorCacheWays=1", "COLORWRITE.ColorCacheLines=2");
   assert_true(counted("WriteBytes_CW-SU") >= 2 * PICTURE_BYTES);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_a_frame_like_the_one_before_is_not_written),
       cmocka_unit_test(test_without_the_key_it_is_written),
       cmocka_unit_test(test_a_square_that_changes_is_written),
       cmocka_unit_test(test_a_clear_block_is_not_a_drawn_one),
       cmocka_unit_test(test_an_upload_makes_signatures_unknown),
       cmocka_unit_test(test_a_discard_makes_signatures_unknown),
       cmocka_unit_test(test_a_bin_does_not_take_lines_of_the_one_before),
       cmocka_unit_test(test_lines_that_leave_early_are_written),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
