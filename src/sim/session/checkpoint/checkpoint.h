/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Checkpoints of a machine in functional mode, in an index beside a capture: a later replay jumps
 * to a frame's beginning instead of executing all before it. Results do not depend on whether it
 * did. For attila-sim (session.h). Not here: the file (capture/sim_index.h).
 */
#ifndef ATTILA_CHECKPOINT_H
#define ATTILA_CHECKPOINT_H

#include "capture/sim_capture.h"
#include "capture/sim_index.h"
#include "session/checkpoint/orientation.h"

struct sim_machine;

/* A hash of the sources that checkpoints depend on (scripts/lib/source_hash.py). */
extern const uint64_t attila_checkpoint_sources;

/* CAPTURE.index, to be freed; never NULL. */
char *attila_checkpoint_path(const char *capture_path);
/* The key of an index of this capture, made with this machine. False with a message. */
bool attila_checkpoint_key(const struct sim_machine *m, struct sim_capture_reader *capture,
                           struct sim_index_key *key, char *error, size_t error_size);
/* A hash of what decides which state warming leaves in the boxes. */
uint64_t attila_checkpoint_machine(struct sim_machine *m);
/* Without a machine: key->pixels is left as it is. */
bool attila_checkpoint_capture_key(struct sim_capture_reader *capture, struct sim_index_key *key,
                                   char *error, size_t error_size);
/* Why an index cannot be used; NULL: it can. */
const char *attila_checkpoint_differs(const struct sim_index_key *has,
                                      const struct sim_index_key *wants);

/* Where in a capture a frame begins, and what a replay remembers of all before. */
struct attila_place {
   uint64_t record; /* sim_capture_tell before the record */
   uint64_t words;  /* of it that are before the frame */
   struct attila_orientation orientation;
};

/* The state of a machine in functional mode at a frame's beginning, which the caller frees: all but
 * memory and boxes; the boxes. */
struct sim_state attila_checkpoint_save(struct sim_machine *m, const struct attila_place *place);
struct sim_state attila_checkpoint_save_machine(struct sim_machine *m);
/* A byte for each page of memory (SIM_INDEX_PAGE): 0 if nothing has touched it yet, so that it
 * holds zeros. To be freed; NULL: out of host memory. */
uint8_t *attila_checkpoint_touched(struct sim_machine *m);

struct attila_checkpoints;

enum attila_checkpoint_result {
   ATTILA_CHECKPOINTS_OPEN,
   ATTILA_CHECKPOINTS_NONE,     /* there is no index */
   ATTILA_CHECKPOINTS_UNUSABLE, /* error says why */
};
/* For replays, which do without if none can be used. A machine without boxes uses checkpoints of
 * any machine. */
enum attila_checkpoint_result attila_checkpoint_open(struct attila_checkpoints **checkpoints,
                                                     struct sim_machine *m,
                                                     const char *capture_path,
                                                     struct sim_capture_reader *capture,
                                                     char *error, size_t error_size);
/* Loads the latest checkpoint after frame `from` that is not after `to`, if there is one: then
 * *frame is its frame, and *place says where it begins: the capture is at its record. False, with a
 * message: the index is damaged, and the machine cannot be used any more. */
bool attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                            uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                            char *error, size_t error_size);
void attila_checkpoint_close(struct attila_checkpoints *x);

#endif
