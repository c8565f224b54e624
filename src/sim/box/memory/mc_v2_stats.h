/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of the memory controller with transactions; names and meanings are those of the
 * release of 2015 (its MC columns). */
#ifndef MC_V2_STATS_H
#define MC_V2_STATS_H

#include "box/memory/mc_clients.h"

SIM_BOX_STATS(mc_v2)

struct mc_v2_client_stats {
   uint64_t transactions, read_transactions, write_transactions, read_bytes, write_bytes, reads,
       time, accept_read, accept_write;
};
_Static_assert(offsetof(struct mc_v2_stats, total_transactions) ==
                   MC_NUM_KINDS * sizeof(struct mc_v2_client_stats),
               "clients' statistics come first and are alike");

static inline struct mc_v2_client_stats *
mc_v2_client(struct mc_v2_stats *stat, unsigned work_id, unsigned kind)
{
   return (struct mc_v2_client_stats *)&stat[work_id] + kind;
}

/* Counts an accepted transaction. */
static inline void
mc_v2_count_transaction(struct mc_v2_stats *stat, const struct msg_transaction *m)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, m->work_id, m->client);
   c->transactions++;
   stat[m->work_id].total_transactions++;
   *(m->write ? &c->write_transactions : &c->read_transactions) += 1;
   *(m->write ? &stat[m->work_id].total_write_transactions
              : &stat[m->work_id].total_read_transactions) += 1;
}

/* Counts a completed access. */
static inline void
mc_v2_count_access(struct mc_v2_stats *stat, const struct msg_transaction *m)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, m->work_id, m->client);
   *(m->write ? &c->write_bytes : &c->read_bytes) += m->bytes;
   *(m->write ? &stat[m->work_id].total_write_bytes : &stat[m->work_id].total_read_bytes) +=
       m->bytes;
}

/* Counts a read put on its client's bus. */
static inline void
mc_v2_count_service(struct mc_v2_stats *stat, unsigned work_id, unsigned kind, uint64_t cycles)
{
   struct mc_v2_client_stats *c = mc_v2_client(stat, work_id, kind);
   c->reads++;
   c->time += cycles;
}

#endif
