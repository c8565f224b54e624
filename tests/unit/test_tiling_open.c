/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A tile-based machine with several open passes: what a switch of targets costs, and what must end
 * an open pass. Every stream is also run in functional mode, which must leave the same memory. Not
 * here: a single open pass (test_tiling.c). */
#include "tiling_stream.h"

#define TWO "TILING.OpenPasses=2"
#define PLAIN "COLORWRITE.DisableCompression=TRUE", "ZSTENCILTEST.DisableCompression=TRUE"
#define SWITCHES 20

static const uint32_t fence[2] = {1, 0};
static uint32_t target[3]; /* colour buffers */

/* Three targets without depth. */
static void
start_targets(struct stream *s)
{
   start(s);
   s->regs.zs_address = 0;
   target[0] = s->regs.color[0].address;
   target[1] = stream_alloc(s, PICTURE_BYTES);
   target[2] = stream_alloc(s, PICTURE_BYTES);
}

/* Draws to a target. */
static void
draw_to(struct stream *s, unsigned number, unsigned quad)
{
   s->regs.color[0].address = target[number];
   draw_quad(s, quad);
}

/* Fragments read 64x64 texels at an address, or none. */
static void
use_texture(struct stream *s, uint32_t address)
{
   sample(s, address);
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, i1, t0, 2D\nEND\n");
}

static void
use_no_texture(struct stream *s)
{
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
}

static void
flush_textures(struct stream *s)
{
   const uint32_t bits = ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE;
   stream_command(s, ATTILA_CMD_FLUSH, &bits, 1);
}

/* --- What switches cost --- */

/* Two targets in turn load and store what two passes do. */
static void
test_a_switch_back_goes_on_with_the_open_pass(void **state)
{
   for (unsigned open = 1; open <= 2; open++) {
      struct stream s;
      start_targets(&s);
      blend(&s);
      for (unsigned i = 0; i < 2; i++) {
         s.regs.color[0].address = target[i];
         stream_regs(&s);
         stream_clear(&s, 0, 0, 0, 0, 1, 0);
      }
      for (unsigned i = 0; i <= SWITCHES; i++)
         draw_to(&s, i % 2, i % QUADS);
      RUN(&s, PLAIN, open == 2 ? TWO : "TILING.OpenPasses=1");
      const int64_t passes = open == 2 ? 2 : SWITCHES + 1;
      assert_int_equal(counted("WriteBytes_CW-SU"), passes * PICTURE_BYTES);
      assert_int_equal(counted("ReadBytes_CW-SU"), (passes - 2) * PICTURE_BYTES);
      assert_int_equal(counted("PassesTarget_PLB"), open == 2 ? 0 : SWITCHES);
      assert_int_equal(counted("PassesSwap_PLB"), open);
      assert_int_equal(record_number(db, "SELECT count(*) FROM passes"), passes);
      assert_int_equal(record_number(db, "SELECT sum(draws) FROM passes"), SWITCHES + 1);
      assert_int_equal(record_number(db, "SELECT count(*) FROM pass_draws JOIN passes USING "
                                         "(frame, pass) WHERE pass_draws.first_draw % 2 = "
                                         "passes.first_draw % 2 AND pass_draws.draws = 1"),
                       SWITCHES + 1);
      assert_int_equal(record_number(db, "SELECT sum(primitives) FROM pass_bins"),
                       20 * (SWITCHES + 1));
   }
}

static void
test_the_pass_used_longest_ago_makes_room(void **state)
{
   static const unsigned turn[] = {0, 1, 0, 2, 0, 1};
   struct stream s;
   start_targets(&s);
   for (unsigned i = 0; i < 6; i++)
      draw_to(&s, turn[i], i);
   RUN(&s, TWO);
   /* The third target takes the place of the second one, and the other way round. */
   assert_int_equal(counted("PassesTarget_PLB"), 2);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
   assert_int_equal(record_number(db, "SELECT draws FROM passes WHERE first_draw = 0"), 3);
   assert_int_equal(record_number(db, "SELECT min(why = 'Target') FROM passes WHERE pass < 2"), 1);
}

