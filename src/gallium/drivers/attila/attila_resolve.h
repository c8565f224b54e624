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
/* Returns a surface with one sample, of the same size and format, into which box (if any) is
 * resolved. NULL (after a message): out of memory. */
struct pipe_resource *attila_resolve_copy(struct attila_context *ctx, struct attila_resource *src,
                                          const struct pipe_box *box);

/* Mesa resolves a multisampled window before presenting it, and only the swap reads the result,
 * while the DAC can average samples. So a whole surface's resolve is deferred: a swap of its result
 * as next command shows the samples; before any other command it is recorded. */

/* Takes the deferred resolve to dst out of the context and returns its source, which the caller
 * unreferences; NULL: none. */
struct pipe_resource *attila_resolve_take(struct attila_context *ctx, struct attila_resource *dst);

#endif
