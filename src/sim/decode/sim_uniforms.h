/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The uniforms of a program: names and types of OpenGL, and where their values are, from the note
 * of LOAD_PROGRAM (attila_cmd.h). */
#ifndef SIM_UNIFORMS_H
#define SIM_UNIFORMS_H

#include <stdint.h>

enum sim_uniform_base { SIM_UNIFORM_FLOAT, SIM_UNIFORM_INT, SIM_UNIFORM_UINT, SIM_UNIFORM_BOOL };

#define SIM_UNIFORM_REGISTERS (-1) /* sim_uniform.block: in constant registers */
#define SIM_UNIFORM_SAMPLER (-2)

/* A uniform, or an element of an array. */
struct sim_uniform {
   char *name;
   const char *type; /* GLSL's, of an element */
   int32_t block;    /* number of the uniform block, or one of the above */
   uint32_t at;      /* byte in the block or the registers; of a sampler its texture unit */
   uint32_t column_stride, row_stride; /* bytes from one component to the next */
   uint8_t base;                       /* enum sim_uniform_base */
   uint8_t columns, rows;
   uint8_t as_floats; /* integers are floats with whole values */
};

struct sim_uniforms {
   struct sim_uniform *item;
   uint32_t num;
   char *types; /* texts that items refer to */
};

/* Fills *u from the lines of a note; NULL: there are none. Lines that do not read as uniforms, and
 * elements that lie outside of registers and blocks, are left out. */
void sim_uniforms_read(struct sim_uniforms *u, const char *lines);
void sim_uniforms_free(struct sim_uniforms *u);

/* Returns the byte behind the last one of a uniform. */
static inline uint32_t
sim_uniform_end(const struct sim_uniform *u)
{
   return u->at + (u->columns - 1u) * u->column_stride + (u->rows - 1u) * u->row_stride + 4;
}

#endif
