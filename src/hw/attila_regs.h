/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The register file: the GPU's whole render state, one line per register. Registers are 32-bit
 * words; WRITE_REGS addresses them by index, which is the offset in struct attila_regs divided by 4
 * (ATTILA_REG). The driver keeps a shadow of the struct and sends what changed. Reset value of
 * every register is 0.
 *
 * R(type, name, "meaning, range") is one register, RA(type, name, count, "...") an array, RS(struct
 * list, name, count) an array of register groups. Types: u (uint32_t), i (int32_t), f (float32).
 */
#ifndef ATTILA_REGS_H
#define ATTILA_REGS_H

#include <stddef.h>
#include <stdint.h>
#include "hw/attila_format.h"
#include "hw/attila_limits.h"

/* Comparison functions, numbered as in Gallium and OpenGL order. */
enum attila_func {
   ATTILA_FUNC_NEVER,
   ATTILA_FUNC_LESS,
   ATTILA_FUNC_EQUAL,
   ATTILA_FUNC_LEQUAL,
   ATTILA_FUNC_GREATER,
   ATTILA_FUNC_NOTEQUAL,
   ATTILA_FUNC_GEQUAL,
   ATTILA_FUNC_ALWAYS
};
enum attila_stencil_op {
   ATTILA_STENCIL_KEEP,
   ATTILA_STENCIL_ZERO,
   ATTILA_STENCIL_REPLACE,
   ATTILA_STENCIL_INCR_SAT,
   ATTILA_STENCIL_DECR_SAT,
   ATTILA_STENCIL_INCR_WRAP,
   ATTILA_STENCIL_DECR_WRAP,
   ATTILA_STENCIL_INVERT
};
enum attila_blend_eq {
   ATTILA_BLEND_ADD,
   ATTILA_BLEND_SUBTRACT,
   ATTILA_BLEND_REVERSE_SUBTRACT,
   ATTILA_BLEND_MIN,
   ATTILA_BLEND_MAX
};
enum attila_blend_factor {
   ATTILA_FACTOR_ZERO,
   ATTILA_FACTOR_ONE,
   ATTILA_FACTOR_SRC_COLOR,
   ATTILA_FACTOR_SRC_ALPHA,
   ATTILA_FACTOR_DST_COLOR,
   ATTILA_FACTOR_DST_ALPHA,
   ATTILA_FACTOR_CONST_COLOR,
   ATTILA_FACTOR_CONST_ALPHA,
   ATTILA_FACTOR_SRC_ALPHA_SATURATE,
   ATTILA_FACTOR_INV_SRC_COLOR,
   ATTILA_FACTOR_INV_SRC_ALPHA,
   ATTILA_FACTOR_INV_DST_COLOR,
   ATTILA_FACTOR_INV_DST_ALPHA,
   ATTILA_FACTOR_INV_CONST_COLOR,
   ATTILA_FACTOR_INV_CONST_ALPHA
};
/* Logic operations: bit s*2+d... of the value is the result for source bit s and destination bit d,
 * as in Gallium: CLEAR 0, NOR 1, AND_INVERTED 2, COPY_INVERTED 3, AND_REVERSE 4, INVERT 5, XOR 6,
 * NAND 7, AND 8, EQUIV 9, NOOP 10, OR_INVERTED 11, COPY 12, OR_REVERSE 13, OR 14, SET 15. */
