/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the HZ box share: the box (hz.c), the surfaces whose bounds it keeps
 * (hz_surface.c) and the variants, which say how the buffer is read and what is compared
 * (hz_ispass2006.c, hz_release.c). No other box includes this.
 *
 * Bounds. For every block (one Z cache line: an 8x8 tile, or a part of one) the
 * buffer has the farthest depth, for LESS, LEQUAL and EQUAL tests, and the nearest one, for GREATER
 * and GEQUAL. A bound is a variant's code of a depth: an integer that never shrinks when depth
 * grows. EMUL_ZS_NEARER and EMUL_ZS_FARTHER are bounds of which nothing is known: they cull
 * nothing.
 */
#ifndef SIM_HZ_H
#define SIM_HZ_H

#include "box/rop/rop_cache.h"

#include <stdlib.h>

#define HZ_TILE_STAMPS 16  /* quads of an 8x8 tile */
#define HZ_BLOCK_BYTES 256 /* of memory that a block covers at most: a Z cache line */

SIM_BOX_STATS(hz)

/* A depth surface whose bounds are in the buffer. */
struct hz_surface {
   uint64_t start, end; /* memory */
   const struct attila_format_desc *format;
   uint32_t pitch_tiles, height_tiles, samples;
   uint32_t parts;        /* blocks of a tile, all samples */
   uint32_t row;          /* groups of 4x4 tiles per row */
   uint32_t base, blocks; /* in the buffer; a large surface may have fewer blocks than it needs */
   uint32_t used;         /* for replacement */
   /* Bounds of lines that left the Z cache when it had seen draws up to these epochs are void. */
   int64_t void_far, void_near;
   /* Without HZNearest: a draw left farther depths behind, nothing is tested until a clear. */
   bool blind;
   bool live;
};

/* Bytes of memory that a bound is for. */
static inline uint32_t
hz_surface_block_bytes(const struct hz_surface *s)
{
   return ATTILA_TILE_ELEMENTS * s->samples * s->format->bytes / s->parts;
}

/* How a tile is tested. */
enum hz_test {
   HZ_TEST_NONE,
   HZ_TEST_LESS,    /* hidden unless nearer than the farthest depth */
   HZ_TEST_LEQUAL,  /* hidden if farther than the farthest depth */
   HZ_TEST_GREATER, /* the other way round, with the nearest depth */
   HZ_TEST_GEQUAL,
};

/* A tile, or the end of a draw, between its arrival and its last quad. */
struct hz_tile {
   struct msg_tile m;
   uint32_t mask[HZ_TILE_STAMPS]; /* covered samples of each quad */
   uint64_t rops;                 /* an end: ROPs that do not have it yet */
   sim_tick ready;                /* its bounds have been read */
   uint32_t block, num_blocks;    /* in the buffer; 0: none are needed */
   uint32_t line;                 /* the variant's own */
   uint16_t stamps;               /* bit per quad that is in the queue */
   uint16_t culled;               /* those of them that failed the test */
   uint8_t looked;                /* quads that have found their bounds */
   uint8_t test;                  /* enum hz_test */
   bool found;                    /* the variant holds line for it */
   bool widened;                  /* its depth changed bounds */
   bool accepted;                 /* everything in it passes the depth test (HZMin) */
   bool whole;                    /* every fragment is covered, single sample */
   bool end, early;
};

struct hz_variant;

struct hz {
   struct sim_box box;
   struct hz_stats *stat; /* [work_id] */
   const struct hz_variant *variant;
   void *variant_data;
   struct sim_signal *in, *cmd, *answer;
   struct sim_signal *zst, *interp, *update; /* [num_rops] */
   uint32_t num_rops, stamps_cycle, queue_size, samples_cycle;
   uint32_t clear_blocks; /* per cycle */
   sim_tick latency;      /* ticks to read the buffer */
   bool enabled, nearest, min;
   /* The buffer. */
   uint32_t size;
   uint32_t *far, *near;
   struct hz_surface surface[SIM_MAX_HZ_SURFACES];
   uint32_t num_surfaces, surface_clock;
   int64_t newest;    /* epoch of the newest draw seen */
   uint32_t accesses; /* of the buffer in this cycle */
   /* The draw whose tiles arrive. NULL: look again. */
   struct sim_draw *draw;
   uint32_t layer;            /* of it */
   struct hz_surface *target; /* its depth surface; NULL: HZ has nothing to do */
   uint8_t test, accept;      /* enum hz_test */
   bool raises, lowers, any_depth;
   sim_tick next_tiles; /* multisampled tiles are made until then */
   /* Whether there was room for more at the end of the last clock, and before it. */
   bool ready, ready_before;
   /* Tiles in order; head <= tested <= looked <= tail. */
   struct hz_tile *tile;
   uint32_t head, tested, looked, tail, mask;
   uint32_t used; /* stamps in the queue */
   /* A command, or a new surface. */
   bool command, fresh;
   uint16_t command_work_id;
   sim_tick busy_until;
   struct sim_waits waits;
};

