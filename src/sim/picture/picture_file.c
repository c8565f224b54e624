/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures and raw values as files: PNG by libpng, and NumPy's .npy, a line of text before the
 * values (NumPy Enhancement Proposal 1). A file that could not be completed is removed. */
#include <png.h>
#include <stdio.h>
#include <string.h>
#include "picture/picture.h"

bool
picture_write_png(const char *path, enum sim_file_kind kind, const uint8_t *rgb, uint32_t width,
                  uint32_t height, char *error, size_t error_size)
{
   FILE *f = sim_file_stream(path, "w", kind, error, error_size);
   if (!f)
      return false;
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
   sigset_t before;
   sim_file_hold_signals(&before);
   bool ok = png_image_write_to_stdio(&image, f, 0, rgb, 0, NULL);
   png_image_free(&image);
   ok = sim_file_end_stream(f, path, ok, error, error_size);
   sim_file_release_signals(&before, !ok);
   return ok;
}

bool
picture_write_npy(const char *path, enum sim_file_kind kind, const char *type, const void *data,
                  uint32_t width, uint32_t height, uint32_t components, char *error,
                  size_t error_size)
{
   char text[256], shape[64];
   const size_t size = (size_t)(type[2] - '0') * width * height * components;
   FILE *f = sim_file_stream(path, "w", kind, error, error_size);
   if (!f)
      return false;
   snprintf(shape, sizeof(shape), components > 1 ? "(%u, %u, %u)" : "(%u, %u)", height, width,
            components);
   int n = snprintf(text, sizeof(text), "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                    type, shape);
   /* Magic, version, header length; blanks up to a multiple of 64, then a newline. */
   const int padded = (10 + n + 1 + 63) / 64 * 64 - 10;
   memset(text + n, ' ', (size_t)(padded - n - 1));
   text[padded - 1] = '\n';
   const uint8_t head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)padded, 0};
   sigset_t before;
   sim_file_hold_signals(&before);
   bool ok = fwrite(head, sizeof(head), 1, f) == 1 && fwrite(text, (size_t)padded, 1, f) == 1 &&
             fwrite(data, size, 1, f) == 1;
   ok = sim_file_end_stream(f, path, ok, error, error_size);
   sim_file_release_signals(&before, !ok);
   return ok;
}
