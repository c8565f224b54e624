/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Primitive assembly, clipper, triangle setup and traversal between a mock streamer and a slow mock
 * HZ. What comes out is compared with the emulators called one after the other and every tile of a
 * bounding box tested: every covered tile of every primitive exactly once, those of one tile in the
 * order of the primitives, by every rasteriser. Latencies, rates, back-pressure, ends of draws,
 * released vertices, independence of the clocking order. */
#include "box_bench.h"

extern const struct sim_box_class pa_class, clp_class, ts_class, tt_class;

#define MAX_VERTICES 4096
#define MAX_TILES 60000
#define SIZE 256 /* framebuffer */

struct tile {
   unsigned draw, order;
   int32_t x, y;
   uint64_t coverage;
   bool end;
};

struct raster {
   struct sim_gpu *gpu;
   struct sim_box *pa, *clp, *ts, *tt;
   struct sim_draw draw[2];
   struct emul_vertex *vertices;
   bool *restart;
   unsigned num_vertices, sent, draws;
   struct tile *expect, *got;
   unsigned num_expect, num_got, num_prims;
   uint32_t slowness, empty;
   uint64_t trace, clip_in, clip_out, assembled;
   sim_tick first, last, last_tile;
   bool stop;
   struct emul_program *vs, *fs;
};

/* The same vertices for each of the draws. */
static sim_tick
source(struct mock *m, sim_tick now)
{
   struct raster *r = m->user;
   struct sim_signal *out = &r->gpu->net.stc_pa[0];
   unsigned per_draw = r->num_vertices + 1;
   if (r->sent < r->draws * per_draw && sim_can_send(out, now)) {
      struct sim_draw *draw = &r->draw[r->sent / per_draw];
      unsigned n = r->sent++ % per_draw;
      struct msg_vertex v = {.draw = draw, .work_id = draw->work_id, .end = n == r->num_vertices};
      if (!v.end && r->restart[n]) {
         v.restart = true;
      } else if (!v.end) {
         v.vertex = sim_pool_alloc(&r->gpu->vertices);
         v.vertex->data = r->vertices[n];
         v.vertex->draw = draw;
         v.vertex->refs = 1;
      }
      sim_send(out, now, &v);
   }
   return r->sent < r->draws * per_draw ? now + 1 : SIM_NEVER;
}

static sim_tick
sink(struct mock *m, sim_tick now)
{
   struct raster *r = m->user;
   struct sim_signal *in = &r->gpu->net.tt_hz[0];
   const struct msg_tile *t;
   if (r->slowness && bench_hash(now * 31) % (r->slowness + 1))
      return now + 1;
   while ((t = sim_peek(in, now))) {
      assert_true(r->num_got < MAX_TILES);
      r->got[r->num_got] =
          (struct tile){(unsigned)(t->draw - r->draw), r->num_got, t->x, t->y, t->coverage, t->end};
      r->num_got++;
      r->empty += t->empty;
      if (!t->end)
         r->last_tile = now;
      r->trace = (r->trace ^ now) * 0x9e3779b97f4a7c15ull + t->coverage;
      r->first = r->first ? r->first : now;
      r->last = now;
      if (t->end)
         r->stop = t->draw == &r->draw[r->draws - 1];
      sim_prim_unref(r->gpu, t->prim);
      sim_pop(in, now);
   }
   return sim_signal_empty(in) ? SIM_NEVER : now + 1;
}

/* --- Reference --- */

static void
expect_setup(struct raster *r, const struct sim_draw *d, const struct emul_setup *s)
{
   bool any = false;
   for (int32_t y = 0; y < SIZE; y += 8) {
      for (int32_t x = 0; x < SIZE; x += 8) {
         if (x >= s->maxx || x + 8 <= s->minx || y >= s->maxy || y + 8 <= s->miny)
            continue;
         uint64_t coverage = emul_tile_coverage(s, x, y);
         if (!coverage)
            continue;
         assert_true(r->num_expect < MAX_TILES);
         if (!any)
            r->num_prims++;
         any = true;
         r->expect[r->num_expect] =
             (struct tile){(unsigned)(d - r->draw), r->num_expect, x, y, coverage, false};
         r->num_expect++;
      }
   }
}

