/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Boxes and the kernel that clocks them. A box reads its input signals, updates its own state,
 * writes its output signals; it shares nothing else that can change. clock() returns when it wants
 * to run next; a sleeping box is woken by an arriving object, a returned credit or its own timer,
 * and when every box sleeps, time jumps. Being clocked without work must change nothing: statistics
 * that count waiting cycles add the cycles since the last clock (sim_waited).
 */
#ifndef SIM_BOX_H
#define SIM_BOX_H

#include <setjmp.h>
#include <stdio.h>
#include "core/sim_arena.h"
#include "core/sim_bits.h"
#include "core/sim_xalloc.h"
#include "core/sim_signal.h"
#include "core/sim_stats.h"

struct sim_activity_stats;
struct sim_warming;
struct sim_dvfs;
struct sim_probe;
struct sim_trace;
struct sim_gpu; /* the machine; the kernel hands it to the boxes and never looks inside */

#define SIM_MAX_DVFS_DOMAINS 8 /* sim_dvfs.h */

enum sim_domain { SIM_DOMAIN_GPU, SIM_DOMAIN_SHADER, SIM_DOMAIN_MEMORY, SIM_NUM_DOMAINS };

/* What a kind of box is; one constant per box in box/; name, unit, doc and
 * charges are in the sheet of the unit (units/). */
struct sim_box_class {
   const char *name; /* "ZStencilTest" */
   const char *unit; /* the papers' unit code: "ZST-SU#"; # becomes the instance number, absent for
                        single boxes */
   const char *doc;  /* one sentence with its source */
   size_t size;      /* of the struct that begins with struct sim_box */
   enum sim_domain domain;
   /* Called once, before any clock; gpu->config and gpu->net are ready. */
   void (*init)(struct sim_box *b);
   /* Does one cycle's work at tick now; returns the tick of the next one it knows of: now +
    * b->period while busy, a later tick for a timer, SIM_NEVER to wait for signals. */
   sim_tick (*clock)(struct sim_box *b, sim_tick now);
   /* One or more lines about queues and the oldest object, for the watchdog; may be NULL. */
   void (*dump)(const struct sim_box *b, FILE *f);
   void (*fini)(struct sim_box *b); /* may be NULL */
   /* Counts waiting time that passed since the last clock, as clock() at tick next, the next cycle
    * of the box, would; changes nothing else. sim_waited(b, next) is what to count. May be NULL. */
   void (*flush_counters)(struct sim_box *b, sim_tick next);
   /* A command that functional mode executes (box/sim_warming.h); NULL: it leaves no trace here. */
   void (*warm)(struct sim_box *b, const struct sim_warming *event);
   /* Says what somebody from outside wants to know (box/sim_probe.h); NULL: it has nothing. */
   void (*probe)(const struct sim_box *b, struct sim_probe *l);
   /* Statistics: at stats_offset the pointer to an array of structs of num_stats uint64_t, one per
    * work id (sim_stats.h). sim_box_create makes the array. */
   size_t stats_offset, stats_size;
   const struct sim_stat_desc *stats;
   unsigned num_stats;
   const char *charges; /* whose row gets what it counts; NULL: SIM_CHARGES_DRAW */
};

#define SIM_MAX_INPUTS 192 /* the memory controller of the largest machine has 149 */

/* First member of every box; what every clock needs comes first. */
struct sim_box {
   sim_tick (*clock)(struct sim_box *b, sim_tick now); /* cls->clock */
   struct sim_gpu *gpu;
   sim_tick period;                      /* ticks per cycle of its clock domain */
   sim_tick last_clock;                  /* tick of the previous clock() call */
   sim_tick counted;                     /* waiting time before this tick has been counted */
   uint64_t filled[SIM_MAX_INPUTS / 64]; /* bit per input that holds something (sim_inputs_any) */
   /* The second line of the host's cache. */
   struct sim_kernel *kernel;
   struct sim_share *share; /* whose thread clocks it */
   const struct sim_box_class *cls;
   unsigned instance;
   unsigned index; /* in kernel->boxes */
   unsigned dvfs_domain;
   unsigned num_in;
   /* sim_activity.h: what the present cycle is, those until the next clock, and those since
    * run_from, which are not counted yet. */
   uint32_t did, rest, activity, turn_to;
   sim_tick busy_until, turn; /* turn: from this tick on activity is turn_to; SIM_NEVER: it stays */
   sim_tick run_from;
   uint64_t run_flight;               /* cycles in flight before run_from */
   struct sim_activity_stats *cycles; /* [work_id] */
   struct sim_signal *in[SIM_MAX_INPUTS];
   char name[32];    /* unit with its instance number: "ZST-SU0" */
   uint64_t host_ns; /* host time spent, when profiling */
};

