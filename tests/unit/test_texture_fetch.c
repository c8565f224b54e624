/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Look-ups without filter, and offsets: texels at integers against emul_format_unpack, zeros
 * outside, sizes of levels, offsets as coordinates that are so many texels further on. Not here:
 * that every host gives the same bits (test_texture_states.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "emul/format/emul_format.h"
#include "texture_state.h"

static const unsigned targets[] = {ATTILA_TEX_1D,       ATTILA_TEX_2D,       ATTILA_TEX_3D,
                                   ATTILA_TEX_2D_ARRAY, ATTILA_TEX_1D_ARRAY, ATTILA_TEX_RECT};

static bool
is_one_row(unsigned target)
{
   return target == ATTILA_TEX_1D || target == ATTILA_TEX_1D_ARRAY;
}

static bool
has_layers(unsigned target)
{
   return target == ATTILA_TEX_2D_ARRAY || target == ATTILA_TEX_1D_ARRAY;
}

static struct attila_tex_regs
random_texture(unsigned format)
{
   const unsigned target = targets[below(6)], w = 1u << below(6),
                  h = is_one_row(target) ? 1 : 1u << below(6),
                  d = target == ATTILA_TEX_3D ? 1u << below(4)
                      : has_layers(target)    ? 1 + below(9)
                                              : 1,
                  levels = target == ATTILA_TEX_RECT ? 1 : 1 + below(5);
   struct attila_tex_regs r = default_regs(target, format, w, h, d, levels);
   r.first_level = below(levels);
   r.last_level = r.first_level + below(levels - r.first_level);
   r.wrap_s = below(8), r.wrap_t = below(8), r.wrap_r = below(8);
   r.mag_filter = below(2), r.min_filter = below(2), r.mip_filter = below(3);
   r.swizzle = below(6) | below(6) << 3 | below(6) << 6 | below(6) << 9;
   for (unsigned c = 0; c < 4; c++)
      r.border[c] = 0.5f;
   return r;
}

static int32_t
integer_at(const float *f)
{
   int32_t i;
   memcpy(&i, f, 4);
   return i;
}

static void
set_integer(float *f, int32_t i)
{
   memcpy(f, &i, 4);
}

/* What a fetch of a lane gives, before the swizzle. */
static void
expected_texel(const struct emul_tex_state *st, const struct emul_tex_request *req, unsigned lane,
               float rgba[4])
{
   const struct attila_tex_regs *r = &st->regs;
   const struct attila_format_desc *d = st->format;
   const int64_t level = (int64_t)r->first_level + integer_at(&req->lod[lane]);
   int64_t at[3], size[3] = {1, 1, 1};
   memset(rgba, 0, 4 * sizeof(*rgba));
   for (unsigned c = 0; c < 3; c++)
      at[c] = (int64_t)integer_at(&req->coord[c][lane]) + req->offset[c];
   if (level < r->first_level || level > r->last_level)
      return;
   size[0] = attila_minify(r->width, (uint32_t)level);
   size[1] = attila_minify(r->height, (uint32_t)level);
   size[2] = r->target == ATTILA_TEX_3D ? attila_minify(r->depth, (uint32_t)level) : r->depth;
   if (r->target == ATTILA_TEX_1D_ARRAY)
      at[2] = integer_at(&req->coord[1][lane]);
   else if (r->target != ATTILA_TEX_3D && r->target != ATTILA_TEX_2D_ARRAY)
      at[2] = 0;
   if (is_one_row(r->target))
      at[1] = 0;
   for (unsigned c = 0; c < 3; c++) {
      if (at[c] < 0 || at[c] >= size[c])
         return;
   }
   emul_format_unpack(r->format,
                      element(st, (unsigned)level, (unsigned)at[0] / d->block_width,
                              (unsigned)at[1] / d->block_height, (unsigned)at[2]),
                      (unsigned)(at[1] % d->block_height * 4 + at[0] % d->block_width), rgba);
}

static void
fetches_are_the_texels(void **state)
{
   (void)state;
   static const int32_t strange[] = {INT32_MIN, INT32_MAX, -1, 1 << 30, -(1 << 30)};
   static struct emul_tex_request req;
   unsigned inside = 0, outside = 0;
   random_memory();
   for (unsigned n = 0; n < 20000; n++) {
      const unsigned format = below(ATTILA_NUM_FORMATS);
      if (!(attila_formats[format].uses & ATTILA_USE_TEXTURE))
         continue;
      struct attila_tex_regs r = random_texture(format);
      struct emul_tex_state st;
      struct emul_vec4 got;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXF, .target = (uint8_t)r.target, .mask = 0xffff, .has_quads = true};
      const unsigned offsets = r.target == ATTILA_TEX_3D ? 3 : is_one_row(r.target) ? 1 : 2;
      for (unsigned c = 0; c < offsets; c++)
         req.offset[c] = (int8_t)(below(2) ? 0 : (int)below(16) - 8);
      for (unsigned i = 0; i < 16; i++) {
         const unsigned level = below(r.last_level - r.first_level + 1);
         const uint32_t size[3] = {attila_minify(r.width, r.first_level + level),
                                   attila_minify(r.height, r.first_level + level), r.depth};
         set_integer(&req.lod[i], below(16) ? (int32_t)level : strange[below(5)]);
         for (unsigned c = 0; c < 3; c++) {
            const unsigned axis = c == 1 && r.target == ATTILA_TEX_1D_ARRAY ? 2 : c;
            set_integer(&req.coord[c][i], below(32) ? (int32_t)below(size[axis] + 1) - req.offset[c]
                                                    : strange[below(5)]);
         }
      }
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         float rgba[4];
         expected_texel(&st, &req, i, rgba);
         const bool zeros = rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 0;
         *(zeros ? &outside : &inside) += 1;
         for (unsigned c = 0; c < 4; c++) {
            const unsigned s = st.swizzle[c];
            float want = s < 4 ? rgba[s] : s == ATTILA_SWIZZLE_1;
            if (s == ATTILA_SWIZZLE_1 && attila_type_is_integer(st.format->type))
               set_integer(&want, 1);
            if (memcmp(&got.c[c][i], &want, 4) && !(isnan(want) && isnan(got.c[c][i])))
               fail_msg("%s, target %u: %d %d %d level %d: %g, not %g", st.format->name, r.target,
                        integer_at(&req.coord[0][i]), integer_at(&req.coord[1][i]),
                        integer_at(&req.coord[2][i]), integer_at(&req.lod[i]), got.c[c][i], want);
         }
      }
   }
   assert_true(inside > 50000 && outside > 20000);
}

