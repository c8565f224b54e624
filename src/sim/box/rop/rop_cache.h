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
 * - A line holds a block: 64 elements that follow one another, a sample each of a tile's pixels, or
 * 256 bytes where these are more. With N samples the N blocks of a tile are of neighbouring quads.
 * A machine has cache_ways x cache_sets lines whatever the format. Lines hold real data; memory is
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

#include "box/replace.h"
#include "box/rop/rop_stats.h"
#include "box/rop_tiles.h"
#include "box/sim_warming.h"
#include "box/sim_gpu.h"
#include "box/sim_probe.h"
#include "emul/rop/emul_compress.h"

/* True when a draw's quads are tested before shading and go through the ZST: the path HZ chooses
 * and the interpolator merges by. */
static inline bool
sim_draw_tests_early(const struct sim_draw *draw)
{
   return !draw->state.late_zs && draw->state.zs_bound &&
          (draw->state.z_test || draw->state.stencil_test);
}

#define ROP_MAX_SURFACES 64
#define ROP_LINE_BYTES 256u /* the longest line */
#define ROP_MAX_PORTS 2
/* Writes that memory has not answered yet: data is kept for so many. */
#define ROP_POSTED 64u

/* A surface as the registers bind it. */
struct rop_binding {
   uint32_t address, format, pitch_tiles, samples, width_tiles, height_tiles;
};

/* What is remembered of a surface. Planes: 0 depth or colour, 1 stencil. */
struct rop_surface {
   struct rop_binding bind;
   bool used;
   uint32_t element_bytes, block_bytes; /* block_bytes: at most a line */
   uint32_t parts;                      /* blocks of a tile, all samples */
   uint32_t fields_x, fields_y;         /* that the surface's rows and columns touch */
   uint32_t own_blocks;                 /* of this ROP, inside width x height */
   uint32_t lines;                      /* in the cache */
   uint32_t last_bound;                 /* a clock */
   uint32_t block_elements;
   bool red_third;         /* 8-bit channels, blue before red */
   uint64_t plane_mask[2]; /* bits of an element; 0: no such plane */
   uint64_t clear_value;   /* of a surface with both planes */
};

/* FILLING: its data or its place is still on the way. */
enum rop_line_state { ROP_LINE_INVALID, ROP_LINE_FILLING, ROP_LINE_VALID };

/* A line that was reserved only to be written is partial: of its elements only those written count
 * (touched: some bytes; full: all), and only these bytes go to memory. */
struct rop_line {
   uint64_t touched, full; /* a bit per element */
   uint32_t address;
   uint32_t block;         /* number among those of the ROP in the surface */
   uint16_t bytes, users;  /* users: reservations */
   uint16_t dirty_work_id; /* who made it dirty and pays for its write-back */
   uint8_t state, surface; /* surface: where the shape is */
   bool dirty, partial;
};

/* A block on its way to memory, until memory answers. The newest one of an address has its
 * contents. */
struct rop_posted {
   uint32_t address;
   uint32_t age;
   uint32_t epoch; /* of the cache when the line left it */
   uint16_t bytes, work_id;
   bool used;
};

/* What the cache asks for: an old line is written back (spill), a new one is read (fill), or both.
 * Ended when both are. */
struct rop_request {
   bool spill, fill;       /* still to be done */
   bool line_read;         /* the old data is out of the line */
   bool received;          /* the fill's data is here */
   bool holds_line;        /* the line is FILLING until the end */
   bool raw;               /* a block without a state that is cleared: no line, no compression */
   bool read_first;        /* such a block that is cleared in part: read, then written */
   bool partial;           /* spill: only what was touched is written */
   uint16_t work_id;       /* of the fill */
   uint16_t wire_bytes;    /* of the spill */
   uint32_t line, address; /* address: of the fill */
   uint64_t touched;
   uint32_t block;
   uint8_t surface;
   uint32_t posted; /* the spill's data */
};

