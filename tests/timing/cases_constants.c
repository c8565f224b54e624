/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of constants in memory, which the original has not. What each should cost:
 * cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdio.h>

enum { VEC4S = 64, LARGE = 1024, LOADS = 16 };

#define HEADER                                                        \
   "#version 120\n#extension GL_ARB_uniform_buffer_object: require\n" \
   "layout(std140) uniform B { ivec4 v[64]; };\n"

/* A screen whose fragments go through a list: each load says where the next one is. */
static void
loads(const char *first)
{
   static GLint data[VEC4S][4];
   char text[1024];
   GLuint buffer;
   size_t n = (size_t)snprintf(text, sizeof(text), "void main() {\nint i = %s;\n", first);
   for (unsigned k = 0; k < LOADS; k++)
      n += (size_t)snprintf(text + n, sizeof(text) - n, "i = v[i].x;\n");
   snprintf(text + n, sizeof(text) - n, "gl_FragColor = vec4(float(i) / 64.0);\n}");
   for (int i = 0; i < VEC4S; i++)
      data[i][0] = (5 * i + 3) % VEC4S;
   bench_start();
   util_program(HEADER, "void main() { gl_Position = ftransform(); }", text);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_UNIFORM_BUFFER, buffer);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   bench_slope(bench_screen, 0, 0);
}

static void
constants_same(void)
{
   loads("0");
}

/* Another word for each pixel of a square of 8x8. */
static void
constants_each(void)
{
   loads("int(mod(gl_FragCoord.x, 8.0)) + 8 * int(mod(gl_FragCoord.y, 8.0))");
}

/* A quarter of the screen goes through a list in a block eight times as large as the cache, a line
 * for each load. The 16 fragments of a square of 4x4 want the same, squares near each other others.
 */
static void
constants_missing(void)
{
   static GLint data[LARGE][4];
   GLuint buffer;
   for (int i = 0; i < LARGE; i++)
      data[i][0] = (5 * i + 12) % LARGE;
   bench_start();
   util_program("#version 140\n#extension GL_ARB_compatibility: require\n"
                "layout(std140) uniform B { ivec4 v[1024]; };\n",
                "void main() { gl_Position = ftransform(); }",
                "void main() { vec2 s = floor(gl_FragCoord.xy / 4.0);\n"
                "int i = int(s.x * 596.0 + s.y * 1044.0) & 1020;\n"
                "i = v[i].x; i = v[i].x; i = v[i].x; i = v[i].x;\n"
                "gl_FragColor = vec4(float(i)); }");
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_UNIFORM_BUFFER, buffer);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   bench_slope((struct bench_rect){0, 0, .5, .5}, 0, 0);
}

const struct bench_case constants_cases[] = {
    {.name = "constants_same", .draw = constants_same, .ours_only = true},
    {.name = "constants_each", .draw = constants_each, .ours_only = true},
    {.name = "constants_missing", .draw = constants_missing, .ours_only = true},
    {0},
};
