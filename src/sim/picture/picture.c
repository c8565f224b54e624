/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The elements of a surface as values, and as colours for a screen (picture.h). Not here: files
 * (picture_file.c). */
#include "picture/picture.h"
#include <stdlib.h>
#include <string.h>
#include "emul/format/emul_format.h"
#include "hw/attila_surface.h"

bool
picture_has_plane(const struct picture_surface *s, enum picture_plane plane, uint32_t memory_size)
{
   const struct attila_format_desc *d;
   if (!s->address || !s->width || !s->height || s->format >= ATTILA_NUM_FORMATS)
      return false;
   d = &attila_formats[s->format];
   uint32_t w = (s->width + d->block_width - 1) / d->block_width,
            h = (s->height + d->block_height - 1) / d->block_height;
   if (!attila_surface_fits(memory_size, s->address, s->pitch_tiles, w, h, s->samples, d->bytes))
      return false;
   if (plane == PICTURE_COLOR)
      return (d->uses & (ATTILA_USE_COLOR | ATTILA_USE_TEXTURE)) != 0;
   return d->type == ATTILA_TYPE_ZS && d->channel[plane == PICTURE_STENCIL].bits;
}

static float
picture_stencil_of(const struct attila_format_desc *d, const uint8_t *element)
{
   return element[d->channel[1].shift / 8];
}

static void
picture_swizzle(const struct picture_surface *s, float v[4])
{
   const float from[6] = {v[0], v[1], v[2], v[3], 0.0f, 1.0f};
   if (!s->swizzled)
      return;
   for (unsigned i = 0; i < 4; i++)
      v[i] = from[s->swizzle[i] < 6 ? s->swizzle[i] : ATTILA_SWIZZLE_0];
}

