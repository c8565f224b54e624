/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Turns bound state into commands. A table of functions derives registers from state; registers
 * that differ from those of the GPU context are sent, then constants and programs. Not here: the
 * draw itself. */
#include "attila_emit.h"

#include <string.h>
#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_dmabuf_sync.h"
#include "attila_format_map.h"
#include "attila_front.h"
#include "attila_lazy_zero.h"
#include "attila_program.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_shader.h"
#include "attila_state_objects.h"
#include "attila_storage.h"
#include "attila_stream.h"
#include "util/macros.h"
#include "util/u_framebuffer.h"
#include "util/u_math.h"

static const struct attila_format_desc *
attila_emit_zs_desc(const struct attila_context *ctx)
{
   const struct pipe_surface *zs = ctx->state.framebuffer.zsbuf;
   return &attila_formats[zs ? attila_map_format(zs->format)->format : ATTILA_FORMAT_NONE];
}

/* --- Derived registers --- */

static uint32_t
attila_emit_layer_address(const struct pipe_surface *surface, unsigned layer)
{
   return attila_slice_address(attila_resource(surface->texture), surface->u.tex.level,
                               MIN2(surface->u.tex.first_layer + layer, surface->u.tex.last_layer));
}

/* Sets the registers for a layer of the bound images, or for the last layer of an image with
 * fewer. */
static void
attila_emit_derive_framebuffer_layer(struct attila_context *ctx, struct attila_regs *regs,
                                     unsigned layer)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   regs->fb_width = CLAMP(fb->width, 1, ATTILA_MAX_SURFACE_DIM);
   regs->fb_height = CLAMP(fb->height, 1, ATTILA_MAX_SURFACE_DIM);
   regs->fb_samples = util_framebuffer_get_num_samples(fb);
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct pipe_surface *surface = i < fb->nr_cbufs ? fb->cbufs[i] : NULL;
      struct attila_color_regs *r = &regs->color[i];
      r->address = r->format = r->pitch_tiles = 0;
      if (!surface)
         continue;
      const struct attila_resource *res = attila_resource(surface->texture);
      r->address = attila_emit_layer_address(surface, layer);
      r->format = attila_map_format(surface->format)->format;
      r->pitch_tiles = res->layout.pitch_tiles[surface->u.tex.level];
   }
   regs->zs_address = regs->zs_format = regs->zs_pitch_tiles = 0;
   if (fb->zsbuf) {
      const struct attila_resource *res = attila_resource(fb->zsbuf->texture);
      regs->zs_address = attila_emit_layer_address(fb->zsbuf, layer);
      regs->zs_format = attila_map_format(fb->zsbuf->format)->format;
      regs->zs_pitch_tiles = res->layout.pitch_tiles[fb->zsbuf->u.tex.level];
   }
}

static void
attila_emit_derive_framebuffer(struct attila_context *ctx, struct attila_regs *regs)
{
   attila_emit_derive_framebuffer_layer(ctx, regs, 0);
}

static void
attila_emit_derive_blend(struct attila_context *ctx, struct attila_regs *regs)
{
   const struct attila_blend *blend = ctx->state.blend;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      struct attila_color_regs *r = &regs->color[i];
      const struct attila_color_regs surface = *r;
      *r = blend->color[i];
      r->address = surface.address;
      r->format = surface.format;
      r->pitch_tiles = surface.pitch_tiles;
   }
   regs->logicop_enable = blend->logicop_enable;
   regs->logicop = blend->logicop;
   regs->alpha_to_coverage = blend->alpha_to_coverage;
   regs->alpha_to_one = blend->alpha_to_one;
}

static void
attila_emit_derive_blend_color(struct attila_context *ctx, struct attila_regs *regs)
{
   memcpy(regs->blend_color, ctx->state.blend_color.color, sizeof(regs->blend_color));
}

