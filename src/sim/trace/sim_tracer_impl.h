/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the trace share: the window and the signals that are listened to
 * (sim_tracer.c), objects on their way (sim_trace_objects.c), memory (sim_trace_memory.c), and the
 * file. */
#ifndef SIM_TRACER_IMPL_H
#define SIM_TRACER_IMPL_H

#include <stdio.h>
#include "core/sim_file.h"
#include "core/sim_trace.h"
#include "trace/sim_tracer.h"

enum sim_trace_what {
#define W(bit, name, on, doc) SIM_TRACE_BIT_##bit,
   SIM_TRACE_WHAT(W)
#undef W
       SIM_TRACE_NUM_WHAT
};
#define WANTS(t, bit) ((t)->what >> SIM_TRACE_BIT_##bit & 1)

/* How the trace follows the messages of a signal (sim_tracer.c says which signals those are). */
enum sim_trace_port {
   PORT_OTHER,       /* not followed */
   PORT_DRAW,        /* msg_draw: a draw begins */
   PORT_DRAW_DONE,   /* msg_done of a ROP */
   PORT_NEW_PRIM,    /* msg_prim, from the box that makes it */
   PORT_PRIM,        /* msg_prim, from a box that passes it on */
   PORT_NEW_SETUP,   /* msg_setup, from the box that makes it */
   PORT_SETUP,       /* msg_setup that is passed on */
   PORT_TILE,        /* msg_tile */
   PORT_NEW_QUAD,    /* msg_quad, from the box that makes it */
   PORT_QUAD,        /* msg_quad that is passed on */
   PORT_NEW_VERTEX,  /* msg_lookup that begins a vertex */
   PORT_VERTEX,      /* msg_vertex */
   PORT_COMMITTED,   /* msg_vertex that goes into primitives */
   PORT_GROUP,       /* msg_group to a shader: a group begins */
   PORT_GROUP_BACK,  /* msg_group from a shader */
   PORT_REQUEST,     /* msg_mem_request */
   PORT_RESPONSE,    /* msg_mem_response */
   PORT_CHANNEL,     /* msg_channel to a scheduler */
   PORT_SERVED,      /* msg_channel from a scheduler */
   PORT_TRANSACTION, /* msg_transaction */
   PORT_DONE,        /* msg_transaction_done */
};

/* --- sim_trace_perfetto.c: packets. Times are ticks. --- */

struct trace_out {
   struct sim_file *file;
   uint8_t *data; /* whole packets, and the unfinished one */
   size_t size, capacity;
   uint64_t written, limit; /* bytes */
   bool full, failed; /* the limit is reached; writing has failed, and a message was printed */
};

bool trace_out_open(struct trace_out *o, const char *path, uint64_t limit, char *error,
                    size_t error_size);
/* Writes the whole packets if they are many, or all of them. Call it between packets. */
void trace_out_flush(struct trace_out *o, bool all);
bool trace_out_close(struct trace_out *o);
/* Returns TRACE_ROOM free bytes; the caller adds to size what it wrote. */
static inline uint8_t *
trace_out_room(struct trace_out *o)
{
   return o->data + o->size;
}
#define TRACE_ROOM 4096 /* bytes that are always free */

struct trace_arg {
   const char *name;
   int64_t value;
   const char *text; /* not NULL: shown instead of the value */
};

struct trace_event {
   const char *category, *name;
   const struct trace_arg *args;
   unsigned num_args, num_flows;
   const uint64_t *flows;
};

struct trace_perfetto {
   struct trace_out *out;
   uint64_t next_track, next_flow;
   uint64_t ticks_per_us; /* ticks in a microsecond */
   bool begun;
};

void trace_perfetto_begin(struct trace_perfetto *p, const char *name);
/* Describes a track. unit: the unit of a counter; NULL: a track of slices. rank: place among the
 * tracks of its parent. */
uint64_t trace_perfetto_track(struct trace_perfetto *p, uint64_t parent, const char *name, int rank,
                              const char *unit);
