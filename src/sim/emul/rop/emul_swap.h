/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The picture of a scanned out surface.
 */
#ifndef EMUL_SWAP_H
#define EMUL_SWAP_H

#include "hw/attila_cmd.h"

/* Converts a surface, which must be inside memory and have a colour format, to RGBA of 8 bits: rows
 * of 4 * width bytes, the top row of the display first. */
void emul_swap_to_rgba8(const uint8_t *memory, const struct attila_cmd_swap *swap, uint8_t *rgba);

#endif
