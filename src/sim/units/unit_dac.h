/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the DAC (box/command/dac.c). units.h says how to read it. */
#ifndef UNIT_DAC_H
#define UNIT_DAC_H

#include "units/unit_blocks.h"

/* clang-format off */
#define SIM_UNIT_dac(U)                                                                        \
   U("DAC", "DAC", "Reads the surface that is shown, and ends frames (ISPASS 2006 section 2)", \
      "the swap")

#define SIM_PARAMS_DAC(P, B, T)                                                                 \
   P(DAC, BlockRequestQueueSize, requests, 32, 1, 256, "blocks",                                \
      "blocks queued or on their way; the Blitter has a queue of the same size")                \
   P(DAC, BlockUpdateLatency, state_latency, 1, 0, 1000, "cycles",                              \
      "time until the block states of the ROPs arrive")                                         \
   P(DAC, BlocksUpdatedPerCycle, states_cycle, 1024, 1, 65536, "blocks/cycle",                  \
      "blocks whose states arrive")                                                             \
   P(DAC, DecompressionUnitLatency, decompress_latency, 1, 1, 100, "cycles",                    \
      "time to decompress blocks, BlocksPerCycle of them together")                             \
   P(DAC, BlocksPerCycle, blocks_cycle, 1, 1, 256, "blocks/cycle",                              \
      "blocks that are queued, and decompressed together")                                      \
   P(DAC, RefreshRate, refresh_rate, 5000000, 1000, 1000000000, "cycles",                       \
      "interval between refreshes, unless SynchedRefresh")                                      \
   B(DAC, SynchedRefresh, synched, 1, "a swap reads the surface once and ends when it is read") \
   B(DAC, RefreshFrame, refresh, 1, "the DAC reads surfaces; FALSE: it reads nothing")

#define SIM_STATS_dac(S)                                                                        \
   S(frames, "Frames", COUNT, "surfaces swapped in")                                            \
   S(refreshes, "Refreshes", COUNT, "times a surface was read")                                 \
   S(blocks, "ColorStateBlocksTotal", LINES,                                                    \
      "blocks of 8x8 pixels that left the decompressor, of whole squares of 64x64")             \
   SIM_BLOCK_STATS(S, LINES)                                                                    \
   S(requests, "ReadTransactions", TRANSACTIONS, "memory requests")                             \
   S(read_bytes, "ReadBytes", BYTES, "bytes read over the memory pins")                         \
   S(busy, "ScanOutCycles", CYCLES, "cycles with a refresh under way")                          \
   S(pending, "PendingRequests", COUNT, "memory requests on their way, summed over cycles")

#define SIM_ENERGY_dac(A, E, D, N)                                                \
   E("ReadBytes", Pixel, 4, 16 * OP(latch_bit), "a byte in and out of a buffer")  \
   D("ReadBytes", Display, d.bus_byte, "a byte goes to the display")              \
   N("Frames Refreshes ReadTransactions ColorStateBlocks*", "parts of ReadBytes") \
   N("PendingRequests", SIM_ENERGY_LEVEL)

#define SIM_AREA_dac(U, IN)                                                          \
   U(display, "DAC and blitter", 1, 2000, AREA_TRANSACTION * 8 * c->dac.requests, 0, \
      "estimate: two DMA engines, a scan-out, what a display needs")

#define SIM_LIMITER_dac(L, W, C, M) \
   L(10, "DAC", dac, NONE, true)

#define SIM_IDEAL_dac(I)                                                                     \
   I(dac, DAC, "BlockRequestQueueSize=256 BlockUpdateLatency=0 BlocksUpdatedPerCycle=65536 " \
      "DecompressionUnitLatency=1 BlocksPerCycle=256")
/* clang-format on */

#endif
