/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What attila-sim uses of a session besides attila_sim.h: machine, probes, checkpoints, schedule.
 * The driver includes only attila_sim.h. */
#ifndef ATTILA_SESSION_H
#define ATTILA_SESSION_H

#include "attila_sim.h"
#include "decode/sim_device.h"
#include "decode/sim_frontend.h"
#include "session/checkpoint/checkpoint.h"
#include "session/machine/probe.h"

struct sim_config;

/* Finds the first and the last frame of a list such as "40-49,100-". Returns false with a message
 * if the text is no such list. */
bool attila_session_frames(const char *list, uint32_t *first, uint32_t *last, char *error,
                           size_t error_size);
/* Returns the machine, for probes and checkpoints. */
struct sim_machine *attila_session_machine(struct attila_sim *sim);
/* Returns memory, front end, numbers of frames and draws; valid as long as the simulator. */
const struct sim_device *attila_session_device(struct attila_sim *sim);
const struct sim_config *attila_session_config(const struct attila_sim *sim);

/* Executes commands as attila_sim_submit does, without schedule and capture. */
bool attila_session_execute(struct attila_sim *sim, const uint32_t *words, size_t num_words);
/* At the beginning of a frame: returns the first frame from this one on that the schedule executes;
 * UINT32_MAX: none. */
uint32_t attila_session_next_frame(struct attila_sim *sim, uint32_t frame);
/* Omits frames before this one from reports. */
void attila_session_report_from(struct attila_sim *sim, uint32_t frame);
/* Cycles and time of frames as the record has them: without those of a warm-up, and those in which
 * the last command ends after the last frame. */
struct attila_frame_sum {
   struct sim_observer observer;
   const struct sim_observed *observed;
   const struct sim_measure *measure;
   uint64_t cycles; /* of the GPU clock */
   double ms;
};
/* Adds the frames that end from now on. The sum must stay as long as the simulator. */
void attila_session_sum_frames(struct attila_sim *sim, struct attila_frame_sum *sum);
/* Returns whether reports could not be written. */
bool attila_session_failed(const struct attila_sim *sim);
/* Simulates what is in flight and writes pending reports. Returns false if some are missing. */
bool attila_session_finish(struct attila_sim *sim);

#endif