enum attila_fill { ATTILA_FILL_SOLID, ATTILA_FILL_LINE, ATTILA_FILL_POINT };
enum attila_cull { ATTILA_CULL_FRONT = 1, ATTILA_CULL_BACK = 2 };
enum attila_interp {
   ATTILA_INTERP_PERSPECTIVE,
   ATTILA_INTERP_LINEAR,
   ATTILA_INTERP_FLAT,
   ATTILA_INTERP_CENTROID =
       4 /* bit: multisampled, at a covered sample of pixels that are covered in part */
};
/* What a fragment shader input holds: a vertex output, or something the setup makes. */
enum attila_fs_input_source {
   ATTILA_FS_VARYING,
   ATTILA_FS_POSITION /* x, y, z, 1/w of the window */,
   ATTILA_FS_FACE /* x: 1 front, 0 back */,
   ATTILA_FS_POINT_COORD /* s, t, 0, 1 */
};
/* What a vertex shader input holds. */
enum attila_attrib_source {
   ATTILA_ATTRIB_NONE /* (0, 0, 0, 1) */,
   ATTILA_ATTRIB_MEMORY,
   ATTILA_ATTRIB_INSTANCE /* x: the instance, from 0; 0, 0, 1 */
};
enum attila_wrap {
   ATTILA_WRAP_REPEAT,
   ATTILA_WRAP_CLAMP,
   ATTILA_WRAP_CLAMP_TO_EDGE,
   ATTILA_WRAP_CLAMP_TO_BORDER,
   ATTILA_WRAP_MIRROR_REPEAT,
   ATTILA_WRAP_MIRROR_CLAMP,
   ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE,
   ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER
};
enum attila_filter { ATTILA_FILTER_NEAREST, ATTILA_FILTER_LINEAR };
enum attila_mip_filter { ATTILA_MIP_NEAREST, ATTILA_MIP_LINEAR, ATTILA_MIP_NONE };
enum attila_swizzle {
   ATTILA_SWIZZLE_X,
   ATTILA_SWIZZLE_Y,
   ATTILA_SWIZZLE_Z,
   ATTILA_SWIZZLE_W,
   ATTILA_SWIZZLE_0,
   ATTILA_SWIZZLE_1
};

/* A vertex attribute; shader input i reads attribute i. */
/* clang-format off */
#define ATTILA_ATTRIB_REGS(R, RA, RS)                              \
   R(u, enable,    "enum attila_attrib_source")                    \
   R(u, address,   "bytes; of the attribute of vertex 0")          \
   R(u, stride,    "bytes; 0: the same value for every vertex")    \
   R(u, format,    "enum attila_format with ATTILA_USE_VERTEX")    \
   R(u, divisor,   "0: per vertex; n: advances every n instances") \
   R(u, limit,     "bytes of the buffer that may be read from address on; outside reads 0")
/* clang-format on */

/* A colour buffer and its blending. */
/* clang-format off */
#define ATTILA_COLOR_REGS(R, RA, RS)                                                        \
   R(u, address,     "bytes, 256-byte aligned; of the bound level and layer. 0: not bound") \
   R(u, format,      "enum attila_format with ATTILA_USE_COLOR")                            \
   R(u, pitch_tiles, "tiles per row of tiles")                                              \
   R(u, write_mask,  "bit 0 red .. bit 3 alpha")                                            \
   R(u, blend_enable, "0, 1")                                                               \
   R(u, rgb_eq,      "enum attila_blend_eq")                                                \
   R(u, rgb_src,     "enum attila_blend_factor")                                            \
   R(u, rgb_dst,     "enum attila_blend_factor")                                            \
   R(u, alpha_eq,    "enum attila_blend_eq")                                                \
   R(u, alpha_src,   "enum attila_blend_factor")                                            \
   R(u, alpha_dst,   "enum attila_blend_factor")
/* clang-format on */

/* Stencil state of one facing. */
/* clang-format off */
#define ATTILA_STENCIL_REGS(R, RA, RS)                                                         \
   R(u, enable, "0, 1; [1] only counts when [0] is enabled too; 0 in [1]: back faces use [0]") \
   R(u, func,   "enum attila_func")                                                            \
   R(u, fail,   "enum attila_stencil_op")                                                      \
   R(u, zfail,  "enum attila_stencil_op")                                                      \
   R(u, zpass,  "enum attila_stencil_op")                                                      \
   R(u, ref,    "0..255")                                                                      \
   R(u, value_mask, "0..255")                                                                  \
   R(u, write_mask, "0..255")
/* clang-format on */

/* Where a fragment shader input comes from. */
/* clang-format off */
#define ATTILA_FS_INPUT_REGS(R, RA, RS)                                                      \
   R(u, source, "enum attila_fs_input_source")                                               \
   R(u, output,                                                                              \
      "vertex shader output, 0..31, for ATTILA_FS_VARYING; 32 and more: reads (0, 0, 0, 1)") \
   R(u, interp, "enum attila_interp")                                                        \
   R(u, sprite, "1: replaced by the point coordinate when drawing points")
/* clang-format on */

/* A texture unit: view and sampler. Sizes are of level 0 of the resource; the layout is
 * attila_surface_layout's. */
