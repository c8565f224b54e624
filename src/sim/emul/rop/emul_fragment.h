/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment operations on a quad (FragmentOperatorEmulator): depth and stencil test, blending, logic
 * operation, write masks. A quad's 4 elements are contiguous in a tile (attila_surface.h), pixels
 * ordered as in emul_shader.h. */
#ifndef EMUL_FRAGMENT_H
#define EMUL_FRAGMENT_H

#include "emul/emul_draw.h"

/* Returns the byte offset of a quad's first element in a surface. */
static inline uint64_t
emul_quad_offset(uint32_t pitch_tiles, unsigned samples, unsigned sample, unsigned element_bytes,
                 int32_t x, int32_t y)
{
   return attila_element_offset(pitch_tiles, samples, element_bytes, (uint32_t)x, (uint32_t)y,
                                sample);
}

/* Tests stencil and depth of the pixels in mask (4 bits) against the 4 elements at zs, and updates
 * them. Returns the pixels that pass both. */
unsigned emul_zs_quad(const struct emul_draw_state *state, bool front, unsigned mask,
                      const float z[4], uint8_t *zs);
/* Returns whether fragments that fail their depth test leave the stencil buffer unchanged, whatever
 * their stencil test says. */
static inline bool
emul_stencil_keeps(const struct emul_draw_state *state)
{
   const struct attila_stencil_regs *f = &state->regs.stencil[0], *b = &state->regs.stencil[1];
   return !state->stencil_test ||
          (f->fail == ATTILA_STENCIL_KEEP && f->zfail == ATTILA_STENCIL_KEEP &&
           (!b->enable || (b->fail == ATTILA_STENCIL_KEEP && b->zfail == ATTILA_STENCIL_KEEP)));
}

/* Codes of depths, as Hierarchical Z compares them: codes of a format have the order that its depth
 * test gives the depths. 1 is depth 0. These two codes are nearer and farther than all depths in
 * [0, 1]. */
#define EMUL_ZS_NEARER 0u
#define EMUL_ZS_FARTHER UINT32_MAX
uint32_t emul_zs_code(const struct attila_format_desc *format, float z);
void emul_zs_codes(const struct attila_format_desc *format, const float z[4], uint32_t code[4]);
/* Returns a depth of this code (not one of the two above). */
float emul_zs_code_depth(const struct attila_format_desc *format, uint32_t code);
/* Finds the nearest and farthest code of this many elements (a multiple of 4); EMUL_ZS_NEARER and
 * EMUL_ZS_FARTHER if there is no depth or one is NaN or outside [0, 1]. */
void emul_zs_block_range(const struct attila_format_desc *format, const uint8_t *block,
                         unsigned elements, uint32_t *near, uint32_t *far);
/* Returns the element that a clear writes, 8 bytes (format->bytes are used). old: the element whose
 * unmasked bits stay. */
void emul_zs_clear_value(const struct attila_format_desc *format, unsigned planes, float depth,
                         uint32_t stencil, const uint8_t *old, uint8_t out[8]);
/* Returns an element's bits (little endian) of a plane: 1 depth, 2 stencil; 0: no such plane. */
uint64_t emul_zs_plane_mask(const struct attila_format_desc *format, unsigned plane);

/* Blends (or logic ops) the pixels in mask into colour buffer rt: src[component][pixel], dst the 4
 * elements; second: fragment output 1, read only if emul_blends_two. Buffers of integers never
 * blend. */
void emul_color_quad(const struct emul_draw_state *state, unsigned rt, unsigned mask,
                     const float src[4][4], const float second[4][4], uint8_t *dst);
/* Does the same for a group's lanes, a bit each. color has 4 quads; the elements of quad q are at
 * dst[q], which is not used if q has no lanes. When blending, no two quads may have the same place;
 * otherwise the last one wins. Only where emul_color_group_fits. */
typedef void (*emul_color_group_fn)(const struct emul_draw_state *state, unsigned rt,
                                    unsigned lanes, const struct emul_vec4 *color,
                                    uint8_t *const dst[EMUL_LANES / 4]);
/* Does the same for all lanes of four consecutive quads at dst. */
typedef void (*emul_color_square_fn)(const struct emul_draw_state *state, unsigned rt,
                                     const struct emul_vec4 *color, uint8_t *dst);
bool emul_color_group_fits(const struct emul_draw_state *state, unsigned rt);
struct emul_color_writer {
   emul_color_group_fn group;
   emul_color_square_fn square;
};
/* Returns the n-th variant this host can run, fastest first; NULL past the last. All give the same
 * bits. */
const struct emul_color_writer *emul_color_writer_get(unsigned n);
/* What a draw writes to a buffer when all pixels have lane 0's colour, without blending; like an
 * emul_color_group_fn, also only where emul_color_group_fits. */
struct emul_color_fill {
   uint32_t element, written; /* written: bits of the element */
};
struct emul_color_fill emul_color_fill_of(const struct emul_draw_state *state, unsigned rt,
                                          const struct emul_vec4 *color);
void emul_color_fill(const struct emul_color_fill *fill, unsigned lanes,
                     uint8_t *const dst[EMUL_LANES / 4]);
/* Returns the samples that alpha-to-coverage keeps: the 4 pixels' alpha to bits sample * 4 + pixel.
 * The owner of the quad's mask after shading applies it, before late depth and stencil tests;
 * applying it twice changes nothing. */
uint32_t emul_alpha_to_coverage(const float alpha[4], unsigned samples);
/* Returns the samples that a fragment program keeps: its 4 pixels' output
 * ATTILA_FS_OUTPUT_SAMPLES.x, bits of integers, to bits sample * 4 + pixel. For draws with
 * drops_samples. */
uint32_t emul_samples_that_stay(const float samples[4]);

#endif
