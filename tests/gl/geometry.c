/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Geometry shaders: which vertices a primitive of each mode has, with adjacency, indices and
 * restart; strips with cuts in loops and under conditions; many vertices; indexed inputs, uniform
 * blocks, textures; numbers of primitives; queries; what the rasteriser makes of the outputs. Most
 * is captured by transform feedback and compared with what this file computes; prints a checksum of
 * all that was captured. Not here: layers (layers.c), the simulated unit (tests/unit). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 16, WORDS = 8192 };

#define HEADER "#version 150 compatibility\n"

static bool right = true;
static uint32_t sum = 2166136261u;
static GLuint captured_buffer;

/* --- Programs --- */

/* captured: a varying of the geometry shader; NULL: none. */
static GLuint
program(const char *vertex, const char *geometry, const char *fragment, const char *captured)
{
   const GLuint name = glCreateProgram();
   glAttachShader(name, util_shader(GL_VERTEX_SHADER, HEADER, vertex));
   if (geometry)
      glAttachShader(name, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
   if (fragment)
      glAttachShader(name, util_shader(GL_FRAGMENT_SHADER, HEADER, fragment));
   if (captured)
      glTransformFeedbackVaryings(name, 1, &captured, GL_INTERLEAVED_ATTRIBS);
   util_link(name);
   return name;
}

/* A vertex is its number. */
#define VERTEX "in float p; out float n; void main() { n = p; gl_Position = vec4(0, 0, 0, 1); }"

/* --- Captures --- */

static int32_t captured[WORDS];

/* What of: an int for each vertex. Returns how many were captured, in captured. */
static unsigned
finish_capture(GLuint query, unsigned vertices)
{
   GLuint primitives;
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
   glDeleteQueries(1, &query);
   CHECK(primitives * vertices <= WORDS, "%u primitives were written", primitives);
   memset(captured, 0xff, sizeof(captured));
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)(4 * primitives * vertices),
                      captured);
   for (unsigned i = 0; i < primitives * vertices; i++)
      sum = (sum ^ (uint32_t)captured[i]) * 16777619u;
   return primitives * vertices;
}

static GLuint
begin_capture(GLenum mode)
{
   GLuint query;
   glGenQueries(1, &query);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured_buffer);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   return query;
}

static void
expect(const char *what, const int32_t *want, unsigned num_want, unsigned num_got)
{
   CHECK_OR(right = false, num_got == num_want, "%s: %u values, expected %u", what, num_got,
            num_want);
   for (unsigned i = 0; i < num_want && i < num_got; i++) {
      if (captured[i] != want[i]) {
         CHECK_OR(right = false, false, "%s: value %u is %d, expected %d", what, i, captured[i],
                  want[i]);
         return;
      }
   }
}

/* --- What the modes mean --- */

struct list {
   int32_t value[WORDS];
   unsigned num;
};

static void
add(struct list *l, int32_t value)
{
   CHECK(l->num < WORDS, "the test's list is full");
   l->value[l->num++] = value;
}

/* Vertices of the i-th of n triangles of a strip with adjacency (OpenGL 3.3, table 2.4). */
static void
add_strip_adjacency(struct list *l, const int32_t *v, unsigned i, unsigned n)
{
   const int32_t *at = v + 2 * i;
   const bool first = i == 0, last = i + 1 == n;
   const int32_t before = first ? at[1] : at[-2], after = last ? at[5] : at[6];
   const int32_t even[6] = {at[0], before, at[2], after, at[4], at[3]},
                 odd[6] = {at[2], before, at[0], at[3], at[4], after};
   for (unsigned k = 0; k < 6; k++)
      add(l, i & 1 ? odd[k] : even[k]);
}

