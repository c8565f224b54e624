/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Images of integers: clears of a whole image, of a part and of some channels, values that a format
 * cannot hold, uploads, read-back, copies, blits that scale and convert, samples. What comes back
 * is compared with numbers that the program works out itself. Not here: what shaders make of
 * integers. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>
#include "egl_util.h"
#include "integer_formats.h"

enum { WIDTH = 37, HEIGHT = 21, PIXELS = WIDTH * HEIGHT };

/* A pixel of four integers; of unsigned formats their bits. */
struct pixel {
   int32_t c[4];
};

static uint32_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8 ^ seed << 16;
}

/* What the format stores of a value: the nearest that it can hold; 0, 0, 0, 1 of no channel. */
static int32_t
stored(const struct integer_format *f, int channel, int32_t value)
{
   const int bits = f->bits[channel];
   if (!bits)
      return channel == 3;
   const int64_t max = (INT64_C(1) << (bits - f->is_signed)) - 1, min = f->is_signed ? -max - 1 : 0,
                 v = f->is_signed ? (int64_t)value : (int64_t)(uint32_t)value;
   return (int32_t)(v < min ? min : v > max ? max : v);
}

static struct pixel
random_pixel(const struct integer_format *f)
{
   struct pixel p;
   for (int i = 0; i < 4; i++)
      p.c[i] = stored(f, i, (int32_t)(rnd() >> rnd() % 32 ^ (rnd() & 1 ? 0u : ~0u)));
   return p;
}

static GLenum
type_of(const struct integer_format *f)
{
   return f->is_signed ? GL_INT : GL_UNSIGNED_INT;
}

static GLuint
texture(GLenum internal, GLenum type, const void *pixels)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, WIDTH, HEIGHT, 0, GL_RGBA_INTEGER, type, pixels);
   return name;
}

static GLuint
framebuffer(GLenum point, GLuint tex)
{
   GLuint name;
   glGenFramebuffers(1, &name);
   glBindFramebuffer(point, name);
   glFramebufferTexture2D(point, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tex, 0);
   CHECK(glCheckFramebufferStatus(point) == GL_FRAMEBUFFER_COMPLETE, "incomplete framebuffer");
   return name;
}

static void
clear(const struct integer_format *f, const int32_t color[4])
{
   if (f->is_signed)
      glClearBufferiv(GL_COLOR, 0, color);
   else
      glClearBufferuiv(GL_COLOR, 0, (const GLuint *)color);
}

/* Compares what glReadPixels gives of the read framebuffer. */
static void
expect(const struct integer_format *f, const char *what, const struct pixel *want)
{
   static struct pixel got[PIXELS];
   memset(got, 0x5a, sizeof(got));
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, type_of(f), got);
   for (int i = 0; i < PIXELS; i++)
      CHECK(!memcmp(&got[i], &want[i], sizeof(got[i])),
            "%s, %s: pixel %d, %d is %d %d %d %d, not %d %d %d %d", f->name, what, i % WIDTH,
            i / WIDTH, got[i].c[0], got[i].c[1], got[i].c[2], got[i].c[3], want[i].c[0],
            want[i].c[1], want[i].c[2], want[i].c[3]);
   CHECK(glGetError() == GL_NO_ERROR, "%s, %s: an error", f->name, what);
}

/* Fills a rectangle of what is expected; mask: channels. */
static void
fill(const struct integer_format *f, struct pixel *want, int x0, int y0, int x1, int y1,
     unsigned mask, const int32_t color[4])
{
   for (int y = y0; y < y1; y++) {
      for (int x = x0; x < x1; x++) {
         for (int c = 0; c < 4; c++) {
            if (mask >> c & 1)
               want[y * WIDTH + x].c[c] = stored(f, c, color[c]);
         }
      }
   }
}

static void
clears(const struct integer_format *f)
{
   static struct pixel want[PIXELS];
   const int32_t large[4] = {INT32_MAX, -3, 70000, 2}, small[4] = {1, 2, 3, 1},
                 low[4] = {INT32_MIN, -40000, -100, 3};
   const GLuint fbo = framebuffer(GL_FRAMEBUFFER, texture(f->internal, type_of(f), NULL));
   clear(f, large);
   fill(f, want, 0, 0, WIDTH, HEIGHT, 15, large);
   expect(f, "cleared", want);
   glEnable(GL_SCISSOR_TEST);
   glScissor(5, 3, 20, 11);
   clear(f, low);
   fill(f, want, 5, 3, 25, 14, 15, low);
   expect(f, "a part cleared", want);
   glDisable(GL_SCISSOR_TEST);
   glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
   clear(f, small);
   fill(f, want, 0, 0, WIDTH, HEIGHT, 9, small);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   expect(f, "red and alpha cleared", want);
   glDeleteFramebuffers(1, &fbo);
}

