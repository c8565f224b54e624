/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which group Shader Fetch fetches next: a policy sees a shader's contexts in struct shf_window and
 * picks a ready one. A policy is a file here and a line in SIM_ISSUE_POLICIES
 * (config/sim_shader_machine.h). Shader Fetch decides what is ready and when it may be fetched
 * again. */
#ifndef SIM_SHF_ISSUE_H
#define SIM_SHF_ISSUE_H

#include "box/shader/shader_unit.h"

struct shf_window {
   const struct shf_thread *threads; /* [num_threads] */
   uint64_t *ready;                  /* bit per fetchable context */
   uint16_t *order;                  /* executing contexts, oldest first */
   unsigned num_threads, num_order, num_ready;
   bool full;             /* a group waits for a context or registers */
   sim_tick period;       /* ticks per cycle */
   sim_tick last_started; /* when the newest context of order[] began */
   /* State of the policies. */
   unsigned last;     /* context fetched last */
   unsigned own_last; /* the one that this shader fetched last, if several share the window */
   unsigned turn;     /* IN_ORDER: index in order[] of the context whose turn it is */
   unsigned batch;    /* IN_ORDER: how many contexts, from order[0] on, take turns */
   bool closed;       /* IN_ORDER: no more may join the batch */
};

struct shf_policy {
   const char *name;
   /* Returns a ready context, which is fetched now, or -1 and in *again the tick from which on the
    * answer may change without a change of the window (SIM_NEVER: none). Called only when num_order
    * > 0. */
   int (*choose)(struct shf_window *w, sim_tick now, sim_tick *again);
   /* Report that the last context of order[] has begun; that the context at this index has ended
    * and left order[]. NULL: not needed. */
   void (*started)(struct shf_window *w);
   void (*ended)(struct shf_window *w, unsigned position);
};

const struct shf_policy *shf_policy_get(enum sim_issue_policy policy);

static inline bool
shf_is_ready(const struct shf_window *w, unsigned i)
{
   return w->ready[i / 64] >> i % 64 & 1;
}

/* Returns the first ready context from i on, in circular order; one must be ready. */
unsigned shf_next_ready(const struct shf_window *w, unsigned i);
/* Prefetches, for the host, the context after i that is probably fetched next. */
void shf_prefetch_next(const struct shf_window *w, unsigned i);

#endif
