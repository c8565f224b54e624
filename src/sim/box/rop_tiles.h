/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which ROP owns a tile. Boxes before the ROPs send quads by it. Not here: where a ROP keeps what
 * (rop/rop_cache.h).
 */
#ifndef BOX_ROP_TILES_H
#define BOX_ROP_TILES_H

#include "hw/attila_surface.h"

/* The ROP that owns tile (tx, ty): squares of 2x2 tiles (16x16 pixels) go to the ROPs in turn, in
 * Morton order as they lie in memory, as in the last release. Its squares are the same in every
 * ROP_FIELD x ROP_FIELD of them. */
#define ROP_FIELD 8
static inline unsigned
sim_tile_rop(unsigned num_rops, uint32_t tx, uint32_t ty)
{
   return attila_morton8(tx >> 1 & (ROP_FIELD - 1), ty >> 1 & (ROP_FIELD - 1)) % num_rops;
}

#endif
