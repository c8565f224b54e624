/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory that belonged to something else before: what a program has never written is zero, what
 * it has written stays, and what it deletes is free at once. Needs a small GPU, whose memory is
 * filled once. Not here: memory that runs out (limits_memory.c). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "egl_util.h"

enum { SIZE = 64 };

/* Fills the GPU's memory with ones, and gives it back. */
static void
fill_memory(void)
{
   enum { W = 512, MAX = 256 };
   static uint8_t ones[W * W * 4];
   GLuint names[MAX];
   int num = 0, size = W;
   memset(ones, 255, sizeof(ones));
   while (size >= 16 && num < MAX) {
      glGenTextures(1, &names[num]);
      glBindTexture(GL_TEXTURE_2D, names[num++]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, ones);
      if (glGetError() != GL_NO_ERROR)
         size /= 2;
   }
   CHECK(num < MAX, "the memory is too large for this test");
   glDeleteTextures(num, names);
   glFinish();
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, ones);
}

/* All of the window is one colour. */
static void
expect_all(const char *what, uint8_t r, uint8_t g, uint8_t b)
{
   static uint8_t p[SIZE * SIZE][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, p);
   for (int i = 0; i < SIZE * SIZE; i++)
      CHECK(p[i][0] == r && p[i][1] == g && p[i][2] == b,
            "%s: pixel (%d, %d) is %u %u %u, not %u %u %u", what, i % SIZE, i / SIZE, p[i][0],
            p[i][1], p[i][2], r, g, b);
   CHECK(glGetError() == GL_NO_ERROR, "%s: an OpenGL error", what);
}

static void
gray(void)
{
   glClearColor(0.5f, 0.5f, 0.5f, 0.5f);
   glClear(GL_COLOR_BUFFER_BIT);
}

static GLuint
new_texture(GLenum target)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(target, name);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return name;
}

/* The bound texture over the window; r is the third coordinate. */
static void
draw_textured(GLenum target, float r)
{
   gray();
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   glEnable(target);
   glBegin(GL_TRIANGLE_FAN);
   for (int k = 0; k < 4; k++) {
      const int x = k == 1 || k == 2, y = k / 2;
      glTexCoord3f(x, y, r);
      glVertex2f(2 * x - 1, 2 * y - 1);
   }
   glEnd();
   glDisable(target);
}

static GLuint
new_framebuffer(GLenum attachment, GLenum format, int samples)
{
   GLuint fbo, rb;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, rb);
   return fbo;
}

static void
delete_framebuffer(GLuint fbo)
{
   GLint rb;
   glGetIntegerv(GL_RENDERBUFFER_BINDING, &rb);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(1, &(GLuint){rb});
}

/* --- Unwritten contents --- */

