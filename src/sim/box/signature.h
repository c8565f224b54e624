/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Signatures by which a tile-based machine sees that inputs or pixels are those of before. The
 * machine has CRCs of 32 bits; the simulator has sums of 64, so that what differs has different
 * ones. Not here: what is signed (box/rop/rop_sign.c, box/tiling/kept.c). */
#ifndef BOX_SIGNATURE_H
#define BOX_SIGNATURE_H

#include "core/sim_state.h"

#define SIGNATURE_START 0xcbf29ce484222325u

/* Adds a word; the order of words counts. */
static inline uint64_t
signature_add(uint64_t sum, uint64_t word)
{
   sum = (sum ^ word) * 0x9e3779b97f4a7c15;
   return sum ^ sum >> 29;
}

static inline uint64_t
signature_add_bytes(uint64_t sum, const void *data, size_t bytes)
{
   return bytes ? signature_add(sum, sim_hash(data, bytes).half[0]) : sum;
}

#endif
