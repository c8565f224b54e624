/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parts of the blit code that live in different files.
 */
#ifndef ATTILA_BLIT_H
#define ATTILA_BLIT_H

struct attila_context;
struct pipe_blit_info;

/* Blits the stencil plane only, with scaling and scissor. */
void attila_blit_stencil(struct attila_context *ctx, const struct pipe_blit_info *info);

/* Frees the shaders that attila_blit_stencil made. */
void attila_blit_stencil_finish(struct attila_context *ctx);

#endif