/* Reads a pixel: the average of its samples; for depth and stencil, the first sample. */
static void
picture_take_pixel(const struct picture_surface *s, enum picture_plane plane, const uint8_t *slice,
                   uint32_t x, uint32_t y, float out[4])
{
   const struct attila_format_desc *d = &attila_formats[s->format];
   const uint32_t ex = x / d->block_width, ey = y / d->block_height,
                  inside = d->block_width > 1 ? (y & 3) * 4 + (x & 3) : 0;
   const unsigned samples = plane == PICTURE_COLOR && s->samples > 1 ? s->samples : 1;
   float sum[4] = {0};
   for (unsigned n = 0; n < samples; n++) {
      const uint8_t *element =
          slice + attila_element_offset(s->pitch_tiles, s->samples, d->bytes, ex, ey, n);
      float v[4] = {0};
      if (plane == PICTURE_STENCIL)
         v[0] = picture_stencil_of(d, element);
      else
         emul_format_unpack(s->format, element, inside, v);
      if (plane == PICTURE_COLOR)
         emul_format_to_numbers(s->format, v);
      for (unsigned c = 0; c < 4; c++)
         sum[c] += v[c];
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = sum[c] / (float)samples;
   if (plane == PICTURE_COLOR)
      picture_swizzle(s, out);
}

static size_t
picture_num_pixels(const struct picture *p)
{
   return (size_t)p->width * p->height;
}

/* Returns the value that is shown as white. Integers have no range, so it is the largest one in the
 * picture. */
static float
picture_white_of(const struct picture *p, const struct picture_surface *s)
{
   float white = 1.0f;
   if (!attila_type_is_integer(attila_formats[s->format].type))
      return white;
   for (size_t i = 0; i < picture_num_pixels(p); i++) {
      for (unsigned c = 0; c < 3; c++)
         white = p->pixel[i][c] > white ? p->pixel[i][c] : white;
   }
   return white;
}

bool
picture_take(struct picture *p, const struct picture_surface *s, enum picture_plane plane,
             const uint8_t *memory)
{
   *p = (struct picture){.width = s->width,
                         .height = s->height,
                         .pixel = malloc((size_t)s->width * s->height * sizeof(*p->pixel))};
   if (!p->pixel)
      return false;
   for (uint32_t y = 0; y < s->height; y++) {
      uint32_t row = s->bottom_up ? s->height - 1 - y : y;
      for (uint32_t x = 0; x < s->width; x++)
         picture_take_pixel(s, plane, memory + s->address, x, y,
                            p->pixel[(size_t)row * s->width + x]);
   }
   p->white = plane == PICTURE_COLOR ? picture_white_of(p, s) : 1.0f;
   return true;
}

void
picture_free(struct picture *p)
{
   free(p->pixel);
   p->pixel = NULL;
}

void
picture_output(const struct picture_surface *s, float rgba[4])
{
   emul_format_to_numbers(s->format, rgba);
}

static bool
picture_differs(const struct picture *a, const struct picture *b, size_t i)
{
   return memcmp(a->pixel[i], b->pixel[i], sizeof(a->pixel[i])) != 0;
}

uint64_t
picture_changed(const struct picture *a, const struct picture *b)
{
   uint64_t n = 0;
   for (size_t i = 0; i < picture_num_pixels(a); i++)
      n += picture_differs(a, b, i);
   return n;
}

void
picture_range(const struct picture *p, float *min, float *max)
{
   *min = *max = p->pixel[0][0];
   for (size_t i = 1; i < picture_num_pixels(p); i++) {
      const float v = p->pixel[i][0];
      *min = v < *min ? v : *min;
      *max = v > *max ? v : *max;
   }
}

static uint8_t
picture_byte(float v)
{
   v = v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
   return (uint8_t)(v * 255.0f + 0.5f);
}

uint8_t *
picture_to_rgb(const struct picture *p, bool srgb, bool alpha)
{
   uint8_t *rgb = malloc(picture_num_pixels(p) * 3 + 1);
   bool black = alpha;
   for (size_t i = 0; i < picture_num_pixels(p) && black; i++)
      black = p->pixel[i][0] <= 0.0f && p->pixel[i][1] <= 0.0f && p->pixel[i][2] <= 0.0f;
   for (size_t i = 0; rgb && i < picture_num_pixels(p); i++) {
      for (unsigned c = 0; c < 3; c++) {
         const float v = p->pixel[i][black ? 3 : c] / p->white;
         rgb[3 * i + c] = srgb && !black ? emul_linear_to_srgb(v) : picture_byte(v);
      }
   }
   return rgb;
}

uint8_t *
picture_to_grey(const struct picture *p, float min, float max)
{
   uint8_t *rgb = malloc(picture_num_pixels(p) * 3 + 1);
   for (size_t i = 0; rgb && i < picture_num_pixels(p); i++) {
      const float v = p->pixel[i][0];
      memset(rgb + 3 * i,
             max > min  ? picture_byte((v - min) / (max - min))
             : v > 0.0f ? 255
                        : 0,
             3);
   }
   return rgb;
}

void
picture_dim(uint8_t *rgb, const struct picture *a, const struct picture *b)
{
   for (size_t i = 0; i < picture_num_pixels(a); i++) {
      if (!picture_differs(a, b, i))
         picture_dim_pixel(rgb + 3 * i);
   }
}

void
picture_shrink(uint8_t *rgb, uint32_t *width, uint32_t *height, uint32_t n)
{
   const uint32_t w = (*width + n - 1) / n, h = (*height + n - 1) / n;
   for (uint32_t y = 0; y < h; y++) {
      const uint32_t y1 = (y + 1) * n < *height ? (y + 1) * n : *height;
      for (uint32_t x = 0; x < w; x++) {
         const uint32_t x1 = (x + 1) * n < *width ? (x + 1) * n : *width;
         uint32_t sum[3] = {0}, count = (x1 - x * n) * (y1 - y * n);
         for (uint32_t sy = y * n; sy < y1; sy++) {
            for (uint32_t sx = x * n; sx < x1; sx++) {
               for (unsigned c = 0; c < 3; c++)
                  sum[c] += rgb[3 * ((size_t)sy * *width + sx) + c];
            }
         }
         /* From here on a write never overtakes the reads. */
         for (unsigned c = 0; c < 3; c++)
            rgb[3 * ((size_t)y * w + x) + c] = (uint8_t)((sum[c] + count / 2) / count);
      }
   }
   *width = w;
   *height = h;
}
