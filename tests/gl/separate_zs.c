/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Framebuffers whose depth and stencil are different images (Mesa patch 0024, attila_pair.c). The
 * same random draws, clears, copies and reads go to such framebuffers and to ones with a packed
 * image; depth, stencil and colour must be the same. Depth of 16 bits has no packed image that
 * OpenGL knows; its value must be the same whether stencil is there or not. Here also: other
 * partners, deleted ones, OpenGL ES 2.0.
 *
 * usage: separate_zs [ROUNDS]
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include "egl_util.h"

enum { WIDTH = 28, HEIGHT = 20, PIXELS = WIDTH * HEIGHT };

static uint32_t seed = 1;

static unsigned
below(unsigned n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

/* An image: a renderbuffer, or level 1 of a texture. */
struct image {
   GLuint name;
   bool is_texture;
};

static struct image
image(bool is_texture, GLenum format, unsigned samples)
{
   struct image i = {.is_texture = is_texture};
   if (is_texture) {
      const bool packed = format == GL_DEPTH24_STENCIL8;
      glGenTextures(1, &i.name);
      glBindTexture(GL_TEXTURE_2D, i.name);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
      for (int level = 0; level < 2; level++)
         glTexImage2D(GL_TEXTURE_2D, level, (GLint)format, WIDTH * 2 >> level, HEIGHT * 2 >> level,
                      0, packed ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT,
                      packed ? GL_UNSIGNED_INT_24_8 : GL_UNSIGNED_INT, NULL);
      glBindTexture(GL_TEXTURE_2D, 0);
   } else {
      glGenRenderbuffers(1, &i.name);
      glBindRenderbuffer(GL_RENDERBUFFER, i.name);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, WIDTH, HEIGHT);
   }
   return i;
}

static void
delete_image(struct image i)
{
   if (i.is_texture)
      glDeleteTextures(1, &i.name);
   else
      glDeleteRenderbuffers(1, &i.name);
}

static void
attach(GLenum point, struct image i)
{
   if (i.is_texture)
      glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, i.name, 1);
   else
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, i.name);
}

/* name 0: the attachment is not there. */
static GLuint
framebuffer(struct image color, struct image depth, struct image stencil)
{
   GLuint fb;
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   attach(GL_COLOR_ATTACHMENT0, color);
   attach(GL_DEPTH_ATTACHMENT, depth);
   attach(GL_STENCIL_ATTACHMENT, stencil);
   const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
   CHECK(status == GL_FRAMEBUFFER_COMPLETE, "framebuffer status 0x%x", status);
   return fb;
}

/* Framebuffers of a set of images: both planes, and either alone. */
struct set {
   struct image color, depth, stencil;
   GLuint both, depth_only, stencil_only;
};

static const struct image none;

static struct set
make_set(unsigned samples, struct image depth, struct image stencil)
{
   struct set s = {image(false, GL_RGBA8, samples), depth, stencil, 0, 0, 0};
   s.both = framebuffer(s.color, depth, stencil);
   s.depth_only = framebuffer(s.color, depth, none);
   s.stencil_only = framebuffer(s.color, none, stencil);
   return s;
}

static void
delete_set(struct set *s)
{
   glDeleteFramebuffers(1, &s->both);
   glDeleteFramebuffers(1, &s->depth_only);
   glDeleteFramebuffers(1, &s->stencil_only);
   delete_image(s->color);
   delete_image(s->depth);
   if (s->stencil.name != s->depth.name || s->stencil.is_texture != s->depth.is_texture)
      delete_image(s->stencil);
}

/* --- What is in a framebuffer --- */

struct content {
   GLuint depth[PIXELS];
   GLubyte stencil[PIXELS], color[PIXELS][4];
};

static struct set plain; /* without samples, packed */

static void
read_content(const struct set *s, unsigned samples, struct content *c)
{
   memset(c, 0, sizeof(*c));
   glBindFramebuffer(GL_FRAMEBUFFER, s->both);
   if (samples) {
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain.both);
      glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT,
                        GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                        GL_NEAREST);
      glBindFramebuffer(GL_FRAMEBUFFER, plain.both);
   }
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, c->depth);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, c->stencil);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, c->color);
}

