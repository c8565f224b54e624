/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws into a framebuffer object with depth and says that the depth is of no more use
 * (EXT_discard_framebuffer), or with the argument "keep" does not. With "again" it goes on with the
 * depth, which OpenGL leaves undefined and Attila as it was. discard.sh looks at what was
 * written. */
#include "gles_util.h"
#include <GLES2/gl2ext.h>

enum { SIZE = 64 };

static void
draw(float depth, float red)
{
   const GLfloat v[4][3] = {{-1, -1, depth}, {1, -1, depth}, {-1, 1, depth}, {1, 1, depth}};
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glUniform4f(glGetUniformLocation((GLuint)program, "color"), red, 0, 0, 1);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, v);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int
main(int argc, char **argv)
{
   const char *what = argc > 1 ? argv[1] : "discard";
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   PFNGLDISCARDFRAMEBUFFEREXTPROC discard =
       (PFNGLDISCARDFRAMEBUFFEREXTPROC)eglGetProcAddress("glDiscardFramebufferEXT");
   CHECK(discard, "no glDiscardFramebufferEXT");
   GLuint fbo, buffer[2];
   glGenRenderbuffers(2, buffer);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer[0]);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer[1]);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24_OES, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer[1]);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   glViewport(0, 0, SIZE, SIZE);
   glUseProgram(util_program());
   glEnable(GL_DEPTH_TEST);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   draw(0, 1);
   draw(0.5f, 0.5f);
   const GLenum depth = GL_DEPTH_ATTACHMENT;
   if (strcmp(what, "keep"))
      discard(GL_FRAMEBUFFER, 1, &depth);
   if (!strcmp(what, "again"))
      draw(0.25f, 0.25f);
   util_expect_pixel(SIZE / 2, SIZE / 2, 255, 0, 0);
   eglSwapBuffers(display, surface);
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return 0;
}
