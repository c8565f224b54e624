/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The streamer's four boxes (StF, StOC, SL, StC) between a mock command processor, a memory that
 * answers out of order, a shader that returns vertices out of order, and a slow primitive assembly:
 * order, data, cache facts, ends of draws, and independence of the clocking order. */
#include "box_bench.h"

extern const struct sim_box_class stf_class, stoc_class, sl_class, stc_class;

#define MAX_DRAWS 8
#define MAX_LOADERS 3
#define MAX_EXPECT 20000
#define ATTRIBS 0x10000 /* where vertex data is */
#define INSTANCED 0x200000
#define INDICES 0x300001 /* unaligned on purpose for bytes; others are aligned up */

struct expect {
   uint32_t vertex, instance;
   bool restart, end;
};

struct streamer {
   struct sim_gpu *gpu;
   struct sim_box *stf, *stoc, *sl, *stc;
   struct sim_box *loader[MAX_LOADERS]; /* the first is sl */
   struct bench_memory index_memory, vertex_memory[MAX_LOADERS];
   unsigned num_ends;
   struct sim_draw draws[MAX_DRAWS];
   unsigned num_draws, sent;
   struct expect expect[MAX_EXPECT];
   unsigned num_expect, seen;
   uint32_t shade_min, shade_spread, sink_slowness;
   struct sim_vertex *shading[1024];
   sim_tick due[1024];
   unsigned num_shading;
   uint64_t shaded, trace;
   sim_tick first, last;
   bool stop;
   struct emul_program *vs, *fs;
};

static sim_tick
source(struct mock *m, sim_tick now)
{
   struct streamer *s = m->user;
   struct sim_signal *out = &s->gpu->net.cp_stf[0];
   if (s->sent < s->num_draws && sim_can_send(out, now))
      sim_send(out, now, &(struct msg_draw){.draw = &s->draws[s->sent++]});
   return s->sent < s->num_draws ? now + 1 : SIM_NEVER;
}

static sim_tick
shader(struct mock *m, sim_tick now)
{
   struct streamer *s = m->user;
   struct sim_netlist *net = &s->gpu->net;
   const struct msg_vertex *v;
   for (unsigned l = 0; l < s->gpu->config.streamer.loaders; l++) {
      while (s->num_shading < 1024 && (v = sim_peek(&net->sl_ffu[l], now))) {
         if (!v->end) {
            s->shading[s->num_shading] = v->vertex;
            s->due[s->num_shading++] =
                now + s->shade_min +
                (s->shade_spread ? bench_hash(s->shaded) % s->shade_spread : 0);
            s->shaded++;
         }
         s->num_ends += v->end;
         sim_pop(&net->sl_ffu[l], now);
      }
   }
   for (unsigned i = 0; i < s->num_shading;) {
      if (s->due[i] > now || !sim_can_send(&net->ffu_stc[0], now)) {
         i++;
         continue;
      }
      struct sim_vertex *x = s->shading[i];
      memcpy(x->data.out, x->in, 2 * sizeof(x->in[0]));
      sim_send(&net->ffu_stc[0], now,
               &(struct msg_vertex){.draw = x->draw, .vertex = x, .work_id = x->draw->work_id});
      s->shading[i] = s->shading[--s->num_shading];
      s->due[i] = s->due[s->num_shading];
   }
   return s->num_shading ? now + 1 : SIM_NEVER;
}