static void
check_textures(void)
{
   static uint8_t ones[64 * 64 * 4], back[SIZE * SIZE * 4], zeros[SIZE * SIZE * 4];
   memset(ones, 255, sizeof(ones));
   GLuint name = new_texture(GL_TEXTURE_2D);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   CHECK(!memcmp(back, zeros, sizeof(zeros)), "a texture nobody wrote is read");
   draw_textured(GL_TEXTURE_2D, 0);
   expect_all("a texture nobody wrote", 0, 0, 0);
   glDeleteTextures(1, &name);

   /* A part in whole tiles, and one that is not. */
   for (int part = 8; part <= 10; part += 2) {
      name = new_texture(GL_TEXTURE_2D);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      glTexSubImage2D(GL_TEXTURE_2D, 0, part, part, part, part, GL_RGBA, GL_UNSIGNED_BYTE, ones);
      draw_textured(GL_TEXTURE_2D, 0);
      glColor3f(0, 0, 0);
      glRecti(-1, -1, -1, -1);
      glEnable(GL_SCISSOR_TEST);
      glScissor(part, part, part, part);
      uint8_t p[4];
      glReadPixels(part, part, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
      CHECK(p[0] == 255, "what was written to a texture is %u", p[0]);
      glClearColor(0, 0, 0, 0);
      glClear(GL_COLOR_BUFFER_BIT);
      glDisable(GL_SCISSOR_TEST);
      expect_all("what surrounds a part of a texture", 0, 0, 0);
      glDeleteTextures(1, &name);
   }

   name = new_texture(GL_TEXTURE_3D);
   glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, SIZE, SIZE, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 1, SIZE, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, ones);
   draw_textured(GL_TEXTURE_3D, 3.5f / 4);
   expect_all("a slice nobody wrote", 0, 0, 0);
   draw_textured(GL_TEXTURE_3D, 1.5f / 4);
   expect_all("a slice that was written", 255, 255, 255);
   glDeleteTextures(1, &name);

   name = new_texture(GL_TEXTURE_2D);
   for (int level = 0; level < 7; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, SIZE >> level, SIZE >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, level == 1 ? ones : NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   for (int level = 0; level < 7; level++) {
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
      draw_textured(GL_TEXTURE_2D, 0);
      const uint8_t want = level == 1 ? 255 : 0;
      expect_all("a level", want, want, want);
   }
   glDeleteTextures(1, &name);

   /* A copy of a part is surrounded by zeros. */
   gray();
   name = new_texture(GL_TEXTURE_2D);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, SIZE / 2);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   CHECK(back[0] == 128 && !memcmp(back + SIZE * SIZE * 2, zeros, SIZE * SIZE * 2),
         "what surrounds a copy");
   glDeleteTextures(1, &name);
}

static void
check_targets(void)
{
   for (int samples = 0; samples <= 4; samples += 4) {
      static uint8_t back[SIZE * SIZE][4];
      GLuint fbo = new_framebuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples);
      if (!samples)
         expect_all("a renderbuffer nobody wrote", 0, 0, 0);
      delete_framebuffer(fbo);
      fbo = new_framebuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples);
      glColor3f(1, 1, 1);
      glRectf(-1, -1, 0, 1);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
      for (int i = 0; i < SIZE * SIZE; i++)
         CHECK(back[i][0] == (i % SIZE < SIZE / 2 ? 255 : 0), "%d samples: pixel (%d, %d) is %u",
               samples, i % SIZE, i / SIZE, back[i][0]);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo);
      delete_framebuffer(fbo);
   }

   /* Depth is 0 where nothing was drawn; so is stencil when only depth was cleared. */
   static float depth[SIZE * SIZE];
   static uint8_t stencil[SIZE * SIZE];
   GLuint fbo = new_framebuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "depth alone");
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glRectf(-1, -1, 0, 1);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
   for (int i = 0; i < SIZE * SIZE; i++)
      CHECK((i % SIZE < SIZE / 2) == (depth[i] > 0.4f) && depth[i] < 0.6f, "depth is %f", depth[i]);
   glDisable(GL_DEPTH_TEST);
   glDepthFunc(GL_LESS);
   delete_framebuffer(fbo);
   fbo = new_framebuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glClear(GL_DEPTH_BUFFER_BIT);
   memset(stencil, 1, sizeof(stencil));
   glReadPixels(0, 0, SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
   for (int i = 0; i < SIZE * SIZE; i++)
      CHECK(stencil[i] == 0 && depth[i] == 1.0f, "cleared depth %f beside stencil %u", depth[i],
            stencil[i]);
   delete_framebuffer(fbo);
   CHECK(glGetError() == GL_NO_ERROR, "an OpenGL error");
}

