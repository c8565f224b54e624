/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Looking into the running machine (session/probe.h): asks every box that has something to say. Not
 * here: what they say (sim_box_class.probe).
 */
#include "session/probe.h"
#include "box/sim_probe.h"

void
attila_probe_at(struct attila_sim *sim, uint64_t cycle, void (*call)(void *data, sim_tick now),
                void *data)
{
   struct sim_kernel *k = &sim->gpu.kernel;
   sim_kernel_ring(k, cycle * k->period[SIM_DOMAIN_GPU], call, data);
}

static void
ask(const struct attila_sim *sim, struct sim_probe *l)
{
   const struct sim_kernel *k = &sim->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls->probe)
         k->boxes[i]->cls->probe(k->boxes[i], l);
   }
}

struct attila_drawing
attila_probe_drawing(const struct attila_sim *sim)
{
   struct sim_probe l = {0};
   ask(sim, &l);
   return (struct attila_drawing){l.regs, l.drawing, l.draw};
}

void
attila_probe_memory(const struct attila_sim *sim, uint32_t address, uint32_t size, uint8_t *data)
{
   struct sim_probe l = {.start = address, .end = address + size, .data = data};
   memcpy(data, sim->device.memory + address, size);
   ask(sim, &l);
}
