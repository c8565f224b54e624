/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Checkpoints of a machine in functional mode, in an index beside a capture: a later replay jumps
 * to a frame's beginning instead of executing all before it, with the same results. For attila-sim
 * (session.h). Not here: the file (capture/sim_index.h). */
#ifndef ATTILA_CHECKPOINT_H
#define ATTILA_CHECKPOINT_H

#include "capture/sim_capture.h"
#include "capture/sim_index.h"
#include "session/checkpoint/orientation.h"

struct sim_machine;

/* A hash of the sources on which checkpoints depend (scripts/lib/source_hash.py). */
extern const uint64_t attila_checkpoint_sources;

/* Returns the path CAPTURE.index, which the caller frees; never NULL. */
char *attila_checkpoint_path(const char *capture_path);
/* Makes the key of an index of this capture with this machine. Returns false with a message on
 * failure. */
bool attila_checkpoint_key(const struct sim_machine *m, struct sim_capture_reader *capture,
                           struct sim_index_key *key, char *error, size_t error_size);
/* Returns a hash of what determines the state that warming leaves in boxes. */
uint64_t attila_checkpoint_machine(struct sim_machine *m);
/* The same as attila_checkpoint_key without a machine: key->pixels keeps its value. */
bool attila_checkpoint_capture_key(struct sim_capture_reader *capture, struct sim_index_key *key,
                                   char *error, size_t error_size);
/* Returns why an index cannot be used, or NULL if it can. */
const char *attila_checkpoint_differs(const struct sim_index_key *has,
                                      const struct sim_index_key *wants);

/* Where a frame begins in a capture, and what a replay must know of the frames before. */
struct attila_place {
   uint64_t record; /* sim_capture_tell before the record */
   uint64_t words;  /* words of the record before the frame */
   struct attila_orientation orientation;
};

/* Return the state of a machine in functional mode at the beginning of a frame, which the caller
 * frees: the first function all but memory and boxes, the second one the state of the boxes. */
struct sim_state attila_checkpoint_save(struct sim_machine *m, const struct attila_place *place);
struct sim_state attila_checkpoint_save_machine(struct sim_machine *m);
/* Returns a byte per page of memory (SIM_INDEX_PAGE), which is 0 if the page still holds its first
 * zeros. The caller frees it; NULL: host memory is exhausted. */
uint8_t *attila_checkpoint_touched(struct sim_machine *m);

struct attila_checkpoints;

enum attila_checkpoint_result {
   ATTILA_CHECKPOINTS_OPEN,
   ATTILA_CHECKPOINTS_NONE,     /* there is no index */
   ATTILA_CHECKPOINTS_UNUSABLE, /* error says why */
};
/* Opens the checkpoints of a capture for a replay, which goes on without them if they are unusable.
 * A machine without boxes can use the checkpoints of any machine. */
enum attila_checkpoint_result attila_checkpoint_open(struct attila_checkpoints **checkpoints,
                                                     struct sim_machine *m,
                                                     const char *capture_path,
                                                     struct sim_capture_reader *capture,
                                                     char *error, size_t error_size);
/* Loads the latest checkpoint after frame `from` and not after `to`, if there is one. Sets *frame
 * and *place to it, and moves the capture to its record. Returns false with a message if the index
 * is damaged; the machine is then unusable. */
bool attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                            uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                            char *error, size_t error_size);
void attila_checkpoint_close(struct attila_checkpoints *x);

#endif
