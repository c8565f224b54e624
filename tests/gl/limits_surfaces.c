/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sizes of textures, renderbuffers, viewports; texture units; draw buffers; samples. A large
 * texture is written and sampled at its far corner. Not here: using up the memory
 * (limits_memory.c). */
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct target {
   const char *name, *sampler;
   GLenum target, proxy, limit;
   int dims;
   GLsizei width, height, depth; /* largest that fits with one byte per texel; 0: the limit */
} targets[] = {
    {"1D", "sampler1D", GL_TEXTURE_1D, GL_PROXY_TEXTURE_1D, GL_MAX_TEXTURE_SIZE, 1, 0, 1, 1},
    {"2D", "sampler2D", GL_TEXTURE_2D, GL_PROXY_TEXTURE_2D, GL_MAX_TEXTURE_SIZE, 2, 0, 0, 1},
    {"rectangle", "sampler2DRect", GL_TEXTURE_RECTANGLE, GL_PROXY_TEXTURE_RECTANGLE,
     GL_MAX_RECTANGLE_TEXTURE_SIZE, 2, 0, 0, 1},
    {"3D wide", "sampler3D", GL_TEXTURE_3D, GL_PROXY_TEXTURE_3D, GL_MAX_3D_TEXTURE_SIZE, 3, 0, 16,
     16},
    {"3D high", "sampler3D", GL_TEXTURE_3D, GL_PROXY_TEXTURE_3D, GL_MAX_3D_TEXTURE_SIZE, 3, 16, 0,
     16},
    {"3D deep", "sampler3D", GL_TEXTURE_3D, GL_PROXY_TEXTURE_3D, GL_MAX_3D_TEXTURE_SIZE, 3, 16, 16,
     0},
    {"1D array", "sampler1DArray", GL_TEXTURE_1D_ARRAY, GL_PROXY_TEXTURE_1D_ARRAY,
     GL_MAX_ARRAY_TEXTURE_LAYERS, 2, 8192, 0, 1},
    {"2D array", "sampler2DArray", GL_TEXTURE_2D_ARRAY, GL_PROXY_TEXTURE_2D_ARRAY,
     GL_MAX_ARRAY_TEXTURE_LAYERS, 3, 64, 64, 0},
    {"cube", "samplerCube", GL_TEXTURE_CUBE_MAP, GL_PROXY_TEXTURE_CUBE_MAP,
     GL_MAX_CUBE_MAP_TEXTURE_SIZE, 2, 0, 0, 1},
};