/* clang-format off */
#define ATTILA_TEX_REGS(R, RA, RS)                                                   \
   R(u, enable,      "0: reads (0, 0, 0, 1)")                                        \
   R(u, target,      "enum attila_tex_target")                                       \
   R(u, format,      "enum attila_format with ATTILA_USE_TEXTURE")                   \
   R(u, address,     "bytes, 256-byte aligned; of level 0")                          \
   R(u, width,       "texels, 1..8192")                                              \
   R(u, height,      "texels, 1..8192")                                              \
   R(u, depth,                                                                       \
      "slices of a 3D texture at level 0, layers of an array, 6 for a cube, else 1") \
   R(u, num_levels,  "levels that exist in memory, 1..16 (decides the layout)")      \
   R(u, first_level, "of the view")                                                  \
   R(u, last_level,  "of the view, inclusive")                                       \
   R(u, swizzle,     "4 fields of 3 bits, enum attila_swizzle: red in bits 0..2")    \
   R(u, wrap_s,      "enum attila_wrap")                                             \
   R(u, wrap_t,      "enum attila_wrap")                                             \
   R(u, wrap_r,      "enum attila_wrap")                                             \
   R(u, mag_filter,  "enum attila_filter")                                           \
   R(u, min_filter,  "enum attila_filter")                                           \
   R(u, mip_filter,  "enum attila_mip_filter")                                       \
   R(u, max_aniso,   "1..16")                                                        \
   R(u, compare,     "1: depth comparison")                                          \
   R(u, compare_func, "enum attila_func: reference func texel")                      \
   R(u, unnormalized, "1: coordinates are texels")                                   \
   R(u, seamless,    "1: cube map filtering crosses faces")                          \
   R(f, lod_bias,    "levels, -16..16")                                              \
   R(f, min_lod,     "levels, relative to first_level")                              \
   R(f, max_lod,     "levels, relative to first_level")                              \
   RA(f, border, 4,  "border colour, before the swizzle is applied")

#define ATTILA_REGS(R, RA, RS)                                                                   \
   /* Framebuffer. */                                                                            \
   R(u, fb_width,   "pixels, 1..8192")                                                           \
   R(u, fb_height,  "pixels, 1..8192")                                                           \
   R(u, fb_samples, "0 and 1: single sample; 2, 4, 8")                                           \
   RS(ATTILA_COLOR_REGS, color, ATTILA_MAX_COLOR_BUFFERS)                                        \
   RA(f, blend_color, 4, "constant blend colour")                                                \
   R(u, logicop_enable, "0, 1; replaces blending")                                               \
   R(u, logicop,    "0..15, see above")                                                          \
   R(u, alpha_to_coverage, "0, 1")                                                               \
   R(u, alpha_to_one, "0, 1")                                                                    \
   R(u, sample_mask, "bit per sample")                                                           \
   R(u, fs_color0_to_all, "1: fragment output 0 goes to every colour buffer (gl_FragColor)")     \
   /* Depth and stencil. */                                                                      \
   R(u, zs_address, "bytes, 256-byte aligned; of the bound level and layer. 0: not bound")       \
   R(u, zs_format,  "enum attila_format with ATTILA_USE_ZS")                                     \
   R(u, zs_pitch_tiles, "tiles per row of tiles")                                                \
   R(u, z_test,     "0, 1")                                                                      \
   R(u, z_write,    "0, 1; only when z_test")                                                    \
   R(u, z_func,     "enum attila_func")                                                          \
   RS(ATTILA_STENCIL_REGS, stencil, 2)                                                           \
   R(u, count_samples, "1: draws add to ATTILA_COUNTER_SAMPLES_PASSED")                          \
   /* Viewport and rasteriser. */                                                                \
   RA(f, viewport_scale, 3, "window = ndc * scale + translate, y as Gallium gives it")           \
   RA(f, viewport_translate, 3, "")                                                              \
   R(u, clip_halfz, "0: clip volume -w <= z <= w; 1: 0 <= z <= w")                               \
   R(u, depth_clip,                                                                              \
      "1: clip to near and far; 0: clamp fragment depth to the depth range instead")             \
   R(u, scissor_minx, "pixels, inclusive; always applies")                                       \
   R(u, scissor_miny, "")                                                                        \
   R(u, scissor_maxx, "pixels, exclusive")                                                       \
   R(u, scissor_maxy, "")                                                                        \
   R(u, cull,       "enum attila_cull bits")                                                     \
   R(u, front_ccw,                                                                               \
      "1: counter-clockwise (in a y-up window) faces are front, as Gallium defines it")          \
   R(u, flatshade_first, "1: first vertex provokes; 0: last")                                    \
   R(u, fill_front, "enum attila_fill")                                                          \
   R(u, fill_back,  "enum attila_fill")                                                          \
   R(u, offset_tri, "1: polygon offset of filled triangles")                                     \
   R(u, offset_line, "1: of polygon mode lines")                                                 \
   R(u, offset_point, "1: of polygon mode points")                                               \
   R(f, offset_units, "")                                                                        \
   R(f, offset_scale, "")                                                                        \
   R(f, offset_clamp, "0: none")                                                                 \
   R(f, line_width, "pixels, 1..64")                                                             \
   R(u, line_smooth, "0, 1")                                                                     \
   R(u, line_stipple_enable, "0, 1")                                                             \
   R(u, line_stipple_pattern, "16 bits")                                                         \
   R(u, line_stipple_factor, "1..256")                                                           \
   R(u, poly_smooth, "0, 1")                                                                     \
   R(u, poly_stipple_enable, "0, 1")                                                             \
   RA(u, poly_stipple, 32, "rows; bit 31 is the leftmost pixel")                                 \
   R(u, pixel_coverage, "1: coverage and depth of a pixel's centre hold for all its samples")    \
   R(f, point_size, "pixels, 1..256")                                                            \
   R(u, point_size_per_vertex, "1: vertex output point_size_output.x")                           \
   R(u, point_size_output, "vertex shader output that holds the point size")                     \
   R(u, point_smooth, "0, 1")                                                                    \
   R(u, point_is_sprite, "1: square sprite with point coordinates")                              \
   R(u, sprite_origin_lower_left, "0: t grows downwards in window order; 1: upwards")            \
   R(u, half_pixel_center, "1: pixel centres at .5 (OpenGL)")                                    \
   R(u, bottom_edge_rule, "1: pixels on a bottom edge (not a top edge) belong to the primitive") \
   R(u, rasterizer_discard, "1: nothing goes past primitive assembly")                           \
   R(u, edge_flag_output,                                                                        \
      "vertex shader output with the edge flag in x; 32: every edge is a boundary")              \
   R(u, clip_distance_enable, "bit per user clip distance, 0..7")                                \
   RA(u, clip_distance_output, 2, "vertex shader outputs that hold distances 0..3 and 4..7")     \
   /* Stages. */                                                                                 \
   RS(ATTILA_ATTRIB_REGS, attrib, ATTILA_MAX_ATTRIBS)                                            \
   RS(ATTILA_FS_INPUT_REGS, fs_input, ATTILA_MAX_VARYINGS)                                       \
   RS(ATTILA_TEX_REGS, tex, ATTILA_MAX_TEX_UNITS)
