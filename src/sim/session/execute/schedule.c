/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Schedules (schedule.h). */
#include "session/execute/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim_range *
sim_schedule_frames(const char *list, unsigned *num, char *error, size_t error_size)
{
   struct sim_range *frames = sim_range_list(list, num);
   /* A range cannot begin with the highest number, which stands for "no end". */
   if (frames && frames[*num - 1].first != UINT32_MAX)
      return frames;
   free(frames);
   snprintf(error, error_size,
            "\"%.100s\" is not a list of frames such as 40-49,100-: ascending ranges", list);
   return NULL;
}

bool
sim_schedule_init(struct sim_schedule *s, const struct attila_sim_options *o, char *error,
                  size_t error_size)
{
   const bool functional = o->mode == ATTILA_MODE_FUNCTIONAL;
   *s = (struct sim_schedule){
       .functional = functional,
       .warm_up = o->warm_up,
       .roi = attila_sim_wants_parts(o),
       .label = o->cycle_label,
       .workers = o->jobs,
       .worker_frames = o->job_frames,
       .folder = o->out_dir,
   };
   if (functional)
      return true;
   s->frames = sim_schedule_frames(o->cycle_frames ? o->cycle_frames : "0-", &s->num_frames, error,
                                   error_size);
   if (!s->frames)
      return false;
   if (o->cycle_draws && !(s->draws = sim_range_list(o->cycle_draws, &s->num_draws))) {
      snprintf(error, error_size,
               "\"%.100s\" is not a list of draws of a frame such as 40-59,70,100-: ascending "
               "ranges from 0 on",
               o->cycle_draws);
      return false;
   }
   if (!s->workers && !s->roi && s->num_frames > 1) {
      snprintf(error, error_size, "several ranges of frames in cycle mode need workers (--jobs)");
      return false;
   }
   s->kind = s->workers ? SIM_SCHEDULE_WORKERS : s->roi ? SIM_SCHEDULE_ROI : SIM_SCHEDULE_DIRECT;
   s->functional = s->workers || s->roi || s->frames[0].first > s->warm_up;
   return true;
}

void
sim_schedule_fini(struct sim_schedule *s)
{
   free(s->frames);
   free(s->draws);
}

bool
sim_schedule_has_frame(const struct sim_schedule *s, uint32_t frame)
{
   return sim_range_find(s->frames, s->num_frames, frame, frame) < s->num_frames;
}

uint32_t
sim_schedule_piece(const struct sim_schedule *s, const struct sim_range *range)
{
   return s->worker_frames            ? s->worker_frames
          : range->last == UINT32_MAX ? 1
                                      : range->last - range->first + 1;
}

/* Returns the start of a range's first piece whose warm-up begins at this frame or later. */
static uint32_t
schedule_next_piece(const struct sim_schedule *s, const struct sim_range *r, uint32_t frame)
{
   const uint64_t length = sim_schedule_piece(s, r), ready = (uint64_t)frame + s->warm_up;
   const uint64_t before = ready > r->first ? (ready - r->first + length - 1) / length : 0;
   const uint64_t first = r->first + before * length;
   if (first > r->last)
      return UINT32_MAX;
   return first > s->warm_up ? (uint32_t)(first - s->warm_up) : 0;
}

uint32_t
sim_schedule_next(const struct sim_schedule *s, uint32_t frame)
{
   uint32_t next = UINT32_MAX;
   if (s->roi && sim_schedule_has_frame(s, frame))
      return frame;
   for (unsigned i = 0; i < s->num_frames; i++) {
      const uint32_t at = schedule_next_piece(s, &s->frames[i], frame);
      next = at < next ? at : next;
   }
   return next;
}
