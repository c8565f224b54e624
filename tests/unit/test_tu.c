/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture units alone: their results must be the emulator's, whatever the caches' sizes, the
 * clocking order and the memory's mood; what is invalidated, and which lines go. Not here: times
 * (test_tu_timing.c). */
#include "tu_bench.h"

/* What the statistics say of one another. */
static void
check_statistics(const struct tu_bench *b)
{
   const struct sim_box *tu = b->tu;
   bool two = b->gpu->config.shader.tex_two_levels;
   assert_int_equal(stat(tu, "TextureResults"), stat(tu, "TextureRequests"));
   assert_int_equal(stat(tu, "AddressCalculationFinished"), stat(tu, "TextureRequests"));
   assert_int_equal(stat(tu, "FilterALUBusyCycles"), stat(tu, "AddressALUBusyCycles"));
   assert_int_equal(stat(tu, "FilterALUBusyCycles"), stat(tu, "BilinearSamples"));
   assert_int_equal(stat(tu, "ReadsOK"), stat(tu, "FetchesOK"));
   assert_int_equal(stat(tu, "ReadsOK"), stat(tu, "Unreserves_FC64"));
   assert_int_equal(stat(tu, "FetchesOK"),
                    stat(tu, "HitsFetch_FC64") + stat(tu, "MissOKFetch_FC64"));
   assert_int_equal(stat(tu, "MissesFetch_FC64"),
                    stat(tu, "MissOKFetch_FC64") + stat(tu, "MissFailFetch_FC64"));
   assert_int_equal(stat(tu, "FetchesFailed"),
                    stat(tu, "MissFailFetch_FC64") + stat(tu, "FetchBankConflicts"));
   assert_int_equal(stat(tu, "WriteBytes_FC64"),
                    stat(tu, "MissOKFetch_FC64") * b->gpu->config.shader.tex_line_size);
   for (unsigned i = 0; i < tu->cls->num_stats; i++) {
      if (!strcmp(tu->cls->stats[i].name, "WriteBytes_FC64"))
         assert_int_equal(sim_stat(tu, 3)[i], stat(tu, "WriteBytes_FC64")); /* tu_bench.h */
   }
   assert_int_equal(stat(tu, "MemoryRequests"), b->memory.count);
   assert_int_equal(stat(tu, "ReadTransactions"), b->memory.count);
   assert_int_equal(stat(tu, two ? "MissOKFetch_FC" : "MissOKFetch_FC64"), b->memory.count);
   if (two) {
      assert_int_equal(stat(tu, "ReadsOK_FC"), stat(tu, "MissOKFetch_FC64"));
      assert_int_equal(stat(tu, "HitsFetch_FC") + stat(tu, "MissOKFetch_FC"),
                       stat(tu, "MissOKFetch_FC64"));
      assert_int_equal(stat(tu, "ReadBytesMemory"),
                       b->memory.count * b->gpu->config.shader.tex_line_size_l1);
   }
}

/* Machines from roomy to absurdly small: a cache of one line must work too, of one level and of
 * two. */
