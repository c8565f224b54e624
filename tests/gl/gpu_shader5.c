/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ARB_gpu_shader5 on OpenGL 3.3: arrays of samplers and of uniform blocks whose index is
 * dynamically uniform, invocations and streams of geometry shaders, gathers with offsets that are
 * computed, operations on bits, fma, precise, implicit conversions. Not here: samples
 * (sample_shading.c), gathers as such (modern.c). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 8, TEXTURES = 4, MAX_INVOCATIONS = 32 };

#define HEADER "#version 330\n#extension GL_ARB_gpu_shader5: require\n"
#define VERTEX "in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"
#define FRAGMENT "out uvec4 c; void main() { c = uvec4(1); }"

static GLint
uniform(const char *name)
{
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   return glGetUniformLocation((GLuint)program, name);
}

static void
draw(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* What all pixels of the target must be. */
static void
expect(const char *what, GLuint x, GLuint y, GLuint z, GLuint w)
{
   GLuint got[SIZE * SIZE][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      CHECK(got[i][0] == x && got[i][1] == y && got[i][2] == z && got[i][3] == w,
            "%s, pixel %u: %x %x %x %x, not %x %x %x %x", what, i, got[i][0], got[i][1], got[i][2],
            got[i][3], x, y, z, w);
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", what);
   glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){99, 99, 99, 99});
}

/* Textures of four by four texels, 100 * t + 4 * y + x. */
static void
make_textures(void)
{
   for (unsigned t = 0; t < TEXTURES; t++) {
      GLuint name;
      GLfloat texel[16];
      for (unsigned i = 0; i < 16; i++)
         texel[i] = (float)(100 * t + i);
      glGenTextures(1, &name);
      glActiveTexture(GL_TEXTURE0 + t);
      glBindTexture(GL_TEXTURE_2D, name);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 4, 4, 0, GL_RED, GL_FLOAT, texel);
   }
}

static void
test_samplers(void)
{
   static const GLint units[TEXTURES] = {0, 1, 2, 3};
   /* By a uniform, in a loop, in a function, for a gather with an offset that is computed, and for
    * sizes. */
   util_program(
       HEADER, VERTEX,
       "uniform sampler2D t[4]; uniform int n; out uvec4 c;\n"
       "float at(int i) { return texture(t[i], vec2(0.125, 0.375)).x; }\n"
       "void main() { c = uvec4(at(n), 0, 0, textureSize(t[n ^ 1], 0).x);\n"
       "   for (int i = 0; i < 4; i++) c.y += uint(textureLod(t[i], vec2(0.875), 0.0).x);\n"
       "   c.z = uint(dot(textureGather(t[3 - n], vec2(0.5)), vec4(1)));\n"
       "   c.z += uint(textureGatherOffset(t[n], vec2(0.5), ivec2(1 - n, n - 1)).w); }");
   glUniform1iv(uniform("t"), TEXTURES, units);
   for (int n = 0; n < TEXTURES; n++) {
      const int x = 1 + 1 - n, y = 1 + n - 1;
      const GLuint gathered = (GLuint)(4 * 100 * (3 - n) + 5 + 6 + 9 + 10),
                   moved = (GLuint)(100 * n + 4 * (y & 3) + (x & 3));
      glUniform1i(uniform("n"), n);
      draw();
      expect("samplers", (GLuint)(100 * n + 4), 600 + 4 * 15, gathered + moved, 4);
   }
}

static void
test_blocks(void)
{
   GLuint buffer[4];
   const GLuint program =
       util_program(HEADER, VERTEX,
                    "layout(std140) uniform B { uvec4 v[2]; } b[4]; uniform int n; out uvec4 c;\n"
                    "void main() { c = b[n].v[1] + b[3 - n].v[n & 1]; }");
   for (unsigned i = 0; i < 4; i++) {
      const GLuint values[2][4] = {{i, 10 + i, 20 + i, 30 + i}, {100 * i, 1, 2, 3}};
      char name[8];
      snprintf(name, sizeof(name), "B[%u]", i);
      glGenBuffers(1, &buffer[i]);
      glBindBufferBase(GL_UNIFORM_BUFFER, i, buffer[i]);
      glBufferData(GL_UNIFORM_BUFFER, sizeof(values), values, GL_STATIC_DRAW);
      glUniformBlockBinding(program, glGetUniformBlockIndex(program, name), i);
   }
   for (GLuint n = 0; n < 4; n++) {
      const GLuint m = 3 - n;
      glUniform1i(uniform("n"), (GLint)n);
      draw();
      if (n & 1)
         expect("blocks", 100 * n + 100 * m, 2, 4, 6);
      else
         expect("blocks", 100 * n + m, 1 + 10 + m, 2 + 20 + m, 3 + 30 + m);
   }
}

