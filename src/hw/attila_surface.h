/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory layout of surfaces, for driver and simulator. Textures and framebuffers are tiled: 8x8
 * elements (a texel, or a compressed block) in Morton order (x bit 0 is address bit 0, y bit 0
 * address bit 1, ...), so a 2x2 quad is contiguous, and a 4x4 block of 4-byte texels is one 64-byte
 * memory transaction. With N samples a quad has its pixels' first samples, then the second ones,
 * and so on: a pixel's samples share a transaction or its neighbours, as in the last release of
 * ATTILA, and one sample of a quad is 4 adjacent elements. Levels are consecutive; so are a level's
 * slices (array layers, cube faces, depth slices).
 * Squares of 8x8 tiles are superblocks: Morton order continues in them, and they are in row-major
 * order. So what is drawn together lies together: 64x64 pixels of 4 bytes are 16 KB without a gap
 * at any width, as in the last release of ATTILA (TextureBlockDimension, OverScanWidth and the
 * other tile keys give 64x64 for textures and render targets). Where whole superblocks would waste
 * memory they are smaller (attila_surface_pitch), which follows from the tiles per row. Not here:
 * elements (attila_format.h). */
#ifndef ATTILA_SURFACE_H
#define ATTILA_SURFACE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_limits.h"

#define ATTILA_TILE_DIM 8
#define ATTILA_TILE_ELEMENTS 64
#define ATTILA_MAX_SUPER_SHIFT 3 /* most tiles, as log2, along a superblock's side */
/* attila_surface_pitch adds up to half of the largest superblock's side. */
#define ATTILA_MAX_PITCH_TILES (ATTILA_MAX_SURFACE_DIM / ATTILA_TILE_DIM + 4)
#define ATTILA_MAX_LEVELS 16
#define ATTILA_MAX_SAMPLES 8
#define ATTILA_SURFACE_ALIGN 256 /* bytes; levels and slices start on it */
/* A large surface starts on this, a superblock of 4-byte elements, so that a superblock is a block
 * in each bank of each channel of the usual memory, and its depth buffer's is the same. */
#define ATTILA_LARGE_ALIGN 16384

/* Samples in a pixel, (x, y) in 1/16 pixel: a row for 1, 2, 4 and 8 samples. */
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
   uint32_t align;                           /* of the address */
};

static inline uint32_t
attila_minify(uint32_t size, uint32_t level)
{
   size >>= level;
   return size ? size : 1;
}

/* Moves a tile coordinate's bits, 0..7, to even positions: an integer or a vector. */
#define ATTILA_SPREAD8(x) (((x)&1) | ((x)&2) << 1 | ((x)&4) << 2)

/* The inverse: gathers the even bits of 6. */
#define ATTILA_GATHER8(i) (((i)&1) | ((i) >> 1 & 2) | ((i) >> 2 & 4))

/* Returns the index of element (x, y), both 0..7, in a tile. */
static inline uint32_t
attila_morton8(uint32_t x, uint32_t y)
{
   return ATTILA_SPREAD8(x) | ATTILA_SPREAD8(y) << 1;
}

/* Returns log2 of the tiles along a superblock's side: the largest that divides a row of tiles.
 * pitch_tiles: not 0. */
static inline uint32_t
attila_super_shift(uint32_t pitch_tiles)
{
   return (uint32_t)__builtin_ctz(pitch_tiles | 1u << ATTILA_MAX_SUPER_SHIFT);
}

static inline uint32_t
attila_superblock_tiles(uint32_t pitch_tiles)
{
   return 1u << 2 * attila_super_shift(pitch_tiles);
}

/* Return a tile coordinate's share of its number in a slice. */
static inline uint32_t
attila_tile_number_x(uint32_t super_shift, uint32_t tx)
{
   uint32_t inside = tx & ((1u << super_shift) - 1);
   return (tx - inside) << super_shift | ATTILA_SPREAD8(inside);
}
static inline uint32_t
attila_tile_number_y(uint32_t super_shift, uint32_t pitch_tiles, uint32_t ty)
{
   uint32_t inside = ty & ((1u << super_shift) - 1);
   return (ty - inside) * pitch_tiles + (ATTILA_SPREAD8(inside) << 1);
}

