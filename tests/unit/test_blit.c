/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The blit emulator against copying elements one by one with an address function of its own,
 * resolves against averages in double precision; scan-out conversion. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "emul/rop/emul_swap.h"
#include "emul/rop/emul_blit.h"
#include "emul/format/emul_format.h"

#define MEMORY (1u << 20)

static uint32_t seed = 7;

static uint32_t
rnd(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

/* Bits of x and y interleaved, one at a time. */
static uint32_t
offset_of(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s, uint32_t x,
          uint32_t y, uint32_t z, uint32_t sample)
{
   x += s->x, y += s->y, z += s->z;
   uint32_t slice = s->address + z * s->slice_stride, in_tile = 0;
   if (!s->pitch_tiles)
      return slice + y * s->linear_stride + x * b->element_bytes;
   for (unsigned i = 0; i < 3; i++)
      in_tile += (x >> i & 1) * (1u << 2 * i) + (y >> i & 1) * (2u << 2 * i);
   uint32_t side = 8, tx = x / 8, ty = y / 8, tile;
   while (s->pitch_tiles % side)
      side /= 2;
   tile = (ty / side * (s->pitch_tiles / side) + tx / side) * side * side;
   for (unsigned i = 0; 1u << i < side; i++)
      tile += (tx >> i & 1) * (1u << 2 * i) + (ty >> i & 1) * (2u << 2 * i);
   /* A quad's four pixels, as often as there are samples. */
   uint32_t samples = b->resolve && s == &b->dst ? 1 : b->samples;
   uint32_t quad = (tile * 16 + in_tile / 4) * samples + (samples > 1 ? sample : 0);
   return slice + (quad * 4 + in_tile % 4) * b->element_bytes;
}

static void
random_surface(struct attila_cmd_blit_surface *s, const struct attila_cmd_blit *b, uint32_t base,
               bool linear)
{
   *s = (struct attila_cmd_blit_surface){.x = rnd(20), .y = rnd(20), .z = rnd(2)};
   uint32_t w = s->x + b->width, h = s->y + b->height;
   s->address = base + (linear ? rnd(64) : rnd(4) * 256);
   s->pitch_tiles = linear ? 0 : (w + 7) / 8 + rnd(2);
   s->linear_stride = linear ? w * b->element_bytes + rnd(30) : 0;
   s->slice_stride =
       linear ? s->linear_stride * h + rnd(100)
              : (uint32_t)attila_surface_bytes(s->pitch_tiles, w, h, b->samples, b->element_bytes);
}

static void
blits_copy_elements(void **state)
{
   (void)state;
   uint8_t *memory = malloc(MEMORY), *want = malloc(MEMORY);
   unsigned done = 0;
   for (unsigned n = 0; n < 3000; n++) {
      struct attila_cmd_blit b = {.width = 1 + rnd(40),
                                  .height = 1 + rnd(40),
                                  .depth = 1 + rnd(2),
                                  .element_bytes = 1u << rnd(5),
                                  .samples = 1};
      bool src_linear = rnd(3) == 0, dst_linear = rnd(3) == 0;
      if (!src_linear && !dst_linear)
         b.samples = 1u << rnd(3);
      random_surface(&b.src, &b, 4096, src_linear);
      random_surface(&b.dst, &b, MEMORY / 2, dst_linear);
      if (!emul_blit_check(&b, MEMORY, NULL, 0) || emul_blit_overlaps(&b))
         continue;
      done++;
      for (uint32_t i = 0; i < MEMORY; i += 4) {
         uint32_t v = i * 2654435761u + n;
         memcpy(memory + i, &v, 4);
      }
      memcpy(want, memory, MEMORY);
      for (uint32_t z = 0; z < b.depth; z++)
         for (uint32_t y = 0; y < b.height; y++)
            for (uint32_t x = 0; x < b.width; x++)
               for (uint32_t s = 0; s < b.samples; s++)
                  memcpy(want + offset_of(&b, &b.dst, x, y, z, s),
                         memory + offset_of(&b, &b.src, x, y, z, s), b.element_bytes);
      assert_true(emul_blit(memory, MEMORY, &b));
      assert_memory_equal(memory, want, MEMORY);
   }
   assert_true(done > 1000);
   free(memory);
   free(want);
}

/* What one channel of an average must be, and by how much it may differ. */
static void
check_average(const struct attila_cmd_blit *b, const uint8_t (*samples)[16], const uint8_t *got)
{
   if (b->format == ATTILA_FORMAT_R32G32B32A32_FLOAT) {
      for (unsigned c = 0; c < 4; c++) {
         double sum = 0;
         float v, g;
         for (unsigned s = 0; s < b->samples; s++, sum += (double)v)
            memcpy(&v, samples[s] + 4 * c, 4);
         memcpy(&g, got + 4 * c, 4);
         assert_true(g == (float)(sum / b->samples));
      }
   } else if (b->format == ATTILA_FORMAT_B5G6R5_UNORM) {
      static const unsigned shift[3] = {0, 5, 11}, bits[3] = {5, 6, 5};
      for (unsigned c = 0; c < 3; c++) {
         unsigned sum = 0, max = (1u << bits[c]) - 1;
         for (unsigned s = 0; s < b->samples; s++)
            sum += ((unsigned)samples[s][0] | (unsigned)samples[s][1] << 8) >> shift[c] & max;
         double difference =
             (double)(((unsigned)got[0] | (unsigned)got[1] << 8) >> shift[c] & max) -
             (double)sum / b->samples;
         assert_true(fabs(difference) < 0.5001);
      }
   } else {
      for (unsigned c = 0; c < 4; c++) {
         bool srgb = b->format == ATTILA_FORMAT_R8G8B8A8_SRGB && c < 3;
         double sum = 0;
         for (unsigned s = 0; s < b->samples; s++) {
            double v = samples[s][c] / 255.0;
            sum += srgb ? v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4) : v;
         }
         sum /= b->samples;
         double want =
             255 *
             (srgb ? sum <= 0.0031308 ? sum * 12.92 : 1.055 * pow(sum, 1 / 2.4) - 0.055 : sum);
         assert_true(fabs(got[c] - want) < (srgb ? 0.7 : 0.5001));
      }
   }
}

