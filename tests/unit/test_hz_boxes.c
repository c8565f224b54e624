/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z and interpolator, each alone between mock neighbours.
 */
#include "rop_bench.h"

extern const struct sim_box_class hz_class, interp_class;

/* --- Hierarchical Z --- */

static void
hz_bench(struct bench *b, unsigned rops, uint32_t order)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.gpu.num_rops = rops;
   b->box = sim_box_create(&gpu->kernel, gpu, &hz_class, -1);
   BENCH_SIGNAL(gpu, tt_hz, b->driver, b->box, msg_tile, 2, 1, 64);
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
}

/* A tile at constant depth. */
static struct item *
push_tile(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, float z, uint64_t coverage)
{
   struct sim_prim *p = sim_pool_alloc(&b->gpu->prims);
   memset(p, 0, sizeof(*p));
   p->refs = 1;
   p->draw = d;
   p->setup.state = &d->state;
   p->setup.z[0] = (double)z;
   p->setup.zmax = 1.0f;
   struct item *it = push(b, b->gpu->net.tt_hz);
   it->m.tile = (struct msg_tile){
       .draw = d, .prim = p, .x = x, .y = y, .coverage = coverage, .slot = d->slot};
   return it;
}

static void
push_tile_end(struct bench *b, struct sim_draw *d)
{
   push(b, b->gpu->net.tt_hz)->m.tile = (struct msg_tile){.draw = d, .slot = d->slot, .end = true};
}

static void
push_update(struct bench *b, uint32_t block, float z, uint32_t epoch, sim_tick at)
{
   struct item *it = push(b, b->gpu->net.zst_hz);
   it->m.hz = (struct msg_hz){.address = ZS, .block = block, .zmax = z, .epoch = epoch};
   it->earliest = at;
}

static unsigned
count_quads(const struct bench *b, const struct sim_draw *d)
{
   unsigned n = 0;
   for (unsigned i = 0; i < b->num_log; i++)
      n += b->log[i].quad.quad && b->log[i].quad.draw == d;
   return n;
}

static void
test_hz_quads(void **unused)
{
   (void)unused;
   struct bench b;
   hz_bench(&b, 2, 0);
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   uint64_t coverage =
       1ull << attila_morton8(3, 6) | 1ull << attila_morton8(2, 7) | 3ull << attila_morton8(6, 0);
   push_tile(&b, d, 8, 16, 0.5f, coverage);
   push_tile(&b, d, 8, 24, 0.5f, ~0ull);
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
   free_logged(&b);
   bench_close(&b);
}

static void
test_hz_culls(void **unused)
{
   (void)unused;
   struct bench b;
   hz_bench(&b, 1, 0);
   for (unsigned i = 0; i < 4; i++) {
      bind(&b.draw[i], 1, ATTILA_FORMAT_Z24S8, 0);
      less(&b.draw[i]);
      b.draw[i].hz_epoch = 1 + i;
   }
   /* After a clear to 0.5 what is behind it is culled, what is in front of it or equal is not. */
   push_command(&b, b.gpu->net.cp_hz, ROP_CLEAR, &b.draw[0].state.regs)->m.rop.depth = 0.5f;
   push_tile(&b, &b.draw[0], 8, 0, 0.6f, ~0ull)->wait_answers = true;
   push_tile(&b, &b.draw[0], 16, 0, 0.5f, ~0ull);
   push_tile(&b, &b.draw[0], 24, 0, 0.4f, ~0ull);
   push_tile_end(&b, &b.draw[0]);
   /* An update of the next draw counts, one marked with an epoch from before the clear does not. */
   push_update(&b, 4, 0.25f, 2, 100);
   b.draw[0].hz_epoch = 1;
   push_tile(&b, &b.draw[1], 32, 0, 0.3f, ~0ull)->earliest = 120;
   push_tile(&b, &b.draw[1], 40, 0, 0.3f, ~0ull);
   push_tile_end(&b, &b.draw[1]);
   /* A draw that raises depth: its tile is unknown afterwards, and updates up to its epoch are
    * void. */
   b.draw[2].state.regs.z_func = ATTILA_FUNC_ALWAYS;
   push_tile(&b, &b.draw[2], 32, 0, 0.9f, ~0ull)->earliest = 140;
   push_tile_end(&b, &b.draw[2]);
   push_update(&b, 4, 0.25f, 3, 160);
   push_update(&b, 5, 0.1f, 2, 160);
   push_tile(&b, &b.draw[3], 32, 0, 0.95f, ~0ull)->earliest = 180;
   push_tile(&b, &b.draw[3], 40, 0, 0.3f, ~0ull);
   push_tile(&b, &b.draw[3], 40, 0, 0.6f, ~0ull);
   push_tile_end(&b, &b.draw[3]);
   bench_run(&b);
   assert_int_equal(count_quads(&b, &b.draw[0]), 32);
   assert_int_equal(count_quads(&b, &b.draw[1]), 16);
   assert_int_equal(count_quads(&b, &b.draw[2]), 16);
   assert_int_equal(count_quads(&b, &b.draw[3]), 32);
   assert_int_equal(stat(b.box, "CulledHZTiles"), 3);
   assert_int_equal(stat(b.box, "VoidUpdates"), 2);
   free_logged(&b);
   bench_close(&b);
}

