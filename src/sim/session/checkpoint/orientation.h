/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Orientation of surfaces, by address. The first row of a window's frame buffer is on top; other
 * surfaces have their last row on top, since OpenGL's origin is at the bottom. The edge rule of a
 * draw depends on the orientation and so shows it, except for draws of the driver itself. So
 * orientations are remembered, also in checkpoints: the last draw that showed it may be many frames
 * ago. Pictures of surfaces need them (cli/cli_picture.c). */
#ifndef ATTILA_ORIGINS_H
#define ATTILA_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/sim_state.h"
#include "hw/attila_regs.h"

#define ATTILA_ORIENTATIONS 256 /* surfaces; older ones are dropped */

struct attila_orientation {
   struct {
      uint32_t address, bottom_up;
   } known[ATTILA_ORIENTATIONS];
   uint32_t num, next;
};

/* Remembers what a DRAW with this payload shows, once its registers are set. */
void attila_orientation_draw(struct attila_orientation *o, const struct attila_regs *regs,
                             const uint32_t *payload);
/* Returns whether the first row of the surface is the lowest one, or `unknown` if no draw has shown
 * it. */
bool attila_orientation_bottom_up(const struct attila_orientation *o, uint32_t address,
                                  bool unknown);
void attila_orientation_state(struct attila_orientation *o, struct sim_state *s);

#endif
