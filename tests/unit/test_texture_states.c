/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture sampling, the invariants that hold for every state, however strange: plan and filter give
 * the same bits as sample on every host instruction set, a compact copy of the texels gives them
 * too, and no address leaves the surface. Not here: what a sample should be (test_texture.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/sim_fp.h"
#include "emul/format/emul_format.h"
#include "texture_state.h"

/* A state with anything in it; valid more often than not. */
static struct attila_tex_regs
random_regs(void)
{
   struct attila_tex_regs r =
       default_regs(below(7), below(ATTILA_NUM_FORMATS), 1 + below(below(2) ? 8 : 70),
                    1 + below(below(2) ? 8 : 70), 1 + below(4), 1);
   while (!(attila_formats[r.format].uses & ATTILA_USE_TEXTURE))
      r.format = below(ATTILA_NUM_FORMATS);
   if (below(3) == 0)
      r.width = 1u << below(7), r.height = 1u << below(7);
   if (below(3) == 0)
      r.format = ATTILA_FORMAT_R8G8B8A8_UNORM, r.target = ATTILA_TEX_2D;
   if (r.target == ATTILA_TEX_CUBE) {
      r.cube_array = below(3) == 0;
      r.height = r.width, r.depth = r.cube_array ? 6 * (1 + below(3)) : 6;
   }
   r.num_levels = 1 + below(7);
   r.first_level = below(r.num_levels);
   r.last_level = r.first_level + below(r.num_levels - r.first_level);
   r.wrap_s = below(8), r.wrap_t = below(2) ? r.wrap_s : below(8), r.wrap_r = below(8);
   r.mag_filter = below(2), r.min_filter = below(2) ? r.mag_filter : below(2),
   r.mip_filter = below(3);
   r.max_aniso = below(4) ? 1 : below(18), r.compare = below(4) == 0, r.compare_func = below(8),
   r.unnormalized = below(6) == 0;
   r.seamless = below(2), r.lod_bias = below(8) ? 0 : below(2) ? NAN : uniform(-20, 20);
   r.min_lod = below(8)   ? 0
               : below(2) ? -INFINITY
                          : uniform(-5, 5),
   r.max_lod = below(8) ? 1000 : uniform(-5, 5);
   for (unsigned c = 0; c < 4; c++)
      r.border[c] = below(9) ? uniform(-1, 2) : NAN;
   r.swizzle = below(6) | below(6) << 3 | below(6) << 6 | below(6) << 9;
   if (below(4) == 0) { /* the states with a shortcut */
      static const uint8_t formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_B8G8R8X8_UNORM,
                                        ATTILA_FORMAT_Z24X8_UNORM};
      r.format = formats[below(3)];
      r.target = below(4) ? ATTILA_TEX_2D : ATTILA_TEX_RECT;
      r.wrap_s = r.wrap_t = below(2) ? ATTILA_WRAP_REPEAT : ATTILA_WRAP_CLAMP_TO_EDGE;
      r.min_filter = r.mag_filter, r.max_aniso = 1, r.compare = r.unnormalized = 0;
   }
   if (below(20) == 0)
      ((uint32_t *)&r)[below(sizeof(r) / 4)] = rnd();
   return r;
}

static float
random_coordinate(void)
{
   static const float strange[] = {0.0f,   -0.0f, 1.0f,       -1.0f,       0.5f,          1e30f,
                                   -1e30f, 1e9f,  8388608.0f, -8388609.0f, 2147483648.0f, 1e-40f};
   switch (below(12)) {
   case 0:
      return strange[below(12)];
   case 1:
      return below(2) ? NAN : below(2) ? INFINITY : -INFINITY;
   case 2:
      return (float)((int)below(33) - 16) / 16.0f;
   case 3: {
      uint32_t u = rnd() ^ rnd() << 16;
      float f;
      memcpy(&f, &u, 4);
      return f;
   }
   default:
      return uniform(-2, 3);
   }
}

