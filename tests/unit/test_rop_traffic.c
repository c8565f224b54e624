/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the ROPs' commands cost and what crosses the memory pins, one fact each: clears, block
 * states, write-backs, which lines are read and in how many bytes they are written. Contents are
 * test_rop_boxes.c's, the pipeline test_rop_pipeline.c's. */
#include "core/sim_fp.h"
#include "rop_boxes.h"

/* --- Clears --- */

/* BlockStateMemorySize / BlocksClearedPerCycle, whatever is cleared. */
static void
test_clear_costs_the_block_state_memory(void **unused)
{
   (void)unused;
   sim_tick took[2];
   for (unsigned run = 0; run < 2; run++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      b.gpu->config.zst.block_states = 96;
      b.gpu->config.zst.blocks_cleared = run ? 10 : 96;
      bind(&b.draw[0], 1, ATTILA_FORMAT_Z24S8, 0);
      struct item *it = push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &b.draw[0].state.regs);
      it->m.rop.planes = 1 + run;
      bench_run(&b);
      took[run] = last_tick(&b);
      assert_int_equal(b.memory.count, 0);
      bench_close(&b);
   }
   assert_int_equal(took[1] - took[0], 9); /* 96 / 10 is 9.6: 10 cycles, not 1 */
}

/* Colours of 8 bytes take no longer, and are clear in every part. */
static void
test_clear_of_wide_elements(void **unused)
{
   (void)unused;
   sim_tick took[2];
   for (unsigned run = 0; run < 2; run++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      bind(&b.draw[0], 1, 0, run ? ATTILA_FORMAT_R16G16B16A16_FLOAT : ATTILA_FORMAT_B8G8R8A8_UNORM);
      push_command(&b, b.gpu->net.cp_cw, ROP_CLEAR, &b.draw[0].state.regs);
      bench_run(&b);
      took[run] = last_tick(&b);
      assert_int_equal(read_cost(&b, COLOR0, WIDTH * HEIGHT * (run ? 8 : 4)), 0);
      bench_close(&b);
   }
   assert_int_equal(took[1], took[0]);
}

/* Unwritten memory holds stencil 0, so clearing depth alone makes it clear. Written memory needs a
 * stencil clear, too. */
static void
test_first_depth_clear(void **unused)
{
   (void)unused;
   for (unsigned written = 0; written < 2; written++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      bind(&b.draw[0], 1, ATTILA_FORMAT_Z24S8, 0);
      memset(b.gpu->device->memory + ZS, 0, WIDTH * HEIGHT * 4);
      if (written)
         sim_blocks_overwrite(&b.gpu->device->blocks, ZS, 256);
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &b.draw[0].state.regs)->m.rop.planes = 1;
      bench_run(&b);
      assert_int_equal(read_cost(&b, ZS, 256), written ? 256 : 0);
      assert_int_equal(read_cost(&b, ZS + 256, 256), 0);
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &b.draw[0].state.regs)->m.rop.planes = 2;
      go_on(&b);
      assert_int_equal(read_cost(&b, ZS, WIDTH * HEIGHT * 4), 0);
      bench_close(&b);
   }
}

/* The state of a block that was drawn with one stencil value keeps the stencil's flag, one with
 * another value loses it. */
static void
test_changed_stencil_loses_its_clear_flag(void **unused)
{
   (void)unused;
   for (unsigned changed = 0; changed < 2; changed++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      d->state.stencil_test = true;
      d->state.regs.stencil[0] = (struct attila_stencil_regs){
          .enable = 1,
          .func = ATTILA_FUNC_ALWAYS,
          .zpass = changed ? ATTILA_STENCIL_INVERT : ATTILA_STENCIL_KEEP,
          .value_mask = 255,
          .write_mask = 255};
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs)->m.rop.stencil = 9;
      push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
      b.items[1].wait_answers = true;
      bench_run(&b);
      write_back(&b, b.gpu->net.cp_zst, 0, UINT64_MAX);
      go_on(&b);
      uint8_t state = sim_block_state(&b.gpu->device->blocks, ZS);
      assert_int_equal((state & SIM_BLOCK_STENCIL_CLEAR) != 0, !changed);
      assert_false(state & SIM_BLOCK_DEPTH_CLEAR);
      free_logged(&b);
      bench_close(&b);
   }
}

/* Blocks beyond the block state memory are written by a clear, and read first when a plane stays.
 */