static sim_tick
sink(struct mock *m, sim_tick now)
{
   struct streamer *s = m->user;
   struct sim_signal *in = &s->gpu->net.stc_pa[0];
   const struct msg_vertex *v;
   if (s->sink_slowness && bench_hash(now * 77) % (s->sink_slowness + 1))
      return now + 1;
   while ((v = sim_peek(in, now))) {
      assert_true(s->seen < s->num_expect);
      const struct expect *e = &s->expect[s->seen++];
      assert_int_equal(v->restart, e->restart);
      assert_int_equal(v->end, e->end);
      s->trace = (s->trace ^ now) * 0x9e3779b97f4a7c15ull + e->vertex;
      if (!s->first)
         s->first = now;
      s->last = now;
      if (v->vertex) {
         assert_false(e->restart || e->end);
         const float(*out)[4] = v->vertex->data.out;
         assert_true(out[0][0] == (float)e->vertex && out[0][1] == (float)(2 * e->vertex) &&
                     out[0][2] == 7.0f && out[0][3] == 1.0f);
         assert_true(out[1][0] == (float)(e->instance % 256) / 255.0f && out[1][1] == 1.0f);
         sim_vertex_unref(s->gpu, v->vertex);
      } else {
         assert_true(e->restart || e->end);
      }
      sim_pop(in, now);
      if (s->seen == s->num_expect)
         s->stop = true;
   }
   return sim_signal_empty(in) ? SIM_NEVER : now + 1;
}

static struct streamer *
create(uint32_t seed)
{
   struct streamer *s = calloc(1, sizeof(*s));
   s->gpu = bench_create(seed);
   s->vs = bench_program(".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n");
   s->fs = bench_program(".fragment\nMOV o0, i1\nEND\n");
   s->shade_min = 20;
   s->shade_spread = 60;
   /* Vertex v: (v, 2v, 7) at stride 12, which crosses cache lines; instance i: byte i, 255 at
    * stride 4. */
   for (uint32_t v = 0; v < 0x1f0000 / 12; v++) {
      float f[3] = {(float)v, (float)(2 * v), 7.0f};
      memcpy(s->gpu->device->memory + ATTRIBS + v * 12, f, 12);
   }
   for (uint32_t i = 0; i < 1024; i++) {
      uint8_t b[4] = {(uint8_t)i, 255, 0, 0};
      memcpy(s->gpu->device->memory + INSTANCED + 4 * i, b, 4);
   }
   return s;
}

static void
add_draw(struct streamer *s, const struct attila_cmd_draw *cmd)
{
   static struct attila_regs regs;
   memset(&regs, 0, sizeof(regs));
   regs.fb_width = regs.fb_height = 64;
   regs.attrib[0] = (struct attila_attrib_regs){.enable = 1,
                                                .address = ATTRIBS,
                                                .stride = 12,
                                                .format = ATTILA_FORMAT_R32G32B32_FLOAT,
                                                .limit = 0x1f0000};
   regs.attrib[1] = (struct attila_attrib_regs){.enable = 1,
                                                .address = INSTANCED,
                                                .stride = 4,
                                                .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                                .divisor = 1,
                                                .limit = 4096};
   struct sim_draw *d = &s->draws[s->num_draws];
   char error[200];
   d->counters = bench_counters;
   d->state.vs = s->vs;
   d->state.fs = s->fs;
   if (!emul_draw_state_init(&d->state, &regs, cmd, s->gpu->device->memory_size, error,
                             sizeof(error)))
      fail_msg("%s", error);
   d->work_id = (uint8_t)(s->num_draws + 1);
   d->number = s->num_draws++;
   for (uint32_t i = 0; i < cmd->num_instances; i++) {
      if (i)
         s->expect[s->num_expect++] = (struct expect){.restart = true};
      for (uint32_t n = 0; n < cmd->count; n++) {
         uint32_t v = cmd->start + n;
         if (cmd->index_size) {
            const uint8_t *p =
                s->gpu->device->memory + cmd->index_address + (cmd->start + n) * cmd->index_size;
            v = 0;
            for (uint32_t b = 0; b < cmd->index_size; b++)
               v |= (uint32_t)p[b] << 8 * b;
            if ((cmd->flags & ATTILA_DRAW_RESTART) && v == cmd->restart_index) {
               s->expect[s->num_expect++] = (struct expect){.restart = true};
               continue;
            }
            v += cmd->index_bias;
         }
         s->expect[s->num_expect++] =
             (struct expect){.vertex = v, .instance = cmd->first_instance + i};
      }
   }
   s->expect[s->num_expect++] = (struct expect){.end = true};
   assert_true(s->num_expect < MAX_EXPECT);
}