static void
resolves_average_or_choose(void **state)
{
   (void)state;
   static const uint32_t formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_R8G8B8A8_SRGB,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_B5G6R5_UNORM};
   uint8_t *memory = malloc(MEMORY), *before = malloc(MEMORY), samples[8][16];
   for (unsigned n = 0; n < 400; n++) {
      uint32_t format = formats[n % 4];
      struct attila_cmd_blit b = {.width = 1 + rnd(20),
                                  .height = 1 + rnd(20),
                                  .depth = 1 + rnd(2),
                                  .element_bytes = attila_formats[format].bytes,
                                  .samples = 1u << rnd(4),
                                  .format = format};
      b.resolve = n % 3 ? ATTILA_RESOLVE_AVERAGE : ATTILA_RESOLVE_SAMPLE0 + rnd(b.samples);
      random_surface(&b.src, &b, 4096, false);
      random_surface(&b.dst, &b, MEMORY / 2, false);
      if (!emul_blit_check(&b, MEMORY, NULL, 0) || emul_blit_overlaps(&b))
         continue;
      for (uint32_t i = 0; i < MEMORY; i += 4) {
         uint32_t v = (i * 2654435761u + n * 40503u) >> 3;
         float f = (float)(v & 0xffff) / 65536.0f;
         memcpy(memory + i, b.element_bytes == 16 ? (void *)&f : (void *)&v, 4);
      }
      memcpy(before, memory, MEMORY);
      assert_true(emul_blit(memory, MEMORY, &b));
      for (uint32_t z = 0; z < b.depth; z++)
         for (uint32_t y = 0; y < b.height; y++)
            for (uint32_t x = 0; x < b.width; x++) {
               uint32_t at = offset_of(&b, &b.dst, x, y, z, 0);
               for (uint32_t s = 0; s < b.samples; s++)
                  memcpy(samples[s], before + offset_of(&b, &b.src, x, y, z, s), b.element_bytes);
               if (b.resolve == ATTILA_RESOLVE_AVERAGE)
                  check_average(&b, (const uint8_t(*)[16])samples, memory + at);
               else
                  assert_memory_equal(memory + at, samples[b.resolve - ATTILA_RESOLVE_SAMPLE0],
                                      b.element_bytes);
               memcpy(memory + at, before + at, b.element_bytes);
            }
      assert_memory_equal(memory, before, MEMORY); /* nothing else was written */
   }
   free(memory);
   free(before);
}

