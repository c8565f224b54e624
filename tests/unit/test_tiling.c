/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A tile-based machine (box/tiling): lists, bytes and ends of passes by hand, on a framebuffer of
 * 64x64 pixels, 4x4 bins. Every stream is also run in functional mode, which must leave the same
 * memory. Not here: discards and clears (test_tiling_contents.c), random streams
 * (test_modes_random.c). */
#include "tiling_stream.h"

/* --- Lists --- */

static void
test_a_primitive_is_listed_in_each_bin_that_it_touches(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 1);
   RUN(&s);
   /* Half of the 4x4 bins and the diagonal, twice. */
   assert_int_equal(counted("ListEntries_PLB"), 2 * 10);
   assert_int_equal(counted("TestedBins_PLB"), 2 * BINS);
   assert_int_equal(counted("InputTriangles_PLB"), 2);
   assert_int_equal(counted("OutputTriangles_TF"), 2 * 10);
   assert_int_equal(counted("DrawnBins_TF"), BINS);
   assert_int_equal(counted("EmptyBins_TF"), 0);
}

static void
test_without_edges_it_is_listed_in_the_bins_of_its_box(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 1);
   RUN(&s, "TILING.BinTestEdges=FALSE");
   assert_int_equal(counted("ListEntries_PLB"), 2 * BINS);
}

static void
test_a_vertex_is_stored_once_with_what_fragments_read(void **state)
{
   static const uint16_t index[6] = {0, 1, 2, 0, 2, 3};
   const float position[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1}, {-1, 1, 0, 1}};
   struct stream s;
   start(&s);
   stream_attrib(&s, 0, position[0], 4, 4);
   stream_attrib(&s, 1, position[0], 4, 4);
   stream_draw_indexed(&s, ATTILA_PRIM_TRIANGLES, stream_upload(&s, index, sizeof(index)), 2, 6, 0);
   RUN(&s);
   assert_int_equal(counted("StoredVertices_PLB"), 4);
   /* A position and a colour; a record of 16 bytes for each triangle. */
   assert_int_equal(counted("AttributeBytes_PLB"), 4 * 32 + 2 * 16);
   assert_int_equal(counted("ListBytes_PLB"), 20 * 4);
}

/* --- Bytes --- */

static void
test_colours_are_written_once_a_pass(void **state)
{
   for (unsigned layers = 1; layers <= 4; layers += 3) {
      struct stream s;
      start(&s);
      for (unsigned i = 0; i < layers; i++)
         draw_quad(&s, i);
      RUN(&s);
      assert_int_equal(counted("WriteBytes_CW-SU"), PICTURE_BYTES);
      assert_int_equal(counted("ReadBytes_CW-SU"), 0);
      assert_int_equal(counted("EndedBins_CW-SU"), BINS);
      assert_int_equal(counted("PassesSwap_PLB"), 1);
   }
}

static void
test_each_pass_reads_what_the_one_before_left(void **state)
{
   struct stream s;
   start(&s);
   blend(&s);
   stream_regs(&s);
   stream_clear(&s, 0, 0, 0, 0, 1, 0);
   const uint32_t fence[2] = {1, 0};
   for (unsigned pass = 0; pass < 3; pass++) {
      draw_quad(&s, pass);
      draw_quad(&s, pass);
      if (pass < 2)
         stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   }
   RUN(&s);
   /* The first finds clear blocks, which cost nothing. */
   assert_int_equal(counted("ReadBytes_CW-SU"), 2 * PICTURE_BYTES);
   assert_int_equal(counted("ClearFills_CW-SU"), PICTURE_BYTES / 256);
   assert_int_equal(counted("WriteBytes_CW-SU"), 3 * PICTURE_BYTES);
   assert_int_equal(counted("PassesFence_PLB"), 2);
}

static void
test_lists_of_a_short_pass_need_no_memory(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 1);
   RUN(&s);
   assert_int_equal(counted("WriteBytes_PLB"), 0);
   /* The table of lists is read where none was entered before: 16 lists, 8 in a line. */
   assert_int_equal(counted("ReadBytes_PLB") + counted("ReadBytes_TF"), 2 * 64);
}

/* --- Passes --- */

static void
test_a_full_parameter_buffer_is_drawn_and_the_pass_goes_on(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 0);
   draw_small(&s, SMALL);
   draw_small(&s, 512);
   RUN(&s, "TILING.ParameterBufferSize=32");
   assert_true(counted("PartialRenders_PLB") >= 3);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   /* Each part ends all of its bins. */
   assert_int_equal(counted("DrawnBins_TF"), counted("EndedBins_CW-SU"));
   assert_true(counted("DrawnBins_TF") > BINS);
}

