/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The frame of the two boxes of a ROP, Z and stencil test and colour write: quads arrive, each of
 * their samples reserves its cache line in every buffer it needs, and waits in a queue, in order,
 * until the line's data is there; then the box works on it. Quads come early or late in the
 * pipeline; the command processor never mixes both kinds. Not here: what is done with a sample
 * (zst.c, cw.c), the cache (rop_cache.c) and the command processor's commands (rop_command.c).
 */
#ifndef BOX_ROP_UNIT_H
#define BOX_ROP_UNIT_H

#include "box/rop/rop_cache.h"

/* The part of a quad that one line is needed for: a sample, of one buffer. */
struct rop_entry {
   struct sim_quad *quad; /* NULL: the draw's end */
   struct sim_draw *draw;
   int32_t line; /* -1: needs none */
   uint16_t slot;
   uint8_t sample, buffer;
   bool last; /* of its quad */
};

struct rop_unit;

/* What a box does in its own way. */
struct rop_unit_class {
   /* Looks at a new draw: sets buffers, binds them (rop_unit_bind), sets look; false: a buffer
    * needs a flush first. */
   bool (*start_draw)(struct rop_unit *u, const struct sim_draw *draw);
   /* Looks at an arrived quad before its lines are reserved, when look is set; again if none could
    * be. May change the quad's mask. */
   void (*look_at)(struct rop_unit *u, const struct msg_quad *m);
   /* Works on the oldest entry of the queue, whose line is ready; false: cannot now, and has said
    * what it waits for. first: of the cycle. */
   bool (*execute)(struct rop_unit *u, sim_tick now, const struct rop_entry *op, bool first);
   /* Numbers in the box's list of statistics: live samples and quads received. */
   uint32_t stat_input, stat_quads;
};

/* First member of the box. */
struct rop_unit {
   struct sim_box box;
   const struct rop_unit_class *cls;
   struct rop_cache cache;
   struct sim_signal *early_in, *late_in;
   uint32_t quads_cycle;
   /* The queue. */
   struct rop_entry *op;
   uint32_t op_head, op_tail, op_mask, op_capacity;
   sim_tick
       busy; /* until when what left the queue is worked on, where a draw's end waits for that */
   /* The draw whose quads arrive. NULL: look again. */
   struct sim_draw *draw;
   uint32_t buffers; /* bit: a sample needs a line of this buffer */
   int surface[ATTILA_MAX_COLOR_BUFFERS];
   bool look;
   uint32_t next_buffer, next_sample; /* of the oldest arrived quad: what has no line yet */
};

/* For the initialiser of a struct rop_cache: what a section of the configuration that follows
 * SIM_PARAMS_ROP says. */
#define ROP_CACHE_PARAMS(section, period)                                          \
   .ways = (section)->cache_ways, .sets = (section)->cache_sets,                   \
   .max_misses = (section)->cache_requests, .num_states = (section)->block_states, \
   .blocks_cleared = (section)->blocks_cleared,                                    \
   .compress_latency = (section)->compress_latency * (period),                     \
   .decompress_latency = (section)->decompress_latency * (period),                 \
   .no_compression = (section)->no_compression

/* The signals and the cache's sizes and functions must be set before. Allocates. */
void rop_unit_init(struct rop_unit *u, const struct rop_unit_class *cls, uint32_t quads_cycle,
                   uint32_t fetch_queue);

/* Members of struct sim_box_class. */
sim_tick rop_unit_clock(struct sim_box *b, sim_tick now);
void rop_unit_dump(const struct sim_box *b, FILE *f);
void rop_unit_fini(struct sim_box *b);

/* Makes a surface of the framebuffer's size buffer n of the draw; false: a flush is needed first,
 * and asked for. */
bool rop_unit_bind(struct rop_unit *u, unsigned n, const struct attila_regs *regs, uint32_t address,
                   uint32_t format, uint32_t pitch_tiles);

static inline bool
rop_unit_empty(const struct rop_unit *u)
{
   return u->op_head == u->op_tail;
}

/* Live samples of the entry's quad that the entry is for: bits 0 to 3. */
static inline unsigned
rop_entry_mask(const struct rop_entry *op)
{
   return op->quad->mask >> (4 * op->sample) & 15;
}

/* Where the quad's elements are in their tile's sample plane. */
static inline uint32_t
rop_quad_offset(const struct rop_surface *s, const struct sim_quad *q)
{
   return attila_morton8((uint32_t)q->x & 7, (uint32_t)q->y & 7) * s->element_bytes;
}

/* The elements of the entry's quad in its line. */
static inline uint8_t *
rop_entry_data(const struct rop_unit *u, const struct rop_entry *op)
{
   const struct rop_surface *s = &u->cache.surface[u->cache.line[op->line].surface];
   return rop_cache_data(&u->cache, (unsigned)op->line) +
          rop_quad_offset(s, op->quad) % ROP_LINE_BYTES;
}

#endif
