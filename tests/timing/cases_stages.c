/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of what is behind the vertices: stream-out and the geometry stage, which the
 * original has not. But for the meshes vertices have no attributes but their numbers, and nothing
 * is rasterised, so that neither memory nor fragments are in the way. What each should cost:
 * cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdio.h>
#include <string.h>

enum {
   POINTS = 8192,
   WORDS = 32 /* that a vertex writes to memory */,
   APART = 5 * 4096,
   MESH = 64
};

#define HEADER "#version 150 compatibility\n"

static GLuint
program(const char *vertex, const char *geometry)
{
   const GLuint name = glCreateProgram();
   glAttachShader(name, util_shader(GL_VERTEX_SHADER, HEADER, vertex));
   if (geometry)
      glAttachShader(name, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
   return name;
}

/* --- Stream-out --- */

/* Every vertex is eight vectors: all to one buffer, or two to each of four, which begin in
 * different channels. */
static void
streamed(GLenum mode, GLenum primitives, GLsizei count, unsigned written, bool apart)
{
   static const char *const together[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"};
   static const char *const four[] = {"v0", "v1", "gl_NextBuffer", "v2", "v3", "gl_NextBuffer",
                                      "v4", "v5", "gl_NextBuffer", "v6", "v7"};
   const unsigned buffers = apart ? 4 : 1;
   bench_start();
   const GLuint p = program("out vec4 v0, v1, v2, v3, v4, v5, v6, v7;\n"
                            "void main() { gl_Position = v0 = v1 = v2 = v3 = v4 = v5 = v6 = v7 = "
                            "vec4(float(gl_VertexID)); }",
                            NULL);
   glTransformFeedbackVaryings(p, apart ? 11 : 8, apart ? four : together, GL_INTERLEAVED_ATTRIBS);
   util_link(p);
   for (unsigned i = 0; i < buffers; i++) {
      GLuint name;
      glGenBuffers(1, &name);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, name);
      glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER,
                   (GLsizeiptr)(written * WORDS * 4 / buffers + APART), NULL, GL_DYNAMIC_COPY);
   }
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(primitives);
   glDrawArrays(mode, 0, count);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
}

static void
stream_points(void)
{
   streamed(GL_POINTS, GL_POINTS, POINTS, POINTS, false);
}

static void
stream_buffers(void)
{
   streamed(GL_POINTS, GL_POINTS, POINTS, POINTS, true);
}

/* Each vertex belongs to three triangles. */
static void
stream_triangles(void)
{
   streamed(GL_TRIANGLE_STRIP, GL_TRIANGLES, POINTS / 2 + 2, POINTS / 2 * 3, false);
}

/* --- The geometry stage --- */

/* So many vertices of primitives that a shader turns into others. */
static void
staged(GLenum mode, GLsizei count, const char *geometry)
{
   bench_start();
   const GLuint p =
       program("out vec4 a; void main() { gl_Position = a = vec4(float(gl_VertexID)); }", geometry);
   util_link(p);
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawArrays(mode, 0, count);
   glDisable(GL_RASTERIZER_DISCARD);
}

/* A point becomes a strip of so many vertices; the shader says that it may have more. */
static void
expanded(unsigned vertices, unsigned declared)
{
   char text[1024];
   snprintf(text, sizeof(text),
            "layout(points) in; layout(triangle_strip, max_vertices = %u) out;\n"
            "in vec4 a[]; out vec4 b;\n"
            "void main() { for (int i = 0; i < %u; i++) { gl_Position = gl_in[0].gl_Position;\n"
            "b = a[0] * float(i); EmitVertex(); } }",
            declared, vertices);
   staged(GL_POINTS, POINTS, text);
}

static void
stage_points(void)
{
   staged(GL_POINTS, POINTS,
          "layout(points) in; layout(points, max_vertices = 1) out; in vec4 a[]; out vec4 b;\n"
          "void main() { gl_Position = gl_in[0].gl_Position; b = a[0]; EmitVertex(); }");
}

static void
stage_triangles(void)
{
   staged(GL_TRIANGLES, 3 * POINTS,
          "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
          "in vec4 a[]; out vec4 b;\n"
          "void main() { for (int i = 0; i < 3; i++) {\n"
          "gl_Position = gl_in[i].gl_Position; b = a[i]; EmitVertex(); } }");
}

/* A triangle and its three neighbours become a point. */
static void
stage_adjacency(void)
{
   staged(GL_TRIANGLES_ADJACENCY, 6 * POINTS,
          "layout(triangles_adjacency) in; layout(points, max_vertices = 1) out;\n"
          "in vec4 a[]; out vec4 b;\n"
          "void main() { gl_Position = vec4(0); b = vec4(0);\n"
          "for (int i = 0; i < 6; i++) { gl_Position += gl_in[i].gl_Position; b += a[i]; }\n"
          "EmitVertex(); }");
}

static void
stage_lines(void)
{
   staged(GL_LINES_ADJACENCY, 4 * POINTS,
          "layout(lines_adjacency) in; layout(points, max_vertices = 1) out;\n"
          "in vec4 a[]; out vec4 b;\n"
          "void main() { gl_Position = vec4(0); b = vec4(0);\n"
          "for (int i = 0; i < 4; i++) { gl_Position += gl_in[i].gl_Position; b += a[i]; }\n"
          "EmitVertex(); }");
}

static void
stage_four(void)
{
   expanded(4, 4);
}

static void
stage_sixteen(void)
{
   expanded(16, 16);
}

