/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pixels that OpenGL's rules name exactly and that a path of its own makes, a case each; mesa.sh
 * runs them all. None needs an X server. Not here: what else the patches to Mesa mend (mesa.c). */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "gl_util.h"

#define SIZE 16 /* of the pbuffer */

static void
begin(EGLenum api)
{
   EGLContext context;
   EGLDisplay display = util_display(api);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
}

/* --- Stencil pixels --- */

#define STENCILS 5 /* rows and columns of the image */

struct stencil_case {
   bool copy, depth, scissor;
   GLubyte mask;
   GLboolean depth_mask;
   float zoom_x, zoom_y;
   int x, y; /* raster position, window coordinates */
};

/* Which of the image's columns or rows covers the centre of a pixel; -1: none (OpenGL 2.1, section
 * 3.6.4: the left and the bottom edge belong to a zoomed pixel). */
static int
stencil_source(int pixel, int origin, float zoom)
{
   for (int n = 0; n < STENCILS; n++) {
      const float a = (float)origin + zoom * (float)n, b = a + zoom, c = (float)pixel + 0.5f;
      if (zoom < 0 ? c >= b && c < a : c >= a && c < b)
         return n;
   }
   return -1;
}

static void
stencil_draw(const struct stencil_case *c)
{
   GLuint image[STENCILS * STENCILS];
   for (GLuint i = 0; i < STENCILS * STENCILS; i++)
      image[i] = 0x40000000u | (i * 7 + 1);
   const GLenum format = c->depth ? GL_DEPTH_STENCIL : GL_STENCIL_INDEX;
   glWindowPos2i(c->copy ? SIZE : c->x, c->copy ? SIZE : c->y);
   glPixelZoom(c->copy ? 1 : c->zoom_x, c->copy ? 1 : c->zoom_y);
   for (int pass = 0; pass < 2; pass++) {
      if (pass == c->copy) {
         glStencilMask(c->mask);
         glDepthMask(c->depth_mask);
         if (c->scissor)
            glEnable(GL_SCISSOR_TEST);
      }
      if (!pass && c->depth)
         glDrawPixels(STENCILS, STENCILS, format, GL_UNSIGNED_INT_24_8, image);
      else if (!pass)
         glDrawPixels(STENCILS, STENCILS, format, GL_UNSIGNED_INT, image);
      glWindowPos2i(c->x, c->y);
      glPixelZoom(c->zoom_x, c->zoom_y);
      if (pass && c->copy)
         glCopyPixels(SIZE, SIZE, STENCILS, STENCILS, c->depth ? GL_DEPTH_STENCIL : GL_STENCIL);
   }
   glDisable(GL_SCISSOR_TEST);
   glStencilMask(0xff);
   glDepthMask(GL_TRUE);
}