static void
random_request(struct emul_tex_request *req)
{
   static const uint8_t ops[] = {ATTILA_OP_TEX, ATTILA_OP_TXP, ATTILA_OP_TXB,
                                 ATTILA_OP_TXL, ATTILA_OP_TXD, ATTILA_OP_TXF,
                                 ATTILA_OP_TXS, ATTILA_OP_TXG, ATTILA_OP_TXQL};
   *req = (struct emul_tex_request){.op = ops[below(9)],
                                    .target = below(2) ? ATTILA_TEX_CUBE_ARRAY : 0,
                                    .component = (uint8_t)below(4),
                                    .shadow = below(2),
                                    .mask = below(3) ? 0xffff : (uint16_t)rnd(),
                                    .has_quads = below(4) != 0};
   float base[3] = {random_coordinate(), random_coordinate(), random_coordinate()},
         scale = exp2f(uniform(-10, 1));
   bool smooth = below(2);
   for (unsigned i = 0; i < 16; i++) {
      for (unsigned c = 0; c < 3; c++) {
         req->coord[c][i] = smooth ? base[c] + scale * uniform(-1, 1) : random_coordinate();
         req->ddx[c][i] = smooth ? scale * uniform(-1, 1) : random_coordinate();
         req->ddy[c][i] = smooth ? scale * uniform(-0.1f, 0.1f) : random_coordinate();
      }
      req->ref[i] = random_coordinate();
      req->layer[i] = below(2) ? uniform(-1, 4) : random_coordinate();
      req->lod[i] = below(2) ? uniform(-2, 8) : random_coordinate();
   }
   for (unsigned c = 0; c < 3 && below(4) == 0; c++)
      req->offset[c] = (int8_t)((int)below(16) - 8);
   if (req->op != ATTILA_OP_TXF && req->op != ATTILA_OP_TXS)
      return;
   req->shadow = false;
   for (unsigned i = 0; i < 16; i++) { /* integers, sometimes any */
      const int32_t level = (int32_t)below(9) - 1;
      memcpy(&req->lod[i], &level, below(8) ? 4 : 0);
      for (unsigned c = 0; c < 3; c++) {
         const int32_t texel = (int32_t)below(80) - 8;
         memcpy(&req->coord[c][i], &texel, below(8) ? 4 : 0);
      }
   }
}

/* Every address is an element of the surface; moves the texels to a compact copy as the texture
 * unit does. Returns taps beyond cube corners. */
static unsigned
check_and_compact(const struct emul_tex_state *st, struct emul_tex_plan *plan, uint8_t *copy)
{
   uint32_t next = 16;
   unsigned corners = 0;
   assert_true(plan->num_steps <= EMUL_TEX_MAX_STEPS);
   uint8_t count[4] = {0};
   for (unsigned s = 0; s < plan->num_steps; s++) {
      struct emul_tex_step *step = &plan->steps[s];
      assert_int_equal(step->mask & ~plan->mask, 0);
      assert_true(s || step->mask == plan->mask);
      for (unsigned q = 0; q < 4; q++)
         count[q] += (step->mask >> q * 4 & 15) != 0;
      for (unsigned t = 0; t < (plan->linear ? 4 : 1); t++)
         for (unsigned i = 0; i < 16; i++) {
            uint32_t a = step->address[t][i];
            if (!(step->mask >> i & 1))
               assert_int_equal(a, EMUL_TEX_UNUSED);
            if (a == EMUL_TEX_CORNER) {
               /* Nothing is read: the three texels are those of the other taps. */
               assert_true(st->regs.target == ATTILA_TEX_CUBE && st->regs.seamless);
               for (unsigned other = 1; other < 4; other++)
                  assert_true(step->address[t ^ other][i] < EMUL_TEX_NO_ADDRESS);
               corners++;
            }
            if (a >= EMUL_TEX_NO_ADDRESS)
               continue;
            assert_true(a >= st->regs.address &&
                        a + plan->element_bytes <= st->regs.address + st->layout.size);
            assert_int_equal((a - st->regs.address) % plan->element_bytes, 0);
            assert_true(attila_formats[st->regs.format].block_width == 1 ||
                        step->inside[t][i] < 16);
            memcpy(copy + next, memory + a, plan->element_bytes);
            step->address[t][i] = next;
            next += 16;
         }
   }
   assert_memory_equal(count, plan->quad_steps, 4);
   return corners;
}