/* Each has clears of its own: before its draws, and in its lists. */
static void
test_a_clear_of_other_targets_ends_no_pass(void **state)
{
   struct stream s;
   start_targets(&s);
   blend(&s);
   for (unsigned i = 0; i < 8; i++) {
      s.regs.color[0].address = target[i % 2];
      stream_regs(&s);
      stream_clear(&s, 0.125f * (float)i, 0, 1, 0, 1, 0);
      draw_quad(&s, i);
      draw_small(&s, 9 * i);
   }
   RUN(&s, PLAIN, TWO);
   assert_int_equal(counted("PassesClear_PLB"), 0);
   assert_int_equal(counted("ListedClears_PLB"), 6);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * PICTURE_BYTES);
   assert_int_equal(counted("ReadBytes_CW-SU"), 0);
}

/* The lists of two passes are mixed in the cache of the parameter buffer, and drawn in parts. */
static void
test_open_passes_share_the_parameter_buffer(void **state)
{
   struct stream s;
   start_targets(&s);
   blend(&s);
   for (unsigned i = 0; i < 12; i++) {
      s.regs.color[0].address = target[i % 2];
      draw_small(&s, 100 + 64 * i);
   }
   RUN(&s, TWO, "TILING.ParameterBufferSize=64", "TILING.TileCacheLines=4");
   assert_true(counted("PartialRenders_PLB") >= 4);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
   assert_int_equal(record_number(db, "SELECT sum(parts) FROM passes"),
                    2 + counted("PartialRenders_PLB"));
   assert_int_equal(record_number(db, "SELECT min(parts) > 1 FROM passes"), 1);
}

/* The end of one pass drops none of the other's lists from the cache of the parameter buffer. */
static void
test_lists_of_a_pass_stay_when_another_is_drawn(void **state)
{
   struct stream s;
   start_targets(&s);
   draw_to(&s, 0, 1);
   draw_to(&s, 1, 2);
   const struct attila_cmd_buffer read = {target[1], 256};
   stream_command(&s, ATTILA_CMD_READ_BUFFER, &read, sizeof(read) / 4);
   RUN(&s, TWO);
   assert_int_equal(counted("PassesReadback_PLB"), 1);
   assert_int_equal(counted("WriteBytes_PLB") + counted("WriteBytes_TF"), 0);
   /* The tables of lists, where none was entered before: 16 lists, 8 in a line. */
   assert_int_equal(counted("ReadBytes_PLB") + counted("ReadBytes_TF"), 2 * 2 * 64);
}

static void
test_pass_draws_counts_draws_of_all_open_passes(void **state)
{
   struct stream s;
   start_targets(&s);
   for (unsigned i = 0; i < 10; i++)
      draw_to(&s, i == 0, i % QUADS);
   RUN(&s, TWO, "TILING.PassDraws=4");
   /* The first draw is alone in its pass. The others are in passes of three, four and two. */
   assert_int_equal(counted("PassesDraws_PLB"), 3);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   assert_int_equal(counted("Batches_CP"), 10);
}

/* --- What ends them --- */