/* The image to SIZE x SIZE pixels at (0, 0); where it is copied, it comes from (SIZE, SIZE). */
static void
stencil_case(const struct stencil_case *c)
{
   GLubyte stencil[SIZE * SIZE];
   float depth[SIZE * SIZE];
   glClearStencil(0x50);
   glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   stencil_draw(c);
   glReadPixels(0, 0, SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
   for (int i = 0; i < SIZE * SIZE; i++) {
      const int x = i % SIZE, y = i / SIZE;
      const int column = stencil_source(x, c->x, c->zoom_x),
                row = stencil_source(y, c->y, c->zoom_y);
      const bool cut = c->scissor && (x < 2 || y < 3 || x >= 11 || y >= 13);
      const bool drawn = column >= 0 && row >= 0 && !cut;
      const int value = (row * STENCILS + column) * 7 + 1;
      const int want = drawn ? (0x50 & ~c->mask) | (value & c->mask) : 0x50;
      const float z = drawn && c->depth && c->depth_mask ? 0.25f : 1;
      CHECK(stencil[i] == want && fabsf(depth[i] - z) < 1e-4f,
            "copy %d depth %d scissor %d masks %x %d zoom %g %g at %d %d: pixel %d %d has stencil "
            "%02x, not %02x, depth %f, not %f",
            c->copy, c->depth, c->scissor, c->mask, c->depth_mask, (double)c->zoom_x,
            (double)c->zoom_y, c->x, c->y, x, y, stencil[i], want, (double)depth[i], (double)z);
   }
}

/* All that applies to stencil and depth-stencil pixels: zoom, scissor, edges, masks. */
static void
stencil_pixels(void)
{
   static const float zooms[][2] = {{1, 1}, {2, 3}, {-2, -1}, {1, -1.5f}, {0.5f, -0.75f}, {0, 1}};
   static const int places[][2] = {{4, 5}, {-3, 12}};
   GLuint fb, rb;
   begin(EGL_OPENGL_API);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 2 * SIZE, 2 * SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glScissor(2, 3, 9, 10);
   for (unsigned i = 0; i < 6 * 2 * 32; i++) {
      const float *zoom = zooms[i % 6];
      const int *place = places[i / 6 % 2];
      const unsigned bits = i / 12;
      stencil_case(&(struct stencil_case){.copy = bits & 1,
                                          .depth = bits & 2,
                                          .scissor = bits & 4,
                                          .mask = bits & 8 ? 0x0f : 0xff,
                                          .depth_mask = bits & 16 ? GL_FALSE : GL_TRUE,
                                          .zoom_x = zoom[0],
                                          .zoom_y = zoom[1],
                                          .x = place[0],
                                          .y = place[1]});
   }
}

/* --- Magnification --- */

static GLuint
textured_program(void)
{
   static const char *const source[] = {"attribute vec4 p; varying vec2 t;\n"
                                        "void main() { gl_Position = vec4(p.xy, 0, 1); t = p.zw; }",
                                        "#ifdef GL_ES\nprecision highp float;\n#endif\n"
                                        "varying vec2 t; uniform sampler2D s;\n"
                                        "void main() { gl_FragColor = texture2D(s, t); }"};
   return util_program("", source[0], source[1]);
}

/* Whether black and white columns are blurred at a level of detail, with the given filters. */
static bool
blurred(float level, GLint min_filter, GLint mag_filter)
{
   unsigned char p[SIZE * SIZE * 4];
   const float end = exp2f(level);
   const float quad[] = {-1, -1, 0, 0, 1, -1, end, 0, -1, 1, 0, end, 1, 1, end, end};
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min_filter);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag_filter);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, quad);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, p);
   for (int i = 0; i < SIZE * SIZE; i++) {
      if (p[4 * i] > 9 && p[4 * i] < 246)
         return true;
   }
   return false;
}

/* OpenGL 2.1, section 3.8.9: a linear magnification filter holds up to 1/2 where the minification
 * filter is a nearest mipmapped one, else up to 0; in OpenGL ES always up to 0. */
static void
magnification(EGLenum api)
{
   unsigned char columns[SIZE * SIZE * 4], other[SIZE * SIZE] = {0};
   const bool es = api == EGL_OPENGL_ES_API;
   GLuint texture;
   begin(api);
   for (int i = 0; i < SIZE * SIZE * 4; i++)
      columns[i] = i / 4 % 2 ? 255 : 0;
   glUseProgram(textured_program());
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, columns);
   for (int level = 1; SIZE >> level; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, SIZE >> level, SIZE >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, other);
   static const struct {
      float level;
      GLint min, mag;
      bool gl, es;
   } want[] = {
       {-0.25f, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR, true, true},
       {0.25f, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR, true, false},
       {0.45f, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR, true, false},
       {0.25f, GL_NEAREST, GL_LINEAR, false, false},
       {-0.25f, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST, false, false},
       {0.25f, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST, true, true},
   };
   for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++)
      CHECK(blurred(want[i].level, want[i].min, want[i].mag) == (es ? want[i].es : want[i].gl),
            "level %g, filters %x and %x: blurred or sharp where the rule has the other",
            (double)want[i].level, want[i].min, want[i].mag);
}

static void
magnification_gl(void)
{
   magnification(EGL_OPENGL_API);
}

static void
magnification_es(void)
{
   magnification(EGL_OPENGL_ES_API);
}

/* --- Signed components --- */

/* EXT_packed_float, issue 17: components that the base format does not have are not signed, even if
 * the image that is really there has them. */
