/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mapping of textures, and copies between linear system memory and tiled GPU memory.
 */
#ifndef ATTILA_TRANSFER_H
#define ATTILA_TRANSFER_H

#include "attila_resource.h"

/* Any mapping; one of a buffer needs the base only. */
struct attila_transfer {
   struct pipe_transfer base;
   uint8_t *staging;               /* textures: base.box, linear */
   struct pipe_transfer *resolved; /* multisampled textures: of the copy that is mapped instead */
};

void attila_init_context_transfers(struct attila_context *ctx);

/* A box of elements (texels or compressed blocks) of one slice. */
struct attila_rect {
   unsigned x, y, width, height;
};

/* Writes linear data to a rectangle of a slice. */
void attila_upload_rect(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                        unsigned z, const struct attila_rect *rect, const uint8_t *src,
                        unsigned stride);
/* Reads a rectangle of a slice; flushes and waits. scanned_out: SWAP was the last command and
 * showed this slice; reading it for the window costs no simulated time. False when the simulator
 * has stopped. */
bool attila_download_rect(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                          unsigned z, const struct attila_rect *rect, uint8_t *dst, unsigned stride,
                          bool scanned_out);

#endif
