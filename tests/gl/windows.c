/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GLX windows, pixmaps and pbuffers: what a program reads back and what the X server shows, pixel
 * by pixel. Arguments: the number of samples (0 or 4), and the only test to run. Exit status 77
 * when the X server knows no configuration with so many samples: GLX offers none that the server
 * does not know. Not here: what is drawn in them (piglit), EGL (egl_pbuffer.c). */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib-xcb.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/glx.h>
#include "check.h"

#define CHECK(condition, ...) CHECK_OR(failures++, condition, __VA_ARGS__)

enum { RED = 0xff0000, GREEN = 0x00ff00, BLUE = 0x0000ff, YELLOW = 0xffff00, CYAN = 0x00ffff };
enum { WHITE = 0xffffff, BLACK = 0 };
enum { SIZE = 64 };

static int failures, samples;
static Display *dpy;
static GLXFBConfig config;
static XVisualInfo *visual;
static GLXContext context;

/* --- helpers --- */

static void
paint(unsigned color)
{
   glClearColor((color >> 16 & 255) / 255.0f, (color >> 8 & 255) / 255.0f, (color & 255) / 255.0f,
                1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void
paint_part(unsigned color, int x, int y, int w, int h)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(x, y, w, h);
   paint(color);
   glDisable(GL_SCISSOR_TEST);
}

/* A triangle over the lower left half of the viewport, so that a draw and not only clears is seen.
 */
static void
draw_half(unsigned color)
{
   glColor3ub(color >> 16 & 255, color >> 8 & 255, color & 255);
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(-1, 1);
   glEnd();
}

/* What OpenGL reads; y counts from below. */
static void
expect_gl(int line, const char *what, int x, int y, unsigned want)
{
   unsigned char p[4] = {0};
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   unsigned got = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
   CHECK(got == want, "line %d: %s: OpenGL reads %06x at (%d, %d), not %06x", line, what, got, x, y,
         want);
}

/* What the X server has; y counts from above. */
static void
expect_x(int line, const char *what, Drawable drawable, int x, int y, unsigned want)
{
   XImage *image = XGetImage(dpy, drawable, x, y, 1, 1, AllPlanes, ZPixmap);
   unsigned got = image ? (unsigned)XGetPixel(image, 0, 0) & 0xffffff : 0x1000000;
   CHECK(got == want, "line %d: %s: X has %06x at (%d, %d), not %06x", line, what, got, x, y, want);
   if (image)
      XDestroyImage(image);
}
#define EXPECT_GL(what, x, y, want) expect_gl(__LINE__, what, x, y, want)
#define EXPECT_X(what, drawable, x, y, want) expect_x(__LINE__, what, drawable, x, y, want)

static Window
create_window(int x, int y, int size)
{
   const unsigned long mask =
       CWBackPixel | CWBorderPixel | CWColormap | CWEventMask | CWOverrideRedirect;
   XSetWindowAttributes attributes = {.background_pixel = 0,
                                      .border_pixel = 0,
                                      .event_mask = StructureNotifyMask,
                                      .override_redirect = True};
   attributes.colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), visual->visual, AllocNone);
   Window window = XCreateWindow(dpy, DefaultRootWindow(dpy), x, y, size, size, 0, visual->depth,
                                 InputOutput, visual->visual, mask, &attributes);
   XMapWindow(dpy, window);
   XEvent event;
   do
      XWindowEvent(dpy, window, StructureNotifyMask, &event);
   while (event.type != MapNotify);
   return window;
}

/* Asks the X server itself for its configurations, past libGL. */
static bool
server_has_samples(void)
{
   xcb_connection_t *c = XGetXCBConnection(dpy);
   xcb_glx_get_fb_configs_reply_t *reply = xcb_glx_get_fb_configs_reply(
       c, xcb_glx_get_fb_configs(c, (uint32_t)DefaultScreen(dpy)), NULL);
   bool found = false;
   if (!reply) {
      fprintf(stderr, "the X server does not tell its configurations\n");
      exit(1);
   }
   const uint32_t *property = xcb_glx_get_fb_configs_property_list(reply);
   for (uint32_t i = 0; i < reply->num_FB_configs * reply->num_properties; i++, property += 2)
      found |= property[0] == GLX_SAMPLES && property[1] >= (uint32_t)samples;
   free(reply);
   return found;
}

