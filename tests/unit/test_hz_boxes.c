/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, both variants: its quads and their order, what it culls, its surfaces. Not here:
 * time (test_hz_time.c). */
#include "hz_bench.h"

/* --- Quads and their order --- */

static void
test_quads_go_to_the_rop_of_their_tile(void **unused)
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
test_tiles_behind_the_bounds_are_culled(void **unused)
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

/* HZMin: a tile in front of all that was drawn before it need not be read, if it writes all of its
 * block or nothing. */
static void
test_tile_in_front_of_all_is_accepted(void **unused)
{
   static const char *const min[] = {"RASTERIZER.HZMin=TRUE", "RASTERIZER.HZNearest=FALSE", NULL};
   (void)unused;
   for (enum variant v = PAPER; v <= RELEASE; v++) {
      struct bench b;
      hz_bench(&b, v, 1, min);
      push_clear(&b, &b.draw[0], 0.5f);
      push_tile(&b, &b.draw[0], 8, 0, 0.4f, ~0ull)->wait_answers = true; /* accepted */
      push_tile(&b, &b.draw[0], 8, 0, 0.45f, ~0ull);                     /* behind the first */
      push_tile(&b, &b.draw[0], 8, 0, 0.4f, ~0ull);                      /* not in front of it */
      push_tile(&b, &b.draw[0], 8, 0, 0.3f, ~0ull);                      /* accepted */
      push_tile(&b, &b.draw[0], 16, 0, 0.4f, 0xffffull);                 /* leaves something */
      push_tile_end(&b, &b.draw[0]);
      b.draw[1].state.z_write = false;
      push_tile(&b, &b.draw[1], 24, 0, 0.4f, 0xffffull); /* accepted: writes nothing */
      push_tile_end(&b, &b.draw[1]);
      b.draw[2].state.stencil_test = true;
      push_tile(&b, &b.draw[2], 32, 0, 0.4f, ~0ull);
      push_tile_end(&b, &b.draw[2]);
      bench_run(&b);
      assert_int_equal(stat(b.box, "AcceptedQuads"), 16 + 16 + 4);
      finish(&b);
   }
}

/* A draw that leaves farther depths behind makes bounds wider where it draws, and updates that do
 * not know it are void. */
static void
test_farther_depths_widen_the_bounds(void **unused)
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
      /* Only the tile that was not raised and the one behind everything are culled. */
      assert_int_equal(count_quads(&b, &b.draw[2]), 16);
      assert_int_equal(stat(b.box, "CulledHZFragments"), 32);
      assert_int_equal(stat(b.box, "VoidUpdates"), 1);
      finish(&b);
   }
}

/* Not culled although hidden: stencil side effects, other functions, depth from the shader, or a
 * surface written by another unit. */
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
test_greater_is_culled_by_the_nearest_depth(void **unused)
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
test_raised_depth_disables_bounds_without_nearest(void **unused)
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
test_less_is_culled_at_equal_depth(void **unused)
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
test_release_tests_quads_and_paper_tiles(void **unused)
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

/* With four samples a tile has four blocks, a bound each: only when all are near is it hidden as a
 * whole. The release, which tests quads, hides those of a near block. */
static void
test_samples_have_a_bound_per_block(void **unused)
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
      for (unsigned line = 0; line < (n & 2 ? 4 : 3); line++)
         push_update(&b, &b.draw[0], 24, 16, line, 0.25f, 1)->earliest = 100;
      push_tile(&b, &b.draw[1], 24, 16, 0.5f, ~0ull)->earliest = 140;
      push_tile_end(&b, &b.draw[1]);
      bench_run(&b);
      assert_int_equal(stat(b.box, "CulledHZFragments"), n & 2 ? 16 : n & 1 ? 12 : 0);
      finish(&b);
   }
}

/* --- Surfaces --- */

/* Another depth surface in between leaves the bounds alone if it has room of its own. */
static void
test_other_surface_keeps_the_bounds(void **unused)
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
test_updates_of_a_forgotten_surface_are_void(void **unused)
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
test_large_surface_is_tested_where_it_has_room(void **unused)
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
test_culled_tiles_fail_the_depth_test(void **unused)
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
       cmocka_unit_test(test_quads_go_to_the_rop_of_their_tile),
       cmocka_unit_test(test_tiles_behind_the_bounds_are_culled),
       cmocka_unit_test(test_tile_in_front_of_all_is_accepted),
       cmocka_unit_test(test_farther_depths_widen_the_bounds),
       cmocka_unit_test(test_does_not_cull),
       cmocka_unit_test(test_greater_is_culled_by_the_nearest_depth),
       cmocka_unit_test(test_raised_depth_disables_bounds_without_nearest),
       cmocka_unit_test(test_less_is_culled_at_equal_depth),
       cmocka_unit_test(test_release_tests_quads_and_paper_tiles),
       cmocka_unit_test(test_samples_have_a_bound_per_block),
       cmocka_unit_test(test_other_surface_keeps_the_bounds),
       cmocka_unit_test(test_large_surface_is_tested_where_it_has_room),
       cmocka_unit_test(test_updates_of_a_forgotten_surface_are_void),
       cmocka_unit_test(test_culled_tiles_fail_the_depth_test),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
