/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws: indices and commands. What is bound is attila_emit.h.
 */
#ifndef ATTILA_DRAW_H
#define ATTILA_DRAW_H

struct attila_context;

void attila_init_context_draw(struct attila_context *ctx);

#endif
