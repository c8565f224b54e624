/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GLSL at its limits: attributes, varyings, uniforms, and programs that are larger than the
 * machine: many instructions, temporaries and constants, deep nesting, long loops. Not here:
 * assembly programs (limits_assembly.c). */
#include "limits.h"

#include <stdlib.h>

#define SOLID "void main() { gl_FragColor = vec4(1.0); }"

/* Draws with a program that must link; the pixel must be yellow. */
static void
expect_yellow(GLuint program, const char *what)
{
   EXPECT(program, "%s: does not link", what);
   if (!program)
      return;
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   limits_quad();
   EXPECT_PIXEL(SIZE / 2, SIZE / 2, 255, 255, 0, what);
}

/* Attribute i holds 2^i / 65536: the sum shows which are missing. */
static void
check_attributes(void)
{
   const GLint max = limits_get(GL_MAX_VERTEX_ATTRIBS);
   for (int over = 0; over < 2; over++) {
      struct text v = {0};
      text_add(&v, "varying float sum;");
      for (int i = 1; i < max + over; i++)
         text_add(&v, "attribute vec4 a%d;", i);
      text_add(&v, "attribute vec4 position; void main() { gl_Position = position; sum = 0.0;");
      for (int i = 1; i < max + over; i++)
         text_add(&v, "sum += a%d.x + a%d.y * 2.0 + a%d.z * 4.0 + a%d.w * 8.0;", i, i, i, i);
      text_add(&v, "}");
      GLuint program = limits_program(
          v.data,
          "varying float sum; void main() { gl_FragColor = vec4(sum == 2160.0, 1.0, 0.0, 1.0); }");
      EXPECT((program == 0) == over, "%d attributes", max + over);
      text_free(&v);
      if (!program)
         continue;
      float want = 0;
      for (int i = 1; i < max; i++) {
         char name[8] = {'a', (char)(i < 10 ? '0' + i : '1'), (char)(i < 10 ? 0 : '0' + i - 10), 0};
         const GLint at = glGetAttribLocation(program, name);
         EXPECT(at > 0 && at < max, "attribute %s is at %d", name, at);
         glVertexAttrib4f((GLuint)at, (float)i, (float)i, (float)i, i == 1 ? 46 : (float)i);
         want += (float)i * (i == 1 ? 7 : 15) + (i == 1 ? 46 * 8 : 0);
      }
      EXPECT(want == 2160, "the test's own sum is %g", want);
      expect_yellow(program, "all vertex attributes");
      limits_delete_program(program);
   }
   glVertexAttrib4f((GLuint)max, 0, 0, 0, 1);
   EXPECT_ERROR(GL_INVALID_VALUE, "glVertexAttrib past the last");
   glVertexAttribPointer((GLuint)max, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   EXPECT_ERROR(GL_INVALID_VALUE, "glVertexAttribPointer past the last");
   glEnableVertexAttribArray((GLuint)max);
   EXPECT_ERROR(GL_INVALID_VALUE, "glEnableVertexAttribArray past the last");
   GLuint program = glCreateProgram();
   glBindAttribLocation(program, (GLuint)max, "a");
   EXPECT_ERROR(GL_INVALID_VALUE, "glBindAttribLocation past the last");
   glDeleteProgram(program);
}

static void
check_varyings(void)
{
   const GLint max = limits_get(GL_MAX_VARYING_FLOATS) / 4;
   for (int over = 0; over < 2; over++) {
      struct text v = {0}, f = {0};
      text_add(&v,
               "attribute vec4 position, one; varying vec4 v[%d]; void main() { gl_Position = "
               "position; gl_PointSize = 1.0; gl_ClipVertex = position;",
               max + over);
      text_add(&f,
               "varying vec4 v[%d]; void main() { vec4 s = vec4(gl_FrontFacing, gl_PointCoord.x, "
               "gl_FragCoord.z, 0.0) * 0.0;",
               max + over);
      for (int i = 0; i < max + over; i++) {
         text_add(&v, "v[%d] = one * vec4(%d.0, 2.0, 3.0, %d.0);", i, i + 1,
                  5 * i); /* no component is unused */
         text_add(&f, "s += v[%d] * %d.0;", i, i % 3 + 1);
      }
      int x = 0, y = 0, w = 0;
      for (int i = 0; i < max; i++) {
         x += (i + 1) * (i % 3 + 1);
         y += 2 * (i % 3 + 1);
         w += 5 * i * (i % 3 + 1);
      }
      text_add(&v, "}");
      text_add(&f,
               "bool ok = all(lessThan(abs(s - vec4(%d.0, %d.0, %d.0, %d.0)), vec4(0.01))); "
               "gl_FragColor = vec4(ok, 1.0, 0.0, 1.0); }",
               x, y, y / 2 * 3, w);
      GLuint program = limits_program(v.data, f.data);
      EXPECT((program == 0) == over, "%d varyings", max + over);
      if (program) {
         glVertexAttrib4f((GLuint)glGetAttribLocation(program, "one"), 1, 1, 1, 1);
         /* With every user clip plane, whose distances are outputs as well. */
         for (GLenum p = 0; p < (GLenum)limits_get(GL_MAX_CLIP_PLANES); p++) {
            static const GLdouble plane[] = {0, 0, 0, 1};
            glClipPlane(GL_CLIP_PLANE0 + p, plane);
            glEnable(GL_CLIP_PLANE0 + p);
         }
         expect_yellow(program, "all varyings and clip planes");
         for (GLenum p = 0; p < (GLenum)limits_get(GL_MAX_CLIP_PLANES); p++)
            glDisable(GL_CLIP_PLANE0 + p);
      }
      limits_delete_program(program);
      text_free(&v);
      text_free(&f);
   }
}

/* All uniforms are summed in a loop; with everything on that needs constants of its own. */
static void
check_uniforms(bool vertex)
{
   const GLint components =
       limits_get(vertex ? GL_MAX_VERTEX_UNIFORM_COMPONENTS : GL_MAX_FRAGMENT_UNIFORM_COMPONENTS);
   for (int over = 0; over < 2; over++) {
      const int num = components / 4 + over;
      struct text s = {0};
      text_add(&s, "uniform vec4 u[%d]; %s", num,
               vertex ? "attribute vec4 position; varying float result;" : "");
      text_add(&s,
               "void main() { vec4 s = vec4(0.0); for (int i = 0; i < %d; i++) s += u[i]; bool ok "
               "= s == vec4(%d.0, %d.0, %d.0, 7.0);",
               num, num, 2 * num, num * (num - 1) / 2);
      if (vertex)
         text_add(&s,
                  "gl_Position = position; gl_ClipVertex = position; result = ok ? 1.0 : 0.0; }");
      else
         text_add(&s,
                  "gl_FragColor = vec4(ok, gl_FragCoord.x > 0.0, gl_PointCoord.x * 0.0, 1.0); }");
      GLuint program = vertex
                           ? limits_program(s.data, "varying float result; void main() { "
                                                    "gl_FragColor = vec4(result, 1.0, 0.0, 1.0); }")
                           : limits_program(PASS_THROUGH, s.data);
      EXPECT((program == 0) == over, "%s shader with %d vec4 of uniforms",
             vertex ? "vertex" : "fragment", num);
      text_free(&s);
      if (!program)
         continue;
      float(*value)[4] = calloc((size_t)num, sizeof(*value));
      for (int i = 0; i < num; i++) {
         value[i][0] = 1;
         value[i][1] = 2;
         value[i][2] = (float)i;
         value[i][3] = i == num - 1 ? 7 : 0;
      }
      glUniform4fv(glGetUniformLocation(program, "u"), num, value[0]);
      free(value);
      EXPECT_OK("glUniform4fv of all");
      for (GLenum p = 0; p < (GLenum)limits_get(GL_MAX_CLIP_PLANES); p++)
         glEnable(GL_CLIP_PLANE0 + p);
      glEnable(GL_ALPHA_TEST);
      glAlphaFunc(GL_GREATER, 0.25f);
      expect_yellow(program, vertex ? "all vertex uniforms" : "all fragment uniforms");
      glDisable(GL_ALPHA_TEST);
      for (GLenum p = 0; p < (GLenum)limits_get(GL_MAX_CLIP_PLANES); p++)
         glDisable(GL_CLIP_PLANE0 + p);
      limits_delete_program(program);
   }
}

/* Whether it compiles is the machine's business, but then it must be right, and if not the link
 * must fail. */
static void
check_either(const char *source, const char *what)
{
   GLuint program = limits_program(PASS_THROUGH, source);
   if (program)
      expect_yellow(program, what);
   limits_delete_program(program);
   EXPECT_OK(what);
   EXPECT_ALIVE(what);
}

/* Vertex shaders that do not fit fail at link time, too. */
static void
check_vertex_size(void)
{
   struct text v = {0};
   text_add(&v, "attribute vec4 position; varying float r; void main() { float x = position.x; "
                "vec4 t0 = vec4(x);");
   for (int i = 1; i < 4500; i++)
      text_add(&v, "vec4 t%d = fract(t%d.yzwx * 0.5 + vec4(0.25, x, 0.5, 0.125));\n", i, i - 1);
   text_add(&v, "vec4 s = t0;");
   for (int i = 0; i < 4500; i++)
      text_add(&v, "s = fract(s * t%d + t%d);\n", i, 4499 - i);
   text_add(&v, "r = s.x; gl_Position = position; }");
   GLuint program = limits_program(
       v.data, "varying float r; void main() { gl_FragColor = vec4(r >= 0.0, 1.0, 0.0, 1.0); }");
   if (program)
      expect_yellow(program, "a large vertex shader");
   limits_delete_program(program);
   text_free(&v);
   EXPECT_ALIVE("a large vertex shader");
}

static void
must_work(const char *source, const char *what)
{
   GLuint program = limits_program(PASS_THROUGH, source);
   expect_yellow(program, what);
   limits_delete_program(program);
}

/* A chain of n additions that no optimiser can shorten, all values needed. */
static void
check_instructions(void)
{
   static const int counts[] = {1000, 10000, 40000};
   for (size_t c = 0; c < (limits_small ? 1 : sizeof(counts) / sizeof(counts[0])); c++) {
      struct text s = {0};
      text_add(&s, "void main() { float a = gl_FragCoord.x * 0.0, b = 1.0 + a;");
      for (int i = 0; i < counts[c] / 2; i++)
         text_add(&s, "a = fract(a * 0.75 + b);b = fract(b * 0.5 + a);\n");
      text_add(&s, "gl_FragColor = vec4(a >= 0.0 && b < 1.0, 1.0, 0.0, 1.0); }");
      if (counts[c] < 4000)
         must_work(s.data, "a long program");
      else
         check_either(s.data, "a very long program");
      text_free(&s);
   }
}

/* n values that live at once, written in one order and read in another. */
static void
check_temporaries(void)
{
   static const int counts[] = {200, 2000};
   for (size_t c = 0; c < (limits_small ? 1 : sizeof(counts) / sizeof(counts[0])); c++) {
      struct text s = {0};
      const int n = counts[c];
      text_add(&s, "void main() { float x = gl_FragCoord.x; vec4 t0 = vec4(x);");
      for (int i = 1; i < n; i++)
         text_add(&s, "vec4 t%d = fract(t%d.yzwx * 0.5 + vec4(0.25, x, 0.5, 0.125));\n", i, i - 1);
      text_add(&s, "vec4 s = t%d;", n - 1);
      for (int i = 0; i < n; i++)
         text_add(&s, "s = fract(s * t%d + t%d);\n", i, n - 1 - i);
      text_add(&s, "gl_FragColor = vec4(s.x >= 0.0 && s.y < 1.0, 1.0, 0.0, 1.0); }");
      if (n < 1000)
         must_work(s.data, "many temporaries");
      else
         check_either(s.data, "very many temporaries");
      text_free(&s);
   }
   check_either("void main() { float a[20000]; int n = int(gl_FragCoord.x); for (int i = 0; i < "
                "20000; i++) a[i] = float(i - n);"
                "gl_FragColor = vec4(a[n] == 0.0, 1.0, 0.0, 1.0); }",
                "an array larger than the registers");
   must_work("void main() { float a[1000]; int n = int(gl_FragCoord.x); for (int i = 0; i < 1000; "
             "i++) a[i] = float(i - n);"
             "gl_FragColor = vec4(a[n] == 0.0, 1.0, 0.0, 1.0); }",
             "an array of a thousand");
}

static void
check_literals(void)
{
   static const int counts[] = {1000, 8000};
   for (size_t c = 0; c < (limits_small ? 1 : 2); c++) {
      struct text s = {0};
      text_add(&s, "void main() { float s = 0.0, x = gl_FragCoord.x;");
      for (int i = 0; i < counts[c]; i++)
         text_add(&s, "s = max(s, fract(x + %d.03125));\n", i);
      text_add(&s, "gl_FragColor = vec4(s >= 0.0, 1.0, 0.0, 1.0); }");
      if (counts[c] == 1000)
         must_work(s.data, "a thousand constants");
      else
         check_either(s.data, "eight thousand constants");
      text_free(&s);
   }
}

static void
check_nesting(void)
{
   for (int depth = 30; depth <= (limits_small ? 30 : 270); depth += 120) {
      for (int loops = 0; loops < 2; loops++) {
         struct text s = {0};
         text_add(&s, "uniform float u; void main() { float x = gl_FragCoord.x, s = 0.0;");
         for (int i = 0; i < depth; i++)
            text_add(
                &s,
                loops ? "for (int i%d = 0; float(i%d) < 1.0 + u; i%d++) { s += fract(x * %d.0);\n"
                      : "if (x * %d.0 + s > u) { s += fract(x * %d.0) + 1.0; discard_me(s);\n",
                i + 1, i + 1, i + 1, i + 1);
         text_add(&s, "s = -1.0;");
         for (int i = 0; i < depth; i++)
            text_add(&s, "}");
         text_add(&s, "gl_FragColor = vec4(s == -1.0, 1.0, 0.0, 1.0); }");
         struct text all = {0};
         text_add(&all, "void discard_me(float s) { if (s < -5.0) discard; }\n%s", s.data);
         if (depth == 30)
            must_work(all.data, "30 levels");
         else
            check_either(all.data, "deep nesting");
         text_free(&all);
         text_free(&s);
      }
   }
}

/* Loops that end, and some that never do by themselves. */
void
limits_endless(void)
{
   /* 160,000 iterations are within what a program may take. */
   GLuint program = limits_program(
       PASS_THROUGH, "uniform float n; void main() { float i = 0.0; while (i < n) i += 1.0;"
                     "gl_FragColor = vec4(i == n, 1.0, 0.0, 1.0); }");
   glUniform1f(glGetUniformLocation(program, "n"), 160000);
   glViewport(SIZE / 2, SIZE / 2, 2, 2);
   expect_yellow(program, "a long loop");
   /* This one never ends by itself; the pixel is whatever it is. */
   glUniform1f(glGetUniformLocation(program, "n"), 1e30f);
   limits_quad();
   glFinish();
   EXPECT_OK("an endless loop");
   limits_delete_program(program);
   program = limits_program("attribute vec4 position; uniform float n; void main() { float i = "
                            "0.0; while (i != n) i += 1.0;"
                            "gl_Position = position; }",
                            SOLID);
   glUniform1f(glGetUniformLocation(program, "n"), -1);
   limits_quad();
   glFinish();
   EXPECT_OK("an endless loop of vertices");
   limits_delete_program(program);
   EXPECT_ALIVE("endless loops");
}

void
limits_shaders(void)
{
   glViewport(0, 0, SIZE, SIZE);
   check_attributes();
   check_varyings();
   check_uniforms(true);
   check_uniforms(false);
   check_instructions();
   check_temporaries();
   if (!limits_small)
      check_vertex_size();
   check_literals();
   check_nesting();
}
