/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The cache of the parameter buffer (tile_cache.c), which goes with the lists: the Polygon List
 * Builder fills it, the Tile Fetcher reads it after that. */
#ifndef TILE_CACHE_H
#define TILE_CACHE_H

#include "box/replace.h"
#include "box/sim_gpu.h"

/* The statistics with which the lists of both boxes begin. */
struct tile_cache_stats {
   uint64_t hits, misses, spills, read_bytes, write_bytes;
};

struct tile_cache_line {
   uint32_t address;
   uint32_t fill;    /* number of the read that fills it */
   uint16_t work_id; /* if dirty: the work id to which its write is charged */
   bool valid, dirty;
   bool coming; /* that read is not complete */
};

/* A read or write under way. */
struct tile_cache_transfer {
   uint8_t *data; /* of a read: line_bytes */
   uint32_t fill; /* of a read: its number */
   uint32_t line; /* of a read */
   bool used, read;
};

struct tile_cache {
   uint32_t ways, sets, line_bytes, num_transfers;
   struct tile_cache_line *line; /* [sets * ways] */
   struct tile_cache_transfer *transfer;
   uint8_t *zeros; /* the contents of any line: line_bytes */
   struct replace replace;
   uint32_t fills; /* reads so far, modulo 2^32 */
   uint32_t under_way;
   bool wrote; /* a write was sent since the owner cleared this: the next clock may do more */
   /* The box that owns it now. */
   struct sim_box *box;
   struct sim_signal *to_mc, *from_mc;
};

enum tile_cache_answer {
   TILE_CACHE_NOT_NOW, /* no transfer or line is free, or the memory controller takes none */
   TILE_CACHE_HERE,
   TILE_CACHE_COMING, /* *fill is the number of the read */
};

/* Takes sizes from the configuration. Allocates from the machine's memory. */
void tile_cache_init(struct tile_cache *c, struct sim_box *owner);
/* Gives the cache to a box; nothing may be under way. */
void tile_cache_give(struct tile_cache *c, struct sim_box *owner, struct sim_signal *to_mc,
                     struct sim_signal *from_mc);
/* Accesses the line of an address. write: it becomes dirty. fresh: this pass has not written to it
 * yet, so a miss reads nothing. */
enum tile_cache_answer tile_cache_access(struct tile_cache *c, sim_tick now, uint32_t address,
                                         bool write, bool fresh, unsigned work_id, uint32_t *fill);
/* Takes memory's answers; true if there were any. */
bool tile_cache_receive(struct tile_cache *c, sim_tick now);
/* Returns whether this read and all before it are complete. */
bool tile_cache_has(const struct tile_cache *c, uint32_t fill);
/* Forgets the lines of [start, end), whose pass is over. Nothing may be under way. */
void tile_cache_forget(struct tile_cache *c, uint32_t start, uint32_t end);

#endif
