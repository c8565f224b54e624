/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of triangle traversal share: tt.c (box: takes primitives from setup, sends tiles
 * to HZ) and the rasterisers tt_recursive.c, tt_scan.c, tt_levels.c, which choose the tiles to look
 * at, and when. emul_tile_coverage finds what is covered, so all draw the same pixels. A rasteriser
 * must look once per primitive at every 8x8 tile with a covered pixel, and at each tile in the
 * order of the primitives. No other box includes this. */
#ifndef SIM_TT_H
#define SIM_TT_H

#include "box/sim_gpu.h"

#include <stdlib.h>

SIM_BOX_STATS(tt)

/* most primitives traversed together */
#define TT_MAX_BATCH 32

struct tt;

/* A rasteriser. It traverses one batch at a time (start, step), or takes one primitive after the
 * other (accept, step, idle). */
struct tt_variant {
   const char *name;
   bool batches; /* looks at several primitives at once; false: batches of one */
   size_t size;  /* of its state t->state, which starts as zeros */
   void (*init)(struct tt *t);
   void (*fini)(struct tt *t); /* NULL: nothing to do */
   /* Starts on t->num primitives in t->prim[]. */
   void (*start)(struct tt *t);
   /* Takes a primitive with a reference; false: no room. NULL: it works by batches. */
   bool (*accept)(struct tt *t, struct sim_prim *p, uint16_t work_id);
   /* Does a cycle's work, while HZ has room for a tile; true when the batch is finished (without
    * batches: when something was done). */
   bool (*step)(struct tt *t, sim_tick now);
   bool (*idle)(const struct tt *t);
};

struct tt {
   struct sim_box box;
   struct tt_stats *stat; /* [work_id] */
   const struct tt_variant *variant;
   void *state;               /* the rasteriser's */
   struct sim_signal *in;     /* of primitives */
   unsigned tiles, max_batch; /* per cycle; primitives */
   bool box_test;             /* leave out blocks outside a primitive's bounding box */
   unsigned num;              /* primitives in traversal, the first of the input */
   struct sim_prim *prim[TT_MAX_BATCH];
   uint16_t work_id; /* of their draw */
   uint32_t empty;   /* tiles without a covered fragment, not yet reported to HZ */
   struct sim_stall stall;
};

#define V(number, name, doc) extern const struct tt_variant tt_##name;
SIM_RASTERISERS(V)
#undef V

/* Returns whether a primitive may cover part of the dim x dim block at (x, y). */
static inline bool
tt_touches(const struct tt *t, const struct sim_prim *p, int32_t x, int32_t y, int32_t dim)
{
   return t->box_test ? emul_block_overlaps(&p->setup, x, y, dim)
                      : emul_block_touches(&p->setup, x, y, dim);
}

/* Makes an 8x8 tile of a primitive and sends it if something is covered. False: HZ has no room,
 * nothing was made. */
bool tt_generate(struct tt *t, struct sim_prim *p, uint16_t work_id, int32_t x, int32_t y,
                 sim_tick now);

/* Return the position of block n in Morton order. */
static inline int32_t
tt_morton_x(uint32_t n)
{
   return (int32_t)((n & 1) | (n >> 1 & 2) | (n >> 2 & 4) | (n >> 3 & 8));
}

static inline int32_t
tt_morton_y(uint32_t n)
{
   return tt_morton_x(n >> 1);
}

#endif