static void
expect_same(const char *what, const struct content *a, const struct content *b)
{
   for (unsigned i = 0; i < PIXELS; i++) {
      CHECK(a->depth[i] == b->depth[i], "%s: depth of pixel %u is %08x, not %08x", what, i,
            a->depth[i], b->depth[i]);
      CHECK(a->stencil[i] == b->stencil[i], "%s: stencil of pixel %u is %02x, not %02x", what, i,
            a->stencil[i], b->stencil[i]);
      CHECK(!memcmp(a->color[i], b->color[i], 4), "%s: colour of pixel %u", what, i);
   }
}

/* --- Random work --- */

struct work {
   unsigned kind, target;
   float v[3][3], color[3], depth, from[2];
   GLenum func, stencil_func, op[3];
   GLint ref;
   GLuint mask;
   bool z_write, depth_test, stencil_test, scissor;
   GLint box[4];
   GLbitfield planes;
};

static void
random_work(struct work *w)
{
   static const GLenum ops[] = {GL_KEEP,      GL_ZERO, GL_REPLACE,   GL_INCR,
                                GL_INCR_WRAP, GL_DECR, GL_DECR_WRAP, GL_INVERT};
   static const GLbitfield planes[] = {GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT,
                                       GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT};
   memset(w, 0, sizeof(*w));
   w->kind = below(12);
   w->target = below(4);
   for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 3; c++)
         w->v[i][c] = (float)below(4096) / 1500.0f - 1.3f;
      w->v[i][2] /= 1.4f;
      w->color[i] = (float)below(256) / 255.0f;
      w->op[i] = ops[below(8)];
   }
   w->depth = (float)below(1 << 24) / (float)(1 << 24);
   w->func = GL_NEVER + below(8);
   w->stencil_func = GL_NEVER + below(8);
   w->ref = (GLint)below(256);
   w->mask = below(2) ? 0xff : below(256);
   w->z_write = below(4) != 0;
   w->depth_test = below(4) != 0;
   w->stencil_test = below(3) != 0;
   w->scissor = below(3) == 0;
   w->box[0] = (GLint)below(WIDTH);
   w->box[1] = (GLint)below(HEIGHT);
   w->box[2] = (GLint)below(WIDTH);
   w->box[3] = (GLint)below(HEIGHT);
   w->planes = planes[below(3)];
   w->from[0] = (float)below(1000) / 1000.0f;
   w->from[1] = (float)below(1000) / 1000.0f;
}

static void
apply_state(const struct work *w)
{
   glScissor(w->box[0], w->box[1], w->box[2], w->box[3]);
   (w->scissor ? glEnable : glDisable)(GL_SCISSOR_TEST);
   glDepthMask(w->z_write);
   glStencilMask(w->mask);
   glClearDepth((GLclampd)w->depth);
   glClearStencil(w->ref);
}

static void
draw(const struct work *w, bool depth, bool stencil)
{
   (depth && w->depth_test ? glEnable : glDisable)(GL_DEPTH_TEST);
   (stencil && w->stencil_test ? glEnable : glDisable)(GL_STENCIL_TEST);
   glDepthFunc(w->func);
   glStencilFunc(w->stencil_func, w->ref, 0xff);
   glStencilOp(w->op[0], w->op[1], w->op[2]);
   glColor3fv(w->color);
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 3; i++)
      glVertex3fv(w->v[i]);
   glEnd();
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
}

/* Draws a picture of the depth into the other set's colour. */
static void
sample_depth(const struct set *from, const struct set *to)
{
   if (!from->depth.is_texture)
      return;
   glBindFramebuffer(GL_FRAMEBUFFER, to->both);
   glBindTexture(GL_TEXTURE_2D, from->depth.name);
   glEnable(GL_TEXTURE_2D);
   glColor3f(1, 1, 1);
   glBegin(GL_QUADS);
   for (int i = 0; i < 4; i++) {
      const float x = i == 1 || i == 2, y = i / 2;
      glTexCoord2f(x, y);
      glVertex2f(2 * x - 1, 2 * y - 1);
   }
   glEnd();
   glDisable(GL_TEXTURE_2D);
   glBindTexture(GL_TEXTURE_2D, 0);
}

