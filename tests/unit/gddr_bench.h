/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A GDDR channel with banks and a mock controller that gives it transactions at chosen cycles and
 * notes when they are taken, when their first command comes, and when the answer does. It keeps no
 * track of room: tests give fewer than the channel holds. Include once. */
#ifndef GDDR_BENCH_H
#define GDDR_BENCH_H

#include "box/memory/gddr.h"
#include "machine_text.h"

#define GDDR_BENCH_STEPS 64

struct gddr_bench_step {
   uint64_t cycle; /* in which the channel sees it; not before the cycle after the one before */
   unsigned bank;
   uint32_t row;
   bool write;
   unsigned bursts; /* 0: 1 */
   uint32_t column;
};

struct gddr_bench_feeder {
   struct sim_box box;
   struct sim_signal *out, *in[3];
   struct msg_transaction m[GDDR_BENCH_STEPS];
   uint64_t at[GDDR_BENCH_STEPS], seen[GDDR_BENCH_STEPS], heard[GDDR_BENCH_STEPS],
       access[GDDR_BENCH_STEPS];
   unsigned order[GDDR_BENCH_STEPS]; /* in which they were heard of */
   unsigned num, next, taken, done;
   uint8_t data[256];
   struct sim_gddr_timing t;
};

struct gddr_bench {
   struct sim_gpu *gpu;
   struct gddr_bench_feeder *feeder;
   struct gddr *channel;
};

static sim_tick
gddr_bench_clock(struct sim_box *b, sim_tick now)
{
   struct gddr_bench_feeder *f = (struct gddr_bench_feeder *)b;
   for (; sim_peek(f->in[0], now); sim_pop(f->in[0], now))
      f->taken++;
   sim_tick next = SIM_NEVER;
   for (unsigned i = 1; i < 3; i++) {
      const struct msg_transaction_done *d;
      while ((d = sim_peek(f->in[i], now)) != NULL && d->ready <= now) {
         const struct msg_transaction *m = &f->m[d->entry];
         const uint64_t last = now - (i == 1 ? sim_gddr_read_cycles(&f->t) : 1);
         f->heard[d->entry] = now;
         f->access[d->entry] = last - (m->bursts - 1u) * f->t.spacing;
         f->order[f->done++] = (unsigned)d->entry;
         sim_pop(f->in[i], now);
      }
      next = d && d->ready < next ? d->ready : next;
   }
   if (f->next < f->num && now + 1 >= f->at[f->next]) {
      f->seen[f->next] = now + 1;
      sim_send(f->out, now, &f->m[f->next++]);
   }
   if (f->next < f->num) {
      sim_tick t = f->at[f->next] > now + 1 ? f->at[f->next] - 1 : now + 1;
      next = t < next ? t : next;
   }
   return next;
}

static const struct sim_box_class gddr_bench_class = {.name = "Feeder",
                                                      .unit = "MC",
                                                      .size = sizeof(struct gddr_bench_feeder),
                                                      .clock = gddr_bench_clock};

extern const struct sim_box_class gddr_class;

/* settings: "Key=value;Key=value" of MEMORYCONTROLLER. */
static inline void
gddr_bench_set(struct sim_config *c, const char *settings)
{
   char error[512];
   c->mc.v2 = true;
   c->mc.burst_bytes = 8;
   if (!machine_set(c, "MEMORYCONTROLLER.", settings, error, sizeof(error)) ||
       !sim_config_check(c, error, sizeof(error)))
      fail_msg("%s", error);
}

static inline void
gddr_bench_setup(struct gddr_bench *b, const char *settings, uint32_t order)
{
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   char error[256];
   memset(gpu, 0, sizeof(*gpu));
   sim_config_defaults(&gpu->config);
   gddr_bench_set(&gpu->config, settings);
   gpu->device = calloc(1, sizeof(*gpu->device));
   gpu->device->memory_size = 1 << 20;
   gpu->device->memory = calloc(1, gpu->device->memory_size);
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, 600, order);
   b->gpu = gpu;
   b->feeder = (struct gddr_bench_feeder *)sim_box_create(&gpu->kernel, gpu, &gddr_bench_class, -1);
   struct sim_box *mc = &b->feeder->box, *s = sim_box_create(&gpu->kernel, gpu, &gddr_class, 0);
   b->channel = (struct gddr *)s;
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {
       [NETLIST_mc] = {.name = "mc", .box = {mc}, .count = 1},
       [NETLIST_sched] = {.name = "sched", .box = {s}, .count = 1}};
   sim_netlist_connect(gpu, boxes);
   b->feeder->out = &gpu->net.mc_gddr[0];
   b->feeder->in[0] = &gpu->net.gddr_taken[0];
   b->feeder->in[1] = &gpu->net.gddr_read[0];
   b->feeder->in[2] = &gpu->net.gddr_written[0];
   assert_true(sim_gddr_timing_init(&b->feeder->t, &gpu->config, error, sizeof(error)));
   sim_kernel_start(&gpu->kernel);
}

static inline void
gddr_bench_add(struct gddr_bench *b, const struct gddr_bench_step *s)
{
   struct gddr_bench_feeder *f = b->feeder;
   const uint32_t bursts = s->bursts ? s->bursts : 1;
   f->at[f->num] = s->cycle;
   f->m[f->num] = (struct msg_transaction){.data = f->data,
                                           .address = (s->row * 16 + s->bank) * 2048 + s->column,
                                           .row = s->row,
                                           .column = s->column,
                                           .size = (uint16_t)(bursts * 32),
                                           .bytes = (uint8_t)(bursts * 32),
                                           .entry = (uint16_t)f->num,
                                           .work_id = 1,
                                           .bank = (uint8_t)s->bank,
                                           .bursts = (uint8_t)bursts,
                                           .write = s->write};
   f->num++;
}

static inline void
gddr_bench_run(struct gddr_bench *b)
{
   if (!sim_kernel_run(&b->gpu->kernel, NULL))
      fail_msg("%s", b->gpu->kernel.error);
   assert_int_equal(b->feeder->done, b->feeder->num);
   assert_int_equal(b->feeder->taken, b->feeder->num);
   sim_kernel_flush_counters(&b->gpu->kernel);
}

static inline void
gddr_bench_teardown(struct gddr_bench *b)
{
   sim_kernel_fini(&b->gpu->kernel);
   free(b->gpu->device->memory);
   free(b->gpu->device);
   free(b->gpu);
}

#endif
