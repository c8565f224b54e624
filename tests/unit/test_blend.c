/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of quads against a reference that blends one pixel at a time in plain float32
 * through emul_format (bit exact, so the vector path for 8-bit formats cannot round differently),
 * and against double arithmetic for 8-bit formats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/format/emul_format.h"
#include "emul/rop/emul_fragment.h"

static uint32_t seed = 7;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

/* --- The reference --- */

static float
limit(unsigned type, float v)
{
   float lo = type == ATTILA_TYPE_UNORM ? 0.0f : -1.0f;
   if (type == ATTILA_TYPE_FLOAT)
      return v;
   return !(v > lo) ? lo : v > 1.0f ? 1.0f : v;
}

static float
factor(unsigned f, unsigned i, const float source[2][4], bool second, const float d[4],
       const float k[4])
{
   const float *s = source[second && f != ATTILA_FACTOR_SRC_ALPHA_SATURATE];
   switch (f) {
   case ATTILA_FACTOR_ONE:
      return 1.0f;
   case ATTILA_FACTOR_SRC_COLOR:
      return s[i];
   case ATTILA_FACTOR_SRC_ALPHA:
      return s[3];
   case ATTILA_FACTOR_DST_COLOR:
      return d[i];
   case ATTILA_FACTOR_DST_ALPHA:
      return d[3];
   case ATTILA_FACTOR_CONST_COLOR:
      return k[i];
   case ATTILA_FACTOR_CONST_ALPHA:
      return k[3];
   case ATTILA_FACTOR_SRC_ALPHA_SATURATE:
      return i == 3 ? 1.0f : s[3] < 1.0f - d[3] ? s[3] : 1.0f - d[3];
   case ATTILA_FACTOR_INV_SRC_COLOR:
      return 1.0f - s[i];
   case ATTILA_FACTOR_INV_SRC_ALPHA:
      return 1.0f - s[3];
   case ATTILA_FACTOR_INV_DST_COLOR:
      return 1.0f - d[i];
   case ATTILA_FACTOR_INV_DST_ALPHA:
      return 1.0f - d[3];
   case ATTILA_FACTOR_INV_CONST_COLOR:
      return 1.0f - k[i];
   case ATTILA_FACTOR_INV_CONST_ALPHA:
      return 1.0f - k[3];
   default:
      return 0.0f;
   }
}

static float
equation(const struct attila_color_regs *r, unsigned i, const float source[2][4], const float d[4],
         const float k[4])
{
   const bool rgb = i < 3;
   const unsigned eq = rgb ? r->rgb_eq : r->alpha_eq, sf = rgb ? r->rgb_src : r->alpha_src,
                  df = rgb ? r->rgb_dst : r->alpha_dst;
   const float *s = source[0];
   float a = s[i] * factor(sf, i, source, rgb ? r->rgb_src_second : r->alpha_src_second, d, k);
   float b = d[i] * factor(df, i, source, rgb ? r->rgb_dst_second : r->alpha_dst_second, d, k);
   a = sf == ATTILA_FACTOR_ZERO ? 0.0f : a;
   b = df == ATTILA_FACTOR_ZERO ? 0.0f : b;
   switch (eq) {
   case ATTILA_BLEND_SUBTRACT:
      return a - b;
   case ATTILA_BLEND_REVERSE_SUBTRACT:
      return b - a;
   case ATTILA_BLEND_MIN:
      return s[i] < d[i] ? s[i] : d[i];
   case ATTILA_BLEND_MAX:
      return s[i] > d[i] ? s[i] : d[i];
   default:
      return a + b;
   }
}

/* A bit of an element. */
static unsigned
bit(const uint8_t *e, unsigned b)
{
   return e[b / 8] >> (b % 8) & 1;
}