static void
image(const struct target *t, GLenum target, GLint level, GLenum format, GLsizei w, GLsizei h,
      GLsizei d)
{
   if (t->dims == 1)
      glTexImage1D(target, level, (GLint)format, w, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
   else if (t->dims == 2)
      glTexImage2D(target, level, (GLint)format, w, h, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
   else
      glTexImage3D(target, level, (GLint)format, w, h, d, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
}

static GLint
proxy_width(const struct target *t, GLenum format, GLsizei w, GLsizei h, GLsizei d)
{
   GLint width = -1;
   image(t, t->proxy, 0, format, w, h, d);
   glGetTexLevelParameteriv(t->proxy, 0, GL_TEXTURE_WIDTH, &width);
   EXPECT_OK("proxy");
   return width;
}

static GLsizei
halve(GLsizei size, int level)
{
   return size >> level > 0 ? size >> level : 1;
}

/* One texel at the far corner; the others are not defined. */
static void
store_corner(const struct target *t, GLenum target, int level, GLsizei w, GLsizei h, GLsizei d,
             GLubyte value)
{
   if (t->dims == 1)
      glTexSubImage1D(target, level, w - 1, 1, GL_RED, GL_UNSIGNED_BYTE, &value);
   else if (t->dims == 2)
      glTexSubImage2D(target, level, w - 1, h - 1, 1, 1, GL_RED, GL_UNSIGNED_BYTE, &value);
   else
      glTexSubImage3D(target, level, w - 1, h - 1, d - 1, 1, 1, 1, GL_RED, GL_UNSIGNED_BYTE,
                      &value);
}

static void
sample_corner(const struct target *t, int level, GLsizei w, GLsizei h, GLsizei d, int want)
{
   char source[512];
   const bool layers = t->limit == GL_MAX_ARRAY_TEXTURE_LAYERS;
   static const char *const kinds[] = {"float", "vec2", "vec3"};
   const bool cube = t->target == GL_TEXTURE_CUBE_MAP;
   const char *call = !strncmp(t->sampler, "sampler", 7) ? t->sampler + 7 : "";
   snprintf(
       source, sizeof(source),
       "#extension GL_ARB_texture_rectangle : enable\n#extension GL_EXT_texture_array : enable\n"
       "uniform %s tex; uniform vec3 at; void main() { gl_FragColor = texture%s(tex, %s(at)); }",
       t->sampler, call, cube ? "vec3" : kinds[t->dims - 1]);
   GLuint program = limits_program(PASS_THROUGH, source);
   EXPECT(program, "%s: the program does not link", t->name);
   const GLint at = glGetUniformLocation(program, "at");
   if (t->target == GL_TEXTURE_RECTANGLE)
      glUniform3f(at, (float)w - 0.5f, (float)h - 0.5f, 0);
   else if (cube) /* the last face, -z: s goes from +x to -x, t downwards */
      glUniform3f(at, -1 + 1.0f / (float)w, -1 + 1.0f / (float)h, -1);
   else if (layers)
      glUniform3f(at, 1 - 0.5f / (float)w, t->dims == 2 ? (float)h - 1 : 1 - 0.5f / (float)h,
                  (float)d - 1);
   else
      glUniform3f(at, 1 - 0.5f / (float)w, 1 - 0.5f / (float)h, 1 - 0.5f / (float)d);
   char what[80];
   snprintf(what, sizeof(what), "far corner of a %s texture, level %d of %d x %d x %d", t->name,
            level, w, h, d);
   limits_quad();
   EXPECT_PIXEL(3, 3, want, 0, 0, what);
   limits_delete_program(program);
}

/* At the limit every level can be sampled; past it proxy and real image say so. */
static void
check_target(const struct target *t)
{
   const GLint limit = limits_get(t->limit);
   const GLsizei w = t->width ? t->width : limit, h = t->height ? t->height : limit,
                 d = t->depth ? t->depth : limit;
   const bool cube = t->target == GL_TEXTURE_CUBE_MAP,
              layers = t->limit == GL_MAX_ARRAY_TEXTURE_LAYERS;
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(t->target, texture);
   EXPECT(proxy_width(t, GL_R8, w, h, d) == w, "%s: the proxy refuses the limit", t->name);

   GLsizei largest = w;
   if (t->dims > 1 && !(layers && t->dims == 2) && h > largest)
      largest = h;
   if (t->dims > 2 && !layers && d > largest)
      largest = d;
   int levels = 1;
   while (t->target != GL_TEXTURE_RECTANGLE && largest >> levels)
      levels++;
   for (int l = 0; l < levels; l++) {
      const GLsizei lh = layers && t->dims == 2 ? h : halve(h, l), ld = layers ? d : halve(d, l);
      for (unsigned face = 0; face < (cube ? 6 : 1); face++)
         image(t, cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : t->target, l, GL_R8, halve(w, l),
               lh, ld);
      EXPECT_OK(t->name);
      store_corner(t, cube ? GL_TEXTURE_CUBE_MAP_NEGATIVE_Z : t->target, l, halve(w, l), lh, ld,
                   (GLubyte)(100 + 10 * l));
      EXPECT_OK(t->name);
   }
   glTexParameteri(t->target, GL_TEXTURE_MIN_FILTER,
                   levels > 1 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
   glTexParameteri(t->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   for (int l = 0; l < levels; l += l ? levels - 1 - l ? levels - 1 - l : 1 : 1) {
      if (levels > 1) {
         glTexParameteri(t->target, GL_TEXTURE_BASE_LEVEL, l);
         glTexParameteri(t->target, GL_TEXTURE_MAX_LEVEL, l);
      }
      const GLsizei lh = layers && t->dims == 2 ? h : halve(h, l), ld = layers ? d : halve(d, l);
      sample_corner(t, l, halve(w, l), lh, ld, 100 + 10 * l);
   }

   const GLsizei pw = t->width ? w : limit + 1, ph = t->height ? h : limit + 1,
                 pd = t->depth ? d : limit + 1;
   EXPECT(proxy_width(t, GL_R8, pw, ph, pd) == 0, "%s: the proxy accepts more than the limit",
          t->name);
   image(t, cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : t->target, 0, GL_R8, pw, ph, pd);
   EXPECT_ERROR(GL_INVALID_VALUE, t->name);
   if (levels > 1) {
      image(t, cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : t->target, 16, GL_R8, 1, 1, 1);
      EXPECT_ERROR(GL_INVALID_VALUE, "level 16");
   }
   glDeleteTextures(1, &texture);
}

/* Legal sizes that no memory holds: proxies say no, images GL_OUT_OF_MEMORY. */
static void
check_too_large(void)
{
   static const struct {
      int target;
      GLenum format;
      GLsizei w, h, d;
   } cases[] = {
       {1, GL_RGBA32F, 8192, 8192, 1}, {2, GL_RGBA32F, 8192, 8192, 1},
       {3, GL_R8, 2048, 2048, 2048},   {3, GL_RGBA32F, 2048, 2048, 64},
       {7, GL_RGBA8, 8192, 8192, 256}, {7, GL_R8, 8192, 8192, 32},
       {8, GL_RGBA8, 8192, 8192, 1},   {8, GL_RGBA32F, 8192, 8192, 1},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct target *t = &targets[cases[i].target];
      GLuint texture;
      glGenTextures(1, &texture);
      glBindTexture(t->target, texture);
      EXPECT(proxy_width(t, cases[i].format, cases[i].w, cases[i].h, cases[i].d) == 0,
             "%s of %d x %d x %d: the proxy accepts it", t->name, cases[i].w, cases[i].h,
             cases[i].d);
      if (t->target != GL_TEXTURE_CUBE_MAP) {
         image(t, t->target, 0, cases[i].format, cases[i].w, cases[i].h, cases[i].d);
         EXPECT_ERROR(GL_OUT_OF_MEMORY, t->name);
      } else {
         for (unsigned face = 0; face < 6; face++)
            image(t, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, cases[i].format, cases[i].w,
                  cases[i].h, 1);
         EXPECT_ERROR(GL_OUT_OF_MEMORY, t->name);
      }
      glDeleteTextures(1, &texture);
   }
   EXPECT_ALIVE("textures that are too large");
}

static void
check_renderbuffer(void)
{
   const GLint max = limits_get(GL_MAX_RENDERBUFFER_SIZE);
   GLuint rb[2], fbo;
   glGenRenderbuffers(2, rb);
   for (int i = 0; i < 2; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH24_STENCIL8 : GL_RGBA8, max, max);
      EXPECT_OK("the largest renderbuffer");
   }
   fbo = limits_framebuffer(0, 0, rb[0]);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb[1]);
   EXPECT(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
          "the largest framebuffer is not complete");
   /* A triangle in the last pixels, with depth test against a cleared corner. */
   glClearColor(0, 0, 1, 1);
   glClearDepth(0.5);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glViewport(0, 0, max, max);
   glEnable(GL_DEPTH_TEST);
   const float a = 1 - 16.0f / (float)max;
   for (int i = 0; i < 2; i++) {
      glColor3f(i ? 1 : 0, i ? 0 : 1, 0);
      glBegin(GL_TRIANGLES);
      glVertex3f(a, 1, i ? 0.5f : -0.5f);
      glVertex3f(1, a, i ? 0.5f : -0.5f);
      glVertex3f(1, 1, i ? 0.5f : -0.5f);
      glEnd();
   }
   glDisable(GL_DEPTH_TEST);
   glClearDepth(1);
   EXPECT_PIXEL(max - 1, max - 1, 0, 255, 0, "far corner of the largest renderbuffer");
   EXPECT_PIXEL(max - 9, max - 9, 0, 0, 255, "near the far corner of the largest renderbuffer");
   EXPECT_PIXEL(0, 0, 0, 0, 255, "first corner of the largest renderbuffer");
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, max + 1, 1);
   EXPECT_ERROR(GL_INVALID_VALUE, "renderbuffer wider than the limit");
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, max + 1);
   EXPECT_ERROR(GL_INVALID_VALUE, "renderbuffer higher than the limit");
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, max, max);
   EXPECT_ERROR(GL_OUT_OF_MEMORY, "renderbuffer that no memory holds");
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, limits_get(GL_MAX_SAMPLES), GL_RGBA8, max,
                                    max);
   EXPECT_ERROR(GL_OUT_OF_MEMORY, "multisampled renderbuffer that no memory holds");
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, limits_get(GL_MAX_SAMPLES) + 1, GL_RGBA8, 16,
                                    16);
   EXPECT_ERRORS(GL_INVALID_VALUE, GL_INVALID_OPERATION, "more samples than the limit");
   glDeleteRenderbuffers(2, rb);
   EXPECT_ALIVE("renderbuffers");
}

