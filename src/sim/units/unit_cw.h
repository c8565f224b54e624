/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Color Write (box/rop/cw.c). units.h says how to read it. */
#ifndef UNIT_CW_H
#define UNIT_CW_H

#include "units/unit_rop.h"

/* clang-format off */
#define SIM_UNIT_cw(U)                                                             \
   U("ColorWrite", "CW-SU#",                                                       \
      "Blends shaded quads into the colour buffers (ISPASS 2006 section 2, ROPc)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_COLORWRITE(P, B, T)                                                           \
   SIM_PARAMS_ROP(P, B, T, COLORWRITE, ColorCache, 1)                                            \
   P(COLORWRITE, CompressionAlgorithm, compressor, 0, 0, 2, "algorithm",                         \
      "compression of blocks: 0 HILO, to 64 or 128 bytes of 256; 1 HILO of reordered bits, "     \
      "also to 192; 2 MSAA")                                                                     \
   P(COLORWRITE, ColorCacheWays, cache_ways, 4, 1, 64, "ways", "ways of the colour cache")       \
   P(COLORWRITE, ColorCacheLines, cache_sets, 16, 1, 1024, "sets",                               \
      "lines in a way of the colour cache")                                                      \
   P(COLORWRITE, BlendALURate, alu_rate, 1, 1, 100, "cycles",                                    \
      "interval between samples of quads that are blended")                                      \
   P(COLORWRITE, DualSourceBlendRate, two_rate, 2, 1, 100, "cycles",                             \
      "interval between samples of quads that are blended with two source colours")              \
   P(COLORWRITE, BlendALULatency, alu_latency, 2, 1, 100, "cycles", "latency of blending")

#define SIM_STATS_cw(S)                                                                      \
   SIM_ROP_STATS(S)                                                                          \
   S(blended, "BlendedFragments", FRAGMENTS,                                                 \
      "fragments of quads blended: 4 of each sample, dead or alive")                         \
   S(logic, "LogicOpFragments", FRAGMENTS,                                                   \
      "fragments of quads combined by a logic operation: 4 of each sample")                  \
   S(samples, "WrittenSamples", SAMPLES, "live samples written to a colour buffer")          \
   S(removed, "AlphaCoverageSamples", SAMPLES, "samples removed by alpha to coverage")

#define SIM_ENERGY_cw(A, E, D, N)                                                    \
   SIM_ROP_ENERGY(A, E, N, COLOR, c->cw)                                             \
   E("BlendedFragments", Blend, 4.0 / c->cw.alu_rate, 4 * 2 * OP(half_multiply_add), \
      "two multiply-adds for each component")                                        \
   E("LogicOpFragments", Logic, 0, 4 * OP(byte_add), "four bytes")                   \
   N("WrittenSamples AlphaCoverageSamples", "of InputFragments and bytes written")

#define SIM_AREA_cw(U, IN)                                                                \
   U(colour_write, "Colour write", c->gpu.num_rops, 8 * AREA_MAC * c->cw.quads_cycle,     \
      SIM_ROP_BITS(c->cw), 0, "estimate: 32 8-bit multipliers, conversions and a coder; " \
      "ISPASS 2006, Table 2: cache of 16 KB")

#define SIM_LIMITER_cw(L, W, C, M)                                     \
   L(30, "colour units", rop, NONE, true)                              \
      SIM_ROP_WORK(W, c->cw)                                           \
      W("BlendedFragments", 0.25 * c->cw.alu_rate / c->cw.quads_cycle) \
      W("LogicOpFragments", 0.25 * c->cw.alu_rate / c->cw.quads_cycle)

#define SIM_IDEAL_cw(I)                                          \
   I(caches, COLORWRITE, "ColorCacheWays=64 ColorCacheLines=64") \
   SIM_ROP_IDEAL(I, COLORWRITE, "ColorCache")                    \
   I(rop, COLORWRITE, "BlendALURate=1 DualSourceBlendRate=1 BlendALULatency=1")
/* clang-format on */

#endif