static void
test_operations(void)
{
   util_program(
       HEADER, VERTEX,
       "uniform uint u; uniform int i; uniform float f; out uvec4 c;\n"
       "uint pick(uint x) { return x / 24u; }\n"
       "void main() { uint carry, borrow, high, low; precise float p = f * f + f;\n"
       "   uaddCarry(u, u, carry); usubBorrow(1u, u, borrow);\n"
       "   umulExtended(u, u, high, low);\n"
       "   c.x = bitfieldExtract(u, 4, 8) | bitfieldReverse(u) >> 24 << 8;\n"
       "   c.y = carry | borrow << 1 | high << 8;\n"
       "   c.z = uint(findMSB(u) | findLSB(i) << 8 | bitCount(u) << 16);\n"
       "   c.w = uint(fma(f, f, f) == p) | pick(i) << 4 | uint(ldexp(f, 3) == f * 8.0) << 8;\n"
       "   int e; float m = frexp(f, e); uint from = i;\n"
       "   c.w |= uint(m * exp2(float(e)) == f && from == 48u) << 12; }");
   glUniform1ui(uniform("u"), 0xc0000a51u);
   glUniform1i(uniform("i"), 48);
   glUniform1f(uniform("f"), 3.25f);
   draw();
   const uint64_t square = (uint64_t)0xc0000a51u * 0xc0000a51u;
   expect("operations", 0xa5 | 0x8a << 8, 3 | (GLuint)(square >> 32) << 8,
          31 | 4 << 8 | (GLuint)__builtin_popcount(0xc0000a51u) << 16,
          1 | 2 << 4 | 1 << 8 | 1 << 12);
}

/* Each of several invocations makes points of its own, in their order. */
static void
test_invocations(void)
{
   static const char *const varying = "o";
   GLint most, captured[4 * 2 * MAX_INVOCATIONS];
   GLuint buffer, query[2], primitives, generated;
   glGetIntegerv(GL_MAX_GEOMETRY_SHADER_INVOCATIONS, &most);
   CHECK(most >= MAX_INVOCATIONS, "%d invocations", most);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(captured), NULL, GL_STREAM_READ);
   glGenQueries(2, query);
   for (int n = 1; n <= MAX_INVOCATIONS; n = n == 1 ? 3 : n == 3 ? 17 : n == 17 ? 32 : 64) {
      char geometry[512];
      snprintf(geometry, sizeof(geometry),
               "layout(points, invocations = %d) in; layout(points, max_vertices = 2) out;\n"
               "flat out int o; void main() { for (int i = 0; i <= gl_InvocationID %% 2; i++) {\n"
               "   o = gl_PrimitiveIDIn * 1000 + gl_InvocationID * 10 + i;\n"
               "   gl_Position = vec4(0); EmitStreamVertex(0); EndStreamPrimitive(0); } }",
               n);
      const GLuint program = glCreateProgram();
      glAttachShader(program, util_shader(GL_VERTEX_SHADER, HEADER, VERTEX));
      glAttachShader(program, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
      glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, HEADER, FRAGMENT));
      glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
      util_link(program);
      memset(captured, 0xff, sizeof(captured));
      glBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(captured), captured);
      glEnable(GL_RASTERIZER_DISCARD);
      glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[0]);
      glBeginQuery(GL_PRIMITIVES_GENERATED, query[1]);
      glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(GL_POINTS, 0, 4);
      glEndTransformFeedback();
      glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
      glEndQuery(GL_PRIMITIVES_GENERATED);
      glDisable(GL_RASTERIZER_DISCARD);
      glGetQueryObjectuiv(query[0], GL_QUERY_RESULT, &primitives);
      glGetQueryObjectuiv(query[1], GL_QUERY_RESULT, &generated);
      glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(captured), captured);
      unsigned at = 0;
      for (int p = 0; p < 4; p++) {
         for (int v = 0; v < n; v++) {
            for (int i = 0; i <= v % 2; i++, at++)
               CHECK(captured[at] == p * 1000 + v * 10 + i, "%d invocations, vertex %u: %d", n, at,
                     captured[at]);
         }
      }
      CHECK(primitives == at && generated == at, "%d invocations: %u of %u primitives, not %u", n,
            primitives, generated, at);
      glDeleteProgram(program);
   }
}

/* Each point p becomes p % 5 points of stream 1, one of streams 0 and 3, two of 2. Streams 0, 2 and
 * 3 are captured, 0 is drawn. */