/* A queue with several stages: numbers of requests. */
struct rop_queue {
   uint32_t *entry;
   uint32_t mask, capacity;
   uint32_t tail;     /* accepted */
   uint32_t stage[3]; /* what has passed the stages; stage[2] is the head */
};

/* A position among the own blocks of a surface. */
struct rop_walk {
   uint32_t own, tx, ty, part; /* own: number of the tile among those of the ROP */
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
   uint64_t *stats; /* [work_id][num_stats] */
   uint32_t num_stats;
   uint32_t ways, sets, policy, line_bytes, num_states, blocks_cleared;
   uint32_t port_width, num_read_ports, num_write_ports;
   uint32_t max_requests, max_fills, max_spills;
   sim_tick compress_latency, decompress_latency; /* ticks */
   bool no_compression, all_sets;
   bool accepts; /* quads that HZ has accepted need not be read */
   enum emul_compressor compressor;
   uint32_t num_rops, rop;
   /* Called when a line is written back; false: it cannot yet. */
   bool (*evict)(struct sim_box *box, sim_tick now, const struct rop_surface *surface,
                 const struct rop_posted *line, const uint8_t *data);
   uint32_t epoch; /* ZST: hz_epoch of the newest draw of which anything was executed */
   struct rop_surface surface[ROP_MAX_SURFACES];
   uint32_t bind_clock;
   uint32_t *tag; /* [sets * ways] line address, 0: invalid */
   struct rop_line *line;
   uint8_t *line_data, *posted_data;
   struct replace replace;
   uint32_t last_line;
   struct {
      uint32_t surface, tx, ty, part, address; /* surface: UINT32_MAX: none */
   } last;                                     /* block asked for */
   /* Transfers (rop_transfer.c). */
   struct rop_request *request;
   uint32_t free_requests;
   uint64_t spilling;              /* bit per request: a block is still to be written */
   struct rop_queue asked;         /* requests that wait for the queues */
   struct rop_queue fills, spills; /* stages of fills: requested, decompressed, in the cache; of
                                      spills: out of the cache, compressed, sent */
   uint32_t num_received;          /* fills with data that the decompressor has not taken */
   struct rop_posted *posted;
   uint32_t num_posted, posted_age;
   sim_tick read_port[ROP_MAX_PORTS], write_port[ROP_MAX_PORTS]; /* free from this tick on */
   /* The unit is busy until then (0: no block in it) with the next of its stage. */
   sim_tick reading, compressing, decompressing, writing;
   /* Before this tick no transfer can go on unless memory answers or another one is asked for; what
    * they wait for until then. */
   sim_tick transfer_at;
   struct sim_held_waits transfer_waits;
   bool depends; /* in this cycle, a transfer waited for something that others change */
   /* Command being executed. */
   enum rop_command command;
   uint32_t cmd_surface, cmd_index;
   uint64_t cmd_start, cmd_end; /* write-back: memory */
   bool cmd_forget;             /* write-back: afterwards lines and surfaces are forgotten */
   struct rop_walk cmd_walk;
   sim_tick cmd_until;
   uint32_t cmd_planes, cmd_work_id;
   uint8_t cmd_value[16];
   /* Commands of the command processor. */
   struct sim_signal *from_cp, *to_cp;
   enum rop_port_state port, port_resume;
   struct msg_rop msg;
   uint32_t clear_number; /* surfaces of a clear command done */
   bool want_flush; /* the box needs another shape of a surface: flush once no line is reserved */
   uint16_t want_work_id; /* of the draw that needs it */
   uint16_t port_work_id; /* whom the present command or flush is for */
   /* The n-th surface that a clear command names; false: there is none with this number (n < 8).
    * value: the new element, repeated. planes: those that change, of those that the format has. */
   bool (*clear_target)(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                        struct rop_binding *bind, uint8_t value[16], unsigned *planes);
   struct sim_waits waits;
};

/* Tells the cache about its box; sizes must be set before. Allocates. */
void rop_cache_init(struct rop_cache *c);

