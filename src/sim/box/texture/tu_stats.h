/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a texture unit counts, under the original's names with the original's meaning: FC64 is the
 * cache level nearest the filter, FC the one behind it. Not here: where it is counted.
 */
#ifndef TU_STATS_H
#define TU_STATS_H

#include "box/sim_gpu.h"

/* clang-format off */
#define TU_PIPELINE_STATS(S)                                                                      \
   S(requests, "TextureRequests", REQUESTS, "quads that came from the shader")                    \
   S(results, "TextureResults", REQUESTS, "quads answered")                                       \
   S(result_latency, "TextureResultLatency", CYCLES, "sum over quads from shader to answer")      \
   S(bilinears, "BilinearSamples", SAMPLES, "bilinear operations of whole quads")                 \
   S(aniso_ratio, "AnisotropyRatio", COUNT, "sum over quads of the anisotropic samples taken")    \
   S(magnified, "MagnifiedPixels", FRAGMENTS, "inputs that used the magnification filter")        \
   S(point_sampled, "PointSampled", FRAGMENTS, "inputs sampled without bilinear filtering")       \
   S(mips1, "MipsSampled1", REQUESTS, "quads whose samples read one level, not of 3D textures")  \
   S(mips2, "MipsSampled2", REQUESTS, "the same, two levels")                                    \
   S(address_finished, "AddressCalculationFinished", REQUESTS, "quads with all addresses")        \
   S(address_busy, "AddressALUBusyCycles", CYCLES, "address calculation took an operation")       \
   S(filter_busy, "FilterALUBusyCycles", CYCLES, "the filter took an operation")                   \
   S(fetches_ok, "FetchesOK", TEXELS, "texels looked up, their line found or requested")          \
   S(fetches_failed, "FetchesFailed", TEXELS, "look-ups of texels that have to be repeated")      \
   S(fetches_skipped, "FetchesSkiped", TEXELS, "texels passed over: looked up before")            \
   S(stall_fetch, "FetchStallFetch", CYCLES, "look-up: nothing to do")                            \
   S(stall_address, "FetchStallAddress", CYCLES, "look-up waited for addresses")                  \
   S(stall_ready, "FetchStallReadyRead", CYCLES, "look-up waited for the queue of read ones")     \
   S(stall_wait, "FetchStallWaitRead", CYCLES, "look-up waited for room in the window")           \
   S(reads_ok, "ReadsOK", TEXELS, "texels read from the cache")                                   \
   S(reads_failed, "ReadsFailed", TEXELS, "reads of texels that have to be repeated")             \
   S(fetch_conflicts, "FetchBankConflicts", TEXELS, "look-ups that found their tag bank taken")   \
   S(read_conflicts, "ReadBankConflicts", TEXELS, "reads that found their data bank taken")       \
   S(request_occupation, "RequestQueueOccupation", COUNT, "sum over cycles of quads that wait")   \
   S(access_occupation, "AccessQueueOccupation", COUNT,                                           \
      "sum over cycles of quads between arrival and look-up")                                     \
   S(window_occupation, "WaitReadWindowOccupation", COUNT,                                        \
      "sum over cycles of samples that wait for lines")                                           \
   S(ready_occupation, "ReadyReadQueueOccupation", COUNT,                                         \
      "sum over cycles of samples whose lines are there")                                         \
   S(result_occupation, "ResultQueueOccupation", COUNT, "sum over cycles of quads to be sent")