static void
test_a_pass_has_no_more_draws_than_pass_draws(void **state)
{
   struct stream s;
   start(&s);
   for (unsigned i = 0; i < 10; i++)
      draw_quad(&s, i % QUADS);
   RUN(&s, "TILING.PassDraws=3");
   assert_int_equal(counted("PassesDraws_PLB"), 3);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   assert_int_equal(counted("Batches_CP"), 10);
}

static void
test_thousands_of_draws_are_one_pass(void **state)
{
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 6, .num_instances = 1};
   struct stream s;
   start(&s);
   blend(&s);
   s.regs.scissor_maxx = s.regs.scissor_maxy = 4;
   draw_quad(&s, 0);
   for (unsigned i = 1; i < DRAWS; i++)
      stream_command(&s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
   RUN(&s, "TILING.PassDraws=4096");
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   assert_int_equal(counted("PassesDraws_PLB"), 0);
   assert_int_equal(counted("Runs_TF"), DRAWS);
   /* They are rows of their own, complete, and the pass has a row and one bin. */
   assert_int_equal(record_number(db, "SELECT count(*) FROM work WHERE kind = 'draw'"), DRAWS);
   assert_int_equal(record_number(db, "SELECT draws FROM passes WHERE why = 'Swap'"), DRAWS);
   assert_int_equal(record_number(db, "SELECT primitives FROM pass_bins"), 2 * DRAWS);
}

/* Colours are loaded again in each frame, and READ_BUFFER finds them in memory. */
static void
test_a_frame_that_is_read_back_is_a_pass(void **state)
{
   struct stream s;
   start(&s);
   blend(&s);
   const struct attila_cmd_buffer read = {s.regs.color[0].address, PICTURE_BYTES};
   for (unsigned frame = 0; frame < 3; frame++) {
      draw_quad(&s, frame);
      stream_command(&s, ATTILA_CMD_READ_BUFFER, &read, sizeof(read) / 4);
      if (frame < 2)
         stream_command(&s, ATTILA_CMD_END_FRAME, NULL, 0);
   }
   RUN(&s, "COLORWRITE.DisableCompression=TRUE");
   assert_int_equal(counted("PassesReadback_PLB"), 3);
   assert_int_equal(counted("WriteBytes_CW-SU"), 3 * PICTURE_BYTES);
   assert_int_equal(counted("ReadBytes_CW-SU"), 3 * PICTURE_BYTES);
   assert_int_equal(record_number(db, "SELECT count(*) FROM passes WHERE why = 'Readback' AND "
                                      "draws = 1 AND parts = 1"),
                    3);
}

#define TARGETS 8
#define LAYERS 3
#define SAMPLES 8

/* All targets of a pixel have 256 bytes, so that the smallest bin, 8x8 pixels, does not fit into
 * TileBufferBytes, nor into the caches of the ROPs: it is written back early. */
static void
test_eight_layered_targets_with_eight_samples_are_right(void **state)
{
   struct attila_cmd_layers layers = {.count = LAYERS, .output = 2};
   struct stream s;
   start(&s);
   const struct attila_color_regs first = s.regs.color[0];
   const uint32_t bytes = SAMPLES * PICTURE_BYTES;
   s.regs.fb_samples = SAMPLES;
   s.regs.fs_color0_to_all = 1;
   for (unsigned i = 0; i < TARGETS; i++) {
      s.regs.color[i] = first;
      s.regs.color[i].address = stream_alloc(&s, (size_t)LAYERS * bytes);
      layers.color_stride[i] = bytes;
   }
   s.regs.zs_address = stream_alloc(&s, (size_t)LAYERS * bytes);
   layers.zs_stride = bytes;
   s.regs.z_test = s.regs.z_write = 1;
   s.regs.z_func = ATTILA_FUNC_GREATER;
   stream_program(&s, ATTILA_STAGE_VERTEX,
                  ".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o2.x, i16.y\nEND\n");
   stream_command(&s, ATTILA_CMD_LAYERS, &layers, sizeof(layers) / 4);
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 6, .num_instances = LAYERS};
   stream_regs(&s);
   stream_command(&s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
   RUN(&s, "MEMORYCONTROLLER.MemorySize=32", "COLORWRITE.DisableCompression=TRUE");
   assert_int_equal(counted("DrawnBins_TF"), LAYERS * SIZE / 8 * SIZE / 8);
   assert_true(counted("WriteBytes_CW-SU") >= LAYERS * TARGETS * (int64_t)bytes);
   assert_int_equal(record_number(db, "SELECT layers FROM passes"), LAYERS);
   assert_int_equal(record_number(db, "SELECT max(layer) FROM pass_bins"), LAYERS - 1);
}

