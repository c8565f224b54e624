/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random values for OpenGL, most of them right and some of them wrong, and the program's memory for
 * images. A block has exactly the size that the specification asks for, so that an address
 * sanitizer sees each byte that Mesa reads or writes beside it. Not here: calls that draw. */
#include "random.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4 << 20, BLOCKS = 16 };

static uint32_t value_state;
static void *blocks[BLOCKS];
static unsigned num_blocks;

void
random_seed(uint32_t seed)
{
   value_state = seed * 2654435761u + 12345;
   for (unsigned i = 0; i < 4; i++)
      random_below(2);
}

unsigned
random_below(unsigned end)
{
   value_state = value_state * 1664525u + 1013904223u;
   return (unsigned)((uint64_t)(value_state >> 4) * end >> 28);
}

bool
random_one_in(unsigned n)
{
   return random_below(n) == 0;
}

GLenum
random_of(const GLenum *list, size_t length)
{
   static const GLenum wrong[] = {
       0,         1,         GL_TRIANGLES,   GL_TEXTURE_2D, GL_RGBA,
       GL_FLOAT,  GL_BITMAP, GL_COLOR_INDEX, GL_FRONT_LEFT, GL_DEPTH_STENCIL,
       0xffffffff};
   if (!random_one_in(40))
      return list[random_below((unsigned)length)];
   return random_one_in(2) ? 0x0b00 + random_below(0x8e00)
                           : wrong[random_below(RANDOM_LENGTH(wrong))];
}

GLsizei
random_size(GLsizei usual)
{
   static const GLsizei odd[] = {-1, 0, 1, 8192, 16385, 65536, INT_MAX, INT_MIN};
   if (random_one_in(30))
      return odd[random_below(RANDOM_LENGTH(odd))];
   return 1 + (GLsizei)random_below((unsigned)usual);
}

GLint
random_place(void)
{
   static const GLint odd[] = {-1, 100, 8192, -8192, INT_MAX, INT_MIN, INT_MAX - 16};
   if (random_one_in(25))
      return odd[random_below(RANDOM_LENGTH(odd))];
   return random_one_in(3) ? (GLint)random_below(56) - 8 : (GLint)random_below(8);
}

float
random_float(void)
{
   static const float odd[] = {0, 1, -1, 1e30f, -1e30f, 1e-30f, INFINITY, -INFINITY, NAN, 65536};
   if (random_one_in(12))
      return odd[random_below(RANDOM_LENGTH(odd))];
   return (float)random_below(4096) / 1024 - 2;
}

GLuint
random_name(const struct random_names *names)
{
   if (random_one_in(40))
      return 1000 + random_below(5);
   if (random_one_in(25) || !names->count)
      return 0;
   return names->name[random_below(names->count)];
}

void
random_add(struct random_names *names, GLuint name, GLenum target)
{
   const unsigned at = names->count < RANDOM_NAMES ? names->count++ : random_below(RANDOM_NAMES);
   names->name[at] = name;
   names->target[at] = target;
}

void *
random_block(size_t bytes)
{
   uint8_t *block = malloc(bytes ? bytes : 1);
   if (!block || num_blocks == BLOCKS)
      abort();
   for (size_t i = 0; i < bytes; i++)
      block[i] = (uint8_t)random_below(256);
   blocks[num_blocks++] = block;
   return block;
}

void
random_release(void)
{
   while (num_blocks)
      free(blocks[--num_blocks]);
}

