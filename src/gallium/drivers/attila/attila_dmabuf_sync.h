/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies between a texture in GPU memory and the memory outside that it shares.
 */
#ifndef ATTILA_DMABUF_SYNC_H
#define ATTILA_DMABUF_SYNC_H

#include <stdbool.h>

struct attila_cs;
struct attila_resource;
struct attila_screen;

/* Takes the outside copy as current: the memory is fresh and nobody has written to it. */
void attila_dmabuf_accept(struct attila_screen *screen, struct attila_resource *res);

/* Somebody may have written outside: the next use looks. */
void attila_dmabuf_recheck(struct attila_resource *res);
/* Before the GPU reads a texture or writes a part of it: brings its copy up to the outside's. */
void attila_dmabuf_import(struct attila_cs *cs, struct attila_resource *res);

/* Copies to the outside at once. scanned_out: SWAP has just shown the texture. */
void attila_dmabuf_export(struct attila_cs *cs, struct attila_resource *res, bool scanned_out);
/* At a flush: gives the outside what this context has written, but for one texture (or NULL). */
void attila_dmabuf_flush(struct attila_cs *cs, const struct attila_resource *except);
/* After SWAP has shown a texture: the outside gets it, if this context has written to it. */
void attila_dmabuf_present(struct attila_cs *cs, struct attila_resource *res);
/* Drops what attila_dmabuf_written remembers. */
void attila_dmabuf_forget(struct attila_cs *cs);

#endif
