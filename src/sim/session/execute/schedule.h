/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The schedule of a run, from its options: which frames, and which work in them, cycle mode
 * simulates, and whether worker processes do it. Functional mode executes the rest. This is plain
 * data for session/execute/executor.h. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "core/sim_range.h"
#include "options/attila_options.h"

enum sim_schedule_kind {
   SIM_SCHEDULE_DIRECT,  /* all is simulated here from a frame on */
   SIM_SCHEDULE_ROI,     /* regions of interest are simulated here */
   SIM_SCHEDULE_WORKERS, /* forked processes simulate frames, or regions of interest */
};

struct sim_schedule {
   enum sim_schedule_kind kind;
   bool functional; /* the run starts in functional mode */
   /* Frames that cycle mode simulates. */
   struct sim_range *frames;
   unsigned num_frames;
   uint32_t warm_up; /* frames before each range that are simulated but not reported */
   /* The region of interest in each frame: draws with these numbers, or work under this label. */
   bool roi;
   struct sim_range *draws; /* NULL: all */
   unsigned num_draws;
   const char *label; /* as sim_report_label_matches; NULL: any */
   /* Worker processes: how many run at a time; how many frames each simulates (0: a whole range, or
    * a single frame if the range is endless); the folder of their reports (NULL: options are only
    * checked). */
   uint32_t workers, worker_frames;
   const char *folder;
};

/* Reads a list such as "40-49,100-"; the caller frees the result. Returns NULL with a message if it
 * is wrong. */
struct sim_range *sim_schedule_frames(const char *list, unsigned *num, char *error,
                                      size_t error_size);
/* Returns false with a message if a list is wrong. The options must have passed sim_options_check;
 * their strings must outlive the schedule. */
bool sim_schedule_init(struct sim_schedule *s, const struct attila_sim_options *options,
                       char *error, size_t error_size);
void sim_schedule_fini(struct sim_schedule *s);

/* Returns whether cycle mode simulates the frame or a part of it. */
bool sim_schedule_has_frame(const struct sim_schedule *s, uint32_t frame);
/* Returns how many frames of a range one worker simulates. */
uint32_t sim_schedule_piece(const struct sim_schedule *s, const struct sim_range *range);
/* Returns the first frame, from this one on, before which functional mode must run; UINT32_MAX:
 * none. */
uint32_t sim_schedule_next(const struct sim_schedule *s, uint32_t frame);

#endif
