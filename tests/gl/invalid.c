/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What patches in subprojects/packagefiles/mesa mend of invalid calls and large shaders, which
 * crashed Mesa, a case each; mesa.sh runs them all. Not here: invalid uploads and read-backs
 * (pixels.c), what Mesa leaves to the driver (limits_robust.c). */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "gl_util.h"

#define SIZE 16 /* of the pbuffer */

static void
begin(void)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
}

/* Clears, so that a draw must make the window green. */
static void
clear(void)
{
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
}

#define EXPECT_GREEN(what) \
   CHECK(!util_not_green(SIZE), "%s: %u pixels are not green", what, util_not_green(SIZE))

/* A program that fails in the last checks of the linker has no uniforms to ask for. */
static void
failed_link(void)
{
   GLfloat value[4] = {7, 7, 7, 7};
   GLint linked = 1;
   begin();
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, "#version 130\n",
                                       "uniform vec4 first, many[65536]; in vec4 p; void main() {"
                                       " gl_Position = first + many[int(p.x)]; }"));
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   CHECK(!linked, "65,536 uniforms are linked");
   for (GLint at = 0; at < 8; at++) {
      glGetUniformfv(program, at, value);
      const GLenum error = glGetError();
      CHECK(error == GL_INVALID_OPERATION && value[0] == 7.0f, "uniform %d: error 0x%x, value %g",
            at, error, (double)value[0]);
   }
}

/* An array in a buffer without data, where one in the program's memory was before: zeros. */
static void
empty_buffer(void)
{
   static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1}, bright[] = {1, 1, 1, 1};
   GLuint buffer;
   begin();
   util_program("#version 130\n",
                "in vec4 p; in float v; out float w; void main() { gl_Position = p; w = v; }",
                "in float w; void main() { gl_FragColor = vec4(1.0 - w, w, 0, 1); }");
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, bright);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   clear();
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   EXPECT_GREEN("an array in memory");
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   CHECK(util_not_green(SIZE) == SIZE * SIZE, "an array without data gives values");
}

/* Members of a block have no location: none that the program guesses is taken for one. */
static void
block_location(void)
{
   begin();
   const GLuint program = util_program(
       "#version 140\n",
       "in vec4 p; uniform vec4 first; uniform Block { vec4 member[4]; mat3 last; };"
       "void main() { gl_Position = first + member[int(p.x)] + vec4(last[int(p.y)], 1); }",
       "void main() { gl_FragColor = vec4(1); }");
   const GLint first = glGetUniformLocation(program, "first");
   for (GLint at = 0; at < 16; at++) {
      GLfloat value[16] = {7, 7, 7, 7};
      if (at == first)
         continue;
      glGetUniformfv(program, at, value);
      CHECK(glGetError() == GL_INVALID_OPERATION && value[0] == 7.0f, "location %d is read", at);
      glUniform4fv(at, 1, value);
      CHECK(glGetError() == GL_INVALID_OPERATION, "location %d is set", at);
      glUniformMatrix3fv(at, 1, GL_FALSE, value);
      CHECK(glGetError() == GL_INVALID_OPERATION, "a matrix is set at location %d", at);
   }
}

/* What Mesa converts: a strip of four corners as doubles, at the end of a buffer, with indices 0 to
 * 3 behind each other in another one. */
static void
double_vertices(void)
{
   static const GLdouble corners[][2] = {{9, 9}, {9, 9}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   static const GLubyte indices[] = {2, 3, 4, 5};
   GLuint buffers[2];
   begin();
   util_program("#version 130\n", "in vec4 p; void main() { gl_Position = p; }",
                "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_DOUBLE, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   clear();
}

/* Converted vertices that are not in their buffer, behind its end and before its beginning. */
static void
vertices_outside(void)
{
   static const GLint places[] = {6,         5,
                                  -2,        -6,
                                  1000,      100000,
                                  INT32_MAX, INT32_MAX - 1,
                                  INT32_MIN, INT32_MAX / 16,
                                  1 << 28,   (1 << 28) - 1};
   double_vertices();
   for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      if (places[i] >= 0)
         glDrawArrays(GL_POINTS, places[i], 4);
      glDrawElementsBaseVertex(GL_POINTS, 4, GL_UNSIGNED_BYTE, NULL, places[i]);
      glDrawRangeElementsBaseVertex(GL_POINTS, 0, 5, 4, GL_UNSIGNED_BYTE, NULL, places[i]);
   }
   clear();
   glDrawArrays(GL_TRIANGLE_STRIP, 2, 4);
   EXPECT_GREEN("the last four vertices");
   clear();
   glDrawRangeElements(GL_TRIANGLE_STRIP, 0, 255, 4, GL_UNSIGNED_BYTE, NULL);
   EXPECT_GREEN("a range that is too large");
   clear();
   glVertexAttribPointer(0, 2, GL_DOUBLE, GL_FALSE, 0, (const void *)(2 * 2 * sizeof(GLdouble)));
   glDrawRangeElementsBaseVertex(GL_TRIANGLE_STRIP, 0, 5, 4, GL_UNSIGNED_BYTE, NULL, -2);
   EXPECT_GREEN("a negative base vertex");
}

/* Indices of converted vertices that are not in their buffer. */
static void
indices_outside(void)
{
   double_vertices();
   for (uintptr_t at = 1; at < (uintptr_t)1 << 31; at *= 4) {
      glDrawElements(GL_POINTS, 4, GL_UNSIGNED_BYTE, (const void *)at);
      glDrawElements(GL_POINTS, 1 << 28, GL_UNSIGNED_BYTE, (const void *)at);
   }
   clear();
   glDrawElements(GL_TRIANGLE_STRIP, 1000, GL_UNSIGNED_BYTE, NULL);
   EXPECT_GREEN("the indices in the buffer");
}

/* A texture that gets immutable storage of fewer levels than it had: the levels behind it are not
 * filled with its smaller images. Mesa computes levels of this format on the CPU. */
static void
old_levels(void)
{
   GLuint texture;
   begin();
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (GLint level = 3; level < 5; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_COMPRESSED_RGBA, 24 >> level, 24 >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, NULL);
   glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGB9_E5, 24, 24);
   glGenerateMipmap(GL_TEXTURE_2D);
}

