/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Orientation of surfaces (orientation.h). */
#include "session/checkpoint/orientation.h"

#include <string.h>
#include "hw/attila_cmd.h"

static void
orientation_remember(struct attila_orientation *o, uint32_t address, bool bottom_up)
{
   unsigned i = 0;
   while (i < o->num && o->known[i].address != address)
      i++;
   if (i == o->num) {
      i = o->next++ % ATTILA_ORIENTATIONS;
      if (o->num < ATTILA_ORIENTATIONS)
         o->num++;
   }
   o->known[i].address = address;
   o->known[i].bottom_up = bottom_up;
}

void
attila_orientation_draw(struct attila_orientation *o, const struct attila_regs *regs,
                        const uint32_t *payload)
{
   struct attila_cmd_draw draw;
   memcpy(&draw, payload, sizeof(draw));
   if (draw.flags & ATTILA_DRAW_META)
      return;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (regs->color[i].address)
         orientation_remember(o, regs->color[i].address, !regs->bottom_edge_rule);
   }
   if (regs->zs_address)
      orientation_remember(o, regs->zs_address, !regs->bottom_edge_rule);
}

bool
attila_orientation_bottom_up(const struct attila_orientation *o, uint32_t address, bool unknown)
{
   for (unsigned i = 0; i < o->num; i++) {
      if (o->known[i].address == address)
         return o->known[i].bottom_up;
   }
   return unknown;
}

void
attila_orientation_state(struct attila_orientation *o, struct sim_state *s)
{
   SIM_STATE(s, *o);
   if (!sim_state_check(s, o->num <= ATTILA_ORIENTATIONS))
      o->num = 0;
}
