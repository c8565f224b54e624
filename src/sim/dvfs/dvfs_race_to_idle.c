/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy RACE_TO_IDLE: domains run at nominal frequency while a frame is drawn and at the lowest
 * one until the next frame begins. The transition back ends when that frame begins. */
#include "dvfs/dvfs_policy.h"

static void
dvfs_race_to_idle_wake(struct dvfs *d)
{
   dvfs_set_scaled(d, 100, "frame begins");
}

static void
dvfs_race_to_idle_race_frame(struct dvfs *d, uint32_t next, sim_tick now)
{
   dvfs_next_frame(d, now);
   /* The gap is too short for two transitions. */
   if (d->began < now + 3 * d->transition + 2)
      return;
   dvfs_set_scaled(d, d->keys->dvfs.min_frequency, "frame ended");
   dvfs_at(d, d->began - d->transition - 1, dvfs_race_to_idle_wake);
}

const struct dvfs_policy dvfs_policy_race_to_idle = {.frame = dvfs_race_to_idle_race_frame};
