/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Adds a quad to a map when the quad ends (sim_map.h). */
#include "measure/sim_map.h"

void
sim_map_end(const struct sim_map *m, int32_t x, int32_t y, uint32_t mask, uint64_t latency,
            uint32_t draw)
{
   const unsigned pixels = sim_quad_pixels(mask);
   for (unsigned p = 0; p < 4; p++) {
      if (!(pixels >> p & 1))
         continue;
      uint32_t *v = sim_map_at(m, x + (int32_t)(p & 1), y + (int32_t)(p >> 1));
      v[SIM_MAP_WRITTEN]++;
      v[SIM_MAP_LATENCY] += (uint32_t)latency;
      v[SIM_MAP_DRAW] = draw + 1;
   }
}
