/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Memory Controller (simple) (box/memory/mc.c). units.h says how to read it. */
#ifndef UNIT_MC_H
#define UNIT_MC_H

#include "units/unit_memory.h"

/* clang-format off */
#define SIM_UNIT_mc(U)                                                              \
   U("MemoryController", "MC",                                                      \
      "Crossbar from the clients to the memory channels (ISPASS 2006 section 2.2)", \
      SIM_CHARGES_DRAW)

#define SIM_MC_CLIENT(S, member, name)                                                           \
   S(member##_transactions, #name "_Transactions", TRANSACTIONS, "64-byte transactions of "      \
      #name)                                                                                     \
   S(member##_read_transactions, #name "_ReadTransactions", TRANSACTIONS,                        \
      "64-byte transactions read by " #name)                                                     \
   S(member##_write_transactions, #name "_WriteTransactions", TRANSACTIONS,                      \
      "64-byte transactions written by " #name)                                                  \
   S(member##_read_bytes, #name "_ReadBytes", BYTES,                                             \
      "bytes that crossed the memory bus for reads of "                                          \
      #name)                                                                                     \
   S(member##_write_bytes, #name "_WriteBytes", BYTES,                                           \
      "bytes that crossed the memory bus for writes of " #name)                                  \
   S(member##_reads, #name "_completedReadTrans", REQUESTS, "read requests of " #name            \
      " completed")                                                                              \
   S(member##_time, #name "_serviceAccumTime", CYCLES,                                           \
      "time from accepting to completing the read requests of " #name)
/* The clients' statistics come first, in the order of SIM_MC_CLIENTS. */
#define SIM_STATS_mc(S)                                                                            \
   SIM_MC_CLIENTS(SIM_MC_CLIENT, S)                                                                \
   S(total_transactions, "TotalTransactions", TRANSACTIONS, "64-byte transactions")                \
   S(total_read_transactions, "TotalReadTransactions", TRANSACTIONS,                               \
      "64-byte transactions read")                                                                 \
   S(total_write_transactions, "TotalWriteTransactions", TRANSACTIONS,                             \
      "64-byte transactions written")                                                              \
   S(total_read_bytes, "TotalReadBytes", BYTES, "bytes read, as they crossed the memory bus")      \
   S(total_write_bytes, "TotalWriteBytes", BYTES, "bytes written, as they crossed the memory bus") \
   S(queue_full, "StallsRequestQueueFull", CYCLES,                                                 \
      "a client's request waited because its queue was full")

#define SIM_ENERGY_mc(A, E, D, N) \
   SIM_MC_ENERGY(A, E, N)

#define SIM_AREA_mc(U, IN)                                                                      \
   U(crossbar, "Memory crossbar", 1, .02 * 512 * c->mc.channels * area_clients(c), AREA_REQUEST \
      * c->mc.client_queue * area_clients(c) + AREA_REQUEST * c->mc.request_queue +             \
      AREA_TRANSACTION * c->mc.write_buffers, 0, "estimate: 20 transistors where a bit of a "   \
      "64-byte bus meets a channel; queues by their bits")

#define SIM_LIMITER_mc(L, W, C, M) \
   M(50, "memory bandwidth", "memory latency", memory)

#define SIM_IDEAL_mc(I)                                                                         \
   I(memory, MEMORYCONTROLLER, "V2GDDR_Profile=perfect V2BurstBytesPerCycle=64 BurstLength=16 " \
      "RequestQueueSize=4096 ServiceQueueSize=4096 WriteBufferLines=4096 "                      \
      "V2MaxChannelTransactions=1024 ClientQueueSize=4096 PageOpenLatency=0 ReadLatency=1 "     \
      "WriteLatency=1 WriteToReadLatency=0 ReadToWriteLatency=0")
/* clang-format on */

#endif
