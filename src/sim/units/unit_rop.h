/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the sheets of both halves of a ROP share: Z and stencil test (unit_zst.h) and colour write
 * (unit_cw.h). */
#ifndef UNIT_ROP_H
#define UNIT_ROP_H

#include "units/replacements.h"

/* clang-format off */
#define SIM_PARAMS_ROP(P, B, T, SECTION, CACHE, PLAIN)                                          \
   P(SECTION, StampsPerCycle, quads_cycle, 1, 1, 4, "quads/cycle",                              \
      "quads that go through each stage; the cache has no more ports for them")                 \
   P(SECTION, BytesPerPixel, pixel_bytes, 4, 4, 16, "bytes",                                    \
      "size of a pixel, from which the size of a cache line follows")                           \
   P(SECTION, InputQueueSize, input_queue, 64, 1, 4096, "quads", "quads waiting for the unit")  \
   P(SECTION, FetchQueueSize, fetch_queue, 64, 1, 4096, "quads",                                \
      "quads whose line is requested, waiting to be read")                                      \
   P(SECTION, ReadQueueSize, read_queue, 16, 1, 4096, "quads",                                  \
      "quads that have been read, or are only to be written")                                   \
   P(SECTION, OpQueueSize, op_queue, 4, 1, 4096, "quads",                                       \
      "quads of each of StampsPerCycle ALUs that wait to be written; not less than the ALU's "  \
      "latency")                                                                                \
   P(SECTION, WriteQueueSize, write_queue, 8, 1, 4096, "quads",                                 \
      "quads waiting for the next unit")                                                        \
   P(SECTION, CACHE##StampsPerLine, line_stamps, 16, 1, 16, "quads",                            \
      "quads of BytesPerPixel in a cache line, which has 64, 128 or 256 bytes")                 \
   P(SECTION, CACHE##Replacement, cache_replacement, 0, 0, SIM_NUM_REPLACEMENTS - 1, "policy",  \
      SIM_REPLACEMENTS_DOC)                                                                     \
   B(SECTION, CACHE##AllSets, all_sets, 1,                                                      \
      "a ROP uses every set of its cache; FALSE: sets follow from the address among the "       \
      "blocks of all ROPs")                                                                     \
   P(SECTION, CACHE##PortWidth, port_width, 32, 1, 256, "bytes/cycle",                          \
      "width of each port of the cache")                                                        \
   B(SECTION, CACHE##ExtraReadPort, extra_read_port, 1,                                         \
      "the cache has two read ports instead of one")                                            \
   B(SECTION, CACHE##ExtraWritePort, extra_write_port, 1,                                       \
      "the cache has two write ports instead of one")                                           \
   P(SECTION, CACHE##RequestQueueSize, cache_requests, 8, 1, 64, "requests",                    \
      "cache lines being filled, written back, or both")                                        \
   P(SECTION, CACHE##InputQueueSize, cache_input, 8, 1, 64, "requests",                         \
      "cache lines being filled")                                                               \
   P(SECTION, CACHE##OutputQueueSize, cache_output, 8, 1, 64, "requests",                       \
      "cache lines being written back")                                                         \
   P(SECTION, CompressionUnitLatency, compress_latency, 8, 1, 100, "cycles",                    \
      "time to compress a line that is written back")                                           \
   P(SECTION, DecompressionUnitLatency, decompress_latency, 8, 1, 100, "cycles",                \
      "time to decompress a line that is filled")                                               \
   P(SECTION, BlockStateMemorySize, block_states, 262144, 1024, 4194304, "blocks",              \
      "blocks of a surface whose state a unit keeps; those beyond are never compressed")        \
   P(SECTION, BlocksClearedPerCycle, blocks_cleared, 65536, 1, 65536, "blocks/cycle",           \
      "block states that a clear sets; every clear sets all of BlockStateMemorySize")           \
   B(SECTION, DisableCompression, no_compression, PLAIN, "blocks are never compressed")

/* Statistics under the original's names with its meaning: of the pipeline (rop_unit.c), of the
 * cache (rop_cache.c) and of its transfers (rop_transfer.c). They come first in the lists of both
 * boxes, in this order. A cycle in which several things could not go on counts once for each of
 * them. QEmpty counts only from a draw's first quad to its end. */
