/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Queries and conditional rendering.
 */
#ifndef ATTILA_QUERY_H
#define ATTILA_QUERY_H

#include <stdbool.h>

struct attila_context;

/* False when conditional rendering says not to draw. */
bool attila_render_condition_passes(struct attila_context *ctx);
/* The same for a draw, without waiting where the GPU can decide: then it records what the GPU
 * decides by, and *on_gpu says that the draw is conditional. */
bool attila_draw_condition(struct attila_context *ctx, bool *on_gpu);

#endif