/* The loaders and their memories; the other signals of the loaders as in boxes. */
static void
add_loaders(struct streamer *s, struct sim_netlist_boxes *boxes)
{
   struct sim_gpu *gpu = s->gpu;
   struct sim_netlist_boxes memories[NETLIST_NUM_BOXES] = {BENCH_BOX(sl, NULL),
                                                           BENCH_BOX(mc, NULL)};
   memories[NETLIST_mc].count = memories[NETLIST_sl].count = gpu->config.streamer.loaders;
   for (unsigned l = 0; l < gpu->config.streamer.loaders; l++) {
      struct bench_memory *memory = &s->vertex_memory[l];
      memory->requests = &gpu->net.sl_mc[l];
      memory->responses = &gpu->net.mc_sl[l];
      s->loader[l] = sim_box_create(&gpu->kernel, gpu, &sl_class, (int)l);
      memories[NETLIST_sl].box[l] = s->loader[l];
      memories[NETLIST_mc].box[l] = bench_mock(gpu, bench_memory_work, memory);
   }
   boxes[NETLIST_sl] = memories[NETLIST_sl];
   bench_connect(gpu, memories);
}

static void
run(struct streamer *s)
{
   struct sim_gpu *gpu = s->gpu;
   s->stf = sim_box_create(&gpu->kernel, gpu, &stf_class, -1);
   s->stoc = sim_box_create(&gpu->kernel, gpu, &stoc_class, -1);
   s->stc = sim_box_create(&gpu->kernel, gpu, &stc_class, -1);
   struct sim_box *src = bench_mock(gpu, source, s), *ffu = bench_mock(gpu, shader, s),
                  *pa = bench_mock(gpu, sink, s);
   struct sim_box *m0 = bench_mock(gpu, bench_memory_work, &s->index_memory);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       BENCH_BOX(cp, src),     BENCH_BOX(stf, s->stf), BENCH_BOX(stoc, s->stoc),
       BENCH_BOX(stc, s->stc), BENCH_BOX(ffu, ffu),    BENCH_BOX(pa, pa)};
   add_loaders(s, boxes);
   bench_connect(gpu, boxes);
   BENCH_CONNECT(gpu, BENCH_BOX(stf, s->stf), BENCH_BOX(mc, m0));
   s->index_memory.requests = &gpu->net.stf_mc[0];
   s->index_memory.responses = &gpu->net.mc_stf[0];
   s->sl = s->loader[0];
   sim_kernel_start(&gpu->kernel);
   bench_run_boxes(gpu, &s->stop);
   assert_int_equal(s->seen, s->num_expect);
   /* What has left holds no vertex any more. */
   assert_int_equal(gpu->vertices.in_use, 0);
}

static void
destroy(struct streamer *s)
{
   bench_destroy(s->gpu);
   emul_program_destroy(s->vs);
   emul_program_destroy(s->fs);
   free(s);
}

/* Every index size, bias, restart, instances, unaligned starts, draws back to back. */
static void
mixed_draws(struct streamer *s)
{
   uint8_t *bytes = s->gpu->device->memory + INDICES;
   uint16_t *shorts = (uint16_t *)(s->gpu->device->memory + INDICES + 0x1001 + 2);
   uint32_t *words = (uint32_t *)(s->gpu->device->memory + INDICES + 0x3003);
   for (unsigned i = 0; i < 1000; i++) {
      bytes[i] = i % 11 == 5 ? 0xff : (uint8_t)(bench_hash(i) % 60);
      shorts[i] = (uint16_t)(i / 2 + bench_hash(i) % 8);
      words[i] = bench_hash(i + 5) % 100000;
   }
   add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                         .count = 300,
                                         .start = 3,
                                         .index_size = 1,
                                         .num_instances = 1,
                                         .index_address = INDICES,
                                         .flags = ATTILA_DRAW_RESTART,
                                         .restart_index = 0xff});
   add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                         .count = 100,
                                         .start = 1000,
                                         .num_instances = 3,
                                         .first_instance = 2});
   add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                         .count = 700,
                                         .start = 77,
                                         .index_size = 2,
                                         .num_instances = 1,
                                         .index_address =
                                             (uint32_t)((uint8_t *)shorts - s->gpu->device->memory),
                                         .index_bias = 4000});
   add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                         .count = 65,
                                         .start = 5,
                                         .index_size = 4,
                                         .num_instances = 4,
                                         .index_address =
                                             (uint32_t)((uint8_t *)words - s->gpu->device->memory),
                                         .first_instance = 7});
   add_draw(s, &(struct attila_cmd_draw){
                   .prim = ATTILA_PRIM_POINTS, .count = 1, .start = 9, .num_instances = 1});
}

