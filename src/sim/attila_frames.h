/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which frames are simulated in cycle mode, and by whom: this process from a frame on (hot start),
 * or worker processes, several at a time. Outside of these frames functional mode leads on. For
 * attila_sim.c, which calls all this with the simulator's lock held.
 */
#ifndef ATTILA_FRAMES_H
#define ATTILA_FRAMES_H

#include "attila_parts.h"

struct attila_window {
   uint32_t first, last; /* frames; UINT32_MAX: to the end */
};

/* "40-49,100-": ascending, without overlaps. NULL with a message; else to be freed. */
struct attila_window *attila_windows_parse(const char *list, unsigned *num, char *error,
                                           size_t error_size);

/* Words up to the end of the next frame, at most num_words, and whether one ends there. */
size_t attila_frames_part(const uint32_t *words, size_t num_words, bool *ends);

/* NULL with a message when the options contradict each other; NULL without one: every frame is
 * simulated here as the mode says. The strings of options live as long. */
struct attila_frames *attila_frames_create(const struct attila_sim_options *options, char *error,
                                           size_t error_size);
/* Whether the simulator begins in functional mode, and whether workers make the reports. */
bool attila_frames_warm(const struct attila_frames *f);
bool attila_frames_workers(const struct attila_frames *f);
/* NULL: frames are simulated as a whole. */
struct attila_parts *attila_frames_parts(const struct attila_frames *f);
/* The number of the first frame that is reported. */
uint32_t attila_frames_first(const struct attila_frames *f);
/* At the beginning of a frame: the first frame, from this one on, before which functional mode must
 * be at work; UINT32_MAX: there is none any more. */
uint32_t attila_frames_next(const struct attila_sim *sim, uint32_t frame);
/* Executes whole commands. False: the simulator has stopped. */
bool attila_frames_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words);
/* The program waits for a fence here. */
void attila_frames_wait(struct attila_sim *sim, uint64_t fence);
/* All commands have come: workers take what they have, and are waited for. */
void attila_frames_finish(struct attila_sim *sim);
void attila_frames_destroy(struct attila_frames *f);

/* attila_jobs.c: frames in parallel. */
struct attila_jobs;
struct attila_jobs *attila_jobs_create(const struct attila_sim_options *options, char *error,
                                       size_t error_size);
/* Before the first command of a frame: a worker for frames first to last begins here. */
void attila_jobs_start(struct attila_jobs *jobs, struct attila_sim *sim, uint32_t first,
                       uint32_t last);
/* What the workers that have not begun to simulate will replay. */
void attila_jobs_commands(struct attila_jobs *jobs, const uint32_t *words, size_t num_words);
void attila_jobs_wait(struct attila_jobs *jobs, uint64_t fence);
/* So many frames have ended: workers that have all of theirs begin to simulate. */
void attila_jobs_frames(struct attila_jobs *jobs, uint32_t frames);
/* Whether workers still wait for commands. */
bool attila_jobs_listen(const struct attila_jobs *jobs);
/* False: a worker failed, and what it wrote is not complete. */
bool attila_jobs_finish(struct attila_jobs *jobs);
void attila_jobs_destroy(struct attila_jobs *jobs);

#endif
