/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Time in the pipeline of the ROPs, one fact each: what each size, rate, port and latency does. */
#include "core/sim_fp.h"
#include "rop_boxes.h"

/* --- The pipeline --- */

/* Quads of a draw that blends, in a line that is there: cycles from the end of the draw before. */
static sim_tick
run_blend_of(void (*change)(struct sim_config *), unsigned quads, bool same_place,
             bool second_colour, uint64_t *raw)
{
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   change(&b.gpu->config);
   struct sim_draw *d = color_draw(&b, 0, true);
   push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
   push_draw_end(&b, b.gpu->net.ffu_cw, d);
   struct sim_draw *e = color_draw(&b, 1, true);
   e->state.regs.color[0].rgb_dst_second = second_colour;
   for (unsigned i = 0; i < quads; i++)
      push_tile(&b, b.gpu->net.ffu_cw, e, 0, 1);
   for (unsigned i = 0; !same_place && i < quads; i++) {
      struct sim_quad *q = b.items[b.num_items - quads + i].m.quad.quad;
      q->x = (int32_t)(i % 4 * 2);
      q->y = (int32_t)(i / 4 % 4 * 2);
   }
   b.items[2].wait_answers = true;
   push_draw_end(&b, b.gpu->net.ffu_cw, e);
   bench_run(&b);
   sim_tick took = b.log[1].tick - b.log[0].tick;
   if (raw)
      *raw = stat(b.box, "RAWDependence");
   bench_close(&b);
   return took;
}

static sim_tick
run_blend(void (*change)(struct sim_config *), unsigned quads, bool same_place, uint64_t *raw)
{
   return run_blend_of(change, quads, same_place, false, raw);
}

static void
as_it_is(struct sim_config *c)
{
   (void)c;
}

static void
one_port_of_4_bytes(struct sim_config *c)
{
   c->cw.port_width = 4;
   c->cw.extra_read_port = c->cw.extra_write_port = false;
}

static void
two_ports_of_4_bytes(struct sim_config *c)
{
   c->cw.port_width = 4;
}

static void
two_write_ports_of_4_bytes(struct sim_config *c)
{
   c->cw.port_width = 4;
   c->cw.extra_read_port = false;
}

static void
one_start_in_5(struct sim_config *c)
{
   c->cw.alu_rate = 5;
}

static void
two_colours_in_3(struct sim_config *c)
{
   c->cw.two_rate = 3;
}

static void
latency_of_12(struct sim_config *c)
{
   c->cw.alu_latency = 12;
   c->cw.op_queue = 12;
}

static void
two_a_cycle(struct sim_config *c)
{
   c->cw.quads_cycle = 2;
}

static void
two_a_cycle_of_one_port(struct sim_config *c)
{
   c->cw.quads_cycle = 2;
   c->cw.extra_write_port = false;
}

/* Two quads go through each stage in a cycle; without a second port one, but for the first two. */
static void
test_two_quads_per_cycle_need_two_ports(void **unused)
{
   (void)unused;
   sim_tick one = run_blend(as_it_is, 16, false, NULL);
   assert_int_equal(one - run_blend(two_a_cycle, 16, false, NULL), 8);
   assert_in_range(one - run_blend(two_a_cycle_of_one_port, 16, false, NULL), 0, 1);
}

/* What HZ has accepted is written without being read, or is not even written. */
static void
test_accepted_quads_are_not_read(void **unused)
{
   (void)unused;
   for (unsigned writes = 0; writes < 2; writes++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      b.gpu->config.rast.hz_min = true;
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      d->state.z_write = writes;
      memset(b.gpu->device->memory + ZS, 0xff, WIDTH * HEIGHT * 4);
      sim_block_set(&b.gpu->device->blocks, ZS, 256, 2, SIM_BLOCK_STENCIL_CLEAR);
      push_tile(&b, b.gpu->net.hz_zst, d, 0, 16);
      for (unsigned i = 0; i < b.num_items; i++)
         b.items[i].m.quad.quad->accepted = true;
      bench_run(&b);
      assert_int_equal(stat(b.box, "FetchOK"), 0);
      assert_int_equal(stat(b.box, "ReadBytes"), 0);
      assert_int_equal(stat(b.box, "AllocateOK"), writes ? 16 : 0);
      assert_int_equal(stat(b.box, "WriteOK"), writes ? 16 : 0);
      free_logged(&b);
      bench_close(&b);
   }
}

