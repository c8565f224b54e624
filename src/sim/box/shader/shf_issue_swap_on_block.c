/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Issue policy SWAP_ON_BLOCK: fetches a context while it is ready, then the next ready one of the
 * table (the original's SwapOnBlock). A group that must be fetched again counts as ready. */
#include "box/shader/shf_issue.h"

static int
shf_issue_swap_on_block_choose(struct shf_window *w, sim_tick now, sim_tick *again)
{
   (void)now;
   *again = SIM_NEVER;
   return w->num_ready ? (int)shf_next_ready(w, w->own_last) : -1;
}

const struct shf_policy shf_policy_swap_on_block = {.name = "SWAP_ON_BLOCK",
                                                    .choose = shf_issue_swap_on_block_choose};
