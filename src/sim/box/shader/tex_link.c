/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The way from a shader to its texture units. Not here: the units' work, and results. */
#include "box/shader/tex_link.h"

/* Returns the unit to which a request goes that is sent now. */
static uint32_t
tex_link_unit_for(const struct tex_link *link, const struct sim_config *c, sim_tick now)
{
   if (link->sent < c->shader.tex_request_group || now <= link->quads_sent)
      return link->unit;
   return link->unit + 1 == TEX_UNITS_OF_SHADER(c) ? 0 : link->unit + 1;
}

static struct sim_signal *
tex_link_signal_to(const struct sim_box *shader, uint32_t unit)
{
   struct sim_gpu *gpu = shader->gpu;
   return &gpu->net.shdx_tu[shader->instance * TEX_UNITS_OF_SHADER(&gpu->config) + unit];
}

uint32_t
tex_link_room(const struct tex_link *link, const struct sim_box *shader, sim_tick now)
{
   return sim_can_send(
       tex_link_signal_to(shader, tex_link_unit_for(link, &shader->gpu->config, now)), now);
}

uint32_t
tex_link_send(struct tex_link *link, const struct sim_box *shader, struct shf_thread *thread,
              uint16_t work_id, sim_tick now)
{
   struct sim_gpu *gpu = shader->gpu;
   const struct sim_config *c = &gpu->config;
   sim_tick period = gpu->kernel.period[SIM_DOMAIN_GPU], cycles = 0;
   uint32_t unit = tex_link_unit_for(link, c, now);
   if (unit != link->unit) {
      link->unit = unit;
      link->sent = 0;
   }
   __builtin_prefetch(thread->group); /* for the host: the unit looks there first */
   unsigned quads = tex_count_quads(tex_quads(thread->emul.tex.mask));
   quads = quads ? quads : 1;
   struct msg_tex msg = {.thread = thread,
                         .work_id = work_id,
                         .begin = now > link->quads_sent ? now : link->quads_sent};
   for (uint32_t sent = 0; sent < quads; sent += c->shader.tex_request_rate)
      cycles++;
   link->quads_sent = msg.begin + cycles * period;
   link->sent += quads;
   sim_send(tex_link_signal_to(shader, unit), now, &msg);
   return quads;
}