static void
sizes_are_those_of_the_level(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_tex_state st;
   struct emul_vec4 got;
   for (unsigned n = 0; n < 2000; n++) {
      struct attila_tex_regs r = random_texture(ATTILA_FORMAT_R8G8B8A8_UNORM);
      r.enable = below(8) != 0;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      req = (struct emul_tex_request){.op = ATTILA_OP_TXS, .mask = 0xffff, .unread = below(16)};
      memset(&got, 0x5a, sizeof(got));
      for (unsigned i = 0; i < 16; i++)
         set_integer(&req.lod[i], i < 14 ? (int32_t)i - 1 : i == 14 ? INT32_MIN : INT32_MAX);
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         const int32_t levels = r.enable ? (int32_t)(r.last_level - r.first_level + 1) : 0,
                       level = integer_at(&req.lod[i]);
         int32_t want[4] = {0, 0, 0, levels};
         if (level >= 0 && level < levels) {
            const uint32_t l = r.first_level + (uint32_t)level;
            want[0] = (int32_t)attila_minify(r.width, l);
            want[1] = (int32_t)attila_minify(r.height, l);
            if (r.target == ATTILA_TEX_1D)
               want[1] = 0;
            else if (r.target == ATTILA_TEX_1D_ARRAY)
               want[1] = (int32_t)r.depth;
            else if (r.target == ATTILA_TEX_2D_ARRAY)
               want[2] = (int32_t)r.depth;
            else if (r.target == ATTILA_TEX_3D)
               want[2] = (int32_t)attila_minify(r.depth, l);
         }
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(integer_at(&got.c[c][i]), req.unread >> c & 1 ? 0x5a5a5a5a : want[c]);
      }
   }
}

