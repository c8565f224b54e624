/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies between linear images and tiles on the CPU, a tile at a time. */
#include "attila_tiling.h"

#include <string.h>
#include "hw/attila_surface.h"

#define COPY(bytes)                                                           \
   static inline void attila_tiling_copy_##bytes(uint8_t *restrict dst,       \
                                                 const uint8_t *restrict src) \
   {                                                                          \
      memcpy(dst, src, bytes);                                                \
   }
COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(16)

#define STORE(bytes)                                                         \
   for (unsigned y = 0; y < height; y++)                                     \
      for (unsigned x = 0; x < width; x++)                                   \
   attila_tiling_copy_##bytes(tile + attila_morton8(x0 + x, y0 + y) * bytes, \
                              linear + (size_t)y * stride + x * bytes)

#define LOAD(bytes)                                                    \
   for (unsigned y = 0; y < height; y++)                               \
      for (unsigned x = 0; x < width; x++)                             \
   attila_tiling_copy_##bytes(linear + (size_t)y * stride + x * bytes, \
                              tile + attila_morton8(x0 + x, y0 + y) * bytes)

/* Copies a whole tile of 4-byte elements to a linear image. A quad is two pairs of neighbours;
 * together with the next quad (to its right) it is two rows of four. The loops are unrolled, so all
 * offsets are constants. */
static void
attila_tiling_load_whole(const uint8_t *tile, uint8_t *linear, size_t stride)
{
   typedef uint64_t pairs __attribute__((vector_size(16)));
#pragma GCC unroll 8
   for (unsigned quad = 0; quad < ATTILA_TILE_ELEMENTS / 4; quad += 2) {
      uint8_t *const to =
          linear + ATTILA_GATHER8(quad >> 1) * 2 * stride + ATTILA_GATHER8(quad) * 8;
      pairs left, right;
      memcpy(&left, tile + 16 * quad, 16);
      memcpy(&right, tile + 16 * quad + 16, 16);
      const pairs upper = __builtin_shufflevector(left, right, 0, 2),
                  lower = __builtin_shufflevector(left, right, 1, 3);
      memcpy(to, &upper, 16);
      memcpy(to + stride, &lower, 16);
   }
}

void
attila_tile_store(uint8_t *tile, const uint8_t *linear, unsigned stride, unsigned x0, unsigned y0,
                  unsigned width, unsigned height, unsigned bytes)
{
   switch (bytes) {
   case 1:
      STORE(1);
      break;
   case 2:
      STORE(2);
      break;
   case 4:
      STORE(4);
      break;
   case 8:
      STORE(8);
      break;
   default:
      STORE(16);
      break;
   }
}

void
attila_tile_load(const uint8_t *tile, uint8_t *linear, unsigned stride, unsigned x0, unsigned y0,
                 unsigned width, unsigned height, unsigned bytes)
{
   if (width == ATTILA_TILE_DIM && height == ATTILA_TILE_DIM && bytes == 4) {
      attila_tiling_load_whole(tile, linear, stride); /* nearly all tiles of windows */
      return;
   }
   switch (bytes) {
   case 1:
      LOAD(1);
      break;
   case 2:
      LOAD(2);
      break;
   case 4:
      LOAD(4);
      break;
   case 8:
      LOAD(8);
      break;
   default:
      LOAD(16);
      break;
   }
}
