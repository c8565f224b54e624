/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Depth and stencil test, clear values and HZ bounds against plain references, one pixel at a
 * time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/rop/emul_fragment.h"

static const enum attila_format formats[] = {
    ATTILA_FORMAT_Z16_UNORM, ATTILA_FORMAT_Z16S8,     ATTILA_FORMAT_Z24X8_UNORM,
    ATTILA_FORMAT_Z24S8,     ATTILA_FORMAT_Z32_FLOAT, ATTILA_FORMAT_Z32_FLOAT_S8X24,
    ATTILA_FORMAT_S8};
#define NUM_FORMATS (sizeof(formats) / sizeof(formats[0]))

static uint32_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

/* --- The reference: one pixel, a switch for everything --- */

struct pixel {
   double depth; /* integer of unorm formats, value of floats */
   unsigned stencil;
};

static struct pixel
load(enum attila_format format, const uint8_t *e)
{
   struct pixel p = {0, 0};
   uint32_t v = 0;
   float f;
   switch (format) {
   case ATTILA_FORMAT_Z16_UNORM:
      p.depth = e[0] | e[1] << 8;
      break;
   case ATTILA_FORMAT_Z16S8:
      p.depth = e[0] | e[1] << 8;
      p.stencil = e[2];
      break;
   case ATTILA_FORMAT_Z24X8_UNORM:
   case ATTILA_FORMAT_Z24S8:
      memcpy(&v, e, 4);
      p.depth = v & 0xffffff;
      p.stencil = v >> 24;
      break;
   case ATTILA_FORMAT_Z32_FLOAT_S8X24:
      p.stencil = e[4];
      /* fallthrough */
   case ATTILA_FORMAT_Z32_FLOAT:
      memcpy(&f, e, 4);
      p.depth = (double)f;
      break;
   default:
      p.stencil = e[0];
   }
   return p;
}

static bool
compare(unsigned func, double a, double b)
{
   switch (func) {
   case ATTILA_FUNC_NEVER:
      return false;
   case ATTILA_FUNC_LESS:
      return a < b;
   case ATTILA_FUNC_EQUAL:
      return a == b;
   case ATTILA_FUNC_LEQUAL:
      return a <= b;
   case ATTILA_FUNC_GREATER:
      return a > b;
   case ATTILA_FUNC_NOTEQUAL:
      return a != b;
   case ATTILA_FUNC_GEQUAL:
      return a >= b;
   default:
      return true;
   }
}

static unsigned
stencil_op(unsigned op, unsigned s, unsigned ref)
{
   switch (op) {
   case ATTILA_STENCIL_ZERO:
      return 0;
   case ATTILA_STENCIL_REPLACE:
      return ref;
   case ATTILA_STENCIL_INCR_SAT:
      return s == 255 ? 255 : s + 1;
   case ATTILA_STENCIL_DECR_SAT:
      return s == 0 ? 0 : s - 1;
   case ATTILA_STENCIL_INCR_WRAP:
      return s == 255 ? 0 : s + 1;
   case ATTILA_STENCIL_DECR_WRAP:
      return s == 0 ? 255 : s - 1;
   case ATTILA_STENCIL_INVERT:
      return 255 - s;
   default:
      return s;
   }
}

static double
quantise(enum attila_format format, float z)
{
   float c = z > 0.0f ? z < 1.0f ? z : 1.0f : 0.0f;
   if (format == ATTILA_FORMAT_Z16_UNORM || format == ATTILA_FORMAT_Z16S8)
      return floor((double)(c * 65535.0f));
   if (format == ATTILA_FORMAT_Z24X8_UNORM || format == ATTILA_FORMAT_Z24S8)
      return floor((double)(c * 16777215.0f));
   return (double)c;
}

static bool
reference(const struct emul_draw_state *s, bool front, float z, struct pixel *p)
{
   enum attila_format format = (enum attila_format)s->regs.zs_format;
   bool has_z = attila_formats[format].channel[0].bits,
        has_s = attila_formats[format].channel[1].bits, pass_s = true, pass_z = true;
   const struct attila_stencil_regs *f = &s->regs.stencil[!front && s->regs.stencil[1].enable];
   unsigned old = p->stencil, op;
   if (s->stencil_test && has_s)
      pass_s = compare(f->func, f->ref & f->value_mask, old & f->value_mask);
   if (pass_s && s->z_test && has_z) {
      double code = quantise(format, z);
      pass_z = compare(s->regs.z_func, code, p->depth);
      if (pass_z && s->z_write)
         p->depth = code;
   }
   op = !pass_s ? f->fail : !pass_z ? f->zfail : f->zpass;
   if (s->stencil_test && has_s)
      p->stencil = (old & ~f->write_mask) | (stencil_op(op, old, f->ref) & f->write_mask);
   return pass_s && pass_z;
}