/* EndDepthOnly: quads of a draw without colour go no further, and its samples count here. */
static void
test_end_depth_only(void **unused)
{
   (void)unused;
   for (unsigned color = 0; color < 2; color++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      b.gpu->config.zst.end_depth_only = true;
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      d->state.color_mask = color;
      d->state.regs.count_samples = 1;
      memset(b.gpu->device->memory + ZS, 0xff, WIDTH * HEIGHT * 4);
      push_tile(&b, b.gpu->net.hz_zst, d, 0, 16);
      bench_run(&b);
      assert_int_equal(b.num_log, color ? 16 : 0);
      assert_int_equal(stat(b.box, "DepthOnlyQuads"), color ? 0 : 16);
      assert_int_equal(d->samples[0], color ? 0 : stat(b.box, "PassedSamples"));
      free_logged(&b);
      bench_close(&b);
   }
}

/* A quad reads and writes 16 bytes: 4 cycles of a port of 4 bytes; of two ports one each: two quads
 * begin one after the other, the next two 4 cycles later. */
static void
test_narrow_port_takes_more_cycles(void **unused)
{
   (void)unused;
   sim_tick one = run_blend(as_it_is, 16, false, NULL);
   assert_int_equal(run_blend(one_port_of_4_bytes, 16, false, NULL) - one, 15 * 3);
   assert_int_equal(run_blend(two_ports_of_4_bytes, 16, false, NULL) - one, 7 * 2);
   assert_int_equal(run_blend(two_write_ports_of_4_bytes, 16, false, NULL) - one, 15 * 3);
}

static void
test_alu_rate_delays_the_next_quad(void **unused)
{
   (void)unused;
   sim_tick one = run_blend(as_it_is, 16, false, NULL);
   assert_int_equal(run_blend(one_start_in_5, 16, false, NULL) - one, 15 * 4);
}

/* A second source colour: every other cycle, or what DualSourceBlendRate says; nothing for others.
 */
static void
test_second_colour_rate(void **unused)
{
   (void)unused;
   sim_tick one = run_blend(as_it_is, 16, false, NULL);
   assert_int_equal(run_blend_of(as_it_is, 16, false, true, NULL) - one, 15);
   assert_int_equal(run_blend_of(two_colours_in_3, 16, false, true, NULL) - one, 15 * 2);
   assert_int_equal(run_blend(two_colours_in_3, 16, false, NULL), one);
}

/* The latency delays the last quad once, and each one that depends on another by its whole. */
static void
test_alu_latency_and_hazard(void **unused)
{
   (void)unused;
   uint64_t raw;
   sim_tick one = run_blend(as_it_is, 8, false, &raw);
   assert_int_equal(raw, 0);
   assert_int_equal(run_blend(latency_of_12, 8, false, &raw) - one, 10);
   assert_int_equal(raw, 0);
   /* Read, ALU 2 cycles, written, and read in the same cycle: one in 4 instead of one in 1. */
   assert_int_equal(run_blend(as_it_is, 8, true, &raw) - one, 7 * 3);
   assert_int_equal(raw, 7 * 3);
   assert_int_equal(run_blend(latency_of_12, 8, true, &raw) - one, 7 * 13 + 10);
}

/* --- Sizes of queues: so many fit, one more waits --- */

/* Quads of one tile whose line takes long; the statistic of the wait. */
static uint64_t
wait_of(struct bench *b, struct sim_signal *s, struct sim_draw *d, unsigned quads, const char *name)
{
   push_tile(b, s, d, 0, quads);
   bench_run(b);
   return stat(b->box, name);
}

static void
test_full_fetch_queue_stalls(void **unused)
{
   (void)unused;
   for (unsigned quads = 5; quads <= 6; quads++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      b.gpu->config.zst.fetch_queue = 5;
      bind(&b.draw[0], 1, ATTILA_FORMAT_Z24S8, 0);
      less(&b.draw[0]);
      uint64_t waited = wait_of(&b, b.gpu->net.hz_zst, &b.draw[0], quads, "FetchQFullStall");
      assert_int_equal(waited > 0, quads == 6);
      free_logged(&b);
      bench_close(&b);
   }
}

/* Quads that are only written wait in the read queue; two are in the ALU and behind it, for as many
 * start as the operation queue of 2 has room for after a latency of 2. */
static void
test_full_read_queue_stalls(void **unused)
{
   (void)unused;
   for (unsigned quads = 5; quads <= 6; quads++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      b.gpu->config.cw.read_queue = 3;
      b.gpu->config.cw.op_queue = 2;
      sim_block_set(&b.gpu->device->blocks, COLOR0, 256, 1, SIM_BLOCK_STENCIL_CLEAR);
      struct sim_draw *d = color_draw(&b, 0, false);
      uint64_t waited = wait_of(&b, b.gpu->net.ffu_cw, d, quads, "ReadQFullStall");
      assert_int_equal(waited > 0, quads == 6);
      assert_true(stat(b.box, "OperationQFullStall") > 0);
      assert_true(stat(b.box, "WriteFailed") > 0);
      bench_close(&b);
   }
}