/* Appends the vertices of each primitive. */
static void
assemble(struct list *l, GLenum mode, const int32_t *v, unsigned n)
{
   const unsigned adjacent = mode == GL_LINES_ADJACENCY ? 4 : 6;
   switch (mode) {
   case GL_POINTS:
      for (unsigned i = 0; i < n; i++)
         add(l, v[i]);
      break;
   case GL_LINES:
      for (unsigned i = 0; i < n / 2 * 2; i++)
         add(l, v[i]);
      break;
   case GL_LINE_STRIP:
   case GL_LINE_LOOP:
      for (unsigned i = 0; i + 1 < n; i++) {
         add(l, v[i]);
         add(l, v[i + 1]);
      }
      if (mode == GL_LINE_LOOP && n > 1) {
         add(l, v[n - 1]);
         add(l, v[0]);
      }
      break;
   case GL_TRIANGLES:
      for (unsigned i = 0; i < n / 3 * 3; i++)
         add(l, v[i]);
      break;
   case GL_TRIANGLE_STRIP:
      for (unsigned i = 0; i + 2 < n; i++) {
         add(l, v[i + (i & 1)]);
         add(l, v[i + !(i & 1)]);
         add(l, v[i + 2]);
      }
      break;
   case GL_TRIANGLE_FAN:
      for (unsigned i = 1; i + 1 < n; i++) {
         add(l, v[0]);
         add(l, v[i]);
         add(l, v[i + 1]);
      }
      break;
   case GL_LINES_ADJACENCY:
   case GL_TRIANGLES_ADJACENCY:
      for (unsigned i = 0; i < n / adjacent * adjacent; i++)
         add(l, v[i]);
      break;
   case GL_LINE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 3 < n; i++) {
         for (unsigned k = 0; k < 4; k++)
            add(l, v[i + k]);
      }
      break;
   default:
      for (unsigned i = 0; n >= 6 && i < (n - 4) / 2; i++)
         add_strip_adjacency(l, v, i, (n - 4) / 2);
      break;
   }
}

static const struct {
   const char *input; /* of the geometry shader */
   unsigned vertices; /* of an input primitive */
   GLenum mode;
} modes[] = {
    {"points", 1, GL_POINTS},
    {"lines", 2, GL_LINES},
    {"lines", 2, GL_LINE_STRIP},
    {"lines", 2, GL_LINE_LOOP},
    {"triangles", 3, GL_TRIANGLES},
    {"triangles", 3, GL_TRIANGLE_STRIP},
    {"triangles", 3, GL_TRIANGLE_FAN},
    {"lines_adjacency", 4, GL_LINES_ADJACENCY},
    {"lines_adjacency", 4, GL_LINE_STRIP_ADJACENCY},
    {"triangles_adjacency", 6, GL_TRIANGLES_ADJACENCY},
    {"triangles_adjacency", 6, GL_TRIANGLE_STRIP_ADJACENCY},
};

/* Every vertex of every primitive, as a point. */
static void
input_primitives(void)
{
   /* 10 vertices, 5, 0, 11: restart index 99. */
   static const GLubyte indices[] = {3, 1,  4,  15, 9, 2, 6, 5,  35, 8, 99, 7, 9,  32, 38,
                                     4, 99, 99, 62, 6, 4, 3, 38, 32, 7, 95, 0, 28, 84};
   const unsigned num_indices = sizeof(indices);
   int32_t vertex[64];
   for (unsigned m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
      char source[512], what[64];
      snprintf(
          source, sizeof(source),
          "layout(%s) in; layout(points, max_vertices = 6) out; in float n[]; flat out int v;\n"
          "void main() { for (int i = 0; i < n.length(); i++) { v = int(n[i]); EmitVertex(); "
          "} }",
          modes[m].input);
      const GLuint p = program(VERTEX, source, NULL, "v");
      for (unsigned n = 0; n < 20; n++) {
         struct list want = {.num = 0};
         for (unsigned i = 0; i < n; i++)
            vertex[i] = (int32_t)(i + 5);
         assemble(&want, modes[m].mode, vertex, n);
         const GLuint query = begin_capture(GL_POINTS);
         glDrawArrays(modes[m].mode, 5, (GLsizei)n);
         snprintf(what, sizeof(what), "mode %u of %u vertices", modes[m].mode, n);
         expect(what, want.value, want.num, finish_capture(query, 1));
      }
      struct list want = {.num = 0};
      for (unsigned i = 0, n = 0; i <= num_indices; i++) {
         if (i < num_indices && indices[i] != 99) {
            vertex[n++] = indices[i];
            continue;
         }
         assemble(&want, modes[m].mode, vertex, n);
         n = 0;
      }
      glEnable(GL_PRIMITIVE_RESTART);
      glPrimitiveRestartIndex(99);
      const GLuint query = begin_capture(GL_POINTS);
      glDrawElements(modes[m].mode, (GLsizei)num_indices, GL_UNSIGNED_BYTE, indices);
      snprintf(what, sizeof(what), "mode %u with indices and restart", modes[m].mode);
      expect(what, want.value, want.num, finish_capture(query, 1));
      glDisable(GL_PRIMITIVE_RESTART);
      glDeleteProgram(p);
   }
}

/* --- Strips --- */

static const struct {
   const char *output;
   GLenum captured, mode;
   unsigned vertices;
} outputs[] = {
    {"points", GL_POINTS, GL_POINTS, 1},
    {"line_strip", GL_LINES, GL_LINE_STRIP, 2},
    {"triangle_strip", GL_TRIANGLES, GL_TRIANGLE_STRIP, 3},
};

