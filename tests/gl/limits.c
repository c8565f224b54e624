/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every limit that OpenGL 2.1 lets a program ask for is used to the full and checked by what was
 * drawn, and overstepped and checked by the error; then memory is used up, and arguments are
 * hostile. `limits [--small] [GROUP ...]`; limits.sh runs it in both modes. */
#include "limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "egl_util.h"

bool limits_small;
static unsigned num_checks, num_failures;

void
limits_check(bool ok, const char *file, int line, const char *format, ...)
{
   num_checks++;
   if (ok)
      return;
   num_failures++;
   const char *slash = strrchr(file, '/');
   fprintf(stderr, "%s:%d: ", slash ? slash + 1 : file, line);
   va_list args;
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
   fputc('\n', stderr);
}

void
limits_error(GLenum want, GLenum or, const char *file, int line, const char *what)
{
   GLenum error = glGetError();
   limits_check(error == want || error == or, file, line, "%s: error 0x%x, expected 0x%x", what,
                error, want);
   while (glGetError() != GL_NO_ERROR)
      limits_check(false, file, line, "%s: more than one error", what);
}

void
limits_pixel(int x, int y, int r, int g, int b, const char *file, int line, const char *what)
{
   unsigned char p[4] = {0};
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   limits_check(abs(p[0] - r) <= 1 && abs(p[1] - g) <= 1 && abs(p[2] - b) <= 1, file, line,
                "%s: pixel (%d, %d) is %u %u %u, not %d %d %d", what, x, y, p[0], p[1], p[2], r, g,
                b);
   limits_error(GL_NO_ERROR, GL_NO_ERROR, file, line, what);
}

void
limits_quad(void)
{
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   GLint buffer = limits_get(GL_ARRAY_BUFFER_BINDING);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glDisableVertexAttribArray(0);
   glBindBuffer(GL_ARRAY_BUFFER, (GLuint)buffer);
}

void
limits_alive(const char *file, int line, const char *after)
{
   static unsigned shade;
   const int g = (int)(++shade * 37 % 256);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glUseProgram(0);
   glViewport(0, 0, SIZE, SIZE);
   glDisable(GL_SCISSOR_TEST);
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glColor3ub(255, (GLubyte)g, 0);
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(-1, 1);
   glEnd();
   limits_pixel(2, 2, 255, g, 0, file, line, after);
   limits_pixel(SIZE - 3, SIZE - 3, 0, 0, 255, file, line, after);
   glColor4f(1, 1, 1, 1);
}

GLint
limits_get(GLenum name)
{
   GLint value[4] = {0};
   glGetIntegerv(name, value);
   return value[0];
}

static GLuint
compile(GLenum kind, const char *source)
{
   const char *const parts[2] = {"#version 120\n", source};
   GLuint shader = glCreateShader(kind);
   glShaderSource(shader, 2, parts, NULL);
   glCompileShader(shader);
   return shader;
}

GLuint
limits_program(const char *vertex, const char *fragment)
{
   GLuint program = glCreateProgram();
   const char *const sources[2] = {vertex, fragment};
   const GLenum kinds[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
   for (int i = 0; i < 2; i++) {
      if (!sources[i])
         continue;
      GLuint shader = compile(kinds[i], sources[i]);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   GLint linked = 0;
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked) {
      if (getenv("LIMITS_VERBOSE")) {
         char log[400];
         glGetProgramInfoLog(program, sizeof(log), NULL, log);
         fprintf(stderr, "link: %s\n", log);
      }
      glDeleteProgram(program);
      return 0;
   }
   glUseProgram(program);
   return program;
}

void
limits_delete_program(GLuint program)
{
   glUseProgram(0);
   glDeleteProgram(program);
}

GLuint
limits_framebuffer(GLenum target, GLuint texture, GLuint renderbuffer)
{
   GLuint fbo;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   if (texture)
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, texture, 0);
   else
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                renderbuffer);
   return fbo;
}

void
text_add(struct text *text, const char *format, ...)
{
   for (;;) {
      va_list args;
      va_start(args, format);
      int n = vsnprintf(text->data ? text->data + text->size : NULL, text->capacity - text->size,
                        format, args);
      va_end(args);
      if (text->data && text->size + (size_t)n < text->capacity) {
         text->size += (size_t)n;
         return;
      }
      text->capacity = text->capacity * 2 + (size_t)n + 256;
      text->data = realloc(text->data, text->capacity);
      if (!text->data)
         abort();
   }
}

void
text_free(struct text *text)
{
   free(text->data);
   *text = (struct text){0};
}

static void
make_current(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   CHECK(!strncmp((const char *)glGetString(GL_RENDERER), "ATTILA", 6), "renderer is %s",
         (const char *)glGetString(GL_RENDERER));
}

static const struct {
   const char *name;
   void (*run)(void);
} groups[] = {
    {"surfaces", limits_surfaces}, {"shaders", limits_shaders}, {"assembly", limits_assembly},
    {"state", limits_state},       {"robust", limits_robust},   {"memory", limits_memory},
    {"endless", limits_endless},
};

int
main(int argc, char **argv)
{
   int first = 1;
   if (argc > 1 && !strcmp(argv[1], "--small")) {
      limits_small = true;
      first++;
   }
   make_current();
   for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
      bool wanted = first == argc;
      for (int a = first; a < argc; a++)
         wanted |= !strcmp(argv[a], groups[g].name);
      if (!wanted)
         continue;
      const unsigned before = num_checks, failed = num_failures;
      groups[g].run();
      EXPECT_ALIVE(groups[g].name);
      printf("%-10s %u checks, %u failed\n", groups[g].name, num_checks - before,
             num_failures - failed);
      fflush(stdout);
   }
   return num_failures || !num_checks ? 1 : 0;
}
