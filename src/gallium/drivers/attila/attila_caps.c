/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The abilities of the GPU in Gallium's terms: OpenGL 3.3 and OpenGL ES 3.0. Of the features that
 * are off, the frontend does some in shaders (two-sided colour, user clip planes, colour clamping)
 * and does not offer the others. */
#include "attila_caps.h"

#include "attila_screen.h"
#include "hw/attila_regs.h"
#include "hw/isa/attila_isa.h"
#include "util/u_screen.h"

/* Vec4s of varyings required by OpenGL 3.2. A vertex has up to 9 other outputs: position, point
 * size, edge flag, two of clip distances, two back face colours, layer, primitive id; a fragment 3
 * other inputs: position, facing, point coordinate. */
#define VARYINGS 32
_Static_assert(VARYINGS + 9 <= ATTILA_MAX_VARYINGS, "outputs");

/* A geometry shader reads up to 4 other outputs of a vertex: position, point size, two of clip
 * distances. */
#define GEOMETRY_INPUTS (ATTILA_MAX_GS_INPUTS - 4)

/* Constants that Mesa adds to a program's own: fog, window orientation, clip planes, point size; in
 * fragment shaders the alpha reference. */
#define STATE_CONSTS 23

/* The largest number of GPU instructions for an instruction of an assembly program. There are as
 * many temporaries as the longest program can use. */
#define ARB_INSTRS 8
#define ARB_TEMPS 4

int
attila_get_shader_param(struct pipe_screen *screen, enum pipe_shader_type shader,
                        enum pipe_shader_cap cap)
{
   const bool vertex = shader == PIPE_SHADER_VERTEX, geometry = shader == PIPE_SHADER_GEOMETRY,
              fragment = shader == PIPE_SHADER_FRAGMENT, compute = shader == PIPE_SHADER_COMPUTE;
   if (!vertex && !geometry && !fragment && !compute)
      return 0;

   switch (cap) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return ATTILA_ISA_MAX_INSTRS / ARB_INSTRS;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return ATTILA_ISA_MAX_NESTING;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return vertex ? ATTILA_MAX_ATTRIBS : geometry ? GEOMETRY_INPUTS : compute ? 0 : VARYINGS;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return fragment ? ATTILA_MAX_COLOR_BUFFERS : compute ? 0 : VARYINGS;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return (ATTILA_MAX_CONSTS - STATE_CONSTS - (fragment ? 1 : 0)) * sizeof(float[4]);
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return 1 + ATTILA_MAX_CONST_BUFFERS; /* the first is the constant bank */
   /* Mesa takes half of them for atomic counters. */
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      return ATTILA_MAX_STORAGE_BUFFERS;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return ATTILA_MAX_IMAGES;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return ATTILA_ISA_MAX_TEMPS / ARB_TEMPS;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
   case PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE:
   case PIPE_SHADER_CAP_INTEGERS:
      return 1;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return ATTILA_STAGE_TEX_UNITS;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_NIR | (geometry || compute ? 0 : 1 << PIPE_SHADER_IR_TGSI);
   default:
      return 0;
   }
}

int
attila_get_compute_param(struct pipe_screen *screen, enum pipe_shader_ir ir,
                         enum pipe_compute_cap cap, void *ret)
{
   static const uint64_t grid[3] = {ATTILA_MAX_WORKGROUPS, ATTILA_MAX_WORKGROUPS,
                                    ATTILA_MAX_WORKGROUPS},
                         workgroup[3] = {ATTILA_MAX_WORKGROUP_XY, ATTILA_MAX_WORKGROUP_XY,
                                         ATTILA_MAX_WORKGROUP_Z};
   uint64_t value = 0;
   const void *from = &value;
   size_t size = sizeof(value);
   switch (cap) {
   case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
      from = grid;
      size = sizeof(grid);
      break;
   case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
      from = workgroup;
      size = sizeof(workgroup);
      break;
   case PIPE_COMPUTE_CAP_GRID_DIMENSION:
      value = 3;
      break;
   case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
      value = ATTILA_MAX_WORKGROUP;
      break;
   case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
      value = ATTILA_MAX_SHARED_BYTES;
      break;
   case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK:
      break; /* a program has its size */
   default:
      return 0;
   }
   if (ret)
      memcpy(ret, from, size);
   return (int)size;
}

