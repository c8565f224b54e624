/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of blocks by their state, the same for everybody of the command wing who reads
 * surfaces. What a state is: decode/sim_blocks.h.
 */
#ifndef BLOCK_COUNT_H
#define BLOCK_COUNT_H

#include <stdint.h>

/* Counts a block that so many quarters (0..4) of cross the pins; stats: a pointer to the struct. */
#define COUNT_BLOCK(stats, quarters)                                                     \
   do {                                                                                  \
      uint64_t *const by_quarters[5] = {&(stats)->blocks_clear, &(stats)->blocks_best,   \
                                        &(stats)->blocks_normal, &(stats)->blocks_worst, \
                                        &(stats)->blocks_plain};                         \
      ++*by_quarters[quarters];                                                          \
   } while (0)

#endif
