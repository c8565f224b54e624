/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Resources: buffers, textures and surfaces in GPU memory.
 */
#ifndef ATTILA_RESOURCE_H
#define ATTILA_RESOURCE_H

#include "attila_memory.h"
#include "hw/attila_surface.h"
#include "pipe/p_state.h"

struct attila_context;
struct attila_shared;
struct sw_displaytarget;

struct attila_resource {
   struct pipe_resource base;
   struct attila_bo bo;

   /* Buffers. The CPU's copy is the truth (the GPU never writes a buffer); [dirty_lo, dirty_hi) is
    * newer than GPU memory. */
   uint8_t *data;
   uint32_t dirty_lo, dirty_hi;
   bool dirty_unsync; /* the dirty range was written without synchronisation: no unfinished draw
                         reads it */

   /* Textures. */
   struct attila_layout layout;
   uint8_t element_bytes, block_width, block_height;
   bool defined; /* something has been written to it */

   bool gpu_used; /* recorded commands use the memory */

   /* The last render target use: by which context, and at which of its rop_seq. Newer than the
    * context's last flush means that the pixels may still be in ROP caches. */
   unsigned rop_context;
   uint64_t color_seq, zs_seq;

   struct attila_shared *shared; /* NULL: nobody outside sees the pixels (attila_shared.h) */
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

/* Gives a buffer whose contents are discarded fresh memory; false, and nothing has happened, when
 * there is none. */
bool attila_buffer_rename(struct attila_context *ctx, struct attila_resource *res);
/* The CPU wrote [lo, hi) of a buffer. unsync: no unfinished draw reads it. */
void attila_buffer_written(struct attila_context *ctx, struct attila_resource *res, uint32_t lo,
                           uint32_t hi, bool unsync);
/* Makes GPU memory hold what the CPU's copy holds, before a draw uses the buffer. */
void attila_buffer_upload(struct attila_context *ctx, struct attila_resource *res);

/* Brings a front buffer up to what the window shows, and a shared texture up to what the outside
 * holds, before it is read or a part of it is written. Others draw there too. */
void attila_resource_import_front(struct attila_context *ctx, struct attila_resource *res);
/* The same before anything but a ROP writes to it; any other resource is left alone. */
void attila_resource_write_front(struct attila_context *ctx, struct attila_resource *res);

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