/* What must not be culled although it is hidden: stencil side effects, other functions, many
 * samples; or after a flush. */
static void
test_hz_does_not_cull(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 6; n++) {
      struct bench b;
      hz_bench(&b, 1, n);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      push_command(&b, b.gpu->net.cp_hz, ROP_CLEAR, &d->state.regs)->m.rop.depth = 0.5f;
      b.draw[1] = b.draw[0];
      d = &b.draw[1];
      d->state.regs.stencil[0].enable = d->state.stencil_test = n == 1 || n == 2;
      d->state.regs.stencil[0].zfail = n == 1 ? ATTILA_STENCIL_INVERT : ATTILA_STENCIL_KEEP;
      d->state.regs.stencil[1] = d->state.regs.stencil[0];
      d->state.regs.stencil[1].enable = n == 2;
      d->state.regs.stencil[1].zfail = ATTILA_STENCIL_KEEP;
      d->state.regs.stencil[1].fail = n == 2 ? ATTILA_STENCIL_ZERO : ATTILA_STENCIL_KEEP;
      if (n == 3)
         d->state.regs.z_func = ATTILA_FUNC_GREATER;
      if (n == 4)
         d->state.z_test = false;
      if (n == 5)
         push_command(&b, b.gpu->net.cp_hz, ROP_FLUSH, &b.draw[0].state.regs);
      push_tile(&b, d, 8, 0, 0.6f, ~0ull)->wait_answers = true;
      push_tile_end(&b, d);
      bench_run(&b);
      assert_int_equal(count_quads(&b, d), n ? 16 : 0);
      /* Without any test the quads go straight to the interpolator. */
      for (unsigned i = 0; i < b.num_log; i++)
         assert_true(!b.log[i].quad.quad ||
                     (b.log[i].signal == &b.gpu->net.hz_interp[0]) == (n == 4));
      free_logged(&b);
      bench_close(&b);
   }
}

/* --- Interpolator --- */

/* Draws that take both ways arrive in order at every ROP, whatever the delays. */
static void
run_interp(uint32_t order, unsigned slow, sim_tick *end)
{
   struct bench b;
   bench_open(&b, order);
   struct sim_gpu *gpu = b.gpu;
   gpu->config.gpu.num_rops = 2;
   b.box = sim_box_create(&gpu->kernel, gpu, &interp_class, -1);
   for (unsigned r = 0; r < 2; r++) {
      sim_signal_init(&gpu->net.hz_interp[r], "hz_interp", b.driver, b.box, sizeof(struct msg_quad),
                      16, 1, 64);
      sim_signal_init(&gpu->net.zst_interp[r], "zst_interp", b.driver, b.box,
                      sizeof(struct msg_quad), 16, 2, 64);
      sim_signal_init(&gpu->net.interp_ffu[r], "interp_ffu", b.box, b.driver,
                      sizeof(struct msg_quad), 2, 2, 64);
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
test_interp_order(void **unused)
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_hz_quads),
       cmocka_unit_test(test_hz_culls),
       cmocka_unit_test(test_hz_does_not_cull),
       cmocka_unit_test(test_interp_order),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
