/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For OpenGL test programs of many small checks, each of which draws its window green when it is
 * right: shaders, corners, contexts of a version. A check that is not right prints a line and the
 * program goes on. Not here: what other programs share (gl_util.h). */
#ifndef GL_GREEN_H
#define GL_GREEN_H

#include <stdbool.h>
#include "gl_util.h"

enum { GREEN_SIZE = 16 /* pixels of the window, each side */ };

/* Whether all checks so far are right: main returns its opposite. */
static bool green_right = true;

#define GREEN_VERTEX "in vec4 p; void main() { gl_Position = p; }"

/* A fragment shader; ok: what must be true of every fragment. */
#define GREEN_FRAGMENT(declarations, statements, ok)                                \
   "out vec4 color; " declarations " void main() { " statements " color = (" ok ")" \
   " ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"

#define GREEN_CHECK(condition, ...) CHECK_OR(green_right = false, condition, __VA_ARGS__)

/* Corners of the window twice, the second time in the reverse order. */
static const GLfloat green_corners[8][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1},
                                            {1, 1},   {-1, 1}, {1, -1}, {-1, -1}};

static inline void
green_expect(const char *what)
{
   const unsigned wrong = util_not_green(GREEN_SIZE);
   GREEN_CHECK(!wrong, "%s: %u of %d pixels are not green", what, wrong, GREEN_SIZE * GREEN_SIZE);
   const GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "%s: error 0x%x", what, error);
}

/* A new buffer, bound to the target. */
static inline GLuint
green_buffer(GLenum target, const void *data, size_t size)
{
   GLuint name;
   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
   return name;
}

/* Attribute 0 comes from the start of the bound buffer. */
static inline void
green_corners_from_buffer(void)
{
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

/* Draws the window. */
static inline void
green_draw(const char *what)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   green_expect(what);
}

/* Makes a context current that was asked for with these attributes (NULL: none), with a window and
 * the corners at attribute 0. */
static inline void
green_context(EGLenum api, const EGLint *attributes)
{
   static const EGLint size[] = {EGL_WIDTH, GREEN_SIZE, EGL_HEIGHT, GREEN_SIZE, EGL_NONE};
   GLuint array;
   EGLDisplay display = util_display(api);
   EGLConfig config = util_config(display);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
   CHECK(context, "no context: EGL error 0x%x", eglGetError());
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   CHECK(surface && eglMakeCurrent(display, surface, surface, context), "EGL error 0x%x",
         eglGetError());
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   green_buffer(GL_ARRAY_BUFFER, green_corners, sizeof(green_corners));
   green_corners_from_buffer();
}

/* "core", "compatibility": a context of OpenGL 3.3; "es": of OpenGL ES 3.0. Returns how its shaders
 * begin. */
static inline const char *
green_context_of(const char *profile)
{
   static const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
   const bool core = !strcmp(profile, "core");
   const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                             3,
                             EGL_CONTEXT_MINOR_VERSION,
                             3,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             core ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
                                  : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                             EGL_NONE};
   if (!strcmp(profile, "es")) {
      green_context(EGL_OPENGL_ES_API, es);
      return "#version 300 es\nprecision highp float; precision highp int;"
             "precision highp usampler2D; precision highp sampler2DArray;"
             "precision highp sampler2DShadow; precision highp sampler2DArrayShadow;"
             "precision highp samplerCubeShadow;\n";
   }
   CHECK(core || !strcmp(profile, "compatibility"), "no profile \"%s\"", profile);
   green_context(EGL_OPENGL_API, desktop);
   GLint mask = 0;
   glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &mask);
   CHECK(mask == (core ? GL_CONTEXT_CORE_PROFILE_BIT : GL_CONTEXT_COMPATIBILITY_PROFILE_BIT),
         "profile 0x%x", mask);
   return core ? "#version 330\n" : "#version 330 compatibility\n";
}

#endif
