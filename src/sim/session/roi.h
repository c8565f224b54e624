/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parts of frames in cycle mode: draws by their numbers, or what the program calls so. For
 * session/schedule.c and session/workers.c; the simulator's lock is held. Not here: which frames.
 */
#ifndef ATTILA_PARTS_H
#define ATTILA_PARTS_H

#include "session/machine.h"

struct attila_roi;

/* draws: "40-59,70-"; label: as sim_report_label_matches; NULL: all. Both live as long. With both,
 * what both choose. look: no mode changes, this process only finds out what there is. NULL with a
 * message. */
struct attila_roi *attila_roi_create(const char *draws, const char *label, bool look, char *error,
                                     size_t error_size);
void attila_roi_destroy(struct attila_roi *p);
/* In a process that was forked from one that only looks: from now on modes do change. */
void attila_roi_simulate(struct attila_roi *p);
/* Executes whole commands of one frame in functional mode, and those of parts in cycle mode. False:
 * the simulator has stopped. */
bool attila_roi_execute(struct attila_roi *p, struct attila_sim *sim, const uint32_t *words,
                        size_t num_words);
/* The run ends: tells the user, once, which parts never came. */
void attila_roi_finish(struct attila_roi *p, struct attila_sim *sim);

#endif
