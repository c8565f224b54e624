/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What registers, command stream and instruction set share: sizes of the machine, shader stages,
 * kinds of texture. The instruction set's own limits (program length, nesting) are in
 * isa/attila_isa.h. */
#ifndef ATTILA_LIMITS_H
#define ATTILA_LIMITS_H

#include <stdint.h>

#define ATTILA_MAX_COLOR_BUFFERS 8
#define ATTILA_MAX_ATTRIBS 16  /* vertex attributes, and vertex shader inputs */
#define ATTILA_MAX_VARYINGS 44 /* vertex outputs including position; fragment inputs */
/* This, or an unwritten output, means none in registers and commands. Streams of machines with 32
 * outputs use 32. */
#define ATTILA_NO_VARYING 63
#define ATTILA_STAGE_TEX_UNITS 16 /* a stage's own texture units */
#define ATTILA_MAX_TEX_UNITS (3 * ATTILA_STAGE_TEX_UNITS)
#define ATTILA_MAX_CONSTS 1056 /* vec4 per stage: OpenGL's 1024, and Mesa's state */
#define ATTILA_MAX_CLIP_PLANES 8
/* Constant buffers per stage, in memory: Direct3D 10's 14 of 4096 vec4. */
#define ATTILA_MAX_CONST_BUFFERS 14
#define ATTILA_MAX_CONST_BUFFER_BYTES 65536
#define ATTILA_CONST_BUFFER_ALIGN 16 /* bytes, of an address */
/* Storage buffers per stage, in memory: what programs load, store and change. OpenGL 4.3 requires
 * 8, and buffers of atomic counters. */
#define ATTILA_MAX_STORAGE_BUFFERS 16
#define ATTILA_MAX_STORAGE_BYTES (1u << 27)
#define ATTILA_STORAGE_ALIGN 4 /* bytes, of an address */
/* Images per stage: textures and buffers of texels that programs load, store and change. OpenGL 4.2
 * requires 8 of fragments. */
#define ATTILA_MAX_IMAGES 8
#define ATTILA_MAX_IMAGE_SLICES 2048 /* layers, faces or slices of depth */
#define ATTILA_MAX_SURFACE_DIM 8192
#define ATTILA_MAX_STREAM_BUFFERS 4
#define ATTILA_MAX_VERTEX_STREAMS 4
#define ATTILA_MAX_STREAM_OUTPUTS 64 /* and components: OpenGL 3.0's 64 */
#define ATTILA_MAX_STREAM_STRIDE 2048

/* The numbers are in commands and in programs' headers. */
#define ATTILA_STAGES(S) \
   S(VERTEX, "vertex")   \
   S(FRAGMENT, "fragment") S(GEOMETRY, "geometry") S(COMPUTE, "compute")
enum attila_stage {
#define S(name, text) ATTILA_STAGE_##name,
   ATTILA_STAGES(S)
#undef S
       ATTILA_NUM_STAGES
};

/* Returns "vertex" ..., or "?" for a number that is no stage. */
static inline const char *
attila_stage_name(unsigned stage)
{
   static const char *const names[ATTILA_NUM_STAGES] = {
#define S(name, text) text,
       ATTILA_STAGES(S)
#undef S
   };
   return stage < ATTILA_NUM_STAGES ? names[stage] : "?";
}

/* The geometry stage: vertices of an input primitive, inputs of each, and most vertices emitted per
 * primitive. OpenGL 3.3 requires 256, Direct3D 10 has 1024 words. */
#define ATTILA_MAX_PRIM_VERTICES 6
#define ATTILA_MAX_GS_INPUTS 32
#define ATTILA_MAX_GS_VERTICES 1024
#define ATTILA_MAX_GS_INVOCATIONS 32 /* lanes that take the same primitive */

/* Compute: the most invocations of a workgroup, in x, y and z, and together; its shared memory. The
 * limits are OpenGL 4.3's least. */
#define ATTILA_MAX_WORKGROUP_XY 1024
#define ATTILA_MAX_WORKGROUP_Z 64
#define ATTILA_MAX_WORKGROUP 1024
#define ATTILA_MAX_WORKGROUPS 65535 /* of a grid, in each dimension */
#define ATTILA_MAX_SHARED_BYTES 32768

/* Returns a stage's first texture unit. Compute programs sample the units of fragment programs:
 * grids and draws do not run together. */
static inline unsigned
attila_first_tex_unit(unsigned stage)
{
   static const uint8_t first[ATTILA_NUM_STAGES] = {
       [ATTILA_STAGE_FRAGMENT] = 0,
       [ATTILA_STAGE_VERTEX] = ATTILA_STAGE_TEX_UNITS,
       [ATTILA_STAGE_GEOMETRY] = 2 * ATTILA_STAGE_TEX_UNITS,
       [ATTILA_STAGE_COMPUTE] = 0,
   };
   return first[stage];
}

/* The numbers are in registers and texture instructions. */
/* BUFFER: consecutive elements; TXF and TXS only. */
/* CUBE_ARRAY: of instructions; in registers it is CUBE with attila_tex_regs.cube_array. */
#define ATTILA_TEX_TARGETS(T) \
   T(1D) T(2D) T(3D) T(CUBE) T(RECT) T(2D_ARRAY) T(1D_ARRAY) T(BUFFER) T(CUBE_ARRAY)
#define ATTILA_MAX_BUFFER_TEXELS (1u << 27)
#define ATTILA_BUFFER_TEXELS_ALIGN 16 /* bytes: the largest element */
enum attila_tex_target {
#define T(name) ATTILA_TEX_##name,
   ATTILA_TEX_TARGETS(T)
#undef T
       ATTILA_NUM_TEX_TARGETS
};

#endif
