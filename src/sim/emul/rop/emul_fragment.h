/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment operations on a quad (FragmentOperatorEmulator): depth and stencil test, blending, logic
 * operation, write masks. The 4 elements of a quad are contiguous in a tile (attila_surface.h),
 * pixel order as in emul_shader.h.
 */
#ifndef EMUL_FRAGMENT_H
#define EMUL_FRAGMENT_H

#include "emul/emul_draw.h"

/* Byte offset of a quad's first element from a surface address. */
static inline uint64_t
emul_quad_offset(uint32_t pitch_tiles, unsigned samples, unsigned sample, unsigned element_bytes,
                 int32_t x, int32_t y)
{
   return attila_element_offset(pitch_tiles, samples, element_bytes, (uint32_t)x, (uint32_t)y,
                                sample);
}

/* Stencil and depth test of the pixels in mask (4 bits) against the 4 elements at zs, which are
 * updated. Returns the pixels that pass both. */
unsigned emul_zs_quad(const struct emul_draw_state *state, bool front, unsigned mask,
                      const float z[4], uint8_t *zs);
/* Depth as Hierarchical Z compares it: codes of one format are ordered as its depth test orders
 * what they stand for, and equal where it finds them equal. 1 for depth 0; the two others are
 * nearer and farther than any depth in [0, 1]. */
#define EMUL_ZS_NEARER 0u
#define EMUL_ZS_FARTHER UINT32_MAX
uint32_t emul_zs_code(const struct attila_format_desc *format, float z);
void emul_zs_codes(const struct attila_format_desc *format, const float z[4], uint32_t code[4]);
/* A depth with this code (neither nearer nor farther than any). */
float emul_zs_code_depth(const struct attila_format_desc *format, uint32_t code);
/* The nearest and the farthest code of so many elements (a multiple of 4). What nothing can be said
 * about (no depth, not a number, outside [0, 1]) makes them EMUL_ZS_NEARER and EMUL_ZS_FARTHER. */
void emul_zs_block_range(const struct attila_format_desc *format, const uint8_t *block,
                         unsigned elements, uint32_t *near, uint32_t *far);
/* The element that a clear writes, 8 bytes (format->bytes are used). old: element whose unmasked
 * part is kept. */
void emul_zs_clear_value(const struct attila_format_desc *format, unsigned planes, float depth,
                         uint32_t stencil, const uint8_t *old, uint8_t out[8]);
/* Bits of an element (little endian) that hold a plane: 1 depth, 2 stencil. 0: it has none. */
uint64_t emul_zs_plane_mask(const struct attila_format_desc *format, unsigned plane);

/* Blends (or logic ops) the pixels in mask of colour buffer rt: src[component][pixel], dst the 4
 * elements; second: the second colours, of fragment output 1, only looked at where emul_blends_two.
 * No draw state blends a buffer of integers. */
void emul_color_quad(const struct emul_draw_state *state, unsigned rt, unsigned mask,
                     const float src[4][4], const float second[4][4], uint8_t *dst);
/* The same for the lanes of a group, a bit for each: color has 4 quads, the elements of quad q are
 * at dst[q], which is not looked at when none of its lanes is set. Where it blends, no two quads
 * with lanes may be the same place; otherwise the last one wins. Only where emul_color_group_fits.
 */
typedef void (*emul_color_group_fn)(const struct emul_draw_state *state, unsigned rt,
                                    unsigned lanes, const struct emul_vec4 *color,
                                    uint8_t *const dst[EMUL_LANES / 4]);
/* The same for all lanes of four quads that lie one behind the other at dst. */
typedef void (*emul_color_square_fn)(const struct emul_draw_state *state, unsigned rt,
                                     const struct emul_vec4 *color, uint8_t *dst);
bool emul_color_group_fits(const struct emul_draw_state *state, unsigned rt);
struct emul_color_writer {
   emul_color_group_fn group;
   emul_color_square_fn square;
};
/* The n-th variant this host can run, the fastest first; NULL past the last. All give the same
 * bits. */
const struct emul_color_writer *emul_color_writer_get(unsigned n);
/* What a draw writes to a buffer when all its pixels have the colour of lane 0 and nothing is
 * blended: the same as an emul_color_group_fn, also only where emul_color_group_fits. */
struct emul_color_fill {
   uint32_t element, written; /* bits of the element that are written */
};
struct emul_color_fill emul_color_fill_of(const struct emul_draw_state *state, unsigned rt,
                                          const struct emul_vec4 *color);
void emul_color_fill(const struct emul_color_fill *fill, unsigned lanes,
                     uint8_t *const dst[EMUL_LANES / 4]);
/* Samples that alpha-to-coverage keeps: alpha of the 4 pixels to bits sample * 4 + pixel. Whoever
 * owns the quad's mask after shading applies it, before the depth and stencil test when that comes
 * late; applying it twice changes nothing. */
uint32_t emul_alpha_to_coverage(const float alpha[4], unsigned samples);

#endif
