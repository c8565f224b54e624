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

/* Mesa resolves a multisampled window before it presents it, and only the swap reads the result.
 * The DAC can average samples while it reads them. So the resolve of a whole surface is deferred:
 * if the next command is the swap of its result, the swap shows the samples; before any other
 * command the resolve is recorded. */

/* Removes the deferred resolve from the context if dst is its destination, and returns its source,
 * which the caller unreferences. Returns NULL if there is none. */
struct pipe_resource *attila_resolve_take(struct attila_context *ctx, struct attila_resource *dst);

#endif
