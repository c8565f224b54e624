/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the Z and stencil test and the colour write of one ROP share: the cache of blocks of its
 * tiles, and what clears, write-backs and invalidations do with it (ISPASS 2006 section 2). What a
 * block costs on the memory pins is in the machine's table of block states (decode/sim_blocks.h);
 * the ROP that owns a tile keeps the states of its blocks. Not here: what is done with the elements
 * (zst.c, cw.c), quads that wait for their lines (rop_unit.c).
 *
 * - A line holds a block: one sample plane of an 8x8 tile, or 256 bytes of it where it is larger. A
 * machine has cache_ways x cache_sets lines whatever the format. Lines hold real data; memory is
 * read and written through the memory controller.
 * - Memory always holds plain bytes; a compressed block just crosses the pins in fewer of them. A
 * clear block does not cross them at all, so a clear stores its value in memory at once and without
 * time, as bookkeeping of the host, and a line of a clear block is filled from there.
 * - Lines are tagged by address and stay when render targets change. The cache remembers the shape
 * of the surfaces it has seen; a surface that overlaps lines of another shape makes the box write
 * back and forget on its own first.
 * - ROP r owns the tiles for which sim_tile_rop() is r and touches no others.
 */
#ifndef BOX_ROP_CACHE_H
#define BOX_ROP_CACHE_H

#include "box/sim_gpu.h"

/* The ROP that owns tile (tx, ty): tx + k * ty modulo the number of ROPs, with the largest k whose
 * square is not above that number; 4 ROPs share every 2x2 group of tiles, 16 every 4x4 group. */
static inline unsigned
sim_tile_skew(unsigned num_rops)
{
   return num_rops >= 16 ? 4 : num_rops >= 9 ? 3 : num_rops >= 4 ? 2 : 1;
}
static inline unsigned
sim_tile_rop(unsigned num_rops, uint32_t tx, uint32_t ty)
{
   return (tx + sim_tile_skew(num_rops) * ty) % num_rops;
}

/* True when a draw's quads are tested before shading and go through the ZST: the path HZ chooses
 * and the interpolator merges by. */
static inline bool
sim_draw_tests_early(const struct sim_draw *draw)
{
   return !draw->state.late_zs && draw->state.zs_bound &&
          (draw->state.z_test || draw->state.stencil_test);
}

/* Statistics that both boxes have; first in their lists, in this order. */
/* clang-format off */
#define ROP_CACHE_STATS(S)                                                                     \
   S(fetch_ok,       "FetchOK",           REQUESTS, "line reservations made")                  \
   S(fetch_failed,   "FetchFailed",       CYCLES,                                              \
      "cycles the oldest quad waited for a line reservation")                                  \
   S(hits,           "HitsFetch_FC",      REQUESTS,                                            \
      "reservations of a line in or on its way to the cache")                                  \
   S(misses,         "MissesFetch_FC",    REQUESTS, "reservations that allocated a line")      \
   S(miss_reserved,  "MissFailReserveFetch_FC", CYCLES,                                        \
      "waited: every way of the set is reserved")                                              \
   S(miss_requests,  "MissFailReqQueueFetch_FC", CYCLES,                                       \
      "waited: as many misses in flight as allowed")                                           \
   S(miss_buffers,   "RWReqFull",         CYCLES,                                              \
      "waited: no buffer for the line to be written back")                                     \
   S(war_stall,      "CacheLineWARStall", CYCLES,                                              \
      "waited: the same line is still being written back")                                     \
   S(clear_fills,    "ClearFills",        LINES,                                               \
      "lines filled with the clear value, without a memory read")                              \
   S(read_trans,     "ReadTransactions",  TRANSACTIONS, "memory read requests")                \
   S(read_bytes,     "ReadBytes",         BYTES,                                               \
      "read over the memory pins (compressed size)")                                           \
   S(write_trans,    "WriteTransactions", TRANSACTIONS, "memory write requests")               \
   S(write_bytes,    "WriteBytes",        BYTES,                                               \
      "written over the memory pins (compressed size)")                                        \
   S(written_quarter, "ComprBlock64",     LINES,    "blocks written back compressed 1:4")      \
   S(written_half,   "ComprBlock128",     LINES,    "blocks written back compressed 1:2")      \
   S(written_plain,  "UncomprBlock",      LINES,    "blocks written back uncompressed")        \
   S(mem_stall,      "MemReqStall",       CYCLES,                                              \
      "a memory request waited for the memory controller")                                     \
   S(data_stall,     "WaitDataStall",     CYCLES,                                              \
      "the oldest quad waited for its line's data")                                            \
   S(consumer_stall, "ConsumerBusy",      CYCLES,   "the oldest quad waited for the next box") \
   S(fetch_q_full,   "FetchQFullStall",   CYCLES,                                              \
      "an arrived quad waited for room in the fetch queue")                                    \
   S(clear_cycles,   "ClearCycles",       CYCLES,   "busy with clear commands")                \
   S(flush_cycles,   "FlushCycles",       CYCLES,   "busy writing back and resolving")
