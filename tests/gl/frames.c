/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws frames for ever, one triangle each, and ends each as its argument says: swap (a pbuffer),
 * flush, finish, context (another context becomes current), both (draws again between a flush and a
 * swap). It looks at SIGINT and SIGTERM between frames only, as games do; "deaf", which flushes,
 * never looks. With a second argument N, frame N would take the simulator hours. The scripts beside
 * it check how attila-run ends it. */
#include <signal.h>
#include "gles_util.h"

static volatile sig_atomic_t asked;

static void
on_signal(int number)
{
   asked = number;
}

static void
end_frame(const char *how, EGLDisplay display, EGLContext context, EGLContext other)
{
   EGLSurface surface = eglGetCurrentSurface(EGL_DRAW);
   if (!strcmp(how, "swap")) {
      eglSwapBuffers(display, surface);
   } else if (!strcmp(how, "flush") || !strcmp(how, "deaf")) {
      glFlush();
      glFlush(); /* nothing new: not another frame */
   } else if (!strcmp(how, "both")) {
      glFlush();
      glDrawArrays(GL_TRIANGLES, 0, 3);
      eglSwapBuffers(display, surface);
   } else if (!strcmp(how, "finish")) {
      glFinish();
   } else if (!strcmp(how, "context")) {
      eglMakeCurrent(display, surface, surface, other);
      eglMakeCurrent(display, surface, surface, context);
   }
}

static GLuint
endless_program(void)
{
   return util_program_of(
       "precision highp float; void main() { float a = gl_FragCoord.x;"
       "for (int i = 0; i < 60000; i++) a = fract(a * 1.1 + 0.3); gl_FragColor = vec4(a); }");
}

int
main(int argc, char **argv)
{
   CHECK(argc > 1, "usage: frames swap|flush|deaf|finish|context|both [ENDLESS-FRAME]");
   const char *how = argv[1];
   const int endless = argc > 2 ? atoi(argv[2]) : -1;
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context, other;
   EGLConfig config = util_config(display);
   const EGLint size = endless >= 0 ? 1024 : 16;
   util_make_current(display, config, size, EGL_NO_CONTEXT, &other);
   util_make_current(display, config, size, EGL_NO_CONTEXT, &context);
   signal(SIGINT, on_signal);
   signal(SIGTERM, on_signal);
   glUseProgram(util_program());
   static const float triangle[] = {-1, -1, 3, -1, -1, 3};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
   glEnableVertexAttribArray(0);
   printf("drawing\n");
   for (int frame = 0; !asked || !strcmp(how, "deaf"); frame++) {
      if (frame == endless) {
         fprintf(stderr, "frame %d takes long\n", frame);
         glUseProgram(endless_program());
      }
      glClear(GL_COLOR_BUFFER_BIT);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      end_frame(how, display, context, other);
   }
   printf("asked to stop by signal %d\n", (int)asked);
   return 3;
}
