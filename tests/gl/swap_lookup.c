/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Swaps the buffers of a window once through every way in which programs look up glXSwapBuffers,
 * and prints how often that was. The script beside it counts the frames that attila-run --grab
 * saw. */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <dlfcn.h>
#include <stdlib.h>
#include "check.h"

#define CHECK(condition, ...) CHECK_OR(exit(1), condition, __VA_ARGS__)

typedef void (*function)(void);
typedef function (*lookup)(const unsigned char *);
typedef void (*swap)(Display *, GLXDrawable);

#define NAME(name) ((const unsigned char *)(name))

int
main(void)
{
   const int attributes[] = {GLX_DRAWABLE_TYPE, GLX_WINDOW_BIT, GLX_DOUBLEBUFFER, True, None};
   int count = 0;
   Display *dpy = XOpenDisplay(NULL);
   CHECK(dpy, "no display");
   GLXFBConfig *configs = glXChooseFBConfig(dpy, DefaultScreen(dpy), attributes, &count);
   CHECK(count, "no configuration");
   XVisualInfo *visual = glXGetVisualFromFBConfig(dpy, configs[0]);
   CHECK(visual, "no visual");
   XSetWindowAttributes window_attributes = {
       .colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), visual->visual, AllocNone)};
   Window window = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, 16, 16, 0, visual->depth,
                                 InputOutput, visual->visual, CWColormap, &window_attributes);
   XMapWindow(dpy, window);
   GLXContext context = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
   CHECK(context && glXMakeCurrent(dpy, window, context), "no context");

   void *library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
   CHECK(library, "no libGL.so.1");
   lookup from_library = (lookup)dlsym(library, "glXGetProcAddressARB");
   CHECK(from_library, "no glXGetProcAddressARB");
   /* Generated loaders look up the lookup itself, too, and go on with what they find. */
   lookup from_lookup = (lookup)from_library(NAME("glXGetProcAddressARB"));
   lookup plain = (lookup)glXGetProcAddressARB(NAME("glXGetProcAddress"));
   CHECK(from_lookup && plain, "the lookup does not find itself");
   const swap ways[] = {
       glXSwapBuffers,
       (swap)dlsym(library, "glXSwapBuffers"),
       (swap)dlsym(RTLD_DEFAULT, "glXSwapBuffers"),
       (swap)glXGetProcAddress(NAME("glXSwapBuffers")),
       (swap)from_library(NAME("glXSwapBuffers")),
       (swap)from_lookup(NAME("glXSwapBuffers")),
       (swap)plain(NAME("glXSwapBuffers")),
   };
   const unsigned num_ways = sizeof(ways) / sizeof(ways[0]);
   for (unsigned i = 0; i < num_ways; i++) {
      CHECK(ways[i], "way %u finds no glXSwapBuffers", i);
      glClear(GL_COLOR_BUFFER_BIT);
      ways[i](dpy, window);
   }
   glXDestroyContext(dpy, context);
   XCloseDisplay(dpy);
   printf("%u\n", num_ways);
   return 0;
}
