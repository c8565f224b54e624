/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Issue policy OLDEST_FIRST: the ready group that began first. With FetchScoreboard it skips groups
 * that wait for operands; without it, it fetches the oldest group again until they arrive. */
#include "box/shader/shf_issue.h"

static int
shf_issue_oldest_first_choose(struct shf_window *w, sim_tick now, sim_tick *again)
{
   (void)now;
   *again = SIM_NEVER;
   for (unsigned p = 0; w->num_ready && p < w->num_order; p++) {
      if (shf_is_ready(w, w->order[p]))
         return w->order[p];
   }
   return -1;
}

const struct shf_policy shf_policy_oldest_first = {.name = "OLDEST_FIRST",
                                                   .choose = shf_issue_oldest_first_choose};
