/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Resources: buffers, textures and surfaces in GPU memory.
 */
#ifndef ATTILA_RESOURCE_H
#define ATTILA_RESOURCE_H

#include "attila_bo.h"
#include "hw/attila_surface.h"
#include "pipe/p_state.h"
#include "util/bitset.h"
#include "util/u_range.h"

struct attila_context;
struct attila_shared;
struct sw_displaytarget;

struct attila_resource {
   struct pipe_resource base;
   struct attila_bo bo;

   /* Buffers. System memory is the truth; [dirty_lo, dirty_hi) of it is newer than GPU memory. What
    * follows valid was never written, see attila_buffer.c. */
   uint8_t *data;
   uint32_t dirty_lo, dirty_hi;
   bool dirty_no_wait; /* no unfinished draw reads the dirty range */
   struct util_range valid;

   /* Textures. */
   struct attila_layout layout;
   uint8_t element_bytes, block_width, block_height;
   /* Slices that nothing was written to yet, see attila_lazy_zero.c: how many, and a bit for each
    * that is not one of them. */
   unsigned num_undefined;
   uint16_t first_slice[ATTILA_MAX_LEVELS];
   BITSET_WORD *defined;

   uint64_t used; /* epoch in which the last command that uses the memory was recorded */

   /* The last render target use: by which context, and at which of its rop_seq. Newer than the
    * context's last flush means that the pixels may still be in ROP caches. */
   unsigned rop_context;
   uint64_t color_seq, zs_seq;

   struct attila_shared *shared; /* NULL: nobody outside sees the pixels (attila_dmabuf.h) */
   struct sw_displaytarget *dt;  /* window system's copy, filled by flush_frontbuffer */
   unsigned dt_stride;
   bool is_front;       /* a window's front buffer: its contents come from the window */
   bool front_rendered; /* written to and not shown yet */
};

static inline struct attila_resource *
attila_resource(struct pipe_resource *resource)
{
   return (struct attila_resource *)resource;
}

static inline bool
attila_is_buffer(const struct attila_resource *res)
{
   return res->base.target == PIPE_BUFFER;
}

static inline unsigned
attila_samples(const struct attila_resource *res)
{
   return res->base.nr_samples > 1 ? res->base.nr_samples : 1;
}

/* Number of slices (array layers, faces, depth slices) of a level. */
unsigned attila_level_slices(const struct attila_resource *res, unsigned level);

/* Address of slice z of a level. */
static inline uint32_t
attila_slice_address(const struct attila_resource *res, unsigned level, unsigned z)
{
   return res->bo.address + res->layout.level_offset[level] + z * res->layout.slice_stride[level];
}

void attila_init_screen_resources(struct pipe_screen *screen);
void attila_init_context_resources(struct attila_context *ctx);

/* A recorded or unfinished command may use the memory: what is written to it next waits. */
bool attila_resource_is_busy(const struct attila_context *ctx, const struct attila_resource *res);
/* The command recorded next uses the memory. */
void attila_resource_use(struct attila_context *ctx, struct attila_resource *res);

/* The contents of a box will all be overwritten. If nothing else is in the texture and the GPU may
 * still use it, it gets fresh memory. */
void attila_texture_discard(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                            const struct pipe_box *box);
/* The box is all of its slices. */
bool attila_box_is_whole(const struct attila_resource *res, unsigned level,
                         const struct pipe_box *box);

/* Updates a front buffer from the window and a shared texture from its dmabuf, before the resource
 * is read or partly written. */
void attila_resource_import_front(struct attila_context *ctx, struct attila_resource *res);
/* The same before anything but a ROP writes to it, unless all is overwritten; any other resource is
 * left alone. */
void attila_resource_write_front(struct attila_context *ctx, struct attila_resource *res,
                                 bool whole);

/* Render target use and its end. */
void attila_resource_rendered(struct attila_context *ctx, struct attila_resource *res, bool zs);
/* ATTILA_FLUSH bits that must be executed before anything but a ROP reads or writes the resource;
 * 0: none. */
uint32_t attila_resource_flush_bits(const struct attila_context *ctx,
                                    const struct attila_resource *res);
void attila_resource_flush(struct attila_context *ctx, struct attila_resource *res);

/* Ends the frame: the DAC scans the surface out. */
void attila_emit_swap(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                      unsigned layer);

#endif