/* clang-format on */

enum rop_stat {
#define ROP_STAT_ENUM(member, name, unit, doc) ROP_STAT_##member,
   ROP_CACHE_STATS(ROP_STAT_ENUM)
#undef ROP_STAT_ENUM
       ROP_NUM_STATS
};

#define ROP_MAX_SURFACES 64
#define ROP_LINE_BYTES 256u

/* A surface as the registers bind it. */
struct rop_binding {
   uint32_t address, format, pitch_tiles, samples, width_tiles, height_tiles;
};

/* What is remembered of a surface. Planes: 0 depth or colour, 1 stencil. */
struct rop_surface {
   struct rop_binding bind;
   bool used;
   uint32_t element_bytes, block_bytes; /* block_bytes: at most ROP_LINE_BYTES */
   uint32_t parts;                      /* blocks of a tile's sample plane */
   uint32_t local_pitch;                /* own tiles per row of tiles, rounded up */
   uint32_t own_blocks;                 /* of this ROP, inside width x height */
   uint32_t lines;                      /* in the cache */
   uint32_t last_bound;                 /* a clock */
   uint64_t plane_mask[2];              /* bits of an element; 0: no such plane */
   uint64_t clear_value;                /* of a surface with both planes */
};

enum rop_line_state { ROP_LINE_INVALID, ROP_LINE_FETCHING, ROP_LINE_VALID };

struct rop_line {
   sim_tick ready; /* VALID: data can be used from this tick on */
   uint32_t address;
   uint32_t block; /* number among those of the ROP in the surface */
   uint32_t tile;  /* y * pitch + x */
   uint32_t lru;
   uint16_t bytes, users;     /* users: reservations */
   uint16_t wire_bytes;       /* of its fetch */
   uint16_t slot, dirty_slot; /* who fetched it; who made it dirty and pays for its write-back */
   uint8_t state, surface;    /* surface: where the shape is */
   bool dirty;
};

enum rop_buffer_state { ROP_BUFFER_FREE, ROP_BUFFER_READ, ROP_BUFFER_WRITE, ROP_BUFFER_SENT };

/* A block on its way to memory. READ: read first, for a clear of a block without a state. */
struct rop_buffer {
   sim_tick ready;
   uint32_t address;
   uint16_t bytes, wire_bytes, slot;
   uint8_t state;
};

/* A queue of line or buffer numbers. */
struct rop_ring {
   uint32_t *entry;
   uint32_t head, tail, mask;
};

/* A position among the own blocks of a surface. */
struct rop_walk {
   uint32_t j, ty, sample, part;
};

/* What a box is doing for the command processor. */
enum rop_port_state {
   ROP_PORT_NONE,
   ROP_PORT_WRITE_BACK,
   ROP_PORT_CLEAR,
   ROP_PORT_OWN_FLUSH,
   ROP_PORT_ANSWER
};

enum rop_command {
   ROP_IDLE,
   ROP_BUSY_WRITE_BACK,
   ROP_BUSY_DRAIN,
   ROP_BUSY_CLEAR,
   ROP_BUSY_TIMER,
   ROP_BUSY_UNCOVERED
};