/* Point n emits n % 9 vertices, and cuts after every third or fifth. Most emit other numbers than
 * their neighbours, some none. */
static void
strips(void)
{
   for (unsigned o = 0; o < 3; o++) {
      char source[640];
      struct list want = {.num = 0};
      snprintf(
          source, sizeof(source),
          "layout(points) in; layout(%s, max_vertices = 9) out; in float n[]; flat out int v;\n"
          "void main() { int number = int(n[0]);\n"
          "for (int i = 0; i < number %% 9; i++) {\n"
          "v = number * 10 + i; gl_Position = vec4(0); EmitVertex();\n"
          "if (i %% (number %% 2 == 0 ? 3 : 5) == 2) EndPrimitive(); } }",
          outputs[o].output);
      program(VERTEX, source, NULL, "v");
      for (int32_t n = 0; n < 100; n++) {
         int32_t strip[9];
         unsigned num = 0;
         for (int32_t i = 0; i < n % 9; i++) {
            strip[num++] = n * 10 + i;
            if (i % (n % 2 ? 5 : 3) == 2 || i + 1 == n % 9) {
               assemble(&want, outputs[o].mode, strip, num);
               num = 0;
            }
         }
      }
      const GLuint query = begin_capture(outputs[o].captured);
      glDrawArrays(GL_POINTS, 0, 100);
      expect(outputs[o].output, want.value, want.num, finish_capture(query, outputs[o].vertices));
   }
}

/* As many as OpenGL 3.3 wants, with four values each: 1,024 components. */
static void
many_vertices(void)
{
   struct list want = {.num = 0};
   GLint most, components;
   glGetIntegerv(GL_MAX_GEOMETRY_OUTPUT_VERTICES, &most);
   glGetIntegerv(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, &components);
   CHECK(most >= 256 && components >= 1024, "%d vertices, %d components", most, components);
   program(VERTEX,
           "layout(points) in; layout(points, max_vertices = 256) out; in float n[];\n"
           "flat out ivec4 v;\n"
           "void main() { for (int i = 0; i < 256; i++) { v = ivec4(int(n[0]), i, 7, -i); "
           "EmitVertex(); } }",
           NULL, "v");
   for (int32_t n = 0; n < 7; n++) {
      for (int32_t i = 0; i < 256; i++) {
         add(&want, n);
         add(&want, i);
         add(&want, 7);
         add(&want, -i);
      }
   }
   const GLuint query = begin_capture(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 7);
   expect("256 vertices", want.value, want.num, finish_capture(query, 4));
}

/* --- What a shader reads --- */

/* Any vertex, any element of an array, with indices that differ; a block, a texture; a vertex
 * shader that writes no position, and inputs that it does not write. */
static void
inputs(void)
{
   static const GLfloat texels[8] = {10, 11, 12, 13, 14, 15, 16, 17};
   struct list want = {.num = 0};
   GLuint block, texture;
   GLint block_data[4 * 4];
   const GLuint p = program(
       "in float p; out float n; out B { vec4 more[2]; } b;\n"
       "void main() { n = p; b.more[0] = vec4(p, 1, 2, 3);\n"
       "b.more[1] = vec4(4, 5, p * 2.0, 6); }",
       "layout(triangles) in; layout(points, max_vertices = 3) out; in float n[];\n"
       "in B { vec4 more[2]; } b[];\n"
       "layout(std140) uniform Block { ivec4 c[4]; }; uniform sampler1D image; uniform int three;\n"
       "flat out int v;\n"
       "void main() {\n"
       "int first = int(n[0]);\n"
       "v = int(n[first % three]) * 1000 + int(b[(first + 1) % three].more[first % 2].z); "
       "EmitVertex();\n"
       "v = c[first % 4].y + gl_in.length(); EmitVertex();\n"
       "if (first % 2 == 1) return;\n"
       "v = int(textureLod(image, (float(first % 8) + 0.5) / 8.0, 0.0).x) + gl_PrimitiveIDIn * "
       "100; "
       "EmitVertex(); }",
       NULL, "v");
   for (GLint i = 0; i < 16; i++)
      block_data[i] = 100 * i;
   glGenBuffers(1, &block);
   glBindBuffer(GL_UNIFORM_BUFFER, block);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(block_data), block_data, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, block);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_1D, texture);
   glTexImage1D(GL_TEXTURE_1D, 0, GL_R32F, 8, 0, GL_RED, GL_FLOAT, texels);
   glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glUniform1i(glGetUniformLocation(p, "three"), 3);
   for (int32_t i = 0; i < 30; i++) {
      const int32_t first = 2 + i, a = first + first % 3, b = first + (first + 1) % 3;
      add(&want, a * 1000 + (first % 2 ? b * 2 : 2));
      add(&want, 100 * (4 * (first % 4) + 1) + 3);
      if (first % 2 == 0)
         add(&want, 10 + first % 8 + 100 * i);
   }
   /* A fan of triangles does not begin with consecutive numbers: a list does. */
   GLubyte indices[90];
   for (unsigned i = 0; i < 90; i++)
      indices[i] = (GLubyte)(2 + i / 3 + i % 3);
   const GLuint query = begin_capture(GL_POINTS);
   glDrawElements(GL_TRIANGLES, 90, GL_UNSIGNED_BYTE, indices);
   expect("inputs", want.value, want.num, finish_capture(query, 1));
   glDeleteTextures(1, &texture);
}

