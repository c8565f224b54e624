/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes the executor of a schedule (executor.h). */
#include "session/execute/executor.h"

#include <stdio.h>
#include "config/sim_config.h"

struct sim_executor *
sim_executor_create(const struct sim_schedule *s, struct sim_machine *m, char *error,
                    size_t error_size)
{
   if (s->roi && sim_machine_has_dvfs(m)) {
      snprintf(error, error_size,
               "frequencies change by whole frames: no region of interest with DVFS.Policy = %s",
               sim_machine_config(m)->dvfs.policy);
      return NULL;
   }
   switch (s->kind) {
   case SIM_SCHEDULE_ROI:
      return sim_roi_create(s, m, false);
   case SIM_SCHEDULE_WORKERS:
      return sim_workers_create(s, m, error, error_size);
   default:
      return sim_direct_create(s, m, false);
   }
}
