/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A context's register file: its whole render state, one line per register, packed into 32-bit
 * words as in hardware. WRITE_REGS writes whole words; a word's index is its offset in struct
 * attila_regs divided by 4. The driver sends words that differ from the GPU's. All registers reset
 * to 0. docs/reference/interface.md is the generated list.
 *   R(type, name, "meaning, range")        a word; types: u (uint32_t), f (float32)
 *   B(bits, name, "meaning, range")        a bit field; fields fill words from bit 0 to the last
 *                                          bit (unused_*: always 0)
 *   RA(type, name, count, "...")           an array of words
 *   RS(struct list, name, count)           an array of groups, each of whole words */
#ifndef ATTILA_REGS_H
#define ATTILA_REGS_H

#include <stddef.h>
#include <stdint.h>
#include "hw/attila_format.h"
#include "hw/attila_limits.h"

/* Values of fields: E(NAME, value) makes ATTILA_<prefix>_NAME; printing finds names by the list's
 * enum (ATTILA_ENUMS). */
/* clang-format off */
/* Comparison functions, with Gallium's numbers, in OpenGL's order. */
#define ATTILA_FUNCS(E)                                                                          \
   E(NEVER, 0) E(LESS, 1) E(EQUAL, 2) E(LEQUAL, 3) E(GREATER, 4) E(NOTEQUAL, 5) E(GEQUAL, 6)     \
   E(ALWAYS, 7)
#define ATTILA_STENCIL_OPS(E)                                                                    \
   E(KEEP, 0) E(ZERO, 1) E(REPLACE, 2) E(INCR_SAT, 3) E(DECR_SAT, 4) E(INCR_WRAP, 5)             \
   E(DECR_WRAP, 6) E(INVERT, 7)
#define ATTILA_BLEND_EQS(E) E(ADD, 0) E(SUBTRACT, 1) E(REVERSE_SUBTRACT, 2) E(MIN, 3) E(MAX, 4)
#define ATTILA_BLEND_FACTORS(E)                                                                  \
   E(ZERO, 0) E(ONE, 1) E(SRC_COLOR, 2) E(SRC_ALPHA, 3) E(DST_COLOR, 4) E(DST_ALPHA, 5)          \
   E(CONST_COLOR, 6) E(CONST_ALPHA, 7) E(SRC_ALPHA_SATURATE, 8) E(INV_SRC_COLOR, 9)              \
   E(INV_SRC_ALPHA, 10) E(INV_DST_COLOR, 11) E(INV_DST_ALPHA, 12) E(INV_CONST_COLOR, 13)         \
   E(INV_CONST_ALPHA, 14)
/* Bit s*2+d of the value is the result for source bit s and destination bit d, as in Gallium. */
#define ATTILA_LOGIC_OPS(E)                                                                      \
   E(CLEAR, 0) E(NOR, 1) E(AND_INVERTED, 2) E(COPY_INVERTED, 3) E(AND_REVERSE, 4) E(INVERT, 5)   \
   E(XOR, 6) E(NAND, 7) E(AND, 8) E(EQUIV, 9) E(NOOP, 10) E(OR_INVERTED, 11) E(COPY, 12)         \
   E(OR_REVERSE, 13) E(OR, 14) E(SET, 15)
#define ATTILA_FILLS(E) E(SOLID, 0) E(LINE, 1) E(POINT, 2)
#define ATTILA_CULLS(E) E(FRONT, 1) E(BACK, 2)
/* CENTROID is a bit: in partly covered pixels, interpolate at a covered sample. */
#define ATTILA_INTERPS(E) E(PERSPECTIVE, 0) E(LINEAR, 1) E(FLAT, 2) E(CENTROID, 4)
/* What a fragment shader input holds: a vertex output; x, y, z, 1/w of the window; x: 1 front, 0
 * back, y: a smooth primitive's coverage of the pixel, else 1; s, t, 0, 1. */
