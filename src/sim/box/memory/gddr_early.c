/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Early commands of a GDDR channel, in cycles in which the transaction in progress needs none:
 * close unused rows (V2PagePolicy 0), open rows for the first transaction of other banks (active
 * manager), close rows in the way of one (precharge manager). The bank of the transaction in
 * progress gets none. */
#include "box/memory/gddr.h"
#include "box/memory/gddr_stats.h"

/* Counts the bank's waiting transactions for the row of its first one, if that is of the given
 * kind. */
static uint32_t
gddr_early_row_hits(const struct gddr *g, unsigned bank, bool write)
{
   const uint16_t front = g->front.entry[bank];
   uint32_t hits = 0;
   if ((g->front.writes >> bank & 1) != write || !(g->front.hits >> bank & 1))
      return 0;
   for (uint16_t e = front; e != GDDR_NONE; e = g->entries[e].next)
      hits += g->entries[e].m.row == g->entries[front].m.row && g->entries[e].m.bank == bank;
   return hits;
}

/* Returns the banks for whose first transaction a row may be opened now. */
static uint32_t
gddr_early_openable(const struct gddr *g, uint32_t banks)
{
   uint32_t hits[2] = {0, 0};
   uint32_t closed = banks & g->waiting_mask & ~g->open_mask;
   if (!closed || !g->open_early)
      return 0;
   if (!g->scheduler->modes)
      return closed;
   const uint32_t kind[2] = {closed & ~g->front.writes, closed & g->front.writes};
   if (g->mode->counts_hits) {
      for (uint32_t left = banks & g->waiting_mask; left; left &= left - 1) {
         unsigned i = (unsigned)__builtin_ctz(left);
         hits[0] += gddr_early_row_hits(g, i, false);
         hits[1] += gddr_early_row_hits(g, i, true);
      }
   }
   const bool write = !g->reading;
   if (kind[write] && g->mode->may_open(g, write, hits))
      return kind[write];
   return kind[!write] && g->mode->may_open(g, !write, hits) ? kind[!write] : 0;
}

/* Returns the banks whose open row is in the way of their first transaction. */
static uint32_t
gddr_early_in_the_way(const struct gddr *g, uint32_t banks)
{
   if (!g->close_early || !g->active)
      return 0;
   return banks & g->waiting_mask & g->open_mask & ~g->front.hits;
}

/* Returns the banks whose time has come; next receives the earliest time of the others. */
static uint32_t
gddr_early_due(const struct gddr *g, uint32_t banks, uint64_t c, bool open, bool quiet,
               uint64_t *next)
{
   uint32_t ready = 0;
   for (; banks; banks &= banks - 1) {
      unsigned i = (unsigned)__builtin_ctz(banks);
      uint64_t at = open ? gddr_activate_at(&g->rules, i) : gddr_precharge_at(&g->rules, i);
      if (quiet)
         at = gddr_later(at, g->rules.bank[i].quiet);
      if (at <= c)
         ready |= 1u << i;
      else if (at < *next)
         *next = at;
   }
   return ready;
}

uint64_t
gddr_early(struct gddr *g, uint32_t banks, uint64_t c, bool may)
{
   uint64_t next = UINT64_MAX;
   /* Nothing new begins before a refresh. */
   if (c >= g->refresh_at)
      return next;
   uint32_t idle = banks & ~g->waiting_mask;
   uint32_t open = 0, close = 0;
   if (idle)
      idle = gddr_early_due(g, idle, c, false, false, &next);
   if (g->scheduler->front && g->waiting_mask & banks) {
      gddr_look(g, g->waiting_mask & banks);
      open = gddr_early_openable(g, banks);
      close = gddr_early_in_the_way(g, banks);
      if (open)
         open = gddr_early_due(g, open, c, true, false, &next);
      if (close)
         close = gddr_early_due(g, close, c, false, true, &next);
   }
   if (!(idle | open | close))
      return next;
   if (!may)
      return c + 1;
   if (idle) {
      gddr_count_close_idle(g);
      gddr_close(g, (unsigned)__builtin_ctz(idle), 0, c);
   } else if (open && !(close && g->close_first)) {
      unsigned i = gddr_first_bank(g, open);
      const struct msg_transaction *m = &g->entries[g->front.entry[i]].m;
      gddr_open(g, i, m->row, m->work_id, c);
   } else {
      unsigned i = gddr_first_bank(g, close);
      gddr_close(g, i, g->entries[g->front.entry[i]].m.work_id, c);
   }
   return c + 1;
}
