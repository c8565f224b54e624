/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits and copies of multisampled surfaces. */
#ifndef ATTILA_RESOLVE_H
#define ATTILA_RESOLVE_H

struct attila_context;
struct attila_resource;
struct pipe_blit_info;
struct pipe_box;
struct pipe_resource;

/* Does a blit from a multisampled source. */
void attila_blit_samples(struct attila_context *ctx, const struct pipe_blit_info *info);
/* Returns a surface with one sample, of the same size and format, into which box (if not NULL) is
 * resolved. Returns NULL (after a message) if memory is exhausted. */
struct pipe_resource *attila_resolve_copy(struct attila_context *ctx, struct attila_resource *src,
                                          const struct pipe_box *box);

/* Mesa resolves a multisampled window before presenting it, and only the swap reads the result. As
 * the DAC can average samples itself, the resolve of a whole surface is deferred: if the next
 * command is a swap of its result, the swap shows the samples instead; before any other command,
 * the resolve is recorded. */

/* Removes the deferred resolve to dst from the context and returns its source, which the caller
 * unreferences. NULL: there is none. */
struct pipe_resource *attila_resolve_take(struct attila_context *ctx, struct attila_resource *dst);

#endif
