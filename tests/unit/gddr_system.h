/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The memory controller with GDDR channels and three mock clients: the command processor and two
 * colour write units. Include once, after gddr_bench.h. */
#ifndef GDDR_SYSTEM_H
#define GDDR_SYSTEM_H

#include "config/sim_memory_map.h"
#include "memory_bench.h"

struct gddr_system {
   struct sim_gpu *gpu;
   struct memory_client *cp, *cw[2];
   struct sim_box *mc, *channel[SIM_MAX_CHANNELS];
   uint32_t channels;
};

extern const struct sim_box_class mc_v2_class;

static inline void
gddr_system_setup(struct gddr_system *s, const char *settings, uint32_t memory_clock, uint32_t seed)
{
   struct sim_gpu *gpu = memory_bench_create(16 << 20);
   gddr_bench_set(&gpu->config, settings);
   memory_bench_start(gpu, memory_clock, 1000000, seed);
   *s = (struct gddr_system){.gpu = gpu, .channels = gpu->config.mc.channels};
   s->mc = sim_box_create(&gpu->kernel, gpu, &mc_v2_class, -1);
   struct sim_netlist *n = &gpu->net;
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {s->mc}, .count = 1},
       [NETLIST_sched] = {.name = "sched", .count = s->channels}};
   for (uint32_t i = 0; i < s->channels; i++)
      boxes[NETLIST_sched].box[i] = s->channel[i] =
          sim_box_create(&gpu->kernel, gpu, &gddr_class, (int)i);
   s->cp = memory_client_create(gpu, &n->cp_mc[0], &n->mc_cp[0], 0, MEMORY_CLIENT_REQUESTS);
   for (unsigned i = 0; i < 2; i++)
      s->cw[i] =
          memory_client_create(gpu, &n->cw_mc[i], &n->mc_cw[i], 1 + (int)i, MEMORY_CLIENT_REQUESTS);
   boxes[NETLIST_cp] = (struct sim_netlist_boxes){.box = {&s->cp->box}, .count = 1};
   boxes[NETLIST_cw] =
       (struct sim_netlist_boxes){.box = {&s->cw[0]->box, &s->cw[1]->box}, .count = 2};
   sim_netlist_connect(gpu, boxes);
   sim_kernel_start(&gpu->kernel);
}

/* Statistic by its column name, of work ids 0 and 1. */
static inline uint64_t
gddr_stat(const struct sim_box *b, const char *name)
{
   for (unsigned i = 0; i < b->cls->num_stats; i++) {
      if (!strcmp(b->cls->stats[i].name, name))
         return sim_stat(b, 0)[i] + sim_stat(b, 1)[i];
   }
   fail_msg("no statistic %s", name);
   return 0;
}

/* Of every statistic of controller and channels. */
static inline uint64_t
gddr_system_hash(const struct gddr_system *s, uint64_t hash)
{
   for (unsigned work_id = 0; work_id < 2; work_id++) {
      for (unsigned i = 0; i < s->mc->cls->num_stats; i++)
         hash = hash * 31 + sim_stat(s->mc, work_id)[i];
      for (uint32_t c = 0; c < s->channels; c++) {
         for (unsigned i = 0; i < s->channel[c]->cls->num_stats; i++)
            hash = hash * 31 + sim_stat(s->channel[c], work_id)[i];
      }
   }
   return hash;
}

#endif
