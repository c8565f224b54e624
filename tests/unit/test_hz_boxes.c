/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, both variants, alone between mock neighbours.
 */
#include "rop_bench.h"

extern const struct sim_box_class hz_class;

enum variant { PAPER = 1, RELEASE = 2 };

#define OTHER_ZS 0x50000

/* config: what differs from the defaults, may be NULL. */
static void
hz_bench(struct bench *b, enum variant variant, unsigned rops, const char *const *config)
{
   char error[200];
   bench_open(b, 0);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.gpu.num_rops = rops;
   gpu->config.rast.hz_variant = variant;
   gpu->config.rast.hz_cache_lines = 8;
   gpu->config.rast.early_z_queue = 256;
   gpu->config.rast.hz_nearest = true;
   for (unsigned i = 0; config && config[i]; i++)
      assert_true(sim_config_set(&gpu->config, config[i], error, sizeof(error)));
   b->box = sim_box_create(&gpu->kernel, gpu, &hz_class, -1);
   BENCH_SIGNAL(gpu, tt_hz, b->driver, b->box, msg_tile, 4, 1, 64);
   BENCH_SIGNAL(gpu, cp_hz, b->driver, b->box, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, hz_cp, b->box, b->driver, msg_done, 1, 1, 1);
   b->out[b->num_out++] = gpu->net.hz_cp;
   for (unsigned r = 0; r < rops; r++) {
      sim_signal_init(&gpu->net.hz_zst[r], "hz_zst", b->box, b->driver, sizeof(struct msg_quad), 16,
                      1, 64);
      sim_signal_init(&gpu->net.hz_interp[r], "hz_interp", b->box, b->driver,
                      sizeof(struct msg_quad), 16, 1, 64);
      sim_signal_init(&gpu->net.zst_hz[r], "zst_hz", b->driver, b->box, sizeof(struct msg_hz), 1, 4,
                      16);
      b->out[b->num_out++] = &gpu->net.hz_zst[r];
      b->out[b->num_out++] = &gpu->net.hz_interp[r];
   }
   for (unsigned i = 0; i < 4; i++) {
      bind(&b->draw[i], 1, ATTILA_FORMAT_Z24S8, 0);
      less(&b->draw[i]);
      b->draw[i].hz_epoch = 1 + i;
   }
}

/* A tile whose depth is a plane: z[0] + z[1] * x + z[2] * y. */
static struct item *
push_slope(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, const double z[3],
           uint64_t coverage)
{
   struct sim_prim *p = sim_pool_alloc(&b->gpu->prims);
   memset(p, 0, sizeof(*p));
   p->refs = 1;
   p->draw = d;
   p->setup.state = &d->state;
   memcpy(p->setup.z, z, sizeof(p->setup.z));
   p->setup.zmax = 1.0f;
   p->setup.maxx = WIDTH;
   p->setup.maxy = HEIGHT;
   struct item *it = push(b, b->gpu->net.tt_hz);
   it->m.tile = (struct msg_tile){
       .draw = d, .prim = p, .x = x, .y = y, .coverage = coverage, .slot = d->slot};
   return it;
}

/* A tile at constant depth. */
static struct item *
push_tile(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, float z, uint64_t coverage)
{
   return push_slope(b, d, x, y, (double[3]){(double)z, 0.0, 0.0}, coverage);
}

static void
push_tile_end(struct bench *b, struct sim_draw *d)
{
   push(b, b->gpu->net.tt_hz)->m.tile = (struct msg_tile){.draw = d, .slot = d->slot, .end = true};
}

/* The line of a tile at (x, y), all elements at depth z. */
static struct item *
push_update(struct bench *b, const struct sim_draw *d, uint32_t x, uint32_t y, uint32_t sample,
            float z, uint32_t epoch)
{
   const struct attila_regs *r = &d->state.regs;
   const struct attila_format_desc *f = &attila_formats[r->zs_format];
   struct item *it = push(b, b->gpu->net.zst_hz);
   uint32_t code = emul_zs_code(f, z), samples = r->fb_samples > 1 ? (uint32_t)r->fb_samples : 1;
   it->m.hz = (struct msg_hz){
       .address = r->zs_address + (uint32_t)attila_tile_offset(r->zs_pitch_tiles, samples, f->bytes,
                                                               x / 8, y / 8, sample),
       .bytes = 64 * f->bytes,
       .near = code,
       .far = code,
       .epoch = epoch};
   return it;
}

