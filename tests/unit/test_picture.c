/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Surfaces as pictures: which element becomes which pixel, averages of samples, depth and stencil,
 * what is dimmed, and the values in a .npy file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "hw/attila_surface.h"
#include "picture/picture.h"

#define MEMORY (1u << 20)
static uint8_t memory[MEMORY];

static struct picture_surface
surface(enum attila_format format, uint32_t width, uint32_t height, uint32_t samples)
{
   memset(memory, 0, sizeof(memory));
   return (struct picture_surface){.format = format,
                                   .address = 4096,
                                   .pitch_tiles = attila_surface_pitch(width, height),
                                   .samples = samples,
                                   .width = width,
                                   .height = height};
}

static uint8_t *
element(const struct picture_surface *s, uint32_t x, uint32_t y, uint32_t sample)
{
   const uint32_t bytes = attila_formats[s->format].bytes;
   return memory + s->address +
          attila_element_offset(s->pitch_tiles, s->samples, bytes, x, y, sample);
}

static void
test_colors_are_taken_pixel_by_pixel(void **state)
{
   struct picture_surface s = surface(ATTILA_FORMAT_B8G8R8A8_UNORM, 37, 21, 1);
   struct picture p;
   for (unsigned y = 0; y < s.height; y++) {
      for (unsigned x = 0; x < s.width; x++)
         memcpy(element(&s, x, y, 0), (uint8_t[4]){(uint8_t)x, (uint8_t)y, 200, 255}, 4);
   }
   for (unsigned up = 0; up < 2; up++) {
      s.bottom_up = up;
      assert_true(picture_has_plane(&s, PICTURE_COLOR, MEMORY));
      assert_true(picture_take(&p, &s, PICTURE_COLOR, memory));
      uint8_t *rgb = picture_to_rgb(&p, false, false);
      for (unsigned y = 0; y < s.height; y++) {
         for (unsigned x = 0; x < s.width; x++) {
            const uint8_t *c = rgb + 3 * (y * s.width + x);
            assert_int_equal(c[0], 200);
            assert_int_equal(c[1], up ? s.height - 1 - y : y);
            assert_int_equal(c[2], x);
         }
      }
      free(rgb);
      picture_free(&p);
   }
   s.address = MEMORY - 4096;
   assert_false(picture_has_plane(&s, PICTURE_COLOR, 2 * 4096));
   assert_false(picture_has_plane(&s, PICTURE_DEPTH, MEMORY * 2));
}

static void
test_samples_are_averaged(void **state)
{
   const struct picture_surface s = surface(ATTILA_FORMAT_R8_UNORM, 9, 9, 4);
   struct picture p;
   for (unsigned n = 0; n < 4; n++)
      *element(&s, 8, 8, n) = (uint8_t)(n * 40);
   assert_true(picture_take(&p, &s, PICTURE_COLOR, memory));
   uint8_t *rgb = picture_to_rgb(&p, false, false);
   assert_int_equal(rgb[3 * 80], 60);
   assert_int_equal(rgb[3 * 79], 0);
   free(rgb);
   picture_free(&p);
}

/* Integers are their numbers, and the largest of a picture is white. */
static void
test_largest_integer_is_white(void **state)
{
   const struct picture_surface s = surface(ATTILA_FORMAT_R16G16B16A16_SINT, 9, 9, 1);
   struct picture p;
   (void)state;
   memcpy(element(&s, 4, 0, 0), (int16_t[4]){-5, 1000, 250, 1}, 8);
   assert_true(picture_take(&p, &s, PICTURE_COLOR, memory));
   assert_true(p.pixel[4][0] == -5.0f && p.pixel[4][1] == 1000.0f && p.pixel[4][3] == 1.0f);
   uint8_t *rgb = picture_to_rgb(&p, false, false);
   assert_memory_equal(rgb + 12, ((uint8_t[]){0, 255, 64}), 3);
   free(rgb);
   picture_free(&p);
   float output[4];
   memcpy(output, (int32_t[4]){-5, 1000, 250, 1}, sizeof(output));
   picture_output(&s, output);
   assert_true(output[0] == -5.0f && output[1] == 1000.0f && output[3] == 1.0f);
}

static void
test_depth_and_stencil_are_taken_apart(void **state)
{
   const struct picture_surface s = surface(ATTILA_FORMAT_Z24S8, 16, 8, 1);
   struct picture p;
   float min, max;
   memcpy(element(&s, 3, 2, 0), (uint8_t[4]){0xff, 0xff, 0x7f, 9}, 4);
   assert_true(picture_has_plane(&s, PICTURE_DEPTH, MEMORY));
   assert_true(picture_has_plane(&s, PICTURE_STENCIL, MEMORY));
   assert_true(picture_take(&p, &s, PICTURE_STENCIL, memory));
   picture_range(&p, &min, &max);
   assert_true(min == 0.0f && max == 9.0f);
   uint8_t *grey = picture_to_grey(&p, min, max);
   assert_int_equal(grey[3 * (2 * 16 + 3)], 255);
   assert_int_equal(grey[0], 0);
   free(grey);
   picture_free(&p);
   assert_true(picture_take(&p, &s, PICTURE_DEPTH, memory));
   assert_float_equal(p.pixel[2 * 16 + 3][0], 0.5, 1e-6);
   picture_free(&p);
   const struct picture_surface z = surface(ATTILA_FORMAT_Z16_UNORM, 16, 8, 1);
   assert_false(picture_has_plane(&z, PICTURE_STENCIL, MEMORY));
}