#define SIM_ROP_PIPELINE_STATS(S)                                                                 \
   S(input, "InputFragments", FRAGMENTS,                                                          \
      "fragments received: 4 for each quad, dead or alive, and 4 for the end of a draw")          \
   S(outside, "OutsideFragments", FRAGMENTS, "dead pixels of the quads received")                 \
   S(culled, "CulledFragments", FRAGMENTS,                                                        \
      "fragments of quads that were dead on arrival, 4 for each")                                 \
   S(draw_ends, "DrawEnds", COUNT, "ends of draws received, of which InputFragments counts 4 each")\
   S(operated, "OperatedFragments", QUADS, "quads tested or blended")                             \
   S(fetch_cycles, "FetchCycles", CYCLES, "a quad, a sample of a quad, or the end of a draw "     \
     "came in")                                                                                   \
   S(fetch_ok, "FetchOK", REQUESTS, "lines reserved to be read")                                  \
   S(fetch_failed, "FetchFailed", CYCLES, "a line to be read could not be reserved")              \
   S(allocate_ok, "AllocateOK", REQUESTS, "lines reserved only to be written")                    \
   S(allocate_failed, "AllocateFailed", CYCLES, "a line to be written could not be reserved")     \
   S(read_ok, "ReadOK", REQUESTS, "samples of quads read from the cache")                         \
   S(read_failed, "ReadFailed", CYCLES, "the oldest fetched quad waited for its line or a port")  \
   S(write_ok, "WriteOK", REQUESTS, "samples of quads written to the cache")                      \
   S(write_failed, "WriteFailed", CYCLES,                                                         \
      "the oldest operated quad waited for its line or a port")                                   \
   S(raw, "RAWDependence", CYCLES,                                                                \
      "the oldest fetched quad waited for an older one at the same place")                        \
   S(op_busy, "ROPOperatorBusy", CYCLES, "the ALU could not start another quad yet")              \
   S(consumer_busy, "ConsumerBusy", CYCLES, "a finished quad waited for the next box")            \
   S(input_empty, "InputQEmpty", CYCLES, "the unit had no quad to fetch for")                     \
   S(fetch_empty, "FetchQEmpty", CYCLES, "the unit had no quad to read for")                      \
   S(read_empty, "ReadQEmpty", CYCLES, "the unit had no quad to test or blend")                   \
   S(op_empty, "OperationQEmpty", CYCLES, "the unit had no quad to write")                        \
   S(write_empty, "WriteQEmpty", CYCLES, "the unit had no quad to send on")                       \
   S(fetch_full, "FetchQFullStall", CYCLES, "the queue behind the fetch had no room for a quad")  \
   S(read_full, "ReadQFullStall", CYCLES, "the queue before the ALU had no room for a quad")      \
   S(op_full, "OperationQFullStall", CYCLES, "the queue behind the ALU had no room for a quad")   \
   S(write_full, "WriteQFullStall", CYCLES, "the queue of written quads had no room")

#define SIM_ROP_CACHE_STATS(S)                                                                   \
   S(fetch_hits, "HitsFetch_FC", REQUESTS, "reservations of lines with data that hit")           \
   S(fetch_misses, "MissesFetch_FC", REQUESTS,                                                   \
      "reservations of lines with data that missed, counted in each cycle that tries them")      \
   S(fetch_miss_ok, "MissOKFetch_FC", REQUESTS, "misses of lines with data that got a line")     \
   S(fetch_miss_fail, "MissFailFetch_FC", CYCLES, "a miss got no line")                          \
   S(fetch_fail_queue, "MissFailReqQueueFetch_FC", CYCLES,                                       \
      "a miss got no line because the request queue was full")                                   \
   S(fetch_fail_reserve, "MissFailReserveFetch_FC", CYCLES,                                      \
      "a miss got no line because every way was reserved")                                       \
   S(alloc_hits, "HitsAlloc_FC", REQUESTS, "reservations of lines to be written that hit")       \
   S(alloc_misses, "MissesAlloc_FC", REQUESTS,                                                   \
      "reservations of lines to be written that missed, counted in each cycle that tries them")  \
   S(alloc_miss_ok, "MissOKAlloc_FC", REQUESTS, "misses of lines to be written that got a line") \
   S(alloc_miss_fail, "MissFailAlloc_FC", CYCLES, "a miss got no line")                          \
   S(alloc_fail_queue, "MissFailReqQueueAlloc_FC", CYCLES,                                       \
      "a miss got no line because the request queue was full")                                   \
   S(alloc_fail_reserve, "MissFailReserveAlloc_FC", CYCLES,                                      \
      "a miss got no line because every way was reserved")                                       \
   S(reads_ok, "ReadsOK_FC", REQUESTS, "reads of a quad's sample")                               \
   S(reads_fail, "ReadsFail_FC", CYCLES, "the line to be read had no data yet")                  \
   S(writes_ok, "WritesOK_FC", REQUESTS, "writes of a quad's sample")                            \
   S(writes_fail, "WritesFail_FC", CYCLES, "the line to be written was not there yet")           \
   S(fc_read_bytes, "ReadBytes_FC", BYTES, "bytes read from the cache, for quads and lines")     \
   S(fc_write_bytes, "WriteBytes_FC", BYTES, "bytes written to the cache, for quads and lines")

