/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What Gallium has bound to a context. Not here: the objects (attila_state_objects.h), commands
 * (attila_cs.h). */
#ifndef ATTILA_STATE_H
#define ATTILA_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_limits.h"
#include "hw/attila_regs.h"
#include "pipe/p_state.h"

struct attila_blend;
struct attila_program;
struct attila_rasterizer;
struct attila_sampler;
struct attila_shader;
struct attila_vertex_elements;
struct attila_zsa;

/* What has changed since registers were last derived (attila_emit.c). */
enum attila_dirty {
   ATTILA_DIRTY_BLEND = 1 << 0,
   ATTILA_DIRTY_BLEND_COLOR = 1 << 1,
   ATTILA_DIRTY_ZSA = 1 << 2,
   ATTILA_DIRTY_STENCIL_REF = 1 << 3,
   ATTILA_DIRTY_RASTERIZER = 1 << 4,
   ATTILA_DIRTY_VIEWPORT = 1 << 5,
   ATTILA_DIRTY_SCISSOR = 1 << 6,
   ATTILA_DIRTY_FRAMEBUFFER = 1 << 7,
   ATTILA_DIRTY_STIPPLE = 1 << 8,
   ATTILA_DIRTY_SAMPLE_MASK = 1 << 9,
   ATTILA_DIRTY_QUERY = 1 << 10,
   /* Per stage: a bit for its program, and one for its textures. */
   ATTILA_DIRTY_PROGRAM_0 = 1 << 11,
   ATTILA_DIRTY_PROGRAMS = ((1 << ATTILA_NUM_STAGES) - 1) * ATTILA_DIRTY_PROGRAM_0,
   ATTILA_DIRTY_TEX_0 = ATTILA_DIRTY_PROGRAM_0 << ATTILA_NUM_STAGES,
   ATTILA_DIRTY_TEX = ((1 << ATTILA_NUM_STAGES) - 1) * ATTILA_DIRTY_TEX_0,
   ATTILA_DIRTY_ALL = (ATTILA_DIRTY_TEX_0 << ATTILA_NUM_STAGES) - 1,
};

struct attila_textures {
   struct attila_sampler *samplers[ATTILA_STAGE_TEX_UNITS];
   struct pipe_sampler_view *views[ATTILA_STAGE_TEX_UNITS];
   unsigned num_samplers, num_views; /* index of the highest bound one + 1 */
};

struct attila_constants {
   struct pipe_constant_buffer
       buffer;   /* if buffer.buffer is set, it is read when drawing; else the data is in user */
   unsigned num; /* vec4s */
   float user[ATTILA_MAX_CONSTS][4];
};

/* A range of a buffer that shaders load from. */
struct attila_const_buffer {
   struct pipe_resource *buffer; /* NULL: none */
   uint32_t offset, size;        /* bytes */
};

/* A stage's storage buffers and images. */
struct attila_storage {
   struct attila_const_buffer buffers[ATTILA_MAX_STORAGE_BUFFERS];
   struct pipe_image_view images[ATTILA_MAX_IMAGES];
   uint32_t writable; /* bit per buffer that shaders may write */
};

struct attila_state {
   uint32_t dirty; /* enum attila_dirty */
   struct attila_blend *blend;
   struct attila_zsa *zsa;
   struct attila_rasterizer *rasterizer;
   struct attila_vertex_elements *elements;
   struct attila_shader *shader[ATTILA_NUM_STAGES];
   struct attila_program *program[ATTILA_NUM_STAGES]; /* chosen from those for the current draw */
   struct attila_textures textures[ATTILA_NUM_STAGES];
   struct attila_constants constants[ATTILA_NUM_STAGES];
   struct attila_const_buffer const_buffers[ATTILA_NUM_STAGES][ATTILA_MAX_CONST_BUFFERS];
   struct attila_storage storage[ATTILA_NUM_STAGES];
   struct pipe_vertex_buffer vertex_buffers[PIPE_MAX_ATTRIBS];
   unsigned num_vertex_buffers;
   struct pipe_framebuffer_state framebuffer;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   struct pipe_poly_stipple stipple;
   unsigned sample_mask, min_samples;
   struct pipe_stream_output_target *streams[ATTILA_MAX_STREAM_BUFFERS];
   unsigned num_streams;  /* index of the highest bound one + 1 */
   bool draws_front;      /* a window's front buffer is bound */
   unsigned seen_renames; /* attila_screen.renames when registers got addresses */
};

#endif
