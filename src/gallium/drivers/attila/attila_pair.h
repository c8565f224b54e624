/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Framebuffers whose depth and stencil are different images.
 */
#ifndef ATTILA_PAIR_H
#define ATTILA_PAIR_H

struct attila_context;
struct attila_resource;
struct attila_screen;

void attila_init_context_pairs(struct attila_context *ctx);

/* The resource is destroyed. */
void attila_pair_forget(struct attila_screen *screen, struct attila_resource *res);

/* Something else than a draw with the pair's surface reads the resource next, or writes to it. */
void attila_pair_read(struct attila_context *ctx, struct attila_resource *res);
void attila_pair_write(struct attila_context *ctx, struct attila_resource *res);

/* The application's draw, or its clear of PIPE_CLEAR_* buffers, comes next: what it uses of pairs
 * is where it looks for it. fast: those of the buffers that are cleared completely. Not to be
 * called for the driver's own draws. */
void attila_pair_before_draw(struct attila_context *ctx);
void attila_pair_before_clear(struct attila_context *ctx, unsigned buffers, unsigned fast);

#endif