static void
test_order_and_data(void **state)
{
   (void)state;
   uint64_t trace = 0;
   for (uint32_t seed = 0; seed < 5; seed++) {
      struct streamer *s = create(seed);
      s->index_memory.spread = 90;
      s->vertex_memory[0].spread = 120;
      s->sink_slowness = 2;
      mixed_draws(s);
      run(s);
      uint64_t vertices = 0;
      for (unsigned i = 0; i < s->num_expect; i++)
         vertices += !s->expect[i].restart && !s->expect[i].end;
      assert_int_equal(bench_counters[ATTILA_COUNTER_IA_VERTICES], vertices);
      assert_int_equal(stat(s->stf, "IndexesSent"), s->num_expect - s->num_draws);
      assert_int_equal(bench_counters[ATTILA_COUNTER_IA_VERTICES],
                       stat(s->stoc, "Hits") + stat(s->stoc, "Misses"));
      assert_int_equal(s->shaded, stat(s->stoc, "Misses"));
      assert_int_equal(stat(s->stc, "Outputs"), stat(s->stoc, "Indices"));
      if (seed == 0)
         trace = s->trace;
      assert_int_equal(s->trace, trace);
      destroy(s);
   }
}

/* The smallest queues and caches, and the widest. */
static void
test_smallest_and_widest_streamers_agree(void **state)
{
   (void)state;
   for (unsigned wide = 0; wide < 2; wide++) {
      struct streamer *s = create(0);
      struct sim_config *c = &s->gpu->config;
      c->streamer.output_memory = wide ? 512 : 4;
      c->streamer.output_fifo = wide ? 512 : 4;
      c->streamer.loader_queue = wide ? 512 : 1;
      c->streamer.cache_lines = wide ? 1024 : 1;
      c->streamer.cache_line_size = wide ? 256 : 64;
      c->streamer.cache_requests = wide ? 64 : 1;
      c->streamer.index_buffer = wide ? 65536 : 64;
      c->streamer.indices_cycle = c->streamer.vertices_cycle = wide ? 16 : 1;
      c->streamer.attributes_cycle = wide ? 64 : 1;
      s->index_memory.spread = s->vertex_memory[0].spread = 40;
      mixed_draws(s);
      run(s);
      destroy(s);
   }
}

/* 96 indices of a strip of quads: the number of misses with a cache that never forgets, and with
 * one entry too few. */
static void
test_post_shading_cache(void **state)
{
   (void)state;
   for (uint32_t entries = 4; entries <= 32; entries *= 2) {
      struct streamer *s = create(0);
      s->gpu->config.streamer.output_memory = entries;
      uint8_t *bytes = s->gpu->device->memory + INDICES;
      /* 8 vertices in rounds: a cache of 8 or more misses 8 times, a smaller one that forgets the
       * oldest misses always.
       */
      for (unsigned i = 0; i < 96; i++)
         bytes[i] = i % 8;
      add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                            .count = 96,
                                            .index_size = 1,
                                            .num_instances = 1,
                                            .index_address = INDICES});
      /* The next draw must not hit the vertices of the one before. */
      add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                            .count = 96,
                                            .index_size = 1,
                                            .num_instances = 1,
                                            .index_address = INDICES});
      run(s);
      assert_int_equal(stat(s->stoc, "Misses"), entries >= 8 ? 16 : 192);
      destroy(s);
   }
}

