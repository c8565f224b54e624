/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Trace points: events between and in boxes go to one listener, if any. Otherwise they cost
 * nothing: a traced signal has a bit in its object size, which sending reads anyway; other points
 * test a pointer. A listener may read everything and change nothing that boxes see. Not here:
 * listeners (src/sim/trace). */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "core/sim_box.h"

enum sim_trace_kind {
   SIM_TRACE_SEND,    /* what: the signal; object: its place, complete at the tick's end */
   SIM_TRACE_POP,     /* the same; the object remains until the tick's end */
   SIM_TRACE_FREE,    /* what: NULL; object: a quad that ended */
   SIM_TRACE_DEAD,    /* what: a draw; number: its primitive that ended */
   SIM_TRACE_ASK,     /* what: a quad, vertex or draw, or a buffer that requested something; object:
                       * buffer of a memory request to be sent for it */
   SIM_TRACE_FETCH,   /* what: the buffer of a request; object: the L2's slice that will ask memory
                       * for it; number: of the slice's transfer */
   SIM_TRACE_LOOK_UP, /* what: a box; object: its cache; number: a line, unique in the cache; ready:
                       * how many accesses got the line, in this order; 0: a command, or a lack of
                       * data, has made it invalid */
};

struct sim_trace_event {
   const void *what, *object;
   sim_tick ready; /* SEND: when it arrives; LOOK_UP: how many */
   uint32_t number;
   enum sim_trace_kind kind;
};

/* What a bank of a memory channel does, in ticks of memory clock cycles. */
enum sim_trace_command {
   SIM_TRACE_ACTIVATE,
   SIM_TRACE_PRECHARGE,
   SIM_TRACE_READ,
   SIM_TRACE_WRITE,
   SIM_TRACE_REFRESH,
};

struct sim_trace_bank {
   const struct sim_box *channel;
   enum sim_trace_command command;
   unsigned bank;
   uint32_t row;      /* ACTIVATE */
   sim_tick from, to; /* of the command; several bursts, or the time of a row, end at `to` */
   uint16_t work_id;
   uint32_t count, entry; /* READ, WRITE: commands; the transaction's number (msg_transaction) */
};

struct sim_trace {
   struct sim_trace_event *events; /* of this tick, in order */
   uint32_t num, size;
   void *data;                             /* for the functions */
   void (*tick)(void *data, sim_tick now); /* called at the end of a tick with events */
   /* Called for a box's state (sim_activity.h) from a tick on until before another. NULL: activity
    * is not traced, and boxes count cycles as without a listener. */
   void (*activity)(void *data, const struct sim_box *b, uint32_t state, sim_tick from,
                    sim_tick to);
   void (*bank)(void *data, const struct sim_trace_bank *bank);
};

/* Adds an event; in sim_signal.c. */
void sim_trace_add(struct sim_kernel *k, const struct sim_trace_event *event) __attribute__((cold));

/* Traces a memory request that reads into a buffer, or writes from it. */
static inline void
sim_trace_ask(struct sim_kernel *k, const void *who, const void *buffer)
{
   if (__builtin_expect(k->trace != NULL, 0))
      sim_trace_add(
          k, &(struct sim_trace_event){.kind = SIM_TRACE_ASK, .what = who, .object = buffer});
}

/* Traces that a slice of the L2 will ask memory for what a request reads or writes. */
static inline void
sim_trace_fetch(const struct sim_box *slice, const void *buffer, uint32_t transfer)
{
   if (__builtin_expect(slice->kernel->trace != NULL, 0))
      sim_trace_add(slice->kernel, &(struct sim_trace_event){.kind = SIM_TRACE_FETCH,
                                                             .what = buffer,
                                                             .object = slice,
                                                             .number = transfer});
}

/* Traces that a cache gives a line, found or requested now, to this many accesses; 0: the line is
 * invalid. */
static inline void
sim_trace_look_up(struct sim_box *b, const void *cache, uint32_t line, uint32_t accesses)
{
   if (__builtin_expect(b->kernel->trace != NULL, 0))
      sim_trace_add(b->kernel, &(struct sim_trace_event){.kind = SIM_TRACE_LOOK_UP,
                                                         .what = b,
                                                         .object = cache,
                                                         .number = line,
                                                         .ready = accesses});
}

static inline void
sim_trace_signal(struct sim_signal *s, bool on)
{
   sim_signal_set_bits(s, SIM_TRACED, on);
}

#endif
