/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Issue policy ROUND_ROBIN: each fetch takes the next ready context of the table (the original,
 * release of 2015). It ignores dependences: decode refuses what cannot issue. */
#include "box/shader/shf_issue.h"

static int
shf_issue_round_robin_choose(struct shf_window *w, sim_tick now, sim_tick *again)
{
   (void)now;
   *again = SIM_NEVER;
   return w->num_ready ? (int)shf_next_ready(w, w->last + 1 == w->num_threads ? 0 : w->last + 1)
                       : -1;
}

const struct shf_policy shf_policy_round_robin = {.name = "ROUND_ROBIN",
                                                  .choose = shf_issue_round_robin_choose};