/* Depths around the elements that are in the buffer, at the ends of the range and beyond. */
static float
random_z(void)
{
   static const float special[] = {0.0f, 1.0f, 0.5f, -1.0f, 2.0f, 0.99999994f, 1e-8f, -0.0f, 0.25f};
   uint32_t r = rnd();
   if (r % 8 == 0)
      return special[rnd() % 9];
   if (r % 8 == 1)
      return (float)NAN;
   return r % 8 < 5 ? (float)(rnd() % 5) / 4.0f : (float)rnd() / 16777216.0f;
}

static void
random_state(struct emul_draw_state *s, enum attila_format format)
{
   memset(s, 0, sizeof(*s));
   s->regs.zs_format = format;
   s->zs_format = &attila_formats[format];
   s->zs_bound = true;
   s->z_test = rnd() % 4 != 0;
   s->z_write = s->z_test && rnd() % 2;
   s->regs.z_func = rnd() % 8;
   s->stencil_test = rnd() % 2;
   for (unsigned i = 0; i < 2; i++) {
      struct attila_stencil_regs *f = &s->regs.stencil[i];
      *f = (struct attila_stencil_regs){.enable = s->stencil_test && (i == 0 || rnd() % 2),
                                        .func = rnd() % 8,
                                        .fail = rnd() % 8,
                                        .zfail = rnd() % 8,
                                        .zpass = rnd() % 8,
                                        .ref = rnd() % 4 ? rnd() % 3 : rnd() % 256,
                                        .value_mask = rnd() % 2 ? 255 : rnd() % 256,
                                        .write_mask = rnd() % 2 ? 255 : rnd() % 256};
   }
}

static void
test_quads_pass_as_the_reference_says(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 400000; n++) {
      enum attila_format format = formats[n % NUM_FORMATS];
      unsigned bytes = attila_formats[format].bytes, mask = rnd() % 16, expected = 0;
      struct emul_draw_state s;
      uint8_t zs[64], before[64];
      float z[4];
      bool front = rnd() % 2;
      random_state(&s, format);
      for (unsigned i = 0; i < 64; i++)
         zs[i] = (uint8_t)rnd();
      for (unsigned p = 0; p < 4; p++) {
         uint8_t element[8];
         z[p] = random_z();
         emul_zs_clear_value(&attila_formats[format], 3, rnd() % 2 ? z[p] : random_z(),
                             rnd() % 4 ? rnd() % 3 : rnd() % 256, NULL, element);
         memcpy(zs + p * bytes, element, bytes);
      }
      memcpy(before, zs, 64);
      unsigned pass = emul_zs_quad(&s, front, mask, z, zs);
      for (unsigned p = 0; p < 4; p++) {
         struct pixel old = load(format, before + p * bytes), now = load(format, zs + p * bytes);
         if (mask >> p & 1)
            expected |= (unsigned)reference(&s, front, z[p], &old) << p;
         assert_true(old.depth == now.depth);
         assert_int_equal(old.stencil, now.stencil);
      }
      assert_int_equal(pass, expected);
      assert_memory_equal(zs + 4 * bytes, before + 4 * bytes, 64 - 4 * bytes);
   }
}

/* OpenGL 3.3, 4.1.4: increment and decrement saturate at the largest value, here 255, and at 0. */
static void
test_stencil_saturates_at_its_limits(void **unused)
{
   (void)unused;
   static const struct {
      uint8_t op, before, after;
   } cases[] = {
       {ATTILA_STENCIL_INCR_SAT, 253, 254}, {ATTILA_STENCIL_INCR_SAT, 254, 255},
       {ATTILA_STENCIL_INCR_SAT, 255, 255}, {ATTILA_STENCIL_DECR_SAT, 1, 0},
       {ATTILA_STENCIL_DECR_SAT, 0, 0},     {ATTILA_STENCIL_INCR_WRAP, 254, 255},
       {ATTILA_STENCIL_INCR_WRAP, 255, 0},  {ATTILA_STENCIL_DECR_WRAP, 0, 255},
       {ATTILA_STENCIL_INVERT, 1, 254},     {ATTILA_STENCIL_KEEP, 254, 254},
   };
   for (unsigned f = 0; f < NUM_FORMATS; f++) {
      const struct attila_format_desc *format = &attila_formats[formats[f]];
      for (unsigned i = 0; format->channel[1].bits && i < sizeof(cases) / sizeof(cases[0]); i++) {
         struct emul_draw_state s = {0};
         const float z[4] = {0.5f, 0.5f, 0.5f, 0.5f};
         uint8_t zs[64] = {0};
         s.regs.zs_format = formats[f];
         s.stencil_test = true;
         s.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                          .func = ATTILA_FUNC_ALWAYS,
                                                          .zpass = cases[i].op,
                                                          .value_mask = 255,
                                                          .write_mask = 255};
         for (unsigned p = 0; p < 4; p++)
            emul_zs_clear_value(format, 3, 0.25f, cases[i].before, NULL, zs + p * format->bytes);
         assert_int_equal(emul_zs_quad(&s, true, 15, z, zs), 15);
         for (unsigned p = 0; p < 4; p++)
            assert_int_equal(load(formats[f], zs + p * format->bytes).stencil, cases[i].after);
      }
   }
}

