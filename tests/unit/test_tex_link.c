/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The way from shaders to texture units: which unit a request goes to, at what rate quads leave,
 * and which boxes a machine's links connect. */
#include "box_bench.h"
#include "box/shader/tex_link.h"

#define UNITS 3

static struct {
   struct sim_gpu *gpu;
   struct sim_box *shader;
   struct tex_link link;
   struct shf_thread *thread;
   sim_tick send_at[40];
   unsigned quads, count, sent;
   unsigned unit[40];  /* that each request went to */
   sim_tick begin[40]; /* and when */
   bool takes[UNITS];
} bench;

static sim_tick
shader_work(struct mock *m, sim_tick now)
{
   while (bench.sent < bench.count && bench.send_at[bench.sent] <= now) {
      bench.thread->emul.tex.mask = (uint16_t)((1u << bench.quads * 4) - 1);
      if (!tex_link_room(&bench.link, bench.shader, now))
         return now + 1;
      tex_link_send(&bench.link, bench.shader, bench.thread, 7, now);
      bench.unit[bench.sent++] = bench.link.unit;
   }
   return bench.sent < bench.count ? bench.send_at[bench.sent] : SIM_NEVER;
}

static sim_tick
unit_work(struct mock *m, sim_tick now)
{
   unsigned i = (unsigned)(uintptr_t)m->user;
   struct sim_signal *in = &m->box.gpu->net.shdx_tu[i];
   const struct msg_tex *r;
   while (bench.takes[i] && (r = sim_peek(in, now))) {
      assert_ptr_equal(r->thread, bench.thread);
      assert_int_equal(r->work_id, 7);
      /* Requests of one unit arrive in order; the one that is read was sent at its begin or before.
       */
      for (unsigned n = 0; n < bench.sent; n++) {
         if (bench.unit[n] == i && !bench.begin[n]) {
            bench.begin[n] = r->begin;
            break;
         }
      }
      sim_pop(in, now);
   }
   return SIM_NEVER;
}

static void
run(unsigned rate, unsigned group, unsigned quads, unsigned count, const sim_tick *send_at)
{
   memset(&bench, 0, sizeof(bench));
   bench.gpu = bench_create(0);
   struct sim_gpu *g = bench.gpu;
   g->config.gpu.num_shaders = 1;
   g->config.shader.tex_units = UNITS;
   g->config.shader.tex_queue = sim_shader_lanes(&g->config) / 2; /* two requests of a link */
   g->config.shader.tex_request_rate = rate;
   g->config.shader.tex_request_group = group;
   bench.thread = aligned_alloc(64, (sizeof(*bench.thread) + 63) & ~(size_t)63);
   bench.quads = quads;
   bench.count = count;
   memcpy(bench.send_at, send_at, count * sizeof(*send_at));
   bench.shader = bench_mock(g, shader_work, NULL);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {BENCH_BOX(shdx, bench.shader),
                                                        BENCH_BOX(tu, NULL)};
   boxes[NETLIST_tu].count = UNITS;
   for (unsigned i = 0; i < UNITS; i++) {
      struct sim_box *unit = bench_mock(g, unit_work, (void *)(uintptr_t)i);
      boxes[NETLIST_tu].box[i] = unit;
      bench.takes[i] = true;
   }
   bench_connect(g, boxes);
}

static void
finish(void)
{
   struct sim_gpu *g = bench.gpu;
   bench_start_and_run(g, bench.shader);
   free(bench.thread);
   bench_destroy(g);
}

/* A unit gets its group, and then what follows without a gap, too. */
static void
units_take_turns(void **state)
{
   /* 4 quads a request, 1 a cycle: 10, 14 and 18 leave without a gap, 30 does not. */
   static const sim_tick at[] = {10, 14, 18, 30, 35, 60, 100, 140};
   static const unsigned unit[] = {0, 0, 0, 1, 1, 2, 2, 0};
   run(1, 8, 4, 8, at);
   finish();
   assert_int_equal(bench.sent, 8);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(bench.unit[i], unit[i]);
      assert_int_equal(bench.begin[i], at[i]);
   }
}

/* Requests that come faster than quads leave follow one another. */
static void
quads_leave_at_their_rate(void **state)
{
   static const sim_tick at[] = {10, 11, 12, 40, 41};
   static const sim_tick slow[] = {10, 14, 18, 40, 44}, fast[] = {10, 12, 14, 40, 42};
   run(1, 1000, 4, 5, at);
   finish();
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(bench.begin[i], slow[i]);
   run(2, 1000, 4, 5, at);
   finish();
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(bench.begin[i], fast[i]);
}

/* A unit that takes nothing holds the shader up until the next one's turn. */
static void
a_full_unit_is_left(void **state)
{
   static const sim_tick at[] = {10, 11, 12, 13};
   run(1, 8, 4, 4, at);
   bench.takes[0] = false;
   finish();
   assert_int_equal(bench.sent, 4);
   assert_int_equal(bench.unit[1], 0);
   assert_int_equal(bench.unit[2], 1); /* the first one holds two */
   assert_int_equal(bench.begin[2], 19);
}

/* Every shader reaches its own units, or every one of those they share. */
static void
links_of_a_machine(void **state)
{
   static const struct {
      unsigned shaders, units, shared, num_units, num_links;
   } cases[] = {
       {3, 1, 0, 3, 3}, {3, 2, 0, 6, 6}, {3, 2, 1, 1, 3}, {3, 1, 2, 2, 6}, {2, 1, 4, 4, 8}};
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      struct sim_gpu *g = bench_create(0);
      g->config.gpu.num_shaders = cases[k].shaders;
      g->config.shader.tex_units = cases[k].units;
      g->config.shader.tex_shared = cases[k].shared;
      unsigned units = NUM_TEX_UNITS(&g->config), links = NUM_TEX_LINKS(&g->config),
               each = TEX_UNITS_OF_SHADER(&g->config);
      assert_int_equal(units, cases[k].num_units);
      assert_int_equal(links, cases[k].num_links);
      sim_netlist_build(g);
      for (unsigned l = 0; l < links; l++) {
         const struct sim_signal *request = &g->net.shdx_tu[l], *result = &g->net.tu_shf[l];
         assert_int_equal(request->sender->instance, l / each);
         assert_int_equal(request->receiver->instance, l % units);
         assert_int_equal(result->sender->instance, l % units);
         assert_int_equal(result->receiver->instance, l / each);
         if (!cases[k].shared)
            assert_int_equal(request->receiver->instance / each, l / each);
      }
      char name[32];
      const struct sim_box *last = g->net.tu_mc[units - 1].sender;
      snprintf(name, sizeof(name), "TU-FS%uTU%u", (units - 1) / each, (units - 1) % each);
      assert_string_equal(last->name, name);
      bench_destroy(g);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(units_take_turns),
       cmocka_unit_test(quads_leave_at_their_rate),
       cmocka_unit_test(a_full_unit_is_left),
       cmocka_unit_test(links_of_a_machine),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
