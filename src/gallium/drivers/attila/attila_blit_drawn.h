/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits that are drawn. */
#ifndef ATTILA_BLIT_DRAWN_H
#define ATTILA_BLIT_DRAWN_H

struct attila_context;
struct pipe_blit_info;

/* Call it once the context's blitter exists. */
void attila_blit_drawn_init(struct attila_context *ctx);
/* Draws a blit from a source with one sample. */
void attila_blit_drawn(struct attila_context *ctx, const struct pipe_blit_info *info);
void attila_blit_drawn_finish(struct attila_context *ctx);

#endif
