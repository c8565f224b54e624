/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What random streams (random_scene.h) choose by: their random numbers, one sequence for each kind
 * of choice that was added later, so that older streams stay what they were; and their programs. */
#ifndef RANDOM_PROGRAMS_H
#define RANDOM_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* The next number of a sequence, below n. */
static uint32_t
next_random(uint64_t *sequence, uint32_t n)
{
   *sequence = *sequence * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*sequence >> 33) % n;
}

static uint64_t seed;

static uint32_t
rnd(uint32_t n)
{
   return next_random(&seed, n);
}

static float
rnd_float(float low, float high)
{
   return low + (high - low) * (float)rnd(1 << 20) / (float)(1 << 20);
}

static bool
chance(uint32_t percent)
{
   return rnd(100) < percent;
}

/* Whether integers or stream-out take part in something: drawn apart, so that scenes are otherwise
 * the same. */
static uint64_t integer_seed, stream_seed;

static bool
integers(uint32_t percent)
{
   return next_random(&integer_seed, 100) < percent;
}

static uint32_t
streams(uint32_t n)
{
   return next_random(&stream_seed, n);
}

/* The same for constants in memory. */
static uint64_t load_seed;

static uint32_t
load_rnd(uint32_t n)
{
   return next_random(&load_seed, n);
}

static const char *const vertex_programs[] = {
    ".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o2, i2\nEND\n",
    ".vertex\nMAD o0, i0, c0, c1\nMUL o1, i1, i2\nADD o2, i2, i1\nMOV o3, i3\nEND\n",
};
static const char *const fragment_programs[] = {
    ".fragment\nMOV o0, i1\nEND\n",
    ".fragment\nTEX r0, i2, t0, 2D\nMUL o0, r0, i1\nEND\n",
    ".fragment\n.literal 0xbe99999a, 0xbe99999a, 0xbe99999a, 0xbe99999a\nADD r0, i1, l0\nKIL "
    "r0.x\nMOV o0, i1\nMOV o1, "
    "i2\nEND\n",
    ".fragment\nMOV o0, i1\nMOV o1, i2\nMOV o8.x, i1.y\nEND\n",
    ".fragment\nDDX r0, i2\nMAD o0, r0, i1, i2\nMOV o1, i1\nEND\n",
    ".fragment\nTEX r0, i2, t0, 2D\nIADD o0, r0, i3\nMOV o1, i3\nEND\n",
};

/* Literal 1: bytes of buffers 1 and 0, numbers of buffers. Positions move and colours change by
 * what is loaded: the same for all; other words of one buffer for each pixel; of several buffers,
 * also outside. */
#define LOAD_LITERALS                                                      \
   ".literal 700, 3, 64, 0\n.literal 0x00000000, 0x00000010, 0x00000001, " \
   "0x00000020\n"
static const char *const load_vertex_program =
    ".vertex\n" LOAD_LITERALS "LDC r0, l1.y, l1.x\nMAD o0.xy, r0, i0, i0\nMOV o0.zw, i0\n"
    "MOV o1, i1\nLDC o2, l1.w, l1.z\nEND\n";
static const char *const load_fragment_programs[] = {
    ".fragment\n" LOAD_LITERALS "LDC r0, l1.y, l1.z\nMUL o0, r0, i1\nEND\n",
    ".fragment\n" LOAD_LITERALS "MUL r0, i2, l0.x\nF2I r0, r0\nLDC r1, r0.x, l1.x\n"
    "LDC r2.xy, r0.y, l1.z\nMAD o0, r1, i1, r2.xyxy\nEND\n",
    ".fragment\n" LOAD_LITERALS "MUL r0, i2, l0\nF2I r0, r0\nIF i1.x\nLDC r1, r0.z, r0.y\n"
    "ELSE\nMOV r1, i1\nENDIF\nMOV o0, r1\nMOV o1, i2\nEND\n",
};

/* Whether a geometry stage takes part, and which. */
static uint64_t geometry_seed;

static uint32_t
geometry_rnd(uint32_t n)
{
   return next_random(&geometry_seed, n);
}

/* Points that become squares, lines and their mirrored images, triangles and smaller ones in them,
 * the corners of triangles, and with adjacent vertices what these are: each for the primitives that
 * have so many vertices. Numbers of primitives are colours in the last. */