/* Attributes from buffers that nothing, or only a part, was written to. */
static void
check_buffers(void)
{
   enum { VERTICES = 1000 };
   static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
   GLuint names[2];
   glGenBuffers(2, names);
   for (int gap = 0; gap <= 1; gap++) {
      glBindBuffer(GL_ARRAY_BUFFER, names[0]);
      glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
      glVertexPointer(2, GL_FLOAT, 0, NULL);
      glBindBuffer(GL_ARRAY_BUFFER, names[1]);
      glBufferData(GL_ARRAY_BUFFER, VERTICES * 4 * (1 + gap), NULL, GL_STATIC_DRAW);
      /* The colours of the corners are before what was written, or after it. */
      glBufferSubData(GL_ARRAY_BUFFER, gap ? 400 * 4 : 0, sizeof(corners), corners);
      glColorPointer(4, GL_UNSIGNED_BYTE, 0, (const char *)(uintptr_t)(gap ? 0 : 100 * 4));
      glEnableClientState(GL_VERTEX_ARRAY);
      glEnableClientState(GL_COLOR_ARRAY);
      gray();
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
      expect_all("colours nobody wrote", 0, 0, 0);
   }
   glDisableClientState(GL_VERTEX_ARRAY);
   glDisableClientState(GL_COLOR_ARRAY);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glDeleteBuffers(2, names);
}

/* --- Deleted objects --- */

/* A deleted render target, whose pixels may still be in a cache, does not overwrite what gets its
 * memory. */
static void
check_deleted_target(GLenum kind)
{
   static uint8_t green[SIZE * SIZE][4];
   for (int i = 0; i < SIZE * SIZE; i++)
      green[i][1] = 255;
   for (int round = 0; round < 4; round++) {
      GLuint fbo, name;
      uint8_t p[4];
      if (kind == GL_TEXTURE) {
         name = new_texture(GL_TEXTURE_2D);
         glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
         glGenFramebuffers(1, &fbo);
         glBindFramebuffer(GL_FRAMEBUFFER, fbo);
         glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
      } else {
         fbo = new_framebuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0);
         glDrawBuffer(GL_NONE);
         glReadBuffer(GL_NONE);
         glEnable(GL_DEPTH_TEST);
         glDepthFunc(GL_ALWAYS);
      }
      glColor3f(1, 0, 0);
      glRectf(-1, -1, 1, 1);
      glDisable(GL_DEPTH_TEST);
      glDepthFunc(GL_LESS);
      if (kind == GL_TEXTURE) {
         glBindFramebuffer(GL_FRAMEBUFFER, 0);
         glDeleteFramebuffers(1, &fbo);
         glDeleteTextures(1, &name);
      } else {
         delete_framebuffer(fbo);
      }
      /* Waits until the GPU is idle. */
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
      /* Several: one of them gets the target's memory. */
      GLuint others[4];
      for (int i = 0; i < 4; i++) {
         others[i] = new_texture(GL_TEXTURE_2D);
         glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, green);
      }
      for (int i = 0; i < 4; i++) {
         glBindTexture(GL_TEXTURE_2D, others[i]);
         draw_textured(GL_TEXTURE_2D, 0);
         expect_all("a texture in a deleted target's memory", 0, 255, 0);
      }
      glDeleteTextures(4, others);
   }
}

static GLint
free_memory(void)
{
   GLint info[4] = {0}, nvx = 0;
   glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, info);
   glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &nvx);
   CHECK(info[0] == nvx, "ATI_meminfo says %d, NVX_gpu_memory_info %d", info[0], nvx);
   return nvx;
}

/* Deleting gives memory back at once, without waiting for the GPU. */
static void
check_information(void)
{
   enum { KIB = 1024, W = 512, STILL_BOUND = 64 }; /* of the checks before this one */
   static uint8_t texels[W * W * 4];
   const GLint before = free_memory();
   GLuint texture = new_texture(GL_TEXTURE_2D), buffer;
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, W, W, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, 1 << 20, texels, GL_STATIC_DRAW);
   draw_textured(GL_TEXTURE_2D, 0);
   glFlush();
   const GLint used = free_memory();
   CHECK(used <= before - 2 * KIB + STILL_BOUND, "%d KiB were free, and %d with 2 MiB in use",
         before, used);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   const GLint after = free_memory();
   CHECK(after >= used + 2 * KIB, "%d KiB are free, and %d after 2 MiB were deleted", used, after);
}

int
main(void)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   gray();
   check_deleted_target(GL_TEXTURE);
   check_deleted_target(GL_RENDERBUFFER);
   check_information();
   fill_memory();
   check_textures();
   check_targets();
   check_buffers();
   puts("memory: as it should be");
   return 0;
}