static void
signed_components(void)
{
   static const struct {
      GLenum format;
      GLint want[4];
   } cases[] = {{GL_RGBA16F_ARB, {1, 1, 1, 1}},
                {GL_RGB16F_ARB, {1, 1, 1, 0}},
                {GL_LUMINANCE16F_ARB, {1, 1, 1, 0}},
                {GL_LUMINANCE_ALPHA16F_ARB, {1, 1, 1, 1}},
                {GL_INTENSITY16F_ARB, {1, 1, 1, 1}},
                {GL_ALPHA16F_ARB, {0, 0, 0, 1}},
                {GL_LUMINANCE8_SNORM, {1, 1, 1, 0}},
                {GL_LUMINANCE8, {0, 0, 0, 0}},
                {GL_RG16F, {1, 1, 0, 0}}};
   GLuint fb, rb;
   begin(EGL_OPENGL_API);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      GLint is[4] = {-1, -1, -1, -1};
      const GLint *want = cases[i].want;
      glRenderbufferStorage(GL_RENDERBUFFER, cases[i].format, 4, 4);
      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
            "a renderbuffer of format 0x%x is not complete", cases[i].format);
      glGetIntegerv(GL_RGBA_SIGNED_COMPONENTS_EXT, is);
      CHECK(!memcmp(is, want, sizeof(is)), "format 0x%x: signed are %d %d %d %d, not %d %d %d %d",
            cases[i].format, is[0], is[1], is[2], is[3], want[0], want[1], want[2], want[3]);
   }
}

/* --- Blits --- */

/* Stencil alone, without scaling, from each level of a texture. */
static void
stencil_blit(void)
{
   GLuint texture, rb, fb[2], image[SIZE * SIZE];
   GLubyte got[SIZE * SIZE];
   begin(EGL_OPENGL_API);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (GLuint i = 0; i < SIZE * SIZE; i++)
      image[i] = 0x40000000u | ((i * 37 + 11) & 0xff);
   for (int level = 0; SIZE >> level; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_DEPTH24_STENCIL8, SIZE >> level, SIZE >> level, 0,
                   GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, image);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glGenFramebuffers(2, fb);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[1]);
   glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb);
   glDrawBuffer(GL_NONE);
   for (int level = 0; SIZE >> level; level++) {
      const int size = SIZE >> level;
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[0]);
      glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                             texture, level);
      glReadBuffer(GL_NONE);
      glBlitFramebuffer(0, 0, size, size, 0, 0, size, size, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
      glReadBuffer(GL_NONE);
      glPixelStorei(GL_PACK_ALIGNMENT, 1);
      glReadPixels(0, 0, size, size, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, got);
      for (int i = 0; i < size * size; i++)
         CHECK(got[i] == (image[i] & 0xff), "level %d, pixel %d, %d: stencil %u, not %u", level,
               i % size, i / size, got[i], image[i] & 0xff);
   }
}

/* An image is halved: centres of pixels fall between two texels, of which a column or row takes one
 * and the same everywhere. */
static void
halving_blit_of(GLenum target)
{
   enum { WIDTH = 100, HEIGHT = 116 };
   static GLubyte image[HEIGHT][WIDTH][4], got[HEIGHT / 2][WIDTH / 2][4];
   GLuint textures[2], fb[2];
   for (int i = 0; i < WIDTH * HEIGHT; i++) {
      image[i / WIDTH][i % WIDTH][0] = (GLubyte)(i % WIDTH);
      image[i / WIDTH][i % WIDTH][1] = (GLubyte)(i / WIDTH);
   }
   glGenTextures(2, textures);
   glGenFramebuffers(2, fb);
   for (int i = 0; i < 2; i++) {
      glBindTexture(target, textures[i]);
      glTexImage2D(target, 0, GL_RGBA8, i ? WIDTH / 2 : WIDTH, i ? HEIGHT / 2 : HEIGHT, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, i ? NULL : image);
      glBindFramebuffer(i ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER, fb[i]);
      glFramebufferTexture2D(i ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             target, textures[i], 0);
   }
   for (int flips = 0; flips < 4; flips++) {
      const int x = flips & 1 ? WIDTH / 2 : 0, y = flips & 2 ? HEIGHT / 2 : 0;
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[0]);
      glBlitFramebuffer(0, 0, WIDTH, HEIGHT, x, y, WIDTH / 2 - x, HEIGHT / 2 - y,
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
      glReadPixels(0, 0, WIDTH / 2, HEIGHT / 2, GL_RGBA, GL_UNSIGNED_BYTE, got);
      for (int i = 0; i < WIDTH * HEIGHT / 4; i++) {
         const int column = i % (WIDTH / 2), row = i / (WIDTH / 2);
         CHECK(got[row][column][0] == got[0][column][0] && got[row][column][1] == got[row][0][1],
               "target 0x%x, flips %d: pixel (%d, %d) is texel (%u, %u), not (%u, %u)", target,
               flips, column, row, got[row][column][0], got[row][column][1], got[0][column][0],
               got[row][0][1]);
      }
   }
}