/* Returns the number of tile (tx, ty) in a slice: the tiles before it. */
static inline uint32_t
attila_tile_number(uint32_t pitch_tiles, uint32_t tx, uint32_t ty)
{
   uint32_t shift = attila_super_shift(pitch_tiles);
   return attila_tile_number_x(shift, tx) + attila_tile_number_y(shift, pitch_tiles, ty);
}

/* Returns the tile of a number. */
static inline void
attila_tile_of_number(uint32_t pitch_tiles, uint32_t number, uint32_t *tx, uint32_t *ty)
{
   uint32_t shift = attila_super_shift(pitch_tiles), inside = number & ((1u << 2 * shift) - 1);
   uint32_t super = number >> 2 * shift, row = pitch_tiles >> shift;
   *tx = (super % row) << shift | ATTILA_GATHER8(inside);
   *ty = (super / row) << shift | ATTILA_GATHER8(inside >> 1);
}

/* A rectangle of a slice's tiles, ends exclusive. */
struct attila_tile_rect {
   uint32_t x0, y0, x1, y1;
};

/* Returns log2 of the side, in tiles, of the largest square that begins with this tile and is
 * contiguous. */
static inline uint32_t
attila_square_shift(uint32_t pitch_tiles, uint32_t number)
{
   const uint32_t shift = attila_super_shift(pitch_tiles),
                  inside = number & ((1u << 2 * shift) - 1);
   return inside ? (uint32_t)__builtin_ctz(inside) / 2 : shift;
}

/* Returns the rectangle's tile with the smallest number from number on, to walk it in memory order.
 * UINT32_MAX: none. */
static inline uint32_t
attila_next_tile(uint32_t pitch_tiles, const struct attila_tile_rect *r, uint32_t number,
                 uint32_t *tx, uint32_t *ty)
{
   uint32_t shift = attila_super_shift(pitch_tiles), size = attila_superblock_tiles(pitch_tiles);
   if (r->x0 >= r->x1)
      return UINT32_MAX;
   for (;;) {
      attila_tile_of_number(pitch_tiles, number, tx, ty);
      uint32_t row = *ty >> shift, column = *tx >> shift;
      if (row << shift >= r->y1)
         return UINT32_MAX;
      /* Rows and columns of superblocks outside the rectangle. */
      if (row < r->y0 >> shift)
         number = (r->y0 >> shift) * (pitch_tiles << shift);
      else if (column < r->x0 >> shift)
         number += ((r->x0 >> shift) - column) * size - number % size;
      else if (column > (r->x1 - 1) >> shift)
         number = (row + 1) * (pitch_tiles << shift);
      else if (*tx >= r->x0 && *tx < r->x1 && *ty >= r->y0 && *ty < r->y1)
         return number;
      else {
         /* The largest square without a tile of the rectangle. */
         uint32_t k = attila_square_shift(pitch_tiles, number);
         const uint32_t x = *tx, y = *ty;
         while (k && x < r->x1 && r->x0 < x + (1u << k) && y < r->y1 && r->y0 < y + (1u << k))
            k--;
         number += 1u << 2 * k;
      }
   }
}

/* Returns how many of the rectangle's tiles from number on are contiguous and form a square. (tx,
 * ty): the tile of number. */
static inline uint32_t
attila_tiles_together(uint32_t pitch_tiles, const struct attila_tile_rect *r, uint32_t number,
                      uint32_t tx, uint32_t ty)
{
   uint32_t k = attila_square_shift(pitch_tiles, number);
   while (k && (tx + (1u << k) > r->x1 || ty + (1u << k) > r->y1))
      k--;
   return 1u << 2 * k;
}

/* Returns a slice's bytes up to the end of the last tile with one of its width x height elements:
 * all that is ever accessed. */