static struct item *
push_clear(struct bench *b, const struct sim_draw *d, float z)
{
   struct item *it = push_command(b, b->gpu->net.cp_hz, ROP_CLEAR, &d->state.regs);
   it->m.rop.depth = z;
   return it;
}

static unsigned
count_quads(const struct bench *b, const struct sim_draw *d)
{
   unsigned n = 0;
   for (unsigned i = 0; i < b->num_log; i++)
      n += b->log[i].quad.quad && b->log[i].quad.draw == d;
   return n;
}

/* When the first quad of a draw left, seen from the driver. */
static sim_tick
first_quad(const struct bench *b, const struct sim_draw *d)
{
   for (unsigned i = 0; i < b->num_log; i++) {
      if (b->log[i].quad.quad && b->log[i].quad.draw == d)
         return b->log[i].tick;
   }
   return 0;
}

static void
finish(struct bench *b)
{
   free_logged(b);
   bench_close(b);
}

/* --- Quads and their order --- */

static void
test_quads(void **unused)
{
   (void)unused;
   for (enum variant v = PAPER; v <= RELEASE; v++) {
      struct bench b;
      hz_bench(&b, v, 2, NULL);
      struct sim_draw *d = &b.draw[0];
      uint64_t coverage = 1ull << attila_morton8(3, 6) | 1ull << attila_morton8(2, 7) |
                          3ull << attila_morton8(6, 0);
      push_tile(&b, d, 8, 16, 0.5f, coverage);
      push_tile(&b, d, 8, 24, 0.5f, ~0ull);
      push_tile(&b, d, 16, 24, 0.5f, 0);
      push_tile_end(&b, d);
      bench_run(&b);
      unsigned quads = 0, ends[4] = {0};
      for (unsigned i = 0; i < b.num_log; i++) {
         const struct msg_quad *m = &b.log[i].quad;
         for (unsigned k = 0; k < 4; k++)
            ends[k] += m->end && b.log[i].signal == b.out[1 + k];
         if (!m->quad)
            continue;
         quads++;
         assert_int_equal(m->quad->rop,
                          sim_tile_rop(2, (uint32_t)m->quad->x / 8, (uint32_t)m->quad->y / 8));
         assert_ptr_equal(b.log[i].signal, &b.gpu->net.hz_zst[m->quad->rop]);
         assert_true(m->quad->z[0][0] == 0.5f);
         if (m->quad->y >= 24)
            assert_int_equal(m->quad->mask, 15);
         else if (m->quad->x == 10)
            assert_true(m->quad->y == 22 && m->quad->mask == (1 << 1 | 1 << 2));
         else
            assert_true(m->quad->x == 14 && m->quad->y == 16 && m->quad->mask == 3);
      }
      assert_int_equal(quads, 18);
      for (unsigned k = 0; k < 4; k++)
         assert_int_equal(ends[k], 1); /* both paths of both ROPs */
      /* Fragments are counted by whole quads. */
      assert_int_equal(stat(b.box, "InputFragments"), 3 * 64);
      assert_int_equal(stat(b.box, "OutsideTriangleFragments"), 60 + 64);
      assert_int_equal(stat(b.box, "CulledOutsideFragments"), 4 * 14 + 64);
      assert_int_equal(stat(b.box, "CulledFragments"), 4 * 14 + 64);
      assert_int_equal(stat(b.box, "OutputFragments"), 4 * 18);
      finish(&b);
   }
}

/* --- What is culled --- */

static void
test_culls(void **unused)
{
   (void)unused;
   for (enum variant v = PAPER; v <= RELEASE; v++) {
      struct bench b;
      hz_bench(&b, v, 1, NULL);
      /* After a clear to 0.5 what is behind it is culled, what is in front of it is not. */
      push_clear(&b, &b.draw[0], 0.5f);
      push_tile(&b, &b.draw[0], 8, 0, 0.6f, ~0ull)->wait_answers = true;
      push_tile(&b, &b.draw[0], 16, 0, 0.4f, ~0ull);
      push_tile_end(&b, &b.draw[0]);
      /* An update that knows this draw counts, one from before the clear does not. */
      push_update(&b, &b.draw[0], 32, 0, 0, 0.25f, 1)->earliest = 100;
      push_update(&b, &b.draw[0], 40, 0, 0, 0.25f, 0);
      push_tile(&b, &b.draw[1], 32, 0, 0.3f, ~0ull)->earliest = 120;
      push_tile(&b, &b.draw[1], 40, 0, 0.3f, ~0ull);
      push_tile_end(&b, &b.draw[1]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, &b.draw[0]), 16);
      assert_int_equal(count_quads(&b, &b.draw[1]), 16);
      assert_int_equal(stat(b.box, "CulledHZFragments"), 32);
      assert_int_equal(stat(b.box, "CulledFragments"), 128);
      assert_int_equal(stat(b.box, "WritesHZBuffer"), 1);
      assert_int_equal(stat(b.box, "VoidUpdates"), 1);
      finish(&b);
   }
}

