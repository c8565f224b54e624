/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Low-resolution Z of a tile-based machine (TILING.LowResolutionZ; Adreno's name): for each 8x8
 * tile the farthest depth that the opaque triangles of a pass leave there. The Polygon List Builder
 * finds it while lists are made (box/tiling/low_z.c). Hierarchical Z drops tiles behind it when the
 * lists are drawn, so triangles that come later hide earlier ones, too. */
#ifndef LOW_Z_H
#define LOW_Z_H

#include "box/sim_gpu.h"

struct low_z {
   /* Codes of emul_zs_code, [(layer * down + y) * across + x]; EMUL_ZS_FARTHER: nothing hides
    * there. Tiles beyond the size have none. */
   uint32_t *far;
   uint32_t size, across, down;
   uint32_t colors; /* buffers to which the draws so far write: a bit each */
   bool adds;       /* triangles still hide others; false once a draw needs what is hidden */
   /* The draw whose primitives come. */
   const struct sim_draw *draw;
   bool hides; /* its triangles hide others */
};

/* size: of far, in tiles; 0: no low-resolution Z. The caller frees far. */
void low_z_init(struct low_z *z, uint32_t size);
/* Begins lists for targets of this size in pixels: nothing hides anything. */
void low_z_begin(struct low_z *z, uint32_t width, uint32_t height);
/* Begins anew, with the same targets. */
void low_z_empty(struct low_z *z);
/* A primitive joins the lists; returns how many tiles were compared. */
uint32_t low_z_add(struct low_z *z, const struct sim_draw *draw, const struct emul_setup *s);
/* A command joins the lists. depth: it changes depths, which may then be farther. */
void low_z_add_command(struct low_z *z, bool depth);
/* Returns whether what is in the tile at (x, y) of a primitive is behind what the lists' triangles
 * leave there, so that it changes no pixel. */
bool low_z_hidden(const struct low_z *z, const struct sim_prim *p, int32_t x, int32_t y);

#endif
