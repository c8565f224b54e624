/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The pipeline of a ROP's two boxes, Z and stencil test and colour write, as in the original.
 * StampsPerCycle quads per cycle pass its stages in order:
 *   input queue, fetch (reserves its lines), fetch queue, read (from the cache), read queue, test
 *   or blend (ALU), operation queue, write (to the cache), write queue, to the next box
 * A quad that needs no old pixels goes from fetch to the read queue; one that touches no buffer
 * goes to the write queue. A quad accepted by HZ (HZMin) is not read, and not written if depth is
 * not. A quad is not read before older ones of the same place are written. Every sample and buffer
 * takes its own turn from fetch to write. A pipeline never holds both early and late quads; the
 * command processor keeps them apart. The simulator computes a quad's result when it is written. In
 * the ALU it would be the same, since older quads of the place are written by then. Not here: work
 * on samples (zst.c, cw.c), the cache (rop_cache.c), commands (rop_command.c). */
#ifndef BOX_ROP_UNIT_H
#define BOX_ROP_UNIT_H

#include "box/rop/rop_cache.h"

/* The part of a quad that needs one line: a sample of one buffer. Or a quad that needs no line, or
 * an end. */
struct rop_entry {
   struct sim_quad *quad; /* NULL: an end */
   struct sim_draw *draw;
   union {
      sim_tick operated;               /* when the ALU is done */
      const struct sim_listed *listed; /* of an end, as msg_quad */
   };
   int32_t line; /* -1: none */
   uint32_t bin; /* of an end, as msg_quad */
   uint16_t work_id;
   uint8_t sample, buffer;
   uint8_t place;   /* the quad's index into place[], equal for all samples and buffers */
   uint8_t element; /* in the line: the first of four */
   uint8_t bytes;   /* bytes of four elements */
   /* Flags that the host finds fast: */
   uint8_t read;     /* not 0: needs the old pixels */
   uint8_t part;     /* not 0: writes some bytes of its pixels */
   uint8_t slow;     /* not 0: the ALU takes alu_slow_rate */
   bool first, last; /* in its quad */
   uint8_t what;     /* of an end: enum sim_end */
};

/* How many parts have passed a stage: all, quads' first parts, quads' last parts. */
struct rop_stage {
   uint32_t parts, first, last;
};

struct rop_unit;

/* The functions in which the two boxes differ. */
struct rop_unit_class {
   /* Prepares for a new draw: sets buffers and their subsets, binds them (rop_unit_bind), sets
    * look. False: a buffer needs a flush first. */
   bool (*start_draw)(struct rop_unit *u, const struct sim_draw *draw);
   /* Called for an arrived quad before its lines are reserved, if look is set; may change its
    * mask. */
   void (*look_at)(struct rop_unit *u, const struct msg_quad *m);
   /* Tests or blends a part in its line; returns the pixels written, wholly or in part. */
   unsigned (*write)(struct rop_unit *u, const struct rop_entry *e);
   /* Sends on or ends the quad, or the draw's end, once its last part is written; false: not
    * now. */
   bool (*finish)(struct rop_unit *u, sim_tick now, const struct rop_entry *e);
};

/* First member of the box. */
struct rop_unit {
   struct sim_box box;
   const struct rop_unit_class *cls;
   struct rop_cache cache;
   struct sim_signal *early_in, *late_in;
   uint32_t per_cycle; /* quads, or their parts, through each stage */
   uint32_t fetch_queue, read_queue, op_queue, write_queue, alu_rate;
   uint32_t alu_slow_rate; /* for parts in slow_buffers */
   sim_tick alu_latency;   /* ticks */
   uint32_t alu_quads;     /* most quads in the ALU, if some start in each cycle */
   /* Parts in order. */
   struct rop_entry *entry;
   uint32_t entry_mask;
   struct rop_stage fetched, read, started, operated, written, finished;
   bool fetching; /* some parts of the oldest quad in the input queue have been fetched */
   sim_tick alu_started, alu_free; /* when the last quads started; when the next can start */
   /* Parts read but not written, by place, so that most need no search. */
   uint16_t place[256];
   /* The draw whose quads arrive. NULL: look again. */
   struct sim_draw *draw;
   uint32_t layer;                 /* its layer whose surfaces are bound */
   uint32_t buffers, read_buffers; /* bits */
   uint32_t part_buffers;          /* the subset that keeps some bytes of pixels */
   uint32_t slow_buffers;          /* the subset whose parts take alu_slow_rate */
   int surface[ATTILA_MAX_COLOR_BUFFERS];
   bool look;
   bool writes;                       /* with cache.accepts: accepted quads are written */
   uint32_t next_buffer, next_sample; /* parts of the fetched quad that still need a line */
   bool executed;                     /* the end of a command in the lists may pass */
   bool drawing;                      /* between a draw's first quad and its end */
   uint16_t drawing_work_id;
};

