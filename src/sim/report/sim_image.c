/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures: a swapped surface in GPU memory as RGBA8, and PNG files.
 */
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include "emul/emul_format.h"
#include "report/sim_report.h"

static uint8_t
to_byte(float c)
{
   /* The comparison is false for NaN. */
   if (!(c > 0.0f))
      return 0;
   return c >= 1.0f ? 255 : (uint8_t)(c * 255.0f + 0.5f);
}

void
sim_surface_to_rgba8(const uint8_t *memory, uint32_t memory_size, const struct attila_cmd_swap *swap, uint8_t *rgba)
{
   memset(rgba, 0, (size_t)swap->width * swap->height * 4);
   if (swap->format >= ATTILA_NUM_FORMATS || !(attila_formats[swap->format].uses & ATTILA_USE_COLOR))
      return;
   const struct attila_format_desc *format = &attila_formats[swap->format];
   for (uint32_t y = 0; y < swap->height; y++) {
      uint32_t row = swap->flags & 1 ? swap->height - 1 - y : y;
      uint8_t *out = rgba + (size_t)y * swap->width * 4;
      for (uint32_t x = 0; x < swap->width; x++, out += 4) {
         uint64_t tile = (uint64_t)(row >> 3) * swap->pitch_tiles + (x >> 3);
         uint64_t address = swap->address + (tile * ATTILA_TILE_ELEMENTS + attila_morton8(x & 7, row & 7)) * format->bytes;
         if (address + format->bytes > memory_size)
            continue;
         float c[4];
         emul_format_unpack((enum attila_format)swap->format, memory + address, 0, c);
         for (unsigned i = 0; i < 4; i++) {
            /* A window shows the stored values: sRGB formats go out as they are encoded. */
            bool srgb = (format->uses & ATTILA_USE_SRGB) && i < 3;
            out[i] = srgb ? emul_linear_to_srgb(c[i]) : to_byte(c[i]);
         }
      }
   }
}

bool
sim_image_save(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height, char *error, size_t error_size)
{
   size_t pixels = (size_t)width * height;
   uint8_t *rgb = malloc(pixels * 3 + 1);
   if (!rgb) {
      snprintf(error, error_size, "%s: out of host memory", path);
      return false;
   }
   for (size_t i = 0; i < pixels; i++)
      memcpy(rgb + i * 3, rgba + i * 4, 3);
   png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
   bool ok = png_image_write_to_file(&image, path, 0, rgb, 0, NULL) != 0;
   if (!ok)
      snprintf(error, error_size, "%s: %s", path, image.message);
   png_image_free(&image);
   free(rgb);
   return ok;
}