/* Disables tests for which the bound surface has no depth or stencil. */
static void
attila_emit_derive_zsa(struct attila_context *ctx, struct attila_regs *regs)
{
   const struct attila_zsa *zsa = ctx->state.zsa;
   const struct attila_format_desc *desc = attila_emit_zs_desc(ctx);
   const bool depth = desc->channel[0].bits != 0, stencil = desc->channel[1].bits != 0;
   regs->z_test = depth && zsa->z_test;
   regs->z_write = depth && zsa->z_write;
   regs->z_func = zsa->z_func;
   for (unsigned i = 0; i < 2; i++) {
      regs->stencil[i] = zsa->stencil[i];
      regs->stencil[i].enable = stencil && zsa->stencil[i].enable;
      regs->stencil[i].ref = ctx->state.stencil_ref.ref_value[i];
   }
   if (ctx->stencil_blit_mask) {
      regs->z_test = regs->z_write = 0;
      regs->stencil[0] = (struct attila_stencil_regs){
          .enable = 1,
          .func = ATTILA_FUNC_ALWAYS,
          .fail = ATTILA_STENCIL_REPLACE,
          .zfail = ATTILA_STENCIL_REPLACE,
          .zpass = ATTILA_STENCIL_REPLACE,
          .ref = ctx->stencil_blit_ref,
          .value_mask = 0xff,
          .write_mask = ctx->stencil_blit_mask,
      };
      regs->stencil[1].enable = 0;
   }
}

static void
attila_emit_derive_sample_mask(struct attila_context *ctx, struct attila_regs *regs)
{
   regs->sample_mask = ctx->state.sample_mask;
   regs->sample_shading = ctx->state.min_samples > 1 ||
                          ctx->state.program[ATTILA_STAGE_FRAGMENT]->compiled.sample_shading;
}

static void
attila_emit_derive_query(struct attila_context *ctx, struct attila_regs *regs)
{
   regs->count_samples = ctx->num_occlusion_queries && ctx->queries_enabled && !ctx->meta;
}

static void
attila_emit_derive_viewport(struct attila_context *ctx, struct attila_regs *regs)
{
   memcpy(regs->viewport_scale, ctx->state.viewport.scale, sizeof(regs->viewport_scale));
   memcpy(regs->viewport_translate, ctx->state.viewport.translate,
          sizeof(regs->viewport_translate));
}

static void
attila_emit_derive_scissor(struct attila_context *ctx, struct attila_regs *regs)
{
   const uint32_t width = ctx->state.framebuffer.width, height = ctx->state.framebuffer.height;
   regs->scissor_minx = regs->scissor_miny = 0;
   regs->scissor_maxx = width;
   regs->scissor_maxy = height;
   if (ctx->state.rasterizer->base.scissor) {
      regs->scissor_minx = MIN2(ctx->state.scissor.minx, width);
      regs->scissor_miny = MIN2(ctx->state.scissor.miny, height);
      regs->scissor_maxx = CLAMP(ctx->state.scissor.maxx, regs->scissor_minx, width);
      regs->scissor_maxy = CLAMP(ctx->state.scissor.maxy, regs->scissor_miny, height);
   }
}

