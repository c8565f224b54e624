/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counting bits. The simulator is built for every processor of its architecture, where the
 * compiler's __builtin_popcount is a call of a table's function; here it is some instructions.
 */
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

/* The same of a quad's pixels: bits < 16. */
static inline unsigned
sim_count_bits4(unsigned bits)
{
   return (unsigned)(0x4332322132212110u >> 4 * bits & 7);
}

#endif
