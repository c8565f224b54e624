/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fast paths, in every variant this host can run, against the plain ones: the depth test of whole
 * tiles, interpolation of several quads, edge functions of a tile, window coordinates of a group of
 * vertices. */
#include <math.h>
#include "emul/raster/emul_setup_impl.h"
#include "func/sim_func_impl.h"
#include "raster_state.h"

#define SIZE 64

/* A depth test of a tile by every variant, and quad by quad, with buffer depths near those of the
 * primitive, so that equal happens. Adds to the pixels that passed and failed. */
static void
check_tile(const struct emul_setup *s, uint64_t coverage, unsigned *passed, unsigned *failed)
{
   const enum attila_format format = (enum attila_format)s->state->regs.zs_format;
   const unsigned bytes = s->state->zs_format->bytes,
                  depth_bits = s->state->zs_format->channel[0].bits;
   const uint32_t depths = (1u << depth_bits) - 1;
   const int32_t x = (int32_t)(random_u32() & 56), y = (int32_t)(random_u32() & 56);
   uint8_t start[64 * 4], expected[64 * 4], zs[64 * 4];
   uint64_t left = 0;
   float z[16][4];
   for (unsigned q = 0; q < 16; q++)
      emul_quad_depth(s, x + emul_quad_x(q), y + emul_quad_y(q), 0, 1, z[q]);
   for (unsigned i = 0; i < 64; i++) {
      const uint32_t depth = (uint32_t)(z[i / 4][i % 4] * (float)depths) + random_u32() % 3 - 1,
                     element = (depth & depths) | (depth_bits == 24 ? random_u32() << 24 : 0);
      memcpy(start + i * bytes, &element, bytes);
   }
   memcpy(expected, start, sizeof(start));
   for (unsigned q = 0; q < 16; q++)
      left |= (uint64_t)emul_zs_quad(s->state, true, coverage >> 4 * q & 15, z[q],
                                     expected + 4 * q * bytes)
              << 4 * q;
   *passed += (unsigned)__builtin_popcountll(left);
   *failed += (unsigned)__builtin_popcountll(coverage & ~left);
   for (unsigned n = 0; func_tile_z_get(n); n++) {
      memcpy(zs, start, sizeof(zs));
      assert_true(func_tile_z_of(func_tile_z_get(n), format)(s, x, y, coverage, zs) == left);
      assert_memory_equal(zs, expected, 64 * bytes);
   }
}