/* A draw that leaves farther depths behind makes bounds wider where it draws, and updates that do
 * not know it are void. */
static void
test_raised_depth(void **unused)
{
   (void)unused;
   for (enum variant v = PAPER; v <= RELEASE; v++) {
      struct bench b;
      hz_bench(&b, v, 1, NULL);
      push_clear(&b, &b.draw[0], 0.5f);
      /* The line is in the HZ cache. */
      push_tile(&b, &b.draw[0], 0, 0, 0.4f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      b.draw[1].state.regs.z_func = ATTILA_FUNC_ALWAYS;
      push_tile(&b, &b.draw[1], 8, 0, 0.75f, ~0ull)->earliest = 50;
      push_tile_end(&b, &b.draw[1]);
      push_update(&b, &b.draw[0], 8, 0, 0, 0.25f, 2)->earliest = 100;
      push_tile(&b, &b.draw[2], 8, 0, 0.7f, ~0ull)->earliest = 120;
      push_tile(&b, &b.draw[2], 16, 0, 0.7f, ~0ull);
      push_tile(&b, &b.draw[2], 8, 0, 0.9f, ~0ull);
      push_tile_end(&b, &b.draw[2]);
      bench_run(&b);
      /* Only the tile that nobody raised and the one behind everything are culled. */
      assert_int_equal(count_quads(&b, &b.draw[2]), 16);
      assert_int_equal(stat(b.box, "CulledHZFragments"), 32);
      assert_int_equal(stat(b.box, "VoidUpdates"), 1);
      finish(&b);
   }
}

/* What must not be culled although it is hidden: stencil side effects, other functions, depth from
 * the shader; or when somebody else wrote to the surface. */
static void
test_does_not_cull(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 14; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, NULL);
      struct sim_draw *d = &b.draw[1];
      struct attila_regs *r = &d->state.regs;
      unsigned k = n / 2;
      push_clear(&b, &b.draw[0], 0.5f);
      r->stencil[0].enable = d->state.stencil_test = k == 1 || k == 2;
      r->stencil[0].zfail = k == 1 ? ATTILA_STENCIL_INVERT : ATTILA_STENCIL_KEEP;
      r->stencil[1] = r->stencil[0];
      r->stencil[1].enable = k == 2;
      r->stencil[1].zfail = ATTILA_STENCIL_KEEP;
      r->stencil[1].fail = k == 2 ? ATTILA_STENCIL_ZERO : ATTILA_STENCIL_KEEP;
      if (k == 3)
         r->z_func = ATTILA_FUNC_NOTEQUAL;
      if (k == 4)
         d->state.z_test = false;
      if (k == 5 || k == 6) {
         struct msg_rop *m =
             &push_command(&b, b.gpu->net.cp_hz, ROP_FORGET, &b.draw[0].state.regs)->m.rop;
         /* One byte in the surface; one behind it. */
         m->start = k == 5 ? ZS + 4 * WIDTH * HEIGHT - 1 : ZS + 4 * WIDTH * HEIGHT;
         m->end = m->start + 1;
      }
      push_tile(&b, d, 8, 0, 0.6f, ~0ull)->wait_answers = true;
      push_tile_end(&b, d);
      bench_run(&b);
      assert_int_equal(count_quads(&b, d), k == 0 || k == 6 ? 0 : 16);
      /* Without any test the quads go straight to the interpolator. */
      for (unsigned i = 0; i < b.num_log; i++)
         assert_true(!b.log[i].quad.quad ||
                     (b.log[i].signal == &b.gpu->net.hz_interp[0]) == (k == 4));
      finish(&b);
   }
}

