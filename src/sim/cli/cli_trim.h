/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Finds which pages of GPU memory commands access in functional mode, and what these pages held
 * before, for attila-sim trim (cli_trim.c). */
#ifndef CLI_TRIM_H
#define CLI_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_machine;

struct cli_trim_pages {
   uint8_t *memory; /* the memory of the machine */
   uint32_t memory_size;
   uint8_t *memory_before; /* [memory_size]: memory at the beginning */
   uint8_t *wanted;        /* [page]: whether it was accessed */
};

/* Notes accesses from now on. Returns false, with a message on stderr, if host memory is exhausted
 * or the system does not protect memory. A process can do this only once at a time. */
bool cli_trim_pages_begin(struct cli_trim_pages *p, struct sim_machine *m, uint8_t *memory,
                          uint32_t memory_size);
/* Notes an access to memory, after cli_trim_pages_begin. */
void cli_trim_pages_touch(struct cli_trim_pages *p, uint32_t address, uint64_t size);
/* Stops noting accesses; does nothing before cli_trim_pages_begin. */
void cli_trim_pages_end(struct cli_trim_pages *p);
/* Adds pages that were not accessed. */
void cli_trim_pages_want(struct cli_trim_pages *p, uint32_t address, uint32_t size);
/* Finds the first accessed pages from *address on that were not all zero: their address and size,
 * at most `most` bytes (a multiple of 4096). Pages of cli_trim_pages_want may be all zero. Returns
 * false if there are no more. */
bool cli_trim_pages_next(const struct cli_trim_pages *p, uint32_t *address, uint32_t *size,
                         uint32_t most);
/* Returns how many bytes cli_trim_pages_next finds in all. */
uint64_t cli_trim_pages_bytes(const struct cli_trim_pages *p);
void cli_trim_pages_fini(struct cli_trim_pages *p);

#endif
