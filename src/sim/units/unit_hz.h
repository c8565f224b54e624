/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Hierarchical Z (box/raster/hz.c). units.h says how to read it. */
#ifndef UNIT_HZ_H
#define UNIT_HZ_H

/* clang-format off */
#define SIM_UNIT_hz(U)                                                               \
   U("HierarchicalZ", "HZ",                                                          \
      "Culls hidden tiles and splits the others into quads (ISPASS 2006 section 2)", \
      SIM_CHARGES_DRAW)

/* Ways to build Hierarchical Z (box/raster/hz.h): number in the .ini, name, what it is. */
#define SIM_HZ_VARIANTS(V)                                    \
   V(1, ispass2006, "8-bit bounds, tiles tested as a whole")  \
   V(2, release, "24-bit bounds behind a cache, quads tested")
#define SIM_HZ_VARIANT_DOC(number, name, doc) "; " #number " " #name ": " doc
#define SIM_HZ_VARIANT_COUNT(number, name, doc) +1
#define SIM_NUM_HZ_VARIANTS (0 SIM_HZ_VARIANTS(SIM_HZ_VARIANT_COUNT))
#define SIM_MAX_HZ_SURFACES 64

#define SIM_PARAMS_hz(P, B, T)                                                                  \
   B(RASTERIZER, DisableHZ, disable_hz, 0, "there is no hierarchical Z test")                   \
   P(RASTERIZER, HZVariant, hz_variant, 0, 0, SIM_NUM_HZ_VARIANTS, "variant",                   \
      "Hierarchical Z: 0 is 2 if HZCacheLines is not 0, else 1"                                 \
      SIM_HZ_VARIANTS(SIM_HZ_VARIANT_DOC))                                                      \
   B(RASTERIZER, HZNearest, hz_nearest, 0,                                                      \
      "HZ also keeps the nearest depth of blocks, for GREATER and GEQUAL. Otherwise a draw "    \
      "that leaves farther depths behind makes the bounds useless until the next clear, but "   \
      "for a tile-based machine")                                                               \
   B(RASTERIZER, HZMin, hz_min, 0,                                                              \
      "tiles in front of all that their blocks hold are drawn without reading depths (Zmin "    \
      "culling); HZ then keeps nearest depths")                                                 \
   P(RASTERIZER, StampsPerHZBlock, hz_block, 16, 16, 16, "quads",                               \
      "quads of an HZ block: always a line of the Z cache")                                     \
   P(RASTERIZER, HierarchicalZBufferSize, hz_size, 262144, 1024, 4194304, "blocks",             \
      "blocks that the HZ buffer holds")                                                        \
   P(RASTERIZER, HZSurfaces, hz_surfaces, 8, 1, SIM_MAX_HZ_SURFACES, "surfaces",                \
      "surfaces that share the HZ buffer")                                                      \
   P(RASTERIZER, HZCacheLines, hz_cache_lines, 0, 0, 1024, "lines",                             \
      "lines of the HZ cache (release); 0: no cache (ISPASS 2006)")                             \
   P(RASTERIZER, HZCacheLineSize, hz_cache_line_size, 16, 16, 256, "blocks",                    \
      "blocks of a line of the HZ cache (power of 2)")                                          \
   P(RASTERIZER, EarlyZQueueSize, early_z_queue, 64, 16, 65536, "quads",                        \
      "quads in the HZ test or waiting for it")                                                 \
   P(RASTERIZER, HZAccessLatency, hz_latency, 1, 1, 100, "cycles",                              \
      "time to read the HZ buffer")                                                             \
   P(RASTERIZER, HZUpdateLatency, hz_update_latency, 4, 1, 100, "cycles",                       \
      "latency from the Z cache to the HZ buffer")                                              \
   P(RASTERIZER, HZBlocksClearedPerCycle, hz_blocks_cleared, 65536, 1, 65536, "blocks/cycle",   \
      "blocks of the HZ buffer that are cleared, for a clear or a new surface")                 \
   P(RASTERIZER, GeneratedStampQueueSize, generated_queue, 16, 16, 4096, "quads",               \
      "quads of a ROP that have left HZ and wait for the Z test or the interpolator")

