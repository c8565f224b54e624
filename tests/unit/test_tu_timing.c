/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Times of the texture unit, one mechanism each: latency, rates by filter and texel width, the
 * wait-read window, misses per cycle, levels of the cache, decompression. Not here: results
 * (test_tu.c), several units (test_tex_link.c). */
#include "tu_bench.h"

static void
setup(struct tu_bench *b, unsigned target, unsigned format, unsigned size)
{
   tu_bench_init(b, 0);
   struct attila_tex_regs r = texture(target, format, size, 1);
   emul_tex_state_init(&b->tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b->gpu->device->memory_size);
}

/* Quads of one request, its lanes around texel x, y (of size) at so many texels from each other. */
static struct emul_tex_request
around(unsigned quads, unsigned size, float x, float y, float apart)
{
   struct emul_tex_request req = {.op = ATTILA_OP_TXL, .mask = (uint16_t)((1u << quads * 4) - 1)};
   for (unsigned l = 0; l < 16; l++) {
      req.coord[0][l] = (x + 1.0f + apart * (float)(l & 1)) / (float)size;
      req.coord[1][l] = (y + 1.0f + apart * (float)(l >> 1 & 1)) / (float)size;
   }
   return req;
}

/* Cycles from the first request to its answer. */
static sim_tick
latency(struct tu_bench *b)
{
   return b->answer[0] - b->first_sent;
}

#define HIT_CYCLES(c) (10 + (c)->shader.address_latency + (c)->shader.filter_latency)
/* What a miss adds: 1 to be taken and sent, 1 to memory, 10 there, 1 back, then each line is
 * decompressed and written, and read in the cycle in which that ends instead of the one after
 * look-up. */
#define MISS_CYCLES(decompress, write) (1 + 1 + 10 + 1 + (decompress) + (write)-1)

static void
latency_of_hits_and_misses(void **state)
{
   static struct tu_bench b;
   for (unsigned decompress = 1; decompress < 6; decompress += 4) {
      setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
      struct sim_config *c = &b.gpu->config;
      c->shader.tex_decompress_latency = decompress;
      struct emul_tex_request one = one_spot(1), four = one_spot(4);
      for (unsigned i = 0; i < 100; i++)
         tu_bench_request(&b, i < 50 ? &one : &four);
      tu_bench_run(&b, 0);
      assert_int_equal(b.memory.count, 1);
      /* 256 bytes through 16 ports of 4. */
      assert_int_equal(latency(&b), HIT_CYCLES(c) + MISS_CYCLES(decompress, 4));
      /* One quad per cycle. */
      assert_int_equal(b.answer[49] - b.answer[39], 10);
      assert_int_equal(b.answer[99] - b.answer[89], 40);
      tu_bench_destroy(&b);
   }
   /* A cleared block needs no memory. */
   setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
   for (uint32_t at = 65536; at < 65536 + 64 * 64 * 4; at += 256)
      sim_block_set(&b.gpu->device->blocks, at, 256, 0, 0);
   struct emul_tex_request one = one_spot(1);
   tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   assert_int_equal(latency(&b), HIT_CYCLES(&b.gpu->config) + 1 + 1 + 4 - 1);
   tu_bench_destroy(&b);
}

