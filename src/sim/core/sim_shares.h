/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shares: a machine's boxes dealt to several host threads (docs/explanation/threads.md). Signals
 * within a share are unchanged. In a shared signal, between two shares, sender and receiver change
 * different members of struct sim_signal: what a side did in a tick goes to an outbox, which the
 * other thread reads when both have ended the tick. It reads them early enough, since objects and
 * credits count from the next tick on. Not here: threads (core/sim_threads.h), dealing
 * (box/netlist_groups.c). */
#ifndef SIM_SHARES_H
#define SIM_SHARES_H

#include "core/sim_box.h"

/* A share's message to another about a tick. */
struct sim_letter {
   void *what;    /* a signal; LETTER_OBJECT: for kernel->reclaim */
   sim_tick wake; /* the tick at which a sent object wakes the receiver; or one of these */
};
#define SIM_LETTER_CREDIT 0         /* an object was popped */
#define SIM_LETTER_OBJECT SIM_NEVER /* a host object of the other's pool */

/* From one share to another: two lists, one filled while the other is read. */
struct sim_outbox {
   struct sim_letter *letter[2];
   uint32_t room[2];
   /* Only the sender uses these: */
   uint32_t num __attribute__((aligned(64)));
   unsigned filling; /* list */
} __attribute__((aligned(64)));

/* A shared signal's further members. */
struct sim_shared {
   /* For the receiver: */
   uint32_t present; /* objects it knows of */
   struct sim_outbox *to_sender;
   /* For the sender: copies, since the originals are on the receiver's line. */
   struct sim_outbox *to_receiver __attribute__((aligned(64)));
   uint8_t *begin, *end;
   uint32_t stride;
} __attribute__((aligned(64)));

/* Returns the host processors that this process may use; in sim_threads.c. */
unsigned sim_processors(void);

#define SIM_MAX_GROUPS 256

/* Decides the shares' groups by each box's cost, in any unit. */
void sim_shares_weigh(struct sim_kernel *k, const uint64_t *spent);
/* Returns the most speed-up of num threads, by sim_box.host_ns of all boxes. */
double sim_shares_bound(const struct sim_kernel *k, unsigned num);
/* Deals the boxes like this, or all to the first share. Call it between two ticks. */
void sim_shares_deal(struct sim_kernel *k, bool several);
/* Frees the shares' memory; they cannot be used again. */
void sim_shares_fini(struct sim_kernel *k);

/* What sim_send_begin, sim_send_calm_begin and sim_pop do for shared signals. */
void *sim_shared_send(struct sim_signal *s, sim_tick now, sim_tick wake);
void sim_shared_pop(struct sim_signal *s, sim_tick now);

/* Frees an object of kernel->reclaim for the box. */
void sim_share_give(struct sim_box *b, void *object);

/* Takes the letters that `from` has written to `to` about a tick that both have ended. */
void sim_share_take(struct sim_share *to, const struct sim_share *from, unsigned list,
                    uint32_t letters);

#endif
