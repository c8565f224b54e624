/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Texture Unit (box/texture/tu.c). units.h says how to read it. */
#ifndef UNIT_TU_H
#define UNIT_TU_H

#include "units/replacements.h"

/* clang-format off */
#define SIM_UNIT_tu(U)                                                                 \
   U("TextureUnit", "TU-FS#TU#",                                                       \
      "Texture addresses, cache and filter (ISPASS 2006 sections 2.2 and 5, Table 2)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_tu(P, B, T)                                                                   \
   P(FRAGMENTSHADER, TextureUnits, tex_units, 1, 1, 4, "units", "texture units of a shader")     \
   P(FRAGMENTSHADER, SharedTextureUnits, tex_shared, 0, 0, 16, "units",                          \
      "texture units that all shaders share; 0: each shader has TextureUnits of its own")        \
   P(FRAGMENTSHADER, TextureRequestRate, tex_request_rate, 1, 1, 16, "quads/cycle",              \
      "quads that leave a shader for its texture units")                                         \
   P(FRAGMENTSHADER, TextureRequestGroup, tex_request_group, 64, 1, 4096, "quads",               \
      "quads that go to a texture unit before the next one's turn")                              \
   P(FRAGMENTSHADER, TextureRequestQueueSize, tex_queue, 64, 1, 4096, "quads",                   \
      "quads of a shader that wait for a texture unit")                                          \
   P(FRAGMENTSHADER, AddressALULatency, address_latency, 6, 1, 100, "cycles",                    \
      "latency of texture address calculation")                                                  \
   P(FRAGMENTSHADER, FilterALULatency, filter_latency, 4, 1, 100, "cycles",                      \
      "latency of the texture filter")                                                           \
   P(FRAGMENTSHADER, TextureAccessQueue, tex_access_queue, 64, 1, 4096, "quads",                 \
      "quads in a texture unit; also samples that are to be read, and in the filter")            \
   P(FRAGMENTSHADER, TextureWaitReadWindow, tex_window, 32, 1, 4096, "samples",                  \
      "samples looked up that wait for texels; those that are complete pass others")             \
   P(FRAGMENTSHADER, TextureResultQueue, tex_result_queue, 4, 1, 256, "quads",                   \
      "filtered quads that wait for the shader")                                                 \
   B(FRAGMENTSHADER, TwoLevelTextureCache, tex_two_levels, 0,                                    \
      "a second cache level (keys ...L1) between texture cache and memory")                      \
   P(FRAGMENTSHADER, TextureCacheLineSize, tex_line_size, 256, 64, 256, "bytes",                 \
      "size of a line of the texture cache, which has texels that are not compressed")           \
   P(FRAGMENTSHADER, TextureCacheWays, tex_ways, 4, 1, 64, "ways", "ways of the texture cache")  \
   P(FRAGMENTSHADER, TextureCacheLines, tex_sets, 16, 1, 1024, "sets",                           \
      "lines in a way of the texture cache")                                                     \
   P(FRAGMENTSHADER, TextureCacheReplacement, tex_replacement, 1, 0, SIM_NUM_REPLACEMENTS - 1,   \
      "policy", "both levels: " SIM_REPLACEMENTS_DOC)                                            \
   P(FRAGMENTSHADER, TextureCachePortWidth, tex_port_width, 4, 1, 64, "bytes/cycle",             \
      "width of each of the 16 ports of the texture cache, 4 for each bank")                     \
   P(FRAGMENTSHADER, TextureCacheRequestQueueSize, tex_requests, 8, 1, 256, "requests",          \
      "misses in flight, of each level of the texture cache")                                    \
   P(FRAGMENTSHADER, TextureCacheInputQueue, tex_input_queue, 8, 1, 256, "requests",             \
      "misses of the texture cache that wait for the next level or are being decompressed")      \
   P(FRAGMENTSHADER, TextureCacheMissesPerCycle, tex_misses_cycle, 8, 1, 16, "misses/cycle",     \
      "misses of the texture cache")                                                             \
   P(FRAGMENTSHADER, TextureCacheDecompressLatency, tex_decompress_latency, 1, 1, 100, "cycles", \
      "time to decompress a line, one after the other")                                          \
   P(FRAGMENTSHADER, TextureCacheLineSizeL1, tex_line_size_l1, 256, 64, 256, "bytes",            \
      "size of a line of the second level, which is compressed as in memory")                    \
   P(FRAGMENTSHADER, TextureCacheWaysL1, tex_ways_l1, 16, 1, 64, "ways",                         \
      "ways of the second level")                                                                \
   P(FRAGMENTSHADER, TextureCacheLinesL1, tex_sets_l1, 16, 1, 1024, "sets",                      \
      "lines in a way of the second level")                                                      \
   P(FRAGMENTSHADER, TextureCacheInputQueueL1, tex_input_queue_l1, 8, 1, 256, "requests",        \
      "misses of the second level that wait for memory")                                         \
   P(FRAGMENTSHADER, AnisotropyAlgorithm, aniso_algorithm, 0, 0, 3, "algorithm",                 \
      "axes of a footprint: 0 those of the screen, 1 these or the diagonals, 2 those of their "  \
      "rectangle, 3 those of the ellipse")                                                       \
   P(FRAGMENTSHADER, MaxAnisotropy, max_aniso, 16, 1, 16, "samples",                             \
      "samples of anisotropic filtering; programs may set fewer")                                \
   B(FRAGMENTSHADER, ForceMaxAnisotropy, force_max_aniso, 0,                                     \
      "every texture with a linear minification filter has MaxAnisotropy")                       \
   P(FRAGMENTSHADER, AnisoRoundPrecision, aniso_round_bits, 8, 1, 23, "bits",                    \
      "bits of AnisoRoundThreshold")                                                             \
   P(FRAGMENTSHADER, AnisoRoundThreshold, aniso_round, 0, 0, 8388608, "1/2^bits",                \
      "fraction of the ratio of the axes above which there is one sample more")                  \
   B(FRAGMENTSHADER, AnisoRatioMultOfTwo, aniso_even, 0,                                         \
      "numbers of anisotropic samples are even")                                                 \
   P(FRAGMENTSHADER, TrilinearPrecision, trilinear_bits, 8, 1, 23, "bits",                       \
      "bits of BrilinearThreshold")                                                              \
   P(FRAGMENTSHADER, BrilinearThreshold, brilinear, 0, 0, 4194304, "1/2^bits",                   \
      "distance of a level of detail to a level up to which that level alone is read")

#define SIM_TU_PIPELINE_STATS(S)                                                                 \
   S(requests, "TextureRequests", REQUESTS, "quads that came from the shader")                   \
   S(results, "TextureResults", REQUESTS, "quads whose result went to the shader")               \
   S(result_latency, "TextureResultLatency", CYCLES,                                             \
      "time from request to result, summed over quads")                                          \
   S(bilinears, "BilinearSamples", SAMPLES, "bilinear operations of whole quads")                \
   S(aniso_ratio, "AnisotropyRatio", COUNT, "anisotropic samples taken, summed over quads")      \
   S(magnified, "MagnifiedPixels", FRAGMENTS, "inputs that used the magnification filter")       \
   S(point_sampled, "PointSampled", FRAGMENTS, "inputs sampled without bilinear filtering")      \
   S(texel_fetches, "TexelFetches", FRAGMENTS, "fragments of texel fetches (TXF)")               \
   S(size_queries, "SizeQueries", REQUESTS, "quads that asked for sizes (TXS) or levels (TXQL)")  \
   S(mips1, "MipsSampled1", REQUESTS, "quads whose samples read one level, except of 3D "        \
     "textures")                                                                                 \
   S(mips2, "MipsSampled2", REQUESTS, "quads whose samples read two levels, except of 3D "       \
     "textures")                                                                                 \
   S(address_finished, "AddressCalculationFinished", REQUESTS,                                   \
      "quads that had all their addresses")                                                      \
   S(address_busy, "AddressALUBusyCycles", CYCLES, "address calculation took an operation")      \
   S(filter_busy, "FilterALUBusyCycles", CYCLES, "the filter took an operation")                 \
   S(fetches_ok, "FetchesOK", TEXELS, "texels looked up, their line found or requested")         \
   S(fetches_failed, "FetchesFailed", TEXELS, "look-ups of texels that have to be repeated")     \
   S(fetches_skipped, "FetchesSkiped", TEXELS,                                                   \
      "texels passed over because they were looked up before")                                   \
   S(stall_fetch, "FetchStallFetch", CYCLES, "the look-up had nothing to do")                    \
   S(stall_address, "FetchStallAddress", CYCLES, "the look-up waited for addresses")             \
   S(stall_ready, "FetchStallReadyRead", CYCLES,                                                 \
      "the look-up waited for room in the queue of samples whose lines are there")               \
   S(stall_wait, "FetchStallWaitRead", CYCLES,                                                   \
      "the look-up waited for room in the window of samples that wait for lines")                \
   S(reads_ok, "ReadsOK", TEXELS, "texels read from the cache")                                  \
   S(reads_failed, "ReadsFailed", TEXELS, "reads of texels that have to be repeated")            \
   S(fetch_conflicts, "FetchBankConflicts", TEXELS, "look-ups that found their tag bank taken")  \
   S(read_conflicts, "ReadBankConflicts", TEXELS, "reads that found their data bank taken")      \
   S(request_occupation, "RequestQueueOccupation", COUNT, "quads that wait, summed over cycles") \
   S(access_occupation, "AccessQueueOccupation", COUNT,                                          \
      "quads between arrival and look-up, summed over cycles")                                   \
   S(window_occupation, "WaitReadWindowOccupation", COUNT,                                       \
      "samples that wait for lines, summed over cycles")                                         \
   S(ready_occupation, "ReadyReadQueueOccupation", COUNT,                                        \
      "samples whose lines are there, summed over cycles")                                       \
   S(result_occupation, "ResultQueueOccupation", COUNT,                                          \
      "quads to be sent to the shader, summed over cycles")

#define SIM_TU_CACHE_STATS(S)                                                                   \
   S(hits, "HitsFetch_FC64", TEXELS, "look-ups of texels that found their line, valid or not")  \
   S(misses, "MissesFetch_FC64", TEXELS, "look-ups of texels that missed")                      \
   S(miss_ok, "MissOKFetch_FC64", LINES, "lines that a look-up requested")                      \
   S(miss_fail, "MissFailFetch_FC64", TEXELS,                                                   \
      "look-ups that missed and could not request their line")                                  \
   S(miss_fail_miss, "MissFailMissFetch_FC64", TEXELS,                                          \
      "look-ups that missed when the cycle had too many misses")                                \
   S(miss_fail_queue, "MissFailReqQueueFetch_FC64", TEXELS,                                     \
      "look-ups that missed because the request queue was full")                                \
   S(miss_fail_pinned, "MissFailReserveFetch_FC64", TEXELS,                                     \
      "look-ups that missed because every line of the set was in use")                          \
   S(cache_reads, "ReadsOK_FC64", TEXELS, "texels read")                                        \
   S(cache_read_bytes, "ReadBytes_FC64", BYTES, "bytes read, 4 at least for each texel")        \
   S(unpins, "Unreserves_FC64", TEXELS, "texels whose line is not needed any more")             \
   S(cache_write_bytes, "WriteBytes_FC64", BYTES, "bytes written into lines, decompressed")     \
   S(hits2, "HitsFetch_FC", LINES, "misses that found their line in the second level")          \
   S(misses2, "MissesFetch_FC", LINES, "misses that also missed in the second level")           \
   S(miss_ok2, "MissOKFetch_FC", LINES, "lines of the second level that a look-up requested")   \
   S(miss_fail2, "MissFailFetch_FC", LINES,                                                     \
      "look-ups in the second level that missed and could not request their line")              \
   S(miss_fail_queue2, "MissFailReqQueueFetch_FC", LINES,                                       \
      "look-ups in the second level that missed because the request queue was full")            \
   S(miss_fail_pinned2, "MissFailReserveFetch_FC", LINES,                                       \
      "look-ups in the second level that missed because every line of the set was in use")      \
   S(cache_reads2, "ReadsOK_FC", LINES, "reads of the second level for the first")              \
   S(cache_reads_fail2, "ReadsFail_FC", LINES,                                                  \
      "reads of the second level whose line was not there, each cycle again")                   \
   S(cache_read_bytes2, "ReadBytes_FC", BYTES,                                                  \
      "bytes read from the second level for the first")                                         \
   S(cache_write_bytes2, "WriteBytes_FC", BYTES,                                                \
      "bytes written into lines of the second level")                                           \
   S(memory_requests, "MemoryRequests", TRANSACTIONS, "transactions that memory answered")      \
   S(memory_latency, "MemoryRequestLatency", CYCLES,                                            \
      "time from request to data, summed over transactions")                                    \
   S(pending_requests, "PendingMemoryRequests", COUNT,                                          \
      "transactions on their way, summed over cycles")                                          \
   S(read_transactions, "ReadTransactions", TRANSACTIONS, "transactions sent to memory")        \
   S(read_bytes, "ReadBytesMemory", BYTES, "bytes read from memory")

#define SIM_TU_ANISO(S, n) \
   S(aniso_##n, "HistoAnisoRatio" #n, REQUESTS, "quads with " #n " anisotropic samples")
#define SIM_TU_BILINEAR(S, n) \
   S(bilinear_##n, "HistoBilinears" #n, REQUESTS, "quads with " #n " bilinear operations")
#define SIM_TU_16(H, S)                                                                   \
   H(S, 01) H(S, 02) H(S, 03) H(S, 04) H(S, 05) H(S, 06) H(S, 07) H(S, 08)                \
   H(S, 09) H(S, 10) H(S, 11) H(S, 12) H(S, 13) H(S, 14) H(S, 15) H(S, 16)
/* Histograms come last and in order, so that they can be used as arrays that begin at the first
 * one. */
#define SIM_STATS_tu(S)                                                                           \
   SIM_TU_PIPELINE_STATS(S)                                                                       \
   SIM_TU_CACHE_STATS(S)                                                                          \
   S(aniso_none, "HistoAnisoRatioNoAniso", REQUESTS, "quads of textures without anisotropy")      \
   SIM_TU_16(SIM_TU_ANISO, S)                                                                     \
   SIM_TU_16(SIM_TU_BILINEAR, S)                                                                  \
   SIM_TU_BILINEAR(S, 17) SIM_TU_BILINEAR(S, 18) SIM_TU_BILINEAR(S, 19) SIM_TU_BILINEAR(S, 20)    \
   SIM_TU_BILINEAR(S, 21) SIM_TU_BILINEAR(S, 22) SIM_TU_BILINEAR(S, 23) SIM_TU_BILINEAR(S, 24)    \
   SIM_TU_BILINEAR(S, 25) SIM_TU_BILINEAR(S, 26) SIM_TU_BILINEAR(S, 27) SIM_TU_BILINEAR(S, 28)    \
   SIM_TU_BILINEAR(S, 29) SIM_TU_BILINEAR(S, 30) SIM_TU_BILINEAR(S, 31) SIM_TU_BILINEAR(S, 32)

#define SIM_ENERGY_tu(A, E, D, N)                                                             \
   A(TEXTURE_CACHE, c->shader.tex_line_size * c->shader.tex_ways * c->shader.tex_sets / (4 *  \
      c->shader.tex_port_width), 8 * c->shader.tex_port_width, 4)                             \
   A(TEXTURE_TAGS, c->shader.tex_sets, 24 * c->shader.tex_ways, 1)                            \
   A(TEXTURE_L1, c->shader.tex_line_size_l1 * c->shader.tex_ways_l1 * c->shader.tex_sets_l1 / \
      16, 128, 1)                                                                             \
   A(TEXTURE_L1_TAGS, c->shader.tex_sets_l1, 24 * c->shader.tex_ways_l1, 1)                   \
   E("TextureRequests", Address, 1, 20 * POWER_FMA + OP(special) + 512 * OP(latch_bit),       \
      "coordinates, level of detail and addresses of a quad")                                 \
   E("BilinearSamples", Bilinear, 1, 4 * 4 * 3 * 2 * POWER_BYTE_MADD,                         \
      "three interpolations of 16 bits for 16 components")                                    \
   E("FetchesOK", TagLookup, 16, READ(TEXTURE_TAGS) + c->shader.tex_ways * OP(integer_add),   \
      "tags of a set and a comparison for each way")                                          \
   E("ReadBytes_FC64", CacheRead, 16 * c->shader.tex_port_width, READ(TEXTURE_CACHE) /        \
      c->shader.tex_port_width, "a byte of a cache access")                                   \
   E("WriteBytes_FC64", CacheWrite, 16 * c->shader.tex_port_width / 4, WRITE(TEXTURE_CACHE) / \
      c->shader.tex_port_width, "a byte of a cache access")                                   \
   E("HitsFetch_FC", L1Lookup, c->shader.tex_two_levels, READ(TEXTURE_L1_TAGS) +              \
      c->shader.tex_ways_l1 * OP(integer_add), "tags of a set and a comparison for each way") \
   E("ReadBytes_FC", L1Read, 16 * c->shader.tex_two_levels, READ(TEXTURE_L1) / 16,            \
      "a byte of an access to the second level")                                              \
   E("WriteBytes_FC", L1Write, 16 * c->shader.tex_two_levels, WRITE(TEXTURE_L1) / 16,         \
      "a byte of an access to the second level")                                              \
   N("TextureResults AnisotropyRatio MagnifiedPixels PointSampled TexelFetches SizeQueries "  \
      "MipsSampled* AddressCalculationFinished Histo*",                                       \
      "kinds of TextureRequests and BilinearSamples")                                         \
   N("FetchesFailed FetchesSkiped ReadsFailed *BankConflicts MissFail* ReadsFail_FC",         \
      SIM_ENERGY_RETRY)                                                                       \
   N("*Occupation PendingMemoryRequests", SIM_ENERGY_LEVEL)                                   \
   N("ReadsOK HitsFetch_FC64 MissesFetch_* MissOKFetch_* ReadsOK_* Unreserves_* "             \
      "MemoryRequests ReadTransactions ReadBytesMemory", "outcomes of look-ups (FetchesOK, "  \
      "HitsFetch_FC), and accesses that have energy by bytes (*Bytes_FC, *Bytes_FC64)")

#define SIM_AREA_tu(U, IN)                                                                       \
   U(texture_units, "Texture units", c->shader.tex_shared ? c->shader.tex_shared :               \
      c->gpu.num_shaders * c->shader.tex_units, AREA_TEXTURE_LOGIC,                              \
      AREA_CACHE_BITS(c->shader.tex_ways * c->shader.tex_sets, c->shader.tex_line_size) +        \
      AREA_TEXTURE_ENTRY * (c->shader.tex_queue + c->shader.tex_access_queue +                   \
      c->shader.tex_result_queue) + (c->shader.tex_two_levels ?                                  \
      AREA_CACHE_BITS(c->shader.tex_ways_l1 * c->shader.tex_sets_l1, c->shader.tex_line_size_l1) \
      : 0), 0, "MICRO 2005, 6.2: what four lanes of a vertex shader leave of a shader unit; "    \
      "cache and queues by their bits")

#define SIM_LIMITER_tu(L, W, C, M)             \
   L(70, "texture units", texture, NONE, true) \
      W("AddressALUBusyCycles", 1)             \
      W("FilterALUBusyCycles", 1)

#define SIM_IDEAL_tu(I)                                                                       \
   I(texture, FRAGMENTSHADER, "TextureUnits=4 TextureRequestRate=16 TextureRequestGroup=1 "   \
      "TextureRequestQueueSize=4096 AddressALULatency=1 FilterALULatency=1 "                  \
      "TextureAccessQueue=4096 TextureWaitReadWindow=4096 TextureResultQueue=256 "            \
      "TextureCachePortWidth=64 TextureCacheRequestQueueSize=256 TextureCacheInputQueue=256 " \
      "TextureCacheMissesPerCycle=16 TextureCacheDecompressLatency=1 "                        \
      "TextureCacheInputQueueL1=256")                                                         \
   I(caches, FRAGMENTSHADER, "TextureCacheWays=64 TextureCacheLines=1024 "                    \
      "TextureCacheWaysL1=64 TextureCacheLinesL1=1024")
/* clang-format on */

#endif
