/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Four threads, each with its own context and pbuffer on one display (one screen, one GPU), two of
 * them sharing objects, draw and read back at the same time; every pixel must be the thread's
 * own. */
#include <pthread.h>
#include "gles_util.h"

static EGLDisplay display;
static EGLConfig config;
static EGLContext shared;
static GLuint shared_texture;

static void *
thread_main(void *argument)
{
   unsigned id = (unsigned)(size_t)argument;
   EGLContext context;
   eglBindAPI(EGL_OPENGL_ES_API);
   util_make_current(display, config, 32, id < 2 ? shared : EGL_NO_CONTEXT, &context);
   GLuint program = util_program();
   glUseProgram(program);
   GLint color = glGetUniformLocation(program, "color");
   static const float triangle[] = {-1, -1, 3, -1, -1, 3};
   GLuint buffer;
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(triangle), triangle, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   for (unsigned i = 0; i < 20; i++) {
      unsigned r = (id * 60 + i) & 255, g = (i * 12) & 255;
      glClear(GL_COLOR_BUFFER_BIT);
      glUniform4f(color, (float)r / 255, (float)g / 255, 1, 1);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      util_expect_pixel((int)i, 31 - (int)i, r, g, 255);
   }
   if (id < 2)
      CHECK(glIsTexture(shared_texture), "a shared context does not see the texture");
   else
      CHECK(!glIsTexture(shared_texture), "another context sees the texture");
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

int
main(void)
{
   display = util_display(EGL_OPENGL_ES_API);
   config = util_config(display);
   util_make_current(display, config, 8, EGL_NO_CONTEXT, &shared);
   glGenTextures(1, &shared_texture);
   glBindTexture(GL_TEXTURE_2D, shared_texture);
   static const unsigned char texel[4] = {1, 2, 3, 4};
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   glFinish();
   pthread_t threads[4];
   for (size_t i = 0; i < 4; i++)
      pthread_create(&threads[i], NULL, thread_main, (void *)i);
   for (size_t i = 0; i < 4; i++)
      pthread_join(threads[i], NULL);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
