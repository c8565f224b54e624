/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Uniform blocks, in GLSL 1.20 to 1.50 with ARB_uniform_buffer_object: layouts, indices that
 * differ from pixel to pixel, arrays of blocks, many blocks, large ones, ranges and what is outside
 * them, buffers that change between draws, also by the GPU. Each check draws green when it is
 * right. Prints a line for each that is not. Not here: errors and queries (piglit). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 16, VEC4S = 4096, BLOCKS = 12 };

static bool right = true;

#define EXTENSION "#extension GL_ARB_uniform_buffer_object: require\n"
#define VERTEX "void main() { gl_Position = gl_Vertex; }"

/* ok: what must be true of every fragment. */
static GLuint
fragments_of(const char *version, const char *declarations, const char *ok)
{
   char source[4096];
   snprintf(source, sizeof(source),
            "%s\nvoid main() { gl_FragColor = (%s) ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }",
            declarations, ok);
   return util_program(version, VERTEX, source);
}

static GLuint
fragments(const char *declarations, const char *ok)
{
   return fragments_of("#version 130\n" EXTENSION, declarations, ok);
}

static void
draw_and_check(const char *name)
{
   glClear(GL_COLOR_BUFFER_BIT);
   glRectf(-1, -1, 1, 1);
   const unsigned wrong = util_not_green(SIZE);
   CHECK_OR(right = false, !wrong, "%s: %u of %d pixels are not green", name, wrong, SIZE * SIZE);
}

static GLuint
buffer(const void *data, GLsizeiptr size)
{
   GLuint name;
   glGenBuffers(1, &name);
   glBindBuffer(GL_UNIFORM_BUFFER, name);
   glBufferData(GL_UNIFORM_BUFFER, size, data, GL_DYNAMIC_DRAW);
   return name;
}

static void
bind_block(GLuint name, const char *block, GLuint binding)
{
   const GLuint index = glGetUniformBlockIndex(name, block);
   CHECK(index != GL_INVALID_INDEX, "no block %s", block);
   glUniformBlockBinding(name, index, binding);
}

/* Every type in its place of std140. */
static void
standard_layout(void)
{
   struct {
      GLfloat a, pad[3], b[3], c; /* 0, 16, 28 */
      GLfloat m[3][4], d[3][4];   /* 32, 80 */
      GLint i[2], t;              /* 128, 136 */
      GLuint u;                   /* 140 */
      GLfloat s[2][4];            /* 144 */
   } data = {.a = 1.5f, .b = {2, 3, 4}, .c = 5, .i = {-7, 1 << 30}, .t = 1, .u = 4000000001u};
   for (unsigned k = 0; k < 3; k++) {
      for (unsigned c = 0; c < 3; c++)
         data.m[k][c] = (GLfloat)(10 * k + c);
      data.d[k][0] = (GLfloat)(100 + k);
   }
   data.s[1][0] = 41;
   data.s[1][3] = 42;
   const GLuint p = fragments(
       "struct S { float x; vec2 y; };\n"
       "layout(std140) uniform B { float a; vec3 b; float c; mat3 m; float d[3]; ivec2 i; bool t; "
       "uint u; S s[2]; };",
       "a == 1.5 && b == vec3(2, 3, 4) && c == 5.0 && m[2] == vec3(20, 21, 22) && m[1][2] == 12.0 "
       "&& d[0] == 100.0 && d[2] == 102.0 && i == ivec2(-7, 1 << 30) && t && u == 4000000001u && "
       "s[1].x == 41.0 && s[1].y.y == 42.0");
   bind_block(p, "B", 0);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer(&data, sizeof(data)));
   draw_and_check("std140");
}

/* Mesa says where members are. */
static void
shared_layout(void)
{
   static const GLchar *const names[] = {"x", "y[0]", "z"};
   GLuint index[3];
   GLint offset[3], size, stride;
   GLubyte data[1024] = {0};
   const GLuint p =
       fragments("uniform B { float x; vec2 y[2]; int z; };", "x == 3.0 && y[1] == vec2(4, 5) && "
                                                              "z == 6");
   glGetUniformIndices(p, 3, names, index);
   glGetActiveUniformsiv(p, 3, index, GL_UNIFORM_OFFSET, offset);
   glGetActiveUniformsiv(p, 1, &index[1], GL_UNIFORM_ARRAY_STRIDE, &stride);
   glGetActiveUniformBlockiv(p, glGetUniformBlockIndex(p, "B"), GL_UNIFORM_BLOCK_DATA_SIZE, &size);
   CHECK(size > 0 && size < (GLint)sizeof(data), "a block of %d bytes", size);
   memcpy(data + offset[0], &(GLfloat){3}, 4);
   memcpy(data + offset[1] + stride, (GLfloat[2]){4, 5}, 8);
   memcpy(data + offset[2], &(GLint){6}, 4);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer(data, size));
   draw_and_check("shared layout");
}