#define VERTEX_0 "MOV o0, i0\nMOV o1, i8\nMOV o2, i16\n"
#define VERTEX_1 "MOV o0, i1\nMOV o1, i9\nMOV o2, i17\n"
#define VERTEX_2 "MOV o0, i2\nMOV o1, i10\nMOV o2, i18\n"
#define VERTEX_3 "MOV o0, i3\nMOV o1, i11\nMOV o2, i19\n"
#define VERTEX_4 "MOV o0, i4\nMOV o1, i12\nMOV o2, i20\n"
#define VERTEX_5 "MOV o0, i5\nMOV o1, i13\nMOV o2, i21\n"
static const char *const geometry_programs[] = {
    ".geometry 1 3 4\n.literal 0.1, -0.1, 0, 0\n" VERTEX_0
    "EMIT\nADD o0.x, i0, l0.x\nEMIT\nADD o0.xy, i0, l0.yxzz\nMOV o1, i16\nEMIT\n"
    "ADD o0.xy, i0, l0.x\nEMIT\nEND\n",
    ".geometry 2 2 7\n" VERTEX_0 "EMIT\n" VERTEX_1 "EMIT\nCUT\n" VERTEX_1
    "MOV o0.y, -i1.y\nEMIT\n" VERTEX_0 "MOV o0.y, -i0.y\nEMIT\nIF i8.x\nEMIT\nENDIF\nEND\n",
    ".geometry 3 3 6\n.literal 0.5, 2, 0, 1\n.temps 3\n" VERTEX_0 "EMIT\n" VERTEX_1
    "EMIT\n" VERTEX_2 "EMIT\nCUT\nSLT r0.x, i0.x, l0.z\nIF r0.x\nMOV r1, l0.z\nLOOP\n"
    "SGT r0.x, r1.x, l0.y\nIF r0.x\nBRK\nENDIF\nARL a0.x, r1.x\nMUL o0, i[a0.x+0], l0.x\n"
    "MOV o1, i[a0.x+16]\nMOV o2, i[a0.x+8]\nEMIT\nADD r1.x, r1.x, l0.w\nENDLOOP\nENDIF\n"
    "END\n",
    ".geometry 3 1 3\n" VERTEX_0 "EMIT\n" VERTEX_1 "EMIT\n" VERTEX_2 "EMIT\nEND\n",
    ".geometry 4 2 4\n" VERTEX_0 "EMIT\n" VERTEX_1 "EMIT\n" VERTEX_2 "EMIT\n" VERTEX_3
    "EMIT\nEND\n",
    ".geometry 6 3 5\n.literal 0.01, 1, 0, 1\n.temps 1\n" VERTEX_0
    "I2F r0.x, i7.x\nMUL o1, r0.x, l0.x\nEMIT\n" VERTEX_1 "EMIT\n" VERTEX_2 "EMIT\n" VERTEX_4
    "EMIT\n" VERTEX_5 "EMIT\nEND\n",
};
static const uint8_t geometry_vertices[] = {1, 2, 3, 3, 4, 6};

/* Whether draws choose among layers, and which. */
static uint64_t layer_seed;

static uint32_t
layer_rnd(uint32_t n)
{
   return next_random(&layer_seed, n);
}

/* These say the layer in output 4: a colour times 4, and the number of the primitive, plus a
 * corner's of the square. Some are of no layer. */
static const char *const layer_vertex_program =
    ".vertex\n.literal 4, 0, 0, 0\nMOV o0, i0\nMOV o1, i1\nMOV o2, i2\nMUL r0.x, i1.x, l0.x\n"
    "F2I o4.x, r0.x\nEND\n";
static const char *const layer_geometry_program =
    ".geometry 1 3 4\n.literal 0.1, -0.1, 0, 0\n.literal 0x00000003, 0x00000001, 0, 0\n"
    ".temps 1\n" VERTEX_0 "AND r0.x, i7.x, l1.x\nMOV o4.x, r0.x\nEMIT\nADD o0.x, i0, l0.x\n"
    "IADD o4.x, r0.x, l1.y\nEMIT\nADD o0.xy, i0, l0.yxzz\nMOV o1, i16\nEMIT\n"
    "ADD o0.xy, i0, l0.x\nMOV o4.x, r0.x\nEMIT\nEND\n";

/* Whether samples are shaded by themselves, and other things of OpenGL 4.0; and what programs do
 * with them. */
static uint64_t shading_seed;

static uint32_t
shading_rnd(uint32_t n)
{
   return next_random(&shading_seed, n);
}

/* Like the first geometry program, for three invocations: squares side by side. */
static const char *const repeated_geometry_program =
    ".geometry 1 3 4 3\n.literal 0.1, -0.1, 0.2, 0\n.temps 1\nI2F r0.x, i7.y\n"
    "MAD r0, r0.x, l0.z, i0\n" VERTEX_0 "MOV o0.x, r0.x\nEMIT\nADD o0.x, r0.x, l0.x\nEMIT\n"
    "ADD o0.xy, r0.xyxy, l0.yxzz\nMOV o0.y, r0.y\nMOV o1, i16\nEMIT\nADD o0.y, i0.y, l0.x\n"
    "EMIT\nEND\n";

/* Points in each stream, as many as a vertex's colour says. */
static const char *const streams_geometry_program =
    ".geometry 1 1 6\n.literal 0.3, 0.1, 0, 0\n.temps 1\n" VERTEX_0 "EMIT\nEMIT 2\n"
    "SGE r0.x, i8.x, l0.x\nIF r0.x\nADD o0.xy, i0, l0.y\nMOV o1, i16\nEMIT 1\nEMIT\nENDIF\n"
    "MOV o2, i8\nEMIT 3\nEMIT 1\nEND\n";

/* Input 3 may be the words of samples (attila_fs_input_regs.samples): they become a colour, or say
 * which samples stay. */
static const char *const sample_fragment_programs[] = {
    ".fragment\n.literal 0.125, 0, 0, 0\nI2F r0, i3\nMAD o0, r0, l0.x, i1\nMOV o1, i2\nEND\n",
    ".fragment\n.literal 0x00000005, 0, 0, 0\nXOR r0.x, i3.y, l0.x\nMOV o9.x, r0.x\n"
    "MOV o0, i1\nMOV o1, i2\nEND\n",
};

#endif
