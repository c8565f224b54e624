/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Boxes and the kernel that clocks them. A box reads its input signals, updates its own state and
 * writes its output signals; it shares no other mutable state. clock() returns when to run next; an
 * arriving object, a returned credit or its timer wakes a sleeping box, and time jumps while all
 * sleep. A clock without work must change nothing: statistics of waiting add the cycles since the
 * last clock (sim_waited). */
#ifndef SIM_BOX_H
#define SIM_BOX_H

#include <setjmp.h>
#include <stdio.h>
#include "core/sim_arena.h"
#include "core/sim_bits.h"
#include "core/sim_inline.h"
#include "core/sim_xalloc.h"
#include "core/sim_signal.h"
#include "core/sim_stats.h"

struct sim_activity_stats;
struct sim_warming;
struct sim_dvfs;
struct sim_probe;
struct sim_trace;
struct sim_gpu; /* the machine, passed to boxes and opaque to the kernel */

#define SIM_MAX_DVFS_DOMAINS 8 /* sim_dvfs.h */

enum sim_domain { SIM_DOMAIN_GPU, SIM_DOMAIN_SHADER, SIM_DOMAIN_MEMORY, SIM_NUM_DOMAINS };

/* A kind of box: one constant per box in box/. name, unit, doc and charges come from the unit's
 * sheet (units/). */
struct sim_box_class {
   const char *name; /* "ZStencilTest" */
   const char *unit; /* the papers' unit code: "ZST-SU#"; # becomes the instance number */
   const char *doc;  /* one sentence with its source */
   size_t size;      /* of the struct that begins with struct sim_box */
   enum sim_domain domain;
   /* Called once, before any clock; gpu->config and gpu->net are ready. */
   void (*init)(struct sim_box *b);
   /* Does one cycle's work at tick now; returns the tick of its next one: now + b->period while
    * busy, later for a timer, SIM_NEVER to wait for signals. */
   sim_tick (*clock)(struct sim_box *b, sim_tick now);
   /* Prints lines about queues and the oldest object, for the watchdog; may be NULL. */
   void (*dump)(const struct sim_box *b, FILE *f);
   void (*fini)(struct sim_box *b); /* may be NULL */
   /* Counts the waiting time since the last clock, sim_waited(b, next), as clock() would at tick
    * next, the box's next cycle. Changes nothing else. May be NULL. */
   void (*flush_counters)(struct sim_box *b, sim_tick next);
   /* Takes a command executed by functional mode (box/sim_warming.h); NULL: no effect here. */
   void (*warm)(struct sim_box *b, const struct sim_warming *event);
   /* Answers a probe (box/sim_probe.h); NULL: the box has nothing to answer. */
   void (*probe)(const struct sim_box *b, struct sim_probe *l);
   /* Statistics: a pointer at stats_offset to an array of structs of num_stats uint64_t, one per
    * work id (sim_stats.h), made by sim_box_create. */
   size_t stats_offset, stats_size;
   const struct sim_stat_desc *stats;
   unsigned num_stats;
   const char *charges; /* the row that is charged; NULL: SIM_CHARGES_DRAW */
};

#define SIM_MAX_INPUTS 384 /* the memory controller of the largest machine has 377 */

/* First member of every box; starts with what every clock needs. */
struct sim_box {
   sim_tick (*clock)(struct sim_box *b, sim_tick now); /* cls->clock */
   struct sim_gpu *gpu;
   sim_tick period;                      /* ticks per cycle of its clock domain */
   sim_tick last_clock;                  /* tick of the previous clock() call */
   sim_tick counted;                     /* waiting time before this tick is counted */
   uint64_t filled[SIM_MAX_INPUTS / 64]; /* bit per input with an object (sim_inputs_any) */
   /* The host's second cache line. */
   struct sim_kernel *kernel;
   struct sim_share *share; /* its thread clocks the box */
   const struct sim_box_class *cls;
   unsigned instance;
   unsigned index; /* index into kernel->boxes */
   unsigned dvfs_domain;
   unsigned num_in;
   /* States (sim_activity.h): of this cycle, of those until the next clock, and of those since
    * run_from, which are not counted yet. */
   uint32_t did, rest, activity, turn_to;
   sim_tick busy_until, turn; /* turn: when activity becomes turn_to; SIM_NEVER: it stays */
   sim_tick run_from;
   uint64_t run_flight;               /* cycles in flight before run_from */
   struct sim_activity_stats *cycles; /* [work_id] */
   struct sim_signal *in[SIM_MAX_INPUTS];
   char name[32];    /* unit with its instance number: "ZST-SU0" */
   uint64_t host_ns; /* host time spent, when profiling */
};

