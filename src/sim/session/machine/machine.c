/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Runs the machine (machine.h): commands, modes, time. Not here: creation (machine_create.c). */
#include <stdarg.h>
#include <stdio.h>
#include "box/sim_warming.h"
#include "measure/sim_measure.h"
#include "session/machine/machine_impl.h"

void
sim_machine_fail(struct sim_machine *m, const char *format, ...)
{
   struct sim_kernel *k = &m->gpu.kernel;
   if (!k->stopped || !k->error[0]) {
      va_list args;
      va_start(args, format);
      vsnprintf(k->error, sizeof(k->error), format, args);
      va_end(args);
   }
   k->stopped = true;
}

const char *
sim_machine_error(const struct sim_machine *m)
{
   return m->gpu.kernel.stopped ? m->gpu.kernel.error : NULL;
}

/* --- Execution --- */

static bool
machine_run_functional(struct sim_machine *m)
{
   char error[300];
   if (!sim_func_run(m->func, error, sizeof(error)))
      sim_machine_fail(m, "%s", error);
   return !m->gpu.kernel.stopped;
}

static bool
machine_run_cycles(struct sim_machine *m)
{
   struct sim_gpu *gpu = &m->gpu;
   struct sim_kernel *k = &gpu->kernel;
   gpu->cp_starved = false;
   sim_kernel_flight(k, true);
   sim_box_wake(m->cp, sim_box_now(m->cp) + 1);
   if (!sim_kernel_run(k, &gpu->cp_starved))
      return false;
   if (!gpu->cp_starved) {
      sim_machine_fail(
          m,
          "internal error: deadlock at cycle %llu: commands are waiting, but no box is "
          "scheduled",
          (unsigned long long)sim_machine_cycles(m));
      sim_kernel_dump(k, stderr);
      return false;
   }
   return true;
}

bool
sim_machine_execute(struct sim_machine *m, const uint32_t *words, size_t num_words)
{
   m->device.queue = (struct sim_command_queue){.words = words, .tail = num_words};
   const bool ok = m->functional ? machine_run_functional(m) : machine_run_cycles(m);
   m->device.queue = (struct sim_command_queue){0};
   return ok;
}

struct machine_wait {
   const struct sim_device *device;
   uint64_t fence;
};

static bool
machine_fence_reached(const void *data)
{
   const struct machine_wait *w = data;
   return w->device->fence >= w->fence;
}

bool
sim_machine_run_until_fence(struct sim_machine *m, uint64_t fence)
{
   struct sim_kernel *k = &m->gpu.kernel;
   const struct machine_wait w = {&m->device, fence};
   if (!m->functional && !k->stopped) {
      k->until = machine_fence_reached;
      k->until_data = &w;
      sim_kernel_run(k, NULL);
      k->until = NULL;
      k->until_data = NULL;
   }
   return machine_fence_reached(&w);
}

bool
sim_machine_drain(struct sim_machine *m)
{
   struct sim_kernel *k = &m->gpu.kernel;
   if (k->stopped || m->functional)
      return !k->stopped;
   if (sim_tiled(&m->gpu.config)) {
      m->gpu.stream_ends = true;
      sim_box_wake(m->cp, sim_box_now(m->cp) + 1);
   }
   const bool ok = sim_kernel_run(k, NULL);
   m->gpu.stream_ends = false;
   return ok;
}

bool
sim_machine_finish(struct sim_machine *m)
{
   sim_report_begin_work(m->report);
   sim_machine_drain(m);
   sim_report_end_work(m->report);
   return sim_tracer_finish(m->tracer);
}

bool
sim_machine_end_run(struct sim_machine *m)
{
   sim_observed_run_ended(&m->device.observed, m->gpu.kernel.now);
   return !sim_maps_failed(m->maps) && !sim_report_failed(m->report);
}

/* --- Modes --- */

bool
sim_machine_is_functional(const struct sim_machine *m)
{
   return m->functional;
}

void
sim_machine_enter_cycle_mode(struct sim_machine *m)
{
   sim_machine_warm(m, &(struct sim_warming){.kind = SIM_WARM_ENTER});
   sim_blocks_make_plain(&m->device.blocks);
   sim_machine_warm(m, &(struct sim_warming){.kind = SIM_WARM_FILL});
   m->functional = false;
}

void
sim_machine_end_functional_mode(struct sim_machine *m)
{
   sim_machine_enter_cycle_mode(m);
   sim_func_destroy(m->func);
   m->func = NULL;
}

void
sim_machine_leave_cycle_mode(struct sim_machine *m)
{
   sim_machine_warm(m, &(struct sim_warming){.kind = SIM_WARM_LEAVE});
   m->functional = true;
   m->device.ticks = m->gpu.kernel.now;
   m->device.time_ns = sim_machine_time_ns(m);
   m->device.gpu_cycles = sim_machine_cycles(m);
}

bool
sim_machine_restart_functional_mode(struct sim_machine *m)
{
   sim_func_destroy(m->func);
   m->func = sim_func_create(&m->device, 1);
   if (!m->func)
      return false;
   sim_warming_start(m);
   return true;
}

void
sim_machine_sync_memory(struct sim_machine *m)
{
   if (m->func)
      sim_func_sync_memory(m->func);
}

/* --- Its parts --- */

struct sim_device *
sim_machine_device(struct sim_machine *m)
{
   return &m->device;
}

struct sim_measure *
sim_machine_measure(struct sim_machine *m)
{
   return m->measure;
}

struct sim_report *
sim_machine_report(struct sim_machine *m)
{
   return m->report;
}

const struct sim_config *
sim_machine_config(const struct sim_machine *m)
{
   return &m->gpu.config;
}

const struct attila_shader_machine *
sim_machine_shader(const struct sim_machine *m, unsigned stage)
{
   return &m->shader[stage];
}

bool
sim_machine_has_boxes(const struct sim_machine *m)
{
   return m->cp != NULL;
}

bool
sim_machine_has_dvfs(const struct sim_machine *m)
{
   return m->gpu.kernel.dvfs != NULL;
}

uint64_t
sim_machine_cycles(const struct sim_machine *m)
{
   const struct sim_kernel *k = &m->gpu.kernel;
   return k->period[SIM_DOMAIN_GPU] ? k->now / k->period[SIM_DOMAIN_GPU] : 0;
}

uint64_t
sim_machine_time_ns(const struct sim_machine *m)
{
   return (uint64_t)((double)m->gpu.kernel.now * m->gpu.kernel.ns_per_tick);
}

bool
sim_machine_scanout(struct sim_machine *m, const struct attila_scanout *s,
                    void (*take)(void *user, const uint8_t *bytes,
                                 const struct attila_cleared *cleared),
                    void *user)
{
   const struct sim_device *d = &m->device;
   struct attila_cleared cleared = {0};
   if (m->gpu.kernel.stopped || s->address > d->memory_size ||
       s->size > d->memory_size - s->address)
      return false;
   if (m->func)
      sim_func_cleared(m->func, s, &cleared);
   take(user, d->memory + s->address, &cleared);
   return true;
}

void
sim_machine_count_work(struct sim_machine *m)
{
   m->gpu.work = sim_measure_count_work(m->measure);
}

void
sim_machine_disown(struct sim_machine *m)
{
   sim_report_disown(m->report);
   sim_tracer_disown(m->tracer);
}
