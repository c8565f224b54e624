/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command streams of the fuzzer: where in memory they keep what, how they are made
 * (fuzz_commands_input.c), and what may be asked of one (fuzz_commands_judge.c). */
#ifndef FUZZ_COMMANDS_H
#define FUZZ_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Surfaces have room for 8 samples of 16 bytes. Nothing else is where they are. */
#define FUZZ_SIZE 32 /* pixels each way */
#define FUZZ_SURFACE (FUZZ_SIZE * FUZZ_SIZE * 8 * 16)
#define FUZZ_COLOR(i) (0x10000u + (i)*FUZZ_SURFACE) /* i 0, 1 */
#define FUZZ_ZS FUZZ_COLOR(2)
#define FUZZ_DATA FUZZ_COLOR(3) /* programs, vertices, texels: written before the first draw */
#define FUZZ_SCRATCH 0x200000u  /* blits and counters write here */
#define FUZZ_STREAM 0x300000u   /* stream-out writes here */
#define FUZZ_MEMORY 0x400000u   /* bytes that are compared */

#define FUZZ_DRAW_VERTICES 1000 /* more than these are skipped by the machine */

/* An input is one word of choices, then the stream. */
enum fuzz_choice { FUZZ_SMALL_MACHINE = 1, FUZZ_ONE_BY_ONE = 2 };

struct fuzz_verdict {
   bool quick; /* the stream's work is small enough to run it */
   /* Both modes leave the same memory: nothing is read that a cache may hold another version of, no
    * surface overlaps another one, no counter of time is written. */
   bool same_memory;
};
struct fuzz_verdict fuzz_judge(const uint32_t *words, size_t num);

#endif