/* Eight vertices, at once again, 200 others, and the eight again, with room for all: only a cache
 * that keeps what commit has released still has the first ones. What still waits for commit hits in
 * both. */
static void
test_cache_keeps_released_vertices(void **state)
{
   (void)state;
   for (unsigned keeps = 0; keeps < 2; keeps++) {
      struct streamer *s = create(0);
      struct sim_config *c = &s->gpu->config;
      c->streamer.output_memory = 512;
      /* So many indices at most are between the look-up and commit. */
      c->streamer.output_fifo = 64;
      c->streamer.cache_keeps = keeps;
      uint8_t *bytes = s->gpu->device->memory + INDICES;
      unsigned num = 0;
      for (unsigned i = 0; i < 16; i++)
         bytes[num++] = i % 8;
      for (unsigned i = 0; i < 200; i++)
         bytes[num++] = (uint8_t)(8 + i);
      for (unsigned i = 0; i < 8; i++)
         bytes[num++] = (uint8_t)i;
      add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_TRIANGLES,
                                            .count = num,
                                            .index_size = 1,
                                            .num_instances = 1,
                                            .index_address = INDICES});
      run(s);
      assert_int_equal(stat(s->stoc, "Hits"), keeps ? 16 : 8);
      assert_int_equal(stat(s->stoc, "Misses"), keeps ? 208 : 216);
      destroy(s);
   }
}

/* Vertices one after the other share lines: each line is read once, and an attribute across a
 * boundary counts as split.
 */
static void
test_each_line_is_read_once(void **state)
{
   (void)state;
   struct streamer *s = create(0);
   add_draw(s, &(struct attila_cmd_draw){
                   .prim = ATTILA_PRIM_TRIANGLES, .count = 3 * 64, .num_instances = 1});
   run(s);
   /* 192 * 12 bytes are 9 lines of 256; one more for the instance data. */
   assert_int_equal(stat(s->sl, "MemTransactions"), 10 * 256 / 64);
   assert_int_equal(stat(s->sl, "MissesFetch_FC_InC"), 10);
   /* 256 is no multiple of 12: of the 8 boundaries inside, those at 768 and 1536 are also vertex
    * boundaries. */
   assert_int_equal(stat(s->sl, "SplittedAttributes"), 6);
   assert_int_equal(stat(s->sl, "ReadBytes"), 10 * 256);
   assert_int_equal(stat(s->sl, "ReadBytes_FC_InC"), 192 * (12 + 4));
   assert_int_equal(stat(s->sl, "MappedAttributes"), 2);
   destroy(s);
}

/* One vertex per cycle leaves when nothing is in the way: latency of the first, then the rate. */
static void
test_one_vertex_per_cycle_leaves(void **state)
{
   (void)state;
   struct streamer *s = create(0);
   s->shade_min = 20;
   s->shade_spread = 0;
   s->gpu->config.streamer.output_memory = s->gpu->config.streamer.output_fifo = 512;
   add_draw(s, &(struct attila_cmd_draw){
                   .prim = ATTILA_PRIM_TRIANGLES, .count = 600, .num_instances = 1});
   run(s);
   /* The source sends in cycle 1; StF 4, StOC 5, SL looks up its two lines in 7, requests them in 8
    * and 9, and has them in 20 and 21. A line is written in two cycles, 256 bytes through 8 ports
    * of 16, so the second is converted in 24; the shader has the vertex from 25 to 45, StC puts it
    * on a bus in 46, and it leaves in 47. */
   assert_int_equal(s->first, 48);
   /* 600 vertices and the end. 28 line fills of 11 cycles hide behind 21 vertices each. */
   assert_int_equal(s->last, s->first + 600);
   destroy(s);
}

/* A vertex holds a bus to primitive assembly for as many cycles as its outputs take, on each of
 * VerticesCycle buses another one. */