/* Returns a line of /proc/self/status, in bytes. */
static int64_t
host_bytes(const char *name)
{
   char line[200];
   long long kib = 0;
   FILE *f = fopen("/proc/self/status", "re");
   assert_non_null(f);
   while (fgets(line, sizeof(line), f)) {
      if (!strncmp(line, name, strlen(name)))
         kib = strtoll(line + strlen(name), NULL, 10);
   }
   fclose(f);
   return 1024 * kib;
}

/* The most memory so far is that of now. */
static void
forget_most_memory(void)
{
   FILE *f = fopen("/proc/self/clear_refs", "we");
   assert_non_null(f);
   fputs("5", f);
   fclose(f);
}

/* A pass of a million triangles takes less than a gigabyte of the host. Fewer unless all is
 * asked for (scripts/test --all). */
static void
test_a_triangle_takes_less_than_a_thousand_bytes_of_the_host(void **state)
{
   const uint32_t instances = getenv("ATTILA_TEST_ALL") ? 652 : 33;
   const struct attila_cmd_draw cmd = {.prim = ATTILA_PRIM_TRIANGLES,
                                       .start = 6 * QUADS,
                                       .count = 3 * SMALL,
                                       .num_instances = instances};
   static const char *const keys[] = {TILED, "TILING.ParameterBufferSize=262144"};
   forget_most_memory();
   const int64_t before = host_bytes("VmRSS:");
   struct stream s;
   start(&s);
   stream_regs(&s);
   stream_command(&s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
   stream_command(&s, ATTILA_CMD_END_FRAME, NULL, 0);
   record_renew(folder);
   struct attila_sim *sim = create(ATTILA_MODE_CYCLE, keys, 5, folder);
   if (!attila_sim_submit(sim, s.words, s.num))
      fail_msg("%s", attila_sim_error(sim));
   attila_sim_destroy(sim);
   free(s.words);
   const int64_t triangles = (int64_t)instances * SMALL, bytes = host_bytes("VmHWM:") - before;
   print_message("%lld triangles, %lld bytes each\n", (long long)triangles,
                 (long long)(bytes / triangles));
   assert_true(bytes < 1000 * triangles);
   open_record();
   assert_int_equal(counted("InputTriangles_PLB"), triangles);
   assert_int_equal(counted("PartialRenders_PLB"), 0);
}

static void
test_draws_that_test_late_wait_for_those_that_test_early(void **state)
{
   struct stream s;
   start(&s);
   s.regs.z_test = s.regs.z_write = 1;
   s.regs.z_func = ATTILA_FUNC_LEQUAL;
   stream_regs(&s);
   stream_clear(&s, 0, 0, 0, 0, 1, 0);
   const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                   late = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
   for (unsigned i = 0; i < 4; i++) {
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, i & 1 ? &late : &early, sizeof(early) / 4);
      draw_quad(&s, i);
   }
   RUN(&s);
   /* Between any two runs of a bin; between bins of the same ROP, which each own eight; and at the
    * end. */
   assert_int_equal(counted("Drains_TF"), 3 * BINS + (BINS - 2) + 1);
}

/* The last bin is of one ROP, and its draw tests early. The other ROP still reads the depths of
 * fragments that are tested late, whose samples the counter has. */
static void
test_a_pass_ends_behind_fragments_of_each_unit(void **state)
{
   struct stream s;
   start(&s);
   const struct attila_cmd_program early = program(&s, ".fragment\nMOV o0, i1\nEND\n"),
                                   late = program(&s, ".fragment\nKIL i1\nMOV o0, i1\nEND\n");
   s.regs.z_test = s.regs.count_samples = 1;
   s.regs.z_func = ATTILA_FUNC_GEQUAL;
   s.regs.scissor_maxy = 16;
   for (unsigned i = 0; i < 2; i++) {
      const struct attila_cmd_program *p = i ? &early : &late;
      stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, p, sizeof(*p) / 4);
      s.regs.scissor_minx = 16 * i;
      s.regs.scissor_maxx = 16 * i + 16;
      draw_quad(&s, i);
   }
   stream_counter(&s, ATTILA_COUNTER_SAMPLES_PASSED);
   RUN(&s, "GPU.NumStampPipes=2");
}