/* Sets dpy, config and visual. */
static void
open_connection(void)
{
   const int attributes[] = {GLX_DRAWABLE_TYPE,
                             GLX_WINDOW_BIT | GLX_PIXMAP_BIT | GLX_PBUFFER_BIT,
                             GLX_RED_SIZE,
                             8,
                             GLX_GREEN_SIZE,
                             8,
                             GLX_BLUE_SIZE,
                             8,
                             GLX_DEPTH_SIZE,
                             24,
                             GLX_DOUBLEBUFFER,
                             True,
                             GLX_SAMPLES,
                             samples,
                             None};
   int count = 0;
   dpy = XOpenDisplay(NULL);
   if (!dpy) {
      fprintf(stderr, "no display\n");
      exit(1);
   }
   GLXFBConfig *configs = glXChooseFBConfig(dpy, DefaultScreen(dpy), attributes, &count);
   if (!count && samples && !server_has_samples()) {
      fprintf(stderr, "the X server knows no configuration with %d samples\n", samples);
      exit(77);
   }
   if (!count) {
      fprintf(stderr, "no configuration for windows, pixmaps and pbuffers\n");
      exit(1);
   }
   config = configs[0];
   XFree(configs);
   visual = glXGetVisualFromFBConfig(dpy, config);
   if (!visual) {
      fprintf(stderr, "no visual\n");
      exit(1);
   }
}

static void
set_up(void)
{
   open_connection();
   context = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);
   if (!context) {
      fprintf(stderr, "no context\n");
      exit(1);
   }
}

/* --- tests --- */

/* One context draws in two windows by turns, also without showing them in between, and shows the
 * one not current. */
static void
two_windows(void)
{
   Window a = create_window(0, 0, SIZE), b = create_window(100, 0, SIZE);
   glXMakeCurrent(dpy, a, context);
   paint(RED);
   glXMakeCurrent(dpy, b, context);
   paint(GREEN);
   glXMakeCurrent(dpy, a, context);
   EXPECT_GL("first window, again current", 60, 60, RED);
   draw_half(BLUE);
   glXMakeCurrent(dpy, b, context);
   EXPECT_GL("second window, again current", 2, 2, GREEN);
   glXSwapBuffers(dpy, a);
   glXSwapBuffers(dpy, b);
   EXPECT_X("first window", a, 60, 3, RED);
   EXPECT_X("first window", a, 3, 60, BLUE);
   EXPECT_X("second window", b, 3, 60, GREEN);
   for (int frame = 0; frame < 3; frame++) {
      static const unsigned colors[2][3] = {{CYAN, RED, WHITE}, {YELLOW, BLUE, GREEN}};
      for (int i = 0; i < 2; i++) {
         glXMakeCurrent(dpy, i ? b : a, context);
         paint(colors[i][frame]);
         glXSwapBuffers(dpy, i ? b : a);
      }
      EXPECT_X("first window, frames", a, 30, 30, colors[0][frame]);
      EXPECT_X("second window, frames", b, 30, 30, colors[1][frame]);
   }
   XDestroyWindow(dpy, a);
   XDestroyWindow(dpy, b);
}

/* Two contexts share textures and display lists; what one changes the other sees. */
static void
two_contexts(void)
{
   Window a = create_window(0, 0, SIZE), b = create_window(100, 0, SIZE);
   GLXContext other = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, context, True);
   static const unsigned char texels[2][4] = {{255, 255, 0, 255}, {0, 255, 255, 255}};
   glXMakeCurrent(dpy, a, context);
   GLuint texture, list = glGenLists(1);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glNewList(list, GL_COMPILE);
   draw_half(WHITE);
   glEndList();
   for (int i = 0; i < 2; i++) {
      const unsigned want = i ? CYAN : YELLOW;
      glXMakeCurrent(dpy, a, context);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels[i]);
      paint(RED);
      glXMakeCurrent(dpy, b, other);
      glBindTexture(GL_TEXTURE_2D, texture);
      glEnable(GL_TEXTURE_2D);
      paint(BLUE);
      glCallList(list);
      EXPECT_GL("shared texture and list", 3, 3, want);
      EXPECT_GL("beside the triangle", 60, 60, BLUE);
      glXSwapBuffers(dpy, b);
      glXMakeCurrent(dpy, a, context);
      EXPECT_GL("first context", 3, 3, RED);
      glXSwapBuffers(dpy, a);
      EXPECT_X("first context", a, 3, 60, RED);
      EXPECT_X("second context", b, 3, 60, want);
   }
   glDeleteTextures(1, &texture);
   glDeleteLists(list, 1);
   glXDestroyContext(dpy, other);
   XDestroyWindow(dpy, a);
   XDestroyWindow(dpy, b);
}

