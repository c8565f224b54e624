/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage buffers and images: what shaders load, store and change atomically. */
#ifndef ATTILA_STORAGE_H
#define ATTILA_STORAGE_H

#include <stdbool.h>
#include "hw/attila_limits.h"
#include "pipe/p_defines.h"

struct attila_const_buffer;
struct attila_context;

/* Finds the stage of Gallium's; false: there is none. */
bool attila_storage_stage_of(enum pipe_shader_type shader, enum attila_stage *stage);

/* Before a draw: uploads the buffers that the stage's program uses, and binds them on the GPU. */
void attila_emit_storage(struct attila_context *ctx, enum attila_stage stage);
/* Makes a bound range ready for programs that read, or also write it. */
void attila_storage_prepare(struct attila_context *ctx, const struct attila_const_buffer *b,
                            bool writes);
/* Call it after the draw. */
void attila_storage_drawn(struct attila_context *ctx);
void attila_storage_unbind(struct attila_context *ctx);

/* The same for images (attila_image.c). Textures become current in memory before registers are
 * written. */
void attila_image_prepare(struct attila_context *ctx);
void attila_emit_images(struct attila_context *ctx, enum attila_stage stage);
void attila_image_drawn(struct attila_context *ctx);
void attila_image_unbind(struct attila_context *ctx);

#endif
