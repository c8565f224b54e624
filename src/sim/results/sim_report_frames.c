/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which work has rows: lists of draws such as "3:10-20,7:0", and labels. Not here: which frames
 * have rows (measure/sim_observer.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_range.h"
#include "results/sim_report_impl.h"

bool
report_wants_rows(const struct sim_report *r)
{
   return !r->failed && sim_observed_wants_frame(r->observed);
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
      if (!sim_range_draws(&p, &d->frame, &d->first, &d->last) || (*p && *p != ','))
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

/* Matches a text with a pattern. Whenever the text behind a star does not match, the star stands
 * for one more character. fnmatch would treat [, ] and \ as special, but programs use them in
 * names. */
static bool
report_frames_matches(const char *pattern, const char *text, const char *end)
{
   const char *star = NULL, *from = NULL;
   while (text < end) {
      if (*pattern == '*') {
         star = pattern++;
         from = text;
      } else if (*pattern == *text || *pattern == '?') {
         pattern++;
         text++;
      } else if (star) {
         pattern = star + 1;
         text = ++from;
      } else {
         return false;
      }
   }
   while (*pattern == '*')
      pattern++;
   return !*pattern;
}

/* Returns the length of the separator of labels at this place, or 0 if there is none. */
static unsigned
report_frames_separator(const char *p)
{
   return *p == '/' ? 1 : p[0] == ':' && p[1] == ' ' ? 2 : 0;
}

/* Names may contain separators, so try all consecutive parts. */
bool
sim_report_label_matches(const char *pattern, const char *label)
{
   if (!label || !*label)
      return false;
   const char *end = label + strlen(label), *rest = label;
   if (report_frames_matches(pattern, label, end))
      return true;
   if (*label == '[') {
      const char *to = strstr(label, "] ");
      rest = to ? to + 2 : end;
      to = to ? to : end - 1;
      if (report_frames_matches(pattern, label + 1, to))
         return true;
   }
   for (const char *from = rest; *from; from++) {
      /* A part begins at the first character and after each separator. */
      if (from > rest && !report_frames_separator(from - 1) &&
          !(from - rest > 1 && report_frames_separator(from - 2) == 2))
         continue;
      for (const char *to = from; to <= end; to++) {
         if ((to == end || report_frames_separator(to)) && report_frames_matches(pattern, from, to))
            return true;
      }
   }
   return false;
}

bool
report_label_parse(struct sim_report *r, const char *pattern, char *error, size_t error_size)
{
   r->label_wanted = strdup(pattern);
   if (!r->label_wanted)
      snprintf(error, error_size, "out of host memory");
   return r->label_wanted != NULL;
}

bool
report_work_wanted(const struct sim_report *r, const struct sim_work *work, uint32_t draws)
{
   if (r->label_wanted && !sim_report_label_matches(r->label_wanted, work->label))
      return false;
   bool wanted = !r->draws_wanted;
   for (unsigned i = 0; i < r->num_draws_wanted; i++) {
      const struct report_draws *d = &r->draws_wanted[i];
      wanted |= r->observed->frame == d->frame &&
                (work->kind == SIM_KIND_DRAW ? work->draw >= d->first && work->draw <= d->last
                                             : draws > d->first && draws <= d->last);
   }
   return wanted;
}

bool
report_window_open(struct sim_report *r)
{
   const bool frame = report_wants_rows(r) || r->frame_touched;
   bool open = (!r->draws_wanted && !r->label_wanted) || r->window_touched;
   r->window_touched = r->frame_touched = false;
   for (unsigned work_id = SIM_WORK_SHARED + 1;
        !open && work_id < r->measure->kernel->used_work_ids; work_id++) {
      const struct sim_work_state *s = &r->measure->work.state[work_id];
      open = s->used && !s->earlier && report_work_wanted(r, &s->work, s->draws);
   }
   return open && frame;
}