static bool
same_bits(const struct emul_vec4 *a, const struct emul_vec4 *b, unsigned mask, bool integer)
{
   for (unsigned c = 0; c < 4; c++)
      for (unsigned i = 0; i < 16; i++) {
         if (mask >> i & 1 && memcmp(&a->c[c][i], &b->c[c][i], 4) &&
             (integer || !(isnan(a->c[c][i]) && isnan(b->c[c][i]))))
            return false;
      }
   return true;
}

/* Point samples of every format on every instruction set are what emul_format_unpack makes of the
 * texel, bit for bit: infinities, denormals and negative zeros too. */
static void
texels_are_the_formats(void **state)
{
   (void)state;
   enum { SIZE = 64 };
   static struct emul_tex_request req;
   struct emul_tex_state st;
   struct emul_vec4 want, got;
   for (unsigned n = 0; n < 200 * ATTILA_NUM_FORMATS; n++) {
      unsigned format = n % ATTILA_NUM_FORMATS;
      const struct attila_format_desc *d = &attila_formats[format];
      if (!(d->uses & ATTILA_USE_TEXTURE))
         continue;
      struct attila_tex_regs r = default_regs(ATTILA_TEX_2D, format, SIZE, SIZE, 1, 1);
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      req = (struct emul_tex_request){.op = ATTILA_OP_TXL, .mask = 0xffff};
      for (unsigned i = 0; i < 16; i++) {
         unsigned x = below(SIZE), y = below(SIZE);
         uint8_t *e = element(&st, 0, x / d->block_width, y / d->block_height, 0);
         for (unsigned b = 0; b < d->bytes; b++)
            e[b] = below(4) ? (uint8_t)rnd() : below(2) ? 0 : 0xff;
         req.coord[0][i] = ((float)x + 0.5f) / SIZE;
         req.coord[1][i] = ((float)y + 0.5f) / SIZE;
      }
      for (unsigned i = 0; i < 16; i++) { /* after all are written: lanes may share a texel */
         unsigned x = (unsigned)(req.coord[0][i] * SIZE), y = (unsigned)(req.coord[1][i] * SIZE);
         unsigned inside = y % d->block_height * 4 + x % d->block_width;
         float rgba[4];
         emul_format_unpack(format, element(&st, 0, x / d->block_width, y / d->block_height, 0),
                            inside, rgba);
         for (unsigned c = 0; c < 4; c++)
            want.c[c][i] = rgba[c];
      }
      for (unsigned i = 0; i < 3; i++) {
         const struct emul_tex_isa *isa = host_isa(i);
         if (!isa)
            continue;
         /* The environment of a run has no denormals: those of integers are there all the same. */
         const sim_fp_state before = st.integer ? sim_fp_enter() : 0;
         isa->sample(&st, &req, memory, &got);
         if (st.integer)
            sim_fp_leave(before);
         if (!same_bits(&want, &got, 0xffff, st.integer))
            fail_msg("%s on %s", d->name, isa->name);
      }
   }
}

/* A texture of integers gives the nearest texel of one level, whatever filter, anisotropy and
 * comparison the registers ask for; its border is clamped as a texel is, and 1 is the integer. */