static void
test_vertex_holds_its_bus_for_its_outputs(void **state)
{
   (void)state;
   static const char two[] = ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n",
                     seven[] = ".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o6, i1\nEND\n";
   const struct {
      const char *vs;
      uint32_t rate, buses;
      sim_tick cycles; /* of a vertex on its bus */
   } cases[] = {
       {two, 16, 1, 1},  {two, 2, 1, 1},   {two, 1, 1, 2},   {seven, 16, 1, 1}, {seven, 4, 1, 2},
       {seven, 3, 1, 3}, {seven, 1, 1, 7}, {seven, 1, 2, 7}, {seven, 1, 4, 7},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct streamer *s = create(0);
      struct sim_config *c = &s->gpu->config;
      emul_program_destroy(s->vs);
      s->vs = bench_program(cases[i].vs);
      s->shade_spread = 0;
      c->streamer.attributes_sent = cases[i].rate;
      c->streamer.vertices_cycle = c->streamer.loader_indices = cases[i].buses;
      /* In one line of the input cache: as many are loaded in a cycle as there are buses. */
      add_draw(s, &(struct attila_cmd_draw){
                      .prim = ATTILA_PRIM_POINTS, .count = 16, .num_instances = 1});
      run(s);
      /* As in test_one_vertex_per_cycle_leaves, but for the time on the bus. */
      assert_int_equal(s->first, 47 + cases[i].cycles);
      /* So many at once, and the end one cycle behind the last. */
      assert_int_equal(s->last, s->first + (16 / cases[i].buses - 1) * cases[i].cycles + 1);
      destroy(s);
   }
}

/* A small draw with one thing too few: which statistic counts, and for how long. Times as in
 * test_one_vertex_per_cycle_leaves. */
static void
test_each_shortage_has_its_statistic(void **state)
{
   (void)state;
   static const struct {
      const char *box, *name;
      uint32_t vertices, index_size, entries, fifo, lines, requests, expected;
   } cases[] = {
       /* StC knows of the vertex in 6 and can send it in 46. */
       {"StC", "StallsShading", 1, 0, 64, 64, 32, 8, 40},
       /* The first line, of two, is looked up in 7 and written until 22, the second until 24; the
          conversion looks for them from 8 on, and reads the first one in 22. */
       {"SL#", "StallsAttributeData", 1, 0, 64, 64, 32, 8, 15},
       /* Every cycle eight attempts, of which one in 22 is the first line's. */
       {"SL#", "NoReads", 1, 0, 64, 64, 32, 8, 8 * 15 + 7},
       /* The second line waits from 7 until the first one is written, or converted: the same. */
       {"SL#", "MissFailReqQueueFetch_FC_InC", 1, 0, 64, 64, 32, 1, 7 + 8 * 14},
       {"SL#", "MissFailReserveFetch_FC_InC", 1, 0, 64, 64, 1, 8, 7 + 8 * 14},
       {"SL#", "NoFetches", 1, 0, 64, 64, 1, 8, 7 + 8 * 14},
       /* The fifth index is looked up in 9; the first vertex leaves StC in 46, which StOC sees
          in 47. */
       {"StOC", "StallsNoEntry", 5, 0, 4, 64, 32, 8, 38},
       {"StOC", "StallsOutput", 5, 0, 64, 4, 32, 8, 38},
       /* Indices are asked for in 4 and back in 16. */
       {"StF", "StallsIndexData", 1, 1, 64, 64, 32, 8, 12},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct streamer *s = create(0);
      struct sim_config *c = &s->gpu->config;
      s->shade_spread = 0;
      c->streamer.output_memory = cases[i].entries;
      c->streamer.output_fifo = cases[i].fifo;
      c->streamer.cache_lines = cases[i].lines;
      c->streamer.cache_requests = cases[i].requests;
      add_draw(s, &(struct attila_cmd_draw){.prim = ATTILA_PRIM_POINTS,
                                            .count = cases[i].vertices,
                                            .index_size = cases[i].index_size,
                                            .index_address = INDICES,
                                            .num_instances = 1});
      run(s);
      /* It says so once, behind the four vertices that have a place. */
      const struct msg_stand *stand = sim_next(&s->gpu->net.stoc_ffu[0]);
      assert_int_equal(stand ? stand->vertices : 0, strcmp(cases[i].box, "StOC") ? 0 : 4);
      struct sim_box *boxes[] = {s->stf, s->stoc, s->sl, s->stc};
      unsigned b = 0;
      while (strcmp(boxes[b]->cls->unit, cases[i].box))
         b++;
      assert_int_equal(stat(boxes[b], cases[i].name), cases[i].expected);
      /* Only what has too few entries, or too little room, waits for them. */
      assert_int_equal(stat(s->stoc, "StallsNoEntry") != 0, cases[i].entries < cases[i].vertices);
      assert_int_equal(stat(s->stoc, "StallsOutput") != 0, cases[i].fifo < cases[i].vertices);
      destroy(s);
   }
}