static void
attila_emit_derive_rasterizer(struct attila_context *ctx, struct attila_regs *regs)
{
   const struct pipe_rasterizer_state *rs = &ctx->state.rasterizer->base;
   regs->clip_halfz = rs->clip_halfz;
   regs->depth_clip = rs->depth_clip_near;
   regs->cull = rs->cull_face;
   regs->front_ccw = rs->front_ccw;
   regs->flatshade_first = rs->flatshade_first;
   regs->fill_front = rs->fill_front;
   regs->fill_back = rs->fill_back;
   regs->offset_tri = rs->offset_tri;
   regs->offset_line = rs->offset_line;
   regs->offset_point = rs->offset_point;
   regs->offset_units = rs->offset_units;
   regs->offset_scale = rs->offset_scale;
   regs->offset_clamp = rs->offset_clamp;
   regs->line_width = CLAMP(rs->line_width, 1.0f, 64.0f);
   regs->line_smooth = rs->line_smooth;
   regs->line_stipple_enable = rs->line_stipple_enable;
   regs->line_stipple_pattern = rs->line_stipple_pattern;
   regs->line_stipple_factor = rs->line_stipple_factor + 1;
   regs->poly_smooth = rs->poly_smooth;
   regs->poly_stipple_enable = rs->poly_stipple_enable;
   regs->point_size = CLAMP(rs->point_size, 1.0f, 256.0f);
   regs->point_smooth = rs->point_smooth;
   regs->point_is_sprite = rs->point_quad_rasterization;
   regs->sprite_origin_lower_left = rs->sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT;
   regs->half_pixel_center = rs->half_pixel_center;
   regs->point_line_tri_clip = rs->point_line_tri_clip;
   regs->bottom_edge_rule = rs->bottom_edge_rule;
   regs->pixel_coverage =
       !rs->multisample && util_framebuffer_get_num_samples(&ctx->state.framebuffer) > 1;
}

static void
attila_emit_derive_stipple(struct attila_context *ctx, struct attila_regs *regs)
{
   memcpy(regs->poly_stipple, ctx->state.stipple.stipple, sizeof(regs->poly_stipple));
}

static void
attila_emit_derive_stage_textures(struct attila_context *ctx, struct attila_regs *regs,
                                  enum attila_stage stage)
{
   const struct attila_textures *t = &ctx->state.textures[stage];
   const uint32_t used = ctx->state.program[stage]->compiled.samplers;
   struct attila_tex_regs *units = &regs->tex[attila_first_tex_unit(stage)];

   for (unsigned i = 0; i < ARRAY_SIZE(t->views); i++) {
      const struct attila_sampler_view *view = (const struct attila_sampler_view *)t->views[i];
      const struct attila_sampler *sampler = t->samplers[i];
      struct attila_tex_regs *r = &units[i];
      if (!(used & (1u << i)))
         continue; /* the program ignores it */
      /* Textures that are only fetched from have no sampler. */
      const bool fetched =
          view && (view->base.target == PIPE_BUFFER || view->base.texture->nr_samples > 1);
      if (!view || (!sampler && !fetched) || !view->regs.enable) {
         r->enable = 0;
         continue;
      }
      const struct attila_tex_regs *v = &view->regs;
      *r = fetched ? (struct attila_tex_regs){0} : sampler->regs;
      r->enable = 1;
      r->target = v->target;
      r->format = v->format;
      r->address = attila_resource(view->base.texture)->bo.address + view->offset;
      r->width = v->width;
      r->height = v->height;
      r->depth = v->depth;
      r->num_levels = v->num_levels;
      r->first_level = v->first_level;
      r->last_level = v->last_level;
      r->samples = v->samples;
      r->cube_array = v->cube_array;
      r->swizzle = v->swizzle;
      /* Puts the channels of the border colour where the swizzle of the format reads them. */
      for (int c = 3; c >= 0 && !fetched; c--) {
         if (view->format_swizzle[c] <= ATTILA_SWIZZLE_W)
            r->border[view->format_swizzle[c]] = sampler->regs.border[c];
      }
   }
}

static void
attila_emit_derive_textures(struct attila_context *ctx, struct attila_regs *regs)
{
   for (enum attila_stage s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (ctx->state.program[s] &&
          (ctx->state.dirty & (ATTILA_DIRTY_TEX_0 | ATTILA_DIRTY_PROGRAM_0) << s))
         attila_emit_derive_stage_textures(ctx, regs, s);
   }
}