/* clang-format on */

typedef uint32_t attila_reg_u;
typedef int32_t attila_reg_i;
typedef float attila_reg_f;

#define ATTILA_R(type, name, doc) attila_reg_##type name;
#define ATTILA_RA(type, name, count, doc) attila_reg_##type name[count];
#define ATTILA_RS_NONE(list, name, count)
struct attila_attrib_regs {
   ATTILA_ATTRIB_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS_NONE)
};
struct attila_color_regs {
   ATTILA_COLOR_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS_NONE)
};
struct attila_stencil_regs {
   ATTILA_STENCIL_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS_NONE)
};
struct attila_fs_input_regs {
   ATTILA_FS_INPUT_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS_NONE)
};
struct attila_tex_regs {
   ATTILA_TEX_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS_NONE)
};
#define ATTILA_GROUP_ATTILA_COLOR_REGS struct attila_color_regs
#define ATTILA_GROUP_ATTILA_STENCIL_REGS struct attila_stencil_regs
#define ATTILA_GROUP_ATTILA_ATTRIB_REGS struct attila_attrib_regs
#define ATTILA_GROUP_ATTILA_FS_INPUT_REGS struct attila_fs_input_regs
#define ATTILA_GROUP_ATTILA_TEX_REGS struct attila_tex_regs
#define ATTILA_RS(list, name, count) ATTILA_GROUP_##list name[count];
struct attila_regs {
   ATTILA_REGS(ATTILA_R, ATTILA_RA, ATTILA_RS)
};

#define ATTILA_NUM_REGS ((uint32_t)(sizeof(struct attila_regs) / 4))
/* Register index of a member: ATTILA_REG(color[1].format). */
#define ATTILA_REG(member) ((uint32_t)(offsetof(struct attila_regs, member) / 4))

#endif
