/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The memory controller with GDDR channels and three mock clients: the command processor and two
 * colour write units. Include once, after gddr_bench.h.
 */
#ifndef GDDR_SYSTEM_H
#define GDDR_SYSTEM_H

#include "box/sim_gpu.h"
#include "config/sim_memory_map.h"

#define GDDR_MAX_REQUESTS 4096

/* Sends its requests as fast as it may and notes when the responses come. */
struct gddr_client {
   struct sim_box box;
   struct sim_signal *out, *in;
   struct msg_mem_request requests[GDDR_MAX_REQUESTS];
   sim_tick sent[GDDR_MAX_REQUESTS], done[GDDR_MAX_REQUESTS];
   sim_tick start;
   unsigned num, next, finished;
};

struct gddr_system {
   struct sim_gpu *gpu;
   struct gddr_client *cp, *cw[2];
   struct sim_box *mc, *channel[SIM_MAX_CHANNELS];
   uint32_t channels;
};

static sim_tick
gddr_client_clock(struct sim_box *b, sim_tick now)
{
   struct gddr_client *c = (struct gddr_client *)b;
   const struct msg_mem_response *r;
   while ((r = sim_peek(c->in, now)) != NULL) {
      assert_ptr_equal(r->data, c->requests[r->cookie].data);
      assert_int_equal(r->write, c->requests[r->cookie].write);
      assert_int_equal(c->done[r->cookie], 0);
      c->done[r->cookie] = now;
      c->finished++;
      sim_pop(c->in, now);
   }
   if (now < c->start)
      return c->start;
   if (c->next < c->num && sim_can_send(c->out, now)) {
      c->requests[c->next].cookie = c->next;
      c->sent[c->next] = now;
      sim_send(c->out, now, &c->requests[c->next++]);
      return now + b->period;
   }
   return SIM_NEVER;
}

static const struct sim_box_class gddr_client_class = {.name = "Client",
                                                       .unit = "Client#",
                                                       .size = sizeof(struct gddr_client),
                                                       .clock = gddr_client_clock};
extern const struct sim_box_class mc_v2_class;

static inline struct gddr_client *
gddr_system_client(struct gddr_system *s, struct sim_signal *out, struct sim_signal *in,
                   int instance)
{
   struct sim_gpu *gpu = s->gpu;
   struct gddr_client *c =
       (struct gddr_client *)sim_box_create(&gpu->kernel, gpu, &gddr_client_class, instance);
   c->out = out;
   c->in = in;
   return c;
}

static inline void
gddr_system_setup(struct gddr_system *s, const char *settings, uint32_t memory_clock, uint32_t seed)
{
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   memset(gpu, 0, sizeof(*gpu));
   sim_config_defaults(&gpu->config);
   gddr_bench_set(&gpu->config, settings);
   gpu->device = calloc(1, sizeof(*gpu->device));
   gpu->device->memory_size = 16 << 20;
   gpu->device->memory = malloc(gpu->device->memory_size);
   for (uint32_t i = 0; i < gpu->device->memory_size; i++)
      gpu->device->memory[i] = (uint8_t)(i * 2654435761u >> 24);
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, memory_clock, seed);
   gpu->kernel.stall_ticks = 1000000;
   *s = (struct gddr_system){.gpu = gpu, .channels = gpu->config.mc.channels};
   s->mc = sim_box_create(&gpu->kernel, gpu, &mc_v2_class, -1);
   struct sim_netlist *n = &gpu->net;
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {s->mc}, .count = 1},
       [NETLIST_sched] = {.name = "sched", .count = s->channels}};
   for (uint32_t i = 0; i < s->channels; i++)
      boxes[NETLIST_sched].box[i] = s->channel[i] =
          sim_box_create(&gpu->kernel, gpu, &gddr_class, (int)i);
   s->cp = gddr_system_client(s, &n->cp_mc[0], &n->mc_cp[0], 0);
   for (unsigned i = 0; i < 2; i++)
      s->cw[i] = gddr_system_client(s, &n->cw_mc[i], &n->mc_cw[i], 1 + (int)i);
   boxes[NETLIST_cp] = (struct sim_netlist_boxes){.box = {&s->cp->box}, .count = 1};
   boxes[NETLIST_cw] =
       (struct sim_netlist_boxes){.box = {&s->cw[0]->box, &s->cw[1]->box}, .count = 2};
   sim_netlist_connect(gpu, boxes);
   sim_kernel_start(&gpu->kernel);
}

static inline void
gddr_system_add(struct gddr_client *c, uint32_t address, uint16_t size, bool write, uint16_t wire,
                uint8_t *data)
{
   c->requests[c->num++] = (struct msg_mem_request){.data = data,
                                                    .address = address,
                                                    .size = size,
                                                    .write = write,
                                                    .wire_bytes = wire,
                                                    .work_id = 1};
}

static inline void
gddr_system_run(struct gddr_system *s)
{
   if (!sim_kernel_run(&s->gpu->kernel, NULL))
      fail_msg("%s", s->gpu->kernel.error);
   sim_kernel_flush_counters(&s->gpu->kernel);
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

static inline void
gddr_system_teardown(struct gddr_system *s)
{
   sim_kernel_fini(&s->gpu->kernel);
   free(s->gpu->device->memory);
   free(s->gpu->device);
   free(s->gpu);
}

#endif
