/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which frames are simulated in cycle mode, and by whom: this process from a frame on (hot start),
 * or worker processes, several at a time. Outside of these frames functional mode leads on. For
 * session/session.c, which calls all this with the simulator's lock held.
 */
#ifndef ATTILA_FRAMES_H
#define ATTILA_FRAMES_H

#include "session/roi.h"

struct attila_window {
   uint32_t first, last; /* frames; UINT32_MAX: to the end */
};

/* "40-49,100-": ascending, without overlaps. NULL with a message; else to be freed. */
struct attila_window *attila_schedule_parse(const char *list, unsigned *num, char *error,
                                            size_t error_size);

/* Words up to the end of the next frame, at most num_words, and whether one ends there. */
size_t attila_schedule_part(const uint32_t *words, size_t num_words, bool *ends);

/* NULL with a message when the options contradict each other; NULL without one: every frame is
 * simulated here as the mode says. The strings of options live as long. */
struct attila_schedule *attila_schedule_create(const struct attila_sim_options *options,
                                               char *error, size_t error_size);
/* Whether the simulator begins in functional mode, and whether workers make the reports. */
bool attila_schedule_warm(const struct attila_schedule *f);
bool attila_schedule_workers(const struct attila_schedule *f);
/* NULL: frames are simulated as a whole. */
struct attila_roi *attila_schedule_parts(const struct attila_schedule *f);
/* The number of the first frame that is reported. */
uint32_t attila_schedule_first(const struct attila_schedule *f);
/* At the beginning of a frame: the first frame, from this one on, before which functional mode must
 * be at work; UINT32_MAX: there is none any more. */
uint32_t attila_schedule_next(const struct attila_sim *sim, uint32_t frame);
/* Executes whole commands. False: the simulator has stopped. */
bool attila_schedule_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words);
/* The program waits for a fence here. */
void attila_schedule_wait(struct attila_sim *sim, uint64_t fence);
/* All commands have come: workers take what they have, and are waited for. */
void attila_schedule_finish(struct attila_sim *sim);
void attila_schedule_destroy(struct attila_schedule *f);

/* session/workers.c: frames in parallel. */
struct attila_workers;
struct attila_workers *attila_workers_create(const struct attila_sim_options *options, char *error,
                                             size_t error_size);
/* Before the first command of a frame: a worker for frames first to last begins here. */
void attila_workers_start(struct attila_workers *jobs, struct attila_sim *sim, uint32_t first,
                          uint32_t last);
/* What the workers that have not begun to simulate will replay. */
void attila_workers_commands(struct attila_workers *jobs, const uint32_t *words, size_t num_words);
void attila_workers_wait(struct attila_workers *jobs, uint64_t fence);
/* So many frames have ended: workers that have all of theirs begin to simulate. */
void attila_workers_frames(struct attila_workers *jobs, uint32_t frames);
/* Whether workers still wait for commands. */
bool attila_workers_listen(const struct attila_workers *jobs);
/* False: a worker failed, and what it wrote is not complete. */
bool attila_workers_finish(struct attila_workers *jobs);
void attila_workers_destroy(struct attila_workers *jobs);

#endif