#define SIM_ROP_TRANSFER_STATS(S)                                                                 \
   S(no_requests, "NoNewRequests", CYCLES, "the cache requested no transfer")                     \
   S(read_q_full, "ReadReqQFull", CYCLES, "the queue of lines to be filled was full")             \
   S(write_q_full, "WriteReqQFull", CYCLES, "the queue of lines to be written back was full")     \
   S(rw_q_full, "RWReqFull", CYCLES,                                                              \
      "the queue of lines to be filled, or that of lines to be written back, was full; both "     \
      "count twice")                                                                              \
   S(wait_write, "WaitWriteStall", CYCLES, "the line to be filled was still being written back")  \
   S(read_accepted, "ReadReqAccepted", REQUESTS, "lines to be filled")                            \
   S(write_accepted, "WriteReqAccepted", REQUESTS, "lines to be written back")                    \
   S(read_in_empty, "ReadInputQEmpty", CYCLES, "the decompressor was free and had nothing to do") \
   S(wait_read, "ReadInputWaitReadStall", CYCLES, "the decompressor waited for memory")           \
   S(decompressor, "DecompressorBusy", CYCLES,                                                    \
      "the decompressor worked, or passed a plain block on")                                      \
   S(write_out_empty, "WriteOutQEmpty", CYCLES, "the compressor was free and had nothing to do")  \
   S(compressor, "CompressorBusy", CYCLES, "the compressor worked, or passed a plain block on")   \
   S(mem_stall, "MemReqStall", CYCLES, "a block to be written waited for a read request")         \
   S(war_stall, "CacheLineWARStall", CYCLES,                                                      \
      "a filled line waited for its old data to be read out")                                     \
   S(write_port, "WriteLinePortStall", CYCLES, "a filled line waited for a write port")           \
   S(read_port, "ReadLinePortStall", CYCLES,                                                      \
      "a line to be written back waited for a read port or the line before")                      \
   S(written_64, "ComprBlock64", LINES, "lines written back in 64 bytes")                         \
   S(written_128, "ComprBlock128", LINES, "lines written back in 128 bytes")                      \
   S(written_192, "ComprBlock192", LINES, "lines written back in 192 bytes")                      \
   S(written_256, "ComprBlock256", LINES, "lines written back plain, whole or in part")           \
   S(clear_fills, "ClearFills", LINES, "lines filled without a memory read")                      \
   S(read_trans, "ReadTransactions", TRANSACTIONS,                                                \
      "transactions of 64 bytes at most that read from memory")                                   \
   S(write_trans, "WriteTransactions", TRANSACTIONS,                                              \
      "transactions of 64 bytes at most that wrote to memory")                                    \
   S(read_bytes, "ReadBytes", BYTES, "bytes read over the memory pins")                           \
   S(write_bytes, "WriteBytes", BYTES, "bytes written over the memory pins")                      \
   S(bus_stall, "MemoryBusStall", CYCLES, "a request waited for the memory controller")           \
   S(clear_cycles, "ClearCycles", CYCLES, "the unit was busy with clear commands")                \
   S(flush_cycles, "WriteBackCycles", CYCLES, "the unit was busy with write-back commands")        \
   S(bins, "EndedBins", COUNT, "bins of a tile-based machine that ended here")                     \
   S(bin_lines, "BinLines", LINES, "lines written back because their bin had ended")               \
   S(discarded, "DiscardedLines", LINES,                                                           \
      "dirty lines dropped when their bin had ended, because of DISCARD or of a clear")            \
   S(eliminated, "EliminatedLines", LINES,                                                         \
      "dirty lines of an ended bin that memory has already (TransactionElimination)")              \
   S(eliminated_bytes, "EliminatedBytes", BYTES, "bytes that writing these lines would take") \
   S(signed_bytes, "SignedBytes", BYTES, "bytes read to make signatures (TransactionElimination)") \
   S(bin_wait, "StallsTileBuffer", CYCLES,                                                         \
      "the first quad of a bin, or the end of one, waited because all TileBuffers were in use")

#define SIM_ROP_STATS(S) SIM_ROP_PIPELINE_STATS(S) SIM_ROP_CACHE_STATS(S) SIM_ROP_TRANSFER_STATS(S)

