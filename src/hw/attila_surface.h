/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory layout of surfaces, shared by driver and simulator. Every texture and framebuffer surface
 * is tiled: 8x8 elements per tile (an element is a texel, or a block of a compressed format),
 * Morton order inside the tile (x bit 0 is address bit 0, y bit 0 address bit 1, ...), so a 2x2
 * quad is contiguous and a 4x4 block of 4-byte texels is one 64-byte memory transaction. Tiles are
 * in row-major order within a slice; with N samples a tile is N consecutive planes of 64 elements.
 * Levels follow one another; inside a level its slices (array layers, cube faces, depth slices) do.
 * Not here: what is in an element (attila_format.h).
 */
#ifndef ATTILA_SURFACE_H
#define ATTILA_SURFACE_H

#include <stdint.h>

#define ATTILA_TILE_DIM 8
#define ATTILA_TILE_ELEMENTS 64
#define ATTILA_MAX_LEVELS 16
#define ATTILA_MAX_SAMPLES 8
#define ATTILA_SURFACE_ALIGN 256 /* bytes; levels and slices start on it */

/* Where samples lie in a pixel, (x, y) in 1/16 pixel: a row for 1, 2, 4 and 8 samples. */
#define ATTILA_SAMPLE_POSITIONS                                                   \
   {                                                                              \
      {{8, 8}}, {{12, 12}, {4, 4}}, {{6, 2}, {14, 6}, {2, 10}, {10, 14}},         \
          {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}, \
   }

struct attila_layout {
   uint32_t level_offset[ATTILA_MAX_LEVELS]; /* bytes from the surface's address */
   uint32_t slice_stride[ATTILA_MAX_LEVELS]; /* bytes */
   uint32_t pitch_tiles[ATTILA_MAX_LEVELS];  /* tiles per row of tiles */
   uint64_t size;                            /* bytes of the whole surface */
};

static inline uint32_t
attila_minify(uint32_t size, uint32_t level)
{
   size >>= level;
   return size ? size : 1;
}

/* Index of element (x, y), both 0..7, inside a tile. */
static inline uint32_t
attila_morton8(uint32_t x, uint32_t y)
{
   return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3;
}

/* Computes the layout of a surface. width, height: level 0, in texels; depth: level 0 slices,
 * minified per level only when is_3d; otherwise the number of layers (6 for a cube map). */
static inline void
attila_surface_layout(uint32_t width, uint32_t height, uint32_t depth, int is_3d, uint32_t levels,
                      uint32_t samples, uint32_t element_bytes, uint32_t block_width,
                      uint32_t block_height, struct attila_layout *out)
{
   uint64_t offset = 0;
   for (uint32_t l = 0; l < levels && l < ATTILA_MAX_LEVELS; l++) {
      uint32_t w = (attila_minify(width, l) + block_width - 1) / block_width;
      uint32_t h = (attila_minify(height, l) + block_height - 1) / block_height;
      uint32_t d = is_3d ? attila_minify(depth, l) : depth;
      uint32_t tiles_x = (w + 7) / 8, tiles_y = (h + 7) / 8;
      uint64_t slice = (uint64_t)tiles_x * tiles_y * 64 * element_bytes * (samples ? samples : 1);
      slice = (slice + ATTILA_SURFACE_ALIGN - 1) & ~(uint64_t)(ATTILA_SURFACE_ALIGN - 1);
      out->level_offset[l] = (uint32_t)offset;
      out->slice_stride[l] = (uint32_t)slice;
      out->pitch_tiles[l] = tiles_x;
      offset += slice * d;
   }
   out->size = offset;
}

/* Byte offset of element (x, y) of sample plane `sample` inside a slice. */
static inline uint32_t
attila_element_offset(uint32_t pitch_tiles, uint32_t samples, uint32_t element_bytes, uint32_t x,
                      uint32_t y, uint32_t sample)
{
   uint32_t tile = (y >> 3) * pitch_tiles + (x >> 3);
   return ((tile * samples + sample) * 64 + attila_morton8(x & 7, y & 7)) * element_bytes;
}

#endif
