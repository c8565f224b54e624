/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Probes (probe.h): calls sim_box_class.probe of every box that has one. */
#include "session/machine/probe.h"

#include <stdlib.h>
#include "box/sim_probe.h"
#include "core/sim_pay.h"
#include "core/sim_shares.h"
#include "session/machine/machine_impl.h"

void
attila_probe_at(struct sim_machine *m, uint64_t cycle, void (*call)(void *data, sim_tick now),
                void *data)
{
   struct sim_kernel *k = &m->gpu.kernel;
   sim_kernel_call_at(k, cycle * k->period[SIM_DOMAIN_GPU], call, data);
}

static void
probe_boxes(const struct sim_machine *m, struct sim_probe *p)
{
   const struct sim_kernel *k = &m->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls->probe)
         k->boxes[i]->cls->probe(k->boxes[i], p);
   }
}

struct attila_drawing
attila_probe_drawing(const struct sim_machine *m)
{
   struct sim_probe p = {0};
   probe_boxes(m, &p);
   return (struct attila_drawing){p.regs, p.drawing, p.draw};
}

void
attila_probe_memory(const struct sim_machine *m, uint32_t address, uint32_t size, uint8_t *data)
{
   struct sim_probe p = {.start = address, .end = address + size, .data = data};
   memcpy(data, m->device.memory + address, size);
   probe_boxes(m, &p);
}

void
attila_probe_pixel(struct sim_machine *m, int32_t x, int32_t y,
                   void (*call)(void *user, const struct sim_func_fragment *found, bool after),
                   void *user)
{
   sim_func_watch_pixel(m->func, x, y, call, user);
}

void
attila_probe_grid(struct sim_machine *m, int32_t x, int32_t y, int32_t step,
                  void (*call)(void *user, int32_t x, int32_t y,
                               const struct sim_func_fragment *found),
                  void *user)
{
   sim_func_watch_grid(m->func, x, y, step, call, user);
}

void
attila_probe_cover(struct sim_machine *m, struct sim_func_cover *cover)
{
   sim_func_watch_cover(m->func, cover);
}

void
attila_probe_vertices(struct sim_machine *m, const struct sim_func_vertices_watch *w)
{
   sim_func_watch_vertices(m->func, w);
}

void
attila_probe_profile(struct sim_machine *m)
{
   m->gpu.kernel.profile = true;
}

double
attila_probe_threads_bound(const struct sim_machine *m, unsigned threads)
{
   return sim_shares_bound(&m->gpu.kernel, threads);
}

unsigned
attila_probe_threads(const struct sim_machine *m, double *share)
{
   const struct sim_pay *p = m->gpu.kernel.pay;
   const double all = p ? (double)p->clocked[true] : 0.0,
                any = p ? all + (double)p->clocked[false] : 0.0;
   *share = any > 0.0 ? all / any : 0.0;
   return m->gpu.kernel.num_threads;
}

static int
probe_by_time(const void *a, const void *b)
{
   const struct attila_host_time *x = a, *y = b;
   return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : 0;
}

unsigned
attila_probe_host_times(const struct sim_machine *m, struct attila_host_time *times, unsigned max)
{
   const struct sim_kernel *k = &m->gpu.kernel;
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      unsigned t = 0;
      while (t < n && times[t].name != b->cls->name)
         t++;
      if (t == max)
         continue;
      if (t == n)
         times[n++] = (struct attila_host_time){b->cls->name, 0, 0};
      times[t].boxes++;
      times[t].ns += b->host_ns;
   }
   qsort(times, n, sizeof(times[0]), probe_by_time);
   return n;
}
