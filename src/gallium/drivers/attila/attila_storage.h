/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage buffers: what shaders load, store and change atomically. */
#ifndef ATTILA_STORAGE_H
#define ATTILA_STORAGE_H

#include "hw/attila_limits.h"

struct attila_context;

/* Before a draw: uploads the buffers that the stage's program uses, and binds them on the GPU. */
void attila_emit_storage(struct attila_context *ctx, enum attila_stage stage);
/* Call it after the draw. */
void attila_storage_drawn(struct attila_context *ctx);
void attila_storage_unbind(struct attila_context *ctx);

#endif
