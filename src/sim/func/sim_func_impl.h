/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The inside of the functional mode: its state and what its files call of each other.
 */
#ifndef SIM_FUNC_IMPL_H
#define SIM_FUNC_IMPL_H

#include "emul/raster/emul_raster.h"
#include "emul/rop/emul_fragment.h"
#include "func/sim_func.h"

#define FUNC_CHUNK                                                               \
   1024 /* different vertices that are shaded before primitives are made of them \
         */
#define FUNC_POSITIONS 4096 /* indices of a chunk */
#define FUNC_HASH 4096      /* entries of the vertex cache, direct mapped */
#define FUNC_QUADS (EMUL_LANES / 4)

/* A fragment quad that waits for its group to fill up. */
struct func_quad {
   int32_t x, y;
   uint32_t mask; /* bit sample * 4 + pixel */
   bool front;
   float z[ATTILA_MAX_COLOR_BUFFERS][4]; /* late depth test only */
   float coverage[4];                    /* of draws with smooth primitives */
};

struct func_cache_entry {
   uint32_t index, slot;
   uint64_t epoch; /* entry is valid for this chunk */
};

/* Where a buffer is, ready for addressing. */
struct func_surface {
   uint8_t *base;
   uint32_t pitch_tiles, element_bytes;
   uint32_t address, block_bytes, tile_bytes; /* watched: where and how large its blocks are */
   bool opaque_bytes; /* RGBA of 8 bits in some order, nothing is read: the fast store */
};

/* Depth test of the covered pixels of a tile whose 64 elements are at zs; returns those that pass.
 * Needs z_test, no stencil test, a format with 24 bits of depth, a single sample. */
typedef uint64_t (*func_tile_z24_fn)(const struct emul_setup *s, int32_t x, int32_t y,
                                     uint64_t coverage, uint8_t *zs);
/* The n-th variant this host can run, the fastest first; NULL past the last. All give the same
 * bits. */
func_tile_z24_fn func_tile_z24_get(unsigned n);

struct sim_func {
   struct sim_device *device;
   /* The draw that is executed. */
   struct emul_draw_state state;
   uint64_t *counters; /* enum attila_counter: its context's */
   char *error;        /* of sim_func_run */
   size_t error_size;
   uint8_t *image; /* of SWAP; grows */
   size_t image_size;
   struct sim_func_watch watch;
   bool watched;

   /* Geometry. Slots FUNC_CHUNK and up hold the vertices that the assembler keeps from one chunk to
    * the next. */
   struct emul_vertex *vertices;
   struct emul_assembler assembler;
   uint32_t stipple;
   unsigned carried; /* which of the two sets of 4 carry slots is free */
   unsigned keep;    /* references that the assembler holds */
   bool stopped;     /* a lane of this draw looped too often */
   struct func_cache_entry cache[FUNC_HASH];
   uint64_t epoch;
   uint32_t unique[FUNC_CHUNK];
   uint32_t position[FUNC_POSITIONS]; /* slot of each index of the chunk, or FUNC_RESTART */
   struct emul_vertex clipped[EMUL_MAX_CLIPPED];
   struct emul_setup setup[EMUL_MAX_SETUP];

   /* Fragments. */
   bool discard, z_active, writes_depth, alpha_coverage;
   bool final_masks; /* shading changes no mask unless lanes are stopped; single sample */
   bool tile_z;      /* early depth test by tiles */
   func_tile_z24_fn tile_z24;
   struct func_surface zs, color[ATTILA_MAX_COLOR_BUFFERS];
   struct func_quad quad[FUNC_QUADS];
   unsigned num_quads;
   unsigned num_interpolated; /* quads whose inputs are there; the others belong to the primitive
                                 being rasterised */

   /* Registers of the group that runs: one for vertices, one for fragments, whose inputs fill up
    * meanwhile. */
   struct emul_thread thread;
   struct emul_vec4 temps[ATTILA_ISA_MAX_TEMPS];
   struct emul_vec4 vertex_in[ATTILA_ISA_MAX_INPUTS], fragment_in[ATTILA_ISA_MAX_INPUTS];
   struct emul_vec4 outputs[ATTILA_ISA_MAX_OUTPUTS];
};
#define FUNC_RESTART 0xffffffffu

/* func_geometry.c: everything of a draw from indices to primitives. */
void func_draw(struct sim_func *f);
/* func_fragment.c */
void func_fragment_start(struct sim_func *f);
void func_rasterise(struct sim_func *f, const struct emul_setup *s);
void func_fragment_end(struct sim_func *f);
/* func_clear.c: CLEAR_COLOR, CLEAR_ZS of the surfaces that the registers bind. */
void func_clear_color(struct sim_device *device, const struct attila_regs *regs, uint32_t buffers,
                      const float color[4]);
void func_clear_zs(struct sim_device *device, const struct attila_regs *regs, uint32_t planes,
                   float depth, uint32_t stencil);
/* Runs the program of f->thread, with textures from memory. */
void func_run_thread(struct sim_func *f, const struct emul_program *program, unsigned stage,
                     struct emul_vec4 *inputs, uint16_t lanes);

#endif