static void
resize_window(Window window, int width, int height)
{
   XEvent event;
   XResizeWindow(dpy, window, width, height);
   do
      XWindowEvent(dpy, window, StructureNotifyMask, &event);
   while (event.type != ConfigureNotify);
}

/* The window changes its size between frames: the buffers follow. */
static void
resize(void)
{
   static const int sizes[][2] = {{200, 50}, {17, 300}, {1, 1}, {333, 222}, {64, 64}};
   Window window = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, window, context);
   paint(RED);
   glXSwapBuffers(dpy, window);
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      const int w = sizes[i][0], h = sizes[i][1];
      paint(YELLOW); /* drawn at the old size */
      resize_window(window, w, h);
      glXSwapBuffers(dpy, window);
      glViewport(0, 0, w, h);
      paint(GREEN);
      paint_part(BLUE, w - 1, h - 1, 1, 1);
      EXPECT_GL("resized, far corner", w - 1, h - 1, BLUE);
      if (w > 1)
         EXPECT_GL("resized, near corner", 0, 0, GREEN);
      glXSwapBuffers(dpy, window);
      EXPECT_X("resized, far corner", window, w - 1, 0, BLUE);
      if (w > 1)
         EXPECT_X("resized, near corner", window, 0, h - 1, GREEN);
   }
   /* The front buffer of the old size is read when the window is larger already; X has cleared it.
    */
   glReadBuffer(GL_FRONT);
   EXPECT_GL("front before it grows", 5, 5, GREEN);
   resize_window(window, 500, 900);
   if (!samples)
      EXPECT_GL("front after it grew", 5, 5, BLACK);
   glReadBuffer(GL_BACK);
   XDestroyWindow(dpy, window);
}

/* The front buffer is the window: OpenGL's drawing is seen in it, and OpenGL sees what is in it. */
static void
front_buffer(void)
{
   Window window = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, window, context);
   glViewport(0, 0, SIZE, SIZE);
   paint(RED);
   glXSwapBuffers(dpy, window);
   paint(GREEN);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("front after a swap", 5, 5, RED);
   glReadBuffer(GL_BACK);
   EXPECT_GL("back", 5, 5, GREEN);

   glDrawBuffer(GL_FRONT);
   draw_half(BLUE);
   glFlush();
   EXPECT_X("drawn to the front", window, 3, 60, BLUE);
   EXPECT_X("beside the triangle", window, 60, 3, RED);

   glReadBuffer(GL_BACK);
   glRasterPos2f(0, 0);
   glCopyPixels(0, 0, 4, 4, GL_COLOR); /* from the corner of the back to the middle of the front */
   glFinish();
   EXPECT_X("copied from the back", window, SIZE / 2 + 2, SIZE / 2 - 2, GREEN);

   glDrawBuffer(GL_BACK);
   glReadBuffer(GL_FRONT);
   glCopyPixels(0, 0, 4, 4, GL_COLOR);
   glReadBuffer(GL_BACK);
   EXPECT_GL("copied from the front", SIZE / 2 + 2, SIZE / 2 + 2, BLUE);

   /* A front buffer that is there already follows the next swap. */
   paint(CYAN);
   glXSwapBuffers(dpy, window);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("front after another swap", 5, 5, CYAN);

   glReadBuffer(GL_BACK);
   XDestroyWindow(dpy, window);
}

/* Other clients draw in the window too. A multisampled front has samples of its own, of which X
 * knows nothing. */
