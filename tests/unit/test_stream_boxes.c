/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out with mock neighbours: how words of vertices are combined into writes, how long that
 * takes, what happens while memory takes nothing, and when a draw is done. Which words these are:
 * test_stream_out.c. */
#include "box_bench.h"
#include "emul/emul_stream_out.h"

#define TARGET 0x10000
#define MAX_PRIMS 400

struct bench {
   struct sim_gpu *gpu;
   struct sim_box *so;
   struct bench_memory memory;
   bool memory_stops; /* it takes no request */
   struct emul_program *vs;
   struct emul_stream_out stream;
   uint64_t filled[ATTILA_MAX_STREAM_BUFFERS];
   struct sim_draw draw;
   unsigned prims, vertices, sent; /* primitives of the draw, of so many vertices each */
   bool ended;
   sim_tick taken; /* when the end of the draw was sent, behind all that was taken */
   sim_tick done;  /* when it says so; 0: not yet */
   sim_tick written;
   struct msg_mem_request requests[2 * MAX_PRIMS];
   unsigned num_requests;
   uint8_t expected[65536]; /* of memory from TARGET on */
};

extern const struct sim_box_class so_class;

/* Sends the draw's primitives as fast as they are taken. Vertex n of all is (n, n + .25, ...) in
 * output 1. */
static sim_tick
assembly(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   struct sim_signal *out = &m->box.gpu->net.pa_so[0];
   while (!b->ended && sim_can_send(out, now)) {
      struct msg_prim p = {.draw = &b->draw,
                           .work_id = 1,
                           .num_vertices = (uint8_t)b->vertices,
                           .provoking = (uint8_t)(b->vertices - 1),
                           .end = b->sent == b->prims};
      for (unsigned v = 0; v < b->vertices && !p.end; v++) {
         p.v[v] = sim_pool_alloc(&m->box.gpu->vertices);
         p.v[v]->refs = 1;
         for (unsigned i = 0; i < 4; i++)
            p.v[v]->data.out[1][i] = (float)(b->sent * b->vertices + v) + .25f * (float)i;
      }
      b->sent += !p.end;
      b->ended = p.end;
      b->taken = now;
      sim_send(out, now, &p);
   }
   return b->ended ? SIM_NEVER : now + 1;
}

static sim_tick
processor(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   const struct msg_done *d = sim_peek(&m->box.gpu->net.so_cp[0], now);
   if (d) {
      assert_ptr_equal(d->draw, &b->draw);
      b->done = now;
      sim_pop(&m->box.gpu->net.so_cp[0], now);
   }
   return SIM_NEVER;
}

static sim_tick
memory(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   const struct msg_mem_request *r = sim_peek(b->memory.requests, now);
   struct mock inner = {.box = m->box, .user = &b->memory};
   if (b->memory_stops)
      return now + 1;
   if (r)
      b->requests[b->num_requests++] = *r;
   if (b->memory.num)
      b->written = now;
   return bench_memory_work(&inner, now);
}

