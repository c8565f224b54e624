/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the Z and stencil test and the colour write of a ROP share: a cache of the blocks of its
 * tiles, and its clears, write-backs and invalidations (ISPASS 2006 section 2). A block's cost on
 * the memory pins follows from its state (decode/sim_blocks.h), which the ROP that owns the tile
 * keeps. Not here: work on elements (zst.c, cw.c), quads that wait for lines (rop_unit.c).
 * - A line holds a block: 64 consecutive elements, a sample each of a tile's pixels, or 256 bytes
 *   if that is less. With N samples a tile has N blocks, each of neighbouring quads. There are
 *   cache_ways x cache_sets lines in any format, with real data, read and written through the
 *   memory controller.
 * - Memory always holds plain bytes; a compressed block merely crosses the pins in fewer. A clear
 *   block does not cross them, so a clear stores its value in memory at once, without simulated
 *   time, and lines of clear blocks are filled from there.
 * - Lines are tagged by address and survive changes of render targets. The cache keeps the shapes
 *   of the surfaces that it has seen. If a surface overlaps lines of another shape, the cache first
 *   writes back and forgets all lines.
 * - ROP r owns exactly the tiles for which sim_tile_rop() is r. */
#ifndef BOX_ROP_CACHE_H
#define BOX_ROP_CACHE_H

#include "box/replace.h"
#include "box/rop/rop_stats.h"
#include "box/rop_tiles.h"
#include "box/sim_warming.h"
#include "box/sim_gpu.h"
#include "box/sim_probe.h"
#include "emul/rop/emul_compress.h"

/* Returns whether a draw's quads are tested before shading and go through the ZST: HZ chooses the
 * path by this, and the interpolator merges the paths by it. */
static inline bool
sim_draw_tests_early(const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   return !s->late_zs && (s->counts_early || (s->zs_bound && (s->z_test || s->stencil_test)));
}

/* Returns whether an end goes through the ZST before shading. In a tile-based machine the ends of
 * all draws that are not tested late do, so that the ZST gets every end of a bin. */
static inline bool
sim_end_tests_early(const struct sim_draw *draw, unsigned what)
{
   return what == SIM_END_DRAW ? sim_draw_tests_early(draw) : !draw->state.late_zs;
}

#define ROP_MAX_SURFACES 64
#define ROP_LINE_BYTES 256u /* the longest line */
#define ROP_MAX_PORTS 2
/* Most writes without an answer from memory whose data is kept. */
#define ROP_POSTED 64u

/* A surface as the registers bind it. */
struct rop_binding {
   uint32_t address, format, pitch_tiles, samples, width_tiles, height_tiles;
};

/* A known surface. Planes: 0 depth or colour, 1 stencil. */
struct rop_surface {
   struct rop_binding bind;
   bool used;
   uint32_t element_bytes, block_bytes; /* block_bytes: at most a line */
   uint32_t parts;                      /* blocks per tile, all samples */
   uint32_t fields_x, fields_y;         /* fields that the surface's rows and columns touch */
   uint32_t own_blocks;                 /* this ROP's, within width x height */
   uint32_t lines;                      /* lines in the cache */
   uint32_t last_bound;                 /* counts binds */
   uint32_t block_elements;
   uint64_t *signature; /* of what memory has of each own square, if that is known (rop_sign.c) */
   bool red_third;      /* 8-bit channels, blue before red */
   uint64_t plane_mask[2]; /* bits of an element per plane; 0: no such plane */
   uint64_t clear_value;   /* with both planes */
};

/* FILLING: waits until its data arrives, or until its old contents have left. */
enum rop_line_state { ROP_LINE_INVALID, ROP_LINE_FILLING, ROP_LINE_VALID };

/* A line reserved for writing only is partial: only written elements (touched: some bytes, full:
 * all) count and go to memory. */
struct rop_line {
   uint64_t touched, full; /* bit per element */
   uint32_t address;
   uint32_t block;         /* its number among the ROP's blocks of the surface */
   uint16_t bytes, users;  /* users: reservations */
   uint16_t dirty_work_id; /* work id that made it dirty and is charged for its write-back */
   uint8_t state, surface; /* surface: index of its shape */
   bool dirty, partial;
   uint32_t bin; /* number of its bin in the ROP's order, modulo 2^32 */
};