static void
halving_blit(void)
{
   begin(EGL_OPENGL_API);
   halving_blit_of(GL_TEXTURE_2D);
   halving_blit_of(GL_TEXTURE_RECTANGLE);
}

/* 1 is the largest integer of 32 bits. */
static void
read_whole_range(void)
{
   GLuint u[4] = {0};
   GLint s[4] = {0};
   begin(EGL_OPENGL_API);
   glClearColor(1, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_INT, u);
   CHECK(u[0] == UINT32_MAX && u[1] == 0 && u[2] == UINT32_MAX, "1, 0, 1 are read as %u, %u, %u",
         u[0], u[1], u[2]);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_INT, s);
   CHECK(s[0] == INT32_MAX && s[2] == INT32_MAX, "1, 0, 1 are read as %d, %d, %d", s[0], s[1],
         s[2]);
}

/* --- Uploads --- */

/* Skipped rows and pixels of images that are converted on the way: with swapped bytes, scaled, of
 * color indices. Texel (x, y) of the source is 32 y + x + 1; what is skipped is not in the image.
 */
static void
uploads(void)
{
   enum { WIDTH = 8, HEIGHT = 8, SKIP_X = 3, SKIP_Y = 2, PART = 4 };
   GLuint name;
   begin(EGL_OPENGL_API);
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   for (unsigned kind = 0; kind < 3; kind++) {
      GLushort source[HEIGHT][WIDTH], got[PART][PART];
      GLfloat map[256];
      for (unsigned i = 0; i < 256; i++)
         map[i] = (GLfloat)i / 255;
      for (GLushort y = 0; y < HEIGHT; y++) {
         for (GLushort x = 0; x < WIDTH; x++) {
            const GLushort value = (GLushort)((32 * y + x + 1) * (kind == 2 ? 1 : 257));
            source[y][x] = kind == 0 ? (GLushort)(value << 8 | value >> 8) : value;
         }
      }
      glPixelStorei(GL_UNPACK_SWAP_BYTES, kind == 0);
      glPixelTransferf(GL_RED_SCALE, kind == 1 ? 0.5f : 1.0f);
      glPixelMapfv(GL_PIXEL_MAP_I_TO_R, 256, map);
      glPixelStorei(GL_UNPACK_ROW_LENGTH, WIDTH);
      glPixelStorei(GL_UNPACK_SKIP_PIXELS, SKIP_X);
      glPixelStorei(GL_UNPACK_SKIP_ROWS, SKIP_Y);
      glTexImage2D(GL_TEXTURE_2D, 0, kind == 0 ? GL_R16 : GL_RGBA8, PART, PART, 0,
                   kind == 2 ? GL_COLOR_INDEX : GL_RED, GL_UNSIGNED_SHORT, source);
      glPixelTransferf(GL_RED_SCALE, 1);
      glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_SHORT, got);
      for (int y = 0; y < PART; y++) {
         for (int x = 0; x < PART; x++) {
            const int v = (32 * (y + SKIP_Y) + x + SKIP_X + 1) * 257 / (kind == 1 ? 2 : 1);
            CHECK(abs(got[y][x] - v) <= (kind ? 257 : 0), "upload %u: texel (%d, %d) is %d, not %d",
                  kind, x, y, got[y][x], v);
         }
      }
   }
}

/* Rows that begin two texels after one another: texel (x, y) is number 2 y + x of the image. Bytes
 * are swapped, for which Mesa makes a copy, whose end the last row must not pass. */
static void
short_rows(void)
{
   enum { WIDTH = 600, HEIGHT = 3, APART = 2 };
   static GLushort source[APART * (HEIGHT - 1) + WIDTH], got[HEIGHT][WIDTH];
   begin(EGL_OPENGL_API);
   for (GLushort i = 0; i < APART * (HEIGHT - 1) + WIDTH; i++)
      source[i] = (GLushort)(i << 8 | i >> 8);
   glPixelStorei(GL_UNPACK_SWAP_BYTES, 1);
   glPixelStorei(GL_UNPACK_ROW_LENGTH, APART);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R16, WIDTH, HEIGHT, 0, GL_RED, GL_UNSIGNED_SHORT, source);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_SHORT, got);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
         CHECK(got[y][x] == APART * y + x, "texel (%d, %d) is %d, not %d", x, y, got[y][x],
               APART * y + x);
   }
}

/* --- Read-backs --- */

/* Pixels across the right edge of the framebuffer into a buffer: rows are as far apart as the whole
 * rectangle asks for, but what is outside is not written. The buffer has room for it, or a byte
 * less.
 */
