/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * libattila-hook.so, for LD_PRELOAD: makes an OpenGL program repeatable and shows what it drew,
 * whatever driver it runs on. This file counts frames at every swap of GLX and EGL and can save the
 * back buffer before it (read with glReadPixels) as PNG. Not here: clock and random numbers
 * (app_hook_clock.c), queries (app_hook_query.c), anything about the simulator; it works on
 * softpipe and on real hardware too.
 *
 *   ATTILA_HOOK_DIR     write frame-0000.png ... there
 *   ATTILA_HOOK_FRAMES  how many frames to save (default: all) */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_hook.h"
#include "png_out.h"

typedef void (*any_fn)(void);
typedef void *(*dlsym_fn)(void *, const char *);

unsigned hook_frame;

static dlsym_fn
app_hook_real_dlsym(void)
{
   static dlsym_fn fn;
   if (!fn)
      fn = (dlsym_fn)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
   if (!fn)
      fn = (dlsym_fn)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
   return fn;
}

void *
hook_next(const char *name)
{
   return app_hook_real_dlsym()(RTLD_NEXT, name);
}

/* The C library's own: apitrace's dlopen finds apitrace again, and through it this library, without
 * end. */
static void *
app_hook_real_dlopen(const char *name, int flags)
{
   typedef void *(*dlopen_fn)(const char *, int);
   static dlopen_fn fn;
   if (!fn)
      fn = (dlopen_fn)dlvsym(RTLD_NEXT, "dlopen", "GLIBC_2.34");
   if (!fn)
      fn = (dlopen_fn)dlvsym(RTLD_NEXT, "dlopen", "GLIBC_2.2.5");
   return fn ? fn(name, flags) : dlopen(name, flags);
}

/* Finds a GL function of the library that the program uses, which may have been opened
 * privately. */
void *
hook_gl(const char *name)
{
   static void *library;
   void *fn = hook_next(name);
   if (fn)
      return fn;
   if (!library)
      library = app_hook_real_dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD);
   if (!library)
      library = app_hook_real_dlopen("libGLESv2.so.2", RTLD_LAZY | RTLD_NOLOAD);
   if (!library)
      library = app_hook_real_dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_NOLOAD);
   return library ? app_hook_real_dlsym()(library, name) : NULL;
}

/* --- frames --- */

enum {
   GL_PACK_ROW_LENGTH = 0x0D02,
   GL_PACK_SKIP_ROWS = 0x0D03,
   GL_PACK_SKIP_PIXELS = 0x0D04,
   GL_PACK_ALIGNMENT = 0x0D05,
   GL_RGBA = 0x1908,
   GL_UNSIGNED_BYTE = 0x1401,
   GL_VERSION = 0x1F02,
   GL_PIXEL_PACK_BUFFER = 0x88EB,
   GL_PIXEL_PACK_BUFFER_BINDING = 0x88ED,
   GL_FRAMEBUFFER_BINDING = 0x8CA6,
   GL_READ_FRAMEBUFFER = 0x8CA8,
   GL_READ_FRAMEBUFFER_BINDING = 0x8CAA,
   GL_FRAMEBUFFER = 0x8D40
};

/* State that the program may have set for glReadPixels, and the values for rows without gaps.
 * OpenGL ES 2.0 has only the first, and like OpenGL before 3.0 may lack framebuffers for
 * reading. */
static const struct {
   unsigned name;
   int value;
} app_hook_pack[] = {
    {GL_PACK_ALIGNMENT, 4},
    {GL_PACK_ROW_LENGTH, 0},
    {GL_PACK_SKIP_ROWS, 0},
    {GL_PACK_SKIP_PIXELS, 0},
};
#define APP_HOOK_PACKS (sizeof(app_hook_pack) / sizeof(app_hook_pack[0]))

/* Reads the window's back buffer, bottom row first, and restores the context's state. Returns false
 * without a context or these functions. */
