/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counters and monitors of attila_sim.h, with the session's lock. Not here: counting
 * (measure/sim_counters.c). */
#include "measure/sim_counters.h"
#include "session/session_impl.h"

static struct sim_measure *
monitor_measure(const struct attila_sim *sim)
{
   return sim_machine_measure(sim->machine);
}

unsigned
attila_sim_num_counters(struct attila_sim *sim)
{
   attila_session_lock(sim);
   const unsigned num =
       sim_machine_is_functional(sim->machine) ? 0 : sim_counters_num(monitor_measure(sim));
   attila_session_unlock(sim);
   return num;
}

bool
attila_sim_get_counter(struct attila_sim *sim, unsigned index, struct attila_sim_counter *counter)
{
   attila_session_lock(sim);
   const struct sim_counter *c = sim_machine_is_functional(sim->machine)
                                     ? NULL
                                     : sim_counters_get(monitor_measure(sim), index);
   if (c)
      *counter = (struct attila_sim_counter){c->name, c->group, c->unit, c->doc};
   attila_session_unlock(sim);
   return c != NULL;
}

struct attila_monitor *
attila_sim_monitor_begin(struct attila_sim *sim, uint32_t context)
{
   struct sim_monitor *m = NULL;
   attila_session_lock(sim);
   if (!sim_machine_is_functional(sim->machine)) {
      sim_machine_count_work(sim->machine);
      m = sim_monitor_open(monitor_measure(sim), context);
   }
   attila_session_unlock(sim);
   return (struct attila_monitor *)m;
}

void
attila_sim_monitor_end(struct attila_sim *sim, struct attila_monitor *m)
{
   attila_session_lock(sim);
   sim_monitor_close(monitor_measure(sim), (struct sim_monitor *)m);
   attila_session_unlock(sim);
}

void
attila_sim_monitor_read(struct attila_sim *sim, const struct attila_monitor *m,
                        const unsigned *counters, unsigned num, uint64_t *values)
{
   attila_session_lock(sim);
   sim_monitor_read(monitor_measure(sim), (const struct sim_monitor *)m, counters, num, values);
   attila_session_unlock(sim);
}

void
attila_sim_monitor_destroy(struct attila_sim *sim, struct attila_monitor *m)
{
   attila_session_lock(sim);
   sim_monitor_destroy(monitor_measure(sim), (struct sim_monitor *)m);
   attila_session_unlock(sim);
}