/* GREATER and GEQUAL are culled by the nearest depth, which a draw with LESS lowers. */
static void
test_greater(void **unused)
{
   (void)unused;
   static const char *const farthest[] = {"RASTERIZER.HZNearest=FALSE", NULL};
   for (unsigned n = 0; n < 6; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, n < 4 ? NULL : farthest);
      struct sim_draw *d = &b.draw[1];
      push_clear(&b, d, 0.5f);
      push_tile(&b, &b.draw[0], 40, 0, 0.25f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      d->state.regs.z_func = n & 2 ? ATTILA_FUNC_GEQUAL : ATTILA_FUNC_GREATER;
      push_tile(&b, d, 8, 0, 0.3f, ~0ull)->earliest = 100;
      push_tile(&b, d, 16, 0, 0.7f, ~0ull);
      push_tile(&b, d, 24, 0, 0.5f, ~0ull);
      push_tile(&b, d, 40, 0, 0.3f, ~0ull);
      push_tile_end(&b, d);
      bench_run(&b);
      /* At the very depth GREATER fails; the 8-bit variant cannot know. */
      assert_int_equal(count_quads(&b, d), n == 1 ? 32 : n < 4 ? 48 : 64);
      finish(&b);
   }
}

/* Without a nearest depth bounds do not widen: a draw that may leave farther depths behind makes
 * them useless for the whole surface, until it is cleared. One that writes nothing does not. */
static void
test_blind(void **unused)
{
   (void)unused;
   static const char *const farthest[] = {"RASTERIZER.HZNearest=FALSE", NULL};
   for (unsigned n = 0; n < 8; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, n & 4 ? farthest : NULL);
      struct sim_draw *d = &b.draw[0];
      d->state.regs.z_func = ATTILA_FUNC_ALWAYS;
      d->state.z_write = !(n & 2);
      push_clear(&b, d, 0.5f);
      push_tile(&b, d, 40, 0, 0.9f, ~0ull)->wait_answers = true;
      push_tile_end(&b, d);
      push_tile(&b, &b.draw[1], 8, 0, 0.7f, ~0ull);
      push_tile(&b, &b.draw[1], 40, 0, 0.7f, ~0ull);
      push_tile_end(&b, &b.draw[1]);
      push_clear(&b, d, 0.5f)->earliest = 200;
      push_tile(&b, &b.draw[2], 40, 0, 0.7f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[2]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, d), 16);
      assert_int_equal(count_quads(&b, &b.draw[1]), n & 2 ? 0 : n & 4 ? 32 : 16);
      assert_int_equal(count_quads(&b, &b.draw[2]), 0);
      finish(&b);
   }
}

/* LESS fails at the very depth of everything behind, which 24 bits are enough to know. */
static void
test_equal_depth(void **unused)
{
   (void)unused;
   static const uint32_t funcs[] = {ATTILA_FUNC_LESS, ATTILA_FUNC_LEQUAL, ATTILA_FUNC_EQUAL};
   for (unsigned n = 0; n < 3; n++) {
      struct bench b;
      hz_bench(&b, RELEASE, 1, NULL);
      b.draw[1].state.regs.z_func = funcs[n];
      push_clear(&b, &b.draw[0], 0.3f);
      push_tile(&b, &b.draw[1], 8, 0, 0.3f, ~0ull)->wait_answers = true;
      push_tile(&b, &b.draw[1], 16, 0, 0.3f + 0x1p-22f, ~0ull);
      push_tile_end(&b, &b.draw[1]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, &b.draw[1]), n ? 16 : 0);
      finish(&b);
   }
}

/* The release tests each quad by its own fragments, the paper tiles as a whole. */
static void
test_per_quad(void **unused)
{
   (void)unused;
   for (enum variant v = PAPER; v <= RELEASE; v++) {
      struct bench b;
      hz_bench(&b, v, 1, NULL);
      push_clear(&b, &b.draw[0], 0.5f);
      /* Left of x = 4 it is in front. */
      const double z[3] = {0.15, 0.1, 0.0};
      push_slope(&b, &b.draw[0], 0, 0, z, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, &b.draw[0]), v == PAPER ? 16 : 8);
      for (unsigned i = 0; v == RELEASE && i < b.num_log; i++)
         assert_true(!b.log[i].quad.quad || b.log[i].quad.quad->x < 4);
      finish(&b);
   }
}