static void
expect_primitive(struct raster *r, const struct sim_draw *d, const struct emul_primitive *p,
                 uint32_t *stipple)
{
   struct emul_setup out[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   unsigned num = emul_setup(&d->state, p, stipple, out, &result);
   r->clip_out++;
   for (unsigned i = 0; i < num; i++)
      expect_setup(r, d, &out[i]);
}

static void
expect_assembled(struct raster *r, const struct sim_draw *d, const struct emul_assembled *a,
                 uint32_t *stipple)
{
   struct emul_vertex storage[EMUL_MAX_CLIPPED];
   struct emul_primitive p = {.num_vertices = a->num_vertices,
                              .provoking = a->provoking,
                              .edges = a->edges,
                              .stipple_reset = a->stipple_reset};
   unsigned n;
   uint32_t edges;
   for (unsigned i = 0; i < a->num_vertices; i++)
      p.v[i] = &r->vertices[a->ref[i]];
   p.flat = p.v[a->provoking];
   r->assembled++;
   if (d->state.regs.rasterizer_discard)
      return;
   r->clip_in++;
   enum emul_clip_result result = emul_clip(&d->state, &p, storage, &n, &edges, NULL);
   if (result == EMUL_CLIP_PASS) {
      expect_primitive(r, d, &p, stipple);
   } else if (result == EMUL_CLIP_CLIPPED && n < 3) {
      p.v[0] = &storage[0];
      p.v[1] = &storage[1];
      p.edges = (uint8_t)edges;
      expect_primitive(r, d, &p, stipple);
   } else if (result == EMUL_CLIP_CLIPPED) {
      for (unsigned k = 1; k + 1 < n; k++) {
         struct emul_primitive f = {.num_vertices = 3,
                                    .v = {&storage[0], &storage[k], &storage[k + 1]},
                                    .flat = p.flat,
                                    .stipple_reset = p.stipple_reset && k == 1};
         f.edges = (uint8_t)((edges >> k & 1) << 1);
         if (k == 1)
            f.edges |= edges & 1;
         if (k == n - 2)
            f.edges |= (uint8_t)((edges >> (n - 1) & 1) << 2);
         expect_primitive(r, d, &f, stipple);
      }
   }
}

static void
expect_draw(struct raster *r, const struct sim_draw *d)
{
   struct emul_assembler a;
   struct emul_assembled out[2];
   uint32_t stipple = 0;
   unsigned keep, num;
   emul_assembler_start(&a, d->state.cmd.prim, d->state.regs.flatshade_first);
   for (unsigned v = 0; v < r->num_vertices; v++) {
      if (r->restart[v])
         emul_assembler_restart(&a, out, &num);
      else
         num = emul_assembler_vertex(&a, v, out, &keep);
      for (unsigned i = 0; i < num; i++)
         expect_assembled(r, d, &out[i], &stipple);
   }
   num = emul_assembler_end(&a, out);
   for (unsigned i = 0; i < num; i++)
      expect_assembled(r, d, &out[i], &stipple);
   r->expect[r->num_expect] = (struct tile){(unsigned)(d - r->draw), r->num_expect, 0, 0, 0, true};
   r->num_expect++;
}

static int
compare_tiles(const void *pa, const void *pb)
{
   const struct tile *a = pa, *b = pb;
   if (a->draw != b->draw)
      return a->draw < b->draw ? -1 : 1;
   if (a->end != b->end)
      return a->end ? 1 : -1;
   if (a->y != b->y)
      return a->y < b->y ? -1 : 1;
   if (a->x != b->x)
      return a->x < b->x ? -1 : 1;
   return a->order < b->order ? -1 : a->order > b->order;
}

/* --- Bench --- */

static struct attila_regs
default_regs(void)
{
   struct attila_regs regs = {0};
   regs.fb_width = regs.fb_height = SIZE;
   regs.scissor_maxx = regs.scissor_maxy = SIZE;
   regs.viewport_scale[0] = regs.viewport_scale[1] = SIZE / 2;
   regs.viewport_translate[0] = regs.viewport_translate[1] = SIZE / 2;
   regs.viewport_scale[2] = regs.viewport_translate[2] = 0.5f;
   regs.depth_clip = regs.half_pixel_center = 1;
   regs.line_width = regs.point_size = 1.0f;
   regs.edge_flag_output = ATTILA_NO_VARYING;
   regs.sample_mask = 0xff;
   return regs;
}

static struct raster *
create(uint32_t seed, const struct attila_regs *regs, uint32_t prim, unsigned draws)
{
   struct raster *r = calloc(1, sizeof(*r));
   r->gpu = bench_create(seed);
   r->vs = bench_program(".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n");
   r->fs = bench_program(".fragment\nMOV o0, i1\nEND\n");
   r->vertices = aligned_alloc(64, MAX_VERTICES * sizeof(*r->vertices));
   memset(r->vertices, 0, MAX_VERTICES * sizeof(*r->vertices));
   r->restart = calloc(MAX_VERTICES, sizeof(bool));
   r->expect = calloc(MAX_TILES, sizeof(struct tile));
   r->got = calloc(MAX_TILES, sizeof(struct tile));
   r->draws = draws;
   for (unsigned i = 0; i < draws; i++) {
      struct sim_draw *d = &r->draw[i];
      char error[200];
      d->counters = bench_counters;
      d->state.vs = r->vs;
      d->state.fs = r->fs;
      d->work_id = (uint8_t)(i + 1);
      if (!emul_draw_state_init(
              &d->state, regs,
              &(struct attila_cmd_draw){.prim = prim, .count = 1, .num_instances = 1},
              r->gpu->device->memory_size, error, sizeof(error)))
         fail_msg("%s", error);
   }
   return r;
}

static void
add_vertex(struct raster *r, float x, float y, float z, float w)
{
   const float position[4] = {x, y, z, w};
   memcpy(r->vertices[r->num_vertices++].out[0], position, sizeof(position));
}

static void
add_random(struct raster *r, unsigned count, float reach, uint32_t seed)
{
   for (unsigned i = 0; i < count; i++) {
      float f[4];
      for (unsigned c = 0; c < 4; c++)
         f[c] = (float)bench_hash(seed * 1000003 + i * 4 + c) / 4294967296.0f * 2.0f - 1.0f;
      add_vertex(r, f[0] * reach, f[1] * reach, f[2] * reach,
                 reach > 1.0f ? f[3] * 2.0f + 0.8f : 1.0f);
   }
}

static void
run(struct raster *r)
{
   struct sim_gpu *gpu = r->gpu;
   r->pa = sim_box_create(&gpu->kernel, gpu, &pa_class, -1);
   r->clp = sim_box_create(&gpu->kernel, gpu, &clp_class, -1);
   r->ts = sim_box_create(&gpu->kernel, gpu, &ts_class, -1);
   r->tt = sim_box_create(&gpu->kernel, gpu, &tt_class, -1);
   struct sim_box *stc = bench_mock(gpu, source, r), *hz = bench_mock(gpu, sink, r);
   BENCH_CONNECT(gpu, BENCH_BOX(stc, stc), BENCH_BOX(cp, stc), BENCH_BOX(pa, r->pa),
                 BENCH_BOX(clp, r->clp), BENCH_BOX(ts, r->ts), BENCH_BOX(tt, r->tt),
                 BENCH_BOX(hz, hz));
   assert_true(r->num_vertices <= MAX_VERTICES);
   sim_kernel_start(&gpu->kernel);
   for (unsigned i = 0; i < r->draws; i++)
      sim_send(&gpu->net.cp_ts[0], i, &(struct msg_draw){.draw = &r->draw[i]});
   bench_run_boxes(gpu, &r->stop);
   /* Setup has told the command processor of the end of each draw's geometry. */
   assert_int_equal(gpu->net.ts_cp[0].tail - gpu->net.ts_cp[0].head, r->draws);
   assert_int_equal(gpu->vertices.in_use, 0);
   assert_int_equal(gpu->prims.in_use, 0);
}

static void
check(struct raster *r)
{
   for (unsigned i = 0; i < r->draws; i++)
      expect_draw(r, &r->draw[i]);
   assert_int_equal(r->num_got, r->num_expect);
   qsort(r->got, r->num_got, sizeof(struct tile), compare_tiles);
   qsort(r->expect, r->num_expect, sizeof(struct tile), compare_tiles);
   for (unsigned i = 0; i < r->num_got; i++) {
      assert_int_equal(r->got[i].draw, r->expect[i].draw);
      assert_int_equal(r->got[i].x, r->expect[i].x);
      assert_int_equal(r->got[i].y, r->expect[i].y);
      assert_true(r->got[i].coverage == r->expect[i].coverage && r->got[i].end == r->expect[i].end);
   }
   const uint64_t *counters = bench_counters;
   assert_int_equal(counters[ATTILA_COUNTER_IA_PRIMITIVES], r->assembled);
   assert_int_equal(counters[ATTILA_COUNTER_CLIP_INVOCATIONS], r->clip_in);
   assert_int_equal(counters[ATTILA_COUNTER_CLIP_PRIMITIVES], r->clip_out);
}

static void
destroy(struct raster *r)
{
   bench_destroy(r->gpu);
   emul_program_destroy(r->vs);
   emul_program_destroy(r->fs);
   free(r->vertices);
   free(r->restart);
   free(r->expect);
   free(r->got);
   free(r);
}

/* Every primitive type, small and large, clipped and not, with restarts, two draws. */
static void
test_every_primitive_covers_the_emulators_tiles(void **state)
{
   (void)state;
   for (uint32_t prim = 0; prim < ATTILA_NUM_PRIMS; prim++) {
      for (unsigned clipped = 0; clipped < 2; clipped++) {
         struct attila_regs regs = default_regs();
         regs.flatshade_first = prim & 1;
         struct raster *r = create(prim + clipped, &regs, prim, 2);
         r->slowness = clipped ? 0 : 3;
         add_random(r, 61, clipped ? 3.0f : 0.9f, prim);
         r->restart[17] = r->restart[18] = r->restart[40] = true;
         run(r);
         check(r);
         assert_true(r->num_prims > 10);
         destroy(r);
      }
   }
}

/* Polygon modes, wide and stippled lines make several primitives of one. */
static void
test_polygon_modes_make_several_primitives(void **state)
{
   (void)state;
   for (unsigned fill = 0; fill < 3; fill++) {
      struct attila_regs regs = default_regs();
      regs.fill_front = fill;
      regs.fill_back = (fill + 1) % 3;
      regs.line_width = 5.0f;
      regs.line_stipple_enable = 1;
      regs.line_stipple_factor = 3;
      regs.line_stipple_pattern = 0x5a3c;
      regs.point_size = 9.0f;
      struct raster *r = create(0, &regs, ATTILA_PRIM_TRIANGLES, 1);
      add_random(r, 90, fill == 2 ? 2.0f : 0.95f, 5);
      run(r);
      check(r);
      destroy(r);
   }
}

static void
test_order_of_boxes(void **state)
{
   (void)state;
   uint64_t trace = 0;
   for (uint32_t seed = 0; seed < 8; seed++) {
      struct attila_regs regs = default_regs();
      struct raster *r = create(seed, &regs, ATTILA_PRIM_TRIANGLES, 2);
      r->slowness = 1;
      add_random(r, 150, 2.0f, 9);
      run(r);
      trace = seed ? trace : r->trace;
      assert_int_equal(r->trace, trace);
      destroy(r);
   }
}

static void
test_queue_sizes_change_no_tile(void **state)
{
   (void)state;
   for (unsigned wide = 0; wide < 2; wide++) {
      struct attila_regs regs = default_regs();
      struct raster *r = create(0, &regs, ATTILA_PRIM_QUADS, 1);
      struct sim_config *c = &r->gpu->config;
      c->streamer.vertices_cycle = c->pa.triangles_cycle = c->clip.triangles_cycle =
          c->rast.triangles_cycle = c->rast.tiles_cycle = wide ? 16 : 1;
      c->pa.queue = c->clip.queue = c->rast.setup_fifo = c->rast.batch_queue = wide ? 64 : 1;
      add_random(r, 200, 1.5f, 3);
      run(r);
      check(r);
      destroy(r);
   }
}

static void
test_discard_sends_only_the_ends_of_draws(void **state)
{
   (void)state;
   struct attila_regs regs = default_regs();
   regs.rasterizer_discard = 1;
   struct raster *r = create(0, &regs, ATTILA_PRIM_TRIANGLES, 2);
   add_random(r, 30, 0.9f, 3);
   run(r);
   assert_int_equal(r->num_got, 2);
   check(r);
   assert_int_equal(r->assembled, 20);
   destroy(r);
}

/* Several samples: every quad with a covered sample lies in a tile that was sent, and no tile
 * twice. */
static void
test_multisampled_tiles_are_sent_once(void **state)
{
   (void)state;
   for (uint32_t seed = 0; seed < 20; seed++) {
      struct attila_regs regs = default_regs();
      regs.fb_samples = 4;
      struct raster *r = create(0, &regs, ATTILA_PRIM_TRIANGLES, 1);
      add_random(r, 3, 0.8f, 40 + seed);
      run(r);
      struct emul_primitive p = {.num_vertices = 3, .provoking = 2, .edges = 7};
      for (unsigned i = 0; i < 3; i++)
         p.v[i] = &r->vertices[i];
      p.flat = p.v[2];
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint32_t stipple = 0;
      bool sent[SIZE / 8][SIZE / 8] = {{false}};
      for (unsigned i = 0; i + 1 < r->num_got; i++) {
         assert_false(sent[r->got[i].y / 8][r->got[i].x / 8]);
         sent[r->got[i].y / 8][r->got[i].x / 8] = true;
      }
      if (emul_setup(&r->draw[0].state, &p, &stipple, s, &result)) {
         for (int32_t y = 0; y < SIZE; y += 2) {
            for (int32_t x = 0; x < SIZE; x += 2) {
               if (emul_quad_coverage(&s[0], x, y, 4))
                  assert_true(sent[y / 8][x / 8]);
            }
         }
      }
      destroy(r);
   }
}

static struct raster *
create_with(uint32_t prim, const char *const *params)
{
   struct attila_regs regs = default_regs();
   struct raster *r = create(0, &regs, prim, 1);
   char error[200];
   for (; *params; params++) {
      if (!sim_config_set(&r->gpu->config, *params, error, sizeof(error)))
         fail_msg("%s", error);
   }
   return r;
}

/* A triangle whose right angle is at pixel (x, y). */
static void
add_triangle(struct raster *r, float x, float y, float size)
{
   const float scale = 2.0f / SIZE;
   add_vertex(r, x * scale - 1.0f, y * scale - 1.0f, 0.0f, 1.0f);
   add_vertex(r, (x + size) * scale - 1.0f, y * scale - 1.0f, 0.0f, 1.0f);
   add_vertex(r, x * scale - 1.0f, (y + size) * scale - 1.0f, 0.0f, 1.0f);
}

/* When the first tile of a triangle leaves, with and without cutting. */
static void
test_first_tile_leaves_after_the_latencies(void **state)
{
   (void)state;
   for (unsigned cut = 0; cut < 2; cut++) {
      struct attila_regs regs = default_regs();
      struct raster *r = create(0, &regs, ATTILA_PRIM_TRIANGLES, 1);
      add_vertex(r, -0.46875f, -0.46875f, cut ? -2.0f : 0.0f, 1.0f);
      add_vertex(r, 0.46875f, -0.46875f, 0.0f, 1.0f);
      add_vertex(r, -0.46875f, 0.46875f, 0.0f, 1.0f);
      run(r);
      check(r);
      /* The last vertex is sent in cycle 3: PA 4, CLP 5, 6 cycles of clipper latency and 1 to TS
       * 12, 10 of setup, 1 and 1 more into the queue of TT 24; a cycle later the end of the draw is
       * there, too, and the batch begins. Its box from
       * (67, 67) lies in 128 pixels from (64, 64): 4 cycles down to 8 pixels, 1 to make tiles, HZ
       * 31. The near plane that cuts takes 6 more, and makes two triangles, whose end comes
       * a cycle later. */
      assert_int_equal(r->first, cut ? 38 : 31);
      destroy(r);
   }
}

/* Two tiles per cycle for a primitive that covers everything: 1024 tiles. */
static void
test_two_tiles_per_cycle_are_traversed(void **state)
{
   (void)state;
   struct attila_regs regs = default_regs();
   struct raster *r = create(0, &regs, ATTILA_PRIM_TRIANGLES, 1);
   add_vertex(r, -1.0f, -1.0f, 0.0f, 1.0f);
   add_vertex(r, 3.0f, -1.0f, 0.0f, 1.0f);
   add_vertex(r, -1.0f, 3.0f, 0.0f, 1.0f);
   run(r);
   assert_int_equal(r->num_got, 1025);
   assert_int_equal(r->last_tile - r->first, 511);
   /* Morton order: the first four tiles are a 16 x 16 block. */
   assert_true(r->got[0].x == 0 && r->got[0].y == 0 && r->got[1].x == 8 && r->got[1].y == 0 &&
               r->got[2].x == 0 && r->got[2].y == 8 && r->got[3].x == 8 && r->got[3].y == 8 &&
               r->got[4].x == 16 && r->got[4].y == 0);
   check(r);
   destroy(r);
}

/* The same tiles whatever finds them. */
static void
test_rasterisers_find_the_same_tiles(void **state)
{
   (void)state;
   static const char *const machines[][6] = {
       {"RASTERIZER.RasterizationBatchSize=1", "RASTERIZER.ScanWidth=8", NULL},
       {"RASTERIZER.RasterizationBatchSize=32", "RASTERIZER.BatchQueueSize=64",
        "RASTERIZER.ScanWidth=16", "RASTERIZER.TileTesters=1",
        "RASTERIZER.TileBoundingBoxTest=TRUE", NULL},
       {"RASTERIZER.RecursiveMode=FALSE", "RASTERIZER.ScanWidth=16", "RASTERIZER.ScanHeight=8",
        "RASTERIZER.OverScanWidth=2", "RASTERIZER.OverScanHeight=4", NULL},
       {"RASTERIZER.RasteriserVariant=2", "RASTERIZER.TileBoundingBoxTest=TRUE", NULL},
       {"RASTERIZER.RasteriserVariant=3", "RASTERIZER.RasterLevelQueueSize=4",
        "RASTERIZER.TileEntryByBox=TRUE", NULL},
       {"RASTERIZER.RasteriserVariant=3", "RASTERIZER.TileBoundingBoxTest=TRUE", NULL},
   };
   for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
      for (uint32_t prim = ATTILA_PRIM_POINTS; prim <= ATTILA_PRIM_TRIANGLES; prim++) {
         struct raster *r = create_with(prim, machines[i]);
         r->slowness = i & 1 ? 0 : 2;
         add_random(r, 300, i & 1 ? 0.9f : 2.0f, 11 + i);
         run(r);
         check(r);
         destroy(r);
      }
   }
}