/* Later functions may rely on earlier ones (blending keeps the surfaces' registers). */
static const struct {
   void (*derive)(struct attila_context *ctx, struct attila_regs *regs);
   uint32_t dirty;
} derived[] = {
    {attila_emit_derive_framebuffer, ATTILA_DIRTY_FRAMEBUFFER},
    {attila_emit_derive_blend, ATTILA_DIRTY_BLEND},
    {attila_emit_derive_blend_color, ATTILA_DIRTY_BLEND_COLOR},
    {attila_emit_derive_zsa,
     ATTILA_DIRTY_ZSA | ATTILA_DIRTY_STENCIL_REF | ATTILA_DIRTY_FRAMEBUFFER},
    {attila_emit_derive_sample_mask, ATTILA_DIRTY_SAMPLE_MASK | ATTILA_DIRTY_PROGRAMS},
    {attila_emit_derive_query, ATTILA_DIRTY_QUERY},
    {attila_emit_derive_viewport, ATTILA_DIRTY_VIEWPORT},
    {attila_emit_derive_scissor,
     ATTILA_DIRTY_SCISSOR | ATTILA_DIRTY_RASTERIZER | ATTILA_DIRTY_FRAMEBUFFER},
    {attila_emit_derive_rasterizer, ATTILA_DIRTY_RASTERIZER | ATTILA_DIRTY_FRAMEBUFFER},
    {attila_emit_derive_stipple, ATTILA_DIRTY_STIPPLE},
    {attila_link_shaders, ATTILA_DIRTY_PROGRAMS | ATTILA_DIRTY_RASTERIZER},
    {attila_emit_derive_textures, ATTILA_DIRTY_TEX | ATTILA_DIRTY_PROGRAMS},
};

/* Sets up vertex buffers. Renaming changes addresses, and data may have to be uploaded, so this
 * runs for every draw. */
static void
attila_emit_derive_vertex_input(struct attila_context *ctx, struct attila_regs *regs, bool upload)
{
   const struct attila_vertex_elements *elements = ctx->state.elements;
   const unsigned instance = ctx->state.program[ATTILA_STAGE_VERTEX]->compiled.vs_instance_input;
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++) {
      struct attila_attrib_regs *r = &regs->attrib[i];
      r->enable = i == instance ? ATTILA_ATTRIB_INSTANCE : ATTILA_ATTRIB_NONE;
      if (i == instance || !elements || i >= elements->num ||
          elements->element[i].buffer >= ctx->state.num_vertex_buffers)
         continue;
      const struct pipe_vertex_buffer *vb = &ctx->state.vertex_buffers[elements->element[i].buffer];
      if (vb->is_user_buffer || !vb->buffer.resource ||
          elements->element[i].format == ATTILA_FORMAT_NONE)
         continue;
      struct attila_resource *res = attila_resource(vb->buffer.resource);
      if (upload)
         attila_buffer_upload(&ctx->cs, res);
      const uint32_t offset = vb->buffer_offset + elements->element[i].offset;
      *r = (struct attila_attrib_regs){
          .enable = ATTILA_ATTRIB_MEMORY,
          .address = res->bo.address + MIN2(offset, res->base.width0),
          .stride = elements->element[i].stride,
          .format = elements->element[i].format,
          .divisor = elements->element[i].divisor,
          .limit = attila_buffer_readable(res, offset),
      };
   }
}

void
attila_upload_vertices(struct attila_context *ctx, uint32_t start, uint32_t count)
{
   const struct attila_vertex_elements *elements = ctx->state.elements;
   uint64_t end[PIPE_MAX_ATTRIBS] = {0};
   for (unsigned i = 0; elements && i < elements->num; i++) {
      const uint64_t last = elements->element[i].divisor ? UINT32_MAX : (uint64_t)start + count - 1;
      const uint64_t read = elements->element[i].offset + last * elements->element[i].stride +
                            attila_formats[elements->element[i].format].bytes;
      end[elements->element[i].buffer] = MAX2(end[elements->element[i].buffer], read);
   }
   for (unsigned i = 0; i < ctx->state.num_vertex_buffers; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->state.vertex_buffers[i];
      if (end[i] && !vb->is_user_buffer && vb->buffer.resource)
         attila_buffer_upload_to(&ctx->cs, attila_resource(vb->buffer.resource),
                                 vb->buffer_offset + end[i]);
   }
}