/* An edge through a pixel: all samples count in the average. */
static void
check_samples(void)
{
   for (GLint samples = 1; samples <= limits_get(GL_MAX_SAMPLES); samples++) {
      GLuint rb[2], fbo[2];
      glGenRenderbuffers(2, rb);
      for (int i = 0; i < 2; i++) {
         glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
         glRenderbufferStorageMultisample(GL_RENDERBUFFER, i ? 0 : samples, GL_RGBA8, 16, 16);
         fbo[i] = limits_framebuffer(0, 0, rb[i]);
      }
      GLint have = 0;
      glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
      glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &have);
      EXPECT(have >= samples, "%d samples asked for, %d got", samples, have);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]);
      EXPECT(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
             "%d samples: not complete", samples);
      glViewport(0, 0, 16, 16);
      glClearColor(0, 0, 0, 0);
      glClear(GL_COLOR_BUFFER_BIT);
      glRectf(-1, -1, 1.0f / 16, 1); /* the left half of column 8 */
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo[1]);
      glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo[1]);
      if (have > 1)
         EXPECT_PIXEL(8, 8, 128, 128, 128, "half of the samples");
      EXPECT_PIXEL(7, 8, 255, 255, 255, "all samples");
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glDeleteFramebuffers(2, fbo);
      glDeleteRenderbuffers(2, rb);
   }
}