static void
front_and_x(void)
{
   if (samples)
      return;
   Window window = create_window(0, 0, SIZE);
   GC gc = XCreateGC(dpy, window, 0, NULL);
   glXMakeCurrent(dpy, window, context);
   paint(RED);
   glXSwapBuffers(dpy, window);
   XSetForeground(dpy, gc, CYAN);
   XFillRectangle(dpy, window, gc, 0, 0, SIZE, SIZE);
   glXWaitX();
   glReadBuffer(GL_FRONT);
   EXPECT_GL("drawn by X", 5, 5, CYAN);
   glDrawBuffer(GL_FRONT);
   paint_part(WHITE, 0, 0, 8, 8);
   glXWaitGL();
   EXPECT_X("drawn over X", window, 3, 60, WHITE);
   EXPECT_X("X beside it", window, 60, 60, CYAN);
   XSetForeground(dpy, gc, YELLOW);
   XFillRectangle(dpy, window, gc, 32, 32, 32, 32);
   glXWaitX();
   paint_part(RED, 0, 0, 8, 8);
   glXWaitGL();
   EXPECT_X("drawn over X, again", window, 3, 60, RED);
   EXPECT_X("X, again", window, 60, 60, YELLOW);

   XSetForeground(dpy, gc, WHITE);
   XFillRectangle(dpy, window, gc, 0, 0, SIZE, SIZE);
   glXWaitX();
   glReadBuffer(GL_BACK);
   glDrawBuffer(GL_BACK);
   paint(BLUE);
   glDrawBuffer(GL_FRONT);
   glRasterPos2f(-1, -1);
   glCopyPixels(0, 0, 8, 8, GL_COLOR);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("copied over X", 4, 4, BLUE);
   EXPECT_GL("X beside the copy", 12, 4, WHITE);
   glXWaitGL();
   EXPECT_X("copied over X", window, 4, 60, BLUE);
   EXPECT_X("X beside the copy", window, 12, 60, WHITE);
   glDrawBuffer(GL_BACK);
   glReadBuffer(GL_BACK);
   XFreeGC(dpy, gc);
   XDestroyWindow(dpy, window);
}

/* What other clients drew does not matter to a clear of all. windows.sh counts what is read of the
 * window for it: nothing. */
static void
front_cleared(void)
{
   Window window = create_window(0, 0, SIZE);
   GC gc = XCreateGC(dpy, window, 0, NULL);
   glXMakeCurrent(dpy, window, context);
   glViewport(0, 0, SIZE, SIZE);
   glDrawBuffer(GL_FRONT);
   for (int i = 0; i < 10; i++) {
      const unsigned color = i % 2 ? GREEN : BLUE;
      XSetForeground(dpy, gc, i % 3 ? CYAN : WHITE);
      XFillRectangle(dpy, window, gc, 0, 0, SIZE, SIZE);
      glXWaitX();
      paint(color);
      draw_half(RED);
      glXWaitGL();
      EXPECT_X("cleared", window, 60, 3, color);
      EXPECT_X("drawn after the clear", window, 3, 60, RED);
   }
   glDrawBuffer(GL_BACK);
   XFreeGC(dpy, gc);
   XDestroyWindow(dpy, window);
}

/* A window of which a part or nothing is on the screen has a front buffer too. */
static void
hidden_window(void)
{
   Window window = create_window(-16, -16, SIZE);
   glXMakeCurrent(dpy, window, context);
   paint(RED);
   glXSwapBuffers(dpy, window);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("on the screen", 40, 20, RED);
   glDrawBuffer(GL_FRONT);
   paint_part(GREEN, 32, 0, 32, 16);
   EXPECT_GL("drawn", 40, 4, GREEN);
   glFlush();
   XMoveWindow(dpy, window, 0, 0);
   EXPECT_X("drawn and moved", window, 40, 60, GREEN);
   XMoveWindow(dpy, window, -1000, 0);
   XSync(dpy, False);
   paint_part(BLUE, 0, 0, 8, 8);
   EXPECT_GL("off the screen", 4, 4, BLUE);
   XUnmapWindow(dpy, window);
   XSync(dpy, False);
   paint_part(WHITE, 0, 0, 8, 8);
   EXPECT_GL("not mapped", 4, 4, WHITE);
   glFinish();
   glDrawBuffer(GL_BACK);
   glReadBuffer(GL_BACK);
   XDestroyWindow(dpy, window);
}