/* A way to build the HZ buffer. */
struct hz_variant {
   const char *name;
   bool per_quad;     /* tests quads by their own depth; else tiles by the depth they may have */
   bool ready_signal; /* tiles come as a signal says that was set the cycle before they leave */
   /* The code of a depth, given as emul_zs_code does, 1 or more. exact: equal codes
    * are equal depths of that format. */
   uint32_t (*code)(const struct attila_format_desc *format, uint32_t depth);
   bool (*exact)(const struct attila_format_desc *format);
   void (*init)(struct hz *h);
   /* The contents of the buffer changed as a whole. */
   void (*reset)(struct hz *h);
   /* Bounds of a block changed. */
   void (*changed)(struct hz *h, uint32_t block);
   /* Begins to read the bounds of a tile's quads (budget: quads that may still look in this cycle);
    * true when it knows when they will be there (t->ready). */
   bool (*lookup)(struct hz *h, struct hz_tile *t, sim_tick now, uint32_t *budget);
   /* The bounds of a block as they were read for t, which then no longer needs them. */
   void (*bounds)(const struct hz *h, const struct hz_tile *t, uint32_t block, uint32_t *near,
                  uint32_t *far);
   void (*release)(struct hz *h, struct hz_tile *t);
   /* Everybody who uses the buffer in this cycle has (h->accesses). True: another cycle is needed.
    */
   bool (*end_cycle)(struct hz *h);
};

#define V(number, name, doc) extern const struct hz_variant hz_##name;
SIM_HZ_VARIANTS(V)
#undef V

/* hz_surface.c. Bounds of the surface in regs: kept ones, or NULL. Surfaces that share memory with
 * it in another shape are forgotten. */
struct hz_surface *hz_surface_find(struct hz *h, const struct attila_regs *regs);
/* Room for it, with unknown bounds; draws of epoch and later ones may tell of it. */
struct hz_surface *hz_surface_add(struct hz *h, const struct attila_regs *regs, int64_t epoch);
void hz_surface_forget(struct hz *h, uint64_t start, uint64_t end);
/* Saves or loads what is known of a surface, but for bounds. */
void hz_surface_state(struct hz *h, struct hz_surface *s, struct sim_state *st);
/* The blocks of a tile: returns the first, *count how many; 0 when it has no room. */
uint32_t hz_surface_blocks(const struct hz_surface *s, uint32_t tx, uint32_t ty, uint32_t *count);
/* Bounds of the blocks at memory address (bytes of them), as codes of emul_zs_block_range. False:
 * the surface has no room for them. */
bool hz_surface_set(struct hz *h, const struct hz_surface *s, uint32_t address, uint32_t bytes,
                    const uint32_t *near, const uint32_t *far);
/* hz.c: a depth clear of the bound surface; NULL: nothing of it is here. fresh: it got room now. */
const struct hz_surface *hz_clear(struct hz *h, const struct msg_rop *m, bool *fresh);
/* hz_test.c: codes of the nearest and the farthest depth that the tile can have. */
void hz_tile_range(const struct hz *h, const struct hz_tile *t, uint32_t *near, uint32_t *far);
/* Bit per quad of the tile's stamps that is hidden. */
uint16_t hz_test_tile(const struct hz *h, const struct hz_tile *t);
/* Every fragment of the tile passes the test of its draw (h->accept). */
bool hz_tile_passes(const struct hz *h, const struct hz_tile *t);
/* hz_warming.c: struct sim_box_class.warm. */
void hz_warm(struct sim_box *b, const struct sim_warming *event);
/* A bound from the ZST. */
void hz_surface_update(struct hz *h, const struct msg_hz *m);
/* Every block of the framebuffer in regs holds this depth now. */
void hz_surface_clear(struct hz *h, struct hz_surface *s, const struct attila_regs *regs,
                      float depth);
/* The draw h->draw may write depths from near to far into a block. True if that changed a bound. */
bool hz_surface_widen(struct hz *h, uint32_t block, uint32_t near, uint32_t far);

#endif
