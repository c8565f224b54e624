/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The schedule of a run, read from its options: which frames, and which work in them, cycle mode
 * simulates, and whether worker processes do it. Functional mode executes the rest. A schedule is
 * plain data; session/execute/executor.h acts on it.
 */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "core/sim_range.h"
#include "options/attila_options.h"

enum sim_schedule_kind {
   SIM_SCHEDULE_DIRECT,  /* from a frame on everything is simulated here */
   SIM_SCHEDULE_ROI,     /* regions of interest in frames are simulated here */
   SIM_SCHEDULE_WORKERS, /* forked processes simulate frames, or regions of interest in them */
};

struct sim_schedule {
   enum sim_schedule_kind kind;
   bool functional; /* the run begins in functional mode */
   /* Frames that cycle mode simulates. */
   struct sim_range *frames;
   unsigned num_frames;
   uint32_t warm_up; /* as many frames before each range are simulated, too, but not reported */
   /* The region of interest in each of these frames: draws with these numbers, which have this
    * label. */
   bool roi;
   struct sim_range *draws; /* NULL: all */
   unsigned num_draws;
   const char *label; /* as sim_report_label_matches; NULL: any */
   /* Worker processes: how many at a time, frames of each (0: a whole range, one frame of a range
    * without end), folder of their reports (NULL: there will be none, options are only checked). */
   uint32_t workers, worker_frames;
   const char *folder;
};

/* "40-49,100-", to be freed. NULL with a message. */
struct sim_range *sim_schedule_frames(const char *list, unsigned *num, char *error,
                                      size_t error_size);
/* False, with a message: a list is wrong. The options passed sim_options_check; their strings live
 * as long as the schedule. */
bool sim_schedule_init(struct sim_schedule *s, const struct attila_sim_options *options,
                       char *error, size_t error_size);
void sim_schedule_fini(struct sim_schedule *s);

/* Whether cycle mode simulates the frame, or parts of it. */
bool sim_schedule_has_frame(const struct sim_schedule *s, uint32_t frame);
/* Frames that one worker simulates of a range. */
uint32_t sim_schedule_piece(const struct sim_schedule *s, const struct sim_range *range);
/* The first frame, from this one on, before which functional mode must be at work; UINT32_MAX:
 * there is none any more. */
uint32_t sim_schedule_next(const struct sim_schedule *s, uint32_t frame);

#endif
