/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers and ranges of numbers in lists (sim_range.h).
 */
#include "core/sim_range.h"
#include <errno.h>
#include <stdlib.h>

bool
sim_range_number(const char **p, uint32_t *value)
{
   char *end;
   if (**p < '0' || **p > '9')
      return false;
   errno = 0;
   const unsigned long long n = strtoull(*p, &end, 10);
   *p = end;
   *value = (uint32_t)n;
   return !errno && n <= UINT32_MAX;
}

bool
sim_range_parse(const char **p, uint32_t *first, uint32_t *last)
{
   if (!sim_range_number(p, first))
      return false;
   *last = *first;
   if (**p != '-')
      return true;
   ++*p;
   *last = UINT32_MAX;
   return **p < '0' || **p > '9' || (sim_range_number(p, last) && *last >= *first);
}
