/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a window shows of GPU memory, and what the simulator says about it.
 */
#ifndef ATTILA_SCANOUT_H
#define ATTILA_SCANOUT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of memory that are shown. pitch_tiles 0: without a layout; else a surface with a single
 * sample, of which width x height elements are wanted, from its first one on. */
struct attila_scanout {
   uint32_t address;
   size_t size;
   uint32_t pitch_tiles, element_bytes, width, height;
};
/* Of a surface in functional mode, blocks which have been cleared and nothing else: a byte for each
 * of its superblocks of 64x64 elements (hw/attila_surface.h), one after the other, not 0 where all
 * that are wanted equal element, whatever bytes memory has there. */
struct attila_cleared {
   const uint8_t *blocks; /* NULL: memory has everything */
   const uint8_t *element;
};

#endif
