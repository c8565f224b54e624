/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Streamer Fetch (box/geometry/stf.c). units.h says how to read it. */
#ifndef UNIT_STF_H
#define UNIT_STF_H

/* clang-format off */
#define SIM_UNIT_stf(U)                                                                       \
   U("StreamerFetch", "StF", "Reads the indices of a draw (ISPASS 2006 section 2, Streamer)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_stf(P, B, T)                                                                 \
   P(STREAMER, IndicesCycle, indices_cycle, 1, 1, 16, "indices/cycle",                          \
      "indices that are fetched and looked up")                                                 \
   P(STREAMER, IndexBufferSize, index_buffer, 2048, 64, 65536, "bytes",                         \
      "index data on the way or waiting")

#define SIM_STATS_stf(S)                                                                    \
   S(indices_sent, "IndexesSent", INDICES, "indices and restarts sent to the output cache") \
   S(transactions, "MemoryTransactions", TRANSACTIONS, "index data requests")               \
   S(read_bytes, "ReadBytes", BYTES, "index data read")                                     \
   S(stall_data, "StallsIndexData", CYCLES, "the next index had not arrived from memory")   \
   S(stall_output, "StallsOutput", CYCLES, "the output cache took nothing")

#define SIM_ENERGY_stf(A, E, D, N)                                                              \
   A(INDEX_BUFFER, c->streamer.index_buffer / 4, 32, 1)                                         \
   E("IndexesSent", Index, c->streamer.indices_cycle, READ(INDEX_BUFFER) + WRITE(INDEX_BUFFER), \
      "in and out of the index buffer")                                                         \
   N("MemoryTransactions ReadBytes",                                                            \
      "IndexesSent has the buffer's part; the memory controller charges what is read")

#define SIM_AREA_stf(U, IN) \
   IN(streamer)

#define SIM_LIMITER_stf(L, W, C, M)                \
   L(180, "index fetch", geometry, stf_stoc, true) \
      W("IndexesSent", 1.0 / c->streamer.indices_cycle)

#define SIM_IDEAL_stf(I)                                          \
   I(geometry, STREAMER, "IndicesCycle=16 IndexBufferSize=65536")
/* clang-format on */

#endif