static bool
app_hook_read(unsigned width, unsigned height, uint8_t *pixels)
{
   const char *(*string)(unsigned) = (const char *(*)(unsigned))hook_gl("glGetString");
   void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *) =
       (void (*)(int, int, int, int, unsigned, unsigned, void *))hook_gl("glReadPixels");
   void (*get)(unsigned, int *) = (void (*)(unsigned, int *))hook_gl("glGetIntegerv");
   void (*set)(unsigned, int) = (void (*)(unsigned, int))hook_gl("glPixelStorei");
   void (*bind)(unsigned, unsigned) = (void (*)(unsigned, unsigned))hook_gl("glBindFramebuffer");
   void (*bind_buffer)(unsigned, unsigned) = (void (*)(unsigned, unsigned))hook_gl("glBindBuffer");
   const char *version = string ? string(GL_VERSION) : NULL;
   if (!version || !read_pixels || !get || !set)
      return false;
   const bool es = !strncmp(version, "OpenGL ES", 9);
   const char *digit = version + strcspn(version, "0123456789");
   const bool newer = *digit >= '3';
   const unsigned packs = newer || !es ? APP_HOOK_PACKS : 1;
   const unsigned target = newer ? GL_READ_FRAMEBUFFER : GL_FRAMEBUFFER;
   int framebuffer = 0, buffer = 0, saved[APP_HOOK_PACKS];
   if (bind)
      get(newer ? GL_READ_FRAMEBUFFER_BINDING : GL_FRAMEBUFFER_BINDING, &framebuffer);
   if (framebuffer)
      bind(target, 0);
   if (newer && bind_buffer)
      get(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
   if (buffer)
      bind_buffer(GL_PIXEL_PACK_BUFFER, 0);
   for (unsigned i = 0; i < packs; i++) {
      get(app_hook_pack[i].name, &saved[i]);
      set(app_hook_pack[i].name, app_hook_pack[i].value);
   }
   read_pixels(0, 0, (int)width, (int)height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < packs; i++)
      set(app_hook_pack[i].name, saved[i]);
   if (buffer)
      bind_buffer(GL_PIXEL_PACK_BUFFER, (unsigned)buffer);
   if (framebuffer)
      bind(target, (unsigned)framebuffer);
   return true;
}

static void
app_hook_save_frame(unsigned width, unsigned height)
{
   const char *dir = getenv("ATTILA_HOOK_DIR"), *frames = getenv("ATTILA_HOOK_FRAMES");
   if (!dir || (frames && hook_frame >= strtoul(frames, NULL, 10)) || !width || !height)
      return;
   uint8_t *pixels = malloc((size_t)width * height * 4);
   if (!pixels)
      return;
   if (app_hook_read(width, height, pixels)) {
      for (size_t i = 0; i < (size_t)width * height; i++)
         pixels[4 * i + 3] = 255; /* a window has no alpha */
      char path[4096];
      snprintf(path, sizeof(path), "%s/frame-%04u.png", dir, hook_frame);
      png_write_bottom_up("attila-hook", path, pixels, width, height);
   } else {
      fprintf(stderr, "attila-hook: no context, or no glReadPixels\n");
   }
   free(pixels);
}

EXPORT void
glXSwapBuffers(void *display, unsigned long drawable)
{
   void (*query)(void *, unsigned long, int, unsigned *) =
       (void (*)(void *, unsigned long, int, unsigned *))hook_gl("glXQueryDrawable");
   void (*swap)(void *, unsigned long) = (void (*)(void *, unsigned long))hook_gl("glXSwapBuffers");
   unsigned width = 0, height = 0;
   if (query) {
      query(display, drawable, 0x801D, &width); /* GLX_WIDTH, GLX_HEIGHT */
      query(display, drawable, 0x801E, &height);
   }
   app_hook_save_frame(width, height);
   if (swap)
      swap(display, drawable);
   hook_frame++;
   hook_clock_frame();
}

