/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What writer and reader of index files share: the layout (sim_index.h). */
#ifndef SIM_INDEX_IMPL_H
#define SIM_INDEX_IMPL_H

#include "capture/sim_index.h"

/* The head before every chunk; the struct has no padding. */
struct sim_index_head {
   uint32_t kind;
   uint32_t number;      /* SNAPSHOT, MACHINE: frame; PAGES: number of pages */
   uint64_t machine;     /* MACHINE */
   uint64_t raw, stored; /* bytes; stored ones follow */
   uint32_t crc;         /* of the stored bytes; PAGES: of the table */
   uint32_t head_crc;    /* of the head before it */
};
_Static_assert(sizeof(struct sim_index_head) == 40, "gaps");

struct sim_index_start {
   char magic[8];
   uint32_t version, page;
   struct sim_index_key key;
   uint32_t crc, zero;
};
_Static_assert(sizeof(struct sim_index_start) == 56, "gaps");
#define SIM_INDEX_START_CRC offsetof(struct sim_index_start, crc)

/* A table entry of a PAGES chunk. */
struct sim_index_page {
   struct sim_hash hash;
   uint64_t stored;
};

/* A chunk that the reader found. */
struct sim_index_chunk {
   struct sim_index_head head;
   uint64_t at; /* of its stored bytes */
};
struct sim_index_place {
   struct sim_hash hash;
   uint64_t at;
   uint32_t stored;
};

struct sim_index {
   char *path;
   int file;
   struct sim_index_info info;
   struct sim_index_chunk *chunk; /* SNAPSHOT and MACHINE */
   size_t num_chunks, max_chunks;
   struct sim_index_place *page;
   size_t num_pages, max_pages;
   uint64_t end; /* start of the END chunk */
};

#endif
