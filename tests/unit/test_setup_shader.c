/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Setup on the shaders: Triangle Setup, the fragment FIFO and two shaders between a mock clipper
 * and a mock traversal. Primitives leave in order, every one once; the program's results are those
 * of 2D homogeneous rasterisation; nothing stands still whatever the queues' sizes. */
#include "box/raster/ts.h"
#include "box/shader/shader_unit.h"
#include "box_bench.h"
#include "raster_draw.h"

#define TRIANGLES 300
#define DRAWS 3
#define MAX_QUEUE 64

extern const struct sim_box_class ts_class, ffu_class, shf_class, shdx_class;

struct setup_bench {
   struct sim_gpu *gpu;
   struct sim_box *ts, *ffu, *shf[2], *shdx[2];
   struct sim_draw draw[DRAWS];
   unsigned sent, got, ends;
   sim_tick first, last; /* primitive that arrived */
   bool stop;
};

static struct sim_vertex *
vertex(struct setup_bench *s, unsigned n)
{
   struct sim_vertex *v = sim_pool_alloc(&s->gpu->vertices);
   memset(&v->data, 0, sizeof(v->data));
   v->draw = &s->draw[0];
   v->refs = 1;
   /* A third of the screen around the middle; w from 1 to 2. */
   float w = 1.0f + (float)(n % 7) / 7.0f;
   v->data.out[0][0] = w * (0.3f * (float)(n % 3 == 1) + 0.001f * (float)(n % 29));
   v->data.out[0][1] = w * (0.3f * (float)(n % 3 == 2) + 0.001f * (float)(n % 31));
   v->data.out[0][2] = w * 0.01f * (float)(n % 11);
   v->data.out[0][3] = w;
   return v;
}

/* The clipper: the triangles of two draws and a draw without any, each with its end. Two ends are
 * neighbours, so they could leave setup in the same cycle. */
static sim_tick
clipper(struct mock *m, sim_tick now)
{
   struct setup_bench *s = m->user;
   struct sim_signal *out = &s->gpu->net.clp_ts[0];
   while (s->sent < TRIANGLES + DRAWS && sim_can_send(out, now)) {
      const bool end = s->sent == TRIANGLES / 2 || s->sent > TRIANGLES;
      struct sim_draw *draw = &s->draw[(s->sent > TRIANGLES / 2) + (s->sent > TRIANGLES + 1)];
      struct msg_prim p = {.draw = draw, .work_id = draw->work_id, .end = end};
      if (!end) {
         p.num_vertices = 3;
         p.edges = 7;
         for (unsigned i = 0; i < 3; i++)
            p.v[i] = vertex(s, 3 * s->sent + i);
         p.flat = p.v[0];
         p.flat->refs++;
      }
      sim_send(out, now, &p);
      s->sent++;
   }
   return now + 1;
}

/* Traversal: order, and what the triangle was set up to. */
static sim_tick
traversal(struct mock *m, sim_tick now)
{
   struct setup_bench *s = m->user;
   const struct msg_setup *in;
   while ((in = sim_peek(&s->gpu->net.ts_tt[0], now))) {
      assert_ptr_equal(in->draw, &s->draw[s->ends]);
      if (in->end) {
         s->ends++;
      } else {
         unsigned n = 3 * (s->got + s->ends);
         struct sim_vertex *v = vertex(s, n);
         assert_memory_equal(in->prim->vtx[0]->data.out, v->data.out, sizeof(v->data.out[0]));
         sim_vertex_unref(s->gpu, v);
         assert_true(in->prim->setup.area2 > 0);
         sim_prim_unref(s->gpu, in->prim);
         s->first = s->got++ ? s->first : now;
         s->last = now;
      }
      sim_pop(&s->gpu->net.ts_tt[0], now);
      s->stop = s->ends == DRAWS;
   }
   return now + 1;
}

/* The clip coordinates of what Triangle Setup holds, and the program's results for them. */
static void
check_program(const struct ts *ts)
{
   for (uint32_t k = 0; k < ts->size; k++) {
      const struct sim_triangle *t = &ts->queue[k];
      const float(*in)[4] = t->in, (*out)[4] = t->out;
      const float area = out[3][0];
      if (t->prim.end || !t->prim.draw)
         continue;
      assert_true(area > 0.01f);
      for (unsigned v = 0; v < 3; v++) {
         float x = in[0][v], y = in[1][v], z = in[2][v], w = in[3][v];
         for (unsigned e = 0; e < 4; e++) {
            float value = out[0][e] * x + out[1][e] * y + out[2][e] * w;
            float expected = e == 3 ? z : e == v ? area : 0.0f;
            assert_true(value > expected - 1e-5f && value < expected + 1e-5f);
         }
      }
   }
}

