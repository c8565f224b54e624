/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy DEADLINE expects a frame to be as much work as the longest of the last History frames, and
 * runs it at the lowest frequency that does this work in time. A frame with more work runs the rest
 * at nominal frequency. Work is measured as time at nominal frequency, as if all time scaled with
 * the frequency of the domains. Memory keeps its speed, so frames end earlier than predicted, not
 * later. */
#include "dvfs/dvfs_policy.h"

static void
dvfs_deadline_frame(struct dvfs *d, uint32_t next, sim_tick now)
{
   const unsigned history = d->keys->dvfs.history;
   d->work[d->num_work++ % history] = dvfs_work(d);
   d->expected = 0;
   for (unsigned i = 0; i < history && i < d->num_work; i++)
      d->expected = d->work[i] > d->expected ? d->work[i] : d->expected;
   dvfs_set_scaled(d, dvfs_percent_for(d, d->expected), "frame expected");
   dvfs_next_frame(d, now);
}

static void
dvfs_deadline_sample(struct dvfs *d, sim_tick now)
{
   if (d->expected && now > d->began && dvfs_work(d) > d->expected)
      dvfs_set_scaled(d, 100, "frame longer than expected");
}

const struct dvfs_policy dvfs_policy_deadline = {.frame = dvfs_deadline_frame,
                                                 .sample = dvfs_deadline_sample};