#define ATTILA_FS_INPUT_SOURCES(E) E(VARYING, 0) E(POSITION, 1) E(FACE, 2) E(POINT_COORD, 3)
/* What a vertex shader input holds: (0, 0, 0, 1); memory; x: the instance, from 0; 0, 0, 1. */
#define ATTILA_ATTRIB_SOURCES(E) E(NONE, 0) E(MEMORY, 1) E(INSTANCE, 2)
#define ATTILA_WRAPS(E)                                                                          \
   E(REPEAT, 0) E(CLAMP, 1) E(CLAMP_TO_EDGE, 2) E(CLAMP_TO_BORDER, 3) E(MIRROR_REPEAT, 4)        \
   E(MIRROR_CLAMP, 5) E(MIRROR_CLAMP_TO_EDGE, 6) E(MIRROR_CLAMP_TO_BORDER, 7)
#define ATTILA_FILTERS(E) E(NEAREST, 0) E(LINEAR, 1)
#define ATTILA_MIP_FILTERS(E) E(NEAREST, 0) E(LINEAR, 1) E(NONE, 2)
#define ATTILA_SWIZZLES(E) E(X, 0) E(Y, 1) E(Z, 2) E(W, 3) E(0, 4) E(1, 5)

/* X(name of the enum, list) */
#define ATTILA_ENUMS(X)                                                                          \
   X(attila_func, ATTILA_FUNCS) X(attila_stencil_op, ATTILA_STENCIL_OPS)                         \
   X(attila_blend_eq, ATTILA_BLEND_EQS) X(attila_blend_factor, ATTILA_BLEND_FACTORS)             \
   X(attila_logic_op, ATTILA_LOGIC_OPS) X(attila_fill, ATTILA_FILLS) X(attila_cull, ATTILA_CULLS)\
   X(attila_interp, ATTILA_INTERPS) X(attila_fs_input_source, ATTILA_FS_INPUT_SOURCES)           \
   X(attila_attrib_source, ATTILA_ATTRIB_SOURCES) X(attila_wrap, ATTILA_WRAPS)                   \
   X(attila_filter, ATTILA_FILTERS) X(attila_mip_filter, ATTILA_MIP_FILTERS)                     \
   X(attila_swizzle, ATTILA_SWIZZLES)

#define E(name, value) ATTILA_FUNC_##name = value,
enum attila_func { ATTILA_FUNCS(E) };
#undef E
#define E(name, value) ATTILA_STENCIL_##name = value,
enum attila_stencil_op { ATTILA_STENCIL_OPS(E) };
#undef E
#define E(name, value) ATTILA_BLEND_##name = value,
enum attila_blend_eq { ATTILA_BLEND_EQS(E) };
#undef E
#define E(name, value) ATTILA_FACTOR_##name = value,
enum attila_blend_factor { ATTILA_BLEND_FACTORS(E) };
#undef E
#define E(name, value) ATTILA_LOGIC_##name = value,
enum attila_logic_op { ATTILA_LOGIC_OPS(E) };
#undef E
#define E(name, value) ATTILA_FILL_##name = value,
enum attila_fill { ATTILA_FILLS(E) };
#undef E
#define E(name, value) ATTILA_CULL_##name = value,
enum attila_cull { ATTILA_CULLS(E) };
#undef E
#define E(name, value) ATTILA_INTERP_##name = value,
enum attila_interp { ATTILA_INTERPS(E) };
#undef E
#define E(name, value) ATTILA_FS_##name = value,
enum attila_fs_input_source { ATTILA_FS_INPUT_SOURCES(E) };
#undef E
#define E(name, value) ATTILA_ATTRIB_##name = value,
enum attila_attrib_source { ATTILA_ATTRIB_SOURCES(E) };
#undef E
#define E(name, value) ATTILA_WRAP_##name = value,
enum attila_wrap { ATTILA_WRAPS(E) };
#undef E
#define E(name, value) ATTILA_FILTER_##name = value,
enum attila_filter { ATTILA_FILTERS(E) };
#undef E
#define E(name, value) ATTILA_MIP_##name = value,
enum attila_mip_filter { ATTILA_MIP_FILTERS(E) };
#undef E
#define E(name, value) ATTILA_SWIZZLE_##name = value,
enum attila_swizzle { ATTILA_SWIZZLES(E) };
#undef E
/* clang-format on */

