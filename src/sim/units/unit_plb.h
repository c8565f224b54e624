/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Polygon List Builder (box/tiling/plb.c), and the parameters that it shares with
 * the Tile Fetcher. units.h says how to read it. ATTILA draws immediately and has neither unit. The
 * two are those of phones' GPUs (Antochi and others, SAMOS 2004). Sizes come from public drivers
 * where they are named (Mesa 25.0; lima: lists of blocks, 16 MB at first; panfrost: tile buffers of
 * 8 KB, tiles of 16x16 pixels that shrink), else our choice. */
#ifndef UNIT_PLB_H
#define UNIT_PLB_H

/* clang-format off */
#define SIM_UNIT_plb(U)                                                                          \
   U("PolygonListBuilder", "PLB",                                                                \
      "Of a tile-based machine: stores primitives, and lists for each bin those that touch it",  \
      SIM_CHARGES_DRAW)

/* Why passes end: W(S, member, Name, meaning). */
#define SIM_PASS_ENDS(W, S)                                                                        \
   W(S, target, Target, "a draw with other targets")                                             \
   W(S, swap, Swap, "SWAP or END_FRAME")                                                         \
   W(S, flush, Flush, "FLUSH")                                                                   \
   W(S, clear, Clear, "CLEAR_COLOR or CLEAR_ZS")                                                 \
   W(S, blit, Blit, "BLIT")                                                                      \
   W(S, upload, Upload, "WRITE_BUFFER")                                                          \
   W(S, read, Readback, "READ_BUFFER")                                                           \
   W(S, query, Query, "a counter that is read or written, or a full queue of them")              \
   W(S, fence, Fence, "FENCE")                                                                   \
   W(S, stream, StreamOut, "stream-out, or its buffers")                                         \
   W(S, draws, Draws, "PassDraws")                                                               \
   W(S, discard, Discard, "a draw after DISCARD of its targets")                                 \
   W(S, end, EndOfStream, "the end of the stream")

