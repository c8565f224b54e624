/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Streamer Loader (box/geometry/sl.c). units.h says how to read it. */
#ifndef UNIT_SL_H
#define UNIT_SL_H

/* clang-format off */
#define SIM_UNIT_sl(U)                                                          \
   U("StreamerLoader", "SL#",                                                   \
      "Loads and converts vertex attributes (ISPASS 2006 section 2, Streamer)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_sl(P, B, T)                                                           \
   P(STREAMER, StreamerLoaderUnits, loaders, 1, 1, 16, "loaders",                        \
      "loaders, each with a queue and an input cache of its own")                        \
   P(STREAMER, SLIndicesCycle, loader_indices, 1, 1, 16, "vertices/cycle",               \
      "vertices that go into a loader, and out of it")                                   \
   P(STREAMER, SLAttributesCycle, attributes_cycle, 8, 1, 64, "attributes/cycle",        \
      "attributes that a loader converts")                                               \
   P(STREAMER, SLInputRequestQueueSize, loader_queue, 48, 1, 4096, "vertices",           \
      "vertices in a loader or waiting for it")                                          \
   P(STREAMER, SLInputCacheLines, cache_lines, 32, 1, 1024, "lines",                     \
      "lines of the vertex input cache (fully associative)")                             \
   P(STREAMER, SLInputCacheLineSize, cache_line_size, 256, 64, 256, "bytes",             \
      "size of a line of the vertex input cache")                                        \
   P(STREAMER, SLInputCachePortWidth, port_width, 16, 1, 256, "bytes/cycle",             \
      "width of each of SLAttributesCycle ports; lines are written through all of them") \
   P(STREAMER, SLInputCacheRequestQueueSize, cache_requests, 8, 1, 64, "requests",       \
      "misses of the vertex input cache whose line is not written yet")                  \
   P(STREAMER, SLInputCacheInputQueueSize, cache_input, 8, 1, 64, "requests",            \
      "lines of the vertex input cache that memory reads or that are being written")

#define SIM_STATS_sl(S)                                                                         \
   S(indices, "Indices", INDICES, "vertices received from the output cache")                    \
   S(inputs, "Inputs", VERTICES, "vertices sent to the shaders")                                \
   S(attributes, "MappedAttributes", COUNT,                                                     \
      "attributes that the vertex program reads, counted once a draw")                          \
   S(split, "SplittedAttributes", COUNT, "attributes that lie in two cache lines")              \
   S(fetches, "Fetches", COUNT, "cache lookups that were given a line")                         \
   S(no_fetches, "NoFetches", COUNT, "cache lookups that have to be repeated")                  \
   S(reads, "Reads", COUNT, "pieces of attributes read from the cache")                         \
   S(no_reads, "NoReads", COUNT, "reads of pieces that have to be repeated")                    \
   S(read_bytes, "ReadBytes", BYTES, "bytes of lines read from memory")                         \
   S(transactions, "MemTransactions", TRANSACTIONS,                                             \
      "transactions of 64 bytes that read from memory")                                         \
   S(stall_shader, "StallsShaderBusy", CYCLES, "a loaded vertex waited for the shaders")        \
   S(stall_data, "StallsAttributeData", CYCLES,                                                 \
      "the next attribute had not arrived from memory")                                         \
   S(hits, "HitsFetch_FC_InC", COUNT, "cache lookups that found their line, filled or not")     \
   S(misses, "MissesFetch_FC_InC", COUNT, "cache lookups that missed")                          \
   S(miss_ok, "MissOKFetch_FC_InC", LINES, "lines that a lookup requested from memory")         \
   S(miss_fail, "MissFailFetch_FC_InC", COUNT,                                                  \
      "cache lookups that missed and could not request their line")                             \
   S(fail_reserve, "MissFailReserveFetch_FC_InC", COUNT,                                        \
      "cache lookups that missed because every line was reserved")                              \
   S(fail_request, "MissFailReqQueueFetch_FC_InC", COUNT,                                       \
      "cache lookups that missed because the request queue was full")                           \
   S(reads_ok, "ReadsOK_FC_InC", COUNT, "reads of pieces of attributes")                        \
   S(reads_fail, "ReadsFail_FC_InC", COUNT,                                                     \
      "reads of a line that was not there, each cycle again")                                   \
   S(cache_bytes, "ReadBytes_FC_InC", BYTES, "bytes read from the cache")                       \
   S(unreserves, "Unreserves_FC_InC", COUNT, "pieces whose line is not needed any more")        \
   S(fill_bytes, "WriteBytes_FC_InC", BYTES, "bytes written into cache lines")

#define SIM_ENERGY_sl(A, E, D, N)                                                              \
   A(INPUT_CACHE, c->streamer.cache_lines * c->streamer.cache_line_size /                      \
      c->streamer.port_width, 8 * c->streamer.port_width, 1)                                   \
   A(INPUT_TAGS, c->streamer.cache_lines, 24, 1)                                               \
   E("Fetches", TagLookup, c->streamer.attributes_cycle, READ(INPUT_TAGS) + 0.25 *             \
      c->streamer.cache_lines * OP(integer_add), "tags, and a comparison with each line")      \
   E("ReadBytes_FC_InC", CacheRead, c->streamer.attributes_cycle * c->streamer.port_width,     \
      READ(INPUT_CACHE) / c->streamer.port_width, "a byte of a cache access")                  \
   E("WriteBytes_FC_InC", CacheWrite, c->streamer.port_width, WRITE(INPUT_CACHE) /             \
      c->streamer.port_width, "a byte of a cache access")                                      \
   E("Reads", Convert, c->streamer.attributes_cycle, 4 * OP(float_multiply),                   \
      "four components to floating point")                                                     \
   N("Indices Inputs MappedAttributes SplittedAttributes ReadBytes MemTransactions "           \
      "HitsFetch_* MissesFetch_* MissOKFetch_* ReadsOK_* Unreserves_*",                        \
      "parts and outcomes of Fetches, Reads and accesses by bytes (*Bytes_FC_InC)")            \
   N("NoFetches NoReads MissFail* ReadsFail_*", SIM_ENERGY_RETRY)

#define SIM_AREA_sl(U, IN)                                                                   \
   U(streamer, "Streamer", c->streamer.loaders, 8 * AREA_MAC,                                \
      AREA_CACHE_BITS(c->streamer.cache_lines, c->streamer.cache_line_size) + AREA_REQUEST * \
      c->streamer.loader_queue, 0,                                                           \
      "estimate: two conversions to four floats a cycle, its cache")

#define SIM_LIMITER_sl(L, W, C, M)                    \
   L(160, "attribute loader", geometry, sl_ffu, true) \
      W("Inputs", 1.0 / c->streamer.loader_indices)   \
      W("Reads", 1.0 / c->streamer.attributes_cycle)

#define SIM_IDEAL_sl(I)                                                                          \
   I(geometry, STREAMER, "SLIndicesCycle=16 SLAttributesCycle=64 SLInputRequestQueueSize=4096 "  \
      "SLInputCachePortWidth=256 SLInputCacheRequestQueueSize=64 SLInputCacheInputQueueSize=64") \
   I(caches, STREAMER, "SLInputCacheLines=1024")
/* clang-format on */

#endif
