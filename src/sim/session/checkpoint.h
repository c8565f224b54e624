/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Snapshots of a simulator in functional mode, in an index beside a capture: a later replay jumps
 * to a frame's beginning instead of executing all before it. Nothing that follows depends on
 * whether it did. For the attila-sim program.
 */
#ifndef ATTILA_INDEX_H
#define ATTILA_INDEX_H

#include "session/orientation.h"
#include "session/machine.h"
#include "capture/sim_index.h"

/* A hash of the sources that snapshots depend on (scripts/lib/source_hash.py). */
extern const uint64_t attila_checkpoint_sources;

/* CAPTURE.index; false: the path is too long. */
bool attila_checkpoint_path(const char *capture_path, char *path, size_t size);
/* What an index of this capture, by this simulator, is of; the machine's part of it. False with a
 * message. */
bool attila_checkpoint_key(const struct attila_sim *sim, struct sim_capture_reader *capture,
                           struct sim_index_key *key, char *error, size_t error_size);
uint64_t attila_checkpoint_machine(struct attila_sim *sim);
/* The same for who knows no machine: key->pixels is left as it is. */
bool attila_checkpoint_capture_key(struct sim_capture_reader *capture, struct sim_index_key *key,
                                   char *error, size_t error_size);
/* Why an index is not of what it should be; NULL: it is. */
const char *attila_checkpoint_differs(const struct sim_index_key *has,
                                      const struct sim_index_key *wants);

/* Where in a capture a frame begins, and what whoever replays it remembers of all before. */
struct attila_place {
   uint64_t record; /* sim_capture_tell before the record */
   uint64_t words;  /* of it that are before the frame */
   struct attila_orientation origins;
};

/* A simulator at a frame's beginning, in functional mode with a machine to carry on to: what is
 * saved, which the caller frees. */
struct sim_state attila_checkpoint_save(struct attila_sim *sim, const struct attila_place *place);
struct sim_state attila_checkpoint_save_machine(struct attila_sim *sim);
/* A byte for each page of memory (SIM_INDEX_PAGE): 0 if nothing has touched it yet, so that it
 * holds zeros. To be freed; NULL: out of host memory. */
uint8_t *attila_checkpoint_touched(const struct attila_sim *sim);

/* For replays. NULL: there is none, or (with a message in error, else "") it cannot be used; the
 * replay then does without. A simulator of functional mode alone uses one of any machine. */
struct attila_checkpoints;
struct attila_checkpoints *attila_checkpoint_open(struct attila_sim *sim, const char *capture_path,
                                                  struct sim_capture_reader *capture, char *error,
                                                  size_t error_size);
/* Goes on to the latest snapshot after frame `from` that is not after `to`, if there is one: then
 * *frame is its frame, and *place says where it begins: the capture is at its record. False, with a
 * message: the index is damaged, and the simulator is of no use any more. */
bool attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                            uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                            char *error, size_t error_size);
void attila_checkpoint_close(struct attila_checkpoints *x);

#endif
