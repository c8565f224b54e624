/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Listeners of a run, and the numbers of its frames and draws (sim_observer.h). Not here: numbers
 * of programs and bindings (sim_numbers.c), warnings (sim_warn.c). */
#include "measure/sim_observer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
sim_observe(struct sim_observed *o, struct sim_observer *listener)
{
   struct sim_observer **p = &o->first;
   while (*p)
      p = &(*p)->next;
   *p = listener;
   listener->next = NULL;
}

void
sim_observe_no_more(struct sim_observed *o, struct sim_observer *listener)
{
   for (struct sim_observer **p = &o->first; *p; p = &(*p)->next) {
      if (*p == listener) {
         *p = listener->next;
         return;
      }
   }
}

void
sim_observed_fini(struct sim_observed *o)
{
   free(o->frames);
   free(o->programs.entry);
   free(o->bindings.entry);
   for (uint32_t p = 0; p < o->num_costs; p++)
      free(o->costs[p].cost);
   free(o->costs);
}

bool
sim_observed_choose_frames(struct sim_observed *o, const char *list, char *error, size_t error_size)
{
   const char *p = list;
   free(o->frames);
   o->num_frames = 0;
   o->frames = calloc(strlen(list) + 1, sizeof(*o->frames));
   if (!o->frames) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   for (bool more = true; more; more = *p++ == ',') {
      struct sim_range *f = &o->frames[o->num_frames++];
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
sim_observed_wants_frame(const struct sim_observed *o)
{
   bool wanted = !o->frames;
   for (unsigned i = 0; i < o->num_frames; i++)
      wanted |= o->frame >= o->frames[i].first && o->frame <= o->frames[i].last;
   return wanted && o->frame >= o->first_frame;
}

bool
sim_observed_wants_image(const struct sim_observed *o)
{
   bool wanted = false;
   for (const struct sim_observer *l = o->first; l; l = l->next)
      wanted |= l->cls->wants_image && l->cls->wants_image(l);
   return wanted;
}

void
sim_observed_draw_begins(struct sim_observed *o, struct sim_draw_begins *draw)
{
   draw->number = o->draws;
   if (!o->passing)
      SIM_EVENT(o, draw_begins, draw);
   o->passed_draws += o->passing;
   o->draws++;
}

void
sim_observed_draw_progress(struct sim_observed *o, uint64_t done, uint64_t total)
{
   SIM_EVENT(o, draw_progress, done, total);
}

void
sim_observed_pass(struct sim_observed *o, const struct sim_seen_pass *pass)
{
   if (!o->passing && sim_observed_wants_frame(o))
      SIM_EVENT(o, pass, pass);
}

void
sim_observed_draw(struct sim_observed *o, const struct sim_work *draw)
{
   const struct sim_row row = {.work = draw, .number = draw->draw + 1, .draws = draw->draw + 1};
   if (!o->passing && sim_observed_wants_frame(o))
      SIM_EVENT(o, row, &row);
}

void
sim_observed_frame_ended(struct sim_observed *o, const struct sim_frame_end *given)
{
   struct sim_frame_end end = *given;
   end.passed = o->in_parts && end.tick == o->began;
   sim_observed_sum_costs(o);
   SIM_EVENT(o, frame_ended, &end);
   sim_observed_clear_costs(o);
   o->began = end.tick;
   o->frame++;
   o->draws = o->passed_draws = 0;
   SIM_EVENT(o, frame_began);
}

void
sim_observed_run_ended(struct sim_observed *o, sim_tick now)
{
   if (o->draws)
      sim_observed_frame_ended(o, &(struct sim_frame_end){.tick = now});
   SIM_EVENT(o, run_ended);
}
