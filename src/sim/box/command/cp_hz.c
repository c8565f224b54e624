/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, Hierarchical Z: keeps the memory ranges of depth surfaces whose bounds HZ may
 * have, and makes HZ forget exactly those that another unit writes. Not here: the bounds, and draws
 * that change them, which HZ sees itself (box/raster/hz.c). */
#include "box/command/cp.h"

void
cp_memory_written(struct cp *cp, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < cp->num_hz_ranges; i++) {
      struct cp_range *r = &cp->hz_range[i];
      r->changed |= start < r->end && end > r->start;
   }
}

void
cp_hz_uses(struct cp *cp)
{
   const struct cp_surfaces *s = &cp->surfaces;
   if (cp->box.gpu->config.rast.disable_hz)
      return;
   const struct cp_range zs = cp_zs_range(s);
   const uint64_t start = zs.start, end = zs.end;
   for (uint32_t i = 0; i < cp->num_hz_ranges; i++) {
      struct cp_range *r = &cp->hz_range[i];
      if (r->start == start && r->end >= end)
         return;
   }
   /* If the list is full, one range covers two surfaces. */
   if (cp->num_hz_ranges == CP_RANGES) {
      struct cp_range *last = &cp->hz_range[CP_RANGES - 1];
      last->start = start < last->start ? start : last->start;
      last->end = end > last->end ? end : last->end;
      return;
   }
   cp->hz_range[cp->num_hz_ranges++] = (struct cp_range){.start = start, .end = end};
}

bool
cp_hz_forget(struct cp *cp, sim_tick now)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_hz[0];
   if (cp->hz_answer)
      return false;
   for (uint32_t i = 0; i < cp->num_hz_ranges; i++) {
      struct cp_range *r = &cp->hz_range[i];
      if (!r->changed)
         continue;
      if (sim_can_send(out, now)) {
         struct msg_rop m = {
             .op = ROP_FORGET, .work_id = cp->work_id, .start = r->start, .end = r->end};
         sim_send(out, now, &m);
         cp->hz_answer = true;
         *r = cp->hz_range[--cp->num_hz_ranges];
      }
      return false;
   }
   return true;
}