#define SIM_PARAMS_TILING(P, B, T)                                                               \
   P(TILING, TileWidth, width, 16, 8, 64, "pixels",                                              \
      "width of a bin (power of 2); less if TileBufferBytes is too small, more if the lists "    \
      "of all bins would fill half of the parameter buffer")                                     \
   P(TILING, TileHeight, height, 16, 8, 64, "pixels",                                            \
      "height of a bin (power of 2), less or more likewise")                                     \
   P(TILING, TileBufferBytes, buffer_bytes, 8192, 256, 1048576, "bytes",                         \
      "room for the colours of a bin with all samples and targets; the caches of the ROPs are "  \
      "the tile buffers")                                                                        \
   P(TILING, TileBuffers, buffers, 2, 1, 8, "bins",                                              \
      "bins that a ROP draws or writes back at once")                                            \
   T(TILING, TileOrder, order, "SCAN",                                                           \
      "order of bins, SCAN: line by line, Z: along a Morton curve")                              \
   B(TILING, BinTestEdges, test_edges, 1,                                                        \
      "a primitive is not listed in bins of its bounding box that its edges leave out")          \
   P(TILING, BinTilesCycle, bins_cycle, 4, 1, 64, "bins/cycle",                                  \
      "bins tested for a primitive")                                                             \
   P(TILING, ListBlockBytes, block_bytes, 64, 16, 256, "bytes",                                  \
      "size of a block of a list, with the address of the next one (power of 2)")                \
   P(TILING, ListEntryBytes, entry_bytes, 4, 4, 8, "bytes",                                      \
      "size of a primitive's entry in a list (power of 2)")                                      \
   P(TILING, ParameterBufferSize, memory_size, 16384, 16, 262144, "KiB",                         \
      "room for primitives and lists, behind MemorySize; a full one is drawn and emptied")       \
   P(TILING, PassDraws, pass_draws, 2048, 1, 16384, "draws",                                     \
      "largest number of draws in all open passes")                                              \
   P(TILING, OpenPasses, open_passes, 1, 1, 8, "passes",                                         \
      "passes that are open at once, one for each set of targets, with equal shares of the "     \
      "parameter buffer")                                                                        \
   B(TILING, TransactionElimination, eliminates, 0,                                              \
      "colours of a bin that are those in memory are not written: a signature of each square of " \
      "16x16 pixels tells (ARM's name)")                                                         \
   B(TILING, RenderingElimination, keeps, 0,                                                     \
      "a bin whose inputs have the signature of those in the last pass with the same targets is " \
      "not drawn (Anglada and others, HPCA 2019)")                                               \
   P(TILING, ForwardPixelKill, kill_quads, 0, 0, 4096, "quads",                                  \
      "quads of a ROP that wait before shading for a later opaque one, which drops those that "  \
      "it covers (ARM's name); 0: none")                                                         \
   B(TILING, HiddenSurfaceRemoval, hides, 0,                                                     \
      "opaque fragments wait until those of their bin have been tested, and only the visible "   \
      "ones are shaded (PowerVR's name)")                                                        \
   P(TILING, LowResolutionZ, low_z_tiles, 0, 0, 262144, "tiles",                                 \
      "tiles of 8x8 pixels of an open pass of which the farthest depth is found while lists are " \
      "made; what lies behind it is not drawn (Adreno's name); 0: none")                         \
   P(TILING, LowResolutionZTilesCycle, low_z_cycle, 4, 1, 64, "tiles/cycle",                     \
      "tiles compared with a triangle that may hide others (LowResolutionZ)")                    \
   P(TILING, TileCacheWays, cache_ways, 8, 1, 64, "ways",                                        \
      "associativity of the tile cache, which holds lines of the parameter buffer")              \
   P(TILING, TileCacheLines, cache_sets, 256, 1, 4096, "sets",                                   \
      "lines of a way of the tile cache (power of 2)")                                           \
   P(TILING, TileCacheLineSize, cache_line, 64, 64, 256, "bytes",                                \
      "size of a line of the tile cache (power of 2)")                                           \
   P(TILING, TileCacheMisses, cache_misses, 8, 1, 64, "lines",                                   \
      "lines that the tile cache reads and writes at once")                                      \
   P(TILING, FetchQueueSize, fetch_queue, 16, 2, 1024, "primitives",                             \
      "primitives of the Tile Fetcher that wait for their lines")                                \
   P(TILING, TileSetupCycles, setup_cycles, 1, 1, 100, "cycles",                                 \
      "time to set a primitive up anew in a bin")

/* Depths of low-resolution Z, of all open passes; 1: without it. */
#define SIM_LOW_Z(c) \
   ((c)->tiling.low_z_tiles ? (c)->tiling.low_z_tiles * (c)->tiling.open_passes : 1)

