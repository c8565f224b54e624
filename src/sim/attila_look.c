/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Looking into the running machine (attila_look.h): asks every box that has something to say. Not
 * here: what they say (sim_box_class.look).
 */
#include "attila_look.h"
#include "box/sim_look.h"

void
attila_look_at(struct attila_sim *sim, uint64_t cycle, void (*call)(void *data, sim_tick now),
               void *data)
{
   struct sim_kernel *k = &sim->gpu.kernel;
   sim_kernel_ring(k, cycle * k->period[SIM_DOMAIN_GPU], call, data);
}

static void
ask(const struct attila_sim *sim, struct sim_look *l)
{
   const struct sim_kernel *k = &sim->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls->look)
         k->boxes[i]->cls->look(k->boxes[i], l);
   }
}

struct attila_drawing
attila_look_drawing(const struct attila_sim *sim)
{
   struct sim_look l = {0};
   ask(sim, &l);
   return (struct attila_drawing){l.regs, l.drawing, l.draw};
}

void
attila_look_memory(const struct attila_sim *sim, uint32_t address, uint32_t size, uint8_t *data)
{
   struct sim_look l = {.start = address, .end = address + size, .data = data};
   memcpy(data, sim->device.memory + address, size);
   ask(sim, &l);
}
