/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits of stencil, by drawing.
 */
#ifndef ATTILA_BLIT_STENCIL_H
#define ATTILA_BLIT_STENCIL_H

struct attila_context;
struct pipe_blit_info;

/* Blits the stencil plane only, with scaling and scissor. */
void attila_blit_stencil(struct attila_context *ctx, const struct pipe_blit_info *info);

/* Frees the shaders that attila_blit_stencil made. */
void attila_blit_stencil_finish(struct attila_context *ctx);

#endif