/* --- Commands --- */

/* Sends the number of layers of the bound images, and which output is the layer. */
static void
attila_emit_layers(struct attila_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   struct attila_cmd_layers want = {.count = UINT32_MAX}, *have = &ctx->cs.hw.layers;
   for (unsigned i = 0; i <= fb->nr_cbufs; i++) {
      const struct pipe_surface *surface = i < fb->nr_cbufs ? fb->cbufs[i] : fb->zsbuf;
      if (!surface)
         continue;
      uint32_t *stride = i < fb->nr_cbufs ? &want.color_stride[i] : &want.zs_stride;
      *stride = attila_resource(surface->texture)->layout.slice_stride[surface->u.tex.level];
      want.count = MIN2(want.count, attila_surface_layers(surface));
   }
   want.output = attila_output_register(attila_last_vertex_program(ctx), VARYING_SLOT_LAYER);
   if (want.count == 1 || want.count == UINT32_MAX)
      memset(&want, 0, sizeof(want));
   if (!memcmp(&want, have, sizeof(want)))
      return;
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_LAYERS, sizeof(want) / 4), &want, sizeof(want));
   *have = want;
}

#define BLOCK 16 /* registers compared at once */

/* Sends the registers that differ. Short runs of equal ones in between are sent, too, which is
 * cheaper than another header. */
static void
attila_emit_registers(struct attila_context *ctx, const struct attila_regs *regs)
{
   const uint32_t *want = (const uint32_t *)regs;
   uint32_t *have = (uint32_t *)&ctx->cs.hw.regs;
   for (uint32_t i = 0; i < ATTILA_NUM_REGS;) {
      if (i + BLOCK <= ATTILA_NUM_REGS && !memcmp(want + i, have + i, BLOCK * 4)) {
         i += BLOCK;
         continue;
      }
      if (want[i] == have[i]) {
         i++;
         continue;
      }
      uint32_t end = i + 1;
      for (uint32_t j = end; j < ATTILA_NUM_REGS && j - end <= 2; j++)
         end = want[j] != have[j] ? j + 1 : end;
      uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_WRITE_REGS, 1 + end - i);
      p[0] = i;
      memcpy(p + 1, want + i, (end - i) * 4);
      memcpy(have + i, want + i, (end - i) * 4);
      i = end;
   }
}

static void
attila_emit_constants(struct attila_context *ctx, enum attila_stage stage)
{
   const struct attila_constants *c = &ctx->state.constants[stage];
   struct attila_hw_state *hw = &ctx->cs.hw;
   const struct attila_compiled *compiled = &ctx->state.program[stage]->compiled;
   unsigned num = MIN4(compiled->num_consts, compiled->alpha_ref_const, ATTILA_MAX_CONSTS, c->num);
   const float(*want)[4] = c->user;
   if (c->buffer.buffer) {
      struct attila_resource *res = attila_resource(c->buffer.buffer);
      const uint32_t offset = c->buffer.buffer_offset;
      num = offset < res->base.width0 ? MIN2(num, (res->base.width0 - offset) / 16) : 0;
      attila_buffer_read_back(&ctx->cs, res, offset, offset + num * 16);
      want = (const float(*)[4])(res->data + offset);
   }

   /* Send the constants that the GPU lacks, and of the others all from the first to the last one
    * that differ. */
   unsigned first = 0, last = num;
   while (first < num && first < hw->num_consts[stage] &&
          !memcmp(want[first], hw->consts[stage][first], 16))
      first++;
   while (last > first && last <= hw->num_consts[stage] &&
          !memcmp(want[last - 1], hw->consts[stage][last - 1], 16))
      last--;
   if (first >= last)
      return;
   uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_WRITE_CONSTS, 2 + (last - first) * 4);
   p[0] = stage;
   p[1] = first;
   memcpy(p + 2, want[first], (last - first) * 16);
   memcpy(hw->consts[stage][first], want[first], (last - first) * 16);
   hw->num_consts[stage] = MAX2(hw->num_consts[stage], last);
}

