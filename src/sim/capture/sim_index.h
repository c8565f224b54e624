/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Index files: snapshots of a replay of a capture, so that a frame is reached without those before
 * it. Here: the file, which holds each distinct page of memory once, and state as bytes. Not here:
 * what these bytes mean (session/checkpoint/checkpoint.c).
 *
 *    header  "ATTILAIX", u32 version, u32 bytes of a page, struct sim_index_key, u32 CRC-32 of all
 *            that; little-endian
 *    chunks  struct sim_index_head (sim_index.c), then the stored bytes, compressed with zstd:
 *       PAGES     a table: hash and stored bytes of each page; then the pages, each compressed
 *       SNAPSHOT  of a frame's beginning: the references to its pages, and state
 *       MACHINE   of a frame's beginning: what the boxes of one kind of machine hold
 *       END       the file is complete
 *
 * Pages are numbered from 1 as they follow in the file; 0 is a page of zeros. */
#ifndef SIM_INDEX_H
#define SIM_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_state.h"

#define SIM_INDEX_MAGIC "ATTILAIX"
#define SIM_INDEX_VERSION 1u
#define SIM_INDEX_PAGE 16384u

/* What an index was made from. It is used only if all members are equal. */
struct sim_index_key {
   uint64_t capture_bytes, capture; /* size and fingerprint (sim_capture_fingerprint) */
   uint64_t sources;                /* the simulator's parts that determine the state */
   uint64_t pixels;                 /* parameters that change pixels */
};

enum sim_index_kind {
   SIM_INDEX_PAGES = 1,
   SIM_INDEX_SNAPSHOT,
   SIM_INDEX_MACHINE,
   SIM_INDEX_END,
};

/* --- Writing --- */

struct sim_index_writer;
/* Begins to write path.new, which becomes path when finished. Returns NULL with a message on
 * failure. */
struct sim_index_writer *sim_index_create(const char *path, const struct sim_index_key *key,
                                          char *error, size_t error_size);
struct sim_index;
/* Begins an index file with the contents of another index. */
struct sim_index_writer *sim_index_extend(const struct sim_index *x, char *error,
                                          size_t error_size);
/* Writes a snapshot: memory and state. touched: a byte per page; 0: the page is known to be
 * zeros. */
void sim_index_put_snapshot(struct sim_index_writer *w, uint32_t frame, const uint8_t *memory,
                            const uint8_t *touched, size_t num_pages,
                            const struct sim_state *state);
void sim_index_put_machine(struct sim_index_writer *w, uint32_t frame, uint64_t machine,
                           const struct sim_state *state);
uint64_t sim_index_written(const struct sim_index_writer *w);
/* Frees the writer. Returns false with a message if no index was written. keep false: discards
 * it. */
bool sim_index_finish(struct sim_index_writer *w, bool keep, char *error, size_t error_size);

/* --- Reading --- */

struct sim_index_info {
   struct sim_index_key key;
   uint64_t bytes, pages;
   uint32_t snapshots, machines; /* machines: distinct ones */
};

/* Returns NULL with a message if the file cannot be opened or is damaged. Sets *missing if it does
 * not exist. */
struct sim_index *sim_index_open(const char *path, bool *missing, char *error, size_t error_size);
void sim_index_close(struct sim_index *x);
const struct sim_index_info *sim_index_info(const struct sim_index *x);
const char *sim_index_path(const struct sim_index *x);
/* Returns whether the index has snapshots for a machine. */
bool sim_index_knows(const struct sim_index *x, uint64_t machine);
/* Finds the latest snapshot for a machine (NULL: for any) whose frame is above from and at most to.
 * Returns false if there is none. */
bool sim_index_find(const struct sim_index *x, const uint64_t *machine, uint32_t from, uint32_t to,
                    uint32_t *frame);
/* Returns the frame of snapshot i, in the order of frames. */
uint32_t sim_index_frame(const struct sim_index *x, uint32_t i);
/* Read the state of a snapshot, and of a machine; the caller frees its data. pages: a reference per
 * page of memory. Return false with a message if the file is damaged. */
bool sim_index_get_snapshot(const struct sim_index *x, uint32_t frame, struct sim_state *state,
                            uint32_t *pages, size_t num_pages, char *error, size_t error_size);
bool sim_index_get_machine(const struct sim_index *x, uint32_t frame, uint64_t machine,
                           struct sim_state *state, char *error, size_t error_size);
/* Loads the referenced pages into memory. touched: as above, for the present contents of memory. */
bool sim_index_get_memory(const struct sim_index *x, const uint32_t *pages, size_t num_pages,
                          uint8_t *memory, const uint8_t *touched, char *error, size_t error_size);

#endif