/* The record of a surface, made when needed. -1: the box must write back and forget first
 * (rop_cache_write_back). Stops with an error when the surface is outside memory. */
int rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind);
/* The record of a surface that a snapshot had; block states and clear value are the caller's.
 * False: there cannot be such a one. */
bool rop_surface_restore(struct rop_cache *c, struct rop_surface *s,
                         const struct rop_binding *bind);

/* Reserves the line of a block of a quad's tile, to be read and written or only to be written;
 * transfers it if it must be. -1: not now. One call a cycle. */
int rop_cache_reserve(struct rop_cache *c, unsigned surface, const struct sim_quad *quad,
                      uint32_t part, bool read, unsigned work_id);

static inline uint8_t *
rop_cache_data(const struct rop_cache *c, unsigned line)
{
   return c->line_data + (size_t)line * ROP_LINE_BYTES;
}

/* Takes a port for bytes; false: the line has no data yet, or every port is busy. */
bool rop_cache_read(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes,
                    unsigned work_id);
/* The same for a write, which gives the reservation back. */
bool rop_cache_can_write(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes,
                         unsigned work_id);

/* Elements written to a reserved line, a bit each; whole: all of their bytes. work id: of the draw.
 */
void rop_cache_written(struct rop_cache *c, unsigned line, uint64_t elements, bool whole,
                       unsigned work_id);

static inline uint64_t *
rop_stat(struct rop_cache *c, unsigned work_id, enum rop_stat stat)
{
   return c->stats + (size_t)work_id * c->num_stats + stat;
}

/* Transfers of a cycle (rop_transfer.c); true when anything went on. First thing of a clock. */
bool rop_transfer_step(struct rop_cache *c, sim_tick now);
static inline bool
rop_transfer_clock(struct rop_cache *c, sim_tick now)
{
   return (now >= c->transfer_at || sim_peek(c->from_mc, now)) && rop_transfer_step(c, now);
}
/* The next tick at which something ready only by time happens: SIM_NEVER, or later than now. */
sim_tick rop_transfer_timer(const struct rop_cache *c, sim_tick now);

/* The work id of the oldest transfer that has not been handed to memory or to the cache; -1: none.
 */
int rop_transfer_work_id(const struct rop_cache *c);

