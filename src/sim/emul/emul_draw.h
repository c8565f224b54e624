/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of a draw: an immutable snapshot of registers, constants and programs, with all that is
 * derived from them computed once. Every object in the pipeline points to its draw, so state
 * changes need no drain. */
#ifndef EMUL_DRAW_H
#define EMUL_DRAW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "hw/attila_cmd.h"
#include "emul/shader/emul_shader.h"
#include "emul/texture/emul_texture.h"

/* The source of a fragment program's input, decoded. */
struct emul_fs_input {
   uint8_t index;      /* number of the input register */
   uint8_t source;     /* enum attila_fs_input_source */
   uint8_t output;     /* number of the last stage's output; ATTILA_NO_VARYING: none */
   uint8_t interp;     /* enum attila_interp, without its bit */
   uint8_t components; /* bit per component that the program reads */
   bool sprite;
   bool primitive_id, samples; /* used instead of a source */
   bool centroid;
};

struct emul_draw_state {
   struct attila_regs regs;
   struct attila_cmd_draw cmd;
   float (
       *consts[ATTILA_NUM_STAGES])[4]; /* [ATTILA_MAX_CONSTS]; owned by the creator of the state */
   /* For stages whose program has loads; others may hold anything. Set by the creator. */
   struct emul_const_buffer const_buffers[ATTILA_NUM_STAGES][ATTILA_MAX_CONST_BUFFERS];
   /* The same for stages whose program has memory instructions. */
   struct emul_const_buffer storage[ATTILA_NUM_STAGES][ATTILA_MAX_STORAGE_BUFFERS];
   /* The same; nothing is bound for those that access no images. */
   struct attila_image images[ATTILA_NUM_STAGES][ATTILA_MAX_IMAGES];
   const struct emul_program *vs, *fs, *gs; /* gs: NULL without a geometry stage */
   const struct emul_program *cs;           /* of a grid (emul_grid.h), which has no other */
   uint32_t grid[3];                        /* its workgroups */
   struct attila_cmd_geometry geometry;
   struct attila_cmd_layers layers;
   void *held[ATTILA_NUM_STAGES];            /* what the creator releases with the state */
   const struct emul_stream_out *stream_out; /* emul_stream_out.h; NULL: off. Owned by the
                                              * creator */
   uint32_t max_iterations; /* of all loops of a group together; set by the creator */
   uint64_t *stream_filled; /* bytes in each stream-out buffer after earlier draws */
   struct emul_tex_state
       *tex; /* [ATTILA_MAX_TEX_UNITS]; units that no program samples are not initialised */
   /* Derived by emul_draw_state_init. */
   struct emul_fs_input fs_inputs[ATTILA_MAX_VARYINGS];
   unsigned num_fs_inputs;
   unsigned num_vs_outputs; /* highest output written + 1 */
   unsigned num_outputs;    /* the same for the last stage, whose vertices are clipped */
   uint64_t linear_outputs; /* bit per output that is linear in the window */
   unsigned samples;        /* 1, 2, 4, 8 */
   unsigned color_mask;     /* bound buffers with a usable format and a write mask */
   unsigned color_outputs;  /* outputs used by a buffer, by blending or by alpha coverage */
   bool zs_bound, z_test, z_write, stencil_test;
   bool fs_perspective, fs_linear, fs_centroid; /* some input is interpolated like this */
   bool sample_shading; /* each covered sample of a pixel is a fragment of its own */
   bool drops_samples;  /* the program says which samples stay (emul_samples_that_stay) */
   bool smooth;         /* some primitives of the draw may be antialiased, see emul_setup.smooth */
   unsigned storage_writers; /* bit per stage whose program writes storage buffers */
   bool shades_hidden; /* the fragment program does, also for what fails depth and stencil tests */
   bool late_zs;       /* test after shading: the program kills or writes depth, and something is
                        * written */
   bool counts_early;  /* samples that the program drops count, as early tests let them through
                        * (OpenGL 4.6, section 15.2.4) */
   float depth_near, depth_far; /* bounds of every fragment's depth, near <= far, in [0, 1] */
   int32_t scissor[4]; /* minx, miny, maxx, maxy: scissor intersected with the framebuffer */
   int32_t view[4];    /* scissor intersected with the viewport: triangles stay inside */
   const struct attila_format_desc *zs_format;
   const struct attila_format_desc *color_format[ATTILA_MAX_COLOR_BUFFERS];
   uint32_t memory_size;
};