/* Uploads the buffers from which the program of the stage loads, and binds them on the GPU. Bytes
 * that were never written are outside of the bound range. */
static void
attila_emit_const_buffers(struct attila_context *ctx, enum attila_stage stage)
{
   struct attila_hw_state *hw = &ctx->cs.hw;
   unsigned first = ATTILA_MAX_CONST_BUFFERS, last = 0;
   if (!ctx->state.program[stage]->compiled.isa.uses_loads)
      return;
   for (unsigned i = 0; i < ATTILA_MAX_CONST_BUFFERS; i++) {
      const struct attila_const_buffer *b = &ctx->state.const_buffers[stage][i];
      uint32_t address = 0, size = 0;
      if (b->buffer) {
         struct attila_resource *res = attila_resource(b->buffer);
         attila_buffer_upload_to(&ctx->cs, res, (uint64_t)b->offset + b->size);
         size = MIN2(b->size, attila_buffer_readable(res, b->offset));
         address = size ? res->bo.address + b->offset : 0;
      }
      if (hw->const_buffers[stage][i].address == address &&
          hw->const_buffers[stage][i].size == size)
         continue;
      hw->const_buffers[stage][i].address = address;
      hw->const_buffers[stage][i].size = size;
      first = MIN2(first, i);
      last = i + 1;
   }
   if (first >= last)
      return;
   uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_CONST_BUFFERS, 2 + (last - first) * 2);
   p[0] = stage;
   p[1] = first;
   memcpy(p + 2, &hw->const_buffers[stage][first],
          (last - first) * sizeof(hw->const_buffers[stage][0]));
}

/* Sends the alpha reference, which is a constant beside those of the program. */
static void
attila_emit_alpha_reference(struct attila_context *ctx)
{
   const enum attila_stage stage = ATTILA_STAGE_FRAGMENT;
   struct attila_hw_state *hw = &ctx->cs.hw;
   const unsigned index = ctx->state.program[stage]->compiled.alpha_ref_const;
   const float want[4] = {ctx->state.zsa->alpha_ref};
   if (index == ATTILA_NO_CONST ||
       (index < hw->num_consts[stage] && !memcmp(want, hw->consts[stage][index], sizeof(want))))
      return;
   uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_WRITE_CONSTS, 2 + 4);
   p[0] = stage;
   p[1] = index;
   memcpy(p + 2, want, sizeof(want));
   memcpy(hw->consts[stage][index], want, sizeof(want));
   /* Constants before it that were not sent still count as not sent. */
   if (index == hw->num_consts[stage])
      hw->num_consts[stage]++;
}

/* If textures have moved, their addresses in registers must be derived anew. */
static void
attila_emit_note_renames(struct attila_context *ctx)
{
   const unsigned renames = p_atomic_read(&ctx->cs.screen->renames);
   if (ctx->state.seen_renames != renames)
      ctx->state.dirty |= ATTILA_DIRTY_FRAMEBUFFER | ATTILA_DIRTY_TEX;
   ctx->state.seen_renames = renames;
}

/* Finds the textures that the bound programs may sample; returns their number. */
static unsigned
attila_emit_sampled_views(
    const struct attila_context *ctx,
    struct pipe_sampler_view *views[ATTILA_NUM_STAGES * ATTILA_STAGE_TEX_UNITS])
{
   unsigned num = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (!ctx->state.program[s])
         continue;
      u_foreach_bit (i, ctx->state.program[s]->compiled.samplers &
                            BITFIELD_MASK(ATTILA_STAGE_TEX_UNITS)) {
         if (ctx->state.textures[s].views[i])
            views[num++] = ctx->state.textures[s].views[i];
      }
   }
   return num;
}

