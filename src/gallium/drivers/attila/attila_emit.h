/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What is bound, as commands: registers, constants and programs.
 */
#ifndef ATTILA_EMIT_H
#define ATTILA_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include "compiler/shader_enums.h"

struct attila_context;

/* Brings the GPU's registers, constants and programs up to the bound state, for primitives of a
 * kind, and vertex buffers in memory up to date when upload is set. False (after a message): do not
 * draw. */
bool attila_emit_draw_state(struct attila_context *ctx, enum mesa_prim prim, bool upload);
/* The memory of the bound vertex buffers, before a DRAW of these vertices. */
void attila_upload_vertices(struct attila_context *ctx, uint32_t start, uint32_t count);
/* After the DRAW commands: what they use is in use. */
void attila_draw_recorded(struct attila_context *ctx);
/* Only the registers of the framebuffer, which name a layer of its images (of those with fewer
 * their last one), for clears. overwritten: bit per colour buffer whose contents do not matter. */
void attila_emit_framebuffer_state(struct attila_context *ctx, unsigned overwritten,
                                   unsigned layer);

#endif
