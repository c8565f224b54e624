/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes a draw's state from the registers: rejects a draw with which a later stage could read or
 * write outside memory or use a value out of range, and derives what the stages need. Not here:
 * texture units (emul_tex_state_init), constants. */
#include <stdio.h>
#include <string.h>
#include "emul/emul_draw.h"

void
emul_layer_regs(const struct emul_draw_state *state, uint32_t layer, struct attila_regs *regs)
{
   *regs = state->regs;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (regs->color[i].address)
         regs->color[i].address = emul_layer_color(state, i, layer);
   }
   if (regs->zs_address)
      regs->zs_address = emul_layer_zs(state, layer);
}

/* A draw whose vertices have no layer uses the first one. */
static void
emul_draw_init_layers(struct emul_draw_state *state)
{
   if (state->layers.count <= 1 ||
       !emul_program_writes(emul_last_program(state), state->layers.output))
      state->layers.count = 1;
}

/* Returns the bytes from one layer to the next. number: that of a colour buffer, or
 * ATTILA_MAX_COLOR_BUFFERS for the depth buffer. */
static uint32_t
emul_draw_layer_stride(const struct emul_draw_state *state, unsigned number)
{
   return number < ATTILA_MAX_COLOR_BUFFERS ? state->layers.color_stride[number]
                                            : state->layers.zs_stride;
}

/* Returns the bytes from the start of the first layer to that of the last. */
static uint64_t
emul_draw_layer_bytes(const struct emul_draw_state *state, unsigned number)
{
   return (uint64_t)(state->layers.count - 1) * emul_draw_layer_stride(state, number);
}

static bool
emul_draw_check_surface(const struct emul_draw_state *state, unsigned number, uint32_t address,
                        uint32_t pitch_tiles, unsigned bytes, char *error, size_t error_size)
{
   const struct attila_regs *regs = &state->regs;
   const uint64_t layers = emul_draw_layer_bytes(state, number);
   const char *what = number < ATTILA_MAX_COLOR_BUFFERS ? "colour" : "depth";
   const unsigned index = number % ATTILA_MAX_COLOR_BUFFERS;
   if (address % ATTILA_SURFACE_ALIGN) {
      snprintf(error, error_size, "%s buffer %u at 0x%x is not 256-byte aligned", what, index,
               address);
      return false;
   }
   if (emul_layered(state) && emul_draw_layer_stride(state, number) <
                                  attila_surface_bytes(pitch_tiles, regs->fb_width, regs->fb_height,
                                                       state->samples, bytes)) {
      snprintf(error, error_size, "layers of %s buffer %u at 0x%x overlap: they are %u bytes apart",
               what, index, address, emul_draw_layer_stride(state, number));
      return false;
   }
   if (layers > state->memory_size ||
       !attila_surface_fits(state->memory_size - (uint32_t)layers, address, pitch_tiles,
                            regs->fb_width, regs->fb_height, state->samples, bytes)) {
      snprintf(error, error_size,
               "%s buffer %u at 0x%x (%u x %u, %u samples, %u tiles per row) is outside memory, or "
               "its rows are too short or longer than %u tiles",
               what, index, address, regs->fb_width, regs->fb_height, state->samples, pitch_tiles,
               ATTILA_MAX_PITCH_TILES);
      return false;
   }
   return true;
}

/* Returns whether buffers of a draw that share memory are one image, attached twice. Anything else
 * is an error, since the ROPs' caches hold lines of one shape. */
static bool
emul_draw_check_overlaps(const struct emul_draw_state *state, char *error, size_t error_size)
{
   const struct attila_regs *regs = &state->regs;
   struct {
      const struct attila_format_desc *format;
      uint32_t address, pitch_tiles;
      uint64_t end;
   } used[ATTILA_MAX_COLOR_BUFFERS + 1], *u = used;
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const bool zs = i == ATTILA_MAX_COLOR_BUFFERS;
      if (zs ? !state->zs_bound : !(state->color_mask >> i & 1))
         continue;
      u->format = zs ? state->zs_format : state->color_format[i];
      u->address = zs ? regs->zs_address : regs->color[i].address;
      u->pitch_tiles = zs ? regs->zs_pitch_tiles : regs->color[i].pitch_tiles;
      u->end = u->address + emul_draw_layer_bytes(state, i) +
               attila_surface_bytes(u->pitch_tiles, regs->fb_width, regs->fb_height, state->samples,
                                    u->format->bytes);
      for (unsigned n = 0; &used[n] < u; n++) {
         const bool same = used[n].address == u->address && used[n].format == u->format &&
                           used[n].pitch_tiles == u->pitch_tiles;
         if (!same && used[n].address < u->end && u->address < used[n].end) {
            snprintf(error, error_size, "the buffers at 0x%x and 0x%x share memory",
                     used[n].address, u->address);
            return false;
         }
      }
      u++;
   }
   return true;
}

