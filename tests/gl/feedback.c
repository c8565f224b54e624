/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Transform feedback: what is captured, from strips and fans too, interleaved and in buffers of
 * their own, of outputs that share a register; overflow and the queries; pause, another object,
 * resume; draws of what was captured; a buffer that is read by the CPU, written by it, and captured
 * again; captures around the driver's own draws. Prints a checksum of all that was captured. Not
 * here: the simulated unit (tests/unit/test_stream_out.c), piglit's tests. */
#include <stdbool.h>
#include "gl_util.h"

enum { SIZE = 32, FLOATS = 1024 };

static uint32_t sum = 2166136261u;

static void
add_to_sum(const void *data, size_t size)
{
   for (size_t i = 0; i < size; i++)
      sum = (sum ^ ((const uint8_t *)data)[i]) * 16777619u;
}

static GLuint
program(GLenum mode, GLsizei num, const char *const *varyings)
{
   static const char *const vs = "attribute float p; varying vec2 pair; varying float one;\n"
                                 "void main() {\n"
                                 "   gl_Position = vec4(p / 16.0, 0.0, 0.0, 1.0);\n"
                                 "   pair = vec2(p, -p); one = p + 0.5;\n"
                                 "}\n";
   static const char *const fs = "varying vec2 pair; varying float one;\n"
                                 "void main() { gl_FragColor = vec4(pair, one, 1.0); }\n";
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_VERTEX_SHADER, "#version 120\n", vs));
   glAttachShader(p, util_shader(GL_FRAGMENT_SHADER, "#version 120\n", fs));
   glTransformFeedbackVaryings(p, num, varyings, mode);
   util_link(p);
   return p;
}

/* Outputs that Mesa packs into the same four components, captured 32 floats apart (patch 0130). */
static GLuint
packed_program(void)
{
   static const char *const vs =
       "attribute float p; varying vec3 triple; varying vec2 pair;\n"
       "varying mat4 square; varying mat3x4 tall;\n"
       "void main() {\n"
       "   gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
       "   triple = vec3(0.0, 1.0, 2.0) + p; pair = vec2(31.0, 32.0) + p;\n"
       "   for (int i = 0; i < 4; i++)\n"
       "      square[i] = vec4(3.0, 4.0, 5.0, 6.0) + 4.0 * float(i) + p;\n"
       "   for (int i = 0; i < 3; i++)\n"
       "      tall[i] = vec4(19.0, 20.0, 21.0, 22.0) + 4.0 * float(i) + p;\n"
       "}\n";
   static const char *const varyings[] = {"triple", "square", "tall", "pair"};
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_VERTEX_SHADER, "#version 120\n", vs));
   glTransformFeedbackVaryings(p, 4, varyings, GL_INTERLEAVED_ATTRIBS);
   util_link(p);
   return p;
}

static GLuint
buffer(GLenum target, size_t size, const void *data)
{
   GLuint b;
   glGenBuffers(1, &b);
   glBindBuffer(target, b);
   glBufferData(target, (GLsizeiptr)size, data, GL_DYNAMIC_COPY);
   return b;
}

static void
numbers(void)
{
   float data[64];
   for (unsigned i = 0; i < 64; i++)
      data[i] = (float)i;
   buffer(GL_ARRAY_BUFFER, sizeof(data), data);
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

static void
expect(GLuint b, size_t first, size_t num, const float *want, const char *what)
{
   float got[FLOATS];
   glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, b);
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLintptr)(first * 4), (GLsizeiptr)(num * 4),
                      got);
   for (size_t i = 0; i < num; i++) {
      if (got[i] != want[i]) {
         fprintf(stderr, "%s: float %zu is %g, expected %g\n", what, first + i, got[i], want[i]);
         exit(1);
      }
   }
   add_to_sum(got, num * 4);
}

static void
capture(GLenum captured, GLenum mode, GLint first, GLsizei count)
{
   glBeginTransformFeedback(captured);
   glDrawArrays(mode, first, count);
   glEndTransformFeedback();
}

static void
strips_become_lists(void)
{
   static const char *const one[] = {"one"};
   static const struct {
      GLenum captured, mode;
      GLsizei count, num;
      float want[16];
   } cases[] = {
       {GL_POINTS, GL_POINTS, 3, 3, {.5f, 1.5f, 2.5f}},
       {GL_LINES, GL_LINE_LOOP, 3, 6, {.5f, 1.5f, 1.5f, 2.5f, 2.5f, .5f}},
       {GL_TRIANGLES, GL_TRIANGLE_STRIP, 4, 6, {.5f, 1.5f, 2.5f, 2.5f, 1.5f, 3.5f}},
       {GL_TRIANGLES, GL_TRIANGLE_FAN, 4, 6, {.5f, 1.5f, 2.5f, .5f, 2.5f, 3.5f}},
   };
   program(GL_INTERLEAVED_ATTRIBS, 1, one);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const GLuint b = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 256, NULL);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
      capture(cases[i].captured, cases[i].mode, 0, cases[i].count);
      expect(b, 0, (size_t)cases[i].num, cases[i].want, "strip");
   }
}

