/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The facade's counters (attila_sim.h): what reports know about the machine, under the simulator's
 * lock. Not here: how they are counted (measure/sim_counters.c).
 */
#include "session/machine.h"
#include "measure/sim_counters.h"
#include "results/sim_report.h"

unsigned
attila_sim_num_counters(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   const unsigned num = sim->mode == ATTILA_MODE_FUNCTIONAL
                            ? 0
                            : sim_counters_num(sim_report_measure(sim->device.report));
   pthread_mutex_unlock(&sim->lock);
   return num;
}

bool
attila_sim_get_counter(struct attila_sim *sim, unsigned index, struct attila_sim_counter *counter)
{
   pthread_mutex_lock(&sim->lock);
   const struct sim_counter *c =
       sim->mode == ATTILA_MODE_FUNCTIONAL
           ? NULL
           : sim_counters_get(sim_report_measure(sim->device.report), index);
   if (c)
      *counter = (struct attila_sim_counter){c->name, c->group, c->unit, c->doc};
   pthread_mutex_unlock(&sim->lock);
   return c != NULL;
}

struct attila_monitor *
attila_sim_monitor_begin(struct attila_sim *sim, uint32_t context)
{
   struct sim_monitor *m = NULL;
   pthread_mutex_lock(&sim->lock);
   if (sim->mode != ATTILA_MODE_FUNCTIONAL) {
      sim->gpu.rows = sim_report_count_rows(sim->device.report);
      m = sim_monitor_open(sim_report_measure(sim->device.report), context);
   }
   pthread_mutex_unlock(&sim->lock);
   return (struct attila_monitor *)m;
}

void
attila_sim_monitor_end(struct attila_sim *sim, struct attila_monitor *m)
{
   pthread_mutex_lock(&sim->lock);
   sim_monitor_close(sim_report_measure(sim->device.report), (struct sim_monitor *)m);
   pthread_mutex_unlock(&sim->lock);
}

void
attila_sim_monitor_read(struct attila_sim *sim, const struct attila_monitor *m,
                        const unsigned *counters, unsigned num, uint64_t *values)
{
   pthread_mutex_lock(&sim->lock);
   sim_monitor_read(sim_report_measure(sim->device.report), (const struct sim_monitor *)m, counters,
                    num, values);
   pthread_mutex_unlock(&sim->lock);
}

void
attila_sim_monitor_destroy(struct attila_sim *sim, struct attila_monitor *m)
{
   pthread_mutex_lock(&sim->lock);
   sim_monitor_destroy(sim_report_measure(sim->device.report), (struct sim_monitor *)m);
   pthread_mutex_unlock(&sim->lock);
}
