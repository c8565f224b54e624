/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Geometry Issue and Geometry Commit with mock neighbours: the time to read a primitive's vertices,
 * how many primitives the output buffer lets into the shaders, when a group must leave, the order,
 * rate and destination of what they emit. What is emitted: test_geometry_stage.c. */
#include "box_bench.h"
#include "emul/emul_stream_out.h"

#define MAX_PRIMS 64
#define GROUP 4 /* primitives of a full group, on the built-in machine */

struct bench {
   struct sim_gpu *gpu;
   struct sim_box *gi, *gc;
   struct emul_program *vs, *gs;
   struct emul_stream_out stream;
   struct sim_draw draw, before; /* before: of the first ones; it has the same number */
   unsigned prims, sent;
   unsigned prims_before;
   unsigned vertices[MAX_PRIMS]; /* that each emits */
   bool ended, before_ended;
   /* The shaders: what came to them, and when they answer. */
   struct msg_gs taken[MAX_PRIMS];
   sim_tick taken_at[MAX_PRIMS];
   unsigned num_taken, returned;
   unsigned left, partial; /* of the taken, those whose group has left; groups that were not full */
   bool hold;              /* they answer nothing */
   bool backward;          /* all at once when the last has come, the last first */
   /* What the clipper and stream-out got. */
   struct got {
      sim_tick at[3 * MAX_PRIMS];
      float value[3 * MAX_PRIMS]; /* output 1 of the last vertex */
      unsigned num;
      sim_tick end;
      bool stops;
   } clipped, streamed;
};

extern const struct sim_box_class gi_class, gc_class;

/* Sends points as fast as they are taken. */
static sim_tick
assembly(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   struct sim_signal *out = &m->box.gpu->net.pa_gi[0];
   while (!b->ended && sim_can_send(out, now)) {
      const bool before = b->sent < b->prims_before;
      struct msg_gs_input p = {.draw = before ? &b->before : &b->draw,
                               .work_id = 1,
                               .num_vertices = 1,
                               .id = b->sent,
                               .end = b->sent == b->prims};
      if (b->sent == b->prims_before && b->sent && !b->before_ended) {
         p.draw = &b->before;
         p.end = b->before_ended = true;
         sim_send(out, now, &p);
         continue;
      }
      if (!p.end) {
         p.v[0] = sim_pool_alloc(&m->box.gpu->vertices);
         p.v[0]->refs = 1;
         b->sent++;
      }
      b->ended = p.end;
      sim_send(out, now, &p);
   }
   return b->ended ? SIM_NEVER : now + 1;
}

/* The vertices of primitive n have n + v / 100 in output 1. */
static void
emit(const struct bench *b, struct sim_gs_prim *p)
{
   struct emul_emission *e = &p->emission;
   assert_true(b->vertices[p->id] <= e->max);
   for (unsigned v = 0; v < b->vertices[p->id]; v++) {
      e->out[v * e->outputs + 1][0] = (float)p->id + (float)v / 100;
      e->begins[v / 32] = (v % 32 ? e->begins[v / 32] : 0) | (uint32_t)(v == 0) << v % 32;
      e->num++;
   }
}

static sim_tick
shaders(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   struct sim_netlist *net = &m->box.gpu->net;
   const struct msg_gs *g;
   while ((g = sim_peek(&net->gi_ffu[0], now))) {
      if (g->prim) {
         b->taken_at[b->num_taken] = now;
         b->taken[b->num_taken++] = *g;
      }
      const unsigned waiting = b->num_taken - b->left;
      if (waiting == GROUP || g->last) {
         b->partial += waiting > 0 && waiting < GROUP;
         b->left = b->num_taken;
      }
      sim_pop(&net->gi_ffu[0], now);
   }
   const bool all = b->num_taken == b->prims;
   while (!b->hold && b->returned < b->left && (!b->backward || all) &&
          sim_can_send(&net->ffu_gc[0], now)) {
      const unsigned n = b->backward ? b->num_taken - 1 - b->returned : b->returned;
      emit(b, b->taken[n].prim);
      sim_send(&net->ffu_gc[0], now, &b->taken[n]);
      b->returned++;
   }
   return b->returned < b->left ? now + 1 : SIM_NEVER;
}

static sim_tick
take(struct mock *m, struct sim_signal *in, struct got *got, bool flat, sim_tick now)
{
   const struct msg_prim *p;
   while (!got->stops && (p = sim_peek(in, now))) {
      if (p->end) {
         got->end = now;
      } else {
         got->at[got->num] = now;
         got->value[got->num++] = p->v[p->num_vertices - 1]->data.out[1][0];
         for (unsigned v = 0; v < p->num_vertices; v++)
            sim_vertex_unref(m->box.gpu, p->v[v]);
         if (flat)
            sim_vertex_unref(m->box.gpu, p->flat);
      }
      sim_pop(in, now);
   }
   return got->stops ? now + 1 : SIM_NEVER;
}

static sim_tick
clipper(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   return take(m, &m->box.gpu->net.gc_clp[0], &b->clipped, true, now);
}

static sim_tick
stream_out(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   return take(m, &m->box.gpu->net.gc_so[0], &b->streamed, false, now);
}

