/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Look-ups that OpenGL 4.0 added: gathers against a model of ARB_texture_gather (which four texels,
 * in which order, what is done with each), levels of detail against ARB_texture_query_lod's
 * formulas, arrays of cubes against single cubes. Not here: that every host gives the same bits
 * (test_texture_states.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "emul/format/emul_format.h"
#include "texture_state.h"

/* Finds a texel's number as OpenGL's table of wrap modes does, -1 or size: the border. */
static int
wrap(unsigned mode, int i, int size)
{
   const int two = 2 * size, m = ((i % two) + two) % two - size, mirrored = i >= 0 ? i : -(1 + i);
   switch (mode) {
   case ATTILA_WRAP_REPEAT:
      return ((i % size) + size) % size;
   case ATTILA_WRAP_CLAMP_TO_EDGE:
      return i < 0 ? 0 : i >= size ? size - 1 : i;
   case ATTILA_WRAP_CLAMP_TO_BORDER:
      return i < -1 ? -1 : i > size ? size : i;
   case ATTILA_WRAP_MIRROR_REPEAT:
      return size - 1 - (m >= 0 ? m : -(1 + m));
   default: /* MIRROR_CLAMP_TO_EDGE */
      return mirrored >= size ? size - 1 : mirrored;
   }
}

static bool
passes(unsigned func, float reference, float texel)
{
   switch (func) {
   case ATTILA_FUNC_NEVER:
      return false;
   case ATTILA_FUNC_LESS:
      return reference < texel;
   case ATTILA_FUNC_EQUAL:
      return reference == texel;
   case ATTILA_FUNC_LEQUAL:
      return reference <= texel;
   case ATTILA_FUNC_GREATER:
      return reference > texel;
   case ATTILA_FUNC_NOTEQUAL:
      return reference != texel;
   case ATTILA_FUNC_GEQUAL:
      return reference >= texel;
   default:
      return true;
   }
}

/* What the texel at x, y of a slice contributes. */
static float
expected(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane, int x,
         int y, unsigned slice)
{
   const struct attila_tex_regs *r = &st->regs;
   const struct attila_format_desc *d = st->format;
   const unsigned level = r->first_level, s = st->swizzle[req->component];
   float rgba[4], one = 1;
   const bool border = x < 0 || y < 0 || x >= st->width[level] || y >= st->height[level];
   if (border)
      memcpy(rgba, r->border, sizeof(rgba));
   else
      emul_format_unpack(
          (enum attila_format)r->format,
          element(st, level, (unsigned)x / d->block_width, (unsigned)y / d->block_height, slice),
          (unsigned)(y % d->block_height * 4 + x % d->block_width), rgba);
   if (r->compare && req->shadow) {
      rgba[0] = rgba[1] = rgba[2] = passes(r->compare_func, req->ref[lane], rgba[0]);
      rgba[3] = 1;
   }
   if (st->integer)
      one = emul_format_one(d);
   return s < 4 ? rgba[s] : s == ATTILA_SWIZZLE_1 ? one : 0.0f;
}

static struct attila_tex_regs
random_texture(unsigned format, bool array, bool rectangle)
{
   static const unsigned modes[] = {ATTILA_WRAP_REPEAT, ATTILA_WRAP_CLAMP_TO_EDGE,
                                    ATTILA_WRAP_CLAMP_TO_BORDER, ATTILA_WRAP_MIRROR_REPEAT,
                                    ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE};
   struct attila_tex_regs r = default_regs(array       ? ATTILA_TEX_2D_ARRAY
                                           : rectangle ? ATTILA_TEX_RECT
                                                       : ATTILA_TEX_2D,
                                           format, 1u << below(6), 1u << below(6),
                                           array ? 1 + below(5) : 1, rectangle ? 1 : 1 + below(4));
   r.first_level = below(r.num_levels);
   r.mag_filter = below(2), r.min_filter = below(2), r.mip_filter = below(3);
   r.max_aniso = below(4) ? 1 : 16;
   r.wrap_s = modes[rectangle ? 1 + below(2) : below(5)];
   r.wrap_t = modes[rectangle ? 1 + below(2) : below(5)];
   r.unnormalized = rectangle;
   r.swizzle = below(6) | below(6) << 3 | below(6) << 6 | below(6) << 9;
   for (unsigned c = 0; c < 4 && !attila_type_is_integer(attila_formats[format].type); c++)
      r.border[c] = 0.25f * (float)below(5);
   return r;
}

/* Coordinates are odd multiples of 1/32 of a texel: exact, and never between two texels. */
static void
gathers_are_four_texels(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   unsigned borders = 0, shadows = 0;
   random_memory();
   for (unsigned n = 0; n < 20000; n++) {
      const unsigned format = below(ATTILA_NUM_FORMATS);
      if (!(attila_formats[format].uses & ATTILA_USE_TEXTURE))
         continue;
      const bool array = below(3) == 0, rectangle = !array && below(4) == 0;
      struct attila_tex_regs r = random_texture(format, array, rectangle);
      struct emul_tex_state st;
      struct emul_vec4 got;
      r.compare = attila_formats[format].type == ATTILA_TYPE_ZS && below(2);
      r.compare_func = below(8);
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
      req = (struct emul_tex_request){.op = ATTILA_OP_TXG,
                                      .target = (uint8_t)r.target,
                                      .mask = 0xffff,
                                      .has_quads = below(2),
                                      .shadow = r.compare,
                                      .component = r.compare ? 0 : (uint8_t)below(4)};
      const int w = st.width[r.first_level], h = st.height[r.first_level];
      int at[16][2];
      for (unsigned i = 0; i < 16; i++) {
         for (unsigned c = 0; c < 2; c++) {
            const int size = c ? h : w, offset = below(2) ? (int)below(64) - 32 : 0,
                      texels32 = 2 * ((int)below(16 * 160) - 16 * 64) + 1;
            const float coord = (float)texels32 / 32.0f;
            req.coord[c][i] = rectangle ? coord : coord / (float)size;
            memcpy(&req.ddx[c][i], &offset, 4);
            at[i][c] = (int)floorf(coord - 0.5f) + offset;
         }
         req.coord[2][i] = (float)below(7) - 1;
         req.ref[i] = 0.25f * (float)below(5);
      }
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         const unsigned layer =
             !array ? 0 : (unsigned)fminf(fmaxf(req.coord[2][i], 0), r.depth - 1);
         /* (i0, j1), (i1, j1), (i1, j0), (i0, j0) */
         for (unsigned c = 0; c < 4; c++) {
            const int x = wrap(r.wrap_s, at[i][0] + (c == 1 || c == 2), w),
                      y = wrap(r.wrap_t, at[i][1] + (c < 2), h);
            const float want = expected(&st, &req, i, x, y, layer);
            borders += x < 0 || y < 0 || x >= w || y >= h;
            shadows += r.compare;
            if (memcmp(&got.c[c][i], &want, 4) && !(isnan(want) && isnan(got.c[c][i])) &&
                !(fabsf(got.c[c][i] - want) < 1e-6f))
               fail_msg("%s, %u x %u, modes %u %u, component %u of lane %u at %g %g: %g, not %g",
                        st.format->name, w, h, r.wrap_s, r.wrap_t, c, i, (double)req.coord[0][i],
                        (double)req.coord[1][i], (double)got.c[c][i], (double)want);
         }
      }
   }
   assert_true(borders > 5000 && shadows > 5000);
}