/* What an application writes to an image without a framebuffer's depth and stencil unit. */
static void
draw_pixels(const struct work *w)
{
   GLuint depth[6 * 5];
   GLubyte stencil[6 * 5];
   for (unsigned i = 0; i < 6 * 5; i++) {
      depth[i] = (GLuint)((double)w->depth * 4294967295.0) ^ i << 20;
      stencil[i] = (GLubyte)((unsigned)w->ref + i);
   }
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glWindowPos2f(w->from[0] * (WIDTH - 6), w->from[1] * (HEIGHT - 5));
   if (w->planes & GL_DEPTH_BUFFER_BIT)
      glDrawPixels(6, 5, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
   if (w->planes & GL_STENCIL_BUFFER_BIT)
      glDrawPixels(6, 5, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
   glDisable(GL_DEPTH_TEST);
}

static void
do_work(const struct work *w, const struct set sets[2], unsigned samples)
{
   const struct set *s = &sets[w->target & 1], *other = &sets[~w->target & 1];
   apply_state(w);
   glBindFramebuffer(GL_FRAMEBUFFER, s->both);
   switch (w->kind) {
   case 0:
      glClear(w->planes);
      break;
   case 1:
      glBindFramebuffer(GL_FRAMEBUFFER, s->depth_only);
      draw(w, true, false);
      break;
   case 2:
      glBindFramebuffer(GL_FRAMEBUFFER, s->stencil_only);
      draw(w, false, true);
      break;
   case 3:
      glBindFramebuffer(GL_FRAMEBUFFER,
                        w->planes & GL_DEPTH_BUFFER_BIT ? s->depth_only : s->stencil_only);
      glClear(w->planes & GL_DEPTH_BUFFER_BIT ? GL_DEPTH_BUFFER_BIT : GL_STENCIL_BUFFER_BIT);
      break;
   case 4:
      glDisable(GL_SCISSOR_TEST);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other->both);
      if (!samples)
         glBlitFramebuffer(w->box[0], w->box[1], WIDTH, HEIGHT, 0, 0, w->box[2], w->box[3],
                           w->planes, GL_NEAREST);
      else
         glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, w->planes, GL_NEAREST);
      break;
   case 5:
      sample_depth(s, other);
      break;
   case 6:
      if (!samples)
         draw_pixels(w);
      break;
   default:
      draw(w, true, true);
      break;
   }
}

