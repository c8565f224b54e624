/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the OpenGL test programs with shaders share: a program of two sources, and the check that a
 * picture is green. Not here: OpenGL ES (gles_util.h). */
#ifndef GL_UTIL_H
#define GL_UTIL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

/* header: "#version 130\n" and what else comes before the source. Ends the test if the shader does
 * not compile. */
static inline GLuint
util_shader(GLenum kind, const char *header, const char *source)
{
   const char *const text[] = {header, source};
   char log[1024] = "";
   GLint ok;
   const GLuint name = glCreateShader(kind);
   glShaderSource(name, 2, text, NULL);
   glCompileShader(name);
   glGetShaderiv(name, GL_COMPILE_STATUS, &ok);
   glGetShaderInfoLog(name, sizeof(log), NULL, log);
   CHECK(ok, "%s%s\n%s", header, source, log);
   return name;
}

/* Links and uses a program whose attributes p and v, if it has them, are 0 and 1. */
static inline void
util_link(GLuint program)
{
   char log[1024] = "";
   GLint ok;
   glBindAttribLocation(program, 0, "p");
   glBindAttribLocation(program, 1, "v");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   CHECK(ok, "the program does not link: %s", log);
   glUseProgram(program);
}

/* A program of both sources, each behind the header, linked and in use. */
static inline GLuint
util_program(const char *header, const char *vertex, const char *fragment)
{
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, header, vertex));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, header, fragment));
   util_link(program);
   return program;
}

struct util_limit {
   GLenum name;
   GLint least;
};
/* Ends the test if a limit is less than it must be. */
static inline void
util_limits(const struct util_limit *limits, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      GLint value = 0;
      glGetIntegerv(limits[i].name, &value);
      CHECK(value >= limits[i].least, "limit 0x%x is %d", limits[i].name, value);
   }
}

/* Draws go to a new image of size * size vectors of 32-bit integers. Returns its framebuffer. */
static inline GLuint
util_draw_to_integers(GLsizei size)
{
   GLuint image, framebuffer;
   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, size, size, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
   glViewport(0, 0, size, size);
   return framebuffer;
}

/* How many pixels of the lower left size * size are not green. */
static inline unsigned
util_not_green(GLsizei size)
{
   GLubyte pixel[64 * 64][4];
   unsigned wrong = 0;
   CHECK(size <= 64, "%d pixels a side", size);
   glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (GLsizei i = 0; i < size * size; i++)
      wrong += pixel[i][0] != 0 || pixel[i][1] != 255 || pixel[i][2] != 0;
   return wrong;
}

#endif