/* Returns the program of a stage; NULL: none that runs. */
static inline const struct emul_program *
emul_stage_program(const struct emul_draw_state *state, unsigned stage)
{
   return stage == ATTILA_STAGE_COMPUTE    ? state->cs
          : stage == ATTILA_STAGE_VERTEX   ? state->vs
          : stage == ATTILA_STAGE_GEOMETRY ? state->gs
          : state->regs.rasterizer_discard ? NULL
                                           : state->fs;
}

/* Returns whether a stage's program writes storage buffers. */
static inline bool
emul_stage_writes(const struct emul_draw_state *state, unsigned stage)
{
   return state->storage_writers >> stage & 1;
}

/* Gets the memory of a stage's storage buffer i or, behind these, image; the stage's program
 * accesses some. Returns whether something is bound that it may access. */
#define EMUL_STAGE_STORAGE (ATTILA_MAX_STORAGE_BUFFERS + ATTILA_MAX_IMAGES)
bool emul_stage_storage(const struct emul_draw_state *state, unsigned stage, unsigned i,
                        uint64_t *start, uint64_t *end);

/* Returns whether primitives go to several layers. Once initialised, a draw without layers has
 * layers.count 1. */
static inline bool
emul_layered(const struct emul_draw_state *state)
{
   return state->layers.count > 1;
}

/* Return the address of a layer: of a colour buffer; of the depth buffer. */
static inline uint32_t
emul_layer_color(const struct emul_draw_state *state, unsigned i, uint32_t layer)
{
   return state->regs.color[i].address + layer * state->layers.color_stride[i];
}
static inline uint32_t
emul_layer_zs(const struct emul_draw_state *state, uint32_t layer)
{
   return state->regs.zs_address + layer * state->layers.zs_stride;
}
/* Clamps a depth, interpolated or written by the program, to the draw's bounds (OpenGL 3.3, 4.1.5).
 * NaN becomes the nearest. */
static inline float
emul_clamp_depth(const struct emul_draw_state *state, float z)
{
   return z > state->depth_near ? z < state->depth_far ? z : state->depth_far : state->depth_near;
}

/* Returns a draw's registers for one of its layers. */
void emul_layer_regs(const struct emul_draw_state *state, uint32_t layer, struct attila_regs *regs);

/* Returns the program whose outputs are clipped and streamed out. */
static inline const struct emul_program *
emul_last_program(const struct emul_draw_state *state)
{
   return state->gs ? state->gs : state->vs;
}

/* output: at most ATTILA_NO_VARYING */
static inline bool
emul_program_writes(const struct emul_program *program, unsigned output)
{
   return emul_program_isa(program)->outputs_written >> output & 1;
}

/* Returns whether coverage and depth are per sample. */
static inline bool
emul_multisample(const struct emul_draw_state *state)
{
   return state->samples > 1 && !state->regs.pixel_coverage;
}

/* Returns whether a blend factor of colour buffer rt uses the second colour (dual-source
 * blending). */
static inline bool
emul_blends_two(const struct emul_draw_state *state, unsigned rt)
{
   const struct attila_color_regs *c = &state->regs.color[rt];
   return c->blend_enable &&
          (c->rgb_src_second || c->rgb_dst_second || c->alpha_src_second || c->alpha_dst_second);
}

/* Returns whether some channels of colour buffer rt keep their old value. */
static inline bool
emul_masks_channels(const struct emul_draw_state *state, unsigned rt)
{
   const struct attila_format_desc *f = state->color_format[rt];
   bool part = false;
   for (unsigned i = 0; i < 4; i++)
      part |= f->channel[i].bits && !(state->regs.color[rt].write_mask >> i & 1);
   return part;
}

/* Fills a state; copies regs and cmd. The caller must have set consts, programs and the storage of
 * tex. Returns false and a message if the draw cannot run (no program, a surface outside memory,
 * ...); it is then skipped and reported. */
bool emul_draw_state_init(struct emul_draw_state *state, const struct attila_regs *regs,
                          const struct attila_cmd_draw *cmd, uint32_t memory_size, char *error,
                          size_t error_size);

/* Fills the state of a grid in the same way. */
bool emul_grid_state_init(struct emul_draw_state *state, const struct attila_regs *regs,
                          const uint32_t groups[3], uint32_t memory_size, char *error,
                          size_t error_size);

