/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How the state of a draw reads in OpenGL's words: a line for each item, with its name, the
 * condition under which it has an effect (others are absent), and its value. Values are expressions
 * of the draw's state s and the number i of the texture, attribute, ... sim_pipeline.c defines what
 * they use: R, A, C, S0, S1, T are registers; B, N, X, F, W make texts of booleans, numbers,
 * addresses, floats and words. Not here: state that the driver lowers to shader code (alpha test,
 * fog, flat shading, ...), which only the programs show. */
#ifndef SIM_PIPELINE_ITEMS_H
#define SIM_PIPELINE_ITEMS_H

/* clang-format off */
/* I(name, condition, value) */
#define PIPELINE_DRAW(I)                                                                          \
   I(mode, true, W(prims, s->cmd.prim))                                                           \
   I(first, true, N(s->cmd.start))                                                                \
   I(type, s->cmd.index_size, W(index_types, s->cmd.index_size))                                  \
   I(GL_ELEMENT_ARRAY_BUFFER, s->cmd.index_size, X(s->cmd.index_address))                         \
   I(basevertex, s->cmd.index_size, pipeline_text(p, "%d", (int32_t)s->cmd.index_bias))           \
   I(baseinstance, s->cmd.first_instance, N(s->cmd.first_instance))                               \
   I(GL_PRIMITIVE_RESTART, s->cmd.index_size, B(s->cmd.flags & ATTILA_DRAW_RESTART))              \
   I(GL_PRIMITIVE_RESTART_INDEX, s->cmd.index_size && s->cmd.flags & ATTILA_DRAW_RESTART,         \
      N(s->cmd.restart_index))

#define PIPELINE_ATTRIBUTE(I)                                                                     \
   I(format, true, pipeline_attribute(p, &A))                                                     \
   I(address, A.enable == ATTILA_ATTRIB_MEMORY, X(A.address))                                     \
   I(bytes, A.enable == ATTILA_ATTRIB_MEMORY, N(A.limit))                                         \
   I(GL_VERTEX_ATTRIB_ARRAY_STRIDE, A.enable == ATTILA_ATTRIB_MEMORY, N(A.stride))                \
   I(GL_VERTEX_ATTRIB_ARRAY_DIVISOR, A.enable == ATTILA_ATTRIB_MEMORY, N(A.divisor))

#define PIPELINE_PROGRAM(I)                                                                       \
   I(GL_VERTEX_SHADER, true, pipeline_program(p, s, ATTILA_STAGE_VERTEX))                         \
   I(GL_GEOMETRY_SHADER, true, pipeline_program(p, s, ATTILA_STAGE_GEOMETRY))                     \
   I(GL_FRAGMENT_SHADER, true, pipeline_program(p, s, ATTILA_STAGE_FRAGMENT))

#define PIPELINE_VERTEX_CONSTANT(I) I(c, true, pipeline_constant(p, s, ATTILA_STAGE_VERTEX, i))
#define PIPELINE_GEOMETRY_CONSTANT(I) I(c, true, pipeline_constant(p, s, ATTILA_STAGE_GEOMETRY, i))
#define PIPELINE_FRAGMENT_CONSTANT(I) I(c, true, pipeline_constant(p, s, ATTILA_STAGE_FRAGMENT, i))

#define PIPELINE_BLOCK(I, stage)                                                                  \
   I(address, true, X(s->const_buffers[stage][i].address))                                        \
   I(bytes, true, N(s->const_buffers[stage][i].size))
#define PIPELINE_VERTEX_BLOCK(I) PIPELINE_BLOCK(I, ATTILA_STAGE_VERTEX)
#define PIPELINE_GEOMETRY_BLOCK(I) PIPELINE_BLOCK(I, ATTILA_STAGE_GEOMETRY)
#define PIPELINE_FRAGMENT_BLOCK(I) PIPELINE_BLOCK(I, ATTILA_STAGE_FRAGMENT)

