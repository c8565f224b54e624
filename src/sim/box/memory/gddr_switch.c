/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * When a GDDR channel switches between reading and writing (V2SwitchModePolicy): 0: after a number
 * of transactions of one kind (MaxConsecutiveReads, MaxConsecutiveWrites); 1: reads come first, but
 * writes go on while they hit their row. A policy is a struct of functions and an entry of the
 * list. */
#include "box/memory/gddr.h"

/* --- 0: counters --- */

static uint32_t
gddr_switch_limit(const struct gddr *g, bool write)
{
   const struct sim_config *c = &g->box.gpu->config;
   return write ? c->mc.max_writes : c->mc.max_reads;
}

static void
gddr_switch_counters_update(struct gddr *g, bool reads, bool writes, bool read_hits,
                            bool write_hits)
{
   (void)read_hits;
   (void)write_hits;
   const bool same = g->reading ? reads : writes, other = g->reading ? writes : reads;
   const bool full = g->consecutive >= gddr_switch_limit(g, !g->reading);
   if (!same || (full && other)) {
      g->consecutive = 0;
      g->reading = !g->reading;
   } else if (full) {
      g->consecutive = 0;
   }
   g->consecutive++;
}

/* Returns whether a row may be opened early. In the present mode it may, until as many hits wait as
 * may still be served. From then on V2ActiveManagerMode 1 opens rows for the other mode. */
static bool
gddr_switch_counters_may_open(const struct gddr *g, bool write, const uint32_t hits[2])
{
   const bool mode = !g->reading;
   const uint32_t left = gddr_switch_limit(g, mode) - g->consecutive;
   if (write == mode)
      return hits[mode] < left;
   return g->box.gpu->config.mc.active_mode == 1 && hits[mode] >= left &&
          hits[write] < gddr_switch_limit(g, write);
}

const struct gddr_switch gddr_switch_counters = {.counts_hits = true,
                                                 .update = gddr_switch_counters_update,
                                                 .may_open = gddr_switch_counters_may_open};

/* --- 1: reads first --- */

static void
gddr_switch_reads_first_update(struct gddr *g, bool reads, bool writes, bool read_hits,
                               bool write_hits)
{
   (void)read_hits;
   if (g->reading)
      g->reading = reads || !writes;
   else
      g->reading = reads && !write_hits;
}

static bool
gddr_switch_reads_first_may_open(const struct gddr *g, bool write, const uint32_t hits[2])
{
   (void)hits;
   return write == !g->reading;
}

const struct gddr_switch gddr_switch_reads_first = {.update = gddr_switch_reads_first_update,
                                                    .may_open = gddr_switch_reads_first_may_open};

const struct gddr_switch *
gddr_switch_of(const struct sim_config *config)
{
   static const struct gddr_switch *const list[] = {&gddr_switch_counters,
                                                    &gddr_switch_reads_first};
   return list[config->mc.switch_mode];
}