/* Returns the address of a vertex's attribute a, or ATTILA_NO_ADDRESS if it is disabled or outside
 * its limit; bytes: the format's. vertex includes the index bias, instance cmd.first_instance
 * (which the divisor does not divide, as in OpenGL). */
#define ATTILA_NO_ADDRESS 0xffffffffu
uint32_t emul_attrib_address(const struct emul_draw_state *state, unsigned a, uint32_t vertex,
                             uint32_t instance);
/* Converts a vertex's attribute a (as above); element: its bytes, NULL if it has no address. */
void emul_attrib_convert(const struct emul_draw_state *state, unsigned a, const uint8_t *element,
                         uint32_t instance, float value[4]);
/* Returns input ATTILA_VS_INPUT_IDS of a vertex; the values are integers' bits. */
void emul_vertex_ids(const struct emul_draw_state *state, uint32_t vertex, uint32_t instance,
                     float value[4]);
/* Fetches and converts attribute a for count (up to EMUL_LANES) vertices from memory into lanes 0
 * .. of in, with the same values. */
void emul_attrib_fetch(const struct emul_draw_state *state, unsigned a, const uint8_t *memory,
                       const uint32_t *vertex, unsigned count, uint32_t instance,
                       struct emul_vec4 *in);

/* A shaded vertex: outputs of the vertex or the geometry stage. */
struct emul_vertex {
   float out[ATTILA_MAX_VARYINGS][4];
} __attribute__((aligned(16)));

/* Returns the layer of a primitive with this provoking vertex. */
static inline uint32_t
emul_layer_of(const struct emul_draw_state *state, const struct emul_vertex *flat)
{
   uint32_t layer = 0;
   if (emul_layered(state))
      memcpy(&layer, flat->out[state->layers.output], sizeof(layer));
   return layer < state->layers.count ? layer : 0;
}

/* Primitive assembly as a state machine: one vertex in, up to two primitives out. References are
 * the caller's handles. */
#define EMUL_ASSEMBLER_REFS 10
struct emul_assembler {
   uint8_t prim;
   bool flatshade_first;
   bool adjacency; /* primitives keep their adjacent vertices */
   uint32_t count; /* vertices since start or restart */
   uint32_t id;    /* the next primitive's */
   /* The vertices that later primitives need: first, previous, ... */
   uint32_t ref[EMUL_ASSEMBLER_REFS];
};
struct emul_assembled {
   uint8_t num_vertices; /* 1 point, 2 line, 3 triangle; with adjacency 4 line, 6 triangle */
   uint32_t ref[ATTILA_MAX_PRIM_VERTICES]; /* in winding order; with adjacency in OpenGL's */
   uint8_t provoking;                      /* index into ref; not with adjacency */
   uint8_t edges;      /* bit i: the edge from vertex i to i + 1 bounds the OpenGL primitive */
   bool stipple_reset; /* line: restart the stipple counter */
   uint32_t id;        /* number of the OpenGL primitive in its instance, from 0, equal for all
                        * triangles of a quad or polygon; restarts do not count (OpenGL 3.2,
                        * 3.9.2) */
};
/* Returns the vertices of an assembled primitive. */
unsigned emul_assembled_vertices(unsigned prim, bool adjacency);
void emul_assembler_start(struct emul_assembler *a, unsigned prim, bool flatshade_first);
/* Starts a draw. For a geometry stage it assembles the stage's input primitives, with vertices in
 * the order of its inputs. */
void emul_assembler_start_draw(struct emul_assembler *a, const struct emul_draw_state *state);
void emul_assembler_restart(struct emul_assembler *a, struct emul_assembled out[2],
                            unsigned *num_out);
/* Takes the next vertex; *keep: bit i if the assembler still holds a->ref[i], so that the caller
 * can drop the others. */
unsigned emul_assembler_vertex(struct emul_assembler *a, uint32_t ref, struct emul_assembled out[2],
                               unsigned *keep);
/* Takes three vertices of a triangle list and returns their triangle. The assembler must hold no
 * vertex (emul_assembler_lists). */
struct emul_assembled emul_assembler_triangle(struct emul_assembler *a, uint32_t v0, uint32_t v1,
                                              uint32_t v2);
static inline bool
emul_assembler_lists(const struct emul_assembler *a)
{
   return a->prim == ATTILA_PRIM_TRIANGLES && a->count % 3 == 0;
}
/* Ends an instance: closes LINE_LOOP and restarts ids. */
unsigned emul_assembler_end(struct emul_assembler *a, struct emul_assembled out[2]);

#endif
