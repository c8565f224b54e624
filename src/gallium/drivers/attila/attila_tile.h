/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies between linear images and 8x8 Morton tiles on the CPU. The layout is that of
 * hw/attila_surface.h.
 */
#ifndef ATTILA_TILE_H
#define ATTILA_TILE_H

#include <stdint.h>

/* Copies width x height elements (each 0..8) of bytes bytes between the top left of a tile and a
 * linear image. */
void attila_tile_store(uint8_t *tile, const uint8_t *linear, unsigned stride, unsigned width,
                       unsigned height, unsigned bytes);
void attila_tile_load(const uint8_t *tile, uint8_t *linear, unsigned stride, unsigned x, unsigned y,
                      unsigned width, unsigned height, unsigned bytes);

#endif