static void
attila_caps_init_features(const struct attila_screen *screen, struct pipe_caps *caps)
{
   caps->npot_textures = true;
   caps->anisotropic_filter = true;
   caps->occlusion_query = true;
   /* Functional mode has no clock: time queries have 0 bits (OpenGL 3.3, section 6.1.7), and the
    * frontend subtracts timestamps for elapsed time. */
   caps->query_time_elapsed = screen->has_clock;
   caps->query_timestamp = true;
   caps->query_timestamp_bits = screen->has_clock ? 64 : 0;
   caps->timer_resolution = 1;
   caps->query_pipeline_statistics = true;
   caps->query_so_overflow = true;
   caps->stream_output_pause_resume = true;
   caps->stream_output_interleave_buffers = true;
   caps->conditional_render = true;
   caps->conditional_render_inverted = true;
   caps->texture_shadow_map = true;
   caps->texture_swizzle = true;
   caps->texture_multisample = true;
   caps->sample_shading = true;
   caps->force_persample_interp = true; /* setup interpolates where fragments are */
   caps->copy_between_compressed_and_plain_formats = true;
   caps->texture_mirror_clamp = true;
   caps->texture_mirror_clamp_to_edge = true;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;
   caps->seamless_cube_map = true;
   caps->seamless_cube_map_per_texture = true;
   caps->cube_map_array = true;
   /* An image's format is in its binding; programs need not know it. */
   caps->image_load_formatted = true;
   caps->image_store_formatted = true;
   caps->nir_images_as_deref = false;
   caps->texture_query_lod = true;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->blend_equation_separate = true;
   caps->indep_blend_enable = true;
   caps->indep_blend_func = true;
   caps->mixed_framebuffer_sizes = true;
   caps->mixed_color_depth_bits = 1;
   caps->primitive_restart = true;
   caps->primitive_restart_fixed_index = true;
   caps->vertex_element_instance_divisor = true;
   caps->vs_instanceid = true;
   caps->start_instance = true;
   caps->draw_indirect = true;
   caps->compute = true;
   caps->multi_draw_indirect = true;
   caps->framebuffer_no_attachment = true;
   caps->depth_clip_disable = true;
   caps->clip_halfz = true;
   caps->polygon_offset_clamp = true;
   caps->texture_barrier = true;
   caps->string_marker = true;
   caps->device_reset_status_query = true;
   /* Vertex fetch and loads check limits, the driver those of index buffers; relative constants are
    * clamped to the declared range. */
   caps->robust_buffer_access_behavior = true;
   caps->query_memory_info = true;
   caps->invalidate_buffer = true;
   caps->quads_follow_provoking_vertex_convention = true;

   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->tgsi_texcoord = true;
   caps->legacy_math_rules = false;
   caps->call_finalize_nir_in_linker = false;
}

/* What the frontend must do itself, and how it may use the driver's objects. */
static void
attila_caps_init_division_of_work(struct pipe_caps *caps)
{
   /* Done in shaders. */
   caps->alpha_test = true; /* a shader's variant */
   caps->two_sided_color = false;
   caps->clip_planes = 0;
   caps->vertex_color_unclamped = true;
   caps->vertex_color_clamped = false;
   caps->fragment_color_clamped = false;
   /* Done in setup: interpolation is a register. */
   caps->flatshade = true;
   /* Mesa's geometry shader for it reads uniforms at components, which vec4 uniforms lose. */
   caps->hardware_gl_select = false;
   caps->point_size_fixed = PIPE_POINT_SIZE_LOWER_NEVER;

   /* Shaders and buffers keep state of their context; writes through a mapping show only at flush
    * or unmap. */
   caps->shareable_shaders = false;
   caps->buffer_map_persistent_coherent = false;
   caps->user_vertex_buffers = false;
   caps->texture_transfer_modes = PIPE_TEXTURE_TRANSFER_DEFAULT;
   caps->allow_mapped_buffers_during_execution = true;
}