static void
clear_all(const struct set *s)
{
   const struct work all = {.z_write = true, .mask = 0xff, .depth = 0.6f, .ref = 7};
   apply_state(&all);
   glBindFramebuffer(GL_FRAMEBUFFER, s->both);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void
compare(unsigned number, bool depth_texture, bool stencil_texture, unsigned samples,
        unsigned rounds)
{
   struct set separate[2], packed[2];
   static struct content a, b;
   for (unsigned i = 0; i < 2; i++) {
      separate[i] = make_set(
          samples,
          image(depth_texture, i && !samples ? GL_DEPTH24_STENCIL8 : GL_DEPTH_COMPONENT24, samples),
          image(stencil_texture, stencil_texture ? GL_DEPTH24_STENCIL8 : GL_STENCIL_INDEX8,
                samples));
      const struct image both = image(depth_texture, GL_DEPTH24_STENCIL8, samples);
      packed[i] = make_set(samples, both, both);
      clear_all(&separate[i]);
      clear_all(&packed[i]);
   }
   for (unsigned n = 0; n < rounds; n++) {
      struct work w;
      char what[64];
      random_work(&w);
      do_work(&w, separate, samples);
      do_work(&w, packed, samples);
      if (n % 8 != 7 && n != rounds - 1)
         continue;
      glDisable(GL_SCISSOR_TEST);
      for (unsigned i = 0; i < 2; i++) {
         snprintf(what, sizeof(what), "case %u, set %u after step %u of kind %u", number, i, n,
                  w.kind);
         read_content(&separate[i], samples, &a);
         read_content(&packed[i], samples, &b);
         expect_same(what, &a, &b);
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      delete_set(&separate[i]);
      delete_set(&packed[i]);
   }
}

/* --- Directed cases --- */

static void
layer(float z, float green)
{
   glColor3f(0, green, 0);
   glBegin(GL_QUADS);
   glVertex3f(-1, -1, z);
   glVertex3f(1, -1, z + 0.3f);
   glVertex3f(1, 1, z + 0.5f);
   glVertex3f(-1, 1, z + 0.1f);
   glEnd();
}

static unsigned
green_pixels(void)
{
   GLubyte color[PIXELS][4];
   unsigned count = 0;
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, color);
   for (unsigned i = 0; i < PIXELS; i++)
      count += color[i][1] == 255;
   return count;
}

/* What was drawn with stencil is equal without it, and the other way round. */
static void
depth_is_invariant(GLenum format)
{
   struct set s = make_set(0, image(false, format, 0), image(false, GL_STENCIL_INDEX8, 0));
   for (int first = 0; first < 2; first++) {
      const struct work all = {.z_write = true, .mask = 0xff, .depth = 1, .ref = 1};
      apply_state(&all);
      glBindFramebuffer(GL_FRAMEBUFFER, s.both);
      glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
      glBindFramebuffer(GL_FRAMEBUFFER, first ? s.depth_only : s.both);
      glEnable(GL_DEPTH_TEST);
      (first ? glDisable : glEnable)(GL_STENCIL_TEST);
      glStencilFunc(GL_EQUAL, 1, 0xff);
      glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
      glDepthFunc(GL_LESS);
      layer(-0.4f, 0.5f);
      glBindFramebuffer(GL_FRAMEBUFFER, first ? s.both : s.depth_only);
      (first ? glEnable : glDisable)(GL_STENCIL_TEST);
      glDepthFunc(GL_EQUAL);
      layer(-0.4f, 1);
      CHECK(green_pixels() == PIXELS, "format 0x%x: %u of %u pixels have equal depth", format,
            green_pixels(), PIXELS);
   }
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
   delete_set(&s);
}

/* Every depth with every stencil in turn; a partner's end takes nothing with it. */
static void
partners(void)
{
   const struct image depth[2] = {image(false, GL_DEPTH_COMPONENT24, 0),
                                  image(false, GL_DEPTH_COMPONENT16, 0)},
                      stencil[2] = {image(false, GL_STENCIL_INDEX8, 0),
                                    image(false, GL_STENCIL_INDEX8, 0)},
                      color = image(false, GL_RGBA8, 0);
   GLuint fb[2][2];
   GLubyte expected[2] = {10, 20}, value = 0;
   float z = 0;
   for (int i = 0; i < 4; i++)
      fb[i / 2][i % 2] = framebuffer(color, depth[i / 2], stencil[i % 2]);
   for (int i = 0; i < 2; i++) { /* depth 1/4 and 3/4 */
      const struct work all = {
          .z_write = true, .mask = 0xff, .depth = 0.25f + 0.5f * (float)i, .ref = expected[i]};
      apply_state(&all);
      glBindFramebuffer(GL_FRAMEBUFFER, fb[i][i]);
      glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   }
   glEnable(GL_STENCIL_TEST);
   glEnable(GL_DEPTH_TEST);
   glDepthMask(GL_FALSE);
   glStencilFunc(GL_ALWAYS, 0, 0xff);
   glStencilOp(GL_KEEP, GL_DECR, GL_INCR);
   glDepthFunc(GL_LESS);
   for (int n = 0; n < 16; n++) {
      const int d = n & 1, s = n >> 1 & 1;
      glBindFramebuffer(GL_FRAMEBUFFER, fb[d][s]);
      glRectf(-1, -1, 1, 1); /* depth 1/2: one more before 3/4, one less behind 1/4 */
      expected[s] = (GLubyte)(expected[s] + (d ? 1 : -1));
      if (n % 4 == 2)
         glRectf(-1, -1, 1, 1), expected[s] = (GLubyte)(expected[s] + (d ? 1 : -1));
      if (n % 3 == 0)
         continue;
      glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
      glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &value);
      CHECK(value == expected[s], "partners, step %d: stencil %u, not %u", n, value, expected[s]);
      CHECK(d ? z > 0.74f && z < 0.76f : z > 0.24f && z < 0.26f, "partners, step %d: depth %f", n,
            (double)z);
   }
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_DEPTH_TEST);
   glDepthMask(GL_TRUE);
   delete_image(stencil[0]);
   for (int i = 0; i < 4; i++)
      glDeleteFramebuffers(1, &fb[i / 2][i % 2]);
   for (int d = 0; d < 2; d++) {
      const GLuint alone = framebuffer(color, depth[d], none);
      glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
      CHECK(d ? z > 0.74f && z < 0.76f : z > 0.24f && z < 0.26f, "the partner is gone: depth %f",
            (double)z);
      glDeleteFramebuffers(1, &alone);
      delete_image(depth[d]);
   }
   const GLuint alone = framebuffer(color, none, stencil[1]);
   glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &value);
   CHECK(value == expected[1], "the partners are gone: stencil %u", value);
   glDeleteFramebuffers(1, &alone);
   delete_image(stencil[1]);
   delete_image(color);
}