static bool
emul_draw_init_framebuffer(struct emul_draw_state *state, char *error, size_t error_size)
{
   const struct attila_regs *regs = &state->regs;
   state->samples = regs->fb_samples ? regs->fb_samples : 1;
   if (state->samples > ATTILA_MAX_SAMPLES || (state->samples & (state->samples - 1))) {
      snprintf(error, error_size, "%u samples", state->samples);
      return false;
   }
   if (regs->fb_width > ATTILA_MAX_SURFACE_DIM || regs->fb_height > ATTILA_MAX_SURFACE_DIM) {
      snprintf(error, error_size, "framebuffer of %u x %u pixels", regs->fb_width, regs->fb_height);
      return false;
   }
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *c = &regs->color[i];
      if (!c->address)
         continue;
      if (c->format >= ATTILA_NUM_FORMATS || !(attila_formats[c->format].uses & ATTILA_USE_COLOR)) {
         snprintf(error, error_size, "colour buffer %u has format %u", i, c->format);
         return false;
      }
      state->color_format[i] = &attila_formats[c->format];
      if (!emul_draw_check_surface(state, i, c->address, c->pitch_tiles,
                                   state->color_format[i]->bytes, error, error_size))
         return false;
      if (c->write_mask & 15)
         state->color_mask |= 1u << i;
   }
   if (regs->zs_address) {
      if (regs->zs_format >= ATTILA_NUM_FORMATS ||
          !(attila_formats[regs->zs_format].uses & ATTILA_USE_ZS)) {
         snprintf(error, error_size, "depth buffer has format %u", regs->zs_format);
         return false;
      }
      state->zs_format = &attila_formats[regs->zs_format];
      if (!emul_draw_check_surface(state, ATTILA_MAX_COLOR_BUFFERS, regs->zs_address,
                                   regs->zs_pitch_tiles, state->zs_format->bytes, error,
                                   error_size))
         return false;
      state->zs_bound = true;
      state->z_test = regs->z_test && state->zs_format->channel[0].bits;
      state->z_write = state->z_test && regs->z_write;
      state->stencil_test = regs->stencil[0].enable && state->zs_format->channel[1].bits;
   }
   return emul_draw_check_overlaps(state, error, error_size);
}

/* Checks the enumerations, which index tables in later stages, so none may be out of range.
 * Comparison functions and stencil and logic operations need no check, since every value of their
 * fields is valid. */
static bool
emul_draw_check_enums(const struct attila_regs *regs, char *error, size_t error_size)
{
   const char *bad = NULL;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *c = &regs->color[i];
      if (c->rgb_eq > ATTILA_BLEND_MAX || c->alpha_eq > ATTILA_BLEND_MAX ||
          c->rgb_src > ATTILA_FACTOR_INV_CONST_ALPHA ||
          c->rgb_dst > ATTILA_FACTOR_INV_CONST_ALPHA ||
          c->alpha_src > ATTILA_FACTOR_INV_CONST_ALPHA ||
          c->alpha_dst > ATTILA_FACTOR_INV_CONST_ALPHA)
         bad = "blend";
   }
   if (regs->fill_front > ATTILA_FILL_POINT || regs->fill_back > ATTILA_FILL_POINT)
      bad = "fill";
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++) {
      const struct attila_attrib_regs *a = &regs->attrib[i];
      if (a->enable > ATTILA_ATTRIB_INSTANCE)
         bad = "attribute enable";
      if (a->enable == ATTILA_ATTRIB_MEMORY &&
          (a->format >= ATTILA_NUM_FORMATS ||
           !(attila_formats[a->format].uses & ATTILA_USE_VERTEX)))
         bad = "attribute format";
   }
   if (bad)
      snprintf(error, error_size, "value of register %s out of range", bad);
   return !bad;
}

