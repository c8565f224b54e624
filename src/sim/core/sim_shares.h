/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shares: the boxes of a machine, dealt to several threads of the host
 * (docs/explanation/threads.md). A signal inside a share is what it always was. Of one between two
 * shares, a shared signal, sender and receiver change different members of struct sim_signal: what
 * one side did in a tick it writes into an outbox, and the other side's thread takes it when both
 * have ended the tick. That is early enough: an object cannot be seen, and a credit does not count,
 * before the next tick. Not here: the threads (core/sim_threads.h), and who gets which box
 * (box/netlist_groups.c).
 */
#ifndef SIM_SHARES_H
#define SIM_SHARES_H

#include "core/sim_box.h"

/* What a share tells another one of a tick. */
struct sim_letter {
   void *what;    /* a signal; LETTER_OBJECT: for kernel->reclaim */
   sim_tick wake; /* an object was sent, wakes the receiver then; or one of these */
};
#define SIM_LETTER_CREDIT 0         /* an object was popped */
#define SIM_LETTER_OBJECT SIM_NEVER /* an object of the host, whose pool is the other's */

/* From one share to another. There are two lists: while one is filled the other is read. */
struct sim_outbox {
   struct sim_letter *letter[2];
   uint32_t room[2];
   /* The sender's alone. */
   uint32_t num __attribute__((aligned(64)));
   unsigned filling; /* list */
} __attribute__((aligned(64)));

/* More of a shared signal. */
struct sim_shared {
   /* The receiver's. */
   uint32_t present; /* objects that it knows of */
   struct sim_outbox *to_sender;
   /* The sender's; copies, whose originals are on the receiver's line. */
   struct sim_outbox *to_receiver __attribute__((aligned(64)));
   uint8_t *begin, *end;
   uint32_t stride;
} __attribute__((aligned(64)));

/* Of the host, that this process may use; in sim_threads.c. */
unsigned sim_processors(void);

#define SIM_MAX_GROUPS 256

/* Decides which groups of boxes the shares get, by what each box has cost; any unit. */
void sim_shares_weigh(struct sim_kernel *k, const uint64_t *spent);
/* How many times as fast num threads can be at most, by sim_box.host_ns of all boxes. */
double sim_shares_bound(const struct sim_kernel *k, unsigned num);
/* Between two ticks: deals the boxes so, or all to the first share. */
void sim_shares_deal(struct sim_kernel *k, bool several);
/* Frees what they need; they cannot be used again. */
void sim_shares_fini(struct sim_kernel *k);

/* What sim_send_begin, sim_send_calm_begin and sim_pop do with a shared signal. */
void *sim_shared_send(struct sim_signal *s, sim_tick now, sim_tick wake);
void sim_shared_pop(struct sim_signal *s, sim_tick now);

/* The box is done with an object of kernel->reclaim. */
void sim_share_give(struct sim_box *b, void *object);

/* Everything that from has told to of the tick that both have ended: letters of a list. */
void sim_share_take(struct sim_share *to, const struct sim_share *from, unsigned list,
                    uint32_t letters);

#endif