/* Samples that are all the same stay what they are, in every format; of integers, which have no
 * average, when one is taken. */
static void
equal_samples_stay(void **state)
{
   (void)state;
   uint8_t memory[8192];
   for (unsigned f = 0; f < ATTILA_NUM_FORMATS; f++) {
      uint32_t e = attila_formats[f].bytes;
      if (!(attila_formats[f].uses & ATTILA_USE_COLOR))
         continue;
      for (unsigned n = 0; n < 200; n++) {
         const float rgba[4] = {(float)rnd(1000) / 999.0f, (float)rnd(1000) / 999.0f,
                                (float)rnd(1000) / 999.0f, (float)rnd(1000) / 999.0f};
         struct attila_cmd_blit b = {.dst = {.pitch_tiles = 1, .address = 0},
                                     .src = {.pitch_tiles = 1, .address = 1024},
                                     .width = 1,
                                     .height = 1,
                                     .depth = 1,
                                     .element_bytes = e,
                                     .samples = 2u << n % 2,
                                     .resolve = ATTILA_RESOLVE_AVERAGE,
                                     .format = f};
         uint8_t element[16];
         emul_format_pack((enum attila_format)f, rgba, element);
         for (unsigned s = 0; s < b.samples; s++)
            memcpy(memory + 1024 + s * 4 * e, element, e);
         if (attila_type_is_integer(attila_formats[f].type)) {
            assert_false(emul_blit(memory, sizeof(memory), &b));
            b.resolve = ATTILA_RESOLVE_SAMPLE0 + n % 2;
         }
         assert_true(emul_blit(memory, sizeof(memory), &b));
         assert_memory_equal(memory, element, e);
      }
   }
}

static void
units_cover_the_box_once(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 500; n++) {
      struct attila_cmd_blit b = {.width = 1 + rnd(70),
                                  .height = 1 + rnd(30),
                                  .depth = 1 + rnd(3),
                                  .element_bytes = 4,
                                  .samples = 1u << rnd(3)};
      b.dst.x = rnd(40), b.dst.y = rnd(40), b.src.pitch_tiles = rnd(2), b.dst.pitch_tiles = rnd(2);
      uint32_t elements = b.width * b.height * b.depth * b.samples, seen = 0;
      uint8_t *hits = calloc(elements, 1);
      for (uint32_t i = 0; i < emul_blit_num_units(&b); i++) {
         struct emul_blit_unit u = emul_blit_unit(&b, i);
         assert_true(u.x + u.width <= b.width && u.y + u.height <= b.height);
         if (b.samples == 1 || (b.src.pitch_tiles && b.dst.pitch_tiles))
            assert_true(u.width * u.height * u.samples <= EMUL_BLIT_UNIT_ELEMENTS);
         assert_true(u.z < b.depth && u.sample == 0 && u.samples == b.samples);
         assert_true(u.width && u.height);
         for (uint32_t y = u.y; y < u.y + u.height; y++)
            for (uint32_t x = u.x; x < u.x + u.width; x++, seen += u.samples)
               assert_int_equal(hits[(u.z * b.height + y) * b.width + x]++, 0);
      }
      assert_int_equal(seen, elements);
      free(hits);
   }
}