struct rop_cache {
   struct sim_box *box;
   struct sim_signal *to_mc, *from_mc;
   uint64_t *stats; /* [slot][num_stats] */
   uint32_t num_stats;
   uint32_t ways, sets, max_misses, num_states, blocks_cleared;
   sim_tick compress_latency, decompress_latency; /* ticks */
   bool no_compression;
   uint32_t num_rops, rop;
   unsigned (*compress)(const uint8_t *block);
   /* Called before a dirty line leaves the cache; false: it cannot yet. */
   bool (*evict)(struct sim_box *box, sim_tick now, const struct rop_surface *surface,
                 const struct rop_line *line, const uint8_t *data);
   struct rop_surface surface[ROP_MAX_SURFACES];
   uint32_t bind_clock;
   uint32_t *tag; /* [sets * ways] line address, 0: invalid */
   struct rop_line *line;
   uint8_t *line_data, *buffer_data;
   struct rop_buffer *buffer;
   struct rop_ring reads, writes; /* entries below sets * ways are lines, then buffers */
   uint32_t fetching, free_buffers, lru_clock, last_line;
   enum rop_stat stall; /* why rop_cache_reserve failed */
   /* Command being executed. */
   enum rop_command command;
   uint32_t cmd_surface, cmd_index;
   uint64_t cmd_start, cmd_end; /* write-back: memory */
   bool cmd_forget;             /* write-back: afterwards lines and surfaces are forgotten */
   struct rop_walk cmd_walk;
   sim_tick cmd_until;
   uint32_t cmd_planes;
   uint8_t cmd_value[16];
   /* Commands of the command processor. */
   struct sim_signal *from_cp, *to_cp;
   enum rop_port_state port, port_resume;
   struct msg_rop msg;
   uint32_t clear_number; /* surfaces of a clear command done */
   bool want_flush; /* the box needs another shape of a surface: flush once no line is reserved */
   /* The n-th surface that a clear command names; false: there is none with this number (n < 8).
    * value: the new element, repeated. planes: those that change, of those that the format has. */
   bool (*clear_target)(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                        struct rop_binding *bind, uint8_t value[16], unsigned *planes);
   struct sim_waits waits;
};

/* Tells the cache about its box; sizes must be set before. Allocates. */
void rop_cache_init(struct rop_cache *c);
void rop_cache_fini(struct rop_cache *c);

/* The record of a surface, made when needed. -1: the box must write back and forget first
 * (rop_cache_write_back). Stops with an error when the surface is outside memory. */
int rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind);

/* Reserves the line of a part of a tile's sample plane and starts its fetch. -1: not now, c->stall
 * says why. */
int rop_cache_reserve(struct rop_cache *c, sim_tick now, unsigned surface, uint32_t tx, uint32_t ty,
                      uint32_t sample, uint32_t part, unsigned slot);

static inline uint8_t *
rop_cache_data(const struct rop_cache *c, unsigned line)
{
   return c->line_data + (size_t)line * ROP_LINE_BYTES;
}

static inline bool
rop_cache_ready(const struct rop_cache *c, unsigned line, sim_tick now)
{
   return c->line[line].state == ROP_LINE_VALID && c->line[line].ready <= now;
}

/* slot: of the draw that made it dirty. */
static inline void
rop_cache_release(struct rop_cache *c, unsigned line, bool dirty, unsigned slot)
{
   c->line[line].users--;
   if (dirty) {
      c->line[line].dirty = true;
      c->line[line].dirty_slot = (uint16_t)slot;
   }
}

static inline uint64_t *
rop_stat(struct rop_cache *c, unsigned slot, enum rop_stat stat)
{
   return c->stats + (size_t)slot * c->num_stats + stat;
}

/* Takes what memory answered; true when anything came. First thing of a clock. */
bool rop_cache_receive(struct rop_cache *c, sim_tick now);
/* Sends a memory request if there is one; true when it did. Last thing of a clock. */
bool rop_cache_send(struct rop_cache *c, sim_tick now);
/* The next tick at which something ready only by time happens: SIM_NEVER, or later than now. line <
 * 0: none is waited for. */
sim_tick rop_cache_timer(const struct rop_cache *c, int line, sim_tick now);

/* Commands (rop_command.c): start one while no line is reserved, then step every clock until it
 * returns true. */
/* Writes dirty lines in [start, end) back and waits for memory. forget: then all lines and surfaces
 * are forgotten (start and end must hold all of memory). */
