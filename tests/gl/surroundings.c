/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws four frames, and changes what surrounds them in the process before frame FRAME (before
 * OpenGL is opened if that is -1): locale, rounding, signals (all are blocked), umask, folder.
 * After every frame each is as the program has set it. surroundings.sh compares what is written. */
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gl_util.h"

static const char *const kinds[] = {"locale", "rounding", "signals", "umask", "folder"};
static bool changed[5];

static void
change(const char *kind)
{
   sigset_t all;
   if (!strcmp(kind, kinds[0])) {
      CHECK(setlocale(LC_ALL, ""), "there is no such locale");
      CHECK(*localeconv()->decimal_point == ',', "the locale has no decimal comma");
   } else if (!strcmp(kind, kinds[1])) {
      CHECK(!fesetround(FE_UPWARD), "fesetround");
   } else if (!strcmp(kind, kinds[2])) {
      CHECK(!sigfillset(&all) && !sigprocmask(SIG_SETMASK, &all, NULL), "sigprocmask");
   } else if (!strcmp(kind, kinds[3])) {
      umask(077);
   } else {
      CHECK(!strcmp(kind, kinds[4]) && !chdir("/"), "chdir");
   }
   for (unsigned i = 0; i < 5; i++)
      changed[i] |= !strcmp(kind, kinds[i]);
}

/* What the program has set is still there. */
static void
check_surroundings(void)
{
   char folder[4096], number[8];
   sigset_t blocked;
   const mode_t mask = umask(0);
   umask(mask);
   snprintf(number, sizeof(number), "%.1f", 0.5);
   CHECK(!strcmp(number, changed[0] ? "0,5" : "0.5"), "the locale prints %s", number);
   CHECK(fegetround() == (changed[1] ? FE_UPWARD : FE_TONEAREST), "rounding");
   sigprocmask(SIG_SETMASK, NULL, &blocked);
   CHECK(sigismember(&blocked, SIGUSR1) == changed[2], "signals");
   CHECK(!changed[3] || mask == 077, "umask");
   CHECK(getcwd(folder, sizeof(folder)) && (!changed[4] || !strcmp(folder, "/")), "folder");
}

static void
draw(void)
{
   static const float corners[] = {-1, -1, 0.9f, -0.8f, 0.1f, 1};
   GLubyte texels[16 * 16 * 4];
   GLuint texture;
   for (unsigned i = 0; i < sizeof(texels); i++)
      texels[i] = (GLubyte)(i * 37);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   glClearColor(0.3f, 0.6f, 0.1f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glDeleteTextures(1, &texture);
}

int
main(int argc, char **argv)
{
   CHECK(argc > 1, "usage: surroundings FRAME [locale|rounding|signals|umask|folder]...");
   const int when = atoi(argv[1]);
   for (int i = 2; when < 0 && i < argc; i++)
      change(argv[i]);
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), 96, EGL_NO_CONTEXT, &context);
   util_program("#version 130\n",
                "in vec4 p; out vec2 t; void main() { gl_Position = p; t = p.xy * 1.7; }",
                "in vec2 t; uniform sampler2D s; out vec4 c;"
                "void main() { c = texture(s, t) * vec4(t.yxy, 0.7) / 3.0; }");
   for (int frame = 0; frame < 4; frame++) {
      for (int i = 2; when == frame && i < argc; i++)
         change(argv[i]);
      draw();
      CHECK(eglSwapBuffers(display, surface), "eglSwapBuffers");
      check_surroundings();
   }
   return 0;
}
