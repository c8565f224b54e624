/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Blitter (box/command/blitter.c). units.h says how to read it. */
#ifndef UNIT_BLITTER_H
#define UNIT_BLITTER_H

#include "units/unit_blocks.h"

/* clang-format off */
#define SIM_UNIT_blitter(U)                                                                   \
   U("Blitter", "Blitter",                                                                    \
      "Copies boxes of elements between surfaces (the Bit Blit unit of the ATTILA releases)", \
      "the blit")

#define SIM_STATS_blitter(S)                                                                 \
   S(blits, "Blits", COMMANDS, "blit commands executed")                                     \
   S(averaged, "SamplesAveraged", SAMPLES, "samples added up by resolves")                   \
   S(elements, "ElementsCopied", TEXELS, "elements copied")                                  \
   S(read_blocks, "ReadBlocks", TRANSACTIONS, "256-byte blocks read, whole or in part")      \
   SIM_BLOCK_STATS(S, TRANSACTIONS)                                                          \
   S(written_blocks, "WrittenBlocks", TRANSACTIONS, "writes of contiguous bytes of a block") \
   S(read_bytes, "ReadBytes", BYTES, "bytes read from memory")                               \
   S(written_bytes, "WriteBytes", BYTES, "bytes written to memory")                          \
   S(busy, "BlitCycles", CYCLES, "cycles with a blit under way")

#define SIM_ENERGY_blitter(A, E, D, N)                                             \
   E("ReadBytes", Read, 16, 16 * OP(latch_bit), "a byte in and out of a buffer")   \
   E("WriteBytes", Write, 16, 16 * OP(latch_bit), "a byte in and out of a buffer") \
   E("SamplesAveraged", Average, 4, 4 * OP(byte_add), "four components")           \
   N("Blits ElementsCopied ReadBlocks WrittenBlocks ColorStateBlocks*",            \
      "parts of ReadBytes and WriteBytes")

#define SIM_AREA_blitter(U, IN) \
   IN(display)

#define SIM_LIMITER_blitter(L, W, C, M) \
   L(20, "blitter", memory, NONE, true)

#define SIM_IDEAL_blitter(I)
/* clang-format on */

#endif
