/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the HZ box's files share: hz.c (box), hz_surface.c (surfaces with bounds), hz_ispass2006.c
 * and hz_release.c (variants: how the buffer is read and what is compared). No other box includes
 * it.
 * For every block (a Z cache line: an 8x8 tile or part of one) the buffer has the farthest depth,
 * for LESS, LEQUAL and EQUAL tests, and the nearest, for GREATER and GEQUAL. A bound is the
 * variant's code of a depth, an integer that never shrinks as depth grows. EMUL_ZS_NEARER and
 * EMUL_ZS_FARTHER are unknown bounds, which cull nothing. */
#ifndef SIM_HZ_H
#define SIM_HZ_H

#include "box/rop/rop_cache.h"

#include <stdlib.h>

#define HZ_TILE_STAMPS 16  /* quads of an 8x8 tile */
#define HZ_BLOCK_BYTES 256 /* most bytes of memory per block: a Z cache line */

SIM_BOX_STATS(hz)

/* A depth surface with bounds in the buffer. */
struct hz_surface {
   uint64_t start, end; /* memory */
   const struct attila_format_desc *format;
   uint32_t pitch_tiles, height_tiles, samples;
   uint32_t parts;        /* blocks per tile, all samples */
   uint32_t row;          /* groups of 4x4 tiles per row */
   uint32_t base, blocks; /* in the buffer; a large surface may have fewer blocks than it needs */
   uint32_t used;         /* for replacement */
   /* Bounds of lines that left the Z cache do not count if their newest draw is not newer than
    * these epochs. */
   int64_t void_far, void_near;
   /* Without HZNearest: a draw left farther depths, so nothing is tested until a clear. */
   bool blind;
   bool live;
};

/* Returns how many bytes of memory a bound covers. */
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
   HZ_TEST_GREATER, /* hidden unless farther than the nearest depth */
   HZ_TEST_GEQUAL,
};

/* A tile, or a draw's end, from its arrival to its last quad. */
struct hz_tile {
   struct msg_tile m;
   struct hz_surface *surface;    /* if it has blocks */
   uint32_t epoch;                /* of its draw, or its run of a tile-based machine */
   uint32_t mask[HZ_TILE_STAMPS]; /* covered samples of each quad */
   uint64_t rops;                 /* at a draw's end: ROPs that still need it */
   sim_tick ready;                /* when its bounds have been read */
   uint32_t block, num_blocks;    /* in the buffer; 0: needs none */
   uint32_t line;                 /* the variant's own */
   uint16_t stamps;               /* bit per quad in the queue */
   uint16_t culled;               /* quads in the queue that failed the test */
   uint8_t looked;                /* quads that have looked up their bounds */
   uint8_t test;                  /* enum hz_test */
   bool found;                    /* the variant holds the tile's line */
   bool widened;                  /* its depth changed bounds */
   bool accepted;                 /* all of it passes the depth test (HZMin) */
   bool whole;                    /* every fragment is covered, single sample */
   bool settles;                  /* no depth of it stays behind its own farthest one */
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
   bool enabled, nearest, min, tiled;
   /* The buffer. */
   uint32_t size;
   uint32_t *far, *near;
   struct hz_surface surface[SIM_MAX_HZ_SURFACES];
   uint32_t num_surfaces, surface_clock;
   int64_t newest;    /* epoch of the newest draw or run */
   uint32_t accesses; /* accesses to the buffer in this cycle */
   /* The draw whose tiles arrive. NULL: look again. */
   struct sim_draw *draw;
   uint32_t layer;            /* its layer */
   struct hz_surface *target; /* its depth surface; NULL: HZ has nothing to do */
   uint8_t test, accept;      /* enum hz_test */
   bool raises, lowers, any_depth, settles;
   sim_tick next_tiles; /* when the next multisampled tiles may be taken */
   /* Whether there was room for more at the end of the last clock, and of the one before. */
   bool ready, ready_before;
   /* Tiles in order; head <= tested <= looked <= tail. */
   struct hz_tile *tile;
   uint32_t head, tested, looked, tail, mask;
   uint32_t used; /* quads in the queue */
   /* A command, or a new surface. */
   bool command, fresh;
   uint16_t command_work_id;
   sim_tick busy_until;
   struct sim_waits waits;
};