/* glXCopySubBufferMESA shows a part of the back buffer and nothing beside it. */
static void
copy_sub_buffer(void)
{
   void (*copy)(Display *, GLXDrawable, int, int, int, int) =
       (void (*)(Display *, GLXDrawable, int, int, int, int))glXGetProcAddress(
           (const GLubyte *)"glXCopySubBufferMESA");
   Window window = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, window, context);
   paint(RED);
   glXSwapBuffers(dpy, window);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("front before the copy", 10, 6, RED);
   paint(GREEN);
   copy(dpy, window, 8, 4, 16, 8);
   EXPECT_X("in the part", window, 8, SIZE - 5, GREEN);
   EXPECT_X("in the part", window, 23, SIZE - 12, GREEN);
   EXPECT_X("left of it", window, 7, SIZE - 5, RED);
   EXPECT_X("right of it", window, 24, SIZE - 5, RED);
   EXPECT_X("below it", window, 8, SIZE - 4, RED);
   EXPECT_X("above it", window, 8, SIZE - 13, RED);
   paint(BLUE);
   copy(dpy, window, -100, -100, 102, 102);
   copy(dpy, window, SIZE - 2, SIZE - 2, 0x7fffffff, 0x7fffffff);
   copy(dpy, window, SIZE, 0, 1, 1);
   copy(dpy, window, 20, 20, 0, 5);
   EXPECT_X("partly outside", window, 1, SIZE - 2, BLUE);
   EXPECT_X("beside it", window, 2, SIZE - 3, RED);
   EXPECT_X("partly outside above", window, SIZE - 1, 0, BLUE);
   EXPECT_X("beside it", window, SIZE - 3, 2, RED);
   EXPECT_X("nothing", window, 20, SIZE - 21, RED);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("front", 10, 6, GREEN);
   EXPECT_GL("front", 40, 40, RED);
   glReadBuffer(GL_BACK);
   EXPECT_GL("back", 40, 40, BLUE);
   XDestroyWindow(dpy, window);
}

/* A pixmap is shared with X: each sees what the other has drawn. */
static void
pixmap(void)
{
   Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), SIZE, SIZE, visual->depth);
   GC gc = XCreateGC(dpy, pixmap, 0, NULL);
   GLXPixmap glx = glXCreatePixmap(dpy, config, pixmap, NULL);
   XSetForeground(dpy, gc, YELLOW);
   XFillRectangle(dpy, pixmap, gc, 0, 0, SIZE, SIZE);
   XSync(dpy, False);
   glXMakeCurrent(dpy, glx, context);
   glViewport(0, 0, SIZE, SIZE);
   glDrawBuffer(GL_FRONT);
   glReadBuffer(GL_FRONT);
   EXPECT_GL("drawn by X", 5, 5, YELLOW);
   draw_half(RED);
   glXWaitGL();
   EXPECT_X("drawn by OpenGL", pixmap, 3, 60, RED);
   EXPECT_X("beside the triangle", pixmap, 60, 3, YELLOW);
   if (!samples) {
      XSetForeground(dpy, gc, CYAN);
      XFillRectangle(dpy, pixmap, gc, 0, 32, 32, 32);
      glXWaitX();
      EXPECT_GL("drawn by X, again", 5, 5, CYAN);
      paint_part(GREEN, 60, 60, 4, 4);
      glXWaitGL();
      EXPECT_X("drawn by OpenGL, again", pixmap, 62, 1, GREEN);
      EXPECT_X("drawn by X, again", pixmap, 5, 60, CYAN);
   }
   glDrawBuffer(GL_BACK);
   glReadBuffer(GL_BACK);
   glXMakeCurrent(dpy, None, NULL);
   glXDestroyPixmap(dpy, glx);
   XFreeGC(dpy, gc);
   XFreePixmap(dpy, pixmap);
}

/* A pbuffer keeps its pixels while windows are drawn, and is copied into one. */
static void
pbuffer(void)
{
   static const int attributes[] = {
       GLX_PBUFFER_WIDTH, SIZE, GLX_PBUFFER_HEIGHT, SIZE, GLX_PRESERVED_CONTENTS, True, None};
   GLXPbuffer buffer = glXCreatePbuffer(dpy, config, attributes);
   Window window = create_window(0, 0, SIZE);
   unsigned width = 0;
   glXQueryDrawable(dpy, buffer, GLX_WIDTH, &width);
   CHECK(width == SIZE, "the pbuffer is %u wide", width);
   glXMakeCurrent(dpy, buffer, context);
   glViewport(0, 0, SIZE, SIZE);
   paint(CYAN);
   draw_half(RED);
   glXMakeCurrent(dpy, window, context);
   paint(BLUE);
   glXMakeCurrent(dpy, buffer, context);
   EXPECT_GL("pbuffer", 3, 3, RED);
   EXPECT_GL("pbuffer", 60, 60, CYAN);
   CHECK(glXMakeContextCurrent(dpy, window, buffer, context), "window and pbuffer together");
   EXPECT_GL("read drawable", 3, 3, RED);
   glRasterPos2f(-1, -1);
   glCopyPixels(0, 0, 32, SIZE, GL_COLOR);
   glXSwapBuffers(dpy, window);
   EXPECT_X("copied", window, 3, 60, RED);
   EXPECT_X("copied", window, 30, 3, CYAN);
   EXPECT_X("beside it", window, 40, 3, BLUE);
   glXMakeCurrent(dpy, None, NULL);
   glXDestroyPbuffer(dpy, buffer);
   XDestroyWindow(dpy, window);
}