static void
reference(const struct emul_draw_state *state, float color[2][4], uint8_t *dst)
{
   const struct attila_color_regs *r = &state->regs.color[0];
   enum attila_format format = (enum attila_format)r->format;
   const struct attila_format_desc *desc = &attila_formats[format];
   float s[2][4], d[4], k[4], out[4];
   uint8_t value[16];
   const bool integer = attila_type_is_integer(desc->type);
   bool logic = state->regs.logicop_enable && desc->type != ATTILA_TYPE_FLOAT &&
                !(desc->uses & ATTILA_USE_SRGB);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned n = 0; n < 2; n++) {
         s[n][i] =
             limit(desc->type,
                   i == 3 && state->regs.alpha_to_one && state->samples > 1 ? 1.0f : color[n][i]);
         if (integer) /* neither: emul_format_pack clamps */
            s[n][i] = color[n][i];
      }
      k[i] = limit(desc->type, state->regs.blend_color[i]);
   }
   emul_format_unpack(format, dst, 0, d);
   if (!desc->channel[3].bits)
      assert_true(d[3] == emul_format_one(desc));
   memcpy(out, s[0], sizeof(out));
   if (r->blend_enable && !state->regs.logicop_enable) {
      for (unsigned i = 0; i < 4; i++)
         out[i] = equation(r, i, (const float(*)[4])s, d, k);
   }
   emul_format_pack(format, out, value);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned b = desc->channel[i].shift; b < desc->channel[i].shift + desc->channel[i].bits;
           b++) {
         unsigned v = bit(value, b);
         if (logic)
            v = state->regs.logicop >> (v * 2 + bit(dst, b)) & 1;
         if (r->write_mask >> i & 1)
            dst[b / 8] = (uint8_t)((dst[b / 8] & ~(1u << (b % 8))) | v << (b % 8));
      }
   }
}

/* Equal in every bit that belongs to a channel. Two numbers that are not numbers are equal. */
static void
assert_element(const struct attila_format_desc *desc, const uint8_t *a, const uint8_t *b)
{
   for (unsigned i = 0; i < 4; i++) {
      uint32_t va = 0, vb = 0;
      for (unsigned n = 0; n < desc->channel[i].bits; n++) {
         va |= bit(a, desc->channel[i].shift + n) << n;
         vb |= bit(b, desc->channel[i].shift + n) << n;
      }
      assert_int_equal(va, vb);
   }
}

/* Of a buffer of integers: most of them are denormal floats, or none that are numbers. */
static float
random_bits(void)
{
   const uint32_t bits = (rnd() << 8 ^ rnd()) >> rnd() % 32 ^ (rnd() & 1 ? ~0u : 0);
   float f;
   memcpy(&f, &bits, sizeof(f));
   return f;
}

static float
random_color(void)
{
   static const float special[] = {0.0f, 1.0f, 0.5f, -0.5f, 1.5f, 0.0019607843f, 0.25f, 1e-20f};
   uint32_t r = rnd() % 8;
   return r == 0  ? special[rnd() % 8]
          : r < 4 ? (float)(rnd() % 256) / 255.0f
          : r < 6 ? ((float)(rnd() % 255) + 0.5f) / 255.0f
                  : (float)rnd() / 16777216.0f;
}

static void
random_state(struct emul_draw_state *s, enum attila_format format)
{
   memset(s, 0, sizeof(*s));
   s->samples = rnd() % 4 ? 1 : 4;
   s->color_mask = 1;
   s->color_format[0] = &attila_formats[format];
   s->regs.alpha_to_one = rnd() % 8 == 0;
   s->regs.logicop_enable = rnd() % 8 == 0;
   s->regs.logicop = rnd() % 16;
   for (unsigned i = 0; i < 4; i++)
      s->regs.blend_color[i] = random_color();
   s->regs.color[0] = (struct attila_color_regs){.address = 4096,
                                                 .format = format,
                                                 .pitch_tiles = 1,
                                                 .write_mask = rnd() % 2 ? 15 : rnd() % 16,
                                                 .blend_enable = rnd() % 4 != 0,
                                                 .rgb_eq = rnd() % 2 ? 0 : rnd() % 5,
                                                 .rgb_src = rnd() % 15,
                                                 .rgb_dst = rnd() % 15,
                                                 .alpha_eq = rnd() % 2 ? 0 : rnd() % 5,
                                                 .alpha_src = rnd() % 15,
                                                 .alpha_dst = rnd() % 15};
   if (rnd() % 4 == 0) {
      s->regs.color[0].rgb_src_second = rnd() % 2;
      s->regs.color[0].rgb_dst_second = rnd() % 2;
      s->regs.color[0].alpha_src_second = rnd() % 2;
      s->regs.color[0].alpha_dst_second = rnd() % 2;
   }
   if (attila_type_is_integer(attila_formats[format].type))
      s->regs.color[0].blend_enable = 0; /* as emul_draw_state_init has it */
   if (rnd() % 3 == 0) {
      s->regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
      s->regs.color[0].rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
      if (rnd() % 2) {
         s->regs.color[0].alpha_src = ATTILA_FACTOR_SRC_ALPHA;
         s->regs.color[0].alpha_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
      }
   }
}

