/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the Z and stencil test and the colour write of one ROP share: the cache of 8x8 blocks, the
 * compression and clear state of every block, fast clear and flush (ISPASS 2006 section 2). Not
 * here: what is done with the elements (zst.c, cw.c), quads that wait for their lines (rop_unit.c).
 *
 * - A line is one plane of a tile: 64 elements of one sample, 64 to 1024 bytes; a machine has
 * cache_ways x cache_sets lines of any of these sizes. Lines hold real data; memory is read and
 * written through the memory controller only.
 * - Memory always holds plain bytes; a compressed block just crosses the pins in fewer of them
 * (wire_bytes). A block in state CLEAR is not in memory at all: its contents are the surface's
 * clear value. FLUSH brings memory up to date and forgets every state.
 * - The cache remembers which surfaces its lines and states belong to, so a flush does not depend
 * on what the registers say by then. A surface that overlaps a remembered one in another shape
 * makes the box flush on its own first.
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

enum rop_block_state { ROP_BLOCK_PLAIN, ROP_BLOCK_CLEAR, ROP_BLOCK_HALF, ROP_BLOCK_QUARTER };

#define ROP_MAX_SURFACES 16
#define ROP_LINE_BYTES 1024

/* A surface as the registers bind it. */
struct rop_binding {
   uint32_t address, format, pitch_tiles, samples, width_tiles, height_tiles;
};

struct rop_surface {
   struct rop_binding bind;
   bool used;
   uint32_t element_bytes;
   uint32_t local_pitch;               /* own tiles per row of tiles, rounded up */
   uint32_t state_base, num_states;    /* of this surface in the block state memory */
   uint32_t own_blocks;                /* tiles x samples of this ROP inside width x height */
   uint32_t num_clear, num_compressed; /* blocks in these states */
   uint8_t clear_value[16];            /* repeated elements */
};

enum rop_line_state { ROP_LINE_INVALID, ROP_LINE_FETCHING, ROP_LINE_VALID };

struct rop_line {
   sim_tick ready;          /* VALID: data can be used from this tick on */
   uint32_t address, block; /* block: index for the block state, of the surface */
   uint32_t tile;           /* y * pitch + x */
   uint32_t lru;
   uint16_t bytes, users; /* users: reservations */
   uint16_t slot;
   uint8_t state, surface, chunks_left, wire_class;
   bool dirty;
};

enum rop_buffer_state { ROP_BUFFER_FREE, ROP_BUFFER_READ, ROP_BUFFER_WRITE, ROP_BUFFER_SENT };

/* A block on its way to memory, or being decompressed by a flush. */
struct rop_buffer {
   sim_tick ready;
   uint32_t address;
   uint16_t bytes;
   uint16_t slot;
   uint8_t state, chunks_left, wire_class;
};

/* A queue of line or buffer numbers. */
struct rop_ring {
   uint32_t *entry;
   uint32_t head, tail, mask;
};

/* A position among the own blocks of a surface. */
struct rop_walk {
   uint32_t j, ty, sample;
};

/* What a box is doing for the command processor. */
enum rop_port_state {
   ROP_PORT_NONE,
   ROP_PORT_FLUSH,
   ROP_PORT_CLEAR,
   ROP_PORT_OWN_FLUSH,
   ROP_PORT_ANSWER
};

