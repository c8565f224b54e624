/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blitter and DAC alone, between mock neighbours and a memory that answers late and out of order:
 * their results must be the emulators', whatever the clocking order and the memory's mood; and
 * single facts of timing. */
#include "box_bench.h"
#include "emul/rop/emul_blit.h"

extern const struct sim_box_class blitter_class, dac_class;

static uint32_t seed = 5;

static uint32_t
below(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

static void
random_memory(struct sim_gpu *gpu)
{
   for (uint32_t i = 0; i < gpu->device->memory_size; i += 4) {
      uint32_t v = bench_hash(i);
      memcpy(gpu->device->memory + i, &v, 4);
   }
}

struct command_bench {
   struct sim_gpu *gpu;
   struct bench_memory memory;
   struct sim_signal *out, *in;
   const void *message;
   bool sent, done;
};

static sim_tick
command_work(struct mock *m, sim_tick now)
{
   struct command_bench *b = m->user;
   if (!b->sent) {
      sim_send_bytes(b->out, now, b->message, b->out->payload);
      b->sent = true;
   }
   if (sim_peek(b->in, now)) {
      sim_pop(b->in, now);
      b->done = true;
   }
   return SIM_NEVER;
}

static bool
run_command(struct command_bench *b, struct sim_gpu *g, const struct sim_box_class *cls,
            const void *message, uint32_t spread)
{
   *b = (struct command_bench){.gpu = g, .message = message};
   struct sim_box *cp = bench_mock(g, command_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory),
                  *box = sim_box_create(&g->kernel, g, cls, -1);
   if (cls == &blitter_class) {
      BENCH_CONNECT(g, BENCH_BOX(cp, cp), BENCH_BOX(blitter, box), BENCH_BOX(mc, memory));
      b->out = &g->net.cp_blit[0], b->in = &g->net.blit_cp[0],
      b->memory.requests = &g->net.blit_mc[0], b->memory.responses = &g->net.mc_blit[0];
   } else {
      BENCH_CONNECT(g, BENCH_BOX(cp, cp), BENCH_BOX(dac, box), BENCH_BOX(mc, memory));
      b->out = &g->net.cp_dac[0], b->in = &g->net.dac_cp[0], b->memory.requests = &g->net.dac_mc[0],
      b->memory.responses = &g->net.mc_dac[0];
   }
   b->memory.spread = spread;
   sim_kernel_start(&g->kernel);
   sim_box_wake(cp, 1);
   bool stop = false;
   return sim_kernel_run(&g->kernel, &stop) && b->done;
}

static void
blitter_is_the_emulator(void **state)
{
   (void)state;
   static struct command_bench b;
   unsigned overlapping = 0, done = 0, resolves = 0;
   for (unsigned n = 0; n < 60; n++) {
      struct sim_gpu *g = bench_create(n % 3);
      random_memory(g);
      struct msg_blit msg = {.blit = {.width = 1 + below(90),
                                      .height = 1 + below(50),
                                      .depth = 1 + below(2),
                                      .element_bytes = 1u << below(5),
                                      .samples = 1}};
      struct attila_cmd_blit *c = &msg.blit;
      struct attila_cmd_blit_surface *sides[2] = {&c->src, &c->dst};
      bool linear[2] = {below(3) == 0, below(3) == 0};
      if (!linear[0] && !linear[1])
         c->samples = 1u << below(3);
      if (c->samples > 1 && n % 4) {
         static const uint8_t formats[5] = {
             ATTILA_FORMAT_R8_UNORM, ATTILA_FORMAT_B5G6R5_UNORM, ATTILA_FORMAT_R8G8B8A8_SRGB,
             ATTILA_FORMAT_R16G16B16A16_UNORM, ATTILA_FORMAT_R16G16B16A16_FLOAT};
         c->format = formats[below(5)];
         c->element_bytes = attila_formats[c->format].bytes;
         c->resolve = ATTILA_RESOLVE_AVERAGE + below(3);
         resolves++;
      }
      for (unsigned i = 0; i < 2; i++) {
         struct attila_cmd_blit_surface *s = sides[i];
         s->address = 65536 * (1 + i * 80) + (linear[i] ? below(300) : 0);
         s->x = below(20), s->y = below(20), s->z = below(2);
         s->pitch_tiles = linear[i] ? 0 : (s->x + c->width + 7) / 8;
         s->linear_stride = linear[i] ? (s->x + c->width) * c->element_bytes + below(9) : 0;
         s->slice_stride = 1u << 20;
      }
      if (n % 5 == 0) { /* within one surface, sometimes onto itself */
         c->dst = c->src;
         c->dst.x = below(20);
         c->dst.pitch_tiles = c->src.pitch_tiles = linear[0] ? 0 : 16;
         c->src.linear_stride = c->dst.linear_stride = 110 * c->element_bytes;
         c->samples = 1;
         c->resolve = 0;
      }
      if (!emul_blit_check(c, g->device->memory_size, NULL, 0)) {
         bench_destroy(g);
         continue;
      }
      done++;
      overlapping += emul_blit_overlaps(c);
      uint8_t *want = malloc(g->device->memory_size);
      memcpy(want, g->device->memory, g->device->memory_size);
      assert_true(emul_blit(want, g->device->memory_size, c));
      assert_true(run_command(&b, g, &blitter_class, &msg, n % 2 ? 80 : 0));
      assert_memory_equal(g->device->memory, want, g->device->memory_size);
      free(want);
      bench_destroy(g);
   }
   assert_true(overlapping >= 3 && done > 40 && resolves >= 3);
   /* A bad command stops the simulation with a message. */
   struct sim_gpu *g = bench_create(0);
   struct msg_blit bad = {
       .blit = {.width = 5, .height = 5, .depth = 1, .element_bytes = 5, .samples = 1}};
   assert_false(run_command(&b, g, &blitter_class, &bad, 0));
   assert_non_null(strstr(g->kernel.error, "element size"));
   bench_destroy(g);
}

static const struct msg_swap swap_100x50 = {.swap = {.address = 65536,
                                                     .format = ATTILA_FORMAT_B8G8R8A8_UNORM,
                                                     .pitch_tiles = 13,
                                                     .width = 100,
                                                     .height = 50,
                                                     .samples = 1}};
#define SWAP_BLOCKS (13u * 7) /* a tile of 4-byte pixels is one block */
#define SWAP_PASSED (16u * 8) /* blocks of the squares of 64x64 that it touches */

static void
dac_reads_the_surface_once(void **state)
{
   (void)state;
   static struct command_bench b;
   struct sim_gpu *g = bench_create(1);
   random_memory(g);
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 50));
   assert_true(b.done);
   assert_int_equal(b.memory.count, SWAP_BLOCKS);
   assert_int_equal(g->device->observed.frame, 1);
   bench_destroy(g);
   g = bench_create(0);
   struct msg_swap bad = {
       .swap = {.address = 65536, .format = 9999, .pitch_tiles = 13, .width = 100, .height = 50}};
   assert_false(run_command(&b, g, &dac_class, &bad, 0));
   bench_destroy(g);
}