/* A buffer of more elements than a surface has in a row; what is not in it reads zeros. */
static void
buffers_are_elements_in_a_row(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_tex_state st;
   struct emul_vec4 got;
   random_memory();
   for (unsigned n = 0; n < 2000; n++) {
      const unsigned format = below(ATTILA_NUM_FORMATS), bytes = attila_formats[format].bytes;
      if (!(attila_formats[format].uses & (ATTILA_USE_TEXTURE | ATTILA_USE_TEXTURE_BUFFER)))
         continue;
      const uint32_t address = 16 * below(64), elements = 1 + below((MEMORY - address) / bytes);
      struct attila_tex_regs r = default_regs(ATTILA_TEX_BUFFER, format, 1, 1, 1, 1);
      r.address = address;
      r.width = elements & 0x3fff;
      r.height = elements >> 14;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_int_equal(st.valid, attila_formats[format].block_width == 1);
      if (!st.valid)
         continue;
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXF, .target = ATTILA_TEX_BUFFER, .mask = 0xffff, .has_quads = true};
      for (unsigned i = 0; i < 16; i++)
         set_integer(&req.coord[0][i], i == 0   ? -1
                                       : i == 1 ? (int32_t)elements
                                       : i == 2 ? (int32_t)elements - 1
                                       : i == 3 ? INT32_MIN
                                                : (int32_t)below(elements));
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         float want[4] = {0};
         if (i >= 2 && i != 3)
            emul_format_unpack(format, memory + address + integer_at(&req.coord[0][i]) * (int)bytes,
                               0, want);
         for (unsigned c = 0; c < 4; c++)
            assert_true(!memcmp(&got.c[c][i], &want[c], 4) ||
                        (isnan(want[c]) && isnan(got.c[c][i])));
      }
      req = (struct emul_tex_request){.op = ATTILA_OP_TXS, .mask = 0xffff};
      emul_tex_sample(&st, &req, memory, &got);
      assert_int_equal(integer_at(&got.c[0][5]), elements);
      r.address = MEMORY - 16;
      r.width = 16 / bytes + 1;
      r.height = 0;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_false(st.valid);
      r.width--;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_true(st.valid);
   }
}

