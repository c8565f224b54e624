/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parts of the blit code that live in different files.
 */
#ifndef ATTILA_BLIT_H
#define ATTILA_BLIT_H

#include <stdint.h>
#include "util/format/u_formats.h"

struct attila_context;
struct attila_resource;
struct pipe_blit_info;
struct pipe_box;
struct pipe_resource;

/* Blits the stencil plane only, with scaling and scissor. */
void attila_blit_stencil(struct attila_context *ctx, const struct pipe_blit_info *info);

/* Frees the shaders that attila_blit_stencil made. */
void attila_blit_stencil_finish(struct attila_context *ctx);

/* attila_resolve.c: the same for a multisampled source. */
void attila_blit_samples(struct attila_context *ctx, const struct pipe_blit_info *info);
/* A surface with one sample of the same size and format; with box, what is in the box is resolved
 * into it. NULL (after a message): no memory. */
struct pipe_resource *attila_resolve_copy(struct attila_context *ctx, struct attila_resource *src,
                                          const struct pipe_box *box);

/* A blit whose source has one sample. */
void attila_blit_drawn(struct attila_context *ctx, const struct pipe_blit_info *info);
/* Copies within GPU memory; the ranges do not overlap. */
void attila_copy_bytes(struct attila_context *ctx, uint32_t dst, uint32_t src, uint64_t size);
void attila_zero_bytes(struct attila_context *ctx, uint32_t address, uint64_t size);
/* One BLIT command; the box is in texels of the source and inside both surfaces. resolve: enum
 * attila_resolve, with the format to average in. */
void attila_copy_elements(struct attila_context *ctx, struct attila_resource *dst,
                          unsigned dst_level, unsigned dst_x, unsigned dst_y, unsigned dst_z,
                          struct attila_resource *src, unsigned src_level,
                          const struct pipe_box *box, uint32_t resolve, enum pipe_format format);

#endif
