/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of grids, which the original has not. What each should cost: cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdio.h>

#define HEADER                                   \
   "#version 330 compatibility\n"                \
   "#extension GL_ARB_compute_shader: require\n" \
   "#extension GL_ARB_shader_storage_buffer_object: require\n"
#define OUT "layout(std430) buffer B { uint word[]; };\n"

/* Runs a grid of so many workgroups in x. */
static void
grid(const char *text, GLuint workgroups)
{
   const char *const parts[] = {HEADER, text};
   const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
   GLuint buffer;
   GLint ok;
   bench_start();
   glShaderSource(shader, 2, parts, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "a compute shader does not compile");
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, NULL, GL_STATIC_DRAW);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glDispatchCompute(workgroups, 1, 1);
}

static void
grid_empty(void)
{
   grid("layout(local_size_x = 16) in;\nvoid main() { }", 32768);
}

/* The inputs of a group load from one bank; each load says where the next one is. */
static void
grid_banks(void)
{
   grid("layout(local_size_x = 256) in;\n" OUT "shared uint s[4096];\n"
        "void main() { uint i = gl_LocalInvocationIndex;\n"
        "for (uint k = 0u; k < 16u; k++) s[i + 256u * k] = (i + 256u * k + 16u) & 4095u;\n"
        "barrier(); uint x = 16u * i;\n"
        "for (uint k = 0u; k < 64u; k++) { x = s[x]; x = s[x]; x = s[x]; x = s[x]; }\n"
        "if (x == 5000u) word[0] = x; }",
        64);
}

static void
grid_shared_atomics(void)
{
   grid("layout(local_size_x = 256) in;\n" OUT "shared uint s[2];\n"
        "void main() { for (uint k = 0u; k < 16u; k++) {\n"
        "atomicAdd(s[0], 1u); atomicAdd(s[1], 1u); atomicAdd(s[0], 2u); atomicAdd(s[1], 3u); }\n"
        "barrier(); if (gl_LocalInvocationIndex == 0u) word[gl_WorkGroupID.x] = s[0] + s[1]; }",
        64);
}

const struct bench_case compute_cases[] = {
    {.name = "grid_empty", .draw = grid_empty, .ours_only = true, .grid = true},
    {.name = "grid_banks", .draw = grid_banks, .ours_only = true, .grid = true},
    {.name = "grid_shared_atomics", .draw = grid_shared_atomics, .ours_only = true, .grid = true},
    {0},
};