static void
malformed_blits_are_refused(void **state)
{
   (void)state;
   char error[128];
   uint8_t *memory = calloc(1, MEMORY);
   struct attila_cmd_blit good = {.src = {.address = 4096, .pitch_tiles = 2},
                                  .dst = {.address = 65536, .pitch_tiles = 2},
                                  .width = 16,
                                  .height = 16,
                                  .depth = 1,
                                  .element_bytes = 4,
                                  .samples = 1},
                          b = good;
   assert_true(emul_blit_check(&b, MEMORY, error, sizeof(error)));
   b.element_bytes = 3, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.samples = 3, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.width = 17, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.width = b.height = b.depth = 8192, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.dst.address = MEMORY - 1024 + 256, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.dst.address = MEMORY - 1024, assert_true(emul_blit(memory, MEMORY, &b)), b = good;
   /* Rows one after the other may begin at any byte. */
   b.dst.pitch_tiles = 0, b.dst.linear_stride = 64;
   b.dst.address = MEMORY - 1024, assert_true(emul_blit(memory, MEMORY, &b));
   b.dst.address++, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.src.y = 0xfffffff0, assert_false(emul_blit(memory, MEMORY, &b)), b = good;
   b.src.slice_stride = 0xffffff00, b.src.z = 3, assert_false(emul_blit(memory, MEMORY, &b)),
   b = good;
   b.src.pitch_tiles = 0, b.samples = 2,
   assert_false(emul_blit_check(&b, MEMORY, error, sizeof(error)));
   assert_non_null(strstr(error, "source"));
   b = good, b.samples = 4, b.resolve = ATTILA_RESOLVE_SAMPLE0 + 3,
   assert_true(emul_blit(memory, MEMORY, &b));
   b.resolve++, assert_false(emul_blit(memory, MEMORY, &b));
   b.resolve = ATTILA_RESOLVE_AVERAGE, assert_false(emul_blit(memory, MEMORY, &b));
   b.format = ATTILA_FORMAT_R8G8B8A8_UNORM, assert_true(emul_blit(memory, MEMORY, &b));
   b.format = ATTILA_FORMAT_Z24S8, assert_false(emul_blit(memory, MEMORY, &b));
   b.format = ATTILA_FORMAT_R8_UNORM, assert_false(emul_blit(memory, MEMORY, &b));
   b.format = 1u << 20, assert_false(emul_blit(memory, MEMORY, &b));
   b.format = ATTILA_FORMAT_R8G8B8A8_UNORM, b.dst.pitch_tiles = 0, b.dst.linear_stride = 64,
   assert_false(emul_blit(memory, MEMORY, &b));
   /* Random words: never a crash, never outside memory (run under a sanitizer). */
   for (unsigned n = 0; n < 200000; n++) {
      uint32_t *w = (uint32_t *)&b;
      for (unsigned i = 0; i < sizeof(b) / 4; i++)
         w[i] = rnd(4) ? rnd(40) : rnd(1u << 24) << rnd(9);
      b.element_bytes = 1u << rnd(5), b.samples = 1u << rnd(2);
      emul_blit(memory, MEMORY, &b);
   }
   b = good;
   b.depth = 0, assert_true(emul_blit(memory, MEMORY, &b));
   free(memory);
}

