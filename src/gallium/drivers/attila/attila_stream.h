/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: transform feedback's buffers. */
#ifndef ATTILA_STREAM_H
#define ATTILA_STREAM_H

#include <stdbool.h>

struct attila_context;
struct pipe_stream_output_target;

/* Before a draw: binds the buffers on the GPU, and sends which outputs of the bound vertex shader
 * go where. */
void attila_emit_stream(struct attila_context *ctx);
/* Call it after the draw. */
void attila_stream_drawn(struct attila_context *ctx);

/* Sets the number of vertices of the following counted draws to what buffer 0 of a transform
 * feedback holds. Returns false if it holds none. */
bool attila_emit_vertex_count(struct attila_context *ctx, struct pipe_stream_output_target *target);

/* Disables stream-out for the driver's own draws. */
void attila_stream_save(struct attila_context *ctx);
void attila_stream_unbind(struct attila_context *ctx);

#endif