#define SIM_MAX_BOXES 512 /* the largest machine has 483 */

#define SIM_DUE_TICKS 64 /* of the wheel in sim_due.c */
#define SIM_DUE_AHEAD 63 /* future ticks in the wheel */

/* Boxes that one host thread clocks, and when they are due. A machine has one share or several
 * (sim_shares.h). */
struct sim_share {
   sim_tick wake[SIM_MAX_BOXES] __attribute__((aligned(64))); /* [sim_box.index]; SIM_NEVER for
                                                               * others' boxes */
   struct {
      uint64_t soon[SIM_MAX_BOXES / 64]; /* bit per box due in the next tick */
      uint64_t used;                     /* bit per tick of the wheel with boxes */
      uint64_t ahead;                    /* SIM_DUE_AHEAD; 0: boxes have several periods */
      sim_tick far;                      /* least due tick of boxes beyond the wheel */
      uint64_t boxes[SIM_DUE_TICKS][SIM_MAX_BOXES / 64]; /* maybe due: sim_due.c */
   } due;
   sim_tick now;  /* the tick clocked last */
   uint64_t step; /* number of the tick among those clocked by all threads */
   struct sim_kernel *kernel;
   unsigned index;            /* index into kernel->share */
   struct sim_outbox *outbox; /* to each share; NULL: there is only one */
   sim_tick told;             /* while threads clock: the earliest tick for which it wakes another
                               * share's box */
   jmp_buf jump;              /* while several threads clock boxes: errors jump there */
};

#define SIM_MAX_SHARES 16

struct sim_kernel {
   struct sim_box *boxes[SIM_MAX_BOXES];    /* in order of creation */
   struct sim_share first;                  /* the boxes that are in no other share */
   struct sim_share *share[SIM_MAX_SHARES]; /* including the first */
   unsigned num_shares;
   struct sim_threads *threads;  /* the shares' (sim_threads.h); NULL: none yet */
   bool parallel;                /* several threads clock boxes now */
   unsigned num_threads;         /* threads that may clock boxes when that pays; 0: as 1 */
   uint8_t group[SIM_MAX_BOXES]; /* a group's boxes are in one share; 0: in the first */
   uint8_t deal[SIM_MAX_BOXES];  /* the share, if there are several (sim_shares_weigh) */
   struct sim_pay *pay;          /* whether threads pay (sim_pay.h); NULL: unknown */
   /* Takes back an object freed by a box of another share than the first. */
   void (*reclaim)(struct sim_kernel *k, void *object);
   uint16_t order[SIM_MAX_BOXES];      /* box indices in clocking order */
   uint8_t domain[SIM_MAX_BOXES];      /* [sim_box.index] */
   uint8_t dvfs_domain[SIM_MAX_BOXES]; /* [sim_box.index]; 0 without DVFS domains */
   unsigned num_boxes;
   struct sim_arena arena; /* boxes, signals and what they own */
   /* The tick clocked last, on a cache line of its own: the first thread changes it each tick, the
    * others do not read it. */
   sim_tick now __attribute__((aligned(64)));
   struct {
      bool on, before;  /* before: value until the instant `changed` */
      bool later;       /* changes at the end of this tick */
      uint64_t changed; /* a sim_instant */
      uint64_t base;    /* with one clock and no DVFS domains, the cycles in flight up to a tick */
      uint64_t mask;    /* are base + (tick & mask) */
      sim_tick since[SIM_MAX_DVFS_DOMAINS];
      uint64_t cycles[SIM_MAX_DVFS_DOMAINS][SIM_NUM_DOMAINS]; /* cycles in flight until `since` */
   } flight __attribute__((aligned(64)));
   sim_tick period[SIM_NUM_DOMAINS]; /* ticks per cycle */
   sim_tick longest_period;
   bool one_domain; /* every period is 1 */
   bool plain;      /* one_domain, no DVFS domains, no listener to activity */
   bool avx2;       /* the host has AVX2 */
   double ns_per_tick;
   struct sim_dvfs *dvfs;     /* NULL: the machine has one time */
   unsigned num_dvfs_domains; /* 1 without DVFS domains */
   uint32_t num_work_ids;     /* of statistics; set before the first box is created */
   uint32_t used_work_ids;    /* ids from here on were never charged */
   /* 0: boxes are clocked in the order of creation; else in a permuted order. With num_threads,
    * several threads then always clock, boxes are dealt and threads delayed at random. */
   uint32_t order_seed;
   bool stopped;                     /* by a model error */
   const struct sim_box *background; /* a box whose timers alone do not keep the machine running */
   bool profile;                     /* measure host_ns */
   bool no_activity;                 /* activity is not counted */
   /* For tests. 1: clocks boxes in every cycle and does not reuse work ids within a frame; 2: also
    * flushes counters after every tick. Only host time changes. */
   unsigned thorough;
   /* Optional: checked after every tick; sim_kernel_run returns once it is true (an awaited
    * fence). */
   bool (*until)(const void *data);
   const void *until_data;
   /* Calls due once at the end of this tick (sim_kernel_after). */
   struct {
      void (*call)(void *data, sim_tick now);
      void *data;
   } after[8];
   unsigned num_after;
   struct {
      sim_tick next; /* the tick at whose end the next one is due; 0: none */
      struct {
         sim_tick at; /* 0: unset */
         void (*call)(void *data, sim_tick now);
         void *data;
      } timer[4];
   } timers;                /* sim_kernel_call_at */
   struct sim_trace *trace; /* the listener (sim_trace.h), set by sim_kernel_listen; NULL: none */
   /* Watchdog: stops after stall_ticks ticks with boxes clocked but no object moved; ticks in which
    * all sleep do not count. 0: off. */
   sim_tick stall_ticks, stall_check;
   uint64_t stall_moved;
   bool running; /* inside sim_kernel_run: errors jump out of the box */
   jmp_buf jump;
   unsigned error_box; /* the box whose error is kept; of several in a tick, the first */
   char error[512];
};

