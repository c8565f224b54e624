/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Where a trace listens: what happens between and in boxes is told to one listener, if there is
 * one. It costs nothing else: a signal that is listened to has a bit in its size of objects that
 * sending looks at anyway, the others are a test of a pointer. A listener looks at everything and
 * changes nothing that boxes see. Not here: who listens (src/sim/trace).
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "core/sim_box.h"

enum sim_trace_kind {
   SIM_TRACE_SEND,    /* what: the signal; object: where it is, complete at the end of the tick */
   SIM_TRACE_POP,     /* the same; the object is still there at the end of the tick */
   SIM_TRACE_FREE,    /* what: NULL; object: a quad that is no more */
   SIM_TRACE_DEAD,    /* what: a draw; number: a primitive of it that is no more */
   SIM_TRACE_ASK,     /* what: a quad, vertex or draw, or a buffer for which something was asked;
                         object: the buffer of a request to memory that will be sent for it */
   SIM_TRACE_LOOK_UP, /* what: a box; object: its cache; number: a line, by a number that no other
                         of the cache has; ready: accesses that were given it, in this order; 0: it
                         is no longer valid, for a command says so or it lacks what is asked of it
                       */
};

struct sim_trace_event {
   const void *what, *object;
   sim_tick ready; /* SEND: when it arrives; LOOK_UP: how many */
   uint32_t number;
   enum sim_trace_kind kind;
};

/* What a bank of a memory channel does. Ticks are those of the memory's clock cycles. */
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
   sim_tick from, to; /* the command's and, of several bursts or a row's time, its end */
   uint16_t work_id;
   uint32_t count;   /* READ, WRITE: commands */
   const void *data; /* READ, WRITE: of the transaction */
};

struct sim_trace {
   struct sim_trace_event *events; /* of the present tick, in the order in which they happened */
   uint32_t num, size;
   void *data;                             /* for the functions */
   void (*tick)(void *data, sim_tick now); /* at the end of a tick that has events */
   /* A box was in a state (sim_activity.h) from a tick on until before another one. NULL: nobody
    * wants to know, and boxes count their cycles as if nobody listened. */
   void (*activity)(void *data, const struct sim_box *b, uint32_t state, sim_tick from,
                    sim_tick to);
   void (*bank)(void *data, const struct sim_trace_bank *bank);
};

/* Adds an event; in sim_signal.c. */
void sim_trace_add(struct sim_kernel *k, const struct sim_trace_event *event) __attribute__((cold));

/* Somebody asks memory for what belongs into a buffer, or to take what is in it. */
static inline void
sim_trace_ask(struct sim_kernel *k, const void *who, const void *buffer)
{
   if (__builtin_expect(k->trace != NULL, 0))
      sim_trace_add(
          k, &(struct sim_trace_event){.kind = SIM_TRACE_ASK, .what = who, .object = buffer});
}

/* A cache of the box gives a line to so many accesses, whether it had it or asks for it now; to
 * none: it is no longer valid. */
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
