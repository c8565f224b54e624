/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GDDR schedulers with queues per bank (V2ChannelScheduler): 2 has one per bank, 3 has one for
 * reads and one for writes of each bank. V2SwitchModePolicy chooses reads or writes. Next is the
 * front of a queue: in the order of banks (V2BankSelectionPolicy), the first front that hits an
 * open row, or else the first of all. The release of 2015 names 3 but does not have it. */
#include "box/memory/gddr.h"
#include "box/memory/gddr_depend.h"

/* Returns the best of the banks in the mask (not empty). */
static unsigned
gddr_bank_best_bank(struct gddr *g, uint32_t banks, uint32_t hits)
{
   banks = hits ? hits : banks;
   if (!(banks & (banks - 1)))
      return (unsigned)__builtin_ctz(banks);
   gddr_look(g, banks);
   return gddr_first_bank(g, banks);
}

static void
gddr_bank_next_turn(struct gddr *g, unsigned bank)
{
   g->turn = bank + 1;
   g->random ^= g->random << 13;
   g->random ^= g->random >> 17;
   g->random ^= g->random << 5;
}

/* --- 2 --- */

static uint32_t
gddr_bank_room(const struct sim_config *config, bool write)
{
   (void)write;
   return config->mc.channel_transactions / config->mc.banks;
}

static void
gddr_bank_receive(struct gddr *g, uint16_t e)
{
   gddr_list_add(g, &g->lists[g->entries[e].m.bank], e);
}

static uint16_t
gddr_bank_front(const struct gddr *g, unsigned bank)
{
   return g->lists[bank].head;
}

static uint16_t
gddr_bank_select(struct gddr *g)
{
   gddr_look(g, g->waiting_mask);
   const uint32_t writes = g->waiting_mask & g->front.writes, reads = g->waiting_mask & ~writes;
   const uint32_t banks[2] = {reads, writes};
   const uint32_t hits[2] = {reads & g->front.hits, writes & g->front.hits};
   g->mode->update(g, banks[0] != 0, banks[1] != 0, hits[0] != 0, hits[1] != 0);
   const bool write = !g->reading;
   const unsigned bank = gddr_bank_best_bank(g, banks[write], hits[write]);
   gddr_bank_next_turn(g, bank);
   return gddr_list_pop(g, &g->lists[bank]);
}

const struct gddr_scheduler gddr_bank_fifo = {.doc = "fifo per bank",
                                              .per_bank = true,
                                              .modes = true,
                                              .room = gddr_bank_room,
                                              .receive = gddr_bank_receive,
                                              .select = gddr_bank_select,
                                              .front = gddr_bank_front};

/* --- 3: lists[bank * 2 + write] --- */

static uint32_t
gddr_bank_rw_room(const struct sim_config *config, bool write)
{
   const uint32_t room = gddr_rw_room(config, write) / config->mc.banks;
   return room ? room : 1;
}

static void
gddr_bank_rw_receive(struct gddr *g, uint16_t e)
{
   const struct msg_transaction *m = &g->entries[e].m;
   struct gddr_list *lists = &g->lists[m->bank * 2u];
   gddr_depend(g, e, &lists[!m->write]);
   gddr_list_add(g, &lists[m->write], e);
}

static bool
gddr_bank_rw_ready(const struct gddr *g, unsigned bank, bool write)
{
   uint16_t e = g->lists[bank * 2u + write].head;
   return e != GDDR_NONE && g->entries[e].after == GDDR_NONE;
}

/* Returns the front of the present mode, if there is one. */
static uint16_t
gddr_bank_rw_front(const struct gddr *g, unsigned bank)
{
   const bool write = gddr_bank_rw_ready(g, bank, !g->reading) ? !g->reading : g->reading;
   return g->lists[bank * 2u + write].head;
}

static uint16_t
gddr_bank_rw_select(struct gddr *g)
{
   uint32_t banks[2] = {0, 0}, hits[2] = {0, 0};
   for (uint32_t left = g->waiting_mask; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctz(left);
      for (unsigned w = 0; w < 2; w++) {
         if (!gddr_bank_rw_ready(g, i, w))
            continue;
         banks[w] |= 1u << i;
         if (gddr_hits(g, &g->entries[g->lists[i * 2 + w].head].m))
            hits[w] |= 1u << i;
      }
   }
   const bool was_reading = g->reading;
   g->mode->update(g, banks[0] != 0, banks[1] != 0, hits[0] != 0, hits[1] != 0);
   if (g->reading != was_reading)
      g->front.stale = UINT32_MAX;
   const bool write = !g->reading;
   const unsigned bank = gddr_bank_best_bank(g, banks[write], hits[write]);
   gddr_bank_next_turn(g, bank);
   uint16_t e = gddr_list_pop(g, &g->lists[bank * 2 + write]);
   gddr_release(g, e, &g->lists[bank * 2 + !write]);
   return e;
}

const struct gddr_scheduler gddr_bank_rw_fifo = {.doc = "read and write fifos per bank",
                                                 .per_bank = true,
                                                 .read_write = true,
                                                 .modes = true,
                                                 .room = gddr_bank_rw_room,
                                                 .receive = gddr_bank_rw_receive,
                                                 .select = gddr_bank_rw_select,
                                                 .front = gddr_bank_rw_front};
