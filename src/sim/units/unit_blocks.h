/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of blocks of surfaces by compression state, shared by the sheets of all units that
 * read surfaces (unit_blitter.h, unit_dac.h). */
#ifndef UNIT_BLOCKS_H
#define UNIT_BLOCKS_H

/* clang-format off */
/* They follow a statistic that counts all blocks. */
#define SIM_BLOCK_STATS(S, UNIT)                                                               \
   S(blocks_clear, "ColorStateBlocksClear", UNIT, "of those: clear")                           \
   S(blocks_best, "ColorStateBlocksCompressedBest", UNIT, "of those: a quarter of their size") \
   S(blocks_normal, "ColorStateBlocksCompressedNormal", UNIT, "of those: half of their size")  \
   S(blocks_worst, "ColorStateBlocksCompressedWorst", UNIT, "of those: three quarters of it")  \
   S(blocks_plain, "ColorStateBlocksUncompressed", UNIT, "of those: not compressed")
/* clang-format on */

#endif
