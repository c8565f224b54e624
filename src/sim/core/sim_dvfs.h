/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DVFS domains: groups of boxes whose frequency changes during a run. Each has its own time in
 * ticks, as fast as the machine's at nominal frequency, slower below it, and stopped while the
 * domain stands still. Boxes see only their domain's time: timers, and signals within a domain,
 * count cycles at any frequency. What crosses domains is converted when sent (sim_signal.c);
 * between two clocks the machine's time is counted in fine ticks. Without domains (kernel->dvfs is
 * NULL) there is one time, and none of this costs anything. Not here: boxes' domains
 * (box/netlist.c), and policies of frequencies. */
#ifndef SIM_DVFS_H
#define SIM_DVFS_H

#include "core/sim_box.h"

/* Fine ticks per tick. A multiple of 1 to 10, so that a clock's cycles at each tenth of its
 * frequency are whole; others are rounded up. */
#define SIM_FINE 2520u

/* A domain's state for some time. Frequencies in percent, voltages in thousandths of nominal; the
 * kernel does not use voltages. */
struct sim_stretch {
   uint64_t from, start; /* fine ticks: of the choice; of the clock's start. The domain stands still
                          * between */
   sim_tick tick;        /* the domain's tick at from and start; the next is a step later */
   uint32_t step;        /* fine ticks per tick of the domain */
   uint16_t percent, voltage;
};

struct sim_dvfs_clock {
   sim_tick now; /* its last tick up to and including this instant */
   struct sim_stretch *stretch;
   unsigned num, size;
};

struct sim_dvfs {
   uint64_t instant; /* the machine's present time, in fine ticks */
   unsigned num;
   struct sim_dvfs_clock clock[SIM_MAX_DVFS_DOMAINS];
   /* Called before a change; NULL: none. */
   void (*listener)(void *data, unsigned dvfs_domain, const struct sim_stretch *before,
                    const struct sim_stretch *after);
   void *listener_data;
};

/* Call it before any box is created. All domains start at nominal frequency and voltage. */
void sim_dvfs_create(struct sim_kernel *k, unsigned num);
/* Call it after the box is created, before its first signal is. */
void sim_dvfs_put(struct sim_box *b, unsigned dvfs_domain);
/* Connects boxes of two domains: objects arrive sync ticks of the receiver's domain later. Call it
 * before anything is sent. */
void sim_dvfs_cross(struct sim_signal *s, sim_tick sync);
void sim_dvfs_destroy(struct sim_kernel *k);

/* Stops the domain for this many fine ticks from now on, then runs it at another frequency. Call it
 * outside of clock(). */
void sim_dvfs_set(struct sim_kernel *k, unsigned dvfs_domain, unsigned percent, unsigned voltage,
                  uint64_t still);

static inline const struct sim_stretch *
sim_dvfs_state(const struct sim_kernel *k, unsigned dvfs_domain)
{
   const struct sim_dvfs_clock *i = &k->dvfs->clock[dvfs_domain];
   return &i->stretch[i->num - 1];
}

/* Returns a domain's first tick not before a tick of the machine. */
sim_tick sim_dvfs_tick(const struct sim_kernel *k, unsigned dvfs_domain, sim_tick time);

/* For sim_signal.c: returns when an object sent now is visible, in the receiver's ticks. */
sim_tick sim_dvfs_arrival(const struct sim_signal *s);

/* For the kernel: */

/* Advances time to an instant, in fine ticks. Nothing happens before the next fine tick. */
void sim_dvfs_pass(struct sim_kernel *k, uint64_t instant);
/* Returns the next instant with a due box; SIM_NEVER: all sleep. */
uint64_t sim_dvfs_next(const struct sim_kernel *k);
/* Lists the boxes due in this instant in clocking order, and marks them asleep. */
unsigned sim_dvfs_due(struct sim_kernel *k, uint16_t *list);

#endif