#define PIPELINE_STORAGE(I, stage)                                                                \
   I(address, true, X(s->storage[stage][i].address))                                              \
   I(bytes, true, N(s->storage[stage][i].size))
#define PIPELINE_VERTEX_STORAGE(I) PIPELINE_STORAGE(I, ATTILA_STAGE_VERTEX)
#define PIPELINE_GEOMETRY_STORAGE(I) PIPELINE_STORAGE(I, ATTILA_STAGE_GEOMETRY)
#define PIPELINE_FRAGMENT_STORAGE(I) PIPELINE_STORAGE(I, ATTILA_STAGE_FRAGMENT)

#define PIPELINE_IMAGE(I, stage)                                                                  \
   I(address, true, X(s->images[stage][i].address))                                               \
   I(format, true, pipeline_format(s->images[stage][i].format))                                   \
   I(width, true, N(s->images[stage][i].width))                                                   \
   I(height, true, N(s->images[stage][i].height))                                                 \
   I(depth, s->images[stage][i].depth != 1, N(s->images[stage][i].depth))                         \
   I(buffer, !s->images[stage][i].pitch_tiles, B(true))
#define PIPELINE_VERTEX_IMAGE(I) PIPELINE_IMAGE(I, ATTILA_STAGE_VERTEX)
#define PIPELINE_GEOMETRY_IMAGE(I) PIPELINE_IMAGE(I, ATTILA_STAGE_GEOMETRY)
#define PIPELINE_FRAGMENT_IMAGE(I) PIPELINE_IMAGE(I, ATTILA_STAGE_FRAGMENT)

#define PIPELINE_TEXTURE(I)                                                                       \
   I(target, true, pipeline_target(&T))                                                           \
   I(format, true, pipeline_format(T.format))                                                     \
   I(address, true, X(T.address))                                                                 \
   I(width, true, N(T.target == ATTILA_TEX_BUFFER ? T.width | (uint32_t)T.height << 14 : T.width))\
   I(height, pipeline_dimensions(&T) > 1, N(T.height))                                            \
   I(depth, T.depth > 1, N(T.depth))                                                              \
   I(samples, T.samples > 1, N(T.samples))                                                        \
   I(levels, T.num_levels > 1, N(T.num_levels))                                                   \
   I(GL_TEXTURE_BASE_LEVEL, T.num_levels > 1, N(T.first_level))                                   \
   I(GL_TEXTURE_MAX_LEVEL, T.num_levels > 1, N(T.last_level))                                     \
   I(GL_TEXTURE_SWIZZLE_RGBA, true, pipeline_swizzle(p, T.swizzle))                               \
   I(GL_TEXTURE_MIN_FILTER, pipeline_sampled(&T), W(min_filters[T.mip_filter], T.min_filter))     \
   I(GL_TEXTURE_MAG_FILTER, pipeline_sampled(&T), W(min_filters[ATTILA_MIP_NONE], T.mag_filter))  \
   I(GL_TEXTURE_WRAP_S, pipeline_sampled(&T), W(wraps, T.wrap_s))                                 \
   I(GL_TEXTURE_WRAP_T, pipeline_sampled(&T) && pipeline_dimensions(&T) > 1, W(wraps, T.wrap_t))  \
   I(GL_TEXTURE_WRAP_R, pipeline_sampled(&T) && pipeline_dimensions(&T) > 2, W(wraps, T.wrap_r))  \
   I(GL_TEXTURE_BORDER_COLOR, pipeline_sampled(&T) && pipeline_border(&T), F4(T.border))          \
   I(GL_TEXTURE_COMPARE_MODE, pipeline_sampled(&T),                                               \
      T.compare ? "GL_COMPARE_REF_TO_TEXTURE" : "GL_NONE")                                        \
   I(GL_TEXTURE_COMPARE_FUNC, pipeline_sampled(&T) && T.compare, W(funcs, T.compare_func))        \
   I(GL_TEXTURE_MAX_ANISOTROPY, pipeline_sampled(&T), N(T.max_aniso > 1 ? T.max_aniso : 1))       \
   I(GL_TEXTURE_LOD_BIAS, pipeline_sampled(&T) && T.mip_filter != ATTILA_MIP_NONE, F(T.lod_bias)) \
   I(GL_TEXTURE_MIN_LOD, pipeline_sampled(&T) && T.mip_filter != ATTILA_MIP_NONE, F(T.min_lod))   \
   I(GL_TEXTURE_MAX_LOD, pipeline_sampled(&T) && T.mip_filter != ATTILA_MIP_NONE, F(T.max_lod))   \
   I(GL_TEXTURE_CUBE_MAP_SEAMLESS, pipeline_sampled(&T) && T.target == ATTILA_TEX_CUBE,           \
      B(T.seamless))

