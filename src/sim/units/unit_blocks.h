/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of blocks of surfaces by compression state, shared by the sheets of all units that
 * read surfaces (unit_blitter.h, unit_dac.h). */
#ifndef UNIT_BLOCKS_H
#define UNIT_BLOCKS_H

/* clang-format off */
/* These follow a statistic that counts all blocks. */
#define SIM_BLOCK_STATS(S, UNIT)                                                               \
   S(blocks_clear, "ColorStateBlocksClear", UNIT, "blocks of 8x8 pixels that were clear")      \
   S(blocks_best, "ColorStateBlocksCompressedBest", UNIT,                                      \
      "blocks of 8x8 pixels that had a quarter of their size")                                 \
   S(blocks_normal, "ColorStateBlocksCompressedNormal", UNIT,                                  \
      "blocks of 8x8 pixels that had half of their size")                                      \
   S(blocks_worst, "ColorStateBlocksCompressedWorst", UNIT,                                    \
      "blocks of 8x8 pixels that had three quarters of their size")                            \
   S(blocks_plain, "ColorStateBlocksUncompressed", UNIT,                                       \
      "blocks of 8x8 pixels that were not compressed")
/* clang-format on */

#endif