/* A vertex attribute; shader input i reads attribute i. */
/* clang-format off */
#define ATTILA_ATTRIB_REGS(R, B, RA, RS)                                                         \
   R(u, address, "bytes; of the attribute of vertex 0")                                          \
   R(u, stride, "bytes; 0: the same value for every vertex")                                     \
   R(u, limit, "bytes of the buffer that may be read from address on; outside reads 0")          \
   R(u, divisor, "0: per vertex; n: advances every n instances")                                 \
   B(2, enable, "enum attila_attrib_source")                                                     \
   B(8, format, "enum attila_format with ATTILA_USE_VERTEX")                                     \
   B(22, unused_0, "0")

/* A colour buffer and its blending. */
#define ATTILA_COLOR_REGS(R, B, RA, RS)                                                          \
   R(u, address, "bytes, 256-byte aligned; of the bound level and layer. 0: not bound")          \
   B(8, format, "enum attila_format with ATTILA_USE_COLOR")                                      \
   B(11, pitch_tiles, "tiles per row of tiles, up to ATTILA_MAX_PITCH_TILES")                    \
   B(4, write_mask, "bit 0 red .. bit 3 alpha")                                                  \
   B(9, unused_0, "0")                                                                           \
   B(1, blend_enable, "0, 1")                                                                    \
   B(3, rgb_eq, "enum attila_blend_eq")                                                          \
   B(4, rgb_src, "enum attila_blend_factor")                                                     \
   B(4, rgb_dst, "enum attila_blend_factor")                                                     \
   B(3, alpha_eq, "enum attila_blend_eq")                                                        \
   B(4, alpha_src, "enum attila_blend_factor")                                                   \
   B(4, alpha_dst, "enum attila_blend_factor")                                                   \
   B(1, rgb_src_second, "1: SRC_COLOR, SRC_ALPHA, INV_ in rgb_src: of fragment output 1")        \
   B(1, rgb_dst_second, "of rgb_dst")                                                            \
   B(1, alpha_src_second, "of alpha_src")                                                        \
   B(1, alpha_dst_second, "of alpha_dst")                                                        \
   B(5, unused_1, "0")

/* Stencil state of one facing. */
#define ATTILA_STENCIL_REGS(R, B, RA, RS)                                                        \
   B(1, enable, "[1] only counts when [0] is enabled too; 0 in [1]: back faces use [0]")         \
   B(3, func, "enum attila_func")                                                                \
   B(3, fail, "enum attila_stencil_op")                                                          \
   B(3, zfail, "enum attila_stencil_op")                                                         \
   B(3, zpass, "enum attila_stencil_op")                                                         \
   B(19, unused_0, "0")                                                                          \
   B(8, ref, "0..255")                                                                           \
   B(8, value_mask, "0..255")                                                                    \
   B(8, write_mask, "0..255")                                                                    \
   B(8, unused_1, "0")

/* Where a fragment shader input comes from. */
#define ATTILA_FS_INPUT_REGS(R, B, RA, RS)                                                       \
   B(2, source, "enum attila_fs_input_source")                                                   \
   B(6, output, "vertex shader output, for ATTILA_FS_VARYING; not written: (0, 0, 0, 1)")        \
   B(3, interp, "enum attila_interp")                                                            \
   B(1, sprite, "1: replaced by the point coordinate when drawing points")                       \
   B(1, primitive_id, "1: x is the primitive's number in its instance, an integer; 0, 0, 0")     \
   B(1, samples, "1: integers. x: the sample; y: covered ones of its pixel in bits 0..7, the "   \
      "inputs' position in 8..15; z, w: positions of samples 0..3, 4..7, a byte each (x in bits " \
      "0..3, y in 4..7, in 1/16 pixel)")                                                         \
   B(18, unused_0, "0")

/* A texture unit: view and sampler. Sizes are the resource's level 0; attila_surface_layout gives
 * the layout. */
