/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers and ranges of numbers in lists (sim_range.h). */
#include "core/sim_range.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"

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

bool
sim_range_span(const char *text, uint64_t *first, uint64_t *last)
{
   char *end = NULL;
   *first = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
   *last = *first;
   if (end && *end == '-' && isdigit((unsigned char)end[1]))
      *last = strtoull(end + 1, &end, 10);
   return end && !*end && *last >= *first && *last < UINT64_MAX / 4096;
}

bool
sim_range_draws(const char **p, uint32_t *frame, uint32_t *first, uint32_t *last)
{
   return sim_range_number(p, frame) && *(*p)++ == ':' && sim_range_parse(p, first, last);
}

struct sim_range *
sim_range_list(const char *text, unsigned *num)
{
   struct sim_range *list = sim_xcalloc(strlen(text) / 2 + 1, sizeof(*list));
   const char *p = text;
   for (*num = 0;; p++) {
      struct sim_range *r = &list[*num];
      if (!sim_range_parse(&p, &r->first, &r->last) || (*p && *p != ',') ||
          (*num && r[-1].last >= r->first)) {
         free(list);
         return NULL;
      }
      ++*num;
      if (!*p)
         return list;
   }
}

unsigned
sim_range_find(const struct sim_range *list, unsigned num, uint32_t first, uint32_t last)
{
   unsigned i = 0;
   while (i < num && (list[i].first > last || list[i].last < first))
      i++;
   return i;
}
