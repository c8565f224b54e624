/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Bound state as commands: registers, constants, programs. */
#ifndef ATTILA_EMIT_H
#define ATTILA_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include "compiler/shader_enums.h"

struct attila_context;

/* Sends registers, constants and programs for primitives of a kind, and vertex buffers if upload is
 * set. Returns false (after a message) if the draw must be skipped. */
bool attila_emit_draw_state(struct attila_context *ctx, enum mesa_prim prim, bool upload);
/* Uploads the bound vertex buffers before a DRAW of these vertices. */
void attila_upload_vertices(struct attila_context *ctx, uint32_t start, uint32_t count);
/* Notes what the recorded DRAW commands use; call it after them. */
void attila_draw_recorded(struct attila_context *ctx);
/* Do the same for a grid, whose program is the only one in ctx->state.program. */
bool attila_emit_grid_state(struct attila_context *ctx);
void attila_grid_recorded(struct attila_context *ctx);
/* Sends only the registers of the framebuffer for one layer (or the last layer of an image), for
 * clears. overwritten: bit per colour buffer whose contents do not matter. */
void attila_emit_framebuffer_state(struct attila_context *ctx, unsigned overwritten,
                                   unsigned layer);

#endif