#define PIPELINE_RASTER(I)                                                                        \
   I(GL_VIEWPORT, true, pipeline_viewport(p, &R))                                                 \
   I(GL_DEPTH_RANGE, true, pipeline_depth_range(p, &R))                                           \
   I(GL_SCISSOR_TEST, true, B(pipeline_scissored(&R)))                                            \
   I(GL_SCISSOR_BOX, pipeline_scissored(&R), pipeline_scissor(p, &R))                             \
   I(GL_RASTERIZER_DISCARD, true, B(R.rasterizer_discard))                                        \
   I(GL_TRANSFORM_FEEDBACK_ACTIVE, true, B(s->stream_out))                                        \
   I(GL_PROVOKING_VERTEX, true,                                                                   \
      R.flatshade_first ? "GL_FIRST_VERTEX_CONVENTION" : "GL_LAST_VERTEX_CONVENTION")             \
   I(GL_CLIP_DISTANCE, R.clip_distance_enable, pipeline_bits(p, R.clip_distance_enable))          \
   I(GL_DEPTH_CLAMP, true, B(!R.depth_clip))                                                      \
   I(GL_CULL_FACE, true, B(R.cull))                                                               \
   I(GL_CULL_FACE_MODE, R.cull, W(culls, R.cull))                                                 \
   I(GL_FRONT_FACE, true, R.front_ccw == R.bottom_edge_rule ? "GL_CCW" : "GL_CW")                 \
   I(GL_POLYGON_MODE, true, pipeline_polygon_mode(p, &R))                                         \
   I(GL_POLYGON_OFFSET_FILL, true, B(R.offset_tri))                                               \
   I(GL_POLYGON_OFFSET_LINE, pipeline_mode(&R, ATTILA_FILL_LINE), B(R.offset_line))               \
   I(GL_POLYGON_OFFSET_POINT, pipeline_mode(&R, ATTILA_FILL_POINT), B(R.offset_point))            \
   I(GL_POLYGON_OFFSET_FACTOR, pipeline_offset(&R), F(R.offset_scale))                            \
   I(GL_POLYGON_OFFSET_UNITS, pipeline_offset(&R), F(R.offset_units))                             \
   I(GL_POLYGON_OFFSET_CLAMP, pipeline_offset(&R) && R.offset_clamp != 0.0f, F(R.offset_clamp))   \
   I(GL_POLYGON_SMOOTH, pipeline_primitive(s) == 3, B(R.poly_smooth))                             \
   I(GL_POLYGON_STIPPLE, pipeline_primitive(s) == 3, B(R.poly_stipple_enable))                    \
   I(GL_LINE_WIDTH, pipeline_lines(s), F(R.line_width))                                           \
   I(GL_LINE_SMOOTH, pipeline_lines(s), B(R.line_smooth))                                         \
   I(GL_LINE_STIPPLE, pipeline_lines(s), B(R.line_stipple_enable))                                \
   I(GL_LINE_STIPPLE_PATTERN, pipeline_lines(s) && R.line_stipple_enable,                         \
      X(R.line_stipple_pattern))                                                                  \
   I(GL_LINE_STIPPLE_REPEAT, pipeline_lines(s) && R.line_stipple_enable, N(R.line_stipple_factor))\
   I(GL_PROGRAM_POINT_SIZE, pipeline_points(s), B(R.point_size_per_vertex))                       \
   I(GL_POINT_SIZE, pipeline_points(s) && !R.point_size_per_vertex, F(R.point_size))              \
   I(GL_POINT_SMOOTH, pipeline_points(s), B(R.point_smooth))                                      \
   I(GL_POINT_SPRITE, pipeline_points(s), B(R.point_is_sprite))

