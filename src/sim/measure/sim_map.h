/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Maps: for each pixel of a surface that a frame draws to, the cost of its fragments. The boxes of
 * cycle mode add to the map of a draw (sim_draw_begins.map). Maps take no simulated time, and
 * nothing depends on them; a draw without a map costs the host a test per quad. Not here: which
 * draws have maps, and files (picture/sim_maps.h). */
#ifndef SIM_MAP_H
#define SIM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_bits.h"

/* M(constant, name, unit, title): a pixel's value; a fragment is a pixel of a quad with a live
 * sample. */
/* clang-format off */
#define SIM_MAPS(M)                                                                              \
   M(SHADED,       shaded,       "fragments",    "fragments given to a shader")                  \
   M(WRITTEN,      written,      "fragments",    "fragments that passed all tests")              \
   M(LATENCY,      latency,      "cycles",       "cycles from quad to written pixel, mean")      \
   M(SHADER,       shader,       "cycles",       "cycles in shaders, sum")                       \
   M(INSTRUCTIONS, instructions, "instructions", "shader instructions executed")                 \
   M(MISSES,       misses,       "misses",       "texture misses of 8 x 8 pixels")               \
   M(DRAW,         draw,         "draw",         "the last draw that wrote the pixel")
/* clang-format on */

enum sim_map_kind {
#define M(constant, name, unit, title) SIM_MAP_##constant,
   SIM_MAPS(M)
#undef M
       SIM_NUM_MAPS
};

/* The map of one surface in one frame, or of a single draw. */
struct sim_map {
   uint32_t address, width, height;       /* the surface's: bytes, pixels */
   bool bottom_up;                        /* its first row is the picture's lowest */
   uint32_t draws, first_draw, last_draw; /* in the frame, to this surface */
   uint32_t refs;                         /* draws in flight, and single draws' maps */
   struct sim_map
       *surface; /* of a single draw: the map of its surface; NULL: this is a surface's map */
   /* [height * width], in memory order; LATENCY is the sum over the fragments in WRITTEN; DRAW is
    * the number of the draw plus 1, 0: no draw. */
   uint32_t (*pixel)[SIM_NUM_MAPS];
};

/* Drops a draw's reference to its map; NULL is allowed. */
static inline void
sim_map_release(struct sim_map *m)
{
   if (m)
      m->refs--;
}

/* Returns the values of a pixel; outside the surface, the values of the nearest pixel. */
static inline uint32_t *
sim_map_at(const struct sim_map *m, int32_t x, int32_t y)
{
   const uint32_t px = x < 0 ? 0 : (uint32_t)x < m->width ? (uint32_t)x : m->width - 1;
   const uint32_t py = y < 0 ? 0 : (uint32_t)y < m->height ? (uint32_t)y : m->height - 1;
   return m->pixel[(size_t)py * m->width + px];
}

/* Adds value to a quad's pixels (a bit for each of four). */
static inline void
sim_map_add(const struct sim_map *m, enum sim_map_kind kind, int32_t x, int32_t y, unsigned pixels,
            uint64_t value)
{
   for (unsigned p = 0; p < 4; p++) {
      if (pixels >> p & 1)
         sim_map_at(m, x + (int32_t)(p & 1), y + (int32_t)(p >> 1))[kind] += (uint32_t)value;
   }
}

/* Adds a quad of this draw that ends now and was made `latency` cycles ago. */
void sim_map_end(const struct sim_map *m, int32_t x, int32_t y, uint32_t mask, uint64_t latency,
                 uint32_t draw);

#endif
