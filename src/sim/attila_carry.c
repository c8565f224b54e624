/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hot start: what functional mode executes is told to the boxes of the machine (box/sim_carry.h),
 * so that cycle mode goes on where functional mode ends; and that cycle mode ends.
 */
#include "attila_sim_impl.h"

#include <string.h>
#include "box/sim_carry.h"

static void
tell(struct attila_sim *sim, const struct sim_carry *event)
{
   const struct sim_kernel *k = &sim->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (b->cls->carry)
         b->cls->carry(b, event);
   }
}

static void
written(void *user, uint64_t start, uint64_t end)
{
   struct attila_sim *sim = user;
   sim_blocks_overwrite(&sim->device.blocks, (uint32_t)start, (uint32_t)(end - start));
   tell(sim, &(struct sim_carry){.kind = SIM_CARRY_WRITTEN, .start = start, .end = end});
}

static void
clear(struct attila_sim *sim, struct sim_carry *event)
{
   /* Registers that say nothing about a surface have been refused. */
   event->kind = SIM_CARRY_CLEAR;
   event->clear.op = ROP_CLEAR;
   event->clear.regs = sim_frontend_regs(sim->device.frontend);
   tell(sim, event);
}

static void
clear_color(void *user, uint32_t buffers, const float color[4])
{
   struct sim_carry e = {.clear.buffers = buffers};
   memcpy(e.clear.color, color, sizeof(e.clear.color));
   clear(user, &e);
}

static void
clear_zs(void *user, uint32_t planes, float depth, uint32_t stencil)
{
   clear(user,
         &(struct sim_carry){.clear = {.planes = planes, .depth = depth, .stencil = stencil}});
}

static void
draw(void *user, const struct emul_draw_state *state)
{
   tell(user, &(struct sim_carry){.kind = SIM_CARRY_DRAW, .draw = state});
}

static void
program(void *user, const uint32_t *payload)
{
   tell(user, &(struct sim_carry){.kind = SIM_CARRY_PROGRAM, .payload = payload});
}

static void
context(void *user, const uint32_t *payload)
{
   tell(user, &(struct sim_carry){.kind = SIM_CARRY_CONTEXT, .payload = payload});
}

void
attila_carry_start(struct attila_sim *sim)
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
attila_carry_enter(struct attila_sim *sim)
{
   tell(sim, &(struct sim_carry){.kind = SIM_CARRY_ENTER});
   sim_blocks_settle(&sim->device.blocks);
}

void
attila_carry_leave(struct attila_sim *sim)
{
   tell(sim, &(struct sim_carry){.kind = SIM_CARRY_LEAVE});
}