#define SIM_MAX_BOXES 256

#define SIM_DUE_TICKS 64 /* of the wheel of sim_due.c */
#define SIM_DUE_AHEAD 63 /* ticks after the present one that it has */

/* Boxes that one thread of the host clocks, and when they are due. A machine has one share, or
 * several (sim_shares.h). */
struct sim_share {
   sim_tick wake[SIM_MAX_BOXES] __attribute__((aligned(64))); /* by sim_box.index; others: NEVER */
   struct {
      uint64_t soon[SIM_MAX_BOXES / 64]; /* a bit for each box that is due in the next tick */
      uint64_t used;                     /* a bit for each tick of the wheel that has boxes */
      uint64_t ahead;                    /* SIM_DUE_AHEAD; 0: boxes have several periods */
      sim_tick far;                      /* no box that is due past the wheel is due before */
      uint64_t boxes[SIM_DUE_TICKS][SIM_MAX_BOXES / 64]; /* that may be due: sim_due.c */
   } due;
   sim_tick now;  /* the tick clocked last */
   uint64_t step; /* number of the tick, of those that threads clock together */
   struct sim_kernel *kernel;
   unsigned index;            /* in kernel->share */
   struct sim_outbox *outbox; /* to each share; NULL: there is only one */
   sim_tick told;             /* while threads clock: the earliest that it wakes another's box */
   jmp_buf jump;              /* while boxes are clocked by several threads: errors jump there */
};

#define SIM_MAX_SHARES 16