static struct setup_bench *
run(uint32_t seed, uint32_t queue, uint32_t input, uint32_t output, unsigned num_shaders)
{
   struct setup_bench *s = calloc(1, sizeof(*s));
   struct sim_gpu *gpu = s->gpu = bench_create(seed);
   struct sim_config *c = &gpu->config;
   c->gpu.num_shaders = num_shaders;
   c->gpu.num_rops = 1;
   c->rast.setup_on_shader = 1;
   c->rast.setup_units = c->rast.triangles_cycle = 2;
   c->rast.triangle_shader_queue = queue;
   c->rast.triangle_input_queue = input;
   c->rast.triangle_output_queue = output;
   start(ATTILA_PRIM_TRIANGLES);
   for (unsigned d = 0; d < DRAWS; d++)
      s->draw[d] = (struct sim_draw){
          .state = state, .work_id = (uint16_t)(d + 1), .number = d, .counters = bench_counters};
   struct sim_box *clp = bench_mock(gpu, clipper, s), *tt = bench_mock(gpu, traversal, s);
   s->ts = sim_box_create(&gpu->kernel, gpu, &ts_class, -1);
   s->ffu = sim_box_create(&gpu->kernel, gpu, &ffu_class, -1);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       BENCH_BOX(clp, clp), BENCH_BOX(cp, clp),     BENCH_BOX(stoc, clp), BENCH_BOX(ts, s->ts),
       BENCH_BOX(tt, tt),   BENCH_BOX(ffu, s->ffu), BENCH_BOX(shf, NULL), BENCH_BOX(shdx, NULL)};
   boxes[NETLIST_shf].count = boxes[NETLIST_shdx].count = num_shaders;
   for (unsigned i = 0; i < num_shaders; i++) {
      boxes[NETLIST_shf].box[i] = s->shf[i] = sim_box_create(&gpu->kernel, gpu, &shf_class, (int)i);
      boxes[NETLIST_shdx].box[i] = s->shdx[i] =
          sim_box_create(&gpu->kernel, gpu, &shdx_class, (int)i);
   }
   bench_connect(gpu, boxes);
   sim_kernel_start(&gpu->kernel);
   for (unsigned d = 0; d < DRAWS; d++)
      sim_send(&gpu->net.cp_ts[0], d, &(struct msg_draw){.draw = &s->draw[d]});
   bench_run_boxes(gpu, &s->stop);
   assert_int_equal(s->got, TRIANGLES);
   assert_int_equal(gpu->vertices.in_use, 0);
   assert_int_equal(gpu->prims.in_use, 0);
   assert_int_equal(gpu->groups.in_use, 0);
   return s;
}

static void
destroy(struct setup_bench *s)
{
   bench_destroy(s->gpu);
   free(s);
}

static void
test_shaders_set_up_what_the_emulator_does(void **unused)
{
   (void)unused;
   struct setup_bench *s = run(0, 32, 32, 32, 2);
   check_program((const struct ts *)s->ts);
   assert_int_equal(stat(s->ffu, "InputTriangles"), TRIANGLES);
   assert_int_equal(stat(s->ffu, "ShadedTriangles"), TRIANGLES);
   assert_int_equal(stat(s->ffu, "OutputTriangles"), TRIANGLES);
   /* 18 instructions and the end, on every lane of a group. */
   uint64_t executed = 0;
   struct sim_shader_machine machine;
   shf_machine(&machine, &s->gpu->config, 0);
   for (unsigned i = 0; i < 2; i++)
      executed += stat(s->shdx[i], "ExecutedInstructions");
   uint64_t lanes = machine.lanes * stat(s->ffu, "TriangleThreads");
   assert_int_equal(executed, 18 * lanes);
   /* Four inputs, temporaries and outputs each. */
   static const char *const fours[] = {"InputActiveInputAttributes", "InputActiveOutputAttributes",
                                       "InputRegisters"};
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(stat(s->shf[0], fours[i]) + stat(s->shf[1], fours[i]), 4 * lanes);
   destroy(s);
}

/* Whatever the sizes of the queues, and the order of the boxes: everything passes, in order. */
static void
test_queue_sizes_keep_the_order(void **unused)
{
   (void)unused;
   const uint32_t sizes[] = {1, 3, MAX_QUEUE};
   for (unsigned n = 0; n < 27; n++) {
      sim_tick last = 0;
      for (uint32_t seed = 0; seed < 2; seed++) {
         struct setup_bench *s = run(seed, sizes[n % 3], sizes[n / 3 % 3], sizes[n / 9], 1 + n % 2);
         assert_true(!last || last == s->last);
         last = s->last;
         destroy(s);
      }
   }
}

/* More shaders, or more triangles on their way, are faster. */
static void
test_more_shaders_set_up_faster(void **unused)
{
   (void)unused;
   struct setup_bench *one = run(0, MAX_QUEUE, MAX_QUEUE, MAX_QUEUE, 1),
                      *two = run(0, MAX_QUEUE, MAX_QUEUE, MAX_QUEUE, 2),
                      *few = run(0, 4, MAX_QUEUE, MAX_QUEUE, 2);
   assert_true(two->last < one->last);
   assert_true(two->last < few->last);
   assert_true(stat(few->ts, "StallsShading") > stat(two->ts, "StallsShading"));
   /* To the shaders and back, twice SetupLatency, and the program's instructions at least. */
   assert_true(two->first > 7 + 2 * two->gpu->config.rast.setup_latency + 18);
   destroy(one);
   destroy(two);
   destroy(few);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_shaders_set_up_what_the_emulator_does),
                                      cmocka_unit_test(test_queue_sizes_keep_the_order),
                                      cmocka_unit_test(test_more_shaders_set_up_faster)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