static inline bool
rop_transfer_idle(const struct rop_cache *c)
{
   return c->free_requests == c->max_requests && c->num_posted == 0;
}

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
rop_cache_wait(struct rop_cache *c, unsigned work_id, enum rop_stat stat)
{
   sim_wait(&c->waits, rop_stat(c, work_id, stat));
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

/* Where a block of a tile is. */
static inline uint32_t
rop_block_address(const struct rop_surface *s, uint32_t tx, uint32_t ty, uint32_t part)
{
   return s->bind.address +
          (uint32_t)attila_tile_offset(s->bind.pitch_tiles, s->bind.samples, s->element_bytes, tx,
                                       ty) +
          part * s->block_bytes;
}

/* True when the block has a place in the block state memory; others are always plain. */
static inline bool
rop_has_state(const struct rop_cache *c, uint32_t block)
{
   return block < c->num_states;
}

/* Shared by rop_cache.c, rop_transfer.c, rop_surface.c, rop_command.c and rop_unit.c. */
void rop_transfer_init(struct rop_cache *c);
/* A free request with room for a block to be written; NULL: there is none. */
struct rop_request *rop_transfer_request(struct rop_cache *c, bool spill);
/* Puts the request into the queue, with the data of a spill. */
void rop_transfer_ask(struct rop_cache *c, struct rop_request *r);
/* Makes the request write a line back; the line is clean then. */
void rop_transfer_spill(struct rop_cache *c, struct rop_request *r, uint32_t line);
/* Where the contents of a block are that is not in the cache. */
const uint8_t *rop_transfer_contents(const struct rop_cache *c, uint32_t address);
/* True while a block waits to be sent to memory. */
bool rop_transfer_spilling(const struct rop_cache *c, uint32_t address);
void rop_transfer_dump(const struct rop_cache *c, FILE *f);
void rop_cache_drop_line(struct rop_cache *c, uint32_t line);
/* A line becomes clean without being written. */
void rop_cache_clean_line(struct rop_cache *c, uint32_t line);
void rop_repeat(uint8_t value[16], uint32_t element_bytes);
void rop_cache_dump(const struct rop_cache *c, FILE *f);

/* Bytes of a block of a surface as it is stored: it was plain before, or not. */
uint32_t rop_block_stored(const struct rop_cache *c, const struct rop_surface *s, uint32_t block,
                          bool plain, const uint8_t *data);
/* The state of a block of which some planes (flags) are cleared, of those that it has. */
void rop_clear_state(struct sim_blocks *b, const struct rop_surface *s, uint32_t address,
                     uint8_t flags);
/* Flags of the planes of a surface that are cleared, and the bits of an element that stay; the
 * surface's clear value becomes what value says of the others. */
uint8_t rop_clear_planes(struct rop_surface *s, unsigned planes, const uint8_t value[16],
                         uint64_t *keep);
/* rop_warming.c: struct sim_box_class.warm, but for draws, which rop_warm_bind binds surfaces of.
 */
void rop_warm(struct rop_cache *c, const struct sim_warming *event);
/* rop_cache.c: what memory does not have yet. */
void rop_cache_probe(const struct rop_cache *c, const struct sim_probe *l);
void rop_warm_bind(struct rop_cache *c, const struct attila_regs *regs, uint32_t address,
                   uint32_t format, uint32_t pitch_tiles);
/* Flags of the planes of a block that hold the surface's clear value (rop_surface.c). */
uint8_t rop_clear_flags(const struct rop_surface *s, const uint8_t *data);
void rop_surface_dump(const struct rop_cache *c, FILE *f);
bool rop_walk_first(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);
/* Moves on to the next own block; false after the last one. */
bool rop_walk_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);

/* Tiles that a ROP has in a field, or would have if it had as many as the ROP with most. */
static inline uint32_t
rop_field_tiles(const struct rop_cache *c)
{
   return (ROP_FIELD * ROP_FIELD + c->num_rops - 1) / c->num_rops * 4;
}

/* The number of an own tile among those of the ROP in a surface: in the order of memory where whole
 * fields are. */
static inline uint32_t
rop_own_number(const struct rop_cache *c, const struct rop_surface *s, uint32_t tx, uint32_t ty)
{
   uint32_t field = ty / (2 * ROP_FIELD) * s->fields_x + tx / (2 * ROP_FIELD);
   uint32_t square = attila_morton8(tx >> 1 & (ROP_FIELD - 1), ty >> 1 & (ROP_FIELD - 1));
   return field * rop_field_tiles(c) + square / c->num_rops * 4 + attila_morton8(tx & 1, ty & 1);
}

/* The same for a block of an own tile. */
static inline uint32_t
rop_block_number(const struct rop_surface *s, uint32_t own, uint32_t part)
{
   return own * s->parts + part;
}

static inline uint32_t
rop_walk_block(const struct rop_surface *s, const struct rop_walk *w)
{
   return rop_block_number(s, w->own, w->part);
}

static inline uint32_t
rop_walk_address(const struct rop_surface *s, const struct rop_walk *w)
{
   return rop_block_address(s, w->tx, w->ty, w->part);
}

static inline uint8_t *
rop_posted_data(const struct rop_cache *c, uint32_t posted)
{
   return c->posted_data + (size_t)posted * ROP_LINE_BYTES;
}

/* All elements of a line. */
static inline uint64_t
rop_line_elements(const struct rop_cache *c, const struct rop_line *l)
{
   return UINT64_MAX >> (64 - l->bytes / c->surface[l->surface].element_bytes);
}

#endif