static void
test_block_state_memory(void **unused)
{
   (void)unused;
   for (unsigned part = 0; part < 2; part++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      b.gpu->config.zst.block_states = 32; /* of 64: the upper rows */
      bind(&b.draw[0], 1, ATTILA_FORMAT_Z24S8, 0);
      memset(b.gpu->device->memory + ZS, 0, WIDTH * HEIGHT * 4);
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &b.draw[0].state.regs)->m.rop.planes =
          part ? 1 : 3;
      bench_run(&b);
      assert_int_equal(stat(b.box, "WriteBytes"), 32 * 256);
      assert_int_equal(stat(b.box, "ReadBytes"), part ? 32 * 256 : 0);
      assert_int_equal(read_cost(&b, ZS, 32 * 256), 0);
      assert_int_equal(read_cost(&b, ZS + 32 * 256, 32 * 256), 32 * 256);
      bench_close(&b);
   }
}

/* --- Write back and forget --- */

/* Only dirty lines of the range are written; they stay, and what they had been is not lost. */
static void
test_write_back_range(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   struct sim_draw *d = color_draw(&b, 0, true);
   for (unsigned tile = 0; tile < 3; tile++)
      push_tile(&b, b.gpu->net.ffu_cw, d, tile, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   write_back(&b, b.gpu->net.cp_cw, COLOR0 + 256, COLOR0 + 257);
   bench_run(&b);
   assert_int_equal(stat(b.box, "WriteBytes"), 256);
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   go_on(&b);
   assert_int_equal(stat(b.box, "WriteBytes"), 3 * 256);
   /* Still in the cache. */
   uint64_t reads = stat(b.box, "ReadBytes");
   for (unsigned tile = 0; tile < 3; tile++)
      push_tile(&b, b.gpu->net.ffu_cw, d, tile, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   go_on(&b);
   assert_int_equal(stat(b.box, "ReadBytes"), reads);
   bench_close(&b);
}

/* Lines of the range are gone, others stay. */
static void
test_forget_drops_lines_of_the_range_only(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   struct sim_draw *d = color_draw(&b, 0, true);
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
   push_tile(&b, b.gpu->net.ffu_cw, d, 1, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   struct item *it = push_command(&b, b.gpu->net.cp_cw, ROP_FORGET, NULL);
   it->m.rop.start = COLOR0;
   it->m.rop.end = COLOR0 + 4;
   bench_run(&b);
   uint64_t reads = stat(b.box, "ReadBytes");
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
   push_tile(&b, b.gpu->net.ffu_cw, d, 1, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   go_on(&b);
   assert_int_equal(stat(b.box, "ReadBytes") - reads, 256);
   bench_close(&b);
}

/* The draw that made a line dirty pays for its write-back: not one that writes to it later, nor one
 * that needs the place. */
static void
test_dirty_work_id(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 1, 1);
   for (unsigned n = 0; n < 3; n++) {
      struct sim_draw *d = color_draw(&b, n, true);
      push_tile(&b, b.gpu->net.ffu_cw, d, n / 2, 1);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
   }
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   bench_run(&b);
   unsigned bytes = 0;
   while (strcmp(b.box->cls->stats[bytes].name, "WriteBytes"))
      bytes++;
   assert_int_equal(sim_stat(b.box, b.draw[0].work_id)[bytes], 256);
   assert_int_equal(sim_stat(b.box, b.draw[1].work_id)[bytes], 0);
   assert_int_equal(sim_stat(b.box, b.draw[2].work_id)[bytes], 256);
   assert_int_equal(sim_stat(b.box, 0)[bytes], 0);
   bench_close(&b);
}

/* --- Which lines are read and written --- */

/* A draw that needs no old pixels reads nothing of a plain block and writes the 64-byte parts that
 * it has touched. */
static void
test_write_allocate_plain(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   struct sim_draw *d = color_draw(&b, 0, false);
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 5); /* 80 bytes */
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   bench_run(&b);
   assert_int_equal(stat(b.box, "ReadBytes"), 0);
   assert_int_equal(stat(b.box, "WriteBytes"), 128);
   assert_int_equal(stat(b.box, "WriteTransactions"), 2);
   assert_int_equal(stat(b.box, "ComprBlock256"), 1);
   assert_int_equal(stat(b.box, "AllocateOK"), 5);
   assert_int_equal(stat(b.box, "HitsAlloc_FC"), 4);
   bench_close(&b);
}

/* Of a clear block the missing part is its clear value: it is compressed as a whole. Then it must
 * be read, although the draw needs no old pixels: it cannot be written in part. */
static void
test_write_allocate_clear(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   struct sim_draw *d = color_draw(&b, 0, false);
   push_command(&b, b.gpu->net.cp_cw, ROP_CLEAR, &d->state.regs);
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 5);
   b.items[1].wait_answers = true;
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
   push_command(&b, b.gpu->net.cp_cw, ROP_FORGET, NULL);
   bench_run(&b);
   assert_int_equal(stat(b.box, "ReadBytes"), 0);
   assert_int_equal(stat(b.box, "WriteBytes"), 64);
   assert_int_equal(stat(b.box, "ComprBlock64"), 1);
   assert_int_equal(read_cost(&b, COLOR0, 256), 64);
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   go_on(&b);
   assert_int_equal(stat(b.box, "ReadBytes"), 64);
   assert_int_equal(stat(b.box, "AllocateOK"), 6);
   assert_int_equal(stat(b.box, "MissOKFetch_FC"), 1);
   bench_close(&b);
}

/* Blending in a line that was only written in part: written back and read; in one that was written
 * wholly: nothing. */
static void
test_partial_line_is_read(void **unused)
{
   (void)unused;
   for (unsigned quads = 15; quads <= 16; quads++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      struct sim_draw *d = color_draw(&b, 0, false), *e = color_draw(&b, 1, true);
      push_tile(&b, b.gpu->net.ffu_cw, d, 0, quads);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      push_tile(&b, b.gpu->net.ffu_cw, e, 0, 1);
      b.items[quads + 1].wait_answers = true;
      push_draw_end(&b, b.gpu->net.ffu_cw, e);
      bench_run(&b);
      assert_int_equal(stat(b.box, "ReadBytes"), quads == 15 ? 256 : 0);
      assert_int_equal(stat(b.box, "WriteBytes"), quads == 15 ? 256 : 0);
      bench_close(&b);
   }
}

/* A mask of channels that are not bytes cannot be written without the old bits. */
static void
test_bit_masks_read(void **unused)
{
   (void)unused;
   for (unsigned bytes = 0; bytes < 2; bytes++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, 0, bytes ? ATTILA_FORMAT_B8G8R8A8_UNORM : ATTILA_FORMAT_B5G6R5_UNORM);
      d->state.regs.color[0].write_mask = 5;
      push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      bench_run(&b);
      assert_int_equal(stat(b.box, "ReadBytes"), bytes ? 0 : 128);
      bench_close(&b);
   }
}

