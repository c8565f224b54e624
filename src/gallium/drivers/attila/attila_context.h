/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A rendering context: what the frontend has bound, and the commands recorded for it. Each .c file
 * sets its own entry points in an attila_init_context_*() function.
 */
#ifndef ATTILA_CONTEXT_H
#define ATTILA_CONTEXT_H

#include "attila_cs.h"
#include "hw/attila_limits.h"
#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/list.h"
#include "util/slab.h"

struct blitter_context;

/* What changed since the registers were derived last (attila_emit.c). */
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
   ATTILA_DIRTY_VERTEX = 1 << 10,
   ATTILA_DIRTY_VS = 1 << 11,
   ATTILA_DIRTY_FS = 1 << 12,
   ATTILA_DIRTY_TEX_VS = 1 << 13,
   ATTILA_DIRTY_TEX_FS = 1 << 14,
   ATTILA_DIRTY_CONST_VS = 1 << 15,
   ATTILA_DIRTY_CONST_FS = 1 << 16,
   ATTILA_DIRTY_QUERY = 1 << 17,
   ATTILA_DIRTY_ALL = (1 << 18) - 1,
};

struct attila_textures {
   struct attila_sampler *samplers[ATTILA_VERTEX_TEX_BASE];
   struct pipe_sampler_view *views[ATTILA_VERTEX_TEX_BASE];
   unsigned num_samplers, num_views; /* highest bound + 1 */
};

struct attila_constants {
   struct pipe_constant_buffer
       buffer;   /* buffer.buffer: read when drawing; otherwise the data is in user */
   unsigned num; /* vec4s */
   float user[ATTILA_MAX_CONSTS][4];
};

struct attila_context {
   struct pipe_context base;
   struct attila_screen *screen;
   struct list_head link; /* attila_screen.contexts */
   unsigned id;           /* from 1, never used again */
   unsigned number;       /* of the GPU's context, below ATTILA_MAX_CONTEXTS */
   struct attila_cs cs;
   struct blitter_context *blitter;

   uint32_t dirty; /* enum attila_dirty */

   /* Bound state. */
   struct attila_blend *blend;
   struct attila_zsa *zsa;
   struct attila_rasterizer *rasterizer;
   struct attila_vertex_elements *elements;
   struct attila_shader *shader[ATTILA_NUM_STAGES];
   struct attila_program *program[ATTILA_NUM_STAGES]; /* of those, for the draw being recorded */
   struct attila_textures textures[ATTILA_NUM_STAGES];
   struct attila_constants constants[ATTILA_NUM_STAGES];
   struct pipe_vertex_buffer vertex_buffers[PIPE_MAX_ATTRIBS];
   unsigned num_vertex_buffers;
   struct pipe_framebuffer_state framebuffer;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   struct pipe_poly_stipple stipple;
   unsigned sample_mask;

   /* Queries. */
   struct list_head active_queries; /* attila_query.link */
   unsigned num_occlusion_queries;  /* active ones */
   bool queries_enabled;            /* false during the driver's own draws */
   struct pipe_query *condition;
   bool condition_value;
   bool condition_recorded;  /* the GPU has been told of it */
   bool draws_conditionally; /* the draw being recorded is skipped by the GPU if it does not hold */
   enum pipe_render_cond_flag condition_mode;

   struct attila_labels *labels; /* attila_debug_marker.h */

   /* ROP caches: see attila_resource.color_seq. */
   uint64_t rop_seq, flushed_color, flushed_zs;

   /* Stencil blits: shaders by kind of source and pass, and the state that replaces the bound depth
    * and stencil state. */
   void *stencil_blit_fs[2][9];
   uint8_t stencil_blit_mask, stencil_blit_ref;

   struct slab_child_pool transfer_pool; /* struct attila_transfer */
   struct attila_bo staging;             /* what attila_transfer.c uploads through */
   unsigned seen_renames; /* of attila_screen.renames: registers have the addresses of then */

   bool meta;                         /* the driver's own draws (blitter) */
   bool draws_front;                  /* a window's front buffer is bound */
   bool frame_has_work;               /* something was drawn since the last end of a frame */
   struct pipe_resource *swap_target; /* what the next swap shows */
   /* A resolve of a whole surface that the swap of its result may do: attila_resolve.h. NULL: none.
    */
   struct pipe_resource *resolve_src, *resolve_dst;
   struct util_dynarray shared_written; /* struct pipe_resource *, referenced: attila_dmabuf.h */
   bool reported_skip;
};

static inline struct attila_context *
attila_context(struct pipe_context *ctx)
{
   return (struct attila_context *)ctx;
}

struct pipe_context *attila_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

#endif