/* A miss of the first level that the second one has takes three cycles more than a hit there. */
static void
second_level_hit_costs_three_cycles(void **state)
{
   static struct tu_bench b;
   setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
   struct sim_config *c = &b.gpu->config;
   c->shader.tex_two_levels = true;
   c->shader.tex_line_size = 64;
   c->shader.tex_sets = c->shader.tex_ways = 1;
   c->shader.tex_line_size_l1 = 256;
   /* Two 4x4 blocks of the same 8x8 tile; the first level holds one. */
   struct emul_tex_request left = around(1, 64, 0, 0, 0), right = around(1, 64, 4, 0, 0);
   for (unsigned i = 0; i < 40; i++)
      tu_bench_request(&b, i & 1 ? &right : &left);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 1);
   assert_int_equal(stat(b.tu, "MissOKFetch_FC64"), 40);
   assert_int_equal(stat(b.tu, "HitsFetch_FC"), 39);
   assert_int_equal(stat(b.tu, "ReadBytes_FC"), 40 * 64);
   /* Looked up, written two cycles later, read; then the line is free for the other block. */
   assert_int_equal(b.answer[39] - b.answer[29], 10 * 3);
   /* Its own tags are looked up a cycle after the miss, and it is read a cycle after it is filled.
    */
   assert_int_equal(latency(&b), HIT_CYCLES(c) + MISS_CYCLES(1, 1) + 2);
   tu_bench_destroy(&b);
}

/* Cycles per quad when every texel hits. */
static sim_tick
rate(unsigned format, unsigned port_width, float apart)
{
   static struct tu_bench b;
   setup(&b, ATTILA_TEX_2D, format, 64);
   b.gpu->config.shader.tex_port_width = port_width;
   struct emul_tex_request req = around(1, 64, 1, 1, apart);
   for (unsigned i = 0; i < 60; i++)
      tu_bench_request(&b, &req);
   tu_bench_run(&b, 0);
   sim_tick cycles = b.answer[59] - b.answer[49];
   assert_true(cycles == 10 || stat(b.tu, "ReadsFailed"));
   tu_bench_destroy(&b);
   assert_int_equal(cycles % 10, 0);
   return cycles / 10;
}

/* Four words of each of four banks a cycle: wide texels take more, equal ones are read once. */
static void
rates_by_texel_width(void **state)
{
   assert_int_equal(rate(ATTILA_FORMAT_R8_UNORM, 4, 2), 1);
   assert_int_equal(rate(ATTILA_FORMAT_R8G8B8A8_UNORM, 4, 2), 1);
   /* 16 texels of 8 bytes are in two banks, 8 in each, and a port is taken for two cycles. */
   assert_int_equal(rate(ATTILA_FORMAT_R16G16B16A16_FLOAT, 4, 2), 4);
   assert_int_equal(rate(ATTILA_FORMAT_R16G16B16A16_FLOAT, 8, 2), 2);
   /* 16 texels of 16 bytes are in one bank. */
   assert_int_equal(rate(ATTILA_FORMAT_R32G32B32A32_FLOAT, 4, 2), 16);
   assert_int_equal(rate(ATTILA_FORMAT_R32G32B32A32_FLOAT, 16, 2), 4);
   /* All lanes read the same four. */
   assert_int_equal(rate(ATTILA_FORMAT_R16G16B16A16_FLOAT, 4, 0), 2);
   assert_int_equal(rate(ATTILA_FORMAT_R32G32B32A32_FLOAT, 16, 0), 1);
   /* A narrow port. */
   assert_int_equal(rate(ATTILA_FORMAT_R8G8B8A8_UNORM, 1, 2), 4);
}

/* Each anisotropic sample takes the filter for one cycle, in each level and slice, whatever the
 * target; a cube's corner is one too. */