static void
test_targets_readbacks_and_uploads_end_passes(void **state)
{
   struct stream s;
   start(&s);
   const uint32_t other = stream_alloc(&s, PICTURE_BYTES), first = s.regs.color[0].address;
   draw_quad(&s, 0);
   s.regs.color[0].address = other;
   draw_quad(&s, 1);
   const struct attila_cmd_buffer read = {.address = other, .size = 64};
   stream_command(&s, ATTILA_CMD_READ_BUFFER, &read, sizeof(read) / 4);
   s.regs.color[0].address = first;
   draw_quad(&s, 2);
   stream_clear(&s, 0, 0, 0, 0, 1, 0);
   draw_quad(&s, 3);
   const uint32_t fence[2] = {1, 0};
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   draw_quad(&s, 4);
   stream_upload(&s, fence, sizeof(fence));
   draw_quad(&s, 5);
   RUN(&s);
   assert_int_equal(counted("PassesTarget_PLB"), 1);
   assert_int_equal(counted("PassesReadback_PLB"), 1);
   assert_int_equal(counted("PassesClear_PLB"), 0);
   assert_int_equal(counted("PassesFence_PLB"), 1);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   /* Fragments do not read what was uploaded. */
   assert_int_equal(counted("PassesUpload_PLB"), 0);
}

/* A draw has read its vertices before its pass is drawn. */
static void
test_vertices_are_replaced_within_a_pass(void **state)
{
   static float position[6][4] = {{-1, -1, 0, 1}, {0, -1, 0, 1}, {0, 0, 0, 1}};
   struct stream s;
   start(&s);
   stream_attrib(&s, 0, position[0], 4, 6);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 6);
   for (unsigned i = 0; i < 4; i++) {
      const float p[3][4] = {{0, 0, 0, 1}, {0.2f * (float)i, 0, 0, 1}, {1, 1, 0, 1}};
      const uint32_t head[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + sizeof(p) / 4),
                                s.regs.attrib[0].address, sizeof(p)};
      stream_words(&s, head, 3);
      stream_words(&s, p, sizeof(p) / 4);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   }
   RUN(&s);
   assert_int_equal(counted("PassesUpload_PLB"), 0);
   assert_int_equal(counted("PassesSwap_PLB"), 1);
   assert_int_equal(counted("Batches_CP"), 5);
}

static void
test_small_tile_buffers_make_small_bins(void **state)
{
   struct stream s;
   start(&s);
   draw_quad(&s, 1);
   RUN(&s, "TILING.TileBufferBytes=512", "TILING.TileBuffers=1", "TILING.TileOrder=Z");
   /* 16x8 pixels of 4 bytes. */
   assert_int_equal(counted("DrawnBins_TF"), 2 * BINS);
   assert_int_equal(counted("WriteBytes_CW-SU"), 2 * BINS * BIN_BYTES / 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_a_primitive_is_listed_in_each_bin_that_it_touches),
       cmocka_unit_test(test_without_edges_it_is_listed_in_the_bins_of_its_box),
       cmocka_unit_test(test_a_vertex_is_stored_once_with_what_fragments_read),
       cmocka_unit_test(test_colours_are_written_once_a_pass),
       cmocka_unit_test(test_each_pass_reads_what_the_one_before_left),
       cmocka_unit_test(test_lists_of_a_short_pass_need_no_memory),
       cmocka_unit_test(test_a_full_parameter_buffer_is_drawn_and_the_pass_goes_on),
       cmocka_unit_test(test_a_pass_has_no_more_draws_than_pass_draws),
       cmocka_unit_test(test_thousands_of_draws_are_one_pass),
       cmocka_unit_test(test_draws_that_test_late_wait_for_those_that_test_early),
       cmocka_unit_test(test_a_pass_ends_behind_fragments_of_each_unit),
       cmocka_unit_test(test_targets_readbacks_and_uploads_end_passes),
       cmocka_unit_test(test_vertices_are_replaced_within_a_pass),
       cmocka_unit_test(test_a_frame_that_is_read_back_is_a_pass),
       cmocka_unit_test(test_eight_layered_targets_with_eight_samples_are_right),
       cmocka_unit_test(test_a_triangle_takes_less_than_a_thousand_bytes_of_the_host),
       cmocka_unit_test(test_small_tile_buffers_make_small_bins),
   };
   return cmocka_run_group_tests(tests, NULL, close_record);
}