#define ATTILA_TEX_REGS(R, B, RA, RS)                                                            \
   R(u, address, "bytes; of level 0; 256-byte aligned, of a buffer 16")                          \
   B(1, enable, "0: reads (0, 0, 0, 1)")                                                         \
   B(3, target, "enum attila_tex_target, up to BUFFER")                                          \
   B(8, format, "enum attila_format with ATTILA_USE_TEXTURE")                                    \
   B(5, num_levels, "levels that exist in memory, 1..16 (decides the layout)")                   \
   B(4, first_level, "of the view")                                                              \
   B(4, last_level, "of the view, inclusive")                                                    \
   B(4, samples, "0 and 1: one; 2, 4, 8: of a 2D texture or array with one level, for TXF, TXS") \
   B(1, cube_array, "1: with target CUBE, an array of cube maps")                                \
   B(2, unused_0, "0")                                                                           \
   B(14, width, "texels, 1..8192; of a buffer bits 0..13 of its number of elements")             \
   B(14, height, "texels, 1..8192; of a buffer bits 14..27 of its number of elements")           \
   B(4, unused_1, "0")                                                                           \
   B(14, depth, "slices of a 3D texture at level 0, layers of an array, 6 for each cube, else 1") \
   B(12, swizzle, "4 fields of 3 bits, enum attila_swizzle: red in bits 0..2")                   \
   B(6, unused_2, "0")                                                                           \
   B(3, wrap_s, "enum attila_wrap")                                                              \
   B(3, wrap_t, "enum attila_wrap")                                                              \
   B(3, wrap_r, "enum attila_wrap")                                                              \
   B(1, mag_filter, "enum attila_filter")                                                        \
   B(1, min_filter, "enum attila_filter")                                                        \
   B(2, mip_filter, "enum attila_mip_filter")                                                    \
   B(5, max_aniso, "1..16")                                                                      \
   B(1, compare, "1: depth comparison")                                                          \
   B(3, compare_func, "enum attila_func: reference func texel")                                  \
   B(1, unnormalized, "1: coordinates are texels")                                               \
   B(1, seamless, "1: cube map filtering crosses faces")                                         \
   B(1, magnify_to_0, "1: magnification ends at level 0 whatever the filters, as in OpenGL ES")  \
   B(7, unused_3, "0")                                                                           \
   R(f, lod_bias, "levels, -16..16")                                                             \
   R(f, min_lod, "levels, relative to first_level")                                              \
   R(f, max_lod, "levels, relative to first_level")                                              \
   RA(f, border, 4, "border colour, before the swizzle is applied")

/* Later fragment shader inputs' registers are at the end: fs_input_more. */
#define ATTILA_FIRST_FS_INPUTS 32

