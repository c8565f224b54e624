/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The picture of a scanned out surface, and the averages of its samples. */
#ifndef EMUL_SWAP_H
#define EMUL_SWAP_H

#include "hw/attila_cmd.h"

/* Writes a multisampled swap's picture to memory, as a BLIT with ATTILA_RESOLVE_AVERAGE would.
 * surface: the samples, a copy of their memory or swap->address itself. */
void emul_swap_resolve(const uint8_t *surface, const struct attila_cmd_swap *swap, uint8_t *memory);

/* Returns the swap to show: with several samples, that of the picture. */
struct attila_cmd_swap emul_swap_picture(const struct attila_cmd_swap *swap);

/* Converts a surface (inside memory, of a colour format, one sample) to RGBA of 8 bits: rows of 4 *
 * width bytes, the display's top row first. */
void emul_swap_to_rgba8(const uint8_t *memory, const struct attila_cmd_swap *swap, uint8_t *rgba);

#endif