/* Initialises a box's struct rop_cache from a configuration section with the parameters of
 * SIM_PARAMS_ROP, its statistics, and the signals of this name. */
#define ROP_CACHE_PARAMS(name, section, b, stat)                                                  \
   .ways = (section)->cache_ways, .sets = (section)->cache_sets,                                  \
   .policy = (section)->cache_replacement,                                                        \
   .line_bytes = (section)->line_stamps * 4 * (section)->pixel_bytes,                             \
   .port_width = (section)->port_width, .num_read_ports = 1 + (section)->extra_read_port,         \
   .num_write_ports = 1 + (section)->extra_write_port, .max_requests = (section)->cache_requests, \
   .max_fills = (section)->cache_input, .max_spills = (section)->cache_output,                    \
   .num_states = (section)->block_states, .blocks_cleared = (section)->blocks_cleared,            \
   .compress_latency = (section)->compress_latency * (b)->period,                                 \
   .decompress_latency = (section)->decompress_latency * (b)->period,                             \
   .no_compression = (section)->no_compression, .all_sets = (section)->all_sets,                  \
   .stats = (uint64_t *)(stat), .num_stats = sizeof(*(stat)) / sizeof(uint64_t),                  \
   .to_mc = &(b)->gpu->net.name##_mc[(b)->instance],                                              \
   .from_mc = &(b)->gpu->net.mc_##name[(b)->instance],                                            \
   .from_cp = &(b)->gpu->net.cp_##name[(b)->instance],                                            \
   .to_cp = &(b)->gpu->net.name##_cp[(b)->instance]

/* Does the same for a struct rop_unit. */
#define ROP_UNIT_PARAMS(unit, section, period)                         \
   do {                                                                \
      (unit)->per_cycle = (section)->quads_cycle;                      \
      (unit)->fetch_queue = (section)->fetch_queue;                    \
      (unit)->read_queue = (section)->read_queue;                      \
      (unit)->op_queue = (section)->op_queue * (section)->quads_cycle; \
      (unit)->write_queue = (section)->write_queue;                    \
      (unit)->alu_rate = (section)->alu_rate;                          \
      (unit)->alu_latency = (section)->alu_latency * (period);         \
   } while (0)

/* Initialises the unit, whose signals, queues, and sizes and functions of the cache must be set.
 * Allocates. */
void rop_unit_init(struct rop_unit *u, const struct rop_unit_class *cls);

/* Members of struct sim_box_class. */
sim_tick rop_unit_clock(struct sim_box *b, sim_tick now);
void rop_unit_dump(const struct sim_box *b, FILE *f);
void rop_unit_flush_counters(struct sim_box *b, sim_tick next);
void rop_unit_probe(const struct sim_box *b, struct sim_probe *l);

/* Makes a surface of the framebuffer's size buffer n of the draw; false: requests a flush, which
 * must come first. */
bool rop_unit_bind(struct rop_unit *u, unsigned n, const struct attila_regs *regs, uint32_t address,
                   uint32_t format, uint32_t pitch_tiles);

/* Returns whether a pass cannot end yet: bins of it are in the cache; or something is on its way to
 * memory, and averages of samples or what is kept of the pass must be there. */
static inline bool
rop_holds_pass(const struct rop_unit *u)
{
   const struct rop_cache *c = &u->cache;
   return c->bins_ended ||
          ((c->resolved || u->box.gpu->config.tiling.keeps) && !rop_transfer_idle(c));
}

/* Ends a quad whose live samples have passed every stage. */
void rop_unit_end_quad(struct rop_unit *u, sim_tick now, struct sim_quad *quad);

/* Returns the part's live samples of the quad: bits 0 to 3. */
static inline unsigned
rop_entry_mask(const struct rop_entry *e)
{
   return e->quad->mask >> (4 * e->sample) & 15;
}

/* Returns the number, within the tile, of the first of a quad's four elements of a sample. */
static inline uint32_t
rop_quad_element(const struct sim_quad *q, uint32_t samples, uint32_t sample)
{
   return attila_sample_number(samples, sample,
                               attila_morton8((uint32_t)q->x & 7, (uint32_t)q->y & 7));
}

/* Returns the quad's elements in the part's line. */
static inline uint8_t *
rop_entry_data(const struct rop_unit *u, const struct rop_entry *e)
{
   const struct rop_surface *s = &u->cache.surface[u->cache.line[e->line].surface];
   return rop_cache_data(&u->cache, (unsigned)e->line) + e->element * s->element_bytes;
}

#endif
