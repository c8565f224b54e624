/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The BLIT command: copies a box of elements between surfaces, tiled or linear, or resolves a
 * multisampled one. The box is cut into units (one z, all samples, 8 rows of 8 or 32 elements,
 * aligned in the destination), in the order x, y, z; a unit is read completely before it is
 * written. Where source and destination overlap in memory, units are strictly one after the other,
 * so the result is defined (but like memcpy's not useful); otherwise their order does not matter.
 * The blitter box works by the same units.
 */
#ifndef EMUL_BLIT_H
#define EMUL_BLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_cmd.h"
#include "hw/attila_surface.h"

/* Checks that every element of both boxes is inside memory and that the command's sizes are sane.
 * False: error (may be NULL) says why. */
bool emul_blit_check(const struct attila_cmd_blit *blit, uint32_t memory_size, char *error,
                     size_t error_size);
/* Byte address of element (x, y, z) relative to the box's origin, of one of its samples.
 * surface: &blit->src or &blit->dst; a resolve's destination has one, whatever sample says. */
uint32_t emul_blit_address(const struct attila_cmd_blit *blit,
                           const struct attila_cmd_blit_surface *surface, uint32_t x, uint32_t y,
                           uint32_t z, uint32_t sample);
/* First byte and end of everything between a box's first and last element on one side: whole tiles
 * of a tiled surface. The box is not empty. */
void emul_blit_range(const struct attila_cmd_blit *blit,
                     const struct attila_cmd_blit_surface *surface, uint64_t *begin, uint64_t *end);
/* Executes a blit that passes emul_blit_check; one that does not changes nothing and gives false.
 */
bool emul_blit(uint8_t *memory, uint32_t memory_size, const struct attila_cmd_blit *blit);

/* Samples of elements: 32x8 of a linear surface, which have one, or 8x8. */
#define EMUL_BLIT_UNIT_ELEMENTS (ATTILA_TILE_ELEMENTS * ATTILA_MAX_SAMPLES)
struct emul_blit_unit {
   uint32_t x, y, z;       /* of its first element, relative to the box's origin */
   uint32_t width, height; /* elements; 0: none */
   uint32_t sample,
       samples; /* of the source, from sample on: all, or the one that a resolve takes */
};
/* Units of a blit, and one of them. */
uint32_t emul_blit_num_units(const struct attila_cmd_blit *blit);
struct emul_blit_unit emul_blit_unit(const struct attila_cmd_blit *blit, uint32_t index);
/* The bytes that hold the two boxes overlap, or may. */
bool emul_blit_overlaps(const struct attila_cmd_blit *blit);

/* The average of ATTILA_RESOLVE_AVERAGE for the elements of one unit: exact, then rounded once
 * (8-bit channels: halves up, so that it does not matter how a channel would become a float). */
struct emul_resolve {
   bool bytes; /* 8-bit channels: sums of bytes */
   union {
      double sum[ATTILA_TILE_ELEMENTS][4];
      uint16_t byte_sum[ATTILA_TILE_ELEMENTS][4];
   };
};
void emul_resolve_start(struct emul_resolve *r, const struct attila_cmd_blit *blit);
/* Adds one sample of element i of the unit; i < ATTILA_TILE_ELEMENTS. */
void emul_resolve_add(struct emul_resolve *r, const struct attila_cmd_blit *blit, unsigned i,
                      const uint8_t *element);
/* The average of element i. */
void emul_resolve_store(const struct emul_resolve *r, const struct attila_cmd_blit *blit,
                        unsigned i, uint8_t *element);

#endif
