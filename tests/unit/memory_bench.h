/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of memory controllers, channels and the L2: a machine without boxes whose memory is
 * filled, and mock clients of memory. Not here: boxes and their signals (gddr_system.h,
 * l2_system.h, test_mc.c). For tests only; include once. */
#ifndef MEMORY_BENCH_H
#define MEMORY_BENCH_H

#include "box/sim_gpu.h"

#define MEMORY_CLIENT_REQUESTS 4096

/* Sends its requests as fast as it may and notes when the responses come. */
struct memory_client {
   struct sim_box box;
   struct sim_signal *out, *in;
   struct msg_mem_request requests[MEMORY_CLIENT_REQUESTS];
   sim_tick sent[MEMORY_CLIENT_REQUESTS], done[MEMORY_CLIENT_REQUESTS];
   sim_tick start;
   unsigned num, next, finished;
   unsigned window; /* in flight at most */
};

static sim_tick
memory_client_clock(struct sim_box *b, sim_tick now)
{
   struct memory_client *c = (struct memory_client *)b;
   for (const struct msg_mem_response *r; (r = sim_peek(c->in, now)) != NULL; sim_pop(c->in, now)) {
      assert_ptr_equal(r->data, c->requests[r->cookie].data);
      assert_int_equal(r->write, c->requests[r->cookie].write);
      assert_int_equal(c->done[r->cookie], 0);
      c->done[r->cookie] = now;
      c->finished++;
   }
   if (now < c->start)
      return c->start;
   if (c->next < c->num && c->next - c->finished < c->window && sim_can_send(c->out, now)) {
      c->requests[c->next].cookie = c->next;
      c->sent[c->next] = now;
      sim_send(c->out, now, &c->requests[c->next++]);
      return now + b->period;
   }
   return SIM_NEVER;
}

static const struct sim_box_class memory_client_class = {.name = "Client",
                                                         .unit = "Client#",
                                                         .size = sizeof(struct memory_client),
                                                         .clock = memory_client_clock};

static inline struct memory_client *
memory_client_create(struct sim_gpu *gpu, struct sim_signal *out, struct sim_signal *in,
                     int instance, unsigned window)
{
   struct memory_client *c =
       (struct memory_client *)sim_box_create(&gpu->kernel, gpu, &memory_client_class, instance);
   c->out = out;
   c->in = in;
   c->window = window;
   return c;
}

static inline struct msg_mem_request *
memory_client_add(struct memory_client *c, uint32_t address, uint16_t size, bool write,
                  uint16_t wire, uint8_t *data)
{
   assert_true(c->num < MEMORY_CLIENT_REQUESTS);
   c->requests[c->num] = (struct msg_mem_request){.data = data,
                                                  .address = address,
                                                  .size = size,
                                                  .write = write,
                                                  .wire_bytes = wire,
                                                  .work_id = 1};
   return &c->requests[c->num++];
}

/* A machine of the default configuration; memory_bench_start follows when that is set. */
static inline struct sim_gpu *
memory_bench_create(uint32_t memory_size)
{
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   memset(gpu, 0, sizeof(*gpu));
   sim_config_defaults(&gpu->config);
   gpu->device = calloc(1, sizeof(*gpu->device));
   gpu->device->memory_size = memory_size;
   gpu->device->memory = malloc(memory_size);
   for (uint32_t i = 0; i < memory_size; i++)
      gpu->device->memory[i] = (uint8_t)(i * 2654435761u >> 24);
   return gpu;
}

static inline void
memory_bench_start(struct sim_gpu *gpu, uint32_t memory_clock, sim_tick stall_ticks, uint32_t seed)
{
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, memory_clock, seed);
   gpu->kernel.stall_ticks = stall_ticks;
}

static inline void
memory_bench_run(struct sim_gpu *gpu)
{
   if (!sim_kernel_run(&gpu->kernel, NULL))
      fail_msg("%s", gpu->kernel.error);
   sim_kernel_flush_counters(&gpu->kernel);
}

static inline void
memory_bench_destroy(struct sim_gpu *gpu)
{
   sim_kernel_fini(&gpu->kernel);
   free(gpu->device->memory);
   free(gpu->device);
   free(gpu);
}

#endif