static GLfloat numbers[VEC4S][4];

/* The index is another one in each pixel. */
static void
indices(void)
{
   static const char block[] = "layout(std140) uniform B { vec4 v[4096]; };";
   GLuint p = fragments(block, "v[int(gl_FragCoord.y) * 16 + int(gl_FragCoord.x)] == "
                               "vec4(int(gl_FragCoord.y) * 16 + int(gl_FragCoord.x), 1, 2, 3)");
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer(numbers, sizeof(numbers)));
   draw_and_check("an index for each pixel");
   p = fragments(block, "v[4095].x == 4095.0 && v[int(gl_FragCoord.x) * 273].x == "
                        "float(int(gl_FragCoord.x) * 273)");
   bind_block(p, "B", 0);
   draw_and_check("the last of 64 KB");
   p = util_program(
       "#version 120\n" EXTENSION, VERTEX,
       "layout(std140) uniform B { vec4 v[4096]; };\nuniform int three;\n"
       "void main() { vec4 sum = vec4(0.0); for (int i = 0; i < 5; i++) sum += v[i + three];\n"
       "gl_FragColor = sum == vec4(25, 5, 10, 15) ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
   glUniform1i(glGetUniformLocation(p, "three"), 3);
   draw_and_check("GLSL 1.20");
}

static void
arrays_of_blocks(void)
{
   const GLuint p =
       fragments_of("#version 150 compatibility\n", "layout(std140) uniform B { vec4 v; } b[3];",
                    "b[0].v.x == 16.0 && b[1].v.x == 0.0 && b[2].v.x == 32.0");
   GLint align;
   glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align);
   CHECK(align > 0 && align <= 256, "offsets are multiples of %d", align);
   const GLuint name = buffer(numbers, sizeof(numbers));
   for (unsigned i = 0; i < 3; i++) {
      const char *const blocks[] = {"B[0]", "B[1]", "B[2]"};
      const GLintptr vec4[] = {16, 0, 32};
      bind_block(p, blocks[i], 4 + i);
      glBindBufferRange(GL_UNIFORM_BUFFER, 4 + i, name, vec4[i] * 16, 16);
   }
   draw_and_check("an array of blocks");
}

/* As many as OpenGL 3.1 wants, in both stages. */
static void
many_blocks(void)
{
   char vertex[2048], fragment[2048], one[128];
   const GLuint name = buffer(numbers, sizeof(numbers));
   strcpy(vertex, "varying float sum;\n");
   strcpy(fragment, "varying float sum;\n");
   for (unsigned i = 0; i < BLOCKS; i++) {
      snprintf(one, sizeof(one), "layout(std140) uniform V%u { vec4 v%u; };\n", i, i);
      strcat(vertex, one);
      snprintf(one, sizeof(one), "layout(std140) uniform F%u { vec4 f%u; };\n", i, i);
      strcat(fragment, one);
   }
   strcat(vertex, "void main() { gl_Position = gl_Vertex; sum = 0.0;\n");
   strcat(fragment, "void main() { float all = sum;\n");
   for (unsigned i = 0; i < BLOCKS; i++) {
      snprintf(one, sizeof(one), "sum += v%u.x;\n", i);
      strcat(vertex, one);
      snprintf(one, sizeof(one), "all += f%u.x;\n", i);
      strcat(fragment, one);
   }
   strcat(vertex, "}");
   strcat(fragment, "gl_FragColor = all == 27600.0 ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
   const GLuint p = util_program("#version 130\n" EXTENSION, vertex, fragment);
   for (unsigned i = 0; i < BLOCKS; i++) {
      snprintf(one, sizeof(one), "V%u", i);
      bind_block(p, one, i);
      glBindBufferRange(GL_UNIFORM_BUFFER, i, name, 16 * 100 * i, 16);
      snprintf(one, sizeof(one), "F%u", i);
      bind_block(p, one, BLOCKS + i);
      glBindBufferRange(GL_UNIFORM_BUFFER, BLOCKS + i, name, 16 * 100 * (BLOCKS + i), 16);
   }
   draw_and_check("12 blocks in each stage");
}

/* Outside of what is bound, and of nothing at all, there are zeros. */
static void
limits(void)
{
   GLuint p = fragments("layout(std140) uniform B { vec4 v[64]; };",
                        "v[int(gl_FragCoord.x) + 10] == (gl_FragCoord.x < 5.0 ? "
                        "vec4(int(gl_FragCoord.x) + 20, 1, 2, 3) : vec4(0))");
   glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer(numbers, sizeof(numbers)), 10 * 16, 15 * 16);
   draw_and_check("the end of a range");
   p = fragments("layout(std140) uniform B { vec4 v; };", "v == vec4(0)");
   bind_block(p, "B", 7);
   glBindBufferBase(GL_UNIFORM_BUFFER, 7, 0);
   draw_and_check("no buffer");
}