/* Sets clock domains (MHz) and clocking order, before any box is created. A zeroed kernel that was
 * not initialised has equal clocks. */
void sim_kernel_init(struct sim_kernel *k, uint32_t gpu_mhz, uint32_t shader_mhz,
                     uint32_t memory_mhz, uint32_t order_seed);
/* Recomputes `plain`; call it when a part of it changes. */
void sim_kernel_find_plain(struct sim_kernel *k);
/* Sets the listener; NULL removes it. */
void sim_kernel_listen(struct sim_kernel *k, struct sim_trace *trace);
/* Calls every box's cls->init in creation order; sim_netlist_build calls it once all signals
 * exist. */
void sim_kernel_start(struct sim_kernel *k);
/* Calls every box's cls->fini; frees boxes, input rings and the rest of the arena. */
void sim_kernel_fini(struct sim_kernel *k);
/* Writes the state of all boxes (cls->dump) and non-empty signals. */
void sim_kernel_dump(const struct sim_kernel *k, FILE *f);

/* Returns the box's statistics of a work id, in the order of its list. */
static inline uint64_t *
sim_stat(const struct sim_box *b, unsigned work_id)
{
   const uint8_t *stats = *(const uint8_t *const *)((uintptr_t)b + b->cls->stats_offset);
   return (uint64_t *)(uintptr_t)(stats + work_id * b->cls->stats_size);
}

/* Returns b's cycles since it was last clocked or counted, for statistics of waiting; 1 if clocked
 * every cycle. */
static inline uint64_t
sim_waited(const struct sim_box *b, sim_tick now)
{
   sim_tick ticks = now - b->counted;
   return __builtin_expect(b->period == 1, 1) ? ticks : ticks / b->period;
}

/* In core/sim_dvfs.c. */
sim_tick sim_dvfs_now(const struct sim_box *b);
sim_tick sim_dvfs_time(const struct sim_box *b, sim_tick tick);
sim_tick sim_dvfs_convert(const struct sim_box *from, const struct sim_box *to, sim_tick tick);
uint64_t sim_dvfs_instant(const struct sim_kernel *k);

/* Returns the last begun tick of the box's DVFS domain; without any, the machine's. */
static inline sim_tick
sim_box_now(const struct sim_box *b)
{
   return __builtin_expect(b->kernel->dvfs != NULL, 0) ? sim_dvfs_now(b) : b->share->now;
}

/* Converts a tick of the box's DVFS domain to the machine's, for reports. */
static inline sim_tick
sim_box_time(const struct sim_box *b, sim_tick tick)
{
   return __builtin_expect(b->kernel->dvfs != NULL, 0) ? sim_dvfs_time(b, tick) : tick;
}