#define TU_CACHE_STATS(S)                                                                         \
   S(hits, "HitsFetch_FC64", TEXELS, "look-ups of texels that found their line, valid or not")    \
   S(misses, "MissesFetch_FC64", TEXELS, "look-ups that did not")                                 \
   S(miss_ok, "MissOKFetch_FC64", LINES, "of them those that requested the line")                 \
   S(miss_fail, "MissFailFetch_FC64", TEXELS, "of them those that could not")                     \
   S(miss_fail_miss, "MissFailMissFetch_FC64", TEXELS, "too many misses in the cycle")            \
   S(miss_fail_queue, "MissFailReqQueueFetch_FC64", TEXELS, "the request queue was full")         \
   S(miss_fail_pinned, "MissFailReserveFetch_FC64", TEXELS, "every line of the set was in use")   \
   S(cache_reads, "ReadsOK_FC64", TEXELS, "texels read")                                          \
   S(cache_read_bytes, "ReadBytes_FC64", BYTES, "read, 4 at least for each texel")                \
   S(unpins, "Unreserves_FC64", TEXELS, "texels whose line is not needed any more")               \
   S(cache_write_bytes, "WriteBytes_FC64", BYTES, "written, decompressed, into lines")            \
   S(hits2, "HitsFetch_FC", LINES, "misses that found their line in the second level")            \
   S(misses2, "MissesFetch_FC", LINES, "look-ups that did not")                                   \
   S(miss_ok2, "MissOKFetch_FC", LINES, "of them those that requested the line")                  \
   S(miss_fail2, "MissFailFetch_FC", LINES, "of them those that could not")                       \
   S(miss_fail_queue2, "MissFailReqQueueFetch_FC", LINES, "the request queue was full")           \
   S(miss_fail_pinned2, "MissFailReserveFetch_FC", LINES, "every line of the set was in use")     \
   S(cache_reads2, "ReadsOK_FC", LINES, "reads for the first level")                              \
   S(cache_reads_fail2, "ReadsFail_FC", LINES, "cycles in which the line was not there")          \
   S(cache_read_bytes2, "ReadBytes_FC", BYTES, "read for the first level")                        \
   S(cache_write_bytes2, "WriteBytes_FC", BYTES, "written into lines")                            \
   S(memory_requests, "MemoryRequests", TRANSACTIONS, "transactions that memory answered")        \
   S(memory_latency, "MemoryRequestLatency", CYCLES, "sum over them from request to data")        \
   S(pending_requests, "PendingMemoryRequests", COUNT, "sum over cycles of those on their way")   \
   S(read_transactions, "ReadTransactions", TRANSACTIONS, "transactions sent to memory")          \
   S(read_bytes, "ReadBytesMemory", BYTES, "read from memory")

#define TU_ANISO_STATS(S, n) \
   S(aniso_##n, "HistoAnisoRatio" #n, REQUESTS, "quads with so many anisotropic samples")
#define TU_BILINEAR_STATS(S, n) \
   S(bilinear_##n, "HistoBilinears" #n, REQUESTS, "quads with so many bilinear operations")
/* In order, so that the first one's address is that of an array. */
#define TU_HISTOGRAMS(S)                                                                          \
   S(aniso_none, "HistoAnisoRatioNoAniso", REQUESTS, "quads of textures without anisotropy")      \
   TU_ANISO_STATS(S, 01) TU_ANISO_STATS(S, 02) TU_ANISO_STATS(S, 03) TU_ANISO_STATS(S, 04)        \
   TU_ANISO_STATS(S, 05) TU_ANISO_STATS(S, 06) TU_ANISO_STATS(S, 07) TU_ANISO_STATS(S, 08)        \
   TU_ANISO_STATS(S, 09) TU_ANISO_STATS(S, 10) TU_ANISO_STATS(S, 11) TU_ANISO_STATS(S, 12)        \
   TU_ANISO_STATS(S, 13) TU_ANISO_STATS(S, 14) TU_ANISO_STATS(S, 15) TU_ANISO_STATS(S, 16)        \
   TU_BILINEAR_STATS(S, 01) TU_BILINEAR_STATS(S, 02) TU_BILINEAR_STATS(S, 03)                     \
   TU_BILINEAR_STATS(S, 04) TU_BILINEAR_STATS(S, 05) TU_BILINEAR_STATS(S, 06)                     \
   TU_BILINEAR_STATS(S, 07) TU_BILINEAR_STATS(S, 08) TU_BILINEAR_STATS(S, 09)                     \
   TU_BILINEAR_STATS(S, 10) TU_BILINEAR_STATS(S, 11) TU_BILINEAR_STATS(S, 12)                     \
   TU_BILINEAR_STATS(S, 13) TU_BILINEAR_STATS(S, 14) TU_BILINEAR_STATS(S, 15)                     \
   TU_BILINEAR_STATS(S, 16) TU_BILINEAR_STATS(S, 17) TU_BILINEAR_STATS(S, 18)                     \
   TU_BILINEAR_STATS(S, 19) TU_BILINEAR_STATS(S, 20) TU_BILINEAR_STATS(S, 21)                     \
   TU_BILINEAR_STATS(S, 22) TU_BILINEAR_STATS(S, 23) TU_BILINEAR_STATS(S, 24)                     \
   TU_BILINEAR_STATS(S, 25) TU_BILINEAR_STATS(S, 26) TU_BILINEAR_STATS(S, 27)                     \
   TU_BILINEAR_STATS(S, 28) TU_BILINEAR_STATS(S, 29) TU_BILINEAR_STATS(S, 30)                     \
   TU_BILINEAR_STATS(S, 31) TU_BILINEAR_STATS(S, 32)

#define TU_STATS(S) TU_PIPELINE_STATS(S) TU_CACHE_STATS(S) TU_HISTOGRAMS(S)
/* clang-format on */
SIM_STATS_DECLARE(tu, TU_STATS)

#endif
