/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Memory Controller V2 (box/memory/mc_v2.c). units.h says how to read it. */
#ifndef UNIT_MC_V2_H
#define UNIT_MC_V2_H

#include "units/unit_memory.h"

/* clang-format off */
#define SIM_UNIT_mc_v2(U)                                                                    \
   U("MemoryControllerV2", "MC", "Crossbar of 64-byte transactions from the clients to the " \
      "memory channels (MemoryControllerV2; the release of 2015)", SIM_CHARGES_DRAW)

#define SIM_MC_V2_CLIENT(S, member, name)                                                        \
   S(member##_transactions, #name "_Transactions", TRANSACTIONS, "transactions of " #name)       \
   S(member##_read_transactions, #name "_ReadTransactions", TRANSACTIONS,                        \
      "transactions read by " #name)                                                             \
   S(member##_write_transactions, #name "_WriteTransactions", TRANSACTIONS,                      \
      "transactions written by " #name)                                                          \
   S(member##_read_bytes, #name "_ReadBytes", BYTES,                                             \
      "bytes that crossed the memory bus for reads of "                                          \
      #name)                                                                                     \
   S(member##_write_bytes, #name "_WriteBytes", BYTES,                                           \
      "bytes that crossed the memory bus for writes of " #name)                                  \
   S(member##_reads, #name "_completedReadTrans", TRANSACTIONS,                                  \
      "read transactions answered to " #name)                                                    \
   S(member##_time, #name "_serviceAccumTime", CYCLES,                                           \
      "time from accepting to answering the read transactions of " #name)                        \
   S(member##_accept_read, #name "_AcceptReadCycles", CYCLES, #name                              \
      " may send reads, summed over its instances")                                              \
   S(member##_accept_write, #name "_AcceptWriteCycles", CYCLES, #name                            \
      " may send writes, summed over its instances")
/* The clients' statistics come first, in the order of SIM_MC_CLIENTS. */
#define SIM_STATS_mc_v2(S)                                                                         \
   SIM_MC_CLIENTS(SIM_MC_V2_CLIENT, S)                                                             \
   S(total_transactions, "TotalTransactions", TRANSACTIONS, "transactions of 64 bytes")            \
   S(total_read_transactions, "TotalReadTransactions", TRANSACTIONS,                               \
      "transactions of 64 bytes read")                                                             \
   S(total_write_transactions, "TotalWriteTransactions", TRANSACTIONS,                             \
      "transactions of 64 bytes written")                                                          \
   S(total_read_bytes, "TotalReadBytes", BYTES, "bytes read, as they crossed the memory bus")      \
   S(total_write_bytes, "TotalWriteBytes", BYTES, "bytes written, as they crossed the memory bus") \
   S(read_stalls, "ChannelReq_ReadStallCycles", CYCLES,                                            \
      "the oldest transaction of a channel is a read, and the channel takes none (sum over "       \
      "channels)")                                                                                 \
   S(write_stalls, "ChannelReq_WriteStallCycles", CYCLES,                                          \
      "the oldest transaction of a channel is a write, and the channel takes none (sum over "      \
      "channels)")                                                                                 \
   S(buffer_sum, "Request_Buffer_ACCUM_Allocated_Entries", COUNT,                                  \
      "entries of the request buffer in use, summed over cycles")                                  \
   S(service_sum, "Service_Queue_ACCUM_Items", COUNT,                                              \
      "transactions in the service queue, summed over cycles")                                     \
   S(buffer_full, "StallsRequestBufferFull", CYCLES,                                               \
      "a request waited for an entry of the request buffer (sum over clients)")

#define SIM_ENERGY_mc_v2(A, E, D, N)        \
   SIM_MC_ENERGY(A, E, N)                   \
   N("*_Entries *_Items", SIM_ENERGY_LEVEL)

#define SIM_AREA_mc_v2(U, IN) \
   IN(crossbar)

#define SIM_LIMITER_mc_v2(L, W, C, M)

#define SIM_IDEAL_mc_v2(I)
/* clang-format on */

#endif
