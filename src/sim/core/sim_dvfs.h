/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DVFS domains: groups of boxes whose frequency changes while the machine runs. Each has a time of
 * its own, in ticks as everywhere, which passes as fast as the machine's at nominal frequency,
 * slower below it and not at all while the domain stands still. Boxes see nothing but the time of
 * their domain: their timers, and signals between boxes of one domain, mean cycles whatever the
 * frequency is. What crosses from domain to domain is converted when it is sent (sim_signal.c);
 * between the clocks of two domains the machine's time is counted in fine ticks. A kernel without
 * domains (kernel->dvfs is NULL) has one time, which is the machine's, and none of this costs
 * anything.
 *
 * Not here: which box is in which domain (box/netlist.c), and who changes a frequency and why.
 */
#ifndef SIM_DVFS_H
#define SIM_DVFS_H

#include "core/sim_box.h"

/* Fine ticks in a tick. A multiple of 1 to 10, so that the cycles of a clock at each tenth of its
 * frequency are whole numbers of them; others are rounded to the next one. */
#define SIM_FINE 2520u

/* The state of a domain for some time. Frequencies in percent of the nominal one, voltages in
 * thousandths of it; what a voltage does is not the kernel's business. */
struct sim_stretch {
   uint64_t from, start; /* fine: it was chosen; its clock runs: the domain stands still between */
   sim_tick tick;        /* the domain's tick at from and at start; the next is a step later */
   uint32_t step;        /* fine ticks of a tick of the domain */
   uint16_t percent, voltage;
};

struct sim_dvfs_clock {
   sim_tick now; /* its last tick until the present instant, that included */
   struct sim_stretch *stretch;
   unsigned num, size;
};

struct sim_dvfs {
   uint64_t instant; /* the present time of the machine, in fine ticks */
   unsigned num;
   struct sim_dvfs_clock clock[SIM_MAX_DVFS_DOMAINS];
   /* Told of a change before it happens; NULL: nobody wants to know. */
   void (*listener)(void *data, unsigned dvfs_domain, const struct sim_stretch *before,
                    const struct sim_stretch *after);
   void *listener_data;
};

/* Before any box is created. All domains have their nominal frequency and voltage. */
void sim_dvfs_create(struct sim_kernel *k, unsigned num);
/* After its box was created and before its first signal is. */
void sim_dvfs_put(struct sim_box *b, unsigned dvfs_domain);
/* The signal connects boxes of two domains: objects arrive sync ticks of the receiver's domain
 * later. Before anything was sent. */
void sim_dvfs_cross(struct sim_signal *s, sim_tick sync);
void sim_dvfs_destroy(struct sim_kernel *k);

/* From the present instant on, outside of clock(): the domain stands still for so many fine ticks,
 * then runs at another frequency. */
void sim_dvfs_set(struct sim_kernel *k, unsigned dvfs_domain, unsigned percent, unsigned voltage,
                  uint64_t still);

static inline const struct sim_stretch *
sim_dvfs_state(const struct sim_kernel *k, unsigned dvfs_domain)
{
   const struct sim_dvfs_clock *i = &k->dvfs->clock[dvfs_domain];
   return &i->stretch[i->num - 1];
}

/* The first tick of a domain that is not before a tick of the machine. */
sim_tick sim_dvfs_tick(const struct sim_kernel *k, unsigned dvfs_domain, sim_tick time);

/* For sim_signal.c: when an object that is sent now can be seen, in ticks of the receiver's domain.
 */
sim_tick sim_dvfs_arrival(const struct sim_signal *s);

/* For the kernel. */

/* The present instant is fine tick instant, and nothing happens before the one after it. */
void sim_dvfs_pass(struct sim_kernel *k, uint64_t instant);
/* The next instant in which a box is due; SIM_NEVER: all sleep. */
uint64_t sim_dvfs_next(const struct sim_kernel *k);
/* Boxes that are due in the present instant, in the clocking order, which are marked asleep. */
unsigned sim_dvfs_due(struct sim_kernel *k, uint16_t *list);

#endif
