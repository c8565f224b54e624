/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy WATERMARK, as in Qsilver (J. W. Sheaffer et al., Graphics Hardware 2004, section 5.2.2).
 * If a queue stays almost full for HoldCycles, the domain in front of it waits, so it gets a step
 * slower; if the queue stays almost empty, the domain behind it does. When the queue has left that
 * state past another mark, the domain returns to its first frequency. The queue is sampled every
 * SampleCycles. */
#include "dvfs/dvfs_policy.h"

/* Returns whether the state has lasted long enough for another step. *since is 0 outside the
 * state. */
static bool
dvfs_watermark_held(const struct dvfs *d, bool is_so, sim_tick *since, sim_tick now)
{
   const sim_tick hold = d->keys->dvfs.hold * d->kernel->period[SIM_DOMAIN_GPU];
   if (!is_so)
      *since = 0;
   else if (!*since)
      *since = now;
   else if (now - *since >= hold) {
      *since = now;
      return true;
   }
   return false;
}

static void
dvfs_watermark_sample(struct dvfs *d, sim_tick now)
{
   const unsigned fill = dvfs_queue_fill(&d->queue), front = d->config.front, back = d->config.back;
   if (dvfs_watermark_held(d, fill >= d->keys->dvfs.high, &d->full_since, now))
      dvfs_step_down(d, front, "queue full");
   if (dvfs_watermark_held(d, fill <= d->keys->dvfs.low, &d->empty_since, now))
      dvfs_step_down(d, back, "queue empty");
   if (fill < d->keys->dvfs.restore_high)
      dvfs_set(d, front, d->config.domain[front].percent, "queue below RestoreBelow");
   if (fill > d->keys->dvfs.restore_low)
      dvfs_set(d, back, d->config.domain[back].percent, "queue above RestoreAbove");
}

const struct dvfs_policy dvfs_policy_watermark = {.sample = dvfs_watermark_sample};