static void
test_streams(void)
{
   static const char *const varyings[] = {"a", "gl_NextBuffer", "gl_SkipComponents1",
                                          "c", "gl_NextBuffer", "d"};
   static const char geometry[] =
       "layout(points) in; layout(points, max_vertices = 16) out; flat in int n[1];\n"
       "layout(stream = 0) flat out int a; layout(stream = 1) flat out int b;\n"
       "layout(stream = 2) flat out int c; layout(stream = 3) flat out int d;\n"
       "void main() { for (int i = 0; i < n[0] % 5; i++) { b = i; EmitStreamVertex(1); }\n"
       "   gl_Position = vec4(float(2 * n[0] - 7) / 8.0, 0.06, 0, 1); a = n[0];\n"
       "   EmitStreamVertex(0); EndStreamPrimitive(0);\n"
       "   c = 10 * n[0]; EmitStreamVertex(2); c++; EmitStreamVertex(2); EndStreamPrimitive(2);\n"
       "   d = -n[0]; EmitStreamVertex(3); }";
   static const GLuint generated[4] = {8, 10 + 0 + 1 + 2, 16, 8}, written[4] = {8, 0, 16, 6};
   GLuint buffer[3], queries[4][2], feedback, got[SIZE][4], result;
   GLint most, captured[3][32];
   const GLuint program = glCreateProgram();
   glGetIntegerv(GL_MAX_VERTEX_STREAMS, &most);
   CHECK(most == 4, "%d streams", most);
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, HEADER,
                                       "flat out int n; void main() { n = gl_VertexID; }"));
   glAttachShader(program, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
   glAttachShader(program,
                  util_shader(GL_FRAGMENT_SHADER, HEADER,
                              "flat in int a; out uvec4 c; void main() { c = uvec4(a); }"));
   glTransformFeedbackVaryings(program, 6, varyings, GL_INTERLEAVED_ATTRIBS);
   util_link(program);
   glGenTransformFeedbacks(1, &feedback);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
   glGenBuffers(3, buffer);
   memset(captured, 0xff, sizeof(captured));
   for (GLuint i = 0; i < 3; i++) { /* the last one takes only six points */
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer[i]);
      glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, i == 2 ? 6 * 4 : sizeof(captured[i]), captured[i],
                   GL_STREAM_READ);
   }
   glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){99, 99, 99, 99});
   for (GLuint s = 0; s < 4; s++) {
      glGenQueries(2, queries[s]);
      glBeginQueryIndexed(GL_PRIMITIVES_GENERATED, s, queries[s][0]);
      glBeginQueryIndexed(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, s, queries[s][1]);
   }
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, SIZE);
   glEndTransformFeedback();
   for (GLuint s = 0; s < 4; s++) {
      glEndQueryIndexed(GL_PRIMITIVES_GENERATED, s);
      glEndQueryIndexed(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, s);
      glGetQueryObjectuiv(queries[s][0], GL_QUERY_RESULT, &result);
      CHECK(result == generated[s], "stream %u: %u primitives", s, result);
      glGetQueryObjectuiv(queries[s][1], GL_QUERY_RESULT, &result);
      CHECK(result == written[s], "stream %u: %u primitives were written", s, result);
   }
   glReadPixels(0, SIZE / 2, SIZE, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
   for (int i = 0; i < 3; i++) {
      glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer[i]);
      glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, i == 2 ? 6 * 4 : sizeof(captured[i]),
                         captured[i]);
   }
   for (int n = 0; n < SIZE; n++) {
      CHECK(got[n][0] == (GLuint)n, "column %d is %u", n, got[n][0]);
      CHECK(captured[0][n] == n, "stream 0, point %d: %d", n, captured[0][n]);
      CHECK(captured[1][4 * n] == -1 && captured[1][4 * n + 1] == 10 * n &&
                captured[1][4 * n + 3] == 10 * n + 1,
            "stream 2, point %d: %d, %d", n, captured[1][4 * n + 1], captured[1][4 * n + 3]);
      CHECK(n >= 6 || captured[2][n] == -n, "stream 3, point %d: %d", n, captured[2][n]);
   }
   /* As many vertices as stream 2 has. */
   glBeginQuery(GL_PRIMITIVES_GENERATED, queries[0][0]);
   glDrawTransformFeedbackStream(GL_POINTS, feedback, 2);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectuiv(queries[0][0], GL_QUERY_RESULT, &result);
   CHECK(result == 16, "%u points of what stream 2 has", result);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

/* Invocations draw the columns of the target. */
static void
test_drawing(void)
{
   static const char geometry[] =
       "layout(points, invocations = 8) in; layout(triangle_strip, max_vertices = 4) out;\n"
       "flat out uint o; void main() { for (int i = 0; i < 4; i++) {\n"
       "   o = uint(gl_InvocationID);\n"
       "   gl_Position = vec4((float(gl_InvocationID + (i & 1)) / 4.0) - 1.0, (i & 2) - 1, 0, 1);\n"
       "   EmitVertex(); } }";
   GLuint got[SIZE][4];
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, HEADER, VERTEX));
   glAttachShader(program, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
   glAttachShader(program,
                  util_shader(GL_FRAGMENT_SHADER, HEADER,
                              "flat in uint o; out uvec4 c; void main() { c = uvec4(o); }"));
   util_link(program);
   glDrawArrays(GL_POINTS, 0, 1);
   glReadPixels(0, 3, SIZE, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
   for (GLuint x = 0; x < SIZE; x++)
      CHECK(got[x][0] == x, "column %u is drawn by invocation %u", x, got[x][0]);
}

int
main(void)
{
   static const GLfloat corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   GLuint buffer;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   CHECK(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_gpu_shader5"),
         "no ARB_gpu_shader5");
   util_draw_to_integers(SIZE);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   make_textures();
   test_samplers();
   test_blocks();
   test_operations();
   test_invocations();
   test_drawing();
   test_streams();
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   puts("shaders agree");
   return 0;
}