/* A block of a cleared surface is written at the level of its contents, and stays plain once it was
 * written plain. */
static void
test_block_is_written_at_its_level(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   d->state.regs.z_func = ATTILA_FUNC_ALWAYS;
   push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
   /* Depths in steps of 1, 300, 100000 and 2000000 of 2^24. */
   static const double step[4] = {1, 300, 60000, 1000000};
   for (unsigned tile = 0; tile < 4; tile++) {
      for (unsigned i = 0; i < 16; i++)
         push_quad(&b, b.gpu->net.hz_zst, d, (int32_t)(tile % 2 * 8 + i % 4 * 2),
                   (int32_t)(tile / 2 * 8 + i / 4 * 2),
                   (float)(step[tile] * (i + 0.5) / 16777216.0));
   }
   b.items[1].wait_answers = true;
   bench_run(&b);
   write_back(&b, b.gpu->net.cp_zst, 0, UINT64_MAX);
   go_on(&b);
   assert_int_equal(stat(b.box, "ComprBlock64"), 1);
   assert_int_equal(stat(b.box, "ComprBlock128"), 1);
   assert_int_equal(stat(b.box, "ComprBlock192"), 1);
   assert_int_equal(stat(b.box, "ComprBlock256"), 1);
   assert_int_equal(stat(b.box, "WriteBytes"), 64 + 128 + 192 + 256);
   assert_int_equal(read_cost(&b, ZS, 4 * 256), 64 + 128 + 192 + 256);
   /* The plain one gets contents that would compress. */
   push_tile(&b, b.gpu->net.hz_zst, d, 9, 16);
   go_on(&b);
   write_back(&b, b.gpu->net.cp_zst, 0, UINT64_MAX);
   go_on(&b);
   assert_int_equal(stat(b.box, "ComprBlock256"), 2);
   free_logged(&b);
   bench_close(&b);
}

/* A line of StampsPerLine quads of 16 bytes. */
static void
test_line_holds_stamps_per_line(void **unused)
{
   (void)unused;
   for (unsigned stamps = 4; stamps <= 16; stamps *= 2) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      b.gpu->config.cw.line_stamps = stamps;
      struct sim_draw *d = color_draw(&b, 0, true);
      push_tile(&b, b.gpu->net.ffu_cw, d, 0, 16);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      bench_run(&b);
      assert_int_equal(stat(b.box, "ReadBytes"), 256);
      assert_int_equal(stat(b.box, "MissOKFetch_FC"), 16 / stamps);
      bench_close(&b);
   }
}