static void
attila_caps_init_limits(const struct attila_screen *screen, struct pipe_caps *caps)
{
   caps->max_render_targets = ATTILA_MAX_COLOR_BUFFERS;
   caps->max_dual_source_render_targets = 1;
   caps->max_texture_2d_size = ATTILA_MAX_SURFACE_DIM;
   caps->max_texture_3d_levels = 12;
   caps->max_texture_cube_levels = 14;
   caps->max_texture_array_layers = 256;
   caps->texture_buffer_objects = true;
   caps->max_texel_buffer_elements = ATTILA_MAX_BUFFER_TEXELS;
   caps->texture_buffer_offset_alignment = ATTILA_BUFFER_TEXELS_ALIGN;
   caps->max_viewports = 1;
   caps->max_geometry_output_vertices = 256;
   caps->max_geometry_total_output_components = 1024;
   caps->max_gs_invocations = ATTILA_MAX_GS_INVOCATIONS;
   caps->vs_layer_viewport = true; /* for layers */
   caps->max_vertex_streams = ATTILA_MAX_VERTEX_STREAMS;
   caps->max_stream_output_buffers = ATTILA_MAX_STREAM_BUFFERS;
   caps->max_stream_output_separate_components =
       ATTILA_MAX_STREAM_OUTPUTS / ATTILA_MAX_STREAM_BUFFERS;
   caps->max_stream_output_interleaved_components = ATTILA_MAX_STREAM_OUTPUTS;
   caps->max_varyings = VARYINGS;
   caps->max_vertex_attrib_stride = 2048;
   caps->max_vertex_buffers = ATTILA_MAX_ATTRIBS;
   caps->constant_buffer_offset_alignment = ATTILA_CONST_BUFFER_ALIGN;
   caps->max_constant_buffer_size = ATTILA_MAX_CONST_BUFFER_BYTES;
   caps->shader_buffer_offset_alignment = ATTILA_STORAGE_ALIGN;
   caps->max_shader_buffer_size = ATTILA_MAX_STORAGE_BYTES;
   caps->min_map_buffer_alignment = 64;
   /* For ARB_gpu_shader5. Without double precision and tessellation the versions stay 3.3, and that
    * of GLSL with them. */
   caps->glsl_feature_level = 400;
   caps->glsl_feature_level_compatibility = 400;
   caps->min_texel_offset = ATTILA_ISA_MIN_OFFSET;
   caps->max_texel_offset = ATTILA_ISA_MAX_OFFSET;
   caps->max_texture_gather_components = 4;
   caps->min_texture_gather_offset = -32; /* as in Direct3D 11; registers hold any integer */
   caps->max_texture_gather_offset = 31;
   caps->supported_prim_modes = (1u << (MESA_PRIM_TRIANGLE_STRIP_ADJACENCY + 1)) - 1;
   caps->supported_prim_modes_with_restart = caps->supported_prim_modes;
   caps->rasterizer_subpixel_bits = 8;
   caps->accelerated = 0;
   caps->video_memory = screen->memory_size >> 20;
   caps->uma = false;

   caps->min_line_width = caps->min_line_width_aa = 1.0f;
   caps->max_line_width = caps->max_line_width_aa = 64.0f;
   caps->line_width_granularity = 0.125f;
   caps->min_point_size = caps->min_point_size_aa = 1.0f;
   caps->max_point_size = caps->max_point_size_aa = 256.0f;
   caps->point_size_granularity = 0.125f;
   caps->max_texture_anisotropy = 16.0f;
   caps->max_texture_lod_bias = 16.0f;
}

void
attila_init_caps(struct pipe_screen *base)
{
   struct attila_screen *screen = attila_screen(base);
   struct pipe_caps *caps = (struct pipe_caps *)&base->caps;

   u_init_pipe_screen_caps(base, 1);
   attila_caps_init_features(screen, caps);
   attila_caps_init_division_of_work(caps);
   attila_caps_init_limits(screen, caps);
}