/* The texture is first read as it was, so caches have it. */
static void
test_a_draw_that_samples_an_open_target_ends_its_pass(void **state)
{
   struct stream s;
   start_targets(&s);
   use_texture(&s, target[1]);
   draw_to(&s, 0, 1);
   flush_textures(&s);
   use_no_texture(&s);
   draw_to(&s, 1, 5);
   flush_textures(&s);
   draw_to(&s, 2, 2);
   use_texture(&s, target[1]);
   draw_to(&s, 2, 3);
   RUN(&s, "TILING.OpenPasses=3");
   /* The first reads what the second draws to. */
   assert_int_equal(counted("PassesTarget_PLB"), 1);
   assert_int_equal(counted("PassesFlush_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

/* A FLUSH comes while another pass is open, so it is for one that has ended, too. */
static void
test_a_flush_is_done_when_a_draw_of_an_open_pass_needs_it(void **state)
{
   for (unsigned open = 1; open <= 2; open++) {
      struct stream s;
      start_targets(&s);
      use_texture(&s, target[0]);
      draw_to(&s, 1, 1);
      stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      use_no_texture(&s);
      draw_to(&s, 0, 5);
      stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      draw_to(&s, 1, 2);
      flush_textures(&s);
      use_texture(&s, target[0]);
      draw_to(&s, 1, 3);
      RUN(&s, open == 2 ? TWO : "TILING.OpenPasses=1");
      assert_int_equal(counted("PassesFence_PLB"), 2);
      assert_int_equal(counted("PassesFlush_PLB"), 0);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
   }
}

/* The FLUSH is done for the first target while the second one, which it is for, too, is open. */
static void
test_a_flush_is_done_again_for_a_pass_that_was_open(void **state)
{
   struct stream s;
   start_targets(&s);
   use_texture(&s, target[1]);
   draw_to(&s, 2, 1);
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   use_no_texture(&s);
   draw_to(&s, 0, 5);
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   draw_to(&s, 1, 6);
   flush_textures(&s);
   use_texture(&s, target[0]);
   draw_to(&s, 2, 2);
   use_texture(&s, target[1]);
   draw_to(&s, 2, 3);
   RUN(&s, TWO);
   assert_int_equal(counted("PassesFence_PLB"), 2);
   assert_int_equal(counted("PassesFlush_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

static void
test_vertices_and_constants_from_an_open_target_end_its_pass(void **state)
{
   for (unsigned constants = 0; constants < 2; constants++) {
      struct stream s;
      start_targets(&s);
      draw_to(&s, 0, 5);
      flush_textures(&s);
      if (constants) {
         const uint32_t buffer[4] = {ATTILA_STAGE_FRAGMENT, 0, target[0], 256};
         stream_command(&s, ATTILA_CMD_CONST_BUFFERS, buffer, 4);
         stream_program(&s, ATTILA_STAGE_FRAGMENT,
                        ".fragment\n.literal 0x10, 0, 0, 0\nLDC r0, l0.x, l0.y\nMOV o0, r0\nEND\n");
      } else {
         s.regs.attrib[1].address = target[0];
      }
      draw_to(&s, 1, 0);
      RUN(&s, TWO);
      assert_int_equal(counted("PassesFlush_PLB"), 1);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
   }
}

static void
test_a_new_pass_that_draws_over_a_texture_ends_its_reader(void **state)
{
   struct stream s;
   start_targets(&s);
   draw_to(&s, 1, 2);
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   use_texture(&s, target[1]);
   draw_to(&s, 0, 1);
   use_no_texture(&s);
   draw_to(&s, 1, 5);
   RUN(&s, TWO);
   assert_int_equal(counted("PassesTarget_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

/* Two framebuffers have the same depth: both test it, or one does, or one begins to. */
static void
test_a_depth_buffer_that_two_passes_use_ends_one(void **state)
{
   for (unsigned tests = 0; tests < 4; tests++) {
      struct stream s;
      start(&s);
      const uint32_t zs = s.regs.zs_address;
      start_targets(&s);
      s.regs.zs_address = zs;
      test_depth(&s);
      s.regs.z_test = s.regs.z_write = tests & 1;
      draw_to(&s, 0, 5);
      draw_to(&s, 1, 2);
      s.regs.z_test = s.regs.z_write = tests >> 1;
      draw_to(&s, 1, 3);
      draw_to(&s, 1, 6);
      RUN(&s, TWO);
      assert_int_equal(counted("PassesTarget_PLB"), tests & 1);
      assert_int_equal(counted("PassesSwap_PLB"), 2 - (tests & 1));
   }
}

static void
test_a_clear_ends_passes_that_read_or_share_the_surface(void **state)
{
   for (unsigned shares = 0; shares < 2; shares++) {
      struct stream s;
      start_targets(&s);
      draw_to(&s, 1, 3);
      stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      if (shares) {
         /* Another surface of the same memory. */
         s.regs.fb_width = s.regs.fb_height = SIZE / 2;
         s.regs.color[0].pitch_tiles = attila_surface_pitch(SIZE / 2, SIZE / 2);
      } else {
         use_texture(&s, target[1]);
      }
      draw_to(&s, shares, 1);
      use_no_texture(&s);
      draw_to(&s, 2, 1);
      s.regs.fb_width = s.regs.fb_height = SIZE;
      s.regs.color[0].pitch_tiles = attila_surface_pitch(SIZE, SIZE);
      s.regs.color[0].address = target[1];
      stream_regs(&s);
      stream_clear(&s, 0, 1, 0, 1, 1, 0);
      RUN(&s, TWO);
      /* The other pass goes on. */
      assert_int_equal(counted("PassesClear_PLB"), 1);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
   }
}

/* A blit from the first target to the second; or from the first, or to a texture of it. */
static void
test_a_blit_ends_passes_that_it_reads_or_writes(void **state)
{
   static const unsigned from[] = {0, 0, 2, 2}, to[] = {1, 2, 0, 1}, ends[] = {2, 1, 1, 1};
   for (unsigned i = 0; i < 4; i++) {
      struct stream s;
      start_targets(&s);
      const uint32_t texture = stream_alloc(&s, PICTURE_BYTES);
      draw_to(&s, 2, 3);
      stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      draw_to(&s, 0, 2);
      use_texture(&s, texture);
      draw_to(&s, 1, 5);
      const struct attila_cmd_blit b = {
          .src = {.address = target[from[i]], .pitch_tiles = s.regs.color[0].pitch_tiles},
          .dst = {.address = i == 3 ? texture : target[to[i]],
                  .pitch_tiles = s.regs.color[0].pitch_tiles},
          .width = SIZE,
          .height = SIZE,
          .depth = 1,
          .samples = 1,
          .element_bytes = 4};
      stream_command(&s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
      RUN(&s, "TILING.OpenPasses=3");
      assert_int_equal(counted("PassesBlit_PLB"), ends[i]);
      assert_int_equal(counted("PassesSwap_PLB"), 2 - ends[i]);
   }
}

static void
upload(struct stream *s, uint32_t address)
{
   static const uint32_t data[64] = {0x12345678, 0x9abcdef0};
   const uint32_t head[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + 64), address,
                             sizeof(data)};
   stream_words(s, head, 3);
   stream_words(s, data, 64);
}

static void
test_an_upload_ends_passes_that_use_the_memory(void **state)
{
   struct stream s;
   start_targets(&s);
   const uint32_t texture = stream_alloc(&s, PICTURE_BYTES), other = stream_alloc(&s, 256);
   use_texture(&s, texture);
   draw_to(&s, 0, 2);
   use_no_texture(&s);
   draw_to(&s, 1, 5);
   upload(&s, other);
   draw_to(&s, 0, 3);
   upload(&s, texture);
   draw_to(&s, 0, 4);
   upload(&s, target[1]);
   RUN(&s, TWO);
   assert_int_equal(counted("PassesUpload_PLB"), 2);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

static void
test_a_readback_ends_the_pass_that_it_reads(void **state)
{
   struct stream s;
   start_targets(&s);
   for (unsigned i = 0; i < 6; i++) {
      draw_to(&s, i % 2, i);
      const struct attila_cmd_buffer read = {target[i % 3], 256};
      stream_command(&s, ATTILA_CMD_READ_BUFFER, &read, sizeof(read) / 4);
   }
   RUN(&s, TWO);
   assert_int_equal(counted("PassesReadback_PLB"), 4);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
}

/* Averages join the pass of their samples. What reads them ends it. */
static void
test_averages_of_an_open_pass_are_read_after_it(void **state)
{
   for (unsigned reads = 0; reads < 2; reads++) {
      struct stream s;
      start_targets(&s);
      const uint32_t samples = stream_alloc(&s, 4 * PICTURE_BYTES);
      const struct attila_cmd_blit b = {
          .src = {.address = samples, .pitch_tiles = s.regs.color[0].pitch_tiles},
          .dst = {.address = target[1], .pitch_tiles = s.regs.color[0].pitch_tiles},
          .width = SIZE,
          .height = SIZE,
          .depth = 1,
          .element_bytes = 4,
          .samples = 4,
          .resolve = ATTILA_RESOLVE_AVERAGE,
          .format = ATTILA_FORMAT_R8G8B8A8_UNORM};
      /* Caches have what the averages replace. */
      use_texture(&s, target[1]);
      draw_to(&s, 2, 1);
      stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      use_no_texture(&s);
      s.regs.fb_samples = 4;
      s.regs.color[0].address = samples;
      draw_small(&s, 700);
      s.regs.fb_samples = 1;
      draw_to(&s, 0, 2);
      stream_command(&s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
      if (reads)
         use_texture(&s, target[1]);
      draw_to(&s, 0, 3);
      RUN(&s, TWO);
      assert_int_equal(counted("ListedResolves_PLB"), 1);
      assert_int_equal(counted("PassesBlit_PLB"), reads);
      assert_int_equal(counted("PassesSwap_PLB"), 2 - reads);
   }
}

/* --- Queries, discards, stream-out --- */

/* A query over draws of two passes, the later of which is drawn first, counts what it should. */
static void
test_a_query_spans_passes(void **state)
{
   struct stream s;
   start_targets(&s);
   s.regs.count_samples = 1;
   uint32_t at[4];
   for (unsigned i = 0; i < 4; i++) {
      at[i] = stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
      draw_to(&s, i % 2, i);
   }
   /* Ends the pass of the second target alone. */
   flush_textures(&s);
   use_texture(&s, target[1]);
   draw_to(&s, 0, 6);
   const struct attila_cmd_condition c = {.address = at[0], .count = 1};
   stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   stream_command(&s, ATTILA_CMD_CONDITION, &c, sizeof(c) / 4);
   draw_to(&s, 0, 7);
   RUN(&s, TWO);
   assert_int_equal(counted("PassesFlush_PLB"), 1);
   assert_int_equal(counted("PassesQuery_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
}

static void
test_a_discard_holds_for_the_pass_of_its_target(void **state)
{
   struct stream s;
   start_targets(&s);
   draw_to(&s, 0, 1);
   draw_to(&s, 1, 2);
   discard(&s, target[0], PICTURE_BYTES);
   draw_to(&s, 1, 3);
   RUN(&s, PLAIN, TWO);
   assert_int_equal(counted("PassesDiscard_PLB"), 0);
   assert_int_equal(counted("PassesSwap_PLB"), 2);
   assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
   assert_int_equal(counted("DiscardedLines_CW-SU"), PICTURE_BYTES / 256);
}

/* An equal frame of two targets in turn is not drawn again. */
static void
test_bins_of_open_passes_are_kept(void **state)
{
   struct stream s;
   start_targets(&s);
   for (unsigned frame = 0; frame < 2; frame++) {
      for (unsigned i = 0; i < 6; i++) {
         s.regs.color[0].address = target[i % 2];
         stream_regs(&s);
         if (i < 2)
            stream_clear(&s, 0, 0, 1, 1, 1, 0);
         draw_quad(&s, i);
      }
      if (!frame)
         stream_command(&s, ATTILA_CMD_END_FRAME, NULL, 0);
   }
   RUN(&s, TWO, "TILING.RenderingElimination=TRUE");
   assert_int_equal(counted("DrawnBins_TF"), 2 * BINS);
   assert_int_equal(counted("EliminatedBins_TF"), 2 * BINS);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_a_switch_back_goes_on_with_the_open_pass),
       cmocka_unit_test(test_the_pass_used_longest_ago_makes_room),
       cmocka_unit_test(test_a_clear_of_other_targets_ends_no_pass),
       cmocka_unit_test(test_open_passes_share_the_parameter_buffer),
       cmocka_unit_test(test_lists_of_a_pass_stay_when_another_is_drawn),
       cmocka_unit_test(test_pass_draws_counts_draws_of_all_open_passes),
       cmocka_unit_test(test_a_draw_that_samples_an_open_target_ends_its_pass),
       cmocka_unit_test(test_a_flush_is_done_when_a_draw_of_an_open_pass_needs_it),
       cmocka_unit_test(test_a_flush_is_done_again_for_a_pass_that_was_open),
       cmocka_unit_test(test_vertices_and_constants_from_an_open_target_end_its_pass),
       cmocka_unit_test(test_a_new_pass_that_draws_over_a_texture_ends_its_reader),
       cmocka_unit_test(test_a_depth_buffer_that_two_passes_use_ends_one),
       cmocka_unit_test(test_a_clear_ends_passes_that_read_or_share_the_surface),
       cmocka_unit_test(test_a_blit_ends_passes_that_it_reads_or_writes),
       cmocka_unit_test(test_an_upload_ends_passes_that_use_the_memory),
       cmocka_unit_test(test_a_readback_ends_the_pass_that_it_reads),
       cmocka_unit_test(test_averages_of_an_open_pass_are_read_after_it),
       cmocka_unit_test(test_a_query_spans_passes),
       cmocka_unit_test(test_a_discard_holds_for_the_pass_of_its_target),
       cmocka_unit_test(test_bins_of_open_passes_are_kept),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