static void
results_are_the_emulators(void **state)
{
   (void)state;
   static const struct {
      unsigned sets, ways, line, requests, queue, window, misses, port, input;
   } machines[] = {{16, 4, 256, 8, 64, 32, 8, 4, 8},
                   {1, 1, 64, 1, 1, 1, 1, 4, 1},
                   {1, 2, 64, 8, 3, 2, 16, 1, 3},
                   {4, 1, 128, 2, 64, 5, 2, 16, 2},
                   {1, 64, 64, 64, 7, 64, 3, 2, 64}};
   static const unsigned formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM,     ATTILA_FORMAT_DXT5_RGBA,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_R8_UNORM,
                                      ATTILA_FORMAT_Z32_FLOAT_S8X24,    ATTILA_FORMAT_R8G8B8A8_SINT,
                                      ATTILA_FORMAT_R32G32B32A32_UINT};
   static struct tu_bench b;
   for (unsigned k = 0; k < 35; k++) {
      tu_bench_init(&b, k % 3);
      struct sim_config *c = &b.gpu->config;
      c->shader.tex_sets = machines[k % 5].sets;
      c->shader.tex_ways = machines[k % 5].ways;
      c->shader.tex_line_size = machines[k % 5].line;
      c->shader.tex_requests = machines[k % 5].requests;
      c->shader.tex_access_queue = machines[k % 5].queue;
      c->shader.tex_window = machines[k % 5].window;
      c->shader.tex_misses_cycle = machines[k % 5].misses;
      c->shader.tex_port_width = machines[k % 5].port;
      c->shader.tex_input_queue = machines[k % 5].input;
      c->shader.tex_decompress_latency = 1 + k % 3;
      c->shader.tex_two_levels = k / 5 & 1;
      c->shader.tex_line_size_l1 = 256;
      c->shader.tex_ways_l1 = 1 + k % 2;
      c->shader.tex_sets_l1 = k % 4 ? 4 : 1;
      c->shader.tex_input_queue_l1 = machines[k % 5].input;
      static const unsigned targets[] = {ATTILA_TEX_2D, ATTILA_TEX_CUBE, ATTILA_TEX_3D,
                                         ATTILA_TEX_2D};
      for (unsigned u = 0; u < 4; u++) {
         struct attila_tex_regs r = texture(targets[u], formats[(k + u) % 7], 64, 7);
         r.max_aniso = u == 3 || k / 10 & 1 ? 16 : 1;
         r.seamless = 1;
         r.wrap_t = u == 0 ? ATTILA_WRAP_CLAMP_TO_BORDER : ATTILA_WRAP_REPEAT;
         r.enable = k != 4 || u != 1; /* a disabled unit flows through too */
         emul_tex_state_init(&b.tex[u], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      }
      static struct emul_vec4 want[REQUESTS];
      for (unsigned i = 0; i < 100; i++) {
         struct emul_tex_request req = {.op = ATTILA_OP_TEX,
                                        .unit = (uint8_t)below(4),
                                        .has_quads = true,
                                        .mask = i % 7 ? 0xffff : (uint16_t)below(65536)};
         float step = uniform(0, 0.05f);
         for (unsigned c = 0; c < 3; c++) {
            float base = uniform(-1, 2);
            for (unsigned l = 0; l < 16; l++)
               req.coord[c][l] = base + step * (float)(c ? l / 4 + (l & 1) : l);
         }
         tu_bench_request(&b, &req);
         emul_tex_sample(&b.tex[req.unit], &req, b.gpu->device->memory, &want[i]);
      }
      tu_bench_run(&b, k % 2 ? 60 : 0);
      for (unsigned i = 0; i < b.count; i++)
         for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < 16; l++)
               if (b.threads[i]->emul.tex.mask >> l & 1)
                  assert_memory_equal(&b.threads[i]->emul.temps[0].c[c][l], &want[i].c[c][l], 4);
      check_statistics(&b);
      tu_bench_destroy(&b);
   }
}

static void
invalidation_forgets_the_lines(void **state)
{
   (void)state;
   static struct tu_bench b;
   tu_bench_init(&b, 0);
   struct attila_tex_regs r = texture(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 1);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   b.invalidate_after = 10;
   struct emul_tex_request one = one_spot(1);
   for (unsigned i = 0; i < 200; i++)
      tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 2);
   tu_bench_destroy(&b);
   /* Other memory is forgotten. */
   tu_bench_init(&b, 0);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   b.invalidate_after = 10;
   b.forget_from = r.address + 64 * 64 * 4;
   for (unsigned i = 0; i < 200; i++)
      tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 1);
   tu_bench_destroy(&b);
   /* A line invalidated while pinned is not found again and is free once read. */
   struct tu_tags tags;
   tu_tags_init(&tags, 1, 1, 1, 64);
   uint32_t line = tu_tags_allocate(&tags, tu_key(640, 6, 0));
   tags.pins[line] = 1;
   assert_int_equal(tu_tags_find(&tags, tu_key(640 + 63, 6, 0)), line);
   assert_int_equal(tu_tags_find(&tags, tu_key(640 + 64, 6, 0)), TU_NO_LINE);
   tu_tags_forget(&tags, 704, UINT64_MAX);
   assert_int_equal(tu_tags_find(&tags, tu_key(640, 6, 0)), line);
   tu_tags_forget(&tags, 703, 704);
   assert_int_equal(tu_tags_find(&tags, tu_key(640, 6, 0)), TU_NO_LINE);
   assert_int_equal(tu_tags_allocate(&tags, tu_key(640, 6, 0)), TU_NO_LINE);
   tags.pins[line] = 0;
   assert_int_equal(tu_tags_allocate(&tags, tu_key(640, 6, 0)), line);
   tu_tags_fini(&tags);
   /* A compressed line is smaller in memory: a block of 8 bytes is a line of 64. */
   assert_int_equal(tu_key_address(tu_key(648, 6, 3), 6), 648);
   assert_int_equal(tu_key(648, 6, 3) - tu_key(640, 6, 3), 1);
}

