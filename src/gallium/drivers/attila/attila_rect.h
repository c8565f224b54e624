/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies of rectangles between linear images and a slice of a texture. */
#ifndef ATTILA_RECT_H
#define ATTILA_RECT_H

#include <stdbool.h>
#include <stdint.h>

struct attila_cs;
struct attila_rect;
struct attila_resource;

/* Writes linear data to a rectangle of a slice. */
void attila_upload_rect(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, const struct attila_rect *rect, const uint8_t *src,
                        unsigned stride);
/* Reads a rectangle of a slice; flushes and waits. scanned_out: SWAP was the last command and
 * showed this slice, so reading it for the window takes no simulated time. Returns false if the
 * simulator has stopped. */
bool attila_download_rect(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                          unsigned z, const struct attila_rect *rect, uint8_t *dst, unsigned stride,
                          bool scanned_out);

#endif
