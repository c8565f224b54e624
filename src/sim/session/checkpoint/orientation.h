/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Orientation of surfaces, by address. Frame buffers of windows have their first row on top, all
 * others their last one (OpenGL's origin is at the bottom). A draw's rule for edges turns with the
 * picture, so it shows the orientation; the driver's own draws have no such rule, so orientations
 * are remembered. Pictures of surfaces need them (cli/cli_picture.c), and checkpoints keep them:
 * the last draw that showed one may be many frames ago.
 */
#ifndef ATTILA_ORIGINS_H
#define ATTILA_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/sim_state.h"
#include "hw/attila_regs.h"

#define ATTILA_ORIENTATIONS 256 /* surfaces; older ones are forgotten */

struct attila_orientation {
   struct {
      uint32_t address, bottom_up;
   } known[ATTILA_ORIENTATIONS];
   uint32_t num, next;
};

/* Learns from a DRAW with this payload, when its registers are set. */
void attila_orientation_draw(struct attila_orientation *o, const struct attila_regs *regs,
                             const uint32_t *payload);
/* Whether the first row of the surface at this address is the lowest one; unknown: the answer for
 * a surface that no draw has shown. */
bool attila_orientation_bottom_up(const struct attila_orientation *o, uint32_t address,
                                  bool unknown);
void attila_orientation_state(struct attila_orientation *o, struct sim_state *s);

#endif