void trace_perfetto_slice(struct trace_perfetto *p, uint64_t track, sim_tick from, sim_tick to,
                          const struct trace_event *e);
void trace_perfetto_open(struct trace_perfetto *p, uint64_t track, sim_tick at,
                         const struct trace_event *e);
void trace_perfetto_close(struct trace_perfetto *p, uint64_t track, sim_tick at);
void trace_perfetto_instant(struct trace_perfetto *p, uint64_t track, sim_tick at,
                            const struct trace_event *e);
void trace_perfetto_value(struct trace_perfetto *p, uint64_t track, sim_tick at, int64_t value);

/* Tracks of the same name on which slices do not overlap. */
struct trace_lanes {
   uint64_t parent;
   const char *name;
   int rank;
   uint64_t *track; /* [lane] */
   uint64_t *used;  /* a bit for each */
   unsigned num, size;
};
unsigned trace_lanes_take(struct trace_perfetto *p, struct trace_lanes *l);
static inline void
trace_lanes_give(struct trace_lanes *l, unsigned lane)
{
   l->used[lane / 64] &= ~(1ull << lane % 64);
}

/* --- sim_trace_objects.c, sim_trace_memory.c --- */

struct sim_tracer;

/* A unit's tracks. */
enum trace_kind {
   TRACE_VERTEX,
   TRACE_TRIANGLE,
   TRACE_QUAD,
   TRACE_GROUP,
   TRACE_MISS,
   TRACE_REQUEST,
   TRACE_TRANSACTION,
   TRACE_NUM_KINDS
};

struct trace_bank {
   uint64_t track;
   uint32_t row;
   bool open;           /* its slice has begun and not ended */
   sim_tick access_end; /* end of the present read or write; 0: none */
   sim_tick last;       /* end of the last written slice */
};

/* The owner of a work id at some time, as in the record. */
struct trace_owner {
   uint64_t serial; /* number of the command; 0: there is none, or it is of an earlier frame */
   uint32_t draw;
   uint32_t kind; /* enum sim_work_kind */
};

struct trace_unit {
   uint64_t track; /* 0: not described yet */
   struct trace_lanes lanes[TRACE_NUM_KINDS];
   uint64_t births;          /* track of the objects that it makes; 0: not described yet */
   uint32_t state;           /* activity of the unit from `from` to `to` */
   struct trace_owner owner; /* owner of the work id of that activity */
   sim_tick from, to;
   struct trace_bank *banks;               /* of a channel */
   struct trace_object *oldest, *youngest; /* its triangles, in order of arrival */
};

/* Something that has an identity while it is in the machine. */
struct trace_object {
   struct trace_object *next; /* in the bucket or the list of free objects */
   const void *key;
   uint64_t serial;  /* order of arrival */
   uint32_t number;  /* of a triangle; address of a request */
   uint32_t address; /* of a transaction or miss */
   uint32_t draw;
   uint64_t flow;                /* 0: older than the window */
   uint64_t cause;               /* a miss: the requester's flow; 0: unknown */
   const struct sim_draw *asker; /* of a miss: the draw whose indices were missing */
   uint8_t kind;
   bool write;    /* a request */
   bool followed; /* a request: its flow has gone through another slice */
   uint16_t unit; /* index of the box it is in; TRACE_NOWHERE */
   uint16_t work_id;
   uint16_t prims; /* of a triangle: its pieces that are not culled */
   uint32_t lane;
   int32_t x,
       y; /* of a quad: place; of a group: items, kind; of a vertex: index; of memory: bytes */
   sim_tick since, popped, last;
   const char *client; /* of a request: the box's name; NULL: none */
   struct trace_object
       *younger; /* triangles of a box, in order; a request: next one in its buffer */
};
#define TRACE_NOWHERE UINT16_MAX
#define TRACE_BUCKETS (1u << 16)
#define TRACE_BUFFERS (1u << 12)

struct trace_draw {
   const struct sim_draw *draw; /* NULL: free */
   unsigned lane, done;
};