static void
same_as_quads_in(enum attila_format format)
{
   struct attila_regs regs;
   struct emul_draw_state state;
   unsigned passed = 0, failed = 0;
   state_regs(&regs, 64, 64);
   regs.zs_address = 4096;
   regs.zs_format = format;
   regs.zs_pitch_tiles = 8;
   regs.z_test = regs.z_write = 1;
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   for (unsigned round = 0; round < 20000; round++) {
      struct emul_vertex v[3];
      struct emul_primitive prim = {.num_vertices = 3, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint32_t stipple = 0;
      state.regs.z_func = round & 7;
      state.z_write = round >> 3 & 1;
      for (unsigned i = 0; i < 3; i++)
         window_vertex(&regs, &v[i], random_double(-10, 80), random_double(-10, 80),
                       round & 64 ? 0.5 : random_double(0, 1), random_double(0.5, 2));
      if (!emul_setup(&state, &prim, &stipple, s, &result))
         continue;
      uint64_t coverage = (uint64_t)random_u32() << 32 | random_u32();
      if (round & 1)
         coverage &= (uint64_t)random_u32() << 16 | 0xf00;
      check_tile(&s[0], coverage, &passed, &failed);
   }
   assert_true(passed > 100000 && failed > 100000);
}

static void
same_as_quads(void **unused __attribute__((unused)))
{
   same_as_quads_in(ATTILA_FORMAT_Z24S8);
   same_as_quads_in(ATTILA_FORMAT_Z24X8_UNORM);
   same_as_quads_in(ATTILA_FORMAT_Z16_UNORM);
}

/* What the program does not read may be anything. */
static void
clear_unread(const struct emul_draw_state *state, struct emul_vec4 *inputs)
{
   for (unsigned i = 0; i < state->num_fs_inputs; i++) {
      const struct emul_fs_input *in = &state->fs_inputs[i];
      for (unsigned c = 0; c < 4; c++) {
         if (!(in->components >> c & 1))
            memset(inputs[in->index].c[c], 0, sizeof(inputs[in->index].c[c]));
      }
   }
}

/* Several quads at once, and every variant of the edge evaluation: the same bits as the plain ones.
 */
/* inputs, but for what is made from components. */
static void
forget_components(const struct emul_components *components, const struct emul_vec4 *inputs,
                  struct emul_vec4 *rest)
{
   memcpy(rest, inputs, ATTILA_ISA_MAX_INPUTS * sizeof(*rest));
   for (unsigned n = 0; n < components->end[1]; n++) {
      const struct emul_component *c = &components->list[n];
      memset(rest[c->input].c[c->component], 0, sizeof(rest->c[0]));
   }
}

/* Every fast way to interpolate inputs of four quads, or of a square of them, gives what quads
 * give. */
static void
same_four(const struct emul_setup *s, bool square)
{
   static struct emul_vec4 one[ATTILA_ISA_MAX_INPUTS], four[ATTILA_ISA_MAX_INPUTS];
   static struct emul_components components;
   const uint32_t at = square ? ~3u : ~1u;
   int32_t x[4], y[4];
   memset(one, 0, sizeof(one));
   for (unsigned q = 0; q < 4; q++) {
      const bool follows = q && square;
      x[q] = follows ? x[0] + emul_quad_x(q) : (int32_t)(random_u32() % SIZE & at);
      y[q] = follows ? y[0] + emul_quad_y(q) : (int32_t)(random_u32() % SIZE & at);
      emul_quad_interpolate(s, x[q], y[q], q, one);
   }
   clear_unread(s->state, one);
   emul_components_of(s, &components);
   memset(four, 0, sizeof(four));
   if (square)
      emul_square_interpolate(s, &components, x[0], y[0], four);
   else
      emul_four_interpolate(s, &components, x, y, four);
   clear_unread(s->state, four);
   assert_memory_equal(one, four, sizeof(one));
   const struct emul_interpolator *by;
   for (unsigned k = 0; (by = emul_interpolator_get(k)); k++) {
      forget_components(&components, one, four);
      if (square)
         by->square(s, &components, x[0], y[0], four);
      else
         by->four(s, &components, x, y, four);
      clear_unread(s->state, four);
      assert_memory_equal(one, four, sizeof(one));
   }
}

static void
fast_paths_agree(void **unused __attribute__((unused)))
{
   static struct emul_vec4 one[ATTILA_ISA_MAX_INPUTS], many[ATTILA_ISA_MAX_INPUTS];
   struct attila_regs regs;
   struct emul_draw_state all, some, state;
   state_regs(&regs, SIZE, SIZE);
   regs.fs_input[0].source = ATTILA_FS_POSITION;
   for (unsigned i = 1; i < 4; i++)
      regs.fs_input[i] = (struct attila_fs_input_regs){.output = i, .interp = i - 1};
   state_init(&all, &regs, ATTILA_PRIM_TRIANGLES,
              ".fragment\nADD r0, i0, i1\nADD r0, r0, i2\nADD o0, r0, i3\nEND\n");
   state_init(&some, &regs, ATTILA_PRIM_TRIANGLES,
              ".fragment\nMUL r0, i0.z, i1.wwyy\nDP2 r0.x, i2, r0\nADD o0.xz, r0.x, i3\nEND\n");
   const uint8_t read[4] = {4, 10, 3, 5};
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(all.fs_inputs[i].components, 15);
      assert_int_equal(some.fs_inputs[i].components, read[i]);
   }
   for (unsigned round = 0; round < 5000; round++) {
      state = round & 8 ? some : all;
      struct emul_vertex v[3];
      struct emul_primitive prim = {.num_vertices = (uint8_t)(1 + round % 3),
                                    .edges = 7,
                                    .v = {&v[0], &v[1], &v[2]},
                                    .flat = &v[1]};
      struct emul_setup s[EMUL_MAX_SETUP];
      enum emul_setup_result result;
      uint32_t stipple = 0;
      for (unsigned i = 0; i < 3; i++) {
         window_vertex(&regs, &v[i], random_double(0, SIZE), random_double(0, SIZE), 0.5,
                       random_double(0.5, 3));
         for (unsigned c = 4; c < 16; c++)
            v[i].out[c / 4][c % 4] = (float)random_double(-1, 1);
      }
      if (emul_setup(&state, &prim, &stipple, s, &result)) {
         unsigned count = 1 + random_u32() % 4, first = random_u32() % (5 - count);
         int32_t x[4], y[4];
         memset(one, 0, sizeof(one));
         for (unsigned i = 0; i < count; i++) {
            const bool square = i && round & 16; /* as neighbours in a tile are */
            x[i] = square ? x[0] + 2 * (int32_t)(i & 1) : (int32_t)(random_u32() % SIZE & ~1u);
            y[i] = square ? y[0] + (int32_t)(i & 2) : (int32_t)(random_u32() % SIZE & ~1u);
            emul_quad_interpolate(&s[0], x[i], y[i], first + i, one);
         }
         for (unsigned k = 0; emul_interpolator_get(k); k++) {
            memset(many, 0, sizeof(many));
            emul_interpolator_get(k)->quads(&s[0], count, x, y, first, many);
            clear_unread(&state, one);
            clear_unread(&state, many);
            assert_memory_equal(one, many, sizeof(one));
         }
         same_four(&s[0], true);
         same_four(&s[0], false);
      }
      int32_t a[4], b[4], e[4];
      for (unsigned i = 0; i < 4; i++) {
         a[i] = (int32_t)random_double(-100, 100) * (1 << random_u32() % 17);
         b[i] = (int32_t)random_double(-100, 100) * (1 << random_u32() % 17);
         e[i] = -(int32_t)(random_double(0, 7) * a[i] + random_double(0, 7) * b[i]);
      }
      unsigned n = 1 + random_u32() % 4;
      uint64_t mask = random_u32() | (uint64_t)random_u32() << 32, expected = 0;
      if (round & 1)
         mask &= 0xff00000000f000ull;
      for (uint32_t p = 0; p < 64; p++) {
         int32_t x = (int32_t)p % 8, y = (int32_t)p / 8;
         bool in = true;
         for (unsigned i = 0; i < n; i++)
            in &= e[i] + a[i] * x + b[i] * y >= 0;
         expected |= (uint64_t)in << attila_morton8((uint32_t)x, (uint32_t)y);
      }
      for (unsigned k = 0; emul_edge_mask_get(k); k++)
         assert_true(emul_edge_mask_get(k)(n, a, b, e, mask) == (expected & mask));
   }
}

