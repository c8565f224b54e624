/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: listens to a run for everything that happens in time. */
#ifndef DERIVED_TIMES_H
#define DERIVED_TIMES_H

#include "config/sim_gddr_timing.h"
#include "derived_shader.h"
#include "session/session_impl.h"

struct derived_times {
   struct sim_kernel *kernel;
   uint32_t burst; /* cycles that a command to memory keeps the pins */
   struct derived_rows rows;
   struct derived_activity activity;
   struct derived_shaders shaders;
   sim_tick taken[SIM_MAX_BOXES]; /* by a ROP: when it took a quad last */
};

/* At the end of every tick, with events or not. */
static inline void
derived_times_tick(void *data, sim_tick now)
{
   struct derived_times *t = data;
   derived_shaders_tick(&t->shaders, now);
   derived_activity_tick(&t->activity, &t->rows, now);
   t->rows.frame = t->rows.gpu->device->observed.frame;
   sim_kernel_call_at(t->kernel, now + 1, derived_times_tick, t);
}

/* Before the first command. */
static inline void
derived_times_init(struct derived_times *t, struct attila_sim *sim)
{
   struct sim_gpu *gpu = &sim->machine->gpu;
   struct sim_gddr_timing timing;
   char error[200];
   assert_true(sim_gddr_timing_init(&timing, &gpu->config, error, sizeof(error)));
   assert_true(gpu->kernel.one_domain);
   t->kernel = &gpu->kernel;
   t->burst = timing.burst;
   derived_rows_init(&t->rows, gpu);
   t->activity.cp = sim->machine->cp->index;
   derived_shaders_init(&t->shaders, &t->rows);
   sim_kernel_call_at(t->kernel, t->kernel->now + 1, derived_times_tick, t);
}

/* A ROP takes a quad, or a draw's end, in each of its cycles of work. */
static inline void
derived_times_taken(struct derived_times *t, const struct sim_trace_event *e, sim_tick now)
{
   const struct sim_netlist *net = &t->rows.gpu->net;
   const struct sim_signal *s = e->what;
   const unsigned box = s->receiver->index;
   if (!(DERIVED_FROM(net, hz_zst, s) || DERIVED_FROM(net, ffu_zst, s) ||
         DERIVED_FROM(net, zst_cw, s) || DERIVED_FROM(net, ffu_cw, s)) ||
       t->taken[box] == now)
      return;
   t->taken[box] = now;
   derived_work(&t->rows, s->receiver, ((const struct msg_quad *)e->object)->work_id, 0, 1);
}

static inline void
derived_times_hear(struct derived_times *t, const struct sim_trace_event *e, sim_tick now)
{
   if (e->kind == SIM_TRACE_SEND) {
      derived_activity_send(&t->activity, &t->rows, e, now);
      derived_shaders_send(&t->shaders, e, now);
   } else if (e->kind == SIM_TRACE_POP) {
      derived_times_taken(t, e, now);
      derived_activity_pop(&t->activity, &t->rows, e);
      derived_shaders_pop(&t->shaders, e, now);
   }
}

/* Reads and writes. */
static inline void
derived_times_bank(struct derived_times *t, const struct sim_trace_bank *c)
{
   derived_work(&t->rows, c->channel, c->work_id, 0, (uint64_t)c->count * t->burst);
}

#endif