/* Two varyings in buffers of their own, one of which has room for 2 lines of 3. */
static void
packed_outputs_are_captured(void)
{
   float want[2 * 33];
   const GLuint p = packed_program(), b = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(want), NULL);
   for (unsigned i = 0; i < 2 * 33; i++)
      want[i] = (float)(i % 33 + i / 33);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
   capture(GL_POINTS, GL_POINTS, 0, 2);
   expect(b, 0, 2 * 33, want, "packed output");
   glDeleteProgram(p);
}

static void
overflow_is_counted(void)
{
   static const char *const both[] = {"pair", "one"};
   static const float pairs[] = {3, -3, 4, -4, 5, -5, 6, -6, 9, 9},
                      ones[] = {3.5f, 4.5f, 5.5f, 6.5f, 7};
   float nines[16], sevens[16];
   for (unsigned i = 0; i < 16; i++) {
      nines[i] = 9;
      sevens[i] = 7;
   }
   program(GL_SEPARATE_ATTRIBS, 2, both);
   const GLuint a = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(nines), nines),
                b = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(sevens), sevens);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, a);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, b, 8, 5 * 4);
   GLuint query[2], got[2];
   glGenQueries(2, query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
   glEnable(GL_RASTERIZER_DISCARD);
   capture(GL_LINES, GL_LINES, 3, 6);
   glDisable(GL_RASTERIZER_DISCARD);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   for (unsigned i = 0; i < 2; i++)
      glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &got[i]);
   CHECK(got[0] == 3 && got[1] == 2, "primitives generated and written");
   expect(a, 0, 10, pairs, "first buffer");
   expect(b, 0, 2, sevens, "before the range");
   expect(b, 2, 5, ones, "second buffer");
}

/* Paused while another object captures; then drawn, without its size having been read. */
static void
objects_pause_and_are_drawn(void)
{
   static const char *const one[] = {"one"};
   static const float first[] = {.5f, 1.5f, 8.5f, 9.5f, 10.5f}, second[] = {4.5f, 5.5f};
   static const float again[] = {1, 2, 9, 10, 11};
   GLuint object[3], buffers[3];
   program(GL_INTERLEAVED_ATTRIBS, 1, one);
   glGenTransformFeedbacks(3, object);
   for (unsigned i = 0; i < 3; i++) {
      buffers[i] = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 256, NULL);
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object[i]);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[i]);
   }
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object[0]);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 2);
   glPauseTransformFeedback();
   glDrawArrays(GL_POINTS, 20, 5); /* not captured */
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object[1]);
   capture(GL_POINTS, GL_POINTS, 4, 2);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object[0]);
   glResumeTransformFeedback();
   glScissor(0, 0, 5, 5); /* a clear that is a draw */
   glEnable(GL_SCISSOR_TEST);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glDrawArrays(GL_POINTS, 8, 3);
   glEndTransformFeedback();
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object[2]);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glBeginTransformFeedback(GL_POINTS);
   glDrawTransformFeedback(GL_POINTS, object[0]);
   glEndTransformFeedback();
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
   numbers();
   expect(buffers[0], 0, 5, first, "paused object");
   expect(buffers[1], 0, 2, second, "other object");
   expect(buffers[2], 0, 5, again, "drawn object");
}

/* The CPU writes into the middle of what was captured, and the GPU reads both. */
static void
owners_take_turns(void)
{
   static const char *const one[] = {"one"};
   static const float mine = 40;
   static const float want[] = {1, 40.5f, 3, 4}, copied[] = {.5f, 40, 2.5f, 3.5f, 1, 40.5f};
   program(GL_INTERLEAVED_ATTRIBS, 1, one);
   const GLuint a = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 64, NULL),
                b = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 64, NULL);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, a, 0, 64);
   capture(GL_POINTS, GL_POINTS, 0, 4);
   glBindBuffer(GL_ARRAY_BUFFER, a);
   glBufferSubData(GL_ARRAY_BUFFER, 4, 4, &mine);
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
   capture(GL_POINTS, GL_POINTS, 0, 4);
   expect(b, 0, 4, want, "captured from a buffer with two owners");
   glBindBuffer(GL_COPY_READ_BUFFER, b);
   glBindBuffer(GL_COPY_WRITE_BUFFER, a);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 16, 8);
   numbers();
   expect(a, 0, 6, copied, "buffer that was captured, written and copied to");
}

int
main(void)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   numbers();
   strips_become_lists();
   packed_outputs_are_captured();
   overflow_is_counted();
   objects_pause_and_are_drawn();
   owners_take_turns();
   CHECK(glGetError() == GL_NO_ERROR, "no error");
   printf("captured %08x\n", sum);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