/* Cycles of a swap all of whose blocks have a state; its bytes and requests. */
static sim_tick
swap_cycles(uint32_t quarters, uint32_t decompress, uint64_t *bytes, uint64_t *requests)
{
   static struct command_bench b;
   struct sim_gpu *g = bench_create(0);
   g->config.dac.decompress_latency = decompress;
   for (uint32_t i = 0; i < SWAP_BLOCKS; i++)
      sim_block_set(&g->device->blocks, 65536 + i * 256, 256, quarters, 0);
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 0));
   const struct sim_box *dac = g->kernel.boxes[2];
   *bytes = stat(dac, "ReadBytes");
   *requests = stat(dac, "ReadTransactions");
   assert_int_equal(stat(dac, "ColorStateBlocksTotal"), SWAP_PASSED);
   sim_tick cycles = stat(dac, "ScanOutCycles");
   bench_destroy(g);
   return cycles;
}

/* A clear block costs a cycle and no memory; a compressed one its bytes; the decompressor works on
 * one block at a time. */
static void
dac_reads_block_states(void **state)
{
   uint64_t bytes, requests;
   (void)state;
   sim_tick clear = swap_cycles(0, 1, &bytes, &requests);
   assert_int_equal(bytes, 0);
   assert_int_equal(requests, 0);
   assert_in_range(clear, SWAP_PASSED, SWAP_PASSED + 6);
   swap_cycles(4, 1, &bytes, &requests);
   assert_int_equal(bytes, SWAP_BLOCKS * 256);
   swap_cycles(1, 1, &bytes, &requests);
   assert_int_equal(bytes, SWAP_BLOCKS * 64);
   assert_int_equal(requests, SWAP_BLOCKS);
   assert_int_equal(swap_cycles(0, 9, &bytes, &requests) - clear, 8 * SWAP_PASSED);
}

