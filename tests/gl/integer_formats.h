/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The formats of integers that a colour buffer may have. Not here: what is done with them
 * (integers.c, integer_shaders.c). */
#ifndef INTEGER_FORMATS_H
#define INTEGER_FORMATS_H

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>

static const struct integer_format {
   const char *name;
   GLenum internal;
   bool is_signed;
   int bits[4]; /* 0: no such channel */
} formats[] = {
    {"R8UI", GL_R8UI, false, {8}},
    {"R8I", GL_R8I, true, {8}},
    {"R16UI", GL_R16UI, false, {16}},
    {"R16I", GL_R16I, true, {16}},
    {"R32UI", GL_R32UI, false, {32}},
    {"R32I", GL_R32I, true, {32}},
    {"RG8UI", GL_RG8UI, false, {8, 8}},
    {"RG8I", GL_RG8I, true, {8, 8}},
    {"RG16UI", GL_RG16UI, false, {16, 16}},
    {"RG16I", GL_RG16I, true, {16, 16}},
    {"RG32UI", GL_RG32UI, false, {32, 32}},
    {"RG32I", GL_RG32I, true, {32, 32}},
    {"RGBA8UI", GL_RGBA8UI, false, {8, 8, 8, 8}},
    {"RGBA8I", GL_RGBA8I, true, {8, 8, 8, 8}},
    {"RGBA16UI", GL_RGBA16UI, false, {16, 16, 16, 16}},
    {"RGBA16I", GL_RGBA16I, true, {16, 16, 16, 16}},
    {"RGBA32UI", GL_RGBA32UI, false, {32, 32, 32, 32}},
    {"RGBA32I", GL_RGBA32I, true, {32, 32, 32, 32}},
    {"RGB10_A2UI", GL_RGB10_A2UI, false, {10, 10, 10, 2}},
};

#endif