/* Checks the programs up to the last one that makes vertices. */
static bool
emul_draw_check_vertices(const struct emul_draw_state *state, char *error, size_t error_size)
{
   const bool geometry = state->geometry.enable != 0;
   if (!state->vs || (geometry && !state->gs)) {
      snprintf(error, error_size, "no %s program", state->vs ? "geometry" : "vertex");
      return false;
   }
   if (!(emul_program_isa(emul_last_program(state))->outputs_written &
         1u << ATTILA_VS_OUTPUT_POSITION) &&
       !state->regs.rasterizer_discard) {
      snprintf(error, error_size, "no %s program that writes a position",
               geometry ? "geometry" : "vertex");
      return false;
   }
   if (!geometry)
      return true;
   const unsigned in = emul_program_isa(state->gs)->gs_vertices_in,
                  given = emul_assembled_vertices(state->cmd.prim, in > 3);
   if (in != given)
      snprintf(error, error_size, "primitives of %u vertices for a geometry program that takes %u",
               given, in);
   return in == given;
}

static bool
emul_draw_check_draw(const struct emul_draw_state *state, char *error, size_t error_size)
{
   const struct attila_cmd_draw *cmd = &state->cmd;
   if (cmd->prim >= ATTILA_NUM_PRIMS) {
      snprintf(error, error_size, "primitive type %u", cmd->prim);
      return false;
   }
   if (cmd->index_size > 4 || cmd->index_size == 3) {
      snprintf(error, error_size, "indices of %u bytes", cmd->index_size);
      return false;
   }
   if (cmd->index_size && cmd->count) {
      uint64_t end = cmd->index_address + ((uint64_t)cmd->start + cmd->count) * cmd->index_size;
      if (end > state->memory_size) {
         snprintf(error, error_size, "indices up to address 0x%llx are outside memory",
                  (unsigned long long)end);
         return false;
      }
   }
   if (!emul_draw_check_vertices(state, error, error_size))
      return false;
   if (!state->fs && !state->regs.rasterizer_discard) {
      snprintf(error, error_size, "no fragment program");
      return false;
   }
   return true;
}

static int32_t
emul_draw_clamp_pixel(double v, int32_t max)
{
   /* NaN gives an empty range at 0. */
   return !(v > 0.0) ? 0 : v > max ? max : (int32_t)v;
}

/* Returns the first pixel whose centre is not left of edge. */
static int32_t
emul_draw_first_pixel(double edge, double centre, int32_t max)
{
   double v = edge - centre;
   int32_t i = emul_draw_clamp_pixel(v, max);
   return i < v && i < max ? i + 1 : i;
}

static void
emul_draw_init_area(struct emul_draw_state *state)
{
   const struct attila_regs *regs = &state->regs;
   int32_t *s = state->scissor;
   const uint32_t corner[4] = {regs->scissor_minx, regs->scissor_miny, regs->scissor_maxx,
                               regs->scissor_maxy};
   for (unsigned i = 0; i < 4; i++) {
      uint32_t max = i & 1 ? regs->fb_height : regs->fb_width;
      s[i] = (int32_t)(corner[i] < max ? corner[i] : max);
   }
   double centre = regs->half_pixel_center ? 0.5 : 0.0;
   for (unsigned i = 0; i < 2; i++) {
      double t = regs->viewport_translate[i], h = __builtin_fabs((double)regs->viewport_scale[i]);
      int32_t max = (int32_t)(i ? regs->fb_height : regs->fb_width);
      int32_t lo = emul_draw_first_pixel(t - h, centre, max),
              hi = emul_draw_first_pixel(t + h, centre, max);
      state->view[i] = lo > s[i] ? lo : s[i];
      state->view[2 + i] = hi < s[2 + i] ? hi : s[2 + i];
   }
}

/* Returns a mask's highest output plus 1. */
static unsigned
emul_draw_end_of(uint64_t outputs)
{
   return outputs ? 64 - (unsigned)__builtin_clzll(outputs) : 0;
}