/* A block on its way to memory, until memory answers. Of several blocks on their way to one
 * address, the newest has the contents. */
struct rop_posted {
   uint32_t address;
   uint32_t age;
   uint32_t epoch; /* the cache's epoch when the line left it */
   uint16_t bytes, work_id;
   bool used;
};

/* A transfer: writes an old line back (spill), reads a new one (fill), or both; ends when both are
 * done. */
struct rop_request {
   bool spill, fill;       /* still to do */
   bool line_read;         /* the old data has left the line */
   bool received;          /* the fill's data has arrived */
   bool holds_line;        /* the line is FILLING until the end */
   bool raw;               /* clears a block without state: no line, no compression */
   bool read_first;        /* the same for one plane only: reads, then writes */
   bool partial;           /* spill: only touched elements are written */
   uint16_t work_id;       /* the fill's */
   uint16_t wire_bytes;    /* the spill's */
   uint32_t line, address; /* address: the fill's */
   uint64_t touched;
   uint32_t block;
   uint8_t surface;
   uint32_t posted; /* the spill's data */
};

/* A queue with several stages, of request numbers. */
struct rop_queue {
   uint32_t *entry;
   uint32_t mask, capacity;
   uint32_t tail;     /* accepted */
   uint32_t stage[3]; /* requests past each stage; stage[2] is the head */
};

/* A position among a surface's own blocks. */
struct rop_walk {
   uint32_t own, tx, ty, part; /* own: the tile's number among the ROP's */
};

/* A position among a surface's own blocks in a bin. */
struct rop_listed_walk {
   uint32_t x0, x1, y1; /* tiles; ends are exclusive */
   uint32_t tx, ty, part;
};

/* The resolve of a bin. */
struct rop_resolving {
   bool on;
   int surface;                 /* with samples */
   struct rop_listed_walk walk; /* its next block */
   int line;                    /* that is reserved; -1: none */
   bool read;                   /* all samples of the tile have been */
   uint32_t written;            /* blocks of the tile's averages */
};

/* A square of the bin that is written back. */
struct rop_square {
   uint32_t surface, number;
   bool same; /* as memory */
};
#define ROP_SQUARES 128

/* What a box does for the command processor. */
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
   bool colors;  /* these are colours, not depth and stencil */
   bool signs;   /* a bin's lines are compared with memory */
   bool accepts; /* quads accepted by HZ need no read */
   enum emul_compressor compressor;
   uint32_t num_rops, rop;
   /* Called when a line is written back; false: try again later. */
   bool (*evict)(struct sim_box *box, sim_tick now, const struct rop_surface *surface,
                 const struct rop_posted *line, const uint8_t *data);
   uint32_t epoch; /* ZST: hz_epoch of the newest draw that executed anything */
   /* Bins of a tile-based machine (rop_bin.c): the number of the bin whose quads arrive, how many
    * bins have ended since the start, how many of these are not written back, their maximum, and
    * the next line to look at. */
   uint32_t bin, bins, bins_ended, max_bins_ended, bin_line;
   bool bin_ends;              /* with max_bins_ended 0: the oldest end has begun the write-back */
   struct rop_square *squares; /* [ROP_SQUARES] of the bin that is written back, with signs */
   uint32_t num_squares;
   /* Commands in the lists (rop_listed.c): when the clear of a bin is done, 0: none; the resolve of
    * a bin; whether memory may lack averages of this pass. */
   sim_tick listed_until;
   struct rop_resolving resolving;
   bool resolved;
   const struct sim_discards *discards; /* of the pass whose bins have ended */
   struct rop_surface surface[ROP_MAX_SURFACES];
   uint32_t bind_clock;
   uint32_t *tag; /* [sets * ways] line address, 0: invalid */
   struct rop_line *line;
   uint8_t *line_data, *posted_data;
   struct replace replace;
   uint32_t last_line;
   struct {
      uint32_t surface, tx, ty, part, address; /* surface: UINT32_MAX: none */
   } last;                                     /* block of the last request */
   /* Transfers (rop_transfer.c). */
   struct rop_request *request;
   uint32_t free_requests;
   uint64_t spilling;              /* bit per request with a block still to write */
   struct rop_queue asked;         /* requests that wait for the queues */
   struct rop_queue fills, spills; /* stages of fills: requested, decompressed, in the cache; of
                                    * spills: out of the cache, compressed, sent */
   uint32_t num_received;          /* fills whose data waits for the decompressor */
   struct rop_posted *posted;
   uint32_t num_posted, posted_age;
   sim_tick read_port[ROP_MAX_PORTS], write_port[ROP_MAX_PORTS]; /* when each is free */
   /* When the unit of each stage has finished its present block; 0: idle. */
   sim_tick reading, compressing, decompressing, writing;
   /* Before this tick transfers progress only if memory answers or a new request comes. Below: what
    * they wait for until then. */
   sim_tick transfer_at;
   struct sim_held_waits transfer_waits;
   bool depends; /* in this cycle a transfer waited for other boxes */
   /* Command being executed. */
   enum rop_command command;
   uint32_t cmd_surface, cmd_index;
   uint64_t cmd_start, cmd_end; /* write-back: memory range */
   bool cmd_forget;             /* write-back: then forget lines and surfaces */
   struct rop_walk cmd_walk;
   sim_tick cmd_until;
   uint32_t cmd_planes, cmd_work_id;
   uint8_t cmd_value[16];
   /* Commands of the command processor. */
   struct sim_signal *from_cp, *to_cp;
   enum rop_port_state port, port_resume;
   struct msg_rop msg;
   uint32_t clear_number; /* surfaces of a clear command that are done */
   bool want_flush;       /* a surface of another shape is needed: flush when no line is reserved */
   uint16_t want_work_id; /* of the draw that needs it */
   uint16_t port_work_id; /* of the present command or flush */
   /* Finds the n-th surface of a clear command (n < 8); false if there are fewer. value: the new
    * element, repeated. planes: the planes of the format that change. */
   bool (*clear_target)(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                        struct rop_binding *bind, uint8_t value[16], unsigned *planes);
   struct sim_waits waits;
};

