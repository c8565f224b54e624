/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which group Shader Fetch fetches next: a policy sees the contexts of a shader through struct
 * shf_window and answers with one that is ready. A policy is a file beside this one and a line in
 * SIM_ISSUE_POLICIES (config/sim_shader_machine.h). It decides nothing else: what may be ready, and
 * when a group may be fetched again, is Shader Fetch's.
 */
#ifndef SIM_SHF_ISSUE_H
#define SIM_SHF_ISSUE_H

#include "box/shader/shader_unit.h"

struct shf_window {
   const struct shf_thread *threads; /* [num_threads] */
   uint64_t *ready;                  /* a bit for each context that may be fetched */
   uint16_t *order;                  /* contexts that execute, the oldest first */
   unsigned num_threads, num_order, num_ready;
   bool full;             /* a group waits for a context or registers */
   sim_tick period;       /* of a cycle */
   sim_tick last_started; /* when the newest of order began */
   /* State of the policies. */
   unsigned last;  /* context that was fetched last */
   unsigned turn;  /* IN_ORDER: position in order whose turn it is */
   unsigned batch; /* IN_ORDER: the first so many of order take turns */
   bool closed;    /* IN_ORDER: no more may join them */
};

struct shf_policy {
   const char *name;
   /* A ready context, which is fetched now; or -1, and in *again the tick from which on the answer
    * may be another one without a change of the window (SIM_NEVER: none). Called only when
    * num_order > 0. */
   int (*choose)(struct shf_window *w, sim_tick now, sim_tick *again);
   /* The last of order has begun; the one at this position of order has ended and is out of it.
    * NULL: the policy does not care. */
   void (*started)(struct shf_window *w);
   void (*ended)(struct shf_window *w, unsigned position);
};

const struct shf_policy *shf_policy_get(enum sim_issue_policy policy);

static inline bool
shf_is_ready(const struct shf_window *w, unsigned i)
{
   return w->ready[i / 64] >> i % 64 & 1;
}

/* The first ready context from i on, round the table; one is ready. */
unsigned shf_next_ready(const struct shf_window *w, unsigned i);
/* For the host's caches: the context after i that is probably fetched next. */
void shf_prefetch_next(const struct shf_window *w, unsigned i);

#endif