/* Every sample plane of a tile has its bound: only when all are near is the tile hidden. */
static void
test_samples(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 4; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, NULL);
      for (unsigned i = 0; i < 2; i++) {
         bind(&b.draw[i], 4, ATTILA_FORMAT_Z24S8, 0);
         b.draw[i].state.regs.pixel_coverage = 1;
      }
      push_clear(&b, &b.draw[0], 0.9f);
      push_tile(&b, &b.draw[0], 0, 0, 0.1f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      for (unsigned s = 0; s < (n & 2 ? 4 : 3); s++)
         push_update(&b, &b.draw[0], 24, 16, s, 0.25f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], 24, 16, 0.5f, ~0ull)->earliest = 140;
      push_tile_end(&b, &b.draw[1]);
      bench_run(&b);
      assert_int_equal(stat(b.box, "CulledHZFragments"), n & 2 ? 16 : 0);
      finish(&b);
   }
}

/* --- Surfaces --- */

/* Another depth surface in between leaves the bounds alone if it has room of its own. */
static void
test_surfaces(void **unused)
{
   (void)unused;
   static const char *const one[] = {"RASTERIZER.HZSurfaces=1", NULL};
   for (unsigned n = 0; n < 6; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, n / 2 == 1 ? one : NULL);
      struct attila_regs *other = &b.draw[1].state.regs;
      other->zs_address = OTHER_ZS;
      if (n / 2 == 2) { /* the same memory in another shape */
         other->zs_address = ZS;
         other->zs_pitch_tiles = 2 * WIDTH / 8;
      }
      push_clear(&b, &b.draw[0], 0.5f);
      push_tile(&b, &b.draw[0], 8, 0, 0.6f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      push_tile(&b, &b.draw[1], 8, 0, 0.6f, ~0ull);
      push_tile_end(&b, &b.draw[1]);
      push_tile(&b, &b.draw[2], 8, 0, 0.6f, ~0ull);
      push_tile_end(&b, &b.draw[2]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, &b.draw[0]), 0);
      assert_int_equal(count_quads(&b, &b.draw[1]), 16);
      assert_int_equal(count_quads(&b, &b.draw[2]), n / 2 ? 16 : 0);
      assert_int_equal(stat(b.box, "NewSurfaces"), n / 2 ? 3 : 2);
      finish(&b);
   }
}

/* A surface that has been forgotten: what the ZST knew before is void. */
static void
test_forgotten_updates(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      struct bench b;
      hz_bench(&b, PAPER, 1, NULL);
      push_clear(&b, &b.draw[0], 0.5f);
      push_tile(&b, &b.draw[0], 8, 0, 0.4f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      struct item *it = push_command(&b, b.gpu->net.cp_hz, ROP_FORGET, &b.draw[0].state.regs);
      it->m.rop.end = 1 << 20;
      it->earliest = 50;
      push_tile(&b, &b.draw[1], 16, 0, 0.4f, ~0ull)->earliest = 100;
      push_tile_end(&b, &b.draw[1]);
      push_update(&b, &b.draw[0], 8, 0, 0, 0.25f, 1 + n)->earliest = 150;
      push_tile(&b, &b.draw[2], 8, 0, 0.6f, ~0ull)->earliest = 200;
      push_tile_end(&b, &b.draw[2]);
      bench_run(&b);
      assert_int_equal(count_quads(&b, &b.draw[2]), n ? 0 : 16);
      finish(&b);
   }
}

/* A surface larger than the buffer is tested as far as it has room. */
static void
test_large_surface(void **unused)
{
   (void)unused;
   static const char *const small[] = {"RASTERIZER.HierarchicalZBufferSize=1024", NULL};
   struct bench b;
   hz_bench(&b, PAPER, 1, small);
   for (unsigned i = 0; i < 2; i++) {
      struct attila_regs *r = &b.draw[i].state.regs;
      r->fb_width = r->fb_height = 512; /* 4096 blocks */
      r->zs_pitch_tiles = 64;
   }
   push_clear(&b, &b.draw[0], 0.5f);
   push_tile(&b, &b.draw[0], 504, 120, 0.6f, ~0ull)->wait_answers = true;
   push_tile(&b, &b.draw[0], 0, 128, 0.6f, ~0ull);
   push_tile_end(&b, &b.draw[0]);
   bench_run(&b);
   assert_int_equal(stat(b.box, "CulledHZFragments"), 16);
   finish(&b);
}

/* --- Time --- */

