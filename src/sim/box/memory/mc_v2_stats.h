/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of the memory controller with transactions, under the names and with the meaning of
 * the release of 2015 (its MC columns).
 */
#ifndef MC_V2_STATS_H
#define MC_V2_STATS_H

#include "box/memory/mc_clients.h"

/* clang-format off */
#define MC_V2_CLIENT_STATS(S, member, name)                                                   \
   S(member##_transactions, #name "_Transactions", TRANSACTIONS, "of " #name)                 \
   S(member##_read_transactions, #name "_ReadTransactions", TRANSACTIONS, "read by " #name)   \
   S(member##_write_transactions, #name "_WriteTransactions", TRANSACTIONS,                   \
      "written by " #name)                                                                    \
   S(member##_read_bytes, #name "_ReadBytes", BYTES,                                          \
      "that crossed the memory bus for reads of " #name)                                      \
   S(member##_write_bytes, #name "_WriteBytes", BYTES,                                        \
      "that crossed the memory bus for writes of " #name)                                     \
   S(member##_reads, #name "_completedReadTrans", TRANSACTIONS, "answered to " #name)         \
   S(member##_time, #name "_serviceAccumTime", CYCLES,                                        \
      "from accepting to answering the read transactions of " #name)                          \
   S(member##_accept_read, #name "_AcceptReadCycles", CYCLES,                                 \
      "summed over its instances, " #name " may send reads")                                  \
   S(member##_accept_write, #name "_AcceptWriteCycles", CYCLES,                               \
      "summed over its instances, " #name " may send writes")

/* The clients' statistics come first, in the order of MC_CLIENT_KINDS. */
#define MC_V2_STATS(S)                                                                        \
   MC_V2_CLIENT_STATS(S, cp, CommandProcessor)                                                \
   MC_V2_CLIENT_STATS(S, stf, StreamerFetch)                                                  \
   MC_V2_CLIENT_STATS(S, sl, StreamerLoader)                                                  \
   MC_V2_CLIENT_STATS(S, zst, ZStencilTest)                                                   \
   MC_V2_CLIENT_STATS(S, cw, ColorWrite)                                                      \
   MC_V2_CLIENT_STATS(S, tu, TextureUnit)                                                     \
   MC_V2_CLIENT_STATS(S, blit, Blitter)                                                       \
   MC_V2_CLIENT_STATS(S, dac, DAC)                                                            \
   S(total_transactions, "TotalTransactions", TRANSACTIONS, "of 64 bytes")                    \
   S(total_read_transactions, "TotalReadTransactions", TRANSACTIONS, "read")                  \
   S(total_write_transactions, "TotalWriteTransactions", TRANSACTIONS, "written")             \
   S(total_read_bytes, "TotalReadBytes", BYTES, "read, as they crossed the memory bus")       \
   S(total_write_bytes, "TotalWriteBytes", BYTES, "written, as they crossed the memory bus")  \
   S(read_stalls, "ChannelReq_ReadStallCycles", CYCLES,                                       \
      "per channel, the oldest transaction is a read and the channel takes none")             \
   S(write_stalls, "ChannelReq_WriteStallCycles", CYCLES,                                     \
      "per channel, the oldest transaction is a write and the channel takes none")            \
   S(buffer_sum, "Request_Buffer_ACCUM_Allocated_Entries", COUNT,                             \
      "entries of the request buffer in use, summed over cycles")                             \
   S(service_sum, "Service_Queue_ACCUM_Items", COUNT,                                         \
      "transactions in the service queue, summed over cycles")                                \
   S(buffer_full, "StallsRequestBufferFull", CYCLES,                                          \
      "per client, a request waited for an entry of the request buffer")
/* clang-format on */
SIM_STATS_DECLARE(mc_v2, MC_V2_STATS)

struct mc_v2_client_stats {
   uint64_t transactions, read_transactions, write_transactions, read_bytes, write_bytes, reads,
       time, accept_read, accept_write;
};
_Static_assert(offsetof(struct mc_v2_stats, total_transactions) ==
                   MC_NUM_KINDS * sizeof(struct mc_v2_client_stats),
               "clients' statistics come first and are alike");

static inline struct mc_v2_client_stats *
mc_v2_client(struct mc_v2_stats *stat, unsigned slot, unsigned kind)
{
   return (struct mc_v2_client_stats *)&stat[slot] + kind;
}

/* A transaction was accepted. */
static inline void
mc_v2_count_transaction(struct mc_v2_stats *stat, const struct msg_transaction *m)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, m->slot, m->client);
   c->transactions++;
   stat[m->slot].total_transactions++;
   *(m->write ? &c->write_transactions : &c->read_transactions) += 1;
   *(m->write ? &stat[m->slot].total_write_transactions : &stat[m->slot].total_read_transactions) +=
       1;
}

/* Its access is complete. */
static inline void
mc_v2_count_access(struct mc_v2_stats *stat, const struct msg_transaction *m)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, m->slot, m->client);
   *(m->write ? &c->write_bytes : &c->read_bytes) += m->bytes;
   *(m->write ? &stat[m->slot].total_write_bytes : &stat[m->slot].total_read_bytes) += m->bytes;
}

/* A read was put on its client's bus. */
static inline void
mc_v2_count_service(struct mc_v2_stats *stat, unsigned slot, unsigned kind, uint64_t cycles)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, slot, kind);
   c->reads++;
   c->time += cycles;
}

#endif
