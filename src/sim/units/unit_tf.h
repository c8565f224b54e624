/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Tile Fetcher (box/tiling/tf.c). Its parameters are in unit_plb.h. units.h says
 * how to read it. */
#ifndef UNIT_TF_H
#define UNIT_TF_H

#include "units/unit_plb.h"

/* clang-format off */
#define SIM_UNIT_tf(U)                                                                           \
   U("TileFetcher", "TF",                                                                        \
      "Of a tile-based machine: at the end of a pass, reads the primitives of one bin after "    \
      "the other", SIM_CHARGES_DRAW)

#define SIM_STATS_tf(S)                                                                          \
   SIM_TILE_CACHE_STATS(S)                                                                       \
   S(bins, "DrawnBins", COUNT, "bins with primitives")                                           \
   S(eliminated, "EliminatedBins", COUNT,                                                        \
      "bins that are not drawn, as their inputs are those of before (RenderingElimination)")     \
   S(empty, "EmptyBins", COUNT, "bins without a primitive")                                      \
   S(runs, "Runs", COUNT, "parts of draws in bins")                                              \
   S(listed, "ListedCommands", COUNT, "clears and averages in the lists, once for each bin")     \
   S(primitives, "OutputTriangles", TRIANGLES, "primitives sent, once for each bin")             \
   S(ends, "Ends", COUNT, "ends of runs and bins sent")                                          \
   S(drains, "Drains", COUNT,                                                                    \
      "times that earlier fragments first had to leave the ROPs: at changes between early and "  \
      "late depth tests, and at ends of passes")                                                 \
   S(stall_drain, "StallsDrain", CYCLES, "the next primitive waited for a drain")                \
   S(stall_lines, "StallsTileCache", CYCLES, "the oldest primitive waited for its lines")        \
   S(stall_traversal, "StallsTraversal", CYCLES, "traversal took nothing")

#define SIM_ENERGY_tf(A, E, D, N)                                                                \
   A(FETCH_CACHE, c->tiling.cache_ways * c->tiling.cache_sets, 8 * c->tiling.cache_line, 1)      \
   A(FETCH_TAGS, c->tiling.cache_sets, 24 * c->tiling.cache_ways, 1)                             \
   E("HitsTileCache", CacheRead, 1, READ(FETCH_TAGS) + c->tiling.cache_ways *                    \
      OP(integer_add) + READ(FETCH_CACHE), "tags of a set, and a line")                          \
   E("MissesTileCache", CacheWrite, 0.1, WRITE(FETCH_CACHE), "a line")                           \
   E("OutputTriangles", Setup, 1.0 / c->tiling.setup_cycles, 54 * POWER_FMA + OP(special),       \
      "edges, depth and the adjoint matrix, as in setup")                                        \
   N("DrawnBins EliminatedBins EmptyBins Runs ListedCommands Ends Drains",                       \
      "steps between primitives (OutputTriangles)")                                             \
   N("SpillsTileCache ReadBytes WriteBytes", "of lines that are read (MissesTileCache)")

#define SIM_AREA_tf(U, IN)                                                                       \
   U(tile_fetch, "Tile fetcher", sim_tiled(c), 28 * AREA_MAC / c->tiling.setup_cycles,           \
      AREA_TRIANGLE * c->tiling.fetch_queue, 0,                                                  \
      "estimate: a setup unit, as in triangle setup; its queue by its bits")

#define SIM_LIMITER_tf(L, W, C, M) L(112, "tile fetcher", raster, tf_tt, true)

#define SIM_IDEAL_tf(I)                                          \
   I(raster, TILING, "FetchQueueSize=1024")
/* clang-format on */

#endif