/* A clear writes HZBlocksClearedPerCycle blocks in a cycle, whatever the Z cache does. */
static void
test_clear_speed(void **unused)
{
   (void)unused;
   static const char *const speeds[3][2] = {{"RASTERIZER.HZBlocksClearedPerCycle=1"},
                                            {"RASTERIZER.HZBlocksClearedPerCycle=5"},
                                            {"RASTERIZER.HZBlocksClearedPerCycle=256"}};
   sim_tick end[3];
   for (unsigned n = 0; n < 3; n++) {
      struct bench b;
      hz_bench(&b, PAPER, 1, speeds[n]);
      push_clear(&b, &b.draw[0], 0.5f);
      bench_run(&b);
      end[n] = b.log[0].tick;
      finish(&b);
   }
   /* 8 x 8 tiles. */
   assert_int_equal(end[0] - end[2], 64 - 1);
   assert_int_equal(end[1] - end[2], 13 - 1);
}

/* The first quad of a line waits for the buffer, the others find it in the cache. */
static void
test_release_cache(void **unused)
{
   (void)unused;
   static const char *const latency[] = {"RASTERIZER.HZAccessLatency=5", NULL};
   struct bench b;
   hz_bench(&b, RELEASE, 1, latency);
   push_clear(&b, &b.draw[0], 1.0f);
   push_tile(&b, &b.draw[0], 8, 8, 0.5f, ~0ull)->earliest = 100;
   push_tile(&b, &b.draw[1], 16, 24, 0.5f, ~0ull)->earliest = 200;
   push_tile(&b, &b.draw[2], 32, 0, 0.5f, ~0ull)->earliest = 300;
   push_tile(&b, &b.draw[3], 40, 0, 0.5f, 1)->earliest = 400;
   bench_run(&b);
   /* Sent at T, there at T + 1, read from the buffer until T + 6, sent on in the next cycle. A hit
    * is tested in the cycle in which it comes. */
   assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + 5 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[1]), 200 + 1 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[2]), 300 + 1 + 5 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[3]), 400 + 1 + 1 + 1);
   assert_int_equal(stat(b.box, "ReadsHZBuffer"), 2);
   assert_int_equal(stat(b.box, "MissesHZCache"), 2);
   assert_int_equal(stat(b.box, "HitsHZCache"), 15 + 16 + 15 + 1);
   finish(&b);
}

/* The buffer has one port: two lines are read in two cycles, and bounds from the ZST come first. */
static void
test_release_port(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      struct bench b;
      hz_bench(&b, RELEASE, 1, NULL);
      push_clear(&b, &b.draw[0], 1.0f);
      if (n == 2) {
         push_update(&b, &b.draw[0], 0, 0, 0, 1.0f, 0)->earliest = 97;
         b.items[1].earliest = 97;
      }
      push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], n ? 32 : 8, 0, 0.5f, 1)->earliest = 100;
      bench_run(&b);
      sim_tick first = first_quad(&b, &b.draw[0]), second = first_quad(&b, &b.draw[1]);
      assert_int_equal(first, 100 + 1 + 1 + 1 + 1 + (n == 2));
      assert_int_equal(second, first + (n != 0));
      /* Repeated lookups count: 31 of 32 quads of the cycle could have looked, or all 32. */
      assert_int_equal(stat(b.box, "MissesHZCache"), n == 0 ? 1 : n == 1 ? 2 + 31 : 2 + 32 + 31);
      finish(&b);
   }
}

/* Lines of tiles that wait for their test are not replaced. */
static void
test_release_lines(void **unused)
{
   (void)unused;
   static const char *const config[] = {"RASTERIZER.HZCacheLines=1",
                                        "RASTERIZER.HZAccessLatency=10", NULL};
   struct bench b;
   hz_bench(&b, RELEASE, 1, config);
   push_clear(&b, &b.draw[0], 1.0f);
   push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
   push_tile(&b, &b.draw[1], 32, 0, 0.5f, 1)->earliest = 100;
   bench_run(&b);
   /* Tested at the end of cycle 111, so the other line is read in cycle 112. */
   assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + 10 + 1 + 1);
   assert_int_equal(first_quad(&b, &b.draw[1]), first_quad(&b, &b.draw[0]) + 11);
   finish(&b);
}

/* Traversal stops when two cycles of quads would fill the queue: a cycle's tiles that wait for a
 * line hold up those behind, though there is room. */