/* The blocks of all samples are read; their averages, which are at the picture's place, cost
 * nothing, and nothing knows of the blocks that were there before. */
static void
dac_averages_samples(void **state)
{
   (void)state;
   static struct command_bench b;
   struct sim_gpu *g = bench_create(1);
   struct msg_swap msg = swap_100x50;
   random_memory(g);
   msg.swap.flags = ATTILA_SWAP_RESOLVE;
   msg.swap.samples = 4;
   msg.swap.picture_address = 1 << 20;
   msg.swap.picture_pitch_tiles = 13;
   for (uint32_t i = 0; i < 4 * SWAP_BLOCKS; i++)
      sim_block_set(&g->device->blocks, 65536 + i * 256, 256, 1, 0);
   sim_block_set(&g->device->blocks, 1 << 20, 256, 0, SIM_BLOCK_NEVER_WRITTEN);
   assert_true(run_command(&b, g, &dac_class, &msg, 50));
   assert_int_equal(b.memory.count, 4 * SWAP_BLOCKS);
   assert_int_equal(stat(g->kernel.boxes[2], "ColorStateBlocksCompressedBest"), 4 * SWAP_BLOCKS);
   const uint8_t *memory = g->device->memory, *sample = memory + 65536;
   for (unsigned i = 0; i < 256; i++) {
      unsigned sum = 2;
      for (unsigned n = 0; n < 4; n++) /* samples of a quad of 16 bytes */
         sum += sample[i / 16 * 64 + n * 16 + i % 16];
      assert_int_equal(memory[(1 << 20) + i], sum / 4);
   }
   assert_int_equal(sim_block_quarters(sim_block_state(&g->device->blocks, 1 << 20)), 4);
   bench_destroy(g);
}

/* Without SynchedRefresh a swap ends at once, and the screen alone does not keep time running. */
static void
dac_refreshes_in_the_background(void **state)
{
   (void)state;
   static struct command_bench b;
   struct sim_gpu *g = bench_create(0);
   g->config.dac.synched = false;
   g->config.dac.refresh_rate = 1000;
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 0));
   assert_int_equal(b.memory.count, 0);
   const struct sim_box *dac = g->kernel.boxes[2];
   /* Something else runs for 2,500 cycles. */
   assert_true(g->kernel.now < 100);
   sim_tick end = g->kernel.now + 2500;
   while (g->kernel.now < end) {
      sim_box_wake(g->kernel.boxes[0], g->kernel.now + 1);
      bool stop = false;
      assert_true(sim_kernel_run(&g->kernel, &stop));
      if (g->kernel.now < end)
         g->kernel.now++;
   }
   assert_int_equal(stat(dac, "Refreshes"), 2);
   assert_int_equal(b.memory.count, 2 * SWAP_BLOCKS);
   bench_destroy(g);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(blitter_is_the_emulator),
       cmocka_unit_test(dac_reads_the_surface_once),
       cmocka_unit_test(dac_reads_block_states),
       cmocka_unit_test(dac_averages_samples),
       cmocka_unit_test(dac_refreshes_in_the_background),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