/* Sets up the cache of a box, whose sizes must be set. Allocates. */
void rop_cache_init(struct rop_cache *c);

/* Returns the number of the surface's record, which it makes if need be. -1: the box must write
 * back and forget first (rop_cache_write_back). Stops with an error if the surface is outside
 * memory. */
int rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind);
/* Restores a surface's record of a snapshot; the caller sets block states and clear value. False:
 * the surface is invalid. */
bool rop_surface_restore(struct rop_cache *c, struct rop_surface *s,
                         const struct rop_binding *bind);

/* Reserves the line of a block of a quad's tile, to read and write it or only to write, and starts
 * the transfers that it needs. -1: not now. One call per cycle. */
int rop_cache_reserve(struct rop_cache *c, unsigned surface, const struct sim_quad *quad,
                      uint32_t part, bool read, unsigned work_id);

static inline uint8_t *
rop_cache_data(const struct rop_cache *c, unsigned line)
{
   return c->line_data + (size_t)line * ROP_LINE_BYTES;
}

/* Takes a port for bytes; false if the line has no data yet or every port is busy. */
bool rop_cache_read(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes,
                    unsigned work_id);
/* Does the same for a write, which releases the line. */
bool rop_cache_can_write(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes,
                         unsigned work_id);

/* Marks elements (bit each) of a reserved line as written; whole: all their bytes. work id: the
 * draw's. */
void rop_cache_written(struct rop_cache *c, unsigned line, uint64_t elements, bool whole,
                       unsigned work_id);

static inline uint64_t *
rop_stat(struct rop_cache *c, unsigned work_id, enum rop_stat stat)
{
   return c->stats + (size_t)work_id * c->num_stats + stat;
}

/* Does a cycle's transfers (rop_transfer.c) as a clock begins; true if any progressed. */
bool rop_transfer_step(struct rop_cache *c, sim_tick now);
static inline bool
rop_transfer_clock(struct rop_cache *c, sim_tick now)
{
   return (now >= c->transfer_at || sim_peek(c->from_mc, now)) && rop_transfer_step(c, now);
}
/* Returns the next tick, after now, of an event that only time triggers, or SIM_NEVER. */
sim_tick rop_transfer_timer(const struct rop_cache *c, sim_tick now);

/* Returns the work id of the oldest transfer that has not yet reached memory or the cache; -1:
 * none. */
