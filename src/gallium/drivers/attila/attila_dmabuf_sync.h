/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies between a shared texture in GPU memory and the memory outside. */
#ifndef ATTILA_DMABUF_SYNC_H
#define ATTILA_DMABUF_SYNC_H

#include <stdbool.h>

struct attila_cs;
struct attila_resource;
struct attila_screen;

/* Assumes that both copies are equal, for memory that is new and unwritten. */
void attila_dmabuf_accept(struct attila_screen *screen, struct attila_resource *res);

/* Makes the next use check for writes outside. */
void attila_dmabuf_recheck(struct attila_resource *res);
/* Updates the GPU's copy from outside, before the GPU reads it or writes a part of it. */
void attila_dmabuf_import(struct attila_cs *cs, struct attila_resource *res);

/* Copies outside at once. scanned_out: SWAP has just shown the texture. */
void attila_dmabuf_export(struct attila_cs *cs, struct attila_resource *res, bool scanned_out);
/* Copies this context's writes outside at a flush, except one texture (or NULL). */
void attila_dmabuf_flush(struct attila_cs *cs, const struct attila_resource *except);
/* Copies a texture outside after SWAP, if this context has written to it. */
void attila_dmabuf_present(struct attila_cs *cs, struct attila_resource *res);
/* Forgets what attila_dmabuf_written noted. */
void attila_dmabuf_forget(struct attila_cs *cs);

#endif
