/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which ROP owns a tile; earlier boxes route quads by this. Not here: where a ROP keeps what
 * (rop/rop_cache.h). */
#ifndef BOX_ROP_TILES_H
#define BOX_ROP_TILES_H

#include "hw/attila_surface.h"

/* Returns the ROP of tile (tx, ty): squares of 2x2 tiles (16x16 pixels) go to the ROPs in turn, in
 * Morton order of memory, as in the last release. The pattern repeats every ROP_FIELD x ROP_FIELD
 * squares. */
#define ROP_FIELD 8
static inline unsigned
sim_tile_rop(unsigned num_rops, uint32_t tx, uint32_t ty)
{
   return attila_morton8(tx >> 1 & (ROP_FIELD - 1), ty >> 1 & (ROP_FIELD - 1)) % num_rops;
}

/* Returns a ROP's tiles per field of squares, rounded up to the ROP with most. */
static inline uint32_t
sim_tile_rop_field(unsigned num_rops)
{
   return (ROP_FIELD * ROP_FIELD + num_rops - 1) / num_rops * 4;
}

/* Returns how many fields hold that many tiles in a row or column. */
static inline uint32_t
sim_tile_fields(uint32_t tiles)
{
   return (tiles + 2 * ROP_FIELD - 1) / (2 * ROP_FIELD);
}

#endif