/* Bytes of a pixel; of a pair that OpenGL does not take at least as many. */
static size_t
pixel_bytes(GLenum format, GLenum type)
{
   size_t components = 4;
   switch (format) {
   case GL_RED:
   case GL_RED_INTEGER:
   case GL_GREEN:
   case GL_BLUE:
   case GL_ALPHA:
   case GL_LUMINANCE:
   case GL_DEPTH_COMPONENT:
   case GL_STENCIL_INDEX:
      components = 1;
      break;
   case GL_RG:
   case GL_RG_INTEGER:
   case GL_LUMINANCE_ALPHA:
      components = 2;
      break;
   case GL_RGB:
   case GL_BGR:
   case GL_RGB_INTEGER:
   case GL_BGR_INTEGER:
      components = 3;
      break;
   default:
      break;
   }
   switch (type) {
   case GL_UNSIGNED_BYTE_3_3_2:
   case GL_UNSIGNED_BYTE_2_3_3_REV:
      return 1;
   case GL_UNSIGNED_SHORT_5_6_5:
   case GL_UNSIGNED_SHORT_5_6_5_REV:
   case GL_UNSIGNED_SHORT_4_4_4_4:
   case GL_UNSIGNED_SHORT_4_4_4_4_REV:
   case GL_UNSIGNED_SHORT_5_5_5_1:
   case GL_UNSIGNED_SHORT_1_5_5_5_REV:
      return 2;
   case GL_UNSIGNED_INT_8_8_8_8:
   case GL_UNSIGNED_INT_8_8_8_8_REV:
   case GL_UNSIGNED_INT_10_10_10_2:
   case GL_UNSIGNED_INT_2_10_10_10_REV:
   case GL_UNSIGNED_INT_10F_11F_11F_REV:
   case GL_UNSIGNED_INT_5_9_9_9_REV:
   case GL_UNSIGNED_INT_24_8:
      return 4;
   case GL_BYTE:
   case GL_UNSIGNED_BYTE:
      return components;
   case GL_SHORT:
   case GL_UNSIGNED_SHORT:
   case GL_HALF_FLOAT:
      return 2 * components;
   case GL_INT:
   case GL_UNSIGNED_INT:
   case GL_FLOAT:
      return 4 * components;
   case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
      return 8;
   default:
      return 8 * components;
   }
}

static size_t
stored(GLenum name, GLint otherwise)
{
   GLint v = otherwise; /* what this version of OpenGL does not have is not written */
   glGetIntegerv(name, &v);
   return (size_t)v;
}

bool
random_pixels(const struct random_image *im, void **pixels)
{
   const bool pack = im->pack;
   *pixels = NULL;
   if (stored(pack ? GL_PIXEL_PACK_BUFFER_BINDING : GL_PIXEL_UNPACK_BUFFER_BINDING, 0)) {
      *pixels = (void *)(uintptr_t)(random_one_in(3) ? random_below(5000) : 0); // NOLINT
      return true;
   }
   if (im->w < 0 || im->h < 0 || im->d < 0)
      return !pack; /* an error, with NULL for an upload */
   const size_t alignment = stored(pack ? GL_PACK_ALIGNMENT : GL_UNPACK_ALIGNMENT, 4);
   const size_t length = stored(pack ? GL_PACK_ROW_LENGTH : GL_UNPACK_ROW_LENGTH, 0);
   const size_t height = stored(pack ? GL_PACK_IMAGE_HEIGHT : GL_UNPACK_IMAGE_HEIGHT, 0);
   const size_t skip_pixels = stored(pack ? GL_PACK_SKIP_PIXELS : GL_UNPACK_SKIP_PIXELS, 0);
   const size_t skip_rows = stored(pack ? GL_PACK_SKIP_ROWS : GL_UNPACK_SKIP_ROWS, 0);
   const size_t skip_images = stored(pack ? GL_PACK_SKIP_IMAGES : GL_UNPACK_SKIP_IMAGES, 0);
   const size_t w = (size_t)im->w, h = (size_t)im->h, d = (size_t)im->d;
   const size_t pixel = pixel_bytes(im->format, im->type);
   const size_t row = ((length ? length : w) * pixel + alignment - 1) / alignment * alignment;
   const bool deep = im->dimensions == 3;
   const size_t image = row * (deep && height ? height : h);
   if (!w || !h || !d) {
      *pixels = random_block(1);
      return true;
   }
   const size_t bytes = (deep ? skip_images : 0) * image + skip_rows * row + skip_pixels * pixel +
                        (d - 1) * image + (h - 1) * row + w * pixel;
   if (w > MOST_BYTES || h > MOST_BYTES || d > MOST_BYTES || bytes > MOST_BYTES)
      return false;
   *pixels = random_block(bytes);
   return true;
}

void *
random_compressed(GLsizei bytes, bool pack)
{
   if (stored(pack ? GL_PIXEL_PACK_BUFFER_BINDING : GL_PIXEL_UNPACK_BUFFER_BINDING, 0))
      return (void *)(uintptr_t)random_below(2000); // NOLINT: an offset
   return bytes > 0 && bytes <= MOST_BYTES ? random_block((size_t)bytes) : NULL;
}

/* FNV-1a. */
void
random_sum(const void *data, size_t bytes)
{
   const uint8_t *p = data;
   for (size_t i = 0; i < bytes; i++)
      random_gl.sum = (random_gl.sum ^ p[i]) * 16777619u;
}
