/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which frames have rows: lists such as "3,10-20,50-".
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report/sim_report_impl.h"

bool
report_frames_parse(struct sim_report *r, const char *list, char *error, size_t error_size)
{
   const char *p = list;
   r->draw_frames = calloc(strlen(list) + 1, sizeof(*r->draw_frames));
   if (!r->draw_frames) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   for (bool more = true; more; more = *p++ == ',') {
      struct report_frames *f = &r->draw_frames[r->num_draw_frames++];
      char *end;
      errno = 0;
      unsigned long first = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : ULONG_MAX, last = first;
      if (first > UINT32_MAX || errno)
         break;
      p = end;
      if (*p == '-') {
         p++;
         last = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : UINT32_MAX;
         p = *p >= '0' && *p <= '9' ? end : p;
      }
      if (last > UINT32_MAX || errno || last < first || (*p && *p != ','))
         break;
      *f = (struct report_frames){(uint32_t)first, (uint32_t)last};
      if (!*p)
         return true;
   }
   snprintf(error, error_size,
            "frames of draws.csv: \"%.100s\" is not a list of frames such as 0,10-20,50-", list);
   return false;
}

bool
report_frames_wanted(const struct sim_report *r)
{
   if (r->failed || r->frame < r->first_frame)
      return false;
   bool wanted = !r->draw_frames;
   for (unsigned i = 0; i < r->num_draw_frames; i++)
      wanted |= r->frame >= r->draw_frames[i].first && r->frame <= r->draw_frames[i].last;
   return wanted;
}
