/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The BLIT command without timing: copies a box of elements between surfaces, tiled or linear, as the blitter does.
 * Where source and destination overlap in memory, the result is that of copying row by row in increasing z, then y: each row of
 * elements is read completely before it is written.
 */
#ifndef EMUL_BLIT_H
#define EMUL_BLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmd/attila_cmd.h"

/* Checks that every element of both boxes is inside memory and that the command's sizes are sane. False: error (may be NULL) says why. */
bool emul_blit_check(const struct attila_cmd_blit *blit, uint32_t memory_size, char *error, size_t error_size);
/* Byte address of element (x, y, z) relative to the box's origin, of sample plane `sample`. */
uint32_t emul_blit_address(const struct attila_cmd_blit *blit, const struct attila_cmd_blit_surface *surface, uint32_t x, uint32_t y,
                           uint32_t z, uint32_t sample);
/* Executes a blit that passes emul_blit_check; one that does not changes nothing and gives false. */
bool emul_blit(uint8_t *memory, uint32_t memory_size, const struct attila_cmd_blit *blit);

#endif