struct trace_objects {
   struct trace_object **bucket;
   struct trace_object *free;
   uint64_t num_ever; /* objects made so far */
   void **chunk;      /* [num_chunks]: memory of the objects */
   unsigned num_chunks;
   struct trace_draw draws[SIM_MAX_DRAWS + 1];
   struct trace_lanes draw_lanes;
   uint64_t pass_track[8]; /* by sim_seen_pass.open; 0: not described yet */
   struct trace_object *
       *buffer; /* [TRACE_BUFFERS]: requests by address of their data on the host */
};

void trace_objects_send(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                        sim_tick now);
void trace_objects_pop(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                       sim_tick now);
void trace_objects_free(struct sim_tracer *t, const void *quad, sim_tick now);
/* Adds an instant to the slice of a draw; a flow begins there. */
void trace_objects_of_draw(struct sim_tracer *t, const struct sim_draw *draw, const char *name,
                           uint64_t flow, sim_tick now);
/* Ends a pass of a tile-based machine, and its draws. */
void trace_objects_end_pass(struct sim_tracer *t, const struct sim_seen_pass *pass, sim_tick now);
void trace_objects_dead(struct sim_tracer *t, const void *draw, uint32_t number, sim_tick now);
void trace_objects_end(struct sim_tracer *t, sim_tick now);
void trace_objects_destroy(struct sim_tracer *t);
struct trace_object *trace_object_find(struct sim_tracer *t, unsigned kind, const void *key,
                                       uint32_t number);
struct trace_object *trace_object_add(struct sim_tracer *t, unsigned kind, const void *key,
                                      uint32_t number);
void trace_object_remove(struct sim_tracer *t, struct trace_object *o);
/* Moves an object: it leaves its box at a tick and enters another one (TRACE_NOWHERE: none). */
void trace_object_move(struct sim_tracer *t, struct trace_object *o, sim_tick leaves, unsigned unit,
                       sim_tick comes);

void trace_memory_send(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                       sim_tick now);
void trace_memory_bank(struct sim_tracer *t, const struct sim_trace_bank *bank);
void trace_memory_ask(struct sim_tracer *t, const void *who, const void *buffer);
void trace_memory_fetch(struct sim_tracer *t, const struct sim_box *slice, uint32_t transfer,
                        const void *buffer);
/* Call it before the objects end. */
void trace_memory_end(struct sim_tracer *t, sim_tick now);

/* --- sim_tracer.c --- */

struct sim_tracer {
   struct sim_observer observer; /* the first member */
   struct sim_gpu *gpu;
   struct sim_trace listener;
   struct trace_out out;
   struct trace_perfetto perfetto;
   struct trace_objects objects;
   struct trace_unit units[SIM_MAX_BOXES];
   uint32_t what;    /* a bit for each */
   uint8_t *port;    /* [signal of the netlist] enum sim_trace_port */
   uint64_t *queue;  /* [signal of the netlist]: track of its counter; 0: none yet */
   uint32_t *filled; /* [signal of the netlist]: the last value of the counter */
   bool running, over, told;
   sim_tick start, next_flush;
   struct {
      sim_tick first, last; /* ticks; the user gave cycles */
      uint32_t first_frame, last_frame, first_draw, last_draw;
      bool cycles, frames, draws;
      unsigned rops_done; /* ROPs that have ended the last draw */
   } window;
};

static inline const struct sim_signal *
trace_signals(const struct sim_tracer *t)
{
   return (const struct sim_signal *)&t->gpu->net;
}
#define TRACE_NUM_SIGNALS (sizeof(struct sim_netlist) / sizeof(struct sim_signal))

/* Returns the unit's track; the first call describes it. */
uint64_t trace_unit_track(struct sim_tracer *t, const struct sim_box *b);
struct trace_lanes *trace_unit_lanes(struct sim_tracer *t, const struct sim_box *b, unsigned kind);
/* Returns the present owner of a work id. */
struct trace_owner trace_owner_of(const struct sim_tracer *t, unsigned work_id);
/* Writes a name such as "draw 5" or "clear". size: at least 32. */
void trace_owner_name(const struct trace_owner *o, char *name, size_t size);

#endif
