/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Warm start: a frame in the middle, which functional mode leads up to, gives the pixels of a run
 * that was simulated from the beginning, and nearly its cycles: block states, clear values and
 * Hierarchical Z have been carried over. The frames after the first one clear nothing, so that they
 * depend on all of these. */
#include "func_stream.h"
#include "machine_text.h"

#define SIZE 256
#define FRAMES 4

static const char vs[] = ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n";
static const char fs[] = ".fragment\nMOV o0, i1\nEND\n";
static const char fs_dear[] = ".fragment\nMUL r0, i1, i1\nMUL r0, r0, i1\nMUL r0, r0, i1\nMUL r0, "
                              "r0, i1\nMUL r0, r0, i1\nMUL r0, r0, i1\nMOV o0, r0\nEND\n";

/* A quad over [x0, x1] of the whole height, at depth z. */
static void
quad(struct stream *s, float x0, float x1, float z, float blue)
{
   const float data[6][8] = {{x0, -1, z, 1, 0, 0, blue, 1}, {x1, -1, z, 1, 1, 0, blue, 1},
                             {x0, 1, z, 1, 0, 1, blue, 1},  {x1, -1, z, 1, 1, 0, blue, 1},
                             {x1, 1, z, 1, 1, 1, blue, 1},  {x0, 1, z, 1, 0, 1, blue, 1}};
   const uint32_t address = stream_upload(s, data, sizeof(data));
   for (unsigned a = 0; a < 2; a++)
      s->regs.attrib[a] = (struct attila_attrib_regs){.enable = 1,
                                                      .address = address + a * 16,
                                                      .stride = sizeof(data[0]),
                                                      .format = ATTILA_FORMAT_R32G32B32A32_FLOAT,
                                                      .limit = (uint32_t)sizeof(data) - a * 16};
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 0, 6);
}

/* Returns where each frame ends in the stream. */
static struct stream
make_stream(size_t end[FRAMES])
{
   struct stream s;
   const uint32_t fence[2] = {1, 0};
   stream_start(&s, SIZE, SIZE, 1);
   struct attila_regs *r = &s.regs;
   stream_regs(&s);
   stream_clear(&s, 0, 0, 0, 1, 1, 0);
   stream_program(&s, ATTILA_STAGE_VERTEX, vs);
   r->z_test = r->z_write = 1;
   r->z_func = ATTILA_FUNC_LESS;
   for (unsigned f = 0; f < FRAMES; f++) {
      stream_program(&s, ATTILA_STAGE_FRAGMENT, fs);
      if (f == 0)
         quad(&s, -1, 0, -0.5f, 0.2f);
      r->color[0].blend_enable = 1;
      r->color[0].rgb_src = r->color[0].alpha_src = ATTILA_FACTOR_ONE;
      r->color[0].rgb_dst = r->color[0].alpha_dst = ATTILA_FACTOR_ONE;
      /* Hidden on the left, where nothing but HZ knows it without reading; blended on the right,
       * with blocks that are clear or compressed. */
      stream_program(&s, ATTILA_STAGE_FRAGMENT, fs_dear);
      for (unsigned i = 0; i < 4; i++)
         quad(&s, -1, 1, 0.9f - 0.1f * (float)f - 0.02f * (float)i, 0.01f);
      const struct attila_cmd_swap swap = {.address = r->color[0].address,
                                           .format = r->color[0].format,
                                           .pitch_tiles = r->color[0].pitch_tiles,
                                           .width = SIZE,
                                           .height = SIZE};
      if (f == FRAMES - 1) {
         stream_flush(&s);
         stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
      }
      stream_command(&s, ATTILA_CMD_SWAP, &swap, ATTILA_SWAP_WORDS);
      end[f] = s.num;
   }
   return s;
}

struct result {
   uint64_t end[FRAMES];
   uint32_t *color, *zs;
};

static struct result
run(const char *cycle_frames, uint32_t warm_up, const char *config)
{
   const struct attila_sim_options o = {.cycle_frames = cycle_frames, .warm_up = warm_up};
   struct result r;
   size_t end[FRAMES], at = 0;
   struct stream s = make_stream(end);
   struct attila_sim *sim = machine_create(o, 64, config);
   for (unsigned f = 0; f < FRAMES; at = end[f++]) {
      assert_true(attila_sim_submit(sim, s.words + at, end[f] - at));
      r.end[f] = attila_sim_cycles(sim);
   }
   assert_true(attila_sim_wait(sim, 1));
   r.color = stream_read_surface(sim, &s, s.regs.color[0].address);
   r.zs = stream_read_surface(sim, &s, s.regs.zs_address);
   attila_sim_destroy(sim);
   free(s.words);
   return r;
}

/* tolerance: in thousandths of the frame. */
static void
compare(const char *config, int64_t tolerance)
{
   struct result full = run(NULL, 0, config), started = run("2-", 0, config),
                 warmed_up = run("3-", 1, config), last = run("3-", 0, config);
   const int64_t right = (int64_t)(full.end[2] - full.end[1]), got = (int64_t)started.end[2];
   print_message("%s: frame 2: %lld cycles, %lld from a warm start\n", config, (long long)right,
                 (long long)got);
   assert_int_equal(started.end[1], 0);
   assert_true(llabs(got - right) * 1000 <= right * tolerance);
   assert_memory_equal(started.color, full.color, SIZE * SIZE * 4);
   assert_memory_equal(started.zs, full.zs, SIZE * SIZE * 4);
   /* A warm-up frame is a frame in cycle mode. */
   assert_int_equal(warmed_up.end[1], 0);
   assert_int_equal(warmed_up.end[2], started.end[2]);
   assert_int_equal(warmed_up.end[3], started.end[3]);
   assert_int_equal(last.end[2], 0);
   struct result *all[] = {&full, &started, &warmed_up, &last};
   for (unsigned i = 0; i < 4; i++) {
      free(all[i]->color);
      free(all[i]->zs);
   }
}

static void
test_warm_start_comes_close_to_a_full_run(void **state)
{
   compare("", 5);
   /* Bounds of lines that are in the Z cache are older in the machine that saw all of it. */
   compare("RASTERIZER.HZCacheLines=8", 25);
   compare("GPU.NumStampPipes=4", 5);
}

static void
test_bad_lists_of_frames_are_refused(void **state)
{
   static const char *const lists[] = {"",    "-",   "a",    "3-2",       "1;2",
                                       "1,1", "5,3", "1-,4", "4294967295"};
   char error[512];
   for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
      struct attila_sim_options o = {.cycle_frames = lists[i]};
      error[0] = '\0';
      assert_null(attila_sim_create(&o, error, sizeof(error)));
      assert_non_null(strstr(error, i < 5 ? "expected a list" : "is not a list of frames"));
   }
   struct attila_sim_options several = {.cycle_frames = "1,3"};
   assert_null(attila_sim_create(&several, error, sizeof(error)));
   assert_non_null(strstr(error, "need workers (--jobs)"));
   struct attila_sim_options nowhere = {.jobs = 2};
   assert_null(attila_sim_create(&nowhere, error, sizeof(error)));
   assert_string_equal(error, "jobs needs out_dir");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_warm_start_comes_close_to_a_full_run),
       cmocka_unit_test(test_bad_lists_of_frames_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
