/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a window shows of GPU memory, as the simulator reports it. */
#ifndef ATTILA_SCANOUT_H
#define ATTILA_SCANOUT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of memory that are shown. pitch_tiles 0: no layout; else a surface with one sample, of
 * which width x height elements from its first one on are needed. */
struct attila_scanout {
   uint32_t address;
   size_t size;
   uint32_t pitch_tiles, element_bytes, width, height;
};
/* Blocks of a surface that functional mode has only cleared: a byte per superblock of 64x64
 * elements (hw/attila_surface.h), in order; if not 0, all needed ones equal element, whatever
 * memory holds. */
struct attila_cleared {
   const uint8_t *blocks; /* NULL: memory is up to date */
   const uint8_t *element;
};

#endif
