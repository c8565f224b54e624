/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A rendering context: what is bound (attila_state.h) and its recorded commands (attila_cs.h). Each
 * .c file sets its entry points in an attila_init_context_*() function. */
#ifndef ATTILA_CONTEXT_H
#define ATTILA_CONTEXT_H

#include "attila_cs.h"
#include "attila_state.h"
#include "pipe/p_context.h"
#include "util/list.h"
#include "util/slab.h"

struct attila_labels;
struct blitter_context;

struct attila_context {
   struct pipe_context base;
   struct attila_cs cs;
   struct attila_state state;

   /* Queries. */
   struct list_head active_queries; /* attila_query.link */
   unsigned num_occlusion_queries;  /* active ones */
   bool queries_enabled;            /* false during the driver's own draws */
   struct pipe_query *condition;
   bool condition_value;
   bool condition_recorded;  /* the GPU has the condition */
   bool draws_conditionally; /* the GPU skips the current draw if the condition does not hold */
   enum pipe_render_cond_flag condition_mode;

   struct attila_labels *labels; /* attila_debug_marker.h */

   /* The driver's own draws. */
   struct blitter_context *blitter;
   bool meta;         /* one of these is being recorded */
   bool blit_nearest; /* the current or last drawn blit has no filter */
   /* Stencil blits: shaders by kind of source and pass, and the depth and stencil state that
    * replaces the bound one. */
   void *stencil_blit_fs[2][9];
   uint8_t stencil_blit_mask, stencil_blit_ref;

   struct slab_child_pool transfer_pool; /* struct attila_transfer */
   struct pipe_resource *swap_target;    /* the surface that the next swap shows */
   /* A deferred resolve of a whole surface, which a swap of its result can do (attila_resolve.h).
    * NULL: none. */
   struct pipe_resource *resolve_src, *resolve_dst;
};

static inline struct attila_context *
attila_context(struct pipe_context *ctx)
{
   return (struct attila_context *)ctx;
}

#endif