static void
check_draw_buffers(void)
{
   const GLint max = limits_get(GL_MAX_DRAW_BUFFERS),
               attachments = limits_get(GL_MAX_COLOR_ATTACHMENTS);
   GLuint texture[16], fbo = 0;
   GLenum buffers[17];
   struct text source = {0};
   EXPECT(max == attachments && max <= 16, "%d draw buffers, %d attachments", max, attachments);
   text_add(&source, "void main() {");
   glGenTextures(max, texture);
   for (int i = 0; i < max; i++) {
      glBindTexture(GL_TEXTURE_2D, texture[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      if (!i)
         fbo = limits_framebuffer(GL_TEXTURE_2D, texture[0], 0);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)i, GL_TEXTURE_2D,
                             texture[i], 0);
      buffers[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
      text_add(&source, "gl_FragData[%d] = vec4(%d.0 / 255.0, 1.0, 0.0, 1.0);", i, 20 + 13 * i);
   }
   text_add(&source, "}");
   glDrawBuffers(max, buffers);
   EXPECT(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
          "%d attachments: not complete", max);
   GLuint program = limits_program(PASS_THROUGH, source.data);
   EXPECT(program, "gl_FragData[%d] does not link", max - 1);
   glViewport(0, 0, SIZE, SIZE);
   limits_quad();
   for (int i = 0; i < max; i++) {
      glReadBuffer(buffers[i]);
      EXPECT_PIXEL(SIZE - 1, SIZE - 1, 20 + 13 * i, 255, 0, "draw buffer");
   }
   limits_delete_program(program);
   text_free(&source);
   buffers[max] = GL_COLOR_ATTACHMENT0;
   glDrawBuffers(max + 1, buffers);
   EXPECT_ERROR(GL_INVALID_VALUE, "too many draw buffers");
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)attachments, GL_TEXTURE_2D,
                          texture[0], 0);
   EXPECT_ERRORS(GL_INVALID_ENUM, GL_INVALID_OPERATION, "attachment past the last");
   text_add(&source, "void main() { gl_FragData[%d] = vec4(1.0); }", max);
   EXPECT(!limits_program(PASS_THROUGH, source.data), "gl_FragData[%d] links", max);
   text_free(&source);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteTextures(max, texture);
   EXPECT_ALIVE("draw buffers");
}

/* All image units of the vertex and the fragment stage at once: unit u holds 1 + u, the vertex
 * shader's sum travels to the fragment shader. The others are the geometry stage's. */
