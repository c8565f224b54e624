/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of integer instructions, which the original's OpenGL does not reach. What each
 * should cost: cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdio.h>

enum { CHAIN = 16 };

/* A screen whose fragments execute a statement so many times. Nothing is known of w when the
 * program is compiled. */
static void
repeated(const char *statement, const char *result)
{
   char text[2048];
   size_t n = (size_t)snprintf(text, sizeof(text),
                               "uniform ivec4 w;\n"
                               "void main() {\nivec4 v = w;\nivec4 u = w.wzyx;\n");
   for (unsigned i = 0; i < CHAIN; i++)
      n += (size_t)snprintf(text + n, sizeof(text) - n, "%s\n", statement);
   snprintf(text + n, sizeof(text) - n, "gl_FragColor = %s;\n}", result);
   bench_start();
   const GLuint program =
       util_program("#version 130\n#extension GL_ARB_shader_bit_encoding: require\n",
                    "void main() { gl_Position = ftransform(); }", text);
   glUniform4i(glGetUniformLocation(program, "w"), 3, 5, 7, 11);
   bench_slope(bench_screen, 0, 0);
}

static void
int_add(void)
{
   repeated("v = v.yzwx + w;", "intBitsToFloat(v)");
}

static void
int_multiply(void)
{
   repeated("v = v * w;", "intBitsToFloat(v)");
}

static void
int_independent(void)
{
   repeated("v = v * w; u = u + w;", "intBitsToFloat(v) + intBitsToFloat(u)");
}

static void
int_compare(void)
{
   repeated("v = ivec4(lessThan(v.yzwx, w));", "vec4(v)");
}

const struct bench_case integer_cases[] = {
    {.name = "int_add", .draw = int_add, .ours_only = true},
    {.name = "int_multiply", .draw = int_multiply, .ours_only = true},
    {.name = "int_independent", .draw = int_independent, .ours_only = true},
    {.name = "int_compare", .draw = int_compare, .ours_only = true},
    {0},
};