static void
read_clipped(void)
{
   enum { INSIDE = 3, WIDTH = 11, HEIGHT = 4, BYTES = (HEIGHT - 1) * WIDTH * 4 + INSIDE * 4 };
   GLubyte got[BYTES];
   GLuint name;
   begin(EGL_OPENGL_API);
   glClearColor(1, 0, 1, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glGenBuffers(1, &name);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, name);
   for (GLsizei less = 1; less >= 0; less--) {
      memset(got, 7, sizeof(got));
      glBufferData(GL_PIXEL_PACK_BUFFER, BYTES - less, got, GL_STREAM_READ);
      glReadPixels(SIZE - INSIDE, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      const GLenum error = glGetError(), want = less ? GL_INVALID_OPERATION : GL_NO_ERROR;
      CHECK(error == want, "%d bytes too few: error 0x%x, not 0x%x", less, error, want);
      glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, BYTES - less, got);
      for (int i = 0; i < BYTES - less; i++) {
         const bool written = !less && i % (WIDTH * 4) < INSIDE * 4;
         const GLubyte value = written ? (GLubyte)(i % 2 ? 0 : 255) : 7;
         CHECK(got[i] == value, "byte %d is %u, not %u", i, got[i], value);
      }
   }
}

/* --- Blits --- */

static GLuint
framebuffer(GLenum format, GLsizei samples, GLsizei size)
{
   GLuint fbo, rb;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, size, size);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
   return fbo;
}

/* OpenGL ES 3.0, 4.3.3: a resolve keeps the format. */
static void
resolve_formats(void)
{
   static const EGLint es3[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context = eglCreateContext(display, util_config(display), EGL_NO_CONTEXT, es3);
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "no context");
   static const GLenum formats[2] = {GL_RGBA8, GL_SRGB8_ALPHA8};
   for (unsigned i = 0; i < 4; i++) {
      const GLuint from = framebuffer(formats[i & 1], 4, SIZE),
                   to = framebuffer(formats[i >> 1], 0, SIZE);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      const GLenum error = glGetError();
      CHECK(error == (i == 0 || i == 3 ? GL_NO_ERROR : GL_INVALID_OPERATION),
            "a resolve of 0x%x into 0x%x: error 0x%x", formats[i & 1], formats[i >> 1], error);
   }
}

/* A source of 4 x 4 that the blit goes beyond, and a destination with a scissor: pixels whose
 * centre is not in both stay as they are. */