static void
check_quad(enum attila_format format)
{
   const struct attila_format_desc *desc = &attila_formats[format];
   struct emul_draw_state s;
   float src[4][4], second[4][4];
   uint8_t dst[64 + 16], expected[64 + 16], before[64 + 16];
   unsigned mask = rnd() % 4 ? 15 : rnd() % 16;
   random_state(&s, format);
   for (unsigned i = 0; i < sizeof(dst); i++)
      dst[i] = (uint8_t)rnd();
   for (unsigned p = 0; p < 4; p++) {
      float old[4];
      for (unsigned i = 0; i < 4; i++) {
         src[i][p] = attila_type_is_integer(desc->type) ? random_bits() : random_color();
         second[i][p] = random_color();
         old[i] = random_color();
      }
      if (desc->type == ATTILA_TYPE_FLOAT)
         emul_format_pack(format, old, dst + p * desc->bytes);
   }
   memcpy(before, dst, sizeof(dst));
   memcpy(expected, dst, sizeof(dst));
   for (unsigned p = 0; p < 4; p++) {
      float color[2][4] = {{src[0][p], src[1][p], src[2][p], src[3][p]},
                           {second[0][p], second[1][p], second[2][p], second[3][p]}};
      if (mask >> p & 1)
         reference(&s, color, expected + p * desc->bytes);
   }
   emul_color_quad(&s, 0, mask, (const float(*)[4])src, (const float(*)[4])second, dst);
   for (unsigned p = 0; p < 4; p++) {
      assert_element(desc, dst + p * desc->bytes, expected + p * desc->bytes);
      if (!(mask >> p & 1))
         assert_memory_equal(dst + p * desc->bytes, before + p * desc->bytes, desc->bytes);
   }
   assert_memory_equal(dst + 4 * desc->bytes, before + 4 * desc->bytes,
                       sizeof(dst) - 4 * desc->bytes);
}

static void
test_every_format_blends_as_the_reference(void **unused)
{
   (void)unused;
   unsigned tested = 0;
   for (unsigned f = 0; f < ATTILA_NUM_FORMATS; f++) {
      if (!(attila_formats[f].uses & ATTILA_USE_COLOR))
         continue;
      for (unsigned n = 0; n < 4000; n++)
         check_quad((enum attila_format)f);
      tested++;
   }
   assert_true(tested > 59);
}

#define GROUP_BYTES (6 * 16) /* four quads, and one around them on each side */

static void
random_group(uint8_t memory[2][GROUP_BYTES], struct emul_vec4 *color)
{
   for (unsigned i = 0; i < GROUP_BYTES; i++)
      memory[0][i] = memory[1][i] = (uint8_t)rnd();
   for (unsigned i = 0; i < 4 * EMUL_LANES; i++)
      color->c[i / EMUL_LANES][i % EMUL_LANES] = random_color();
}

/* A group of quads by this host's variant is what its quads are one after the other, also when some
 * are in the same place and nothing is blended. */
