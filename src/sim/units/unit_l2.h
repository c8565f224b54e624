/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the L2 cache (box/memory/l2.c). units.h says how to read it. The papers' machines
 * have none. Since 2010 GPUs have one that all clients share, in slices, one for each memory
 * channel. GPGPU-Sim's GTX480 has 12 slices with 64 sets of 8 lines of 128 bytes, which are the
 * defaults. From its QV100 on, lines have sectors of 32 bytes (gpgpusim.config of both). Latency,
 * queues, port: our choice. */
#ifndef UNIT_L2_H
#define UNIT_L2_H

#include "units/replacements.h"
#include "units/unit_memory.h"

/* How many slices there are. */
#define L2_SLICES(c) ((c)->l2.on ? (c)->mc.channels : 0)

/* clang-format off */
#define SIM_UNIT_l2(U)                                                                  \
   U("L2Cache", "L2C#", "slice of the cache that all clients of memory share, one for " \
      "each channel", SIM_CHARGES_DRAW)

#define SIM_L2_POLICY(P, member, name)                                                         \
   P(L2, name##Policy, member##_policy, 1, 0, 2, "policy",                                      \
      "lines of the L2 that " #name " takes: 0 none (bypass), 1 as it needs them, 2 the same, " \
      "and they are replaced after all others")
#define SIM_PARAMS_L2(P, B, T)                                                                  \
   B(L2, Enabled, on, 0, "an L2 cache between the memory controller and the channels")          \
   P(L2, LineSize, line_size, 128, 32, 256, "bytes", "size of a line of the L2 (power of 2)")   \
   P(L2, SectorSize, sector_size, 32, 32, 64, "bytes",                                          \
      "part of a line that is read and written alone, 1 to 8 of a line (power of 2)")           \
   P(L2, Ways, ways, 8, 1, 64, "ways", "ways of a slice, of which each channel has one")        \
   P(L2, Lines, sets, 64, 1, 4096, "sets", "lines in a way of a slice (power of 2)")            \
   P(L2, Replacement, replacement, 0, 0, SIM_NUM_REPLACEMENTS - 1, "policy",                    \
      SIM_REPLACEMENTS_DOC)                                                                     \
   P(L2, Latency, latency, 20, 1, 1000, "cycles",                                               \
      "time from a look-up, or from the last sector's arrival, to the answer")                  \
   P(L2, PortWidth, port_width, 64, 16, 256, "bytes/cycle",                                     \
      "width of the data port of a slice (power of 2)")                                         \
   P(L2, RequestQueueSize, request_queue, 16, 1, 1024, "requests",                              \
      "requests that wait for their look-up in a slice")                                        \
   P(L2, Requests, requests, 64, 1, 4096, "requests",                                           \
      "requests of a slice that are looked up and not answered")                                \
   P(L2, Misses, misses, 64, 8, 4096, "reads",                                                  \
      "reads of memory that a slice has under way, of 64 bytes at most")                        \
   P(L2, WriteBacks, write_backs, 64, 8, 4096, "writes",                                        \
      "writes to memory that a slice has under way, of 64 bytes at most")                       \
   P(L2, AtomicCycles, atomic_cycles, 1, 1, 100, "cycles",                                      \
      "time in which an atomic operation holds the data port")                                  \
   SIM_MC_CLIENTS(SIM_L2_POLICY, P)

