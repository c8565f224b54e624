/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics that both boxes of a ROP have, under the original's names with its meaning: of the
 * pipeline (rop_unit.c), of the cache (rop_cache.c) and of its transfers (rop_transfer.c). First in
 * the lists of zst.c and cw.c, in this order. A cycle in which something could not go on counts
 * once for each thing that says so; QEmpty counts only from a draw's first quad to its end.
 */
#ifndef BOX_ROP_STATS_H
#define BOX_ROP_STATS_H

#include "box/sim_gpu.h"

/* clang-format off */
#define ROP_PIPELINE_STATS(S)                                                                  \
   S(input,          "InputFragments",    FRAGMENTS,                                           \
      "received: 4 of each quad, dead or alive, and of a draw's end")                          \
   S(outside,        "OutsideFragments",  FRAGMENTS, "dead pixels of the quads received")      \
   S(culled,         "CulledFragments",   FRAGMENTS,                                           \
      "4 of each quad that was dead when it came")                                             \
   S(operated,       "OperatedFragments", QUADS,  "quads tested or blended")                   \
   S(fetch_ok,       "FetchOK",           REQUESTS, "lines reserved to be read")               \
   S(fetch_failed,   "FetchFailed",       CYCLES, "a line to be read could not be reserved")   \
   S(allocate_ok,    "AllocateOK",        REQUESTS, "lines reserved only to be written")       \
   S(allocate_failed, "AllocateFailed",   CYCLES,                                              \
      "a line to be written could not be reserved")                                            \
   S(read_ok,        "ReadOK",            REQUESTS, "samples of quads read from the cache")    \
   S(read_failed,    "ReadFailed",        CYCLES,                                              \
      "the oldest fetched quad waited for its line or a port")                                 \
   S(write_ok,       "WriteOK",           REQUESTS, "samples of quads written to the cache")   \
   S(write_failed,   "WriteFailed",       CYCLES,                                              \
      "the oldest operated quad waited for its line or a port")                                \
   S(raw,            "RAWDependence",     CYCLES,                                              \
      "the oldest fetched quad waited for an older one at the same place")                     \
   S(op_busy,        "ROPOperatorBusy",   CYCLES, "the ALU could not start another quad yet")  \
   S(consumer_busy,  "ConsumerBusy",      CYCLES, "a finished quad waited for the next box")   \
   S(input_empty,    "InputQEmpty",       CYCLES, "nothing to fetch for")                      \
   S(fetch_empty,    "FetchQEmpty",       CYCLES, "nothing to read for")                       \
   S(read_empty,     "ReadQEmpty",        CYCLES, "nothing to test or blend")                  \
   S(op_empty,       "OperationQEmpty",   CYCLES, "nothing to write")                          \
   S(write_empty,    "WriteQEmpty",       CYCLES, "nothing to send on")                        \
   S(fetch_full,     "FetchQFullStall",   CYCLES, "no room for a quad behind the fetch")       \
   S(read_full,      "ReadQFullStall",    CYCLES, "no room for a quad before the ALU")         \
   S(op_full,        "OperationQFullStall", CYCLES, "no room for a quad behind the ALU")       \
   S(write_full,     "WriteQFullStall",   CYCLES, "no room for a written quad")

#define ROP_CACHE_STATS(S)                                                                     \
   S(fetch_hits,     "HitsFetch_FC",      REQUESTS, "of reservations of lines with data")      \
   S(fetch_misses,   "MissesFetch_FC",    REQUESTS,                                            \
      "misses, counted in every cycle they are tried")                                         \
   S(fetch_miss_ok,  "MissOKFetch_FC",    REQUESTS, "misses that got a line")                  \
   S(fetch_miss_fail, "MissFailFetch_FC", CYCLES, "misses that did not")                       \
   S(fetch_fail_queue, "MissFailReqQueueFetch_FC", CYCLES, "... for the request queue was full")\
   S(fetch_fail_reserve, "MissFailReserveFetch_FC", CYCLES, "... for every way was reserved")  \
   S(alloc_hits,     "HitsAlloc_FC",      REQUESTS, "of reservations of lines to be written")  \
   S(alloc_misses,   "MissesAlloc_FC",    REQUESTS,                                            \
      "misses, counted in every cycle they are tried")                                         \
   S(alloc_miss_ok,  "MissOKAlloc_FC",    REQUESTS, "misses that got a line")                  \
   S(alloc_miss_fail, "MissFailAlloc_FC", CYCLES, "misses that did not")                       \
   S(alloc_fail_queue, "MissFailReqQueueAlloc_FC", CYCLES, "... for the request queue was full")\
   S(alloc_fail_reserve, "MissFailReserveAlloc_FC", CYCLES, "... for every way was reserved")  \
   S(reads_ok,       "ReadsOK_FC",        REQUESTS, "reads of a quad's sample")                \
   S(reads_fail,     "ReadsFail_FC",      CYCLES, "the line to be read had no data yet")       \
   S(writes_ok,      "WritesOK_FC",       REQUESTS, "writes of a quad's sample")               \
   S(writes_fail,    "WritesFail_FC",     CYCLES, "the line to be written was not there yet")  \
   S(fc_read_bytes,  "ReadBytes_FC",      BYTES, "read from the cache: quads and lines")       \
   S(fc_write_bytes, "WriteBytes_FC",     BYTES, "written to the cache: quads and lines")