static void
check_units(void)
{
   const GLint vs = limits_get(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS),
               fs = limits_get(GL_MAX_TEXTURE_IMAGE_UNITS);
   const GLint all = limits_get(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS), used = vs + fs;
   GLuint texture[64];
   struct text v = {0}, f = {0};
   EXPECT(all >= used && all <= 64, "%d + %d units, %d combined", vs, fs, all);
   glGenTextures(all, texture);
   for (int u = 0; u < all; u++) {
      const float value = (float)(1 + u);
      glActiveTexture(GL_TEXTURE0 + (GLenum)u);
      glBindTexture(GL_TEXTURE_2D, texture[u]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT, &value);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   }
   for (int over = 0; over < 3; over++) {
      text_add(&v,
               "attribute vec4 position; varying float sum; uniform sampler2D v[%d]; void main() { "
               "gl_Position = position; sum = 0.0;",
               vs + (over == 1));
      for (int i = 0; i < vs + (over == 1); i++)
         text_add(&v, "sum += texture2DLod(v[%d], vec2(0.5), 0.0).r;", i);
      text_add(&f, "varying float sum; uniform sampler2D f[%d]; void main() { float s = sum;",
               fs + (over == 2));
      for (int i = 0; i < fs + (over == 2); i++)
         text_add(&f, "s += texture2D(f[%d], vec2(0.5)).r;", i);
      text_add(&v, "}");
      text_add(&f, "gl_FragColor = vec4(s == %d.0, 1.0, 0.0, 1.0); }", used * (used + 1) / 2);
      GLuint program = limits_program(v.data, f.data);
      EXPECT((program == 0) == (over > 0), "%d: samplers at and past the limit", over);
      if (program) {
         char name[16];
         for (int u = 0; u < used; u++) {
            snprintf(name, sizeof(name), "%c[%d]", u < vs ? 'v' : 'f', u < vs ? u : u - vs);
            glUniform1i(glGetUniformLocation(program, name), u);
         }
         EXPECT_OK("units of samplers");
         limits_quad();
         EXPECT_PIXEL(5, 5, 255, 255, 0, "all texture image units");
         glUniform1i(glGetUniformLocation(program, "v[0]"), all);
         EXPECT_ERROR(GL_INVALID_VALUE, "a sampler's unit past the last");
      }
      limits_delete_program(program);
      text_free(&v);
      text_free(&f);
   }
   glActiveTexture(GL_TEXTURE0 + (GLenum)all);
   EXPECT_ERROR(GL_INVALID_ENUM, "glActiveTexture past the last");
   glActiveTexture(GL_TEXTURE0);
   glDeleteTextures(all, texture);
   EXPECT_ALIVE("texture units");
}

/* A large image that begins and ends inside of tiles, into a texture: what is around it stays. */
static void
check_large_upload(void)
{
   enum { W = 1021, H = 701, X = 3, Y = 5, TEX = 1100 };
   GLuint texture, *image = malloc(sizeof(*image) * TEX * TEX);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   memset(image, 0x55, sizeof(*image) * TEX * TEX);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEX, TEX, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   for (unsigned i = 0; i < W * H; i++)
      image[i] = i * 2654435761u;
   glTexSubImage2D(GL_TEXTURE_2D, 0, X, Y, W, H, GL_RGBA, GL_UNSIGNED_BYTE, image);
   memset(image, 0, sizeof(*image) * TEX * TEX);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   unsigned wrong = 0;
   for (unsigned y = 0; y < TEX; y++) {
      for (unsigned x = 0; x < TEX; x++) {
         const bool inside = x >= X && x < X + W && y >= Y && y < Y + H;
         wrong +=
             image[y * TEX + x] != (inside ? ((y - Y) * W + x - X) * 2654435761u : 0x55555555u);
      }
   }
   EXPECT(!wrong, "a large upload: %u texels are wrong", wrong);
   EXPECT_OK("a large upload");
   free(image);
   glDeleteTextures(1, &texture);
}

void
limits_surfaces(void)
{
   for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
      const bool large = targets[i].dims == 2 && targets[i].limit != GL_MAX_ARRAY_TEXTURE_LAYERS;
      if (!limits_small || !large)
         check_target(&targets[i]);
   }
   check_too_large();
   if (!limits_small)
      check_renderbuffer();
   check_large_upload();
   check_samples();
   check_draw_buffers();
   check_units();
}