static void
anisotropic_samples_take_a_cycle_each(void **state)
{
   (void)state;
   static const struct {
      unsigned target, samples, slices;
   } cases[] = {{ATTILA_TEX_2D, 1, 1},    {ATTILA_TEX_2D, 12, 1}, {ATTILA_TEX_CUBE, 1, 1},
                {ATTILA_TEX_CUBE, 12, 1}, {ATTILA_TEX_3D, 1, 2},  {ATTILA_TEX_3D, 12, 2}};
   static struct tu_bench b;
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      tu_bench_init(&b, 0);
      b.gpu->config.shader.tex_port_width = 16;
      struct attila_tex_regs r = texture(cases[k].target, ATTILA_FORMAT_R8_UNORM, 32, 1);
      r.max_aniso = 16;
      r.seamless = 1;
      emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      struct emul_tex_request req = {.op = ATTILA_OP_TXD, .mask = 0xf};
      for (unsigned l = 0; l < 4; l++) {
         float texel = (cases[k].target == ATTILA_TEX_CUBE ? 2.0f : 1.0f) / 32;
         /* The cube's is its corner. */
         for (unsigned c = 0; c < 3; c++)
            req.coord[c][l] = cases[k].target == ATTILA_TEX_CUBE ? 1.0f : 0.36f;
         req.ddx[1][l] = texel * (float)cases[k].samples * 0.99f;
         req.ddy[cases[k].target == ATTILA_TEX_CUBE ? 2 : 0][l] = texel;
      }
      for (unsigned i = 0; i < 40; i++)
         tu_bench_request(&b, &req);
      tu_bench_run(&b, 0);
      unsigned steps = cases[k].samples * cases[k].slices;
      assert_int_equal(b.answer[39] - b.answer[29], 10 * steps);
      assert_int_equal(stat(b.tu, "FilterALUBusyCycles"), 40 * steps);
      assert_int_equal(stat(b.tu, "AnisotropyRatio"), 40 * cases[k].samples);
      tu_bench_destroy(&b);
   }
}

/* Quads whose texels are there pass one that waits for memory, as many as the window holds. */
static void
ready_ones_pass(void **state)
{
   static const struct {
      unsigned window, passed;
   } cases[] = {{32, 1}, {1, 0}};
   static struct tu_bench b;
   for (unsigned k = 0; k < 2; k++) {
      setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
      b.gpu->config.shader.tex_window = cases[k].window;
      struct emul_tex_request hit = one_spot(1), miss = around(1, 64, 40, 40, 0);
      for (unsigned i = 0; i < 60; i++)
         tu_bench_request(&b, i == 50 ? &miss : &hit);
      tu_bench_run(&b, 0);
      assert_int_equal(b.order[49], 49);
      assert_int_equal(b.order[50], cases[k].passed ? 51 : 50);
      assert_int_equal(stat(b.tu, "FetchStallWaitRead") > 10, !cases[k].passed);
      tu_bench_destroy(&b);
   }
}

/* The texels of a quad may be in 16 lines; as many are requested in a cycle as the parameter says,
 * and never more than the queue holds. */
static void
misses_per_cycle(void **state)
{
   static const struct {
      unsigned misses, requests;
      uint64_t failed, queue;
   } cases[] = {{8, 32, 0, 0}, {4, 32, 0, 0}, {1, 32, 4 * (3 + 2 + 1), 0}, {8, 2, 2, 1}};
   static struct tu_bench b;
   for (unsigned k = 0; k < 4; k++) {
      setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
      b.gpu->config.shader.tex_misses_cycle = cases[k].misses;
      b.gpu->config.shader.tex_requests = cases[k].requests;
      b.gpu->config.shader.tex_input_queue = 32;
      /* Four lanes, each with its texels in a tile of its own. */
      struct emul_tex_request req = around(1, 64, 1, 1, 8);
      tu_bench_request(&b, &req);
      tu_bench_run(&b, 0);
      assert_int_equal(b.memory.count, 4);
      /* Four texels to a line. */
      assert_int_equal(stat(b.tu, "MissFailMissFetch_FC64"), cases[k].failed);
      assert_int_equal(stat(b.tu, "MissFailReqQueueFetch_FC64") > 0, cases[k].queue);
      assert_int_equal(stat(b.tu, "HitsFetch_FC64"), 12);
      tu_bench_destroy(&b);
   }
}

/* A block of a compressed texture is a line of the texture cache as large as its texels, and few
 * bytes of the second level's. */
