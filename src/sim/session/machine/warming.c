/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional warming: passes functional mode's commands to the boxes (box/sim_warming.h), so that
 * cycle mode can go on from there. */
#include "box/sim_warming.h"

#include <string.h>
#include "session/machine/machine_impl.h"

void
sim_machine_warm(struct sim_machine *m, const struct sim_warming *event)
{
   const struct sim_kernel *k = &m->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls->warm)
         k->boxes[i]->cls->warm(k->boxes[i], event);
   }
}

static void
warming_written(void *user, uint64_t start, uint64_t end)
{
   struct sim_machine *m = user;
   sim_blocks_overwrite(&m->device.blocks, (uint32_t)start, (uint32_t)(end - start));
   sim_machine_warm(m, &(struct sim_warming){.kind = SIM_WARM_WRITTEN, .start = start, .end = end});
}

static void
warming_clear(struct sim_machine *m, struct sim_warming *event)
{
   /* A clear whose registers name no valid surface was refused before. */
   event->kind = SIM_WARM_CLEAR;
   event->clear.op = ROP_CLEAR;
   event->clear.regs = sim_frontend_regs(m->device.frontend);
   sim_machine_warm(m, event);
}

static void
warming_clear_color(void *user, uint32_t buffers, const float color[4])
{
   struct sim_warming e = {.clear.buffers = buffers};
   memcpy(e.clear.color, color, sizeof(e.clear.color));
   warming_clear(user, &e);
}

static void
warming_clear_zs(void *user, uint32_t planes, float depth, uint32_t stencil)
{
   warming_clear(user, &(struct sim_warming){
                           .clear = {.planes = planes, .depth = depth, .stencil = stencil}});
}

static void
warming_draw(void *user, const struct emul_draw_state *state)
{
   sim_machine_warm(user, &(struct sim_warming){.kind = SIM_WARM_DRAW, .draw = state});
}

static void
warming_program(void *user, const uint32_t *payload)
{
   sim_machine_warm(user, &(struct sim_warming){.kind = SIM_WARM_PROGRAM, .payload = payload});
}

static void
warming_context(void *user, const uint32_t *payload)
{
   sim_machine_warm(user, &(struct sim_warming){.kind = SIM_WARM_CONTEXT, .payload = payload});
}

bool
sim_warming_note_uses(struct sim_machine *m)
{
   const struct sim_config *c = &m->gpu.config;
   const bool notes[SIM_NUM_USERS] = {
       [SIM_USER_COMMANDS] = c->l2.cp_policy, [SIM_USER_INDICES] = c->l2.stf_policy,
       [SIM_USER_VERTICES] = c->l2.sl_policy, [SIM_USER_ZS] = c->l2.zst_policy,
       [SIM_USER_COLOR] = c->l2.cw_policy,    [SIM_USER_TEXTURES] = c->l2.tu_policy,
       [SIM_USER_BLITS] = c->l2.blit_policy,  [SIM_USER_DISPLAY] = c->l2.dac_policy,
       [SIM_USER_STREAMS] = c->l2.so_policy,  [SIM_USER_STORAGE] = c->l2.lsu_policy,
   };
   uint32_t users = 0;
   for (unsigned u = 0; c->l2.on && u < SIM_NUM_USERS; u++)
      users |= (uint32_t)notes[u] << u;
   return !users || sim_uses_init(&m->device.uses, m->device.memory_size, users);
}

void
sim_warming_start(struct sim_machine *m)
{
   const struct sim_config *c = &m->gpu.config;
   const struct sim_func_watch watch = {
       .user = m,
       .written = warming_written,
       .clear_color = warming_clear_color,
       .clear_zs = warming_clear_zs,
       .draw = warming_draw,
       .program = warming_program,
       .context = warming_context,
       .color_block = c->cw.line_stamps * 4 * c->cw.pixel_bytes,
       .zs_block = c->zst.line_stamps * 4 * c->zst.pixel_bytes,
   };
   sim_func_set_watch(m->func, &watch);
}
