/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Textures that OpenGL has deleted but that are still bound.
 */
#ifndef ATTILA_EVICTION_H
#define ATTILA_EVICTION_H

#include <stdint.h>

struct attila_context;
struct attila_screen;

/* The calling thread uses the context: before its textures change or are read. */
void attila_context_own(struct attila_context *ctx);
/* Unbinds what OpenGL has deleted, in one context or in all of the calling thread. */
void attila_release_deleted(struct attila_context *ctx);
void attila_release_all_deleted(struct attila_screen *screen);
/* Bytes that attila_release_all_deleted would free. The screen's lock is held. */
uint64_t attila_deleted_size(struct attila_screen *screen);

#endif