/* Several loaders share the vertices of a draw: each reads its lines itself and sends the end. */
static void
test_loaders_share_the_vertices(void **state)
{
   (void)state;
   uint64_t trace = 0;
   for (uint32_t seed = 0; seed < 3; seed++) {
      struct streamer *s = create(seed);
      struct sim_config *c = &s->gpu->config;
      c->streamer.loaders = MAX_LOADERS;
      c->streamer.indices_cycle = MAX_LOADERS;
      c->streamer.output_memory = c->streamer.output_fifo = 512;
      mixed_draws(s);
      run(s);
      uint64_t vertices = 0;
      for (unsigned l = 0; l < MAX_LOADERS; l++) {
         assert_true(stat(s->loader[l], "Inputs") > 0);
         vertices += stat(s->loader[l], "Inputs");
      }
      assert_int_equal(vertices, stat(s->stoc, "Misses"));
      assert_int_equal(s->num_ends, MAX_LOADERS * s->num_draws);
      assert_true(!trace || s->trace == trace); /* whatever the order of the boxes */
      trace = s->trace;
      destroy(s);
   }
}

/* The cycle in which the last of 16 vertices has left. */
static sim_tick
time_of(uint32_t port_width, uint32_t input_queue, uint32_t loader_indices)
{
   struct streamer *s = create(0);
   struct sim_config *c = &s->gpu->config;
   s->shade_spread = 0;
   c->streamer.indices_cycle = c->streamer.vertices_cycle = 4;
   c->streamer.port_width = port_width;
   c->streamer.cache_input = input_queue;
   c->streamer.loader_indices = loader_indices;
   add_draw(s,
            &(struct attila_cmd_draw){.prim = ATTILA_PRIM_POINTS, .count = 16, .num_instances = 1});
   run(s);
   sim_tick last = s->last;
   destroy(s);
   return last;
}

static void
test_each_loader_key_costs_its_cycles(void **state)
{
   (void)state;
   sim_tick usual = time_of(16, 8, 4);
   /* Two lines one after the other, through 8 ports of 4 bytes: 8 cycles instead of 2 each. Of the
    * 8 attempts of a cycle every other one notes that a vertex is complete; 12 bytes of a vertex
    * hold a port for 3 cycles, so 16 vertices and the end take 2 cycles more. */
   assert_int_equal(time_of(4, 8, 4), usual + 2 * 6 + 2);
   /* The second line is not asked for before the first one is written: 17 + 2 - 5 cycles later
    * than the first, not one. */
   assert_int_equal(time_of(16, 1, 4), usual + 12);
   /* One vertex a cycle instead of four, each complete in time, and the end with the last. */
   assert_int_equal(time_of(16, 8, 1), usual + 12 - 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_order_and_data),
       cmocka_unit_test(test_smallest_and_widest_streamers_agree),
       cmocka_unit_test(test_post_shading_cache),
       cmocka_unit_test(test_cache_keeps_released_vertices),
       cmocka_unit_test(test_each_line_is_read_once),
       cmocka_unit_test(test_one_vertex_per_cycle_leaves),
       cmocka_unit_test(test_vertex_holds_its_bus_for_its_outputs),
       cmocka_unit_test(test_each_shortage_has_its_statistic),
       cmocka_unit_test(test_loaders_share_the_vertices),
       cmocka_unit_test(test_each_loader_key_costs_its_cycles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