static void
test_swizzle_and_alpha(void **state)
{
   struct picture_surface s = surface(ATTILA_FORMAT_A8_UNORM, 4, 4, 1);
   struct picture p;
   s.swizzled = true;
   memcpy(s.swizzle, (uint8_t[4]){4, 4, 4, 3}, 4); /* 0, 0, 0, alpha */
   *element(&s, 1, 0, 0) = 77;
   assert_true(picture_take(&p, &s, PICTURE_COLOR, memory));
   uint8_t *alpha = picture_to_rgb(&p, false, true), *black = picture_to_rgb(&p, false, false);
   assert_int_equal(alpha[3], 77);
   assert_int_equal(alpha[5], 77);
   assert_int_equal(black[3], 0);
   free(alpha);
   free(black);
   picture_free(&p);
}

static void
test_unchanged_pixels_are_dimmed(void **state)
{
   const struct picture_surface s = surface(ATTILA_FORMAT_R8G8B8A8_UNORM, 2, 1, 1);
   struct picture a, b;
   memcpy(element(&s, 0, 0, 0), (uint8_t[4]){200, 200, 200, 255}, 4);
   assert_true(picture_take(&a, &s, PICTURE_COLOR, memory));
   memcpy(element(&s, 1, 0, 0), (uint8_t[4]){10, 20, 30, 255}, 4);
   assert_true(picture_take(&b, &s, PICTURE_COLOR, memory));
   assert_int_equal(picture_changed(&a, &b), 1);
   assert_int_equal(picture_changed(&a, &a), 0);
   uint8_t *rgb = picture_to_rgb(&b, false, false);
   picture_dim(rgb, &a, &b);
   assert_memory_equal(rgb, ((uint8_t[6]){50, 50, 50, 10, 20, 30}), 6);
   free(rgb);
   picture_free(&a);
   picture_free(&b);
}

static void
test_shrink_averages_blocks(void **state)
{
   uint8_t rgb[3 * 5 * 3];
   uint32_t width = 5, height = 3;
   for (unsigned i = 0; i < 15; i++)
      memset(rgb + 3 * i, (int)(10 * i), 3);
   picture_shrink(rgb, &width, &height, 2);
   assert_int_equal(width, 3);
   assert_int_equal(height, 2);
   /* (0 + 10 + 50 + 60) / 4, the last column of two, the last row of two, the corner. */
   assert_int_equal(rgb[0], 30);
   assert_int_equal(rgb[3 * 2], 65);
   assert_int_equal(rgb[3 * 3], 105);
   assert_int_equal(rgb[3 * 5], 140);
}

static void
test_npy_file_has_numpys_header(void **state)
{
   char path[] = "/tmp/test_picture_XXXXXX", error[256], text[256] = {0};
   const uint32_t values[6] = {1, 2, 3, 4, 5, 0x12345678};
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   assert_true(
       picture_write_npy(path, SIM_FILE_OURS, "<u4", values, 3, 2, 1, error, sizeof(error)));
   FILE *f = fopen(path, "rb");
   const size_t size = fread(text, 1, sizeof(text), f);
   fclose(f);
   unlink(path);
   assert_memory_equal(text, "\x93NUMPY\1\0", 8);
   const size_t header = 10 + (uint8_t)text[8];
   assert_int_equal(header % 64, 0);
   assert_int_equal(size, header + sizeof(values));
   assert_non_null(strstr(text + 10, "'<u4'"));
   assert_non_null(strstr(text + 10, "(2, 3)"));
   assert_int_equal(text[header - 1], '\n');
   assert_memory_equal(text + header, values, sizeof(values));
   assert_false(picture_write_npy("/dev/null/x", SIM_FILE_OURS, "<u4", values, 3, 2, 1, error,
                                  sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_colors_are_taken_pixel_by_pixel),
       cmocka_unit_test(test_samples_are_averaged),
       cmocka_unit_test(test_largest_integer_is_white),
       cmocka_unit_test(test_depth_and_stencil_are_taken_apart),
       cmocka_unit_test(test_swizzle_and_alpha),
       cmocka_unit_test(test_unchanged_pixels_are_dimmed),
       cmocka_unit_test(test_shrink_averages_blocks),
       cmocka_unit_test(test_npy_file_has_numpys_header),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
