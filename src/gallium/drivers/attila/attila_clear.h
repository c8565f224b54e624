/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fast clears of the bound framebuffer, whose registers have been sent.
 */
#ifndef ATTILA_CLEAR_H
#define ATTILA_CLEAR_H

#include <stdbool.h>
#include <stdint.h>

struct attila_context;

/* buffers: bit per colour buffer. */
void attila_clear_color(struct attila_context *ctx, uint32_t buffers, const float color[4]);
void attila_clear_zs(struct attila_context *ctx, bool depth, bool stencil, float depth_value,
                     uint32_t stencil_value);

void attila_init_context_clear(struct attila_context *ctx);

#endif