/* P: prefix of the box's arrays; M: its parameters. */
#define SIM_ROP_ENERGY(A, E, N, P, M)                                                           \
   A(P##_CACHE, rop_cache_bytes(&M) / M.port_width, 8 * M.port_width, 2 + M.extra_read_port +   \
      M.extra_write_port)                                                                       \
   A(P##_TAGS, M.cache_sets, 24 * M.cache_ways, 1)                                              \
   A(P##_STATES, M.block_states / 32, 64, 1)                                                    \
   E("ReadBytes_FC", CacheRead, M.port_width * (1.0 + M.extra_read_port), READ(P##_CACHE) /     \
      M.port_width, "a byte of a cache access")                                                 \
   E("WriteBytes_FC", CacheWrite, M.port_width * (1.0 + M.extra_write_port), WRITE(P##_CACHE) / \
      M.port_width, "a byte of a cache access")                                                 \
   E("FetchOK", TagLookup, 1, READ(P##_TAGS) + M.cache_ways * OP(integer_add),                  \
      "tags of a set and a comparison for each way")                                            \
   E("AllocateOK", TagAllocate, 1, READ(P##_TAGS) + M.cache_ways * OP(integer_add),             \
      "tags of a set and a comparison for each way")                                            \
   E("ReadReqAccepted", Decompress, 0.125, READ(P##_STATES) + 64 * 2 * OP(integer_add),         \
      "state of the block, 2 adds for each of its 64 pixels")                                   \
   E("WriteReqAccepted", Compress, 0.125, WRITE(P##_STATES) + 64 * 4 * OP(integer_add),         \
      "state of the block, 4 adds and compares for each of its 64 pixels")                      \
   E("InputFragments", Queue, 4, 160 * OP(latch_bit), "160 bits through the unit's queues")     \
   N("OutsideFragments CulledFragments DrawEnds OperatedFragments", "kinds of InputFragments")  \
   N("EndedBins BinLines", "reasons of WriteReqAccepted")                                       \
   E("SignedBytes", Sign, M.port_width, READ(P##_CACHE) / M.port_width + 8 * OP(latch_bit) +    \
      2 * OP(integer_add), "a byte read from the cache, and a step of a CRC")                   \
   N("DiscardedLines EliminatedLines EliminatedBytes", "lines that go nowhere")                 \
   N("HitsFetch_FC MissesFetch_FC MissOKFetch_FC HitsAlloc_FC MissesAlloc_FC MissOKAlloc_FC",   \
      "what came of a look-up (FetchOK, AllocateOK)")                                           \
   N("ReadOK WriteOK ReadsOK_FC WritesOK_FC",                                                   \
      "accesses have energy by bytes (ReadBytes_FC, WriteBytes_FC)")                            \
   N("ComprBlock* ClearFills ReadTransactions WriteTransactions ReadBytes WriteBytes",          \
      "of blocks that are read and written (ReadReqAccepted, WriteReqAccepted); the memory "    \
      "controller charges the way there")

/* Bits of the box's cache and queues. */
#define SIM_ROP_BITS(r)                                                                         \
   (AREA_CACHE_BITS((r).cache_ways * (r).cache_sets, (r).line_stamps * 4 * (r).pixel_bytes) +   \
    AREA_QUAD *                                                                                 \
        ((r).input_queue + (r).fetch_queue + (r).read_queue + (r).op_queue + (r).write_queue) + \
    AREA_BLOCK_STATE * (r).block_states)

/* CACHE: a string. */
#define SIM_ROP_IDEAL(I, SECTION, CACHE)                                                 \
   I(rop, SECTION, "InputQueueSize=4096 FetchQueueSize=4096 ReadQueueSize=4096 "         \
      "OpQueueSize=4096 WriteQueueSize=4096 " CACHE "PortWidth=256 " CACHE               \
      "RequestQueueSize=64 " CACHE "InputQueueSize=64 " CACHE "OutputQueueSize=64 "      \
      "CompressionUnitLatency=1 DecompressionUnitLatency=1 BlocksClearedPerCycle=65536 " \
      "StampsPerCycle=4 " CACHE "ExtraReadPort=TRUE " CACHE "ExtraWritePort=TRUE")

/* The box's work, in cycles; M: its parameters. */
#define SIM_ROP_WORK(W, M)                                              \
   W("FetchCycles", 1)                                                  \
   W("DecompressorBusy", 1)                                             \
   W("CompressorBusy", 1)                                               \
   W("ClearCycles", 1)                                                  \
   W("ReadBytes_FC", 1.0 / M.port_width / (1.0 + M.extra_read_port))    \
   W("WriteBytes_FC", 1.0 / M.port_width / (1.0 + M.extra_write_port))
/* clang-format on */

#endif