/* The number of a primitive begins anew with every instance, and with every draw. */
static void
numbers_of_primitives(void)
{
   struct list want = {.num = 0};
   program("in float p; out float n; void main() { n = p + 1000.0 * "
           "float(gl_InstanceID); }",
           "layout(lines) in; layout(points, max_vertices = 1) out; in float n[]; flat out int v;\n"
           "void main() { v = int(n[1]) * 100 + gl_PrimitiveIDIn; EmitVertex(); }",
           NULL, "v");
   const GLuint query = begin_capture(GL_POINTS);
   glDrawArraysInstanced(GL_LINE_STRIP, 4, 40, 3);
   glDrawArrays(GL_LINES, 0, 6);
   for (int32_t i = 0; i < 3; i++) {
      for (int32_t k = 0; k < 39; k++)
         add(&want, (1000 * i + 5 + k) * 100 + k);
   }
   for (int32_t k = 0; k < 3; k++)
      add(&want, (2 * k + 1) * 100 + k);
   expect("numbers of primitives", want.value, want.num, finish_capture(query, 1));
}

/* --- Queries --- */

/* Each line becomes 2 triangles; of 20 there is room for 7. Then what was captured is drawn. */
static void
queries(void)
{
   GLuint query[2], result[2], feedback;
   program(VERTEX,
           "layout(lines) in; layout(triangle_strip, max_vertices = 4) out; in float n[];\n"
           "flat out int v;\n"
           "void main() { for (int i = 0; i < 4; i++) { v = int(n[0]); gl_Position = vec4(0); "
           "EmitVertex(); } }",
           NULL, "v");
   glGenTransformFeedbacks(1, &feedback);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured_buffer, 0, 4 * (3 * 7 + 2));
   glEnable(GL_RASTERIZER_DISCARD);
   glGenQueries(2, query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_LINES, 0, 20);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glDrawArrays(GL_LINES, 0, 6); /* without feedback */
   glUseProgram(0);
   glDrawArrays(GL_LINES, 0, 6); /* without geometry shader */
   glEndQuery(GL_PRIMITIVES_GENERATED);
   for (unsigned i = 0; i < 2; i++)
      glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &result[i]);
   CHECK_OR(right = false, result[0] == 20 + 6 + 3, "%u primitives generated, expected 29",
            result[0]);
   CHECK_OR(right = false, result[1] == 7, "%u primitives written, expected 7", result[1]);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
   glDrawTransformFeedback(GL_TRIANGLES, feedback);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectuiv(query[0], GL_QUERY_RESULT, &result[0]);
   CHECK_OR(right = false, result[0] == 7, "%u captured primitives drawn, expected 7", result[0]);
   glDisable(GL_RASTERIZER_DISCARD);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
   glDeleteQueries(2, query);
}

/* --- Pixels --- */

static const GLubyte *
pixel(unsigned x, unsigned y)
{
   static GLubyte pixels[SIZE * SIZE][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < sizeof(pixels); i++)
      sum = (sum ^ ((GLubyte *)pixels)[i]) * 16777619u;
   return pixels[y * SIZE + x];
}

static void
expect_pixel(const char *what, unsigned x, unsigned y, unsigned red, unsigned green)
{
   const GLubyte *p = pixel(x, y);
   CHECK_OR(right = false, p[0] == red && p[1] == green, "%s: pixel %u, %u is %u, %u, not %u, %u",
            what, x, y, p[0], p[1], red, green);
}

/* A point becomes a square over the whole picture whose halves have colours of their own: those of
 * the provoking vertices. A clip distance cuts its top quarter off. */
