/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Orientation of surfaces, by address. Windows' frame buffers have their first row on top, all
 * others their last (OpenGL's origin is at the bottom). A draw's edge rule turns with the picture,
 * so it shows the orientation; the driver's own draws have none, so orientations are remembered,
 * also in checkpoints, since that draw may be many frames ago. Pictures of surfaces need them
 * (cli/cli_picture.c). */
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

/* Learns from a DRAW with this payload, once its registers are set. */
void attila_orientation_draw(struct attila_orientation *o, const struct attila_regs *regs,
                             const uint32_t *payload);
/* Returns whether the surface's first row is the lowest; unknown: the answer if no draw has shown
 * it. */
bool attila_orientation_bottom_up(const struct attila_orientation *o, uint32_t address,
                                  bool unknown);
void attila_orientation_state(struct attila_orientation *o, struct sim_state *s);

#endif