static void
check_group(enum attila_format format, const struct emul_color_writer *writer)
{
   struct emul_draw_state s;
   struct emul_vec4 color;
   uint8_t memory[2][GROUP_BYTES], *dst[4];
   const unsigned lanes = rnd() % 2 ? 0xffff : rnd() % 65536;
   random_state(&s, format);
   if (!emul_color_group_fits(&s, 0))
      return;
   random_group(memory, &color);
   for (unsigned q = 0; q < 4; q++) {
      const unsigned place = s.regs.color[0].blend_enable ? q : rnd() % 4;
      float src[4][4];
      dst[q] = lanes >> 4 * q & 15 ? memory[0] + 16 * (1 + place) : NULL;
      for (unsigned c = 0; c < 4; c++)
         memcpy(src[c], &color.c[c][4 * q], sizeof(src[c]));
      if (dst[q])
         emul_color_quad(&s, 0, lanes >> 4 * q & 15, (const float(*)[4])src, NULL,
                         memory[1] + 16 * (1 + place));
   }
   writer->group(&s, 0, lanes, &color, dst);
   assert_memory_equal(memory[0], memory[1], sizeof(memory[0]));

   /* One colour for all. */
   if (s.regs.color[0].blend_enable)
      return;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned i = 1; i < EMUL_LANES; i++)
         color.c[c][i] = color.c[c][0];
   }
   writer->group(&s, 0, lanes, &color, dst);
   for (unsigned q = 0; q < 4; q++)
      dst[q] = dst[q] ? memory[1] + (dst[q] - memory[0]) : NULL;
   const struct emul_color_fill fill = emul_color_fill_of(&s, 0, &color);
   emul_color_fill(&fill, lanes, dst);
   assert_memory_equal(memory[0], memory[1], sizeof(memory[0]));
}

/* A square is a group whose quads follow each other. */
static void
check_square(enum attila_format format, const struct emul_color_writer *writer)
{
   struct emul_draw_state s;
   struct emul_vec4 color;
   uint8_t memory[2][GROUP_BYTES], *dst[4];
   random_state(&s, format);
   if (!emul_color_group_fits(&s, 0))
      return;
   random_group(memory, &color);
   for (unsigned q = 0; q < 4; q++)
      dst[q] = memory[1] + 16 * (1 + q);
   writer->group(&s, 0, 0xffff, &color, dst);
   writer->square(&s, 0, &color, memory[0] + 16);
   assert_memory_equal(memory[0], memory[1], sizeof(memory[0]));
}

static void
test_groups_blend_as_quads(void **unused)
{
   (void)unused;
   const struct emul_color_writer *writer;
   unsigned tested = 0;
   for (unsigned n = 0; (writer = emul_color_writer_get(n)); n++) {
      for (unsigned f = 0; f < ATTILA_NUM_FORMATS; f++) {
         for (unsigned i = 0; i < 3000; i++)
            check_group((enum attila_format)f, writer);
         for (unsigned i = 0; i < 1000; i++)
            check_square((enum attila_format)f, writer);
      }
      tested++;
   }
   assert_true(tested >= 1);
}

/* Every value of an 8-bit channel survives a copy through blending with factors ONE and ZERO, and
 * rounding is to nearest even. */
static void
test_bytes_survive_a_copy_by_blending(void **unused)
{
   (void)unused;
   struct emul_draw_state s;
   for (unsigned v = 0; v < 256; v++) {
      memset(&s, 0, sizeof(s));
      s.samples = 1;
      s.color_format[0] = &attila_formats[ATTILA_FORMAT_B8G8R8A8_UNORM];
      s.regs.color[0] = (struct attila_color_regs){.format = ATTILA_FORMAT_B8G8R8A8_UNORM,
                                                   .write_mask = 15,
                                                   .blend_enable = 1,
                                                   .rgb_dst = ATTILA_FACTOR_ONE,
                                                   .alpha_dst = ATTILA_FACTOR_ONE};
      uint8_t dst[16];
      float src[4][4] = {{0}};
      for (unsigned i = 0; i < 16; i++)
         dst[i] = (uint8_t)(v + i * 37);
      emul_color_quad(&s, 0, 15, (const float(*)[4])src, NULL, dst);
      for (unsigned i = 0; i < 16; i++)
         assert_int_equal(dst[i], (uint8_t)(v + i * 37));
      s.regs.color[0].blend_enable = 0;
      for (unsigned p = 0; p < 4; p++)
         src[0][p] = ((float)v + 0.25f * (float)p) / 255.0f;
      emul_color_quad(&s, 0, 15, (const float(*)[4])src, NULL, dst);
      for (unsigned p = 0; p < 4; p++) {
         double exact = nearbyint((double)(src[0][p] > 1.0f ? 255.0f : src[0][p] * 255.0f));
         assert_int_equal(dst[4 * p + 2], (int)exact);
      }
   }
}

