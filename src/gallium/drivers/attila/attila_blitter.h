/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Begin and end of the driver's own draws. */
#ifndef ATTILA_BLITTER_H
#define ATTILA_BLITTER_H

#include <stdbool.h>

struct attila_context;

void attila_blitter_begin(struct attila_context *ctx, bool textures, bool render_condition);
void attila_blitter_end(struct attila_context *ctx);

#endif