enum rop_command {
   ROP_IDLE,
   ROP_BUSY_FLUSH_LINES,
   ROP_BUSY_FLUSH_BLOCKS,
   ROP_BUSY_DRAIN,
   ROP_BUSY_TIMER,
   ROP_BUSY_WRITE,
   ROP_BUSY_MODIFY
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
   uint8_t *states;
   uint32_t states_used;
   uint32_t *tag; /* [sets * ways] line address, 0: invalid */
   struct rop_line *line;
   uint8_t *line_data, *buffer_data;
   struct rop_buffer *buffer;
   struct rop_ring reads, writes; /* entries below sets * ways are lines, then buffers */
   uint32_t read_chunk, write_chunk;
   uint32_t fetching, free_buffers, lru_clock, last_line;
   enum rop_stat stall; /* why rop_cache_reserve failed */
   /* Command being executed. */
   enum rop_command command;
   uint32_t cmd_surface, cmd_index;
   struct rop_walk cmd_walk, cmd_done;
   sim_tick cmd_until;
   uint32_t cmd_planes, cmd_stencil, cmd_pending;
   float cmd_depth;
   /* Commands of the command processor. */
   struct sim_signal *from_cp, *to_cp;
   enum rop_port_state port, port_resume;
   struct msg_rop msg;
   uint32_t clear_number; /* surfaces of a clear command done */
   bool want_flush; /* the box needs another shape of a surface: flush once no line is reserved */
   /* The n-th surface that a clear command names; false: there is none with this number (n < 8).
    * value and planes as for rop_cache_clear. */
   bool (*clear_target)(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                        struct rop_binding *bind, uint8_t value[16], unsigned *planes);
   struct sim_waits waits;
};

/* Tells the cache about its box; sizes must be set before. Allocates. */
void rop_cache_init(struct rop_cache *c);
void rop_cache_fini(struct rop_cache *c);

/* The record of a surface, made when needed. -1: the box must flush first (rop_cache_flush). Stops
 * with an error when the surface is outside memory. */
int rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind);

/* Reserves the line of a tile's sample plane and starts its fetch. -1: not now, c->stall says why.
 */
int rop_cache_reserve(struct rop_cache *c, sim_tick now, unsigned surface, uint32_t tx, uint32_t ty,
                      uint32_t sample, unsigned slot);

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

static inline void
rop_cache_release(struct rop_cache *c, unsigned line, bool dirty)
{
   c->line[line].users--;
   c->line[line].dirty |= dirty;
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
void rop_cache_flush(struct rop_cache *c);
/* value: the new element of surface, repeated to 16 bytes, when every plane of the format is
 * cleared (planes 3); else planes, depth and stencil say what changes. */
void rop_cache_clear(struct rop_cache *c, sim_tick now, unsigned surface, const uint8_t value[16],
                     unsigned planes, float depth, uint32_t stencil);
bool rop_cache_step(struct rop_cache *c, sim_tick now, bool *progress);
/* Executes the command processor's commands and the flush that want_flush asks for. idle: no quad
 * is queued. True while the box may work on quads; flushed is set when the surfaces have been
 * forgotten. */
bool rop_cache_commands(struct rop_cache *c, sim_tick now, bool idle, bool *progress,
                        bool *flushed);

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

/* Where the block of one sample of a tile is. */
static inline uint32_t
rop_block_address(const struct rop_surface *s, uint32_t tx, uint32_t ty, uint32_t sample)
{
   return s->bind.address + (uint32_t)attila_tile_offset(s->bind.pitch_tiles, s->bind.samples,
                                                         s->element_bytes, tx, ty, sample);
}

/* Shared by rop_cache.c, rop_command.c and rop_unit.c. */
void *rop_allocate(size_t size);
void rop_ring_push(struct rop_ring *r, uint32_t entry);
bool rop_cache_write_pending(const struct rop_cache *c, uint32_t address);
int rop_cache_take_buffer(struct rop_cache *c, sim_tick ready, uint32_t address, uint32_t bytes,
                          unsigned slot);
void rop_cache_set_state(struct rop_cache *c, struct rop_surface *s, uint32_t block,
                         enum rop_block_state state);
void rop_repeat(uint8_t value[16], uint32_t element_bytes);
void rop_fill(uint8_t *data, const uint8_t value[16], uint32_t bytes);
uint32_t rop_own_first(const struct rop_cache *c, uint32_t ty);
void rop_cache_dump(const struct rop_cache *c, FILE *f);

static inline enum rop_block_state
rop_cache_state(const struct rop_cache *c, const struct rop_surface *s, uint32_t block)
{
   return block < s->num_states ? (enum rop_block_state)c->states[s->state_base + block]
                                : ROP_BLOCK_PLAIN;
}

static inline uint8_t *
rop_cache_buffer_data(const struct rop_cache *c, unsigned buffer)
{
   return c->buffer_data + (size_t)buffer * ROP_LINE_BYTES;
}

#endif
