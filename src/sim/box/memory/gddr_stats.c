/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a GDDR channel with banks counts (box/memory/gddr_stats.h).
 */
#include "box/memory/gddr_stats.h"

void
gddr_count_take(struct gddr *g)
{
   if (g->now.write == g->last_read) {
      g->stat[g->now.slot].switches++;
      g->last_read = !g->now.write;
   }
}

void
gddr_count_access(struct gddr *g, const struct msg_transaction *m)
{
   struct gddr_stats *s = &g->stat[m->slot];
   struct gddr_client_stats *client = (struct gddr_client_stats *)s + m->client;
   const uint32_t cycles = m->bursts * g->rules.t.burst;
   const uint32_t bytes = cycles * g->box.gpu->config.mc.burst_bytes;
   const uint32_t miss = !g->last_was_access[m->bank], hit = m->bursts - miss;
   g->last_was_access[m->bank] = true;
   s->first_access += g->first - g->selected;
   s->data_cycles += cycles;
   s->data_bytes += bytes;
   s->row_hit += hit;
   s->row_miss += miss;
   client->hit += hit;
   client->miss += miss;
   if (m->write) {
      s->write_bytes += bytes;
      s->write_data_bytes += bytes;
      s->write_data_cycles += cycles;
      s->write_commands += m->bursts;
      s->write_row_hit += hit;
      s->write_row_miss += miss;
      client->write_hit += hit;
      client->write_miss += miss;
   } else {
      s->read_bytes += bytes;
      s->read_data_bytes += bytes;
      s->read_data_cycles += cycles;
      s->read_commands += m->bursts;
      s->read_row_hit += hit;
      s->read_row_miss += miss;
      client->read_hit += hit;
      client->read_miss += miss;
   }
}
