/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Streamer Output Cache (box/geometry/stoc.c). units.h says how to read it. */
#ifndef UNIT_STOC_H
#define UNIT_STOC_H

/* clang-format off */
#define SIM_UNIT_stoc(U)                                                               \
   U("StreamerOutputCache", "StOC",                                                    \
      "Post shading vertex cache (ISPASS 2006 section 2, Streamer)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_stoc(P, B, T)                                                  \
   P(STREAMER, OutputFIFOSize, output_fifo, 48, 4, 4096, "vertices",              \
      "indices between output cache and commit")                                  \
   P(STREAMER, OutputMemorySize, output_memory, 48, 4, 4096, "vertices",          \
      "shaded vertices that are kept (post shading cache)")                       \
   B(STREAMER, OutputCacheKeeps, cache_keeps, 1,                                  \
      "shaded vertices stay until their place is needed; FALSE: until they are committed")

#define SIM_STATS_stoc(S)                                                       \
   S(indices, "Indices", INDICES, "indices looked up")                          \
   S(hits, "Hits", INDICES, "indices whose vertex is shaded or being shaded")   \
   S(misses, "Misses", INDICES, "indices sent to be loaded and shaded")         \
   S(stall_entry, "StallsNoEntry", CYCLES, "every entry waited for commit")     \
   S(stall_output, "StallsOutput", CYCLES, "the loader or commit took nothing")

#define SIM_ENERGY_stoc(A, E, D, N)                                             \
   A(VERTEX_TAGS, c->streamer.output_memory, 32, 1)                             \
   E("Indices", Lookup, c->streamer.indices_cycle, READ(VERTEX_TAGS) + 0.25 *   \
      c->streamer.output_memory * OP(integer_add),                              \
      "tags, and a comparison with each entry, most of which end after a byte") \
   N("Hits Misses", "what came of a look-up (Indices)")

#define SIM_AREA_stoc(U, IN)                                               \
   U(vertex_cache, "Post-shading cache", 1, 2 * AREA_MAC, AREA_VERTEX *    \
      c->streamer.output_memory + 32. * c->streamer.index_buffer, 0,       \
      "ISPASS 2006, Table 1: 16 attributes a vertex; estimate of control")

#define SIM_LIMITER_stoc(L, W, C, M)                \
   L(170, "vertex cache", geometry, stoc_sl, false) \
      W("Indices", 1.0 / c->streamer.indices_cycle)

#define SIM_IDEAL_stoc(I)                                             \
   I(geometry, STREAMER, "OutputFIFOSize=4096 OutputMemorySize=4096") \
   I(caches, STREAMER, "OutputMemorySize=4096 OutputCacheKeeps=TRUE")
/* clang-format on */

#endif
