/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The lists of a pass: what the Polygon List Builder makes and the Tile Fetcher reads. Only the box
 * that got them last (struct msg_bins) may touch them. A bin is a rectangle of the framebuffer in
 * one layer: the tile of a tile-based GPU; "tile" is 8x8 pixels elsewhere. The parameter buffer has
 * addresses for the simulated traffic; contents are host structures, small since a pass may have a
 * million primitives. No other box includes this. */
#ifndef BINS_H
#define BINS_H

#include "box/low_z.h"
#include "box/tiling/tile_cache.h"

/* A stored vertex: the outputs that fragments of its draw read. */
struct bins_vertex {
   uint32_t address;                            /* in the parameter buffer */
   float out[][4] __attribute__((aligned(16))); /* the first ones of struct emul_vertex */
};

/* A stored command, with the registers of its surfaces. */
struct bins_listed {
   struct sim_listed l;
   struct attila_regs regs;
   struct bins_listed *next; /* in bins.listed */
};

/* A stored primitive, or a command. Its setup is kept for the host; the machine sets it up anew in
 * each bin. */
struct bins_prim {
   struct emul_setup setup; /* v and flat point to stored vertices */
   struct sim_draw *draw;
   uint32_t number; /* as sim_prim */
   uint32_t address;
   uint32_t vertex[4]; /* addresses; 0: none */
   uint32_t vertex_bytes;
   const struct sim_listed *listed; /* NULL: a primitive */
   uint64_t signature;              /* with signs: of the setup and of what fragments read */
};

/* A bin's list. */
struct bin {
   struct bins_prim **entry; /* [num] in order */
   uint32_t *block;          /* addresses of its blocks */
   uint32_t num, room, num_blocks, block_room;
   uint32_t first; /* the first entry that is drawn; a clear took out those before */
};

/* A bin that a primitive touches. */
struct bins_hit {
   uint32_t bin;
   uint32_t tested; /* bins tested up to and with this one */
};

struct bins {
   struct tile_cache *cache;      /* that all lists share */
   uint32_t pass;                 /* number of the pass or part of it, from 1 */
   bool begun;                    /* the shape is known */
   uint32_t width, height;        /* pixels of a bin */
   uint32_t across, down, layers; /* bins of the framebuffer */
   struct bin *bin;               /* [(layer * down + y) * across + x] */
   uint32_t bin_room;
   uint32_t entries_per_block;
   uint64_t num_prims; /* and commands */
   /* What the lists' primitives, and clears before one, write: a bit for each colour buffer,
    * BINS_DEPTH, BINS_STENCIL; and what clears behind the last primitive clear. */
   uint32_t written, cleared, num_clears;
   bool stays;                 /* nothing may be taken out */
   struct bins_listed *listed; /* commands, the last one first */
   struct low_z low_z;         /* with LowResolutionZ */
   /* The parameter buffer. */
   uint32_t start, size, used; /* address, bytes */
   /* Memory of the host for primitives and vertices; kept from pass to pass. */
   uint8_t **chunk;
   uint32_t num_chunks, chunk_room, chunk_at;
   size_t chunk_used;
   /* The draw whose primitives come: which outputs of a vertex are stored, and the bytes of those
    * that fragments read. */
   const struct sim_draw *draw;
   uint32_t outputs, vertex_bytes;
   uint64_t signed_outputs; /* a bit for each output that fragments read and vertices have */
   bool signs;
   /* The bins that the last primitive touches. */
   struct bins_hit *hit;
   uint32_t num_hits, hit_room, num_tested;
   /* What is reported of the pass; the Tile Fetcher's. */
   struct sim_seen_pass seen;
   struct sim_seen_bin *seen_bin; /* [seen_room] */
   uint32_t seen_room;
   bool seen_part; /* the pass's first part has been drawn */
};

#define BINS_RECORD 16 /* bytes of a primitive: addresses of vertices and of the draw's state */
#define BINS_HEADER 8  /* bytes of a bin in the table of lists */
#define BINS_LINK 4    /* bytes of the next block's address */
/* Bits behind those of colour buffers. */
#define BINS_DEPTH (1u << ATTILA_MAX_COLOR_BUFFERS)
#define BINS_STENCIL (BINS_DEPTH << 1)

/* Begins the lists of the open pass with this number, in its share of the parameter buffer. */
void bins_init(struct bins *b, const struct sim_gpu *gpu, struct tile_cache *cache,
               uint32_t number);
void bins_fini(struct bins *b);
/* Empties the lists for a new pass, or part of one; same_targets: the shape stays. */
void bins_reset(struct bins *b, bool same_targets);
/* Chooses the shape by the first draw of a pass. */
void bins_begin(struct bins *b, const struct sim_config *c, const struct emul_draw_state *state);
/* Finds the bins of a primitive (hit), or of a command: all. */
void bins_find(struct bins *b, const struct sim_config *c, const struct emul_setup *s);
void bins_find_all(struct bins *b);
/* Returns the bytes that a primitive of the draw with these hits would take, at most. */
uint64_t bins_need(struct bins *b, const struct sim_config *c, const struct sim_draw *draw);
/* Stores the primitive and the vertices that are not stored yet. *vertices: how many these are. */
struct bins_prim *bins_store(struct bins *b, const struct sim_prim *p, unsigned *vertices);
/* Stores a command. */
struct bins_prim *bins_store_listed(struct bins *b, const struct sim_listed *l);
/* Returns whether this clear, with the clears just before it, leaves nothing of what the lists'
 * primitives write, so that these need not be drawn. num_clears: how many clears these are. */
bool bins_clears_all(const struct bins *b);
/* Takes out of a bin's list all but its last entries; returns how many went. */
uint32_t bins_take_out(struct bins *b, uint32_t bin, uint32_t keep);
/* Appends a primitive to a bin's list; returns the address of its entry. *fresh: it begins a
 * block. */
uint32_t bins_append(struct bins *b, const struct sim_config *c, uint32_t bin, struct bins_prim *p,
                     bool *fresh);
/* Returns the address of an entry of a list, and of a bin's line in the table of lists. */
uint32_t bins_entry_address(const struct bins *b, const struct sim_config *c, const struct bin *bin,
                            uint32_t entry);
static inline uint32_t
bins_header_address(const struct bins *b, uint32_t bin)
{
   return b->start + bin * BINS_HEADER;
}

static inline uint32_t
bins_number(const struct bins *b)
{
   return b->across * b->down * b->layers;
}

#endif
