/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The BLIT command: copies a box of elements between surfaces, tiled or linear, or resolves a
 * multisampled surface. The box is cut into units (one z, all samples, 8 rows of 8 or 32 elements,
 * aligned in the destination), in the order x, y, z; a unit is read before it is written. If source
 * and destination overlap in memory, units run strictly in order, so the result is defined (but
 * useless, as after such a memcpy); otherwise they run in any order. The blitter box uses the same
 * units. */
#ifndef EMUL_BLIT_H
#define EMUL_BLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_cmd.h"
#include "hw/attila_surface.h"

/* Checks that both boxes are inside memory and the command's sizes are valid. False: error (may be
 * NULL) gets the reason. */
bool emul_blit_check(const struct attila_cmd_blit *blit, uint32_t memory_size, char *error,
                     size_t error_size);
/* Returns the byte address of a sample of element (x, y, z), relative to the box's origin. surface:
 * &blit->src or &blit->dst; a resolve's destination has one sample. */
uint32_t emul_blit_address(const struct attila_cmd_blit *blit,
                           const struct attila_cmd_blit_surface *surface, uint32_t x, uint32_t y,
                           uint32_t z, uint32_t sample);
/* Finds the bytes from a box's first to its last element on one side, in whole tiles if tiled. The
 * box must not be empty. */
void emul_blit_range(const struct attila_cmd_blit *blit,
                     const struct attila_cmd_blit_surface *surface, uint64_t *begin, uint64_t *end);
/* Executes a blit; one that fails emul_blit_check changes nothing and returns false. */
bool emul_blit(uint8_t *memory, uint32_t memory_size, const struct attila_cmd_blit *blit);

/* Samples of a unit's elements: 32x8 of a linear surface (one each), or 8x8. */
#define EMUL_BLIT_UNIT_ELEMENTS (ATTILA_TILE_ELEMENTS * ATTILA_MAX_SAMPLES)
struct emul_blit_unit {
   uint32_t x, y, z;         /* its first element, relative to the box's origin */
   uint32_t width, height;   /* elements; 0: none */
   uint32_t sample, samples; /* of the source from sample on: all, or the selected one */
};
/* Return the number of a blit's units, and one of them. */
uint32_t emul_blit_num_units(const struct attila_cmd_blit *blit);
struct emul_blit_unit emul_blit_unit(const struct attila_cmd_blit *blit, uint32_t index);
/* Returns whether the bytes of the two boxes may overlap. */
bool emul_blit_overlaps(const struct attila_cmd_blit *blit);

/* ATTILA_RESOLVE_AVERAGE for one unit: exact, then rounded once (8-bit channels: halves up,
 * independent of conversion to float). */
struct emul_resolve {
   bool bytes; /* 8-bit channels: sums of bytes */
   union {
      double sum[ATTILA_TILE_ELEMENTS][4];
      uint16_t byte_sum[ATTILA_TILE_ELEMENTS][4];
   };
};
void emul_resolve_start(struct emul_resolve *r, const struct attila_cmd_blit *blit);
/* Adds a sample of the unit's element i < ATTILA_TILE_ELEMENTS. */
void emul_resolve_add(struct emul_resolve *r, const struct attila_cmd_blit *blit, unsigned i,
                      const uint8_t *element);
/* Stores the average of element i. */
void emul_resolve_store(const struct emul_resolve *r, const struct attila_cmd_blit *blit,
                        unsigned i, uint8_t *element);

#endif
