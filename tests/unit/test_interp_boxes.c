/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The interpolator alone between mock neighbours: order, and how fast quads with many inputs
 * pass. */
#include "rop_bench.h"

extern const struct sim_box_class interp_class;

/* Draws that take both ways arrive in order at every ROP, whatever the delays. */
static void
run_interp(uint32_t order, unsigned slow, sim_tick *end)
{
   struct bench b;
   bench_open(&b, order);
   struct sim_gpu *gpu = b.gpu;
   gpu->config.gpu.num_rops = 2;
   b.box = sim_box_create(&gpu->kernel, gpu, &interp_class, -1);
   BENCH_CONNECT(gpu, BENCH_BOX(hz, b.driver), BENCH_BOX(zst, b.driver), BENCH_BOX(interp, b.box),
                 BENCH_BOX(ffu, b.driver));
   for (unsigned r = 0; r < 2; r++) {
      b.out[b.num_out++] = &gpu->net.interp_ffu[r];
   }
   b.sink_period = order % 3 + 1;
   /* Draws 0 and 2 are tested early, 1 and 3 are not. */
   for (unsigned n = 0; n < 4; n++) {
      bind(&b.draw[n], 1, ATTILA_FORMAT_Z24S8, 0);
      b.draw[n].state.z_test = n % 2 == 0;
      b.draw[n].state.num_fs_inputs = 0;
      for (unsigned r = 0; r < 2; r++) {
         struct sim_signal *path = n % 2 ? &gpu->net.hz_interp[r] : &gpu->net.zst_interp[r];
         for (unsigned i = 0; i < 5; i++)
            push_quad(&b, path, &b.draw[n], (int32_t)(2 * i), 0, 0.0f)->rop = (uint8_t)r;
         push_end(&b, &gpu->net.hz_interp[r], &b.draw[n]);
      }
      /* The end of the way through the ZST comes late, after quads of the next draw on the direct
       * way. */
      if (n % 2) {
         for (unsigned r = 0; r < 2; r++) {
            push_end(&b, &gpu->net.zst_interp[r], &b.draw[n - 1]);
            b.items[b.num_items - 1].earliest = 50 * n + slow;
         }
      }
   }
   bench_run(&b);
   for (unsigned r = 0; r < 2; r++) {
      unsigned draw = 0, quads = 0;
      for (unsigned i = 0; i < b.num_log; i++) {
         if (b.log[i].signal != &gpu->net.interp_ffu[r])
            continue;
         const struct msg_quad *m = &b.log[i].quad;
         assert_ptr_equal(m->draw, &b.draw[draw]);
         if (m->end) {
            assert_int_equal(quads, 5);
            draw++;
            quads = 0;
         } else {
            assert_int_equal(m->quad->x, 2 * quads);
            assert_int_equal(m->quad->rop, r);
            quads++;
         }
      }
      assert_int_equal(draw, 4);
   }
   *end = b.log[b.num_log - 1].tick;
   free_logged(&b);
   bench_close(&b);
}

static void
test_quads_leave_in_draw_order(void **unused)
{
   (void)unused;
   sim_tick end, first[3];
   for (uint32_t order = 0; order < 12; order++) {
      run_interp(order, order / 3 % 2 ? 30 : 0, &end);
      run_interp(order % 3, 10, &first[order % 3]);
      run_interp(order, 10, &end);
      assert_int_equal(end, first[order % 3]);
   }
}

/* Full quads of one draw with so many inputs at each ROP, all there from the beginning: cycles from
 * the first to the last that arrives behind the interpolator. */
static sim_tick
run_time(unsigned rops, unsigned quads, unsigned inputs, uint32_t stamps, uint32_t units)
{
   struct bench b;
   bench_open(&b, 0);
   struct sim_gpu *gpu = b.gpu;
   gpu->config.gpu.num_rops = rops;
   gpu->config.rast.tiles_cycle = stamps;
   gpu->config.rast.interpolators = units;
   b.box = sim_box_create(&gpu->kernel, gpu, &interp_class, -1);
   bind(&b.draw[0], 1, ATTILA_FORMAT_Z24S8, 0);
   b.draw[0].state.num_fs_inputs = inputs;
   for (unsigned i = 0; i < inputs; i++)
      b.draw[0].state.fs_inputs[i].index = (uint8_t)i;
   struct emul_vertex vertex = {0};
   BENCH_CONNECT(gpu, BENCH_BOX(hz, b.driver), BENCH_BOX(zst, b.driver), BENCH_BOX(interp, b.box),
                 BENCH_BOX(ffu, b.driver));
   for (unsigned r = 0; r < rops; r++) {
      b.out[b.num_out++] = &gpu->net.interp_ffu[r];
      for (unsigned i = 0; i < quads; i++) {
         struct sim_quad *q =
             push_quad(&b, &gpu->net.hz_interp[r], &b.draw[0], (int32_t)(2 * i), 0, 0.0f);
         q->prim = sim_pool_alloc(&gpu->prims);
         memset(q->prim, 0, sizeof(*q->prim));
         q->prim->refs = 1;
         q->prim->draw = &b.draw[0];
         q->prim->setup.state = &b.draw[0].state;
         for (unsigned v = 0; v < 3; v++)
            q->prim->setup.v[v] = &vertex;
      }
   }
   bench_run(&b);
   assert_int_equal(b.num_log, rops * quads);
   assert_int_equal(stat(b.box, "InterpolatedQuads"), rops * quads);
   assert_int_equal(stat(b.box, "InterpolatedInputs"), rops * quads * inputs);
   sim_tick time = b.log[b.num_log - 1].tick - b.log[0].tick;
   free_logged(&b);
   bench_close(&b);
   return time;
}

/* StampsPerCycle quads of all ROPs together begin at once; the next ones when all inputs of those
 * are done, NumInterpolators of each a cycle. */
static void
test_inputs_decide_when_the_next_quads_start(void **unused)
{
   (void)unused;
   static const struct {
      unsigned rops, inputs;
      uint32_t stamps, units;
      sim_tick cycles; /* from the first quads to the next ones */
   } cases[] = {
       {1, 0, 1, 4, 1}, {1, 1, 1, 4, 1}, {1, 4, 1, 4, 1},   {1, 5, 1, 4, 2}, {1, 10, 1, 4, 3},
       {1, 5, 2, 4, 2}, {1, 5, 4, 4, 2}, {1, 10, 4, 1, 10}, {2, 5, 2, 4, 2}, {2, 4, 2, 4, 1},
   };
   const unsigned quads = 24;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      unsigned rounds = cases[i].rops * quads / cases[i].stamps;
      assert_int_equal(
          run_time(cases[i].rops, quads, cases[i].inputs, cases[i].stamps, cases[i].units),
          (rounds - 1) * cases[i].cycles);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_quads_leave_in_draw_order),
       cmocka_unit_test(test_inputs_decide_when_the_next_quads_start)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
