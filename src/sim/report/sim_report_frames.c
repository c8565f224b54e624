/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which frames have rows, and which draws in them: lists such as "3,10-20,50-" and "3:10-20,7:0";
 * and who wants to know of frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_range.h"
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
      if (!sim_range_parse(&p, &f->first, &f->last) || (*p && *p != ','))
         break;
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

bool
report_draws_parse(struct sim_report *r, const char *list, char *error, size_t error_size)
{
   const char *p = list;
   r->draws_wanted = calloc(strlen(list) + 1, sizeof(*r->draws_wanted));
   if (!r->draws_wanted) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   for (bool more = true; more; more = *p++ == ',') {
      struct report_draws *d = &r->draws_wanted[r->num_draws_wanted++];
      if (!sim_range_number(&p, &d->frame) || *p++ != ':' ||
          !sim_range_parse(&p, &d->first, &d->last) || (*p && *p != ','))
         break;
      if (!*p)
         return true;
   }
   snprintf(error, error_size,
            "draws: \"%.100s\" is not a list of FRAME:DRAW, FRAME:FIRST-LAST or FRAME:FIRST- such "
            "as 0:3,7:10-20",
            list);
   return false;
}

bool
report_row_wanted(const struct sim_report *r, const struct sim_row *row, uint32_t draws)
{
   bool wanted = !r->draws_wanted;
   for (unsigned i = 0; i < r->num_draws_wanted; i++) {
      const struct report_draws *d = &r->draws_wanted[i];
      wanted |= r->frame == d->frame &&
                (row->kind == SIM_ROW_DRAW ? row->draw >= d->first && row->draw <= d->last
                                           : draws > d->first && draws <= d->last);
   }
   return wanted;
}

bool
report_window_open(struct sim_report *r)
{
   const bool frame = report_frames_wanted(r) || r->frame_touched;
   bool open = !r->draws_wanted || r->window_touched;
   r->window_touched = r->frame_touched = false;
   for (unsigned slot = SIM_SLOT_SHARED + 1; !open && slot < r->kernel->used_slots; slot++) {
      const struct sim_row_state *s = &r->rows.state[slot];
      open = s->used && !s->earlier && report_row_wanted(r, &s->row, s->draws);
   }
   return open && frame;
}

void
sim_report_watch(struct sim_report *r, struct sim_report_watch watch)
{
   if (r)
      r->watch = watch;
}