#define ROP_TRANSFER_STATS(S)                                                                  \
   S(no_requests,    "NoNewRequests",     CYCLES, "the cache asked for no transfer")           \
   S(read_q_full,    "ReadReqQFull",      CYCLES, "no room for another line to be filled")     \
   S(write_q_full,   "WriteReqQFull",     CYCLES, "no room for another line to be written back")\
   S(rw_q_full,      "RWReqFull",         CYCLES, "both together: a cycle may count twice")    \
   S(wait_write,     "WaitWriteStall",    CYCLES,                                              \
      "the line to be filled is still being written back")                                     \
   S(read_accepted,  "ReadReqAccepted",   REQUESTS, "lines to be filled")                      \
   S(write_accepted, "WriteReqAccepted",  REQUESTS, "lines to be written back")                \
   S(read_in_empty,  "ReadInputQEmpty",   CYCLES, "nothing to decompress, and the unit free")  \
   S(wait_read,      "ReadInputWaitReadStall", CYCLES, "the decompressor waited for memory")   \
   S(decompressor,   "DecompressorBusy",  CYCLES, "decompressing, or passing a plain block on")\
   S(write_out_empty, "WriteOutQEmpty",   CYCLES, "nothing to compress, and the unit free")    \
   S(compressor,     "CompressorBusy",    CYCLES, "compressing, or passing a plain block on")  \
   S(mem_stall,      "MemReqStall",       CYCLES,                                              \
      "a block to be written waited for a read request")                                       \
   S(war_stall,      "CacheLineWARStall", CYCLES,                                              \
      "a filled line waited for its old data to be read out")                                  \
   S(write_port,     "WriteLinePortStall", CYCLES, "a filled line waited for a write port")    \
   S(read_port,      "ReadLinePortStall", CYCLES,                                              \
      "a line to be written back waited for a read port")                                      \
   S(written_64,     "ComprBlock64",      LINES, "written back in 64 bytes")                   \
   S(written_128,    "ComprBlock128",     LINES, "written back in 128 bytes")                  \
   S(written_192,    "ComprBlock192",     LINES, "written back in 192 bytes")                  \
   S(written_256,    "ComprBlock256",     LINES, "written back plain, all or in part")         \
   S(clear_fills,    "ClearFills",        LINES, "filled without a memory read")               \
   S(read_trans,     "ReadTransactions",  TRANSACTIONS, "of 64 bytes at most, from memory")    \
   S(write_trans,    "WriteTransactions", TRANSACTIONS, "of 64 bytes at most, to memory")      \
   S(read_bytes,     "ReadBytes",         BYTES, "over the memory pins")                       \
   S(write_bytes,    "WriteBytes",        BYTES, "over the memory pins")                       \
   S(bus_stall,      "MemoryBusStall",    CYCLES, "a request waited for the memory controller")\
   S(clear_cycles,   "ClearCycles",       CYCLES, "busy with clear commands")                  \
   S(flush_cycles,   "WriteBackCycles",   CYCLES, "busy with write-back commands")
/* clang-format on */

#define ROP_STATS(S) ROP_PIPELINE_STATS(S) ROP_CACHE_STATS(S) ROP_TRANSFER_STATS(S)

enum rop_stat {
#define ROP_STAT_ENUM(member, name, unit, doc) ROP_STAT_##member,
   ROP_STATS(ROP_STAT_ENUM)
#undef ROP_STAT_ENUM
       ROP_NUM_STATS
};

#endif
