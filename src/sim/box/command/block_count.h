/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of blocks by state, for the boxes of the command wing that read surfaces. The states
 * are in decode/sim_blocks.h. */
#ifndef BLOCK_COUNT_H
#define BLOCK_COUNT_H

#include <stdint.h>

/* Counts a block of which this many quarters (0..4) cross the pins. stats points to the struct of
 * statistics. */
#define COUNT_BLOCK(stats, quarters)                                                     \
   do {                                                                                  \
      uint64_t *const by_quarters[5] = {&(stats)->blocks_clear, &(stats)->blocks_best,   \
                                        &(stats)->blocks_normal, &(stats)->blocks_worst, \
                                        &(stats)->blocks_plain};                         \
      ++*by_quarters[quarters];                                                          \
   } while (0)

#endif
