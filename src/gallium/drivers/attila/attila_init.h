/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functions that set entry points of screens and contexts, each in the file of its name. */
#ifndef ATTILA_INIT_H
#define ATTILA_INIT_H

struct attila_context;
struct pipe_context;
struct pipe_screen;

struct pipe_context *attila_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

void attila_init_screen_present(struct pipe_screen *screen);
void attila_init_screen_resources(struct pipe_screen *screen);

void attila_init_context_blit(struct attila_context *ctx);
void attila_init_context_buffers(struct attila_context *ctx);
void attila_init_context_clear(struct attila_context *ctx);
void attila_init_context_draw(struct attila_context *ctx);
void attila_init_context_grids(struct attila_context *ctx);
void attila_init_context_labels(struct attila_context *ctx);
void attila_init_context_present(struct attila_context *ctx);
void attila_init_context_queries(struct attila_context *ctx);
void attila_init_context_resources(struct attila_context *ctx);
void attila_init_context_shaders(struct attila_context *ctx);
void attila_init_context_state(struct attila_context *ctx);
void attila_init_context_storage(struct attila_context *ctx);
void attila_init_context_images(struct attila_context *ctx);
void attila_init_context_streams(struct attila_context *ctx);
void attila_init_context_transfers(struct attila_context *ctx);

#endif