#define ATTILA_REGS(R, B, RA, RS)                                                                \
   /* Framebuffer. */                                                                            \
   B(14, fb_width, "pixels, 1..8192")                                                            \
   B(14, fb_height, "pixels, 1..8192")                                                           \
   B(4, fb_samples, "0 and 1: single sample; 2, 4, 8")                                           \
   RS(ATTILA_COLOR_REGS, color, ATTILA_MAX_COLOR_BUFFERS)                                        \
   RA(f, blend_color, 4, "constant blend colour")                                                \
   B(1, logicop_enable, "1: replaces blending")                                                  \
   B(4, logicop, "enum attila_logic_op")                                                         \
   B(1, alpha_to_coverage, "0, 1")                                                               \
   B(1, alpha_to_one, "0, 1")                                                                    \
   B(8, sample_mask, "bit per sample")                                                           \
   B(1, fs_color0_to_all, "1: fragment output 0 goes to every colour buffer (gl_FragColor)")     \
   B(1, sample_shading, "1: with multisampling, each covered sample is a fragment of its own")   \
   B(15, unused_0, "0")                                                                          \
   /* Depth and stencil. */                                                                      \
   R(u, zs_address, "bytes, 256-byte aligned; of the bound level and layer. 0: not bound")       \
   B(8, zs_format, "enum attila_format with ATTILA_USE_ZS")                                      \
   B(11, zs_pitch_tiles, "tiles per row of tiles, up to ATTILA_MAX_PITCH_TILES")                 \
   B(13, unused_1, "0")                                                                          \
   B(1, z_test, "0, 1")                                                                          \
   B(1, z_write, "0, 1; only when z_test")                                                       \
   B(3, z_func, "enum attila_func")                                                              \
   B(1, count_samples, "1: draws add to ATTILA_COUNTER_SAMPLES_PASSED")                          \
   B(26, unused_2, "0")                                                                          \
   RS(ATTILA_STENCIL_REGS, stencil, 2)                                                           \
   /* Viewport and rasteriser. */                                                                \
   RA(f, viewport_scale, 3, "window = ndc * scale + translate, y as Gallium gives it")           \
   RA(f, viewport_translate, 3, "")                                                              \
   B(14, scissor_minx, "pixels, inclusive; always applies")                                      \
   B(14, scissor_miny, "")                                                                       \
   B(4, unused_3, "0")                                                                           \
   B(14, scissor_maxx, "pixels, exclusive")                                                      \
   B(14, scissor_maxy, "")                                                                       \
   B(4, unused_4, "0")                                                                           \
   B(1, clip_halfz, "0: clip volume -w <= z <= w; 1: 0 <= z <= w")                               \
   B(1, depth_clip,                                                                              \
      "1: clip to near and far; 0: clamp fragment depth to the depth range instead")             \
   B(2, cull, "enum attila_cull bits")                                                           \
   B(1, front_ccw,                                                                               \
      "1: counter-clockwise (in a y-up window) faces are front, as Gallium defines it")          \
   B(1, flatshade_first, "1: first vertex provokes; 0: last")                                    \
   B(2, fill_front, "enum attila_fill")                                                          \
   B(2, fill_back, "enum attila_fill")                                                           \
   B(1, offset_tri, "1: polygon offset of filled triangles")                                     \
   B(1, offset_line, "1: of polygon mode lines")                                                 \
   B(1, offset_point, "1: of polygon mode points")                                               \
   B(1, line_smooth, "0, 1")                                                                     \
   B(1, line_stipple_enable, "0, 1")                                                             \
   B(1, poly_smooth, "0, 1")                                                                     \
   B(1, poly_stipple_enable, "0, 1")                                                             \
   B(1, pixel_coverage, "1: coverage and depth of a pixel's centre hold for all its samples")    \
   B(1, point_size_per_vertex, "1: vertex output point_size_output.x")                           \
   B(1, point_smooth, "0, 1")                                                                    \
   B(1, point_is_sprite, "1: square sprite with point coordinates")                              \
   B(1, sprite_origin_lower_left, "0: t grows downwards in window order; 1: upwards")            \
   B(1, half_pixel_center, "1: pixel centres at .5 (OpenGL)")                                    \
   B(1, bottom_edge_rule,                                                                        \
      "1: pixels on a bottom edge (not a top edge) belong to the primitive")                     \
   B(1, rasterizer_discard, "1: nothing goes to the clipper")                                    \
   B(1, point_line_tri_clip,                                                                     \
      "1: the view volume's sides clip the pixels of points and lines, not themselves")          \
   B(6, unused_5, "0")                                                                           \
   R(f, offset_units, "")                                                                        \
   R(f, offset_scale, "")                                                                        \
   R(f, offset_clamp, "0: none")                                                                 \
   R(f, line_width, "pixels, 1..64")                                                             \
   R(f, point_size, "pixels, 1..256")                                                            \
   B(16, line_stipple_pattern, "16 bits")                                                        \
   B(9, line_stipple_factor, "1..256")                                                           \
   B(7, unused_6, "0")                                                                           \
   RA(u, poly_stipple, 32, "rows; bit 31 is the leftmost pixel")                                 \
   B(6, point_size_output, "vertex shader output that holds the point size, if it is written")   \
   B(6, edge_flag_output,                                                                        \
      "vertex shader output with the edge flag in x; not written: every edge is a boundary")     \
   B(8, clip_distance_enable, "bit per user clip distance, 0..7")                                \
   B(5, clip_distance_output_0, "vertex shader output, 0..31, that holds distances 0..3")        \
   B(5, clip_distance_output_1, "... 4..7")                                                      \
   B(2, unused_7, "0")                                                                           \
   /* Stages. */                                                                                 \
   RS(ATTILA_ATTRIB_REGS, attrib, ATTILA_MAX_ATTRIBS)                                            \
   RS(ATTILA_FS_INPUT_REGS, fs_input, ATTILA_FIRST_FS_INPUTS)                                    \
   RS(ATTILA_TEX_REGS, tex, ATTILA_MAX_TEX_UNITS)                                                \
   RS(ATTILA_FS_INPUT_REGS, fs_input_more, ATTILA_MAX_VARYINGS - ATTILA_FIRST_FS_INPUTS)
/* clang-format on */

