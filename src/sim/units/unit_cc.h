/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Constant Cache (box/shader/cc.c). units.h says how to read it. The papers'
 * machine has constants in registers only, so this cache is small by default, 2 KB; a
 * multiprocessor of a G80 works with 8 KB. As on a G80, different words take turns (CUDA C
 * Programming Guide 4.2, table F-2 and section 5.3.2.4). Ways, lines, latency, queues: our
 * choice. */
#ifndef UNIT_CC_H
#define UNIT_CC_H

#include "units/replacements.h"

/* clang-format off */
#define SIM_UNIT_cc(U)                                                                       \
   U("ConstantCache", "CC-FS#", "constants that shaders load from memory, with their cache", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_cc(P, B, T)                                                                  \
   P(FRAGMENTSHADER, ConstantCacheLineSize, cc_line_size, 64, 64, 256, "bytes",                 \
      "size of a line of the constant cache (power of 2)")                                      \
   P(FRAGMENTSHADER, ConstantCacheWays, cc_ways, 4, 1, 64, "ways",                              \
      "ways of the constant cache of each shader")                                              \
   P(FRAGMENTSHADER, ConstantCacheLines, cc_sets, 8, 1, 1024, "sets",                           \
      "lines in a way of the constant cache (power of 2)")                                      \
   P(FRAGMENTSHADER, ConstantCacheReplacement, cc_replacement, 0, 0, SIM_NUM_REPLACEMENTS - 1,  \
      "policy", SIM_REPLACEMENTS_DOC)                                                           \
   P(FRAGMENTSHADER, ConstantCachePortWidth, cc_port_width, 16, 16, 64, "bytes",                \
      "aligned bytes read in a cycle for all inputs that need some of them (power of 2)")       \
   P(FRAGMENTSHADER, ConstantCacheLatency, cc_latency, 4, 1, 100, "cycles",                     \
      "time from a look-up to reading the line")                                                \
   P(FRAGMENTSHADER, ConstantCacheRequestQueueSize, cc_queue, 8, 1, 256, "groups",              \
      "thread groups in the constant cache or waiting for it")                                  \
   P(FRAGMENTSHADER, ConstantCacheWindow, cc_window, 16, 1, 256, "look-ups",                    \
      "look-ups whose bytes are not read yet; they are read in order")                          \
   P(FRAGMENTSHADER, ConstantCacheMisses, cc_misses, 4, 1, 64, "lines",                         \
      "lines of the constant cache that are requested from memory at once")

#define SIM_STATS_cc(S)                                                                           \
   S(requests, "Requests", REQUESTS, "loads of thread groups")                                    \
   S(inputs, "LoadedInputs", COUNT, "inputs of thread groups whose load reads something")         \
   S(outside, "OutsideRequests", REQUESTS, "loads that lie completely outside of their buffers")  \
   S(latency, "ResultLatency", CYCLES, "time of loads from arrival to answer, summed over loads") \
   S(fetches, "Fetches", COUNT, "look-ups that were given a line")                                \
   S(hits, "HitsFetch", COUNT, "look-ups that found their line, filled or not")                   \
   S(misses, "MissesFetch", LINES, "lines that a look-up requested from memory")                  \
   S(fail_misses, "MissFailReqQueueFetch", CYCLES,                                                \
      "a look-up waited because ConstantCacheMisses lines were requested")                        \
   S(fail_pinned, "MissFailReserveFetch", CYCLES,                                                 \
      "a look-up waited because every line of its set was in use")                                \
   S(stall_window, "StallsWindow", CYCLES,                                                        \
      "a look-up waited because ConstantCacheWindow look-ups had not been read")                  \
   S(reads, "Reads", COUNT, "look-ups whose bytes were read")                                     \
   S(stall_data, "StallsData", CYCLES, "the next read waited for its line from memory")           \
   S(cache_bytes, "ReadBytes_FC", BYTES, "bytes read from the cache")                             \
   S(fill_bytes, "WriteBytes_FC", BYTES, "bytes written into lines")                              \
   S(transactions, "MemTransactions", TRANSACTIONS,                                               \
      "transactions of 64 bytes that read from memory")                                           \
   S(read_bytes, "ReadBytes", BYTES, "bytes read from memory")

#define SIM_ENERGY_cc(A, E, D, N)                                                              \
   A(CONSTANT_CACHE, c->shader.cc_line_size * c->shader.cc_ways * c->shader.cc_sets /          \
      c->shader.cc_port_width, 8 * c->shader.cc_port_width, 1)                                 \
   A(CONSTANT_TAGS, c->shader.cc_sets, 24 * c->shader.cc_ways, 1)                              \
   E("Fetches", TagLookup, 1, READ(CONSTANT_TAGS) + c->shader.cc_ways * OP(integer_add),       \
      "tags of a set and a comparison for each way")                                           \
   E("ReadBytes_FC", CacheRead, c->shader.cc_port_width, READ(CONSTANT_CACHE) /                \
      c->shader.cc_port_width, "a byte of a cache access")                                     \
   E("WriteBytes_FC", CacheWrite, c->shader.cc_line_size * 0.25, WRITE(CONSTANT_CACHE) /       \
      c->shader.cc_port_width, "a byte of a cache access")                                     \
   E("LoadedInputs", Deliver, s.lanes, OP(integer_add) + 4 * OP(latch_bit) * 32,               \
      "an address, and four words to the register file")                                       \
   N("Requests OutsideRequests HitsFetch MissesFetch Reads MemTransactions ReadBytes",         \
      "parts and outcomes of Fetches, LoadedInputs and accesses by bytes (*Bytes_FC)")

#define SIM_AREA_cc(U, IN)                                                                     \
   U(constant_caches, "Constant caches", NUM_SHADERS(c), .5 * AREA_MAC,                        \
      AREA_CACHE_BITS(c->shader.cc_ways * c->shader.cc_sets, c->shader.cc_line_size) +         \
      AREA_REQUEST * (c->shader.cc_queue + c->shader.cc_window), 0,                            \
      "estimate: an address calculation, cache and queues by their bits")

#define SIM_LIMITER_cc(L, W, C, M)              \
   L(75, "constant caches", shader, NONE, true) \
      W("Reads", 1)

#define SIM_IDEAL_cc(I)                                                                   \
   I(shader, FRAGMENTSHADER, "ConstantCachePortWidth=64 ConstantCacheLatency=1 "          \
      "ConstantCacheRequestQueueSize=256 ConstantCacheWindow=256 ConstantCacheMisses=64") \
   I(caches, FRAGMENTSHADER, "ConstantCacheWays=64 ConstantCacheLines=1024")
/* clang-format on */

#endif
