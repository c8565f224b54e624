/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Frees memory when GPU memory is short. */
#ifndef ATTILA_EVICTION_H
#define ATTILA_EVICTION_H

#include <stdbool.h>
#include <stdint.h>

struct attila_context;
struct attila_memory;
struct attila_screen;

/* Removes a context's bindings of textures that OpenGL has deleted. */
void attila_eviction_unbind(struct attila_context *ctx);
/* Returns the bytes that unbinding would free in all contexts of the calling thread. The screen's
 * lock is held. */
uint64_t attila_eviction_size(struct attila_screen *screen);
/* Unbinds them, then waits until the GPU is idle and its ROP caches are empty, so that all freed
 * memory is reusable. Returns false if the GPU is lost. */
bool attila_eviction_reclaim(struct attila_memory *memory);

#endif
