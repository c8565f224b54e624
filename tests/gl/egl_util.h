/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the EGL test programs share: a surfaceless display, ES 2.0 contexts, a program that draws a solid triangle.
 */
#ifndef EGL_UTIL_H
#define EGL_UTIL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define CHECK(condition, ...) CHECK_OR(exit(1), condition, __VA_ARGS__)

static inline EGLDisplay
util_display(void)
{
   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   CHECK(display && eglInitialize(display, NULL, NULL), "no surfaceless EGL display");
   CHECK(eglBindAPI(EGL_OPENGL_ES_API), "no OpenGL ES");
   return display;
}

static inline EGLConfig
util_config(EGLDisplay display)
{
   static const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8,
                                       EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_NONE};
   EGLConfig config;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count == 1, "no pbuffer configuration");
   return config;
}

static inline EGLSurface
util_make_current(EGLDisplay display, EGLConfig config, EGLint size, EGLContext share, EGLContext *context)
{
   static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
   const EGLint surface_size[] = {EGL_WIDTH, size, EGL_HEIGHT, size, EGL_NONE};
   *context = eglCreateContext(display, config, share, version);
   EGLSurface surface = eglCreatePbufferSurface(display, config, surface_size);
   CHECK(*context && surface && eglMakeCurrent(display, surface, surface, *context), "cannot make a context current");
   return surface;
}

/* A program with attribute 0 "position" and uniform "color". */
static inline GLuint
util_program(void)
{
   static const char *const vertex = "attribute vec4 position; void main() { gl_Position = position; }";
   static const char *const fragment = "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }";
   const char *const sources[2] = {vertex, fragment};
   const GLenum kinds[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
   GLuint program = glCreateProgram();
   for (int i = 0; i < 2; i++) {
      GLuint shader = glCreateShader(kinds[i]);
      glShaderSource(shader, 1, &sources[i], NULL);
      glCompileShader(shader);
      glAttachShader(program, shader);
   }
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   GLint linked = 0;
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   CHECK(linked, "the program does not link");
   return program;
}

static inline void
util_expect_pixel(int x, int y, unsigned r, unsigned g, unsigned b)
{
   unsigned char p[4] = {0};
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   CHECK(p[0] == r && p[1] == g && p[2] == b, "pixel (%d, %d) is %u %u %u, not %u %u %u", x, y, p[0], p[1], p[2], r, g, b);
}

#endif
