/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Arrays that grow (sim_grow_array.h). */
#include "core/sim_grow_array.h"
#include <stdlib.h>
#include <string.h>

bool
sim_grow_array(void *array, size_t *have, size_t want, size_t bytes)
{
   void *old, *grown;
   memcpy(&old, array, sizeof(old));
   if (want <= *have)
      return true;
   want += want / 2 + 64;
   grown = realloc(old, want * bytes);
   if (!grown)
      return false;
   memcpy(array, &grown, sizeof(grown));
   *have = want;
   return true;
}
