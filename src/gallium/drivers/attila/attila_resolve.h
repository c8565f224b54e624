/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits and copies of multisampled surfaces.
 */
#ifndef ATTILA_RESOLVE_H
#define ATTILA_RESOLVE_H

struct attila_context;
struct attila_resource;
struct pipe_blit_info;
struct pipe_box;
struct pipe_resource;

/* A blit with a multisampled source. */
void attila_blit_samples(struct attila_context *ctx, const struct pipe_blit_info *info);
/* A surface with one sample of the same size and format; with box, what is in the box is resolved
 * into it. NULL (after a message): no memory. */
struct pipe_resource *attila_resolve_copy(struct attila_context *ctx, struct attila_resource *src,
                                          const struct pipe_box *box);

/* A window's samples are resolved before the window is shown, and nobody but the swap reads the
 * result. The DAC can average samples while it reads them, so the resolve of a whole surface waits:
 * when the next command is the swap of its result, that shows the samples; any other comes after
 * the resolve. */

/* Takes the resolve that waits out of the context if dst is its result. Its source, which the
 * caller unreferences; NULL: none, or of another surface. */
struct pipe_resource *attila_resolve_take(struct attila_context *ctx, struct attila_resource *dst);

#endif
