/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The memory controller, slices of the L2, channels and mock clients: the command processor, the
 * DAC and two colour write units. For tests only; include once. */
#ifndef L2_SYSTEM_H
#define L2_SYSTEM_H

#include "memory_bench.h"
#include "machine_text.h"

#define L2_SYSTEM_CLIENTS 4
enum { CP, DAC, CW0, CW1 };

struct l2_system {
   struct sim_gpu *gpu;
   struct memory_client *client[L2_SYSTEM_CLIENTS];
   struct sim_box *mc, *slice[SIM_MAX_CHANNELS], *channel[SIM_MAX_CHANNELS];
};

extern const struct sim_box_class mc_class, l2_class, sched_class, gddr_class;

/* settings: "SECTION.Key=value;..." beside L2.Enabled. */
static inline void
l2_system_configure(struct sim_config *c, const char *settings)
{
   char error[512];
   if (!machine_set(c, "L2.", "Enabled=TRUE", error, sizeof(error)) ||
       !machine_set(c, "", settings, error, sizeof(error)) ||
       !sim_config_check(c, error, sizeof(error)))
      fail_msg("%s", error);
}

static inline void
l2_system_add_clients(struct l2_system *s, struct sim_netlist_boxes *boxes)
{
   struct sim_netlist *n = &s->gpu->net;
   struct sim_signal *const out[] = {&n->cp_mc[0], &n->dac_mc[0], &n->cw_mc[0], &n->cw_mc[1]},
                            *const in[] = {&n->mc_cp[0], &n->mc_dac[0], &n->mc_cw[0], &n->mc_cw[1]};
   for (int i = 0; i < L2_SYSTEM_CLIENTS; i++)
      s->client[i] = memory_client_create(s->gpu, out[i], in[i], i, 64);
   boxes[NETLIST_cp] = (struct sim_netlist_boxes){.box = {&s->client[CP]->box}, .count = 1};
   boxes[NETLIST_dac] = (struct sim_netlist_boxes){.box = {&s->client[DAC]->box}, .count = 1};
   boxes[NETLIST_cw] =
       (struct sim_netlist_boxes){.box = {&s->client[CW0]->box, &s->client[CW1]->box}, .count = 2};
}

static inline struct l2_system
l2_system_setup(const char *settings, uint32_t memory_clock, uint32_t seed)
{
   struct sim_gpu *gpu = memory_bench_create(1 << 20);
   l2_system_configure(&gpu->config, settings);
   memory_bench_start(gpu, memory_clock, 100000, seed);
   struct l2_system s = {.gpu = gpu};
   const struct sim_config *c = &gpu->config;
   const uint32_t channels = c->mc.channels, slices = L2_SLICES(c);
   s.mc = sim_box_create(&gpu->kernel, gpu, &mc_class, -1);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {s.mc}, .count = 1},
       [NETLIST_l2] = {.name = "l2", .count = slices},
       [NETLIST_sched] = {.name = "sched", .count = channels}};
   for (uint32_t i = 0; i < channels; i++) {
      if (slices)
         boxes[NETLIST_l2].box[i] = s.slice[i] =
             sim_box_create(&gpu->kernel, gpu, &l2_class, (int)i);
      boxes[NETLIST_sched].box[i] = s.channel[i] =
          sim_box_create(&gpu->kernel, gpu, c->mc.v2 ? &gddr_class : &sched_class, (int)i);
   }
   l2_system_add_clients(&s, boxes);
   sim_netlist_connect(gpu, boxes);
   sim_kernel_start(&gpu->kernel);
   return s;
}

static inline struct msg_mem_request *
l2_system_add(struct l2_system *s, unsigned client, uint32_t address, uint16_t size, bool write,
              uint8_t *data)
{
   return memory_client_add(s->client[client], address, size, write, 0, data);
}

/* Sends what has been added and runs until all sleep. */
static inline void
l2_system_run(struct l2_system *s)
{
   for (unsigned i = 0; i < L2_SYSTEM_CLIENTS; i++)
      sim_box_wake(&s->client[i]->box, s->gpu->kernel.now + 1);
   memory_bench_run(s->gpu);
   for (unsigned i = 0; i < L2_SYSTEM_CLIENTS; i++)
      assert_int_equal(s->client[i]->finished, s->client[i]->num);
}

/* The cycles of a client's request. */
static inline sim_tick
l2_system_took(const struct l2_system *s, unsigned client, unsigned request)
{
   return s->client[client]->done[request] - s->client[client]->sent[request];
}

/* Bytes of requests: test streams use them from the start, l2_system_one from the end. */
static uint8_t l2_system_data[MEMORY_CLIENT_REQUESTS][256];

/* The buffer of a client's n-th request in l2_system_one(). */
static inline uint8_t *
l2_system_buffer(unsigned client, unsigned n)
{
   return l2_system_data[MEMORY_CLIENT_REQUESTS - 16 * (client + 1) + n];
}

/* Adds and runs one request; returns its cycles. */
static inline sim_tick
l2_system_one(struct l2_system *s, unsigned client, uint32_t address, uint16_t size, bool write)
{
   const unsigned n = s->client[client]->num;
   l2_system_add(s, client, address, size, write, l2_system_buffer(client, n));
   l2_system_run(s);
   return l2_system_took(s, client, n);
}

/* A statistic by its name, of all slices and work ids 0 and 1. */
static inline uint64_t
l2_system_stat(const struct l2_system *s, struct sim_box *const *boxes, const char *name)
{
   uint64_t sum = 0;
   bool found = false;
   for (unsigned b = 0; b < s->gpu->config.mc.channels; b++) {
      for (unsigned i = 0; i < boxes[b]->cls->num_stats; i++) {
         if (strcmp(boxes[b]->cls->stats[i].name, name))
            continue;
         sum += sim_stat(boxes[b], 0)[i] + sim_stat(boxes[b], 1)[i];
         found = true;
      }
   }
   if (!found)
      fail_msg("no statistic %s", name);
   return sum;
}

static inline uint64_t
l2_stat(const struct l2_system *s, const char *name)
{
   return l2_system_stat(s, s->slice, name);
}

#endif
