/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies of bits between images (ARB_copy_image): formats of the same size, compressed blocks and
 * texels, levels, layers, slices and faces, renderbuffers; errors. Not here: samples
 * (multisample_textures.c). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include "egl_util.h"

enum { SIZE = 24, LAYERS = 6, MAX_BYTES = 16 * SIZE * SIZE * LAYERS };

/* How the bits of a texel are written and read: block 4: in compressed blocks of bytes. */
static const struct format {
   const char *name;
   GLenum internal, format, type;
   int bytes, block;
} formats[] = {
    {"R32UI", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, 1},
    {"RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 1},
    {"RG16I", GL_RG16I, GL_RG_INTEGER, GL_SHORT, 4, 1},
    {"RGB10_A2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, 1},
    {"RG32UI", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, 1},
    {"RGBA16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8, 1},
    {"DXT1", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 0, 0, 8, 4},
    {"RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, 1},
    {"RGBA32I", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, 1},
    {"DXT5", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 0, 0, 16, 4},
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };

struct image {
   const struct format *f;
   GLenum target;
   GLuint name;
   int level, side, layers; /* side: texels of the level */
   uint8_t bits[MAX_BYTES]; /* elements of the level, layer by layer */
};

static uint32_t seed = 1;
static int copies;

static int
elements(const struct image *i)
{
   return i->side / i->f->block;
}

static int
layer_bytes(const struct image *i)
{
   return elements(i) * elements(i) * i->f->bytes;
}

/* One face or all layers of the level from or to i->bits. */
static void
upload(const struct image *i)
{
   const struct format *f = i->f;
   const GLenum first =
       i->target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : i->target;
   for (int n = 0; n < i->layers; n++) {
      const uint8_t *bits = i->bits + n * layer_bytes(i);
      if (i->target == GL_TEXTURE_2D_ARRAY || i->target == GL_TEXTURE_3D) {
         if (f->block > 1)
            glCompressedTexSubImage3D(i->target, i->level, 0, 0, n, i->side, i->side, 1,
                                      f->internal, layer_bytes(i), bits);
         else
            glTexSubImage3D(i->target, i->level, 0, 0, n, i->side, i->side, 1, f->format, f->type,
                            bits);
      } else if (f->block > 1) {
         glCompressedTexSubImage2D(first + (GLenum)n, i->level, 0, 0, i->side, i->side, f->internal,
                                   layer_bytes(i), bits);
      } else {
         glTexSubImage2D(first + (GLenum)n, i->level, 0, 0, i->side, i->side, f->format, f->type,
                         bits);
      }
   }
}

static void
check(const struct image *i, const char *what)
{
   static uint8_t got[MAX_BYTES];
   const struct format *f = i->f;
   const int cube = i->target == GL_TEXTURE_CUBE_MAP;
   glBindTexture(i->target, i->name);
   for (int n = 0; n < (cube ? i->layers : 1); n++) {
      const GLenum target = cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)n : i->target;
      uint8_t *to = got + n * layer_bytes(i);
      if (f->block > 1)
         glGetCompressedTexImage(target, i->level, to);
      else
         glGetTexImage(target, i->level, f->format, f->type, to);
   }
   CHECK(glGetError() == GL_NO_ERROR, "%s, %s: an error", f->name, what);
   for (int b = 0; b < layer_bytes(i) * i->layers; b++)
      CHECK(got[b] == i->bits[b], "%s, target 0x%x, %s: byte %d is %d, not %d", f->name, i->target,
            what, b, got[b], i->bits[b]);
}

/* A texture of random bits; a level of it is the image. */
static void
new_image(struct image *i, const struct format *f, GLenum target, int level)
{
   i->f = f;
   i->target = target;
   i->level = level;
   i->side = SIZE >> level;
   i->layers = target == GL_TEXTURE_2D ? 1 : target == GL_TEXTURE_3D ? LAYERS >> level : LAYERS;
   glGenTextures(1, &i->name);
   glBindTexture(target, i->name);
   if (target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D)
      glTexStorage3D(target, 2, f->internal, SIZE, SIZE, LAYERS);
   else
      glTexStorage2D(target, 2, f->internal, SIZE, SIZE);
   for (int b = 0; b < layer_bytes(i) * i->layers; b++) {
      seed = seed * 1664525u + 1013904223u;
      i->bits[b] = (uint8_t)(seed >> 24);
   }
   upload(i);
   CHECK(glGetError() == GL_NO_ERROR, "%s, target 0x%x: not made", f->name, target);
}

/* Copies 2 x 3 elements of each of 2 layers, if both have them, and looks at both images. */
static void
copy(const struct format *sf, GLenum source, int source_level, const struct format *df,
     GLenum destination, int destination_level)
{
   static struct image s, d;
   char what[64];
   new_image(&s, sf, source, source_level);
   new_image(&d, df, destination, destination_level);
   const int depth = s.layers > 1 && d.layers > 1 ? 2 : 1, sz = s.layers - depth, dz = depth - 1,
             sx = elements(&s) - 2, sy = elements(&s) - 3, dx = elements(&d) - 2, dy = 0;
   glCopyImageSubData(s.name, source, source_level, sx * sf->block, sy * sf->block, sz, d.name,
                      destination, destination_level, dx * df->block, dy * df->block, dz,
                      2 * sf->block, 3 * sf->block, depth);
   for (int z = 0; z < depth; z++) {
      for (int y = 0; y < 3; y++)
         memcpy(d.bits + (dz + z) * layer_bytes(&d) + ((dy + y) * elements(&d) + dx) * df->bytes,
                s.bits + (sz + z) * layer_bytes(&s) + ((sy + y) * elements(&s) + sx) * sf->bytes,
                (size_t)(2 * sf->bytes));
   }
   snprintf(what, sizeof(what), "copied from %s, target 0x%x", sf->name, source);
   check(&d, what);
   check(&s, "the source");
   glDeleteTextures(1, &s.name);
   glDeleteTextures(1, &d.name);
   copies++;
}

static void
renderbuffers(void)
{
   static struct image i;
   GLuint renderbuffer, framebuffer;
   static uint8_t got[SIZE * SIZE * 4];
   new_image(&i, &formats[0], GL_TEXTURE_2D, 0);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glCopyImageSubData(i.name, GL_TEXTURE_2D, 0, 0, 0, 0, renderbuffer, GL_RENDERBUFFER, 0, 0, 0, 0,
                      SIZE, SIZE, 1);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
   CHECK(!memcmp(got, i.bits, sizeof(got)), "a renderbuffer");
   /* What was drawn leaves the ROPs' caches first. */
   glClearColor(1, 0, 1, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glCopyImageSubData(renderbuffer, GL_RENDERBUFFER, 0, 0, 0, 0, i.name, GL_TEXTURE_2D, 0, 0, 0, 0,
                      SIZE, 5, 1);
   for (int b = 0; b < SIZE * 5 * 4; b++)
      i.bits[b] = b % 2 ? 0 : 255;
   check(&i, "copied from a renderbuffer");
}

static void
errors(void)
{
   static struct image a, b;
   new_image(&a, &formats[0], GL_TEXTURE_2D, 0);
   new_image(&b, &formats[4], GL_TEXTURE_2D, 0);
   glCopyImageSubData(a.name, GL_TEXTURE_2D, 0, 0, 0, 0, b.name, GL_TEXTURE_2D, 0, 0, 0, 0, 1, 1,
                      1);
   CHECK(glGetError() == GL_INVALID_OPERATION, "4 to 8 bytes");
   glCopyImageSubData(a.name, GL_TEXTURE_2D, 0, SIZE - 1, 0, 0, a.name, GL_TEXTURE_2D, 0, 0, 0, 0,
                      2, 1, 1);
   CHECK(glGetError() == GL_INVALID_VALUE, "a copy from outside");
   check(&b, "after errors");
}

int
main(void)
{
   static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
                                    GL_TEXTURE_3D};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   for (int s = 0; s < NUM_FORMATS; s++) {
      for (int d = 0; d < NUM_FORMATS; d++) {
         if (formats[s].bytes == formats[d].bytes)
            copy(&formats[s], GL_TEXTURE_2D, (s + d) % 2, &formats[d], GL_TEXTURE_2D_ARRAY, 0);
      }
   }
   for (int s = 0; s < 4; s++) {
      for (int d = 0; d < 4; d++)
         copy(&formats[d], targets[s], s % 2, &formats[s], targets[d], 1);
   }
   renderbuffers();
   errors();
   printf("%d copies\n", copies);
   return 0;
}
