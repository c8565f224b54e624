/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Four frames of overlapping squares, each blended in another way:
 * something to compare with other drivers. tests/gl/compare_tools.sh knows
 * the order of the draws. With the argument "wrong" the fourth square of frame 3 is blended with
 * GL_ONE instead of GL_ONE_MINUS_SRC_ALPHA. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 64 };

static void
square(float x, float y, float r, float g, float b, float a)
{
   glColor4f(r, g, b, a);
   glBegin(GL_QUADS);
   glVertex2f(x, y);
   glVertex2f(x + 1, y);
   glVertex2f(x + 1, y + 1);
   glVertex2f(x, y + 1);
   glEnd();
}

static void
frame(int n, bool wrong)
{
   const float move = (float)n / 8;
   glClearColor(0.25f, 0.25f, 0.5f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_BLEND);
   square(-1, -1 + move, 0.5f, 0, 0, 1);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   square(-0.5f, -0.5f + move, 0, 0.25f, 0, 0.5f);
   glBlendFunc(GL_DST_COLOR, GL_ZERO);
   square(0, -1 + move, 0.5f, 0.5f, 0.5f, 1);
   if (n == 3) {
      glBlendFunc(GL_SRC_ALPHA, wrong ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
      square(-0.75f, -0.25f, 0.75f, 0.75f, 0, 0.75f);
   }
   glBlendFunc(GL_ONE, GL_ONE);
   square(-0.25f, 0, 0, 0, 0.25f, 1);
}

int
main(int argc, char **argv)
{
   const bool wrong = argc > 1 && !strcmp(argv[1], "wrong");
   Display *display = XOpenDisplay(NULL);
   if (!display) {
      fprintf(stderr, "no display\n");
      return 1;
   }
   int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, GLX_DEPTH_SIZE, 16, None};
   XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), wanted);
   if (!visual) {
      fprintf(stderr, "no visual\n");
      return 1;
   }
   Window root = RootWindow(display, visual->screen);
   XSetWindowAttributes attributes = {
       .colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
   Window window = XCreateWindow(display, root, 0, 0, SIZE, SIZE, 0, visual->depth, InputOutput,
                                 visual->visual, CWColormap | CWBorderPixel, &attributes);
   XMapWindow(display, window);
   GLXContext context = glXCreateContext(display, visual, NULL, True);
   glXMakeCurrent(display, window, context);
   glViewport(0, 0, SIZE, SIZE);
   for (int n = 0; n < 4; n++) {
      frame(n, wrong);
      glXSwapBuffers(display, window);
   }
   glXMakeCurrent(display, None, NULL);
   glXDestroyContext(display, context);
   XCloseDisplay(display);
   return 0;
}
