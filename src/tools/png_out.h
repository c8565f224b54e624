/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes a picture that OpenGL read back as PNG, for the preloaded libraries in this folder. Not
 * here: reading PNG.
 */
#ifndef ATTILA_TOOLS_PNG_OUT_H
#define ATTILA_TOOLS_PNG_OUT_H

#include <png.h>
#include <stdint.h>
#include <stdio.h>

/* The rows are RGBA, the lowest first. A failure is told on standard error as TOOL's. */
static inline void
png_write_bottom_up(const char *tool, const char *path, const uint8_t *rgba, unsigned width,
                    unsigned height)
{
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
   /* A negative stride tells libpng that the last row comes first. */
   if (!png_image_write_to_file(&image, path, 0, rgba, -(png_int_32)(width * 4), NULL))
      fprintf(stderr, "%s: cannot write %s: %s\n", tool, path, image.message);
}

#endif
