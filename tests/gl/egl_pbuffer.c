/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * An off-screen program: three frames in a pbuffer of a surfaceless display, each ended by
 * eglSwapBuffers, pixels checked. The script beside it checks that three frames were reported. */
#include "gles_util.h"

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   CHECK(!strncmp((const char *)glGetString(GL_RENDERER), "ATTILA", 6), "renderer is %s",
         (const char *)glGetString(GL_RENDERER));
   glUseProgram(util_program());
   static const float triangle[] = {-1, -1, 3,  -1, -1, 3, /* all of it */ -1,
                                    -1, 0,  -1, -1, 0 /* lower left */};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
   glEnableVertexAttribArray(0);
   GLint color = 0;
   GLint program = 0;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   color = glGetUniformLocation((GLuint)program, "color");
   for (int frame = 0; frame < 3; frame++) {
      glClearColor(0, 0, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      glUniform4f(color, 1, 0, 0, 1);
      if (frame == 1)
         glDrawArrays(GL_TRIANGLES, 0, 3);
      glUniform4f(color, 0, 1, 0, 1);
      glDrawArrays(GL_TRIANGLES, 3, 3);
      util_expect_pixel(2, 2, 0, 255, 0);
      util_expect_pixel(60, 60, frame == 1 ? 255 : 0, 0, frame == 1 ? 0 : 255);
      CHECK(eglSwapBuffers(display, surface), "eglSwapBuffers");
   }
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