static uint64_t
statistic(const struct sim_box *b, const char *name)
{
   for (unsigned i = 0; i < b->cls->num_stats; i++) {
      if (!strcmp(b->cls->stats[i].name, name))
         return sim_stat(b, 1)[i];
   }
   fail_msg("no statistic %s", name);
   return 0;
}

/* A batch of the recursive descent ends before the next one begins. Small triangles that share a
 * scan tile cost a cycle each; four in opposite corners a cycle for every level, too. All 8x8 tiles
 * of their scan tiles are made, though one holds something. */
static void
test_batch_ends_before_the_next_begins(void **state)
{
   (void)state;
   static const char *const params[] = {"RASTERIZER.ScanWidth=16", "RASTERIZER.ScanHeight=16",
                                        "RASTERIZER.StampsPerCycle=4", NULL};
   for (unsigned apart = 0; apart < 2; apart++) {
      struct raster *r = create_with(ATTILA_PRIM_TRIANGLES, params);
      for (unsigned i = 0; i < 400; i++) {
         float x = apart && i & 1 ? 226.0f : 2.0f, y = apart && i & 2 ? 226.0f : 2.0f;
         add_triangle(r, x, y, 5.0f);
      }
      run(r);
      assert_int_equal(r->num_got, 401);
      check(r);
      assert_int_equal(statistic(r->tt, "TriangleBatches"), 100);
      assert_int_equal(statistic(r->tt, "GeneratedTiles"), 400 * 4);
      assert_int_equal(r->empty, 400 * 3);
      /* They come in every 12th cycle, in which the batch begins; then 4 levels (256 to 16). */
      assert_int_equal(statistic(r->tt, "UtilizationCycles"), 100 * (apart ? 1 + 4 + 4 : 1 + 4));
      destroy(r);
   }
}