/* A result's components are swapped in the model's order only: an unbound unit gives (0, 0, 0, 1)'s
 * component. */
static void
gathers_of_nothing_are_zeros(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct attila_tex_regs r = {0};
   struct emul_tex_state st;
   struct emul_vec4 got;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   for (unsigned component = 0; component < 4; component++) {
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXG, .mask = 0xffff, .component = (uint8_t)component};
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned c = 0; c < 4; c++)
         assert_true(got.c[c][7] == (component == 3 ? 1.0f : 0.0f));
   }
}

/* A cube of an array is the cube at that address, for every kind of look-up. */
static void
cubes_of_arrays_are_cubes(void **state)
{
   (void)state;
   static const uint8_t ops[] = {ATTILA_OP_TEX, ATTILA_OP_TXB, ATTILA_OP_TXL,
                                 ATTILA_OP_TXD, ATTILA_OP_TXG, ATTILA_OP_TXQL};
   static struct emul_tex_request req;
   random_memory();
   for (unsigned n = 0; n < 3000; n++) {
      const unsigned size = 1u << below(6), cubes = 1 + below(4), cube = below(cubes),
                     format = below(2) ? ATTILA_FORMAT_R8G8B8A8_UNORM : ATTILA_FORMAT_Z32_FLOAT;
      struct attila_tex_regs array =
          default_regs(ATTILA_TEX_CUBE, format, size, size, 6 * cubes, 1);
      struct emul_tex_state of_array, single;
      struct emul_vec4 got, want;
      array.cube_array = 1;
      array.seamless = below(2);
      array.mag_filter = below(2), array.min_filter = below(2);
      array.max_aniso = below(3) ? 1 : 8;
      array.compare = format == ATTILA_FORMAT_Z32_FLOAT;
      array.compare_func = below(8);
      emul_tex_state_init(&of_array, &array, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(of_array.valid);
      struct attila_tex_regs one = array;
      one.cube_array = 0;
      one.depth = 6;
      one.address += cube * 6 * of_array.layout.slice_stride[0];
      emul_tex_state_init(&single, &one, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(single.valid);
      req = (struct emul_tex_request){.op = ops[below(6)],
                                      .target = ATTILA_TEX_CUBE_ARRAY,
                                      .mask = 0xffff,
                                      .has_quads = true,
                                      .shadow = below(2)};
      for (unsigned i = 0; i < 16; i++) {
         for (unsigned c = 0; c < 3; c++) {
            req.coord[c][i] = uniform(-1, 1);
            req.ddx[c][i] = req.op == ATTILA_OP_TXD ? uniform(-0.1f, 0.1f) : 0;
            req.ddy[c][i] = uniform(-0.1f, 0.1f);
         }
         req.ref[i] = uniform(0, 1);
         req.lod[i] = uniform(0, 2);
         /* The nearest, and no less than 0, no more than the last. */
         req.layer[i] = cube == 0           ? uniform(-5, 0.4f)
                        : cube == cubes - 1 ? (float)cube + uniform(-0.4f, 9)
                                            : (float)cube + uniform(-0.4f, 0.4f);
      }
      emul_tex_sample(&of_array, &req, memory, &got);
      emul_tex_sample(&single, &req, memory, &want);
      assert_memory_equal(&got, &want, sizeof(got));
   }
   struct attila_tex_regs r =
       default_regs(ATTILA_TEX_CUBE, ATTILA_FORMAT_R8G8B8A8_UNORM, 8, 8, 16, 1);
   struct emul_tex_state st;
   r.cube_array = 1; /* 16 is no multiple of 6 */
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   assert_false(st.valid);
   r.depth = 18;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   assert_true(st.valid);
   static const int32_t zero;
   req = (struct emul_tex_request){.op = ATTILA_OP_TXS, .mask = 0xffff};
   struct emul_vec4 size;
   emul_tex_sample(&st, &req, memory, &size);
   int32_t cubes;
   memcpy(&cubes, &size.c[2][3], 4);
   assert_int_equal(cubes + zero, 3);
}

/* What ARB_texture_query_lod names ComputeAccessedLod. */
static float
accessed_level(const struct attila_tex_regs *r, float lod)
{
   const float most = (float)(r->last_level - r->first_level);
   lod = fminf(fmaxf(lod, r->min_lod), r->max_lod);
   lod = fminf(fmaxf(lod, 0), most);
   if (r->mip_filter == ATTILA_MIP_NONE)
      return 0;
   return r->mip_filter == ATTILA_MIP_LINEAR ? lod : ceilf(lod + 0.5f) - 1;
}

static void
levels_of_detail_are_those_read(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_vec4 got;
   for (unsigned n = 0; n < 4000; n++) {
      struct attila_tex_regs r =
          default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R8_UNORM, 1u << below(9), 1u << below(9), 1, 9);
      struct emul_tex_state st;
      r.first_level = below(3);
      r.last_level = r.first_level + below(6);
      r.mip_filter = below(3);
      r.mag_filter = r.min_filter = below(2);
      r.lod_bias = below(2) ? uniform(-3, 3) : 0;
      r.min_lod = below(2) ? uniform(-2, 2) : -1000;
      r.max_lod = below(2) ? r.min_lod + uniform(0, 4) : 1000;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXQL, .target = ATTILA_TEX_2D, .mask = 0xffff, .has_quads = true};
      const float texels = exp2f(uniform(-3, 9)), along_x = (float)below(2);
      for (unsigned i = 0; i < 16; i++) {
         const float right = (float)(i & 1), down = (float)(i >> 1 & 1);
         req.coord[0][i] = texels * (along_x != 0 ? right : down) / (float)st.width[r.first_level];
         req.coord[1][i] =
             0.5f * texels * (along_x != 0 ? down : right) / (float)st.height[r.first_level];
      }
      emul_tex_sample(&st, &req, memory, &got);
      const float lod = log2f(texels) + r.lod_bias, level = accessed_level(&r, lod);
      for (unsigned i = 0; i < 16; i++) {
         assert_true(fabsf(got.c[1][i] - lod) < 1e-3f);
         const bool near_two =
             r.mip_filter == ATTILA_MIP_NEAREST && fabsf(lod - floorf(lod) - 0.5f) < 1e-3f;
         assert_true(near_two || fabsf(got.c[0][i] - level) < 1e-3f);
         assert_true(got.c[2][i] == 0 && got.c[3][i] == 0);
      }
   }
}

/* The stencil of both formats that have depth beside it. */
static void
stencil_is_an_integer(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_vec4 got;
   random_memory();
   for (unsigned k = 0; k < 2; k++) {
      struct attila_tex_regs r = default_regs(
          ATTILA_TEX_2D, k ? ATTILA_FORMAT_X32_S8X24_UINT : ATTILA_FORMAT_X24S8_UINT, 16, 16, 1, 1);
      struct emul_tex_state st;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
      req = (struct emul_tex_request){.op = ATTILA_OP_TXF, .mask = 0xffff};
      for (int32_t i = 0; i < 16; i++)
         memcpy(&req.coord[0][i], &i, 4);
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         uint32_t v;
         memcpy(&v, &got.c[0][i], 4);
         assert_int_equal(v, element(&st, 0, i, 0, 0)[k ? 4 : 3]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(gathers_are_four_texels),
       cmocka_unit_test(gathers_of_nothing_are_zeros),
       cmocka_unit_test(cubes_of_arrays_are_cubes),
       cmocka_unit_test(levels_of_detail_are_those_read),
       cmocka_unit_test(stencil_is_an_integer),
   };
   return cmocka_run_group_tests(tests, texture_setup, texture_teardown);
}