void rop_cache_write_back(struct rop_cache *c, uint64_t start, uint64_t end, bool forget);
/* Clears planes of a surface to the element value, repeated to 16 bytes. */
void rop_cache_clear(struct rop_cache *c, unsigned surface, const uint8_t value[16],
                     unsigned planes);
bool rop_cache_step(struct rop_cache *c, sim_tick now, bool *progress);
/* Executes the command processor's commands and the write-back that want_flush asks for. idle: no
 * quad is queued. True while the box may work on quads; forgotten is set when the surfaces have
 * been. */
bool rop_cache_commands(struct rop_cache *c, sim_tick now, bool idle, bool *progress,
                        bool *forgotten);

/* From now on until the next clock a statistic counts waiting cycles. */
static inline void
rop_cache_wait(struct rop_cache *c, unsigned slot, enum rop_stat stat)
{
   sim_wait(&c->waits, rop_stat(c, slot, stat));
}

/* The tiles of a surface bound with the framebuffer's size. */
static inline struct rop_binding
rop_binding(const struct attila_regs *regs, uint32_t address, uint32_t format, uint32_t pitch_tiles)
{
   return (struct rop_binding){.address = address,
                               .format = format,
                               .pitch_tiles = pitch_tiles,
                               .samples = regs->fb_samples > 1 ? regs->fb_samples : 1,
                               .width_tiles = (regs->fb_width + 7) / 8,
                               .height_tiles = (regs->fb_height + 7) / 8};
}

/* Where a part of one sample of a tile is. */
static inline uint32_t
rop_block_address(const struct rop_surface *s, uint32_t tx, uint32_t ty, uint32_t sample,
                  uint32_t part)
{
   return s->bind.address +
          (uint32_t)attila_tile_offset(s->bind.pitch_tiles, s->bind.samples, s->element_bytes, tx,
                                       ty, sample) +
          part * ROP_LINE_BYTES;
}

/* True when the block has a place in the block state memory; others are always plain. */
static inline bool
rop_has_state(const struct rop_cache *c, uint32_t block)
{
   return block < c->num_states;
}

/* Shared by rop_cache.c, rop_surface.c, rop_command.c and rop_unit.c. */
void *rop_allocate(size_t size);
void rop_ring_push(struct rop_ring *r, uint32_t entry);
bool rop_cache_write_pending(const struct rop_cache *c, uint32_t address);
int rop_cache_take_buffer(struct rop_cache *c, sim_tick ready, uint32_t address, uint32_t bytes,
                          unsigned slot);
bool rop_cache_write_line(struct rop_cache *c, sim_tick now, uint32_t line);
void rop_cache_drop_line(struct rop_cache *c, uint32_t line);
void rop_repeat(uint8_t value[16], uint32_t element_bytes);
void rop_cache_dump(const struct rop_cache *c, FILE *f);

/* Flags of the planes of a block that hold the surface's clear value (rop_surface.c). */
uint8_t rop_clear_flags(const struct rop_surface *s, const uint8_t *data);
void rop_surface_dump(const struct rop_cache *c, FILE *f);
uint32_t rop_own_first(const struct rop_cache *c, uint32_t ty);
bool rop_walk_first(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);
/* Moves on to the next own block; false after the last one. */
bool rop_walk_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);

static inline uint32_t
rop_block_number(const struct rop_surface *s, uint32_t j, uint32_t ty, uint32_t sample,
                 uint32_t part)
{
   return ((ty * s->local_pitch + j) * s->bind.samples + sample) * s->parts + part;
}

static inline uint32_t
rop_walk_block(const struct rop_surface *s, const struct rop_walk *w)
{
   return rop_block_number(s, w->j, w->ty, w->sample, w->part);
}

static inline uint32_t
rop_walk_address(const struct rop_cache *c, const struct rop_surface *s, const struct rop_walk *w)
{
   return rop_block_address(s, rop_own_first(c, w->ty) + w->j * c->num_rops, w->ty, w->sample,
                            w->part);
}

static inline uint8_t *
rop_cache_buffer_data(const struct rop_cache *c, unsigned buffer)
{
   return c->buffer_data + (size_t)buffer * ROP_LINE_BYTES;
}

#endif