static void
compressed_lines_are_full_in_the_first_level(void **state)
{
   static const struct {
      unsigned format, lines, second, bytes;
   } cases[] = {{ATTILA_FORMAT_R8G8B8A8_UNORM, 16, 16, 1024},
                {ATTILA_FORMAT_DXT5_RGBA, 16, 4, 256},
                {ATTILA_FORMAT_DXT1_RGB, 16, 2, 128},
                {ATTILA_FORMAT_RGTC1_UNORM, 4, 2, 128}};
   static struct tu_bench b;
   for (unsigned k = 0; k < 4; k++) {
      setup(&b, ATTILA_TEX_2D, cases[k].format, 16);
      struct sim_config *c = &b.gpu->config;
      c->shader.tex_two_levels = true;
      c->shader.tex_line_size = c->shader.tex_line_size_l1 = 64;
      c->shader.tex_sets = 16;
      /* Each of the sixteen blocks of a texture of 16x16. */
      for (unsigned i = 0; i < 16; i++) {
         struct emul_tex_request req =
             around(1, 16, (float)(i % 4 * 4) + 0.5f, (float)(i / 4 * 4) + 0.5f, 0);
         tu_bench_request(&b, &req);
      }
      tu_bench_run(&b, 0);
      assert_int_equal(stat(b.tu, "MissOKFetch_FC64"), cases[k].lines);
      assert_int_equal(stat(b.tu, "MissOKFetch_FC"), cases[k].second);
      assert_int_equal(stat(b.tu, "WriteBytes_FC64"), cases[k].lines * 64);
      assert_int_equal(stat(b.tu, "ReadBytesMemory"), cases[k].bytes);
      tu_bench_destroy(&b);
   }
}

/* A fetch is one texel of each lane: a quad a cycle, however far apart, as a point sample. A size
 * reads no memory, and takes the way of a hit. */
static void
fetches_and_sizes(void **state)
{
   static struct tu_bench b;
   (void)state;
   setup(&b, ATTILA_TEX_3D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
   struct emul_tex_request fetch = {.op = ATTILA_OP_TXF, .mask = 0xffff},
                           filtered = {.op = ATTILA_OP_TXL, .mask = 0xffff};
   for (unsigned l = 0; l < 16; l++) {
      memcpy(&fetch.coord[0][l], &(int32_t){(int32_t)(l & 3)}, 4);
      filtered.coord[2][l] = 0.375f; /* between two slices of eight */
   }
   for (unsigned i = 0; i < 100; i++)
      tu_bench_request(&b, i < 50 ? &filtered : &fetch);
   tu_bench_run(&b, 0);
   assert_int_equal(b.answer[49] - b.answer[39], 10 * 4 * 2);
   assert_int_equal(b.answer[99] - b.answer[89], 10 * 4);
   assert_int_equal(stat(b.tu, "PointSampled"), 50 * 16);
   assert_int_equal(stat(b.tu, "TexelFetches"), 50 * 16);
   tu_bench_destroy(&b);

   setup(&b, ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64);
   const struct emul_tex_request size = {.op = ATTILA_OP_TXS, .mask = 0xf};
   tu_bench_request(&b, &size);
   tu_bench_run(&b, 0);
   assert_int_equal(latency(&b), HIT_CYCLES(&b.gpu->config));
   assert_int_equal(b.memory.count, 0);
   assert_int_equal(stat(b.tu, "SizeQueries"), 1);
   assert_int_equal(stat(b.tu, "BilinearSamples"), 0);
   int32_t width;
   memcpy(&width, &b.threads[0]->emul.temps[0].c[0][0], 4);
   assert_int_equal(width, 64);
   tu_bench_destroy(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(latency_of_hits_and_misses),
       cmocka_unit_test(second_level_hit_costs_three_cycles),
       cmocka_unit_test(rates_by_texel_width),
       cmocka_unit_test(anisotropic_samples_take_a_cycle_each),
       cmocka_unit_test(ready_ones_pass),
       cmocka_unit_test(misses_per_cycle),
       cmocka_unit_test(compressed_lines_are_full_in_the_first_level),
       cmocka_unit_test(fetches_and_sizes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