static void
scan_out_converts(void **state)
{
   (void)state;
   uint8_t *memory = calloc(1, MEMORY), image[20 * 12 * 4];
   static const struct {
      uint32_t format;
      uint8_t element[4];
      uint8_t want[4];
   } cases[] = {
       {ATTILA_FORMAT_R8G8B8A8_UNORM, {1, 2, 3, 4}, {1, 2, 3, 4}},
       {ATTILA_FORMAT_B8G8R8A8_UNORM, {1, 2, 3, 4}, {3, 2, 1, 4}},
       {ATTILA_FORMAT_B8G8R8X8_UNORM, {1, 2, 3, 4}, {3, 2, 1, 255}},
       {ATTILA_FORMAT_B8G8R8A8_SRGB, {1, 2, 3, 4}, {3, 2, 1, 4}},
       {ATTILA_FORMAT_A8R8G8B8_UNORM, {1, 2, 3, 4}, {2, 3, 4, 1}},
       {ATTILA_FORMAT_B5G6R5_UNORM, {0x1f, 0xf8}, {255, 0, 255, 255}},
       {ATTILA_FORMAT_R8_SRGB, {77}, {77, 0, 0, 255}},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct attila_cmd_swap swap = {.address = 4096,
                                     .format = cases[i].format,
                                     .pitch_tiles = 3,
                                     .width = 20,
                                     .height = 12,
                                     .flags = i & 1};
      uint32_t bytes = attila_formats[swap.format].bytes, x = 17, y = 9;
      memset(memory, 0, MEMORY);
      memcpy(memory + 4096 + attila_element_offset(3, 1, bytes, x, y, 0), cases[i].element, bytes);
      emul_swap_to_rgba8(memory, &swap, image);
      uint32_t row = swap.flags & 1 ? 11 - y : y;
      assert_memory_equal(image + (row * 20 + x) * 4, cases[i].want, 4);
   }
   free(memory);
}

/* What a swap with samples leaves in memory is what a blit makes of them, in any format. */
static void
swaps_average_as_blits_do(void **state)
{
   (void)state;
   static const uint32_t formats[] = {ATTILA_FORMAT_B8G8R8A8_UNORM, ATTILA_FORMAT_R8G8B8A8_SRGB,
                                      ATTILA_FORMAT_B5G6R5_UNORM, ATTILA_FORMAT_R16G16B16A16_FLOAT};
   uint8_t *a = calloc(1, MEMORY), *b = calloc(1, MEMORY), *image = calloc(1, 2 * 20 * 13 * 4);
   for (unsigned i = 0; i < MEMORY; i++)
      a[i] = b[i] = (uint8_t)(i * 2654435761u >> 24 & 0x3f);
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      const uint32_t bytes = attila_formats[formats[i]].bytes, samples = 2u << i % 3;
      const struct attila_cmd_swap swap = {.address = 4096,
                                           .format = formats[i],
                                           .pitch_tiles = 4,
                                           .width = 20,
                                           .height = 13,
                                           .flags = ATTILA_SWAP_RESOLVE | (i & 1),
                                           .samples = samples,
                                           .picture_address = 65536 + 4096,
                                           .picture_pitch_tiles = 3};
      const struct attila_cmd_blit blit = {.src = {.address = 4096, .pitch_tiles = 4},
                                           .dst = {.address = 65536 + 4096, .pitch_tiles = 3},
                                           .width = 20,
                                           .height = 13,
                                           .depth = 1,
                                           .element_bytes = bytes,
                                           .samples = samples,
                                           .resolve = ATTILA_RESOLVE_AVERAGE,
                                           .format = formats[i]};
      emul_swap_resolve(a + 4096, &swap, a);
      assert_true(emul_blit(b, MEMORY, &blit));
      const struct attila_cmd_swap picture = emul_swap_picture(&swap);
      assert_int_equal(picture.flags, i & 1);
      emul_swap_to_rgba8(a, &picture, image);
      emul_swap_to_rgba8(b, &picture, image + 20 * 13 * 4);
      assert_memory_equal(image, image + 20 * 13 * 4, 20 * 13 * 4);
   }
   free(a);
   free(b);
   free(image);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(blits_copy_elements),         cmocka_unit_test(resolves_average_or_choose),
       cmocka_unit_test(equal_samples_stay),          cmocka_unit_test(units_cover_the_box_once),
       cmocka_unit_test(malformed_blits_are_refused), cmocka_unit_test(scan_out_converts),
       cmocka_unit_test(swaps_average_as_blits_do),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
