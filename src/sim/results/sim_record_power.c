/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy in a record. Once per run: the costs of this machine's events, and the views that add them
 * up. Once per state of a DVFS policy: the costs at its voltages. Not here: the model
 * (power/power_model.h), counts. */
#include <stdlib.h>
#include <string.h>
#include "config/sim_config.h"
#include "power/power_record.h"
#include "results/sim_record_impl.h"

/* Copied from the run's options: the table's file may change during the run. */
struct record_power {
   struct power_table table;
   struct sim_config config;
   bool states; /* whether the views include states */
};

void
record_power(struct sim_record *rec, const char *table, const struct sim_config *config)
{
   struct record_power *p = calloc(1, sizeof(*p));
   rec->power = p;
   if (!p) {
      record_out_of_memory(rec);
      return;
   }
   power_table_defaults(&p->table);
   p->config = *config;
   if ((strcmp(table, "builtin") &&
        !power_table_load(&p->table, table, rec->error, sizeof(rec->error))) ||
       !power_record_write(rec->db, &p->table, config, false, rec->error, sizeof(rec->error)))
      rec->failed = true;
}

void
record_power_state(struct sim_record *rec, unsigned state)
{
   struct record_power *p = rec->power;
   if (!p || rec->failed)
      return;
   /* When the first state comes, make the views anew, with states. */
   const bool good = p->states ? power_record_state(rec->db, &p->table, &p->config, state,
                                                    rec->error, sizeof(rec->error))
                               : power_record_write(rec->db, &p->table, &p->config, false,
                                                    rec->error, sizeof(rec->error));
   p->states = true;
   rec->failed |= !good;
}
