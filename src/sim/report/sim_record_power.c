/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy in a record: what the events of this machine cost, and views that add it up, once per run.
 * Not here: the model (power/power_model.h); counts, which the record has anyway.
 */
#include <string.h>
#include "power/power_record.h"
#include "report/sim_record_impl.h"

void
record_power(struct sim_record *rec, const char *table)
{
   struct power_table t;
   power_table_defaults(&t);
   record_enter(rec);
   if ((strcmp(table, "builtin") && !power_table_load(&t, table, rec->error, sizeof(rec->error))) ||
       !power_record_write(rec->db, &t, false, rec->error, sizeof(rec->error)))
      rec->failed = true;
   record_leave(rec);
}