/* A way to build the HZ buffer. */
struct hz_variant {
   const char *name;
   bool per_quad;     /* tests quads by their own depths, else tiles by their possible depths */
   bool ready_signal; /* tiles come by a signal set one cycle before they leave */
   /* Returns the code, 1 or more, of a depth given as emul_zs_code does. exact: equal codes are
    * equal depths of that format. */
   uint32_t (*code)(const struct attila_format_desc *format, uint32_t depth);
   bool (*exact)(const struct attila_format_desc *format);
   void (*init)(struct hz *h);
   /* All of the buffer changed. */
   void (*reset)(struct hz *h);
   /* A block's bounds changed. here: in HZ itself, between two tests, so caches follow at once. */
   void (*changed)(struct hz *h, uint32_t block, bool here);
   /* Begins to read the bounds of a tile's quads (budget: quads that may still look in this cycle);
    * true once t->ready is known. */
   bool (*lookup)(struct hz *h, struct hz_tile *t, sim_tick now, uint32_t *budget);
   /* Returns a block's bounds as they were read for t. */
   void (*bounds)(const struct hz *h, const struct hz_tile *t, uint32_t block, uint32_t *near,
                  uint32_t *far);
   void (*release)(struct hz *h, struct hz_tile *t);
   /* Ends a cycle, after all uses of the buffer (h->accesses). True: another cycle is needed. */
   bool (*end_cycle)(struct hz *h);
};

#define V(number, name, doc) extern const struct hz_variant hz_##name;
SIM_HZ_VARIANTS(V)
#undef V

/* hz_surface.c. Returns the record of the surface in regs, NULL if it has none; forgets surfaces
 * that share its memory in another shape. */
struct hz_surface *hz_surface_find(struct hz *h, const struct attila_regs *regs);
/* Makes room for such a surface with unknown bounds, which draws from epoch on may update. */
struct hz_surface *hz_surface_add(struct hz *h, const struct attila_regs *regs, int64_t epoch);
void hz_surface_forget(struct hz *h, uint64_t start, uint64_t end);
/* Saves or loads all that is known of a surface except bounds. */
void hz_surface_state(struct hz *h, struct hz_surface *s, struct sim_state *st);
/* Returns the first of a tile's *count blocks; *count is 0 if they have no room in the buffer. */
uint32_t hz_surface_blocks(const struct hz_surface *s, uint32_t tx, uint32_t ty, uint32_t *count);
/* Sets the bounds of the blocks at memory address (bytes of them), in codes of emul_zs_block_range.
 * False: the surface has no room for them. */
bool hz_surface_set(struct hz *h, const struct hz_surface *s, uint32_t address, uint32_t bytes,
                    const uint32_t *near, const uint32_t *far);
/* hz.c: clears the bound surface's depth, and returns the surface; NULL: it has no room. fresh: it
 * has got its room now. */
const struct hz_surface *hz_clear(struct hz *h, const struct msg_rop *m, bool *fresh);
/* hz_test.c: finds codes of the nearest and farthest depth that the tile can have. */
void hz_tile_range(const struct hz *h, const struct hz_tile *t, uint32_t *near, uint32_t *far);
/* Returns a bit per hidden quad of the tile. */
uint16_t hz_test_tile(const struct hz *h, const struct hz_tile *t);
/* Returns whether all fragments of the tile pass its draw's test (h->accept). */
bool hz_tile_passes(const struct hz *h, const struct hz_tile *t);
/* hz_warming.c, for struct sim_box_class.warm */
void hz_warm(struct sim_box *b, const struct sim_warming *event);
/* Takes a bound from the ZST. */
void hz_surface_update(struct hz *h, const struct msg_hz *m);
/* Sets every block of the framebuffer in regs to this depth. */
void hz_surface_clear(struct hz *h, struct hz_surface *s, const struct attila_regs *regs,
                      float depth);
/* The draw h->draw may write depths from near to far into a block. Returns whether a bound
 * changed. */
bool hz_surface_widen(struct hz *h, uint32_t block, uint32_t near, uint32_t far);
/* Nothing of the tile's blocks stays behind its farthest depth, in their order; false: no bound
 * changed. */
bool hz_surface_settle(struct hz *h, const struct hz_tile *t);
/* A command in the lists of a tile-based machine, in its bin. No tile may be in the queue. */
void hz_surface_listed(struct hz *h, const struct msg_tile *m);

#endif
