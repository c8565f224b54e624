/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of storage buffers and atomic operations, which the original has not. What each
 * should cost: cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdio.h>

enum { PIXELS = 640 * 480, LIST = 16384 };

#define HEADER                                                 \
   "#version 330 compatibility\n"                              \
   "#extension GL_ARB_shader_storage_buffer_object: require\n" \
   "#extension GL_ARB_shading_language_420pack: enable\n"
#define WORDS "layout(std430, binding = 0) buffer B { uint word[]; };\n"
#define VECTORS "layout(std430, binding = 0) buffer B { uvec4 v[]; };\n"
#define PIXEL "int i = int(gl_FragCoord.x) + 640 * int(gl_FragCoord.y);\n"

/* Draws `where` with a buffer. */
static void
storage(const char *text, struct bench_rect where, const void *data, unsigned words)
{
   GLuint buffer;
   bench_start();
   util_program(HEADER, "void main() { gl_Position = ftransform(); }", text);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * (GLsizeiptr)words, data, GL_STATIC_DRAW);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   bench_slope(where, 0, 0);
}

/* Of a group, which is a square of 4x4 fragments, a vector each in four rows of 64 bytes. */
static void
storage_loads(void)
{
   storage(VECTORS "void main() { " PIXEL "gl_FragColor = vec4(v[i] + v[i + 307200] +\n"
                   "v[i + 614400] + v[i + 921600]); }",
           bench_screen, NULL, 16 * PIXELS);
}

static void
storage_stores(void)
{
   storage(VECTORS "void main() { " PIXEL "v[i] = uvec4(1u); v[i + 307200] = uvec4(2u);\n"
                   "v[i + 614400] = uvec4(3u); v[i + 921600] = uvec4(4u);\n"
                   "gl_FragColor = vec4(1.0); }",
           bench_screen, NULL, 16 * PIXELS);
}

/* The fragments of a group go through a list of 64 KB: each load is from another segment. */
static void
storage_scattered(void)
{
   static GLuint list[LIST];
   for (unsigned i = 0; i < LIST; i++)
      list[i] = (i + 1040) % LIST;
   storage(WORDS "void main() { uint i = (uint(gl_FragCoord.x) * 1040u +\n"
                 "uint(gl_FragCoord.y) * 4176u) & 16383u; i = word[i]; i = word[i]; i = word[i];\n"
                 "i = word[i]; i = word[i]; i = word[i]; i = word[i]; i = word[i];\n"
                 "gl_FragColor = vec4(i); }",
           (struct bench_rect){0, 0, .5, .5}, list, LIST);
}

static void
atomics_same(void)
{
   storage(WORDS "void main() { atomicAdd(word[5], 1u); gl_FragColor = vec4(1.0); }",
           (struct bench_rect){0, 0, .25, .25}, NULL, 64);
}

static void
atomics_spread(void)
{
   storage(WORDS "void main() { " PIXEL "atomicAdd(word[i], 1u); atomicAdd(word[i + 307200], 1u);\n"
                 "atomicAdd(word[i + 614400], 1u); atomicAdd(word[i + 921600], 1u);\n"
                 "gl_FragColor = vec4(1.0); }",
           (struct bench_rect){0, 0, .5, .5}, NULL, 4 * PIXELS);
}

const struct bench_case storage_cases[] = {
    {.name = "storage_loads", .draw = storage_loads, .ours_only = true},
    {.name = "storage_stores", .draw = storage_stores, .ours_only = true},
    {.name = "storage_scattered", .draw = storage_scattered, .ours_only = true},
    {.name = "atomics_same", .draw = atomics_same, .ours_only = true},
    {.name = "atomics_spread", .draw = atomics_spread, .ours_only = true},
    {0},
};