struct sim_kernel {
   struct sim_box *boxes[SIM_MAX_BOXES];    /* in the order in which they were created */
   struct sim_share first;                  /* boxes that no other share has */
   struct sim_share *share[SIM_MAX_SHARES]; /* the first one too */
   unsigned num_shares;
   struct sim_threads *threads;  /* of the shares (sim_threads.h); NULL: none yet */
   bool parallel;                /* several threads clock boxes now */
   unsigned num_threads;         /* that may clock boxes, when it pays; 0: as 1 */
   uint8_t group[SIM_MAX_BOXES]; /* boxes of a group are in one share; 0: in the first */
   uint8_t deal[SIM_MAX_BOXES];  /* the share, when there are several (sim_shares_weigh) */
   struct sim_pay *pay;          /* when threads pay (sim_pay.h); NULL: not asked yet */
   /* Takes back an object that a box of another share than the first was done with. */
   void (*reclaim)(struct sim_kernel *k, void *object);
   uint16_t order[SIM_MAX_BOXES];      /* indices in the order in which boxes are clocked */
   uint8_t domain[SIM_MAX_BOXES];      /* by sim_box.index */
   uint8_t dvfs_domain[SIM_MAX_BOXES]; /* by sim_box.index; 0 in a machine without DVFS domains */
   unsigned num_boxes;
   struct sim_arena arena; /* boxes, signals and what they own */
   /* The tick clocked last. Its line of the host's caches is its own: the first thread changes it
    * in each tick, the others do not look at it. */
   sim_tick now __attribute__((aligned(64)));
   struct {
      bool on, before;  /* before: until the change in instant changed */
      bool later;       /* changes at the end of this tick */
      uint64_t changed; /* sim_instant */
      uint64_t base;    /* one domain, no DVFS domains: cycles in flight until a tick are */
      uint64_t mask;    /* base + (tick & mask) */
      sim_tick since[SIM_MAX_DVFS_DOMAINS];
      uint64_t cycles[SIM_MAX_DVFS_DOMAINS][SIM_NUM_DOMAINS]; /* in flight until since */
   } flight __attribute__((aligned(64)));
   sim_tick period[SIM_NUM_DOMAINS]; /* ticks per cycle */
   sim_tick longest_period;
   bool one_domain; /* every period is 1 */
   bool plain;      /* and there are no DVFS domains, and nobody listens to what boxes do with their
                       cycles (sim_kernel_find_plain) */
   bool avx2;       /* the host has it */
   double ns_per_tick;
   struct sim_dvfs *dvfs;     /* NULL: there is one time, the machine's */
   unsigned num_dvfs_domains; /* 1 without */
   uint32_t num_work_ids;     /* of statistics; set before the first box is created */
   uint32_t used_work_ids;    /* those from here on have never been charged */
   /* 0: clock in creation order; else in a permuted one, or with num_threads whether that pays or
    * not, dealt and delayed at random. */
   uint32_t order_seed;
   bool stopped;                     /* by an error of the model */
   const struct sim_box *background; /* a box whose timers alone do not keep the machine running */
   bool profile;                     /* measure host_ns */
   bool no_activity;                 /* nobody wants to know what boxes do with their cycles */
   /* For tests. 1: boxes are clocked in every cycle, and work ids are not used again in the same
    * frame; 2: and all counters are flushed after every tick. Neither changes anything but host
    * time.
    */
   unsigned thorough;
   /* Optional: asked after every tick; sim_kernel_run returns once it is true (a fence that
    * somebody waits for). */
   bool (*until)(const void *data);
   const void *until_data;
   /* Called once at the end of the present tick (sim_kernel_after). */
   struct {
      void (*call)(void *data, sim_tick now);
      void *data;
   } after[8];
   unsigned num_after;
   struct {
      sim_tick next; /* the tick at whose end the next one is due; 0: none is set */
      struct {
         sim_tick at; /* 0: not set */
         void (*call)(void *data, sim_tick now);
         void *data;
      } timer[4];
   } timers;                /* sim_kernel_call_at */
   struct sim_trace *trace; /* who listens (sim_trace.h); NULL: nobody. sim_kernel_listen sets it */
   /* Watchdog: no object moved over any signal for stall_ticks ticks while boxes were being
    * clocked; ticks in which all slept do not count. 0: off. */
   sim_tick stall_ticks, stall_check;
   uint64_t stall_moved;
   bool running; /* inside sim_kernel_run: errors jump out of the box */
   jmp_buf jump;
   unsigned error_box; /* whose error is kept: of several in one tick, the one of the first box */
   char error[512];
};

/* Sets the clock domains (MHz) and the clocking order; before any box is created. A kernel of zeros
 * that was never initialised has equal clocks. */
void sim_kernel_init(struct sim_kernel *k, uint32_t gpu_mhz, uint32_t shader_mhz,
                     uint32_t memory_mhz, uint32_t order_seed);
/* One flag for what is asked whenever a box's state changes: after a change of its parts. */
void sim_kernel_find_plain(struct sim_kernel *k);
/* From now on somebody listens, or nobody: NULL. */
void sim_kernel_listen(struct sim_kernel *k, struct sim_trace *trace);
/* Calls cls->init of every box in creation order; sim_netlist_build does this once every signal
 * exists. */
void sim_kernel_start(struct sim_kernel *k);
/* Calls cls->fini of every box and frees boxes, the rings of their input signals and everything
 * else in the arena. */
void sim_kernel_fini(struct sim_kernel *k);
/* Writes the state of every box (cls->dump) and every signal that is not empty. */
void sim_kernel_dump(const struct sim_kernel *k, FILE *f);

/* The box's statistics of a work id, in the order of its list. */
static inline uint64_t *
sim_stat(const struct sim_box *b, unsigned work_id)
{
   const uint8_t *stats = *(const uint8_t *const *)((uintptr_t)b + b->cls->stats_offset);
   return (uint64_t *)(uintptr_t)(stats + work_id * b->cls->stats_size);
}