EXPORT unsigned
eglSwapBuffers(void *display, void *surface)
{
   static void *library;
   unsigned (*query)(void *, void *, int, int *) =
       (unsigned (*)(void *, void *, int, int *))hook_next("eglQuerySurface");
   unsigned (*swap)(void *, void *) = (unsigned (*)(void *, void *))hook_next("eglSwapBuffers");
   if (!swap) {
      if (!library)
         library = app_hook_real_dlopen("libEGL.so.1", RTLD_LAZY);
      query = (unsigned (*)(void *, void *, int, int *))app_hook_real_dlsym()(library,
                                                                              "eglQuerySurface");
      swap = (unsigned (*)(void *, void *))app_hook_real_dlsym()(library, "eglSwapBuffers");
   }
   int width = 0, height = 0;
   query(display, surface, 0x3057, &width); /* EGL_WIDTH, EGL_HEIGHT */
   query(display, surface, 0x3056, &height);
   app_hook_save_frame((unsigned)width, (unsigned)height);
   unsigned result = swap(display, surface);
   hook_frame++;
   hook_clock_frame();
   return result;
}

/* The damage is a hint: swapping the whole surface shows the same. */
EXPORT unsigned
eglSwapBuffersWithDamageKHR(void *display, void *surface, const int *rectangles, int count)
{
   (void)rectangles, (void)count;
   return eglSwapBuffers(display, surface);
}

EXPORT unsigned
eglSwapBuffersWithDamageEXT(void *display, void *surface, const int *rectangles, int count)
{
   return eglSwapBuffersWithDamageKHR(display, surface, rectangles, count);
}

/* --- All ways to look up a swap function lead here --- */

EXPORT any_fn glXGetProcAddressARB(const unsigned char *name);
EXPORT any_fn eglGetProcAddress(const char *name);

/* Lookups find themselves, too: generated loaders continue with the function that they find. */
static void *
app_hook_ours(const char *name)
{
   static const struct {
      const char *name;
      any_fn fn;
   } all[] = {
       {"glXSwapBuffers", (any_fn)glXSwapBuffers},
       {"glXGetProcAddress", (any_fn)glXGetProcAddressARB},
       {"glXGetProcAddressARB", (any_fn)glXGetProcAddressARB},
       {"eglSwapBuffers", (any_fn)eglSwapBuffers},
       {"eglSwapBuffersWithDamageKHR", (any_fn)eglSwapBuffersWithDamageKHR},
       {"eglSwapBuffersWithDamageEXT", (any_fn)eglSwapBuffersWithDamageEXT},
       {"eglGetProcAddress", (any_fn)eglGetProcAddress},
   };
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
      if (!strcmp(name, all[i].name))
         return (void *)all[i].fn;
   }
   return hook_query_function(name);
}

EXPORT any_fn
glXGetProcAddressARB(const unsigned char *name)
{
   any_fn (*real)(const unsigned char *) =
       (any_fn(*)(const unsigned char *))hook_gl("glXGetProcAddressARB");
   void *fn = app_hook_ours((const char *)name);
   return fn ? (any_fn)fn : real ? real(name) : NULL;
}

EXPORT any_fn
glXGetProcAddress(const unsigned char *name)
{
   return glXGetProcAddressARB(name);
}

EXPORT any_fn
eglGetProcAddress(const char *name)
{
   any_fn (*real)(const char *) = (any_fn(*)(const char *))hook_next("eglGetProcAddress");
   if (!real) {
      void *library = app_hook_real_dlopen("libEGL.so.1", RTLD_LAZY);
      real = (any_fn(*)(const char *))app_hook_real_dlsym()(library, "eglGetProcAddress");
   }
   void *fn = app_hook_ours(name);
   return fn ? (any_fn)fn : real ? real(name) : NULL;
}

static bool
app_hook_is_tracer(const char *path)
{
   return path && (strstr(path, "glxtrace.so") || strstr(path, "egltrace.so"));
}

/* apitrace's library precedes this one: the program calls apitrace's function, and only apitrace's
 * lookups lead here. */
static bool
app_hook_passes_by(void *caller)
{
   static int traced = -1;
   Dl_info info;
   if (traced < 0)
      traced = app_hook_is_tracer(getenv("LD_PRELOAD"));
   return traced && !(dladdr(caller, &info) && app_hook_is_tracer(info.dli_fname));
}

EXPORT void *
dlsym(void *handle, const char *name)
{
   void *fn = handle != RTLD_NEXT ? app_hook_ours(name) : NULL;
   if (fn && app_hook_passes_by(__builtin_return_address(0)))
      fn = NULL;
   return fn ? fn : app_hook_real_dlsym()(handle, name);
}