/* Units of setup begin together, every SetupStartLatency cycles. */
static void
test_setup_units_start_together(void **state)
{
   (void)state;
   static const char *const params[] = {"RASTERIZER.SetupUnits=2",
                                        "RASTERIZER.SetupStartLatency=10",
                                        "RASTERIZER.TrianglesCycle=2", NULL};
   struct raster *r = create_with(ATTILA_PRIM_TRIANGLE_STRIP, params);
   for (unsigned i = 0; i < 200; i++)
      add_vertex(r, (float)(i & 1) * 0.02f, (float)i * 0.01f - 1.0f, 0.0f, 1.0f);
   run(r);
   check(r);
   /* 198 triangles: 99 pairs, of which the first batch waits for two. */
   assert_in_range(r->last - r->first, 965, 985);
   destroy(r);
}

/* The clipper's units take a triangle each, every StartLatency cycles. */
static void
test_clipper_units_start_together(void **state)
{
   (void)state;
   static const char *const params[] = {"CLIPPER.StartLatency=7", NULL};
   struct raster *r = create_with(ATTILA_PRIM_TRIANGLE_STRIP, params);
   for (unsigned i = 0; i < 200; i++)
      add_vertex(r, (float)(i & 1) * 0.02f, (float)i * 0.01f - 1.0f, 0.0f, 1.0f);
   run(r);
   check(r);
   /* The first batch waits for four. */
   assert_in_range(r->last - r->first, 194 * 7, 194 * 7 + 15);
   destroy(r);
}