/* What was uploaded to a float buffer may not be a number: only ALWAYS and NOTEQUAL accept. */
static void
test_nan_in_buffer(void **unused)
{
   (void)unused;
   for (unsigned func = 0; func < 8; func++) {
      struct emul_draw_state s = {0};
      const float z[4] = {0.5f, 0.5f, 0.5f, 0.5f};
      float zs[4] = {NAN, NAN, 0.5f, 0.5f};
      s.regs.zs_format = ATTILA_FORMAT_Z32_FLOAT;
      s.z_test = true;
      s.regs.z_func = func;
      unsigned pass = emul_zs_quad(&s, true, 3, z, (uint8_t *)zs);
      assert_int_equal(pass, func == ATTILA_FUNC_ALWAYS || func == ATTILA_FUNC_NOTEQUAL ? 3 : 0);
   }
}

static void
test_clear_values_keep_masked_bits(void **unused)
{
   (void)unused;
   uint8_t out[8], old[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
   uint32_t v;
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z24S8], 3, 1.0f, 0x81, NULL, out);
   memcpy(&v, out, 4);
   assert_int_equal(v, 0x81ffffff);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z24S8], 1, 0.5f, 0x81, old, out);
   memcpy(&v, out, 4);
   assert_int_equal(v, 0x447fffff);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z24S8], 2, 0.5f, 0x181, old, out);
   memcpy(&v, out, 4);
   assert_int_equal(v, 0x81332211);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z24X8_UNORM], 3, 1.0f, 0x81, NULL, out);
   memcpy(&v, out, 4);
   assert_int_equal(v, 0x00ffffff);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z16_UNORM], 1, 0.5f, 0, NULL, out);
   assert_int_equal(out[0] | out[1] << 8, 0x7fff);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_Z32_FLOAT_S8X24], 2, 0.5f, 7, old, out);
   assert_memory_equal(out, ((uint8_t[8]){0x11, 0x22, 0x33, 0x44, 7, 0, 0, 0}), 8);
   emul_zs_clear_value(&attila_formats[ATTILA_FORMAT_S8], 3, 0.5f, 9, NULL, out);
   assert_int_equal(out[0], 9);
}

/* Codes are ordered as the depth test orders depths, and the range of a block is that of its
 * elements. */
static void
test_codes_order_as_depths_do(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 30000; n++) {
      enum attila_format format = formats[n % NUM_FORMATS];
      const struct attila_format_desc *d = &attila_formats[format];
      uint8_t block[512];
      float base = (float)rnd() / 16777216.0f, range = n % 3 ? 0.001f : 1.0f;
      uint32_t min = UINT32_MAX, max = 0, near, far;
      unsigned elements = n % 2 ? 64 : 32;
      for (unsigned i = 0; i < elements; i++) {
         uint8_t element[8];
         float z = n % 101 == 0 ? 1.0f : base + range * (float)(rnd() % 1000) / 1000.0f;
         emul_zs_clear_value(d, 3, z, rnd() % 256, NULL, element);
         memcpy(block + i * d->bytes, element, d->bytes);
         if (!d->channel[0].bits)
            continue;
         uint32_t code = emul_zs_code(d, z);
         min = code < min ? code : min;
         max = code > max ? code : max;
         /* The next float is an equal or a larger depth, and its code says which. */
         float next = nextafterf(z, 2.0f);
         assert_true(code >= 1);
         assert_true((emul_zs_code(d, next) > code) ==
                     (quantise(format, next) > quantise(format, z)));
         assert_int_equal(emul_zs_code(d, emul_zs_code_depth(d, code)), code);
      }
      emul_zs_block_range(d, block, elements, &near, &far);
      assert_int_equal(near, d->channel[0].bits ? min : EMUL_ZS_NEARER);
      assert_int_equal(far, d->channel[0].bits ? max : EMUL_ZS_FARTHER);
   }
}

/* What was never a depth: nothing is known. */
static void
test_impossible_depths_give_no_bound(void **unused)
{
   (void)unused;
   const struct attila_format_desc *d = &attila_formats[ATTILA_FORMAT_Z32_FLOAT];
   const struct {
      float value;
      bool near, far; /* known */
   } cases[] = {
       {NAN, false, false}, {-0.25f, false, true}, {1.5f, true, false}, {-0.0f, true, true}};
   for (unsigned n = 0; n < 4; n++) {
      float block[64];
      uint32_t near, far;
      for (unsigned i = 0; i < 64; i++)
         block[i] = i == 17 ? cases[n].value : 0.5f;
      emul_zs_block_range(d, (const uint8_t *)block, 64, &near, &far);
      assert_true((near != EMUL_ZS_NEARER) == cases[n].near);
      assert_true((far != EMUL_ZS_FARTHER) == cases[n].far);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_quads_pass_as_the_reference_says),
       cmocka_unit_test(test_stencil_saturates_at_its_limits),
       cmocka_unit_test(test_nan_in_buffer),
       cmocka_unit_test(test_clear_values_keep_masked_bits),
       cmocka_unit_test(test_codes_order_as_depths_do),
       cmocka_unit_test(test_impossible_depths_give_no_bound),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