/* Converts a tick in a message from one box's DVFS domain to another's. */
static inline sim_tick
sim_tick_for(const struct sim_box *to, const struct sim_box *from, sim_tick tick)
{
   return __builtin_expect(to->dvfs_domain != from->dvfs_domain, 0)
              ? sim_dvfs_convert(from, to, tick)
              : tick;
}

/* Numbers the instants in which a share's boxes are clocked. */
static inline uint64_t
sim_instant(const struct sim_share *h)
{
   return __builtin_expect(h->kernel->dvfs != NULL, 0) ? sim_dvfs_instant(h->kernel) : h->now;
}

/* Clocks the box at tick or earlier. */
void sim_box_wake(struct sim_box *b, sim_tick tick);

/* A set of inputs, to find with one test whether any holds an object, arrived or on the wire.
 * Zeroed: empty. */
struct sim_input_set {
   uint64_t bits[SIM_MAX_INPUTS / 64];
   bool more; /* uses more than the first word */
};

/* In cls->init, after all sim_box_number_input. Skips signals that do not lead to the box (in a
 * machine in parts), which never hold anything. */
static inline void
sim_input_set_add(struct sim_input_set *set, const struct sim_box *b, const struct sim_signal *s)
{
   if (s->receiver != b)
      return;
   set->bits[s->filled - b->filled] |= s->bit;
   set->more |= s->filled != b->filled;
}

static inline bool
sim_inputs_any(const struct sim_box *b, const struct sim_input_set *set)
{
   uint64_t any = b->filled[0] & set->bits[0];
   for (unsigned i = 1; __builtin_expect(set->more, 0) && i < SIM_MAX_INPUTS / 64; i++)
      any |= b->filled[i] & set->bits[i];
   return any != 0;
}

/* Up to 64 neighbouring inputs from number first on: a bit for each that holds an object, arrived
 * or on the wire. */
struct sim_input_range {
   unsigned word, shift, high; /* high: first bit that lies in the next word; 0: none */
   uint64_t mask;
};

static inline void
sim_input_range_init(struct sim_input_range *r, unsigned first, unsigned count)
{
   *r = (struct sim_input_range){.word = first / 64,
                                 .shift = first % 64,
                                 .high = first % 64 + count > 64 ? 64 - first % 64 : 0,
                                 .mask = count < 64 ? (1ull << count) - 1 : UINT64_MAX};
}

static inline uint64_t
sim_range_inputs(const struct sim_box *b, const struct sim_input_range *r)
{
   uint64_t bits = b->filled[r->word] >> r->shift;
   if (__builtin_expect(r->high, 0))
      bits |= b->filled[r->word + 1] << r->high;
   return bits & r->mask;
}

/* Creates a box and adds it to the kernel; instance < 0 for single boxes. */
struct sim_box *sim_box_create(struct sim_kernel *k, struct sim_gpu *gpu,
                               const struct sim_box_class *cls, int instance);

/* Allocates a box's memory in cls->init: zeroed, aligned to 64 bytes, freed with the machine. */
static inline void *
sim_box_alloc(struct sim_box *b, size_t size)
{
   return sim_arena_alloc(&b->kernel->arena, size);
}

/* Connects two boxes. capacity >= 1; latency in cycles of the sender. */
void sim_signal_init(struct sim_signal *s, const char *name, struct sim_box *sender,
                     struct sim_box *receiver, uint32_t payload, uint32_t bandwidth,
                     uint32_t latency, uint32_t capacity);

/* In cls->init: makes the signal, an input, the box's input number n. */
void sim_box_number_input(struct sim_box *b, const struct sim_signal *s, unsigned n);

/* Calls call(data, now) once, when the tick is over (whether or not a box was clocked in it) and
 * before anything later. Another call for the same data replaces this one. The callee may read all
 * and change nothing that boxes see. */
void sim_kernel_call_at(struct sim_kernel *k, sim_tick tick, void (*call)(void *data, sim_tick now),
                        void *data);
/* Calls call(data, now) when every box has been clocked in this tick: for reports, since other
 * boxes' statistics within a tick depend on the clocking order. */
void sim_kernel_after(struct sim_kernel *k, void (*call)(void *data, sim_tick now), void *data);

/* Clocks boxes until all sleep without a timer, *stop is true, or an error (returns false). Time
 * jumps over ticks without work. */
bool sim_kernel_run(struct sim_kernel *k, const bool *stop);

/* Stops the simulation with a message that names box and cycle. In sim_kernel_run it ends the run
 * instead of returning to the box, whose state may be invalid; the application goes on. The first
 * error is kept. */
void sim_error(struct sim_box *b, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

#include "core/sim_activity.h"

#endif