/* The pipeline of levels: 4x4 pixels a cycle; the box test spares tiles of a thin triangle that
 * its edges alone do not tell apart; small triangles may enter at tiles of 8x8. */
static void
test_levels_pass_16_pixels_per_cycle(void **state)
{
   (void)state;
   static const char *const params[] = {"RASTERIZER.RasteriserVariant=3", NULL};
   struct raster *r = create_with(ATTILA_PRIM_TRIANGLES, params);
   add_vertex(r, -1.0f, -1.0f, 0.0f, 1.0f);
   add_vertex(r, 3.0f, -1.0f, 0.0f, 1.0f);
   add_vertex(r, -1.0f, 3.0f, 0.0f, 1.0f);
   run(r);
   check(r);
   assert_in_range(r->last_tile - r->first, 1023 * 4, 1023 * 5);
   assert_int_equal(statistic(r->tt, "TilesLevel1"), 4);
   assert_int_equal(statistic(r->tt, "TilesLevel5"), 1024);
   destroy(r);

   static const char *const keys[] = {NULL, "RASTERIZER.TileBoundingBoxTest=TRUE",
                                      "RASTERIZER.TileEntryByBox=TRUE"};
   uint64_t divided[3], before[3];
   for (unsigned i = 0; i < 3; i++) {
      r = create_with(ATTILA_PRIM_TRIANGLES, (const char *const[]){params[0], keys[i], NULL});
      for (unsigned k = 0; k < 100; k++)
         add_triangle(r, 3.0f + (float)(k % 10) * 17.3f, 5.0f + (float)(k / 10) * 13.7f, 3.0f);
      run(r);
      check(r);
      divided[i] = statistic(r->tt, "TilesLevel6");
      before[i] = statistic(r->tt, "TilesLevel1") + statistic(r->tt, "TilesLevel4");
      destroy(r);
   }
   assert_true(before[0] > 200 && before[2] == 0);
   assert_true(divided[1] < divided[0]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_primitive_covers_the_emulators_tiles),
       cmocka_unit_test(test_polygon_modes_make_several_primitives),
       cmocka_unit_test(test_order_of_boxes),
       cmocka_unit_test(test_queue_sizes_change_no_tile),
       cmocka_unit_test(test_discard_sends_only_the_ends_of_draws),
       cmocka_unit_test(test_first_tile_leaves_after_the_latencies),
       cmocka_unit_test(test_multisampled_tiles_are_sent_once),
       cmocka_unit_test(test_two_tiles_per_cycle_are_traversed),
       cmocka_unit_test(test_rasterisers_find_the_same_tiles),
       cmocka_unit_test(test_batch_ends_before_the_next_begins),
       cmocka_unit_test(test_setup_units_start_together),
       cmocka_unit_test(test_clipper_units_start_together),
       cmocka_unit_test(test_levels_pass_16_pixels_per_cycle),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
