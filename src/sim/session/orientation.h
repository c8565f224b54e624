/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which way up surfaces are, by address. Frame buffers of windows have their first row on top, all
 * others their last one (OpenGL's origin is below). Which it is shows in the rule for edges of a
 * draw, which turns with the picture; the driver's own draws have none, so it is remembered. Only
 * pictures of surfaces want to know (cli/cli_picture.c), and snapshots, since what a surface is may
 * be known from a frame long ago.
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

/* Before a DRAW with this payload, when its registers are set. */
void attila_orientation_draw(struct attila_orientation *o, const struct attila_regs *regs,
                             const uint32_t *payload);
/* Whether the first row of the surface at this address is the lowest one; unknown: if nothing has
 * been drawn to it that says so. */
bool attila_orientation_bottom_up(const struct attila_orientation *o, uint32_t address,
                                  bool unknown);
void attila_orientation_state(struct attila_orientation *o, struct sim_state *s);

#endif
