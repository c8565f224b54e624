/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GDDR schedulers without banks (V2ChannelScheduler): 0 has one queue in order of arrival; 1 has
 * one for reads and one for writes, and no transaction passes an older one of the other kind to the
 * same place. No row is opened early. */
#include "box/memory/gddr.h"
#include "box/memory/gddr_depend.h"

static uint32_t
gddr_fifo_room(const struct sim_config *config, bool write)
{
   (void)write;
   return config->mc.channel_transactions - 1;
}

static void
gddr_fifo_receive(struct gddr *g, uint16_t e)
{
   gddr_list_add(g, &g->lists[0], e);
}

static uint16_t
gddr_fifo_select(struct gddr *g)
{
   return gddr_list_pop(g, &g->lists[0]);
}

const struct gddr_scheduler gddr_fifo = {.doc = "fifo",
                                         .room = gddr_fifo_room,
                                         .receive = gddr_fifo_receive,
                                         .select = gddr_fifo_select};

static void
gddr_fifo_rw_receive(struct gddr *g, uint16_t e)
{
   const bool write = g->entries[e].m.write;
   gddr_depend(g, e, &g->lists[!write]);
   gddr_list_add(g, &g->lists[write], e);
}

static uint16_t
gddr_fifo_rw_select(struct gddr *g)
{
   const struct gddr_entry *head[2];
   bool ready[2], hit[2];
   for (unsigned w = 0; w < 2; w++) {
      head[w] = g->lists[w].head == GDDR_NONE ? NULL : &g->entries[g->lists[w].head];
      ready[w] = head[w] && head[w]->after == GDDR_NONE;
      hit[w] = ready[w] && gddr_hits(g, &head[w]->m);
   }
   g->mode->update(g, ready[0], ready[1], hit[0], hit[1]);
   const bool write = !g->reading;
   uint16_t e = gddr_list_pop(g, &g->lists[write]);
   gddr_release(g, e, &g->lists[!write]);
   return e;
}

const struct gddr_scheduler gddr_rw_fifo = {.doc = "read and write fifos",
                                            .read_write = true,
                                            .room = gddr_rw_room,
                                            .receive = gddr_fifo_rw_receive,
                                            .select = gddr_fifo_rw_select};