static void
flat_and_clipped(void)
{
   static const char geometry[] =
       "layout(points) in; layout(triangle_strip, max_vertices = 4) out; in float n[];\n"
       "flat out vec2 color; out float gl_ClipDistance[1];\n"
       "void main() { for (int i = 0; i < 4; i++) {\n"
       "gl_Position = vec4(i % 2 * 2 - 1, i / 2 * 2 - 1, 0, 1); color = vec2(float(i) / 5.0, 1);\n"
       "gl_ClipDistance[0] = 0.5 - gl_Position.y; EmitVertex(); } }";
   static const char fragment[] =
       "flat in vec2 color; void main() { gl_FragColor = vec4(color, 0, 1); }";
   program(VERTEX, geometry, fragment, NULL);
   for (unsigned first = 0; first < 2; first++) {
      glClear(GL_COLOR_BUFFER_BIT);
      glProvokingVertex(first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
      glEnable(GL_CLIP_DISTANCE0);
      glDrawArrays(GL_POINTS, 0, 1);
      glDisable(GL_CLIP_DISTANCE0);
      expect_pixel("first triangle", 1, 1, first ? 0 : 2 * 51, 255);
      expect_pixel("second triangle", SIZE - 2, SIZE / 2 + 2, first ? 51 : 3 * 51, 255);
      expect_pixel("clipped", 8, SIZE - 2, 0, 0);
   }
   glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
}

/* gl_PrimitiveID of the fragment shader: the geometry shader's where there is one, else the
 * primitive's. A point has the size that the geometry shader gives it. */
static void
points_and_numbers(void)
{
   static const char fragment[] =
       "void main() { gl_FragColor = vec4(0, float(gl_PrimitiveID) / 255.0, 0, 1); }";
   program("in float p; void main() { gl_Position = vec4((p - 1.9) / 3.0, 0.03, 0, 1); }",
           "layout(points) in; layout(points, max_vertices = 1) out;\n"
           "void main() { gl_Position = gl_in[0].gl_Position;\n"
           "gl_PrimitiveID = gl_PrimitiveIDIn * 7 + 3; gl_PointSize = 4.0; EmitVertex(); }",
           fragment, NULL);
   glEnable(GL_PROGRAM_POINT_SIZE);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, 5);
   expect_pixel("a point's number", 8, 8, 0, 2 * 7 + 3);
   expect_pixel("a point's corner", 6, 6, 0, 2 * 7 + 3);
   expect_pixel("beside a point", 8, 11, 0, 0);
   expect_pixel("another point's number", 2, 8, 0, 3);
   glDisable(GL_PROGRAM_POINT_SIZE);
   program("in float p; void main() { gl_Position = vec4((p - 1.9) / 3.0, 0.03, 0, 1); }", NULL,
           fragment, NULL);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, 5);
   expect_pixel("without a geometry shader", 8, 8, 0, 2);
}

/* Primitives with adjacency are drawn without the adjacent vertices if no geometry shader takes
 * them. */
static void
adjacency_without_shader(void)
{
   /* Vertices 1 and 2 are the line's, 0, 2 and 4 the triangle's. */
   program(
       "in float p; void main() { int i = int(p);\n"
       "gl_Position = vec4(i == 1 || i == 4 ? -1 : i == 2 ? 3 : 0, i == 4 ? 3 : i == 1 || i == 2 "
       "? 0.05 : -1, 0, 1); if (i == 0) gl_Position.x = -1; }",
       NULL, "void main() { gl_FragColor = vec4(1); }", NULL);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_LINES_ADJACENCY, 0, 4);
   expect_pixel("a line with adjacency", 3, 8, 255, 255);
   expect_pixel("beside a line with adjacency", 3, 3, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES_ADJACENCY, 0, 6);
   expect_pixel("a triangle with adjacency", 1, 8, 255, 255);
}

int
main(void)
{
   float data[256];
   GLuint vertices;
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   for (unsigned i = 0; i < 256; i++)
      data[i] = (float)i;
   glGenBuffers(1, &vertices);
   glBindBuffer(GL_ARRAY_BUFFER, vertices);
   glBufferData(GL_ARRAY_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glGenBuffers(1, &captured_buffer);
   glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, captured_buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 4 * WORDS, NULL, GL_DYNAMIC_COPY);
   input_primitives();
   strips();
   many_vertices();
   inputs();
   numbers_of_primitives();
   queries();
   flat_and_clipped();
   points_and_numbers();
   adjacency_without_shader();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   printf("captured %08x\n", sum);
   return !right;
}