/* The cache holds so many bytes whatever the format: 4 tiles of 4-byte elements or 1 of 16 bytes.
 */
static void
test_cache_holds_the_same_bytes_in_any_format(void **unused)
{
   (void)unused;
   for (unsigned wide = 0; wide < 2; wide++) {
      for (unsigned tiles = wide ? 1 : 4; tiles <= (wide ? 2u : 5u); tiles++) {
         struct bench b;
         cw_bench(&b, 0, 4, 1);
         struct sim_draw *d = &b.draw[0];
         bind(d, 1, 0, wide ? ATTILA_FORMAT_R32G32B32A32_FLOAT : ATTILA_FORMAT_B8G8R8A8_UNORM);
         d->state.regs.color[0].blend_enable = 1;
         for (unsigned n = 0; n < 2 * tiles; n++)
            push_tile(&b, b.gpu->net.ffu_cw, d, n % tiles, 16);
         push_draw_end(&b, b.gpu->net.ffu_cw, d);
         bench_run(&b);
         bool fits = tiles == (wide ? 1 : 4);
         assert_int_equal(stat(b.box, "MissOKFetch_FC"), (fits ? 1 : 2) * tiles * (wide ? 4 : 1));
         bench_close(&b);
      }
   }
}

/* All samples of four quads of four samples are in a line, and their neighbours in the next one. */
static void
test_samples_in_a_line(void **unused)
{
   (void)unused;
   for (unsigned samples = 1; samples <= 8; samples *= 2) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      struct sim_draw *d = &b.draw[0];
      bind(d, samples, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
      d->state.regs.color[0].blend_enable = true;
      for (unsigned i = 0; i < 4; i++)
         push_quad(&b, b.gpu->net.ffu_cw, d, (int32_t)(i % 2 * 2), (int32_t)(i / 2 * 2), 0)->mask =
             (uint32_t)((1ull << 4 * samples) - 1);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      bench_run(&b);
      assert_int_equal(stat(b.box, "MissOKFetch_FC"), samples == 8 ? 2 : 1);
      assert_int_equal(stat(b.box, "WrittenSamples"), 16 * samples);
      bench_close(&b);
   }
}

/* What the compressor for samples sees of pixels of different colours, each with equal samples. */
static void
test_equal_samples_compress(void **unused)
{
   (void)unused;
   for (unsigned samples = 1; samples <= 8; samples *= 2) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      b.gpu->config.cw.compressor = 2; /* MSAA */
      struct sim_draw *d = &b.draw[0];
      bind(d, samples, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
      push_command(&b, b.gpu->net.cp_cw, ROP_CLEAR, &d->state.regs)->wait_answers = true;
      for (unsigned i = 0; i < 16; i++) {
         struct sim_quad *q =
             push_quad(&b, b.gpu->net.ffu_cw, d, (int32_t)(i % 4 * 2), (int32_t)(i / 4 * 2), 0);
         q->mask = (uint32_t)((1ull << 4 * samples) - 1);
         for (unsigned p = 0; p < 16; p++)
            q->out[0][p / 4][p % 4] = (float)((i * 37 + p * 11) % 255) / 255;
      }
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      bench_run(&b);
      write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
      go_on(&b);
      /* A word for four, two or one. */
      assert_int_equal(stat(b.box, samples >= 4   ? "ComprBlock64"
                                   : samples == 2 ? "ComprBlock128"
                                                  : "ComprBlock256"),
                       samples);
      bench_close(&b);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_clear_costs_the_block_state_memory),
       cmocka_unit_test(test_clear_of_wide_elements),
       cmocka_unit_test(test_first_depth_clear),
       cmocka_unit_test(test_changed_stencil_loses_its_clear_flag),
       cmocka_unit_test(test_block_state_memory),
       cmocka_unit_test(test_write_back_range),
       cmocka_unit_test(test_forget_drops_lines_of_the_range_only),
       cmocka_unit_test(test_dirty_work_id),
       cmocka_unit_test(test_write_allocate_plain),
       cmocka_unit_test(test_write_allocate_clear),
       cmocka_unit_test(test_partial_line_is_read),
       cmocka_unit_test(test_bit_masks_read),
       cmocka_unit_test(test_block_is_written_at_its_level),
       cmocka_unit_test(test_line_holds_stamps_per_line),
       cmocka_unit_test(test_cache_holds_the_same_bytes_in_any_format),
       cmocka_unit_test(test_samples_in_a_line),
       cmocka_unit_test(test_equal_samples_compress),
   };
   sim_fp_enter();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