#define SIM_L2_CLIENT(S, member, name)                                         \
   S(member##_hits, "Hits_" #name, REQUESTS, "look-ups of " #name " that hit") \
   S(member##_misses, "Misses_" #name, REQUESTS, "look-ups of " #name " that missed")
/* The clients' statistics come first, in the order of SIM_MC_CLIENTS. */
#define SIM_STATS_l2(S)                                                                          \
   SIM_MC_CLIENTS(SIM_L2_CLIENT, S)                                                              \
   S(fetches, "Fetches", REQUESTS, "look-ups: a request's parts in each line")                   \
   S(hits, "HitsFetch", REQUESTS,                                                                \
      "look-ups that found all bytes to read, present or on their way, or the line to write")    \
   S(misses, "MissesFetch", REQUESTS, "look-ups that did not hit")                               \
   S(merged, "MergedFetch", REQUESTS, "hits that waited for a sector on its way")                \
   S(bypasses, "Bypasses", REQUESTS, "misses that took no line")                                 \
   S(read_bytes, "ReadBytes", BYTES, "bytes read by clients")                                    \
   S(write_bytes, "WriteBytes", BYTES, "bytes written by clients")                               \
   S(fill_bytes, "FillBytes", BYTES, "bytes read from memory")                                   \
   S(write_back_bytes, "WriteBackBytes", BYTES, "bytes written to memory")                       \
   S(replaced_clean, "ReplacedClean", LINES, "lines replaced whose contents were in memory")     \
   S(replaced_dirty, "ReplacedDirty", LINES, "lines replaced that were written to memory")       \
   S(atomics, "Atomics", REQUESTS, "atomic operations")                                          \
   S(port_cycles, "PortCycles", CYCLES, "the data port moved bytes")                             \
   S(reads, "Reads", REQUESTS, "read requests answered")                                         \
   S(read_latency, "ReadLatency", CYCLES,                                                        \
      "time from the look-up of a read request to its answer, summed over requests")             \
   S(stall_requests, "StallsRequests", CYCLES,                                                   \
      "a request waited because as many as the key Requests were not answered")                  \
   S(stall_misses, "StallsMisses", CYCLES,                                                       \
      "a look-up waited because as many as the key Misses were under way")                       \
   S(stall_write_backs, "StallsWriteBacks", CYCLES,                                              \
      "a look-up waited because as many as the key WriteBacks were under way")                   \
   S(stall_set, "StallsSet", CYCLES,                                                             \
      "a look-up waited because all lines of its set were being filled")

#define SIM_ENERGY_l2(A, E, D, N)                                                               \
   A(L2_DATA, c->l2.line_size * c->l2.ways * c->l2.sets / c->l2.port_width > 0 ?                \
      c->l2.line_size * c->l2.ways * c->l2.sets / c->l2.port_width : 1, 8 * c->l2.port_width, 1) \
   A(L2_TAGS, c->l2.sets, (24 + 2 * c->l2.line_size / c->l2.sector_size) * c->l2.ways, 1)       \
   E("Fetches", TagLookup, 1, READ(L2_TAGS) + c->l2.ways * OP(integer_add),                     \
      "tags of a set and a comparison for each way")                                            \
   E("ReadBytes", Read, c->l2.port_width, READ(L2_DATA) / c->l2.port_width,                     \
      "a byte of an access by a client")                                                        \
   E("WriteBytes", Write, 0, WRITE(L2_DATA) / c->l2.port_width,                                 \
      "a byte of an access by a client")                                                        \
   E("FillBytes", Fill, c->mc.burst_bytes, WRITE(L2_DATA) / c->l2.port_width,                   \
      "a byte from memory")                                                                     \
   E("WriteBackBytes", WriteBack, 0, READ(L2_DATA) / c->l2.port_width, "a byte to memory")      \
   E("Atomics", Atomic, 1. / c->l2.atomic_cycles, OP(integer_add), "the operation on a word")   \
   N("Hits* Misses* MergedFetch Bypasses ReplacedClean ReplacedDirty Reads",                    \
      "outcomes of look-ups (Fetches), and accesses that have energy by bytes")

#define SIM_AREA_l2(U, IN)                                                                       \
   U(l2, "L2 cache", L2_SLICES(c), AREA_MAC, AREA_CACHE_BITS(c->l2.ways * c->l2.sets,            \
      c->l2.line_size) + 2. * c->l2.ways * c->l2.sets * c->l2.line_size / c->l2.sector_size +    \
      AREA_REQUEST * (c->l2.request_queue + c->l2.requests) + AREA_TRANSACTION * (c->l2.misses + \
      c->l2.write_backs), 0,                                                                     \
      "estimate: an arithmetic unit for atomic operations and control; lines and queues by "     \
      "their bits")

#define SIM_LIMITER_l2(L, W, C, M) L(52, "L2", caches, NONE, true) W("PortCycles", 1)

#define SIM_IDEAL_l2(I)                                                                          \
   I(caches, L2, "Ways=64 Lines=4096 Latency=1 PortWidth=256 RequestQueueSize=1024 "             \
      "Requests=4096 Misses=4096 WriteBacks=4096")
/* clang-format on */

#endif