static void
emul_draw_init_inputs(struct emul_draw_state *state)
{
   const uint64_t written = emul_program_isa(emul_last_program(state))->outputs_written;
   state->num_vs_outputs = emul_draw_end_of(emul_program_isa(state->vs)->outputs_written);
   state->num_outputs = emul_draw_end_of(written);
   state->num_fs_inputs = 0;
   state->linear_outputs = 0;
   state->fs_perspective = state->fs_linear = state->fs_centroid = false;
   for (uint64_t read = state->fs ? emul_program_isa(state->fs)->inputs_read : 0; read;
        read &= read - 1) {
      unsigned i = (unsigned)__builtin_ctzll(read);
      const struct attila_fs_input_regs *r = attila_fs_input(&state->regs, i);
      struct emul_fs_input *in = &state->fs_inputs[state->num_fs_inputs++];
      uint32_t interp = r->interp & ~(uint32_t)ATTILA_INTERP_CENTROID;
      *in = (struct emul_fs_input){
          .index = (uint8_t)i,
          .source = r->source,
          .interp = interp <= ATTILA_INTERP_FLAT ? (uint8_t)interp : ATTILA_INTERP_PERSPECTIVE,
          .components = (uint8_t)emul_program_input_components(state->fs, i),
          .sprite = r->sprite != 0,
          .primitive_id = r->primitive_id != 0,
          .samples = r->samples != 0};
      /* Outputs that the program does not write read (0, 0, 0, 1). */
      bool exists = !in->primitive_id && !in->samples && (written >> r->output & 1);
      in->output = exists ? (uint8_t)r->output : ATTILA_NO_VARYING;
      if (in->source == ATTILA_FS_VARYING && exists) {
         state->fs_perspective |= in->interp == ATTILA_INTERP_PERSPECTIVE;
         state->fs_linear |= in->interp == ATTILA_INTERP_LINEAR;
         state->linear_outputs |= (uint64_t)(in->interp == ATTILA_INTERP_LINEAR) << in->output;
         in->centroid = (r->interp & ATTILA_INTERP_CENTROID) && in->interp != ATTILA_INTERP_FLAT &&
                        emul_multisample(state);
         state->fs_centroid |= in->centroid;
      }
   }
}

/* Without clipping, depths are clamped to the depth range, which follows from the viewport. */
static void
emul_draw_init_depth_bounds(struct emul_draw_state *state)
{
   const struct attila_regs *regs = &state->regs;
   state->depth_near = 0.0f;
   state->depth_far = 1.0f;
   if (regs->depth_clip)
      return;
   const double scale = regs->viewport_scale[2], translate = regs->viewport_translate[2];
   const double a = regs->clip_halfz ? translate : translate - scale, b = translate + scale;
   const double near = a < b ? a : b, far = a < b ? b : a;
   state->depth_near = (float)(near > 0.0 ? near < 1.0 ? near : 1.0 : 0.0);
   state->depth_far = (float)(far < 1.0 ? far > 0.0 ? far : 0.0 : 1.0);
}

/* Disables registers that name outputs which the program does not write. */
static void
emul_draw_check_output_regs(struct emul_draw_state *state)
{
   struct attila_regs *regs = &state->regs;
   const struct emul_program *last = emul_last_program(state);
   if (!emul_program_writes(last, regs->point_size_output))
      regs->point_size_per_vertex = 0;
   if (!emul_program_writes(last, regs->edge_flag_output))
      regs->edge_flag_output = ATTILA_NO_VARYING;
   for (unsigned i = 0; i < 2; i++) {
      if (!emul_program_writes(last, attila_clip_distance_output(regs, i)))
         regs->clip_distance_enable &= ~(15u << 4 * i);
   }
}

/* Disables blending of integers, and use of alpha if colour buffer 0 has integers
 * (EXT_texture_integer, section 4.1). */
static void
emul_draw_check_integer_buffers(struct emul_draw_state *state)
{
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (!state->color_format[i] || !attila_type_is_integer(state->color_format[i]->type))
         continue;
      state->regs.color[i].blend_enable = 0;
      if (i == 0)
         state->regs.alpha_to_coverage = state->regs.alpha_to_one = 0;
   }
}

/* Returns whether some primitive of a draw is antialiased, including the lines and points of
 * polygon modes. */
static bool
emul_draw_draws_smooth(const struct emul_draw_state *state)
{
   const struct attila_regs *regs = &state->regs;
   const bool smooth[] = {[ATTILA_FILL_SOLID] = regs->poly_smooth,
                          [ATTILA_FILL_LINE] = regs->line_smooth,
                          [ATTILA_FILL_POINT] = regs->point_smooth};
   switch (state->gs ? emul_program_isa(state->gs)->gs_vertices_out
                     : emul_assembled_vertices(state->cmd.prim, false)) {
   case 1:
      return regs->point_smooth;
   case 2:
      return regs->line_smooth;
   default:
      return smooth[regs->fill_front] || smooth[regs->fill_back];
   }
}