#define PIPELINE_DEPTH(I)                                                                         \
   I(format, R.zs_address, pipeline_format(R.zs_format))                                          \
   I(address, R.zs_address, X(R.zs_address))                                                      \
   I(GL_DEPTH_TEST, true, B(R.z_test))                                                            \
   I(GL_DEPTH_FUNC, R.z_test, W(funcs, R.z_func))                                                 \
   I(GL_DEPTH_WRITEMASK, R.z_test, B(R.z_write))

#define PIPELINE_STENCIL_FACE(I, BACK, on, S)                                                     \
   I(GL_STENCIL_##BACK##FUNC, on, W(funcs, S.func))                                               \
   I(GL_STENCIL_##BACK##REF, on, N(S.ref))                                                        \
   I(GL_STENCIL_##BACK##VALUE_MASK, on, X(S.value_mask))                                          \
   I(GL_STENCIL_##BACK##FAIL, on, W(stencil_ops, S.fail))                                         \
   I(GL_STENCIL_##BACK##PASS_DEPTH_FAIL, on, W(stencil_ops, S.zfail))                             \
   I(GL_STENCIL_##BACK##PASS_DEPTH_PASS, on, W(stencil_ops, S.zpass))                             \
   I(GL_STENCIL_##BACK##WRITEMASK, on, X(S.write_mask))
/* Back faces have items of their own only where they may differ. */
#define PIPELINE_STENCIL(I)                                                                       \
   I(GL_STENCIL_TEST, true, B(S0.enable))                                                         \
   PIPELINE_STENCIL_FACE(I, , S0.enable, S0)                                                      \
   PIPELINE_STENCIL_FACE(I, BACK_, S0.enable && S1.enable, S1)

#define PIPELINE_FRAMEBUFFER(I)                                                                   \
   I(width, true, N(R.fb_width))                                                                  \
   I(height, true, N(R.fb_height))                                                                \
   I(layers, s->layers.count > 1, N(s->layers.count))                                             \
   I(GL_SAMPLES, true, N(R.fb_samples > 1 ? R.fb_samples : 0))                                    \
   I(GL_MULTISAMPLE, R.fb_samples > 1, B(!R.pixel_coverage))                                      \
   I(GL_SAMPLE_MASK_VALUE, R.fb_samples > 1, X(R.sample_mask))                                    \
   I(GL_SAMPLE_SHADING, R.fb_samples > 1, B(R.sample_shading))                                    \
   I(GL_SAMPLE_ALPHA_TO_COVERAGE, true, B(R.alpha_to_coverage))                                   \
   I(GL_SAMPLE_ALPHA_TO_ONE, true, B(R.alpha_to_one))                                             \
   I(GL_COLOR_LOGIC_OP, true, B(R.logicop_enable))                                                \
   I(GL_LOGIC_OP_MODE, R.logicop_enable, W(logic_ops, R.logicop))

#define PIPELINE_COLOR(I)                                                                         \
   I(format, true, pipeline_format(C.format))                                                     \
   I(address, true, X(C.address))                                                                 \
   I(GL_COLOR_WRITEMASK, true, pipeline_mask(p, C.write_mask))                                    \
   I(GL_BLEND, true, B(C.blend_enable))                                                           \
   I(GL_BLEND_EQUATION_RGB, C.blend_enable, W(blend_eqs, C.rgb_eq))                               \
   I(GL_BLEND_SRC_RGB, C.blend_enable, pipeline_factor(C.rgb_src, C.rgb_src_second))              \
   I(GL_BLEND_DST_RGB, C.blend_enable, pipeline_factor(C.rgb_dst, C.rgb_dst_second))              \
   I(GL_BLEND_EQUATION_ALPHA, C.blend_enable, W(blend_eqs, C.alpha_eq))                           \
   I(GL_BLEND_SRC_ALPHA, C.blend_enable, pipeline_factor(C.alpha_src, C.alpha_src_second))        \
   I(GL_BLEND_DST_ALPHA, C.blend_enable, pipeline_factor(C.alpha_dst, C.alpha_dst_second))        \
   I(GL_BLEND_COLOR, C.blend_enable && pipeline_blends_constant(&C), F4(R.blend_color))

/* P(id, name, how many, items), in the order of the pipeline */
#define PIPELINE_PARTS(P)                                                                         \
   P(DRAW, "draw", 1, PIPELINE_DRAW)                                                              \
   P(ATTRIBUTE, "attribute", ATTILA_MAX_ATTRIBS, PIPELINE_ATTRIBUTE)                              \
   P(PROGRAM, "program", 1, PIPELINE_PROGRAM)                                                     \
   P(VERTEX_CONSTANT, "vertex constant", ATTILA_MAX_CONSTS, PIPELINE_VERTEX_CONSTANT)             \
   P(GEOMETRY_CONSTANT, "geometry constant", ATTILA_MAX_CONSTS, PIPELINE_GEOMETRY_CONSTANT)       \
   P(FRAGMENT_CONSTANT, "fragment constant", ATTILA_MAX_CONSTS, PIPELINE_FRAGMENT_CONSTANT)       \
   P(VERTEX_BLOCK, "vertex block", ATTILA_MAX_CONST_BUFFERS, PIPELINE_VERTEX_BLOCK)               \
   P(GEOMETRY_BLOCK, "geometry block", ATTILA_MAX_CONST_BUFFERS, PIPELINE_GEOMETRY_BLOCK)         \
   P(FRAGMENT_BLOCK, "fragment block", ATTILA_MAX_CONST_BUFFERS, PIPELINE_FRAGMENT_BLOCK)         \
   P(VERTEX_STORAGE, "vertex storage", ATTILA_MAX_STORAGE_BUFFERS, PIPELINE_VERTEX_STORAGE)       \
   P(GEOMETRY_STORAGE, "geometry storage", ATTILA_MAX_STORAGE_BUFFERS,                            \
     PIPELINE_GEOMETRY_STORAGE)                                                                   \
   P(FRAGMENT_STORAGE, "fragment storage", ATTILA_MAX_STORAGE_BUFFERS,                            \
     PIPELINE_FRAGMENT_STORAGE)                                                                   \
   P(VERTEX_IMAGE, "vertex image", ATTILA_MAX_IMAGES, PIPELINE_VERTEX_IMAGE)                      \
   P(GEOMETRY_IMAGE, "geometry image", ATTILA_MAX_IMAGES, PIPELINE_GEOMETRY_IMAGE)                \
   P(FRAGMENT_IMAGE, "fragment image", ATTILA_MAX_IMAGES, PIPELINE_FRAGMENT_IMAGE)                \
   P(TEXTURE, "texture", ATTILA_MAX_TEX_UNITS, PIPELINE_TEXTURE)                                  \
   P(RASTER, "raster", 1, PIPELINE_RASTER)                                                        \
   P(DEPTH, "depth", 1, PIPELINE_DEPTH)                                                           \
   P(STENCIL, "stencil", 1, PIPELINE_STENCIL)                                                     \
   P(FRAMEBUFFER, "framebuffer", 1, PIPELINE_FRAMEBUFFER)                                         \
   P(COLOR, "color", ATTILA_MAX_COLOR_BUFFERS, PIPELINE_COLOR)
/* clang-format on */

#endif