/* A line of a clear block needs no memory, one of a compressed block its bytes. */
static void
block_states_are_read(void **state)
{
   static const struct {
      uint32_t quarters, requests, bytes;
   } cases[] = {{4, 1, 256}, {2, 1, 128}, {1, 1, 64}, {0, 0, 0}};
   (void)state;
   for (unsigned k = 0; k < 4; k++) {
      static struct tu_bench b;
      tu_bench_init(&b, 0);
      struct attila_tex_regs r = texture(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 1);
      emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      for (uint32_t at = 0; at < 64 * 64 * 4; at += 256)
         sim_block_set(&b.gpu->device->blocks, r.address + at, 256, cases[k].quarters, 0);
      struct emul_tex_request one = one_spot(1);
      tu_bench_request(&b, &one);
      tu_bench_run(&b, 0);
      assert_int_equal(b.memory.count, cases[k].requests);
      assert_int_equal(stat(b.tu, "ReadBytesMemory"), cases[k].bytes);
      tu_bench_destroy(&b);
   }
}

/* From one way further every time the next that was not among the last four that were read; then,
 * before it looks at the ways before, the one of these four that was read first. */
static void
replacement_is_the_releases(void **state)
{
   (void)state;
   struct tu_tags c;
   tu_tags_init(&c, 1, 1, 6, 64);
   /* The first four count as read, and free lines are nothing better. */
   static const uint32_t empty[] = {4, 4, 4, 4, 5, 4};
   for (uint32_t key = 0; key < 6; key++)
      assert_int_equal(tu_tags_allocate(&c, key), empty[key]);
   static const uint32_t read[] = {5, 0, 3, 1, 0};
   for (unsigned i = 0; i < 5; i++)
      replace_use(&c.replace, read[i]);
   /* The last four: 5, 3, 1, 0. Begins at 1, 2, 3, 4, 5, 0. */
   static const uint32_t full[] = {2, 2, 4, 4, 5, 2};
   for (uint32_t i = 0; i < 6; i++)
      assert_int_equal(tu_tags_allocate(&c, 10 + i), full[i]);
   assert_int_equal(tu_tags_find(&c, 4), TU_NO_LINE);
   assert_int_equal(tu_tags_find(&c, 14), 5);
   c.pins[2] = 1;
   assert_int_equal(tu_tags_allocate(&c, 20), 4);
   c.pins[4] = 1;
   assert_int_equal(tu_tags_allocate(&c, 21), 5);
   c.pins[5] = 1;
   assert_int_equal(tu_tags_allocate(&c, 22), 3);
   c.pins[0] = c.pins[1] = c.pins[3] = 1;
   assert_int_equal(tu_tags_allocate(&c, 23), TU_NO_LINE);
   c.pins[2] = 0;
   assert_int_equal(tu_tags_allocate(&c, 24), 2);
   tu_tags_fini(&c);
   /* Sets follow from the key's lowest bits. */
   /* The least recently used: the first ways count as used at first. */
   tu_tags_init(&c, 0, 1, 6, 64);
   static const uint32_t lru[] = {4, 5, 0, 3};
   for (uint32_t key = 0; key < 4; key++) {
      assert_int_equal(tu_tags_allocate(&c, key), lru[key]);
      replace_use(&c.replace, lru[key]);
      if (key == 1)
         c.pins[1] = c.pins[2] = 1;
   }
   tu_tags_fini(&c);
   tu_tags_init(&c, 0, 4, 2, 64);
   assert_int_equal(tu_tags_allocate(&c, 7) / 2, 3);
   tu_tags_fini(&c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(results_are_the_emulators),
       cmocka_unit_test(invalidation_forgets_the_lines),
       cmocka_unit_test(block_states_are_read),
       cmocka_unit_test(replacement_is_the_releases),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
