/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of a GDDR channel with banks; names and meanings are those of the release of 2015 (its
 * Sched# columns). A row hit is a read or write whose bank had no activate since the one before. */
#ifndef GDDR_STATS_H
#define GDDR_STATS_H

#include "box/memory/gddr.h"
#include "box/memory/mc_clients.h"

SIM_BOX_STATS(gddr)

struct gddr_client_stats {
   uint64_t hit, read_hit, write_hit, miss, read_miss, write_miss;
};
_Static_assert(offsetof(struct gddr_stats, read_bytes) ==
                   MC_NUM_KINDS * sizeof(struct gddr_client_stats),
               "clients' statistics come first and are alike");

/* Why a command waits. */
enum gddr_why {
   GDDR_ACT_TO_ACT,
   GDDR_ACT_TO_PRE,
   GDDR_ACT_TO_READ,
   GDDR_ACT_TO_WRITE,
   GDDR_PRE_TO_ACT,
   GDDR_READ_TO_PRE,
   GDDR_PINS,
   GDDR_READ_TO_WRITE,
   GDDR_WRITE_TO_PRE,
   GDDR_WRITE_TO_READ,
   GDDR_NUM_WHYS
};
_Static_assert(offsetof(struct gddr_stats, write2read) - offsetof(struct gddr_stats, act2act) ==
                   GDDR_WRITE_TO_READ * sizeof(uint64_t),
               "statistics of waiting commands are in the order of enum gddr_why");

/* Count an opened row, a closed row, a row closed because it is unused (also counted as closed), a
 * refresh. */
void gddr_count_open(struct gddr *g, uint16_t work_id, uint64_t c);
void gddr_count_close(struct gddr *g, uint16_t work_id);

static inline void
gddr_count_close_idle(struct gddr *g)
{
   g->stat[0].close_idle++;
}

static inline void
gddr_count_refresh(struct gddr *g)
{
   g->stat[0].refresh_commands++;
}

/* Counts a chosen transaction, and one whose reads or writes are booked from this cycle on. */
void gddr_count_take(struct gddr *g, uint64_t c);
void gddr_count_access(struct gddr *g, const struct msg_transaction *m);
/* Counts the cycles before this one, in which nothing has changed since the last clock. */
void gddr_count_until(struct gddr *g, uint64_t c);
/* At the end of a frame: also counts what would be counted later. */
void gddr_count_flush(struct gddr *g, uint64_t c);

#endif
