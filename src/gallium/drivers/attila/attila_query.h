/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Queries and conditional rendering. */
#ifndef ATTILA_QUERY_H
#define ATTILA_QUERY_H

#include <stdbool.h>

struct attila_context;

/* Returns false if conditional rendering prevents drawing. */
bool attila_render_condition_passes(struct attila_context *ctx);
/* The same for a draw. If the GPU can decide, it does not wait but records the condition and sets
 * *on_gpu. */
bool attila_draw_condition(struct attila_context *ctx, bool *on_gpu);

#endif
