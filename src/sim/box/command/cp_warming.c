/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, warming (box/sim_warming.h): programs in the instruction memory, contexts on
 * chip, the last draw's surfaces, depth surfaces that HZ may know. Not here: the contents of caches
 * (cp_coherence.c), which are empty when cycle mode begins. */
#include "box/command/cp.h"
#include "box/sim_warming.h"

/* Drops ranges that were written, which HZ therefore forgot (hz_warming.c). */
static void
cp_warming_warm_drop_hz_ranges(struct cp *cp, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < cp->num_hz_ranges;) {
      if (cp->hz_range[i].start < end && cp->hz_range[i].end > start)
         cp->hz_range[i] = cp->hz_range[--cp->num_hz_ranges];
      else
         i++;
   }
}

static void
cp_warming_warm_surfaces(struct cp *cp, const struct attila_regs *regs,
                         const struct attila_cmd_layers *layers, uint32_t color_mask, bool zs)
{
   cp_read_surfaces(&cp->surfaces, regs, layers);
   cp->rop_regs = *regs;
   cp->rop_layers = layers ? *layers : (struct attila_cmd_layers){0};
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (!(color_mask >> i & 1) || !cp->surfaces.color[i].address)
         continue;
      const struct cp_range r = cp_color_range(&cp->surfaces, i);
      cp_warming_warm_drop_hz_ranges(cp, r.start, r.end);
   }
   if (zs && cp->surfaces.zs.address)
      cp_hz_uses(cp);
}

/* Ends cycle mode. Depth surfaces stay listed: HZ forgets them at the next draw. */
static void
cp_warming_warm_leave(struct cp *cp)
{
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++)
      cp->held[k].num = 0;
   cp->num_written = 0;
   cp->geometry_updates = cp->fragment_updates = 0;
   /* Words that come later do not continue this stream. */
   cp->starved = SIM_NEVER;
}

static void
cp_warming_warm_traits(struct cp *cp, struct sim_state *s)
{
   const struct sim_config *c = &cp->box.gpu->config;
   uint32_t numbers[] = {c->cp.instruction_memory, c->cp.contexts, c->rast.disable_hz};
   SIM_STATE(s, numbers);
}

static void
cp_warming_warm_state(struct cp *cp, struct sim_state *s)
{
   uint8_t late_zs = cp->late_zs;
   SIM_STATE(s, late_zs);
   SIM_STATE(s, cp->rop_regs);
   SIM_STATE(s, cp->rop_layers);
   SIM_STATE(s, cp->num_loaded);
   SIM_STATE(s, cp->instructions);
   SIM_STATE(s, cp->num_resident);
   SIM_STATE(s, cp->num_hz_ranges);
   if (!sim_state_check(s, cp->num_loaded <= CP_PROGRAMS &&
                               cp->num_resident <= cp->box.gpu->config.cp.contexts &&
                               cp->num_hz_ranges <= CP_RANGES)) {
      cp->num_loaded = cp->num_resident = cp->num_hz_ranges = 0;
      return;
   }
   for (uint32_t i = 0; i < cp->num_loaded; i++)
      SIM_STATE(s, cp->loaded[i]);
   for (uint32_t i = 0; i < cp->num_resident; i++)
      SIM_STATE(s, cp->resident[i]);
   for (uint32_t i = 0; i < cp->num_hz_ranges; i++) {
      if (s->load)
         cp->hz_range[i] = (struct cp_range){0};
      SIM_STATE(s, cp->hz_range[i].start);
      SIM_STATE(s, cp->hz_range[i].end);
   }
   if (s->load) {
      cp->late_zs = late_zs;
      cp_read_surfaces(&cp->surfaces, &cp->rop_regs, &cp->rop_layers);
   }
}

void
cp_warm(struct sim_box *b, const struct sim_warming *event)
{
   struct cp *cp = (struct cp *)b;
   switch (event->kind) {
   case SIM_WARM_WRITTEN:
      cp_programs_written(cp, event->start, event->end);
      cp_warming_warm_drop_hz_ranges(cp, event->start, event->end);
      break;
   case SIM_WARM_CLEAR:
      cp_warming_warm_surfaces(cp, event->clear.regs, NULL, event->clear.buffers,
                               event->clear.planes != 0);
      break;
   case SIM_WARM_DRAW: {
      const struct emul_draw_state *s = event->draw;
      cp->late_zs = s->late_zs;
      if (!s->regs.rasterizer_discard)
         cp_warming_warm_surfaces(cp, &s->regs, &s->layers, s->color_mask,
                                  s->zs_bound && (s->z_test || s->stencil_test));
      break;
   }
   case SIM_WARM_PROGRAM: {
      struct attila_cmd_program p;
      memcpy(&p, event->payload, sizeof(p));
      cp_program_hold(cp, &p);
      break;
   }
   case SIM_WARM_CONTEXT: {
      uint32_t out;
      cp_context_select(cp, event->payload[0] & ~ATTILA_CONTEXT_RESET, &out);
      break;
   }
   case SIM_WARM_ENTER:
   case SIM_WARM_FILL:
      break;
   case SIM_WARM_LEAVE:
      cp_warming_warm_leave(cp);
      break;
   case SIM_WARM_TRAITS:
      cp_warming_warm_traits(cp, event->state);
      break;
   case SIM_WARM_STATE:
      cp_warming_warm_state(cp, event->state);
      break;
   }
}
