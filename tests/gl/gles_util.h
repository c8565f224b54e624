/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the OpenGL ES 2.0 test programs share: a program that draws in one colour, and the check of
 * a pixel.
 */
#ifndef GLES_UTIL_H
#define GLES_UTIL_H

#include <GLES2/gl2.h>
#include "egl_util.h"

/* A program with attribute 0 "position" and uniform "color". */
static inline GLuint
util_program(void)
{
   static const char *const vertex =
       "attribute vec4 position; void main() { gl_Position = position; }";
   static const char *const fragment =
       "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }";
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
   CHECK(p[0] == r && p[1] == g && p[2] == b, "pixel (%d, %d) is %u %u %u, not %u %u %u", x, y,
         p[0], p[1], p[2], r, g, b);
}

#endif