#define SIM_STATS_hz(S)                                                                            \
   S(input, "InputFragments", FRAGMENTS, "fragments of received tiles, covered or not")            \
   S(outside, "OutsideTriangleFragments", FRAGMENTS,                                               \
      "fragments of received tiles that are not covered (scissor included)")                       \
   S(output, "OutputFragments", FRAGMENTS, "fragments of quads sent on, covered or not")           \
   S(culled, "CulledFragments", FRAGMENTS, "fragments of quads that ended here, covered or not")   \
   S(culled_outside, "CulledOutsideFragments", FRAGMENTS,                                          \
      "fragments of quads without a covered one")                                                  \
   S(culled_hz, "CulledHZFragments", QUADS,                                                        \
      "quads culled by the HZ test (ATTILA counts quads under this name)")                         \
   S(tested_low, "TestedLowZTiles", TILES,                                                         \
      "covered tiles compared with the low-resolution Z of their lists (LowResolutionZ)")          \
   S(culled_low, "CulledLowZQuads", QUADS, "quads culled because their tiles are behind it")       \
   S(accepted, "AcceptedQuads", QUADS, "quads sent on, of tiles in front of their blocks (HZMin)") \
   S(hits, "HitsHZCache", COUNT,                                                                   \
      "lookups of a quad that found the line of its block in the HZ cache")                        \
   S(misses, "MissesHZCache", COUNT, "lookups of a quad that missed, repeated ones included")      \
   S(miss_ok, "MissOKHZCache", COUNT, "lookups of a quad that missed and read the line")           \
   S(miss_fail, "MissFailHZCache", COUNT,                                                          \
      "lookups of a quad that missed, could not read the line, and are repeated")                  \
   S(reads, "ReadsHZBuffer", COUNT, "reads of the HZ buffer (of HZ cache lines)")                  \
   S(writes, "WritesHZBuffer", COUNT,                                                              \
      "block bounds written by the ZST, or for a tile that a triangle covers (tile-based)")        \
   S(write_backs, "WriteBacksHZBuffer", COUNT,                                                     \
      "lines written back because a draw widened bounds in them")                                  \
   S(tiles, "InputTiles", TILES, "tiles received")                                                 \
   S(quads, "OutputQuads", QUADS, "quads sent on")                                                 \
   S(void_updates, "VoidUpdates", COUNT,                                                           \
      "bounds from the ZST that came too late, or for a surface that has no room")                 \
   S(new_surfaces, "NewSurfaces", COUNT, "depth surfaces that got room in the buffer")             \
   S(stall, "ConsumerBusy", CYCLES, "a quad waited for a ROP or the interpolator")                 \
   S(clear, "ClearCycles", CYCLES, "HZ was busy with clears and new surfaces")

#define SIM_ENERGY_hz(A, E, D, N)                                                                \
   A(HZ_BUFFER, c->rast.disable_hz ? 1 : c->rast.hz_size, 8, 1)                                  \
   E("InputTiles", Test, c->rast.tiles_cycle, READ(HZ_BUFFER) + 4 * OP(integer_add),             \
      "a bound and comparisons")                                                                 \
   E("WritesHZBuffer", Update, c->gpu.num_rops, WRITE(HZ_BUFFER), "a bound")                     \
   A(LOW_Z, SIM_LOW_Z(c), 32, 1)                                                                 \
   E("TestedLowZTiles", LowTest, (c->tiling.low_z_tiles != 0) * c->rast.tiles_cycle,             \
      READ(LOW_Z) + OP(integer_add), "a depth and a comparison")                                 \
   E("OutputQuads", Quad, 16, 200 * OP(latch_bit), "a quad's place, depths and coverage")        \
   N("InputFragments OutputFragments Outside*Fragments Culled* *HZCache "               \
      "ReadsHZBuffer WriteBacksHZBuffer VoidUpdates NewSurfaces AcceptedQuads",                  \
      "parts and outcomes of InputTiles, which read the buffer, WritesHZBuffer and OutputQuads")

#define SIM_AREA_hz(U, IN)                                                         \
   U(hierarchical_z, "Hierarchical Z", 1, 8 * AREA_ADDER,                          \
      c->rast.disable_hz ? 0. : (double)c->rast.hz_size * (c->rast.hz_variant == 2 ? 24 : 8), 0, \
      "MICRO 2005, section 3: on chip, 256 KB; without it, tiles become quads here")

#define SIM_LIMITER_hz(L, W, C, M) L(100, "hierarchical Z", raster, hz_interp, false)

#define SIM_IDEAL_hz(I)                                                               \
   I(raster, RASTERIZER, "EarlyZQueueSize=65536 HZAccessLatency=1 HZUpdateLatency=1 " \
      "HZBlocksClearedPerCycle=65536 GeneratedStampQueueSize=4096")
/* clang-format on */

#endif