int rop_transfer_work_id(const struct rop_cache *c);

static inline bool
rop_transfer_idle(const struct rop_cache *c)
{
   return c->free_requests == c->max_requests && c->num_posted == 0;
}

/* Commands (rop_command.c): start one while no line is reserved, then step it each clock until it
 * returns true. */
/* Writes dirty lines in [start, end) back and waits for memory. forget: then forgets all lines and
 * surfaces (the range must be all of memory). */
void rop_cache_write_back(struct rop_cache *c, uint64_t start, uint64_t end, bool forget);
/* Clears planes of a surface to an element's value, repeated to 16 bytes. */
void rop_cache_clear(struct rop_cache *c, unsigned surface, const uint8_t value[16],
                     unsigned planes);
bool rop_cache_step(struct rop_cache *c, sim_tick now, bool *progress);
/* Executes the command processor's commands, and the flush that want_flush requests. idle: no quad
 * is queued. True while the box may work on quads; sets forgotten when surfaces are. */
bool rop_cache_commands(struct rop_cache *c, sim_tick now, bool idle, bool *progress,
                        bool *forgotten);

/* Returns how many bins have lines here, or will: the one that quads are fetched for, and those
 * before it that have not been written back. 1 without tiles. */
static inline uint32_t
rop_bins_in_use(const struct rop_cache *c)
{
   return c->bin + 1 - (c->bins - c->bins_ended);
}

/* rop_bin.c. Ends the oldest bin that has not ended: its lines are written back, one per cycle,
 * while the next bin is drawn. draw: the bin's last draw. False: not now. */
bool rop_bin_end(struct rop_cache *c, const struct sim_draw *draw);
/* Does a cycle of this write-back; true if it progressed. */
bool rop_bin_write_back(struct rop_cache *c);

/* rop_sign.c: with signs, what memory has of a square of 16x16 pixels. Returns whether memory has
 * what the square of a line of an ended bin has now, and notes that it will. */
bool rop_sign_same(struct rop_cache *c, const struct rop_line *l);
/* Forgets what memory has of the square of a line, or of all surfaces in [start, end). */
void rop_sign_forget(struct rop_cache *c, const struct rop_line *l);
void rop_sign_forget_range(struct rop_cache *c, uint64_t start, uint64_t end);

/* rop_listed.c. Does a step of a command in the lists in the bin that is being drawn. */
enum rop_progress { ROP_WAITS, ROP_WORKS, ROP_DONE };
enum rop_progress rop_listed_step(struct rop_cache *c, const struct sim_listed *l, uint32_t bin,
                                  sim_tick now);
static inline bool
rop_bin_clock(struct rop_cache *c)
{
   return c->bins_ended && rop_bin_write_back(c);
}

/* Counts waiting cycles in a statistic until the next clock. */
static inline void
rop_cache_wait(struct rop_cache *c, unsigned work_id, enum rop_stat stat)
{
   sim_wait(&c->waits, rop_stat(c, work_id, stat));
}

/* Binds a surface of the framebuffer's size. */
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

/* Returns the address of a block of a tile. */
static inline uint32_t
rop_block_address(const struct rop_surface *s, uint32_t tx, uint32_t ty, uint32_t part)
{
   return s->bind.address +
          (uint32_t)attila_tile_offset(s->bind.pitch_tiles, s->bind.samples, s->element_bytes, tx,
                                       ty) +
          part * s->block_bytes;
}

/* Returns whether the block has a place in the block state memory; others are always plain. */
static inline bool
rop_has_state(const struct rop_cache *c, uint32_t block)
{
   return block < c->num_states;
}

/* Shared by the files rop_*.c. */
void rop_transfer_init(struct rop_cache *c);
/* Returns a free request, with room for a block if it spills; NULL: none. */
struct rop_request *rop_transfer_request(struct rop_cache *c, bool spill);
/* Queues the request, with a spill's data. */
void rop_transfer_ask(struct rop_cache *c, struct rop_request *r);
/* Makes the request write a line back; the line becomes clean. */
void rop_transfer_spill(struct rop_cache *c, struct rop_request *r, uint32_t line);
/* Returns the contents of a block that is not in the cache. */
const uint8_t *rop_transfer_contents(const struct rop_cache *c, uint32_t address);
/* Returns the line of a block of a tile; -1: the cache has none. */
int rop_cache_find(const struct rop_cache *c, unsigned surface, uint32_t tx, uint32_t ty,
                   uint32_t part);