/* A program that takes points, reads two inputs and writes two outputs. */
static struct bench *
create(unsigned prims, const char *geometry)
{
   struct bench *b = calloc(1, sizeof(*b));
   b->gpu = bench_create(0);
   b->vs = bench_program(".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   b->gs = bench_program(geometry);
   b->draw.counters = bench_counters;
   b->draw.state.vs = b->vs;
   b->draw.state.gs = b->gs;
   b->draw.state.num_outputs = 2;
   b->draw.work_id = 1;
   b->prims = prims;
   for (unsigned i = 0; i < prims; i++)
      b->vertices[i] = 1;
   return b;
}

static void
begin(struct bench *b)
{
   struct sim_gpu *gpu = b->gpu;
   struct sim_box *pa = bench_mock(gpu, assembly, b), *ffu = bench_mock(gpu, shaders, b),
                  *clp = bench_mock(gpu, clipper, b), *so = bench_mock(gpu, stream_out, b);
   b->gi = sim_box_create(&gpu->kernel, gpu, &gi_class, -1);
   b->gc = sim_box_create(&gpu->kernel, gpu, &gc_class, -1);
   BENCH_CONNECT(gpu, BENCH_BOX(pa, pa), BENCH_BOX(gi, b->gi), BENCH_BOX(ffu, ffu),
                 BENCH_BOX(gc, b->gc), BENCH_BOX(clp, clp), BENCH_BOX(so, so));
   sim_kernel_start(&gpu->kernel);
}

/* The draw ends, and no box holds a vertex. */
static void
finish(struct bench *b)
{
   bench_run_until(b->gpu, 20000);
   assert_true(b->clipped.end != 0);
   assert_int_equal(b->returned, b->prims);
   assert_int_equal(b->gpu->vertices.in_use, 0);
   bench_destroy(b->gpu);
   emul_program_destroy(b->vs);
   emul_program_destroy(b->gs);
   free(b);
}

#define POINTS ".geometry 1 1 4\nMOV o0, i0\nMOV o1, i8\nEMIT\nEND\n"

/* 20 attributes at 8 a cycle: a primitive every 3 cycles. */
static void
attributes_take_time_to_be_read(void **state)
{
   struct bench *b = create(20, ".geometry 4 1 1\nADD o0, i0, i8\nADD o1, i16, i24\nADD o1, i32, "
                                "i0\nEMIT\nEND\n");
   begin(b);
   bench_run_until(b->gpu, 1000);
   for (unsigned i = 1; i < 20; i++)
      assert_int_equal(b->taken_at[i] - b->taken_at[i - 1], 3);
   assert_int_equal(stat(b->gi, "InputAttributes"), 20 * 20);
   finish(b);
}

/* Two outputs of 4 vertices are 128 bytes: 10 primitives fit into 1280. The last two are no full
 * group and wait for more, for room may come back. Assembly waits behind the queue. When room does
 * come back it does so primitive by primitive, but only full groups leave. */
static void
the_output_buffer_limits_primitives(void **state)
{
   struct bench *b = create(40, POINTS);
   b->gpu->config.gs.output_bytes = 1280;
   b->gpu->config.gs.queue = 5;
   b->hold = true;
   begin(b);
   bench_run_until(b->gpu, 500);
   assert_int_equal(b->num_taken, 10);
   assert_int_equal(b->left, 8);
   assert_int_equal(b->sent, 10 + 5);
   assert_int_equal(stat(b->gi, "ReservedBytes"), 1280);
   assert_in_range(stat(b->gi, "StallsOutputBuffer"), 480, 500);
   b->hold = false;
   bench_run_until(b->gpu, 20000);
   assert_int_equal(b->partial, 0);
   assert_int_equal(stat(b->gi, "ClosedThreads"), 0);
   finish(b);
}

/* The same with Primitives: no full group fits, so each waits for those before and leaves. */
static void
issued_primitives_are_limited(void **state)
{
   struct bench *b = create(40, POINTS);
   b->gpu->config.gs.primitives = 3;
   b->hold = true;
   begin(b);
   bench_run_until(b->gpu, 500);
   assert_int_equal(b->num_taken, 3);
   assert_true(b->taken[2].last && !b->taken[1].last);
   assert_in_range(stat(b->gi, "StallsPrimitives"), 480, 500);
   b->hold = false;
   bench_run_until(b->gpu, 20000);
   assert_int_equal(stat(b->gi, "ClosedThreads"), 13);
   assert_int_equal(b->partial, 14);
   finish(b);
}

/* The room that an earlier draw's primitives leave is not enough for another one of this draw, so
 * the first leaves alone; nothing said so when it was issued. */
static void
a_group_leaves_behind_another_draw(void **state)
{
   struct bench *b = create(6, ".geometry 1 1 56\nMOV o0, i0\nMOV o1, i8\nEMIT\nEND\n");
   struct emul_program *points = bench_program(POINTS);
   b->before = b->draw;
   b->before.state.gs = points;
   b->prims_before = 2;
   b->gpu->config.gs.output_bytes = 2048;
   b->hold = true;
   begin(b);
   bench_run_until(b->gpu, 500);
   assert_int_equal(b->num_taken, 3);
   assert_int_equal(b->left, 2);
   b->hold = false;
   finish(b);
   emul_program_destroy(points);
}

/* What never fits goes alone. */
static void
a_large_primitive_goes_alone(void **state)
{
   struct bench *b = create(5, ".geometry 1 1 1000\nMOV o0, i0\nMOV o1, i8\nEMIT\nEND\n");
   for (unsigned i = 0; i < 5; i++)
      b->vertices[i] = 30;
   b->gpu->config.gs.output_bytes = 1024;
   b->hold = true;
   begin(b);
   bench_run_until(b->gpu, 500);
   assert_int_equal(b->num_taken, 1);
   assert_true(b->taken[0].last);
   b->hold = false;
   finish(b);
}

/* Whatever the order in which they are shaded. */
static void
primitives_leave_in_order(void **state)
{
   struct bench *b = create(30, POINTS);
   b->backward = true;
   b->draw.state.stream_out = &b->stream;
   for (unsigned i = 0; i < 30; i++)
      b->vertices[i] = i % 4;
   begin(b);
   bench_run_until(b->gpu, 2000);
   unsigned n = 0;
   for (unsigned i = 0; i < 30; i++) {
      for (unsigned v = 0; v < i % 4; v++, n++) {
         assert_float_equal(b->clipped.value[n], (float)i + (float)v / 100, 1e-6);
         assert_float_equal(b->streamed.value[n], b->clipped.value[n], 0);
      }
   }
   assert_int_equal(b->clipped.num, n);
   assert_int_equal(b->streamed.num, n);
   assert_true(b->streamed.end != 0);
   assert_int_equal(stat(b->gc, "EmptyInputs"), 8);
   finish(b);
}

/* A vertex a cycle, an input without one a cycle, too; or two. */
static void
vertices_take_time(void **state)
{
   for (unsigned rate = 1; rate <= 2; rate++) {
      struct bench *b = create(40, POINTS);
      b->gpu->config.gs.vertices_cycle = rate;
      b->backward = true;
      for (unsigned i = 0; i < 40; i++)
         b->vertices[i] = i % 2 ? 0 : 4;
      begin(b);
      bench_run_until(b->gpu, 2000);
      assert_int_equal(b->clipped.num, 80);
      assert_in_range(b->clipped.end - b->clipped.at[0], 100 / rate, 100 / rate + 1);
      finish(b);
   }
}

/* A triangle for each vertex from the third on. */
static void
strips_become_triangles(void **state)
{
   struct bench *b = create(10, ".geometry 1 3 6\nMOV o0, i0\nMOV o1, i8\nEMIT\nEND\n");
   for (unsigned i = 0; i < 10; i++)
      b->vertices[i] = 6;
   begin(b);
   bench_run_until(b->gpu, 1000);
   assert_int_equal(b->clipped.num, 40);
   assert_int_equal(stat(b->gc, "Primitives"), 40);
   assert_int_equal(stat(b->gc, "Vertices"), 60);
   assert_int_equal(stat(b->gc, "Strips"), 10);
   assert_int_equal(bench_counters[ATTILA_COUNTER_GS_PRIMITIVES], 40);
   assert_int_equal(bench_counters[ATTILA_COUNTER_GS_INVOCATIONS], 10);
   finish(b);
}

/* Of a draw without fragments only the end goes to the clipper. */
static void
discarded_primitives_are_streamed_only(void **state)
{
   struct bench *b = create(10, POINTS);
   b->draw.state.stream_out = &b->stream;
   b->draw.state.regs.rasterizer_discard = 1;
   begin(b);
   bench_run_until(b->gpu, 1000);
   assert_int_equal(b->clipped.num, 0);
   assert_int_equal(b->streamed.num, 10);
   finish(b);
}

/* A clipper that takes nothing holds up stream-out, and at last assembly. */
static void
back_pressure_reaches_assembly(void **state)
{
   struct bench *b = create(40, POINTS);
   b->gpu->config.gs.primitives = 8;
   b->gpu->config.gs.queue = 4;
   b->gpu->config.clip.queue = 3;
   b->draw.state.stream_out = &b->stream;
   b->clipped.stops = true;
   begin(b);
   bench_run_until(b->gpu, 500);
   assert_int_equal(b->streamed.num, 3);
   assert_int_equal(b->sent, 3 + 8 + 4);
   assert_in_range(stat(b->gc, "StallsClipper"), 400, 500);
   b->clipped.stops = false;
   finish(b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(attributes_take_time_to_be_read),
       cmocka_unit_test(the_output_buffer_limits_primitives),
       cmocka_unit_test(issued_primitives_are_limited),
       cmocka_unit_test(a_group_leaves_behind_another_draw),
       cmocka_unit_test(a_large_primitive_goes_alone),
       cmocka_unit_test(primitives_leave_in_order),
       cmocka_unit_test(vertices_take_time),
       cmocka_unit_test(strips_become_triangles),
       cmocka_unit_test(discarded_primitives_are_streamed_only),
       cmocka_unit_test(back_pressure_reaches_assembly),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
