/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hot start: what functional mode executes is told to the boxes of the machine (box/sim_warming.h),
 * so that cycle mode goes on where functional mode ends; and that cycle mode ends.
 */
#include "session/machine.h"

#include <string.h>
#include "box/sim_warming.h"

static void
tell(struct attila_sim *sim, const struct sim_warming *event)
{
   const struct sim_kernel *k = &sim->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (b->cls->warm)
         b->cls->warm(b, event);
   }
}

static void
written(void *user, uint64_t start, uint64_t end)
{
   struct attila_sim *sim = user;
   sim_blocks_overwrite(&sim->device.blocks, (uint32_t)start, (uint32_t)(end - start));
   tell(sim, &(struct sim_warming){.kind = SIM_WARM_WRITTEN, .start = start, .end = end});
}

static void
clear(struct attila_sim *sim, struct sim_warming *event)
{
   /* Registers that say nothing about a surface have been refused. */
   event->kind = SIM_WARM_CLEAR;
   event->clear.op = ROP_CLEAR;
   event->clear.regs = sim_frontend_regs(sim->device.frontend);
   tell(sim, event);
}

static void
clear_color(void *user, uint32_t buffers, const float color[4])
{
   struct sim_warming e = {.clear.buffers = buffers};
   memcpy(e.clear.color, color, sizeof(e.clear.color));
   clear(user, &e);
}

static void
clear_zs(void *user, uint32_t planes, float depth, uint32_t stencil)
{
   clear(user,
         &(struct sim_warming){.clear = {.planes = planes, .depth = depth, .stencil = stencil}});
}

static void
draw(void *user, const struct emul_draw_state *state)
{
   tell(user, &(struct sim_warming){.kind = SIM_WARM_DRAW, .draw = state});
}

static void
program(void *user, const uint32_t *payload)
{
   tell(user, &(struct sim_warming){.kind = SIM_WARM_PROGRAM, .payload = payload});
}

static void
context(void *user, const uint32_t *payload)
{
   tell(user, &(struct sim_warming){.kind = SIM_WARM_CONTEXT, .payload = payload});
}

void
attila_warming_start(struct attila_sim *sim)
{
   const struct sim_config *c = &sim->gpu.config;
   const struct sim_func_watch watch = {
       .user = sim,
       .written = written,
       .clear_color = clear_color,
       .clear_zs = clear_zs,
       .draw = draw,
       .program = program,
       .context = context,
       .color_block = c->cw.line_stamps * 4 * c->cw.pixel_bytes,
       .zs_block = c->zst.line_stamps * 4 * c->zst.pixel_bytes,
   };
   sim_func_set_watch(sim->func, &watch);
}

void
attila_warming_enter(struct attila_sim *sim)
{
   tell(sim, &(struct sim_warming){.kind = SIM_WARM_ENTER});
   sim_blocks_settle(&sim->device.blocks);
}

void
attila_warming_leave(struct attila_sim *sim)
{
   tell(sim, &(struct sim_warming){.kind = SIM_WARM_LEAVE});
}