static void
blit_outside(void)
{
   begin(EGL_OPENGL_API);
   const GLuint from = framebuffer(GL_RGBA8, 0, 4), to = framebuffer(GL_RGBA8, 0, 64);
   for (unsigned i = 0; i < 16; i++) {
      const bool flipped = i & 1, scissor = i & 2;
      const GLenum filter = i & 4 ? GL_LINEAR : GL_NEAREST;
      const int x0 = -3 + (int)(i / 8) * 5, x1 = x0 + 4, left = -25, right = 60; /* x from, to */
      glBindFramebuffer(GL_FRAMEBUFFER, from);
      glClearColor(1, 1, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      glBindFramebuffer(GL_FRAMEBUFFER, to);
      glClearColor(0, 0, 0, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      (scissor ? glEnable : glDisable)(GL_SCISSOR_TEST);
      glScissor(3, 0, 40, 64);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
      glBlitFramebuffer(flipped ? x1 : x0, 0, flipped ? x0 : x1, 4, left, 0, right, 64,
                        GL_COLOR_BUFFER_BIT, filter);
      glDisable(GL_SCISSOR_TEST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, to);
      GLubyte row[64][4];
      glReadPixels(0, 30, 64, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
      for (int x = 0; x < 64; x++) {
         const double t = (x + 0.5 - left) / (right - left), at = flipped ? x1 - 4 * t : x0 + 4 * t;
         if (fabs(at) < 0.05 || fabs(at - 4) < 0.05 || x < 0)
            continue; /* the edge of the source is rounded to a pixel */
         const bool in = at > 0 && at < 4 && x < right && (!scissor || (x >= 3 && x < 43));
         CHECK(row[x][0] == (in ? 255 : 0), "blit %u: column %d, from %g, is %d", i, x, at,
               row[x][0]);
      }
   }
}

/* Parts of textures whose offset and size add up to more than an integer holds are outside. */
static void
far_offsets(void)
{
   static GLubyte image[64 * 64 * 4];
   begin(EGL_OPENGL_API);
   framebuffer(GL_RGBA8, 0, 64); /* to copy from */
   GLuint names[2];
   glGenTextures(2, names);
   glBindTexture(GL_TEXTURE_2D, names[0]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glBindTexture(GL_TEXTURE_3D, names[1]);
   glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 16, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   for (unsigned i = 0; i < 3; i++) {
      const GLint at[3] = {i == 0 ? INT32_MAX - 8 : 0, i == 1 ? INT32_MAX - 8 : 0,
                           i == 2 ? INT32_MAX - 8 : 0};
      const GLsizei size[3] = {i == 0 ? 12 : 1, i == 1 ? 12 : 1, i == 2 ? 12 : 1};
      glTexSubImage3D(GL_TEXTURE_3D, 0, at[0], at[1], at[2], size[0], size[1], size[2], GL_RGBA,
                      GL_UNSIGNED_BYTE, image);
      GLenum error = glGetError();
      CHECK(error == GL_INVALID_VALUE, "an upload far off in dimension %u: error 0x%x", i, error);
      if (i == 2)
         break;
      glCopyTexSubImage2D(GL_TEXTURE_2D, 0, at[0], at[1], 0, 0, size[0], size[1]);
      error = glGetError();
      CHECK(error == GL_INVALID_VALUE, "a copy far off in dimension %u: error 0x%x", i, error);
   }
}

/* Without a buffer to read from, reading is an error, also where the framebuffer has integers. */
static void
no_read_buffer(void)
{
   GLuint row[4];
   begin(EGL_OPENGL_ES_API);
   framebuffer(GL_RGBA32UI, 0, SIZE);
   const GLuint values[4] = {1, 2, 3, 4};
   glClearBufferuiv(GL_COLOR, 0, values);
   glReadBuffer(GL_NONE);
   glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, row);
   GLenum error = glGetError();
   CHECK(error == GL_INVALID_OPERATION, "a read from no buffer: error 0x%x", error);
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, 0, 0, 4, 4, 0);
   error = glGetError();
   CHECK(error == GL_INVALID_OPERATION, "a copy from no buffer: error 0x%x", error);
}

/* A bias of the level of detail comes back with the other state of textures, also where more units
 * are used than a fragment shader may have. */
static void
saved_units(void)
{
   static GLubyte red[SIZE * SIZE][4], green[SIZE * SIZE][4];
   GLuint names[2];
   begin(EGL_OPENGL_API);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      red[i][0] = green[i][1] = 255;
   glGenTextures(2, names);
   glActiveTexture(GL_TEXTURE0 + 40);
   glBindTexture(GL_TEXTURE_2D, names[1]);
   glActiveTexture(GL_TEXTURE0);
   glBindTexture(GL_TEXTURE_2D, names[0]);
   for (int level = 0; SIZE >> level; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, SIZE >> level, SIZE >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, level ? green : red);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glEnable(GL_TEXTURE_2D);
   glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 1);
   glPushAttrib(GL_TEXTURE_BIT);
   glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0);
   glPopAttrib();
   glBegin(GL_TRIANGLE_FAN);
   for (int i = 0; i < 4; i++) {
      const GLfloat x = i == 1 || i == 2, y = i >= 2;
      glTexCoord2f(x, y);
      glVertex2f(2 * x - 1, 2 * y - 1);
   }
   glEnd();
   GLubyte p[4];
   glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   CHECK(!p[0] && p[1] == 255, "the colour is %u %u", p[0], p[1]);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } cases[] = {{"stencil_pixels", stencil_pixels},
                {"signed_components", signed_components},
                {"magnification_gl", magnification_gl},
                {"magnification_es", magnification_es},
                {"stencil_blit", stencil_blit},
                {"halving_blit", halving_blit},
                {"read_whole_range", read_whole_range},
                {"uploads", uploads},
                {"resolve_formats", resolve_formats},
                {"blit_outside", blit_outside},
                {"short_rows", short_rows},
                {"read_clipped", read_clipped},
                {"far_offsets", far_offsets},
                {"no_read_buffer", no_read_buffer},
                {"saved_units", saved_units}};
   for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (strcmp(argv[1], cases[i].name))
         continue;
      cases[i].run();
      const GLenum error = glGetError();
      CHECK(error == GL_NO_ERROR, "OpenGL error 0x%x", error);
      printf("%s: passed\n", argv[1]);
      return 0;
   }
   fprintf(stderr, "usage: pixels CASE\n");
   return 2;
}
