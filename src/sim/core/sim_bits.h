/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counting bits with a few instructions. The build is for every processor of its architecture,
 * where __builtin_popcount calls a function that uses a table. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include <stdint.h>

static inline unsigned
sim_count_bits(uint32_t bits)
{
   bits -= bits >> 1 & 0x55555555;
   bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
   bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
   return bits * 0x01010101 >> 24;
}

/* Counts the bits of a quad's pixels: bits < 16. */
static inline unsigned
sim_count_bits4(unsigned bits)
{
   return (unsigned)(0x4332322132212110u >> 4 * bits & 7);
}

/* Returns the pixels of a quad that have a sample in its mask (bit sample * 4 + pixel). */
static inline unsigned
sim_quad_pixels(uint32_t mask)
{
   mask |= mask >> 16;
   mask |= mask >> 8;
   return (mask | mask >> 4) & 15;
}

#endif