static void
integers_are_point_sampled(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   unsigned tested = 0;
   const sim_fp_state before = sim_fp_enter();
   random_memory();
   for (unsigned n = 0; n < 20000; n++) {
      struct attila_tex_regs r = random_regs();
      struct emul_tex_state any, nearest;
      struct emul_vec4 want, got;
      emul_tex_state_init(&any, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      if (!any.valid || !attila_type_is_integer(any.format->type))
         continue;
      tested++;
      r.mag_filter = r.min_filter = ATTILA_FILTER_NEAREST;
      r.mip_filter = r.mip_filter == ATTILA_MIP_NONE ? ATTILA_MIP_NONE : ATTILA_MIP_NEAREST;
      r.max_aniso = 1;
      r.compare = 0;
      emul_tex_state_init(&nearest, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      random_request(&req);
      req.shadow = true;
      emul_tex_sample(&nearest, &req, memory, &want);
      emul_tex_sample(&any, &req, memory, &got);
      assert_true(same_bits(&want, &got, req.mask, true));
      assert_int_equal(emul_tex_max_steps(&any), r.target == ATTILA_TEX_3D ? 2 : 1);
   }
   assert_true(tested > 1000);

   static const struct {
      unsigned format;
      int32_t border[4], want[4];
   } borders[] = {
       {ATTILA_FORMAT_R8_UINT, {300, 7, 7, 7}, {255, 0, 0, 1}},
       {ATTILA_FORMAT_R8G8B8A8_SINT, {-200, 200, -1, 5}, {-128, 127, -1, 5}},
       {ATTILA_FORMAT_R16G16_UINT, {-1, 65534, 0, 0}, {65535, 65534, 0, 1}},
       {ATTILA_FORMAT_R10G10B10A2_UINT, {1024, 1, 2, 3}, {1023, 1, 2, 3}},
       {ATTILA_FORMAT_R32G32B32A32_SINT,
        {1, -1, INT32_MAX, INT32_MIN},
        {1, -1, INT32_MAX, INT32_MIN}},
   };
   for (unsigned i = 0; i < sizeof(borders) / sizeof(borders[0]); i++) {
      struct attila_tex_regs r = default_regs(ATTILA_TEX_2D, borders[i].format, 4, 4, 1, 1);
      struct emul_tex_state st;
      struct emul_vec4 got;
      r.wrap_s = r.wrap_t = ATTILA_WRAP_CLAMP_TO_BORDER;
      memcpy(r.border, borders[i].border, sizeof(r.border));
      req = (struct emul_tex_request){.op = ATTILA_OP_TXL, .mask = 0xffff};
      for (unsigned lane = 0; lane < 16; lane++)
         req.coord[0][lane] = -2.0f;
      for (unsigned ones = 0; ones < 2; ones++) {
         if (ones)
            r.swizzle = ATTILA_SWIZZLE_1 | ATTILA_SWIZZLE_0 << 3 | ATTILA_SWIZZLE_1 << 6 | 3 << 9;
         emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
         emul_tex_sample(&st, &req, memory, &got);
         for (unsigned c = 0; c < 4; c++) {
            const int32_t want = ones && c < 3 ? c != 1 : borders[i].want[c];
            assert_memory_equal(&got.c[c][5], &want, 4);
         }
      }
   }
   sim_fp_leave(before);
}

/* The texels of a plan as a texture unit places them; others are anything. */
static void
place(struct emul_tex_plan *plan, uint8_t *placed)
{
   memset(placed, 0xa5, plan->num_steps * 64 * 4);
   for (unsigned s = 0; s < plan->num_steps; s++)
      for (unsigned t = 0; t < (plan->linear ? 4 : 1); t++)
         for (unsigned i = 0; i < 16; i++) {
            uint32_t a = plan->steps[s].address[t][i];
            if (a < EMUL_TEX_NO_ADDRESS)
               memcpy(placed + ((s * 4 + t) * 16 + i) * 4, memory + a, 4);
         }
   plan->placed = true;
}

/* A result of which only some components are read: those are the same, and the others are not
 * touched. */
static void
check_what_is_read(const struct emul_vec4 *all, const struct emul_vec4 *some,
                   const struct emul_tex_request *req, unsigned state)
{
   struct emul_vec4 untouched, want = *all, got = *some;
   memset(&untouched, 0x5a, sizeof(untouched));
   for (unsigned c = 0; c < 4; c++) {
      if (req->unread >> c & 1) {
         if (memcmp(got.c[c], untouched.c[c], sizeof(got.c[c])))
            fail_msg("state %u: component %u is written, and nobody reads it", state, c);
         memcpy(want.c[c], got.c[c], sizeof(got.c[c]));
      }
   }
   if (!same_bits(&want, &got, req->mask, false))
      fail_msg("state %u: what is read differs without components %x", state, req->unread);
}

static void
every_way_gives_the_same_bits(void **state)
{
   (void)state;
   static struct emul_tex_plan plan;
   static struct emul_tex_request req;
   static uint8_t copy[16 + EMUL_TEX_MAX_STEPS * 64 * 16];
   unsigned valid = 0, fast = 0, corners = 0, placed = 0, by_target[7] = {0};
   random_memory();
   for (unsigned n = 0; n < 60000; n++) {
      struct attila_tex_regs r = random_regs();
      struct emul_tex_state st;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      valid += st.valid;
      fast += st.fast != 0;
      random_request(&req);
      struct emul_vec4 want, got;
      for (unsigned i = 0; i < 3; i++) {
         const struct emul_tex_isa *isa = host_isa(i);
         if (!isa)
            continue;
         isa->sample(&st, &req, memory, i ? &got : &want);
         if (i && !same_bits(&want, &got, req.mask, st.integer))
            fail_msg("state %u: sample differs on %s", n, isa->name);
         req.unread = n & 15;
         memset(&got, 0x5a, sizeof(got));
         isa->sample(&st, &req, memory, &got);
         check_what_is_read(&want, &got, &req, n);
         req.unread = 0;
         isa->plan(&st, &req, &plan);
         for (unsigned q = 0; i == 0 && q < 4; q++)
            by_target[st.valid ? st.regs.target : 0] += plan.aniso_ratio[q] > 1;
         isa->filter(&st, &req, &plan, memory, &got);
         if (!same_bits(&want, &got, req.mask, st.integer))
            fail_msg("state %u: plan and filter differ on %s (fast %u)", n, isa->name, st.fast);
         assert_true(plan.num_steps <= emul_tex_max_steps(&st));
         if (emul_tex_can_place(&st)) {
            place(&plan, copy);
            isa->filter(&st, &req, &plan, copy, &got);
            if (!same_bits(&want, &got, req.mask, st.integer))
               fail_msg("state %u: filtering placed texels differs on %s", n, isa->name);
            plan.placed = false;
            placed++;
         }
         corners += check_and_compact(&st, &plan, copy);
         isa->filter(&st, &req, &plan, copy, &got);
         if (!same_bits(&want, &got, req.mask, st.integer))
            fail_msg("state %u: filtering a copy differs on %s", n, isa->name);
      }
   }
   if (valid < 20000 || fast < 5000 || corners < 5000 || placed < 5000)
      fail_msg("only %u valid states, %u with a shortcut, %u cube corners, %u placed", valid, fast,
               corners, placed);
   if (by_target[ATTILA_TEX_2D] < 1000 || by_target[ATTILA_TEX_3D] < 200 ||
       by_target[ATTILA_TEX_CUBE] < 200)
      fail_msg("anisotropic quads: 2D %u, 3D %u, cube %u", by_target[ATTILA_TEX_2D],
               by_target[ATTILA_TEX_3D], by_target[ATTILA_TEX_CUBE]);
}

static void
bad_states_are_disabled(void **state)
{
   (void)state;
   struct attila_tex_regs good = default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 64,
                                              1, 1),
                          r = good;
   struct emul_tex_state st;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY), assert_true(st.valid);
#define BAD(change)                                                                     \
   r = good, r.change, emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY), \
   assert_false(st.valid)
   BAD(enable = 0);
   BAD(format = ATTILA_NUM_FORMATS);
   BAD(format = ATTILA_FORMAT_S8);
   BAD(width = 0);
   BAD(height = 8193);
   BAD(address = MEMORY - 64 * 64 * 4 + 256);
   BAD(address = 0xffffff00);
   BAD(address = BASE + 4);
   BAD(last_level = 1);
   BAD(num_levels = 17);
   BAD(target = 7);
   BAD(target = ATTILA_TEX_CUBE);
   BAD(swizzle = 7);
#undef BAD
   static struct emul_tex_request req;
   struct emul_vec4 got;
   req.mask = 0xffff;
   r = good, r.enable = 0;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   emul_tex_sample(&st, &req, memory, &got);
   assert_true(got.c[0][3] == 0 && got.c[1][3] == 0 && got.c[2][3] == 0 && got.c[3][3] == 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(integers_are_point_sampled),
       cmocka_unit_test(texels_are_the_formats),
       cmocka_unit_test(every_way_gives_the_same_bits),
       cmocka_unit_test(bad_states_are_disabled),
   };
   return cmocka_run_group_tests(tests, texture_setup, texture_teardown);
}