/* What is drawn after a change sees it, what was drawn before does not. */
static void
changes(void)
{
   const GLfloat nine[4] = {9, 1, 2, 3};
   GLint want;
   const GLuint p = fragments("uniform int want; layout(std140) uniform B { vec4 v[16]; };",
                              "v[3] == vec4(want, 1, 2, 3)");
   want = glGetUniformLocation(p, "want");
   const GLuint name = buffer(numbers, 4096), other = buffer(numbers[100], 4096);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, name);
   glUniform1i(want, 3);
   draw_and_check("before a change");
   glBindBuffer(GL_UNIFORM_BUFFER, name);
   glBufferSubData(GL_UNIFORM_BUFFER, 3 * 16, 16, nine);
   glUniform1i(want, 9);
   draw_and_check("glBufferSubData");
   GLfloat *map = glMapBuffer(GL_UNIFORM_BUFFER, GL_READ_WRITE);
   CHECK(map && map[12] == 9, "a map of a uniform buffer");
   map[12] = 11;
   glUnmapBuffer(GL_UNIFORM_BUFFER);
   glUniform1i(want, 11);
   draw_and_check("glMapBuffer");
   glBufferData(GL_UNIFORM_BUFFER, 4096, numbers[200], GL_DYNAMIC_DRAW);
   glUniform1i(want, 203);
   draw_and_check("glBufferData");
   glBindBuffer(GL_COPY_READ_BUFFER, other);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_UNIFORM_BUFFER, 0, 0, 4096);
   glUniform1i(want, 103);
   draw_and_check("glCopyBufferSubData");
}

/* Pixels that were drawn are read as a block. */
static void
pixels(void)
{
   const GLuint p = fragments("layout(std140) uniform B { uvec4 v[64]; };",
                              "v[int(gl_FragCoord.x)] == uvec4(0xff00ff00u)");
   const GLuint name = buffer(NULL, SIZE * SIZE * 4);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, name);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glClearColor(0, 0, 0, 0);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   bind_block(p, "B", 0);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, name);
   draw_and_check("pixels");
}

/* Values that are made of a member and indexed. */
static void
indexed_values(void)
{
   static const GLfloat data[4] = {1, 2, 3, 4};
   static const char *const values[] = {"v.wzyx[n]", "v.wzyx[0]", "v.zw[1]", "vec4(v.wzyx)[n]",
                                        "vec2(v.w)[1]"};
   buffer(data, sizeof(data));
   for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
      char ok[64];
      snprintf(ok, sizeof(ok), "%s == 4.0", values[i]);
      const GLuint p = fragments("layout(std140) uniform B { vec4 v; }; uniform int n;", ok);
      bind_block(p, "B", 0);
      GLint name;
      glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &name);
      glBindBufferBase(GL_UNIFORM_BUFFER, 0, (GLuint)name);
      draw_and_check(values[i]);
   }
}

int
main(void)
{
   GLint bytes, blocks[2];
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &bytes);
   glGetIntegerv(GL_MAX_VERTEX_UNIFORM_BLOCKS, &blocks[0]);
   glGetIntegerv(GL_MAX_FRAGMENT_UNIFORM_BLOCKS, &blocks[1]);
   CHECK(bytes >= 65536 && blocks[0] >= BLOCKS && blocks[1] >= BLOCKS,
         "%d and %d blocks of %d bytes", blocks[0], blocks[1], bytes);
   for (unsigned i = 0; i < VEC4S; i++)
      memcpy(numbers[i], (GLfloat[4]){(GLfloat)i, 1, 2, 3}, sizeof(numbers[i]));
   standard_layout();
   shared_layout();
   indices();
   arrays_of_blocks();
   many_blocks();
   limits();
   changes();
   pixels();
   indexed_values();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !right;
}
