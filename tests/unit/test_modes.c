/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Whole frames: the cycle mode gives the picture of the functional mode bit for bit, on several
 * machines; and neither the clocking order nor how the stream is cut changes a cycle. With
 * ATTILA_TEST_CAPTURE set, the stream is also written there (a benchmark). */
#include "func_stream.h"
#include "machine_text.h"
#include <unistd.h>
#include "capture/sim_capture.h"

#define SIZE 128
#define FRAMES 2

static const char vs[] = ".vertex\nDP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nDP4 o0.z, i0, c2\nDP4 o0.w, "
                         "i0, c3\nMOV o1, i1\nMOV o2, i2\nEND\n";
static const char fs_tex[] =
    ".fragment\n.literal 0x3e000000, 0x3d800000, 0x3e800000, 0x3f000000\nTEX r0, i2, t0, 2D\nMUL "
    "r0, r0, i1\nADD o0, r0, l0\nEND\n";
static const char fs_plain[] = ".fragment\nMUL r0, i1, i1\nMAD r0, r0, i2, i1\nMOV o0, r0\nEND\n";
static const char fs_kill[] = ".fragment\nKIL i2.x\nMOV o0, i1\nEND\n";

static uint32_t seed;

static float
random_float(float low, float high)
{
   seed = seed * 1664525 + 1013904223;
   return low + (high - low) * (float)(seed >> 8) / 16777216.0f;
}

static void
set_consts(struct stream *s, float scale, float shift)
{
   const struct {
      uint32_t stage, first;
      float m[4][4];
   } c = {ATTILA_STAGE_VERTEX,
          0,
          {{scale, 0, 0, shift}, {0, scale, 0.1f, 0}, {0, 0, 1, 0}, {0, 0, 0.3f, 1}}};
   stream_command(s, ATTILA_CMD_WRITE_CONSTS, &c, sizeof(c) / 4);
}

static void
random_vertices(struct stream *s, unsigned count, float size)
{
   float(*data)[12] = calloc(count, sizeof(*data));
   for (unsigned i = 0; i < count; i += 3) {
      float x = random_float(-1, 1), y = random_float(-1, 1), z = random_float(-0.6f, 0.6f);
      for (unsigned v = 0; v < 3 && i + v < count; v++) {
         float *d = data[i + v];
         d[0] = x + random_float(-size, size);
         d[1] = y + random_float(-size, size);
         d[2] = z + random_float(-0.2f, 0.2f);
         d[3] = 1;
         for (unsigned c = 4; c < 8; c++)
            d[c] = random_float(0, 1);
         for (unsigned c = 8; c < 12; c++)
            d[c] = random_float(-0.3f, 2.0f);
      }
   }
   uint32_t address = stream_upload(s, data, count * sizeof(*data));
   for (unsigned a = 0; a < 3; a++)
      s->regs.attrib[a] =
          (struct attila_attrib_regs){.enable = 1,
                                      .address = address + a * 16,
                                      .stride = sizeof(*data),
                                      .format = ATTILA_FORMAT_R32G32B32A32_FLOAT,
                                      .limit = (uint32_t)(count * sizeof(*data)) - a * 16};
   free(data);
}

static void
make_texture(struct stream *s)
{
   struct attila_layout layout;
   attila_surface_layout(64, 64, 1, 0, 7, 1, 4, 1, 1, &layout);
   uint32_t *texels = calloc(1, layout.size);
   for (size_t i = 0; i < layout.size / 4; i++)
      texels[i] = (uint32_t)(random_float(0, 1) * 16777216.0f) * 257;
   uint32_t address = stream_upload(s, texels, layout.size);
   free(texels);
   s->regs.tex[0] = (struct attila_tex_regs){.enable = 1,
                                             .target = ATTILA_TEX_2D,
                                             .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                             .address = address,
                                             .width = 64,
                                             .height = 64,
                                             .depth = 1,
                                             .num_levels = 7,
                                             .last_level = 6,
                                             .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                             .mag_filter = ATTILA_FILTER_LINEAR,
                                             .min_filter = ATTILA_FILTER_LINEAR,
                                             .mip_filter = ATTILA_MIP_LINEAR,
                                             .max_aniso = 1,
                                             .max_lod = 100};
}

static void
frame(struct stream *s, unsigned number)
{
   struct attila_regs *r = &s->regs;
   uint32_t triangles = 600;
   stream_regs(s);
   stream_clear(s, 0.2f, 0.4f, 0.1f, 1, 1, 0);
   set_consts(s, 0.9f, (float)number * 0.05f);
   r->z_test = r->z_write = 1;
   r->z_func = ATTILA_FUNC_LESS;
   r->color[0].blend_enable = 0;
   stream_program(s, ATTILA_STAGE_VERTEX, vs);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fs_tex);
   random_vertices(s, triangles, 0.3f);
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 0, triangles);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fs_kill);
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 30, 90);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fs_plain);
   random_vertices(s, 300, 0.1f);
   set_consts(s, 1.1f, 0);
   uint16_t indices[900];
   for (unsigned i = 0; i < 900; i++)
      indices[i] = (uint16_t)random_float(0, 299);
   r->color[0].blend_enable = 1;
   r->color[0].rgb_src = r->color[0].alpha_src = ATTILA_FACTOR_SRC_ALPHA;
   r->color[0].rgb_dst = r->color[0].alpha_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
   r->z_write = 0;
   stream_draw_indexed(s, ATTILA_PRIM_TRIANGLE_STRIP, stream_upload(s, indices, sizeof(indices)), 2,
                       300, 7);
   stream_draw(s, ATTILA_PRIM_LINE_STRIP, 0, 60);
   stream_draw(s, ATTILA_PRIM_POINTS, 60, 100);
   stream_flush(s);
   const struct attila_cmd_swap swap = {.address = r->color[0].address,
                                        .format = r->color[0].format,
                                        .pitch_tiles = r->color[0].pitch_tiles,
                                        .width = SIZE,
                                        .height = SIZE};
   stream_command(s, ATTILA_CMD_SWAP, &swap, ATTILA_SWAP_WORDS);
}

