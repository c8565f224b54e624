/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The table of issue policies, and what several need. Each policy has a file of its own. */
#include "box/shader/shf_issue.h"

#define N(name, file) extern const struct shf_policy shf_policy_##file;
SIM_ISSUE_POLICIES(N)
#undef N

static const struct shf_policy *const policies[] = {
#define N(name, file) [SIM_ISSUE_##name] = &shf_policy_##file,
    SIM_ISSUE_POLICIES(N)
#undef N
};

const struct shf_policy *
shf_policy_get(enum sim_issue_policy policy)
{
   return policies[policy];
}

unsigned
shf_next_ready(const struct shf_window *w, unsigned i)
{
   unsigned words = (w->num_threads + 63) / 64, word = i / 64;
   uint64_t bits = w->ready[word] & ~0ull << i % 64;
   while (!bits) {
      word = word + 1 == words ? 0 : word + 1;
      bits = w->ready[word];
   }
   return 64 * word + (unsigned)__builtin_ctzll(bits);
}

void
shf_prefetch_next(const struct shf_window *w, unsigned i)
{
   if (!w->num_ready)
      return;
   const struct shf_thread *t = &w->threads[shf_next_ready(w, i + 1 == w->num_threads ? 0 : i + 1)];
   __builtin_prefetch(&t->emul);
   __builtin_prefetch(&t->ready_at);
}