/* Uploads sampled buffers and makes all of them defined. They may have moved. */
static void
attila_emit_prepare_sampled_buffers(struct attila_context *ctx)
{
   struct pipe_sampler_view *views[ATTILA_NUM_STAGES * ATTILA_STAGE_TEX_UNITS];
   const unsigned num = attila_emit_sampled_views(ctx, views);
   for (unsigned i = 0; i < num; i++) {
      struct attila_resource *res = attila_resource(views[i]->texture);
      if (!attila_is_buffer(res))
         continue;
      const uint32_t end = MIN2(views[i]->u.buf.offset + views[i]->u.buf.size, res->base.width0);
      attila_buffer_written(&ctx->cs, res, res->valid.end, end, false);
      attila_buffer_upload(&ctx->cs, res);
      ctx->state.dirty |= ATTILA_DIRTY_TEX;
   }
}

/* Makes textures and images current in memory: flushes ROP caches, zeroes undefined slices. */
static void
attila_emit_prepare_sampled_textures(struct attila_context *ctx)
{
   struct pipe_sampler_view *views[ATTILA_NUM_STAGES * ATTILA_STAGE_TEX_UNITS];
   const unsigned num = attila_emit_sampled_views(ctx, views);
   uint32_t bits = 0;
   for (unsigned i = 0; i < num; i++) {
      if (attila_is_buffer(attila_resource(views[i]->texture)))
         continue;
      attila_zero_view(&ctx->cs, views[i]);
      bits |= attila_resource_flush_bits(&ctx->cs, attila_resource(views[i]->texture));
   }
   if (bits)
      attila_cs_flush_caches(&ctx->cs, bits | ATTILA_FLUSH_TEXTURE);
   attila_image_prepare(ctx);
}

static void
attila_emit_mark_rendered(struct attila_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         attila_resource_rendered(&ctx->cs, attila_resource(fb->cbufs[i]->texture), false);
   }
   if (fb->zsbuf)
      attila_resource_rendered(&ctx->cs, attila_resource(fb->zsbuf->texture), true);
}

static void
attila_emit_import_dmabufs(struct attila_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         attila_dmabuf_import(&ctx->cs, attila_resource(fb->cbufs[i]->texture));
   }
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const struct attila_textures *textures = &ctx->state.textures[s];
      for (unsigned i = 0; i < textures->num_views; i++) {
         if (textures->views[i])
            attila_dmabuf_import(&ctx->cs, attila_resource(textures->views[i]->texture));
      }
   }
}

/* Updates bound front buffers from windows, and shared textures from outside. overwritten: a bit
 * per colour buffer whose contents do not matter. */
static void
attila_emit_import_bound(struct attila_context *ctx, unsigned overwritten)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   if (p_atomic_read(&ctx->cs.screen->num_dmabufs))
      attila_emit_import_dmabufs(ctx);
   for (unsigned i = 0; i < fb->nr_cbufs && ctx->state.draws_front; i++) {
      if (fb->cbufs[i] && !(overwritten & 1u << i))
         attila_front_import(&ctx->cs, attila_resource(fb->cbufs[i]->texture));
   }
}

void
attila_emit_framebuffer_state(struct attila_context *ctx, unsigned overwritten, unsigned layer)
{
   attila_emit_import_bound(ctx, overwritten);
   attila_emit_note_renames(ctx);
   if (layer)
      ctx->state.dirty |= ATTILA_DIRTY_FRAMEBUFFER;
   if (ctx->state.dirty & ATTILA_DIRTY_FRAMEBUFFER) {
      /* ATTILA_DIRTY_FRAMEBUFFER stays set: the next draw derives what else depends on it. */
      struct attila_regs regs = ctx->cs.hw.regs;
      attila_emit_derive_framebuffer_layer(ctx, &regs, layer);
      attila_emit_registers(ctx, &regs);
   }
   attila_emit_mark_rendered(ctx);
}

