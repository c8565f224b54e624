/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * First ready, first come first served (V2ChannelScheduler 5; Rixner et al., ISCA 2000; ours, not
 * in the release of 2015): next is the transaction with an open row whose data can move first, else
 * the oldest. No transaction passes an older one to the same place if one of the two is a write. */
#include "box/memory/gddr.h"
#include "box/memory/gddr_depend.h"

static uint32_t
gddr_fr_fcfs_fr_room(const struct sim_config *config, bool write)
{
   (void)write;
   return config->mc.channel_transactions;
}

/* lists[bank]: in the order of arrival. */
static void
gddr_fr_fcfs_fr_receive(struct gddr *g, uint16_t entry)
{
   struct gddr_entry *n = &g->entries[entry];
   struct gddr_list *list = &g->lists[n->m.bank];
   for (uint16_t e = list->head; e != GDDR_NONE; e = g->entries[e].next) {
      if ((g->entries[e].m.write || n->m.write) && gddr_overlap(&g->entries[e].m, &n->m))
         n->after = e;
   }
   gddr_list_add(g, list, entry);
}

/* Returns the bank's oldest entry whose row is open, else the oldest. The list's first is always
 * free to go. */
static uint16_t
gddr_fr_fcfs_fr_front(const struct gddr *g, unsigned bank)
{
   const struct gddr_list *list = &g->lists[bank];
   if (g->open_mask >> bank & 1) {
      for (uint16_t e = list->head; e != GDDR_NONE; e = g->entries[e].next) {
         if (g->entries[e].after == GDDR_NONE && gddr_hits(g, &g->entries[e].m))
            return e;
      }
   }
   return list->head;
}

static void
gddr_fr_fcfs_unlink_entry(struct gddr *g, struct gddr_list *list, uint16_t entry)
{
   if (list->head == entry) {
      gddr_list_pop(g, list);
      return;
   }
   uint16_t before = list->head;
   while (g->entries[before].next != entry)
      before = g->entries[before].next;
   g->entries[before].next = g->entries[entry].next;
   if (list->tail == entry)
      list->tail = before;
   list->count--;
}

/* Returns when its read or write may come; UINT64_MAX if its row is closed. */
static uint64_t
gddr_fr_fcfs_ready_at(const struct gddr *g, const struct msg_transaction *m)
{
   return gddr_hits(g, m) ? gddr_access_at(&g->rules, m->bank, m->write) : UINT64_MAX;
}

/* Compares a bank's oldest read and oldest write with open row: a write may be ready when a read is
 * not. */
static uint16_t
gddr_fr_fcfs_fr_best(const struct gddr *g, unsigned bank)
{
   uint16_t best = gddr_fr_fcfs_fr_front(g, bank);
   uint64_t at = gddr_fr_fcfs_ready_at(g, &g->entries[best].m);
   for (uint16_t e = at == UINT64_MAX ? GDDR_NONE : g->entries[best].next; e != GDDR_NONE;
        e = g->entries[e].next) {
      if (g->entries[e].after == GDDR_NONE && gddr_fr_fcfs_ready_at(g, &g->entries[e].m) < at) {
         best = e;
         at = gddr_fr_fcfs_ready_at(g, &g->entries[e].m);
      }
   }
   return best;
}

static uint16_t
gddr_fr_fcfs_fr_select(struct gddr *g)
{
   uint16_t best = GDDR_NONE;
   uint64_t best_at = UINT64_MAX;
   for (uint32_t left = g->waiting_mask; left; left &= left - 1) {
      uint16_t e = gddr_fr_fcfs_fr_best(g, (unsigned)__builtin_ctz(left));
      uint64_t at = gddr_fr_fcfs_ready_at(g, &g->entries[e].m);
      if (best == GDDR_NONE || at < best_at ||
          (at == best_at && g->entries[e].arrived < g->entries[best].arrived)) {
         best = e;
         best_at = at;
      }
   }
   struct gddr_list *list = &g->lists[g->entries[best].m.bank];
   gddr_fr_fcfs_unlink_entry(g, list, best);
   gddr_release(g, best, list);
   return best;
}

const struct gddr_scheduler gddr_fr_fcfs = {.doc = "FR-FCFS",
                                            .room = gddr_fr_fcfs_fr_room,
                                            .receive = gddr_fr_fcfs_fr_receive,
                                            .select = gddr_fr_fcfs_fr_select,
                                            .front = gddr_fr_fcfs_fr_front};
