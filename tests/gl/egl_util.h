/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the test programs that need no X server share: a surfaceless display, contexts with a
 * pbuffer. */
#ifndef EGL_UTIL_H
#define EGL_UTIL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define CHECK(condition, ...) CHECK_OR(exit(1), condition, __VA_ARGS__)

/* api: EGL_OPENGL_API or EGL_OPENGL_ES_API, of all that follows. */
static inline EGLDisplay
util_display(EGLenum api)
{
   EGLDisplay display =
       eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   CHECK(display && eglInitialize(display, NULL, NULL), "no surfaceless EGL display");
   CHECK(eglBindAPI(api), "the API is not there");
   return display;
}

static inline EGLConfig
util_config(EGLDisplay display)
{
   const EGLint bit = eglQueryAPI() == EGL_OPENGL_API ? EGL_OPENGL_BIT : EGL_OPENGL_ES2_BIT;
   const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                EGL_PBUFFER_BIT,
                                EGL_RENDERABLE_TYPE,
                                bit,
                                EGL_RED_SIZE,
                                8,
                                EGL_GREEN_SIZE,
                                8,
                                EGL_BLUE_SIZE,
                                8,
                                EGL_DEPTH_SIZE,
                                24,
                                EGL_NONE};
   EGLConfig config;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count == 1,
         "no pbuffer configuration");
   return config;
}

static inline EGLSurface
util_make_current(EGLDisplay display, EGLConfig config, EGLint size, EGLContext share,
                  EGLContext *context)
{
   static const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
   const EGLint surface_size[] = {EGL_WIDTH, size, EGL_HEIGHT, size, EGL_NONE};
   *context =
       eglCreateContext(display, config, share, eglQueryAPI() == EGL_OPENGL_API ? NULL : es2);
   EGLSurface surface = eglCreatePbufferSurface(display, config, surface_size);
   CHECK(*context && surface && eglMakeCurrent(display, surface, surface, *context),
         "cannot make a context current");
   return surface;
}

#endif