/* Cycles of b's clock since it was clocked last, or counted what it waited: what a statistic that
 * counts waiting adds. 1 when clocked every cycle. */
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

/* The last tick of the box's DVFS domain that has begun; without DVFS domains the machine's. */
static inline sim_tick
sim_box_now(const struct sim_box *b)
{
   return __builtin_expect(b->kernel->dvfs != NULL, 0) ? sim_dvfs_now(b) : b->share->now;
}

/* When the box's DVFS domain had a tick, in ticks of the machine: what reports speak of. */
static inline sim_tick
sim_box_time(const struct sim_box *b, sim_tick tick)
{
   return __builtin_expect(b->kernel->dvfs != NULL, 0) ? sim_dvfs_time(b, tick) : tick;
}

/* A tick of one box's DVFS domain that a message carries, for a box of another DVFS domain. */
static inline sim_tick
sim_tick_for(const struct sim_box *to, const struct sim_box *from, sim_tick tick)
{
   return __builtin_expect(to->dvfs_domain != from->dvfs_domain, 0)
              ? sim_dvfs_convert(from, to, tick)
              : tick;
}

/* Numbers the times in which boxes of a share are clocked together. */
static inline uint64_t
sim_instant(const struct sim_share *h)
{
   return __builtin_expect(h->kernel->dvfs != NULL, 0) ? sim_dvfs_instant(h->kernel) : h->now;
}

/* The box is clocked at tick or earlier. */
void sim_box_wake(struct sim_box *b, sim_tick tick);

/* Some of a box's inputs, for one question instead of one each: does any of them hold something,
 * arrived or still on the wire? Zeroed: none. */
struct sim_input_set {
   uint64_t bits[SIM_MAX_INPUTS / 64];
   bool more; /* than the first word */
};

/* In cls->init, after all calls of sim_box_number_input. Signals of others (a machine in parts) are
 * left out: they never hold anything for the box. */
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

/* Neighbouring inputs from number first on, at most 64 of them, a bit each: it holds something,
 * arrived or still on the wire. */
struct sim_input_range {
   unsigned word, shift, high; /* high: bits that lie in the next word begin there; 0: none do */
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

/* Creates a box of a machine and adds it to the kernel; instance < 0 for a single box. */
struct sim_box *sim_box_create(struct sim_kernel *k, struct sim_gpu *gpu,
                               const struct sim_box_class *cls, int instance);

/* Memory of a box, in cls->init: zeroed, aligned to 64 bytes, freed with the machine. */
static inline void *
sim_box_alloc(struct sim_box *b, size_t size)
{
   return sim_arena_alloc(&b->kernel->arena, size);
}

/* Connects two boxes. capacity >= 1; latency in cycles of the sender. */
void sim_signal_init(struct sim_signal *s, const char *name, struct sim_box *sender,
                     struct sim_box *receiver, uint32_t payload, uint32_t bandwidth,
                     uint32_t latency, uint32_t capacity);

/* In cls->init: the signal, an input of the box, becomes input number n. */
void sim_box_number_input(struct sim_box *b, const struct sim_signal *s, unsigned n);

/* Calls once, for data, when the tick is over, whether any box was clocked in it or not, and before
 * anything happens in a later one. It may look at everything and change nothing that boxes see. */
void sim_kernel_call_at(struct sim_kernel *k, sim_tick tick, void (*call)(void *data, sim_tick now),
                        void *data);
/* Calls call(data, now) when every box has been clocked in this tick. For reports, which read other
 * boxes' statistics: in the middle of a tick these would depend on the clocking order. */
void sim_kernel_after(struct sim_kernel *k, void (*call)(void *data, sim_tick now), void *data);

/* Clocks boxes until every box sleeps without a timer, *stop becomes true, or an error. Time jumps
 * over ticks without work. Returns false on error. */
bool sim_kernel_run(struct sim_kernel *k, const bool *stop);

/* Stops the simulation with a message that names the box and the cycle. Inside sim_kernel_run it
 * does not return to the box (which may be in a state it never expected) but ends the run; the
 * application goes on. The first error is kept. */
void sim_error(struct sim_box *b, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

#include "core/sim_activity.h"

#endif