typedef uint32_t attila_reg_u;
typedef float attila_reg_f;

#define ATTILA_R(type, name, doc) attila_reg_##type name;
#define ATTILA_B(bits, name, doc) uint32_t name : bits;
#define ATTILA_RA(type, name, count, doc) attila_reg_##type name[count];
#define ATTILA_RS_NONE(list, name, count)
#define ATTILA_MEMBERS(LIST) LIST(ATTILA_R, ATTILA_B, ATTILA_RA, ATTILA_RS_NONE)
struct attila_attrib_regs {
   ATTILA_MEMBERS(ATTILA_ATTRIB_REGS)
};
struct attila_color_regs {
   ATTILA_MEMBERS(ATTILA_COLOR_REGS)
};
struct attila_stencil_regs {
   ATTILA_MEMBERS(ATTILA_STENCIL_REGS)
};
struct attila_fs_input_regs {
   ATTILA_MEMBERS(ATTILA_FS_INPUT_REGS)
};
struct attila_tex_regs {
   ATTILA_MEMBERS(ATTILA_TEX_REGS)
};
#define ATTILA_GROUP_ATTILA_COLOR_REGS struct attila_color_regs
#define ATTILA_GROUP_ATTILA_STENCIL_REGS struct attila_stencil_regs
#define ATTILA_GROUP_ATTILA_ATTRIB_REGS struct attila_attrib_regs
#define ATTILA_GROUP_ATTILA_FS_INPUT_REGS struct attila_fs_input_regs
#define ATTILA_GROUP_ATTILA_TEX_REGS struct attila_tex_regs
#define ATTILA_RS(list, name, count) ATTILA_GROUP_##list name[count];
struct attila_regs {
   ATTILA_REGS(ATTILA_R, ATTILA_B, ATTILA_RA, ATTILA_RS)
};

/* Fields fill their words: without padding bits, words can be compared. */
#define ATTILA_R_BITS(type, name, doc) +32
#define ATTILA_B_BITS(bits, name, doc) +bits
#define ATTILA_RA_BITS(type, name, count, doc) +32 * (count)
#define ATTILA_RS_BITS(list, name, count) +8 * sizeof(ATTILA_GROUP_##list) * (count)
#define ATTILA_BITS(LIST) (LIST(ATTILA_R_BITS, ATTILA_B_BITS, ATTILA_RA_BITS, ATTILA_RS_BITS))
_Static_assert(8 * sizeof(struct attila_attrib_regs) == ATTILA_BITS(ATTILA_ATTRIB_REGS), "padding");
_Static_assert(8 * sizeof(struct attila_color_regs) == ATTILA_BITS(ATTILA_COLOR_REGS), "padding");
_Static_assert(8 * sizeof(struct attila_stencil_regs) == ATTILA_BITS(ATTILA_STENCIL_REGS),
               "padding");
_Static_assert(8 * sizeof(struct attila_fs_input_regs) == ATTILA_BITS(ATTILA_FS_INPUT_REGS),
               "padding");
_Static_assert(8 * sizeof(struct attila_tex_regs) == ATTILA_BITS(ATTILA_TEX_REGS), "padding");
_Static_assert(8 * sizeof(struct attila_regs) == ATTILA_BITS(ATTILA_REGS), "padding");

#define ATTILA_NUM_REGS ((uint32_t)(sizeof(struct attila_regs) / 4))
/* Returns the word index of a member (word, array or group): ATTILA_REG(color[1].address). */
#define ATTILA_REG(member) ((uint32_t)(offsetof(struct attila_regs, member) / 4))

/* Returns the registers of fragment shader input i. */
static inline struct attila_fs_input_regs *
attila_fs_input(struct attila_regs *regs, unsigned i)
{
   return i < ATTILA_FIRST_FS_INPUTS ? &regs->fs_input[i]
                                     : &regs->fs_input_more[i - ATTILA_FIRST_FS_INPUTS];
}

/* Returns the vertex output with four user clip distances: i 0 for 0..3, 1 for 4..7. */
static inline uint32_t
attila_clip_distance_output(const struct attila_regs *regs, unsigned i)
{
   return i ? regs->clip_distance_output_1 : regs->clip_distance_output_0;
}

#endif
