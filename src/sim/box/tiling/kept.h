/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the Tile Fetcher keeps of the last pass with some targets (kept.c), so that bins with the
 * same inputs need not be drawn. */
#ifndef KEPT_H
#define KEPT_H

#include "box/tiling/bins.h"

struct kept_bin {
   struct sim_kept_bin is;
   uint64_t now; /* signature in the present pass, if it is drawn and will be kept; else 0 */
   /* What restores it stands in the queue of primitives as a command. */
   struct sim_listed listed;
   struct bins_prim prim;
};

struct kept {
   struct kept_bin *bin; /* [room] */
   uint32_t room, num, width, height, across;
   /* Of the present pass. */
   uint32_t targets; /* struct sim_keeping */
};

/* Begins a pass. */
void kept_begin(struct kept *k, const struct bins *b, const struct sim_keeping *keeping);
/* Forgets all bins. */
void kept_forget(struct kept *k);
/* Signs a bin with primitives. Returns what restores the bin in place of these, if it is as it was
 * kept; else NULL: it must be drawn. */
const struct bins_prim *kept_same(struct kept *k, const struct bins *b, uint32_t bin);
/* Keeps the bins that have been drawn. All is in memory. */
void kept_store(struct kept *k, const struct bins *b);
void kept_fini(struct kept *k);

#endif