static inline uint64_t
attila_surface_bytes(uint32_t pitch_tiles, uint32_t width, uint32_t height, uint32_t samples,
                     uint32_t element_bytes)
{
   if (!width || !height || !pitch_tiles)
      return 0;
   uint32_t shift = attila_super_shift(pitch_tiles), tx = (width - 1) / 8, ty = (height - 1) / 8;
   uint32_t inside = ty & ((1u << shift) - 1);
   uint64_t last = (uint64_t)(ty - inside) * pitch_tiles + (ATTILA_SPREAD8(inside) << 1) +
                   attila_tile_number_x(shift, tx);
   return (last + 1) * ATTILA_TILE_ELEMENTS * samples * element_bytes;
}

/* Returns the tiles per row of a surface of width x height elements: superblocks are the largest
 * that add at most half to its tiles' memory. */
static inline uint32_t
attila_surface_pitch(uint32_t width, uint32_t height)
{
   uint32_t tiles_x = (width + 7) / 8, tiles_y = (height + 7) / 8;
   for (uint32_t shift = ATTILA_MAX_SUPER_SHIFT; shift; shift--) {
      uint32_t side = 1u << shift, pitch = (tiles_x + side - 1) & ~(side - 1);
      if (attila_super_shift(pitch) != shift)
         pitch += side;
      if (attila_surface_bytes(pitch, width, height, 1, 1) <=
          (uint64_t)tiles_x * tiles_y * (ATTILA_TILE_ELEMENTS * 3 / 2))
         return pitch;
   }
   return tiles_x | 1;
}

/* Returns whether a slice at address is inside memory with rows as long as its width, as every
 * command and register that names a surface requires. */
static inline bool
attila_surface_fits(uint64_t memory_size, uint64_t address, uint32_t pitch_tiles, uint32_t width,
                    uint32_t height, uint32_t samples, uint32_t element_bytes)
{
   return pitch_tiles <= ATTILA_MAX_PITCH_TILES &&
          (uint64_t)pitch_tiles * ATTILA_TILE_DIM >= width &&
          address + attila_surface_bytes(pitch_tiles, width, height, samples, element_bytes) <=
              memory_size;
}

/* Computes a surface's layout. width, height: level 0, in texels; depth: level 0's slices, minified
 * per level if is_3d, else layers (6 for a cube map). */
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
      uint32_t pitch = attila_surface_pitch(w, h);
      uint64_t slice = attila_surface_bytes(pitch, w, h, samples ? samples : 1, element_bytes);
      slice = (slice + ATTILA_SURFACE_ALIGN - 1) & ~(uint64_t)(ATTILA_SURFACE_ALIGN - 1);
      out->level_offset[l] = (uint32_t)offset;
      out->slice_stride[l] = (uint32_t)slice;
      out->pitch_tiles[l] = pitch;
      offset += slice * d;
   }
   out->align = offset < 4 * ATTILA_LARGE_ALIGN ? ATTILA_SURFACE_ALIGN : ATTILA_LARGE_ALIGN;
   out->size = (offset + out->align - 1) & ~(uint64_t)(out->align - 1);
}

/* Returns the byte offset of tile (tx, ty), with all samples, in a slice. */
static inline uint64_t
attila_tile_offset(uint32_t pitch_tiles, uint32_t samples, uint32_t element_bytes, uint32_t tx,
                   uint32_t ty)
{
   return (uint64_t)attila_tile_number(pitch_tiles, tx, ty) * samples *
          (ATTILA_TILE_ELEMENTS * element_bytes);
}

/* Returns the number of an element's sample in its tile. morton: attila_morton8. */
static inline uint32_t
attila_sample_number(uint32_t samples, uint32_t sample, uint32_t morton)
{
   return (morton & ~3u) * samples + 4 * sample + (morton & 3);
}

/* Returns the byte offset of element (x, y) of a sample in a slice. */
static inline uint64_t
attila_element_offset(uint32_t pitch_tiles, uint32_t samples, uint32_t element_bytes, uint32_t x,
                      uint32_t y, uint32_t sample)
{
   return attila_tile_offset(pitch_tiles, samples, element_bytes, x >> 3, y >> 3) +
          attila_sample_number(samples, sample, attila_morton8(x & 7, y & 7)) * element_bytes;
}

#endif