/* Returns the contents of any block: of its line, or as above. */
const uint8_t *rop_cache_contents(const struct rop_cache *c, unsigned surface, uint32_t tx,
                                  uint32_t ty, uint32_t part);
/* Returns whether a block waits to be sent to memory. */
bool rop_transfer_spilling(const struct rop_cache *c, uint32_t address);
void rop_transfer_dump(const struct rop_cache *c, FILE *f);
void rop_cache_drop_line(struct rop_cache *c, uint32_t line);
/* Makes a line clean without a write. */
void rop_cache_clean_line(struct rop_cache *c, uint32_t line);
void rop_repeat(uint8_t value[16], uint32_t element_bytes);
void rop_cache_dump(const struct rop_cache *c, FILE *f);

/* Returns the stored bytes of a block, given whether it was plain before. */
uint32_t rop_block_stored(const struct rop_cache *c, const struct rop_surface *s, uint32_t block,
                          bool plain, const uint8_t *data);
/* Sets the state of a block some of whose planes (flags) are cleared. */
void rop_clear_state(struct sim_blocks *b, const struct rop_surface *s, uint32_t address,
                     uint8_t flags);
/* What a clear of some planes changes. */
struct rop_clearing {
   uint8_t value[16]; /* an element's, repeated */
   uint64_t keep[2];  /* bits of it that stay */
   uint8_t flags;     /* of the planes that are cleared */
};
/* Finds that; updates the surface's clear value. */
struct rop_clearing rop_clear_planes(struct rop_surface *s, unsigned planes,
                                     const uint8_t value[16]);
/* Clears a block in memory, and its state. No transfer of it may be under way. */
void rop_clear_block(struct rop_cache *c, const struct rop_surface *s, uint32_t block,
                     uint32_t address, const struct rop_clearing *to);
/* Clears a line after its block. It goes unless its other plane must be written back. */
void rop_clear_line(struct rop_cache *c, uint32_t line, const struct rop_clearing *to);
/* rop_warming.c, for struct sim_box_class.warm; draws' surfaces are bound by rop_warm_bind. */
void rop_warm(struct rop_cache *c, const struct sim_warming *event);
/* rop_cache.c: reports contents that memory does not have yet. */
void rop_cache_probe(const struct rop_cache *c, const struct sim_probe *l);
void rop_warm_bind(struct rop_cache *c, const struct attila_regs *regs, uint32_t address,
                   uint32_t format, uint32_t pitch_tiles);
/* Returns flags of a block's planes that hold the surface's clear value (rop_surface.c). */
uint8_t rop_clear_flags(const struct rop_surface *s, const uint8_t *data);
void rop_surface_dump(const struct rop_cache *c, FILE *f);
/* Finds a walk's tile by its number; false if the surface has none. */
bool rop_walk_tile(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);
bool rop_walk_first(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);
/* Moves to the next own block; false after the last. */
bool rop_walk_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w);

/* Returns a ROP's tiles per field, rounded up to the ROP with most. */
static inline uint32_t
rop_field_tiles(const struct rop_cache *c)
{
   return sim_tile_rop_field(c->num_rops);
}

/* Returns a tile's number among the ROP's own tiles. Where fields are whole, this is the order in
 * memory. */
static inline uint32_t
rop_own_number(const struct rop_cache *c, const struct rop_surface *s, uint32_t tx, uint32_t ty)
{
   uint32_t field = ty / (2 * ROP_FIELD) * s->fields_x + tx / (2 * ROP_FIELD);
   uint32_t square = attila_morton8(tx >> 1 & (ROP_FIELD - 1), ty >> 1 & (ROP_FIELD - 1));
   return field * rop_field_tiles(c) + square / c->num_rops * 4 + attila_morton8(tx & 1, ty & 1);
}

/* Does the same for a block of such a tile. */
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

/* Returns a mask of all elements of a line. */
static inline uint64_t
rop_line_elements(const struct rop_cache *c, const struct rop_line *l)
{
   return UINT64_MAX >> (64 - l->bytes / c->surface[l->surface].element_bytes);
}

#endif
