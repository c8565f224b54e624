/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of constants in memory, which the original has not. What each should cost:
 * cases.txt.
 */
#include "microbench.h"
#include "../gl/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VEC4S = 64, LOADS = 16 };

static GLuint
compiled(GLenum kind, const char *source)
{
   const char *text[] = {"#version 120\n#extension GL_ARB_uniform_buffer_object: require\n"
                         "layout(std140) uniform B { ivec4 v[64]; };\n",
                         source};
   char log[1024] = "";
   GLint ok;
   const GLuint name = glCreateShader(kind);
   glShaderSource(name, 2, text, NULL);
   glCompileShader(name);
   glGetShaderiv(name, GL_COMPILE_STATUS, &ok);
   glGetShaderInfoLog(name, sizeof(log), NULL, log);
   CHECK_OR(exit(1), ok, "%s\n%s", source, log);
   return name;
}

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
   const GLuint program = glCreateProgram();
   glAttachShader(program,
                  compiled(GL_VERTEX_SHADER, "void main() { gl_Position = ftransform(); }"));
   glAttachShader(program, compiled(GL_FRAGMENT_SHADER, text));
   glLinkProgram(program);
   glUseProgram(program);
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

const struct bench_case constants_cases[] = {
    {.name = "constants_same", .draw = constants_same, .ours_only = true},
    {.name = "constants_each", .draw = constants_each, .ours_only = true},
    {0},
};
