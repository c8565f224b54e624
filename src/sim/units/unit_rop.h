/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the sheets of both halves of a ROP share: Z and stencil test (unit_zst.h) and colour write
 * (unit_cw.h).
 */
#ifndef UNIT_ROP_H
#define UNIT_ROP_H

#include "units/replacements.h"

/* clang-format off */
#define SIM_PARAMS_ROP(P, B, T, SECTION, CACHE, PLAIN)                                          \
   P(SECTION, StampsPerCycle, quads_cycle, 1, 1, 4, "quads/cycle",                              \
      "through each stage; the cache has no more ports for it")                                   \
   P(SECTION, BytesPerPixel, pixel_bytes, 4, 4, 16, "bytes", "of a pixel, for the line's size") \
   P(SECTION, InputQueueSize, input_queue, 64, 1, 4096, "quads", "waiting")                     \
   P(SECTION, FetchQueueSize, fetch_queue, 64, 1, 4096, "quads",                                \
      "whose line has been asked for, waiting to be read")                                      \
   P(SECTION, ReadQueueSize, read_queue, 16, 1, 4096, "quads", "read, or only to be written")   \
   P(SECTION, OpQueueSize, op_queue, 4, 1, 4096, "quads",                                       \
      "of each of StampsPerCycle ALUs, waiting to be written; not less than the ALU's latency") \
   P(SECTION, WriteQueueSize, write_queue, 8, 1, 4096, "quads", "waiting for the next unit")    \
   P(SECTION, CACHE##StampsPerLine, line_stamps, 16, 1, 16, "quads",                            \
      "of BytesPerPixel in a line: 64, 128 or 256 bytes")                                       \
   P(SECTION, CACHE##Replacement, cache_replacement, 0, 0, SIM_NUM_REPLACEMENTS - 1, "policy",  \
      SIM_REPLACEMENTS_DOC)                                                                     \
   B(SECTION, CACHE##AllSets, all_sets, 1,                                                      \
      "a ROP uses every set; FALSE: sets follow from the address among the blocks of all ROPs") \
   P(SECTION, CACHE##PortWidth, port_width, 32, 1, 256, "bytes/cycle", "of each cache port")    \
   B(SECTION, CACHE##ExtraReadPort, extra_read_port, 1, "two read ports instead of one")        \
   B(SECTION, CACHE##ExtraWritePort, extra_write_port, 1, "two write ports instead of one")     \
   P(SECTION, CACHE##RequestQueueSize, cache_requests, 8, 1, 64, "requests",                    \
      "lines being filled, written back, or both")                                              \
   P(SECTION, CACHE##InputQueueSize, cache_input, 8, 1, 64, "requests", "lines being filled")   \
   P(SECTION, CACHE##OutputQueueSize, cache_output, 8, 1, 64, "requests",                       \
      "lines being written back")                                                               \
   P(SECTION, CompressionUnitLatency, compress_latency, 8, 1, 100, "cycles",                    \
      "per line written back")                                                                  \
   P(SECTION, DecompressionUnitLatency, decompress_latency, 8, 1, 100, "cycles",                \
      "per line filled")                                                                        \
   P(SECTION, BlockStateMemorySize, block_states, 262144, 1024, 4194304, "blocks",              \
      "of a surface whose state a unit keeps; others are always plain")                         \
   P(SECTION, BlocksClearedPerCycle, blocks_cleared, 65536, 1, 65536, "blocks/cycle",            \
      "of BlockStateMemorySize, by any clear")                                                  \
   B(SECTION, DisableCompression, no_compression, PLAIN, "never compress blocks")

/* Statistics under the original's names with its meaning: of the pipeline (rop_unit.c), of the
 * cache (rop_cache.c) and of its transfers (rop_transfer.c). First in the lists of both, in this
 * order. A cycle in which something could not go on counts once for each thing that says so; QEmpty
 * counts only from a draw's first quad to its end. */
#define SIM_ROP_PIPELINE_STATS(S)                                                                 \
   S(input, "InputFragments", FRAGMENTS,                                                          \
      "fragments received: 4 of each quad, dead or alive, and of a draw's end")                   \
   S(outside, "OutsideFragments", FRAGMENTS, "dead pixels of the quads received")                 \
   S(culled, "CulledFragments", FRAGMENTS,                                                        \
      "fragments of quads that were dead when they came, 4 of each")                              \
   S(operated, "OperatedFragments", QUADS, "quads tested or blended")                             \
   S(fetch_cycles, "FetchCycles", CYCLES, "a quad or a sample of one, or a draw's end, came in")  \
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
   S(fetch_misses, "MissesFetch_FC", REQUESTS, "misses, counted in every cycle they are tried")  \
   S(fetch_miss_ok, "MissOKFetch_FC", REQUESTS, "misses that got a line")                        \
   S(fetch_miss_fail, "MissFailFetch_FC", CYCLES, "a miss got no line")                          \
   S(fetch_fail_queue, "MissFailReqQueueFetch_FC", CYCLES,                                       \
      "a miss got no line because the request queue was full")                                   \
   S(fetch_fail_reserve, "MissFailReserveFetch_FC", CYCLES,                                      \
      "a miss got no line because every way was reserved")                                       \
   S(alloc_hits, "HitsAlloc_FC", REQUESTS, "reservations of lines to be written that hit")       \
   S(alloc_misses, "MissesAlloc_FC", REQUESTS, "misses, counted in every cycle they are tried")  \
   S(alloc_miss_ok, "MissOKAlloc_FC", REQUESTS, "misses that got a line")                        \
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
   S(no_requests, "NoNewRequests", CYCLES, "the cache asked for no transfer")                     \
   S(read_q_full, "ReadReqQFull", CYCLES, "the queue of lines to be filled was full")             \
   S(write_q_full, "WriteReqQFull", CYCLES, "the queue of lines to be written back was full")     \
   S(rw_q_full, "RWReqFull", CYCLES,                                                              \
      "the queues of lines to be filled and to be written back were full; both: twice")           \
   S(wait_write, "WaitWriteStall", CYCLES, "the line to be filled is still being written back")   \
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
   S(flush_cycles, "WriteBackCycles", CYCLES, "the unit was busy with write-back commands")

#define SIM_ROP_STATS(S) SIM_ROP_PIPELINE_STATS(S) SIM_ROP_CACHE_STATS(S) SIM_ROP_TRANSFER_STATS(S)

/* P: prefix of its arrays, M: its parameters. */
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
   N("OutsideFragments CulledFragments OperatedFragments", "kinds of InputFragments")           \
   N("HitsFetch_FC MissesFetch_FC MissOKFetch_FC HitsAlloc_FC MissesAlloc_FC MissOKAlloc_FC",   \
      "what came of a look-up (FetchOK, AllocateOK)")                                           \
   N("ReadOK WriteOK ReadsOK_FC WritesOK_FC",                                                   \
      "accesses have energy by bytes (ReadBytes_FC, WriteBytes_FC)")                            \
   N("ComprBlock* ClearFills ReadTransactions WriteTransactions ReadBytes WriteBytes",          \
      "of blocks that are read and written (ReadReqAccepted, WriteReqAccepted); the memory "    \
      "controller charges the way there")

/* Bits of its cache and queues. */
#define SIM_ROP_BITS(r)                                                                        \
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

#define SIM_ROP_TERMS "FetchCycles DecompressorBusy CompressorBusy ClearCycles"
/* clang-format on */

#endif
