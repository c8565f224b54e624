/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures as PNG files.
 */
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include "report/sim_report.h"

bool
sim_image_save(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height, char *error,
               size_t error_size)
{
   size_t pixels = (size_t)width * height;
   uint8_t *rgb = malloc(pixels * 3 + 1);
   if (!rgb) {
      snprintf(error, error_size, "%s: out of host memory", path);
      return false;
   }
   for (size_t i = 0; i < pixels; i++)
      memcpy(rgb + i * 3, rgba + i * 4, 3);
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
   bool ok = png_image_write_to_file(&image, path, 0, rgb, 0, NULL) != 0;
   if (!ok)
      snprintf(error, error_size, "%s: %s", path, image.message);
   png_image_free(&image);
   free(rgb);
   return ok;
}
