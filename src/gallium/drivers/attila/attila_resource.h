/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Resources: buffers and textures in GPU memory. */
#ifndef ATTILA_RESOURCE_H
#define ATTILA_RESOURCE_H

#include "attila_bo.h"
#include "hw/attila_surface.h"
#include "pipe/p_state.h"
#include "util/bitset.h"
#include "util/u_range.h"

struct attila_dmabuf;
struct sw_displaytarget;

struct attila_resource {
   struct pipe_resource base;
   struct attila_bo bo;

   /* Buffers. System memory is newer in [dirty_lo, dirty_hi), else GPU memory in [gpu_lo, gpu_hi);
    * elsewhere both agree. Nothing behind valid was ever written: attila_buffer.c. */
   uint8_t *data;
   uint32_t dirty_lo, dirty_hi;
   uint32_t gpu_lo, gpu_hi;
   bool dirty_no_wait; /* no unfinished draw reads the dirty range */
   struct util_range valid;

   /* Textures. */
   struct attila_layout layout;
   uint8_t element_bytes, block_width, block_height;
   /* The number of slices without contents, and a bit per slice with contents
    * (attila_lazy_zero.c). */
   unsigned num_undefined;
   uint16_t first_slice[ATTILA_MAX_LEVELS];
   BITSET_WORD *defined;

   uint64_t used; /* epoch of the last recorded command that uses the memory */

   /* Last use as a render target: the stream, and its rop_seq. If that is newer than the stream's
    * last flush, pixels may be in ROP caches. */
   unsigned rop_context;
   uint64_t color_seq, zs_seq;

   struct attila_dmabuf *dmabuf; /* NULL: not shared (attila_dmabuf.h) */
   struct sw_displaytarget *dt;  /* the window system's copy, filled by flush_frontbuffer */
   unsigned dt_stride;
   bool is_front;       /* a window's front buffer: contents come from the window */
   bool front_rendered; /* it was written and is not shown yet */
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

/* Returns the number of slices (array layers, faces, depth slices) of a level. */
unsigned attila_level_slices(const struct attila_resource *res, unsigned level);

/* Returns the address of slice z of a level. */
static inline uint32_t
attila_slice_address(const struct attila_resource *res, unsigned level, unsigned z)
{
   return res->bo.address + res->layout.level_offset[level] + z * res->layout.slice_stride[level];
}

/* Returns how many layers, faces or slices a surface shows. */
static inline unsigned
attila_surface_layers(const struct pipe_surface *surface)
{
   return surface->u.tex.last_layer - surface->u.tex.first_layer + 1;
}

/* A box of elements (texels or compressed blocks) in a slice. */
struct attila_rect {
   unsigned x, y, width, height;
};

/* Returns all elements of a slice of level 0. */
struct attila_rect attila_whole_image(const struct attila_resource *res);

/* Returns whether the box covers its slices completely. */
bool attila_box_is_whole(const struct attila_resource *res, unsigned level,
                         const struct pipe_box *box);

/* Makes all of a texture undefined; its layout must be known. Returns false if system memory is
 * exhausted. */
bool attila_undefined_init(struct attila_resource *res);
/* Drops all contents. */
void attila_undefine(struct attila_resource *res);
bool attila_is_defined(const struct attila_resource *res, unsigned level, unsigned z);
unsigned attila_num_defined(const struct attila_resource *res);
/* Returns how many of slices [z, z + num) of a level are defined. */
unsigned attila_num_defined_in(const struct attila_resource *res, unsigned level, unsigned z,
                               unsigned num);
/* Notes that the next recorded command overwrites the slices completely. */
void attila_define_slices(struct attila_resource *res, unsigned level, unsigned z, unsigned num);
/* Returns whether a copy only moves undefined slices onto undefined ones. box: of the source; the
 * destination begins at slice dst_z. */
bool attila_copies_nothing(const struct attila_resource *src, unsigned src_level,
                           const struct pipe_box *box, const struct attila_resource *dst,
                           unsigned dst_level, unsigned dst_z, unsigned dst_depth);

#endif