static float
random_position(void)
{
   static const float strange[] = {0.0f, -0.0f, 1e-40f, -1e30f, 1e38f, INFINITY, -INFINITY, NAN, 1};
   return random_u32() % 8 ? (float)random_double(-3, 3)
                           : strange[random_u32() % (sizeof(strange) / sizeof(strange[0]))];
}

static void
group_and_single_window_coordinates_agree(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   unsigned inside = 0;
   state_regs(&regs, SIZE, SIZE);
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   for (unsigned round = 0; round < 20000; round++) {
      struct emul_vec4 position;
      const unsigned count = 1 + random_u32() % EMUL_LANES;
      state.regs.depth_clip = random_u32() & 1;
      state.regs.clip_halfz = random_u32() & 1;
      for (unsigned i = 0; i < 4 * EMUL_LANES; i++)
         position.c[i / EMUL_LANES][i % EMUL_LANES] = random_position();
      for (unsigned k = 0; emul_windows_get(k); k++) {
         struct emul_window out[EMUL_LANES + 1][2];
         memset(out, 0x5a, sizeof(out));
         emul_windows_get(k)(&state, &position, count, &out[0][0], sizeof(out[0]));
         for (unsigned i = 0; i < count; i++) {
            const float p[4] = {position.c[0][i], position.c[1][i], position.c[2][i],
                                position.c[3][i]};
            struct emul_window one;
            emul_window_of(&state, p, &one);
            assert_int_equal(out[i][0].outcode, one.outcode);
            assert_int_equal(out[i][0].unused, 0);
            assert_int_equal(((uint8_t *)&out[i][1])[0], 0x5a);
            if (one.outcode & EMUL_OUTSIDE_W)
               continue; /* the others mean nothing */
            assert_int_equal(out[i][0].x, one.x);
            assert_int_equal(out[i][0].y, one.y);
            assert_true(out[i][0].rw == one.rw);
            assert_true(out[i][0].z == one.z || (isnan(out[i][0].z) && isnan(one.z)));
            inside += !one.outcode;
         }
         assert_int_equal(((uint8_t *)&out[count][0])[0], 0x5a);
      }
   }
   assert_true(inside > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_quads),
                                      cmocka_unit_test(fast_paths_agree),
                                      cmocka_unit_test(group_and_single_window_coordinates_agree)};
   return cmocka_run_group_tests_name("func_tile", tests, NULL, NULL);
}
