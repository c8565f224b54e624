/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes a picture that OpenGL read back as PNG, for the preloaded libraries in this folder. Not
 * here: reading PNG. */
#ifndef ATTILA_TOOLS_PNG_OUT_H
#define ATTILA_TOOLS_PNG_OUT_H

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The rows are RGBA, lowest first. A symbolic link is not followed, since the user did not choose
 * the path. A failure is reported on standard error as TOOL's. */
static inline void
png_write_bottom_up(const char *tool, const char *path, const uint8_t *rgba, unsigned width,
                    unsigned height)
{
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
   const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
   FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
   /* A negative stride tells libpng that the last row comes first. */
   const bool written =
       f && png_image_write_to_stdio(&image, f, 0, rgba, -(png_int_32)(width * 4), NULL);
   const int reason = errno;
   if (f && !fclose(f) && written)
      return;
   fprintf(stderr, "%s: cannot write %s: %s\n", tool, path,
           reason == ELOOP ? "it is a symbolic link" : strerror(reason));
}

#endif
