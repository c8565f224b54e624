/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Z and Stencil Test (box/rop/zst.c). units.h says how to read it. */
#ifndef UNIT_ZST_H
#define UNIT_ZST_H

#include "units/unit_rop.h"

/* clang-format off */
#define SIM_UNIT_zst(U)                                                             \
   U("ZStencilTest", "ZST-SU#",                                                     \
      "Tests quads against depth and stencil buffer (ISPASS 2006 section 2, ROPz)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_ZSTENCILTEST(P, B, T)                                                  \
   SIM_PARAMS_ROP(P, B, T, ZSTENCILTEST, ZCache, 0)                                       \
   P(ZSTENCILTEST, CompressionAlgorithm, compressor, 0, 0, 0, "algorithm",                \
      "compression of blocks: 0 HILO, to 64, 128 or 192 bytes of 256")                    \
   P(ZSTENCILTEST, ZCacheWays, cache_ways, 4, 1, 64, "ways", "ways of the Z cache")       \
   P(ZSTENCILTEST, ZCacheLines, cache_sets, 16, 1, 1024, "sets",                          \
      "lines in a way of the Z cache")                                                    \
   P(ZSTENCILTEST, ZALUTestRate, alu_rate, 1, 1, 100, "cycles",                           \
      "interval between samples of quads that are tested")                                \
   P(ZSTENCILTEST, ZALULatency, alu_latency, 2, 1, 100, "cycles", "latency of the test")  \
   B(ZSTENCILTEST, EndDepthOnly, end_depth_only, 0,                                       \
      "quads that are tested before shading end here, unshaded, if their draw has no "    \
      "colour")

#define SIM_STATS_zst(S)                                                                 \
   SIM_ROP_STATS(S)                                                                      \
   S(tested, "TestedFragments", FRAGMENTS, "fragments of quads tested, 4 of each")       \
   S(passed, "PassedFragments", FRAGMENTS, "pixels with a sample that passed")           \
   S(failed, "FailedFragments", FRAGMENTS,                                               \
      "pixels without a sample that passed, dead ones too")                              \
   S(output, "OutputFragments", FRAGMENTS,                                               \
      "fragments that left: 4 for each quad, dead or alive, and 4 for the end of a "     \
      "draw")                                                                            \
   S(samples, "TestedSamples", SAMPLES, "live samples tested")                           \
   S(passed_samples, "PassedSamples", SAMPLES, "live samples that passed")               \
   S(ended, "CulledQuads", QUADS, "quads that ended here without a live sample")         \
   S(ended_live, "DepthOnlyQuads", QUADS, "quads that ended here for EndDepthOnly")      \
   S(updates, "UpdatesHZ", COUNT, "block depths sent to HZ")

#define SIM_ENERGY_zst(A, E, D, N)                                                    \
   SIM_ROP_ENERGY(A, E, N, Z, c->zst)                                                 \
   E("TestedSamples", Test, 4.0 / c->zst.alu_rate, 2 * OP(integer_add),               \
      "depth and stencil comparison")                                                 \
   N("TestedFragments PassedFragments FailedFragments OutputFragments PassedSamples " \
      "CulledQuads DepthOnlyQuads", "kinds of TestedSamples and InputFragments")      \
   N("UpdatesHZ", "Hierarchical Z charges it (WritesHZBuffer)")

#define SIM_AREA_zst(U, IN)                                                               \
   U(z_stencil, "Z and stencil test", c->gpu.num_rops, 5 * AREA_MAC * c->zst.quads_cycle, \
      SIM_ROP_BITS(c->zst), 0,                                                            \
      "estimate: four comparisons and a coder; ISPASS 2006, Table 2: cache of 16 KB")

#define SIM_LIMITER_zst(L, W, C, M)            \
   L(40, "depth units", rop, zst_interp, true) \
      SIM_ROP_WORK(W, c->zst)                  \
      W("TestedFragments", 0.25 * c->zst.alu_rate / c->zst.quads_cycle)

#define SIM_IDEAL_zst(I)                                   \
   I(caches, ZSTENCILTEST, "ZCacheWays=64 ZCacheLines=64") \
   I(rop, GPU, "NumStampPipes>=16")                        \
   SIM_ROP_IDEAL(I, ZSTENCILTEST, "ZCache")                \
   I(rop, ZSTENCILTEST, "ZALUTestRate=1 ZALULatency=1")
/* clang-format on */

#endif