static struct bench *
create(void)
{
   struct bench *b = calloc(1, sizeof(*b));
   b->vs = bench_program(".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   b->gpu = bench_create(0);
   memset(b->gpu->device->memory + TARGET, 0xee, sizeof(b->expected));
   memset(b->expected, 0xee, sizeof(b->expected));
   b->draw.counters = bench_counters;
   b->draw.state.vs = b->vs;
   b->draw.state.stream_out = &b->stream;
   b->draw.state.stream_filled = b->filled;
   b->draw.work_id = 1;
   b->vertices = 1;
   return b;
}

/* One output of so many components at offset, in a vertex of stride bytes. */
static void
output(struct bench *b, unsigned components, unsigned offset, unsigned stride, uint32_t address)
{
   const unsigned buffer = b->stream.num_outputs;
   b->stream.output[b->stream.num_outputs++] = (struct attila_stream_output){
       .output = 1, .last = components - 1, .buffer = buffer, .offset = offset / 4};
   b->stream.stride[buffer] = stride;
   b->stream.target[buffer] = (struct attila_stream_target){.address = address, .size = 4096};
   for (unsigned n = 0; n < b->prims * b->vertices; n++) {
      for (unsigned i = 0; i < components; i++) {
         const float value = (float)n + .25f * (float)i;
         memcpy(b->expected + address - TARGET + n * stride + offset + 4 * i, &value, 4);
      }
   }
}

static void
begin(struct bench *b)
{
   struct sim_gpu *gpu = b->gpu;
   emul_stream_out_derive(&b->stream);
   struct sim_box *pa = bench_mock(gpu, assembly, b), *mc = bench_mock(gpu, memory, b),
                  *cp = bench_mock(gpu, processor, b);
   b->so = sim_box_create(&gpu->kernel, gpu, &so_class, -1);
   BENCH_CONNECT(gpu, BENCH_BOX(pa, pa), BENCH_BOX(so, b->so), BENCH_BOX(cp, cp),
                 BENCH_BOX(mc, mc));
   b->memory.requests = &gpu->net.so_mc[0];
   b->memory.responses = &gpu->net.mc_so[0];
   b->memory.spread = 40;
   sim_kernel_start(&gpu->kernel);
}

/* Memory is as it should be, and the draw is done after the last write. */
static void
finish(struct bench *b)
{
   bench_run_until(b->gpu, 20000);
   assert_true(b->done > b->written && b->written);
   assert_memory_equal(b->gpu->device->memory + TARGET, b->expected, sizeof(b->expected));
   bench_destroy(b->gpu);
   emul_program_destroy(b->vs);
   free(b);
}

static void
neighbours_are_combined_into_lines(void **state)
{
   struct bench *b = create();
   b->prims = 32;
   output(b, 4, 0, 16, TARGET);
   begin(b);
   bench_run_until(b->gpu, 2000);
   assert_int_equal(b->num_requests, 8);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(b->requests[i].address, TARGET + 64 * i);
      assert_int_equal(b->requests[i].size, 64);
   }
   assert_int_equal(stat(b->so, "Lines"), 8);
   assert_int_equal(stat(b->so, "PartialLines"), 0);
   assert_int_equal(stat(b->so, "WriteBytes"), 512);
   assert_int_equal(stat(b->so, "Outputs"), 32);
   finish(b);
}

/* A line has at its begin what was there before, and is sent in part. */
static void
ends_of_a_buffer_are_written_in_part(void **state)
{
   struct bench *b = create();
   b->prims = 5;
   output(b, 3, 0, 12, TARGET + 52);
   begin(b);
   bench_run_until(b->gpu, 2000);
   assert_int_equal(b->num_requests, 2);
   assert_int_equal(b->requests[0].size, 12);
   assert_int_equal(b->requests[1].size, 48);
   assert_int_equal(stat(b->so, "PartialLines"), 2);
   finish(b);
}

/* Each of 16 vertices has a word of 8: 2 to a line, a request for each. */
static void
gaps_are_not_written(void **state)
{
   struct bench *b = create();
   b->prims = 16;
   output(b, 1, 12, 32, TARGET);
   begin(b);
   bench_run_until(b->gpu, 2000);
   assert_int_equal(b->num_requests, 16);
   for (unsigned i = 0; i < 16; i++) {
      assert_int_equal(b->requests[i].address, TARGET + 12 + 32 * i);
      assert_int_equal(b->requests[i].size, 4);
   }
   assert_int_equal(stat(b->so, "Lines"), 8);
   finish(b);
}

/* Four vertices of one output in a cycle; of three outputs, one and a third. Memory takes 64 bytes
 * a cycle. */