/* Without early tests, a program writes for fragments that fail depth and stencil tests, too
 * (OpenGL 4.3, 17.1 and 15.2.4). */
static void
emul_draw_init_storage(struct emul_draw_state *state)
{
   state->storage_writers = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const struct emul_program *p = emul_stage_program(state, s);
      state->storage_writers |= (unsigned)(p && emul_program_isa(p)->writes_storage) << s;
   }
   state->shades_hidden =
       emul_stage_writes(state, ATTILA_STAGE_FRAGMENT) && !emul_program_isa(state->fs)->early_tests;
}

bool
emul_grid_state_init(struct emul_draw_state *state, const struct attila_regs *regs,
                     const uint32_t groups[3], uint32_t memory_size, char *error, size_t error_size)
{
   state->regs = *regs;
   state->cmd = (struct attila_cmd_draw){0};
   state->memory_size = memory_size;
   state->color_mask = state->color_outputs = 0;
   state->samples = 1;
   state->layers.count = 1;
   memcpy(state->grid, groups, sizeof(state->grid));
   if (!state->cs) {
      snprintf(error, error_size, "no compute program");
      return false;
   }
   for (unsigned i = 0; i < 3; i++) {
      if (groups[i] > ATTILA_MAX_WORKGROUPS) {
         snprintf(error, error_size, "%u workgroups, up to %u in a dimension are accepted",
                  groups[i], ATTILA_MAX_WORKGROUPS);
         return false;
      }
   }
   emul_draw_init_storage(state);
   return true;
}

bool
emul_draw_state_init(struct emul_draw_state *state, const struct attila_regs *regs,
                     const struct attila_cmd_draw *cmd, uint32_t memory_size, char *error,
                     size_t error_size)
{
   state->regs = *regs;
   state->cmd = *cmd;
   state->memory_size = memory_size;
   state->color_mask = state->color_outputs = 0;
   state->samples = 1;
   state->zs_bound = state->z_test = state->z_write = state->stencil_test = state->late_zs = false;
   state->zs_format = NULL;
   memset(state->color_format, 0, sizeof(state->color_format));
   if (!emul_draw_check_draw(state, error, error_size) ||
       !emul_draw_check_enums(regs, error, error_size))
      return false;
   emul_draw_init_layers(state);
   if (!regs->rasterizer_discard && !emul_draw_init_framebuffer(state, error, error_size))
      return false;
   emul_draw_check_output_regs(state);
   emul_draw_check_integer_buffers(state);
   emul_draw_init_area(state);
   emul_draw_init_depth_bounds(state);
   emul_draw_init_inputs(state);
   state->smooth = !emul_multisample(state) && emul_draw_draws_smooth(state);
   state->sample_shading = emul_multisample(state) && regs->sample_shading;
   state->drops_samples = state->counts_early = false;
   emul_draw_init_storage(state);
   if (state->fs) {
      const struct attila_isa_program *fs = emul_program_isa(state->fs);
      /* A colour buffer whose output is never written keeps its contents. */
      for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
         if (!(fs->outputs_written >> (regs->fs_color0_to_all ? 0 : i) & 1))
            state->color_mask &= ~(1u << i);
      }
      /* Without output 0 there is no alpha. */
      if (!(fs->outputs_written & 1) || state->samples == 1)
         state->regs.alpha_to_coverage = 0;
      state->color_outputs = regs->fs_color0_to_all ? state->color_mask != 0 : state->color_mask;
      state->color_outputs |= state->regs.alpha_to_coverage != 0;
      for (uint32_t m = regs->logicop_enable ? 0 : state->color_mask; m; m &= m - 1)
         state->color_outputs |= (uint32_t)emul_blends_two(state, (unsigned)__builtin_ctz(m)) << 1;
      state->drops_samples = emul_multisample(state) && fs->writes_samples;
      bool drops = fs->uses_kill || state->regs.alpha_to_coverage || state->drops_samples;
      bool counts = state->z_write || state->stencil_test || regs->count_samples;
      state->late_zs = (drops && counts) || (fs->writes_depth && state->z_test) ||
                       (state->shades_hidden && (state->z_test || state->stencil_test));
      if (fs->early_tests)
         state->late_zs = false;
      state->counts_early = fs->early_tests && drops && regs->count_samples;
   }
   return true;
}