static void
random_pixels(const struct integer_format *f, struct pixel *pixels)
{
   for (int i = 0; i < PIXELS; i++)
      pixels[i] = random_pixel(f);
}

static void
copies(const struct integer_format *f)
{
   static struct pixel pixels[PIXELS], got[PIXELS], want[PIXELS];
   const GLenum wide = f->is_signed ? GL_RGBA32I : GL_RGBA32UI;
   random_pixels(f, pixels);
   const GLuint source = texture(f->internal, type_of(f), pixels);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, type_of(f), got);
   CHECK(!memcmp(got, pixels, sizeof(got)), "%s: glGetTexImage", f->name);
   const GLuint read = framebuffer(GL_FRAMEBUFFER, source);
   expect(f, "uploaded", pixels);

   const GLuint other = texture(f->internal, type_of(f), pixels);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 4, 2, 0, 0, 20, 10);
   memcpy(want, pixels, sizeof(want));
   for (int y = 0; y < 10; y++)
      memcpy(&want[(y + 2) * WIDTH + 4], &pixels[y * WIDTH], 20 * sizeof(*want));
   const GLuint copied = framebuffer(GL_FRAMEBUFFER, other);
   expect(f, "copied", want);

   /* Turned over, into integers of 32 bits. */
   const GLuint turned = framebuffer(GL_FRAMEBUFFER, texture(wide, type_of(f), NULL));
   glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, HEIGHT, WIDTH, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   for (int y = 0; y < HEIGHT; y++)
      memcpy(&want[y * WIDTH], &pixels[(HEIGHT - 1 - y) * WIDTH], WIDTH * sizeof(*want));
   glBindFramebuffer(GL_READ_FRAMEBUFFER, turned);
   expect(f, "turned over", want);

   /* Twice as large: the upper left corner of the source fills the image. */
   glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
   glBlitFramebuffer(0, 0, 18, 10, 0, 0, 36, 20, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   for (int i = 0; i < 36 * 20; i++)
      want[i / 36 * WIDTH + i % 36] = pixels[i / 36 / 2 * WIDTH + i % 36 / 2];
   glBindFramebuffer(GL_READ_FRAMEBUFFER, turned);
   expect(f, "twice as large", want);
   glDeleteFramebuffers(3, (const GLuint[]){read, copied, turned});
}

/* A resolve takes one of the samples: they are all the same. */
static void
samples(const struct integer_format *f)
{
   static struct pixel want[PIXELS];
   const struct pixel color = random_pixel(f), part = random_pixel(f);
   GLuint buffer, many;
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, f->internal, WIDTH, HEIGHT);
   glGenFramebuffers(1, &many);
   glBindFramebuffer(GL_FRAMEBUFFER, many);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
         "%s: incomplete with samples", f->name);
   clear(f, color.c);
   glEnable(GL_SCISSOR_TEST);
   glScissor(7, 9, 13, 11);
   clear(f, part.c);
   glDisable(GL_SCISSOR_TEST);
   fill(f, want, 0, 0, WIDTH, HEIGHT, 15, color.c);
   fill(f, want, 7, 9, 20, 20, 15, part.c);
   const GLuint one = framebuffer(GL_FRAMEBUFFER, texture(f->internal, type_of(f), NULL));
   glBindFramebuffer(GL_READ_FRAMEBUFFER, many);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, one);
   expect(f, "resolved", want);
   glDeleteFramebuffers(2, (const GLuint[]){many, one});
   glDeleteRenderbuffers(1, &buffer);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   const unsigned count = sizeof(formats) / sizeof(formats[0]);
   for (unsigned i = 0; i < count; i++) {
      clears(&formats[i]);
      copies(&formats[i]);
      samples(&formats[i]);
   }
   printf("%u formats\n", count);
   return 0;
}