static void
test_full_operation_queue_stalls(void **unused)
{
   (void)unused;
   for (unsigned quads = 4; quads <= 5; quads++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      b.gpu->config.cw.op_queue = 4;
      sim_block_set(&b.gpu->device->blocks, COLOR0, 256, 1, SIM_BLOCK_STENCIL_CLEAR);
      struct sim_draw *d = color_draw(&b, 0, false);
      uint64_t waited = wait_of(&b, b.gpu->net.ffu_cw, d, quads, "OperationQFullStall");
      assert_int_equal(waited > 0, quads == 5);
      bench_close(&b);
   }
}

/* The next box takes nothing for long, with as many quads on the way as its queue holds. */
static void
test_full_write_queue_stalls(void **unused)
{
   (void)unused;
   for (unsigned more = 0; more <= 1; more++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      const unsigned quads = 5 + b.gpu->net.zst_interp[0].capacity + more;
      b.gpu->config.zst.write_queue = 5;
      b.gpu->config.zst.input_queue = 64;
      b.sink_period = 10000;
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      memset(b.gpu->device->memory + ZS, 0xff, WIDTH * HEIGHT * 4);
      push_tile(&b, b.gpu->net.hz_zst, d, 0, 16);
      uint64_t waited;
      push_tile(&b, b.gpu->net.hz_zst, d, 1, quads - 16);
      bench_run(&b);
      waited = stat(b.box, "WriteQFullStall");
      assert_true(stat(b.box, "ConsumerBusy") > 0);
      assert_int_equal(waited > 0, more);
      free_logged(&b);
      bench_close(&b);
   }
}

/* Quads of different tiles: lines asked for, accepted to be filled, and accepted to be written. */
static void
test_full_cache_queues_stall(void **unused)
{
   (void)unused;
   for (unsigned which = 0; which < 3; which++) {
      static const char *const waits[] = {"MissFailReqQueueFetch_FC", "ReadReqQFull",
                                          "WriteReqQFull"};
      for (unsigned tiles = 2; tiles <= 3; tiles++) {
         struct bench b;
         cw_bench(&b, 0, 4, 16);
         if (which == 0)
            b.gpu->config.cw.cache_requests = 2;
         else if (which == 1)
            b.gpu->config.cw.cache_input = 2;
         else
            b.gpu->config.cw.cache_output = 2;
         struct sim_draw *d = color_draw(&b, 0, true);
         for (unsigned t = 0; t < tiles; t++)
            push_tile(&b, b.gpu->net.ffu_cw, d, t, 1);
         push_draw_end(&b, b.gpu->net.ffu_cw, d);
         if (which == 2)
            write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
         bench_run(&b);
         assert_int_equal(stat(b.box, waits[which]) > 0, tiles == 3);
         bench_close(&b);
      }
   }
}

/* The latencies of the decompressor and the compressor are in the way of every line. */
static void
test_compressor_latency_delays_every_line(void **unused)
{
   (void)unused;
   sim_tick read[2], written[2];
   for (unsigned slow = 0; slow < 2; slow++) {
      struct bench b;
      cw_bench(&b, 0, 4, 16);
      b.memory.spread = 0;
      b.gpu->config.cw.decompress_latency = slow ? 30 : 8;
      b.gpu->config.cw.compress_latency = slow ? 50 : 8;
      struct sim_draw *d = color_draw(&b, 0, true);
      push_tile(&b, b.gpu->net.ffu_cw, d, 0, 1);
      push_draw_end(&b, b.gpu->net.ffu_cw, d);
      write_back(&b, b.gpu->net.cp_cw, 0, UINT64_MAX);
      bench_run(&b);
      read[slow] = b.log[0].tick;
      written[slow] = b.log[1].tick - b.log[0].tick;
      assert_int_equal(stat(b.box, "DecompressorBusy"), slow ? 30 : 8);
      assert_int_equal(stat(b.box, "CompressorBusy"), slow ? 50 : 8);
      bench_close(&b);
   }
   assert_int_equal(read[1] - read[0], 22);
   assert_int_equal(written[1] - written[0], 42);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_two_quads_per_cycle_need_two_ports),
       cmocka_unit_test(test_accepted_quads_are_not_read),
       cmocka_unit_test(test_end_depth_only),
       cmocka_unit_test(test_narrow_port_takes_more_cycles),
       cmocka_unit_test(test_alu_rate_delays_the_next_quad),
       cmocka_unit_test(test_second_colour_rate),
       cmocka_unit_test(test_alu_latency_and_hazard),
       cmocka_unit_test(test_full_fetch_queue_stalls),
       cmocka_unit_test(test_full_read_queue_stalls),
       cmocka_unit_test(test_full_operation_queue_stalls),
       cmocka_unit_test(test_full_write_queue_stalls),
       cmocka_unit_test(test_full_cache_queues_stall),
       cmocka_unit_test(test_compressor_latency_delays_every_line),
   };
   sim_fp_enter();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
