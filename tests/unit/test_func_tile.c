/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The depth test of whole tiles, in every variant this host can run, against the same test quad by quad.
 */
#include "func/sim_func_impl.h"
#include "raster_state.h"

static void
same_as_quads(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   unsigned passed = 0, failed = 0;
   state_regs(&regs, 64, 64);
   regs.zs_address = 4096;
   regs.zs_format = ATTILA_FORMAT_Z24S8;
   regs.zs_pitch_tiles = 8;
   regs.z_test = regs.z_write = 1;
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   for (unsigned round = 0; round < 20000; round++) {
      struct emul_vertex v[3];
      struct emul_primitive prim = {.num_vertices = 3, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint32_t stipple = 0, expected[64], start[64];
      state.regs.z_func = round & 7;
      state.z_write = round >> 3 & 1;
      for (unsigned i = 0; i < 3; i++)
         window_vertex(&regs, &v[i], random_double(-10, 80), random_double(-10, 80), round & 64 ? 0.5 : random_double(0, 1),
                       random_double(0.5, 2));
      if (!emul_setup(&state, &prim, &stipple, s, &result))
         continue;
      int32_t x = (int32_t)(random_u32() & 56), y = (int32_t)(random_u32() & 56);
      uint64_t coverage = (uint64_t)random_u32() << 32 | random_u32(), left = 0;
      if (round & 1)
         coverage &= (uint64_t)random_u32() << 16 | 0xf00;
      /* Buffer depths near those of the primitive, so that equal happens. */
      for (unsigned q = 0; q < 16; q++) {
         float z[4];
         emul_quad_depth(&s[0], x + func_quad_x(q), y + func_quad_y(q), 0, 1, z);
         for (unsigned p = 0; p < 4; p++)
            start[4 * q + p] = ((uint32_t)(z[p] * 16777215.0f) + random_u32() % 3 - 1) % 16777216 | random_u32() << 24;
      }
      memcpy(expected, start, sizeof(start));
      for (unsigned q = 0; q < 16; q++) {
         float z[4];
         emul_quad_depth(&s[0], x + func_quad_x(q), y + func_quad_y(q), 0, 1, z);
         left |= (uint64_t)emul_zs_quad(&state, true, coverage >> 4 * q & 15, z, (uint8_t *)&expected[4 * q]) << 4 * q;
      }
      passed += (unsigned)__builtin_popcountll(left);
      failed += (unsigned)__builtin_popcountll(coverage & ~left);
      for (unsigned n = 0; func_tile_z24_get(n); n++) {
         uint32_t zs[64];
         memcpy(zs, start, sizeof(zs));
         assert_true(func_tile_z24_get(n)(&s[0], x, y, coverage, (uint8_t *)zs) == left);
         assert_memory_equal(zs, expected, sizeof(zs));
      }
   }
   assert_true(passed > 100000 && failed > 100000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_quads)};
   return cmocka_run_group_tests_name("func_tile", tests, NULL, NULL);
}
