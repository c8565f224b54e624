/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: transform feedback's buffers.
 */
#ifndef ATTILA_STREAM_H
#define ATTILA_STREAM_H

#include <stdbool.h>

struct attila_context;
struct pipe_stream_output_target;

/* Before a draw: the bound buffers are the GPU's, and it knows where they are and what the bound
 * vertex shader writes to them. */
void attila_emit_stream(struct attila_context *ctx);
/* After it. */
void attila_stream_drawn(struct attila_context *ctx);

/* Counted draws that follow have the vertices that buffer 0 of a transform feedback holds. False:
 * it holds none. */
bool attila_emit_vertex_count(struct attila_context *ctx, struct pipe_stream_output_target *target);

/* The driver's own draws write nothing. */
void attila_stream_save(struct attila_context *ctx);
void attila_stream_unbind(struct attila_context *ctx);

#endif