static void
stage_declared_12(void)
{
   expanded(4, 12);
}

static void
stage_declared_64(void)
{
   expanded(4, 64);
}

/* --- A mesh that the stage refines --- */

/* A mesh of side x side quads, two triangles each, of vertices with a position, a normal and a
 * place in a texture, about as many triangles as pixels. The test of "Geometry Shader Performance
 * on the 8800", scaled from 1000 x 1000. */
static void
mesh(unsigned side, const char *geometry)
{
   static GLfloat vertices[(MESH + 1) * (MESH + 1)][8];
   static GLushort indices[MESH * MESH * 6];
   const unsigned row = side + 1;
   GLuint names[2];
   for (unsigned i = 0; i < row * row; i++) {
      const GLfloat x = (GLfloat)(i % row) / (GLfloat)side, y = (GLfloat)(i / row) / (GLfloat)side;
      memcpy(vertices[i], (GLfloat[8]){2 * x - 1, 2 * y - 1, 0, 0, 0, 1, x, y},
             8 * sizeof(GLfloat));
   }
   for (unsigned i = 0; i < side * side; i++) {
      const GLushort a = (GLushort)(i / side * row + i % side), b = (GLushort)(a + row);
      memcpy(indices + 6 * i,
             (GLushort[6]){a, (GLushort)(a + 1), b, b, (GLushort)(a + 1), (GLushort)(b + 1)},
             6 * sizeof(GLushort));
   }
   bench_start();
   const GLuint p = program("attribute vec4 p; attribute vec3 n; attribute vec2 c;\n"
                            "out vec4 light, place; void main() { gl_Position = p;\n"
                            "light = vec4(max(dot(n, vec3(0, 0, 1)), 0.0)); place = c.xyxy; }",
                            geometry);
   glAttachShader(p, util_shader(GL_FRAGMENT_SHADER, HEADER,
                                 geometry ? "in vec4 light2, place2;\n"
                                            "void main() { gl_FragColor = light2 * place2; }"
                                          : "in vec4 light, place;\n"
                                            "void main() { gl_FragColor = light * place; }"));
   glBindAttribLocation(p, 0, "p");
   glBindAttribLocation(p, 1, "n");
   glBindAttribLocation(p, 2, "c");
   util_link(p);
   glGenBuffers(2, names);
   glBindBuffer(GL_ARRAY_BUFFER, names[0]);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(row * row * sizeof(vertices[0])), vertices,
                GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, names[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(side * side * 6 * sizeof(indices[0])),
                indices, GL_STATIC_DRAW);
   for (GLuint i = 0; i < 3; i++) {
      static const GLint size[3] = {3, 3, 2}, at[3] = {0, 12, 24};
      glVertexAttribPointer(i, size[i], GL_FLOAT, GL_FALSE, sizeof(vertices[0]),
                            (const char *)NULL + at[i]);
      glEnableVertexAttribArray(i);
   }
   glViewport(0, 0, MESH, MESH);
   glDrawElements(GL_TRIANGLES, (GLsizei)(side * side * 6), GL_UNSIGNED_SHORT, NULL);
}

/* What a vertex of the result is: the middle of two vertices of the triangle, or one of them. */
#define MIDDLE                                                                     \
   "in vec4 light[], place[]; out vec4 light2, place2;\n"                          \
   "void v(int a, int b) {\n"                                                      \
   "gl_Position = (gl_in[a].gl_Position + gl_in[b].gl_Position) / 2.0;\n"          \
   "light2 = (light[a] + light[b]) / 2.0; place2 = (place[a] + place[b]) / 2.0;\n" \
   "EmitVertex(); }\n"

static void
mesh_plain(void)
{
   mesh(MESH, NULL);
}

static void
mesh_passed(void)
{
   mesh(MESH, "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
              "in vec4 light[], place[]; out vec4 light2, place2;\n"
              "void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;\n"
              "light2 = light[i]; place2 = place[i]; EmitVertex(); } }");
}

/* Four triangles by themselves. */
static void
mesh_triangles(void)
{
   mesh(MESH / 2, "layout(triangles) in; layout(triangle_strip, max_vertices = 12) out;\n" MIDDLE
                  "void main() { v(0, 0); v(0, 1); v(0, 2); EndPrimitive();\n"
                  "v(0, 1); v(1, 1); v(1, 2); EndPrimitive();\n"
                  "v(0, 2); v(1, 2); v(2, 2); EndPrimitive();\n"
                  "v(0, 1); v(1, 2); v(0, 2); }");
}

/* The same four as a strip of three and one. */
static void
mesh_strips(void)
{
   mesh(MESH / 2, "layout(triangles) in; layout(triangle_strip, max_vertices = 8) out;\n" MIDDLE
                  "void main() { v(0, 0); v(0, 1); v(0, 2); v(1, 2); v(2, 2); EndPrimitive();\n"
                  "v(0, 1); v(1, 1); v(1, 2); }");
}

#define CASE(name_)                                    \
   {                                                   \
      .name = #name_, .draw = name_, .ours_only = true \
   }

const struct bench_case stages_cases[] = {
    CASE(stream_points),   CASE(stream_buffers),    CASE(stream_triangles),  CASE(stage_points),
    CASE(stage_triangles), CASE(stage_lines),       CASE(stage_adjacency),   CASE(stage_four),
    CASE(stage_sixteen),   CASE(stage_declared_12), CASE(stage_declared_64), CASE(mesh_plain),
    CASE(mesh_passed),     CASE(mesh_triangles),    CASE(mesh_strips),       {0},
};