/* Source over destination in double arithmetic: at most one step away, and mostly the same. */
static void
test_blending_is_within_a_step_of_double(void **unused)
{
   (void)unused;
   struct emul_draw_state s;
   unsigned different = 0, total = 0;
   for (unsigned n = 0; n < 50000; n++) {
      memset(&s, 0, sizeof(s));
      s.samples = 1;
      s.color_format[0] = &attila_formats[ATTILA_FORMAT_R8G8B8A8_UNORM];
      s.regs.color[0] = (struct attila_color_regs){.format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                                   .write_mask = 15,
                                                   .blend_enable = 1,
                                                   .rgb_src = ATTILA_FACTOR_SRC_ALPHA,
                                                   .rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA,
                                                   .alpha_src = ATTILA_FACTOR_ONE,
                                                   .alpha_dst = ATTILA_FACTOR_ONE};
      uint8_t dst[16], old[16];
      float src[4][4];
      for (unsigned i = 0; i < 16; i++) {
         old[i] = dst[i] = (uint8_t)rnd();
         src[i / 4][i % 4] = (float)rnd() / 16777216.0f;
      }
      emul_color_quad(&s, 0, 15, (const float(*)[4])src, NULL, dst);
      for (unsigned p = 0; p < 4; p++) {
         for (unsigned i = 0; i < 4; i++) {
            double a = (double)src[3][p], d = old[4 * p + i] / 255.0;
            double v = i == 3 ? fmin(a + d, 1.0) : (double)src[i][p] * a + d * (1.0 - a);
            int expected = (int)nearbyint(v * 255.0), got = dst[4 * p + i];
            assert_true(abs(expected - got) <= 1);
            different += expected != got;
            total++;
         }
      }
   }
   assert_true(different * 1000 < total);
}

static void
test_infinities_times_zero_are_zero(void **unused)
{
   (void)unused;
   struct emul_draw_state s;
   memset(&s, 0, sizeof(s));
   s.samples = 1;
   s.color_format[0] = &attila_formats[ATTILA_FORMAT_R32G32B32A32_FLOAT];
   s.regs.color[0] = (struct attila_color_regs){.format = ATTILA_FORMAT_R32G32B32A32_FLOAT,
                                                .write_mask = 15,
                                                .blend_enable = 1,
                                                .rgb_src = ATTILA_FACTOR_ONE,
                                                .alpha_src = ATTILA_FACTOR_ONE};
   float src[4][4], dst[16];
   for (unsigned i = 0; i < 16; i++) {
      src[i / 4][i % 4] = 3.5f;
      dst[i] = INFINITY;
   }
   emul_color_quad(&s, 0, 15, (const float(*)[4])src, NULL, (uint8_t *)dst);
   for (unsigned i = 0; i < 16; i++)
      assert_true(dst[i] == 3.5f);
}

static void
test_alpha_to_coverage(void **unused)
{
   (void)unused;
   const float alpha[4] = {0.0f, 1.0f, 0.5f, 7.0f}, nan[4] = {NAN, -1.0f, 0.1f, 0.13f};
   assert_int_equal(emul_alpha_to_coverage(alpha, 4), 0xe | 0xe << 4 | 0xa << 8 | 0xa << 12);
   assert_int_equal(emul_alpha_to_coverage(alpha, 1), 0xe);
   assert_int_equal(emul_alpha_to_coverage(nan, 4), 0x8);
   assert_int_equal(emul_alpha_to_coverage((const float[4]){1, 1, 1, 1}, 8), 0xffffffffu);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_format_blends_as_the_reference),
       cmocka_unit_test(test_groups_blend_as_quads),
       cmocka_unit_test(test_bytes_survive_a_copy_by_blending),
       cmocka_unit_test(test_blending_is_within_a_step_of_double),
       cmocka_unit_test(test_infinities_times_zero_are_zero),
       cmocka_unit_test(test_alpha_to_coverage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