static void
test_release_ready(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      const char *const config[] = {n ? "RASTERIZER.EarlyZQueueSize=1024"
                                      : "RASTERIZER.EarlyZQueueSize=96",
                                    "RASTERIZER.HZAccessLatency=10", NULL};
      struct bench b;
      hz_bench(&b, RELEASE, 1, config);
      push_clear(&b, &b.draw[0], 0.5f);
      for (unsigned i = 0; i < 6; i++) /* hidden, all of one line */
         push_tile(&b, &b.draw[0], 8 * (int32_t)(i % 4), 8 * (int32_t)(i / 4), 0.6f, ~0ull)
             ->earliest = 100;
      push_tile_end(&b, &b.draw[0]);
      bench_run(&b);
      /* Two tiles in each of three cycles, tested 10 cycles after the first, 2 a cycle. In the
       * small queue the four that came have left at the end of cycle 113, which the last two, in
       * cycle 115, are the first to know. */
      assert_int_equal(b.log[b.num_log - 1].tick, 101 + 10 + 2 + 1 + 1 + (n ? 0 : 2));
      finish(&b);
   }
}

/* In the paper's variant the latency is that of every tile, culled or not, and nothing waits. */
static void
test_paper_latency(void **unused)
{
   (void)unused;
   for (unsigned latency = 1; latency < 8; latency += 3) {
      char set[40];
      const char *const config[] = {set, NULL};
      snprintf(set, sizeof(set), "RASTERIZER.HZAccessLatency=%u", latency);
      struct bench b;
      hz_bench(&b, PAPER, 1, config);
      push_clear(&b, &b.draw[0], 1.0f);
      push_tile(&b, &b.draw[0], 0, 0, 0.5f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], 32, 0, 0.5f, 1)->earliest = 100;
      bench_run(&b);
      assert_int_equal(first_quad(&b, &b.draw[0]), 100 + 1 + latency + 1);
      assert_int_equal(first_quad(&b, &b.draw[1]), first_quad(&b, &b.draw[0]));
      finish(&b);
   }
}

/* No more tiles come in than the queue has room for, and none faster than StampsPerCycle. */
static void
test_queue(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      const char *const config[] = {
          n ? "RASTERIZER.EarlyZQueueSize=32" : "RASTERIZER.EarlyZQueueSize=256",
          "RASTERIZER.StampsPerCycle=2", "RASTERIZER.HZAccessLatency=20", NULL};
      struct bench b;
      hz_bench(&b, PAPER, 1, config);
      push_clear(&b, &b.draw[0], 0.5f);
      for (unsigned i = 0; i < 16; i++) /* all hidden */
         push_tile(&b, &b.draw[0], 8 * (int32_t)(i % 8), 0, 0.6f, ~0ull)->earliest = 100;
      push_tile_end(&b, &b.draw[0]);
      bench_run(&b);
      /* 2 tiles a cycle, or 2 tiles in the time that the buffer takes. */
      assert_int_equal(b.log[b.num_log - 1].tick, n ? 101 + 8 * 21 + 1 : 101 + 7 + 20 + 1);
      finish(&b);
   }
}

/* The tiles of a multisampled draw that come together take a cycle for every two samples. */
static void
test_sample_speed(void **unused)
{
   (void)unused;
   static const unsigned samples[] = {1, 2, 4, 8};
   for (unsigned n = 0; n < 4; n++) {
      struct bench b;
      hz_bench(&b, PAPER, 1, NULL);
      struct sim_draw *d = &b.draw[0];
      bind(d, samples[n], ATTILA_FORMAT_Z24S8, 0);
      push_clear(&b, d, 0.5f);
      for (unsigned i = 0; i < 16; i++) /* none covered: they leave nothing to wait for */
         push_tile(&b, d, 512, 0, 0.6f, 0)->earliest = 100;
      push_tile_end(&b, d);
      bench_run(&b);
      assert_int_equal(b.log[b.num_log - 1].tick,
                       101 + 7 * (samples[n] > 2 ? samples[n] / 2 : 1) + 1 + 1);
      finish(&b);
   }
}

/* --- Nothing visible is culled --- */

static bool
any_passes(struct sim_draw *d, const struct emul_setup *setup, int32_t x, int32_t y, unsigned quads,
           const uint8_t *block)
{
   const struct attila_format_desc *f = d->state.zs_format;
   for (unsigned q = 0; q < 16; q++) {
      float z[4];
      uint8_t elements[32];
      emul_quad_depth(setup, x + emul_quad_x(q), y + emul_quad_y(q), 0, 1, z);
      memcpy(elements, block + q * 4 * f->bytes, 4 * f->bytes);
      if ((quads >> q & 1) && emul_zs_quad(&d->state, true, 15, z, elements))
         return true;
   }
   return false;
}

