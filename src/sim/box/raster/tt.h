/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of triangle traversal share: the box (tt.c), which takes primitives from setup and
 * sends tiles to HZ, and the rasterisers (tt_recursive.c, tt_scan.c, tt_levels.c), which say which
 * tiles they look at and when. No other box includes this.
 *
 * A rasteriser only chooses tiles; what of a tile is covered is emul_tile_coverage's, so that all
 * of them draw the same pixels. It must look at every 8x8 tile with a covered pixel once for each
 * primitive, and at those of one tile in the order of the primitives.
 */
#ifndef SIM_TT_H
#define SIM_TT_H

#include "box/sim_gpu.h"

#include <stdlib.h>

SIM_BOX_STATS(tt)

/* Primitives traversed together at most. */
#define TT_MAX_BATCH 32

struct tt;

/* A rasteriser. Either it traverses a batch at a time (start, step), or primitives follow each
 * other through it (accept, step, idle). */
struct tt_variant {
   const char *name;
   bool batches; /* looks at several primitives at once; FALSE: batches of one */
   size_t size;  /* of its state, t->state, which is zero at first */
   void (*init)(struct tt *t);
   void (*fini)(struct tt *t); /* NULL: nothing to do */
   /* t->num primitives of t->prim[] have come. */
   void (*start)(struct tt *t);
   /* Takes a primitive, with a reference of its own; false: no room. NULL: it works by batches. */
   bool (*accept)(struct tt *t, struct sim_prim *p, uint16_t work_id);
   /* A cycle's work; true when the batch is finished (without batches: when something was done).
    * HZ has room for a tile at least. */
   bool (*step)(struct tt *t, sim_tick now);
   bool (*idle)(const struct tt *t);
};

struct tt {
   struct sim_box box;
   struct tt_stats *stat; /* [work_id] */
   const struct tt_variant *variant;
   void *state;               /* the variant's */
   unsigned tiles, max_batch; /* per cycle; primitives */
   bool box_test;             /* blocks outside a primitive's bounding box are left out */
   unsigned num;              /* primitives in traversal, the first of the input; 0: none */
   struct sim_prim *prim[TT_MAX_BATCH];
   uint16_t work_id; /* of their draw */
   uint32_t empty;   /* tiles made without a covered fragment that HZ has not been told of */
   struct sim_stall stall;
};

#define V(number, name, doc) extern const struct tt_variant tt_##name;
SIM_RASTERISERS(V)
#undef V

/* Whether a primitive may cover something of the dim x dim block at (x, y). */
static inline bool
tt_touches(const struct tt *t, const struct sim_prim *p, int32_t x, int32_t y, int32_t dim)
{
   return t->box_test ? emul_block_overlaps(&p->setup, x, y, dim)
                      : emul_block_touches(&p->setup, x, y, dim);
}

/* Makes an 8x8 tile of a primitive and sends it if something is covered. False: HZ has no room; it
 * has not been made. */
bool tt_generate(struct tt *t, struct sim_prim *p, uint16_t work_id, int32_t x, int32_t y,
                 sim_tick now);

/* Position of block n of Morton order. */
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