/* Each sample where attila_element_offset has it; other lookups see an unbound unit. */
static void
samples_are_fetched(void **state)
{
   (void)state;
   static struct emul_tex_request req;
   struct emul_tex_state st;
   struct emul_vec4 got;
   random_memory();
   for (unsigned n = 0; n < 4000; n++) {
      const unsigned format = below(ATTILA_NUM_FORMATS), w = 1 + below(70), h = 1 + below(40),
                     array = below(2), layers = array ? 1 + below(3) : 1, samples = 2u << below(3);
      const struct attila_format_desc *d = &attila_formats[format];
      if (!(d->uses & ATTILA_USE_TEXTURE))
         continue;
      struct attila_tex_regs r =
          default_regs(array ? ATTILA_TEX_2D_ARRAY : ATTILA_TEX_2D, format, w, h, layers, 1);
      r.samples = samples;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      assert_int_equal(st.valid, d->block_width == 1);
      if (!st.valid)
         continue;
      req = (struct emul_tex_request){
          .op = ATTILA_OP_TXF, .target = (uint8_t)r.target, .mask = 0xffff, .has_quads = true};
      for (unsigned i = 0; i < 16; i++) {
         set_integer(&req.coord[0][i], (int32_t)below(w));
         set_integer(&req.coord[1][i], (int32_t)below(h));
         set_integer(&req.coord[2][i], (int32_t)below(layers));
         set_integer(&req.lod[i], i == 7   ? -1
                                  : i == 8 ? (int32_t)samples
                                           : (int32_t)below(samples));
      }
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned i = 0; i < 16; i++) {
         float want[4] = {0};
         const uint64_t at =
             BASE + (uint32_t)integer_at(&req.coord[2][i]) * array * st.layout.slice_stride[0] +
             attila_element_offset(st.layout.pitch_tiles[0], samples, d->bytes,
                                   (uint32_t)integer_at(&req.coord[0][i]),
                                   (uint32_t)integer_at(&req.coord[1][i]),
                                   (uint32_t)integer_at(&req.lod[i]));
         if (i != 7 && i != 8)
            emul_format_unpack(format, memory + at, 0, want);
         for (unsigned c = 0; c < 4; c++)
            assert_true(!memcmp(&got.c[c][i], &want[c], 4) ||
                        (isnan(want[c]) && isnan(got.c[c][i])));
      }
      req.op = ATTILA_OP_TEX;
      emul_tex_sample(&st, &req, memory, &got);
      for (unsigned c = 0; c < 4; c++)
         assert_true(got.c[c][3] == (c == 3 ? 1.0f : 0.0f));
   }
   struct attila_tex_regs r =
       default_regs(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 16, 16, 1, 2);
   r.samples = 4; /* levels have none */
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   assert_false(st.valid);
   r.num_levels = 1;
   r.last_level = 0;
   r.samples = 3;
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   assert_false(st.valid);
}

/* Sizes are powers of two and coordinates multiples of 1/32 of a texel: both ways are exact. */
static void
offsets_are_coordinates_further_on(void **state)
{
   (void)state;
   static struct emul_tex_request req, moved;
   static const uint8_t ops[] = {ATTILA_OP_TXL, ATTILA_OP_TXD, ATTILA_OP_TEX};
   random_memory();
   for (unsigned n = 0; n < 5000; n++) {
      struct attila_tex_regs r = random_texture(ATTILA_FORMAT_R8G8B8A8_UNORM);
      if (r.target == ATTILA_TEX_RECT)
         r.unnormalized = below(2);
      r.last_level = r.first_level; /* the sizes of one level */
      r.compare = below(4) == 0;
      struct emul_tex_state st;
      struct emul_vec4 got, want;
      emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
      req = (struct emul_tex_request){
          .op = ops[below(3)], .mask = 0xffff, .shadow = below(2), .has_quads = true};
      const unsigned offsets = r.target == ATTILA_TEX_3D ? 3 : is_one_row(r.target) ? 1 : 2;
      const int32_t size[3] = {st.width[r.first_level], st.height[r.first_level],
                               st.depth[r.first_level]};
      for (unsigned c = 0; c < 3; c++) {
         for (unsigned i = 0; i < 16; i++) {
            const float texels = (float)((int)below(32 * 128) - 32 * 32) / 32.0f;
            req.coord[c][i] = c >= offsets     ? (float)below(10)
                              : r.unnormalized ? texels
                                               : texels / (float)size[c];
         }
      }
      for (unsigned i = 0; i < 16; i++)
         req.ref[i] = 0.5f;
      moved = req;
      for (unsigned c = 0; c < offsets; c++) {
         req.offset[c] = (int8_t)((int)below(16) - 8);
         for (unsigned i = 0; i < 16; i++)
            moved.coord[c][i] += (float)req.offset[c] / (r.unnormalized ? 1.0f : (float)size[c]);
      }
      emul_tex_sample(&st, &req, memory, &got);
      emul_tex_sample(&st, &moved, memory, &want);
      assert_memory_equal(&got, &want, sizeof(got));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(fetches_are_the_texels),
       cmocka_unit_test(sizes_are_those_of_the_level),
       cmocka_unit_test(buffers_are_elements_in_a_row),
       cmocka_unit_test(samples_are_fetched),
       cmocka_unit_test(offsets_are_coordinates_further_on),
   };
   return cmocka_run_group_tests(tests, texture_setup, texture_teardown);
}