static struct stream
make_stream(void)
{
   struct stream s;
   const uint32_t fence[2] = {1, 0};
   seed = 42;
   stream_start(&s, SIZE, SIZE, 1);
   make_texture(&s);
   for (unsigned i = 0; i < FRAMES; i++)
      frame(&s, i);
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   return s;
}

struct result {
   uint32_t *color, *zs;
   uint64_t cycles;
};

static struct result
run(const struct stream *s, enum attila_mode mode, const char *config, uint32_t order, size_t cut)
{
   const struct attila_sim_options o = {.mode = mode, .box_order_seed = order};
   struct attila_sim *sim = machine_create(o, 64, config);
   for (size_t at = 0; at < s->num;) {
      size_t n = 0;
      while (at + n < s->num && (n == 0 || n < cut))
         n += 1 + ATTILA_CMD_WORDS(s->words[at + n]);
      if (!attila_sim_submit(sim, s->words + at, n))
         fail_msg("%s", attila_sim_error(sim));
      at += n;
   }
   assert_true(attila_sim_wait(sim, 1));
   struct result r = {.cycles = attila_sim_cycles(sim)};
   r.color = stream_read_surface(sim, s, s->regs.color[0].address);
   r.zs = stream_read_surface(sim, s, s->regs.zs_address);
   attila_sim_destroy(sim);
   return r;
}

static void
free_result(struct result *r)
{
   free(r->color);
   free(r->zs);
}

static const char *const machines[] = {
    "",
    "GPU.NumStampPipes=4;GPU.NumFragmentShaders=4;MEMORYCONTROLLER.V2MemoryChannels=8",
    "GPU.NumStampPipes=1;FRAGMENTSHADER.VectorShader=1;"
    "FRAGMENTSHADER.VectorLength=16;FRAGMENTSHADER.VectorResources=512",
    "GPU.Unified=FALSE",
    "GPU.MemoryClock=400;GPU.ShaderClock=900",
    "COMMANDPROCESSOR.PipelinedBatchRendering=FALSE;RASTERIZER.DisableHZ=TRUE",
};

static void
test_both_modes_draw_the_same_pixels(void **state)
{
   struct stream s = make_stream();
   struct result f = run(&s, ATTILA_MODE_FUNCTIONAL, "", 0, ~(size_t)0);
   /* It drew something: many different colours. */
   unsigned changes = 0;
   for (unsigned i = 1; i < SIZE * SIZE; i++)
      changes += f.color[i] != f.color[i - 1];
   assert_true(changes > SIZE * SIZE / 10);
   for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
      struct result c = run(&s, ATTILA_MODE_CYCLE, machines[m], 0, ~(size_t)0);
      print_message("%s: %llu cycles\n", machines[m], (unsigned long long)c.cycles);
      unsigned different = 0;
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         different += c.color[i] != f.color[i];
      assert_int_equal(different, 0);
      assert_memory_equal(c.zs, f.zs, SIZE * SIZE * 4);
      /* Half-cycle mode: the same pixels, and the order of boxes does not matter. */
      struct result h = run(&s, ATTILA_MODE_HALF, machines[m], 0, ~(size_t)0),
                    other = run(&s, ATTILA_MODE_HALF, machines[m], 3, ~(size_t)0);
      assert_memory_equal(h.color, f.color, SIZE * SIZE * 4);
      assert_memory_equal(h.zs, f.zs, SIZE * SIZE * 4);
      assert_int_equal(h.cycles, other.cycles);
      assert_true(h.cycles != c.cycles);
      free_result(&h);
      free_result(&other);
      free_result(&c);
   }
   free_result(&f);
   free(s.words);
}

static void
test_order_and_cuts(void **state)
{
   struct stream s = make_stream();
   for (unsigned m = 0; m < 5; m += 2) {
      struct result a = run(&s, ATTILA_MODE_CYCLE, machines[m], 0, ~(size_t)0);
      for (uint32_t order = 1; order <= 2; order++) {
         struct result b = run(&s, ATTILA_MODE_CYCLE, machines[m], order, order == 1 ? 1 : 5000);
         assert_int_equal(b.cycles, a.cycles);
         assert_memory_equal(b.color, a.color, SIZE * SIZE * 4);
         free_result(&b);
      }
      free_result(&a);
   }
   free(s.words);
}

static void
write_capture(void)
{
   const char *path = getenv("ATTILA_TEST_CAPTURE");
   char error[512];
   if (!path)
      return;
   struct stream s = make_stream();
   struct sim_capture_writer *w = sim_capture_create(path, 64 << 20, error, sizeof(error));
   assert_non_null(w);
   assert_true(sim_capture_commands(w, s.words, s.num) && sim_capture_close(w));
   free(s.words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_modes_draw_the_same_pixels),
                                      cmocka_unit_test(test_order_and_cuts)};
   write_capture();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
