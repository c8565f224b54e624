/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Partial uploads of odd places and sizes: into textures of several formats and targets, from the
 * program's memory and from buffers, with rows that are longer than what is taken of them, and with
 * draws and clears in between. After each the whole texture is read back and compared with a copy.
 * Not here: conversion of formats (pixels.c). */
#include <stdint.h>
#include "gl_util.h"

enum { WIDTH = 37, HEIGHT = 29, DEPTH = 5, STEPS = 24, TEXELS = WIDTH * HEIGHT * DEPTH };

static uint32_t seed;

static unsigned
below(unsigned end)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % end;
}

static const struct form {
   GLint internal;
   GLenum format, type;
   unsigned bytes; /* of a texel */
} forms[] = {
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2},
    {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 4},
    {GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
};

/* One upload of a box, the same into the copy. */
static void
upload(GLenum target, const struct form *f, uint8_t *copy)
{
   static uint8_t source[(WIDTH + 9) * (HEIGHT + 4) * DEPTH * 16];
   const unsigned deep = target == GL_TEXTURE_2D ? 1 : DEPTH;
   const unsigned w = 1 + below(WIDTH), h = 1 + below(HEIGHT), d = 1 + below(deep);
   const unsigned x = below(WIDTH - w + 1), y = below(HEIGHT - h + 1), z = below(deep - d + 1);
   const unsigned row = w + below(9), rows = h + below(4), skip = below(row - w + 1);
   GLuint buffer = 0;
   for (unsigned i = 0; i < sizeof(source); i++)
      source[i] = (uint8_t)below(256);
   glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)row);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, (GLint)rows);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, (GLint)skip);
   if (below(2)) {
      glGenBuffers(1, &buffer);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
      glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof(source), source, GL_STREAM_DRAW);
   }
   if (target == GL_TEXTURE_2D)
      glTexSubImage2D(target, 0, (GLint)x, (GLint)y, (GLsizei)w, (GLsizei)h, f->format, f->type,
                      buffer ? NULL : source);
   else
      glTexSubImage3D(target, 0, (GLint)x, (GLint)y, (GLint)z, (GLsizei)w, (GLsizei)h, (GLsizei)d,
                      f->format, f->type, buffer ? NULL : source);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   glDeleteBuffers(1, &buffer);
   for (unsigned k = 0; k < d; k++) {
      for (unsigned j = 0; j < h; j++)
         memcpy(copy + (((z + k) * HEIGHT + y + j) * WIDTH + x) * f->bytes,
                source + ((k * rows + j) * row + skip) * f->bytes, w * f->bytes);
   }
}

static void
check(GLenum target, const struct form *f, const uint8_t *copy, unsigned step)
{
   static uint8_t got[TEXELS * 16];
   const size_t size = (target == GL_TEXTURE_2D ? 1u : DEPTH) * WIDTH * HEIGHT * f->bytes;
   memset(got, 0xa5, sizeof(got));
   glGetTexImage(target, 0, f->format, f->type, got);
   for (size_t i = 0; i < size; i++)
      CHECK(got[i] == copy[i], "target 0x%x, format 0x%x, upload %u: byte %zu is %u, not %u",
            target, f->internal, step, i, got[i], copy[i]);
}

static void
texture(GLenum target, const struct form *f)
{
   static uint8_t copy[TEXELS * 16];
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(target, name);
   glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   memset(copy, 0x5a, sizeof(copy));
   glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
   glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
   glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
   if (target == GL_TEXTURE_2D)
      glTexImage2D(target, 0, f->internal, WIDTH, HEIGHT, 0, f->format, f->type, copy);
   else
      glTexImage3D(target, 0, f->internal, WIDTH, HEIGHT, DEPTH, 0, f->format, f->type, copy);
   for (unsigned step = 0; step < STEPS; step++) {
      upload(target, f, copy);
      if (below(3) == 0)
         glClear(GL_COLOR_BUFFER_BIT); /* the stream goes on */
      if (below(2))
         check(target, f, copy, step);
   }
   check(target, f, copy, STEPS);
   glDeleteTextures(1, &name);
}

int
main(int argc, char **argv)
{
   static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D};
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   seed = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   for (unsigned t = 0; t < 3; t++) {
      for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++)
         texture(targets[t], &forms[f]);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return 0;
}
