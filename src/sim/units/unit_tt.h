/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Triangle Traversal (box/raster/tt.c). units.h says how to read it. */
#ifndef UNIT_TT_H
#define UNIT_TT_H

/* clang-format off */
#define SIM_UNIT_tt(U)                                                                  \
   U("TriangleTraversal", "TT",                                                         \
      "Finds the tiles a primitive covers (ISPASS 2006 section 2, Fragment Generator)", \
      SIM_CHARGES_DRAW)

/* Ways to find the tiles of a primitive (box/raster/tt.h): number in the .ini, name, what it is. */
#define SIM_RASTERISERS(V)                                      \
   V(1, recursive, "recursive descent, batches of primitives")  \
   V(2, scan, "tile scan")                                      \
   V(3, levels, "pipeline of seven levels")
#define SIM_RASTERISER_DOC(number, name, doc) "; " #number " " #name ": " doc
#define SIM_RASTERISER_COUNT(number, name, doc) +1
#define SIM_NUM_RASTERISERS (0 SIM_RASTERISERS(SIM_RASTERISER_COUNT))

#define SIM_PARAMS_tt(P, B, T)                                                           \
   P(RASTERIZER, RasteriserVariant, rasteriser, 0, 0, SIM_NUM_RASTERISERS, "variant",    \
      "rasteriser: 0 as RecursiveMode says" SIM_RASTERISERS(SIM_RASTERISER_DOC))         \
   B(RASTERIZER, RecursiveMode, recursive, 1,                                            \
      "RasteriserVariant 0 is recursive descent; FALSE: tile scan")                      \
   P(RASTERIZER, RasterizationBatchSize, batch_size, 4, 1, 32, "triangles",              \
      "triangles that the recursive descent traverses together")                         \
   P(RASTERIZER, BatchQueueSize, batch_queue, 16, 1, 1024, "triangles",                  \
      "triangles in traversal or waiting for it")                                        \
   P(RASTERIZER, TileTesters, tile_testers, 4, 1, 16, "tiles/cycle",                     \
      "tiles that the recursive descent divides in four")                                \
   B(RASTERIZER, TileBoundingBoxTest, tile_box_test, 0,                                  \
      "tiles outside a primitive's bounding box are dropped on the way down")            \
   B(RASTERIZER, TileEntryByBox, tile_entry_box, 0,                                      \
      "rasteriser of levels: a primitive enters where a tile is as wide as its box")     \
   P(RASTERIZER, RasterLevelQueueSize, level_queue, 16, 4, 1024, "tiles",                \
      "rasteriser of levels: tiles that wait before each of the seven levels")           \
   P(RASTERIZER, OverScanWidth, over_width, 4, 1, 64, "scan tiles",                      \
      "width of a chunk, which the tile scan finishes before the next (power of 2)")     \
   P(RASTERIZER, OverScanHeight, over_height, 4, 1, 64, "scan tiles",                    \
      "height of a chunk, which the tile scan finishes before the next (power of 2)")    \
   P(RASTERIZER, ScanWidth, scan_width, 8, 8, 64, "pixels",                              \
      "width of a scan tile, at which recursion ends, or a step of the scan (power of "  \
      "2)")                                                                              \
   P(RASTERIZER, ScanHeight, scan_height, 8, 8, 64, "pixels",                            \
      "height of a scan tile, at which recursion ends, or a step of the scan (power of " \
      "2)")                                                                              \
   P(RASTERIZER, GenWidth, gen_width, 8, 8, 8, "pixels",                                 \
      "width of a generation tile: always a line of the ROP caches")                     \
   P(RASTERIZER, GenHeight, gen_height, 8, 8, 8, "pixels",                               \
      "height of a generation tile: always a line of the ROP caches")                    \
   P(RASTERIZER, StampsPerCycle, tiles_cycle, 2, 1, 16, "tiles/cycle",                   \
      "8x8 tiles (of 16 quads) that are generated and that HZ tests")                    \
   P(RASTERIZER, MSAASamplesCycle, msaa_samples, 2, 1, 16, "samples/cycle",              \
      "samples of each pixel that are made when a draw is multisampled")

#define SIM_STATS_tt(S)                                                                          \
   S(input, "InputTriangles", TRIANGLES, "primitives traversed")                                 \
   S(requested, "RequestedTriangles", TRIANGLES, "primitives requested from setup")              \
   S(fragments, "GeneratedFragments", FRAGMENTS, "fragments of generated tiles, covered or not") \
   S(tiles, "GeneratedTiles", TILES,                                                             \
      "8x8 tiles generated, those without a covered fragment included")                          \
   S(sent, "OutputTiles", TILES, "8x8 tiles sent, with a covered fragment")                      \
   S(tests, "TestedBlocks", TILES, "blocks tested, empty ones included")                         \
   S(batches, "TriangleBatches", COUNT, "groups of primitives traversed together")               \
   S(quads0, "Stamps0Fragment", QUADS, "quads of generated tiles without a covered fragment")    \
   S(quads1, "Stamps1Fragment", QUADS, "quads with 1 covered fragment")                          \
   S(quads2, "Stamps2Fragment", QUADS, "quads with 2 covered fragments")                         \
   S(quads3, "Stamps3Fragment", QUADS, "quads with 3 covered fragments")                         \
   S(quads4, "Stamps4Fragment", QUADS, "quads with 4 covered fragments")                         \
   S(level1, "TilesLevel1", TILES, "128x128 tiles divided (rasteriser of levels)")               \
   S(level2, "TilesLevel2", TILES, "64x64 tiles divided")                                        \
   S(level3, "TilesLevel3", TILES, "32x32 tiles divided")                                        \
   S(level4, "TilesLevel4", TILES, "16x16 tiles divided")                                        \
   S(level5, "TilesLevel5", TILES, "8x8 tiles divided")                                          \
   S(level6, "TilesLevel6", TILES, "4x4 tiles divided")                                          \
   S(level7, "TilesLevel7", TILES, "2x2 tiles divided into pixels")                              \
   S(busy, "UtilizationCycles", CYCLES, "cycles in which tiles were looked for or made")         \
   S(stall_hz, "StallsHZ", CYCLES, "the HZ test took no tile")

#define SIM_ENERGY_tt(A, E, D, N)                                                        \
   E("TestedBlocks", Test, c->rast.tile_testers, 16 * OP(integer_add),                   \
      "three edges and depth at four corners")                                           \
   E("GeneratedTiles", Tile, c->rast.tiles_cycle, 64 * 4 * OP(integer_add),              \
      "three edges and depth of 64 fragments")                                           \
   N("InputTriangles RequestedTriangles TriangleBatches GeneratedFragments OutputTiles " \
      "Stamps*Fragment TilesLevel*", "parts of GeneratedTiles and TestedBlocks")

#define SIM_AREA_tt(U, IN)                                                                   \
   U(traversal, "Fragment generation", 1, AREA_ADDER * 3 * (4. * c->rast.tile_testers +      \
      (double)c->rast.tiles_cycle * c->rast.gen_width * c->rast.gen_height), AREA_TRIANGLE * \
      c->rast.batch_queue, 0, "estimate: an adder for each edge and corner that is tested, " \
      "and for each fragment of a tile")

#define SIM_LIMITER_tt(L, W, C, M)           \
   L(110, "traversal", raster, tt_hz, false) \
      W("UtilizationCycles", 1)

#define SIM_IDEAL_tt(I)                                                           \
   I(raster, RASTERIZER,                                                          \
      "BatchQueueSize=1024 TileTesters=16 StampsPerCycle=16 MSAASamplesCycle=16")
/* clang-format on */

#endif