/* A window is destroyed while it is current and has something left to show. */
static void
destroyed_window(void)
{
   Window window = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, window, context);
   glDrawBuffer(GL_FRONT);
   paint(RED);
   XDestroyWindow(dpy, window);
   XSync(dpy, False);
   glFinish();
   paint(GREEN);
   glXMakeCurrent(dpy, None, NULL);
   window = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, window, context);
   glDrawBuffer(GL_BACK);
   paint(BLUE);
   glXSwapBuffers(dpy, window);
   EXPECT_X("the next window", window, 5, 5, BLUE);
   XDestroyWindow(dpy, window);
}

/* A square with the bound texture over all of the window, or with the colour without one. */
static void
draw_textured(void)
{
   glBegin(GL_QUADS);
   for (int i = 0; i < 4; i++) {
      glTexCoord2f(0.5f, 0.5f);
      glVertex2f(i == 1 || i == 2 ? 1 : -1, i < 2 ? -1 : 1);
   }
   glEnd();
}

static void
texture_color(unsigned color)
{
   const GLubyte texel[] = {color >> 16 & 255, color >> 8 & 255, color & 255, 255};
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
}

/* Contexts of two connections to the X server share a texture, which both change; then the one is
 * closed that made it. */
static void
two_connections(void)
{
   Display *const first_dpy = dpy;
   XVisualInfo *const first_visual = visual;
   GLuint texture;
   Window first = create_window(0, 0, SIZE);
   glXMakeCurrent(dpy, first, context);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   texture_color(GREEN);
   glFinish();

   open_connection();
   Window second = create_window(SIZE, 0, SIZE);
   GLXContext other = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, context, True);
   CHECK(other && glXMakeCurrent(dpy, second, other), "no context of a second connection");
   glEnable(GL_TEXTURE_2D);
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   glBindTexture(GL_TEXTURE_2D, texture);
   draw_textured();
   EXPECT_GL("the texture of the first", 20, 20, GREEN);
   glXSwapBuffers(dpy, second);
   EXPECT_X("the second window", second, 20, 20, GREEN);
   texture_color(RED);
   glFinish();

   glXMakeCurrent(first_dpy, first, context);
   glEnable(GL_TEXTURE_2D);
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   glBindTexture(GL_TEXTURE_2D, texture);
   draw_textured();
   EXPECT_GL("the second's change", 20, 20, RED);
   glDisable(GL_TEXTURE_2D);
   glXMakeCurrent(first_dpy, None, NULL);
   glXDestroyContext(first_dpy, context);
   XDestroyWindow(first_dpy, first);
   XFree(first_visual);
   XCloseDisplay(first_dpy);

   glXMakeCurrent(dpy, second, other);
   paint(BLUE);
   draw_textured();
   EXPECT_GL("the texture of a closed connection", 20, 20, RED);
   glDisable(GL_TEXTURE_2D);
   glDeleteTextures(1, &texture);
   XDestroyWindow(dpy, second);
   context = other;
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } tests[] = {
       {"two_windows", two_windows},
       {"two_contexts", two_contexts},
       {"resize", resize},
       {"front_buffer", front_buffer},
       {"front_and_x", front_and_x},
       {"front_cleared", front_cleared},
       {"hidden_window", hidden_window},
       {"copy_sub_buffer", copy_sub_buffer},
       {"pixmap", pixmap},
       {"pbuffer", pbuffer},
       {"destroyed_window", destroyed_window},
       {"two_connections", two_connections},
   };
   samples = argc > 1 ? atoi(argv[1]) : 0;
   set_up();
   for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
      if (argc > 2 && strcmp(argv[2], tests[i].name))
         continue;
      tests[i].run();
      glXMakeCurrent(dpy, None, NULL);
   }
   glXDestroyContext(dpy, context);
   XCloseDisplay(dpy);
   return failures != 0;
}