static void
a_cycle_takes_some_outputs(void **state)
{
   sim_tick taken[2];
   for (unsigned n = 0; n < 2; n++) {
      struct bench *b = create();
      b->prims = 240;
      for (unsigned i = 0; i < (n ? 3 : 1); i++)
         output(b, 1, 0, 4, TARGET + 4096 * i);
      begin(b);
      bench_run_until(b->gpu, 2000);
      taken[n] = b->taken;
      finish(b);
   }
   /* The mock sends a primitive a cycle, and the end. */
   assert_in_range(taken[0], 240, 245);
   assert_in_range(taken[1], 240, 245);
   struct bench *b = create();
   b->prims = 240;
   b->gpu->config.so.outputs_cycle = 1;
   for (unsigned i = 0; i < 3; i++)
      output(b, 1, 0, 4, TARGET + 4096 * i);
   begin(b);
   bench_run_until(b->gpu, 3000);
   assert_in_range(b->taken, 3 * (240 - 8), 3 * 240 + 5);
   finish(b);
}

/* While memory takes nothing, the write buffer and the queue fill, and primitive assembly waits. */
static void
back_pressure_reaches_assembly(void **state)
{
   struct bench *b = create();
   b->prims = 200;
   b->gpu->config.so.lines = 4;
   b->gpu->config.so.queue = 6;
   b->memory_stops = true;
   output(b, 4, 0, 16, TARGET);
   begin(b);
   bench_run_until(b->gpu, 1000);
   /* 16 vertices fill the lines; 6 primitives wait. */
   assert_int_equal(b->sent, 16 + 6);
   assert_int_equal(stat(b->so, "WriteBytes"), 256);
   assert_false(b->done);
   b->memory_stops = false;
   bench_run_until(b->gpu, 8000);
   assert_in_range(stat(b->so, "StallsLines"), 900, 4000);
   finish(b);
}

/* Buffers that take turns in a buffer of one line: each write sends the other's. */
static void
a_line_leaves_when_its_place_is_needed(void **state)
{
   struct bench *b = create();
   b->prims = 10;
   b->gpu->config.so.lines = 1;
   for (unsigned i = 0; i < 2; i++)
      output(b, 4, 0, 16, TARGET + 4096 * i);
   begin(b);
   bench_run_until(b->gpu, 8000);
   assert_int_equal(b->num_requests, 20);
   finish(b);
}

static void
what_does_not_fit_takes_a_cycle(void **state)
{
   struct bench *b = create();
   b->prims = 3;
   b->vertices = 3;
   output(b, 4, 0, 16, TARGET);
   b->prims = 100;
   b->stream.target[0].size = 10 * 16;
   begin(b);
   bench_run_until(b->gpu, 3000);
   assert_int_equal(stat(b->so, "Primitives"), 100);
   assert_int_equal(stat(b->so, "WrittenPrimitives"), 3);
   assert_int_equal(stat(b->so, "OverflowPrimitives"), 97);
   assert_int_equal(b->filled[0], 9 * 16);
   assert_in_range(b->taken, 100, 106);
   finish(b);
}

/* A vertex of more bytes than the write buffer has, in lines of every size. */
static void
lines_have_any_size(void **state)
{
   for (unsigned size = 64; size <= 256; size *= 2) {
      struct bench *b = create();
      b->prims = 50;
      b->gpu->config.so.line_size = size;
      b->gpu->config.so.lines = 2;
      output(b, 4, 8, 28, TARGET + 36);
      output(b, 3, 0, 12, TARGET + 4100);
      output(b, 2, 600, 800, TARGET + 8192);
      b->stream.target[2].size = 50 * 800;
      begin(b);
      finish(b);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(neighbours_are_combined_into_lines),
       cmocka_unit_test(ends_of_a_buffer_are_written_in_part),
       cmocka_unit_test(gaps_are_not_written),
       cmocka_unit_test(a_cycle_takes_some_outputs),
       cmocka_unit_test(back_pressure_reaches_assembly),
       cmocka_unit_test(a_line_leaves_when_its_place_is_needed),
       cmocka_unit_test(what_does_not_fit_takes_a_cycle),
       cmocka_unit_test(lines_have_any_size),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
