/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Load/Store Unit (box/shader/lsu.c). units.h says how to read it. The papers'
 * machine has none. As on a G80, accesses of a group are merged within aligned segments of 64
 * bytes, nothing is cached, and atomic operations are done at memory (CUDA C Programming Guide 4.2,
 * sections F.3.2 and F.3.3). Latency, queues: our choice. */
#ifndef UNIT_LSU_H
#define UNIT_LSU_H

/* clang-format off */
#define SIM_UNIT_lsu(U)                                                                        \
   U("LoadStoreUnit", "LSU-FS#", "what shaders load from memory, store and change atomically", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_lsu(P, B, T)                                                                \
   P(FRAGMENTSHADER, LoadStoreSegment, lsu_segment, 64, 32, 256, "bytes",                      \
      "aligned bytes in which a group's loads, or its stores to consecutive words, are one "   \
      "request (power of 2)")                                                                  \
   P(FRAGMENTSHADER, LoadStoreLatency, lsu_latency, 4, 1, 100, "cycles",                       \
      "time from a memory instruction's arrival to its first request")                         \
   P(FRAGMENTSHADER, LoadStoreRequestQueueSize, lsu_queue, 8, 1, 256, "groups",                \
      "thread groups that wait for the load/store unit")                                       \
   P(FRAGMENTSHADER, LoadStoreOperations, lsu_operations, 32, 1, 256, "groups",                 \
      "thread groups whose memory instruction is under way; they end in order")                \
   P(FRAGMENTSHADER, LoadStoreRequests, lsu_requests, 64, 1, 1024, "requests",                 \
      "requests of the load/store unit that memory has not answered")                          \
   P(FRAGMENTSHADER, SharedMemorySize, shared_bytes, 32768, 1024, 1048576, "bytes",            \
      "shared memory of a shader, for its workgroups")                                         \
   P(FRAGMENTSHADER, SharedMemoryBanks, shared_banks, 16, 1, 64, "banks",                      \
      "banks of shared memory, of a word each: a bank serves a word in a cycle")               \
   P(FRAGMENTSHADER, SharedMemoryLatency, shared_latency, 4, 1, 100, "cycles",                 \
      "time from an instruction's arrival to its answer, if no two inputs need a bank")        \
   P(FRAGMENTSHADER, SharedMemoryAtomicCycles, shared_atomic, 2, 1, 100, "cycles",             \
      "time that an atomic operation holds its bank: a word is read and written")

#define SIM_STATS_lsu(S)                                                                           \
   S(requests, "Requests", REQUESTS, "memory instructions of thread groups")                       \
   S(inputs, "AccessingInputs", COUNT, "inputs of thread groups that access something")            \
   S(outside, "OutsideRequests", REQUESTS,                                                         \
      "memory instructions without an access: outside of their buffers, of helpers, or of sizes")  \
   S(latency, "ResultLatency", CYCLES,                                                             \
      "time of memory instructions from arrival to answer, summed over them")                      \
   S(sent, "MemoryRequests", REQUESTS, "requests to memory, one in a cycle")                       \
   S(reads, "ReadRequests", REQUESTS, "requests that load")                                        \
   S(writes, "WriteRequests", REQUESTS, "requests that store")                                     \
   S(atomics, "AtomicRequests", REQUESTS, "requests that change a word")                           \
   S(read_bytes, "ReadBytes", BYTES, "bytes loaded from memory")                                   \
   S(write_bytes, "WriteBytes", BYTES, "bytes stored to memory")                                   \
   S(shared, "SharedRequests", REQUESTS, "instructions of thread groups on shared memory")         \
   S(shared_words, "SharedWords", COUNT, "words of shared memory that inputs access")              \
   S(bank_cycles, "BankCycles", CYCLES, "the banks of shared memory served an instruction")        \
   S(bank_conflicts, "BankConflictCycles", CYCLES,                                                 \
      "the banks served because inputs needed different words of one, or changed words of one")    \
   S(stall_operations, "StallsOperations", CYCLES,                                                 \
      "an instruction waited because LoadStoreOperations were under way")                          \
   S(stall_requests, "StallsRequests", CYCLES,                                                     \
      "a request waited because LoadStoreRequests were not answered")                              \
   S(stall_memory, "StallsMemory", CYCLES, "a request waited because the controller took none")    \
   S(images, "ImageRequests", REQUESTS, "memory instructions that access images")

#define SIM_ENERGY_lsu(A, E, D, N)                                                               \
   A(LSU_BUFFER, c->shader.lsu_requests, 8 * c->shader.lsu_segment, 1)                           \
   E("AccessingInputs", Address, s.lanes, OP(integer_add) + 4 * OP(latch_bit) * 32,              \
      "an address, and four words from or to the register file")                                 \
   E("MemoryRequests", Merge, 1, s.lanes * OP(integer_add), "comparisons of addresses")          \
   E("ReadBytes", Load, c->shader.lsu_segment, (READ(LSU_BUFFER) + WRITE(LSU_BUFFER)) /          \
      c->shader.lsu_segment, "a byte through the buffer")                                        \
   E("WriteBytes", Store, 0, (READ(LSU_BUFFER) + WRITE(LSU_BUFFER)) / c->shader.lsu_segment,     \
      "a byte through the buffer")                                                               \
   A(SHARED_MEMORY, c->shader.shared_bytes / 4 / c->shader.shared_banks + 1, 32, 1)              \
   E("SharedWords", Shared, c->shader.shared_banks, READ(SHARED_MEMORY) + OP(integer_add),       \
      "an address, and a word of a bank")                                                        \
   N("SharedRequests", "their SharedWords")                                                      \
   N("Requests OutsideRequests ImageRequests ReadRequests WriteRequests AtomicRequests",         \
      "parts and kinds of AccessingInputs and MemoryRequests")

#define SIM_AREA_lsu(U, IN)                                                                      \
   U(shared_memory, "Shared memories", c->gpu.num_shaders, AREA_ADDER * c->shader.shared_banks,  \
      8. * c->shader.shared_bytes, 0, "estimate: an address for each bank, and the bits")        \
   U(load_store, "Load/store units", NUM_SHADERS(c), .5 * AREA_MAC,                              \
      8. * c->shader.lsu_requests * c->shader.lsu_segment +                                      \
         AREA_REQUEST * (c->shader.lsu_queue + c->shader.lsu_operations), 0,                     \
      "estimate: an address calculation, buffers and queues by their bits")

#define SIM_LIMITER_lsu(L, W, C, M)               \
   L(76, "load/store units", shader, NONE, true)  \
      W("MemoryRequests", 1)                     \
   L(78, "shared memory", shader, NONE, false)    \
      W("BankCycles", 1)

#define SIM_IDEAL_lsu(I)                                                               \
   I(shader, FRAGMENTSHADER, "LoadStoreSegment=256 LoadStoreLatency=1 "                \
      "LoadStoreRequestQueueSize=256 LoadStoreOperations=256 LoadStoreRequests=1024 " \
      "SharedMemorySize=1048576 SharedMemoryBanks=64 SharedMemoryLatency=1 "          \
      "SharedMemoryAtomicCycles=1")
/* clang-format on */

#endif