/* Blocks of random depths that the ZST told of, tiles of random planes close to them: whatever does
 * not come out must fail the test of the ZST everywhere. And much is culled. */
static void
test_conservative(void **unused)
{
   (void)unused;
   static const enum attila_format formats[] = {ATTILA_FORMAT_Z24S8, ATTILA_FORMAT_Z16_UNORM,
                                                ATTILA_FORMAT_Z32_FLOAT,
                                                ATTILA_FORMAT_Z32_FLOAT_S8X24};
   static const uint32_t funcs[] = {ATTILA_FUNC_LESS, ATTILA_FUNC_LEQUAL, ATTILA_FUNC_EQUAL,
                                    ATTILA_FUNC_GREATER, ATTILA_FUNC_GEQUAL};
   unsigned culled = 0, kept = 0;
   seed = 5;
   for (unsigned n = 0; n < 400; n++) {
      struct bench b;
      hz_bench(&b, n & 1 ? RELEASE : PAPER, 1, NULL);
      enum attila_format format = formats[n / 2 % 4];
      const struct attila_format_desc *f = &attila_formats[format];
      uint8_t block[64 * 8];
      for (unsigned i = 0; i < 2; i++) {
         bind(&b.draw[i], 1, format, 0);
         less(&b.draw[i]);
      }
      struct sim_draw *d = &b.draw[1];
      b.draw[0].state.z_write = d->state.z_write = false;
      d->state.regs.z_func = funcs[n / 8 % 5];
      push_clear(&b, d, 1.0f);
      push_tile(&b, &b.draw[0], 0, 0, 0.1f, ~0ull)->wait_answers = true;
      push_tile_end(&b, &b.draw[0]);
      double base = rnd() % 1000 / 1000.0, range = rnd() % 2 ? 1e-6 : 1e-2;
      for (unsigned i = 0; i < 64; i++)
         emul_zs_clear_value(f, 3, (float)(base + range * (rnd() % 100) / 100.0), 0, NULL,
                             block + i * f->bytes);
      struct item *it = push_update(&b, d, 8, 8, 0, 0.0f, 1);
      emul_zs_block_range(f, block, 64, &it->m.hz.near, &it->m.hz.far);
      it->earliest = 100;
      double dx = range * (rnd() % 200 - 100.0) / 1600.0,
             dy = range * (rnd() % 200 - 100.0) / 1600.0,
             z0 = base + range * (rnd() % 400 / 100.0 - 1.5);
      const double z[3] = {z0 - 12 * dx - 12 * dy, dx, dy};
      struct item *tile = push_slope(&b, d, 8, 8, z, ~0ull);
      struct emul_setup setup = tile->m.tile.prim->setup;
      tile->earliest = 150;
      push_tile_end(&b, d);
      bench_run(&b);
      unsigned sent = 0; /* bit per quad */
      for (unsigned i = 0; i < b.num_log; i++) {
         const struct sim_quad *q = b.log[i].quad.quad;
         if (q && q->draw == d)
            sent |= 1u << attila_morton8((uint32_t)q->x & 7, (uint32_t)q->y & 7) / 4;
      }
      kept += count_quads(&b, d);
      culled += 16 - count_quads(&b, d);
      assert_false(any_passes(d, &setup, 8, 8, ~sent, block));
      finish(&b);
   }
   assert_true(culled > 500 && kept > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_quads),         cmocka_unit_test(test_culls),
       cmocka_unit_test(test_raised_depth),  cmocka_unit_test(test_does_not_cull),
       cmocka_unit_test(test_greater),       cmocka_unit_test(test_blind),
       cmocka_unit_test(test_equal_depth),   cmocka_unit_test(test_per_quad),
       cmocka_unit_test(test_samples),       cmocka_unit_test(test_surfaces),
       cmocka_unit_test(test_large_surface), cmocka_unit_test(test_forgotten_updates),
       cmocka_unit_test(test_clear_speed),   cmocka_unit_test(test_release_cache),
       cmocka_unit_test(test_release_port),  cmocka_unit_test(test_release_lines),
       cmocka_unit_test(test_release_ready), cmocka_unit_test(test_paper_latency),
       cmocka_unit_test(test_queue),         cmocka_unit_test(test_sample_speed),
       cmocka_unit_test(test_conservative),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
