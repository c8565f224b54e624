/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fences: points in the command stream that can be waited for. */
#ifndef ATTILA_FENCE_H
#define ATTILA_FENCE_H

#include <stdint.h>

struct pipe_screen;
struct pipe_fence_handle;

/* Returns a fence, with one reference, for a FENCE of this value; NULL: out of memory. */
struct pipe_fence_handle *attila_fence_create(uint64_t value);
void attila_init_screen_fences(struct pipe_screen *screen);

#endif
