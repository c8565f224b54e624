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

#endif
