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

/* Returns CAPTURE.index, to free; never NULL. */
char *attila_checkpoint_path(const char *capture_path);
/* Makes the key of an index of this capture with this machine. False with a message. */
bool attila_checkpoint_key(const struct sim_machine *m, struct sim_capture_reader *capture,
                           struct sim_index_key *key, char *error, size_t error_size);
/* Returns a hash of what determines the state that warming leaves in boxes. */
uint64_t attila_checkpoint_machine(struct sim_machine *m);
/* The same without a machine: key->pixels stays. */
bool attila_checkpoint_capture_key(struct sim_capture_reader *capture, struct sim_index_key *key,
                                   char *error, size_t error_size);
/* Returns why an index cannot be used; NULL: it can. */
const char *attila_checkpoint_differs(const struct sim_index_key *has,
                                      const struct sim_index_key *wants);

/* Where a frame begins in a capture, and what a replay remembers of what is before. */
struct attila_place {
   uint64_t record; /* sim_capture_tell before the record */
   uint64_t words;  /* words of the record before the frame */
   struct attila_orientation orientation;
};

/* Return the state of a machine in functional mode at a frame's beginning, which the caller frees:
 * all but memory and boxes; the boxes'. */
struct sim_state attila_checkpoint_save(struct sim_machine *m, const struct attila_place *place);
struct sim_state attila_checkpoint_save_machine(struct sim_machine *m);
/* Returns a byte per page of memory (SIM_INDEX_PAGE): 0: untouched zeros. To free; NULL: out of
 * host memory. */
uint8_t *attila_checkpoint_touched(struct sim_machine *m);

struct attila_checkpoints;

enum attila_checkpoint_result {
   ATTILA_CHECKPOINTS_OPEN,
   ATTILA_CHECKPOINTS_NONE,     /* there is no index */
   ATTILA_CHECKPOINTS_UNUSABLE, /* error says why */
};
/* For replays, which go on without if none is usable. A machine without boxes uses any machine's
 * checkpoints. */
enum attila_checkpoint_result attila_checkpoint_open(struct attila_checkpoints **checkpoints,
                                                     struct sim_machine *m,
                                                     const char *capture_path,
                                                     struct sim_capture_reader *capture,
                                                     char *error, size_t error_size);
/* Loads the latest checkpoint after frame `from` and not after `to`, if any: then *frame is its
 * frame, *place its place, and the capture is at its record. False with a message: the index is
 * damaged, and the machine unusable. */
bool attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                            uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                            char *error, size_t error_size);
void attila_checkpoint_close(struct attila_checkpoints *x);

#endif
