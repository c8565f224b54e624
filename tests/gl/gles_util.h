/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the OpenGL ES 2.0 test programs share: a program that draws in one colour, and the check of
 * a pixel. */
#ifndef GLES_UTIL_H
#define GLES_UTIL_H

#include <GLES2/gl2.h>
#include "egl_util.h"

static inline GLuint
util_shader(GLenum kind, const char *source)
{
   GLuint shader = glCreateShader(kind);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   return shader;
}

/* A program of both sources whose attribute "position" is 0. */
static inline GLuint
util_program_from(const char *vertex, const char *fragment)
{
   GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, vertex));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, fragment));
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   GLint linked = 0;
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   CHECK(linked, "the program does not link");
   return program;
}

/* A program with attribute 0 "position" and this fragment shader. */
static inline GLuint
util_program_of(const char *fragment)
{
   return util_program_from("attribute vec4 position; void main() { gl_Position = position; }",
                            fragment);
}

/* The same with uniform "color". */
static inline GLuint
util_program(void)
{
   return util_program_of("precision mediump float; uniform vec4 color;"
                          "void main() { gl_FragColor = color; }");
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