#define SIM_PASS_END_STAT(S, member, name, doc) \
   S(end_##member, "Passes" #name, COUNT, "passes that ended for " doc)
#define SIM_TILE_CACHE_STATS(S)                                                                  \
   S(cache_hits, "HitsTileCache", REQUESTS, "accesses that found their line, filled or not")     \
   S(cache_misses, "MissesTileCache", LINES, "lines requested from memory")                      \
   S(cache_spills, "SpillsTileCache", LINES, "lines written to memory")                          \
   S(read_bytes, "ReadBytes", BYTES, "bytes read from memory")                                   \
   S(write_bytes, "WriteBytes", BYTES, "bytes written to memory")
#define SIM_STATS_plb(S)                                                                         \
   SIM_TILE_CACHE_STATS(S)                                                                       \
   S(primitives, "InputTriangles", TRIANGLES, "primitives received")                             \
   S(vertices, "StoredVertices", VERTICES, "vertices stored")                                    \
   S(attribute_bytes, "AttributeBytes", BYTES, "bytes of stored primitives and vertices")        \
   S(tested, "TestedBins", COUNT, "bins tested")                                                 \
   S(low_z, "LowZTiles", TILES,                                                                  \
      "tiles compared with triangles that may hide others (LowResolutionZ)")                     \
   S(entries, "ListEntries", COUNT, "primitives listed, once for each bin")                      \
   S(blocks, "ListBlocks", COUNT, "blocks of lists begun")                                       \
   S(list_bytes, "ListBytes", BYTES, "bytes of list entries")                                    \
   S(signed_bytes, "SignedBytes", BYTES, "bytes of vertices that are signed, once for each "     \
      "primitive, and of signatures that are added to those of bins (RenderingElimination)")     \
   S(listed, "ListedClears", COUNT, "clears in the midst of a pass, which joined its lists")     \
   S(resolves, "ListedResolves", COUNT, "averages of samples that joined the lists of a pass")   \
   S(taken_out, "TakenOutEntries", COUNT, "entries taken out of the lists: clears followed of "   \
      "all that they write")                                                                     \
   S(partial, "PartialRenders", COUNT, "passes drawn in parts because the parameter buffer "     \
      "was full")                                                                                \
   SIM_PASS_ENDS(SIM_PASS_END_STAT, S)                                                           \
   S(stall_cache, "StallsTileCache", CYCLES, "a primitive waited for the tile cache")            \
   S(stall_drawing, "StallsDrawing", CYCLES, "a primitive waited while the lists were drawn")

#define SIM_ENERGY_plb(A, E, D, N)                                                               \
   A(PARAMETER_CACHE, c->tiling.cache_ways * c->tiling.cache_sets, 8 * c->tiling.cache_line, 1)  \
   A(PARAMETER_TAGS, c->tiling.cache_sets, 24 * c->tiling.cache_ways, 1)                         \
   E("TestedBins", Test, c->tiling.bins_cycle, 16 * OP(integer_add),                             \
      "three edges at four corners")                                                             \
   A(LOW_Z_BUFFER, SIM_LOW_Z(c), 32, 1)                                                          \
   E("LowZTiles", LowZ, (c->tiling.low_z_tiles != 0) * c->tiling.low_z_cycle,                    \
      13 * OP(integer_add) + READ(LOW_Z_BUFFER) + WRITE(LOW_Z_BUFFER),                           \
      "three edges at four corners, and a depth that is compared and written")                   \
   E("HitsTileCache", CacheWrite, 1, READ(PARAMETER_TAGS) + c->tiling.cache_ways *               \
      OP(integer_add) + WRITE(PARAMETER_CACHE), "tags of a set, and a line")                     \
   E("SpillsTileCache", CacheRead, 0.1, READ(PARAMETER_CACHE), "a line")                         \
   E("SignedBytes", Sign, 16, 8 * OP(latch_bit) + 2 * OP(integer_add), "a step of a CRC")        \
   N("InputTriangles StoredVertices AttributeBytes ListEntries ListBlocks ListBytes "            \
      "MissesTileCache ReadBytes WriteBytes",                                                    \
      "parts of what is written to the cache (HitsTileCache)")                                   \
   N("PartialRenders TakenOutEntries ListedClears ListedResolves Passes*",                       \
      "kinds of what the command processor and the Tile Fetcher do")

#define SIM_AREA_plb(U, IN)                                                                      \
   U(polygon_lists, "Polygon list builder", sim_tiled(c), AREA_ADDER * 12. *                     \
      c->tiling.bins_cycle, AREA_CACHE_BITS(c->tiling.cache_ways * c->tiling.cache_sets,         \
      c->tiling.cache_line), 0,                                                                  \
      "estimate: three adders for each corner of a bin that is tested; the tile cache by its "   \
      "bits")                                                                                    \
   U(low_z, "Low-resolution Z", c->tiling.low_z_tiles != 0, AREA_ADDER * 13. *                   \
      c->tiling.low_z_cycle, 32. * SIM_LOW_Z(c), 0,                                              \
      "estimate: 32 bits for each tile of each open pass; adders as for bins, and for the depth")

#define SIM_LIMITER_plb(L, W, C, M) L(118, "polygon lists", raster, NONE, true)

#define SIM_IDEAL_plb(I)                                                                      \
   I(raster, TILING, "BinTilesCycle=64")                                                      \
   I(caches, TILING, "TileCacheWays=64 TileCacheLines=4096 TileCacheMisses=64")
/* clang-format on */

#endif
