/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recent uses of memory (sim_uses.h). */
#include "decode/sim_uses.h"

#include <stdlib.h>

bool
sim_uses_init(struct sim_uses *u, uint64_t memory_size, uint32_t users)
{
   const uint64_t units = memory_size / SIM_USES_UNIT;
   u->memory_size = memory_size;
   u->users = users;
   u->used = calloc(units, sizeof(*u->used));
   u->written = calloc(units, sizeof(*u->written));
   u->writer = calloc(units, 1);
   u->some = calloc(units / SIM_USES_GROUP + 1, 1);
   return u->used && u->written && u->writer && u->some;
}

void
sim_uses_fini(struct sim_uses *u)
{
   free(u->used);
   free(u->written);
   free(u->writer);
   free(u->some);
}

/* Makes room for new times: those of the older half become the oldest. */
static void
uses_age(struct sim_uses *u)
{
   const uint32_t half = UINT32_MAX / 2;
   for (uint64_t i = 0; (i = sim_uses_next(u, i)) < u->memory_size / SIM_USES_UNIT; i++) {
      uint32_t *times[] = {&u->used[i], &u->written[i]};
      for (unsigned k = 0; k < 2; k++)
         *times[k] = *times[k] > half ? *times[k] - half : *times[k] != 0;
   }
   u->now -= half;
}

void
sim_use_slow(struct sim_uses *u, enum sim_user user, uint64_t start, uint64_t end, bool write)
{
   end = end < u->memory_size ? end : u->memory_size;
   for (uint64_t i = start / SIM_USES_UNIT; i * SIM_USES_UNIT < end; i++) {
      if (u->now == UINT32_MAX)
         uses_age(u);
      u->some[i / SIM_USES_GROUP] = 1;
      u->used[i] = ++u->now;
      if (!write)
         continue;
      u->written[i] = u->now;
      u->writer[i] = (uint8_t)user;
   }
}

uint64_t
sim_uses_next(const struct sim_uses *u, uint64_t unit)
{
   const uint64_t units = u->memory_size / SIM_USES_UNIT;
   while (unit < units && !u->used[unit])
      unit = u->some[unit / SIM_USES_GROUP] ? unit + 1 : (unit | (SIM_USES_GROUP - 1)) + 1;
   return unit < units ? unit : units;
}