/* Two levels of one texture are different images, too, here of different sizes. */
static void
one_texture(void)
{
   GLuint texture, fb;
   GLubyte value = 0;
   float z = 0;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (int level = 0; level < 2; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_DEPTH24_STENCIL8, 32 >> level, 32 >> level, 0,
                   GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   for (int n = 0; n < 3; n++) {
      const int stencil = n == 1 ? 1 : 0; /* 0 and 0 are the same image */
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_TEXTURE_2D, texture,
                             stencil);
      const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
      CHECK(status == GL_FRAMEBUFFER_COMPLETE, "levels, step %d: status 0x%x", n, status);
      if (n < 2) {
         glClearStencil(20 + n);
         glClearDepth(n ? 0.75 : 0.25);
         glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
      }
      glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
      glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &value);
      CHECK(value == 20 + stencil && (n ? z > 0.7f : z < 0.3f), "levels, step %d: %u, %f", n, value,
            (double)z);
   }
   glReadPixels(20, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
   CHECK(z < 0.3f, "beyond the smaller level: depth %f", (double)z);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
}

/* The smallest framebuffer of OpenGL ES 2.0 with both. */
static void
opengl_es(EGLDisplay display)
{
   EGLContext context;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   GLuint rb[3], fb;
   static const GLenum formats[] = {GL_RGB565, GL_DEPTH_COMPONENT16, GL_STENCIL_INDEX8},
                       points[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT,
                                   GL_STENCIL_ATTACHMENT};
   glGenRenderbuffers(3, rb);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   for (int i = 0; i < 3; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, formats[i], WIDTH, HEIGHT);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, points[i], GL_RENDERBUFFER, rb[i]);
   }
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "OpenGL ES");
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL ES error");
}

int
main(int argc, char **argv)
{
   const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   glViewport(0, 0, WIDTH, HEIGHT);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1); /* rows of 6 bytes */
   const struct image packed = image(false, GL_DEPTH24_STENCIL8, 0);
   plain = make_set(0, packed, packed);
   for (unsigned i = 0; i < 4; i++)
      compare(i, i & 1, i & 2, 0, rounds);
   compare(4, false, false, 4, rounds);
   static const GLenum formats[] = {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24,
                                    GL_DEPTH24_STENCIL8};
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
      depth_is_invariant(formats[i]);
   partners();
   one_texture();
   GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "OpenGL error 0x%x", error);
   opengl_es(util_display(EGL_OPENGL_ES_API));
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   printf("separate depth and stencil: passed\n");
   return 0;
}