bool
attila_emit_draw_state(struct attila_context *ctx, enum mesa_prim prim, bool upload)
{
   if (!ctx->state.blend || !ctx->state.zsa || !ctx->state.rasterizer ||
       !attila_emit_programs(ctx, prim))
      return false;

   attila_emit_import_bound(ctx, 0);
   attila_emit_note_renames(ctx);
   attila_emit_prepare_sampled_buffers(ctx);
   struct attila_regs regs = ctx->cs.hw.regs;
   for (unsigned i = 0; i < ARRAY_SIZE(derived); i++) {
      if (ctx->state.dirty & derived[i].dirty)
         derived[i].derive(ctx, &regs);
   }
   ctx->state.dirty = 0;
   attila_emit_stream(ctx);
   attila_emit_derive_vertex_input(ctx, &regs, upload);
   attila_emit_prepare_sampled_textures(ctx);
   attila_emit_registers(ctx, &regs);
   attila_emit_layers(ctx);
   for (enum attila_stage s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (ctx->state.program[s])
         attila_emit_constants(ctx, s);
   }
   for (enum attila_stage s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (ctx->state.program[s])
         attila_emit_const_buffers(ctx, s);
      attila_emit_storage(ctx, s);
   }
   attila_emit_alpha_reference(ctx);
   attila_zero_framebuffer(&ctx->cs, &ctx->state.framebuffer);
   return true;
}

bool
attila_emit_grid_state(struct attila_context *ctx)
{
   const enum attila_stage stage = ATTILA_STAGE_COMPUTE;
   if (!attila_emit_grid_program(ctx))
      return false;
   if (p_atomic_read(&ctx->cs.screen->num_dmabufs))
      attila_emit_import_dmabufs(ctx);
   attila_emit_note_renames(ctx);
   attila_emit_prepare_sampled_buffers(ctx);
   struct attila_regs regs = ctx->cs.hw.regs;
   attila_emit_derive_stage_textures(ctx, &regs, stage);
   ctx->state.dirty |= ATTILA_DIRTY_TEX_0 << ATTILA_STAGE_FRAGMENT; /* of the same units */
   attila_emit_prepare_sampled_textures(ctx);
   attila_emit_registers(ctx, &regs);
   attila_emit_constants(ctx, stage);
   attila_emit_const_buffers(ctx, stage);
   attila_emit_storage(ctx, stage);
   return true;
}

/* Notes what programs read and write. */
static void
attila_emit_note_uses(struct attila_context *ctx)
{
   struct pipe_sampler_view *views[ATTILA_NUM_STAGES * ATTILA_STAGE_TEX_UNITS];
   const unsigned num = attila_emit_sampled_views(ctx, views);
   for (unsigned i = 0; i < num; i++)
      attila_resource_use(&ctx->cs, attila_resource(views[i]->texture));
   attila_storage_drawn(ctx);
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const bool loads = ctx->state.program[s] && ctx->state.program[s]->compiled.isa.uses_loads;
      for (unsigned i = 0; loads && i < ATTILA_MAX_CONST_BUFFERS; i++) {
         if (ctx->state.const_buffers[s][i].buffer)
            attila_resource_use(&ctx->cs, attila_resource(ctx->state.const_buffers[s][i].buffer));
      }
   }
   ctx->cs.frame_has_work = true;
}

void
attila_draw_recorded(struct attila_context *ctx)
{
   attila_emit_note_uses(ctx);
   for (unsigned i = 0; i < ctx->state.num_vertex_buffers; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->state.vertex_buffers[i];
      if (!vb->is_user_buffer && vb->buffer.resource)
         attila_resource_use(&ctx->cs, attila_resource(vb->buffer.resource));
   }
   attila_stream_drawn(ctx);
   attila_emit_mark_rendered(ctx);
}

void
attila_grid_recorded(struct attila_context *ctx)
{
   attila_emit_note_uses(ctx);
}
