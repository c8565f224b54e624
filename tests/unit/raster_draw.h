/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws primitives into a small array of hits, for tests of the rasteriser. The state is one for
 * the whole test program: change regs, then restart. */
#ifndef RASTER_DRAW_H
#define RASTER_DRAW_H

#include "raster_state.h"

#define SIZE 64
#define FS ".fragment\nMOV o0, i1\nEND\n"

static struct attila_regs regs;
static struct emul_draw_state state;

static inline void
start(unsigned prim)
{
   state_regs(&regs, SIZE, SIZE);
   state_init(&state, &regs, prim, FS);
}

/* Re-derives the state after a register changed. */
static inline void
restart(unsigned prim)
{
   state_init(&state, &regs, prim, FS);
}

/* Adds 1 to hits for every covered pixel; returns how many. */
static inline unsigned
draw_setup(const struct emul_setup *s, uint8_t hits[SIZE][SIZE])
{
   unsigned n = 0;
   for (int32_t ty = 0; ty < SIZE; ty += 8) {
      for (int32_t tx = 0; tx < SIZE; tx += 8) {
         uint64_t m = emul_tile_coverage(s, tx, ty);
         if (m)
            assert_true(emul_block_overlaps(s, tx, ty, 8) &&
                        emul_block_overlaps(s, tx & ~15, ty & ~15, 16));
         for (uint32_t y = 0; y < 8; y++) {
            for (uint32_t x = 0; x < 8; x++) {
               unsigned in = m >> attila_morton8(x, y) & 1;
               hits[ty + (int)y][tx + (int)x] += (uint8_t)in;
               n += in;
            }
         }
      }
   }
   return n;
}

static inline unsigned
draw_prim(const struct emul_vertex *v, unsigned n, uint8_t hits[SIZE][SIZE], uint32_t *stipple)
{
   struct emul_primitive prim = {
       .num_vertices = (uint8_t)n, .edges = 7, .v = {&v[0], &v[1], &v[2]}, .flat = &v[0]};
   struct emul_setup out[EMUL_MAX_SETUP];
   enum emul_setup_result result;
   unsigned pixels = 0, num = emul_setup(&state, &prim, stipple, out, &result);
   assert_true((num > 0) == (result == EMUL_SETUP_OK));
   for (unsigned i = 0; i < num; i++)
      pixels += draw_setup(&out[i], hits);
   return pixels;
}

#endif