/* A text that grows. */
struct text {
   char *at;
   size_t length, size;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
   va_list list;
   if (t->size < t->length + 256)
      t->at = realloc(t->at, t->size = 2 * t->size + 256);
   va_start(list, format);
   t->length += (size_t)vsnprintf(t->at + t->length, 256, format, list);
   va_end(list);
}

/* Returns whether a fragment shader compiles and links, and frees the text; error: part of what is
 * said if not. */
static bool
links(struct text *body, const char *error)
{
   const char *sources[] = {"#version 130\nin vec4 v; out vec4 color;\n", body->at};
   char log[1024] = "";
   GLint compiled, linked;
   const GLuint program = glCreateProgram(), shader = glCreateShader(GL_FRAGMENT_SHADER);
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, "#version 130\n",
                                       "in vec4 p; out vec4 v; void main() { gl_Position = v = p; "
                                       "}"));
   glShaderSource(shader, 2, sources, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (compiled)
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
   else
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
   CHECK(linked || strstr(log, error), "it says: %s", log);
   glDeleteProgram(program);
   free(body->at);
   *body = (struct text){0};
   return linked;
}

/* Shaders on which Mesa overflowed its stack: expressions of many terms or swizzles, also those
 * that it joins from statements. */
static void
deep_expressions(void)
{
   static const char error[] = "expression has more than 4096 levels";
   struct text t = {0};
   begin();
   for (unsigned n = 2000; n <= 50000; n *= 25) {
      add(&t, "void main() { color = v");
      for (unsigned i = 0; i < n; i++)
         add(&t, "+v");
      add(&t, "; }");
      CHECK(links(&t, error) == (n == 2000), "%u terms", n);
      add(&t, "void main() { color = v");
      for (unsigned i = 0; i < n; i++)
         add(&t, ".wzyx");
      add(&t, "; }");
      CHECK(links(&t, error) == (n == 2000), "%u swizzles", n);
   }
   add(&t, "void main() { vec4 v0 = v;");
   for (unsigned i = 0; i < 25; i++) {
      add(&t, "vec4 v%u = v%u", i + 1, i);
      for (unsigned k = 0; k < 2000; k++)
         add(&t, ".wzyx");
      add(&t, ";");
   }
   add(&t, "color = v25; }");
   CHECK(links(&t, ""), "25 statements of 2,000 swizzles");
}

/* Functions that call each other so often that inlining would take all memory. */
static void
many_calls(void)
{
   struct text t = {0};
   begin();
   for (unsigned n = 8; n <= 32; n += 24) {
      add(&t, "vec4 f0(vec4 x) { return x + 1.0; }\n");
      for (unsigned i = 0; i < n; i++)
         add(&t, "vec4 f%u(vec4 x) { return f%u(x) * f%u(x.wzyx); }\n", i + 1, i, i);
      add(&t, "void main() { color = f%u(v); }", n);
      CHECK(links(&t, "the functions of the fragment shader call each other too often") == (n == 8),
            "functions that call another one twice, in %u levels", n);
   }
   add(&t, "vec4 f0(vec4 x) { return x + v; }\n");
   for (unsigned i = 0; i < 5000; i++)
      add(&t, "vec4 f%u(vec4 x) { return f%u(x) * v; }\n", i + 1, i);
   add(&t, "void main() { color = f5000(v); }");
   CHECK(!links(&t, "the functions of the fragment shader call each other too often"),
         "calls in 5,000 levels");
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } cases[] = {{"failed_link", failed_link},           {"block_location", block_location},
                {"empty_buffer", empty_buffer},         {"vertices_outside", vertices_outside},
                {"indices_outside", indices_outside},   {"old_levels", old_levels},
                {"deep_expressions", deep_expressions}, {"many_calls", many_calls}};
   for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (strcmp(argv[1], cases[i].name))
         continue;
      cases[i].run();
      const GLenum error = glGetError();
      CHECK(error == GL_NO_ERROR, "OpenGL error 0x%x", error);
      printf("%s: passed\n", argv[1]);
      return 0;
   }
   fprintf(stderr, "usage: invalid CASE\n");
   return 2;
}
