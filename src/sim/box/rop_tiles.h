/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which ROP owns a tile, by which earlier boxes route quads. Not here: where a ROP keeps what
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

#endif
