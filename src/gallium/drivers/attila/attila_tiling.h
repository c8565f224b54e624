/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * CPU copies between linear images and 8x8 Morton tiles (hw/attila_surface.h). */
#ifndef ATTILA_TILING_H
#define ATTILA_TILING_H

#include <stdint.h>

/* Copy width x height elements between (x, y) of an 8x8 tile and the start of a linear image.
 * bytes: of an element. */
void attila_tile_store(uint8_t *tile, const uint8_t *linear, unsigned stride, unsigned x,
                       unsigned y, unsigned width, unsigned height, unsigned bytes);
void attila_tile_load(const uint8_t *tile, uint8_t *linear, unsigned stride, unsigned x, unsigned y,
                      unsigned width, unsigned height, unsigned bytes);

#endif
