/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: transform feedback's buffers. */
#ifndef ATTILA_STREAM_H
#define ATTILA_STREAM_H

#include <stdbool.h>

struct attila_context;
struct pipe_stream_output_target;

/* Before a draw: gives the bound buffers to the GPU, with their places and what the bound vertex
 * shader writes. */
void attila_emit_stream(struct attila_context *ctx);
/* Call it after the draw. */
void attila_stream_drawn(struct attila_context *ctx);

/* Gives the following counted draws as many vertices as buffer 0 of a transform feedback holds.
 * False: none. */
bool attila_emit_vertex_count(struct attila_context *ctx, struct pipe_stream_output_target *target);

/* Disables stream-out for the driver's own draws. */
void attila_stream_save(struct attila_context *ctx);
void attila_stream_unbind(struct attila_context *ctx);

#endif
