/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits and copies between surfaces, and the frame of the driver's own draws.
 */
#ifndef ATTILA_BLIT_H
#define ATTILA_BLIT_H

#include <stdbool.h>
#include <stdint.h>
#include "util/format/u_formats.h"

struct attila_context;
struct attila_resource;
struct pipe_blit_info;
struct pipe_box;

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

/* The driver's own draws: state is saved, occlusion is not counted. */
void attila_blitter_begin(struct attila_context *ctx, bool textures, bool render_condition);
void attila_blitter_end(struct attila_context *ctx);

void attila_init_context_blit(struct attila_context *ctx);

#endif
